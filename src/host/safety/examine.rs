//! Finds out what a target is, what stands in the way of writing to it and what it carries.
//!
//! Opens devices for reading only and never exclusively; changes nothing. Tested in
//! [`super`].

use std::fs::{self, File};
use std::io;
use std::os::unix::fs::FileExt;
use std::path::{Path, PathBuf};

use rustix::fs::{AtFlags, CWD, StatxAttributes, StatxFlags};

use super::obstacle::Obstacle;
use super::{Identity, Refusal};
use crate::host::DeviceNumber;
use crate::host::block::{Access, BlockDevice, Dm, Kind, Zones};
use crate::host::loops::shown;
use crate::host::mounts::{InUse, Use};
use crate::host::node::{DeviceError, kind_word};
use crate::host::signature::{Contents, Signature, Unread, scan};
use crate::host::sysfs::Sysfs;
use crate::unit::Bytes;

/// What was examined.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Subject {
    /// A block device.
    Device(Box<BlockDevice>),
    /// A regular file.
    File {
        /// How long it is.
        size: Bytes,
    },
}

/// What a partition of an examined disk carries.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PartContents {
    /// The partition's name.
    pub name: String,
    /// What it carries.
    pub contents: Contents,
}

/// All that was found out about a target.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Examination {
    /// The path that was examined.
    pub path: PathBuf,
    /// What it is.
    pub subject: Subject,
    /// All that forbids writing, the most telling first.
    pub obstacles: Vec<Obstacle>,
    /// What it carries. Of a file it is for display only: naming the file is enough.
    pub contents: Contents,
    /// What its partitions carry.
    pub parts: Vec<PartContents>,
    pub(super) identity: Identity,
}

impl Examination {
    /// The device that was examined; `None` for a file.
    pub fn device(&self) -> Option<&BlockDevice> {
        match &self.subject {
            Subject::Device(device) => Some(device),
            Subject::File { .. } => None,
        }
    }
}

/// Looks at the system once and then examines any number of targets.
#[derive(Debug)]
pub struct Examiner {
    sysfs: Sysfs,
    in_use: InUse,
    loops: Vec<Loop>,
}

/// A loop device and what it shows.
#[derive(Debug)]
struct Loop {
    name: String,
    file: PathBuf,
    identity: Option<Identity>,
}

/// Examines one target.
///
/// # Errors
/// [`Refusal::Target`] where the path leads to neither a file nor a block device.
pub fn examine(path: &Path) -> Result<Examination, Refusal> {
    Examiner::now().examine(path)
}

impl Examiner {
    /// Looks at the system as it is now.
    pub fn now() -> Self {
        let sysfs = Sysfs::default();
        let in_use = InUse::now(&sysfs);
        Self::new(sysfs, in_use)
    }

    /// Judges by a tree of device facts and a list of what is in use that were made elsewhere.
    pub fn new(sysfs: Sysfs, in_use: InUse) -> Self {
        let loops = sysfs.names().unwrap_or_default().into_iter().filter_map(|name| {
            let device = sysfs.device(&name).ok()?;
            let Kind::Loop { backing: Some(file) } = device.kind else {
                return None;
            };
            // A tree of facts that stands for a machine has no nodes: its paths are the truth.
            let told =
                if sysfs.root() == Sysfs::default().root() { shown(&device.node) } else { None };
            let identity = match told {
                Some((_, _, number @ 1..)) => Some(Identity::Device {
                    number: DeviceNumber::from_dev(number),
                    sequence: None,
                }),
                Some((device, inode, 0)) => Some(Identity::File { device, inode }),
                None => fs::metadata(&file).ok().map(|meta| Identity::of(&meta)),
            };
            Some(Loop { name, file, identity })
        });
        Self { loops: loops.collect(), sysfs, in_use }
    }

    /// The tree that device facts come from.
    pub fn sysfs(&self) -> &Sysfs {
        &self.sysfs
    }

    /// Examines a target.
    ///
    /// # Errors
    /// [`Refusal::Target`] where the path leads to neither a file nor a block device.
    pub fn examine(&self, path: &Path) -> Result<Examination, Refusal> {
        match fs::metadata(path) {
            Ok(meta) if meta.is_file() => Ok(self.examine_file(path, &meta)),
            _ => match self.sysfs.device_at(path) {
                Ok(device) => Ok(self.examine_device(path, device)),
                Err(DeviceError::NotBlock { path: shown, .. }) => {
                    let kind = fs::metadata(path).map_or("nothing", |m| kind_word(m.file_type()));
                    Err(DeviceError::NotTarget { path: shown, kind }.into())
                }
                Err(error) => Err(error.into()),
            },
        }
    }

    /// Examines a block device.
    pub fn examine_device(&self, path: &Path, device: BlockDevice) -> Examination {
        let mut walk = Walk { examiner: self, seen: Vec::new(), found: Vec::new() };
        walk.around(&device);
        let mut obstacles = walk.found;
        obstacles.extend(self.limits(&device));
        let (contents, parts) = self.look_inside(path, &device);
        let name = || device.node.display().to_string();
        if let Contents::Unread(reason) = &contents {
            obstacles.push(Obstacle::Unreadable { device: name(), reason: reason.clone() });
        }
        let carries = |wanted| contents.findings().iter().any(|f| f.signature == wanted);
        if carries(Signature::Zfs) && self.sysfs.root().join("module/zfs").exists() {
            obstacles.push(Obstacle::ZfsLoaded { device: name() });
        }
        obstacles.sort_by_key(rank);
        let identity = Identity::Device { number: device.number, sequence: device.sequence };
        let subject = Subject::Device(Box::new(device));
        Examination { path: path.to_owned(), subject, obstacles, contents, parts, identity }
    }

    /// What the device itself can't do.
    fn limits(&self, device: &BlockDevice) -> Vec<Obstacle> {
        let name = || device.node.display().to_string();
        let parent = device.parent.as_ref().and_then(|parent| self.sysfs.device(parent).ok());
        let locked = |device: &BlockDevice| device.access == Access::ReadOnly;
        let mut found = Vec::new();
        if locked(device) || parent.as_ref().is_some_and(locked) {
            found.push(Obstacle::ReadOnly { device: name() });
        }
        if device.zones == Zones::HostManaged {
            found.push(Obstacle::Zoned { device: name() });
        }
        if device.size == Bytes(0) {
            found.push(Obstacle::Empty { device: name() });
        }
        found
    }

    /// Reads both ends of a device, and of its partitions through it.
    fn look_inside(&self, path: &Path, device: &BlockDevice) -> (Contents, Vec<PartContents>) {
        if device.size == Bytes(0) {
            return (Contents::Blank, Vec::new());
        }
        if self.sysfs.text(&format!("class/block/{}/dm/suspended", device.name)).as_deref()
            == Some("1")
        {
            return (Contents::Unread(Unread::Suspended), Vec::new());
        }
        let file = match File::open(path) {
            Ok(file) => file,
            Err(error) => return (Contents::Unread(Unread::from_error(&error)), Vec::new()),
        };
        let part = |name: &String| {
            let part = self.sysfs.device(name).ok()?;
            let contents = scan_at(&file, part.start.0, part.size.0);
            Some(PartContents { name: part.name, contents })
        };
        let parts = device.partitions.iter().filter_map(part).collect();
        (scan_at(&file, 0, device.size.0), parts)
    }

    fn examine_file(&self, path: &Path, meta: &fs::Metadata) -> Examination {
        let identity = Identity::of(meta);
        let same = |other: &Path| fs::metadata(other).is_ok_and(|m| Identity::of(&m).is(identity));
        let mut obstacles = Vec::new();
        if self.in_use.swap_files().iter().any(|file| same(file)) {
            obstacles.push(Obstacle::Swap { device: path.display().to_string() });
        }
        // A loop device whose file can't be told apart may show this very one.
        let real = self.sysfs.root() == Sysfs::default().root();
        let shows = |l: &&Loop| l.identity.map_or(real, |shown| shown.is(identity));
        for holder in self.loops.iter().filter(shows) {
            let (device, holder) = (path.display().to_string(), holder.name.clone());
            obstacles.push(Obstacle::LoopBacking { device, holder });
        }
        if rustix::fs::access(path, rustix::fs::Access::WRITE_OK) == Err(rustix::io::Errno::ROFS) {
            obstacles.push(Obstacle::ReadOnly { device: path.display().to_string() });
        }
        obstacles.extend(protected(path));
        let contents = match File::open(path) {
            Ok(file) => scan_at(&file, 0, meta.len()),
            Err(error) => Contents::Unread(Unread::from_error(&error)),
        };
        let (path, subject) = (path.to_owned(), Subject::File { size: Bytes(meta.len()) });
        Examination { path, subject, obstacles, contents, parts: Vec::new(), identity }
    }
}

fn scan_at(file: &File, start: u64, size: u64) -> Contents {
    scan(size, |offset, buffer| -> io::Result<()> { file.read_exact_at(buffer, start + offset) })
}

/// Attributes that keep even root from changing a file.
fn protected(path: &Path) -> Option<Obstacle> {
    let stat = rustix::fs::statx(CWD, path, AtFlags::empty(), StatxFlags::BASIC_STATS).ok()?;
    let set = |attribute| stat.stx_attributes.contains(attribute);
    let attribute = match () {
        () if set(StatxAttributes::IMMUTABLE) => "immutable",
        () if set(StatxAttributes::APPEND) => "append-only",
        () => return None,
    };
    Some(Obstacle::Protected { file: path.to_owned(), attribute })
}

/// What a person most wants to know comes first: it is what a table has room for.
fn rank(obstacle: &Obstacle) -> u8 {
    match obstacle {
        Obstacle::Mounted { .. } => 0,
        Obstacle::Swap { .. } => 1,
        Obstacle::Held { .. } => 2,
        Obstacle::LoopBacking { .. } => 3,
        Obstacle::ZfsLoaded { .. } => 4,
        Obstacle::Empty { .. } => 5,
        Obstacle::ReadOnly { .. } => 6,
        Obstacle::Zoned { .. } => 7,
        Obstacle::Protected { .. } => 8,
        Obstacle::Unreadable { .. } => 9,
    }
}

/// Follows a device to all that shares its bytes.
struct Walk<'a> {
    examiner: &'a Examiner,
    seen: Vec<String>,
    found: Vec<Obstacle>,
}

impl Walk<'_> {
    /// Upwards all that lies in it or is built on it; of the disk that it is a part of, and of
    /// what it is built on, only direct use: their other parts and volumes are not its affair.
    fn around(&mut self, device: &BlockDevice) {
        self.up(&device.name);
        let sysfs = &self.examiner.sysfs;
        if let Some(parent) = device.parent.as_ref().and_then(|name| sysfs.device(name).ok()) {
            self.uses(&parent);
            self.built_on(&parent);
        }
        for leaf in sysfs.leaves(&device.name) {
            if let Ok(leaf) = sysfs.device(&leaf) {
                self.uses(&leaf);
                self.loops_over(&leaf);
            }
        }
        if let Kind::Loop { backing: Some(file) } = &device.kind {
            self.below_loop(&device.name, file);
        }
    }

    fn up(&mut self, name: &str) {
        if self.seen.iter().any(|seen| seen == name) {
            return;
        }
        self.seen.push(name.to_owned());
        let Ok(device) = self.examiner.sysfs.device(name) else { return };
        self.uses(&device);
        self.built_on(&device);
        for part in &device.partitions {
            self.up(part);
        }
    }

    /// Mounts and swap of just this device.
    fn uses(&mut self, device: &BlockDevice) {
        let name = || device.node.display().to_string();
        for used in self.examiner.in_use.of(device.number) {
            self.add(match used {
                Use::Swap => Obstacle::Swap { device: name() },
                Use::Mounted { at, filesystem } => Obstacle::Mounted {
                    device: name(),
                    at: at.clone(),
                    filesystem: filesystem.clone(),
                },
            });
        }
    }

    /// What is built on just this device, and all that is built on that.
    fn built_on(&mut self, device: &BlockDevice) {
        for holder in &device.holders {
            let what = match self.examiner.sysfs.device(holder) {
                Ok(holder) => describe(&holder),
                Err(_) => "another device".to_owned(),
            };
            let (device, holder) = (device.node.display().to_string(), holder.clone());
            self.add(Obstacle::Held { device, holder: holder.clone(), what });
            self.up(&holder);
        }
        self.loops_over(device);
    }

    /// A loop device over a block device shows neither as its holder nor to `O_EXCL`.
    fn loops_over(&mut self, device: &BlockDevice) {
        let identity = Identity::Device { number: device.number, sequence: None };
        let over = |l: &&Loop| l.identity.is_some_and(|i| i.is(identity));
        for holder in self.examiner.loops.iter().filter(over) {
            if !self.seen.contains(&holder.name) {
                let device = device.node.display().to_string();
                self.add(Obstacle::LoopBacking { device, holder: holder.name.clone() });
                self.up(&holder.name);
            }
        }
    }

    /// What shares the file or device that a loop device shows.
    fn below_loop(&mut self, name: &str, file: &Path) {
        let identity = fs::metadata(file).ok().map(|meta| Identity::of(&meta));
        for other in self.examiner.loops.iter().filter(|other| other.name != name) {
            let same = other.file == file || (identity.is_some() && other.identity == identity);
            if same && !self.seen.contains(&other.name) {
                let device = file.display().to_string();
                self.add(Obstacle::LoopBacking { device, holder: other.name.clone() });
                self.up(&other.name);
            }
        }
        let same = |path: &PathBuf| fs::metadata(path).ok().map(|m| Identity::of(&m)) == identity;
        if identity.is_some() && self.examiner.in_use.swap_files().iter().any(same) {
            self.add(Obstacle::Swap { device: file.display().to_string() });
        }
        if let Some(Identity::Device { number, .. }) = identity
            && let Ok(below) = self.examiner.sysfs.device_numbered(number)
        {
            self.up(&below.name);
        }
    }

    fn add(&mut self, obstacle: Obstacle) {
        if !self.found.contains(&obstacle) {
            self.found.push(obstacle);
        }
    }
}

/// What a holder is, its maker first: `md raid1`, `LVM vg-root`, `LUKS secret`.
fn describe(device: &BlockDevice) -> String {
    match &device.kind {
        Kind::Md(md) => format!("md {}", md.level.as_deref().unwrap_or("not running")),
        Kind::Dm(Dm { name, uuid }) => {
            let maker = match uuid.as_deref().and_then(|uuid| uuid.split('-').next()) {
                Some("LVM") => "LVM",
                Some("CRYPT") => "LUKS",
                Some("mpath") => "multipath",
                _ => "device-mapper",
            };
            format!("{maker} {}", name.as_deref().unwrap_or(&device.name))
        }
        Kind::Disk if device.name.starts_with("bcache") => "bcache".to_owned(),
        Kind::Disk | Kind::Partition | Kind::Loop { .. } | Kind::Zram | Kind::Ram => {
            "another device".to_owned()
        }
    }
}
