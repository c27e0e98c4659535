//! A number must be about the target. Where a request takes hardly longer than the tool itself
//! needs for it, or where a worker had no time left, it is about the tool, or about the kernel
//! that works for it.
//!
//! On the null target both are so and are meant: it is there to show the tool's own limits.

use super::{Evidence, Holder};
use crate::measure::{Instrument, Mark, Rule, Verdict};
use crate::unit::Latency;

/// A mean latency of at least this many times what the tool takes is about the target: at most a
/// tenth of it is then the tool's.
const FAR: f64 = 10.0;

/// A worker that was on a processor for longer than this share of the run time, in hundredths of
/// a percent, had no time left to wait for the target.
const BUSY: u16 = 9_500;

pub(super) fn judge(evidence: &Evidence<'_>) -> Option<Mark> {
    if evidence.holder == Holder::Nothing {
        return None;
    }
    let faults: Vec<String> = [near(evidence), busy(evidence)].into_iter().flatten().collect();
    (!faults.is_empty()).then(|| Mark {
        rule: Rule::Tool,
        verdict: Verdict::Suspect,
        text: faults.join("; "),
    })
}

/// Whether the latency is within reach of what the tool costs.
fn near(evidence: &Evidence<'_>) -> Option<String> {
    let mean = evidence.measurement.mean_latency()?;
    let held = evidence.measurement.mean_depth(evidence.run_time);
    let own = own(evidence.instrument?, held / f64::from(evidence.workers.max(1)));
    let (ns, what) = own.into_iter().max_by(|a, b| a.0.total_cmp(&b.0))?;
    #[expect(clippy::cast_possible_truncation, reason = "a time that was measured")]
    #[expect(clippy::cast_sign_loss, reason = "a time that was measured")]
    let shown = Latency(ns.round() as u64);
    ((mean.0 as f64) < FAR * ns).then(|| {
        format!("mean latency {mean}, less than {FAR} times the tool's own {shown}: {what}")
    })
}

/// What the tool takes, in nanoseconds, where a worker holds so many requests: each request waits
/// while the tool works at the others.
fn own(instrument: &Instrument, in_flight: f64) -> [(f64, &'static str); 4] {
    [
        (instrument.clock_step_ns.median, "a step of the clock"),
        (instrument.clock_reading_ns.median, "a reading of the clock"),
        (instrument.turn_ns.median, "a turn without a device"),
        (in_flight * 1e9 / instrument.ceiling_iops.median, "its work for all in flight"),
    ]
}

/// Whether a worker had no time left. One that polls spends on looking whatever it has.
fn busy(evidence: &Evidence<'_>) -> Option<String> {
    if evidence.holder == Holder::Polled {
        return None;
    }
    let busy = evidence.busiest_worker.filter(|busy| busy.hundredths() > BUSY)?;
    let more = if u64::from(evidence.workers) < evidence.queue_depth.into() {
        "; more workers may reach more"
    } else {
        ""
    };
    Some(format!(
        "a worker was on a processor for {busy} % of the run time: the limit is the tool, or the \
         kernel working for it, not the target{more}"
    ))
}

#[cfg(test)]
mod tests {
    use super::super::tests::{evidence, good};
    use super::*;
    use crate::measure::{Figure, Measurement};
    use crate::unit::{Op, Percent};

    fn figure(value: f64) -> Figure {
        Figure { median: value, least: value, most: value }
    }

    /// 1 ns steps, 25 ns a reading, 60 ns a turn, 20 million requests a second: 50 ns each.
    fn instrument() -> Instrument {
        Instrument {
            clock_step_ns: figure(1.0),
            clock_reading_ns: figure(25.0),
            turn_ns: figure(60.0),
            ceiling_iops: figure(20e6),
        }
    }

    /// Requests of this latency, so many in flight over the run time of 10 s.
    fn measured(latency_ns: u64, held: u64) -> Measurement {
        let mut measurement = Measurement::new(1, 1);
        measurement.record(Op::Read, 4096, latency_ns);
        measurement.depth_integral_ns = u128::from(held) * 10_000_000_000;
        measurement
    }

    #[test]
    fn a_latency_within_reach_of_the_tool_is_marked() {
        let (access, _) = good();
        let coarse = Instrument { clock_step_ns: figure(4e6), ..instrument() };
        for (instrument, latency, held, workers, marked) in [
            (instrument(), 599, 1, 1, true),
            (instrument(), 600, 1, 1, false),
            (instrument(), 1_600, 1, 1, false),
            (instrument(), 80_000, 1, 1, false),
            (instrument(), 15_999, 32, 1, true),
            (instrument(), 16_000, 32, 1, false),
            // Four workers hold eight each.
            (instrument(), 4_000, 32, 4, false),
            (instrument(), 3_999, 32, 4, true),
            (instrument(), 4_000_000, 1024, 1, false),
            (coarse, 12_000_000, 1, 1, true),
            (coarse, 40_000_000, 1, 1, false),
        ] {
            let good = (access.clone(), measured(latency, held));
            let evidence = Evidence { instrument: Some(&instrument), workers, ..evidence(&good) };
            let mark = judge(&evidence);
            assert_eq!(mark.is_some(), marked, "{latency} ns, {held} in flight: {mark:?}");
            let unknown = Evidence { instrument: None, ..evidence };
            assert_eq!(judge(&unknown), None, "{latency}");
            let null = Evidence { holder: Holder::Nothing, ..evidence };
            assert_eq!(judge(&null), None, "{latency}");
            let polled = Evidence { holder: Holder::Polled, ..evidence };
            assert_eq!(judge(&polled), mark, "{latency}");
        }
    }

    #[test]
    fn a_worker_without_time_left_is_marked() {
        let good = good();
        for (hundredths, marked) in [(0, false), (9_500, false), (9_501, true), (10_000, true)] {
            let busiest_worker = Percent::from_hundredths(hundredths);
            let busy = Evidence { busiest_worker, ..evidence(&good) };
            assert_eq!(judge(&busy).is_some(), marked, "{hundredths}");
            for holder in [Holder::Nothing, Holder::Polled] {
                let meant = Evidence { holder, ..busy };
                assert_eq!(judge(&meant), None, "{holder:?}, {hundredths}");
            }
        }
    }

    #[test]
    fn the_figures_are_told() {
        let (access, _) = good();
        let good = (access, measured(420, 1));
        let instrument = instrument();
        let busiest_worker = Percent::from_hundredths(9_987);
        let evidence =
            Evidence { instrument: Some(&instrument), busiest_worker, ..evidence(&good) };
        let mark = judge(&evidence).unwrap();
        assert_eq!(mark.verdict, Verdict::Suspect);
        assert_eq!(
            mark.text,
            "mean latency 420 ns, less than 10 times the tool's own 60 ns: a turn without a \
             device; a worker was on a processor for 99.87 % of the run time: the limit is the \
             tool, or the kernel working for it, not the target; more workers may reach more"
        );
        let alone = Evidence { workers: 4, ..evidence };
        assert!(!judge(&alone).unwrap().text.contains("more workers"));
    }
}
