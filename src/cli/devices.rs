//! `fathom devices`: block devices, and whether writing to them is safe.

use std::process::ExitCode;

use super::screen::Failure;

/// Arguments of `fathom devices`.
#[derive(Debug, clap::Args)]
pub(super) struct Arguments {}

pub(super) fn execute(_arguments: &Arguments) -> Result<ExitCode, Failure> {
    Err(Failure::run("not built yet"))
}
