//! Opens what is to be measured: a named file or block device, or a scratch file.
//!
//! A descriptor is read-only unless a [`Permit`] was issued for the very thing it leads to. Block
//! devices are opened exclusively, once a run, and shared by the workers. Direct I/O is never
//! given up in silence: where it is refused, the error names the remedy. This module must never
//! choose a target by itself, and never leave a file behind that the user did not name. Tested on
//! scratch files by tests/targets.rs.

mod error;
mod layout;
mod scratch;

use std::fs::{self, File};
use std::io;
use std::os::unix::fs::{FileTypeExt, MetadataExt};
use std::path::{Path, PathBuf};
use std::sync::Arc;

pub use error::TargetError;
use error::{other, unreachable};
pub use layout::{LayoutError, lay_out};
use rustix::fs::{FlockOperation, Mode, OFlags};
use rustix::io::Errno;
pub use scratch::scratch;

use super::Opened;
use crate::host::filesystem::{Direct, Filesystem};
use crate::host::{
    Examination, Extents, Fullness, Nowait, Permit, Signature, Sysfs, dio_alignment, examine,
    probe_nowait,
};
use crate::unit::{Bytes, Geometry, Span};

/// The attribute that tells a file laid out by fathom from one that somebody needs.
const MADE: &str = "user.fathom.made";

/// Whether the page cache is passed by.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Cache {
    /// `O_DIRECT`.
    Bypass,
    /// Through the page cache.
    Through,
}

/// What is to be opened, and what for.
#[derive(Debug)]
pub struct Request<'a> {
    /// The file or device.
    pub path: &'a Path,
    /// Leave to write; without it the target is opened for reading only.
    pub permit: Option<&'a Permit>,
    /// Whether the page cache is passed by.
    pub cache: Cache,
    /// How much of it is used; a file is as long as that.
    pub size: Option<Bytes>,
}

/// A target that is open and whose facts are known.
#[derive(Debug)]
pub struct Target {
    /// The descriptor and the span, as engines want them.
    pub opened: Opened,
    /// What it can do.
    pub geometry: Geometry,
    /// What it is.
    pub kind: TargetKind,
    /// Where it is, links resolved; `None` for a scratch file.
    pub path: Option<PathBuf>,
    /// The block device that counts its I/O.
    pub device: Option<String>,
    /// The file system that a file lies on.
    pub filesystem: Option<Filesystem>,
    /// Whether the page cache is passed by.
    pub cache: Cache,
    /// Whether requests can fail rather than wait.
    pub nowait: Option<Nowait>,
    /// Whether every byte lies on the device already.
    pub fullness: Fullness,
    /// What has to be said beside its numbers.
    pub notes: Vec<String>,
}

/// What a target is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TargetKind {
    /// A block device.
    Device,
    /// A file that the user named.
    File,
    /// A file of fathom's own, already without a name.
    Scratch,
}

/// Opens a file or block device that exists.
///
/// # Errors
/// [`TargetError`] says what it is instead, or what forbids it, and the remedy.
pub fn open(request: &Request<'_>) -> Result<Target, TargetError> {
    let path = request.path;
    let meta = fs::metadata(path).map_err(|error| unreachable(path, error, "look at it"))?;
    let kind = meta.file_type();
    let mut notes = Vec::new();
    let target = if kind.is_block_device() {
        let file = open_device(request, &mut notes)?;
        let device = Sysfs::default().device_at(path)?.name;
        finish(request, file, TargetKind::Device, Some(device), None)?
    } else if kind.is_file() {
        let filesystem = Filesystem::of(path).map_err(|reason| other(path, reason))?;
        trust(path, &filesystem, request.cache, &mut notes)?;
        let file = open_with(request, OFlags::empty())?;
        let device = filesystem.device.clone();
        finish(request, file, TargetKind::File, device, Some(filesystem))?
    } else {
        return Err(TargetError::Kind { path: path.to_owned(), kind: kind_word(kind) });
    };
    notes.extend(target.notes);
    Ok(Target { notes, ..target })
}

/// Makes a file that the user named and that does not exist yet; it is still empty.
///
/// # Errors
/// [`TargetError`] where its folder does not take it or has no room for `size`.
pub fn create(path: &Path, size: Bytes) -> Result<Permit, TargetError> {
    let folder = match path.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    };
    let filesystem = room(folder, size)?;
    if filesystem.name.as_deref() == Some("devtmpfs") {
        // A mistyped device must not become a file in memory.
        return Err(TargetError::Missing(path.to_owned()));
    }
    let flags = OFlags::CREATE | OFlags::EXCL | OFlags::RDWR | OFlags::CLOEXEC;
    let file = rustix::fs::open(path, flags, Mode::from_raw_mode(0o600))
        .map_err(|errno| unreachable(path, errno.into(), "make a file here"))?;
    let file = File::from(file);
    Ok(Permit::for_new_file(&file)?)
}

/// Whether everything in this file is fathom's: then it may be written again without a word. The
/// mark names the inode, the length and the time of the last write, so that it does not outlive
/// what it speaks of: a copy, a mkfs or a single foreign byte, and the file is somebody's.
pub fn is_ours(path: &Path) -> bool {
    let Ok(file) = File::open(path) else { return false };
    let mut value = [0_u8; 80];
    let told = rustix::fs::fgetxattr(&file, MADE, &mut value).ok();
    let plain = |examined: Examination| {
        let mut findings = examined.contents.findings().iter();
        findings.all(|finding| finding.signature == Signature::Data)
    };
    let state = state(&file);
    told.is_some_and(|length| state.is_some_and(|state| value[..length] == *state.as_bytes()))
        && examine(path).is_ok_and(plain)
}

/// Marks a file whose contents are all fathom's, as they are now. A mark that can't be set only
/// means that the next run asks for --overwrite.
pub fn mark_ours(file: &File) {
    if let Some(state) = state(file) {
        _ = rustix::fs::fsetxattr(file, MADE, state.as_bytes(), rustix::fs::XattrFlags::empty());
    }
}

/// What changes with every write to a file, and with every copy of it.
fn state(file: &File) -> Option<String> {
    let meta = file.metadata().ok()?;
    let (inode, size) = (meta.ino(), meta.len());
    Some(format!("{inode} {size} {}.{:09}", meta.mtime(), meta.mtime_nsec()))
}

/// Whether a folder has room for a file, and what its file system is.
pub(super) fn room(folder: &Path, size: Bytes) -> Result<Filesystem, TargetError> {
    let found = Filesystem::of(folder)
        .map_err(|error| unreachable(folder, error, "look at this folder"))?;
    if found.free < size {
        let (path, free) = (folder.to_owned(), found.free);
        return Err(TargetError::NoSpace { path, free, asked: size });
    }
    Ok(found)
}

/// A device that may be written is ours alone. One that is only read may be in use, which is said.
fn open_device(request: &Request<'_>, notes: &mut Vec<String>) -> Result<File, TargetError> {
    match open_with(request, OFlags::EXCL) {
        Err(TargetError::Busy(_)) if request.permit.is_none() => {
            notes.push("the device is in use: the I/O of others lies in these numbers".to_owned());
            open_with(request, OFlags::empty())
        }
        outcome => outcome,
    }
}

fn open_with(request: &Request<'_>, more: OFlags) -> Result<File, TargetError> {
    let path = request.path;
    let mut flags = OFlags::CLOEXEC | more;
    flags |= if request.permit.is_some() { OFlags::RDWR } else { OFlags::RDONLY };
    if request.cache == Cache::Bypass {
        flags |= OFlags::DIRECT;
    }
    let what = if request.permit.is_some() { "write to it" } else { "read it" };
    let file = rustix::fs::open(path, flags, Mode::empty()).map_err(|errno| match errno {
        Errno::BUSY => TargetError::Busy(path.to_owned()),
        Errno::INVAL if request.cache == Cache::Bypass => {
            TargetError::NoDirect { path: path.to_owned(), reason: errno.to_string() }
        }
        _ => unreachable(path, errno.into(), what),
    })?;
    let file = File::from(file);
    let lock = match request.permit {
        Some(permit) => {
            permit.check(&file)?;
            FlockOperation::NonBlockingLockExclusive
        }
        None => FlockOperation::NonBlockingLockShared,
    };
    // Two runs on one file would each measure the other. Where there are no locks, so be it.
    match rustix::fs::flock(&file, lock) {
        Err(Errno::WOULDBLOCK) => Err(TargetError::Locked(path.to_owned())),
        Ok(()) | Err(_) => Ok(file),
    }
}

/// Everything that is learnt from the open descriptor.
fn finish(
    request: &Request<'_>,
    file: File,
    kind: TargetKind,
    device: Option<String>,
    filesystem: Option<Filesystem>,
) -> Result<Target, TargetError> {
    let path = request.path;
    let geometry = geometry(path, &file, request.cache)?;
    let size = request.size.unwrap_or(geometry.size);
    if size > geometry.size && (kind == TargetKind::Device || request.permit.is_none()) {
        let (path, has) = (path.to_owned(), geometry.size);
        return Err(TargetError::TooSmall { path, has, asked: size });
    }
    if size == Bytes(0) {
        return Err(TargetError::Empty(path.to_owned()));
    }
    let mut notes = Vec::new();
    let fullness = match kind {
        TargetKind::Device => Fullness::Full,
        TargetKind::File | TargetKind::Scratch => fullness(&file, size, &mut notes),
    };
    if fullness == Fullness::Partial && request.permit.is_none() {
        let extents = Extents::of(&file).unwrap_or_default();
        let missing = Bytes(extents.size.get().saturating_sub(extents.mapped.get()));
        let (path, size) = (path.to_owned(), extents.size);
        return Err(TargetError::Unwritten { path, missing, size });
    }
    let nowait = probe_nowait(&file).ok();
    tracing::info!(path = %path.display(), ?kind, ?geometry, ?nowait, ?fullness, "target opened");
    let span = Span { start: Bytes(0), length: size };
    let path = path.canonicalize().unwrap_or_else(|_| path.to_owned());
    Ok(Target {
        opened: Opened { file: Arc::new(file), span },
        geometry,
        kind,
        path: Some(path),
        device,
        filesystem,
        cache: request.cache,
        nowait,
        fullness,
        notes,
    })
}

/// Whether the file's bytes lie on the device. A file system that can't tell is taken at its
/// word, and that is said.
fn fullness(file: &File, size: Bytes, notes: &mut Vec<String>) -> Fullness {
    match Extents::of(file) {
        Ok(extents) if extents.size < size => Fullness::Partial,
        Ok(extents) => extents.fullness(),
        Err(_) => {
            notes.push(
                "the file system does not tell which bytes lie on its device: unwritten ones would \
                 be answered from nothing"
                    .to_owned(),
            );
            Fullness::Full
        }
    }
}

fn geometry(path: &Path, file: &File, cache: Cache) -> Result<Geometry, TargetError> {
    match (dio_alignment(file), cache) {
        (Ok(geometry), Cache::Bypass) => Ok(geometry),
        // The page cache takes any sector.
        (Ok(geometry), Cache::Through) => Ok(Geometry { block: 512, ..geometry }),
        (Err(error), Cache::Bypass) if error.kind() == io::ErrorKind::Unsupported => {
            Err(TargetError::NoDirect { path: path.to_owned(), reason: error.to_string() })
        }
        (Err(_), Cache::Through) => {
            let size = file.metadata().map_err(|reason| other(path, reason))?.len();
            Ok(Geometry { size: Bytes(size), block: 512, memory_alignment: 512 })
        }
        (Err(reason), Cache::Bypass) => Err(other(path, reason)),
    }
}

/// Direct I/O that a file system only pretends is refused; one that it may not mean is noted.
fn trust(
    path: &Path,
    filesystem: &Filesystem,
    cache: Cache,
    notes: &mut Vec<String>,
) -> Result<(), TargetError> {
    match (filesystem.direct(), cache) {
        (Direct::Cached(why), Cache::Bypass) => Err(TargetError::NoDirect {
            path: path.to_owned(),
            reason: format!("{}: {why}", filesystem.kind),
        }),
        (Direct::Doubtful(why), Cache::Bypass) => {
            notes.push(format!("{}: {why}", filesystem.kind));
            Ok(())
        }
        (Direct::Trusted, _) | (_, Cache::Through) => Ok(()),
    }
}

fn kind_word(kind: fs::FileType) -> &'static str {
    match () {
        () if kind.is_dir() => "directory",
        () if kind.is_char_device() => "character device",
        () if kind.is_fifo() => "pipe",
        () if kind.is_socket() => "socket",
        () => "thing of another kind",
    }
}
