//! Why a target can't be used: each reason with what, where and the remedy. Tested where it is
//! raised.

use std::io;
use std::path::{Path, PathBuf};

use thiserror::Error;

use super::LayoutError;
use crate::host::safety::Mismatch;
use crate::host::{DeviceError, Refusal};
use crate::payload::PayloadError;
use crate::unit::Bytes;

/// Why a target can't be used.
#[derive(Debug, Error)]
pub enum TargetError {
    /// There is nothing at this path.
    #[error("{}: there is no such file or device; `fathom devices` lists devices, --size makes a file", .0.display())]
    Missing(PathBuf),
    /// It is something that can't be measured.
    #[error("{}: is a {kind}, not a file or block device", path.display())]
    Kind {
        /// Where.
        path: PathBuf,
        /// What it is.
        kind: &'static str,
    },
    /// The system does not let us.
    #[error("{}: no permission to {what}; run as a user who may, or as root", path.display())]
    Permission {
        /// Where.
        path: PathBuf,
        /// To do what.
        what: &'static str,
    },
    /// The target, or what it lies on, can't be written.
    #[error("{}: is read-only, and this pattern writes", .0.display())]
    ReadOnly(PathBuf),
    /// Somebody else holds the device.
    #[error("{}: is in use by something that holds it exclusively; `fathom devices {}` says by what", .0.display(), .0.display())]
    Busy(PathBuf),
    /// Another run uses it.
    #[error("{}: is locked by another program, most likely another run of fathom; wait for it, or name another file", .0.display())]
    Locked(PathBuf),
    /// There is no direct I/O.
    #[error("{}: direct I/O is refused here ({reason}); --buffered measures through the page cache", path.display())]
    NoDirect {
        /// Where.
        path: PathBuf,
        /// What was said.
        reason: String,
    },
    /// The file has bytes that no device holds.
    #[error(
        "{}: {} of its {} are holes or were never written, and the file system would answer for them from nothing; --overwrite {} fills it first", path.display(), .missing, .size, path.display()
    )]
    Unwritten {
        /// Where.
        path: PathBuf,
        /// How much.
        missing: Bytes,
        /// Of how much.
        size: Bytes,
    },
    /// More was asked for than there is.
    #[error("{}: has {}, and --size asks for {}", path.display(), .has, .asked)]
    TooSmall {
        /// Where.
        path: PathBuf,
        /// What there is.
        has: Bytes,
        /// What was asked for.
        asked: Bytes,
    },
    /// There is nothing in it.
    #[error("{}: is empty; --size says how large it shall be", .0.display())]
    Empty(PathBuf),
    /// The disk has no room for the file.
    #[error("{}: {} is free, too little for a file of {}; name a smaller one with --size, or another folder", path.display(), .free, .asked)]
    NoSpace {
        /// The folder.
        path: PathBuf,
        /// What this user may still fill.
        free: Bytes,
        /// What the file needs.
        asked: Bytes,
    },
    /// It is not what was examined.
    #[error(transparent)]
    Mismatch(#[from] Mismatch),
    /// It must not be written.
    #[error(transparent)]
    Refused(#[from] Refusal),
    /// It is no device that can be read.
    #[error(transparent)]
    Device(#[from] DeviceError),
    /// Filling it failed.
    #[error(transparent)]
    Layout(#[from] LayoutError),
    /// There is no memory to fill it from.
    #[error(transparent)]
    Payload(#[from] PayloadError),
    /// Something else.
    #[error("{}: {reason}", path.display())]
    Other {
        /// Where.
        path: PathBuf,
        /// What the system said.
        reason: io::Error,
    },
}

/// What a failed system call on a path means.
pub(super) fn unreachable(path: &Path, error: io::Error, what: &'static str) -> TargetError {
    let path = path.to_owned();
    match error.raw_os_error() {
        Some(libc::ENOENT | libc::ENOTDIR) => TargetError::Missing(path),
        Some(libc::EACCES | libc::EPERM) => TargetError::Permission { path, what },
        Some(libc::EROFS) => TargetError::ReadOnly(path),
        _ => TargetError::Other { path, reason: error },
    }
}

/// A failure without a remedy of its own.
pub(super) fn other(path: &Path, reason: io::Error) -> TargetError {
    TargetError::Other { path: path.to_owned(), reason }
}
