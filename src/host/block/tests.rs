//! Sysfs trees as data: each device is a folder and a few attributes.

use std::fs;
use std::os::unix::fs::symlink;

use tempfile::TempDir;

use super::*;

/// Makes a device's folder with attributes, and the links that lead to it.
pub(crate) fn add(root: &Path, folder: &str, attributes: &[(&str, &str)]) {
    let real = root.join("devices").join(folder);
    fs::create_dir_all(&real).unwrap();
    for (name, value) in attributes {
        let path = real.join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, format!("{value}\n")).unwrap();
    }
    let name = real.file_name().unwrap();
    fs::create_dir_all(root.join("class/block")).unwrap();
    symlink(&real, root.join("class/block").join(name)).unwrap();
    if let Some((_, number)) = attributes.iter().find(|(name, _)| *name == "dev") {
        fs::create_dir_all(root.join("dev/block")).unwrap();
        symlink(&real, root.join("dev/block").join(number)).unwrap();
    }
}

/// Says that `upper` is built on `lower`, on both sides, as the kernel does.
pub(crate) fn build_on(root: &Path, upper: &str, lower: &str) {
    let class = root.join("class/block");
    for (at, folder, other) in [(upper, "slaves", lower), (lower, "holders", upper)] {
        let links = class.join(at).join(folder);
        fs::create_dir_all(&links).unwrap();
        symlink(class.join(other), links.join(other)).unwrap();
    }
}

/// A machine with one of each: NVMe with a partition, two SATA disks under md under dm, a loop
/// device, zram, a card, and an old controller whose names have a `!`.
pub(crate) fn machine() -> (TempDir, Sysfs) {
    let folder = TempDir::new().unwrap();
    let root = folder.path();
    let nvme = "pci0000:00/0000:01:00.0/nvme/nvme0/nvme0n1";
    let attributes = [
        ("dev", "259:0"),
        ("size", "3907029168"),
        ("ro", "0"),
        ("diskseq", "9"),
        ("queue/logical_block_size", "512"),
        ("queue/physical_block_size", "4096"),
        ("queue/rotational", "0"),
        ("queue/scheduler", "[none] mq-deadline"),
        ("queue/nr_requests", "1023"),
        ("queue/write_cache", "write back"),
        ("queue/zoned", "none"),
        ("device/model", "Quick 2TB                  "),
        ("device/serial", "Q123"),
        ("device/firmware_rev", "1B2Q"),
        ("device/sqsize", "1023"),
        ("device/numa_node", "0"),
    ];
    add(root, nvme, &attributes);
    let part = [("dev", "259:1"), ("size", "2048"), ("start", "4096"), ("partition", "1")];
    add(root, &format!("{nvme}/nvme0n1p1"), &part);
    for (disk, dev) in [("sda", "8:0"), ("sdb", "8:16")] {
        let at = format!("pci0000:00/ata1/host0/target0:0:0/0:0:0:0/block/{disk}");
        let attributes = [
            ("dev", dev),
            ("size", "8192"),
            ("queue/rotational", "1"),
            ("device/vendor", "ATA     "),
            ("device/model", "Old Spinner"),
            ("device/queue_depth", "32"),
        ];
        add(root, &at, &attributes);
    }
    let md = [("dev", "9:0"), ("size", "16384"), ("md/level", "raid0"), ("md/chunk_size", "65536")];
    add(root, "virtual/block/md0", &md);
    let dm = [("dev", "253:0"), ("size", "16000"), ("dm/name", "vg-lv"), ("dm/uuid", "LVM-x")];
    add(root, "virtual/block/dm-0", &dm);
    build_on(root, "md0", "sda");
    build_on(root, "md0", "sdb");
    build_on(root, "dm-0", "md0");
    let image = [("dev", "7:0"), ("size", "64"), ("loop/backing_file", "/tmp/image")];
    add(root, "virtual/block/loop0", &image);
    add(root, "virtual/block/loop1", &[("dev", "7:1"), ("size", "0")]);
    add(root, "virtual/block/zram0", &[("dev", "252:0"), ("size", "128")]);
    let card = "platform/mmc_host/mmc0/mmc0:0001/block/mmcblk0";
    add(root, card, &[("dev", "179:0"), ("size", "4096"), ("device/name", "SD32G")]);
    let part = [("dev", "179:1"), ("size", "64"), ("start", "8"), ("partition", "1")];
    add(root, &format!("{card}/mmcblk0p1"), &part);
    add(root, "pci0000:00/cciss/cciss!c0d0", &[("dev", "104:0"), ("size", "4096")]);
    let sysfs = Sysfs::at(root);
    (folder, sysfs)
}

#[test]
fn an_nvme_disk_tells_all() {
    let (_folder, sysfs) = machine();
    let disk = sysfs.device("nvme0n1").unwrap();
    assert_eq!(disk.number, DeviceNumber { major: 259, minor: 0 });
    assert_eq!(disk.size, Bytes(2_000_398_934_016));
    assert_eq!((disk.logical_block, disk.physical_block), (512, 4096));
    assert_eq!((disk.medium, disk.transport), (Medium::Solid, Transport::Nvme));
    assert_eq!(disk.label.model.as_deref(), Some("Quick 2TB"));
    assert_eq!(disk.label.serial.as_deref(), Some("Q123"));
    assert_eq!(disk.label.firmware.as_deref(), Some("1B2Q"));
    assert_eq!(disk.queue.scheduler.as_deref(), Some("none"));
    assert_eq!(disk.queue.device_depth, Some(1024));
    assert_eq!((disk.sequence, disk.numa_node), (Some(9), Some(0)));
    assert_eq!(disk.partitions, ["nvme0n1p1"]);
}

#[test]
fn a_partition_has_its_own_place_and_its_disks_queue() {
    let (_folder, sysfs) = machine();
    let part = sysfs.device("nvme0n1p1").unwrap();
    assert_eq!(part.kind, Kind::Partition);
    assert_eq!((part.start, part.size), (Bytes(4096 * 512), Bytes(2048 * 512)));
    assert_eq!(part.parent.as_deref(), Some("nvme0n1"));
    assert_eq!(part.physical_block, 4096);
    assert_eq!(part.label.model.as_deref(), Some("Quick 2TB"));
    assert_eq!(part.sequence, Some(9));
}

#[test]
fn stacks_are_walked_to_their_disks() {
    let (_folder, sysfs) = machine();
    assert_eq!(sysfs.members("dm-0"), ["sda", "sdb"]);
    let chain = |name: &str| -> Vec<String> {
        sysfs.chain(name).into_iter().map(|device| device.name).collect()
    };
    assert_eq!(chain("dm-0"), ["dm-0", "md0", "sda", "sdb"]);
    assert_eq!(chain("nvme0n1p1"), ["nvme0n1p1", "nvme0n1"]);
    assert_eq!(chain("gone"), [""; 0]);
    assert_eq!(sysfs.leaves("md0"), ["sda", "sdb"]);
    assert_eq!(sysfs.members("nvme0n1p1"), ["nvme0n1"]);
    assert_eq!(sysfs.leaves("nvme0n1p1"), ["nvme0n1p1"]);
    assert_eq!(sysfs.members("loop0"), ["loop0"]);
    assert_eq!(sysfs.device("sda").unwrap().holders, ["md0"]);
}

#[test]
fn kinds_and_transports() {
    let (_folder, sysfs) = machine();
    for (name, transport, node) in [
        ("sda", Transport::Ata, "/dev/sda"),
        ("md0", Transport::Software, "/dev/md0"),
        ("mmcblk0p1", Transport::Mmc, "/dev/mmcblk0p1"),
        ("zram0", Transport::Software, "/dev/zram0"),
        ("cciss!c0d0", Transport::Unknown, "/dev/cciss/c0d0"),
    ] {
        let device = sysfs.device(name).unwrap();
        assert_eq!((device.transport, device.node.to_str()), (transport, Some(node)), "{name}");
    }
    let kind = |name: &str| sysfs.device(name).unwrap().kind;
    assert!(matches!(kind("md0"), Kind::Md(Md { chunk: Some(Bytes(65536)), .. })));
    assert!(matches!(kind("dm-0"), Kind::Dm(dm) if dm.name.as_deref() == Some("vg-lv")));
    assert_eq!(kind("loop0"), Kind::Loop { backing: Some(PathBuf::from("/tmp/image")) });
    assert_eq!(kind("loop1"), Kind::Loop { backing: None });
    assert_eq!(kind("zram0"), Kind::Zram);
    assert_eq!(kind("mmcblk0"), Kind::Disk);
}

#[test]
fn devices_are_found_by_number_and_listed() {
    let (folder, sysfs) = machine();
    let number = DeviceNumber { major: 179, minor: 1 };
    assert_eq!(sysfs.device_numbered(number).unwrap().name, "mmcblk0p1");
    let missing = DeviceNumber { major: 1, minor: 99 };
    assert!(matches!(sysfs.device_numbered(missing), Err(DeviceError::Unknown(_))));
    assert_eq!(sysfs.devices().unwrap().len(), 12);
    let path = [("dev", "259:7"), ("size", "9"), ("hidden", "1")];
    add(folder.path(), "pci0000:00/nvme/nvme0/nvme0c0n1", &path);
    assert_eq!(sysfs.devices().unwrap().len(), 12);
}
