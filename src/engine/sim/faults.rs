//! Faults planted in a simulated device.

use std::time::Duration;

use super::{Transfer, nanos};
use crate::measure::Errno;

/// A device stands still once in this time, and first after half of it, in nanoseconds.
const STALL_EVERY: u64 = 10_000_000_000;

/// What goes wrong, and how often. Shares are fractions of all requests.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Faults {
    /// Requests that fail with EIO.
    pub fail: f64,
    /// Requests that move only a part of their bytes.
    pub short: f64,
    /// Requests that are refused with EAGAIN.
    pub again: f64,
    /// Requests that are never answered.
    pub never: f64,
    /// How long the device stands still, once every 10 s, first after 5 s.
    pub stall: Duration,
    /// When the device drops out, from the start of the point; zero for never.
    pub gone: Duration,
}

/// What becomes of one request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Outcome {
    Moves(u32),
    Fails(Errno),
    Refused(Errno),
    Never,
}

impl Faults {
    /// Decides by a 64-bit draw.
    pub(super) fn outcome(&self, chance: u64, now: u64, transfer: &Transfer) -> Outcome {
        let gone = nanos(self.gone);
        if 0 < gone && gone <= now {
            return Outcome::Refused(Errno(19));
        }
        let chance = (chance >> 11) as f64 / (1_u64 << 53) as f64;
        let cases = [
            (self.never, Outcome::Never),
            (self.fail, Outcome::Fails(Errno(5))),
            (self.again, Outcome::Refused(Errno::AGAIN)),
            (self.short, Outcome::Moves(part(transfer.size))),
        ];
        let mut below = 0.0;
        for (share, outcome) in cases {
            below += share;
            if chance < below {
                return outcome;
            }
        }
        Outcome::Moves(transfer.size)
    }

    /// When a device that would start at `start` does start.
    pub(super) fn resume(&self, start: u64) -> u64 {
        let stall = nanos(self.stall).min(STALL_EVERY / 2);
        let within = start % STALL_EVERY;
        match within.checked_sub(STALL_EVERY / 2) {
            Some(since) if since < stall => start + (stall - since),
            _ => start,
        }
    }
}

/// About half of a transfer, in whole sectors; all of it where it is a single one.
fn part(size: u32) -> u32 {
    const SECTOR: u32 = 512;
    (size / 2 / SECTOR * SECTOR).max(SECTOR.min(size))
}
