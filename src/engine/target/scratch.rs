//! A file of our own that nothing is left of, even after SIGKILL: it never has a name, or loses
//! it before the first byte is written.

use std::fs::File;
use std::io;
use std::path::Path;
use std::sync::Arc;

use rustix::fs::{Mode, OFlags};

use super::error::unreachable;
use super::{Cache, Opened, Target, TargetError, TargetKind, geometry, room, trust};
use crate::clock::entropy;
use crate::host::{Fullness, Permit, probe_nowait};
use crate::unit::{Bytes, Span};

/// A scratch file is no larger than this, unless asked.
const USUAL: u64 = 4 << 30;

/// Below this a scratch file says too little about a disk to be made unasked.
const LEAST: u64 = 64 << 20;

/// Makes a scratch file in a folder, still empty: of the size asked, else 4 GiB or a quarter of
/// what is free, whichever is less.
///
/// # Errors
/// [`TargetError`] where the folder takes no file, has no room or has no direct I/O.
pub fn scratch(
    folder: &Path,
    size: Option<Bytes>,
    cache: Cache,
) -> Result<(Target, Permit), TargetError> {
    let filesystem = room(folder, size.unwrap_or(Bytes(LEAST * 4)))?;
    let usual = USUAL.min(filesystem.free.get() / 4) >> 20 << 20;
    let size = size.unwrap_or(Bytes(usual));
    if size == Bytes(0) {
        return Err(TargetError::Empty(folder.to_owned()));
    }
    let mut notes = vec![format!(
        "a scratch file of {size}, {} of its file system: not comparable with a whole device",
        share(size, filesystem.total)
    )];
    trust(folder, &filesystem, cache, &mut notes)?;
    let file = nameless(folder, cache)?;
    let permit = Permit::for_new_file(&file)?;
    permit.check(&file)?;
    let geometry = geometry(folder, &file, cache)?;
    let nowait = probe_nowait(&file).ok();
    tracing::info!(folder = %folder.display(), %size, ?geometry, ?nowait, "scratch file made");
    let span = Span { start: Bytes(0), length: size };
    let target = Target {
        opened: Opened { file: Arc::new(file), span },
        geometry,
        kind: TargetKind::Scratch,
        path: None,
        device: filesystem.device.clone(),
        filesystem: Some(filesystem),
        cache,
        nowait,
        fullness: Fullness::Partial,
        notes,
    };
    Ok((target, permit))
}

/// A share in words: `1.6 %`.
fn share(part: Bytes, whole: Bytes) -> String {
    format!("{:.1} %", 100.0 * part.get() as f64 / whole.get().max(1) as f64)
}

/// A file without a name. File systems that can't make one get a file whose name is taken away
/// before anything is written to it.
fn nameless(folder: &Path, cache: Cache) -> Result<File, TargetError> {
    let mut flags = OFlags::RDWR | OFlags::CLOEXEC;
    if cache == Cache::Bypass {
        flags |= OFlags::DIRECT;
    }
    let mode = Mode::from_raw_mode(0o600);
    if let Ok(file) = rustix::fs::open(folder, flags | OFlags::TMPFILE, mode) {
        return Ok(File::from(file));
    }
    let path = folder.join(format!(".fathom-scratch-{:016x}", entropy()));
    let file = rustix::fs::open(&path, flags | OFlags::CREATE | OFlags::EXCL, mode);
    let file = match file {
        Ok(file) => file,
        Err(rustix::io::Errno::INVAL) if cache == Cache::Bypass => {
            _ = rustix::fs::unlink(&path);
            let reason = "the file system does not take O_DIRECT".to_owned();
            return Err(TargetError::NoDirect { path: folder.to_owned(), reason });
        }
        Err(errno) => {
            return Err(unreachable(folder, io::Error::from(errno), "make a file in this folder"));
        }
    };
    rustix::fs::unlink(&path)
        .map_err(|errno| unreachable(&path, errno.into(), "remove its name again"))?;
    Ok(File::from(file))
}
