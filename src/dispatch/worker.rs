//! A worker: a thread that owns one engine and one window, and turns them until they finish.
//!
//! It never meets tokio: it is told what to do when it starts, and tells what happened through a
//! channel. Nothing between its first turn and its last allocates.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::mpsc::Receiver;
use std::thread;

use thiserror::Error;
use tokio::sync::mpsc::UnboundedSender;

use crate::access::{Place, Source};
use crate::clock::{Clock, Monotonic, Virtual};
use crate::engine::null::Null;
use crate::engine::sim::{Model, Simulated};
use crate::engine::threads::Threads;
use crate::engine::uring::Uring;
use crate::engine::{Engine, EngineError, Opened};
use crate::host::{affinity, thread_cpu};
use crate::measure::Measurement;
use crate::pattern::Access;
use crate::payload::{Needs, Payload, PayloadError};
use crate::unit::{Bytes, Seed};

use super::Times;
use super::control::Control;
use super::point::PointSpec;
use super::window::{Meter, Parts, Share, Turn, Window};

/// What a worker does its I/O on, and how.
#[derive(Debug, Clone)]
pub enum Device {
    /// Nothing: the instrument's own ceiling.
    Null,
    /// Arithmetic on virtual time.
    Simulated(Model),
    /// An open file or block device, through io_uring.
    Uring(Opened),
    /// The same, and completions are polled for.
    Polled(Opened),
    /// An open file or block device, through one thread an I/O.
    Threads(Opened),
}

/// What one worker is to do.
#[derive(Debug, Clone)]
pub(super) struct Assignment {
    pub(super) device: Device,
    pub(super) access: Access,
    pub(super) place: Place,
    pub(super) seed: Seed,
    /// The CPU that it is held to.
    pub(super) cpu: Option<u32>,
    pub(super) depth: u16,
    pub(super) wait_for: u16,
    pub(super) times: Times,
    pub(super) clock: Monotonic,
    pub(super) control: Arc<Control>,
}

/// What a worker tells the dispatcher.
#[derive(Debug)]
pub(super) enum Message {
    /// Everything is set up; it waits for the word.
    Ready,
    /// It is done.
    Done(Box<Report>),
    /// It could not be set up, or broke.
    Failed(WorkerError),
}

/// What a worker brings home.
#[derive(Debug)]
pub(super) struct Report {
    pub(super) share: Share,
    pub(super) facts: Vec<&'static str>,
}

/// Why a worker could not do its share.
#[derive(Debug, Error)]
pub enum WorkerError {
    /// The engine is broken or can't be had.
    #[error(transparent)]
    Engine(#[from] EngineError),
    /// There is no memory for the buffers.
    #[error(transparent)]
    Payload(#[from] PayloadError),
    /// The thread could not be started.
    #[error("can't start a worker: {0}")]
    Start(std::io::Error),
    /// Another worker could not be set up.
    #[error("the point did not start")]
    Cancelled,
    /// A fault of fathom itself.
    #[error("a worker stopped on a fault of fathom itself: {0}")]
    Panicked(String),
}

/// Where a worker reports, and where the word to start comes from.
#[derive(Debug)]
pub(super) struct Line {
    pub(super) index: usize,
    pub(super) messages: UnboundedSender<(usize, Message)>,
    pub(super) go: Receiver<()>,
}

/// Starts a worker's thread. It is not joined: one that a device holds must not hold the run.
pub(super) fn start(assignment: Assignment, line: Line) -> Result<(), WorkerError> {
    let builder = thread::Builder::new().name(format!("fathom-{}", line.index));
    let body = move || {
        let outcome = catch_unwind(AssertUnwindSafe(|| work(assignment, &line)));
        let message = match outcome {
            Ok(Ok(report)) => Message::Done(Box::new(report)),
            Ok(Err(error)) => Message::Failed(error),
            Err(panic) => Message::Failed(WorkerError::Panicked(words(&*panic))),
        };
        // Nobody listens any more where the dispatcher has given this worker up.
        _ = line.messages.send((line.index, message));
    };
    builder.spawn(body).map(|_| ()).map_err(WorkerError::Start)
}

/// What a panic said.
fn words(panic: &(dyn std::any::Any + Send)) -> String {
    let text = panic.downcast_ref::<&str>().map(|text| (*text).to_owned());
    text.or_else(|| panic.downcast_ref::<String>().cloned()).unwrap_or_default()
}

/// Builds the engine in this thread, waits for the word, and turns to the end.
fn work(assignment: Assignment, line: &Line) -> Result<Report, WorkerError> {
    let device = assignment.device.clone();
    let (depth, seed, clock) = (assignment.depth, assignment.seed, assignment.clock);
    // Before the first page is touched: memory comes from the node of the CPU that touches it.
    let held = assignment.cpu.map(hold);
    let parts = prepare(assignment)?;
    let arena = parts.payload.arena();
    let mut report = match device {
        Device::Null => run(&mut Null::new(depth), &clock, parts, line, |_| Ok(Vec::new())),
        Device::Simulated(model) => {
            let clock = Virtual::default();
            let mut engine = Simulated::new(model, clock.clone(), depth, seed.derive(1));
            run(&mut engine, &clock, parts, line, |_| Ok(Vec::new()))
        }
        Device::Uring(target) => {
            let mut engine = Uring::new(target, depth, arena)?;
            run(&mut engine, &clock, parts, line, told)
        }
        Device::Polled(target) => {
            let mut engine = Uring::polled(target, depth, arena)?;
            run(&mut engine, &clock, parts, line, told)
        }
        Device::Threads(target) => {
            let mut engine = Threads::new(target, depth)?;
            run(&mut engine, &clock, parts, line, |_| Ok(Vec::new()))
        }
    }?;
    report.facts.extend(held);
    Ok(report)
}

/// What a ring was set up with, if it lost nothing.
fn told(engine: &mut Uring) -> Result<Vec<&'static str>, EngineError> {
    engine.check()?;
    Ok(engine.facts().to_vec())
}

/// Holds this thread to a CPU, and says whether the kernel did so.
fn hold(cpu: u32) -> &'static str {
    match affinity::pin(cpu) {
        Ok(()) => "held to one CPU",
        Err(error) => {
            tracing::warn!(cpu, %error, "a worker could not be held to its CPU");
            "not held to its CPU: refused"
        }
    }
}

/// Everything that a window needs, allocated before the first turn.
fn prepare(assignment: Assignment) -> Result<Parts, WorkerError> {
    let Assignment { device, access, place, seed, depth, wait_for, times, control, .. } =
        assignment;
    let meter: Option<Meter> = match device {
        Device::Simulated(_) => None,
        Device::Null | Device::Uring(_) | Device::Polled(_) | Device::Threads(_) => {
            Some(thread_cpu)
        }
    };
    let source = Source::new(&access, place, seed);
    let Bytes(largest) = source.largest();
    let payload = Payload::new(Needs {
        slots: depth,
        largest: u32::try_from(largest).unwrap_or(u32::MAX),
        writes: access.writes().then_some(access.data),
        seed: seed.derive(0),
    })?;
    let measurement = Measurement::new(access.lines.len(), times.seconds());
    // The rest of a short transfer must lie as the target wants it, on the device and in memory.
    let block = place.geometry.block.max(place.geometry.memory_alignment);
    Ok(Parts { source, payload, measurement, depth, wait_for, block, times, control, meter })
}

/// One engine, one clock: everything after the word to start is monomorphic.
fn run<E: Engine, C: Clock>(
    engine: &mut E,
    clock: &C,
    parts: Parts,
    line: &Line,
    facts: impl Fn(&mut E) -> Result<Vec<&'static str>, EngineError>,
) -> Result<Report, WorkerError> {
    _ = line.messages.send((line.index, Message::Ready));
    if line.go.recv().is_err() {
        // Another worker could not be set up: the point does not start.
        return Err(WorkerError::Cancelled);
    }
    let mut window = Window::new(parts, clock.now());
    if let Err(error) = drive(engine, clock, &mut window) {
        window.abandon();
        return Err(error.into());
    }
    let (share, _) = window.finish(clock.now());
    Ok(Report { share, facts: facts(engine)? })
}

/// One worker's point in the caller's own thread, on an engine and a clock of the caller's: what a
/// turn costs can then be counted without a kernel and without the time in it. The one worker takes
/// the whole depth, and the device of `spec` is not looked at.
///
/// # Errors
/// [`WorkerError`] where there is no memory for the buffers, or the engine broke.
pub fn solo<E: Engine, C: Clock>(
    engine: &mut E,
    clock: &C,
    spec: &PointSpec,
) -> Result<Measurement, WorkerError> {
    let parts = prepare(Assignment {
        device: spec.device.clone(),
        access: spec.access.clone(),
        place: Place { geometry: spec.geometry, span: spec.span, worker: (0, 1) },
        seed: spec.seed,
        // The caller's thread is the caller's.
        cpu: None,
        depth: spec.queue_depth.get(),
        wait_for: spec.wait_for,
        times: spec.times,
        clock: Monotonic::start(),
        control: Arc::default(),
    })?;
    let mut window = Window::new(parts, clock.now());
    if let Err(error) = drive(engine, clock, &mut window) {
        window.abandon();
        return Err(error.into());
    }
    let (share, _) = window.finish(clock.now());
    Ok(share.measurement)
}

/// The heart of the program: two clock readings and one system call a turn.
pub(super) fn drive<E: Engine, C: Clock>(
    engine: &mut E,
    clock: &C,
    window: &mut Window,
) -> Result<(), EngineError> {
    let mut now = clock.now();
    loop {
        window.fill(now, engine);
        match window.turn(clock.now()) {
            Turn::Finished => return Ok(()),
            Turn::Wait(wait) => engine.wait(wait)?,
        }
        now = clock.now();
        while let Some(completion) = engine.take() {
            window.settle(now, completion);
        }
    }
}
