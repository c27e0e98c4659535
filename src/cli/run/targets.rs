//! Opens the targets of a plan and makes them ready: permits, files, layout, engines.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use super::super::progress::Layout;
use super::super::screen::{self, Failure};
use super::arguments::{Arguments, EngineChoice};
use crate::dispatch::Device;
use crate::engine::sim::Model;
use crate::engine::target::{self, Cache, LayoutError, Request, Target, TargetError, TargetKind};
use crate::engine::uring;
use crate::host::block::Kind;
use crate::host::{Fullness, Nowait, Permit, Probe, Sysfs};
use crate::plan::{NamedTarget, Plan, TargetSpec};
use crate::record::{Caching, RunTarget};
use crate::report::devices;
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
}

/// Makes every target of a plan ready, in order.
pub(super) async fn prepare(
    arguments: &Arguments,
    plan: &Plan,
    stop: &Arc<AtomicBool>,
) -> Result<Vec<Ready>, Failure> {
    let mut ready = Vec::new();
    for (index, named) in plan.targets.iter().enumerate() {
        let one = match &named.spec {
            TargetSpec::Null => null(named, plan, index),
            TargetSpec::Simulated(words) => simulated(named, words, plan, index)?,
            TargetSpec::Path(_) | TargetSpec::Scratch => {
                let (target, engine) = open(arguments, plan, named, stop).await?;
                real(named, target, engine, plan, index)
            }
        };
        ready.push(one);
    }
    Ok(ready)
}

fn null(named: &NamedTarget, plan: &Plan, index: usize) -> Ready {
    let size = Bytes(1 << 40);
    let geometry = Geometry { size, block: 512, memory_alignment: 512 };
    let note = "no device: every request completes at once; this is the tool's own ceiling";
    let found = found(named, plan, index, ("null", "null"), geometry);
    let found = RunTarget { notes: vec![note.to_owned()], ..found };
    Ready { device: Device::Null, probe: Probe::default(), nowait: None, found }
}

fn simulated(
    named: &NamedTarget,
    words: &str,
    plan: &Plan,
    index: usize,
) -> Result<Ready, Failure> {
    let model = Model::parse(words)
        .map_err(|error| Failure::input(format!("target {}: {error}", named.name)))?;
    if plan.workers > 1 {
        return Err(Failure::input(format!(
            "target {}: a simulated device has one worker; leave out --workers",
            named.name
        )));
    }
    let note = "simulated on virtual time: these figures are about a model, not about a device";
    let found = found(named, plan, index, ("simulated", "sim"), model.geometry());
    let found = RunTarget { notes: vec![note.to_owned()], ..found };
    let device = Device::Simulated(model);
    Ok(Ready { device, probe: Probe::default(), nowait: None, found })
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
        phases: plan.phases[index],
        facts: Vec::new(),
        notes: Vec::new(),
    }
}

/// Which engine serves files and devices, and what has to be said of the choice.
fn engine(choice: EngineChoice) -> Result<(EngineChoice, Option<String>), Failure> {
    match (choice, uring::probe()) {
        (EngineChoice::Threads, _) => Ok((EngineChoice::Threads, None)),
        (_, Ok(())) => Ok((EngineChoice::IoUring, None)),
        (EngineChoice::IoUring, Err(error)) => Err(Failure::run(error)),
        (EngineChoice::Auto, Err(error)) => {
            let note = format!("the threads engine was taken: {error}");
            Ok((EngineChoice::Threads, Some(note)))
        }
    }
}

/// Opens a file, a device or a scratch file, and fills it where it needs to be.
async fn open(
    arguments: &Arguments,
    plan: &Plan,
    named: &NamedTarget,
    stop: &Arc<AtomicBool>,
) -> Result<(Target, EngineChoice), Failure> {
    let (engine, note) = engine(arguments.engine)?;
    let cache = if arguments.buffered { Cache::Through } else { Cache::Bypass };
    let writes = plan.patterns.iter().any(|pattern| pattern.access.writes());
    let failed = |error: TargetError| Failure::input(format!("target {}: {error}", named.name));
    let (mut target, permit, made) = if let TargetSpec::Path(path) = &named.spec {
        let (permit, made) = permit(arguments, path, writes).map_err(failed)?;
        let request = Request { path, permit: permit.as_ref(), cache, size: arguments.size };
        let opened = target::open(&request);
        if opened.is_err() {
            remove(made.as_deref());
        }
        (opened.map_err(failed)?, permit, made)
    } else {
        let (target, permit) =
            target::scratch(Path::new("."), arguments.size, cache).map_err(failed)?;
        (target, Some(permit), None)
    };
    target.notes.extend(note);
    target.notes.extend(incomplete(&target));
    if target.fullness == Fullness::Partial
        && let Some(permit) = permit
    {
        let filled = fill(target, permit, named, plan.seed, stop).await;
        if filled.is_err() {
            remove(made.as_deref());
        }
        target = filled?;
    }
    announce(named, &target, writes);
    Ok((target, engine))
}

/// Takes away a file that was made for this run and could not be filled.
fn remove(made: Option<&Path>) {
    if let Some(path) = made {
        _ = std::fs::remove_file(path);
    }
}

/// Leave to write, where the run needs it or the user gave it; and the file's path, where it was
/// made just now.
fn permit(
    arguments: &Arguments,
    path: &Path,
    writes: bool,
) -> Result<(Option<Permit>, Option<PathBuf>), TargetError> {
    if !path.exists() {
        let size = arguments.size.ok_or_else(|| TargetError::Missing(path.to_owned()))?;
        return Ok((Some(target::create(path, size)?), Some(path.to_owned())));
    }
    let mut consent = arguments.consent();
    let ours = path.is_file() && target::is_ours(path);
    if ours {
        consent.overwrite.push(path.to_owned());
    }
    let named = consent.overwrite.iter().any(|other| other == path);
    if writes || ours || (named && path.is_file()) {
        return Ok((Some(Permit::issue(path, &consent)?), None));
    }
    Ok((None, None))
}

/// Fills a file in a thread of its own, so that Ctrl-C is heard meanwhile.
async fn fill(
    mut target: Target,
    permit: Permit,
    named: &NamedTarget,
    seed: Seed,
    stop: &Arc<AtomicBool>,
) -> Result<Target, Failure> {
    let stop = Arc::clone(stop);
    let name = named.name.clone();
    let bar = Layout::new(&named.name, target.opened.span.length);
    let work = move || {
        let outcome = target::lay_out(&mut target, &permit, seed, |done| {
            bar.show(done);
            !stop.load(Ordering::Relaxed)
        });
        bar.finish();
        outcome.map(|()| target)
    };
    match tokio::task::spawn_blocking(work).await {
        Ok(Ok(target)) => Ok(target),
        Ok(Err(TargetError::Layout(LayoutError::Stopped))) => Err(Failure::interrupted(
            "stopped while a file was being filled; nothing was measured, nothing is left of it",
        )),
        Ok(Err(error)) => Err(Failure::run(format!("target {name}: {error}"))),
        Err(panic) => Err(Failure::run(format!("target {name}: a fault of fathom: {panic}"))),
    }
}

/// Says what is opened, and what for.
fn announce(named: &NamedTarget, target: &Target, writes: bool) {
    let what = match target.kind {
        TargetKind::Device if writes => "reads and OVERWRITES the block device",
        TargetKind::Device => "reads the block device",
        TargetKind::File if writes => "reads and writes the file",
        TargetKind::File => "reads the file",
        TargetKind::Scratch => "uses a scratch file in this folder; nothing is left of it",
    };
    let path = target.path.as_ref().map(|path| format!(" {}", path.display())).unwrap_or_default();
    screen::note(&format!("{}: {what}{path}, {}", named.name, target.opened.span.length));
}

/// A real target, as points and record want it.
fn real(
    named: &NamedTarget,
    target: Target,
    engine: EngineChoice,
    plan: &Plan,
    index: usize,
) -> Ready {
    let kind = match target.kind {
        TargetKind::Device => "block device",
        TargetKind::File => "file",
        TargetKind::Scratch => "scratch file",
    };
    let name = if engine == EngineChoice::Threads { "threads" } else { "io-uring" };
    let facts = facts(&target);
    let direct = target.cache == Cache::Bypass;
    let found = RunTarget {
        path: target.path,
        span: target.opened.span,
        caching: if direct { Caching::Direct } else { Caching::Buffered },
        nowait: target.nowait.map(|nowait| nowait == Nowait::Supported),
        facts,
        notes: target.notes,
        ..found(named, plan, index, (kind, name), target.geometry)
    };
    let device = match engine {
        EngineChoice::Threads => Device::Threads(target.opened),
        EngineChoice::Auto | EngineChoice::IoUring => Device::Uring(target.opened),
    };
    Ready { device, probe: Probe::new(target.device), nowait: target.nowait, found }
}

/// What has to be said of an array that is not whole.
fn incomplete(target: &Target) -> Option<String> {
    let device = Sysfs::default().device(target.device.as_ref()?).ok()?;
    let Kind::Md(md) = device.kind else { return None };
    let missing = md.degraded.filter(|missing| *missing > 0);
    let action = md.sync_action.filter(|action| action != "idle");
    let missing = missing.map(|missing| format!("{missing} of its disks missing"));
    let action = action.map(|action| format!("busy with {action}"));
    let words: Vec<String> = [missing, action].into_iter().flatten().collect();
    (!words.is_empty()).then(|| format!("{} is {}", device.name, words.join(" and ")))
}

/// Everything that a later reader may ask about the target's device and file system.
fn facts(target: &Target) -> Vec<(String, String)> {
    let mut facts: Vec<(String, String)> = Vec::new();
    if let Some(filesystem) = &target.filesystem {
        let name = filesystem.name.clone().unwrap_or_else(|| filesystem.kind.to_string());
        facts.push(("file system".to_owned(), name));
        facts.extend(filesystem.options.clone().map(|text| ("mount options".to_owned(), text)));
    }
    let sysfs = Sysfs::default();
    let Some(name) = &target.device else { return facts };
    facts.push(("device".to_owned(), name.clone()));
    let mut chain = vec![name.clone()];
    chain.extend(sysfs.members(name).into_iter().filter(|member| member != name));
    for (place, name) in chain.iter().enumerate() {
        let Ok(device) = sysfs.device(name) else { continue };
        let prefix = if place == 0 { String::new() } else { format!("{name} ") };
        for (fact, value) in devices::lines(&device, &sysfs.members(name)) {
            facts.push((format!("{prefix}{fact}"), value));
        }
    }
    facts
}
