//! The words for a difference, and when each of them may be said.

use std::fmt;

use super::{Interval, Ratio};

/// What may be said of a target against its baseline.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Word {
    /// Its interval lies wholly above 1.
    Faster,
    /// Its interval lies wholly below 1.
    Slower,
    /// 1 is in its interval. That shows no equality, so it is said what would have been seen.
    NotShown {
        /// The least ratio that would have been outside, 1.068 for 6.8 %.
        needed: f64,
    },
    /// One run, on one side at least: there is no interval and no verdict.
    OneRun,
    /// Nothing that both have.
    Nothing,
}

impl Word {
    /// What a ratio's interval says.
    pub fn of(ratio: Option<&Ratio>) -> Self {
        match ratio {
            None => Self::Nothing,
            Some(Ratio { interval: None, .. }) => Self::OneRun,
            Some(Ratio { interval: Some(interval), .. }) => Self::by(*interval),
        }
    }

    /// Its name for programs.
    pub const fn id(self) -> &'static str {
        match self {
            Self::Faster => "faster",
            Self::Slower => "slower",
            Self::NotShown { .. } => "not-shown",
            Self::OneRun => "one-run",
            Self::Nothing => "nothing-in-common",
        }
    }

    fn by(interval: Interval) -> Self {
        if interval.low > 1.0 {
            Self::Faster
        } else if interval.high < 1.0 {
            Self::Slower
        } else {
            Self::NotShown { needed: interval.needed() }
        }
    }
}

impl fmt::Display for Word {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Faster => f.pad("faster"),
            Self::Slower => f.pad("slower"),
            Self::NotShown { needed } => {
                // Upwards, so that what is asked for is enough.
                let percent = (1000.0 * (needed - 1.0) - 1e-6).ceil() / 10.0;
                f.pad(&format!("no difference shown (would need ≥ {percent:.1} %)"))
            }
            Self::OneRun => f.pad("no verdict: one run has no error"),
            Self::Nothing => f.pad("no verdict: nothing in common"),
        }
    }
}
