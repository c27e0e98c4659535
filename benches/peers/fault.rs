//! Why a comparison can't go on, with the remedy.

use std::io;
use std::path::PathBuf;

use fathom::engine::target::TargetError;
use thiserror::Error;

/// Why a comparison can't go on.
#[derive(Debug, Error)]
pub(crate) enum Fault {
    /// There is no fio.
    #[error("fio can't be started: {0}; install it: apt install fio")]
    NoFio(io::Error),
    /// A tool could not be started.
    #[error("can't start {program}: {reason}")]
    Start {
        /// What was started.
        program: String,
        /// What the system said.
        reason: io::Error,
    },
    /// A tool ran and failed.
    #[error("this failed ({status}):\n  {command}\n{said}")]
    Failed {
        /// The whole command line.
        command: String,
        /// How it ended.
        status: std::process::ExitStatus,
        /// The end of what it said.
        said: String,
    },
    /// A tool's answer lacks a figure.
    #[error("{tool} gave no usable answer: {why}")]
    Answer {
        /// Whose answer.
        tool: &'static str,
        /// What is wrong with it.
        why: String,
    },
    /// The pattern can't be had, or not in another tool's words.
    #[error("pattern {name}: {why}")]
    Pattern {
        /// What was asked for.
        name: String,
        /// What is wrong with it.
        why: String,
    },
    /// A depth, or what else was asked for, can't be.
    #[error("{0}")]
    Asked(String),
    /// The target can't be measured.
    #[error(transparent)]
    Target(#[from] TargetError),
    /// There is no memory to see how large the buffers are.
    #[error(transparent)]
    Buffers(#[from] fathom::payload::PayloadError),
    /// A file of the comparison's own.
    #[error("{}: {reason}", .path.display())]
    File {
        /// Which.
        path: PathBuf,
        /// What the system said.
        reason: io::Error,
    },
}

impl Fault {
    /// What went wrong with a file.
    pub(crate) fn file(path: impl Into<PathBuf>) -> impl FnOnce(io::Error) -> Self {
        let path = path.into();
        move |reason| Self::File { path, reason }
    }
}
