//! One access line, made ready for drawing: thresholds instead of percentages, places counted.

use std::time::Duration;

use crate::pattern::{self, Align};
use crate::unit::{Percent, SECTOR, Span};

use super::Place;

/// A line with everything that a draw needs computed beforehand.
#[derive(Debug)]
pub(super) struct Line {
    pub(super) size: u32,
    /// A 32-bit draw below this reads.
    pub(super) read_below: u64,
    /// A 32-bit draw below this goes to a random place; none is needed for 0 and
    /// [`Line::ALWAYS`].
    pub(super) random_below: u64,
    /// The first aligned place, the distance between places, and how many there are.
    pub(super) first: u64,
    pub(super) step: u64,
    pub(super) places: u64,
    pub(super) burst: u32,
    pub(super) delay: Duration,
}

/// The threshold of a 32-bit draw that a share of all draws stays below.
fn threshold(percent: Percent) -> u64 {
    u64::from(percent.hundredths()) * Line::ALWAYS / 10_000
}

impl Line {
    /// Above every 32-bit draw.
    pub(super) const ALWAYS: u64 = 1 << 32;

    pub(super) fn new(line: &pattern::Line, place: Place) -> Self {
        let step = step(line, u64::from(place.geometry.block));
        let first = place.span.start.get().next_multiple_of(step);
        let last = place.span.end().get().saturating_sub(line.size.bytes().get());
        Self {
            size: line.size.get(),
            read_below: threshold(line.read),
            random_below: threshold(line.random),
            first,
            step,
            places: if first <= last { (last - first) / step + 1 } else { 1 },
            burst: line.burst,
            delay: line.delay,
        }
    }

    /// The aligned place at or after the cursor, or the first one where the request would not fit.
    #[inline]
    pub(super) fn after(&self, cursor: u64, span: Span) -> u64 {
        let step = self.step;
        let offset = if step.is_power_of_two() {
            (cursor + step - 1) & !(step - 1)
        } else {
            cursor.next_multiple_of(step)
        };
        if offset + u64::from(self.size) <= span.end().get() { offset } else { self.first }
    }
}

/// The distance between places: what the line asks for, raised to a multiple of what the target
/// can address.
fn step(line: &pattern::Line, block: u64) -> u64 {
    let asked = match line.align {
        Align::Natural => u64::from(line.size.natural_alignment()),
        Align::Sector => SECTOR,
        Align::Bytes(bytes) => u64::from(bytes.get()),
    };
    asked.next_multiple_of(block)
}
