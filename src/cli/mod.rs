//! The shell: one file a command.
//!
//! Commands read their arguments, call the layers below and show what comes back. Nothing below
//! this module prints, asks or decides an exit code. Tested by the command lines in tests/cli.

mod calibrate;
mod compare;
mod devices;
pub mod draw;
mod list;
mod load;
mod log;
mod patterns;
mod progress;
mod run;
mod screen;
mod show;

use std::process::ExitCode;

use clap::{Parser, Subcommand};

pub use screen::Failure;

/// Sounds the queue depth of storage: workload patterns, swept and rated.
#[derive(Debug, Parser)]
#[command(name = "fathom", version, max_term_width = 100)]
struct Arguments {
    #[command(subcommand)]
    command: Command,
    /// Show what happens inside (-vv for more); `FATHOM_LOG` takes a filter instead
    // Behind a command's own options, however many commands there are.
    #[arg(short, long, global = true, display_order = 100, action = clap::ArgAction::Count)]
    verbose: u8,
}

#[derive(Debug, Subcommand)]
enum Command {
    // It has by far the most words.
    Run(Box<run::Arguments>),
    /// List, show and check patterns
    Patterns(patterns::Arguments),
    /// List block devices, and whether writing to them is safe
    Devices(devices::Arguments),
    /// Measure what the tool itself costs on this machine: the bound of what it can tell
    Calibrate(calibrate::Arguments),
    /// List recorded runs, newest last
    List,
    /// Show a recorded run: its tables, curves and ratings
    Show(show::Arguments),
    // Many words too.
    Compare(Box<compare::Arguments>),
}

/// Runs the command that the process was started with.
pub fn main() -> ExitCode {
    let arguments = match Arguments::try_parse() {
        Ok(arguments) => arguments,
        Err(error) => return screen::usage(&error),
    };
    log::start(arguments.verbose);
    let outcome = match &arguments.command {
        Command::Run(arguments) => run::execute(arguments),
        Command::Patterns(arguments) => patterns::execute(arguments),
        Command::Devices(arguments) => devices::execute(arguments),
        Command::Calibrate(arguments) => calibrate::execute(arguments),
        Command::List => list::execute(),
        Command::Show(arguments) => show::execute(arguments),
        Command::Compare(arguments) => compare::execute(arguments),
    };
    match outcome {
        Ok(code) => code,
        Err(failure) => failure.report(),
    }
}
