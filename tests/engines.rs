//! One list of behaviours for every engine. An engine that this machine refuses is skipped, and
//! the reason is printed.

#![allow(clippy::print_stderr, clippy::unwrap_used, reason = "a test says what it skips")]

mod common;

use std::os::unix::fs::FileExt;
use std::time::Duration;

use common::{access, depth, line, point, run, scratch, simulated, try_run};
use fathom::dispatch::{Device, PointSpec, Stop};
use fathom::engine::target::{self, Cache, Request};
use fathom::engine::{Opened, uring};
use fathom::host::{Consent, Permit};
use fathom::measure::{Ending, Percentile};
use fathom::pattern::Access;
use fathom::unit::{Bytes, Op};

const SIZE: Bytes = Bytes(16 << 20);

/// Runs a behaviour on every engine that there is.
fn check(behaviour: impl Fn(&str, &dyn Fn(Access) -> PointSpec)) {
    let folder = tempfile::tempdir().unwrap();
    let file = scratch(folder.path());
    let mut devices: Vec<(&str, Device)> = vec![
        ("null", Device::Null),
        ("sim", simulated("exact,channels=8,service=100us,size=16M")),
        ("threads", Device::Threads(file.clone())),
    ];
    match uring::probe() {
        Ok(()) => devices.push(("io-uring", Device::Uring(file))),
        Err(error) => eprintln!("io-uring is skipped: {error}"),
    }
    for (name, device) in devices {
        behaviour(name, &|access| point(device.clone(), SIZE, access));
    }
}

#[test]
fn what_landed_adds_up() {
    check(|engine, point| {
        let spec =
            PointSpec { queue_depth: depth(8), ..point(access(vec![line(4096, 70.0, 100.0)])) };
        let outcome = run(&spec);
        let measurement = &outcome.measurement;
        assert_eq!(outcome.ending, Ending::Complete, "{engine}");
        assert_eq!(outcome.run_time, spec.times.run_time, "{engine}");
        assert!(measurement.ios() > 100, "{engine}: {}", measurement.ios());
        assert_eq!(measurement.bytes().get(), measurement.ios() * 4096, "{engine}");
        assert_eq!(measurement.latencies().count(), measurement.ios(), "{engine}");
        assert_eq!(measurement.errors.total(), 0, "{engine}");
        assert_eq!(measurement.outstanding, 0, "{engine}");
        // Virtual time has nothing to do with what the processor pays.
        assert_eq!(outcome.busiest_worker.is_some(), engine != "sim", "{engine}");
        let seconds = measurement.series.seconds();
        let landed: u64 = seconds.iter().flat_map(|second| second.ios).sum();
        // What was in flight when the run time ended landed in the drain.
        assert!(landed.abs_diff(measurement.ios()) <= 8, "{engine}: {landed}");
        assert!(measurement.mix.total() <= measurement.ios() + 8, "{engine}");
        let all = measurement.latencies();
        assert!(all.percentile(Percentile::P50) <= all.max(), "{engine}");
    });
}

#[test]
fn depth_is_held_by_one_worker_and_by_several() {
    check(|engine, point| {
        for asked in [1, 2, 7, 32, 256] {
            for workers in [1, 3] {
                if engine == "sim" && workers > 1 {
                    continue;
                }
                let mut spec = point(access(vec![line(4096, 100.0, 100.0)]));
                (spec.queue_depth, spec.workers) = (depth(asked), workers);
                spec.times.run_time = Duration::from_millis(100);
                let outcome = run(&spec);
                let held = outcome.measurement.mean_depth(outcome.run_time);
                assert!(held <= asked as f64 + 1e-9, "{engine} at {asked}: {held}");
                assert!(held > 0.02 * asked as f64, "{engine} at {asked}: {held}");
                assert_eq!(u64::from(outcome.workers), asked.min(workers.into()), "{engine}");
                assert!(u64::from(outcome.measurement.in_flight_at_end) <= asked, "{engine}");
            }
        }
    });
}

#[test]
fn reads_and_writes_are_told_apart() {
    check(|engine, point| {
        for (percent, reads, writes) in [(100.0, true, false), (0.0, false, true)] {
            let outcome = run(&point(access(vec![line(8192, percent, 0.0)])));
            assert_eq!(outcome.measurement.direction(Op::Read).ios > 0, reads, "{engine}");
            assert_eq!(outcome.measurement.direction(Op::Write).ios > 0, writes, "{engine}");
        }
    });
}

#[test]
fn a_pause_paces_the_worker() {
    check(|engine, point| {
        let mut paced = line(4096, 100.0, 100.0);
        paced.delay = Duration::from_millis(20);
        paced.burst = 2;
        let outcome = run(&PointSpec { queue_depth: depth(4), ..point(access(vec![paced])) });
        let ios = outcome.measurement.ios();
        // 300 ms hold 15 pauses of 20 ms, and each is followed by two requests.
        assert!((2..=30).contains(&ios), "{engine}: {ios}");
    });
}

#[test]
fn a_stop_ends_the_point_with_what_it_has() {
    check(|engine, point| {
        if engine == "sim" {
            // Virtual hours pass before a signal can be heard; its stop is tested with the others.
            return;
        }
        let mut spec = point(access(vec![line(4096, 100.0, 100.0)]));
        spec.times.run_time = Duration::from_secs(3600);
        let (sender, mut stop) = Stop::new();
        sender.send(true).unwrap();
        let outcome = try_run(&spec, &mut stop).unwrap();
        assert_eq!(outcome.ending, Ending::Stopped, "{engine}");
        assert!(outcome.run_time < Duration::from_secs(60), "{engine}");
    });
}

#[test]
fn waiting_for_several_is_no_loss() {
    check(|engine, point| {
        let mut spec = point(access(vec![line(4096, 100.0, 100.0)]));
        (spec.queue_depth, spec.wait_for) = (depth(16), 4);
        let outcome = run(&spec);
        assert_eq!(outcome.ending, Ending::Complete, "{engine}");
        assert_eq!(outcome.measurement.outstanding, 0, "{engine}");
    });
}

/// Every 4 KiB that a write leaves on the target says where it belongs, and no two are alike.
#[test]
fn what_is_written_is_where_it_belongs() {
    let folder = tempfile::tempdir().unwrap();
    for kind in [Device::Threads, Device::Uring] {
        let file: Opened = scratch(folder.path());
        let device = kind(file.clone());
        if matches!(device, Device::Uring(_)) && uring::probe().is_err() {
            eprintln!("io-uring is skipped");
            continue;
        }
        let mut spec = point(device, SIZE, access(vec![line(16384, 0.0, 0.0)]));
        spec.queue_depth = depth(16);
        let written = run(&spec).measurement.bytes();
        let mut head = [0_u8; 32];
        let mut sequences = std::collections::HashSet::new();
        for offset in (0..written.get().min(SIZE.get())).step_by(4096) {
            file.file.read_exact_at(&mut head, offset).unwrap();
            let stamped = u64::from_le_bytes(head[16..24].try_into().unwrap());
            assert_eq!(stamped, offset);
            assert!(sequences.insert((head, stamped)));
        }
    }
}

/// The kernel takes a ring apart after it is closed; the next run must not find the file held.
#[test]
fn a_target_is_free_as_soon_as_its_point_is_done() {
    if uring::probe().is_err() {
        eprintln!("io-uring is skipped");
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("file");
    std::fs::write(&path, vec![1_u8; 1 << 20]).unwrap();
    let consent = Consent { overwrite: vec![path.clone()], destroy: Vec::new() };
    for round in 0..10 {
        let permit = Permit::issue(&path, &consent).unwrap();
        let permit = Some(&permit);
        let request = Request { path: &path, permit, cache: Cache::Through, size: None };
        let target = target::open(&request).unwrap_or_else(|error| panic!("{round}: {error}"));
        let size = target.opened.span.length;
        let device = Device::Uring(target.opened);
        let mut spec = point(device, size, access(vec![line(4096, 100.0, 100.0)]));
        spec.times.run_time = Duration::from_millis(20);
        spec.queue_depth = depth(8);
        assert_eq!(run(&spec).ending, Ending::Complete);
    }
}
