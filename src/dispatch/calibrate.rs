//! The instrument measured by itself: its clock, its turn and its ceiling without a device, and
//! what io_uring costs where it does nothing.
//!
//! The turn is a worker's own, on the null engine, with everything that a real point has in it:
//! drawing by the File Server pattern, payload stamped, full accounting. Nothing here is assumed,
//! and nothing is taken off any figure for it. Tested on a clock that steps as it is told, and by
//! the command line in tests/calibrate.rs.

use std::hint::black_box;
use std::sync::Arc;
use std::time::Duration;

use crate::access::{Place, Source};
use crate::clock::{Clock, Monotonic};
use crate::engine::EngineError;
use crate::engine::null::Null;
use crate::engine::uring::Nops;
use crate::measure::{Calibration, Figure, Instrument, Measurement, RoundTrip};
use crate::pattern::{self, Access};
use crate::payload::{Needs, Payload};
use crate::unit::{Bytes, Geometry, QueueDepth, Seed, Span};

use super::Times;
use super::window::{Parts, Window};
use super::worker::{self, WorkerError};

/// Rounds of a whole calibration, about a quarter of a second each.
pub const ROUNDS: u32 = 9;

/// Rounds before a run: enough that one in which another had the processor does not decide.
const ROUNDS_OF_A_RUN: u32 = 3;

/// How long each figure of a round is measured.
#[derive(Debug, Clone, Copy)]
struct Spans {
    clock: Duration,
    null: Duration,
    nops: Duration,
}

const LONG: Spans = Spans {
    clock: Duration::from_millis(10),
    null: Duration::from_millis(50),
    nops: Duration::from_millis(20),
};

const BRIEF: Spans = Spans {
    clock: Duration::from_micros(200),
    null: Duration::from_micros(500),
    nops: Duration::ZERO,
};

/// The depth of the ceiling.
const DEEP: u16 = 32;

/// Where the random streams start: the same requests in every round.
const SEED: Seed = Seed(1);

/// The depths of the round trips.
const NOP_DEPTHS: [u16; 3] = [1, 32, 256];

/// Calls between two readings of the clock.
const BATCH: u32 = 64;

/// What the instrument costs, measured briefly: for the record of a run.
///
/// # Errors
/// [`WorkerError`] where a worker can't be set up.
pub fn brief() -> Result<Instrument, WorkerError> {
    let clock = Monotonic::start();
    let mut workers = workers()?;
    let rounds: Result<Vec<_>, _> =
        (0..ROUNDS_OF_A_RUN).map(|_| Round::measure(clock, &mut workers, BRIEF)).collect();
    Ok(instrument(&rounds?))
}

/// What the instrument costs, and what io_uring adds. `watch` hears how many of [`ROUNDS`] are
/// done.
///
/// # Errors
/// [`WorkerError`] where a worker can't be set up. A kernel that refuses io_uring is none.
pub fn calibrate(mut watch: impl FnMut(u32)) -> Result<Calibration, WorkerError> {
    let clock = Monotonic::start();
    let mut workers = workers()?;
    let mut nops = NopRounds::new();
    let mut rounds = Vec::new();
    // What happens for the first time is no figure of what happens a million times.
    Round::measure(clock, &mut workers, BRIEF)?;
    for round in 0..ROUNDS {
        rounds.push(Round::measure(clock, &mut workers, LONG)?);
        nops.measure(&clock, LONG.nops);
        watch(round + 1);
    }
    Ok(Calibration { instrument: instrument(&rounds), nops: nops.figures(), rounds: ROUNDS })
}

/// What one round found, as the instrument has it.
#[derive(Debug, Clone, Copy)]
struct Round {
    clock_step_ns: f64,
    clock_reading_ns: f64,
    turn_ns: f64,
    ceiling_iops: f64,
}

/// The workers of the turn and of the ceiling.
fn workers() -> Result<[NullRounds; 2], WorkerError> {
    Ok([NullRounds::new(1)?, NullRounds::new(DEEP)?])
}

impl Round {
    fn measure(
        clock: Monotonic,
        [shallow, deep]: &mut [NullRounds; 2],
        spans: Spans,
    ) -> Result<Self, WorkerError> {
        Ok(Self {
            clock_step_ns: step(&clock, spans.clock),
            clock_reading_ns: timed(&clock, spans.clock, || _ = black_box(clock.now())),
            turn_ns: shallow.measure(clock, spans.null)?,
            ceiling_iops: 1e9 / deep.measure(clock, spans.null)?,
        })
    }
}

fn instrument(rounds: &[Round]) -> Instrument {
    let figure = |of: fn(&Round) -> f64| {
        Figure::of(rounds.iter().map(of)).expect("a calibration has rounds")
    };
    Instrument {
        clock_step_ns: figure(|round| round.clock_step_ns),
        clock_reading_ns: figure(|round| round.clock_reading_ns),
        turn_ns: figure(|round| round.turn_ns),
        ceiling_iops: figure(|round| round.ceiling_iops),
    }
}

/// The smallest step between two readings of a clock that moves by itself, in nanoseconds.
fn step(clock: &impl Clock, span: Duration) -> f64 {
    let start = clock.now();
    let (mut last, mut smallest) = (start, Duration::MAX);
    while last - start < span {
        let now = clock.now();
        if now != last {
            smallest = smallest.min(now - last);
        }
        last = now;
    }
    smallest.as_nanos() as f64
}

/// What a call takes on average, in nanoseconds, by a clock that moves by itself.
fn timed(clock: &impl Clock, span: Duration, mut call: impl FnMut()) -> f64 {
    let start = clock.now();
    let mut calls = 0_u64;
    loop {
        for _ in 0..BATCH {
            call();
        }
        calls += u64::from(BATCH);
        let passed = clock.now() - start;
        if span <= passed {
            return passed.as_nanos() as f64 / calls as f64;
        }
    }
}

/// A worker on the null engine, run again and again on the same memory.
struct NullRounds {
    access: Access,
    depth: u16,
    payload: Option<Payload>,
}

impl NullRounds {
    fn new(depth: u16) -> Result<Self, WorkerError> {
        let shipped = pattern::find("file-server").expect("File Server is shipped");
        let access = shipped.pattern().access;
        let largest = access.lines.iter().map(|line| line.size.get()).max().unwrap_or_default();
        let needs = Needs { slots: depth, largest, writes: Some(access.data), seed: SEED };
        Ok(Self { access, depth, payload: Some(Payload::new(needs)?) })
    }

    /// Nanoseconds that the worker takes for a request, in this thread.
    fn measure(&mut self, clock: Monotonic, span: Duration) -> Result<f64, WorkerError> {
        let size = Bytes(1 << 40);
        let place = Place {
            geometry: Geometry { size, block: 512, memory_alignment: 512 },
            span: Span { start: Bytes(0), length: size },
            worker: (0, 1),
        };
        let parts = Parts {
            source: Source::new(&self.access, place, SEED),
            payload: self.payload.take().expect("it comes back from each round"),
            measurement: Measurement::new(self.access.lines.len(), 1),
            depth: self.depth,
            wait_for: 1,
            block: place.geometry.block,
            times: Times { ramp_up: span / 4, run_time: span, drain: span },
            control: Arc::default(),
            meter: None,
        };
        let mut window = Window::new(parts, clock.now());
        worker::drive(&mut Null::new(self.depth), &clock, &mut window)?;
        let (share, payload) = window.finish(clock.now());
        self.payload = Some(payload);
        // Where another had the processor all the time, one request took at least as long.
        let ios = share.measurement.ios().max(1);
        Ok(share.run_time.as_nanos() as f64 / ios as f64)
    }
}

/// Rings for the round trips and what they took; why not, where the kernel refuses them.
struct NopRounds(Result<Vec<(u16, Nops, Vec<f64>)>, String>);

impl NopRounds {
    fn new() -> Self {
        let rings = NOP_DEPTHS.map(|depth| Ok((depth, Nops::new(depth)?, Vec::new())));
        let rings: Result<Vec<_>, EngineError> = rings.into_iter().collect();
        Self(rings.map_err(|error| error.to_string()))
    }

    fn measure(&mut self, clock: &impl Clock, span: Duration) {
        let Ok(rings) = &mut self.0 else { return };
        let mut broken = None;
        for (_, ring, rounds) in rings {
            rounds.push(timed(clock, span, || {
                if let Err(error) = ring.turn() {
                    broken = Some(error.to_string());
                }
            }));
        }
        if let Some(reason) = broken {
            self.0 = Err(reason);
        }
    }

    fn figures(self) -> Result<Vec<RoundTrip>, String> {
        let figures = self.0?.into_iter().map(|(depth, _, rounds)| RoundTrip {
            queue_depth: QueueDepth::try_from(u64::from(depth)).expect("a depth of the list"),
            turn_ns: Figure::of(rounds).expect("a calibration has rounds"),
        });
        Ok(figures.collect())
    }
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;

    use super::*;
    use crate::unit::Tick;

    /// A clock of which each reading takes so long, and that moves in steps.
    struct Stepping {
        reading: u64,
        step: u64,
        now: Cell<u64>,
    }

    impl Clock for Stepping {
        fn now(&self) -> Tick {
            self.now.set(self.now.get() + self.reading);
            Tick::from_nanos(self.now.get() / self.step * self.step)
        }
    }

    #[test]
    fn a_clock_is_known_by_its_readings() {
        for (reading, step_ns, smallest) in
            [(25, 1, 25.0), (25, 10, 20.0), (25, 280, 280.0), (40, 4_000_000, 4_000_000.0)]
        {
            let clock = || Stepping { reading, step: step_ns, now: Cell::new(0) };
            let span = Duration::from_millis(20);
            assert!((step(&clock(), span) - smallest).abs() < 1e-9, "{reading} {step_ns}");
            let clock = clock();
            let found = timed(&clock, span, || _ = clock.now());
            // The batch's own reading, and the step in which it ends.
            let most = reading as f64 * 1.02 + 1e-9;
            let least = reading as f64 * 0.75;
            assert!((least..=most).contains(&found), "{reading} {step_ns}: {found}");
        }
    }

    #[test]
    fn a_run_is_given_figures_of_this_machine() {
        let instrument = brief().unwrap();
        for figure in [
            instrument.clock_step_ns,
            instrument.clock_reading_ns,
            instrument.turn_ns,
            instrument.ceiling_iops,
        ] {
            let Figure { median, least, most } = figure;
            assert!(0.0 < least && most.is_finite(), "{instrument:?}");
            assert!(least <= median && median <= most, "{instrument:?}");
        }
    }
}
