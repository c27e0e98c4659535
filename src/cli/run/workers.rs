//! The workers of each target: how many, and on which CPUs; and whether it can be polled. Settled
//! before the first point, from what the device and this process's CPUs are, so that a machine
//! that has not changed settles it the same way again.

use std::path::Path;

use super::arguments::{Arguments, EngineChoice};
use crate::engine::target::Target;
use crate::engine::uring;
use crate::host::affinity::name;
use crate::host::{Cpus, Filesystem, Lanes, NotPolled, Sysfs};
use crate::plan::{NamedTarget, Plan, TargetSpec, Workers};
use crate::record::RunTarget;

/// How a target is reached, and by which block device.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Reached<'a> {
    /// By a ring for each worker.
    Ring(Option<&'a str>),
    /// The same, and completions are polled for.
    Polled(&'a str),
    /// By a thread for each request in flight.
    Threads,
    /// There is no device.
    Null,
}

/// The workers of a target.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Settled {
    /// The most at any depth.
    pub(super) workers: u16,
    /// The CPUs that they are held to, in their order; empty leaves them to the kernel.
    pub(super) cpus: Vec<u32>,
    /// What decided their number, where anything did.
    why: Option<String>,
    /// What has to be said beside the numbers.
    note: Option<String>,
}

impl Default for Settled {
    /// One worker, wherever the kernel puts it.
    fn default() -> Self {
        Self { workers: 1, cpus: Vec::new(), why: None, note: None }
    }
}

impl Settled {
    /// The workers of a target on this machine.
    pub(super) fn now(asked: Workers, reached: Reached<'_>) -> Self {
        Self::of(asked, reached, &Sysfs::default(), &Cpus::now())
    }

    /// A worker is held to a CPU where each has one for itself. One that was not asked to be near
    /// its device has nobody to keep clear of; I/O threads would all be held to the CPU of the
    /// worker that starts them.
    fn of(asked: Workers, reached: Reached<'_>, sysfs: &Sysfs, cpus: &Cpus) -> Self {
        let (device, lanes) = match reached {
            Reached::Ring(device) => (device, device.map(|name| sysfs.lanes(name))),
            Reached::Polled(device) => (Some(device), sysfs.polled_lanes(device).ok()),
            Reached::Threads | Reached::Null => (None, None),
        };
        let lanes = lanes.unwrap_or(Lanes::Untold);
        let node = device.and_then(|name| sysfs.node_of(name));
        let (cores, usable) = (cpus.cores(node), cpus.usable());
        let workers = asked.most(lanes, cores);
        let enough = u32::from(workers) <= usable;
        let auto = asked == Workers::Auto;
        let mut held = Vec::new();
        if enough && (auto || workers > 1) && reached != Reached::Threads {
            held = cpus.order(node);
            held.truncate(usize::from(workers));
        }
        let why = (auto && device.is_some()).then(|| {
            let near = node.map(|node| format!(" of NUMA node {node}")).unwrap_or_default();
            format!("auto, {workers} at most: {lanes}, {}{near}", counted(cores, "core"))
        });
        let of = format!("{} of {}", counted(usable, "CPU"), cpus.online);
        let said = if !enough {
            let narrowed = if usable < cpus.online { NARROWED } else { "" };
            Some(format!(
                "{workers} workers share {of}, and are held to none: the figures may be about the \
                 CPUs{narrowed}"
            ))
        } else if auto && usable < cpus.online && cores < lanes.count() {
            Some(format!(
                "--workers auto may use only {of}: the figures may be about the CPUs{NARROWED}"
            ))
        } else {
            None
        };
        Self { workers, cpus: held, why, note: said }
    }

    /// Writes down what was settled.
    pub(super) fn record(self, found: RunTarget) -> RunTarget {
        let (mut facts, mut notes) = (found.facts, found.notes);
        facts.extend(self.why.map(|why| ("workers".to_owned(), why)));
        let places = (!self.cpus.is_empty()).then(|| name(&self.cpus));
        facts.extend(places.map(|places| ("workers on".to_owned(), places)));
        notes.extend(self.note);
        RunTarget { workers: self.workers, cpus: self.cpus, facts, notes, ..found }
    }
}

/// Whoever starts many copies of a program gives each its part of the machine.
const NARROWED: &str =
    " (taskset, a container or mpirun has narrowed them; mpirun --bind-to none does not)";

fn counted(count: u32, what: &str) -> String {
    if count == 1 { format!("1 {what}") } else { format!("{count} {what}s") }
}

/// Whether the completions of an open target can be polled for.
///
/// # Errors
/// Why not, and what to do.
pub(super) fn polling(target: &Target) -> Result<(), String> {
    polled_lanes(target.device.as_deref()).map_err(|why| why.to_string())?;
    uring::probe_polled(&target.opened).map_err(|why| why.to_string())
}

fn polled_lanes(device: Option<&str>) -> Result<Lanes, NotPolled> {
    Sysfs::default().polled_lanes(device.ok_or(NotPolled::NoDevice)?)
}

/// What each target of a plan would have, as far as that is known with nothing opened: what is not
/// there yet is taken for what its folder lies on.
///
/// # Errors
/// Every target that can't be polled, and why, where the run would poll.
pub(super) fn foreseen(arguments: &Arguments, plan: &Plan) -> Result<Vec<Settled>, String> {
    let mut faults = Vec::new();
    let threads = match arguments.engine {
        EngineChoice::Threads => true,
        EngineChoice::IoUring => false,
        // As the run will find out.
        EngineChoice::Auto => !arguments.poll && uring::probe().is_err(),
    };
    let mut settle = |target: &NamedTarget| {
        let device = match &target.spec {
            TargetSpec::Simulated(_) => return Settled::default(),
            TargetSpec::Null => return Settled::now(plan.workers, Reached::Null),
            TargetSpec::Scratch => device_of(Path::new(".")),
            TargetSpec::Path(path) => device_of(path),
        };
        let reached = match device.as_deref() {
            _ if threads => Reached::Threads,
            device if arguments.poll => {
                if let Err(why) = polled_lanes(device) {
                    faults.push(format!("target {}: {why}", target.name));
                }
                device.map_or(Reached::Ring(None), Reached::Polled)
            }
            device => Reached::Ring(device),
        };
        Settled::now(plan.workers, reached)
    };
    let settled = plan.targets.iter().map(&mut settle).collect();
    if faults.is_empty() { Ok(settled) } else { Err(faults.join("\n")) }
}

/// The block device that answers for a path, or for the folder that it would lie in.
fn device_of(path: &Path) -> Option<String> {
    if let Ok(device) = Sysfs::default().device_at(path) {
        return Some(device.name);
    }
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    let folder = folder.unwrap_or(Path::new("."));
    Filesystem::of(path).or_else(|_| Filesystem::of(folder)).ok()?.device
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::host::affinity::Cpu;
    use crate::host::block::tests::{add, machine};

    /// Two nodes of two cores with two CPUs each: 0 and 1, and 2 and 3 are cores of node 0.
    fn cpus(numbers: impl IntoIterator<Item = u32>) -> Cpus {
        let cpu = |number| Cpu { number, sibling: number % 2, node: Some(number / 4) };
        let allowed: Vec<Cpu> = numbers.into_iter().map(cpu).collect();
        let quota = u32::try_from(allowed.len()).unwrap();
        Cpus { allowed, online: 8, quota }
    }

    #[test]
    fn a_number_and_a_place_for_every_target() {
        let (folder, sysfs) = machine();
        let queues = ["mq/0/x", "mq/1/x", "mq/2/x", "mq/3/x"].map(|queue| (queue, "0"));
        let mut disk = vec![("dev", "259:8"), ("size", "4096"), ("device/numa_node", "1")];
        disk.extend(queues);
        add(folder.path(), "pci0000:00/nvme/nvme1/nvme1n1", &disk);
        let disk = Reached::Ring(Some("nvme1n1"));
        let (one, three, nine) = (Workers::Fixed(1), Workers::Fixed(3), Workers::Fixed(9));
        for (asked, reached, cpus, workers, held) in [
            // The device's node has two cores: its other CPUs add little to them.
            (Workers::Auto, disk, cpus(0..8), 2, vec![4, 6]),
            (Workers::Auto, disk, cpus([0, 2, 3, 6]), 1, vec![6]),
            (Workers::Auto, disk, cpus(0..4), 2, vec![0, 2]),
            (Workers::Auto, Reached::Ring(Some("sda")), cpus(0..8), 1, vec![0]),
            (Workers::Auto, Reached::Ring(None), cpus(3..8), 1, vec![4]),
            (Workers::Auto, Reached::Null, cpus(0..8), 1, vec![0]),
            (Workers::Auto, Reached::Null, cpus([]), 1, vec![]),
            (Workers::Auto, Reached::Threads, cpus(0..8), 1, vec![]),
            (one, disk, cpus(0..8), 1, vec![]),
            (three, disk, cpus(0..8), 3, vec![4, 6, 5]),
            (three, Reached::Null, cpus(0..8), 3, vec![0, 2, 4]),
            (three, Reached::Threads, cpus(0..8), 3, vec![]),
            (nine, disk, cpus(0..8), 9, vec![]),
        ] {
            let settled = Settled::of(asked, reached, &sysfs, &cpus);
            let case = format!("{asked}, {reached:?}, {} CPUs", cpus.allowed.len());
            assert_eq!((settled.workers, settled.cpus), (workers, held), "{case}");
        }
    }

    #[test]
    fn what_a_narrow_mask_takes_away_is_said() {
        let (folder, sysfs) = machine();
        let mut disk = vec![("dev", "259:8"), ("size", "4096"), ("mq/0/x", "0"), ("mq/1/x", "0")];
        disk.push(("queue/io_poll", "1"));
        add(folder.path(), "pci0000:00/nvme/nvme1/nvme1n1", &disk);
        let (ring, polled) = (Reached::Ring(Some("nvme1n1")), Reached::Polled("nvme1n1"));
        let wide = Cpus { online: 4, ..cpus(0..4) };
        let said = |asked, reached, cpus: &Cpus| {
            let settled = Settled::of(asked, reached, &sysfs, cpus);
            [settled.why, settled.note].map(Option::unwrap_or_default)
        };
        let [why, note] = said(Workers::Auto, ring, &wide);
        assert_eq!(why, "auto, 2 at most: 2 hardware queues, 2 cores");
        assert_eq!(note, "");
        let [why, note] = said(Workers::Auto, polled, &cpus([0]));
        assert_eq!(why, "auto, 1 at most: 2 hardware queues, 1 core");
        assert!(note.starts_with("--workers auto may use only 1 CPU of 8"), "{note}");
        let [why, note] = said(Workers::Fixed(2), ring, &cpus([0]));
        assert_eq!(why, "");
        assert!(note.starts_with("2 workers share 1 CPU of 8"), "{note}");
        assert_eq!(said(Workers::Fixed(4), ring, &wide), ["", ""]);
        assert_eq!(said(Workers::Auto, Reached::Null, &cpus([0])), ["", ""]);
    }
}
