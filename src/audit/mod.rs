//! May this number be believed: one rule a file, each giving a mark with its figures.
//!
//! Rules look at what was measured and what was asked, never at how it was done. A rule that can't
//! be judged says nothing. None of them changes a number. Pure: no I/O, no clock. Tested by cases
//! in each file and by faulty simulated devices in tests/simulation.rs.

mod cache;
mod depth;
mod ended;
mod errors;
mod mix;
mod ramp_up;
mod tool;

use std::time::Duration;

use crate::host::{CounterSet, Nowait};
use crate::measure::{Ending, Instrument, Mark, Measurement, Rule, Verdict};
use crate::pattern::Access;
use crate::unit::{Percent, QueueDepth};

/// What a point is judged by.
#[derive(Debug, Clone, Copy)]
pub struct Evidence<'a> {
    /// What was asked.
    pub access: &'a Access,
    /// The depth that was asked.
    pub queue_depth: QueueDepth,
    /// Workers that took part.
    pub workers: u16,
    /// The ramp-up before the run time.
    pub ramp_up: Duration,
    /// The run time that was asked.
    pub run_time_asked: Duration,
    /// The run time that passed.
    pub run_time: Duration,
    /// Why the point ended.
    pub ending: Ending,
    /// What happened.
    pub measurement: &'a Measurement,
    /// What the block device did over the whole point, ramp-up and drain included.
    pub device: Option<&'a CounterSet>,
    /// The mean depth at the block layer over the run time.
    pub device_depth: Option<f64>,
    /// Whether the target can be asked without waiting.
    pub nowait: Option<Nowait>,
    /// What the tool itself costs on this machine; `None` where that was not measured.
    pub instrument: Option<&'a Instrument>,
    /// The share of the run time that the busiest worker was on a processor; `None` where it is
    /// not known.
    pub busiest_worker: Option<Percent>,
    /// What holds requests between their issue and their landing.
    pub holder: Holder,
}

/// What holds requests in flight.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Holder {
    /// A device, real or simulated.
    Device,
    /// A device that the workers poll: they are busy by nature, not because they lack time.
    Polled,
    /// Nothing: the null target completes at once, and no depth can be held there.
    Nothing,
}

/// Every mark that a point deserves, the gravest rule first.
pub fn judge(evidence: &Evidence<'_>) -> Vec<Mark> {
    let rules = [
        ended::judge,
        errors::judge,
        errors::unanswered,
        depth::judge,
        mix::judge,
        cache::judge,
        ramp_up::judge,
        tool::judge,
        nowait,
        errors::reissued,
    ];
    rules.iter().filter_map(|rule| rule(evidence)).collect()
}

/// A target without NOWAIT: every request goes through the kernel's worker threads.
fn nowait(evidence: &Evidence<'_>) -> Option<Mark> {
    (evidence.nowait == Some(Nowait::Unsupported)).then(|| Mark {
        rule: Rule::Nowait,
        verdict: Verdict::Valid,
        text: "the target can't be asked without waiting (no NOWAIT): kernel threads did the I/O"
            .to_owned(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pattern;
    use crate::unit::{Op, Order};

    /// A point of 10 s at depth 4 that went as asked: 4 KiB random reads.
    pub(super) fn good() -> (Access, Measurement) {
        let access = pattern::find("random-read-4k").unwrap().pattern().access;
        let mut measurement = Measurement::new(1, 20);
        for _ in 0..10_000 {
            measurement.record(Op::Read, 4096, 1_000_000);
            measurement.series.record(Op::Read, 4096, 1_000_000);
            measurement.mix.issue(0, Op::Read, Order::Random);
            measurement.mix.draw(0);
        }
        measurement.depth_integral_ns = 4 * 10_000_000_000;
        (access, measurement)
    }

    pub(super) fn evidence(good: &(Access, Measurement)) -> Evidence<'_> {
        Evidence {
            access: &good.0,
            queue_depth: QueueDepth::try_from(4).unwrap(),
            workers: 1,
            ramp_up: Duration::from_secs(2),
            run_time_asked: Duration::from_secs(10),
            run_time: Duration::from_secs(10),
            ending: Ending::Complete,
            measurement: &good.1,
            device: None,
            device_depth: None,
            nowait: Some(Nowait::Supported),
            instrument: None,
            busiest_worker: None,
            holder: Holder::Device,
        }
    }

    #[test]
    fn a_point_that_went_as_asked_has_no_mark() {
        let good = good();
        assert_eq!(judge(&evidence(&good)), []);
    }

    #[test]
    fn kernel_threads_are_said() {
        let good = good();
        let evidence = Evidence { nowait: Some(Nowait::Unsupported), ..evidence(&good) };
        assert_eq!(judge(&evidence).len(), 1);
    }
}
