//! How many workers share a target's queue depth.

use std::fmt;
use std::str::FromStr;

use thiserror::Error;

use crate::host::Lanes;
use crate::unit::QueueDepth;

/// A text that is no number of workers.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("write a whole number from 1 to {most}, or auto", most = Workers::MOST)]
pub struct WorkersError;

/// How many workers a target is asked to have.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Workers {
    /// So many at every depth; fewer where the depth is smaller.
    Fixed(u16),
    /// As many as the device and the depth need: see [`Workers::most`] and [`Workers::at`].
    Auto,
}

impl Workers {
    /// The most that a target can have.
    pub const MOST: u16 = 256;

    /// Requests in flight that `auto` wants for each worker before it takes another. A turn costs
    /// what it costs, and shares that out over the requests that it carries: beyond some thirty
    /// there is nothing left to share, below it a second worker only burns a second core.
    pub const SHARE: u16 = 32;

    /// The most workers that a target has at any depth, settled before its first point: what was
    /// asked, or for `auto` no more than the device has lanes and this process has `cores`.
    pub fn most(self, lanes: Lanes, cores: u32) -> u16 {
        match self {
            Self::Fixed(workers) => workers,
            Self::Auto => {
                u16::try_from(lanes.count().min(cores)).unwrap_or(u16::MAX).clamp(1, Self::MOST)
            }
        }
    }

    /// The workers of a point at a depth, of a target that has `most`.
    pub fn at(self, depth: QueueDepth, most: u16) -> u16 {
        match self {
            Self::Fixed(_) => most.min(depth.get()),
            Self::Auto => (depth.get() / Self::SHARE).clamp(1, most.max(1)),
        }
    }
}

impl FromStr for Workers {
    type Err = WorkersError;

    fn from_str(text: &str) -> Result<Self, WorkersError> {
        match text.parse() {
            Ok(workers @ 1..=Self::MOST) => Ok(Self::Fixed(workers)),
            Err(_) if text == "auto" => Ok(Self::Auto),
            Ok(_) | Err(_) => Err(WorkersError),
        }
    }
}

impl fmt::Display for Workers {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Fixed(1) => f.pad("1 worker"),
            Self::Fixed(workers) => write!(f, "{workers} workers"),
            Self::Auto => f.pad("workers auto"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn workers_are_read() {
        for (text, workers) in [
            ("1", Ok(Workers::Fixed(1))),
            ("256", Ok(Workers::Fixed(256))),
            ("auto", Ok(Workers::Auto)),
            ("0", Err(WorkersError)),
            ("257", Err(WorkersError)),
            ("-1", Err(WorkersError)),
            ("lots", Err(WorkersError)),
            ("", Err(WorkersError)),
        ] {
            assert_eq!(text.parse::<Workers>(), workers, "{text}");
        }
    }

    #[test]
    fn auto_takes_what_device_cores_and_depth_allow() {
        let lanes = Lanes::Queues;
        for (lanes, cores, expected) in [
            (lanes(16), 8, [1, 1, 1, 2, 3, 4, 8, 8]),
            (lanes(4), 8, [1, 1, 1, 2, 3, 4, 4, 4]),
            (lanes(64), 64, [1, 1, 1, 2, 3, 4, 8, 32]),
            (Lanes::Polled(2), 8, [1, 1, 1, 2, 2, 2, 2, 2]),
            (lanes(16), 1, [1; 8]),
            (lanes(1), 8, [1; 8]),
            (Lanes::Turning, 8, [1; 8]),
            (Lanes::Untold, 8, [1; 8]),
        ] {
            let most = Workers::Auto.most(lanes, cores);
            let depths = [1, 32, 63, 64, 96, 128, 256, 1024_u64];
            let taken = depths.map(|depth| Workers::Auto.at(depth.try_into().unwrap(), most));
            assert_eq!(taken, expected, "{lanes}, {cores} cores");
        }
    }

    #[test]
    fn a_number_is_kept_whatever_the_device() {
        let workers = Workers::Fixed(4);
        let most = workers.most(Lanes::Turning, 1);
        let taken = [1, 3, 4, 256_u64].map(|depth| workers.at(depth.try_into().unwrap(), most));
        assert_eq!((most, taken), (4, [1, 3, 4, 4]));
    }
}
