//! A run from its first file to its last line: opens, measures, keeps, shows.

use std::cell::RefCell;
use std::fmt::Write as _;
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, SystemTime};

use super::super::compare;
use super::super::progress::Progress;
use super::super::screen::{self, Failure};
use super::arguments::Arguments;
use super::stop::Ear;
use super::targets::{self, Prepared, Ready};
use crate::audit::{self, Evidence, Holder};
use crate::clock::time_of_day;
use crate::dispatch::{self, Device, Outcome, PointSpec, Stop, Times, WorkerError};
use crate::engine::target;
use crate::host::Environment;
use crate::measure::{Ending, Instrument, Mark, Rule, Verdict};
use crate::payload::deflated_percent;
use crate::plan::{self, Plan, Point};
use crate::record::store::Writer;
use crate::record::{self, End, Finish, Header, Run, RunPattern};
use crate::report;
use crate::unit::{Geometry, Span};

/// The longest wait for requests in flight once a point's run time has passed: a slow array
/// answers a deep queue in a few seconds, a broken one never.
const DRAIN: Duration = Duration::from_secs(30);

/// The record of the run, where both the run and a hasty end can reach it.
type Kept = RefCell<Option<Writer>>;

/// Runs a plan. The first Ctrl-C ends it in order, the second leaves at once.
pub(super) async fn run(arguments: &Arguments, plan: Plan) -> Result<ExitCode, Failure> {
    let mut ear = Ear::listen()?;
    let kept: Kept = RefCell::new(None);
    let (stop, flag) = (ear.stop.clone(), Arc::clone(&ear.flag));
    tokio::select! {
        outcome = measure(arguments, plan, stop, &flag, &kept) => outcome,
        () = ear.second() => Err(leave(&kept)),
    }
}

/// The second Ctrl-C: what is in flight can't be taken back, and is not waited for.
fn leave(kept: &Kept) -> Failure {
    let mut said =
        "left at once; requests in flight can't be taken back, and the device may still \
                    be working on them"
            .to_owned();
    if let Ok(mut writer) = kept.try_borrow_mut()
        && let Some(writer) = writer.as_mut()
    {
        let reason = Some("left at the second Ctrl-C, requests in flight".to_owned());
        let end = End { at: time_of_day(), how: Finish::Interrupted, reason };
        match writer.finish(&end) {
            Ok(()) => _ = write!(said, "; record: {}", writer.path().display()),
            Err(error) => _ = write!(said, "; {error}"),
        }
    }
    Failure::interrupted(said)
}

async fn measure(
    arguments: &Arguments,
    plan: Plan,
    mut stop: Stop,
    flag: &Arc<AtomicBool>,
    kept: &Kept,
) -> Result<ExitCode, Failure> {
    let started = time_of_day();
    let name = plan.patterns.first().map_or("run", |pattern| pattern.name.as_str());
    let mut writer =
        Writer::create(arguments.output.as_deref(), name, started).map_err(Failure::input)?;
    let prepared = ready(arguments, &plan, flag, started).await;
    let (ready, header) = match prepared {
        Ok(prepared) => prepared,
        Err(failure) => {
            writer.discard();
            return Err(failure);
        }
    };
    if let Err(error) = writer.begin(&header) {
        writer.discard();
        return Err(Failure::run(error));
    }
    let header = Header { id: writer.id().to_owned(), ..header };
    *kept.borrow_mut() = Some(writer);
    let axes = header.patterns.iter().map(|run| run.axes.clone()).collect();
    let plan = Plan { axes, ..plan };
    let mut session = Session {
        plan: &plan,
        ready,
        run: Run { header, points: Vec::new(), end: None },
        lost: vec![None; plan.targets.len()],
        unkept: None,
        kept,
    };
    let end = session.points(&mut stop).await;
    session.close(arguments, end)
}

/// Targets opened, patterns fitted, and the header that says so.
async fn ready(
    arguments: &Arguments,
    plan: &Plan,
    flag: &Arc<AtomicBool>,
    started: SystemTime,
) -> Result<(Vec<Ready>, Header), Failure> {
    let opened = targets::open(arguments, plan)?;
    let patterns = fitted(arguments, plan, &opened)?;
    let mut ready: Vec<Ready> = Vec::new();
    for (named, opened) in plan.targets.iter().zip(opened) {
        ready.push(opened.fill(&named.name, plan.seed, flag).await?.ready());
    }
    for (name, percent) in written(plan) {
        screen::note(&format!("{name} writes data of which 128 KiB deflate to {percent:.1} %"));
        for ready in &mut ready {
            let fact = format!("128 KiB deflate to {percent:.1} %");
            ready.found.facts.push((format!("data of {name}"), fact));
        }
    }
    let header = Header {
        // The record knows its own name.
        id: String::new(),
        version: env!("CARGO_PKG_VERSION").to_owned(),
        started,
        command: std::env::args().collect(),
        seed: plan.seed,
        workers: plan.workers,
        wait_for: plan.wait_for,
        patterns,
        targets: ready.iter().map(|ready| arguments.arrays.declared(&ready.found)).collect(),
        environment: Environment::now(),
        instrument: instrument(plan),
    };
    Ok((ready, header))
}

/// What the tool itself costs, measured when all is ready and nothing is in flight: the header that
/// keeps it is never written anew, and the first point is judged by it already. On virtual time it
/// would say nothing.
fn instrument(plan: &Plan) -> Option<Instrument> {
    if plan.targets.iter().all(|target| target.spec.is_simulated()) {
        return None;
    }
    let unmeasured = |error: &WorkerError| {
        screen::note(&format!("warning: no point is checked against the tool's own cost: {error}"));
    };
    dispatch::calibrate::brief().inspect_err(unmeasured).ok()
}

/// The patterns that write, and how far their data can be compressed, in percent.
fn written(plan: &Plan) -> impl Iterator<Item = (&str, f64)> {
    let writing = plan.patterns.iter().enumerate().filter(|(index, _)| plan.writes(*index));
    writing.map(|(_, p)| (p.name.as_str(), deflated_percent(p.access.data, plan.seed)))
}

/// The patterns as all targets can do them.
fn fitted(
    arguments: &Arguments,
    plan: &Plan,
    opened: &[Prepared],
) -> Result<Vec<RunPattern>, Failure> {
    let places: Vec<(String, Geometry, Span)> = plan
        .targets
        .iter()
        .zip(opened)
        .map(|(named, opened)| (named.name.to_string(), opened.geometry(), opened.span()))
        .collect();
    let (mut patterns, mut faults) = (Vec::new(), Vec::new());
    for (index, pattern) in plan.patterns.iter().enumerate() {
        let (mut pattern, mut axes) = (pattern.clone(), plan.axes[index].clone());
        let raised = match plan::fit(&mut pattern.access, &mut axes, &places) {
            Ok(raised) => raised,
            Err(errors) => {
                faults.extend(errors.iter().map(|error| format!("{}: {error}", pattern.name)));
                continue;
            }
        };
        let run = RunPattern { pattern, raised, axes };
        let said = report::raised(&run).into_iter();
        let said = said.map(|fact| format!("{}: {fact}", run.pattern.name));
        let said = said.collect::<Vec<_>>().join("\n");
        if arguments.strict_sizes && !said.is_empty() {
            faults.push(format!("{said}\n(--strict-sizes refuses)"));
        } else if !said.is_empty() {
            screen::note(&said);
        }
        patterns.push(run);
    }
    if faults.is_empty() { Ok(patterns) } else { Err(Failure::input(faults.join("\n"))) }
}

/// A run under way.
struct Session<'a> {
    plan: &'a Plan,
    ready: Vec<Ready>,
    run: Run,
    /// Targets that are gone or silent, and why.
    lost: Vec<Option<String>>,
    /// Why the record could not be kept to its end.
    unkept: Option<String>,
    kept: &'a Kept,
}

impl Session<'_> {
    /// Measures every point; how that ended.
    async fn points(&mut self, stop: &mut Stop) -> End {
        let points = self.plan.points();
        let mut progress = Progress::new(self.plan, points.len());
        let mut end = (Finish::Complete, None);
        for point in &points {
            if stop.is_asked() {
                end = (Finish::Interrupted, None);
                break;
            }
            if self.lost[point.target].is_some() {
                continue;
            }
            progress.begin(point);
            let spec = self.spec(point);
            let started = time_of_day();
            let probe = &self.ready[point.target].probe;
            let outcome =
                dispatch::run(&spec, probe, stop, |live| progress.show(point, live)).await;
            match outcome {
                Ok(outcome) => {
                    let result = self.judged(point, started, outcome);
                    progress.end(point, &result);
                    self.keep(result, &progress);
                }
                Err(error) => {
                    end = (Finish::Failed, Some(format!("{}: {error}", self.setting(point))));
                    break;
                }
            }
        }
        progress.finish();
        if stop.is_asked() {
            end = (Finish::Interrupted, None);
        } else if let (Finish::Complete, Some(reason)) = (end.0, self.lost.iter().flatten().next())
        {
            end = (Finish::Failed, Some(reason.clone()));
        }
        End { at: time_of_day(), how: end.0, reason: end.1 }
    }

    /// Where a point lies on its axes, in words.
    fn setting(&self, point: &Point) -> String {
        self.plan.axes[point.pattern].show(point.setting)
    }

    fn spec(&self, point: &Point) -> PointSpec {
        let ready = &self.ready[point.target];
        let phases = self.plan.phases[point.target];
        PointSpec {
            device: ready.device.clone(),
            access: self.run.header.patterns[point.pattern].access(point),
            geometry: ready.found.geometry,
            span: ready.found.span,
            queue_depth: point.setting.queue_depth,
            workers: self.plan.workers.at(point.setting.queue_depth, ready.found.workers),
            cpus: ready.found.cpus.clone(),
            wait_for: self.plan.wait_for,
            times: Times { ramp_up: phases.ramp_up, run_time: phases.run_time, drain: DRAIN },
            seed: point.seed,
        }
    }

    /// A point with what the audit says of it.
    fn judged(&self, point: &Point, started: SystemTime, outcome: Outcome) -> record::Point {
        let phases = self.plan.phases[point.target];
        let mut result = record::Point {
            point: *point,
            started,
            ramp_up: phases.ramp_up,
            run_time: outcome.run_time,
            ending: outcome.ending,
            workers: outcome.workers,
            held: outcome.held,
            busiest_worker: outcome.busiest_worker,
            engine_facts: outcome.engine_facts,
            measurement: outcome.measurement,
            samples: outcome.samples,
            marks: Vec::new(),
        };
        let device = result.all_samples().and_then(|(first, last)| last.counted(first));
        let device_depth = result
            .run_samples()
            .and_then(|(start, end)| end.counted(start)?.device_depth(end.elapsed(start)));
        result.marks = audit::judge(&Evidence {
            access: &self.run.header.patterns[point.pattern].access(point),
            queue_depth: point.setting.queue_depth,
            workers: result.workers,
            ramp_up: phases.ramp_up,
            run_time_asked: phases.run_time,
            run_time: result.run_time,
            ending: result.ending,
            measurement: &result.measurement,
            device: device.as_ref(),
            device_depth,
            nowait: self.ready[point.target].nowait,
            instrument: self.run.header.instrument.as_ref(),
            busiest_worker: result.busiest_worker,
            holder: match self.ready[point.target].device {
                Device::Null => Holder::Nothing,
                Device::Polled(_) => Holder::Polled,
                Device::Simulated(_) | Device::Uring(_) | Device::Threads(_) => Holder::Device,
            },
        });
        result
    }

    /// Appends a point to the record; a record that can't be kept does not end the run.
    fn keep(&mut self, result: record::Point, progress: &Progress<'_>) {
        let point = result.point;
        if let Some(writer) = self.kept.borrow_mut().as_mut()
            && let Err(error) = writer.append(&result)
        {
            progress.note(&format!("warning: {error}; the results are printed all the same"));
            self.unkept = Some(error.to_string());
        }
        // What a real device still holds would lie in every later point.
        let held = result.measurement.outstanding > 0
            && result.ending == Ending::Complete
            && !self.plan.targets[point.target].spec.is_simulated();
        if held || matches!(result.ending, Ending::Gone | Ending::Silent) {
            let name = &self.plan.targets[point.target].name;
            let telling = |mark: &&Mark| matches!(mark.rule, Rule::Ended | Rule::Unanswered);
            let why = result.marks.iter().find(telling).or(result.marks.first());
            let why = why.map(|mark| mark.text.clone()).unwrap_or_default();
            let why = format!("{name}, {}: {why}", self.setting(&point));
            progress.note(&format!("warning: {why}; its other points are left out"));
            self.lost[point.target] = Some(why);
        }
        self.run.points.push(result);
    }

    /// Ends the record, prints the result and says how it went.
    fn close(mut self, arguments: &Arguments, end: End) -> Result<ExitCode, Failure> {
        for file in self.ready.iter().filter_map(|ready| ready.ours.as_ref()) {
            target::mark_ours(file);
        }
        let mut kept = self.kept.borrow_mut();
        if let Some(writer) = kept.as_mut()
            && self.unkept.is_none()
            && let Err(error) = writer.finish(&end)
        {
            self.unkept = Some(error.to_string());
        }
        self.run.end = Some(end.clone());
        let mut text = report::render(&self.run, arguments.format);
        text.extend(compare::below(&self.run, arguments.format));
        screen::print(&text)?;
        if let Some(writer) = kept.as_ref() {
            screen::note(&match &self.unkept {
                None => format!("record: {}", writer.path().display()),
                Some(error) => format!("warning: the record is not whole: {error}"),
            });
        }
        match end.how {
            Finish::Interrupted => Ok(ExitCode::from(130)),
            Finish::Failed => Err(Failure::run(end.reason.unwrap_or_default())),
            Finish::Complete => Ok(self.code()),
        }
    }

    /// 1 where no point gave a number, or the record is not whole.
    fn code(&self) -> ExitCode {
        let void = self.run.points.iter().all(|point| point.verdict() == Verdict::Void);
        if void || self.unkept.is_some() { ExitCode::FAILURE } else { ExitCode::SUCCESS }
    }
}
