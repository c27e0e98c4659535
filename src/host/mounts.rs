//! What the system has mounted and swaps to, and which devices and files that uses.
//!
//! Pure over the text of `/proc/*/mountinfo` and `/proc/swaps`; only [`InUse::now`] reads them.
//! It must never decide by a name alone where a device number is to be had: one device has many
//! names. Tested by tables of such text.

use std::collections::BTreeSet;
use std::ffi::OsString;
use std::fs;
use std::os::unix::ffi::OsStringExt;
use std::path::{Path, PathBuf};

use super::node::{DeviceNumber, number_at};
use super::sysfs::Sysfs;

/// One line of a mount table.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Mount {
    /// The kernel's number of the mount.
    pub id: u64,
    /// The device number that files on it show; not a block device's for Btrfs and the like.
    pub number: DeviceNumber,
    /// Where it is mounted.
    pub at: PathBuf,
    /// The file system's type, `ext4`.
    pub filesystem: String,
    /// What is mounted: mostly a device's path.
    pub source: String,
    /// The options of the mount and of its file system, comma-separated.
    pub options: String,
}

impl Mount {
    /// Reads one line of mountinfo; `None` where it is none.
    pub(super) fn parse(line: &str) -> Option<Self> {
        let (before, after) = line.split_once(" - ")?;
        let fields: Vec<&str> = before.split(' ').collect();
        let mut tail = after.split(' ');
        let (filesystem, source) = (tail.next()?, tail.next()?);
        let options = match (fields.get(5)?, tail.next()) {
            (mount, Some(filesystem)) => format!("{mount},{filesystem}"),
            (mount, None) => (*mount).to_owned(),
        };
        Some(Self {
            id: fields.first()?.parse().ok()?,
            number: DeviceNumber::parse(fields.get(2)?)?,
            at: PathBuf::from(OsString::from_vec(unescape(fields.get(4)?))),
            filesystem: filesystem.to_owned(),
            source: String::from_utf8_lossy(&unescape(source)).into_owned(),
            options,
        })
    }

    /// The paths of block devices that the line names: its source (bcachefs joins several by a
    /// colon) and options such as `logdev=/dev/sdb`, an XFS journal elsewhere.
    fn device_paths(&self) -> impl Iterator<Item = &str> {
        let values = self.options.split(',').filter_map(|option| option.split_once('='));
        self.source
            .split(':')
            .chain(values.map(|(_, value)| value))
            .filter(|path| path.starts_with("/dev/"))
    }
}

/// The kernel writes space, tab, newline and backslash as three octal digits.
fn unescape(text: &str) -> Vec<u8> {
    let bytes = text.as_bytes();
    let (mut plain, mut at) = (Vec::with_capacity(bytes.len()), 0);
    while let Some(&byte) = bytes.get(at) {
        let digits = bytes.get(at + 1..at + 4).filter(|_| byte == b'\\');
        let code = digits
            .and_then(|digits| std::str::from_utf8(digits).ok())
            .and_then(|digits| u8::from_str_radix(digits, 8).ok());
        plain.push(code.unwrap_or(byte));
        at += if code.is_some() { 4 } else { 1 };
    }
    plain
}

/// Why a device counts as in use by the system.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Use {
    Mounted { at: PathBuf, filesystem: String },
    Swap,
}

/// What the system uses, at one moment.
#[derive(Debug, Clone, Default)]
pub struct InUse {
    /// This process's mount table.
    pub mounts: Vec<Mount>,
    devices: Vec<(DeviceNumber, Use)>,
    swap_files: Vec<PathBuf>,
}

impl InUse {
    /// What is in use now. The mount tables of other processes are read too where this user may:
    /// a container's mounts do not show in one's own.
    pub fn now(sysfs: &Sysfs) -> Self {
        let own = fs::read_to_string("/proc/self/mountinfo").unwrap_or_default();
        let swaps = fs::read_to_string("/proc/swaps").unwrap_or_default();
        let mut found = Self { mounts: mounts(&own), ..Self::default() };
        found.devices = found.mounts.iter().flat_map(|mount| uses(mount, sysfs)).collect();
        found.add_elsewhere(&elsewhere(), sysfs);
        found.add_swaps(&swaps);
        found
    }

    /// Most namespaces repeat what is mounted here: only devices that are not are news.
    fn add_elsewhere(&mut self, mounts: &[Mount], sysfs: &Sysfs) {
        let news = mounts.iter().flat_map(|mount| uses(mount, sysfs));
        let news = news.filter(|(number, _)| self.of(*number).is_empty());
        let told = news.map(|(number, used)| match used {
            Use::Mounted { at, filesystem } => {
                let filesystem = format!("{filesystem}, in another mount namespace");
                (number, Use::Mounted { at, filesystem })
            }
            Use::Swap => (number, Use::Swap),
        });
        let told: Vec<_> = told.collect();
        self.devices.extend(told);
    }

    fn add_swaps(&mut self, text: &str) {
        for line in text.lines().skip(1) {
            let mut fields = line.split_whitespace();
            let (Some(path), Some(kind)) = (fields.next(), fields.next()) else { continue };
            let path = PathBuf::from(OsString::from_vec(unescape(path)));
            match number_at(&path) {
                Ok(number) if kind == "partition" => self.devices.push((number, Use::Swap)),
                _ => self.swap_files.push(path),
            }
        }
    }

    /// How a device is used, once for each way.
    pub(super) fn of(&self, number: DeviceNumber) -> Vec<&Use> {
        let mut uses: Vec<&Use> = Vec::new();
        for (device, used) in &self.devices {
            if *device == number && !uses.contains(&used) {
                uses.push(used);
            }
        }
        uses
    }

    /// The files that are swapped to.
    pub(super) fn swap_files(&self) -> &[PathBuf] {
        &self.swap_files
    }

    /// For tests of what builds on this: a device mounted or swapped to.
    #[cfg(test)]
    pub(super) fn with(number: DeviceNumber, used: Use) -> Self {
        Self { devices: vec![(number, used)], ..Self::default() }
    }
}

/// Reads the text of a mount table; lines that are none are skipped.
pub(super) fn mounts(text: &str) -> Vec<Mount> {
    text.lines().filter_map(Mount::parse).collect()
}

/// The mounts of other mount namespaces, each namespace read once.
fn elsewhere() -> Vec<Mount> {
    let mut seen: BTreeSet<PathBuf> = fs::read_link("/proc/self/ns/mnt").into_iter().collect();
    let processes = fs::read_dir("/proc").into_iter().flatten().flatten();
    let mut found = Vec::new();
    for process in processes.map(|entry| entry.path()) {
        let Ok(space) = fs::read_link(process.join("ns/mnt")) else { continue };
        if seen.insert(space) {
            let text = fs::read_to_string(process.join("mountinfo")).unwrap_or_default();
            found.extend(mounts(&text));
        }
    }
    found
}

/// The devices that a mount uses: by the number of its files, by the paths it names, and for
/// Btrfs all devices of the file system, of which the table names only one.
fn uses(mount: &Mount, sysfs: &Sysfs) -> Vec<(DeviceNumber, Use)> {
    let mut numbers = vec![mount.number];
    numbers.extend(mount.device_paths().filter_map(|path| number_at(Path::new(path)).ok()));
    if mount.filesystem == "btrfs" {
        numbers.extend(btrfs_siblings(sysfs, &numbers));
    }
    let used = Use::Mounted { at: mount.at.clone(), filesystem: mount.filesystem.clone() };
    numbers.into_iter().map(|number| (number, used.clone())).collect()
}

fn btrfs_siblings(sysfs: &Sysfs, known: &[DeviceNumber]) -> Vec<DeviceNumber> {
    let names = |uuid: &String| sysfs.entries(&format!("fs/btrfs/{uuid}/devices"));
    let number = |name: &String| Some(sysfs.device(name).ok()?.number);
    let groups = sysfs
        .entries("fs/btrfs")
        .into_iter()
        .map(|uuid| names(&uuid).iter().filter_map(number).collect::<Vec<_>>());
    groups.filter(|group| group.iter().any(|n| known.contains(n))).flatten().collect()
}

#[cfg(test)]
mod tests {
    use super::super::block::tests::{add, machine};
    use super::*;
    use std::os::unix::fs::symlink;

    #[test]
    fn lines_are_read() {
        let line =
            r"36 35 98:0 /sub /mnt\040two rw,noatime master:1 - ext4 /dev/root rw,errors=continue";
        let mount = Mount::parse(line).unwrap();
        assert_eq!((mount.id, mount.number), (36, DeviceNumber { major: 98, minor: 0 }));
        assert_eq!(mount.at, Path::new("/mnt two"));
        assert_eq!((mount.filesystem.as_str(), mount.source.as_str()), ("ext4", "/dev/root"));
        assert_eq!(mount.options, "rw,noatime,rw,errors=continue");
        let sparse = Mount::parse("25 24 0:23 / /dev/shm rw - tmpfs tmpfs rw").unwrap();
        assert_eq!(sparse.filesystem, "tmpfs");
        assert_eq!(Mount::parse("nonsense"), None);
    }

    #[test]
    fn paths_in_a_line_are_devices_too() {
        for (line, expected) in [
            ("1 1 8:1 / / rw - xfs /dev/sda1 rw,logdev=/dev/sdb1,rtdev=/dev/sdc", 3),
            ("1 1 0:40 / / rw - bcachefs /dev/sda:/dev/sdb rw", 2),
            ("1 1 0:40 / / rw - nfs host:/dev/x rw", 1),
            ("1 1 0:40 / / rw - overlay overlay rw,lowerdir=/a", 0),
        ] {
            assert_eq!(Mount::parse(line).unwrap().device_paths().count(), expected, "{line}");
        }
    }

    #[test]
    fn all_devices_of_a_btrfs_are_in_use() {
        let (folder, sysfs) = machine();
        add(folder.path(), "x/sdx", &[("dev", "65:0")]);
        let devices = folder.path().join("fs/btrfs/1234/devices");
        fs::create_dir_all(&devices).unwrap();
        for name in ["sda", "sdb"] {
            symlink(folder.path().join("class/block").join(name), devices.join(name)).unwrap();
        }
        let siblings = btrfs_siblings(&sysfs, &[DeviceNumber { major: 8, minor: 0 }]);
        assert_eq!(siblings.len(), 2);
        assert!(siblings.contains(&DeviceNumber { major: 8, minor: 16 }));
        assert!(btrfs_siblings(&sysfs, &[DeviceNumber { major: 65, minor: 0 }]).is_empty());
    }

    #[test]
    fn other_namespaces_tell_only_news() {
        let (_folder, sysfs) = machine();
        let (here, there) =
            (DeviceNumber { major: 8, minor: 0 }, DeviceNumber { major: 8, minor: 16 });
        let used = Use::Mounted { at: "/".into(), filesystem: "ext4".into() };
        let mut found = InUse::with(here, used.clone());
        let table = "1 1 8:0 / /again rw - ext4 none rw\n2 1 8:16 / /data rw - xfs none rw\n";
        found.add_elsewhere(&mounts(table), &sysfs);
        assert_eq!(found.of(here), [&used]);
        let filesystem = "xfs, in another mount namespace".to_owned();
        assert_eq!(found.of(there), [&Use::Mounted { at: "/data".into(), filesystem }]);
    }

    #[test]
    fn swap_files_are_listed() {
        let mut used = InUse::default();
        used.add_swaps("Filename Type Size Used Priority\n/swap\\040file file 1 0 -2\n");
        assert_eq!(used.swap_files(), [PathBuf::from("/swap file")]);
        assert!(used.of(DeviceNumber { major: 8, minor: 0 }).is_empty());
    }
}
