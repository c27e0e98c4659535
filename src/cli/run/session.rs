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
use super::facts;
use super::stop::Ear;
use super::targets::Ready;
use super::{prepare, resume};
use crate::audit::{self, Evidence, Holder};
use crate::clock::time_of_day;
use crate::dispatch::{self, Device, Outcome, PointSpec, Stop, Times};
use crate::engine::target;
use crate::measure::{Ending, Mark, Rule, Verdict};
use crate::plan::{Measured, Plan, Point};
use crate::record::serials::Serials;
use crate::record::store::{Stopped, Writer};
use crate::record::{self, End, Finish, Header, Run};
use crate::report;

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
        let end = End { at: time_of_day(), how: Finish::Interrupted, reason, changed: None };
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
    if let Some(what) = &arguments.review.resume {
        let (stopped, plan) = resume::open(what, plan, arguments.seed.is_some())?;
        return go_on(arguments, plan, stopped, (stop, flag), kept).await;
    }
    let started = time_of_day();
    let name = plan.patterns.first().map_or("run", |pattern| pattern.name.as_str());
    let mut writer =
        Writer::create(arguments.output.as_deref(), name, started).map_err(Failure::input)?;
    let prepared = prepare::ready(arguments, &plan, flag, started).await;
    let (ready, header, serials) = match prepared {
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
    let run = Run { header, points: Vec::new(), resumed: Vec::new(), end: None };
    let mut session = Session::new(plan, (ready, serials), run, kept);
    let end = session.points(&mut stop).await;
    session.close(arguments, end)
}

/// Goes on with a run that was stopped, where nothing has changed since.
async fn go_on(
    arguments: &Arguments,
    plan: Plan,
    stopped: Stopped,
    (mut stop, flag): (Stop, &Arc<AtomicBool>),
    kept: &Kept,
) -> Result<ExitCode, Failure> {
    let now = time_of_day();
    let (ready, header, serials) = prepare::ready(arguments, &plan, flag, now).await?;
    resume::check(&stopped.reading.run.header, &header)?;
    let mut run = stopped.reading.run.clone();
    run.go_on(now);
    *kept.borrow_mut() = Some(stopped.go_on(now).map_err(Failure::run)?);
    let mut session = Session::new(plan, (ready, serials), run, kept);
    let end = session.points(&mut stop).await;
    session.close(arguments, end)
}

/// A run under way.
struct Session<'a> {
    plan: Plan,
    ready: Vec<Ready>,
    run: Run,
    /// What the record must not tell.
    serials: Option<Serials>,
    /// Targets that are gone or silent, and why.
    lost: Vec<Option<String>>,
    /// Why the record could not be kept to its end.
    unkept: Option<String>,
    kept: &'a Kept,
}

impl Session<'_> {
    /// A session on what is ready; the plan has the axes that the patterns were fitted to.
    fn new(
        plan: Plan,
        (ready, serials): (Vec<Ready>, Option<Serials>),
        run: Run,
        kept: &Kept,
    ) -> Session<'_> {
        let axes = run.header.patterns.iter().map(|run| run.axes.clone()).collect();
        let lost = vec![None; plan.targets.len()];
        Session { plan: Plan { axes, ..plan }, ready, run, serials, lost, unkept: None, kept }
    }

    /// Measures every point; how that ended.
    async fn points(&mut self, stop: &mut Stop) -> End {
        let plan = self.plan.clone();
        let mut progress = Progress::new(&plan);
        let mut pass = plan.points();
        let mut repeat = plan.repeats.least();
        let mut end = (Finish::Complete, None);
        while !pass.is_empty() && end.0 == Finish::Complete {
            pass.retain(|point| !resume::is_done(&self.run.points, point));
            progress.expect(&pass);
            end = self.pass(&pass, &mut progress, stop).await;
            pass = plan.more(&self.measured(repeat), &self.given_up());
            repeat += 1;
        }
        progress.finish();
        if stop.is_asked() {
            end = (Finish::Interrupted, None);
        } else if let (Finish::Complete, Some(reason)) = (end.0, self.lost.iter().flatten().next())
        {
            end = (Finish::Failed, Some(reason.clone()));
        }
        let places = self.ready.iter().map(|ready| &ready.place);
        let changed = facts::changed(&self.run.header, places, self.serials.as_ref());
        let hidden = |why: String| self.serials.as_ref().map_or(why.clone(), |s| s.text(&why));
        let reason = end.1.map(hidden);
        End { at: time_of_day(), how: end.0, reason, changed: Some(changed) }
    }

    /// Measures points in their order.
    async fn pass(
        &mut self,
        points: &[Point],
        progress: &mut Progress<'_>,
        stop: &mut Stop,
    ) -> (Finish, Option<String>) {
        for point in points {
            if stop.is_asked() {
                return (Finish::Interrupted, None);
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
                    self.keep(result, progress);
                }
                Err(error) => {
                    return (Finish::Failed, Some(format!("{}: {error}", self.setting(point))));
                }
            }
        }
        (Finish::Complete, None)
    }

    /// What the points up to a repeat came to, for the rule that may ask for more.
    fn measured(&self, repeat: u32) -> Vec<Measured> {
        let mut measured = self.run.measured();
        measured.retain(|one| one.point.repeat <= repeat);
        measured
    }

    /// The targets that are measured no more.
    fn given_up(&self) -> Vec<usize> {
        (0..self.lost.len()).filter(|place| self.lost[*place].is_some()).collect()
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
            arrays: outcome.arrays,
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
            arrays: &result.arrays,
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
