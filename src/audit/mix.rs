//! The requests issued must fit the pattern's shares. Counted at issue, so that a target that is
//! slow in one direction does not look like another mix; by draws, because requests of one burst
//! are not independent. A mark means that chance gives such a count once in a million points.

use super::Evidence;
use crate::measure::{LineCount, Mark, Rule, Verdict};
use crate::stats::{binomial_two_sided, chi_squared};
use crate::unit::Op;

/// How rarely chance alone may set this mark.
const ALPHA: f64 = 1e-6;

pub(super) fn judge(evidence: &Evidence<'_>) -> Option<Mark> {
    let counts = evidence.measurement.mix.lines();
    let faults: Vec<String> = std::iter::once(lines(evidence, counts))
        .chain(directions(evidence, counts))
        .flatten()
        .collect();
    (!faults.is_empty()).then(|| Mark {
        rule: Rule::Mix,
        verdict: Verdict::Suspect,
        text: faults.join("; "),
    })
}

/// Whether the lines were drawn by their shares.
fn lines(evidence: &Evidence<'_>, counts: &[LineCount]) -> Option<String> {
    let draws: Vec<u64> = counts.iter().map(|count| count.draws).collect();
    let shares: Vec<f64> = evidence.access.lines.iter().map(|line| line.share.fraction()).collect();
    if draws.len() < 2 || draws.len() != shares.len() {
        return None;
    }
    let p = chi_squared(&draws, &shares);
    (p < ALPHA).then(|| format!("sizes were not drawn by their shares (p = {p:.1e})"))
}

/// Whether each line's reads and random requests fit its percentages.
fn directions(
    evidence: &Evidence<'_>,
    counts: &[LineCount],
) -> impl Iterator<Item = Option<String>> {
    evidence.access.lines.iter().zip(counts).flat_map(|(line, count)| {
        let total = count.total();
        let check = |what: &str, found: u64, asked: f64| {
            let p = binomial_two_sided(found, total, asked);
            (total > 0 && p < ALPHA).then(|| {
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
