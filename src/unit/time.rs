//! Instants and durations, in nanoseconds.

use std::fmt;
use std::ops::{Add, Sub};
use std::time::Duration;

use thiserror::Error;

/// Why a duration could not be read.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("`{0}` is not a duration: write it like 30s, 500ms, 5m or 1h")]
pub struct TimeError(String);

/// An instant of a [`crate::clock::Clock`], in nanoseconds from the clock's own start.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Tick(u64);

impl Tick {
    /// The clock's start.
    pub const ZERO: Self = Self(0);
    /// Later than every instant.
    pub const NEVER: Self = Self(u64::MAX);

    /// From nanoseconds since the clock's start.
    pub const fn from_nanos(nanos: u64) -> Self {
        Self(nanos)
    }

    /// Nanoseconds since the clock's start.
    pub const fn nanos(self) -> u64 {
        self.0
    }
}

impl Add<Duration> for Tick {
    type Output = Self;

    fn add(self, duration: Duration) -> Self {
        let nanos = u64::try_from(duration.as_nanos()).unwrap_or(u64::MAX);
        Self(self.0.saturating_add(nanos))
    }
}

impl Sub for Tick {
    type Output = Duration;

    /// The time from `earlier` to `self`; zero where `earlier` is the later one.
    fn sub(self, earlier: Self) -> Duration {
        Duration::from_nanos(self.0.saturating_sub(earlier.0))
    }
}

/// The time that one request took, in nanoseconds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Latency(pub u64);

impl fmt::Display for Latency {
    /// Three significant digits in ns, µs, ms or s: `1.60 µs`, `12.4 ms`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (unit, name) = match self.0 {
            0..1_000 => (1.0, "ns"),
            1_000..1_000_000 => (1e3, "µs"),
            1_000_000..1_000_000_000 => (1e6, "ms"),
            _ => (1e9, "s"),
        };
        let value = self.0 as f64 / unit;
        let text = match value {
            v if self.0 < 1_000 || v >= 99.95 => format!("{v:.0} {name}"),
            v if v >= 9.995 => format!("{v:.1} {name}"),
            v => format!("{v:.2} {name}"),
        };
        f.pad(&text)
    }
}

/// Reads `30s`, `500ms`, `5m`, `1h 30m`; a bare number is seconds.
///
/// # Errors
/// [`TimeError`] where the text is none of these.
pub fn parse_duration(text: &str) -> Result<Duration, TimeError> {
    let trimmed = text.trim();
    let malformed = || TimeError(text.to_owned());
    match trimmed.parse::<f64>() {
        Ok(seconds) => Duration::try_from_secs_f64(seconds).map_err(|_| malformed()),
        Err(_) => humantime::parse_duration(trimmed).map_err(|_| malformed()),
    }
}

/// Writes a duration as [`parse_duration`] reads it, to the millisecond where it has one.
pub fn show_duration(duration: Duration) -> String {
    let fine = duration < Duration::from_millis(1);
    let shown = if fine { duration } else { Duration::from_millis(millis(duration)) };
    humantime::format_duration(shown).to_string()
}

fn millis(duration: Duration) -> u64 {
    u64::try_from(duration.as_millis()).unwrap_or(u64::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn latencies_have_three_digits() {
        for (nanos, text) in [
            (0, "0 ns"),
            (999, "999 ns"),
            (1_600, "1.60 µs"),
            (12_400_000, "12.4 ms"),
            (99_960, "100 µs"),
            (1_500_000_000, "1.50 s"),
        ] {
            assert_eq!(Latency(nanos).to_string(), text);
        }
    }

    #[test]
    fn durations_are_read_and_written() {
        for (text, millis) in [("30s", 30_000), ("500ms", 500), ("5m", 300_000), ("2", 2_000)] {
            let duration = parse_duration(text).unwrap();
            assert_eq!(duration, Duration::from_millis(millis));
            assert_eq!(parse_duration(&show_duration(duration)), Ok(duration));
        }
        for text in ["", "-1s", "soon", "1 fortnight"] {
            assert!(parse_duration(text).is_err(), "{text}");
        }
    }

    #[test]
    fn ticks_never_wrap() {
        assert_eq!(Tick::from_nanos(5) - Tick::from_nanos(9), Duration::ZERO);
        assert_eq!(Tick::NEVER + Duration::from_secs(1), Tick::NEVER);
    }
}
