//! How many workers a device can serve side by side, whether its completions can be polled for,
//! and which NUMA node it hangs on.
//!
//! Reads sysfs only and must never open a device. What the kernel does not tell is not known: a
//! device that shows no hardware queues is not taken for one that has many. Tested on the trees of
//! [`super::block`], and in a guest with NVMe and `null_blk` devices that have queues to poll.

use std::fmt;

use thiserror::Error;

use super::block::{BlockDevice, Medium, Transport};
use super::sysfs::{Sysfs, entries};

/// What bounds the workers that a device can serve side by side.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Lanes {
    /// So many hardware queues, those of its members together.
    Queues(u32),
    /// So many of them that can be polled.
    Polled(u32),
    /// A disk turns in it, and has one arm.
    Turning,
    /// The kernel shows no queues of it.
    Untold,
}

impl Lanes {
    /// How many workers find a way of their own.
    pub fn count(self) -> u32 {
        match self {
            Self::Queues(count) | Self::Polled(count) => count.max(1),
            Self::Turning | Self::Untold => 1,
        }
    }
}

impl fmt::Display for Lanes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Queues(1) => f.pad("one hardware queue"),
            Self::Queues(count) => write!(f, "{count} hardware queues"),
            Self::Polled(1) => f.pad("one queue to poll"),
            Self::Polled(count) => write!(f, "{count} queues to poll"),
            Self::Turning => f.pad("a disk turns in it"),
            Self::Untold => f.pad("no hardware queues are shown"),
        }
    }
}

/// Why completions of a device can't be polled for.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum NotPolled {
    /// Its driver has such queues and was not asked for any.
    #[error(
        "{device} has no queues to poll, and ends its requests by interrupt; boot with \
         {module}.poll_queues=4 (or load {module} with poll_queues=4), or leave out --poll"
    )]
    NoQueues {
        /// Which device.
        device: String,
        /// Its driver.
        module: &'static str,
    },
    /// It is built on others and does not hand polling on.
    #[error(
        "{device} does not hand polling on to what it is built on ({below}); name one of those, \
         or leave out --poll"
    )]
    Stacked {
        /// Which device.
        device: String,
        /// What it is built on.
        below: String,
    },
    /// Its driver knows nothing of polling, as far as fathom knows.
    #[error(
        "{device} has no queues to poll, and ends its requests by interrupt; --poll is for NVMe \
         disks and the few others whose driver has poll_queues"
    )]
    NoDriver {
        /// Which device.
        device: String,
    },
    /// No block device is known to answer.
    #[error(
        "it is not known which block device answers, and so not whether it can be polled; name \
         the device itself, or leave out --poll"
    )]
    NoDevice,
}

impl Sysfs {
    /// What bounds the workers that a device can serve.
    pub fn lanes(&self, name: &str) -> Lanes {
        let Ok(device) = self.device(name) else { return Lanes::Untold };
        let members = self.members(name);
        let turns = |device: &BlockDevice| {
            // A hypervisor's disk says that it turns, whatever it is made of; what is made of
            // disks says what they say.
            let own = !matches!(device.transport, Transport::Virtual | Transport::Software);
            own && device.medium == Medium::Rotating
        };
        let disks = members.iter().filter_map(|member| self.device(member).ok());
        if turns(&device) || disks.into_iter().any(|disk| turns(&disk)) {
            return Lanes::Turning;
        }
        let disk = device.parent.as_deref().unwrap_or(name);
        let own = self.hardware_queues(disk);
        let below: u32 = members.iter().map(|member| self.hardware_queues(member)).sum();
        match if own > 0 { own } else { below } {
            0 => Lanes::Untold,
            count => Lanes::Queues(count),
        }
    }

    /// The same for workers that poll.
    ///
    /// # Errors
    /// [`NotPolled`] says why the device can't be polled, and what to do.
    pub fn polled_lanes(&self, name: &str) -> Result<Lanes, NotPolled> {
        let device = self.device(name).map_err(|_| NotPolled::NoDevice)?;
        let module = module(&device);
        // Since Linux 5.16 this is 1 where the driver made queues to poll, and can't be written.
        if device.queue.io_poll.is_none_or(|on| on == 0) {
            let (below, device) = (device.slaves.join(", "), device.name);
            return Err(match module {
                Some(module) => NotPolled::NoQueues { device, module },
                None if below.is_empty() => NotPolled::NoDriver { device },
                None => NotPolled::Stacked { device, below },
            });
        }
        // What the driver was asked for proves nothing by itself: it may be set when it is too
        // late, and a device may give fewer.
        let asked = module.and_then(|module| self.poll_queues(module)).filter(|&asked| asked > 0);
        Ok(match (asked, self.lanes(name)) {
            (Some(asked), Lanes::Queues(all)) => Lanes::Polled(asked.min(all)),
            (_, lanes) => lanes,
        })
    }

    /// The NUMA node that a device hangs on; that of its members, where all hang on one.
    pub fn node_of(&self, name: &str) -> Option<u32> {
        let own = |name: &str| self.device(name).ok()?.numa_node;
        own(name).or_else(|| {
            let members = self.members(name);
            let first = own(members.first()?)?;
            members.iter().all(|member| own(member) == Some(first)).then_some(first)
        })
    }

    /// The hardware queues of a disk. The head of an NVMe multipath disk has none of its own, but
    /// its paths have.
    fn hardware_queues(&self, disk: &str) -> u32 {
        let count = |disk: &str| {
            let queues = self.folder(disk).map(|folder| entries(&folder.join("mq")).len());
            u32::try_from(queues.unwrap_or(0)).unwrap_or(u32::MAX)
        };
        match count(disk) {
            0 => self.paths(disk).iter().map(|path| count(path)).max().unwrap_or(0),
            queues => queues,
        }
    }

    /// The paths of an NVMe multipath disk: `nvme0c1n1` leads to `nvme0n1`.
    fn paths(&self, disk: &str) -> Vec<String> {
        let Some((head, namespace)) = disk.rsplit_once('n').filter(|(head, _)| !head.is_empty())
        else {
            return Vec::new();
        };
        let leads = |name: &String| {
            let path = name.strip_prefix(head).and_then(|rest| rest.strip_prefix('c'));
            path.and_then(|path| path.split_once('n')).is_some_and(|(_, other)| other == namespace)
        };
        self.names().unwrap_or_default().into_iter().filter(leads).collect()
    }

    /// How many queues to poll a driver was asked for.
    fn poll_queues(&self, module: &str) -> Option<u32> {
        self.text(&format!("module/{module}/parameters/poll_queues"))?.parse().ok()
    }
}

/// The driver of a disk whose queues can be polled if it is asked for them.
fn module(device: &BlockDevice) -> Option<&'static str> {
    let disk = device.parent.as_ref().unwrap_or(&device.name);
    match device.transport {
        Transport::Nvme => Some("nvme"),
        Transport::Virtual if disk.starts_with("vd") => Some("virtio_blk"),
        Transport::Software if disk.starts_with("nullb") => Some("null_blk"),
        Transport::Ata
        | Transport::Sas
        | Transport::Iscsi
        | Transport::Scsi
        | Transport::Usb
        | Transport::Virtual
        | Transport::Mmc
        | Transport::Software
        | Transport::Unknown => None,
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::super::block::tests::{add, build_on, machine};
    use super::*;

    /// Two NVMe disks with queues, one of them on another node, arrays over them, a multipath
    /// disk, a virtual one and one without a device: beside those of [`machine`].
    fn fast(root: &Path) {
        let queues = |count: usize| (0..count).map(|queue| format!("mq/{queue}/cpu_list"));
        let disk = |folder: &str, dev: &str, count: usize, more: &[(&str, &str)]| {
            let queues: Vec<String> = queues(count).collect();
            let mut attributes = vec![("dev", dev), ("size", "4096"), ("queue/rotational", "0")];
            attributes.extend(queues.iter().map(|queue| (queue.as_str(), "0")));
            attributes.extend(more);
            add(root, folder, &attributes);
        };
        let pci = "pci0000:00/0000:00:02.0";
        let on = |node| ("device/numa_node", node);
        let poll = ("queue/io_poll", "1");
        disk(&format!("{pci}/nvme/nvme1/nvme1n1"), "259:8", 4, &[on("1"), poll]);
        disk(&format!("{pci}/nvme/nvme2/nvme2n1"), "259:9", 2, &[on("1")]);
        disk(&format!("{pci}/nvme/nvme3/nvme3n1"), "259:10", 3, &[on("0")]);
        let part = [("dev", "259:11"), ("size", "8"), ("start", "8"), ("partition", "1")];
        add(root, &format!("{pci}/nvme/nvme1/nvme1n1/nvme1n1p1"), &part);
        disk("virtual/nvme-subsystem/nvme-subsys7/nvme7n1", "259:12", 0, &[]);
        disk(&format!("{pci}/nvme/nvme7/nvme7c0n1"), "259:13", 8, &[]);
        disk(&format!("{pci}/nvme/nvme7/nvme7c1n1"), "259:14", 6, &[]);
        for (name, dev, members) in [
            ("md7", "9:7", ["nvme1n1", "nvme2n1"]),
            ("md8", "9:8", ["nvme1n1", "nvme3n1"]),
            ("md9", "9:9", ["nvme1n1", "sda"]),
        ] {
            disk(&format!("virtual/block/{name}"), dev, 0, &[("md/level", "raid0")]);
            for member in members {
                build_on(root, name, member);
            }
        }
        // A hypervisor's disk says that it turns.
        let turning = ("queue/rotational", "1");
        disk("pci0000:00/0000:00:05.0/virtio1/block/vda", "254:0", 2, &[turning]);
        std::fs::write(root.join("devices/pci0000:00/0000:00:05.0/numa_node"), "1\n").unwrap();
        disk("virtual/block/nullb0", "252:9", 1, &[]);
        let parameters = root.join("module/nvme/parameters");
        std::fs::create_dir_all(&parameters).unwrap();
        std::fs::write(parameters.join("poll_queues"), "2\n").unwrap();
    }

    #[test]
    fn queues_bound_the_workers_and_an_arm_is_one() {
        let (folder, sysfs) = machine();
        fast(folder.path());
        for (name, lanes, count) in [
            ("nvme1n1", Lanes::Queues(4), 4),
            ("nvme1n1p1", Lanes::Queues(4), 4),
            ("nvme0n1", Lanes::Untold, 1),
            ("nvme7n1", Lanes::Queues(8), 8),
            ("md7", Lanes::Queues(6), 6),
            ("md9", Lanes::Turning, 1),
            ("sda", Lanes::Turning, 1),
            ("dm-0", Lanes::Turning, 1),
            ("vda", Lanes::Queues(2), 2),
            ("zram0", Lanes::Untold, 1),
            ("gone", Lanes::Untold, 1),
        ] {
            let found = sysfs.lanes(name);
            assert_eq!((found, found.count()), (lanes, count), "{name}");
        }
    }

    #[test]
    fn a_device_hangs_on_the_node_of_all_its_members() {
        let (folder, sysfs) = machine();
        fast(folder.path());
        for (name, node) in [
            ("nvme1n1", Some(1)),
            ("nvme1n1p1", Some(1)),
            ("md7", Some(1)),
            ("md8", None),
            ("sda", None),
            ("vda", Some(1)),
        ] {
            assert_eq!(sysfs.node_of(name), node, "{name}");
        }
    }

    #[test]
    fn only_queues_that_can_be_polled_are_polled() {
        let (folder, sysfs) = machine();
        fast(folder.path());
        for name in ["nvme1n1", "nvme1n1p1"] {
            assert_eq!(sysfs.polled_lanes(name), Ok(Lanes::Polled(2)), "{name}");
        }
        for (name, said) in [
            ("nvme2n1", "nvme.poll_queues=4"),
            ("vda", "virtio_blk.poll_queues=4"),
            ("nullb0", "null_blk.poll_queues=4"),
            ("md7", "(nvme1n1, nvme2n1)"),
            ("sda", "is for NVMe disks"),
            ("gone", "not known which block device"),
        ] {
            let error = sysfs.polled_lanes(name).unwrap_err().to_string();
            assert!(error.contains(said), "{name}: {error}");
        }
    }
}
