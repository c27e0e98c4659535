//! The words for a series of values on the command line and in files: `a..b` doubles,
//! `a..b/step` is linear, `a,b,c` is a list.

use std::fmt::Display;
use std::str::FromStr;

use thiserror::Error;

/// What an axis can run over: values that are a whole number of some unit.
pub trait Stepped: FromStr<Err: Display> + Copy {
    /// The value in units.
    fn units(self) -> u64;

    /// The value of so many units.
    ///
    /// # Errors
    /// The type's own, where there is no such value.
    fn from_units(units: u64) -> Result<Self, Self::Err>;

    /// The units of a step, as a person types it; `None` where that is none.
    fn step(text: &str) -> Option<u64>;
}

/// Why a series of values could not be read.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum RangeError {
    /// One of the values could not be read; the text says why.
    #[error("{0}")]
    Value(String),
    /// The second end lies below the first.
    #[error("`{0}` runs backwards: write the smaller value first")]
    Backwards(String),
    /// Twice nothing is nothing.
    #[error("`{0}` doubles, and never gets away from 0: write a step, as in `{0}/10`")]
    FromZero(String),
    /// What stands behind the `/` is no step.
    #[error("`{step}` is no step for `{range}`: write how far each value lies from the last")]
    Step {
        /// What should be a step.
        step: String,
        /// The range that it belongs to.
        range: String,
    },
    /// No value at all.
    #[error("an axis needs at least one value")]
    Empty,
    /// More values than a sweep can mean.
    #[error("`{0}` has more than {MOST} values")]
    TooMany(String),
}

/// The most values of an axis.
const MOST: usize = 1024;

/// Reads a list, a doubling range or a linear range.
///
/// # Errors
/// [`RangeError`] says which value is wrong and why.
pub fn parse_range<T: Stepped>(text: &str) -> Result<Vec<T>, RangeError> {
    let mut values = Vec::new();
    for part in text.split(',').map(str::trim).filter(|part| !part.is_empty()) {
        match part.split_once("..") {
            None => values.push(read::<T>(part)?),
            Some((from, to)) => expand(part, from, to, &mut values)?,
        }
        if values.len() > MOST {
            return Err(RangeError::TooMany(part.to_owned()));
        }
    }
    if values.is_empty() { Err(RangeError::Empty) } else { Ok(values) }
}

fn expand<T: Stepped>(
    part: &str,
    from: &str,
    to: &str,
    values: &mut Vec<T>,
) -> Result<(), RangeError> {
    let (to, step) = match to.split_once('/') {
        None => (to, None),
        Some((to, step)) => (to, Some(read_step::<T>(step, part)?)),
    };
    let (first, last) = (read::<T>(from)?.units(), read::<T>(to)?.units());
    if last < first {
        return Err(RangeError::Backwards(part.to_owned()));
    }
    if step.is_none() && first == 0 {
        return Err(RangeError::FromZero(part.to_owned()));
    }
    let mut units = first;
    while units <= last {
        if values.len() == MOST {
            return Err(RangeError::TooMany(part.to_owned()));
        }
        values.push(T::from_units(units).map_err(|error| RangeError::Value(error.to_string()))?);
        units = match step {
            Some(step) => units.saturating_add(step),
            None => units.saturating_mul(2),
        };
    }
    Ok(())
}

fn read<T: Stepped>(text: &str) -> Result<T, RangeError> {
    text.parse().map_err(|error: T::Err| RangeError::Value(error.to_string()))
}

fn read_step<T: Stepped>(text: &str, range: &str) -> Result<u64, RangeError> {
    let (step, range) = (text.trim().to_owned(), range.to_owned());
    let units = T::step(&step).filter(|units| *units > 0);
    units.ok_or(RangeError::Step { step, range })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::unit::{Percent, QueueDepth, TransferSize};

    fn check<T: Stepped>(text: &str, expected: &[u64]) {
        let values = parse_range::<T>(text).unwrap();
        assert_eq!(
            values.iter().map(|value| value.units()).collect::<Vec<_>>(),
            expected,
            "{text}"
        );
    }

    #[test]
    fn lists_and_ranges() {
        check::<QueueDepth>("1..256", &[1, 2, 4, 8, 16, 32, 64, 128, 256]);
        check::<QueueDepth>("1,4,16", &[1, 4, 16]);
        check::<QueueDepth>("2..8/2", &[2, 4, 6, 8]);
        check::<QueueDepth>("1, 8..32", &[1, 8, 16, 32]);
        check::<QueueDepth>("3..20", &[3, 6, 12]);
        check::<Percent>("0..100/25", &[0, 2500, 5000, 7500, 10_000]);
        check::<Percent>("0, 33.33, 66.66..100%/33.33%", &[0, 3333, 6666, 9999]);
        check::<Percent>("1..8", &[100, 200, 400, 800]);
        check::<TransferSize>("512..4k", &[512, 1024, 2048, 4096]);
        check::<TransferSize>("4k..16k/4k, 1M", &[4096, 8192, 12_288, 16_384, 1 << 20]);
    }

    fn fault<T: Stepped + std::fmt::Debug>(text: &str, fragment: &str) {
        let message = parse_range::<T>(text).unwrap_err().to_string();
        assert!(message.contains(fragment), "{text}: {message}");
    }

    #[test]
    fn faults_are_named() {
        fault::<QueueDepth>("", "at least one");
        fault::<QueueDepth>(" , ", "at least one");
        fault::<QueueDepth>("0..8", "outside 1 to 1024");
        fault::<QueueDepth>("8..1", "backwards");
        fault::<QueueDepth>("1..8/0", "`0` is no step for `1..8/0`");
        fault::<QueueDepth>("1..8/x", "`x` is no step for `1..8/x`");
        fault::<QueueDepth>("1..2000", "outside");
        fault::<QueueDepth>("1..1024/1,7", "more than 1024 values");
        fault::<Percent>("0..100", "write a step, as in `0..100/10`");
        fault::<Percent>("0..101/10", "101 is outside 0 to 100");
        fault::<Percent>("0..100/0.01", "more than 1024 values");
        fault::<Percent>("0..100/0.001", "`0.001` is no step");
        fault::<TransferSize>("0..4k", "0 moves nothing");
        fault::<TransferSize>("512..4k/100", "612 bytes is not a multiple of 512");
        fault::<TransferSize>("512..1G", "more than one request may move");
    }
}
