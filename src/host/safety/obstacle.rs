//! What stands in the way of writing, in words: what it is, where, and the remedy.

use std::fmt;
use std::path::PathBuf;

use super::super::signature::{Finding, Signature, Unread};

/// A reason why writing is refused whatever the user types.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Obstacle {
    /// The device, a part of it or something built on it is mounted.
    Mounted {
        /// The device that is.
        device: String,
        /// Where.
        at: PathBuf,
        /// As what.
        filesystem: String,
    },
    /// The device, a part of it or something built on it is swapped to.
    Swap {
        /// The device that is, or the file.
        device: String,
    },
    /// Another device is built on it.
    Held {
        /// The device that is built upon.
        device: String,
        /// The one that is built on it.
        holder: String,
        /// What that is: `md raid1`, `LVM vg-root`.
        what: String,
    },
    /// A loop device shows it, or a part of it, as a device.
    LoopBacking {
        /// What the loop device shows.
        device: String,
        /// The loop device.
        holder: String,
    },
    /// It bears the label of a ZFS pool and ZFS is loaded: only ZFS knows whether it is in use.
    ZfsLoaded {
        /// The device.
        device: String,
    },
    /// It can't be written.
    ReadOnly {
        /// The device or file.
        device: String,
    },
    /// Its zones must be written in order, which no pattern does.
    Zoned {
        /// The device.
        device: String,
    },
    /// It has no capacity: no file is attached, no medium inserted, no array running.
    Empty {
        /// The device.
        device: String,
    },
    /// Its contents can't be read, so nobody knows what would be destroyed.
    Unreadable {
        /// The device.
        device: String,
        /// Why.
        reason: Unread,
    },
    /// An attribute of the file forbids changes.
    Protected {
        /// The file.
        file: PathBuf,
        /// `immutable` or `append-only`.
        attribute: &'static str,
    },
}

impl Obstacle {
    /// Two or three words for a table: `mounted on /`.
    pub fn short(&self) -> String {
        match self {
            Self::Mounted { at, .. } => format!("mounted on {}", at.display()),
            Self::Swap { .. } => "used as swap".to_owned(),
            Self::Held { holder, .. } => format!("in use by {holder}"),
            Self::LoopBacking { holder, .. } => format!("behind {holder}"),
            Self::ZfsLoaded { .. } => "in a ZFS pool".to_owned(),
            Self::ReadOnly { .. } => "read-only".to_owned(),
            Self::Zoned { .. } => "zoned".to_owned(),
            Self::Empty { .. } => "empty".to_owned(),
            Self::Unreadable { reason, .. } => format!("can't look inside: {reason}"),
            Self::Protected { attribute, .. } => (*attribute).to_owned(),
        }
    }

    /// What the user can do about it.
    pub fn remedy(&self) -> String {
        match self {
            Self::Mounted { at, .. } => format!("unmount it: umount {}", at.display()),
            Self::Swap { device } => format!("stop swapping to it: swapoff {device}"),
            Self::Held { holder, what, .. } => match what.split_once(' ') {
                Some(("md", _)) => format!("stop the array: mdadm --stop /dev/{holder}"),
                Some(("LVM", name)) => {
                    format!("deactivate the volume: lvchange -an /dev/mapper/{name}")
                }
                Some(("LUKS", name)) => format!("close the container: cryptsetup close {name}"),
                Some(("device-mapper" | "multipath", name)) => {
                    format!("remove the mapping: dmsetup remove {name}")
                }
                _ => format!("remove {holder} first"),
            },
            Self::LoopBacking { holder, .. } => format!("detach it: losetup -d /dev/{holder}"),
            Self::ZfsLoaded { .. } => {
                "export the pool and unload ZFS, or clear the label: zpool labelclear".to_owned()
            }
            Self::ReadOnly { .. } => "choose another target, or make it writable".to_owned(),
            Self::Zoned { .. } => {
                "choose a disk without such zones; reading is possible".to_owned()
            }
            Self::Empty { .. } => "attach a file or medium, or start the array".to_owned(),
            Self::Unreadable { reason, .. } => match reason {
                Unread::Denied => "run as a user who may read it, mostly root".to_owned(),
                Unread::Suspended => "resume it: dmsetup resume".to_owned(),
                Unread::Failed(_) => "choose another target: this one fails".to_owned(),
            },
            Self::Protected { attribute, .. } => match *attribute {
                "immutable" => "lift the attribute: chattr -i".to_owned(),
                _ => "lift the attribute: chattr -a".to_owned(),
            },
        }
    }
}

impl fmt::Display for Obstacle {
    /// What stands in the way, and where.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Mounted { device, at, filesystem } => {
                write!(f, "{device} is mounted on {} ({filesystem})", at.display())
            }
            Self::Swap { device } => write!(f, "{device} is used as swap"),
            Self::Held { device, holder, what } => {
                write!(f, "{device} is in use by {holder} ({what})")
            }
            Self::LoopBacking { device, holder } => {
                write!(f, "{device} is shown as a device by {holder}")
            }
            Self::ZfsLoaded { device } => {
                write!(f, "{device} bears the label of a ZFS pool, and ZFS is loaded")
            }
            Self::ReadOnly { device } => write!(f, "{device} is read-only"),
            Self::Zoned { device } => write!(f, "{device} has zones that must be written in order"),
            Self::Empty { device } => write!(f, "{device} has no capacity"),
            Self::Unreadable { device, reason } => write!(f, "{device} can't be read: {reason}"),
            Self::Protected { file, attribute } => write!(f, "{} is {attribute}", file.display()),
        }
    }
}

/// One thing that keeps a permit from being issued.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Fault {
    /// Something that no word overcomes.
    Obstacle(Obstacle),
    /// It was not named after `--overwrite`.
    NotNamed {
        /// The target.
        path: PathBuf,
    },
    /// It carries something that was not typed back after `--destroy`.
    Carries {
        /// The target.
        path: PathBuf,
        /// What it carries.
        finding: Finding,
        /// The partitions that go with a partition table, with what they carry.
        parts: Vec<String>,
    },
    /// A word after `--destroy` that names no content.
    UnknownWord {
        /// The word.
        word: String,
    },
}

impl Fault {
    /// What the user can do about it.
    pub fn remedy(&self) -> String {
        match self {
            Self::Obstacle(obstacle) => obstacle.remedy(),
            Self::NotNamed { path } => {
                format!("if all that it holds may be lost, add --overwrite {}", path.display())
            }
            Self::Carries { finding, .. } => {
                format!("if that may be lost, add --destroy {}", finding.signature)
            }
            Self::UnknownWord { .. } => {
                "write the word that `fathom devices DEVICE` shows, as ext4 or data".to_owned()
            }
        }
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Obstacle(obstacle) => obstacle.fmt(f),
            Self::NotNamed { path } => {
                write!(f, "{} would be overwritten, and was not named for it", path.display())
            }
            Self::Carries {
                path, finding: Finding { signature: Signature::Data, offset }, ..
            } => {
                write!(f, "{} carries data of no known kind, from byte {offset}", path.display())
            }
            Self::Carries { path, finding, parts } => {
                let (about, offset) = (finding.signature.about(), finding.offset);
                write!(f, "{} carries {about}, at byte {offset}", path.display())?;
                match parts.as_slice() {
                    [] => Ok(()),
                    parts => write!(f, ", and in it {}", parts.join(", ")),
                }
            }
            Self::UnknownWord { word } => write!(f, "--destroy {word} names no content"),
        }
    }
}
