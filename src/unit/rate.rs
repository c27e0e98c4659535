//! Rates: requests and bytes per second.

use std::fmt;

/// Requests completed per second.
#[derive(Debug, Clone, Copy, PartialEq, PartialOrd, Default)]
pub struct Iops(pub f64);

impl fmt::Display for Iops {
    /// Grouped by thousands, with decimals only where they carry meaning: `35,800,000`, `777`,
    /// `12.4`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = if self.0 < 100.0 { format!("{:.1}", self.0) } else { grouped(self.0) };
        f.pad(&text)
    }
}

/// Bytes moved per second.
#[derive(Debug, Clone, Copy, PartialEq, PartialOrd, Default)]
pub struct Throughput(pub f64);

impl Throughput {
    /// Decimal megabytes (10^6 bytes) a second.
    pub fn mb(self) -> f64 {
        self.0 / 1e6
    }

    /// Binary mebibytes (2^20 bytes) a second.
    pub fn mib(self) -> f64 {
        self.0 / f64::from(1 << 20)
    }

    /// A number of MB/s or MiB/s with the digits that it carries, without its unit.
    pub fn digits(number: f64) -> String {
        match number {
            n if n < 10.0 => format!("{n:.2}"),
            n if n < 100.0 => format!("{n:.1}"),
            n => grouped(n),
        }
    }
}

impl fmt::Display for Throughput {
    /// Decimal, with its unit: `12.3 MB/s`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&format!("{} MB/s", Self::digits(self.mb())))
    }
}

/// A number rounded to a whole one, its thousands set apart.
fn grouped(number: f64) -> String {
    let digits = format!("{number:.0}");
    let mut text = String::with_capacity(digits.len() * 4 / 3);
    for (place, digit) in digits.chars().enumerate() {
        if place > 0 && (digits.len() - place).is_multiple_of(3) && !text.ends_with('-') {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rates_are_grouped() {
        for (rate, text) in [
            (0.0, "0.0"),
            (12.44, "12.4"),
            (777.2, "777"),
            (1234.0, "1,234"),
            (3.58e7, "35,800,000"),
        ] {
            assert_eq!(Iops(rate).to_string(), text);
        }
        assert!((Throughput(215.0 * 1_048_576.0).mib() - 215.0).abs() < 1e-9);
        assert_eq!(Throughput(225_443_840.0).to_string(), "225 MB/s");
    }
}
