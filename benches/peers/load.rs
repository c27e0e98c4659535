//! What is asked of every tool alike: a pattern, where it goes and how deep.

use std::fmt;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use fathom::pattern::{self, Access};
use fathom::unit::Bytes;

use crate::fault::Fault;

/// A pattern, in the word that fathom knows it by.
#[derive(Debug, Clone)]
pub(crate) struct Load {
    /// A name or a file, as `fathom run` takes it.
    pub(crate) word: String,
    /// What is asked of the target.
    pub(crate) access: Access,
}

impl Load {
    /// A shipped pattern by its name, or a file's.
    ///
    /// # Errors
    /// [`Fault::Pattern`] where there is none, or the file has faults.
    pub(crate) fn named(word: &str) -> Result<Self, Fault> {
        let failed = |why: String| Fault::Pattern { name: word.to_owned(), why };
        let text = if word.contains(['/', '.']) {
            fs::read_to_string(word).map_err(|reason| failed(reason.to_string()))?
        } else {
            pattern::find(word).map_err(|unknown| failed(unknown.to_string()))?.text.to_owned()
        };
        let (pattern, faults) = pattern::parse(word, &text);
        let said = || faults.iter().map(|fault| fault.message.as_str()).collect::<Vec<_>>();
        let access = pattern.ok_or_else(|| failed(said().join("; ")))?.access;
        Ok(Self { word: word.to_owned(), access })
    }
}

/// Where requests go.
#[derive(Debug, Clone)]
pub(crate) enum Place {
    /// To no device at all.
    Null,
    /// To a file that is in the page cache, through it.
    Cached(Target),
    /// To a file or block device, past the page cache.
    Direct(Target),
}

/// A file or block device.
#[derive(Debug, Clone)]
pub(crate) struct Target {
    /// Where it is.
    pub(crate) path: PathBuf,
    /// The part from its start that is used.
    pub(crate) size: Bytes,
    /// The block device that counts its I/O.
    pub(crate) device: Option<String>,
    /// Signatures that may be destroyed, where it may be overwritten at all.
    pub(crate) destroy: Option<Vec<String>>,
}

impl Place {
    /// The file or device.
    pub(crate) fn target(&self) -> Option<&Target> {
        match self {
            Self::Null => None,
            Self::Cached(target) | Self::Direct(target) => Some(target),
        }
    }
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = |path: &Path| path.file_name().unwrap_or_default().display().to_string();
        match self {
            Self::Null => f.write_str("null"),
            Self::Cached(_) => f.write_str("page cache"),
            Self::Direct(target) => f.write_str(&name(&target.path)),
        }
    }
}

/// The times of one run.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Phases {
    /// Unrecorded start.
    pub(crate) ramp_up: Duration,
    /// Recorded time.
    pub(crate) run_time: Duration,
}

/// One setting, the same for every tool.
#[derive(Debug, Clone)]
pub(crate) struct Trial {
    /// What is asked.
    pub(crate) load: Load,
    /// Of what.
    pub(crate) place: Place,
    /// Requests in flight.
    pub(crate) depth: u16,
    /// For how long.
    pub(crate) phases: Phases,
}
