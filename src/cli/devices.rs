//! `fathom devices`: block devices, and whether writing to them is safe.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use super::screen::{self, Failure};
use crate::host::block::BlockDevice;
use crate::host::safety::{Examination, Examiner};
use crate::report;
use crate::unit::Bytes;

/// Arguments of `fathom devices`.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Nothing is opened for writing, and nothing is held: looking is always safe. What a device carries \
is found out by reading its first and last MiB, which mostly takes root.

Examples:
  fathom devices                  what there is
  fathom devices nvme0n1          all about one, and every reason not to overwrite it
  fathom devices /dev/disk/by-id/ata-WDC_WD40EFRX-68N32N0_WD-WCC7K0")]
pub(super) struct Arguments {
    /// Tell all about these devices: a path, or the kernel's name
    #[arg(value_name = "DEVICE")]
    devices: Vec<PathBuf>,
    /// Tell all about every device
    #[arg(short, long)]
    long: bool,
    /// List devices without capacity too, as loop devices without a file
    #[arg(short, long)]
    all: bool,
}

pub(super) fn execute(arguments: &Arguments) -> Result<ExitCode, Failure> {
    let examiner = Examiner::now();
    let (devices, named) = match arguments.devices.as_slice() {
        [] => (listed(&examiner)?, false),
        names => (resolve(&examiner, names)?, true),
    };
    let total = devices.len();
    let keep = |device: &BlockDevice| named || arguments.all || device.size > Bytes(0);
    let kept = devices.into_iter().filter(|(_, device)| keep(device));
    let found: Vec<Examination> =
        kept.map(|(path, device)| examiner.examine_device(&path, device)).collect();
    let text = if named || arguments.long {
        at_length(&examiner, &found)
    } else {
        report::devices::table(&found, total - found.len())
    };
    screen::print(&text)?;
    Ok(ExitCode::SUCCESS)
}

fn listed(examiner: &Examiner) -> Result<Vec<(PathBuf, BlockDevice)>, Failure> {
    let devices = examiner.sysfs().devices().map_err(|error| {
        Failure::run(format!("can't list block devices: {error}; is /sys mounted?"))
    })?;
    Ok(devices.into_iter().map(|device| (device.node.clone(), device)).collect())
}

/// All that can't be found is told at once.
fn resolve(examiner: &Examiner, names: &[PathBuf]) -> Result<Vec<(PathBuf, BlockDevice)>, Failure> {
    let (mut found, mut faults) = (Vec::new(), Vec::new());
    for name in names {
        let path = path_of(name);
        match examiner.sysfs().device_at(&path) {
            Ok(device) => found.push((path, device)),
            Err(error) => faults.push(error.to_string()),
        }
    }
    if faults.is_empty() { Ok(found) } else { Err(Failure::input(faults.join("\nerror: "))) }
}

/// `sda` stands for `/dev/sda`.
fn path_of(name: &Path) -> PathBuf {
    let bare = name.components().count() == 1 && name.is_relative() && !name.exists();
    if bare { Path::new("/dev").join(name) } else { name.to_owned() }
}

fn at_length(examiner: &Examiner, found: &[Examination]) -> String {
    let facts = found.iter().map(|examination| {
        let name = examination.device().map(|device| device.name.as_str()).unwrap_or_default();
        report::devices::facts(examination, &examiner.sysfs().members(name))
    });
    facts.collect::<Vec<_>>().join("\n\n")
}
