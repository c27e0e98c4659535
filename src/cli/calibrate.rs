//! `fathom calibrate`: what the tool itself costs on this machine.

use std::process::ExitCode;

use indicatif::{ProgressBar, ProgressStyle};

use super::screen::{self, Failure};
use crate::dispatch::calibrate::{ROUNDS, calibrate};
use crate::host::{ClockSource, Environment};
use crate::report::calibration;

/// Arguments of `fathom calibrate`.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
It takes about two seconds and touches neither device nor file. Let the machine be as idle as it \
is to be when you measure.

A point of a run whose mean latency is within ten times of these figures is marked `t`.")]
pub(super) struct Arguments {
    /// What to print
    #[arg(short, long, value_enum, default_value_t = Form::Table)]
    format: Form,
}

/// The forms of the figures.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum Form {
    /// for a person
    Table,
    /// one document, for programs
    Json,
}

pub(super) fn execute(arguments: &Arguments) -> Result<ExitCode, Failure> {
    // Hidden where standard error is no terminal.
    let bar = ProgressBar::new(ROUNDS.into());
    let style = ProgressStyle::with_template("calibrating {bar:20} {eta} left");
    bar.set_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()));
    let found = calibrate(|done| bar.set_position(done.into()));
    bar.finish_and_clear();
    let found = found.map_err(Failure::run)?;
    let (machine, clock) = (Environment::now(), ClockSource::now());
    screen::print(&match arguments.format {
        Form::Table => calibration::table(&found, &machine, &clock),
        Form::Json => calibration::json(&found, &machine, &clock),
    })?;
    Ok(ExitCode::SUCCESS)
}
