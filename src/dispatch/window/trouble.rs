//! What a window does with a completion that is not a whole one: the rest of a short transfer is
//! issued, a refusal for the moment is repeated, a failure is counted, and a target that fails
//! everything is given up. All of it lies outside the usual turn. Tested by planted faults in
//! tests/simulation.rs.

use std::time::Duration;

use super::Window;
use crate::engine::Slot;
use crate::measure::{Ending, Errno};
use crate::unit::Tick;

/// How often a request that moved too little, or was refused for the moment, is issued.
const TRIES: u8 = 8;

/// This many failures without a success between them, and the target is given up.
const FAILURES: u32 = 10_000;

/// So are this many beyond a full queue, if they last this long or to the end of the run time: a
/// disk that was pulled answers no errno of its own on every kernel.
const FAILURES_AT_LENGTH: (u32, Duration) = (100, Duration::from_secs(1));

impl Window {
    /// A transfer moved less than asked: its rest is issued, if the target can still do it.
    #[cold]
    pub(super) fn fall_short(&mut self, now: Tick, slot: Slot, moved: u32) {
        let flight = &mut self.flights[slot.index()];
        let continues = moved > 0 && moved.is_multiple_of(self.parts.block);
        match &mut flight.transfer {
            Some(transfer) if continues && flight.tries < TRIES && moved < transfer.size => {
                transfer.offset += u64::from(moved);
                transfer.size -= moved;
                transfer.buffer = transfer.buffer.advanced(moved);
                flight.tries += 1;
                self.parts.measurement.short_transfers += 1;
                self.again.push(slot);
            }
            _ => self.fail(now, slot, Errno::SHORT),
        }
    }

    #[cold]
    pub(super) fn retry_or_fail(&mut self, now: Tick, slot: Slot, errno: Errno) {
        let flight = &mut self.flights[slot.index()];
        if flight.tries < TRIES {
            flight.tries += 1;
            self.parts.measurement.again += 1;
            self.again.push(slot);
        } else {
            self.fail(now, slot, errno);
        }
    }

    /// Counts a request that failed; a target that fails everything ends the point.
    #[cold]
    pub(super) fn fail(&mut self, now: Tick, slot: Slot, errno: Errno) {
        let op = self.flights[slot.index()].request.op;
        if self.records(now) {
            self.parts.measurement.errors.record(op, errno);
        } else {
            self.parts.measurement.errors_outside.record(op, errno);
        }
        self.parts.measurement.series.record_error();
        self.live.errors += 1;
        self.failures += 1;
        let lasting = self.fails_at_length() && FAILURES_AT_LENGTH.1 <= now - self.succeeded;
        let gone = errno.means_gone() && self.failures > u32::from(self.parts.depth);
        if gone || lasting || self.failures >= FAILURES {
            self.end(now, Ending::Gone);
        }
        self.release(slot);
    }

    /// Whether more has failed without a success between than bad luck explains.
    pub(super) fn fails_at_length(&self) -> bool {
        self.failures > u32::from(self.parts.depth) + FAILURES_AT_LENGTH.0
    }
}
