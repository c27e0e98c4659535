//! Facts about I/O: direction, order, seed, and the place where it happens.

use std::fmt;
use std::str::FromStr;

use thiserror::Error;

use super::Bytes;

/// The direction of a request.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Op {
    /// From the target into memory.
    Read,
    /// From memory to the target.
    Write,
}

impl Op {
    /// Both directions, in the order in which tables show them.
    pub const BOTH: [Self; 2] = [Self::Read, Self::Write];

    /// 0 for reads and 1 for writes: the place in a pair.
    pub const fn index(self) -> usize {
        self as usize
    }
}

impl fmt::Display for Op {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::Read => "read",
            Self::Write => "write",
        })
    }
}

/// Whether a request goes on where the last one ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Order {
    /// Continues after the worker's previous request.
    Sequential,
    /// Drawn uniformly over the span.
    Random,
}

/// Where a random stream starts. Written as 16 hexadecimal digits, since JSON readers lose the
/// low bits of large numbers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Seed(pub u64);

impl Seed {
    /// A seed for one of many streams, by `SplitMix64`'s finaliser, so that neighbouring indexes
    /// give unlike streams.
    #[must_use]
    pub const fn derive(self, index: u64) -> Self {
        let mut z = self.0.wrapping_add(index.wrapping_add(1).wrapping_mul(0x9e37_79b9_7f4a_7c15));
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        Self(z ^ (z >> 31))
    }
}

/// `random × range / 2^64`: a 64-bit draw made one below `range` without a division. Some values
/// are likelier than others by at most `range / 2^64`, far below anything that a run could show.
#[inline]
pub fn below(random: u64, range: u64) -> u64 {
    ((u128::from(random) * u128::from(range)) >> 64) as u64
}

/// Why a seed could not be read.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("`{0}` is not a seed: write a number, or hexadecimal digits after 0x")]
pub struct SeedError(String);

impl FromStr for Seed {
    type Err = SeedError;

    fn from_str(text: &str) -> Result<Self, SeedError> {
        let trimmed = text.trim();
        let number = match trimmed.strip_prefix("0x") {
            Some(digits) => u64::from_str_radix(digits, 16),
            None => trimmed.parse(),
        };
        number.map(Self).map_err(|_| SeedError(text.to_owned()))
    }
}

impl fmt::Display for Seed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:#018x}", self.0)
    }
}

/// What a target can do: learnt when it is opened, unchanged while it is used.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Geometry {
    /// Addressable bytes.
    pub size: Bytes,
    /// Offsets and sizes must be multiples of this; a power of two.
    pub block: u32,
    /// Buffers must start at multiples of this; a power of two.
    pub memory_alignment: u32,
}

/// The part of a target that is used.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Span {
    /// The first byte.
    pub start: Bytes,
    /// How many bytes from there.
    pub length: Bytes,
}

impl Span {
    /// The first byte beyond it.
    pub const fn end(self) -> Bytes {
        Bytes(self.start.0 + self.length.0)
    }

    /// Whether a request lies wholly inside.
    pub const fn holds(self, offset: u64, size: u32) -> bool {
        self.start.0 <= offset && offset + size as u64 <= self.start.0 + self.length.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn seeds_round_trip_and_spread() {
        for text in ["7", "0x1f", "18446744073709551615"] {
            let seed: Seed = text.parse().unwrap();
            assert_eq!(seed.to_string().parse(), Ok(seed));
        }
        assert_ne!(Seed(1).derive(0), Seed(1).derive(1));
        assert_ne!(Seed(1).derive(0), Seed(2).derive(0));
    }

    #[test]
    fn a_span_holds_what_lies_inside() {
        let span = Span { start: Bytes(4096), length: Bytes(8192) };
        assert!(span.holds(4096, 8192));
        assert!(!span.holds(0, 512));
        assert!(!span.holds(8192, 8192));
    }
}
