//! What a record keeps of what lies under a target, and what has to be said of it.
//!
//! Read where a run begins and again where it ends. Tested by hand, on arrays among others; what
//! it puts together is tested where it is made.

use std::path::PathBuf;

use super::super::screen::Failure;
use crate::engine::target::{Target, TargetKind};
use crate::host::block::{BlockDevice, Kind, Md};
use crate::host::{Environment, Filesystem, Sysfs, environment};
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
    let mut facts: Vec<(String, String)> =
        lines.filter(|(name, _)| own(name)).map(|(name, value)| (name.to_owned(), value)).collect();
    if device.kind == Kind::Disk {
        let degrees = sysfs.temperature(&device.name);
        facts.extend(degrees.map(|degrees| ("temperature".to_owned(), format!("{degrees} °C"))));
    }
    Link { name: device.name.clone(), facts }
}

/// What has to be said of arrays under a target that are not whole, before anything is measured.
pub(super) fn incomplete(target: &Target) -> Vec<String> {
    let chain = target.device.iter().flat_map(|name| Sysfs::default().chain(name));
    let lacking = |device: BlockDevice| {
        let Kind::Md(md) = &device.kind else { return None };
        lacking(&device.name, md)
    };
    chain.filter_map(lacking).collect()
}

fn lacking(name: &str, md: &Md) -> Option<String> {
    let missing = md.degraded.filter(|missing| *missing > 0);
    let action =
        md.sync_action.as_ref().filter(|action| !["idle", "frozen"].contains(&action.as_str()));
    let missing = missing.map(|missing| format!("lacks {missing} of its disks"));
    let action = action.map(|action| format!("is busy with {action}"));
    let words: Vec<String> =
        [missing, action, md.fault.as_ref().map(|fault| format!("is {fault}"))]
            .into_iter()
            .flatten()
            .collect();
    (!words.is_empty()).then(|| format!("{name} {}", words.join(" and ")))
}

/// The header as it is kept where nobody is to see serial numbers, and what finds them.
///
/// # Errors
/// A [`Failure`] where a target's name holds one: it stands in every table.
pub(super) fn without_serials(header: Header) -> Result<(Header, Serials), Failure> {
    let serials = Serials::of(&header).and(environment::hostname());
    let told = header
        .targets
        .iter()
        .filter(|target| serials.text(target.name.as_str()) != target.name.as_str());
    let faults: Vec<String> = told
        .map(|target| {
            format!(
                "--no-serials: the name `{}` of a target tells what is to be left out; give it another: -t disk={}",
                target.name, target.spec
            )
        })
        .collect();
    if faults.is_empty() {
        Ok((serials.out_of(header), serials))
    } else {
        Err(Failure::input(faults.join("\n")))
    }
}

/// What of the environment is another now than the header says.
pub(super) fn changed<'a>(
    header: &Header,
    places: impl Iterator<Item = &'a Place>,
    serials: Option<&Serials>,
) -> Vec<Difference> {
    let mut chains: Vec<Vec<Link>> = places.map(Place::chain).collect();
    let mut machine = Environment::now();
    if let Some(serials) = serials {
        // A disk that is new among them has a number that the header did not know.
        let add = |serials: Serials, chain: &Vec<Link>| serials.and_those_of(chain);
        let serials = chains.iter().fold(serials.clone(), add);
        for chain in &mut chains {
            serials.links(chain);
        }
        serials.machine(&mut machine);
    }
    changes(header, &machine, &chains)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::tests::header;

    #[test]
    fn a_name_that_tells_a_serial_is_refused() {
        let mut header = header();
        let (kept, _) = without_serials(header.clone()).unwrap();
        assert!(kept.serials_hidden);
        header.targets[0].name = "disk_SERIAL-A".parse().unwrap();
        let refused = without_serials(header).unwrap_err().to_string();
        assert!(refused.contains("`disk_SERIAL-A`"), "{refused}");
        assert!(refused.contains("-t disk=/dev/md0"), "{refused}");
    }

    #[test]
    fn an_array_that_is_not_whole_is_told() {
        let told = |degraded, action: &str, fault: Option<&str>| {
            let fault = fault.map(str::to_owned);
            let sync_action = Some(action.to_owned());
            lacking("md0", &Md { degraded, sync_action, fault, ..Md::default() })
        };
        assert_eq!(told(Some(0), "idle", None), None);
        assert_eq!(told(None, "frozen", None), None);
        let text = "md0 lacks 1 of its disks and is busy with recover and is broken";
        assert_eq!(told(Some(1), "recover", Some("broken")).as_deref(), Some(text));
    }
}
