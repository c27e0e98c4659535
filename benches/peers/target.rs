//! Targets: the user's, and a file of the comparison's own in the page cache.

use std::fs::{self, File};
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};

use fathom::engine::target::{self, Cache, Request};
use fathom::unit::{Bytes, Seed};

use crate::fault::Fault;
use crate::load::Target;

/// The file in the page cache: large enough that no processor's own cache holds it.
const CACHED: Bytes = Bytes(256 << 20);

/// The file or device that the user named. One that does not exist is made and filled.
///
/// # Errors
/// A [`Fault`] where it can't be measured.
pub(crate) fn named(path: &Path, size: Option<Bytes>) -> Result<Target, Fault> {
    let missing = fs::metadata(path).is_err_and(|error| error.kind() == ErrorKind::NotFound);
    if let (true, Some(size)) = (missing, size) {
        return made(path, size, Cache::Bypass);
    }
    let request = Request { path, permit: None, cache: Cache::Bypass, size };
    let found = target::open(&request)?;
    Ok(described(path, &found))
}

/// Makes a file and fills it.
fn made(path: &Path, size: Bytes, cache: Cache) -> Result<Target, Fault> {
    let permit = target::create(path, size)?;
    let request = Request { path, permit: Some(&permit), cache, size: Some(size) };
    let filled = target::open(&request).and_then(|mut found| {
        target::lay_out(&mut found, &permit, Seed(1), |_| true)?;
        target::mark_ours(&found.opened.file);
        Ok(described(path, &found))
    });
    if filled.is_err() {
        _ = fs::remove_file(path);
    }
    Ok(filled?)
}

fn described(path: &Path, found: &target::Target) -> Target {
    Target {
        path: path.to_owned(),
        size: found.opened.span.length,
        device: found.device.clone(),
        destroy: None,
    }
}

/// A file that every tool reads through the page cache; gone when this is.
#[derive(Debug)]
pub(crate) struct Cached(PathBuf);

impl Cached {
    /// The file, all of it in the page cache.
    ///
    /// # Errors
    /// A [`Fault`] where it can't be made.
    pub(crate) fn new() -> Result<(Self, Target), Fault> {
        let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join("peers-cached");
        // One that was left by a run that was killed.
        _ = fs::remove_file(&path);
        let target = made(&path, CACHED, Cache::Through)?;
        let cached = Self(path.clone());
        let read = |path: &Path| io::copy(&mut File::open(path)?, &mut io::sink());
        read(&path).map_err(Fault::file(path))?;
        Ok((cached, target))
    }
}

impl Drop for Cached {
    fn drop(&mut self) {
        _ = fs::remove_file(&self.0);
    }
}
