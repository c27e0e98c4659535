//! A point must run to its end, and something must have landed in it.

use super::Evidence;
use crate::measure::{Ending, Mark, Rule, Verdict};
use crate::unit::show_duration;

pub(super) fn judge(evidence: &Evidence<'_>) -> Option<Mark> {
    let measured = evidence.measurement.ios() > 0;
    let after = show_duration(evidence.run_time);
    let (verdict, text) = match evidence.ending {
        Ending::Complete if measured => return None,
        Ending::Complete => (Verdict::Void, "no request completed in the run time".to_owned()),
        Ending::Stopped if measured => (
            Verdict::Suspect,
            format!("interrupted after {after} of {}", show_duration(evidence.run_time_asked)),
        ),
        Ending::Stopped => (Verdict::Void, "interrupted before anything was measured".to_owned()),
        Ending::Gone => (
            Verdict::Void,
            format!("the target is gone, or failed every request, after {after} of run time"),
        ),
        Ending::Silent => {
            (Verdict::Void, format!("the target stopped answering after {after} of run time"))
        }
    };
    Some(Mark { rule: Rule::Ended, verdict, text })
}

#[cfg(test)]
mod tests {
    use super::super::tests::{evidence, good};
    use super::*;
    use crate::measure::Measurement;

    #[test]
    fn an_early_end_is_marked() {
        let good = good();
        for (ending, verdict) in [
            (Ending::Stopped, Verdict::Suspect),
            (Ending::Gone, Verdict::Void),
            (Ending::Silent, Verdict::Void),
        ] {
            let mark = judge(&Evidence { ending, ..evidence(&good) }).unwrap();
            assert_eq!(mark.verdict, verdict, "{ending:?}");
        }
        let empty = (good.0.clone(), Measurement::new(1, 1));
        assert_eq!(judge(&evidence(&empty)).unwrap().verdict, Verdict::Void);
    }
}
