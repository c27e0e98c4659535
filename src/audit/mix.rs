//! The requests issued must fit the pattern's shares. Counted at issue, so that a target that is
//! slow in one direction does not look like another mix; by draws, because requests of one burst
//! are not independent. A mark means that chance gives such a count once in a million points.

use super::Evidence;
use crate::measure::{LineCount, Mark, Rule, Verdict};
use crate::stats::binomial_two_sided;
use crate::unit::Op;

/// How rarely chance alone may set this mark.
const ALPHA: f64 = 1e-6;

pub(super) fn judge(evidence: &Evidence<'_>) -> Option<Mark> {
    let counts = evidence.measurement.mix.lines();
    let faults: Vec<String> =
        lines(evidence, counts).chain(directions(evidence, counts)).flatten().collect();
    (!faults.is_empty()).then(|| Mark {
        rule: Rule::Mix,
        verdict: Verdict::Suspect,
        text: faults.join("; "),
    })
}

/// Whether each line was drawn by its share.
fn lines(evidence: &Evidence<'_>, counts: &[LineCount]) -> impl Iterator<Item = Option<String>> {
    let total: u64 = counts.iter().map(|count| count.draws).sum();
    let alpha = alpha(counts);
    evidence.access.lines.iter().zip(counts).map(move |(line, count)| {
        let p = binomial_two_sided(count.draws, total, line.share.fraction());
        (total > 0 && p < alpha).then(|| {
            let share = 100.0 * count.draws as f64 / total as f64;
            format!("{} asked {} % of draws, drew {share:.2} %", line.size, line.share)
        })
    })
}

/// What one check may have, so that all checks of a point together stay at [`ALPHA`].
fn alpha(counts: &[LineCount]) -> f64 {
    ALPHA / (3 * counts.len()).max(1) as f64
}

/// Whether each line's reads and random requests fit its percentages.
fn directions(
    evidence: &Evidence<'_>,
    counts: &[LineCount],
) -> impl Iterator<Item = Option<String>> {
    let alpha = alpha(counts);
    evidence.access.lines.iter().zip(counts).flat_map(move |(line, count)| {
        let total = count.total();
        let check = move |what: &str, found: u64, asked: f64| {
            let p = binomial_two_sided(found, total, asked);
            (total > 0 && p < alpha).then(|| {
                let share = 100.0 * found as f64 / total as f64;
                format!("{} asked {:.2} % {what}, issued {share:.2} %", line.size, asked * 100.0)
            })
        };
        [
            check("reads", count.of(Op::Read), line.read.fraction()),
            check("random", count.random(), line.random.fraction()),
        ]
    })
}

#[cfg(test)]
mod tests {
    use super::super::tests::{evidence, good};
    use super::*;
    use crate::unit::Order;

    #[test]
    fn a_write_among_reads_is_marked() {
        let mut wrong = good();
        wrong.1.mix.issue(0, Op::Write, Order::Random);
        let mark = judge(&evidence(&wrong)).unwrap();
        assert!(mark.text.starts_with("4 KiB asked 100.00 % reads"), "{}", mark.text);
    }
}
