//! Percentages, kept as hundredths so that shares can sum to exactly 100.

use std::fmt;
use std::str::FromStr;

use thiserror::Error;

use super::Stepped;

/// Why a percentage could not be read.
#[derive(Debug, Clone, PartialEq, Error)]
pub enum PercentError {
    /// Not a number.
    #[error("`{0}` is not a percentage: write a number from 0 to 100")]
    Malformed(String),
    /// Below 0 or above 100.
    #[error("{0} is outside 0 to 100 percent")]
    Outside(f64),
    /// More than two decimals.
    #[error("{0} has more than two decimals: shares are kept in hundredths of a percent")]
    TooFine(f64),
}

/// A percentage from 0 to 100 with two decimals.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Percent(u16);

impl Percent {
    /// Nothing.
    pub const ZERO: Self = Self(0);
    /// Everything.
    pub const HUNDRED: Self = Self(10_000);

    /// Hundredths of a percent, 0 to 10 000.
    pub const fn hundredths(self) -> u16 {
        self.0
    }

    /// From hundredths of a percent; `None` above 10 000.
    pub const fn from_hundredths(hundredths: u16) -> Option<Self> {
        if hundredths <= 10_000 { Some(Self(hundredths)) } else { None }
    }

    /// What is left of a hundred percent: the writes, where these are the reads.
    #[must_use]
    pub const fn rest(self) -> Self {
        Self(10_000 - self.0)
    }

    /// As a plain fraction, 0 to 1.
    pub fn fraction(self) -> f64 {
        f64::from(self.0) / 10_000.0
    }

    /// As a number of percent, 0 to 100.
    pub fn value(self) -> f64 {
        f64::from(self.0) / 100.0
    }
}

impl TryFrom<f64> for Percent {
    type Error = PercentError;

    fn try_from(percent: f64) -> Result<Self, PercentError> {
        if !(0.0..=100.0).contains(&percent) {
            return Err(PercentError::Outside(percent));
        }
        let hundredths = (percent * 100.0).round();
        if (percent * 100.0 - hundredths).abs() > 1e-6 {
            return Err(PercentError::TooFine(percent));
        }
        #[expect(clippy::cast_possible_truncation, reason = "checked above: 0 to 10 000")]
        #[expect(clippy::cast_sign_loss, reason = "checked above: 0 to 10 000")]
        Ok(Self(hundredths as u16))
    }
}

impl FromStr for Percent {
    type Err = PercentError;

    fn from_str(text: &str) -> Result<Self, PercentError> {
        let number = text.trim().trim_end_matches('%').trim_end();
        let number: f64 = number.parse().map_err(|_| PercentError::Malformed(text.to_owned()))?;
        number.try_into()
    }
}

impl Stepped for Percent {
    /// Hundredths of a percent.
    fn units(self) -> u64 {
        self.0.into()
    }

    fn from_units(units: u64) -> Result<Self, PercentError> {
        let hundredths = u16::try_from(units).ok().and_then(Self::from_hundredths);
        hundredths.ok_or(PercentError::Outside(units as f64 / 100.0))
    }

    fn step(text: &str) -> Option<u64> {
        text.parse().ok().map(Self::units)
    }
}

impl fmt::Display for Percent {
    /// The number without its sign: `80`, `33.33`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (whole, rest) = (self.0 / 100, self.0 % 100);
        match rest {
            0 => f.pad(&whole.to_string()),
            _ if rest.is_multiple_of(10) => f.pad(&format!("{whole}.{}", rest / 10)),
            _ => f.pad(&format!("{whole}.{rest:02}")),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hundredths_are_exact() {
        for (number, text) in [(0.0, "0"), (80.0, "80"), (33.33, "33.33"), (12.5, "12.5")] {
            let percent = Percent::try_from(number).unwrap();
            assert_eq!(percent.to_string(), text);
            assert_eq!(text.parse::<Percent>(), Ok(percent));
        }
        assert_eq!(Percent::try_from(100.5), Err(PercentError::Outside(100.5)));
        assert!(Percent::try_from(f64::NAN).is_err());
        assert_eq!(Percent::try_from(0.125), Err(PercentError::TooFine(0.125)));
    }
}
