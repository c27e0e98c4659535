//! What a device carries: the marks that partition tables, file systems, arrays and volume
//! managers leave at its ends.
//!
//! Pure over a function that reads bytes at an offset. It looks at the first and the last MiB,
//! where every mark it knows has at least one copy; a non-zero byte there, known or not, means
//! data. It must never answer "blank" where something could not be read. Tested by crafted
//! images, one for each mark, and by images that the real mkfs tools make where they exist.

use std::fmt;
use std::io;
use std::str::FromStr;

use thiserror::Error;

use super::marks;

/// How much is looked at, at either end.
pub const EDGE: u64 = 1 << 20;

/// A kind of content, named by the word that the user types back to have it destroyed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Signature {
    /// A GUID partition table, or its backup.
    Gpt,
    /// An MBR partition table.
    Mbr,
    /// A disk of a Linux software RAID.
    Md,
    /// An LVM2 physical volume.
    Lvm2,
    /// A LUKS container.
    Luks,
    /// A disk of a ZFS pool.
    Zfs,
    /// A bcache device.
    Bcache,
    /// A bcachefs device.
    Bcachefs,
    /// Swap space, or an image to resume from.
    Swap,
    /// A disk of a RAID by the DDF standard.
    Ddf,
    /// A disk of an Intel firmware RAID.
    Imsm,
    /// An ext2 file system.
    Ext2,
    /// An ext3 file system.
    Ext3,
    /// An ext4 file system.
    Ext4,
    /// The external journal of an ext file system.
    Jbd,
    /// An XFS file system.
    Xfs,
    /// A Btrfs device.
    Btrfs,
    /// An F2FS file system.
    F2fs,
    /// An NTFS file system.
    Ntfs,
    /// A `ReFS` file system.
    Refs,
    /// A FAT file system.
    Fat,
    /// An exFAT file system.
    Exfat,
    /// A CD image.
    Iso9660,
    /// Bytes other than zero that no mark explains.
    Data,
}

impl Signature {
    /// All of them, with the word that is typed and what it stands for.
    const WORDS: [(Self, &'static str, &'static str); 24] = [
        (Self::Gpt, "gpt", "a GUID partition table"),
        (Self::Mbr, "mbr", "an MBR partition table"),
        (Self::Md, "md", "a Linux software RAID member"),
        (Self::Lvm2, "lvm2", "an LVM physical volume"),
        (Self::Luks, "luks", "a LUKS encrypted container"),
        (Self::Zfs, "zfs", "a ZFS pool member"),
        (Self::Bcache, "bcache", "a bcache device"),
        (Self::Bcachefs, "bcachefs", "a bcachefs device"),
        (Self::Swap, "swap", "swap space"),
        (Self::Ddf, "ddf", "a DDF RAID member"),
        (Self::Imsm, "imsm", "an Intel firmware RAID member"),
        (Self::Ext2, "ext2", "an ext2 file system"),
        (Self::Ext3, "ext3", "an ext3 file system"),
        (Self::Ext4, "ext4", "an ext4 file system"),
        (Self::Jbd, "jbd", "an external ext journal"),
        (Self::Xfs, "xfs", "an XFS file system"),
        (Self::Btrfs, "btrfs", "a Btrfs device"),
        (Self::F2fs, "f2fs", "an F2FS file system"),
        (Self::Ntfs, "ntfs", "an NTFS file system"),
        (Self::Refs, "refs", "a ReFS file system"),
        (Self::Fat, "fat", "a FAT file system"),
        (Self::Exfat, "exfat", "an exFAT file system"),
        (Self::Iso9660, "iso9660", "a CD image"),
        (Self::Data, "data", "data of no known kind"),
    ];

    /// The word that is typed: `--destroy ext4`.
    pub fn word(self) -> &'static str {
        self.entry().1
    }

    /// What it stands for, with its article.
    pub fn about(self) -> &'static str {
        self.entry().2
    }

    fn entry(self) -> (Self, &'static str, &'static str) {
        Self::WORDS[self as usize]
    }
}

impl fmt::Display for Signature {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.word())
    }
}

/// A word after `--destroy` that names nothing.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error(
    "`{0}` names no content: write the word that `fathom devices DEVICE` shows, as ext4 or data"
)]
pub struct SignatureError(pub String);

impl FromStr for Signature {
    type Err = SignatureError;

    /// Takes the words of blkid as well: they are what other tools show.
    fn from_str(text: &str) -> Result<Self, SignatureError> {
        let word = text.trim().to_ascii_lowercase();
        let word = match word.as_str() {
            "crypto_luks" => "luks",
            "lvm2_member" | "lvm" => "lvm2",
            "linux_raid_member" => "md",
            "zfs_member" => "zfs",
            "vfat" | "msdos" => "fat",
            "dos" => "mbr",
            "ddf_raid_member" => "ddf",
            "isw_raid_member" => "imsm",
            other => other,
        };
        let found = Self::WORDS.iter().find(|entry| entry.1 == word);
        found.map(|entry| entry.0).ok_or_else(|| SignatureError(text.to_owned()))
    }
}

/// A mark that was found.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Finding {
    /// What it means.
    pub signature: Signature,
    /// Where it is.
    pub offset: u64,
}

/// What the ends of a device hold.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Contents {
    /// Nothing but zeros.
    Blank,
    /// Something: each kind once, or [`Signature::Data`] where no mark is known. Never empty.
    Carries(Vec<Finding>),
    /// It could not be read.
    Unread(Unread),
}

/// Why a device could not be looked into.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Unread {
    /// This user may not, or nobody here may.
    Denied,
    /// It is suspended, and a read would wait until it is not.
    Suspended,
    /// It failed; the text is the system's reason.
    Failed(String),
}

impl Unread {
    /// From what opening or reading said.
    pub(super) fn from_error(error: &io::Error) -> Self {
        if error.kind() == io::ErrorKind::PermissionDenied {
            return Self::Denied;
        }
        Self::Failed(super::node::plain(error))
    }
}

impl fmt::Display for Unread {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Denied => f.pad("permission"),
            Self::Suspended => f.pad("suspended"),
            Self::Failed(reason) => f.pad(reason),
        }
    }
}

impl Contents {
    /// What was found: empty for a blank device and for one that could not be read.
    pub fn findings(&self) -> &[Finding] {
        match self {
            Self::Carries(findings) => findings,
            Self::Blank | Self::Unread(_) => &[],
        }
    }
}

/// The ends of a device in memory; offsets are the device's.
pub(super) struct Edges {
    pub(super) size: u64,
    head: Vec<u8>,
    tail_start: u64,
    tail: Vec<u8>,
}

impl Edges {
    /// Bytes at an offset, where they lie wholly in one of the ends.
    pub(super) fn at(&self, offset: u64, length: usize) -> Option<&[u8]> {
        let slice = |bytes: &'_ [u8], start: u64| -> Option<std::ops::Range<usize>> {
            let from = usize::try_from(offset.checked_sub(start)?).ok()?;
            let to = from.checked_add(length)?;
            (to <= bytes.len()).then_some(from..to)
        };
        if let Some(range) = slice(&self.head, 0) {
            return self.head.get(range);
        }
        self.tail.get(slice(&self.tail, self.tail_start)?)
    }
}

/// Looks at both ends of something of `size` bytes through a function that fills a buffer from
/// an offset.
pub fn scan(size: u64, mut read: impl FnMut(u64, &mut [u8]) -> io::Result<()>) -> Contents {
    let tail_start = size.saturating_sub(EDGE);
    let mut part = |offset: u64, length: u64| -> io::Result<Vec<u8>> {
        let mut buffer = vec![0; usize::try_from(length).unwrap_or_default()];
        read(offset, &mut buffer)?;
        Ok(buffer)
    };
    let head = part(0, size.min(EDGE));
    let tail = part(tail_start, size - tail_start);
    match (head, tail) {
        (Ok(head), Ok(tail)) => judge(&Edges { size, head, tail_start, tail }),
        (Err(error), _) | (_, Err(error)) => Contents::Unread(Unread::from_error(&error)),
    }
}

fn judge(edges: &Edges) -> Contents {
    let mut findings: Vec<Finding> = Vec::new();
    for finding in marks::find(edges) {
        if !findings.iter().any(|known| known.signature == finding.signature) {
            findings.push(finding);
        }
    }
    let zeros = |bytes: &[u8]| bytes.iter().all(|&byte| byte == 0);
    match (findings.is_empty(), zeros(&edges.head) && zeros(&edges.tail)) {
        (false, _) => Contents::Carries(findings),
        (true, true) => Contents::Blank,
        (true, false) => {
            Contents::Carries(vec![Finding { signature: Signature::Data, offset: first(edges) }])
        }
    }
}

/// Where the first byte other than zero is.
fn first(edges: &Edges) -> u64 {
    let within = |bytes: &[u8]| bytes.iter().position(|&byte| byte != 0).map(|at| at as u64);
    within(&edges.head)
        .or_else(|| within(&edges.tail).map(|at| edges.tail_start + at))
        .unwrap_or_default()
}

#[cfg(test)]
mod tests;
