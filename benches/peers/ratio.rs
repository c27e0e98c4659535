//! Paired figures: their ratio, how far it may be trusted, and whether a bar is reached.
//!
//! Each pair is one run of either tool, one right after the other, so that what drifts on the
//! machine is in both. Ratios are averaged as logarithms: 2 and 1/2 make 1. Pure; tested in
//! tests/peers.rs.

use std::fmt;

use fathom::stats::mean_with_interval;

/// How sure an interval is.
const CONFIDENCE: f64 = 0.95;

/// A figure and where the truth lies, by Student's t at 95 %.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Interval {
    /// The figure.
    pub(crate) value: f64,
    /// The ends; `None` after a single run.
    pub(crate) ends: Option<(f64, f64)>,
}

impl Interval {
    /// The ratio of the first to the second of each pair; `None` of no pairs. Only pairs above
    /// zero have one.
    pub(crate) fn of_ratio(pairs: &[(f64, f64)]) -> Option<Self> {
        let valid = pairs.iter().filter(|(ours, theirs)| *ours > 0.0 && *theirs > 0.0);
        let logs: Vec<f64> = valid.map(|(ours, theirs)| (ours / theirs).ln()).collect();
        let estimate = mean_with_interval(&logs, CONFIDENCE)?;
        let ends = estimate
            .error
            .map(|error| ((estimate.value - error).exp(), (estimate.value + error).exp()));
        Some(Self { value: estimate.value.exp(), ends })
    }

    /// The mean of values; `None` of none.
    pub(crate) fn of_mean(values: &[f64]) -> Option<Self> {
        let estimate = mean_with_interval(values, CONFIDENCE)?;
        let ends = estimate.error.map(|error| (estimate.value - error, estimate.value + error));
        Some(Self { value: estimate.value, ends })
    }

    /// Half the width of a ratio's interval, as a fraction of the ratio.
    fn half_width(&self) -> Option<f64> {
        self.ends.map(|(low, high)| (high / low).sqrt() - 1.0)
    }
}

impl fmt::Display for Interval {
    /// `15.6 (14.9 to 16.3)`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let digits = |number: f64| match number {
            n if n < 1.0 => format!("{n:.3}"),
            n if n < 10.0 => format!("{n:.2}"),
            n => format!("{n:.1}"),
        };
        f.write_str(&digits(self.value))?;
        match self.ends {
            Some((low, high)) => write!(f, " ({} to {})", digits(low), digits(high)),
            None => Ok(()),
        }
    }
}

/// What an interval is held to.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Bar {
    /// All of it at least this.
    AtLeast(f64),
    /// All of it at most this.
    AtMost(f64),
    /// Not all of it below this ratio, and half of it no wider than this fraction.
    NotBelow {
        /// The ratio.
        floor: f64,
        /// The fraction.
        half_width: f64,
    },
}

/// Whether a bar is reached.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Verdict {
    /// It is, with all of the interval.
    Yes,
    /// It is not, with none of it.
    No,
    /// The interval does not say; more pairs would.
    Undecided,
}

impl Bar {
    /// Whether an interval reaches it.
    pub(crate) fn judge(self, interval: &Interval) -> Verdict {
        let Some((low, high)) = interval.ends else { return Verdict::Undecided };
        let (yes, no) = match self {
            Self::AtLeast(bar) => (low >= bar, high < bar),
            Self::AtMost(bar) => (high <= bar, low > bar),
            Self::NotBelow { floor, half_width } => {
                let narrow = interval.half_width().is_some_and(|half| half <= half_width);
                (narrow && high >= floor, high < floor)
            }
        };
        match (yes, no) {
            (true, _) => Verdict::Yes,
            (_, true) => Verdict::No,
            (false, false) => Verdict::Undecided,
        }
    }

    /// The bar in words, its numbers shown by `show`.
    pub(crate) fn words(self, show: impl Fn(f64) -> String) -> String {
        match self {
            Self::AtLeast(bar) => format!("≥ {}", show(bar)),
            Self::AtMost(bar) => format!("≤ {}", show(bar)),
            Self::NotBelow { floor, half_width } => {
                format!("not below {}, ± {:.0} %", show(floor), half_width * 100.0)
            }
        }
    }
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Yes => "yes",
            Self::No => "no",
            Self::Undecided => "undecided",
        })
    }
}

/// The middle value, or the mean of the two in the middle; `None` of none.
pub(crate) fn median(values: &[f64]) -> Option<f64> {
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    let upper = *sorted.get(sorted.len() / 2)?;
    let lower = *sorted.get(sorted.len().saturating_sub(1) / 2)?;
    Some(f64::midpoint(lower, upper))
}
