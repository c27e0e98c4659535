//! How busy a worker was in its run time: its processor time between its first turn there and its
//! last, over the time between the two.
//!
//! The meter is asked twice a point, on paths that are cold anyway: nothing is added to a turn.

use std::time::Duration;

use crate::unit::{Percent, Tick};

/// What tells the processor time that the calling thread has used.
pub(in crate::dispatch) type Meter = fn() -> Duration;

/// The readings of one worker.
#[derive(Debug)]
pub(super) struct Busy {
    /// None where time is virtual: it has nothing to do with what the processor pays.
    meter: Option<Meter>,
    begun: Option<(Tick, Duration)>,
    ended: Option<(Tick, Duration)>,
}

impl Busy {
    pub(super) fn new(meter: Option<Meter>) -> Self {
        Self { meter, begun: None, ended: None }
    }

    /// Reads at the start of the run time; once read, it stays.
    pub(super) fn begin(&mut self, now: Tick) {
        self.begun = self.begun.or_else(|| Some((now, self.meter?())));
    }

    /// Reads at its end.
    pub(super) fn end(&mut self, now: Tick) {
        self.ended = self.ended.or_else(|| Some((now, self.meter?())));
    }

    /// The share of the time between; `None` where the run time did not begin, or took no time.
    pub(super) fn share(&self) -> Option<Percent> {
        let ((from, before), (to, after)) = (self.begun?, self.ended?);
        let used = after.saturating_sub(before).as_nanos() * 10_000;
        let share = used.checked_div((to - from).as_nanos())?;
        // The two clocks are not read in one instant.
        Percent::from_hundredths(u16::try_from(share.min(10_000)).ok()?)
    }
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;

    use super::*;

    thread_local! {
        static USED: Cell<u64> = const { Cell::new(0) };
    }

    fn meter() -> Duration {
        Duration::from_micros(USED.get())
    }

    #[test]
    fn the_share_is_of_the_time_between_the_readings() {
        for (from, used, to, share) in [
            (0, 0, 1_000, Some("0")),
            (0, 950, 1_000, Some("95")),
            (500, 333, 1_500, Some("33.3")),
            (0, 1_001, 1_000, Some("100")),
            (1_000, 0, 1_000, None),
            (2_000, 0, 1_000, None),
        ] {
            USED.set(7);
            let at = |micros: u64| Tick::ZERO + Duration::from_micros(micros);
            let mut busy = Busy::new(Some(meter));
            busy.begin(at(from));
            USED.set(7 + used);
            busy.begin(at(from + 1));
            busy.end(at(to));
            USED.set(7_777);
            busy.end(at(9_999));
            let found = busy.share().map(|share| share.to_string());
            assert_eq!(found.as_deref(), share, "{from} {used} {to}");
        }
        let mut unread = Busy::new(Some(meter));
        unread.end(Tick::ZERO);
        assert_eq!(unread.share(), None);
        let mut virtual_time = Busy::new(None);
        virtual_time.begin(Tick::ZERO);
        virtual_time.end(Tick::NEVER);
        assert_eq!(virtual_time.share(), None);
    }
}
