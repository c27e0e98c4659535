//! Schemes that turn the throughput of a sweep into one comparable figure.
//!
//! Each scheme is a list of weights, one a queue depth ([`Scheme::weights`]), and the figure is
//! Σ weight × T(q), where T(q) stands for IOPS at queue depth q. Pure: it takes what was measured and returns a figure, reads no record, prints
//! nothing. It never replaces a missing depth: a sum of fewer terms is a smaller figure, not a
//! worse device. Tested against regression vectors from a real sweep and by the properties that
//! the schemes' authors meant them to have.

use std::collections::BTreeSet;

use thiserror::Error;

use crate::pattern::{self, Scheme};
use crate::stats::{CONFIDENCE, Estimate, mean_with_interval};
use crate::unit::QueueDepth;

/// A sweep as one figure, with all that is needed to compute it again.
#[derive(Debug, Clone, PartialEq)]
pub struct Rating {
    /// Σ weight × T(q). In IOPS where the weights sum to 1; else a figure to compare with others
    /// of the same scheme only.
    pub value: f64,
    /// The queue depths that count, in rising order.
    pub depths: Vec<QueueDepth>,
    /// What each of them weighs, in the same order.
    pub weights: Vec<f64>,
    /// The sum as a person writes it: `T(1) + T(2)/2 + T(4)/4`.
    pub formula: String,
}

/// Why a sweep has no rating.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum Undefined {
    /// The scheme counts depths that were not measured, or whose points are void.
    #[error("undefined: no valid measurement at queue depth {}", list(.missing))]
    Missing {
        /// Those depths, in rising order.
        missing: Vec<QueueDepth>,
    },
    /// No depth counts at all.
    #[error("undefined: the scheme counts no queue depth")]
    Empty,
    /// No published set of weights has this id.
    #[error("undefined: no published rating is called `{0}`")]
    NoSuchPreset(String),
}

/// Rates a sweep. `series` has each depth that was planned with its T(q) in IOPS, in any order;
/// `None` stands for a point that is void or was never reached.
///
/// # Errors
/// [`Undefined`] where a depth that the scheme counts has no figure, and where the scheme itself
/// counts nothing or is not known.
pub fn rate(scheme: &Scheme, series: &[(QueueDepth, Option<f64>)]) -> Result<Rating, Undefined> {
    let terms = terms(scheme, series)?;
    if terms.is_empty() {
        return Err(Undefined::Empty);
    }
    let missing: Vec<QueueDepth> = terms
        .iter()
        .map(|&(depth, _)| depth)
        .filter(|&depth| measured(series, depth).is_none())
        .collect();
    if !missing.is_empty() {
        return Err(Undefined::Missing { missing });
    }
    let value =
        terms.iter().filter_map(|&(depth, weight)| Some(weight * measured(series, depth)?)).sum();
    let formula = formula(&terms);
    let (depths, weights) = terms.into_iter().unzip();
    Ok(Rating { value, depths, weights, formula })
}

/// The rating of several repeats, each rated by itself: their mean with its interval. A repeat
/// without a rating is left out, and `n` says how many are in; `None` where none has one.
///
/// Adding up the variances of the depths instead would assume that they err independently. What a
/// whole repeat has in common, be it warmth or a neighbour, would be missing from the error.
pub fn over_repeats(ratings: &[Result<Rating, Undefined>]) -> Option<Estimate> {
    let values: Vec<f64> = ratings.iter().flatten().map(|rating| rating.value).collect();
    mean_with_interval(&values, CONFIDENCE)
}

/// What each depth weighs, in rising order of depth.
fn terms(
    scheme: &Scheme,
    series: &[(QueueDepth, Option<f64>)],
) -> Result<Vec<(QueueDepth, f64)>, Undefined> {
    if let Scheme::Preset(id) = scheme
        && pattern::preset(id).is_none()
    {
        return Err(Undefined::NoSuchPreset(id.clone()));
    }
    Ok(match scheme.weights() {
        Some(weights) => weights.into_iter().collect(),
        None => mean(series.iter().map(|&(depth, _)| depth)),
    })
}

/// Each swept depth, once, with 1/n: all loads are held to be equally probable.
fn mean(swept: impl Iterator<Item = QueueDepth>) -> Vec<(QueueDepth, f64)> {
    let depths: BTreeSet<QueueDepth> = swept.collect();
    let weight = 1.0 / depths.len() as f64;
    depths.into_iter().map(|depth| (depth, weight)).collect()
}

/// T(q), where there is one: a figure that is no number is as void as none.
fn measured(series: &[(QueueDepth, Option<f64>)], depth: QueueDepth) -> Option<f64> {
    let point = series.iter().find(|&&(swept, _)| swept == depth);
    point.and_then(|&(_, iops)| iops).filter(|iops| iops.is_finite())
}

/// The sum as a person writes it. A mean is a sum of equal divisors, and is written as one.
fn formula(terms: &[(QueueDepth, f64)]) -> String {
    let count = terms.len();
    let equal = |&(_, weight): &(QueueDepth, f64)| (weight * count as f64 - 1.0).abs() < 1e-12;
    if count > 1 && terms.iter().all(equal) {
        let sum: Vec<String> = terms.iter().map(|(depth, _)| format!("T({depth})")).collect();
        return format!("({})/{count}", sum.join(" + "));
    }
    terms.iter().map(|&(depth, weight)| term(depth, weight)).collect::<Vec<_>>().join(" + ")
}

/// One weighted term: `T(1)`, `T(8)/3`, or `0.4 T(8)` where the weight is no whole divisor.
fn term(depth: QueueDepth, weight: f64) -> String {
    let divisor = 1.0 / weight;
    match divisor.round() {
        whole if (divisor - whole).abs() > 1e-9 * divisor.abs() || weight <= 0.0 => {
            format!("{weight} T({depth})")
        }
        whole if whole > 1.0 => format!("T({depth})/{whole}"),
        _ => format!("T({depth})"),
    }
}

fn list(depths: &[QueueDepth]) -> String {
    depths.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ")
}

#[cfg(test)]
mod tests;
