//! Many cells as one: the geometric mean of their ratios, with an interval.
//!
//! It is taken within each repeat, and then treated as a cell is: by the analysis fixed before.
//! Adding up the cells' variances instead would assume that they err independently, while
//! whatever a repeat has in common moves all of its cells.

use super::{Analysis, Ratio, Review, Series, Word};
use crate::stats::geometric_mean;

/// A target against the baseline, over several cells or patterns.
#[derive(Debug, Clone, PartialEq)]
pub struct Summary {
    /// The geometric mean of the ratios; `None` where no repeat has all that counts.
    pub ratio: Option<Ratio>,
    /// What its interval says.
    pub word: Word,
    /// How many cells, or patterns, are in it. Those that one of the two has no value of are not.
    pub counted: usize,
    /// How many there are.
    pub of: usize,
}

/// Several cells of two targets as one cell.
#[derive(Debug)]
struct Merged {
    baseline: Series,
    target: Series,
    counted: usize,
    of: usize,
}

/// The summary of each pattern, and of all patterns where there are several: for each target.
pub(super) fn summaries(
    review: &Review,
    analyses: &[Analysis],
    pairs: &[Vec<(&Series, &Series)>],
) -> (Vec<(String, Vec<Summary>)>, Vec<Summary>) {
    let mut names: Vec<&str> = Vec::new();
    for cell in &review.cells {
        if !names.contains(&cell.pattern.as_str()) {
            names.push(&cell.pattern);
        }
    }
    let of_pattern = |name: &&str| -> Vec<Merged> {
        let cells = || review.cells.iter().zip(pairs).filter(|(cell, _)| cell.pattern == *name);
        let merged = |(place, analysis): (usize, &Analysis)| {
            merge(*analysis, cells().map(|(_, sides)| sides[place]))
        };
        analyses.iter().enumerate().map(merged).collect()
    };
    let patterns: Vec<Vec<Merged>> = names.iter().map(of_pattern).collect();
    let of_all = |(place, analysis): (usize, &Analysis)| {
        let cells = patterns.iter().map(|pattern| &pattern[place]);
        merge(*analysis, cells.map(|cell| (&cell.baseline, &cell.target)))
    };
    let overall: Vec<Merged> = match names.len() {
        ..=1 => Vec::new(),
        _ => analyses.iter().enumerate().map(of_all).collect(),
    };
    let judged = |targets: &Vec<Merged>| -> Vec<Summary> {
        analyses.iter().zip(targets).map(|(analysis, merged)| summary(*analysis, merged)).collect()
    };
    let names = names.iter().map(ToString::to_string);
    (names.zip(patterns.iter().map(judged)).collect(), judged(&overall))
}

/// Cells that lack one side everywhere don't count; of the others, only repeats that have all of
/// them do, since the mean of some cells is no repeat of the mean of all.
fn merge<'a>(analysis: Analysis, cells: impl Iterator<Item = (&'a Series, &'a Series)>) -> Merged {
    let sides: Vec<[Series; 2]> =
        cells.map(|(baseline, target)| analysis.aligned(baseline, target)).collect();
    let of = sides.len();
    let counted: Vec<&[Series; 2]> =
        sides.iter().filter(|sides| sides.iter().all(|side| !side.is_empty())).collect();
    let whole = |side: usize| {
        let series: Vec<&Series> = counted.iter().map(|sides| &sides[side]).collect();
        whole_repeats(&series)
    };
    Merged { baseline: whole(0), target: whole(1), counted: counted.len(), of }
}

/// The geometric mean over all series, of each repeat that all of them have.
fn whole_repeats(series: &[&Series]) -> Series {
    let Some(first) = series.first() else { return Series::default() };
    let mean = |(repeat, _): (u32, f64)| {
        let values: Option<Vec<f64>> = series.iter().map(|series| series.get(repeat)).collect();
        Some((repeat, geometric_mean(&values?)?))
    };
    first.iter().filter_map(mean).collect()
}

fn summary(analysis: Analysis, merged: &Merged) -> Summary {
    let ratio = analysis.ratio(&merged.baseline, &merged.target);
    let word = Word::of(ratio.as_ref());
    Summary { ratio, word, counted: merged.counted, of: merged.of }
}
