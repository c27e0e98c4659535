//! Snapshots over devices made here.

use std::path::Path;

use super::*;
use crate::host::block::tests::machine;
use crate::host::mounts::InUse;
use crate::host::safety::Examiner;
use crate::host::signature::{Finding, Signature, Unread};

/// The devices of the tests' machine that have a capacity. Their nodes do not exist: contents
/// are put in by hand.
fn examined() -> Vec<Examination> {
    let (_folder, sysfs) = machine();
    let examiner = Examiner::new(sysfs.clone(), InUse::default());
    let devices = sysfs.devices().unwrap().into_iter().filter(|device| device.size > Bytes(0));
    let look = |device: BlockDevice| {
        let path = Path::new("/nonexistent").join(&device.name);
        let mut found = examiner.examine_device(&path, device);
        found.obstacles.retain(|o| !matches!(o, Obstacle::Unreadable { .. }));
        found.contents = match found.device().map(|device| device.name.as_str()) {
            Some("nvme0n1") => carries(&[(Signature::Gpt, 512), (Signature::Ext4, 1024)]),
            Some("nvme0n1p1") => carries(&[(Signature::Luks, 0)]),
            Some("zram0") => {
                let (device, reason) = ("/dev/zram0".into(), Unread::Denied);
                found.obstacles.push(Obstacle::Unreadable { device, reason });
                Contents::Unread(Unread::Denied)
            }
            _ => Contents::Blank,
        };
        found
    };
    devices.map(look).collect()
}

fn carries(found: &[(Signature, u64)]) -> Contents {
    let findings = found.iter().map(|&(signature, offset)| Finding { signature, offset });
    Contents::Carries(findings.collect())
}

#[test]
fn the_table_fits_a_terminal() {
    let text = table(&examined(), 1);
    for line in text.lines() {
        assert!(line.chars().count() <= WIDTH, "{line}");
    }
    insta::assert_snapshot!(text, @r"
    device           size  as sold  kind        model          overwrite?
    ──────────────────────────────────────────────────────────────────────────────
    cciss/c0d0      2 MiB           disk                       yes, blank
    dm-0         7.81 MiB           LVM volume  vg-lv          yes, blank
    loop0          32 KiB           loop        image          yes, blank
    md0             8 MiB           md raid0    over sda, sdb  no: in use by dm-0
    mmcblk0         2 MiB           MMC         SD32G          yes, blank
    └─mmcblk0p1    32 KiB           partition                  yes, blank
    nvme0n1      1.82 TiB  2.00 TB  NVMe SSD    Quick 2TB      holds gpt, ext4
    └─nvme0n1p1     1 MiB           partition                  holds luks
    sda             4 MiB           SATA HDD    Old Spinner    no: in use by md0
    sdb             4 MiB           SATA HDD    Old Spinner    no: in use by md0
    zram0          64 KiB           zram                       can't look inside:
                                                               permission

    yes     nothing is in the way, both ends are blank: --overwrite DEVICE
    holds   what it carries would be lost: --overwrite DEVICE --destroy WORD
    can't   only a user who may read it, mostly root, learns what it carries
    `fathom devices DEVICE` tells all about one. Reading is always safe.
    1 device without capacity is not shown; --all shows it.
    ");
}

#[test]
fn a_long_verdict_wraps() {
    let mut found = examined();
    for examination in &mut found {
        examination.obstacles.insert(
            0,
            Obstacle::Mounted {
                device: "/dev/x".into(),
                at: "/srv/a/rather/long/place and then some more words of it".into(),
                filesystem: "ext4".into(),
            },
        );
    }
    for line in table(&found, 0).lines() {
        assert!(line.chars().count() <= WIDTH, "{line}");
    }
}

#[test]
fn all_facts_of_one_device() {
    let found = examined();
    let facts_of = |name: &str, members: &[&str]| {
        let is = |e: &&Examination| e.device().is_some_and(|device| device.name == name);
        let members: Vec<String> = members.iter().map(|&member| member.to_owned()).collect();
        facts(found.iter().find(is).unwrap(), &members)
    };
    insta::assert_snapshot!(facts_of("nvme0n1", &["nvme0n1"]), @r"
    /dev/nvme0n1  (named as /nonexistent/nvme0n1)
      size           1.82 TiB (2000398934016 bytes, 2.00 TB)
      kind           NVMe SSD
      number         259:0
      blocks         512 B addressed, 4096 B physical
      model          Quick 2TB
      serial         Q123
      firmware       1B2Q
      partitions     nvme0n1p1
      attached by    NVMe
      rotational     no
      scheduler      none
      queue          1023 requests, device takes 1024
      write cache    write back, as the kernel sees it
      NUMA node      0
      holds          a GUID partition table, at byte 512 (gpt)
                     an ext4 file system, at byte 1024 (ext4)
      overwrite?     with --overwrite /nonexistent/nvme0n1 --destroy gpt --destroy ext4
    ");
    insta::assert_snapshot!(facts_of("md0", &["sda", "sdb"]), @r"
    /dev/md0  (named as /nonexistent/md0)
      size           8 MiB (8388608 bytes, 8.39 MB)
      kind           md raid0
      number         9:0
      blocks         512 B addressed, 512 B physical
      built on       sda, sdb
      used by        dm-0
      chunk          64 KiB
      attached by    software
      holds          nothing: both ends are blank
      overwrite?     no
        - /dev/md0 is in use by dm-0 (LVM vg-lv)
          remedy: deactivate the volume: lvchange -an /dev/mapper/vg-lv
    ");
}

#[test]
fn sizes_as_makers_count() {
    for (bytes, text) in [
        (512, "0.51 kB"),
        (2_000_398_934_016, "2.00 TB"),
        (137_438_953_472, "137 GB"),
        (67_108_864, "67.1 MB"),
    ] {
        assert_eq!(as_sold(Bytes(bytes)), text);
    }
}

#[test]
fn no_devices_is_said() {
    assert_eq!(
        table(&[], 2),
        "No block devices with a capacity.\n2 devices without capacity are not shown; --all shows them."
    );
}
