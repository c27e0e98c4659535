//! One point: its workers' lives, the live figures, the stop and the watchdog.

use std::sync::Arc;
use std::sync::mpsc;
use std::time::Duration;

use tokio::sync::mpsc::{UnboundedReceiver, unbounded_channel};
use tokio::time::{Instant as Wall, MissedTickBehavior, interval, sleep_until};

use crate::access::Place;
use crate::clock::Monotonic;
use crate::host::{Probe, Sample};
use crate::measure::{Ending, Measurement};
use crate::pattern::Access;
use crate::unit::{Geometry, Percent, QueueDepth, Seed, Span};

use super::control::{Control, Live};
use super::window::Share;
use super::worker::{self, Assignment, Device, Line, Message, Report, WorkerError};
use super::{HASTE, Stop, Times};

/// How often the screen hears of a running point.
const TICK: Duration = Duration::from_millis(200);

/// How long after its phases a worker may still be at it before it is given up.
const GRACE: Duration = Duration::from_secs(3);

/// How much longer than its window an interrupted point may take: a second Ctrl-C must not be
/// needed.
const SLACK: Duration = Duration::from_millis(300);

/// What a point is made of.
#[derive(Debug, Clone)]
pub struct PointSpec {
    /// What it is done on.
    pub device: Device,
    /// What is asked.
    pub access: Access,
    /// What the target can do.
    pub geometry: Geometry,
    /// The part of it that is used.
    pub span: Span,
    /// Requests in flight, all workers together.
    pub queue_depth: QueueDepth,
    /// Workers that share the depth; fewer where the depth is smaller.
    pub workers: u16,
    /// The CPUs that they are held to, in their order; empty leaves them to the kernel.
    pub cpus: Vec<u32>,
    /// Completions that a wait asks for.
    pub wait_for: u16,
    /// The phases.
    pub times: Times,
    /// Where its random streams start.
    pub seed: Seed,
}

/// What a point came to.
#[derive(Debug)]
pub struct Outcome {
    /// What happened.
    pub measurement: Measurement,
    /// Why it ended.
    pub ending: Ending,
    /// The run time that really passed.
    pub run_time: Duration,
    /// Workers that took part.
    pub workers: u16,
    /// Workers that never came back: a system call holds them.
    pub held: u16,
    /// The share of the run time that the busiest worker was on a processor; `None` where time
    /// is virtual, or none passed.
    pub busiest_worker: Option<Percent>,
    /// What the engine was set up with; where not of all workers, of how many.
    pub engine_facts: Vec<String>,
    /// The machine's counters at the point's start, the run time's start and end, and the end.
    pub samples: Vec<Sample>,
}

/// A point while it runs.
struct Running {
    controls: Vec<Arc<Control>>,
    messages: UnboundedReceiver<(usize, Message)>,
    reports: Vec<Option<Report>>,
}

/// Runs one point to its end. `watch` hears the live figures.
///
/// # Errors
/// [`WorkerError`] where a worker could not be set up or broke: the point has no result.
pub async fn run(
    spec: &PointSpec,
    probe: &Probe,
    stop: &mut Stop,
    mut watch: impl FnMut(Live),
) -> Result<Outcome, WorkerError> {
    let (depth, times) = (spec.queue_depth, spec.times);
    tracing::info!(%depth, workers = spec.workers, ?times, seed = %spec.seed, "point starts");
    let before = probe.sample();
    let mut running = start(spec).await?;
    let mut samples = vec![before];
    let begun = Wall::now();
    let simulated = matches!(spec.device, Device::Simulated(_));
    let mut marks = marks(spec, begun, simulated);
    let all = spec.times.ramp_up + spec.times.run_time + spec.times.drain + GRACE;
    // Virtual time has no deadline on the wall.
    let mut deadline = (!simulated).then(|| begun + all);
    let mut ticks = interval(TICK);
    ticks.set_missed_tick_behavior(MissedTickBehavior::Skip);
    while running.reports.iter().any(Option::is_none) {
        tokio::select! {
            Some((index, message)) = running.messages.recv() => running.hear(index, message)?,
            () = until(marks.first().copied()) => {
                marks.remove(0);
                samples.push(probe.sample());
            }
            () = stop.asked() => {
                running.stop();
                ended_early(&mut marks, &mut samples, probe);
                deadline = Some(Wall::now() + HASTE + SLACK);
            }
            () = until(deadline) => break,
            _ = ticks.tick() => watch(running.live()),
        }
    }
    // A fast target has drained before a timer fires: the run time ended with the point.
    ended_early(&mut marks, &mut samples, probe);
    samples.push(probe.sample());
    let outcome = running.outcome(spec, samples, begun.elapsed());
    let (ending, ios) = (outcome.ending, outcome.measurement.ios());
    tracing::info!(?ending, ios, held = outcome.held, "point ended");
    Ok(outcome)
}

/// Reads the counters at the end of a run time whose own mark has not come yet. One that had not
/// begun has no readings of its own.
fn ended_early(marks: &mut Vec<Wall>, samples: &mut Vec<Sample>, probe: &Probe) {
    if marks.len() == 1 {
        samples.push(probe.sample());
    }
    marks.clear();
}

/// When the machine's counters are read beside the ends: where the run time starts and ends.
fn marks(spec: &PointSpec, begun: Wall, simulated: bool) -> Vec<Wall> {
    let run_start = begun + spec.times.ramp_up;
    if simulated { Vec::new() } else { vec![run_start, run_start + spec.times.run_time] }
}

/// Waits for an instant, or for ever.
async fn until(instant: Option<Wall>) {
    match instant {
        Some(instant) => sleep_until(instant).await,
        None => std::future::pending().await,
    }
}

/// Starts the workers and gives the word once all are set up.
async fn start(spec: &PointSpec) -> Result<Running, WorkerError> {
    let clock = Monotonic::start();
    let (sender, mut messages) = unbounded_channel();
    let (mut controls, mut words) = (Vec::new(), Vec::new());
    let shares: Vec<QueueDepth> = spec.queue_depth.shares(spec.workers).collect();
    let workers = u16::try_from(shares.len()).unwrap_or(u16::MAX);
    for (index, share) in (0_u16..).zip(&shares) {
        let control = Arc::new(Control::default());
        let (word, go) = mpsc::channel();
        let place = Place { geometry: spec.geometry, span: spec.span, worker: (index, workers) };
        let assignment = Assignment {
            device: spec.device.clone(),
            access: spec.access.clone(),
            place,
            seed: spec.seed.derive(u64::from(index)),
            cpu: spec.cpus.get(usize::from(index)).copied(),
            depth: share.get(),
            wait_for: spec.wait_for,
            times: spec.times,
            clock,
            control: Arc::clone(&control),
        };
        let line = Line { index: usize::from(index), messages: sender.clone(), go };
        worker::start(assignment, line)?;
        controls.push(control);
        words.push(word);
    }
    let mut ready = 0;
    while ready < shares.len() {
        match messages.recv().await {
            Some((_, Message::Ready)) => ready += 1,
            Some((_, Message::Failed(error))) => return Err(error),
            Some((_, Message::Done(_))) | None => {}
        }
    }
    for word in words {
        _ = word.send(());
    }
    let reports = shares.iter().map(|_| None).collect();
    Ok(Running { controls, messages, reports })
}

impl Running {
    fn hear(&mut self, index: usize, message: Message) -> Result<(), WorkerError> {
        match message {
            Message::Ready => Ok(()),
            Message::Done(report) => {
                if report.share.ending != Ending::Complete {
                    // Counts are added over one run time: where one worker ends, all do.
                    self.stop();
                }
                self.reports[index] = Some(*report);
                Ok(())
            }
            Message::Failed(error) => {
                self.stop();
                Err(error)
            }
        }
    }

    fn stop(&self) {
        self.controls.iter().for_each(|control| control.stop());
    }

    fn live(&self) -> Live {
        Live::sum(self.controls.iter().map(|control| control.live()))
    }

    /// Merges what came home; a worker that did not is counted by what it last published.
    fn outcome(self, spec: &PointSpec, samples: Vec<Sample>, passed: Duration) -> Outcome {
        let mut outcome = Outcome {
            measurement: Measurement::new(spec.access.lines.len(), 1),
            ending: Ending::Complete,
            run_time: spec.times.run_time,
            workers: u16::try_from(self.reports.len()).unwrap_or(u16::MAX),
            held: 0,
            busiest_worker: None,
            engine_facts: Vec::new(),
            samples,
        };
        let mut facts = Vec::new();
        for (report, control) in self.reports.into_iter().zip(&self.controls) {
            match report {
                Some(report) => {
                    facts.extend_from_slice(&report.facts);
                    outcome.take(&report.share);
                }
                None => outcome.miss(control.live(), spec, passed),
            }
        }
        outcome.engine_facts = together(&facts, outcome.workers - outcome.held);
        outcome
    }
}

impl Outcome {
    fn take(&mut self, share: &Share) {
        self.measurement.merge(&share.measurement);
        self.run_time = self.run_time.min(share.run_time);
        self.busiest_worker = self.busiest_worker.max(share.busy);
        // One worker that lost the target outweighs the others that were stopped for it.
        if matches!(self.ending, Ending::Complete | Ending::Stopped)
            && share.ending != Ending::Complete
        {
            self.ending = share.ending;
        }
    }

    /// Counts a worker that a system call holds. It published ten times a second while it was
    /// free, so what it holds has been held since its last word, to a tenth of a second.
    fn miss(&mut self, live: Live, spec: &PointSpec, passed: Duration) {
        let last = Duration::from_nanos(live.elapsed_ns);
        let age = u64::try_from(passed.saturating_sub(last).as_nanos()).unwrap_or(u64::MAX);
        self.held += 1;
        self.ending = Ending::Silent;
        self.run_time = self.run_time.min(last.saturating_sub(spec.times.ramp_up));
        self.measurement.oldest_ns = self.measurement.oldest_ns.max(age);
        self.measurement.outstanding += u32::try_from(live.in_flight).unwrap_or(u32::MAX);
    }
}

/// What the workers tell of their engines, each thing once. One may be refused what another was
/// given: the limit of locked memory is the user's, and counts what all of them lock.
fn together(facts: &[&'static str], workers: u16) -> Vec<String> {
    let mut counted: Vec<(&str, u16)> = Vec::new();
    for fact in facts {
        match counted.iter_mut().find(|(known, _)| known == fact) {
            Some((_, count)) => *count += 1,
            None => counted.push((fact, 1)),
        }
    }
    let said = |(fact, count): (&str, u16)| match count {
        count if count == workers => fact.to_owned(),
        count => format!("{fact} ({count} of {workers} workers)"),
    };
    counted.into_iter().map(said).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_not_all_workers_have_is_said_of_how_many() {
        for (facts, workers, said) in [
            (&["one ring", "held"][..], 1, vec!["one ring", "held"]),
            (&["a", "b", "a", "b"], 2, vec!["a", "b"]),
            (
                &["a", "fixed", "a", "not fixed", "a", "fixed"],
                3,
                vec!["a", "fixed (2 of 3 workers)", "not fixed (1 of 3 workers)"],
            ),
            (&[], 2, vec![]),
        ] {
            assert_eq!(together(facts, workers), said);
        }
    }
}
