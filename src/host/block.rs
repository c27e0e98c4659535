//! Block devices: what the kernel says of each, and how they are stacked.
//!
//! A [`BlockDevice`] is plain data, read once. This file must never open a device: all it knows
//! comes from sysfs, so an ordinary user can list devices that only root may read. Tested on
//! sysfs trees made by the tests (NVMe, SATA, md, dm, loop, names with `!`) and on the machine.

use std::fmt;
use std::io;
use std::path::{Path, PathBuf};

use super::node::{DeviceError, DeviceNumber, number_at};
use super::stack;
use super::sysfs::{Sysfs, entries, number, text};
use crate::unit::{Bytes, SECTOR};

/// What a device is made of.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Kind {
    /// A whole disk, real or virtual.
    Disk,
    /// A part of a disk.
    Partition,
    /// A software RAID.
    Md(Md),
    /// A device-mapper device: a logical volume, an opened LUKS container and so on.
    Dm(Dm),
    /// A file shown as a device; no file is attached where `backing` is `None`.
    Loop {
        /// The file, as the kernel names it.
        backing: Option<PathBuf>,
    },
    /// Compressed memory.
    Zram,
    /// Plain memory.
    Ram,
}

/// A software RAID.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Md {
    /// `raid0`, `raid5` …; `None` where the array is not running.
    pub level: Option<String>,
    /// The bytes of one chunk of a stripe.
    pub chunk: Option<Bytes>,
    /// How many disks it should have.
    pub disks: Option<u32>,
    /// How many of them are missing.
    pub degraded: Option<u32>,
    /// `idle`, `resync`, `recover`, `check` …
    pub sync_action: Option<String>,
    /// How far it is: `123 / 456` in sectors.
    pub sync_completed: Option<String>,
}

/// A device-mapper device.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Dm {
    /// The name under `/dev/mapper`.
    pub name: Option<String>,
    /// Begins with the maker: `LVM-…`, `CRYPT-LUKS2-…`.
    pub uuid: Option<String>,
}

/// What holds the bits.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Medium {
    /// It turns, or says so.
    Rotating,
    /// It says that it does not turn.
    Solid,
    /// It does not say.
    Unknown,
}

/// Whether the kernel lets a device be written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Access {
    /// Reads and writes.
    ReadWrite,
    /// Reads only.
    ReadOnly,
}

/// How a disk is attached.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Transport {
    /// NVMe, in the machine or over a network.
    Nvme,
    /// SATA or its parallel ancestor.
    Ata,
    /// Serial attached SCSI.
    Sas,
    /// SCSI over a network.
    Iscsi,
    /// Any other SCSI.
    Scsi,
    /// USB.
    Usb,
    /// A hypervisor's virtio or Xen disk.
    Virtual,
    /// A memory card or eMMC.
    Mmc,
    /// None: software, such as md, dm, loop and zram.
    Software,
    /// Not known.
    Unknown,
}

impl fmt::Display for Transport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::Nvme => "NVMe",
            Self::Ata => "SATA",
            Self::Sas => "SAS",
            Self::Iscsi => "iSCSI",
            Self::Scsi => "SCSI",
            Self::Usb => "USB",
            Self::Virtual => "virtual",
            Self::Mmc => "MMC",
            Self::Software => "software",
            Self::Unknown => "unknown",
        })
    }
}

/// What the maker wrote on it.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Label {
    /// The model, behind its vendor where that is a name.
    pub model: Option<String>,
    /// The serial number.
    pub serial: Option<String>,
    /// The version of its firmware.
    pub firmware: Option<String>,
}

/// The settings of a device's queue, all as the kernel sees them.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Queue {
    /// The I/O scheduler in use.
    pub scheduler: Option<String>,
    /// How many requests the block layer holds for each hardware queue.
    pub requests: Option<u32>,
    /// How many commands the device takes at once (for NVMe: on each of its queues).
    pub device_depth: Option<u32>,
    /// How far buffered readers read ahead.
    pub read_ahead: Option<Bytes>,
    /// `write back` or `write through`; a drive's own setting may differ.
    pub write_cache: Option<String>,
    /// Whether completions can be polled for.
    pub io_poll: Option<u32>,
    /// The largest request that reaches the driver in one piece.
    pub largest_request: Option<Bytes>,
}

/// Whether a disk has zones that must be written in order.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Zones {
    /// No zones.
    None,
    /// Zones that any order may write.
    HostAware,
    /// Zones that must be written in order.
    HostManaged,
}

/// One block device, as the kernel showed it when it was read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BlockDevice {
    /// The kernel's name, as sysfs spells it: `sda1`, `nvme0n1`, `cciss!c0d0`.
    pub name: String,
    /// Its node under `/dev`, where `!` is `/`.
    pub node: PathBuf,
    /// The kernel's number for it.
    pub number: DeviceNumber,
    /// What it is made of.
    pub kind: Kind,
    /// Its capacity.
    pub size: Bytes,
    /// Where a partition starts on its disk; 0 for all others.
    pub start: Bytes,
    /// The smallest unit that it addresses.
    pub logical_block: u32,
    /// The smallest unit that it writes without reading first.
    pub physical_block: u32,
    /// What holds the bits.
    pub medium: Medium,
    /// Whether it may be written.
    pub access: Access,
    /// How it is attached.
    pub transport: Transport,
    /// What its maker wrote on it.
    pub label: Label,
    /// Its queue.
    pub queue: Queue,
    /// Its zones.
    pub zones: Zones,
    /// The NUMA node of its controller.
    pub numa_node: Option<u32>,
    /// Counts attachments: two devices that had the same number differ in it.
    pub sequence: Option<u64>,
    /// The disk that a partition is a part of.
    pub parent: Option<String>,
    /// The devices that it is built on.
    pub slaves: Vec<String>,
    /// The devices that are built on it.
    pub holders: Vec<String>,
    /// Its partitions.
    pub partitions: Vec<String>,
}

impl Sysfs {
    /// All block devices of the machine, each disk followed by its partitions.
    ///
    /// # Errors
    /// Where sysfs can't be listed. A device that goes away meanwhile is left out.
    pub fn devices(&self) -> io::Result<Vec<BlockDevice>> {
        let names = self.names()?;
        let shown = names.iter().filter(|name| !self.is_hidden(name));
        Ok(shown.filter_map(|name| self.device(name).ok()).collect())
    }

    /// The single paths of an NVMe multipath disk have no nodes.
    fn is_hidden(&self, name: &str) -> bool {
        self.text(&format!("class/block/{name}/hidden")).as_deref() == Some("1")
    }

    /// A device by the kernel's name for it.
    ///
    /// # Errors
    /// [`DeviceError::Unknown`] where there is none.
    pub fn device(&self, name: &str) -> Result<BlockDevice, DeviceError> {
        let folder = self.folder(name)?;
        let unknown = || DeviceError::Unknown(name.to_owned());
        let number = text(&folder.join("dev"))
            .and_then(|text| DeviceNumber::parse(&text))
            .ok_or_else(unknown)?;
        let partition = folder.join("partition").exists();
        let disk = match folder.parent() {
            Some(parent) if partition => parent.to_owned(),
            _ => folder.clone(),
        };
        Ok(read_device(name, number, &folder, &disk))
    }

    /// A device by its number.
    ///
    /// # Errors
    /// [`DeviceError::Unknown`] where there is none.
    pub fn device_numbered(&self, number: DeviceNumber) -> Result<BlockDevice, DeviceError> {
        self.device(&self.name_of(number)?)
    }

    /// A device by any path that leads to its node: `/dev/sda`, a link under `/dev/disk/by-id`.
    ///
    /// # Errors
    /// [`DeviceError`] says what the path is instead.
    pub fn device_at(&self, path: &Path) -> Result<BlockDevice, DeviceError> {
        self.device_numbered(number_at(path)?)
    }
}

fn read_device(name: &str, number: DeviceNumber, folder: &Path, disk: &Path) -> BlockDevice {
    let queue = disk.join("queue");
    let partition = folder != disk;
    let block = |attribute: &str| self::number(&queue.join(attribute)).unwrap_or(512_u32);
    BlockDevice {
        name: name.to_owned(),
        node: Path::new("/dev").join(name.replace('!', "/")),
        number,
        kind: if partition { Kind::Partition } else { stack::kind(name, folder) },
        size: sectors(&folder.join("size")),
        start: if partition { sectors(&folder.join("start")) } else { Bytes(0) },
        logical_block: block("logical_block_size"),
        physical_block: block("physical_block_size"),
        medium: medium(&queue),
        access: match text(&folder.join("ro")).as_deref() {
            Some("1") => Access::ReadOnly,
            _ => Access::ReadWrite,
        },
        transport: stack::transport(disk),
        label: stack::label(disk),
        queue: stack::queue(disk),
        zones: zones(&queue),
        numa_node: stack::numa_node(disk),
        sequence: self::number(&disk.join("diskseq")),
        parent: partition.then(|| file_name(disk)).flatten(),
        slaves: entries(&folder.join("slaves")),
        holders: entries(&folder.join("holders")),
        partitions: if partition { Vec::new() } else { partitions(folder) },
    }
}

/// The kernel counts sizes and starts in sectors of 512 bytes, whatever the device's block is.
fn sectors(path: &Path) -> Bytes {
    Bytes(number::<u64>(path).unwrap_or(0).saturating_mul(SECTOR))
}

fn medium(queue: &Path) -> Medium {
    match text(&queue.join("rotational")).as_deref() {
        Some("1") => Medium::Rotating,
        Some("0") => Medium::Solid,
        _ => Medium::Unknown,
    }
}

fn zones(queue: &Path) -> Zones {
    match text(&queue.join("zoned")).as_deref() {
        Some("host-managed") => Zones::HostManaged,
        Some("host-aware") => Zones::HostAware,
        _ => Zones::None,
    }
}

fn partitions(folder: &Path) -> Vec<String> {
    entries(folder)
        .into_iter()
        .filter(|entry| folder.join(entry).join("partition").exists())
        .collect()
}

fn file_name(path: &Path) -> Option<String> {
    Some(path.file_name()?.to_str()?.to_owned())
}

#[cfg(test)]
pub(crate) mod tests;
