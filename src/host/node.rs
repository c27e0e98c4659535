//! What a path leads to: the number of a block device, or what it is instead.
//!
//! One device has many names; its number is what the rest of the house compares. This file must
//! never open what it looks at. Tested by paths that every machine has; its names in
//! [`super::block`].

use std::fmt;
use std::fs;
use std::io;
use std::os::unix::fs::{FileTypeExt, MetadataExt};
use std::path::Path;

use thiserror::Error;

/// The number by which the kernel knows a device.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct DeviceNumber {
    /// The driver's part.
    pub major: u32,
    /// The device's part.
    pub minor: u32,
}

impl DeviceNumber {
    /// Splits a `dev_t`, as `stat` gives it.
    pub fn from_dev(dev: u64) -> Self {
        Self { major: rustix::fs::major(dev), minor: rustix::fs::minor(dev) }
    }

    /// Reads `8:1`.
    pub(super) fn parse(text: &str) -> Option<Self> {
        let (major, minor) = text.trim().split_once(':')?;
        Some(Self { major: major.parse().ok()?, minor: minor.parse().ok()? })
    }
}

impl fmt::Display for DeviceNumber {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.major, self.minor)
    }
}

/// Why a name or path does not lead to a block device.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum DeviceError {
    /// Nothing of that name.
    #[error("{0} does not exist; `fathom devices` lists what there is")]
    Missing(String),
    /// There, but the user may not even look at its name.
    #[error("{path}: {reason}")]
    Unreachable {
        /// What was asked for.
        path: String,
        /// The system's own words.
        reason: String,
    },
    /// The control node of an NVMe controller, taken for its namespace.
    #[error(
        "{path} is the control node of an NVMe controller, not a disk: name a namespace, as {path}n1"
    )]
    NvmeControl {
        /// What was asked for.
        path: String,
    },
    /// Something else than a block device.
    #[error("{path} is {kind}, not a block device")]
    NotBlock {
        /// What was asked for.
        path: String,
        /// What it is.
        kind: &'static str,
    },
    /// Neither a file nor a block device, where either would do.
    #[error("{path} is {kind}: a target is a file or a block device")]
    NotTarget {
        /// What was asked for.
        path: String,
        /// What it is.
        kind: &'static str,
    },
    /// The kernel knows no such block device.
    #[error("the kernel lists no block device {0}")]
    Unknown(String),
}

/// The number of the block device that a path leads to.
///
/// # Errors
/// [`DeviceError`] says what the path is instead.
pub fn number_at(path: &Path) -> Result<DeviceNumber, DeviceError> {
    let shown = path.display().to_string();
    let meta = fs::metadata(path).map_err(|error| unreachable(&shown, &error))?;
    let kind = meta.file_type();
    if kind.is_block_device() {
        return Ok(DeviceNumber::from_dev(meta.rdev()));
    }
    if kind.is_char_device() && is_nvme_control(path) {
        return Err(DeviceError::NvmeControl { path: shown });
    }
    Err(DeviceError::NotBlock { path: shown, kind: kind_word(kind) })
}

fn unreachable(path: &str, error: &io::Error) -> DeviceError {
    if error.kind() == io::ErrorKind::NotFound {
        return DeviceError::Missing(path.to_owned());
    }
    DeviceError::Unreachable { path: path.to_owned(), reason: plain(error) }
}

/// An I/O error in the system's words, without its number.
pub(super) fn plain(error: &io::Error) -> String {
    let text = error.to_string();
    text.split(" (os error").next().unwrap_or_default().to_owned()
}

/// What a file is, in a word.
pub(super) fn kind_word(kind: fs::FileType) -> &'static str {
    match kind {
        k if k.is_dir() => "a folder",
        k if k.is_file() => "a file",
        k if k.is_char_device() => "a character device",
        k if k.is_fifo() => "a pipe",
        k if k.is_socket() => "a socket",
        _ => "something else",
    }
}

/// `nvme0`, `nvme12`; not `nvme0n1`, which is a disk.
fn is_nvme_control(path: &Path) -> bool {
    let real = fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
    real.file_name()
        .and_then(|name| name.to_str()?.strip_prefix("nvme"))
        .is_some_and(|digits| !digits.is_empty() && digits.bytes().all(|b| b.is_ascii_digit()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_no_block_device_is_named() {
        for (path, fragment) in [
            ("/dev/null", "a character device, not a block device"),
            ("/", "a folder"),
            ("/nonexistent", "does not exist"),
        ] {
            let message = number_at(Path::new(path)).unwrap_err().to_string();
            assert!(message.contains(fragment), "{path}: {message}");
        }
        assert!(is_nvme_control(Path::new("/dev/nvme0")));
        assert!(!is_nvme_control(Path::new("/dev/nvme0n1")));
        assert!(!is_nvme_control(Path::new("/dev/nvme-fabrics")));
    }
}
