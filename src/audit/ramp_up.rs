//! The ramp-up must be longer than slow requests take, or the run time starts with a queue that
//! is not yet full of requests in their usual state.

use super::Evidence;
use crate::measure::{Mark, Percentile, Rule, Verdict};
use crate::unit::{Latency, show_duration};

pub(super) fn judge(evidence: &Evidence<'_>) -> Option<Mark> {
    let p99 = evidence.measurement.latencies().percentile(Percentile::P99)?;
    (evidence.ramp_up.as_nanos() < u128::from(p99.0)).then(|| Mark {
        rule: Rule::RampUp,
        verdict: Verdict::Suspect,
        text: format!(
            "a ramp-up of {} is shorter than p99, {}",
            show_duration(evidence.ramp_up),
            Latency(p99.0)
        ),
    })
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::super::tests::{evidence, good};
    use super::*;

    #[test]
    fn a_ramp_up_shorter_than_p99_is_marked() {
        let good = good();
        let short = Evidence { ramp_up: Duration::from_micros(500), ..evidence(&good) };
        assert!(judge(&short).unwrap().text.contains("1.00 ms"));
    }
}
