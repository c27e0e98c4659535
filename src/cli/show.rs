//! `fathom show`: a recorded run, in any format, with its targets compared.

use std::process::ExitCode;

use super::compare;
use super::screen::{self, Failure};
use crate::record::store;
use crate::report::{Format, render};

/// Arguments of `fathom show`.
#[derive(Debug, clap::Args)]
pub(super) struct Arguments {
    /// Which run: `last`, an ID from `fathom list` or the beginning of one, or a record's file
    /// (with a `/` or an extension)
    #[arg(default_value = "last", value_name = "last|ID|FILE")]
    record: String,
    /// How to show it: table, wide (reads and writes apart), markdown, csv or json
    #[arg(long, default_value_t)]
    format: Format,
}

pub(super) fn execute(arguments: &Arguments) -> Result<ExitCode, Failure> {
    let (_, reading) = store::open(&arguments.record).map_err(Failure::input)?;
    for note in &reading.notes {
        screen::note(&format!("note: {note}"));
    }
    let mut text = render(&reading.run, arguments.format);
    text.extend(compare::below(&reading.run, arguments.format));
    screen::print(&text)?;
    Ok(ExitCode::SUCCESS)
}
