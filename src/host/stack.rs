//! The parts of a block device's facts that differ by driver: what it is made of, how it is
//! attached, what its maker wrote on it, its queue, and what lies below it.
//!
//! Like [`super::block`] it reads sysfs only and must never open a device; tested there.

use std::fs;
use std::path::{Path, PathBuf};

use super::block::{Dm, Kind, Label, Md, Queue, Transport};
use super::sysfs::{Sysfs, entries, number, text};
use crate::unit::Bytes;

impl Sysfs {
    /// The devices at the bottom of a stack: the disks or partitions that a dm or md device is
    /// built on through all its layers; the device itself where it is built on none. A loop
    /// device is a bottom: what its file lies on is the file system's affair.
    pub fn leaves(&self, name: &str) -> Vec<String> {
        let mut leaves = Vec::new();
        self.collect_leaves(name, &mut leaves, 0);
        leaves
    }

    /// The whole disks at the bottom of a stack, each once; the disk itself for a partition.
    pub fn members(&self, name: &str) -> Vec<String> {
        let mut disks: Vec<String> = Vec::new();
        for leaf in self.leaves(name) {
            let disk = self.device(&leaf).ok().and_then(|device| device.parent).unwrap_or(leaf);
            if !disks.contains(&disk) {
                disks.push(disk);
            }
        }
        disks
    }

    /// A stack is at most a handful of layers deep; the bound holds should sysfs ever show a ring.
    fn collect_leaves(&self, name: &str, leaves: &mut Vec<String>, depth: u32) {
        let folder = self.folder(name);
        let slaves = |path: &Path| entries(&path.join("slaves"));
        let below = match &folder {
            Ok(folder) if folder.join("partition").exists() => {
                // A partition of a stacked device (md0p1) is built on what the whole is built on.
                folder.parent().map(slaves).unwrap_or_default()
            }
            Ok(folder) => slaves(folder),
            Err(_) => Vec::new(),
        };
        if below.is_empty() || depth == 16 {
            if !leaves.iter().any(|leaf| leaf == name) {
                leaves.push(name.to_owned());
            }
            return;
        }
        for slave in below {
            self.collect_leaves(&slave, leaves, depth + 1);
        }
    }
}

/// What a whole device is made of, by the folder that its driver adds or by its name.
pub(super) fn kind(name: &str, folder: &Path) -> Kind {
    if folder.join("md").is_dir() {
        return Kind::Md(md(&folder.join("md")));
    }
    if folder.join("dm").is_dir() {
        let dm = folder.join("dm");
        return Kind::Dm(Dm { name: text(&dm.join("name")), uuid: text(&dm.join("uuid")) });
    }
    if is_numbered(name, "loop") {
        let backing = text(&folder.join("loop/backing_file")).map(PathBuf::from);
        return Kind::Loop { backing };
    }
    match name {
        name if is_numbered(name, "zram") => Kind::Zram,
        name if is_numbered(name, "ram") => Kind::Ram,
        _ => Kind::Disk,
    }
}

fn is_numbered(name: &str, stem: &str) -> bool {
    name.strip_prefix(stem).is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_digit()))
}

fn md(folder: &Path) -> Md {
    Md {
        level: text(&folder.join("level")),
        chunk: number(&folder.join("chunk_size")).filter(|&bytes| bytes > 0).map(Bytes),
        disks: number(&folder.join("raid_disks")),
        degraded: number(&folder.join("degraded")),
        sync_action: text(&folder.join("sync_action")),
        sync_completed: text(&folder.join("sync_completed")).filter(|text| text != "none"),
    }
}

/// How a disk is attached, by the names of the folders on the way to it: each bus has its own.
pub(super) fn transport(disk: &Path) -> Transport {
    let hops: Vec<&str> = disk.iter().filter_map(|part| part.to_str()).collect();
    let any = |stem: &str| hops.iter().any(|hop| is_numbered(hop, stem));
    match () {
        () if any("nvme") || any("nvme-subsys") => Transport::Nvme,
        () if any("usb") => Transport::Usb,
        () if any("virtio") || any("vbd-") => Transport::Virtual,
        () if any("mmc") => Transport::Mmc,
        () if any("ata") => Transport::Ata,
        () if any("end_device-") => Transport::Sas,
        () if any("session") => Transport::Iscsi,
        () if any("host") => Transport::Scsi,
        () if hops.contains(&"virtual") => Transport::Software,
        () => Transport::Unknown,
    }
}

/// The NUMA node of a disk's controller. A bus writes it on the controller, which may be some
/// folders above the disk; −1 stands for none.
pub(super) fn numa_node(disk: &Path) -> Option<u32> {
    let device = disk.join("device");
    let above = disk.ancestors().take_while(|folder| !folder.ends_with("devices"));
    let own = [device.clone(), device.join("device")];
    let folders = own.iter().map(PathBuf::as_path).chain(above);
    folders.map(|folder| folder.join("numa_node")).find_map(|path| number(&path))
}

pub(super) fn label(disk: &Path) -> Label {
    let device = disk.join("device");
    let first = |names: &[&str]| names.iter().find_map(|name| text(&device.join(name)));
    // Of SATA disks the SCSI layer gives `ATA` as the vendor, of virtio disks a PCI number.
    let vendor = text(&device.join("vendor")).filter(|v| v != "ATA" && !v.starts_with("0x"));
    let model = first(&["model", "name"]).map(|model| match vendor {
        Some(vendor) if !model.starts_with(&vendor) => format!("{vendor} {model}"),
        _ => model,
    });
    Label {
        model: model.filter(|_| device.exists()),
        serial: first(&["serial"])
            .or_else(|| text(&disk.join("serial")))
            .or_else(|| scsi_serial(&device.join("vpd_pg80"))),
        firmware: first(&["firmware_rev", "rev", "fwrev"]),
    }
}

/// The unit serial number page of SCSI: four bytes of header, then text.
fn scsi_serial(page: &Path) -> Option<String> {
    let bytes = fs::read(page).ok()?;
    let text = String::from_utf8_lossy(bytes.get(4..)?).trim().to_owned();
    (!text.is_empty()).then_some(text)
}

pub(super) fn queue(disk: &Path) -> Queue {
    let queue = disk.join("queue");
    let kib = |name: &str| number::<u64>(&queue.join(name)).map(|kib| Bytes(kib * 1024));
    Queue {
        scheduler: text(&queue.join("scheduler")).map(|text| chosen(&text)),
        requests: number(&queue.join("nr_requests")),
        device_depth: number(&disk.join("device/queue_depth"))
            // NVMe gives the last index of a queue.
            .or_else(|| number::<u32>(&disk.join("device/sqsize")).map(|last| last + 1)),
        read_ahead: kib("read_ahead_kb"),
        write_cache: text(&queue.join("write_cache")),
        io_poll: number(&queue.join("io_poll")),
        largest_request: kib("max_sectors_kb"),
    }
}

/// The kernel brackets the choice that is in force: `none [mq-deadline] kyber`.
fn chosen(text: &str) -> String {
    let inside = text.split_once('[').and_then(|(_, rest)| rest.split_once(']'));
    inside.map_or(text, |(choice, _)| choice).to_owned()
}
