//! One ratio with its interval, and how it is computed.
//!
//! What decides between paired and unpaired is the plan, and nothing that was measured: an
//! analysis that is chosen by its result is no analysis.

use std::collections::BTreeMap;
use std::fmt;

use crate::stats::{self, CONFIDENCE, Chance, Difference};

/// The figure of one target in one cell, by repeat: IOPS, or a rating. Only what is above zero
/// has a ratio, so nothing else is in it; a void repeat isn't either.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Series(BTreeMap<u32, f64>);

impl Series {
    /// The repeats, with what each of them came to.
    pub fn iter(&self) -> impl Iterator<Item = (u32, f64)> {
        self.0.iter().map(|(&repeat, &value)| (repeat, value))
    }

    /// What a repeat came to.
    pub fn get(&self, repeat: u32) -> Option<f64> {
        self.0.get(&repeat).copied()
    }

    /// How many repeats there are.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// What the repeats came to, in their order.
    pub fn values(&self) -> Vec<f64> {
        self.0.values().copied().collect()
    }

    /// Those repeats that another series has too.
    fn shared_with(&self, other: &Self) -> Self {
        self.iter().filter(|&(repeat, _)| other.get(repeat).is_some()).collect()
    }

    fn logs(&self) -> Vec<f64> {
        self.0.values().map(|value| value.ln()).collect()
    }
}

impl FromIterator<(u32, f64)> for Series {
    fn from_iter<I: IntoIterator<Item = (u32, f64)>>(repeats: I) -> Self {
        let counts = |&(_, value): &(u32, f64)| value.is_finite() && value > 0.0;
        Self(repeats.into_iter().filter(counts).collect())
    }
}

/// How the runs of two targets lay in time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Layout {
    /// Each repeat had both, in an order that was drawn.
    Interleaved,
    /// One was measured after the other, or on another day.
    Apart,
}

/// How a target is set against the baseline.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Analysis {
    /// One run each: a ratio, and no way to tell what it is worth.
    Single,
    /// Student's t with both sides' variances put together.
    Unpaired,
    /// By the differences within each repeat, which what drifts over the run is not in.
    Paired,
}

impl Analysis {
    /// The fewest repeats that are judged in pairs. Three pairs leave two degrees of freedom: they
    /// find 10 % under a noise of 3 % in 55 % of comparisons, where unpaired 82 % are found.
    pub const PAIRED_FROM: u32 = 4;

    /// What a plan decides: by the repeats that it makes in any case, and by how they lie. It is
    /// asked before the run, and not again when a repeat failed or a rule added some.
    pub fn fixed(repeats: u32, layout: Layout) -> Self {
        match (repeats, layout) {
            (..=1, _) => Self::Single,
            (Self::PAIRED_FROM.., Layout::Interleaved) => Self::Paired,
            _ => Self::Unpaired,
        }
    }

    /// Its name for programs.
    pub const fn id(self) -> &'static str {
        match self {
            Self::Single => "single",
            Self::Unpaired => "unpaired",
            Self::Paired => "paired",
        }
    }

    /// The target's figure as a share of the baseline's. `None` where one has no value, and, in
    /// pairs, where no repeat has both.
    pub fn ratio(self, baseline: &Series, target: &Series) -> Option<Ratio> {
        let [baseline, target] = self.aligned(baseline, target);
        let logs = [baseline.logs(), target.logs()];
        let difference = match self {
            Self::Single => {
                let difference = stats::unpaired(&logs[0], &logs[1], CONFIDENCE)?;
                Difference { trust: None, ..difference }
            }
            Self::Unpaired => stats::unpaired(&logs[0], &logs[1], CONFIDENCE)?,
            Self::Paired => stats::paired(&pairs(&logs), CONFIDENCE)?,
        };
        let value = difference.value.exp();
        let interval = difference.trust.map(|trust| Interval {
            low: (difference.value - trust.error).exp(),
            high: (difference.value + trust.error).exp(),
            p: trust.p,
        });
        let repeats = [baseline.len(), target.len()];
        Some(Ratio { value, interval, repeats, chance: self.chance(&logs) })
    }

    /// The values that count: in pairs, those of repeats that have both.
    pub(super) fn aligned(self, baseline: &Series, target: &Series) -> [Series; 2] {
        match self {
            Self::Paired => [baseline.shared_with(target), target.shared_with(baseline)],
            Self::Single | Self::Unpaired => [baseline.clone(), target.clone()],
        }
    }

    /// The exact test that asks what the interval asks. In pairs only the two of a repeat can be
    /// exchanged: exchanging runs between repeats would take what drifts for noise, and tell
    /// another story than the interval beside it.
    fn chance(self, logs: &[Vec<f64>; 2]) -> Option<Chance> {
        let enough = logs.iter().all(|side| side.len() >= Chance::FEWEST);
        match self {
            Self::Unpaired if enough => stats::exchange_runs(&logs[0], &logs[1]),
            Self::Paired if enough => {
                let differences: Vec<f64> =
                    pairs(logs).into_iter().map(|(baseline, target)| target - baseline).collect();
                stats::exchange_signs(&differences)
            }
            Self::Single | Self::Unpaired | Self::Paired => None,
        }
    }
}

fn pairs([baseline, target]: &[Vec<f64>; 2]) -> Vec<(f64, f64)> {
    baseline.iter().copied().zip(target.iter().copied()).collect()
}

impl fmt::Display for Analysis {
    /// What is printed before the run, so that it stands there before there is a result.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::Single => "none: a single run has no error",
            Self::Unpaired => "unpaired t on the logarithm",
            Self::Paired => "paired t on the logarithm, by the differences within each repeat",
        })
    }
}

/// A figure as a share of another.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Ratio {
    /// 1.05 is 5 % more than the baseline. The ratio of geometric means.
    pub value: f64,
    /// Where the true ratio lies; `None` where there is nothing to judge it by.
    pub interval: Option<Interval>,
    /// How many repeats of the baseline and of the target it rests on.
    pub repeats: [usize; 2],
    /// The exact test, from four repeats on each side.
    pub chance: Option<Chance>,
}

/// The bounds of a ratio.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Interval {
    /// The lower bound.
    pub low: f64,
    /// The upper bound.
    pub high: f64,
    /// The probability of Student's t that it corresponds to: below 0.05 where 1 is outside.
    pub p: f64,
}

impl Interval {
    /// What a ratio would have had to be, at least, to lie outside an interval of this width about
    /// 1: 1.068 is 6.8 %.
    pub fn needed(self) -> f64 {
        (self.high / self.low).sqrt()
    }
}
