//! A worker stays on the CPU that it is given, and the rest of the process where it was.
//!
//! In a file of its own: workers are found by their threads' names, and another test's have the
//! same.

#![allow(clippy::print_stderr, clippy::unwrap_used, reason = "a test says what it skips")]

mod common;

use std::collections::BTreeMap;
use std::fs;
use std::time::Duration;

use common::{access, depth, line, point, runtime};
use fathom::dispatch::{self, Device, PointSpec, Stop};
use fathom::host::Probe;
use fathom::host::affinity::{allowed, name};
use fathom::unit::Bytes;

/// The CPUs that each worker of this process may use, as the kernel lists them.
fn workers() -> BTreeMap<String, String> {
    let mut found = BTreeMap::new();
    for task in fs::read_dir("/proc/self/task").unwrap().flatten() {
        // A thread may end while it is looked at.
        let Ok(status) = fs::read_to_string(task.path().join("status")) else { continue };
        let field = |name: &str| {
            let line = status.lines().find_map(|line| line.strip_prefix(name));
            line.unwrap_or_default().trim().to_owned()
        };
        if field("Name:").starts_with("fathom-") {
            found.insert(field("Name:"), field("Cpus_allowed_list:"));
        }
    }
    found
}

/// The workers that were seen while a point ran, and what the engine said of them.
fn seen(cpus: &[u32]) -> (BTreeMap<String, String>, Vec<String>) {
    let spec = point(Device::Null, Bytes(16 << 20), access(vec![line(4096, 100.0, 100.0)]));
    let mut spec = PointSpec { queue_depth: depth(8), workers: 2, cpus: cpus.to_vec(), ..spec };
    spec.times.run_time = Duration::from_secs(3600);
    let mut found = BTreeMap::new();
    let (sender, mut stop) = Stop::new();
    let watch = |_| {
        let now = workers();
        if now.len() == 2 {
            found = now;
            sender.send(true).unwrap();
        }
    };
    let probe = Probe::default();
    let outcome = runtime().block_on(dispatch::run(&spec, &probe, &mut stop, watch)).unwrap();
    (found, outcome.engine_facts)
}

#[test]
fn workers_stay_where_they_are_put() {
    let inherited = allowed();
    let (Some(&first), Some(&last)) = (inherited.first(), inherited.last()) else {
        eprintln!("skipped: the kernel does not tell which CPUs may be used");
        return;
    };
    let (found, facts) = seen(&[last, first]);
    let places: Vec<&str> = found.values().map(String::as_str).collect();
    assert_eq!(places, [last.to_string(), first.to_string()]);
    assert_eq!(facts, ["held to one CPU"]);

    let (found, facts) = seen(&[]);
    let whole = fs::read_to_string("/proc/thread-self/status").unwrap();
    let whole = whole.lines().find_map(|line| line.strip_prefix("Cpus_allowed_list:")).unwrap();
    assert!(found.values().all(|place| place == whole.trim()), "{found:?} {}", name(&inherited));
    assert!(facts.is_empty());
    assert_eq!(allowed(), inherited);

    // A CPU that there is not is no reason to measure nothing, but it is said.
    let (_, facts) = seen(&[first, 1_000_000]);
    let refused = "not held to its CPU: refused (1 of 2 workers)";
    assert_eq!(facts, ["held to one CPU (1 of 2 workers)", refused]);
}
