//! File systems: which one a file lies on, whether direct I/O means anything there, how much is
//! free, and which block device answers for it.
//!
//! It must never take a file system it does not know for a trusted one without saying that it
//! does not know it. Tested by tables and by files in the test's own folder.

use std::fmt;
use std::fs;
use std::io;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

use rustix::fs::{AtFlags, CWD, StatxFlags};

use super::mounts::{Mount, mounts};
use super::node::{DeviceNumber, number_at};
use super::sysfs::Sysfs;
use crate::unit::Bytes;

/// The type of a file system, by the number that it shows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Type {
    /// ext2, ext3 or ext4: all show the same number.
    Ext,
    /// XFS.
    Xfs,
    /// Btrfs.
    Btrfs,
    /// ZFS.
    Zfs,
    /// F2FS.
    F2fs,
    /// bcachefs.
    Bcachefs,
    /// FAT or exFAT.
    Fat,
    /// NTFS, in the kernel.
    Ntfs,
    /// Memory.
    Memory,
    /// A union of other file systems: what containers live on.
    Overlay,
    /// NFS.
    Nfs,
    /// SMB.
    Smb,
    /// 9P or virtiofs: a folder of the host's.
    Host,
    /// A program of the user's.
    Fuse,
    /// Not known here; the number that it shows.
    Other(u64),
}

/// Whether bytes asked for directly can be expected to reach the device.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Direct {
    /// They reach it.
    Trusted,
    /// They may not: the reason.
    Doubtful(&'static str),
    /// They do not: the reason.
    Cached(&'static str),
}

impl Type {
    fn of(magic: u64) -> Self {
        match magic {
            0xef53 => Self::Ext,
            0x5846_5342 => Self::Xfs,
            0x9123_683e => Self::Btrfs,
            0x2fc1_2fc1 => Self::Zfs,
            0xf2f5_2010 => Self::F2fs,
            0xca45_1a4e => Self::Bcachefs,
            0x4d44 | 0x2011_bab0 => Self::Fat,
            0x5346_544e | 0x7366_746e => Self::Ntfs,
            0x0102_1994 | 0x8584_58f6 => Self::Memory,
            0x794c_7630 => Self::Overlay,
            0x6969 => Self::Nfs,
            0xff53_4d42 | 0xfe53_4d42 | 0x517b => Self::Smb,
            0x0102_1997 | 0x6a65_6a63 => Self::Host,
            0x6573_5546 => Self::Fuse,
            other => Self::Other(other),
        }
    }

    /// Whether direct I/O there means what it says.
    pub fn direct(self) -> Direct {
        match self {
            Self::Ext | Self::Xfs | Self::F2fs => Direct::Trusted,
            Self::Memory => Direct::Cached("it is memory: there is no device behind it"),
            Self::Btrfs => Direct::Doubtful(
                "since Linux 6.14 Btrfs buffers direct writes where data have checksums, and it \
                 may compress: turn both off for the file (chattr +C) or compare with the device's \
                 bytes",
            ),
            Self::Zfs => Direct::Doubtful(
                "before OpenZFS 2.3 direct I/O goes through the cache all the same: compare with \
                 the device's bytes",
            ),
            Self::Bcachefs => {
                Direct::Doubtful("bcachefs may compress, and cache on another device")
            }
            Self::Fat | Self::Ntfs => {
                Direct::Doubtful("parts of a file may be buffered by this file system")
            }
            Self::Overlay => Direct::Doubtful("it depends on the file system underneath"),
            Self::Nfs | Self::Smb | Self::Host => {
                Direct::Doubtful("the other side of the connection may answer from its memory")
            }
            Self::Fuse => Direct::Doubtful("a program answers, and may cache"),
            Self::Other(_) => Direct::Doubtful("fathom does not know this file system"),
        }
    }
}

impl fmt::Display for Type {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::Ext => "ext2/3/4",
            Self::Xfs => "XFS",
            Self::Btrfs => "Btrfs",
            Self::Zfs => "ZFS",
            Self::F2fs => "F2FS",
            Self::Bcachefs => "bcachefs",
            Self::Fat => "FAT",
            Self::Ntfs => "NTFS",
            Self::Memory => "tmpfs",
            Self::Overlay => "overlay",
            Self::Nfs => "NFS",
            Self::Smb => "SMB",
            Self::Host => "9P",
            Self::Fuse => "FUSE",
            Self::Other(magic) => return write!(f, "{magic:#x}"),
        })
    }
}

/// The file system that a path lies on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Filesystem {
    /// Its type.
    pub kind: Type,
    /// Its type as the mount table spells it: `ext4`, `fuse.sshfs`.
    pub name: Option<String>,
    /// Where it is mounted.
    pub mounted_at: Option<PathBuf>,
    /// What is mounted there.
    pub source: Option<String>,
    /// How: the options of mount and file system, comma-separated.
    pub options: Option<String>,
    /// What this user may still fill.
    pub free: Bytes,
    /// The whole.
    pub total: Bytes,
    /// The kernel's name of the block device that answers for it; `None` for memory, networks
    /// and file systems of several devices that name none.
    pub device: Option<String>,
}

impl Filesystem {
    /// The file system that a file or folder lies on; of a device's node, that is the one that
    /// holds `/dev`.
    ///
    /// # Errors
    /// Where the path can't be reached.
    pub fn of(path: &Path) -> io::Result<Self> {
        let table = fs::read_to_string("/proc/self/mountinfo").unwrap_or_default();
        let statfs = rustix::fs::statfs(path)?;
        let number = DeviceNumber::from_dev(fs::metadata(path)?.dev());
        let mount = mount_of(path, number, &mounts(&table));
        let bytes = |blocks: u64| Bytes(blocks.saturating_mul(unsigned(statfs.f_frsize)));
        // The kernel's magic numbers have 32 bits; their type is signed on some machines.
        let magic = unsigned(statfs.f_type) & 0xffff_ffff;
        Ok(Self {
            kind: Type::of(magic),
            free: bytes(statfs.f_bavail),
            total: bytes(statfs.f_blocks),
            device: device_of(&Sysfs::default(), number, mount.as_ref()),
            name: mount.as_ref().map(|mount| mount.filesystem.clone()),
            mounted_at: mount.as_ref().map(|mount| mount.at.clone()),
            source: mount.as_ref().map(|mount| mount.source.clone()),
            options: mount.map(|mount| mount.options),
        })
    }

    /// Whether direct I/O there means what it says.
    pub fn direct(&self) -> Direct {
        self.kind.direct()
    }
}

#[expect(clippy::cast_sign_loss, reason = "sizes and magic numbers, signed on some machines only")]
const fn unsigned(value: i64) -> u64 {
    value as u64
}

/// The kernel tells the mount's number since 5.8; before that the last mount of the device, or
/// the longest path that leads to the file, is the best guess.
fn mount_of(path: &Path, number: DeviceNumber, table: &[Mount]) -> Option<Mount> {
    let stat = rustix::fs::statx(CWD, path, AtFlags::empty(), StatxFlags::MNT_ID).ok();
    let known = stat
        .filter(|s| StatxFlags::from_bits_retain(s.stx_mask).contains(StatxFlags::MNT_ID))
        .and_then(|s| table.iter().find(|mount| mount.id == s.stx_mnt_id));
    let real = fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
    let guess = || {
        let above = table.iter().filter(|mount| real.starts_with(&mount.at));
        above.max_by_key(|m| (m.number == number, m.at.as_os_str().len()))
    };
    known.or_else(guess).cloned()
}

/// By the number of the file's device where that is a block device, else by what the mount
/// table says: Btrfs shows numbers of its own but names a device, an overlay names the folder
/// that takes its writes. Of a file system over several devices this is the one that it names.
fn device_of(sysfs: &Sysfs, number: DeviceNumber, mount: Option<&Mount>) -> Option<String> {
    if let Ok(name) = sysfs.name_of(number) {
        return Some(name);
    }
    let mount = mount?;
    let source = Path::new(&mount.source);
    let named = source.is_absolute().then(|| number_at(source).ok()).flatten();
    let upper = mount.options.split(',').find_map(|option| option.strip_prefix("upperdir="));
    let under = || fs::metadata(upper?).ok().map(|meta| DeviceNumber::from_dev(meta.dev()));
    sysfs.name_of(named.or_else(under)?).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn types_and_their_trust() {
        for (magic, name, trusted) in [
            (0xef53, "ext2/3/4", true),
            (0x5846_5342, "XFS", true),
            (0x9123_683e, "Btrfs", false),
            (0x0102_1994, "tmpfs", false),
            (0x794c_7630, "overlay", false),
            (0x6969, "NFS", false),
            (0x1234, "0x1234", false),
        ] {
            let kind = Type::of(magic);
            assert_eq!(kind.to_string(), name);
            assert_eq!(kind.direct() == Direct::Trusted, trusted, "{name}");
        }
        assert!(matches!(Type::Memory.direct(), Direct::Cached(_)));
    }

    #[test]
    fn a_folder_lies_on_a_file_system() {
        let folder = tempfile::TempDir::new().unwrap();
        let found = Filesystem::of(folder.path()).unwrap();
        assert!(found.free <= found.total);
        assert!(found.mounted_at.is_some(), "{found:?}");
        assert!(Filesystem::of(Path::new("/nonexistent")).is_err());
    }

    #[test]
    fn proc_is_no_storage() {
        let found = Filesystem::of(Path::new("/proc/self")).unwrap();
        assert_eq!((found.name.as_deref(), found.device), (Some("proc"), None));
        assert!(matches!(found.kind.direct(), Direct::Doubtful(_)));
    }
}
