//! Times of day as text: RFC 3339, UTC, to the millisecond.

use std::time::{Duration, SystemTime};

use thiserror::Error;

/// Why a time of day could not be read.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("`{0}` is not a time: write it like 2026-11-30T20:31:07.250Z")]
pub struct MomentError(String);

/// The last second that four digits of a year can say.
const LAST: u64 = 253_402_300_799;

/// Writes a time as RFC 3339 in UTC with milliseconds. A clock set before 1970 or after 9999 is
/// shown as the nearest time that can be said.
pub fn show_moment(at: SystemTime) -> String {
    let since = at.duration_since(SystemTime::UNIX_EPOCH).unwrap_or(Duration::ZERO);
    let since = since.min(Duration::from_secs(LAST));
    humantime::format_rfc3339_millis(SystemTime::UNIX_EPOCH + since).to_string()
}

/// Reads a time as [`show_moment`] writes it.
///
/// # Errors
/// [`MomentError`] where the text is none.
pub fn parse_moment(text: &str) -> Result<SystemTime, MomentError> {
    humantime::parse_rfc3339(text).map_err(|_| MomentError(text.to_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_read_as_they_are_written() {
        let at = SystemTime::UNIX_EPOCH + Duration::from_millis(1_796_070_667_250);
        assert_eq!(show_moment(at), "2026-11-30T20:31:07.250Z");
        assert_eq!(parse_moment("2026-11-30T20:31:07.250Z"), Ok(at));
        let early = SystemTime::UNIX_EPOCH - Duration::from_secs(5);
        assert_eq!(show_moment(early), "1970-01-01T00:00:00.000Z");
        let late = SystemTime::UNIX_EPOCH + Duration::from_secs(LAST + 5);
        assert_eq!(show_moment(late), "9999-12-31T23:59:59.000Z");
        for text in ["", "today", "2026-13-01T00:00:00Z", "2026-11-30"] {
            assert!(parse_moment(text).is_err(), "{text}");
        }
    }
}
