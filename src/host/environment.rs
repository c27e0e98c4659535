//! The machine and system that a run took place on: what a reader needs to know before two
//! records are compared.
//!
//! It must never hold what names the owner: no host name, no user. What can't be read is `None`,
//! not a fault. Tested on trees made by the tests and on the machine.

use std::fs;
use std::num::NonZero;
use std::path::Path;
use std::thread;

use rustix::process::{Resource, getrlimit};

use super::attachment;
use super::clocksource::ClockSource;
use super::sysfs::{entries, text};
use crate::unit::Bytes;

/// Facts about machine and system.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Environment {
    /// The kernel's release: `6.1.0-18-amd64`.
    pub kernel: String,
    /// Its architecture: `x86_64`.
    pub architecture: String,
    /// Of the command line it was booted with, the parameters that change what storage or
    /// processors do; the others may name the machine or hold its secrets.
    pub boot: Vec<String>,
    /// The processors' model.
    pub cpu_model: Option<String>,
    /// How many processors this process may use.
    pub cpus: u32,
    /// The frequency governor; where processors differ in it, each with how many have it.
    pub governor: Option<String>,
    /// Whether processors may go beyond their nominal frequency: `on`, `off`.
    pub turbo: Option<String>,
    /// The state of the processor's flaws.
    pub mitigations: Mitigations,
    /// Memory.
    pub memory: Option<Bytes>,
    /// How many NUMA nodes it is spread over.
    pub numa_nodes: Option<u32>,
    /// What the machine is a guest of; `None` on bare metal, and where that is not told.
    pub hypervisor: Option<String>,
    /// What the kernel makes its clock of: `tsc`, `kvm-clock`.
    pub clock: Option<String>,
    /// `kernel.io_uring_disabled`: 0 for all may use it, 1 for the privileged, 2 for nobody;
    /// `None` before Linux 6.6, which has no such setting.
    pub io_uring_disabled: Option<u32>,
    /// How much memory the process may lock; `None` for as much as it likes.
    pub memlock: Option<Bytes>,
}

/// The state of the processor's known flaws, counted: mitigations cost system calls dearly.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Mitigations {
    /// How many flaws a mitigation is in force against.
    pub mitigated: u32,
    /// The names of those that the processor has and nothing is done against.
    pub vulnerable: Vec<String>,
    /// How many it does not have.
    pub unaffected: u32,
    /// Each flaw, with the kernel's own words about it.
    pub flaws: Vec<(String, String)>,
}

impl Mitigations {
    /// In a few words; `None` where nothing is known.
    pub fn told(&self) -> Option<String> {
        let (mitigated, vulnerable) = (self.mitigated, &self.vulnerable);
        (mitigated + self.unaffected > 0 || !vulnerable.is_empty()).then(|| {
            let open = match vulnerable.as_slice() {
                [] => "no flaw left open".to_owned(),
                flaws => format!("open: {}", flaws.join(", ")),
            };
            format!("{mitigated} in force, {open}")
        })
    }
}

impl Environment {
    /// The machine's facts, now.
    pub fn now() -> Self {
        let uname = rustix::system::uname();
        let memlock = getrlimit(Resource::Memlock).current.map(Bytes);
        Self {
            kernel: uname.release().to_string_lossy().into_owned(),
            architecture: uname.machine().to_string_lossy().into_owned(),
            cpus: thread::available_parallelism()
                .map_or(1, |cpus| u32::try_from(NonZero::get(cpus)).unwrap_or(u32::MAX)),
            memlock,
            clock: ClockSource::now().name,
            ..Self::read(Path::new("/proc"), Path::new("/sys"))
        }
    }

    /// All that is known, as names and values in the order in which they are told.
    pub fn facts(&self) -> Vec<(String, String)> {
        let bytes = |bytes: Bytes| bytes.to_string();
        let number = |number: u32| number.to_string();
        let io_uring = self.io_uring_disabled.map(|level| match level {
            0 => "for all".to_owned(),
            1 => "for the privileged only".to_owned(),
            _ => "disabled".to_owned(),
        });
        let facts = [
            ("kernel", Some(self.kernel.clone())),
            ("architecture", Some(self.architecture.clone())),
            ("boot parameters", Some(self.boot.join(" "))),
            ("CPU", self.cpu_model.clone()),
            ("CPUs", Some(number(self.cpus))),
            ("governor", self.governor.clone()),
            ("turbo", self.turbo.clone()),
            ("memory", self.memory.map(bytes)),
            ("NUMA nodes", self.numa_nodes.map(number)),
            ("hypervisor", self.hypervisor.clone()),
            ("clock", self.clock.clone()),
            ("io_uring", io_uring),
            ("lockable memory", self.memlock.map(bytes)),
            ("mitigations", self.mitigations.told()),
        ];
        let known = facts.into_iter().filter_map(|(name, value)| Some((name.to_owned(), value?)));
        let flaws = self.mitigations.flaws.iter();
        let flaws = flaws.map(|(name, state)| (format!("flaw {name}"), state.clone()));
        known.filter(|(_, value)| !value.is_empty()).chain(flaws).collect()
    }

    /// The part of the facts that stands in files below two roots.
    pub(super) fn read(proc: &Path, sys: &Path) -> Self {
        let cpuinfo = fs::read_to_string(proc.join("cpuinfo")).unwrap_or_default();
        let cpus = sys.join("devices/system/cpu");
        Self {
            boot: boot(&text(&proc.join("cmdline")).unwrap_or_default()),
            cpu_model: cpu_model(&cpuinfo),
            governor: governor(&cpus),
            turbo: turbo(&cpus),
            mitigations: mitigations(&cpus.join("vulnerabilities")),
            numa_nodes: numa_nodes(&sys.join("devices/system/node")),
            hypervisor: attachment::hypervisor(sys, &cpuinfo),
            memory: memory(&fs::read_to_string(proc.join("meminfo")).unwrap_or_default()),
            io_uring_disabled: super::sysfs::number(&proc.join("sys/kernel/io_uring_disabled")),
            ..Self::default()
        }
    }
}

/// What the machine is called.
pub fn hostname() -> String {
    rustix::system::uname().nodename().to_string_lossy().into_owned()
}

/// The beginnings of the boot parameters that are kept.
const BOOT: &[&str] = &[
    "amd_iommu",
    "amd_pstate",
    "blk_mq",
    "clocksource",
    "cpufreq",
    "cpuidle",
    "dm_mod",
    "elevator",
    "hugepages",
    "idle",
    "intel_idle",
    "intel_iommu",
    "intel_pstate",
    "iommu",
    "isolcpus",
    "irqaffinity",
    "libata",
    "loop",
    "md_mod",
    "mitigations",
    "nohz",
    "nosmt",
    "null_blk",
    "nvme",
    "pcie_aspm",
    "preempt",
    "processor",
    "rcu_nocb",
    "scsi_mod",
    "swiotlb",
    "threadirqs",
    "transparent_hugepage",
    "tsc",
    "zswap",
];

fn boot(line: &str) -> Vec<String> {
    let kept = |word: &&str| BOOT.iter().any(|beginning| word.starts_with(beginning));
    line.split_whitespace().filter(kept).map(str::to_owned).collect()
}

/// x86 says `model name`, others `Model` or `cpu model` or nothing.
fn cpu_model(cpuinfo: &str) -> Option<String> {
    cpuinfo.lines().find_map(|line| {
        let (key, value) = line.split_once(':')?;
        let known = ["model name", "Model", "cpu model", "cpu"].contains(&key.trim());
        (known && !value.trim().is_empty()).then(|| value.trim().to_owned())
    })
}

fn memory(meminfo: &str) -> Option<Bytes> {
    let line = meminfo.lines().find(|line| line.starts_with("MemTotal:"))?;
    let kib: u64 = line.split_whitespace().nth(1)?.parse().ok()?;
    Some(Bytes(kib * 1024))
}

fn mitigations(folder: &Path) -> Mitigations {
    let mut found = Mitigations::default();
    for name in entries(folder) {
        let state = text(&folder.join(&name));
        found.flaws.extend(state.clone().map(|state| (name.clone(), state)));
        match state {
            Some(state) if state.starts_with("Not affected") => found.unaffected += 1,
            Some(state) if state.starts_with("Vulnerable") => found.vulnerable.push(name),
            Some(_) => found.mitigated += 1,
            None => {}
        }
    }
    found
}

/// Processors of one machine may differ: some are slow by design, some were set by hand.
fn governor(cpus: &Path) -> Option<String> {
    let mut found: Vec<(String, u32)> = Vec::new();
    for cpu in entries(cpus).iter().filter(|name| is_numbered(name, "cpu")) {
        let Some(name) = text(&cpus.join(cpu).join("cpufreq/scaling_governor")) else { continue };
        match found.iter_mut().find(|(known, _)| *known == name) {
            Some((_, count)) => *count += 1,
            None => found.push((name, 1)),
        }
    }
    match found.as_slice() {
        [] => None,
        [(one, _)] => Some(one.clone()),
        several => {
            let each = several.iter().map(|(name, count)| format!("{name} on {count} CPUs"));
            Some(each.collect::<Vec<_>>().join(", "))
        }
    }
}

/// Intel's driver says what is forbidden, all others what is allowed.
fn turbo(cpus: &Path) -> Option<String> {
    let forbidden = text(&cpus.join("intel_pstate/no_turbo"));
    let allowed = || text(&cpus.join("cpufreq/boost"));
    let on = forbidden.map(|text| text == "0").or_else(|| Some(allowed()? == "1"))?;
    Some(if on { "on" } else { "off" }.to_owned())
}

fn numa_nodes(folder: &Path) -> Option<u32> {
    let nodes = entries(folder).iter().filter(|name| is_numbered(name, "node")).count();
    u32::try_from(nodes).ok().filter(|&nodes| nodes > 0)
}

/// `cpu12`; not `cpufreq`.
fn is_numbered(name: &str, stem: &str) -> bool {
    let digits = name.strip_prefix(stem);
    digits.is_some_and(|d| !d.is_empty() && d.bytes().all(|byte| byte.is_ascii_digit()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn facts_are_read_from_files() {
        let folder = tempfile::TempDir::new().unwrap();
        let put = |path: &str, value: &str| {
            let path = folder.path().join(path);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, value).unwrap();
        };
        put("cmdline", "quiet ip=10.0.0.1 nvme.poll_queues=2 mitigations=auto\n");
        put("cpuinfo", "processor\t: 0\nmodel name\t: Some CPU @ 2 GHz\n");
        put("meminfo", "MemTotal:       2048 kB\nMemFree: 1 kB\n");
        put("sys/kernel/io_uring_disabled", "2\n");
        put("devices/system/cpu/cpu0/cpufreq/scaling_governor", "powersave\n");
        put("devices/system/cpu/cpu0/cpufreq/governor", "not this\n");
        put("devices/system/cpu/intel_pstate/no_turbo", "1\n");
        put("devices/system/node/node0/cpulist", "0\n");
        put("devices/system/node/node1/cpulist", "1\n");
        put("devices/system/cpu/vulnerabilities/meltdown", "Mitigation: PTI\n");
        put("devices/system/cpu/vulnerabilities/mds", "Vulnerable: no microcode\n");
        put("devices/system/cpu/vulnerabilities/l1tf", "Not affected\n");
        let read = Environment::read(folder.path(), folder.path());
        assert_eq!(read.boot, ["nvme.poll_queues=2", "mitigations=auto"]);
        assert_eq!(read.cpu_model.as_deref(), Some("Some CPU @ 2 GHz"));
        assert_eq!(read.memory, Some(Bytes(2 << 20)));
        assert_eq!(read.io_uring_disabled, Some(2));
        assert_eq!(read.governor.as_deref(), Some("powersave"));
        assert_eq!((read.turbo.as_deref(), read.numa_nodes), (Some("off"), Some(2)));
        assert_eq!(read.mitigations.flaws[2], ("meltdown".into(), "Mitigation: PTI".into()));
        assert_eq!((read.mitigations.mitigated, read.mitigations.unaffected), (1, 1));
        assert_eq!(read.mitigations.vulnerable, ["mds"]);
        put("devices/system/cpu/cpu1/cpufreq/scaling_governor", "performance\n");
        put("devices/system/cpu/cpu2/cpufreq/scaling_governor", "powersave\n");
        let read = Environment::read(folder.path(), folder.path());
        let both = "powersave on 2 CPUs, performance on 1 CPUs";
        assert_eq!(read.governor.as_deref(), Some(both));
    }

    #[test]
    fn a_live_machine_has_a_kernel() {
        let now = Environment::now();
        assert!(!now.kernel.is_empty() && now.cpus > 0);
    }
}
