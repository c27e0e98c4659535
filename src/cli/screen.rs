//! What reaches the person: standard output, standard error, exit codes.
//!
//! The only file that prints. Results go to standard output, all else to standard error. A closed
//! pipe is a normal end: whoever closed it has read enough.

use std::fmt;
use std::io::{self, Write};
use std::process::ExitCode;

/// A command that did not succeed: what to say, and the exit code that says it to a script.
#[derive(Debug)]
pub struct Failure {
    message: String,
    code: u8,
}

impl Failure {
    /// What was asked can't be done as it was asked: exit code 2.
    pub fn input(message: impl fmt::Display) -> Self {
        Self { message: message.to_string(), code: 2 }
    }

    /// What was asked was tried and failed: exit code 1.
    pub fn run(message: impl fmt::Display) -> Self {
        Self { message: message.to_string(), code: 1 }
    }

    /// It was stopped by a signal before there was anything to show: exit code 130.
    pub fn interrupted(message: impl fmt::Display) -> Self {
        Self { message: message.to_string(), code: 130 }
    }

    /// Prints the message to standard error, behind `error:` unless it is drawn already.
    pub(super) fn report(&self) -> ExitCode {
        let drawn = self.message.starts_with("error") || self.message.starts_with('\u{1b}');
        note(&if drawn { self.message.clone() } else { format!("error: {}", self.message) });
        ExitCode::from(self.code)
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

/// Prints a result to standard output, ending the line.
///
/// # Errors
/// A [`Failure`] where standard output can't be written, unless it was closed by its reader.
pub(super) fn print(text: &str) -> Result<(), Failure> {
    let mut out = io::stdout().lock();
    let written = out.write_all(text.trim_end().as_bytes()).and_then(|()| out.write_all(b"\n"));
    match written.and_then(|()| out.flush()) {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => {
            Err(Failure::run(format!("can't write to standard output: {error}")))
        }
        _ => Ok(()),
    }
}

/// Prints a remark to standard error; that it can't be printed is no failure.
pub(super) fn note(text: &str) {
    _ = writeln!(io::stderr().lock(), "{}", text.trim_end());
}

/// Prints clap's own words: help and version to standard output with code 0, faults with 2.
pub(super) fn usage(error: &clap::Error) -> ExitCode {
    _ = error.print();
    ExitCode::from(if error.use_stderr() { 2 } else { 0 })
}
