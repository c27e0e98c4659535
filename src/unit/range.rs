//! The words for a series of values on the command line and in files: `a..b` doubles,
//! `a..b/step` is linear, `a,b,c` is a list.

use std::fmt::Display;
use std::str::FromStr;

use thiserror::Error;

/// Why a series of values could not be read.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum RangeError {
    /// One of the values could not be read; the text says why.
    #[error("{0}")]
    Value(String),
    /// The second end lies below the first.
    #[error("`{0}` runs backwards: write the smaller value first")]
    Backwards(String),
    /// A doubling range can't start at 0, a linear one can't step by 0.
    #[error("`{0}` never ends: doubling needs a start above 0, a step must be above 0")]
    Endless(String),
    /// No value at all.
    #[error("an axis needs at least one value")]
    Empty,
    /// More values than a sweep can mean.
    #[error("`{0}` has more than 1024 values")]
    TooMany(String),
}

/// Reads a list, a doubling range or a linear range of whole numbers, each made a `T`.
///
/// # Errors
/// [`RangeError`] says which value is wrong and why.
pub fn parse_range<T>(text: &str) -> Result<Vec<T>, RangeError>
where
    T: FromStr + TryFrom<u64, Error = <T as FromStr>::Err> + Into<u64> + Copy,
    <T as FromStr>::Err: Display,
{
    let mut values = Vec::new();
    for part in text.split(',').map(str::trim).filter(|part| !part.is_empty()) {
        match part.split_once("..") {
            None => values.push(read::<T>(part)?),
            Some((from, to)) => expand(part, from, to, &mut values)?,
        }
    }
    if values.is_empty() { Err(RangeError::Empty) } else { Ok(values) }
}

fn expand<T>(part: &str, from: &str, to: &str, values: &mut Vec<T>) -> Result<(), RangeError>
where
    T: FromStr + TryFrom<u64, Error = <T as FromStr>::Err> + Into<u64> + Copy,
    <T as FromStr>::Err: Display,
{
    let (to, step) = match to.split_once('/') {
        None => (to, None),
        Some((to, step)) => (to, Some(read_number(step)?)),
    };
    let (first, last): (u64, u64) = (read::<T>(from)?.into(), read::<T>(to)?.into());
    if last < first {
        return Err(RangeError::Backwards(part.to_owned()));
    }
    if step == Some(0) || (step.is_none() && first == 0) {
        return Err(RangeError::Endless(part.to_owned()));
    }
    let mut value = first;
    while value <= last {
        if values.len() == 1024 {
            return Err(RangeError::TooMany(part.to_owned()));
        }
        values.push(T::try_from(value).map_err(|error| RangeError::Value(error.to_string()))?);
        value = match step {
            Some(step) => value.saturating_add(step),
            None => value.saturating_mul(2),
        };
    }
    Ok(())
}

fn read<T>(text: &str) -> Result<T, RangeError>
where
    T: FromStr,
    T::Err: Display,
{
    text.parse().map_err(|error: T::Err| RangeError::Value(error.to_string()))
}

fn read_number(text: &str) -> Result<u64, RangeError> {
    text.trim()
        .parse()
        .map_err(|_| RangeError::Value(format!("`{}` is not a whole number of steps", text.trim())))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::unit::QueueDepth;

    fn check(text: &str, expected: &[u16]) {
        let depths = parse_range::<QueueDepth>(text).unwrap();
        assert_eq!(depths.iter().map(|d| d.get()).collect::<Vec<_>>(), expected, "{text}");
    }

    #[test]
    fn lists_and_ranges() {
        check("1..256", &[1, 2, 4, 8, 16, 32, 64, 128, 256]);
        check("1,4,16", &[1, 4, 16]);
        check("2..8/2", &[2, 4, 6, 8]);
        check("1, 8..32", &[1, 8, 16, 32]);
        check("3..20", &[3, 6, 12]);
    }

    #[test]
    fn faults_are_named() {
        for (text, fragment) in [
            ("", "at least one"),
            ("0..8", "outside 1 to 1024"),
            ("8..1", "backwards"),
            ("1..8/0", "never ends"),
            ("1..8/x", "steps"),
            ("1..2000", "outside"),
        ] {
            let message = parse_range::<QueueDepth>(text).unwrap_err().to_string();
            assert!(message.contains(fragment), "{text}: {message}");
        }
    }
}
