//! The depth that was asked must have been held, by two accounts: the window's own integral of
//! requests in flight, and the block layer's counters. Never by IOPS × mean latency, which in a
//! closed loop is an identity.

use super::{Evidence, Holder};
use crate::measure::{Mark, Rule, Verdict};
use crate::pattern::Access;
use std::time::Duration;

/// Below this share of the depth asked, held in the tool, a number is about another depth.
const ENOUGH: f64 = 0.95;

/// The same at the device, where a request arrives late and leaves early: submitting it and
/// reaping it take time that the block layer does not count.
const ENOUGH_AT_DEVICE: f64 = 0.8;

/// That time, at most, for one request. A fast device at depth 1 loses a fifth of its depth to
/// it, and nothing is wrong; requests that wait for a tag lose far more.
const SOFTWARE_PATH: Duration = Duration::from_micros(50);

pub(super) fn judge(evidence: &Evidence<'_>) -> Option<Mark> {
    let asked = f64::from(evidence.queue_depth.get());
    let held = evidence.measurement.mean_depth(evidence.run_time);
    if evidence.measurement.ios() == 0
        || evidence.holder == Holder::Nothing
        || pauses(evidence.access)
    {
        return None;
    }
    let text = if held < ENOUGH * asked {
        format!("asked {asked:.0}, held {held:.1} in the tool")
    } else if split(evidence) {
        return None;
    } else {
        let device = evidence.device_depth?;
        let iops = evidence.measurement.iops(evidence.run_time).0;
        let explained = device + iops * SOFTWARE_PATH.as_secs_f64();
        if ENOUGH_AT_DEVICE * asked <= device.max(explained) || answered_elsewhere(evidence) {
            return None;
        }
        format!("asked {asked:.0}, held {held:.1} in the tool and {device:.1} at the device")
    };
    Some(Mark { rule: Rule::Depth, verdict: Verdict::Suspect, text })
}

/// A pattern with pauses is not meant to hold its depth.
fn pauses(access: &Access) -> bool {
    access.lines.iter().any(|line| line.delay > Duration::ZERO)
}

/// Where requests are split or merged on their way, or a stack copies them to several members,
/// the block layer's depth is in other requests than ours, and can't be held against the asked.
fn split(evidence: &Evidence<'_>) -> bool {
    let Some(device) = evidence.device else { return true };
    let seconds = evidence.measurement.series.seconds();
    let asked: u64 = seconds.iter().flat_map(|second| second.ios).sum();
    let did = device.target.counters.reads + device.target.counters.writes;
    (did as f64) < 0.98 * asked as f64 || (did as f64) > 1.02 * asked as f64 + 64.0
}

/// Where a cache answers, the depth at the device says nothing of the tool.
fn answered_elsewhere(evidence: &Evidence<'_>) -> bool {
    super::cache::judge(evidence).is_some()
}

#[cfg(test)]
mod tests {
    use super::super::tests::{evidence, good};
    use super::*;
    use crate::host::counters::Named;
    use crate::host::{CounterSet, Counters};
    use crate::unit::Bytes;

    #[test]
    fn a_depth_not_held_is_marked() {
        let mut shallow = good();
        shallow.1.depth_integral_ns /= 2;
        let mark = judge(&evidence(&shallow)).unwrap();
        assert_eq!(mark.text, "asked 4, held 2.0 in the tool");
    }

    #[test]
    fn a_device_that_holds_less_is_marked_and_a_software_path_is_not() {
        let good = good();
        let mut set = CounterSet {
            target: Named { name: "nullb0".to_owned(), counters: Counters::default() },
            members: Vec::new(),
        };
        set.target.counters.reads = 10_000;
        set.target.counters.read_bytes = Bytes(40_960_000);
        // 1000 requests a second may lose 0.05 of the depth on their way, and no more.
        for (device, marked) in [(3.9, false), (3.16, false), (3.1, true), (1.0, true)] {
            let device_depth = Some(device);
            let evidence = Evidence { device: Some(&set), device_depth, ..evidence(&good) };
            assert_eq!(judge(&evidence).is_some(), marked, "{device}");
        }
    }

    #[test]
    fn a_pattern_with_pauses_need_not_hold_it() {
        let mut paced = good();
        paced.1.depth_integral_ns /= 2;
        paced.0.lines[0].delay = Duration::from_millis(1);
        assert_eq!(judge(&evidence(&paced)), None);
    }
}
