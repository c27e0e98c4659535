//! What the instrument itself costs: figures of this machine, each with its spread.
//!
//! Measured by the dispatcher, never assumed; the audit judges by them, records keep them and
//! reports show them, so the types live here. Tested by cases.

use crate::unit::QueueDepth;

/// A figure that was measured in several rounds.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Figure {
    /// The round in the middle; of two in the middle, what lies between them.
    pub median: f64,
    /// The smallest.
    pub least: f64,
    /// The greatest.
    pub most: f64,
}

impl Figure {
    /// The figure of these rounds; `None` of none.
    pub fn of(rounds: impl IntoIterator<Item = f64>) -> Option<Self> {
        let mut rounds: Vec<f64> = rounds.into_iter().collect();
        rounds.sort_by(f64::total_cmp);
        let (least, most) = (*rounds.first()?, *rounds.last()?);
        // The same place twice where the number of rounds is odd.
        let (lower, upper) = (rounds[(rounds.len() - 1) / 2], rounds[rounds.len() / 2]);
        Some(Self { median: f64::midpoint(lower, upper), least, most })
    }

    /// The figure in another unit, a positive number of times as large.
    #[must_use]
    pub fn times(self, factor: f64) -> Self {
        Self { median: self.median * factor, least: self.least * factor, most: self.most * factor }
    }
}

/// What the tool costs where there is no device: the bound of what it can tell.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Instrument {
    /// The smallest step between two readings of the clock, in nanoseconds. What a reading takes
    /// is in it, so the clock may be finer.
    pub clock_step_ns: Figure,
    /// What a reading of the clock takes, in nanoseconds.
    pub clock_reading_ns: Figure,
    /// A turn on the null engine at depth 1, in nanoseconds: one request of the File Server
    /// pattern drawn, its payload stamped, submitted, taken and accounted for.
    pub turn_ns: Figure,
    /// Requests a second that one worker carries on the null engine at depth 32.
    pub ceiling_iops: Figure,
}

/// The instrument, and what the kernel adds where io_uring does nothing.
#[derive(Debug, Clone, PartialEq)]
pub struct Calibration {
    /// What every run stores too.
    pub instrument: Instrument,
    /// Round trips through io_uring; why there are none, where the kernel refuses it.
    pub nops: Result<Vec<RoundTrip>, String>,
    /// How often each figure was measured.
    pub rounds: u32,
}

/// Round trips of requests that do nothing, so many at once.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct RoundTrip {
    /// Handed over with one system call, which waits for all of them.
    pub queue_depth: QueueDepth,
    /// What such a turn takes, in nanoseconds.
    pub turn_ns: Figure,
}

impl RoundTrip {
    /// A turn's time shared out over its requests, in nanoseconds.
    pub fn each_ns(&self) -> Figure {
        self.turn_ns.times(1.0 / f64::from(self.queue_depth.get()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_figure_has_its_middle_and_its_ends() {
        type Case<'a> = (&'a [f64], Option<[f64; 3]>);
        let cases: [Case<'_>; 5] = [
            (&[], None),
            (&[7.0], Some([7.0, 7.0, 7.0])),
            (&[9.0, 1.0], Some([5.0, 1.0, 9.0])),
            (&[9.0, 1.0, 2.0], Some([2.0, 1.0, 9.0])),
            (&[4.0, 9.0, 1.0, 2.0], Some([3.0, 1.0, 9.0])),
        ];
        for (rounds, expected) in cases {
            let figure = Figure::of(rounds.iter().copied());
            let expected = expected.map(|[median, least, most]| Figure { median, least, most });
            assert_eq!(figure, expected, "{rounds:?}");
        }
    }
}
