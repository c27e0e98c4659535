//! A simulated device on virtual time.
//!
//! Channels serve requests first come, first served; a request takes a time that depends on its
//! operation, size and, for a disk, on where the arm stands. Everything is decided by the seed, in
//! whole nanoseconds, without logarithms or fused arithmetic: the same seed gives the same figures
//! on every machine. Faults can be planted, so that every path of the tool runs without a broken
//! disk. The engine moves its [`Virtual`] clock only in `wait`, to the earliest completion that
//! serves the wait. Tested by theory in tests/simulation.rs.

mod faults;
mod model;

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::time::Duration;

use rand::{Rng, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

pub use faults::Faults;
pub use model::{Model, ModelError, Service};

use super::{Completion, Engine, EngineError, Slot, Transfer, Wait};
use crate::clock::{Clock, Virtual};
use crate::measure::Errno;
use crate::unit::{Seed, Tick};
use faults::Outcome;

/// A device that exists as arithmetic.
#[derive(Debug)]
pub struct Simulated {
    model: Model,
    clock: Virtual,
    generator: Xoshiro256PlusPlus,
    /// When each channel is free again, in nanoseconds.
    free_at: Vec<u64>,
    /// Where the last transfer ended: the arm's place, in bytes.
    arm: u64,
    pending: BinaryHeap<Reverse<Pending>>,
    sequence: u64,
}

/// A transfer under way, ordered by its end, then by its submission.
#[derive(Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Pending {
    ends: u64,
    sequence: u64,
    slot: u16,
    moved: u32,
    errno: u16,
}

impl Simulated {
    /// A device for `slots` transfers in flight.
    pub fn new(model: Model, clock: Virtual, slots: u16, seed: Seed) -> Self {
        let free_at = vec![0; usize::from(model.channels.max(1))];
        Self {
            model,
            clock,
            generator: Xoshiro256PlusPlus::seed_from_u64(seed.0),
            free_at,
            arm: 0,
            pending: BinaryHeap::with_capacity(usize::from(slots)),
            sequence: 0,
        }
    }

    /// Serves a transfer on the channel that is free first; gives its end.
    fn serve(&mut self, transfer: &Transfer) -> u64 {
        let service = self.model.service(transfer, self.arm, &mut self.generator);
        self.arm = transfer.offset + u64::from(transfer.size);
        let now = self.clock.now().nanos();
        let channel = self.free_at.iter_mut().min().expect("a model has at least one channel");
        let start = self.model.faults.resume((*channel).max(now));
        *channel = start + service;
        *channel
    }
}

impl Engine for Simulated {
    fn submit(&mut self, slot: Slot, transfer: Transfer) {
        let now = self.clock.now().nanos();
        let chance = self.generator.next_u64();
        let outcome = self.model.faults.outcome(chance, now, &transfer);
        let (moved, errno, ends) = match outcome {
            Outcome::Never => return,
            Outcome::Refused(errno) => (0, errno.0, now + 1_000),
            Outcome::Fails(errno) => (0, errno.0, self.serve(&transfer)),
            Outcome::Moves(bytes) => (bytes, 0, self.serve(&transfer)),
        };
        self.sequence += 1;
        let sequence = self.sequence;
        self.pending.push(Reverse(Pending { ends, sequence, slot: slot.0, moved, errno }));
    }

    fn wait(&mut self, wait: Wait) -> Result<(), EngineError> {
        let limit = self.clock.now() + wait.at_most;
        let tick = match wait.at_least {
            0 | 1 => self.pending.peek().map(|Reverse(first)| first.ends),
            many => self.nth_end(many as usize),
        };
        let tick = tick.map_or(limit, |ends| Tick::from_nanos(ends).min(limit));
        self.clock.advance(tick);
        Ok(())
    }

    fn take(&mut self) -> Option<Completion> {
        let Reverse(first) = self.pending.peek()?;
        if self.clock.now().nanos() < first.ends {
            return None;
        }
        let Reverse(done) = self.pending.pop()?;
        let result = if done.errno == 0 { Ok(done.moved) } else { Err(Errno(done.errno)) };
        Some(Completion { slot: Slot(done.slot), result })
    }
}

impl Simulated {
    /// When the n-th of the pending transfers ends; only waits for several come here.
    fn nth_end(&self, n: usize) -> Option<u64> {
        let mut ends: Vec<u64> = self.pending.iter().map(|Reverse(pending)| pending.ends).collect();
        ends.sort_unstable();
        ends.get(n - 1).or(ends.last()).copied()
    }
}

/// A time in nanoseconds, as far as 64 bits go.
fn nanos(duration: Duration) -> u64 {
    u64::try_from(duration.as_nanos()).unwrap_or(u64::MAX)
}
