//! The gate before anything is written: what a target is, what stands in the way, and the
//! permit without which no engine gets a writable descriptor.
//!
//! [`examine()`] finds all that speaks against writing at once. [`Examination::permit`] weighs it
//! against what the user typed. A [`Permit`] can't be made in any other way, and names the
//! device or file that it was issued for. This module must never open anything for writing, and
//! never hold anything exclusively: whoever opens the target does so with `O_EXCL`, which is the
//! last check, and then asks [`Permit::check`] whether it opened the right thing. Tested on
//! sysfs trees and scratch files, and by real loop devices, arrays and mounts.

mod examine;
mod obstacle;

use std::fmt::Write as _;
use std::fs::{self, File};
use std::os::fd::AsRawFd;
use std::os::unix::fs::{FileTypeExt, MetadataExt};
use std::path::{Path, PathBuf};

use thiserror::Error;

pub use examine::{Examination, Examiner, PartContents, Subject, examine};
pub use obstacle::{Fault, Obstacle};

use super::node::{DeviceError, DeviceNumber};
use super::signature::{Finding, Signature};
use super::sysfs::Sysfs;

/// What the user typed.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Consent {
    /// The paths after `--overwrite`.
    pub overwrite: Vec<PathBuf>,
    /// The words after `--destroy`.
    pub destroy: Vec<String>,
}

impl Consent {
    /// Whether one of the paths leads to the same device or file: a device has many names.
    fn names(&self, identity: Identity) -> bool {
        let same =
            |path: &PathBuf| fs::metadata(path).is_ok_and(|meta| Identity::of(&meta).is(identity));
        self.overwrite.iter().any(same)
    }
}

/// Leave to write to one device or file, and to no other.
#[derive(Debug, PartialEq, Eq)]
pub struct Permit {
    path: PathBuf,
    identity: Identity,
}

/// What a path led to. A device that was unplugged may leave its number to another: the
/// sequence tells them apart.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Identity {
    Device { number: DeviceNumber, sequence: Option<u64> },
    File { device: u64, inode: u64 },
}

impl Identity {
    fn of(meta: &fs::Metadata) -> Self {
        if meta.file_type().is_block_device() {
            let number = DeviceNumber::from_dev(meta.rdev());
            return Self::Device { number, sequence: None };
        }
        Self::File { device: meta.dev(), inode: meta.ino() }
    }

    /// Whether both are the same device or file, as far as both know.
    fn is(self, other: Self) -> bool {
        match (self, other) {
            (Self::Device { number: a, sequence: x }, Self::Device { number: b, sequence: y }) => {
                a == b && (x == y || x.is_none() || y.is_none())
            }
            (a, b) => a == b,
        }
    }
}

/// A descriptor that is not what the permit was issued for.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum Mismatch {
    /// It leads to something else: a device was exchanged or a file replaced meanwhile.
    #[error("{} is no longer what it was when it was checked: it was exchanged meanwhile; start again", .0.display())]
    Exchanged(PathBuf),
    /// It can't be told what it leads to.
    #[error("{}: {reason}", path.display())]
    Unknown {
        /// The target.
        path: PathBuf,
        /// The system's reason.
        reason: String,
    },
}

/// Why no permit was issued.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum Refusal {
    /// What was named is nothing that can be written to.
    #[error(transparent)]
    Target(#[from] DeviceError),
    /// All that speaks against it, at once.
    #[error("refused to write to {}:{}", path.display(), list(faults))]
    Faults {
        /// The target.
        path: PathBuf,
        /// Never empty.
        faults: Vec<Fault>,
    },
    /// A file that was said to be new already has contents, or is no file.
    #[error("only an empty file of fathom's own making needs no --overwrite")]
    NotNew,
}

impl Refusal {
    /// The single faults; none where the target itself is wrong.
    pub fn faults(&self) -> &[Fault] {
        match self {
            Self::Faults { faults, .. } => faults,
            Self::Target(_) | Self::NotNew => &[],
        }
    }
}

fn list(faults: &[Fault]) -> String {
    let mut text = String::new();
    for fault in faults {
        // Writing to a string can't fail.
        _ = write!(text, "\n  - {fault}\n    remedy: {}", fault.remedy());
    }
    text
}

impl Permit {
    /// Leave to write to a file that fathom has just made: a regular file, still empty.
    ///
    /// # Errors
    /// [`Refusal::NotNew`] where it is not.
    pub fn for_new_file(file: &File) -> Result<Self, Refusal> {
        let meta = file.metadata().map_err(|_| Refusal::NotNew)?;
        if !meta.is_file() || meta.len() != 0 || meta.nlink() > 1 {
            return Err(Refusal::NotNew);
        }
        let link = format!("/proc/self/fd/{}", file.as_raw_fd());
        let path = fs::read_link(link).unwrap_or_else(|_| PathBuf::from("the new file"));
        Ok(Self { path, identity: Identity::of(&meta) })
    }

    /// Examines a target and issues a permit for it where nothing speaks against it.
    ///
    /// # Errors
    /// [`Refusal`] lists all that does.
    pub fn issue(path: &Path, consent: &Consent) -> Result<Self, Refusal> {
        examine(path)?.permit(consent)
    }

    /// The path that was examined.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Whether a descriptor leads to what the permit was issued for: to be asked of the very
    /// descriptor that will be written through, before the first write.
    ///
    /// # Errors
    /// [`Mismatch`] where it does not.
    pub fn check(&self, file: &File) -> Result<(), Mismatch> {
        self.check_with(&Sysfs::default(), file)
    }

    fn check_with(&self, sysfs: &Sysfs, file: &File) -> Result<(), Mismatch> {
        let unknown = |error: std::io::Error| Mismatch::Unknown {
            path: self.path.clone(),
            reason: super::node::plain(&error),
        };
        let opened = match Identity::of(&file.metadata().map_err(unknown)?) {
            Identity::Device { number, .. } => {
                let sequence = sysfs.device_numbered(number).ok().and_then(|d| d.sequence);
                Identity::Device { number, sequence }
            }
            file @ Identity::File { .. } => file,
        };
        let right = opened.is(self.identity);
        right.then_some(()).ok_or_else(|| Mismatch::Exchanged(self.path.clone()))
    }
}

impl Examination {
    /// Weighs what was found against what the user typed.
    ///
    /// # Errors
    /// [`Refusal::Faults`] lists all that speaks against writing.
    pub fn permit(&self, consent: &Consent) -> Result<Permit, Refusal> {
        let faults = self.faults(consent);
        if faults.is_empty() {
            return Ok(Permit { path: self.path.clone(), identity: self.identity });
        }
        Err(Refusal::Faults { path: self.path.clone(), faults })
    }

    /// All that speaks against writing, given what the user typed.
    pub fn faults(&self, consent: &Consent) -> Vec<Fault> {
        let mut faults: Vec<Fault> = self.obstacles.iter().cloned().map(Fault::Obstacle).collect();
        if !consent.names(self.identity) {
            faults.push(Fault::NotNamed { path: self.path.clone() });
        }
        let mut typed: Vec<Signature> = Vec::new();
        for word in &consent.destroy {
            match word.parse() {
                Ok(signature) => typed.push(signature),
                Err(_) => faults.push(Fault::UnknownWord { word: word.clone() }),
            }
        }
        // Of a file, naming it is enough: a file is what it carries.
        let whole = match self.subject {
            Subject::Device(_) => self.contents.findings(),
            Subject::File { .. } => &[],
        };
        let kept = whole.iter().filter(|finding| !typed.contains(&finding.signature));
        faults.extend(kept.map(|finding| self.carries(*finding)));
        faults
    }

    fn carries(&self, finding: Finding) -> Fault {
        let words = |part: &PartContents| {
            let found = part.contents.findings().iter();
            let words: Vec<&str> = found.map(|finding| finding.signature.word()).collect();
            (!words.is_empty()).then(|| format!("{} ({})", part.name, words.join(", ")))
        };
        let table = matches!(finding.signature, Signature::Gpt | Signature::Mbr);
        let parts = self.parts.iter().filter(|_| table).filter_map(words).collect();
        Fault::Carries { path: self.path.clone(), finding, parts }
    }
}

#[cfg(test)]
mod tests;
