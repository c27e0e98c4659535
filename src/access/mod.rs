//! Which I/O comes next: the weighted mix, the cursor, the pace.
//!
//! A [`Source`] is one worker's stream of requests, decided by its seed alone: the same seed gives
//! the same requests, whatever the target answers. It follows Iometer's model: a line is drawn by
//! its share once per burst, the direction per request, random or sequential per request, and a
//! sequential request goes on after the last one, wherever that was. Offsets are drawn uniformly
//! over the aligned places where the request fits; there is no random map. This module does no I/O
//! and reads no clock. Tested by chi-squared over millions of requests in tests/simulation.rs and
//! by properties here.

mod line;
mod pick;

use std::time::Duration;

use rand::{Rng, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

use crate::pattern;
use crate::unit::{Bytes, Geometry, Op, Order, Seed, Span, Tick, below};

use line::Line;
use pick::Pick;

/// One I/O to do.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Request {
    /// Its direction.
    pub op: Op,
    /// Where it starts.
    pub offset: u64,
    /// Bytes.
    pub size: u32,
    /// The access line that it was drawn from.
    pub line: u8,
    /// Whether it continues the one before.
    pub order: Order,
    /// Whether it is the first of a draw of its line.
    pub first_of_burst: bool,
}

/// What a worker's stream is made of.
#[derive(Debug, Clone, Copy)]
pub struct Place {
    /// What the target can do.
    pub geometry: Geometry,
    /// The part of it that is used.
    pub span: Span,
    /// Which worker this is, of how many: their cursors start evenly spread.
    pub worker: (u16, u16),
}

/// One worker's stream of requests.
#[derive(Debug)]
pub struct Source {
    generator: Xoshiro256PlusPlus,
    lines: Vec<Line>,
    pick: Pick,
    span: Span,
    cursor: u64,
    burst: Burst,
}

/// The line in use, and how much of its burst is left.
#[derive(Debug)]
struct Burst {
    line: usize,
    left: u32,
    due: Tick,
    paused: bool,
}

impl Source {
    /// A stream of an access specification's requests over a place.
    pub fn new(access: &pattern::Access, place: Place, seed: Seed) -> Self {
        let lines = access.lines.iter().map(|line| Line::new(line, place)).collect();
        let (worker, workers) = (u64::from(place.worker.0), u64::from(place.worker.1.max(1)));
        let share = place.span.length.get() / workers;
        Self {
            generator: Xoshiro256PlusPlus::seed_from_u64(seed.0),
            lines,
            pick: Pick::new(access.lines.iter().map(|line| line.share)),
            span: place.span,
            cursor: place.span.start.get() + share * worker,
            burst: Burst { line: 0, left: 0, due: Tick::ZERO, paused: false },
        }
    }

    /// The next request; `None` until [`Source::due`] where a delay holds it back.
    #[inline(always)]
    #[expect(
        clippy::inline_always,
        reason = "else a request goes through memory in bytes and is read back in words, which \
                  costs a store forwarding each: a quarter of a worker's user time"
    )]
    pub fn next(&mut self, now: Tick) -> Option<Request> {
        if self.burst.paused && now < self.burst.due {
            // Nothing is drawn while a pause runs: how often the window asks must not matter.
            return None;
        }
        let first_of_burst = self.burst.left == 0;
        let chance = self.generator.next_u64();
        #[expect(clippy::cast_possible_truncation, reason = "the low half is wanted")]
        let (high, low) = ((chance >> 32) as u32, chance as u32);
        if first_of_burst && !self.draw(high, now) {
            return None;
        }
        self.burst.left -= 1;
        let index = self.burst.line;
        let line = &self.lines[index];
        let op = if u64::from(low) < line.read_below { Op::Read } else { Op::Write };
        let random = match line.random_below {
            0 => false,
            Line::ALWAYS => true,
            below => (self.generator.next_u64() >> 32) < below,
        };
        let (order, offset) = if random {
            let place = below(self.generator.next_u64(), line.places);
            (Order::Random, line.first + place * line.step)
        } else {
            (Order::Sequential, line.after(self.cursor, self.span))
        };
        self.cursor = offset + u64::from(line.size);
        #[expect(clippy::cast_possible_truncation, reason = "a pattern has at most 100 lines")]
        Some(Request { op, offset, size: line.size, line: index as u8, order, first_of_burst })
    }

    /// When the burst that [`Source::next`] holds back may start.
    pub fn due(&self) -> Tick {
        self.burst.due
    }

    /// Draws a line and starts its burst; false while its delay runs.
    #[inline]
    fn draw(&mut self, chance: u32, now: Tick) -> bool {
        if self.burst.paused {
            self.burst.paused = false;
            self.burst.left = self.lines[self.burst.line].burst;
            return true;
        }
        self.burst.line = self.pick.line(chance);
        let line = &self.lines[self.burst.line];
        if line.delay > Duration::ZERO {
            self.burst.due = now + line.delay;
            self.burst.paused = true;
            return false;
        }
        self.burst.left = line.burst;
        true
    }

    /// Bytes of the largest request.
    pub fn largest(&self) -> Bytes {
        Bytes(self.lines.iter().map(|line| u64::from(line.size)).max().unwrap_or(0))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pattern::{Access, Align, Data};
    use crate::unit::{Percent, TransferSize};
    use proptest::prelude::*;

    fn line(size: u64, share: f64, read: f64, random: f64) -> pattern::Line {
        pattern::Line {
            size: TransferSize::try_from(size).unwrap(),
            share: Percent::try_from(share).unwrap(),
            read: Percent::try_from(read).unwrap(),
            random: Percent::try_from(random).unwrap(),
            align: Align::Natural,
            burst: 1,
            delay: Duration::ZERO,
        }
    }

    fn place(length: u64) -> Place {
        Place {
            geometry: Geometry { size: Bytes(length), block: 512, memory_alignment: 512 },
            span: Span { start: Bytes(0), length: Bytes(length) },
            worker: (0, 1),
        }
    }

    fn source(lines: Vec<pattern::Line>, place: Place) -> Source {
        Source::new(&Access { lines, data: Data::Random }, place, Seed(7))
    }

    #[test]
    fn a_sequential_stream_goes_on_and_wraps() {
        let mut source = source(vec![line(4096, 100.0, 100.0, 0.0)], place(3 * 4096));
        let offsets: Vec<u64> = (0..5).map(|_| source.next(Tick::ZERO).unwrap().offset).collect();
        assert_eq!(offsets, [0, 4096, 8192, 0, 4096]);
    }

    #[test]
    fn workers_start_spread_over_the_span() {
        let start = |worker| {
            let place = Place { worker: (worker, 4), ..place(1 << 20) };
            source(vec![line(4096, 100.0, 100.0, 0.0)], place).next(Tick::ZERO).unwrap().offset
        };
        assert_eq!([0, 1, 2, 3].map(start), [0, 1 << 18, 2 << 18, 3 << 18]);
    }

    #[test]
    fn a_delay_holds_a_burst_back() {
        let mut slow = line(4096, 100.0, 100.0, 100.0);
        slow.burst = 2;
        slow.delay = Duration::from_millis(10);
        let mut source = source(vec![slow], place(1 << 20));
        let now = Tick::from_nanos(1_000);
        assert_eq!(source.next(now), None);
        let due = source.due();
        assert_eq!(due - now, Duration::from_millis(10));
        assert!(source.next(due).unwrap().first_of_burst);
        assert!(!source.next(due).unwrap().first_of_burst);
        assert_eq!(source.next(due), None);
    }

    #[test]
    fn the_same_seed_gives_the_same_stream() {
        let lines = vec![line(512, 40.0, 80.0, 50.0), line(65536, 60.0, 20.0, 50.0)];
        let (mut a, mut b) = (source(lines.clone(), place(1 << 30)), source(lines, place(1 << 30)));
        for _ in 0..10_000 {
            assert_eq!(a.next(Tick::ZERO), b.next(Tick::ZERO));
        }
    }

    fn any_line() -> impl Strategy<Value = pattern::Line> {
        let align = prop_oneof![
            Just(Align::Natural),
            Just(Align::Sector),
            (1_u64..40).prop_map(|n| Align::Bytes(TransferSize::try_from(n * 512).unwrap())),
        ];
        (1_u64..300, 0.0_f64..100.0, 0.0_f64..100.0, align, 1_u32..4).prop_map(
            |(sectors, read, random, align, burst)| pattern::Line {
                align,
                burst,
                ..line(sectors * 512, 100.0, read.round(), random.round())
            },
        )
    }

    proptest! {
        #[test]
        fn requests_lie_inside_and_aligned(
            spec in any_line(), start in 0_u64..50, length in 300_u64..9000, block in 0_u32..4
        ) {
            let block = 512 << block;
            let span = Span { start: Bytes(start * 4096), length: Bytes(length * 512) };
            let geometry = Geometry { size: span.end(), block, memory_alignment: block };
            prop_assume!(spec.size.get().is_multiple_of(block));
            let place = Place { geometry, span, worker: (1, 3) };
            let mut source = source(vec![spec], place);
            for _ in 0..300 {
                let request = source.next(Tick::ZERO).unwrap();
                prop_assert!(span.holds(request.offset, request.size), "{request:?} in {span:?}");
                prop_assert_eq!(request.offset % u64::from(block), 0);
            }
        }
    }
}
