//! Why a record can't be kept or found: what, where, and the remedy.

use std::io;
use std::path::PathBuf;

use thiserror::Error;

use crate::record::v1::{Fault, ReadError};

/// Why a record can't be kept or found.
#[derive(Debug, Error)]
pub enum StoreError {
    /// No folder to keep records in.
    #[error("there is no folder for records: neither HOME nor XDG_STATE_HOME names one; {0}")]
    Homeless(&'static str),
    /// The folder of records can't be made or read.
    #[error("the folder of records {} can't be used: {reason}; {help}", path.display())]
    Folder {
        /// The folder.
        path: PathBuf,
        /// Why.
        reason: io::Error,
        /// The remedy.
        help: &'static str,
    },
    /// There is such a file.
    #[error("{} exists, and a record never replaces a file: name another one, or move it", .0.display())]
    Exists(PathBuf),
    /// Another run writes it.
    #[error("the record {} is being written by a run that has not ended: wait for it", .0.display())]
    Busy(PathBuf),
    /// The file can't be made.
    #[error("the record {} can't be made: {reason}; {help}", path.display())]
    Create {
        /// The file.
        path: PathBuf,
        /// Why.
        reason: io::Error,
        /// The remedy.
        help: &'static str,
    },
    /// The file can't be written.
    #[error("the record {} can't be written: {reason}; {help}", path.display())]
    Write {
        /// The file.
        path: PathBuf,
        /// Why.
        reason: io::Error,
        /// The remedy.
        help: &'static str,
    },
    /// A point can't be said in the schema.
    #[error("the record {} can't be written: {fault}", path.display())]
    Unsayable {
        /// The file.
        path: PathBuf,
        /// Why.
        fault: Fault,
    },
    /// No run was recorded yet.
    #[error("there is no record yet: `fathom run` makes one")]
    None,
    /// No record of that name.
    #[error("there is no record `{id}`{hint} (`fathom list` lists them)")]
    NoSuch {
        /// What was asked for.
        id: String,
        /// What may have been meant.
        hint: String,
    },
    /// Several records begin like that.
    #[error("`{prefix}` begins the names of {}: {}", .ids.len(), some(.ids))]
    Ambiguous {
        /// What was asked for.
        prefix: String,
        /// The records, oldest first.
        ids: Vec<String>,
    },
    /// The file is a folder.
    #[error("{} is a folder, not a record", .0.display())]
    Directory(PathBuf),
    /// The file can't be read as a record.
    #[error("{} {reason}", path.display())]
    Read {
        /// The file.
        path: PathBuf,
        /// Why.
        reason: ReadError,
    },
}

/// A list that stays short.
fn some(ids: &[String]) -> String {
    const SHOWN: usize = 5;
    let shown = ids.iter().rev().take(SHOWN).cloned().collect::<Vec<_>>().join(", ");
    if ids.len() > SHOWN { format!("{shown}, …") } else { shown }
}
