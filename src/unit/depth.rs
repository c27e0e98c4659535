//! Queue depth: how many requests are in flight at a target.

use std::fmt;
use std::str::FromStr;

use thiserror::Error;

use super::Stepped;

/// Why a depth could not be read.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum DepthError {
    /// Not a whole number.
    #[error("`{0}` is not a queue depth: write a whole number from 1 to {max}", max = QueueDepth::MAX)]
    Malformed(String),
    /// Zero, or beyond the limit.
    #[error("a queue depth of {0} is outside 1 to {max}", max = QueueDepth::MAX)]
    Outside(u64),
}

/// Requests kept in flight at a target by all workers together: 1 to 1024.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct QueueDepth(u16);

impl QueueDepth {
    /// The deepest queue: four times what any review sweeps, and what one ring serves well.
    pub const MAX: u16 = 1024;
    /// One request at a time.
    pub const ONE: Self = Self(1);

    /// The number of requests.
    pub const fn get(self) -> u16 {
        self.0
    }

    /// This depth shared out over `workers`: the first ones take what does not divide. A depth
    /// below the number of workers uses fewer workers.
    pub fn shares(self, workers: u16) -> impl Iterator<Item = QueueDepth> {
        let workers = workers.clamp(1, self.0);
        let (each, rest) = (self.0 / workers, self.0 % workers);
        (0..workers).map(move |worker| Self(each + u16::from(worker < rest)))
    }
}

impl TryFrom<u64> for QueueDepth {
    type Error = DepthError;

    fn try_from(depth: u64) -> Result<Self, DepthError> {
        match u16::try_from(depth) {
            Ok(small) if (1..=Self::MAX).contains(&small) => Ok(Self(small)),
            _ => Err(DepthError::Outside(depth)),
        }
    }
}

impl From<QueueDepth> for u64 {
    fn from(depth: QueueDepth) -> Self {
        depth.0.into()
    }
}

impl FromStr for QueueDepth {
    type Err = DepthError;

    fn from_str(text: &str) -> Result<Self, DepthError> {
        let number: u64 =
            text.trim().parse().map_err(|_| DepthError::Malformed(text.to_owned()))?;
        number.try_into()
    }
}

impl Stepped for QueueDepth {
    /// Requests.
    fn units(self) -> u64 {
        self.into()
    }

    fn from_units(units: u64) -> Result<Self, DepthError> {
        units.try_into()
    }

    fn step(text: &str) -> Option<u64> {
        text.parse().ok()
    }
}

impl fmt::Display for QueueDepth {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn depth_is_bounded() {
        assert_eq!("0".parse::<QueueDepth>(), Err(DepthError::Outside(0)));
        assert_eq!("1025".parse::<QueueDepth>(), Err(DepthError::Outside(1025)));
        assert!("x".parse::<QueueDepth>().is_err());
        assert_eq!("256".parse::<QueueDepth>().unwrap().get(), 256);
    }

    #[test]
    fn depth_is_shared_out_exactly() {
        for depth in 1..=QueueDepth::MAX {
            for workers in [1, 2, 3, 7, 64] {
                let shares: Vec<u16> =
                    QueueDepth(depth).shares(workers).map(QueueDepth::get).collect();
                assert_eq!(shares.iter().sum::<u16>(), depth);
                assert!(shares.len() <= usize::from(workers));
                assert!(shares.iter().all(|&share| 1 <= share));
            }
        }
    }
}
