//! Block devices as a person reads them: a table that fits 80 columns, and all facts of one.
//!
//! Judges nothing: whether a device may be written was decided by [`crate::host::safety`]; this
//! file puts it in words. Tested by snapshots over devices made by the tests.

use std::fmt::Write as _;

use tabled::builder::Builder;
use tabled::settings::object::Columns;
use tabled::settings::style::HorizontalLine;
use tabled::settings::{Alignment, Padding, Style, Width};

use crate::host::block::{Access, BlockDevice, Kind, Medium, Transport, Zones};
use crate::host::safety::{Examination, Obstacle};
use crate::host::signature::Contents;
use crate::unit::Bytes;

/// The widest line of the table.
const WIDTH: usize = 80;
/// The widest model; longer ones are cut.
const MODEL: usize = 18;
/// The narrowest last column: it wraps rather than shrink below.
const VERDICT: usize = 20;

/// A table of devices, one a row, partitions under their disk; below it what its words mean, and
/// how many devices without capacity were left out. Examinations of files are no rows.
pub fn table(examined: &[Examination], left_out: usize) -> String {
    let devices: Vec<(&BlockDevice, &Examination)> =
        examined.iter().filter_map(|e| Some((e.device()?, e))).collect();
    if devices.is_empty() {
        return format!("No block devices with a capacity.{}", remark(left_out));
    }
    let mut builder = Builder::default();
    builder.push_record(["device", "size", "as sold", "kind", "model", "overwrite?"]);
    for (index, (device, examination)) in devices.iter().enumerate() {
        let next = devices.get(index + 1).map(|(next, _)| *next);
        builder.push_record(row(device, examination, next));
    }
    let mut table = builder.build();
    table
        .with(Style::empty().horizontals([(1, HorizontalLine::new('─'))]))
        .with(Padding::new(0, 2, 0, 0))
        .modify(Columns::new(1..3), Alignment::right())
        .modify(Columns::one(4), Width::truncate(MODEL).suffix("…"))
        .modify(Columns::last(), Padding::zero());
    let spare = WIDTH.saturating_sub(table.total_width());
    let verdict = devices.iter().map(|(_, e)| verdict(e).chars().count()).max().unwrap_or(0);
    if spare == 0 && verdict > VERDICT {
        let over = table.total_width() - WIDTH;
        let width = verdict.saturating_sub(over).max(VERDICT);
        table.modify(Columns::last(), Width::wrap(width).keep_words(true));
    }
    let lines: Vec<String> = table.to_string().lines().map(|l| l.trim_end().to_owned()).collect();
    format!("{}\n\n{}{}", lines.join("\n"), legend(&devices), remark(left_out))
}

fn row(device: &BlockDevice, examined: &Examination, next: Option<&BlockDevice>) -> [String; 6] {
    let branch = match (&device.parent, next.map(|next| &next.parent)) {
        (None, _) => "",
        (Some(parent), Some(Some(other))) if parent == other => "├─",
        (Some(_), _) => "└─",
    };
    let whole = device.parent.is_none();
    [
        format!("{branch}{}", device.name.replace('!', "/")),
        device.size.to_string(),
        if whole && device.size.0 >= 1_000_000_000 { as_sold(device.size) } else { String::new() },
        kind(device),
        if whole { model(device) } else { String::new() },
        verdict(examined),
    ]
}

/// What the user wants to know: may it be overwritten, and if not, why.
fn verdict(examined: &Examination) -> String {
    match (examined.obstacles.first(), &examined.contents) {
        (Some(obstacle @ Obstacle::Unreadable { .. }), _) => obstacle.short(),
        (Some(obstacle), _) => format!("no: {}", obstacle.short()),
        (None, Contents::Carries(found)) => {
            let words: Vec<&str> = found.iter().map(|finding| finding.signature.word()).collect();
            format!("holds {}", words.join(", "))
        }
        (None, Contents::Blank | Contents::Unread(_)) => "yes, blank".to_owned(),
    }
}

fn legend(devices: &[(&BlockDevice, &Examination)]) -> String {
    let any = |wanted: fn(&str) -> bool| devices.iter().any(|(_, e)| wanted(&verdict(e)));
    let mut text = String::new();
    if any(|verdict| verdict.starts_with("yes")) {
        text += "yes     nothing is in the way, both ends are blank: --overwrite DEVICE\n";
    }
    if any(|verdict| verdict.starts_with("holds")) {
        text += "holds   what it carries would be lost: --overwrite DEVICE --destroy WORD\n";
    }
    if any(|verdict| verdict.starts_with("can't")) {
        text += "can't   only a user who may read it, mostly root, learns what it carries\n";
    }
    text + "`fathom devices DEVICE` tells all about one. Reading is always safe."
}

fn remark(left_out: usize) -> String {
    match left_out {
        0 => String::new(),
        1 => "\n1 device without capacity is not shown; --all shows it.".to_owned(),
        n => format!("\n{n} devices without capacity are not shown; --all shows them."),
    }
}

/// As makers and shops count: powers of ten, three digits.
fn as_sold(size: Bytes) -> String {
    let (unit, name) = match size.0 {
        0..1_000_000 => (1e3, "kB"),
        1_000_000..1_000_000_000 => (1e6, "MB"),
        1_000_000_000..1_000_000_000_000 => (1e9, "GB"),
        _ => (1e12, "TB"),
    };
    let value = size.0 as f64 / unit;
    match value {
        v if v >= 99.95 => format!("{v:.0} {name}"),
        v if v >= 9.995 => format!("{v:.1} {name}"),
        v => format!("{v:.2} {name}"),
    }
}

/// `NVMe SSD`, `SATA HDD`, `md raid0`, `LVM`, `loop`, `partition`.
fn kind(device: &BlockDevice) -> String {
    match &device.kind {
        Kind::Disk => disk_kind(device),
        Kind::Partition => "partition".to_owned(),
        Kind::Md(md) => format!("md {}", md.level.as_deref().unwrap_or("inactive")),
        Kind::Dm(dm) => match dm.uuid.as_deref().and_then(|uuid| uuid.split('-').next()) {
            Some("LVM") => "LVM volume".to_owned(),
            Some("CRYPT") => "LUKS, open".to_owned(),
            Some("mpath") => "multipath".to_owned(),
            _ => "dm".to_owned(),
        },
        Kind::Loop { .. } => "loop".to_owned(),
        Kind::Zram => "zram".to_owned(),
        Kind::Ram => "RAM disk".to_owned(),
    }
}

/// A hypervisor's disk says that it turns, whatever it is made of: nothing is claimed of it.
fn disk_kind(device: &BlockDevice) -> String {
    let medium = match device.medium {
        Medium::Rotating => "HDD",
        Medium::Solid => "SSD",
        Medium::Unknown => "disk",
    };
    match device.transport {
        Transport::Virtual => "virtual disk".to_owned(),
        Transport::Software => "software".to_owned(),
        Transport::Mmc => "MMC".to_owned(),
        Transport::Unknown => medium.to_owned(),
        Transport::Nvme
        | Transport::Ata
        | Transport::Sas
        | Transport::Iscsi
        | Transport::Scsi
        | Transport::Usb => format!("{} {medium}", device.transport),
    }
}

fn model(device: &BlockDevice) -> String {
    match &device.kind {
        Kind::Md(_) => match device.slaves.len() {
            0 => String::new(),
            _ => format!("over {}", device.slaves.join(", ")),
        },
        Kind::Dm(dm) => dm.name.clone().unwrap_or_default(),
        Kind::Loop { backing: Some(file) } => {
            file.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default()
        }
        Kind::Disk | Kind::Partition | Kind::Loop { .. } | Kind::Zram | Kind::Ram => {
            device.label.model.clone().unwrap_or_default()
        }
    }
}

/// All that is known about one device, and all that stands in the way of writing to it.
pub fn facts(examined: &Examination, members: &[String]) -> String {
    let Some(device) = examined.device() else {
        return format!("{} is no device", examined.path.display());
    };
    let mut text = device.node.display().to_string();
    if examined.path != device.node {
        _ = write!(text, "  (named as {})", examined.path.display());
    }
    for (name, value) in lines(device, members) {
        _ = write!(text, "\n  {name:<15}{value}");
    }
    for (name, value) in contents(examined) {
        _ = write!(text, "\n  {name:<15}{value}");
    }
    _ = write!(text, "\n  {:<15}{}", "overwrite?", conclusion(examined));
    for obstacle in &examined.obstacles {
        _ = write!(text, "\n    - {obstacle}\n      remedy: {}", obstacle.remedy());
    }
    text
}

/// A fact: its name and its value.
pub type Line = (&'static str, String);

/// The facts of a device alone, as names and values: what a record keeps of it.
pub fn lines(device: &BlockDevice, members: &[String]) -> Vec<Line> {
    let mut lines: Vec<Line> = vec![
        ("size", format!("{} ({} bytes, {})", device.size, device.size.0, as_sold(device.size))),
        ("kind", kind(device)),
        ("number", device.number.to_string()),
        (
            "blocks",
            format!("{} B addressed, {} B physical", device.logical_block, device.physical_block),
        ),
    ];
    let label = &device.label;
    let mut add = |name, value: Option<String>| lines.extend(value.map(|value| (name, value)));
    add("model", label.model.clone());
    add("serial", label.serial.clone());
    add("firmware", label.firmware.clone());
    add("WWN", label.wwn.clone());
    add(
        "part of",
        device.parent.as_ref().map(|parent| format!("{parent}, from byte {}", device.start.0)),
    );
    add("partitions", joined(&device.partitions));
    add("built on", joined(&device.slaves));
    let told = members == device.slaves || members == [device.name.clone()];
    add("disks", joined(members).filter(|_| !told && device.parent.is_none()));
    add("used by", joined(&device.holders));
    lines.extend(stack_lines(&device.kind));
    lines.extend(queue_lines(device));
    lines
}

fn joined(names: &[String]) -> Option<String> {
    (!names.is_empty()).then(|| names.join(", "))
}

fn stack_lines(kind: &Kind) -> Vec<Line> {
    let mut lines: Vec<Line> = Vec::new();
    let mut add = |name, value: Option<String>| lines.extend(value.map(|value| (name, value)));
    match kind {
        Kind::Md(md) => {
            add("chunk", md.chunk.map(|chunk| chunk.to_string()));
            let missing = md.degraded.filter(|&missing| missing > 0).map(|missing| match missing {
                1 => "1 disk missing".to_owned(),
                n => format!("{n} disks missing"),
            });
            add("degraded", missing);
            add("sync", md.sync_action.clone());
            add("synced", md.sync_completed.as_ref().map(|done| format!("{done} sectors")));
            add("array state", md.fault.clone());
            let members = md.members.iter().map(|(disk, state)| format!("{disk} ({state})"));
            add("members", joined(&members.collect::<Vec<_>>()));
        }
        Kind::Dm(dm) => {
            add("name", dm.name.clone());
            add("uuid", dm.uuid.clone());
        }
        Kind::Loop { backing } => {
            add("shows file", backing.as_ref().map(|file| file.display().to_string()));
        }
        Kind::Disk | Kind::Partition | Kind::Zram | Kind::Ram => {}
    }
    lines
}

fn queue_lines(device: &BlockDevice) -> Vec<Line> {
    let queue = &device.queue;
    let mut lines: Vec<Line> = vec![("attached by", device.transport.to_string())];
    let mut add = |name, value: Option<String>| lines.extend(value.map(|value| (name, value)));
    add("driver", device.driver.clone());
    add("controller", device.controller.clone());
    add("link", device.link.clone());
    let rotational = match device.medium {
        Medium::Rotating => Some("yes"),
        Medium::Solid => Some("no"),
        Medium::Unknown => None,
    };
    add("rotational", rotational.map(str::to_owned));
    add("scheduler", queue.scheduler.clone());
    add(
        "queue",
        queue.requests.map(|n| match queue.device_depth {
            Some(depth) => format!("{n} requests, device takes {depth}"),
            None => format!("{n} requests"),
        }),
    );
    add("largest piece", queue.largest_request.map(|bytes| bytes.to_string()));
    add("read ahead", queue.read_ahead.map(|bytes| bytes.to_string()));
    add(
        "write cache",
        queue.write_cache.as_ref().map(|cache| format!("{cache}, as the kernel sees it")),
    );
    add("polling", queue.io_poll.filter(|&on| on > 0).map(|_| "possible".to_owned()));
    add("NUMA node", device.numa_node.map(|node| node.to_string()));
    add(
        "zones",
        match device.zones {
            Zones::None => None,
            Zones::HostAware => Some("written in any order".to_owned()),
            Zones::HostManaged => Some("must be written in order".to_owned()),
        },
    );
    add("access", (device.access == Access::ReadOnly).then(|| "read-only".to_owned()));
    lines
}

fn contents(examined: &Examination) -> Vec<Line> {
    let own = ("holds", told(&examined.contents));
    let parts =
        examined.parts.iter().map(|part| ("", format!("{}: {}", part.name, told(&part.contents))));
    std::iter::once(own).chain(parts).collect()
}

fn told(contents: &Contents) -> String {
    match contents {
        Contents::Blank => "nothing: both ends are blank".to_owned(),
        Contents::Unread(reason) => format!("can't look inside: {reason}"),
        Contents::Carries(found) => {
            let told = found.iter().map(|finding| {
                let (signature, offset) = (finding.signature, finding.offset);
                format!("{}, at byte {offset} ({signature})", signature.about())
            });
            told.collect::<Vec<_>>().join("\n                 ")
        }
    }
}

fn conclusion(examined: &Examination) -> String {
    let name = examined.path.display();
    let words: Vec<String> = examined
        .contents
        .findings()
        .iter()
        .map(|finding| format!(" --destroy {}", finding.signature))
        .collect();
    if examined.obstacles.is_empty() {
        format!("with --overwrite {name}{}", words.concat())
    } else {
        "no".to_owned()
    }
}

#[cfg(test)]
mod tests;
