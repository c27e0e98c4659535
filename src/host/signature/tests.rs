//! Crafted images, one for each mark, and images by the real tools where they exist.

use std::fs::File;
use std::os::unix::fs::FileExt;
use std::process::{Command, Stdio};

use super::*;

const MIB: u64 = 1 << 20;

fn scan_image(image: &[u8]) -> Contents {
    scan(image.len() as u64, |offset, buffer| {
        let start = usize::try_from(offset).unwrap();
        buffer.copy_from_slice(&image[start..start + buffer.len()]);
        Ok(())
    })
}

/// An image of zeros with bytes at some places; a negative place counts from the end.
fn image(size: u64, patches: &[(i64, &[u8])]) -> Vec<u8> {
    let mut image = vec![0; usize::try_from(size).unwrap()];
    for (place, bytes) in patches {
        let start = if *place < 0 { size.strict_add_signed(*place) } else { place.unsigned_abs() };
        let start = usize::try_from(start).unwrap();
        image[start..start + bytes.len()].copy_from_slice(bytes);
    }
    image
}

fn check(expected: &[Signature], patches: &[(i64, &[u8])]) {
    for size in [4 * MIB, 16 * MIB + 512 * 3] {
        let found = scan_image(&image(size, patches));
        let kinds: Vec<Signature> = found.findings().iter().map(|f| f.signature).collect();
        assert_eq!(kinds, expected, "{size} bytes with {patches:x?}");
    }
}

#[test]
fn every_mark_is_found() {
    check(&[Signature::Gpt], &[(512, b"EFI PART")]);
    check(&[Signature::Gpt], &[(4096, b"EFI PART")]);
    check(&[Signature::Gpt], &[(-512, b"EFI PART")]);
    check(&[Signature::Gpt], &[(-4096, b"EFI PART")]);
    check(&[Signature::Md], &[(0, b"\xfc\x4e\x2b\xa9")]);
    check(&[Signature::Md], &[(4096, b"\xfc\x4e\x2b\xa9")]);
    check(&[Signature::Lvm2], &[(512, b"LABELONE"), (512 + 24, b"LVM2 001")]);
    check(&[Signature::Lvm2], &[(1536, b"LABELONE"), (1536 + 24, b"LVM2 001")]);
    check(&[Signature::Luks], &[(0, b"LUKS\xba\xbe\0\x02")]);
    check(&[Signature::Luks], &[(0x4000, b"SKUL\xba\xbe\0\x02")]);
    check(&[Signature::Zfs], &[(131_072, b"\x0c\xb1\xba\0\0\0\0\0")]);
    check(&[Signature::Zfs], &[(256 * 1024 + 140 * 1024, b"\0\0\0\0\0\xba\xb1\x0c")]);
    check(
        &[Signature::Bcachefs],
        &[(4120, b"\xc6\x85\x73\xf6\x66\xce\x90\xa9\xd9\x6a\x60\xcf\x80\x3d\xf7\xef")],
    );
    check(
        &[Signature::Bcache],
        &[(4120, b"\xc6\x85\x73\xf6\x4e\x1a\x45\xca\x82\x65\xf5\x7f\x48\xba\x6d\x81")],
    );
    check(&[Signature::Swap], &[(4086, b"SWAPSPACE2")]);
    check(&[Signature::Swap], &[(65526, b"S1SUSPEND\0")]);
    check(&[Signature::Xfs], &[(0, b"XFSB")]);
    check(&[Signature::Btrfs], &[(65600, b"_BHRfS_M")]);
    check(&[Signature::F2fs], &[(1024, b"\x10\x20\xf5\xf2")]);
    check(&[Signature::Ntfs], &[(3, b"NTFS    "), (510, b"\x55\xaa")]);
    check(&[Signature::Exfat], &[(3, b"EXFAT   "), (510, b"\x55\xaa")]);
    check(&[Signature::Refs], &[(0, b"\0\0\0ReFS\0")]);
    check(&[Signature::Fat], &[(0, b"\xeb\x3c\x90"), (0x36, b"FAT16   "), (510, b"\x55\xaa")]);
    check(&[Signature::Fat], &[(0, b"\xeb\x58\x90"), (0x52, b"FAT32   "), (510, b"\x55\xaa")]);
    check(&[Signature::Iso9660], &[(32769, b"CD001")]);
    check(&[Signature::Ddf], &[(-512, b"\xde\x11\xde\x11")]);
    check(&[Signature::Imsm], &[(-1024, b"Intel Raid ISM Cfg Sig. 1.3.00")]);
}

#[test]
fn marks_at_computed_places() {
    let size = 16 * MIB + 512 * 5;
    let newer = ((size / 512 - 16) & !7) * 512;
    let older = (size & !0xffff) - 0x10000;
    let label = size / 262_144 * 262_144 - 262_144 + 131_072;
    let cases: [(Signature, u64, &[u8]); 4] = [
        (Signature::Md, newer, b"\xfc\x4e\x2b\xa9"),
        (Signature::Md, older, b"\xfc\x4e\x2b\xa9"),
        (Signature::Md, older, b"\xa9\x2b\x4e\xfc"),
        (Signature::Zfs, label, b"\x0c\xb1\xba\0\0\0\0\0"),
    ];
    for (signature, offset, bytes) in cases {
        let found = scan_image(&image(size, &[(offset.cast_signed(), bytes)]));
        assert_eq!(found, Contents::Carries(vec![Finding { signature, offset }]));
    }
}

#[test]
fn the_ext_family_is_told_apart() {
    let sound: (i64, &[u8]) = (1024 + 4, &[1]);
    let magic: (i64, &[u8]) = (1024 + 0x38, b"\x53\xef");
    for (signature, compat, incompat, ro_compat) in [
        (Signature::Ext2, 0x38, 0x02, 0x03),
        (Signature::Ext3, 0x3c, 0x02, 0x03),
        (Signature::Ext4, 0x3c, 0x42, 0x03),
        (Signature::Ext4, 0x3c, 0x02, 0x08),
        (Signature::Jbd, 0x00, 0x08, 0x00),
    ] {
        let features = [compat, 0, 0, 0, incompat, 0, 0, 0, ro_compat];
        check(&[signature], &[sound, magic, (1024 + 0x5c, &features)]);
    }
    // Two bytes alone are no file system.
    check(&[Signature::Data], &[magic]);
}

#[test]
fn a_partition_table_is_more_than_two_bytes() {
    let entry = [0x80, 0, 0, 0, 0x83, 0, 0, 0, 0, 8, 0, 0, 0, 8, 0, 0];
    let end: (i64, &[u8]) = (510, b"\x55\xaa");
    check(&[Signature::Mbr], &[end, (446, &entry)]);
    check(&[Signature::Data], &[end]);
    check(&[Signature::Data], &[end, (446, &[0x33; 16])]);
    // A protective one belongs to the GPT behind it.
    check(&[Signature::Gpt], &[end, (446, &entry), (512, b"EFI PART")]);
    // Two kinds are two words to type.
    check(&[Signature::Xfs, Signature::Mbr], &[end, (446, &entry), (0, b"XFSB")]);
}

#[test]
fn blank_is_only_what_is_zero_at_both_ends() {
    let size = 8 * MIB;
    let edge = |place: i64| scan_image(&image(size, &[(place, b"x")]));
    let data = |offset| Contents::Carries(vec![Finding { signature: Signature::Data, offset }]);
    assert_eq!(scan_image(&image(size, &[])), Contents::Blank);
    assert_eq!(edge(0), data(0));
    assert_eq!(edge(1_048_575), data(1_048_575));
    assert_eq!(edge(1_048_576), Contents::Blank, "beyond what is looked at");
    assert_eq!(edge(-1_048_576), data(7 * MIB));
    assert_eq!(edge(-1), data(size - 1));
    for small in [0, 1, 511, 512, 4096, 65536] {
        assert_eq!(scan_image(&image(small, &[])), Contents::Blank, "{small}");
    }
    assert_eq!(scan_image(b"x"), data(0));
}

#[test]
fn what_can_not_be_read_is_not_blank() {
    let broken = scan(4 * MIB, |offset, _| match offset {
        0 => Ok(()),
        _ => Err(io::Error::from_raw_os_error(5)),
    });
    assert_eq!(broken, Contents::Unread(Unread::Failed("Input/output error".into())));
}

#[test]
fn words_are_read_as_they_are_shown() {
    for (index, (signature, word, _)) in Signature::WORDS.into_iter().enumerate() {
        assert_eq!(signature as usize, index, "{word} is at its place in the table");
        assert_eq!(word.parse(), Ok(signature));
        assert_eq!(signature.to_string(), word);
    }
    assert_eq!("crypto_LUKS".parse(), Ok(Signature::Luks));
    assert_eq!("LVM2_member".parse(), Ok(Signature::Lvm2));
    assert!("everything".parse::<Signature>().is_err());
}

/// Runs a tool on an image of some MiB; `None` where there is no such tool.
fn made_by(size: u64, tool: &str, arguments: &[&str], input: &str) -> Option<Contents> {
    let folder = tempfile::TempDir::new().unwrap();
    let path = folder.path().join("image");
    let file = File::create_new(&path).unwrap();
    file.set_len(size * MIB).unwrap();
    std::fs::write(folder.path().join("input"), input).unwrap();
    let search = format!("{}:/usr/sbin:/sbin", std::env::var("PATH").unwrap_or_default());
    let status = Command::new(tool)
        .args(arguments)
        .arg(&path)
        .env("PATH", search)
        .stdin(File::open(folder.path().join("input")).unwrap())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status();
    match status {
        Ok(status) if status.success() => {}
        other => {
            println!("skipped: {tool} {arguments:?}: {other:?}");
            return None;
        }
    }
    let file = File::open(&path).unwrap();
    let size = file.metadata().unwrap().len();
    Some(scan(size, |offset, buffer| file.read_exact_at(buffer, offset)))
}

#[test]
fn what_the_real_tools_make_is_recognised() {
    let gpt = "label: gpt\nsize=4MiB\n";
    let mbr = "label: dos\nsize=4MiB\n";
    let luks =
        ["luksFormat", "--batch-mode", "--pbkdf", "pbkdf2", "--pbkdf-force-iterations", "1000"];
    let cases: [(Signature, u64, &str, &[&str], &str); 16] = [
        (Signature::Ext2, 16, "mkfs.ext2", &["-q", "-F"], ""),
        (Signature::Ext3, 16, "mkfs.ext3", &["-q", "-F"], ""),
        (Signature::Ext4, 16, "mkfs.ext4", &["-q", "-F"], ""),
        (Signature::Jbd, 16, "mke2fs", &["-q", "-F", "-O", "journal_dev"], ""),
        (Signature::Xfs, 320, "mkfs.xfs", &["-q", "-f"], ""),
        (Signature::Btrfs, 256, "mkfs.btrfs", &["-q", "-f"], ""),
        (Signature::F2fs, 64, "mkfs.f2fs", &["-q", "-f"], ""),
        (Signature::Ntfs, 16, "mkfs.ntfs", &["-q", "-F", "-f"], ""),
        (Signature::Fat, 8, "mkfs.vfat", &[], ""),
        (Signature::Fat, 64, "mkfs.vfat", &["-F", "32"], ""),
        (Signature::Exfat, 16, "mkfs.exfat", &[], ""),
        (Signature::Swap, 16, "mkswap", &[], ""),
        (Signature::Gpt, 16, "sfdisk", &["-q"], gpt),
        (Signature::Mbr, 16, "sfdisk", &["-q"], mbr),
        (Signature::Luks, 32, "cryptsetup", &luks, "secret"),
        (Signature::Bcache, 32, "make-bcache", &["-B"], ""),
    ];
    for (signature, size, tool, arguments, input) in cases {
        if let Some(found) = made_by(size, tool, arguments, input) {
            let kinds: Vec<Signature> = found.findings().iter().map(|f| f.signature).collect();
            assert_eq!(kinds, [signature], "{tool} {arguments:?}");
            println!("recognised: {tool} {arguments:?}: {signature}");
        }
    }
}
