//! Where the ranking of targets changes with the rating scheme.
//!
//! A scheme says which depths count, so a target that is ahead by one may be behind by another,
//! and a review that shows one scheme only has chosen the winner with it. Each such pair of
//! targets is named with both ratios, shown or not; whether it is shown is decided by Holm among
//! all pairs and schemes.

use std::fmt;

use super::{Analysis, Ratio, Series, adjusted};
use crate::stats::CONFIDENCE;

/// All targets by one scheme.
#[derive(Debug, Clone, PartialEq)]
pub struct Rated {
    /// The scheme, as it is printed.
    pub scheme: String,
    /// Each target's rating, one a repeat, in the order of the targets.
    pub ratings: Vec<Series>,
}

/// Two targets that change places.
#[derive(Debug, Clone, PartialEq)]
pub struct Flip {
    /// The one whose ratios these are.
    pub first: String,
    /// The one that it is set against.
    pub second: String,
    /// The schemes by which the first is ahead.
    pub ahead: Vec<Lead>,
    /// The schemes by which it is behind.
    pub behind: Vec<Lead>,
}

/// How two targets stand by one scheme.
#[derive(Debug, Clone, PartialEq)]
pub struct Lead {
    /// The scheme, as it is printed.
    pub scheme: String,
    /// The first target's rating as a share of the second's.
    pub ratio: Ratio,
    /// The probability of its interval's test, after Holm's adjustment for all pairs and schemes.
    pub adjusted: Option<f64>,
}

impl Lead {
    fn is_shown(&self) -> bool {
        self.adjusted.is_some_and(|p| p <= 1.0 - CONFIDENCE)
    }
}

/// Every pair of targets of which one is ahead by one scheme and behind by another. `analysis`
/// holds for all pairs: unpaired where only some of them were interleaved.
pub fn flips(targets: &[String], analysis: Analysis, rated: &[Rated]) -> Vec<Flip> {
    let places = 0..targets.len();
    let pairs: Vec<(usize, usize)> = places
        .clone()
        .flat_map(|a| places.clone().map(move |b| (a, b)))
        .filter(|(a, b)| a < b)
        .collect();
    let ratio = |(first, second): (usize, usize), rated: &Rated| {
        analysis.ratio(rated.ratings.get(second)?, rated.ratings.get(first)?)
    };
    let ratios: Vec<Vec<Option<Ratio>>> =
        pairs.iter().map(|&pair| rated.iter().map(|rated| ratio(pair, rated)).collect()).collect();
    let mut adjusted = adjusted(ratios.iter().flatten()).into_iter();
    let flip = |(&(first, second), ratios): (&(usize, usize), &Vec<Option<Ratio>>)| {
        let leads: Vec<Lead> = rated
            .iter()
            .zip(ratios)
            .filter_map(|(rated, &ratio)| {
                let adjusted = adjusted.next().flatten();
                Some(Lead { scheme: rated.scheme.clone(), ratio: ratio?, adjusted })
            })
            .collect();
        let (ahead, rest): (Vec<_>, Vec<_>) =
            leads.into_iter().partition(|lead| lead.ratio.value > 1.0);
        let behind: Vec<Lead> = rest.into_iter().filter(|lead| lead.ratio.value < 1.0).collect();
        Flip { first: targets[first].clone(), second: targets[second].clone(), ahead, behind }
    };
    let all: Vec<Flip> = pairs.iter().zip(&ratios).map(flip).collect();
    all.into_iter().filter(|flip| !flip.ahead.is_empty() && !flip.behind.is_empty()).collect()
}

impl Flip {
    /// Whether both places are more than chance.
    pub fn is_shown(&self) -> bool {
        [&self.ahead, &self.behind].into_iter().all(|leads| leads.iter().any(Lead::is_shown))
    }
}

impl fmt::Display for Flip {
    /// One sentence, without its full stop.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let list = |leads: &[Lead]| {
            let texts: Vec<String> = leads.iter().map(ToString::to_string).collect();
            texts.join(", ")
        };
        let Self { first, second, ahead, behind } = self;
        write!(f, "{first} is ahead of {second} by {}", list(ahead))?;
        write!(f, " and behind by {}", list(behind))?;
        let mut leads = ahead.iter().chain(behind);
        if self.is_shown() {
            Ok(())
        } else if leads.any(|lead| lead.ratio.interval.is_some()) {
            f.write_str("; not shown: chance could do it")
        } else {
            f.write_str("; not shown: single runs have no error")
        }
    }
}

impl fmt::Display for Lead {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let percent = 100.0 * (self.ratio.value - 1.0);
        write!(f, "{} ({percent:+.1} %)", self.scheme)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Ratings with a percent of noise about each value, in three repeats.
    fn rated(scheme: &str, values: &[f64]) -> Rated {
        let noise = [0.99, 1.0, 1.01];
        let series = |&value: &f64| (1..).zip(noise.map(|noise| noise * value)).collect();
        Rated { scheme: scheme.to_owned(), ratings: values.iter().map(series).collect() }
    }

    fn said(analysis: Analysis, rated: &[Rated]) -> Vec<String> {
        let targets = ["single", "raid0", "raid1"].map(ToOwned::to_owned);
        flips(&targets, analysis, rated).iter().map(ToString::to_string).collect()
    }

    #[test]
    fn a_change_of_places_is_named_with_both_ratios() {
        let cases = [
            // The same order twice, and a tie that is no place.
            (vec![vec![100.0, 200.0, 150.0], vec![10.0, 30.0, 20.0]], vec![]),
            (vec![vec![100.0, 200.0, 100.0], vec![10.0, 30.0, 20.0]], vec![]),
            (
                vec![vec![100.0, 200.0, 150.0], vec![10.0, 20.0, 30.0]],
                vec!["raid0 is ahead of raid1 by mean (+33.3 %) and behind by inverse (-33.3 %)"],
            ),
            (
                vec![vec![100.0, 101.0, 150.0], vec![100.0, 99.0, 150.0]],
                vec![
                    "single is ahead of raid0 by inverse (+1.0 %) and behind by mean (-1.0 %); \
                     not shown: chance could do it",
                ],
            ),
        ];
        for (values, expected) in cases {
            let rated = [rated("mean", &values[0]), rated("inverse", &values[1])];
            assert_eq!(said(Analysis::Unpaired, &rated), expected, "{values:?}");
        }
    }

    #[test]
    fn a_single_run_shows_no_change() {
        let once = |mut rated: Rated| {
            for series in &mut rated.ratings {
                *series = series.iter().take(1).collect();
            }
            rated
        };
        let rated = [rated("mean", &[100.0, 200.0]), rated("inverse", &[20.0, 10.0])].map(once);
        assert_eq!(
            said(Analysis::Single, &rated),
            ["single is ahead of raid0 by inverse (+100.0 %) and behind by mean (-50.0 %); \
                 not shown: single runs have no error"]
        );
    }

    #[test]
    fn a_target_without_a_rating_has_no_place() {
        let mut schemes = [rated("mean", &[1.0, 2.0, 3.0]), rated("inverse", &[1.0, 3.0, 2.0])];
        schemes[1].ratings[2] = Series::default();
        assert_eq!(said(Analysis::Unpaired, &schemes), Vec::<String>::new());
        schemes[1].ratings.truncate(1);
        assert_eq!(said(Analysis::Unpaired, &schemes), Vec::<String>::new());
    }
}
