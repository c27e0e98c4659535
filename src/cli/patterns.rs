//! `fathom patterns`: list, show and check patterns.

use std::process::ExitCode;

use clap::Subcommand;

use super::load;
use super::screen::{self, Failure};
use crate::pattern;
use crate::report;

/// Arguments of `fathom patterns`.
#[derive(Debug, clap::Args)]
pub(super) struct Arguments {
    #[command(subcommand)]
    action: Option<Action>,
}

#[derive(Debug, Subcommand)]
enum Action {
    /// List the patterns that come with fathom (also without a word)
    List,
    /// Show what a pattern asks for: its lines, its sweep, its rating
    Show {
        /// A name from the list, or a file: with a `/` or an extension
        pattern: String,
        /// Print the text of its file instead: a start for a pattern of your own
        #[arg(long)]
        toml: bool,
    },
    /// Check pattern files: every fault of every file, with its line
    Check {
        /// Files to check
        #[arg(required = true, value_name = "FILE")]
        files: Vec<String>,
    },
}

pub(super) fn execute(arguments: &Arguments) -> Result<ExitCode, Failure> {
    match arguments.action.as_ref().unwrap_or(&Action::List) {
        Action::List => list(),
        Action::Show { pattern, toml: true } => screen::print(&load::read_source(pattern)?.text),
        Action::Show { pattern, toml: false } => show(pattern),
        Action::Check { files } => return check(files),
    }
    .map(|()| ExitCode::SUCCESS)
}

fn list() -> Result<(), Failure> {
    let patterns: Vec<_> = pattern::catalog().iter().map(pattern::Shipped::pattern).collect();
    screen::print(&report::patterns::list(&patterns))
}

fn show(argument: &str) -> Result<(), Failure> {
    screen::print(&report::patterns::show(&load::load_pattern(argument)?))
}

/// Every file is checked, whatever the ones before it held.
fn check(files: &[String]) -> Result<ExitCode, Failure> {
    let mut code = ExitCode::SUCCESS;
    for file in files {
        match load::read_file(file).and_then(|source| source.read_pattern()) {
            Ok(pattern) => {
                let fingerprint = pattern.fingerprint();
                screen::print(&format!("{file}: valid, fingerprint {fingerprint}"))?;
            }
            Err(failure) => code = failure.report(),
        }
    }
    Ok(code)
}
