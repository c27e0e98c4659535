//! Reads the kernel's view of block devices from sysfs, below a root that a test may replace.
//!
//! It must never write, and never take a missing attribute for a fault: kernels differ in what
//! they show, so an attribute that is not there is simply not known. Tested on trees of small
//! files made by the tests, through [`super::block`].

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::str::FromStr;

use super::node::{DeviceError, DeviceNumber};

/// A sysfs tree: `/sys` on a live machine.
#[derive(Debug, Clone)]
pub struct Sysfs {
    root: PathBuf,
}

impl Default for Sysfs {
    fn default() -> Self {
        Self::at("/sys")
    }
}

impl Sysfs {
    /// The tree below `root`.
    pub fn at(root: impl Into<PathBuf>) -> Self {
        Self { root: root.into() }
    }

    /// The tree's root.
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// The kernel's names of all block devices, disks and partitions, sorted so that `sda10`
    /// follows `sda9`.
    ///
    /// # Errors
    /// Where `class/block` can't be listed.
    pub fn names(&self) -> io::Result<Vec<String>> {
        let mut names = list(&self.root.join("class/block"))?;
        names.sort_by_cached_key(|name| natural_key(name));
        Ok(names)
    }

    /// The kernel's name of the device with a number, as sysfs spells it (`cciss!c0d0`).
    ///
    /// # Errors
    /// [`DeviceError::Unknown`] where no device has the number.
    pub fn name_of(&self, number: DeviceNumber) -> Result<String, DeviceError> {
        let link = self.root.join(format!("dev/block/{number}"));
        fs::read_link(link)
            .ok()
            .and_then(|target| Some(target.file_name()?.to_str()?.to_owned()))
            .ok_or_else(|| DeviceError::Unknown(number.to_string()))
    }

    /// The folder of a device; links in it are resolved, so that its parent is the disk's folder
    /// where the device is a partition.
    ///
    /// # Errors
    /// [`DeviceError::Unknown`] where there is no such device.
    pub fn folder(&self, name: &str) -> Result<PathBuf, DeviceError> {
        fs::canonicalize(self.root.join("class/block").join(name))
            .map_err(|_| DeviceError::Unknown(name.to_owned()))
    }

    /// A file below the root, trimmed; `None` where it is missing, empty or can't be read.
    pub(super) fn text(&self, path: &str) -> Option<String> {
        text(&self.root.join(path))
    }

    /// The entries of a folder below the root, sorted; none where there is no such folder.
    pub(super) fn entries(&self, path: &str) -> Vec<String> {
        entries(&self.root.join(path))
    }
}

/// An attribute, trimmed; `None` where it is missing, empty or can't be read.
pub(super) fn text(path: &Path) -> Option<String> {
    let bytes = fs::read(path).ok()?;
    let text = String::from_utf8_lossy(&bytes);
    let trimmed = text.trim_matches(|c: char| c.is_whitespace() || c == '\0');
    (!trimmed.is_empty()).then(|| trimmed.to_owned())
}

/// An attribute that is a number.
pub(super) fn number<T: FromStr>(path: &Path) -> Option<T> {
    text(path)?.parse().ok()
}

/// The entries of a folder, sorted; none where there is no such folder.
pub(super) fn entries(path: &Path) -> Vec<String> {
    let mut names = list(path).unwrap_or_default();
    names.sort_by_cached_key(|name| natural_key(name));
    names
}

fn list(path: &Path) -> io::Result<Vec<String>> {
    let entries = fs::read_dir(path)?;
    Ok(entries.flatten().filter_map(|entry| entry.file_name().into_string().ok()).collect())
}

/// Splits a name into its letters and numbers, so that numbers compare as numbers.
fn natural_key(name: &str) -> Vec<(String, u64)> {
    let mut parts: Vec<(String, u64)> = Vec::new();
    let (mut letters, mut digits) = (String::new(), String::new());
    for c in name.chars() {
        if c.is_ascii_digit() {
            digits.push(c);
        } else {
            if !digits.is_empty() {
                parts.push((std::mem::take(&mut letters), digits.parse().unwrap_or(u64::MAX)));
                digits.clear();
            }
            letters.push(c);
        }
    }
    parts.push((letters, digits.parse().unwrap_or(0)));
    parts
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_sort_as_a_person_counts() {
        let mut names = ["sda10", "sda9", "sda", "nvme10n1", "nvme2n1p1", "nvme2n1"];
        names.sort_by_cached_key(|name| natural_key(name));
        assert_eq!(names, ["nvme2n1", "nvme2n1p1", "nvme10n1", "sda", "sda9", "sda10"]);
    }

    #[test]
    fn a_live_machine_lists_its_devices_or_has_none() {
        // A container may hide sysfs: then the answer is an error, not a panic.
        _ = Sysfs::default().names();
    }
}
