//! The bytes that were asked for must have reached the device: what a cache answers, no device
//! did.

use super::Evidence;
use crate::measure::{Mark, Rule, Verdict};
use crate::unit::{Bytes, Op};

/// The device's share of the bytes, below which something before it answered. A little is lost
/// between the readings of the counters.
const ENOUGH: f64 = 0.97;

/// Below this much, rounding and other traffic decide.
const MUCH: u64 = 16 << 20;

pub(super) fn judge(evidence: &Evidence<'_>) -> Option<Mark> {
    let counters = evidence.device?.reached();
    let seconds = evidence.measurement.series.seconds();
    let asked = |op: Op| seconds.iter().map(|second| second.bytes[op.index()]).sum::<u64>();
    let pairs = [
        ("read", asked(Op::Read), counters.read_bytes),
        ("written", asked(Op::Write), counters.write_bytes),
    ];
    let faults: Vec<String> = pairs
        .into_iter()
        .filter(|&(_, asked, did)| asked > MUCH && (did.get() as f64) < ENOUGH * asked as f64)
        .map(|(what, asked, did)| {
            let share = 100.0 * did.get() as f64 / asked as f64;
            format!("{} {what}, {did} of it at the device ({share:.1} %)", Bytes(asked))
        })
        .collect();
    (!faults.is_empty()).then(|| Mark {
        rule: Rule::Cache,
        verdict: Verdict::Suspect,
        text: faults.join("; "),
    })
}

#[cfg(test)]
mod tests {
    use super::super::tests::{evidence, good};
    use super::*;
    use crate::host::counters::Named;
    use crate::host::{CounterSet, Counters};

    #[test]
    fn bytes_that_no_device_saw_are_marked() {
        let good = good();
        let mut set = CounterSet {
            target: Named { name: "sda".to_owned(), counters: Counters::default() },
            members: Vec::new(),
        };
        set.target.counters.read_bytes = Bytes(40_960_000);
        assert_eq!(judge(&Evidence { device: Some(&set), ..evidence(&good) }), None);
        set.target.counters.read_bytes = Bytes(4_096_000);
        let mark = judge(&Evidence { device: Some(&set), ..evidence(&good) }).unwrap();
        assert!(mark.text.contains("(10.0 %)"), "{}", mark.text);
    }
}
