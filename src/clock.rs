//! The only reader of time.
//!
//! Everything that measures takes a [`Tick`] as an argument or is generic over [`Clock`]; so a
//! whole run can be driven by a virtual clock, and no test times itself against the wall. Tested
//! through the simulated device, which moves the virtual clock.

use std::cell::Cell;
use std::rc::Rc;
use std::time::{Duration, SystemTime};

use rustix::time::{ClockId, clock_gettime};

use crate::unit::Tick;

/// A source of instants that never run backwards.
pub trait Clock {
    /// The instant now.
    fn now(&self) -> Tick;
}

/// The machine's monotonic clock; ticks count from the first clock made in this process, so that
/// all workers share one time. It is read through the vDSO, and one subtraction of nanoseconds is
/// all that a reading costs beside it: `Instant` takes another sixty instructions for its own.
#[derive(Debug, Clone, Copy)]
pub struct Monotonic {
    start_ns: u64,
}

impl Monotonic {
    /// A clock that starts now.
    pub fn start() -> Self {
        Self { start_ns: monotonic_ns() }
    }
}

/// Nanoseconds of `CLOCK_MONOTONIC`, since the machine was started.
#[inline]
fn monotonic_ns() -> u64 {
    let now = clock_gettime(ClockId::Monotonic);
    // Neither is negative on this clock.
    now.tv_sec.cast_unsigned() * 1_000_000_000 + now.tv_nsec.cast_unsigned()
}

impl Clock for Monotonic {
    #[inline]
    fn now(&self) -> Tick {
        Tick::from_nanos(monotonic_ns() - self.start_ns)
    }
}

/// A clock that stands still until its device moves it: simulated targets run on it.
#[derive(Debug, Clone, Default)]
pub struct Virtual {
    now: Rc<Cell<u64>>,
}

impl Virtual {
    /// Moves the clock on to `tick`; an earlier tick leaves it where it is.
    pub fn advance(&self, tick: Tick) {
        self.now.set(self.now.get().max(tick.nanos()));
    }
}

impl Clock for Virtual {
    #[inline]
    fn now(&self) -> Tick {
        Tick::from_nanos(self.now.get())
    }
}

/// The time of day, for a record's dates; never for a duration.
#[expect(clippy::disallowed_methods, reason = "this is the one place that reads the clock")]
pub fn time_of_day() -> SystemTime {
    SystemTime::now()
}

/// Nanoseconds since the epoch: a seed for runs that were given none.
pub fn entropy() -> u64 {
    let since = time_of_day().duration_since(SystemTime::UNIX_EPOCH).unwrap_or(Duration::ZERO);
    since.as_secs().wrapping_mul(1_000_000_000).wrapping_add(u64::from(since.subsec_nanos()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_virtual_clock_moves_only_forward() {
        let clock = Virtual::default();
        clock.advance(Tick::from_nanos(5));
        clock.advance(Tick::from_nanos(3));
        assert_eq!(clock.now(), Tick::from_nanos(5));
    }

    #[test]
    fn the_monotonic_clock_never_runs_backwards() {
        let clock = Monotonic::start();
        let first = clock.now();
        assert!(first <= clock.now());
    }
}
