//! Opens the targets of a plan and makes them ready: permits, files, layout, engines.

use std::fs::File;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use super::super::screen::{self, Failure};
use super::arguments::{Arguments, EngineChoice, same};
use super::facts::{Place, incomplete};
use super::fill::{Had, fill};
use super::workers::{Reached, Settled, polling};
use crate::dispatch::Device;
use crate::engine::sim::Model;
use crate::engine::target::{self, Cache, Request, Target, TargetError, TargetKind};
use crate::engine::uring;
use crate::host::{Fullness, Nowait, Permit, Probe};
use crate::plan::{NamedTarget, Plan, TargetName, TargetSpec, Workers};
use crate::record::{Caching, RunTarget};
use crate::unit::{Bytes, Geometry, Seed, Span};

/// A target that is ready to be measured.
pub(super) struct Ready {
    /// What its points are done on.
    pub(super) device: Device,
    /// What counts around them.
    pub(super) probe: Probe,
    /// Whether it can be asked without waiting.
    pub(super) nowait: Option<Nowait>,
    /// What the record says of it.
    pub(super) found: RunTarget,
    /// Where it lies.
    pub(super) place: Place,
    /// A file whose contents are all fathom's: to be marked again when the run has written to it.
    pub(super) ours: Option<Arc<File>>,
}

/// A target that is open; a file may not be filled yet.
pub(super) enum Prepared {
    /// No device, or a simulated one.
    Virtual(Device, Box<RunTarget>),
    /// A file or block device.
    Real(Box<Real>),
}

/// An open file or block device.
pub(super) struct Real {
    target: Target,
    engine: EngineChoice,
    polled: bool,
    workers: Workers,
    permit: Option<Permit>,
    made: Made,
    writes: bool,
    /// Whether all that the file holds is fathom's.
    ours: bool,
    found: RunTarget,
}

/// A file that was made for this run: taken away again unless it was filled.
struct Made(Option<PathBuf>);

impl Drop for Made {
    fn drop(&mut self) {
        if let Some(path) = &self.0 {
            _ = std::fs::remove_file(path);
        }
    }
}

/// Opens every target of a plan, in order. Nothing is filled yet: what can be refused is refused
/// before anything costs time or is written.
pub(super) fn open(arguments: &Arguments, plan: &Plan) -> Result<Vec<Prepared>, Failure> {
    let parsed = plan.targets.iter().map(|named| match &named.spec {
        TargetSpec::Simulated(words) => Model::parse(words)
            .map(Some)
            .map_err(|error| Failure::input(format!("target {}: {error}", named.name))),
        TargetSpec::Null | TargetSpec::Path(_) | TargetSpec::Scratch => Ok(None),
    });
    let models = parsed.collect::<Result<Vec<_>, _>>()?;
    let mut prepared = Vec::new();
    for (index, (named, model)) in plan.targets.iter().zip(models).enumerate() {
        prepared.push(match (&named.spec, model) {
            (TargetSpec::Null, _) => null(named, arguments, plan, index),
            (_, Some(model)) => simulated(named, model, arguments, plan, index)?,
            _ => real(arguments, plan, named, index)?,
        });
    }
    Ok(prepared)
}

impl Prepared {
    /// What the target can do.
    pub(super) fn geometry(&self) -> Geometry {
        match self {
            Self::Virtual(_, found) => found.geometry,
            Self::Real(real) => real.target.geometry,
        }
    }

    /// The part of it that is used.
    pub(super) fn span(&self) -> Span {
        match self {
            Self::Virtual(_, found) => found.span,
            Self::Real(real) => real.target.opened.span,
        }
    }

    /// Fills a file that is not full, and says what is opened.
    pub(super) async fn fill(
        self,
        name: &TargetName,
        seed: Seed,
        stop: &Arc<AtomicBool>,
    ) -> Result<Self, Failure> {
        let Self::Real(real) = self else { return Ok(self) };
        let Real { mut target, mut permit, mut made, .. } = *real;
        let had = if target.kind == TargetKind::File && made.0.is_none() {
            Had::File
        } else {
            Had::Nothing
        };
        let mut filled = false;
        if target.fullness == Fullness::Partial
            && let Some(permit) = permit.take()
        {
            filled = true;
            target =
                fill(target, permit, name, seed, stop).await.map_err(|why| why.failure(had))?;
        }
        // It is whole now, and stays. What a fill wrote, and what a run writes to a file that was
        // fathom's already, is fathom's.
        let ours = filled || (real.ours && real.writes);
        if ours && target.kind == TargetKind::File {
            target::mark_ours(&target.opened.file);
        }
        made.0 = None;
        announce(name, &target, real.writes);
        Ok(Self::Real(Box::new(Real { target, permit, made, ours, ..*real })))
    }

    /// The target as points and record want it.
    pub(super) fn ready(self) -> Ready {
        match self {
            Self::Virtual(device, found) => {
                let (probe, place) = (Probe::default(), Place::default());
                Ready { device, probe, nowait: None, found: *found, place, ours: None }
            }
            Self::Real(real) => {
                let file = real.target.kind == TargetKind::File;
                let ours = real.ours && real.writes && file;
                let ours = ours.then(|| Arc::clone(&real.target.opened.file));
                Ready { ours, ..described(*real) }
            }
        }
    }
}

fn null(named: &NamedTarget, arguments: &Arguments, plan: &Plan, index: usize) -> Prepared {
    let size = arguments.size.unwrap_or(Bytes(1 << 40));
    let geometry = Geometry { size, block: 512, memory_alignment: 512 };
    let note = "no device: every request completes at once; this is the tool's own ceiling";
    let found = found(named, plan, index, ("null", "null"), geometry);
    let found = RunTarget { notes: vec![note.to_owned()], ..found };
    let found = Settled::now(plan.workers, Reached::Null).record(found);
    Prepared::Virtual(Device::Null, Box::new(found))
}

fn simulated(
    named: &NamedTarget,
    model: Model,
    arguments: &Arguments,
    plan: &Plan,
    index: usize,
) -> Result<Prepared, Failure> {
    let refused = |why: &str| Failure::input(format!("target {}: {why}", named.name));
    if !matches!(plan.workers, Workers::Fixed(1) | Workers::Auto) {
        return Err(refused("a simulated device has one worker; leave out --workers"));
    }
    let geometry = model.geometry();
    let length = arguments.size.unwrap_or(geometry.size);
    if length > geometry.size {
        return Err(refused(&format!("has {}, and --size asks for {length}", geometry.size)));
    }
    let note = "simulated on virtual time: these figures are about a model, not about a device";
    let found = found(named, plan, index, ("simulated", "sim"), geometry);
    let span = Span { start: Bytes(0), length };
    let found = RunTarget { notes: vec![note.to_owned()], span, ..found };
    Ok(Prepared::Virtual(Device::Simulated(model), Box::new(found)))
}

/// What a record says of a target without a descriptor.
fn found(
    named: &NamedTarget,
    plan: &Plan,
    index: usize,
    (kind, engine): (&str, &str),
    geometry: Geometry,
) -> RunTarget {
    RunTarget {
        name: named.name.clone(),
        spec: named.spec.to_string(),
        kind: kind.to_owned(),
        path: None,
        geometry,
        span: Span { start: Bytes(0), length: geometry.size },
        engine: engine.to_owned(),
        caching: Caching::None,
        nowait: None,
        workers: 1,
        cpus: Vec::new(),
        polled: false,
        phases: plan.phases[index],
        array: None,
        facts: Vec::new(),
        chain: Vec::new(),
        notes: Vec::new(),
    }
}

/// Which engine serves files and devices, and what has to be said of the choice.
fn engine(choice: EngineChoice) -> Result<(EngineChoice, Option<String>), Failure> {
    if choice == EngineChoice::Threads {
        // A filter that kills for trying must not be tried.
        return Ok((EngineChoice::Threads, None));
    }
    match (choice, uring::probe()) {
        (_, Ok(())) => Ok((EngineChoice::IoUring, None)),
        (EngineChoice::IoUring, Err(error)) => Err(Failure::run(error)),
        (EngineChoice::Auto | EngineChoice::Threads, Err(error)) => {
            let note = format!("the threads engine was taken: {error}");
            Ok((EngineChoice::Threads, Some(note)))
        }
    }
}

/// Opens a file, a device or a scratch file.
fn real(
    arguments: &Arguments,
    plan: &Plan,
    named: &NamedTarget,
    index: usize,
) -> Result<Prepared, Failure> {
    // Nothing else polls, so nothing else may take its place.
    let choice = if arguments.poll { EngineChoice::IoUring } else { arguments.engine };
    let (engine, note) = engine(choice)?;
    let cache = if arguments.buffered { Cache::Through } else { Cache::Bypass };
    let writes = (0..plan.patterns.len()).any(|pattern| plan.writes(pattern));
    let failed = |error: TargetError| Failure::input(format!("target {}: {error}", named.name));
    let (mut target, permit, made, ours) = if let TargetSpec::Path(path) = &named.spec {
        let (permit, made, ours) = permit(arguments, path, writes).map_err(failed)?;
        let request = Request { path, permit: permit.as_ref(), cache, size: arguments.size };
        (target::open(&request).map_err(failed)?, permit, made, ours)
    } else {
        let (target, permit) =
            target::scratch(Path::new("."), arguments.size, cache).map_err(failed)?;
        (target, Some(permit), Made(None), false)
    };
    let polled = arguments.poll;
    if polled {
        polling(&target).map_err(|why| Failure::input(format!("target {}: {why}", named.name)))?;
    }
    target.notes.extend(note);
    target.notes.extend(incomplete(&target));
    let found = found(named, plan, index, ("", ""), target.geometry);
    let workers = plan.workers;
    let real = Real { target, engine, polled, workers, permit, made, writes, ours, found };
    Ok(Prepared::Real(Box::new(real)))
}

/// Leave to write, where the run needs it or the user gave it; and the file, where it was made
/// just now.
fn permit(
    arguments: &Arguments,
    path: &Path,
    writes: bool,
) -> Result<(Option<Permit>, Made, bool), TargetError> {
    if let Err(error) = std::fs::metadata(path)
        && error.kind() == std::io::ErrorKind::NotFound
    {
        let size = arguments.size.ok_or_else(|| TargetError::Missing(path.to_owned()))?;
        let permit = target::create(path, size)?;
        return Ok((Some(permit), Made(Some(path.to_owned())), true));
    }
    let mut consent = arguments.consent();
    let ours = writes && path.is_file() && target::is_ours(path);
    if ours {
        consent.overwrite.push(path.to_owned());
    }
    let named = consent.overwrite.iter().any(|other| same(other, path));
    if writes || (named && path.is_file()) {
        return Ok((Some(Permit::issue(path, &consent)?), Made(None), ours));
    }
    Ok((None, Made(None), false))
}

/// Says what is opened, and what for.
fn announce(name: &TargetName, target: &Target, writes: bool) {
    let what = match target.kind {
        TargetKind::Device if writes => "reads and OVERWRITES the block device",
        TargetKind::Device => "reads the block device",
        TargetKind::File if writes => "reads and writes the file",
        TargetKind::File => "reads the file",
        TargetKind::Scratch => "uses a scratch file in this folder; nothing is left of it",
    };
    let path = target.path.as_ref().map(|path| format!(" {}", path.display())).unwrap_or_default();
    screen::note(&format!("{name}: {what}{path}, {}", target.opened.span.length));
}

/// A real target, as points and record want it.
fn described(real: Real) -> Ready {
    let Real { target, engine, polled, workers, found, .. } = real;
    let reached = match (engine, target.device.as_deref()) {
        (EngineChoice::Threads, _) => Reached::Threads,
        (_, Some(device)) if polled => Reached::Polled(device),
        (_, device) => Reached::Ring(device),
    };
    let settled = Settled::now(workers, reached);
    let kind = match target.kind {
        TargetKind::Device => "block device",
        TargetKind::File => "file",
        TargetKind::Scratch => "scratch file",
    };
    let name = if engine == EngineChoice::Threads { "threads" } else { "io-uring" };
    let place = Place::of(&target);
    let direct = target.cache == Cache::Bypass;
    let found = RunTarget {
        path: target.path,
        span: target.opened.span,
        caching: if direct { Caching::Direct } else { Caching::Buffered },
        nowait: target.nowait.map(|nowait| nowait == Nowait::Supported),
        chain: place.chain(),
        notes: target.notes,
        kind: kind.to_owned(),
        engine: name.to_owned(),
        geometry: target.geometry,
        polled,
        ..found
    };
    let found = settled.record(found);
    let device = match engine {
        EngineChoice::Threads => Device::Threads(target.opened),
        EngineChoice::Auto | EngineChoice::IoUring if polled => Device::Polled(target.opened),
        EngineChoice::Auto | EngineChoice::IoUring => Device::Uring(target.opened),
    };
    let probe = Probe::new(target.device);
    Ready { device, probe, nowait: target.nowait, found, place, ours: None }
}
