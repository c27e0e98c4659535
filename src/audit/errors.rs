//! Requests that failed, never came back, or had to be issued again.

use super::Evidence;
use crate::measure::{Errors, Mark, Rule, Verdict};
use crate::unit::Latency;

/// Requests that failed are data, and beside a number they must stand.
pub(super) fn judge(evidence: &Evidence<'_>) -> Option<Mark> {
    let errors = &evidence.measurement.errors;
    let outside = &evidence.measurement.errors_outside;
    let mut faults = Vec::new();
    if errors.total() > 0 {
        faults.push(listed(errors));
    }
    if outside.total() > 0 {
        faults.push(format!("{} outside the run time", listed(outside)));
    }
    if faults.is_empty() {
        return None;
    }
    let text = format!("requests failed: {}", faults.join("; "));
    Some(Mark { rule: Rule::Errors, verdict: Verdict::Suspect, text })
}

fn listed(errors: &Errors) -> String {
    let each = errors.iter().map(|(op, errno, count)| format!("{count} {op}s {errno}"));
    each.collect::<Vec<_>>().join(", ")
}

/// A closed loop that stops by time hides just the request that hung.
pub(super) fn unanswered(evidence: &Evidence<'_>) -> Option<Mark> {
    let measurement = evidence.measurement;
    let outstanding = measurement.outstanding;
    (outstanding > 0).then(|| {
        let age = match measurement.oldest_ns {
            0 => String::new(),
            nanos => format!(", the oldest for {}", Latency(nanos)),
        };
        let text = format!("{outstanding} requests never came back{age}");
        Mark { rule: Rule::Unanswered, verdict: Verdict::Suspect, text }
    })
}

/// Nothing is retried in silence.
pub(super) fn reissued(evidence: &Evidence<'_>) -> Option<Mark> {
    let (short, again) = (evidence.measurement.short_transfers, evidence.measurement.again);
    (short + again > 0).then(|| Mark {
        rule: Rule::Reissued,
        verdict: Verdict::Valid,
        text: format!("{short} short transfers continued, {again} refused (EAGAIN) and reissued"),
    })
}

#[cfg(test)]
mod tests {
    use super::super::tests::{evidence, good};
    use super::*;
    use crate::measure::Errno;
    use crate::unit::Op;

    #[test]
    fn failures_are_named() {
        let mut bad = good();
        bad.1.errors.add(Op::Read, Errno(5), 3);
        bad.1.outstanding = 2;
        bad.1.oldest_ns = 1_500_000_000;
        bad.1.short_transfers = 7;
        let evidence = evidence(&bad);
        assert_eq!(judge(&evidence).unwrap().text, "requests failed: 3 reads EIO");
        let text = unanswered(&evidence).unwrap().text;
        assert_eq!(text, "2 requests never came back, the oldest for 1.50 s");
        assert!(reissued(&evidence).unwrap().text.starts_with("7 short"));
    }
}
