//! What a record keeps of what lies under a target, and what has to be said of it.
//!
//! Read where a run begins and again where it ends. Tested by hand, on arrays among others; what
//! it puts together is tested where it is made.

use std::path::PathBuf;

use crate::engine::target::{Target, TargetKind};
use crate::host::block::{BlockDevice, Kind};
use crate::host::{Environment, Filesystem, Sysfs};
use crate::record::serials::Serials;
use crate::record::{Difference, Header, Link, changes};
use crate::report::devices;

/// Where a target lies.
#[derive(Debug, Clone, Default)]
pub(super) struct Place {
    /// The block device that counts its I/O.
    device: Option<String>,
    /// A path on its file system; `None` for a device.
    file: Option<PathBuf>,
}

impl Place {
    /// That of an open target.
    pub(super) fn of(target: &Target) -> Self {
        let file = match target.kind {
            TargetKind::Device => None,
            TargetKind::File => target.path.clone(),
            TargetKind::Scratch => Some(PathBuf::from(".")),
        };
        Self { device: target.device.clone(), file }
    }

    /// What lies under it: the file system of a file, then each device down to the disks.
    pub(super) fn chain(&self) -> Vec<Link> {
        let sysfs = Sysfs::default();
        let filesystem = self.file.as_ref().and_then(|path| Filesystem::of(path).ok());
        let devices = self.device.iter().flat_map(|name| sysfs.chain(name));
        let devices = devices.map(|device| link(&device, &sysfs));
        filesystem.iter().map(mounted).chain(devices).collect()
    }
}

/// A file system as a link.
fn mounted(filesystem: &Filesystem) -> Link {
    let kind = filesystem.name.clone().unwrap_or_else(|| filesystem.kind.to_string());
    let at = filesystem.mounted_at.as_ref().map(|path| path.display().to_string());
    let facts = [
        ("type", Some(kind)),
        ("mounted at", at),
        ("mount options", filesystem.options.clone()),
        ("capacity", Some(filesystem.total.to_string())),
    ];
    let known = facts.into_iter().filter_map(|(name, value)| Some((name.to_owned(), value?)));
    Link { name: "file system".to_owned(), facts: known.collect() }
}

/// What a partition has of its own; the rest is its disk's, and told there.
const OF_PARTITION: [&str; 5] = ["size", "kind", "number", "part of", "used by"];

/// A device as a link.
fn link(device: &BlockDevice, sysfs: &Sysfs) -> Link {
    let lines = devices::lines(device, &sysfs.members(&device.name)).into_iter();
    let own = |name: &str| device.kind != Kind::Partition || OF_PARTITION.contains(&name);
    let mut facts: Vec<(String, String)> = lines
        .filter(|(name, _)| own(name))
        .map(|(name, value)| (name.to_owned(), value))
        .collect();
    if device.kind == Kind::Disk {
        let degrees = sysfs.temperature(&device.name);
        facts.extend(degrees.map(|degrees| ("temperature".to_owned(), format!("{degrees} °C"))));
    }
    Link { name: device.name.clone(), facts }
}

/// What has to be said of arrays under a target that are not whole, before anything is measured.
pub(super) fn incomplete(target: &Target) -> Vec<String> {
    let chain = target.device.iter().flat_map(|name| Sysfs::default().chain(name));
    chain.filter_map(|device| lacking(&device)).collect()
}

fn lacking(device: &BlockDevice) -> Option<String> {
    let Kind::Md(md) = &device.kind else { return None };
    let missing = md.degraded.filter(|missing| *missing > 0);
    let action = md.sync_action.as_ref().filter(|action| *action != "idle");
    let missing = missing.map(|missing| format!("{missing} of its disks missing"));
    let action = action.map(|action| format!("busy with {action}"));
    let words: Vec<String> = [missing, action, md.fault.clone()].into_iter().flatten().collect();
    (!words.is_empty()).then(|| format!("{} is {}", device.name, words.join(" and ")))
}

/// What of the environment is another now than the header says.
pub(super) fn changed<'a>(
    header: &Header,
    places: impl Iterator<Item = &'a Place>,
    serials: Option<&Serials>,
) -> Vec<Difference> {
    let mut chains: Vec<Vec<Link>> = places.map(Place::chain).collect();
    if let Some(serials) = serials {
        chains.iter_mut().for_each(|chain| serials.links(chain));
    }
    changes(header, &Environment::now(), &chains)
}
