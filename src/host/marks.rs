//! The marks themselves: where each kind of content signs, and with which bytes.
//!
//! Most are a few bytes at a fixed place and stand in one table; those that need arithmetic or a
//! second look have a function. A mark of only two bytes must never be believed alone, since
//! fathom's own incompressible data would bear it once in 65 536 devices. Tested in
//! [`super::signature`].

use super::signature::{Edges, Finding, Signature};

/// From which end an offset counts.
enum From {
    Start(u64),
    End(u64),
}
use From::{End, Start};

const ZFS_LABEL: u64 = 256 << 10;
const BCACHE: &[u8] = b"\xc6\x85\x73\xf6\x4e\x1a\x45\xca\x82\x65\xf5\x7f\x48\xba\x6d\x81";
const BCACHEFS: &[u8] = b"\xc6\x85\x73\xf6\x66\xce\x90\xa9\xd9\x6a\x60\xcf\x80\x3d\xf7\xef";
const MD_LITTLE: &[u8] = b"\xfc\x4e\x2b\xa9";
const MD_BIG: &[u8] = b"\xa9\x2b\x4e\xfc";
const DDF: &[u8] = b"\xde\x11\xde\x11";
const IMSM: &[u8] = b"Intel Raid ISM Cfg Sig. ";

/// Marks at fixed places.
const FIXED: &[(Signature, From, &[u8])] = &[
    (Signature::Gpt, Start(512), b"EFI PART"),
    (Signature::Gpt, Start(4096), b"EFI PART"),
    (Signature::Gpt, End(512), b"EFI PART"),
    (Signature::Gpt, End(4096), b"EFI PART"),
    (Signature::Luks, Start(0), b"LUKS\xba\xbe"),
    (Signature::Luks, Start(0x4000), b"SKUL\xba\xbe"),
    (Signature::Luks, Start(0x8000), b"SKUL\xba\xbe"),
    (Signature::Luks, Start(0x10000), b"SKUL\xba\xbe"),
    (Signature::Luks, Start(0x20000), b"SKUL\xba\xbe"),
    (Signature::Luks, Start(0x40000), b"SKUL\xba\xbe"),
    (Signature::Luks, Start(0x80000), b"SKUL\xba\xbe"),
    (Signature::Bcache, Start(4096 + 24), BCACHE),
    (Signature::Bcachefs, Start(4096 + 24), BCACHEFS),
    (Signature::Xfs, Start(0), b"XFSB"),
    (Signature::Btrfs, Start(65536 + 64), b"_BHRfS_M"),
    (Signature::F2fs, Start(1024), b"\x10\x20\xf5\xf2"),
    (Signature::F2fs, Start(4096 + 1024), b"\x10\x20\xf5\xf2"),
    (Signature::Ntfs, Start(3), b"NTFS    "),
    (Signature::Refs, Start(0), b"\0\0\0ReFS\0"),
    (Signature::Exfat, Start(3), b"EXFAT   "),
    (Signature::Iso9660, Start(32769), b"CD001"),
    (Signature::Ddf, End(512), DDF),
    (Signature::Ddf, End(4096), DDF),
    (Signature::Ddf, End(257 * 512), DDF),
    (Signature::Imsm, End(1024), IMSM),
    (Signature::Imsm, End(8192), IMSM),
    (Signature::Md, Start(0), MD_LITTLE),
    (Signature::Md, Start(4096), MD_LITTLE),
];

/// Swap signs at the end of its first page, whatever the machine's page is.
const PAGES: [u64; 5] = [4096, 8192, 16384, 32768, 65536];
const SWAP: [&[u8]; 4] = [b"SWAPSPACE2", b"SWAP-SPACE", b"S1SUSPEND\0", b"LINHIB0001"];

/// All marks that the ends of a device bear, some more than once.
pub(super) fn find(edges: &Edges) -> Vec<Finding> {
    let mut found: Vec<Finding> = Vec::new();
    for (signature, from, bytes) in FIXED {
        let offset = match from {
            Start(offset) => Some(*offset),
            End(back) => edges.size.checked_sub(*back),
        };
        if let Some(offset) = offset.filter(|&offset| bears(edges, offset, bytes)) {
            found.push(Finding { signature: *signature, offset });
        }
    }
    let special: [fn(&Edges) -> Option<Finding>; 7] = [md_at_end, lvm2, zfs, swap, ext, fat, mbr];
    found.extend(special.iter().filter_map(|look| look(edges)));
    let has = |signature: Signature| found.iter().any(|finding| finding.signature == signature);
    // A GPT's protective MBR is a part of it, and boot sectors of file systems look like an MBR.
    let explained = [Signature::Gpt, Signature::Ntfs, Signature::Fat, Signature::Exfat];
    if explained.into_iter().any(has) {
        found.retain(|finding| finding.signature != Signature::Mbr);
    }
    found
}

fn bears(edges: &Edges, offset: u64, bytes: &[u8]) -> bool {
    edges.at(offset, bytes.len()) == Some(bytes)
}

fn at(signature: Signature, offset: u64) -> Finding {
    Finding { signature, offset }
}

/// Version 1.0 lies 8 to 12 KiB before the end on a 4 KiB boundary, version 0.90 in the last
/// whole 64 KiB, in the byte order of the machine that wrote it.
fn md_at_end(edges: &Edges) -> Option<Finding> {
    let newer = ((edges.size / 512).checked_sub(16)? & !7) * 512;
    let older = (edges.size & !0xffff).checked_sub(0x10000);
    let marked = |offset: &u64| bears(edges, *offset, MD_LITTLE) || bears(edges, *offset, MD_BIG);
    let places = [Some(newer), older].into_iter().flatten();
    places.filter(marked).map(|offset| at(Signature::Md, offset)).next()
}

/// LVM signs one of the first four sectors.
fn lvm2(edges: &Edges) -> Option<Finding> {
    (0..4)
        .map(|sector| sector * 512)
        .find(|&o| bears(edges, o, b"LABELONE") && bears(edges, o + 24, b"LVM2 001"))
        .map(|offset| at(Signature::Lvm2, offset))
}

/// ZFS keeps four labels of 256 KiB, two at each end; the upper half of each is a ring of
/// uberblocks that begin with a magic number in the byte order of the machine that wrote them.
fn zfs(edges: &Edges) -> Option<Finding> {
    let end = edges.size / ZFS_LABEL * ZFS_LABEL;
    let labels =
        [Some(0), Some(ZFS_LABEL), end.checked_sub(2 * ZFS_LABEL), end.checked_sub(ZFS_LABEL)];
    let uberblock = |offset: u64| {
        bears(edges, offset, b"\x0c\xb1\xba\0\0\0\0\0")
            || bears(edges, offset, b"\0\0\0\0\0\xba\xb1\x0c")
    };
    let ring = |label: u64| (128..256).map(move |kib| label + kib * 1024);
    labels
        .into_iter()
        .flatten()
        .flat_map(ring)
        .find(|&offset| uberblock(offset))
        .map(|offset| at(Signature::Zfs, offset))
}

fn swap(edges: &Edges) -> Option<Finding> {
    PAGES
        .into_iter()
        .map(|page| page - 10)
        .find(|&offset| SWAP.iter().any(|mark| bears(edges, offset, mark)))
        .map(|offset| at(Signature::Swap, offset))
}

/// The ext family shares one magic number of two bytes; the features tell which it is, and a
/// block size out of range that it is none.
fn ext(edges: &Edges) -> Option<Finding> {
    const SUPER: u64 = 1024;
    let word = |offset: u64| -> Option<u32> {
        Some(u32::from_le_bytes(edges.at(SUPER + offset, 4)?.try_into().ok()?))
    };
    if !bears(edges, SUPER + 0x38, b"\x53\xef") || word(0x18)? > 6 || word(0x04)? == 0 {
        return None;
    }
    let (compat, incompat, ro_compat) = (word(0x5c)?, word(0x60)?, word(0x64)?);
    let signature = match () {
        () if incompat & 0x8 != 0 => Signature::Jbd,
        // What ext3 does not know: all but filetype, recover and meta_bg; all but sparse_super,
        // large_file and btree_dir.
        () if incompat & !0x16 != 0 || ro_compat & !0x7 != 0 => Signature::Ext4,
        () if compat & 0x4 != 0 => Signature::Ext3,
        () => Signature::Ext2,
    };
    Some(at(signature, SUPER))
}

/// FAT has no magic number, but a jump at the start and its name in one of two places.
fn fat(edges: &Edges) -> Option<Finding> {
    let jump = edges.at(0, 1)?;
    let named = bears(edges, 0x36, b"FAT1")
        || bears(edges, 0x36, b"FAT  ")
        || bears(edges, 0x52, b"FAT32   ");
    (named && (jump == b"\xeb" || jump == b"\xe9")).then(|| at(Signature::Fat, 0))
}

/// Two bytes end any boot sector; a partition table has besides four entries that begin with 0
/// or 0x80, at least one of them with a type and a length.
fn mbr(edges: &Edges) -> Option<Finding> {
    let sector = edges.at(0, 512)?;
    let entries: Vec<&[u8]> = sector.get(446..510)?.chunks(16).collect();
    let sound = entries.iter().all(|entry| matches!(entry[0], 0 | 0x80));
    let used = entries.iter().any(|entry| entry[4] != 0 && entry[12..16] != [0; 4]);
    (sector.ends_with(b"\x55\xaa") && sound && used).then(|| at(Signature::Mbr, 0))
}
