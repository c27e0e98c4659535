//! `fathom patterns`: list, show and check patterns.

use std::process::ExitCode;

use super::screen::Failure;

/// Arguments of `fathom patterns`.
#[derive(Debug, clap::Args)]
pub(super) struct Arguments {}

pub(super) fn execute(_arguments: &Arguments) -> Result<ExitCode, Failure> {
    Err(Failure::run("not built yet"))
}
