//! The rule for more repeats: again, until the values scatter little enough or there have been
//! enough of them.
//!
//! It belongs to a cell, that is, to one setting of the axes on all targets: where one target
//! scatters, all get another repeat, so that they stay comparable. It never looks at how far
//! targets lie apart, since repeats that go on until there is a difference would find one.
//! Tested by cases.

use std::fmt;

use thiserror::Error;

use super::relative_deviation;
use crate::unit::Percent;

/// Repeats until the relative standard deviation of every target is at most a limit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Rerun {
    at_most: Percent,
    least: u32,
    most: u32,
}

/// Why a rule can't be followed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
pub enum RerunError {
    /// No deviation is ever zero.
    #[error("a deviation of at most 0 % is never reached: write a limit above it, such as 10%")]
    Unreachable,
    /// Too few repeats to know how far values scatter.
    #[error("{0} repeats can't tell how far values scatter: at least {least} are needed", least = Rerun::LEAST)]
    TooFew(u32),
    /// It would end before it begins.
    #[error("at most {most} repeats are fewer than the {least} that are made in any case")]
    Backwards {
        /// The repeats that are made in any case.
        least: u32,
        /// The most there may be.
        most: u32,
    },
}

/// What the rule says of a cell.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Step {
    /// One more repeat, on all targets.
    Again,
    /// Every target's values lie closely enough together: the rule stopped it.
    Steady,
    /// The limit of repeats stopped it, while a target's values still scattered too far.
    Exhausted,
}

impl Rerun {
    /// The fewest repeats after which a deviation says anything.
    pub const LEAST: u32 = 3;

    /// At least `least` repeats, then more until the relative deviation is at most `at_most`, and
    /// never more than `most`.
    ///
    /// # Errors
    /// [`RerunError`] where that can't be followed.
    pub fn new(at_most: Percent, least: u32, most: u32) -> Result<Self, RerunError> {
        if at_most == Percent::ZERO {
            return Err(RerunError::Unreachable);
        }
        if least < Self::LEAST {
            return Err(RerunError::TooFew(least));
        }
        if most < least {
            return Err(RerunError::Backwards { least, most });
        }
        Ok(Self { at_most, least, most })
    }

    /// The repeats that are made in any case: they decide how targets are compared.
    pub fn least(self) -> u32 {
        self.least
    }

    /// The most there may be.
    pub fn most(self) -> u32 {
        self.most
    }

    /// The relative deviation that is close enough.
    pub fn at_most(self) -> Percent {
        self.at_most
    }

    /// What comes after `done` repeats of a cell, of which each target has these values. A void
    /// repeat is done and has no value; a target that was given up is left out, or it would hold
    /// up the others.
    pub fn after(self, done: u32, targets: &[Vec<f64>]) -> Step {
        let scatters = |values: &Vec<f64>| {
            // Fewer than two values can't be known to be steady.
            relative_deviation(values).is_none_or(|deviation| deviation > self.at_most.fraction())
        };
        match targets.iter().any(scatters) {
            _ if done < self.least => Step::Again,
            false => Step::Steady,
            true if done < self.most => Step::Again,
            true => Step::Exhausted,
        }
    }
}

impl fmt::Display for Rerun {
    /// The rule in words.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { at_most, least, most } = self;
        write!(
            f,
            "{least} repeats, then again until the relative deviation of every target is at most \
             {at_most} %, at most {most}"
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn percent(percent: f64) -> Percent {
        Percent::try_from(percent).unwrap()
    }

    #[test]
    fn again_until_all_are_steady() {
        let rule = Rerun::new(percent(10.0), 3, 6).unwrap();
        // Relative deviations of 2.5 %, 11 % and 9.8 %.
        let steady = vec![98.0, 101.0, 103.0];
        let scattered = vec![89.0, 100.0, 111.0];
        let nearly = vec![100.0, 100.0, 117.0, 117.0, 95.0];
        let cases = [
            (1, vec![vec![98.0], vec![100.0]], Step::Again),
            (2, vec![vec![98.0, 98.0]], Step::Again),
            (3, vec![steady.clone(), steady.clone()], Step::Steady),
            (3, vec![steady.clone(), scattered.clone()], Step::Again),
            (5, vec![scattered.clone(), steady.clone()], Step::Again),
            (6, vec![scattered, steady.clone()], Step::Exhausted),
            (5, vec![nearly, steady.clone()], Step::Steady),
            // Void repeats leave too little to judge by.
            (3, vec![vec![98.0], steady.clone()], Step::Again),
            (6, vec![vec![], steady], Step::Exhausted),
            (3, vec![], Step::Steady),
        ];
        for (done, targets, expected) in cases {
            assert_eq!(rule.after(done, &targets), expected, "{done} repeats: {targets:?}");
        }
    }

    #[test]
    fn a_rule_that_can_not_be_followed_says_why() {
        let said = |at_most: f64, least, most| {
            Rerun::new(percent(at_most), least, most)
                .map_or_else(|e| e.to_string(), |r| r.to_string())
        };
        assert_eq!(
            said(10.0, 3, 6),
            "3 repeats, then again until the relative deviation of every target is at most 10 %, \
             at most 6"
        );
        assert!(said(0.0, 3, 6).contains("never reached"));
        assert!(said(10.0, 2, 6).contains("at least 3"));
        assert!(said(10.0, 4, 3).contains("fewer than the 4"));
    }
}
