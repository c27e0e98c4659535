//! Which CPUs this process may use, where they lie, and in which order workers should have them.
//!
//! The mask that the process was started with is a promise to whoever narrowed it (`taskset`, a
//! container, `mpirun`): nothing here may ever go outside it. Cores and NUMA nodes come from sysfs;
//! a machine that does not tell them is taken for one node of cores without siblings. Tested on
//! trees of files that stand for a machine, and by threads that go where they are sent.

use std::fs;
use std::io;
use std::num::NonZero;
use std::path::Path;
use std::thread;

use rustix::thread::{CpuSet, sched_getaffinity, sched_setaffinity};

use super::sysfs::{entries, text};

/// A CPU that this process may use.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Cpu {
    /// The kernel's number for it.
    pub number: u32,
    /// Its place among the CPUs of its core that this process may use: 0 for the first.
    pub sibling: u32,
    /// The NUMA node that it belongs to.
    pub node: Option<u32>,
}

/// The CPUs that this process may use.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Cpus {
    /// Each, by its number; empty where the kernel does not tell.
    pub allowed: Vec<Cpu>,
    /// How many the machine has in use.
    pub online: u32,
    /// How many CPUs' worth of time a control group leaves; at most those allowed.
    pub quota: u32,
}

impl Cpus {
    /// Those of the calling thread, now.
    pub fn now() -> Self {
        let quota = thread::available_parallelism().map_or(1, NonZero::get);
        let quota = u32::try_from(quota).unwrap_or(u32::MAX);
        Self { quota, ..Self::read(&allowed(), Path::new("/sys")) }
    }

    /// The CPUs of a mask, as a sysfs tree tells them apart.
    pub(super) fn read(mask: &[u32], sys: &Path) -> Self {
        let nodes = nodes(&sys.join("devices/system/node"));
        let folder = sys.join("devices/system/cpu");
        let siblings = |number: u32| {
            let topology = folder.join(format!("cpu{number}/topology"));
            let told = text(&topology.join("core_cpus_list"))
                .or_else(|| text(&topology.join("thread_siblings_list")));
            told.map_or_else(|| vec![number], |told| list(&told))
        };
        let cpu = |&number: &u32| {
            let before = siblings(number);
            let before = before.iter().filter(|other| **other < number && mask.contains(other));
            let node = nodes.iter().find(|(_, cpus)| cpus.contains(&number));
            Cpu {
                number,
                sibling: u32::try_from(before.count()).unwrap_or(u32::MAX),
                node: node.map(|(node, _)| *node),
            }
        };
        let allowed: Vec<Cpu> = mask.iter().map(cpu).collect();
        let count = u32::try_from(allowed.len()).unwrap_or(u32::MAX);
        let online = text(&folder.join("online"))
            .map_or(count, |told| u32::try_from(list(&told).len()).unwrap_or(u32::MAX));
        Self { allowed, online, quota: count }
    }

    /// How many cores can work for a device side by side: those of its NUMA node, or all where it
    /// has none or none of its node's may be used; never more than a control group pays for.
    pub fn cores(&self, node: Option<u32>) -> u32 {
        let cores = |near: &dyn Fn(&Cpu) -> bool| {
            let cores = self.allowed.iter().filter(|cpu| cpu.sibling == 0 && near(cpu)).count();
            u32::try_from(cores).unwrap_or(u32::MAX)
        };
        let near = cores(&|cpu| node.is_some() && cpu.node == node);
        let count = if near > 0 { near } else { cores(&|_| true) };
        count.min(self.quota).max(1)
    }

    /// How many CPUs can be busy at once for this process; at least one.
    pub fn usable(&self) -> u32 {
        u32::try_from(self.allowed.len()).unwrap_or(u32::MAX).min(self.quota).max(1)
    }

    /// The CPUs in the order in which workers should have them: those of the device's node first,
    /// there a CPU of each core before the second of any.
    pub fn order(&self, node: Option<u32>) -> Vec<u32> {
        let mut cpus = self.allowed.clone();
        let far = |cpu: &Cpu| node.is_some() && cpu.node != node;
        cpus.sort_by_key(|cpu| (far(cpu), cpu.sibling, cpu.number));
        cpus.iter().map(|cpu| cpu.number).collect()
    }
}

/// Holds the calling thread to one CPU.
///
/// # Errors
/// Where the kernel refuses: the CPU was taken out of use, or out of this process's reach.
pub fn pin(cpu: u32) -> io::Result<()> {
    let number = cpu as usize;
    if CpuSet::MAX_CPU <= number {
        return Err(io::Error::from(io::ErrorKind::InvalidInput));
    }
    let mut set = CpuSet::new();
    set.set(number);
    Ok(sched_setaffinity(None, &set)?)
}

/// The CPUs that the calling thread may use, by number; none where the kernel does not tell.
pub fn allowed() -> Vec<u32> {
    let Ok(set) = sched_getaffinity(None) else { return Vec::new() };
    let all = (0_u32..).zip(0..CpuSet::MAX_CPU);
    all.filter(|(_, place)| set.is_set(*place)).map(|(number, _)| number).collect()
}

/// The machine's NUMA nodes with their CPUs.
fn nodes(folder: &Path) -> Vec<(u32, Vec<u32>)> {
    let node = |name: String| {
        let number = name.strip_prefix("node")?.parse().ok()?;
        let cpus = fs::read_to_string(folder.join(&name).join("cpulist")).ok()?;
        Some((number, list(&cpus)))
    };
    entries(folder).into_iter().filter_map(node).collect()
}

/// Reads the kernel's lists: `0-3,8,10-11`.
fn list(text: &str) -> Vec<u32> {
    let part = |part: &str| {
        let (first, last) = part.split_once('-').unwrap_or((part, part));
        let (first, last): (u32, u32) = (first.parse().ok()?, last.parse().ok()?);
        // A list of a tree that is no kernel's must not fill the memory.
        (last < 1 << 16).then_some(first..=last)
    };
    text.trim().split(',').filter_map(part).flatten().collect()
}

/// CPUs as the kernel lists them: `0-3, 8`.
fn show(cpus: &[u32]) -> String {
    let mut runs: Vec<(u32, u32)> = Vec::new();
    for &cpu in cpus {
        match runs.last_mut() {
            Some((_, last)) if *last + 1 == cpu => *last = cpu,
            _ => runs.push((cpu, cpu)),
        }
    }
    let run = |(first, last): &(u32, u32)| match last - first {
        0 => first.to_string(),
        1 => format!("{first}, {last}"),
        _ => format!("{first}–{last}"),
    };
    runs.iter().map(run).collect::<Vec<_>>().join(", ")
}

/// CPUs by number, with the word before them: `CPU 3`, `CPUs 0, 3`.
pub fn name(cpus: &[u32]) -> String {
    let word = if cpus.len() == 1 { "CPU" } else { "CPUs" };
    format!("{word} {}", show(cpus))
}

#[cfg(test)]
mod tests {
    use tempfile::TempDir;

    use super::*;

    /// Two nodes of two cores, each core with two CPUs, numbered as Intel's firmware does: the
    /// second CPUs of all cores after the first ones.
    fn machine() -> TempDir {
        let folder = TempDir::new().unwrap();
        let put = |path: &str, value: &str| {
            let path = folder.path().join("devices/system").join(path);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, format!("{value}\n")).unwrap();
        };
        for cpu in 0..8 {
            let core = cpu % 4;
            let path = format!("cpu/cpu{cpu}/topology/core_cpus_list");
            put(&path, &format!("{core},{}", core + 4));
        }
        put("cpu/online", "0-7");
        put("node/node0/cpulist", "0-1,4-5");
        put("node/node1/cpulist", "2-3,6-7");
        put("node/online", "0-1");
        folder
    }

    #[test]
    fn workers_go_near_the_device_and_to_cores_of_their_own() {
        let folder = machine();
        let all: Vec<u32> = (0..8).collect();
        for (mask, node, order, cores) in [
            (&all[..], None, vec![0, 1, 2, 3, 4, 5, 6, 7], 4),
            (&all, Some(0), vec![0, 1, 4, 5, 2, 3, 6, 7], 2),
            (&all, Some(1), vec![2, 3, 6, 7, 0, 1, 4, 5], 2),
            (&all, Some(9), vec![0, 1, 2, 3, 4, 5, 6, 7], 4),
            // Of a core whose first CPU is out of reach, the second is the first.
            (&[1, 4, 5], Some(0), vec![1, 4, 5], 2),
            (&[0, 4], None, vec![0, 4], 1),
            (&[3, 6], Some(0), vec![3, 6], 2),
            (&[6], Some(1), vec![6], 1),
        ] {
            let cpus = Cpus::read(mask, folder.path());
            assert_eq!(cpus.order(node), order, "{mask:?}, node {node:?}");
            assert_eq!(cpus.cores(node), cores, "{mask:?}, node {node:?}");
            assert_eq!(cpus.online, 8);
        }
    }

    #[test]
    fn a_control_group_may_leave_less_than_the_mask() {
        let folder = machine();
        let all: Vec<u32> = (0..8).collect();
        let cpus = Cpus { quota: 3, ..Cpus::read(&all, folder.path()) };
        assert_eq!((cpus.cores(None), cpus.cores(Some(1))), (3, 2));
        let unknown = Cpus { quota: 4, ..Cpus::read(&[], folder.path()) };
        assert_eq!((unknown.cores(None), unknown.order(None)), (1, Vec::new()));
    }

    #[test]
    fn lists_of_cpus_are_read_and_shown() {
        for (text, cpus, shown) in [
            ("0\n", vec![0], "0"),
            ("0-3,8,10-11", vec![0, 1, 2, 3, 8, 10, 11], "0–3, 8, 10, 11"),
            ("5,4", vec![5, 4], "5, 4"),
            ("", vec![], ""),
            ("1-x,99999999999,0-999999999,7", vec![7], "7"),
        ] {
            assert_eq!(list(text), cpus, "{text}");
            assert_eq!(show(&cpus), shown, "{text}");
        }
        assert_eq!([name(&[3]), name(&[0, 3])], ["CPU 3", "CPUs 0, 3"]);
    }

    #[test]
    fn a_thread_goes_where_it_is_sent_and_no_other_does() {
        let before = allowed();
        for &cpu in &before {
            let seen = thread::spawn(move || {
                pin(cpu).unwrap();
                (allowed(), rustix::thread::sched_getcpu())
            });
            assert_eq!(seen.join().unwrap(), (vec![cpu], cpu as usize));
        }
        assert_eq!(allowed(), before);
        assert!(pin(u32::MAX).is_err());
        assert_eq!(Cpus::now().allowed.len(), before.len());
    }
}
