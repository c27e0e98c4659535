//! What whole-run tests share: points on any engine, run to their end.
#![allow(
    clippy::unwrap_used,
    dead_code,
    missing_docs,
    unreachable_pub,
    reason = "each test file uses its part"
)]

use std::time::Duration;

use fathom::dispatch::{self, Device, Outcome, PointSpec, Stop, Times, WorkerError};
use fathom::engine::Opened;
use fathom::engine::sim::Model;
use fathom::engine::target::{self, Cache};
use fathom::host::Probe;
use fathom::pattern::{Access, Align, Data, Line};
use fathom::unit::{Bytes, Geometry, Percent, QueueDepth, Seed, Span, TransferSize};

/// One access line that is always drawn.
pub fn line(size: u64, read: f64, random: f64) -> Line {
    Line {
        size: TransferSize::try_from(size).unwrap(),
        share: Percent::HUNDRED,
        read: Percent::try_from(read).unwrap(),
        random: Percent::try_from(random).unwrap(),
        align: Align::Natural,
        burst: 1,
        delay: Duration::ZERO,
    }
}

pub fn access(lines: Vec<Line>) -> Access {
    Access { lines, data: Data::Random }
}

/// A point of 300 ms without ramp-up.
pub fn point(device: Device, size: Bytes, access: Access) -> PointSpec {
    PointSpec {
        device,
        access,
        geometry: Geometry { size, block: 512, memory_alignment: 512 },
        span: Span { start: Bytes(0), length: size },
        queue_depth: QueueDepth::ONE,
        workers: 1,
        cpus: Vec::new(),
        wait_for: 1,
        times: Times {
            ramp_up: Duration::ZERO,
            run_time: Duration::from_millis(300),
            drain: Duration::from_secs(10),
        },
        seed: Seed(1),
    }
}

pub fn depth(depth: u64) -> QueueDepth {
    QueueDepth::try_from(depth).unwrap()
}

pub fn simulated(words: &str) -> Device {
    Device::Simulated(Model::parse(words).unwrap())
}

pub fn runtime() -> tokio::runtime::Runtime {
    tokio::runtime::Builder::new_current_thread().enable_time().build().unwrap()
}

pub fn try_run(spec: &PointSpec, stop: &mut Stop) -> Result<Outcome, WorkerError> {
    let runtime = runtime();
    let outcome = runtime.block_on(dispatch::run(spec, &Probe::default(), stop, |_| ()));
    runtime.shutdown_background();
    outcome
}

pub fn run(spec: &PointSpec) -> Outcome {
    try_run(spec, &mut Stop::never()).unwrap()
}

/// A file of 16 MiB, filled, through the page cache so that every file system takes it.
pub fn scratch(folder: &std::path::Path) -> Opened {
    let (mut target, permit) =
        target::scratch(folder, Some(Bytes(16 << 20)), Cache::Through).unwrap();
    target::lay_out(&mut target, &permit, Seed(9), |_| true).unwrap();
    target.opened
}
