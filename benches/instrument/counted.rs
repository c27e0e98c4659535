//! What is counted: the parts of the inner loop, each over two lengths.
//!
//! The same code as in a run, compiled with the same settings, on the null engine and on a clock
//! that only counts: nothing here depends on the machine's speed or on what else it does. The
//! difference of the two lengths is that many repetitions and nothing else: what a call, a set-up
//! or a last turn costs is in both. Reading a real clock is not in it, nor is a system call.

#![allow(
    missing_docs,
    unreachable_pub,
    clippy::pedantic,
    clippy::exit,
    clippy::disallowed_methods,
    reason = "what gungraun's macros make"
)]

use std::cell::Cell;
use std::hint::black_box;
use std::time::Duration;

use fathom::access::{Place, Source};
use fathom::clock::Clock;
use fathom::dispatch::{Device, PointSpec, Times, solo};
use fathom::engine::null::Null;
use fathom::measure::Measurement;
use fathom::pattern::{self, Access};
use fathom::unit::{Bytes, Geometry, Op, QueueDepth, Seed, Span, Tick};
use gungraun::{
    Callgrind, LibraryBenchmarkConfig, library_benchmark, library_benchmark_group, main,
};

/// Repetitions of the shorter count.
pub const SHORT: u32 = 5_000;
/// Repetitions of the longer one.
pub const LONG: u32 = 20_000;

/// What a turn takes on the counting clock: two readings.
const TURN: Duration = Duration::from_micros(1);

/// A clock that moves on by half a turn each time that it is read.
#[derive(Debug, Default)]
struct Counting(Cell<u64>);

impl Clock for Counting {
    #[inline]
    fn now(&self) -> Tick {
        let now = self.0.get() + 500;
        self.0.set(now);
        Tick::from_nanos(now)
    }
}

/// The File Server pattern, which has the most lines of those that are common.
fn access() -> Access {
    let shipped = pattern::find("file-server").expect("it is in the catalog");
    pattern::parse(shipped.name, shipped.text).0.expect("its tests hold it").access
}

/// A gibibyte on a device with sectors of 512 bytes.
fn place() -> Place {
    let size = Bytes(1 << 30);
    Place {
        geometry: Geometry { size, block: 512, memory_alignment: 512 },
        span: Span { start: Bytes(0), length: size },
        worker: (0, 1),
    }
}

/// A point of so many turns.
fn point(depth: u16, turns: u32) -> PointSpec {
    let Place { geometry, span, .. } = place();
    PointSpec {
        device: Device::Null,
        access: access(),
        geometry,
        span,
        queue_depth: QueueDepth::try_from(u64::from(depth)).expect("a small number"),
        workers: 1,
        cpus: Vec::new(),
        wait_for: 1,
        times: Times {
            ramp_up: Duration::ZERO,
            run_time: TURN * turns,
            drain: Duration::from_secs(1),
        },
        seed: Seed(1),
    }
}

fn stream(requests: u32) -> (Source, u32) {
    (Source::new(&access(), place(), Seed(1)), requests)
}

#[library_benchmark]
#[bench::short(args = (SHORT), setup = stream)]
#[bench::long(args = (LONG), setup = stream)]
fn make_one_request((mut source, requests): (Source, u32)) -> Source {
    for _ in 0..requests {
        black_box(source.next(Tick::ZERO));
    }
    source
}

/// Completions as a device lands them: the pattern's sizes and directions, latencies from 1 µs to
/// 1 ms, evenly by magnitude.
fn completions(count: u32) -> (Measurement, Vec<(Op, u32, u64)>) {
    let (mut source, _) = stream(count);
    let landed = (0..count).filter_map(|index| {
        let request = source.next(Tick::ZERO)?;
        let magnitude = f64::from(index.wrapping_mul(2_654_435_761)) / f64::from(u32::MAX);
        Some((request.op, request.size, 10_f64.powf(3.0 + 3.0 * magnitude) as u64))
    });
    (Measurement::new(access().lines.len(), 10), landed.collect())
}

#[library_benchmark]
#[bench::short(args = (SHORT), setup = completions)]
#[bench::long(args = (LONG), setup = completions)]
fn account_one_completion(
    (mut measurement, landed): (Measurement, Vec<(Op, u32, u64)>),
) -> (Measurement, Vec<(Op, u32, u64)>) {
    for &(op, size, latency) in &landed {
        let (op, size, latency) = black_box((op, size, latency));
        measurement.record(op, size, latency);
        measurement.series.record(op, size, latency);
    }
    (measurement, landed)
}

fn shallow(turns: u32) -> (Null, Counting, PointSpec) {
    (Null::new(1), Counting::default(), point(1, turns))
}

fn deep(turns: u32) -> (Null, Counting, PointSpec) {
    (Null::new(32), Counting::default(), point(32, turns))
}

#[library_benchmark]
#[bench::short(args = (SHORT), setup = shallow)]
#[bench::long(args = (LONG), setup = shallow)]
fn turn_at_depth_1((mut engine, clock, point): (Null, Counting, PointSpec)) -> Measurement {
    solo(&mut engine, &clock, &point).expect("there is memory, and the null engine never breaks")
}

#[library_benchmark]
#[bench::short(args = (SHORT), setup = deep)]
#[bench::long(args = (LONG), setup = deep)]
fn turn_at_depth_32((mut engine, clock, point): (Null, Counting, PointSpec)) -> Measurement {
    solo(&mut engine, &clock, &point).expect("there is memory, and the null engine never breaks")
}

library_benchmark_group!(
    name = inner_loop,
    benchmarks = [make_one_request, account_one_completion, turn_at_depth_1, turn_at_depth_32]
);

main!(
    // Only instructions are wanted, and caches take their time.
    config = LibraryBenchmarkConfig::default().tool(Callgrind::with_args(["--cache-sim=no"])),
    library_benchmark_groups = inner_loop
);

/// What gungraun's own program does: counts when its runner asks, else starts the runner.
pub fn run() {
    main();
}
