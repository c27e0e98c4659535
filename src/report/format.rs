//! The forms that a run can be shown in.

use std::fmt;
use std::str::FromStr;

use thiserror::Error;

use super::figures::sweeps;
use super::{csv, json, markdown, table};
use crate::record::Run;

/// A form that a run can be shown in.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Format {
    /// For the terminal.
    #[default]
    Table,
    /// For the terminal, reads and writes apart, with every percentile.
    Wide,
    /// For a wiki or a pull request.
    Markdown,
    /// One row a point.
    Csv,
    /// One document.
    Json,
}

/// A name that is none of a form.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("`{0}` is no format: use table, wide, markdown, csv or json")]
pub struct FormatError(String);

impl Format {
    /// All of them, in the order in which help texts name them.
    pub const ALL: [Self; 5] = [Self::Table, Self::Wide, Self::Markdown, Self::Csv, Self::Json];

    /// What the command line calls it.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Table => "table",
            Self::Wide => "wide",
            Self::Markdown => "markdown",
            Self::Csv => "csv",
            Self::Json => "json",
        }
    }
}

impl FromStr for Format {
    type Err = FormatError;

    fn from_str(text: &str) -> Result<Self, FormatError> {
        let found = Self::ALL.into_iter().find(|format| format.name() == text);
        found.ok_or_else(|| FormatError(text.to_owned()))
    }
}

impl fmt::Display for Format {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// A run as text.
pub fn render(run: &Run, format: Format) -> String {
    let sweeps = sweeps(run);
    let text = match format {
        Format::Table => table::show(run, &sweeps),
        Format::Wide => table::show_wide(run, &sweeps),
        Format::Json => json::show(run, &sweeps),
        Format::Markdown => markdown::show(run, &sweeps),
        Format::Csv => csv::show(run, &sweeps),
    };
    harmless(&text)
}

/// The text without control characters: a record may be a stranger's, and what it says must not
/// steer the terminal.
pub(super) fn harmless(text: &str) -> String {
    let plain = |c: char| if c.is_control() && c != '\n' { '\u{fffd}' } else { c };
    text.chars().map(plain).collect()
}
