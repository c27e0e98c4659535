//! Files as targets: what is made, filled, refused and left behind. Devices need rights and are
//! tested by hand; what can go wrong with a path needs none.

#![allow(clippy::unwrap_used, reason = "a test")]

use std::fs::{self, File};
use std::io::Write;
use std::path::Path;

use fathom::engine::target::{self, Cache, LayoutError, Request, Target, TargetError};
use fathom::host::{Consent, Extents, Fullness, Permit};
use fathom::unit::{Bytes, Seed};

fn open(path: &Path, permit: Option<&Permit>, size: Option<u64>) -> Result<Target, TargetError> {
    target::open(&Request { path, permit, cache: Cache::Through, size: size.map(Bytes) })
}

/// A permit for a file that the user named.
fn named(path: &Path) -> Permit {
    Permit::issue(path, &Consent { overwrite: vec![path.to_owned()], destroy: Vec::new() }).unwrap()
}

#[test]
fn what_is_no_target_says_what_it_is() {
    let folder = tempfile::tempdir().unwrap();
    let empty = folder.path().join("empty");
    File::create(&empty).unwrap();
    for (path, fragment) in [
        (folder.path().join("missing"), "there is no such file or device"),
        (folder.path().to_owned(), "is a directory, not a file or block device"),
        ("/dev/null".into(), "is a character device"),
        (empty, "is empty; --size says how large"),
    ] {
        let message = open(&path, None, None).unwrap_err().to_string();
        assert!(message.contains(fragment), "{message}");
    }
}

#[test]
fn a_file_that_is_made_is_filled_and_known_again() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("disk.img");
    let permit = target::create(&path, Bytes(8 << 20)).unwrap();
    let mut made = open(&path, Some(&permit), Some(8 << 20)).unwrap();
    assert_eq!(made.fullness, Fullness::Partial);
    let mut heard = Vec::new();
    target::lay_out(&mut made, &permit, Seed(1), |done| {
        heard.push(done.get());
        true
    })
    .unwrap();
    assert_eq!(heard, [0, 4 << 20, 8 << 20]);
    assert_eq!(fs::metadata(&path).unwrap().len(), 8 << 20);
    assert_eq!(made.opened.span.length, Bytes(8 << 20));
    assert!(!target::is_ours(&path), "nothing is taken for fathom's before it is marked");
    target::mark_ours(&made.opened.file);
    drop(made);
    // A file system without extended attributes can't remember whose file it is.
    if target::is_ours(&path) {
        assert_eq!(open(&path, Some(&named(&path)), None).unwrap().fullness, Fullness::Full);
        let copy = folder.path().join("copy.img");
        fs::copy(&path, &copy).unwrap();
        assert!(!target::is_ours(&copy), "a copy is somebody's");
        let mut foreign = File::options().write(true).open(&path).unwrap();
        foreign.write_all(b"thesis").unwrap();
        drop(foreign);
        assert!(!target::is_ours(&path), "one foreign byte, and the file is somebody's");
    }
    assert!(target::create(&path, Bytes(8 << 20)).is_err(), "an existing file is never made anew");
}

#[test]
fn a_file_with_holes_is_refused_for_reading_and_filled_for_writing() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("sparse");
    let mut file = File::create(&path).unwrap();
    file.write_all(&[1; 4096]).unwrap();
    file.set_len(8 << 20).unwrap();
    if Extents::of(&file).is_err() {
        return; // This file system does not tell, and the target's notes say so.
    }
    let message = open(&path, None, None).unwrap_err().to_string();
    assert!(message.contains("of its 8 MiB are holes or were never written"), "{message}");
    let permit = named(&path);
    let mut target = open(&path, Some(&permit), None).unwrap();
    target::lay_out(&mut target, &permit, Seed(1), |_| true).unwrap();
    drop(target);
    assert_eq!(open(&path, None, None).unwrap().fullness, Fullness::Full);
}

#[test]
fn more_than_there_is_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("small");
    fs::write(&path, vec![1_u8; 8192]).unwrap();
    let message = open(&path, None, Some(1 << 20)).unwrap_err().to_string();
    assert!(message.contains("has 8 KiB, and --size asks for 1 MiB"), "{message}");
    let huge = target::scratch(folder.path(), Some(Bytes(1 << 60)), Cache::Through).unwrap_err();
    assert!(huge.to_string().contains("too little for a file of 1 EiB"), "{huge}");
}

#[test]
fn a_scratch_file_has_no_name() {
    let folder = tempfile::tempdir().unwrap();
    let (mut target, permit) =
        target::scratch(folder.path(), Some(Bytes(8 << 20)), Cache::Through).unwrap();
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
    let stopped = target::lay_out(&mut target, &permit, Seed(1), |done| done.get() == 0);
    assert!(matches!(stopped, Err(TargetError::Layout(LayoutError::Stopped))));
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
}

#[test]
fn two_runs_never_share_a_file() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("shared");
    fs::write(&path, vec![1_u8; 8192]).unwrap();
    let permit = named(&path);
    let first = open(&path, Some(&permit), None).unwrap();
    assert!(matches!(open(&path, Some(&permit), None), Err(TargetError::Locked(_))));
    assert!(matches!(open(&path, None, None), Err(TargetError::Locked(_))));
    drop(first);
    let (one, other) = (open(&path, None, None), open(&path, None, None));
    assert!(one.is_ok() && other.is_ok(), "those that only read may");
}

#[test]
fn a_permit_serves_for_its_own_file_only() {
    let folder = tempfile::tempdir().unwrap();
    let (a, b) = (folder.path().join("a"), folder.path().join("b"));
    fs::write(&a, vec![1_u8; 8192]).unwrap();
    fs::write(&b, vec![1_u8; 8192]).unwrap();
    let permit = named(&a);
    assert!(open(&a, Some(&permit), None).is_ok());
    assert!(matches!(open(&b, Some(&permit), None), Err(TargetError::Mismatch(_))));
    let nameless = Consent::default();
    assert!(Permit::issue(&a, &nameless).is_err(), "a file that nobody named is not written");
}
