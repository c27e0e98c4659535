//! The tools: what each is told, and what it answers.

pub(crate) mod fathom;
pub(crate) mod fio;
pub(crate) mod t_io_uring;

use std::fmt;

use fio::Setting;

/// What is compared.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Tool {
    /// fathom, as this package builds it.
    Fathom,
    /// The fio that is installed.
    Fio(Setting),
    /// The program of that name in fio's sources.
    TIoUring,
}

impl fmt::Display for Tool {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Fathom => "fathom",
            Self::Fio(Setting::Best) => "fio, best",
            Self::Fio(Setting::Plain) => "fio, plain",
            Self::TIoUring => "t/io_uring",
        })
    }
}
