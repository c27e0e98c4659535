//! Sets targets against a baseline: how many times as fast, within what error, and which of the
//! differences may be called one.
//!
//! The interval decides, on the logarithm of IOPS; how it is computed is fixed before there are
//! data ([`Analysis`]). Cells are many, so a cell is given a word only where it survives Holm
//! among all cells of the review; the summary of a pattern has its word by its own interval.
//!
//! Pure: numbers in, numbers and words out. It knows neither records nor devices, so whether two
//! things may be compared at all (fingerprint, engine, run time) must have been asked before. It
//! never gives a word to a single run. The words themselves are chosen in [`Word`] and in
//! [`scaling`], and nowhere else. Tested by cases here, and in `tests/comparison.rs` by two
//! thousand seeded reviews of each kind with planted differences.

mod analysis;
mod ranking;
pub mod scaling;
mod summary;
mod word;

pub use analysis::{Analysis, Interval, Layout, Ratio, Series};
pub use ranking::{Flip, Lead, Rated, flips};
pub use summary::Summary;
pub use word::Word;

use crate::stats::{CONFIDENCE, holm};

/// All that is to be compared.
#[derive(Debug, Clone, PartialEq)]
pub struct Review {
    /// What the baseline is called.
    pub baseline: String,
    /// What is set against it.
    pub targets: Vec<Target>,
    /// Everything that was measured, by pattern.
    pub cells: Vec<Cell>,
}

/// A target beside the baseline.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Target {
    /// What it is called.
    pub name: String,
    /// How it is set against the baseline: one of the same record may have been interleaved with
    /// it, one of another was not.
    pub analysis: Analysis,
}

/// One setting of a pattern's axes, on all targets.
#[derive(Debug, Clone, PartialEq)]
pub struct Cell {
    /// The pattern; cells of one name are summed up together.
    pub pattern: String,
    /// The setting, as tables show it.
    pub label: String,
    /// What the baseline did.
    pub baseline: Series,
    /// What the targets did, in their order; one that is missing was not measured.
    pub targets: Vec<Series>,
}

/// A review's answer.
#[derive(Debug, Clone, PartialEq)]
pub struct Comparison {
    /// For each cell of the review, in its order: each target, in its order.
    pub cells: Vec<Vec<Against>>,
    /// For each pattern, in the order in which they come: its name, and each target over all
    /// cells of the pattern.
    pub patterns: Vec<(String, Vec<Summary>)>,
    /// Each target over all patterns, where there are several; each pattern weighs the same,
    /// however many cells it has.
    pub overall: Vec<Summary>,
}

/// A target against the baseline, in one cell.
#[derive(Debug, Clone, PartialEq)]
pub struct Against {
    /// The target's share of the baseline's figure; `None` where they have nothing in common.
    pub ratio: Option<Ratio>,
    /// The probability of the interval's test after Holm's adjustment for all cells of the
    /// review; `None` where there is no interval.
    pub adjusted: Option<f64>,
    /// Faster or slower, where that survives the adjustment.
    pub word: Option<Word>,
}

/// Compares every target with the baseline, cell by cell, pattern by pattern, and over all.
pub fn compare(review: &Review) -> Comparison {
    let absent = Series::default();
    let pairs: Vec<Vec<(&Series, &Series)>> = review
        .cells
        .iter()
        .map(|cell| {
            let target = |place| cell.targets.get(place).unwrap_or(&absent);
            (0..review.targets.len()).map(|place| (&cell.baseline, target(place))).collect()
        })
        .collect();
    let analyses: Vec<Analysis> = review.targets.iter().map(|target| target.analysis).collect();
    let (patterns, overall) = summary::summaries(review, &analyses, &pairs);
    Comparison { cells: cells(&analyses, &pairs), patterns, overall }
}

fn cells(analyses: &[Analysis], pairs: &[Vec<(&Series, &Series)>]) -> Vec<Vec<Against>> {
    let ratios: Vec<Vec<Option<Ratio>>> = pairs
        .iter()
        .map(|cell| {
            let sides = analyses.iter().zip(cell);
            sides.map(|(analysis, (baseline, target))| analysis.ratio(baseline, target)).collect()
        })
        .collect();
    let mut adjusted = adjusted(ratios.iter().flatten()).into_iter();
    let mut against = |ratio: Option<Ratio>| {
        let adjusted = adjusted.next().flatten();
        let survives = adjusted.is_some_and(|p| p <= 1.0 - CONFIDENCE);
        let word = survives.then(|| Word::of(ratio.as_ref()));
        Against { ratio, adjusted, word }
    };
    ratios.into_iter().map(|cell| cell.into_iter().map(&mut against).collect()).collect()
}

/// The probability of each ratio's interval, adjusted for all that have one.
fn adjusted<'a>(ratios: impl Iterator<Item = &'a Option<Ratio>>) -> Vec<Option<f64>> {
    let p = |ratio: &Option<Ratio>| Some(ratio.as_ref()?.interval?.p);
    let p: Vec<Option<f64>> = ratios.map(p).collect();
    let judged: Vec<f64> = p.iter().copied().flatten().collect();
    let mut holm = holm(&judged).into_iter();
    p.into_iter().map(|p| p.and_then(|_| holm.next())).collect()
}

#[cfg(test)]
mod tests;
