//! Amounts of bytes, and the size of one request.

use std::fmt;
use std::str::FromStr;

use thiserror::Error;

use super::Stepped;

/// The smallest unit that any block device addresses, in bytes.
pub const SECTOR: u64 = 512;

/// Why a size could not be read.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum SizeError {
    /// Not a number with an optional binary suffix.
    #[error("`{0}` is not a size: write bytes or a number with K, M, G or T (4k means 4096)")]
    Malformed(String),
    /// A request of no bytes.
    #[error("a transfer size of 0 moves nothing: the smallest is 512")]
    Zero,
    /// A request that is no whole number of sectors.
    #[error("{0} bytes is not a multiple of 512, so no disk can do it directly")]
    NotSectors(u64),
    /// Larger than [`TransferSize::MAX`].
    #[error("{} is more than one request may move ({})", Bytes(*.0), Bytes(TransferSize::MAX))]
    TooLarge(u64),
}

/// An amount of bytes: a capacity, an offset, a total.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Bytes(pub u64);

impl Bytes {
    /// The plain number.
    pub const fn get(self) -> u64 {
        self.0
    }
}

impl fmt::Display for Bytes {
    /// Binary units, exact where the amount is a whole number of them (`64 KiB`), else with two
    /// decimals (`1.09 MiB`).
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        const UNITS: [&str; 6] = ["KiB", "MiB", "GiB", "TiB", "PiB", "EiB"];
        if self.0 < 1024 {
            return f.pad(&format!("{} B", self.0));
        }
        let power = (self.0.ilog2() / 10) as usize;
        let unit = 1_u64 << (10 * power);
        let name = UNITS[power - 1];
        let text = if self.0.is_multiple_of(unit) {
            format!("{} {name}", self.0 / unit)
        } else {
            format!("{:.2} {name}", self.0 as f64 / unit as f64)
        };
        f.pad(&text)
    }
}

impl FromStr for Bytes {
    type Err = SizeError;

    /// Suffixes are binary, as in fio and Iometer: `4k`, `4K`, `4KB` and `4 KiB` are 4096.
    fn from_str(text: &str) -> Result<Self, SizeError> {
        let trimmed = text.trim();
        let malformed = || SizeError::Malformed(text.to_owned());
        if !trimmed.starts_with(|c: char| c.is_ascii_digit()) {
            return Err(malformed());
        }
        parse_size::Config::new()
            .with_binary()
            .parse_size(trimmed)
            .map(Bytes)
            .map_err(|_| malformed())
    }
}

/// The bytes of one request: at least a sector, a multiple of 512, at most 64 MiB.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct TransferSize(u32);

impl TransferSize {
    /// The largest request: beyond it no device takes one command, and buffers grow past reason.
    pub const MAX: u64 = 64 << 20;
    /// The smallest request.
    pub const SECTOR: Self = Self(512);

    /// The bytes.
    pub const fn get(self) -> u32 {
        self.0
    }

    /// The bytes as an amount.
    pub const fn bytes(self) -> Bytes {
        Bytes(self.0 as u64)
    }

    /// The largest power of two that divides the size: its natural alignment.
    pub const fn natural_alignment(self) -> u32 {
        1 << self.0.trailing_zeros()
    }
}

impl TryFrom<u64> for TransferSize {
    type Error = SizeError;

    fn try_from(bytes: u64) -> Result<Self, SizeError> {
        match u32::try_from(bytes) {
            _ if bytes == 0 => Err(SizeError::Zero),
            Ok(size) if bytes <= Self::MAX && bytes.is_multiple_of(SECTOR) => Ok(Self(size)),
            Ok(_) if bytes <= Self::MAX => Err(SizeError::NotSectors(bytes)),
            _ => Err(SizeError::TooLarge(bytes)),
        }
    }
}

impl FromStr for TransferSize {
    type Err = SizeError;

    fn from_str(text: &str) -> Result<Self, SizeError> {
        text.parse::<Bytes>()?.0.try_into()
    }
}

impl Stepped for TransferSize {
    /// Bytes.
    fn units(self) -> u64 {
        self.0.into()
    }

    fn from_units(units: u64) -> Result<Self, SizeError> {
        units.try_into()
    }

    fn step(text: &str) -> Option<u64> {
        text.parse().ok().map(Bytes::get)
    }
}

impl fmt::Display for TransferSize {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.bytes().fmt(f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_are_read_in_binary() {
        for (text, bytes) in [
            ("512", 512),
            ("4k", 4096),
            ("4K", 4096),
            ("4KB", 4096),
            ("4 KiB", 4096),
            (" 64 KiB ", 65536),
            ("1m", 1 << 20),
            ("1.5 GiB", 3 << 29),
        ] {
            assert_eq!(text.parse::<Bytes>(), Ok(Bytes(bytes)), "{text}");
        }
        for text in ["", "k", "-4k", "4q", "four"] {
            assert!(text.parse::<Bytes>().is_err(), "{text}");
        }
    }

    #[test]
    fn sizes_are_written_as_they_are_read() {
        for (bytes, text) in [
            (0, "0 B"),
            (512, "512 B"),
            (4096, "4 KiB"),
            (66560, "65 KiB"),
            (1_134_592, "1.08 MiB"),
            (4 << 30, "4 GiB"),
        ] {
            assert_eq!(Bytes(bytes).to_string(), text);
        }
    }

    #[test]
    fn a_request_is_whole_sectors() {
        assert_eq!("0".parse::<TransferSize>(), Err(SizeError::Zero));
        assert_eq!("1000".parse::<TransferSize>(), Err(SizeError::NotSectors(1000)));
        assert_eq!("65M".parse::<TransferSize>(), Err(SizeError::TooLarge(65 << 20)));
        let odd: TransferSize = "65 KiB".parse().unwrap();
        assert_eq!(odd.natural_alignment(), 1024);
        let even: TransferSize = "64 KiB".parse().unwrap();
        assert_eq!(even.natural_alignment(), 65536);
    }
}
