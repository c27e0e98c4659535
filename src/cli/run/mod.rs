//! `fathom run`: sweeps patterns over queue depths on targets, and rates them.
//!
//! Arguments become a plan, the plan's targets are opened and filled, the record is made, and then
//! the points are measured one after another. Everything that can be wrong is found before the
//! first of these steps that costs time or touches a disk. Tested by the command lines in
//! tests/cli.

mod arguments;
mod arrays;
mod axes;
mod dry;
mod facts;
mod fill;
mod prepare;
mod resume;
mod review;
mod session;
mod stop;
mod targets;
mod workers;

use std::process::ExitCode;

use super::screen::{self, Failure};

pub(super) use arguments::Arguments;

/// Runs the command.
pub(super) fn execute(arguments: &Arguments) -> Result<ExitCode, Failure> {
    let arguments = &review::completed(arguments)?;
    let plan = arguments.plan()?;
    for note in axes::unrated(&plan) {
        screen::note(&note);
    }
    if arguments.dry_run {
        return dry::show(arguments, &plan);
    }
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .map_err(|error| Failure::run(format!("can't start the dispatcher: {error}")))?;
    let outcome = runtime.block_on(session::run(arguments, plan));
    // A thread that a device holds must not hold the end.
    runtime.shutdown_background();
    outcome
}
