//! Fills a file before it is measured, so that every byte lies on the device.
//!
//! Direct writes of incompressible data, then fdatasync, then a look at the extents: a file with
//! holes or unwritten extents is never measured as if it were full.

use std::fs::File;
use std::io;
use std::os::unix::fs::FileExt;

use thiserror::Error;

use super::Target;
use crate::host::{Extents, Fullness, Permit};
use crate::pattern::Data;
use crate::payload::{Needs, Payload};
use crate::unit::{Bytes, Seed};

/// Bytes of one write.
const CHUNK: u32 = 4 << 20;

/// Why a file could not be filled.
#[derive(Debug, Error)]
pub enum LayoutError {
    /// The disk is full.
    #[error(
        "the disk is full after {done} of {size}; name a smaller file with --size, or another folder"
    )]
    Full {
        /// What was written.
        done: Bytes,
        /// What should have been.
        size: Bytes,
    },
    /// Writing failed.
    #[error("filling the file failed after {done} of {size}: {reason}")]
    Write {
        /// What was written.
        done: Bytes,
        /// What should have been.
        size: Bytes,
        /// What the system said.
        reason: io::Error,
    },
    /// It was asked to stop.
    #[error("stopped while the file was being filled")]
    Stopped,
    /// Not all of it reached the device.
    #[error("the file was filled, but {0} of it do not lie on its device")]
    Partial(Bytes),
}

/// Fills a target's span. `progress` hears the bytes written so far and says whether to go on.
/// The permit is the proof that it may be written.
///
/// # Errors
/// [`LayoutError`] where it could not be filled; what to do with the rest is the caller's affair.
pub fn lay_out(
    target: &mut Target,
    _permit: &Permit,
    seed: Seed,
    mut progress: impl FnMut(Bytes) -> bool,
) -> Result<(), super::TargetError> {
    let size = target.opened.span.length;
    let block = u64::from(target.geometry.block.max(512));
    let size = Bytes(size.get() / block * block);
    let had = target.geometry.size;
    let grows = Bytes(size.get().saturating_sub(had.get()));
    if let Some(filesystem) = &target.filesystem
        && target.kind == super::TargetKind::File
        && filesystem.free < grows
    {
        let path = target.path.clone().unwrap_or_default();
        return Err(super::TargetError::NoSpace { path, free: filesystem.free, asked: grows });
    }
    let outcome = write_all(target, size, seed, &mut progress);
    if outcome.is_err() && grows > Bytes(0) {
        // What could not be filled does not stay on the user's disk.
        _ = target.opened.file.set_len(had.get());
    }
    outcome?;
    tracing::info!(%size, "file filled and synchronised");
    target.fullness = Fullness::Full;
    target.geometry.size = had.max(size);
    target.opened.span.length = size;
    Ok(())
}

/// Writes the whole span, sees it to the device and looks where it lies.
fn write_all(
    target: &Target,
    size: Bytes,
    seed: Seed,
    progress: &mut impl FnMut(Bytes) -> bool,
) -> Result<(), super::TargetError> {
    let needs = Needs { slots: 1, largest: CHUNK, writes: Some(Data::Random), seed };
    let mut payload = Payload::new(needs)?;
    let file = &target.opened.file;
    let mut done = 0;
    while done < size.get() {
        if !progress(Bytes(done)) {
            return Err(LayoutError::Stopped.into());
        }
        let length = u64::from(CHUNK).min(size.get() - done);
        #[expect(clippy::cast_possible_truncation, reason = "at most a chunk")]
        let length = length as u32;
        let bytes = payload.bytes(done, length);
        file.write_all_at(bytes, done).map_err(|reason| failed(reason, done, size))?;
        done += u64::from(length);
    }
    file.sync_data().map_err(|reason| failed(reason, done, size))?;
    progress(size);
    Ok(check(file, size)?)
}

fn failed(reason: io::Error, done: u64, size: Bytes) -> LayoutError {
    let done = Bytes(done);
    match reason.raw_os_error() {
        Some(libc::ENOSPC | libc::EDQUOT | libc::EFBIG) => LayoutError::Full { done, size },
        _ => LayoutError::Write { done, size, reason },
    }
}

/// Whether what was written lies on the device; a file system that can't tell is believed.
fn check(file: &File, size: Bytes) -> Result<(), LayoutError> {
    match Extents::of(file) {
        Ok(extents) if extents.mapped < size => {
            Err(LayoutError::Partial(Bytes(size.get() - extents.mapped.get())))
        }
        Ok(_) | Err(_) => Ok(()),
    }
}
