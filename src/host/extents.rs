//! Where the bytes of a file lie: mapped, promised but never written, or nowhere.
//!
//! A hole or an unwritten extent is answered by the file system from nothing; a file that has
//! any must never be measured as if it were full. This file only asks (`FIEMAP`); it must never
//! change a file, though asking makes the file system write out what it holds back. Tested on
//! files made by the test, where the file system can answer.
#![allow(unsafe_code, reason = "FIEMAP is an ioctl that rustix has no function for")]

use std::fs::File;
use std::io;

use rustix::ioctl::{Updater, ioctl, opcode};

use crate::unit::Bytes;

/// How the bytes of a file are kept. All amounts are within its length.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Extents {
    /// The file's length.
    pub size: Bytes,
    /// Bytes that lie on the device.
    pub mapped: Bytes,
    /// Bytes that have a place but were never written: they read as zeros without the device.
    pub unwritten: Bytes,
    /// Bytes without a place: they read as zeros without the device.
    pub holes: Bytes,
    /// Of the mapped bytes, those that other files share: the first write goes elsewhere.
    pub shared: Bytes,
    /// Bytes that lie in the file's own description, not in a block.
    pub inline: Bytes,
    /// Of the mapped bytes, those that are compressed or encrypted: reads move other amounts.
    pub encoded: Bytes,
    /// How many pieces there are.
    pub pieces: u64,
}

impl Extents {
    /// Whether every byte lies on the device, so that the file may be measured.
    pub fn fullness(&self) -> Fullness {
        if self.mapped == self.size { Fullness::Full } else { Fullness::Partial }
    }

    /// Asks the file system. Data that it holds back are written out first.
    ///
    /// # Errors
    /// Where the file system can't tell (`EOPNOTSUPP`, as tmpfs and many network ones).
    pub fn of(file: &File) -> io::Result<Self> {
        let size = file.metadata()?.len();
        let mut found = Self { size: Bytes(size), ..Self::default() };
        let (mut at, mut covered) = (0, 0_u64);
        while at < size {
            let map = ask(file, at, size - at)?;
            let extents = &map.extents[..map.mapped.min(BATCH) as usize];
            for extent in extents {
                covered += found.add(extent);
            }
            match extents.last() {
                Some(last) if last.flags & LAST == 0 => at = last.logical + last.length,
                _ => break,
            }
        }
        found.holes = Bytes(size.saturating_sub(covered));
        Ok(found)
    }

    /// Counts an extent; the answer is how many bytes of the file it covers.
    fn add(&mut self, extent: &Extent) -> u64 {
        let end = extent.logical.saturating_add(extent.length).min(self.size.0);
        let bytes = end.saturating_sub(extent.logical);
        let is = |flag: u32| extent.flags & flag != 0;
        self.pieces += 1;
        match () {
            () if is(UNWRITTEN) => self.unwritten.0 += bytes,
            () if is(INLINE) => self.inline.0 += bytes,
            () => self.mapped.0 += bytes,
        }
        if is(SHARED) {
            self.shared.0 += bytes;
        }
        if is(ENCODED) {
            self.encoded.0 += bytes;
        }
        bytes
    }
}

/// Whether a file lies wholly on its device.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fullness {
    /// Every byte does.
    Full,
    /// Some are holes, unwritten or elsewhere.
    Partial,
}

const BATCH: u32 = 256;
const SYNC: u32 = 0x1;
const LAST: u32 = 0x1;
const ENCODED: u32 = 0x8 | 0x80;
const INLINE: u32 = 0x200;
const UNWRITTEN: u32 = 0x800;
const SHARED: u32 = 0x2000;

/// `struct fiemap_extent` of linux/fiemap.h.
#[repr(C)]
#[derive(Clone, Copy, Default)]
struct Extent {
    logical: u64,
    physical: u64,
    length: u64,
    reserved64: [u64; 2],
    flags: u32,
    reserved: [u32; 3],
}

/// `struct fiemap` of linux/fiemap.h, with room for the answer behind it.
#[repr(C)]
struct Map {
    start: u64,
    length: u64,
    flags: u32,
    mapped: u32,
    count: u32,
    reserved: u32,
    extents: [Extent; BATCH as usize],
}

/// The header alone, whose size is part of the ioctl's number.
#[repr(C)]
struct Header([u64; 4]);

fn ask(file: &File, start: u64, length: u64) -> io::Result<Box<Map>> {
    const FIEMAP: rustix::ioctl::Opcode = opcode::read_write::<Header>(b'f', 11);
    let mut map = Box::new(Map {
        start,
        length,
        flags: SYNC,
        mapped: 0,
        count: BATCH,
        reserved: 0,
        extents: [Extent::default(); BATCH as usize],
    });
    // SAFETY: FS_IOC_FIEMAP reads and writes a `struct fiemap` with `count` extents behind it,
    // which is what `Map` is: same fields, C layout, room for exactly BATCH extents.
    unsafe { ioctl(file, Updater::<FIEMAP, Map>::new(&mut map)) }?;
    Ok(map)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::{Seek, SeekFrom, Write};

    #[test]
    fn the_layout_is_the_kernels() {
        assert_eq!(size_of::<Extent>(), 56);
        assert_eq!(std::mem::offset_of!(Map, extents), size_of::<Header>());
        assert_eq!(opcode::read_write::<Header>(b'f', 11), 0xc020_660b);
    }

    #[test]
    fn extents_are_counted_within_the_file() {
        let mut found = Extents { size: Bytes(10_000), ..Extents::default() };
        let extent =
            |logical, length, flags| Extent { logical, length, flags, ..Extent::default() };
        assert_eq!(found.add(&extent(0, 4096, 0)), 4096);
        assert_eq!(found.add(&extent(4096, 4096, UNWRITTEN)), 4096);
        assert_eq!(found.add(&extent(8192, 4096, LAST | SHARED)), 1808);
        assert_eq!((found.mapped, found.unwritten), (Bytes(5904), Bytes(4096)));
        assert_eq!((found.shared, found.pieces), (Bytes(1808), 3));
        assert_eq!(found.fullness(), Fullness::Partial);
    }

    #[test]
    fn a_file_with_a_hole_is_not_full() {
        let mut file = tempfile::tempfile().unwrap();
        file.write_all(&vec![7; 65536]).unwrap();
        file.seek(SeekFrom::Start(1 << 20)).unwrap();
        file.write_all(&vec![7; 65536]).unwrap();
        let found = match Extents::of(&file) {
            Ok(found) => found,
            Err(error) => return println!("skipped: no FIEMAP here: {error}"),
        };
        assert_eq!(found.size, Bytes((1 << 20) + 65536));
        assert_eq!(found.fullness(), Fullness::Partial);
        assert_eq!(found.holes.0 + found.mapped.0, found.size.0, "{found:?}");
        assert!(found.holes.0 >= (1 << 20) - 2 * 65536, "{found:?}");
        file.set_len(65536).unwrap();
        assert_eq!(Extents::of(&file).unwrap().fullness(), Fullness::Full);
    }
}
