//! The gate on sysfs trees and scratch files.

use std::io::Write;

use super::examine::Examiner;
use super::*;
use crate::host::block::tests::{add, build_on, machine};
use crate::host::mounts::{InUse, Use};
use crate::host::signature::Contents;

/// What stands in the way of writing to a device of the tests' machine when another is in use.
/// Its nodes do not exist, so that its contents can't be read: that obstacle is left out.
fn obstacles(sysfs: &Sysfs, name: &str, in_use: InUse) -> Vec<String> {
    let examiner = Examiner::new(sysfs.clone(), in_use);
    let device = sysfs.device(name).unwrap();
    let found = examiner.examine_device(Path::new("/nonexistent/node"), device).obstacles;
    let found = found.iter().filter(|o| !matches!(o, Obstacle::Unreadable { .. }));
    found.map(Obstacle::short).collect()
}

fn mounted(sysfs: &Sysfs, name: &str) -> InUse {
    let used = Use::Mounted { at: "/mnt".into(), filesystem: "ext4".into() };
    InUse::with(sysfs.device(name).unwrap().number, used)
}

#[test]
fn use_is_found_above_below_and_beside() {
    let (folder, sysfs) = machine();
    let root = folder.path();
    let part = [("dev", "259:2"), ("size", "9"), ("start", "99"), ("partition", "2")];
    add(root, "pci0000:00/0000:01:00.0/nvme/nvme0/nvme0n1/nvme0n1p2", &part);
    let free: [&str; 0] = [];
    for (target, in_use, expected) in [
        ("nvme0n1", "nvme0n1p1", &["mounted on /mnt"][..]),
        ("nvme0n1p1", "nvme0n1p1", &["mounted on /mnt"]),
        ("nvme0n1p1", "nvme0n1", &["mounted on /mnt"]),
        ("nvme0n1p1", "nvme0n1p2", &free),
        ("sda", "dm-0", &["mounted on /mnt", "in use by md0", "in use by dm-0"]),
        ("sda", "zram0", &["in use by md0", "in use by dm-0"]),
        ("md0", "zram0", &["in use by dm-0"]),
        ("dm-0", "zram0", &free),
        ("dm-0", "sdb", &["mounted on /mnt"]),
        ("mmcblk0", "zram0", &free),
        ("cciss!c0d0", "cciss!c0d0", &["mounted on /mnt"]),
        ("loop1", "zram0", &["empty"]),
    ] {
        assert_eq!(obstacles(&sysfs, target, mounted(&sysfs, in_use)), expected, "{target}");
    }
}

#[test]
fn a_partition_of_a_disk_that_is_used_whole_is_not_free() {
    let (folder, sysfs) = machine();
    let part = [("dev", "8:1"), ("size", "9"), ("start", "9"), ("partition", "1")];
    add(folder.path(), "pci0000:00/ata1/host0/target0:0:0/0:0:0:0/block/sda/sda1", &part);
    let found = obstacles(&sysfs, "sda1", InUse::default());
    assert_eq!(found, ["in use by md0", "in use by dm-0"]);
}

#[test]
fn swap_and_limits_are_found() {
    let (folder, sysfs) = machine();
    let swap = InUse::with(sysfs.device("mmcblk0p1").unwrap().number, Use::Swap);
    assert_eq!(obstacles(&sysfs, "mmcblk0", swap), ["used as swap"]);
    let zoned = [("dev", "8:32"), ("size", "9"), ("ro", "1"), ("queue/zoned", "host-managed")];
    add(folder.path(), "x/sdc", &zoned);
    assert_eq!(obstacles(&sysfs, "sdc", InUse::default()), ["read-only", "zoned"]);
    let part = [("dev", "8:33"), ("size", "9"), ("start", "9"), ("partition", "1"), ("ro", "0")];
    add(folder.path(), "x/sdc/sdc1", &part);
    assert_eq!(obstacles(&sysfs, "sdc1", InUse::default()), ["read-only", "zoned"]);
}

#[test]
fn a_loop_device_stands_between_a_file_and_a_pattern() {
    let (folder, sysfs) = machine();
    let image = folder.path().join("image");
    fs::write(&image, [7; 4096]).unwrap();
    let shown = image.to_str().unwrap();
    for (name, dev) in [("loop5", "7:5"), ("loop6", "7:6")] {
        let attributes = [("dev", dev), ("size", "8"), ("loop/backing_file", shown)];
        add(folder.path(), &format!("virtual/block/{name}"), &attributes);
    }
    let in_use = mounted(&sysfs, "loop6");
    let found = Examiner::new(sysfs.clone(), in_use).examine(&image).unwrap();
    let found: Vec<String> = found.obstacles.iter().map(Obstacle::short).collect();
    assert_eq!(found, ["behind loop5", "behind loop6"]);
    let found = obstacles(&sysfs, "loop5", mounted(&sysfs, "loop6"));
    assert_eq!(found, ["mounted on /mnt", "behind loop6"]);
}

#[test]
fn holders_are_described() {
    let (folder, sysfs) = machine();
    let crypt =
        [("dev", "253:9"), ("size", "9"), ("dm/name", "safe"), ("dm/uuid", "CRYPT-LUKS2-x")];
    add(folder.path(), "virtual/block/dm-9", &crypt);
    build_on(folder.path(), "dm-9", "mmcblk0p1");
    let examiner = Examiner::new(sysfs.clone(), InUse::default());
    let device = sysfs.device("mmcblk0").unwrap();
    let found = examiner.examine_device(Path::new("/nonexistent/node"), device);
    let text = found.obstacles[0].to_string();
    assert_eq!(text, "/dev/mmcblk0p1 is in use by dm-9 (LUKS safe)");
    assert_eq!(found.obstacles[0].remedy(), "close the container: cryptsetup close safe");
}

#[test]
fn an_existing_file_must_be_named_and_a_permit_is_for_it_alone() {
    let folder = tempfile::TempDir::new().unwrap();
    let (one, two) = (folder.path().join("one"), folder.path().join("two"));
    fs::write(&one, b"precious").unwrap();
    fs::write(&two, b"other").unwrap();
    let link = folder.path().join("link");
    std::os::unix::fs::symlink(&one, &link).unwrap();

    let refusal = Permit::issue(&one, &Consent::default()).unwrap_err();
    assert_eq!(refusal.faults(), [Fault::NotNamed { path: one.clone() }]);
    assert!(refusal.to_string().contains(&format!("--overwrite {}", one.display())), "{refusal}");
    let consent = |path: &Path| Consent { overwrite: vec![path.to_owned()], destroy: vec![] };
    assert!(Permit::issue(&one, &consent(&two)).is_err());

    let permit = Permit::issue(&one, &consent(&link)).unwrap();
    assert_eq!(permit.path(), one);
    assert_eq!(permit.check(&File::open(&link).unwrap()), Ok(()));
    let exchanged = Err(Mismatch::Exchanged(one.clone()));
    assert_eq!(permit.check(&File::open(&two).unwrap()), exchanged);
    fs::rename(&two, &one).unwrap();
    assert_eq!(permit.check(&File::open(&one).unwrap()), exchanged);
}

#[test]
fn a_new_file_needs_no_word_but_must_be_new() {
    let mut file = tempfile::tempfile().unwrap();
    let permit = Permit::for_new_file(&file).unwrap();
    assert_eq!(permit.check(&file), Ok(()));
    assert!(permit.check(&tempfile::tempfile().unwrap()).is_err());
    file.write_all(b"x").unwrap();
    assert_eq!(Permit::for_new_file(&file), Err(Refusal::NotNew));
    let null = File::open("/dev/null").unwrap();
    assert_eq!(Permit::for_new_file(&null), Err(Refusal::NotNew));
}

#[test]
fn all_faults_of_a_device_are_told_at_once() {
    let (_folder, sysfs) = machine();
    let examiner = Examiner::new(sysfs.clone(), mounted(&sysfs, "sda"));
    let device = sysfs.device("sda").unwrap();
    let mut found = examiner.examine_device(Path::new("/nonexistent/node"), device);
    found.obstacles.retain(|o| !matches!(o, Obstacle::Unreadable { .. }));
    let finding = |signature, offset| Finding { signature, offset };
    found.contents =
        Contents::Carries(vec![finding(Signature::Gpt, 512), finding(Signature::Ext4, 1024)]);
    let inside = Contents::Carries(vec![finding(Signature::Xfs, 0)]);
    found.parts = vec![
        PartContents { name: "sda1".into(), contents: inside },
        PartContents { name: "sda2".into(), contents: Contents::Blank },
    ];
    let table = Fault::Carries {
        path: found.path.clone(),
        finding: finding(Signature::Gpt, 512),
        parts: vec!["sda1 (xfs)".to_owned()],
    };
    assert!(found.faults(&Consent::default()).contains(&table));
    assert!(table.to_string().ends_with("at byte 512, and in it sda1 (xfs)"), "{table}");
    let destroy = vec!["GPT".to_owned(), "everything".to_owned()];
    let refusal = found.permit(&Consent { overwrite: vec![], destroy }).unwrap_err();
    insta::assert_snapshot!(refusal, @r"
    refused to write to /nonexistent/node:
      - /dev/sda is mounted on /mnt (ext4)
        remedy: unmount it: umount /mnt
      - /dev/sda is in use by md0 (md raid0)
        remedy: stop the array: mdadm --stop /dev/md0
      - /dev/md0 is in use by dm-0 (LVM vg-lv)
        remedy: deactivate the volume: lvchange -an /dev/mapper/vg-lv
      - /nonexistent/node would be overwritten, and was not named for it
        remedy: if all that it holds may be lost, add --overwrite /nonexistent/node
      - --destroy everything names no content
        remedy: write the word that `fathom devices DEVICE` shows, as ext4 or data
      - /nonexistent/node carries an ext4 file system, at byte 1024
        remedy: if that may be lost, add --destroy ext4
    ");
}

#[test]
fn a_device_that_took_anothers_number_is_not_it() {
    let number = DeviceNumber { major: 8, minor: 0 };
    let device = |sequence| Identity::Device { number, sequence };
    assert!(device(Some(1)).is(device(Some(1))));
    assert!(device(None).is(device(Some(1))));
    assert!(!device(Some(1)).is(device(Some(2))));
}

#[test]
fn what_is_no_target_is_named() {
    for (path, fragment) in [
        ("/", "/ is a folder: a target is a file or a block device"),
        ("/dev/null", "a character device"),
        ("/nonexistent", "does not exist"),
    ] {
        let refusal = examine(Path::new(path)).unwrap_err();
        assert!(refusal.to_string().contains(fragment), "{refusal}");
        assert!(refusal.faults().is_empty());
    }
}
