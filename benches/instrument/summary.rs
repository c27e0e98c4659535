//! What gungraun's runner tells of a count: a JSON document for each, one a line.
//!
//! Pure. Tested in tests/instrument.rs on lines as the runner of 0.20 writes them.

use std::collections::BTreeMap;
use std::ops::Range;

use serde_json::Value;
use thiserror::Error;

/// Why the runner's answer can't be used.
#[derive(Debug, Error)]
pub(crate) enum SummaryError {
    /// A line is no JSON.
    #[error("gungraun-runner wrote no JSON: {0}")]
    Json(#[from] serde_json::Error),
    /// A document lacks something.
    #[error("gungraun-runner's document has no `{0}`; its format has changed with its version")]
    Missing(&'static str),
    /// A case was counted over one stretch only.
    #[error("{0} was not counted over both stretches")]
    Half(String),
}

/// Instructions of one repetition of each case. A case is a function; its ids `short` and `long`
/// name the stretches, as many repetitions as the ends of `stretches`.
///
/// # Errors
/// [`SummaryError`] where the text is not what a runner writes of such cases.
pub(crate) fn per_repetition(
    text: &str,
    stretches: Range<u32>,
) -> Result<BTreeMap<String, f64>, SummaryError> {
    let mut counted: BTreeMap<String, BTreeMap<String, f64>> = BTreeMap::new();
    for line in text.lines().filter(|line| !line.trim().is_empty()) {
        let document: Value = serde_json::from_str(line)?;
        let word = |key: &'static str| {
            document[key].as_str().map(str::to_owned).ok_or(SummaryError::Missing(key))
        };
        let instructions = instructions(&document)?;
        counted.entry(word("function_name")?).or_default().insert(word("id")?, instructions);
    }
    let repetitions = f64::from(stretches.end - stretches.start);
    let case = |(name, counts): (String, BTreeMap<String, f64>)| {
        let (Some(short), Some(long)) = (counts.get("short"), counts.get("long")) else {
            return Err(SummaryError::Half(name));
        };
        Ok((name, (long - short) / repetitions))
    };
    counted.into_iter().map(case).collect()
}

/// The instructions of a count: of this run, not of the one before.
fn instructions(document: &Value) -> Result<f64, SummaryError> {
    const PLACE: &str = "/profiles/0/data/total/metrics/Ir/values/new";
    document.pointer(PLACE).and_then(Value::as_f64).ok_or(SummaryError::Missing(PLACE))
}
