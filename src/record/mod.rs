//! What is kept of a run: everything that later verdicts and comparisons need.
//!
//! A [`Run`] is what a record says, in the crate's own types; the file is JSON lines of schema 1,
//! appended a point at a time the moment it ends, so that a crash in the tenth keeps nine. Raw
//! counts are kept and ratings are not: they are computed when read, so that a better rating
//! applies to old runs. Core types are not serialisable; `v1` owns the schema. Tested by round
//! trips and by stored samples of the schema.

mod environment;
mod review;
pub mod serials;
pub mod store;
pub mod v1;

use std::path::PathBuf;
use std::time::{Duration, SystemTime};

pub use environment::{Difference, Link, changes, differences, differences_of};

use crate::comparison::scaling::Declared;
use crate::host::{ArrayReading, Environment, Sample};
use crate::measure::{Ending, Instrument, Mark, Measurement, Verdict, verdict};
use crate::pattern::{Access, Axes, Pattern};
use crate::plan::{self, Phases, Raised, TargetName, Workers};
use crate::unit::{Geometry, Iops, Percent, Seed, Span};

pub use review::Review;

/// A run, as far as its record goes.
#[derive(Debug, Clone)]
pub struct Run {
    /// What was decided and found before the first point.
    pub header: Header,
    /// The points, in the order in which they were measured.
    pub points: Vec<Point>,
    /// When it was stopped and went on.
    pub resumed: Vec<SystemTime>,
    /// How it ended; `None` while it runs, and where it was killed.
    pub end: Option<End>,
}

impl Run {
    /// That it was stopped and goes on: points that were cut short are measured again.
    pub fn go_on(&mut self, at: SystemTime) {
        self.points.retain(|point| point.ending == Ending::Complete);
        self.resumed.push(at);
        self.end = None;
    }

    /// What its points came to, for the rule of repeats.
    pub fn measured(&self) -> Vec<plan::Measured> {
        let one = |point: &Point| plan::Measured {
            point: point.point,
            iops: point.believed().map(|iops| iops.0),
        };
        self.points.iter().map(one).collect()
    }
}

/// What was decided and found before the first point.
#[derive(Debug, Clone)]
pub struct Header {
    /// The record's name: `fathom show ID`.
    pub id: String,
    /// The version of fathom that measured.
    pub version: String,
    /// When the run began.
    pub started: SystemTime,
    /// The words of its command line.
    pub command: Vec<String>,
    /// Where its random streams start.
    pub seed: Seed,
    /// Workers per target, as asked; each target has its own number.
    pub workers: Workers,
    /// Completions that a wait asks for.
    pub wait_for: u16,
    /// Its patterns.
    pub patterns: Vec<RunPattern>,
    /// Its targets.
    pub targets: Vec<RunTarget>,
    /// How it was planned as a review.
    pub review: Review,
    /// The machine.
    pub environment: Environment,
    /// What the tool itself costs on it, measured before the first point; `None` where that was
    /// not measured, as in a run of simulated targets alone.
    pub instrument: Option<Instrument>,
    /// Whether serial numbers and what else names a single device or host were left out.
    pub serials_hidden: bool,
}

impl Header {
    /// The workers asked for; of `auto`, the most that any target has.
    pub fn most_workers(&self) -> u16 {
        match self.workers {
            Workers::Fixed(workers) => workers,
            Workers::Auto => self.targets.iter().map(|target| target.workers).max().unwrap_or(1),
        }
    }
}

/// A pattern as it was run.
#[derive(Debug, Clone)]
pub struct RunPattern {
    /// The pattern, after sizes were raised for the targets.
    pub pattern: Pattern,
    /// The sizes that were raised; empty as a rule.
    pub raised: Vec<Raised>,
    /// What it was swept over, after sizes were raised.
    pub axes: Axes,
}

impl RunPattern {
    /// What was asked at a point.
    pub fn access(&self, point: &plan::Point) -> Access {
        self.pattern.access.at(point.setting)
    }
}

/// A target as it was found.
#[derive(Debug, Clone)]
pub struct RunTarget {
    /// What tables call it.
    pub name: TargetName,
    /// What was asked for: a path, `null:` or `sim:…`.
    pub spec: String,
    /// What it is: `block device`, `file`, `scratch file`, `simulated`, `null`.
    pub kind: String,
    /// Where it is, links resolved.
    pub path: Option<PathBuf>,
    /// What it can do.
    pub geometry: Geometry,
    /// The part of it that was used.
    pub span: Span,
    /// How requests reached it: `io-uring`, `threads`, `null`, `sim`.
    pub engine: String,
    /// Whether the page cache was passed by.
    pub caching: Caching,
    /// Whether it can be asked without waiting (`RWF_NOWAIT`); `None` where that was not tried.
    pub nowait: Option<bool>,
    /// The most workers that its points have; a point has fewer at a small depth.
    pub workers: u16,
    /// The CPUs that they are held to, in their order; empty where the kernel places them.
    pub cpus: Vec<u32>,
    /// Whether completions are polled for.
    pub polled: bool,
    /// The times of its points.
    pub phases: Phases,
    /// What array it was said to be.
    pub array: Option<Declared>,
    /// Facts about the target itself: names and values in order. Older records hold
    /// those of its devices here, too.
    pub facts: Vec<(String, String)>,
    /// What lies under it: the file system of a file, then each device down to the disks.
    pub chain: Vec<Link>,
    /// What has to be said of it beside every number: fallbacks, what it is not comparable with.
    pub notes: Vec<String>,
}

/// Whether the page cache lies between fathom and the target.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Caching {
    /// `O_DIRECT`.
    Direct,
    /// Through the page cache, as asked.
    Buffered,
    /// There is no cache: no device, or a simulated one.
    None,
}

impl Caching {
    /// Its name in records.
    pub const fn id(self) -> &'static str {
        match self {
            Self::Direct => "direct",
            Self::Buffered => "buffered",
            Self::None => "none",
        }
    }
}

/// A measured point.
#[derive(Debug, Clone)]
pub struct Point {
    /// Its coordinates.
    pub point: plan::Point,
    /// When it began.
    pub started: SystemTime,
    /// The ramp-up before it.
    pub ramp_up: Duration,
    /// The run time that really passed.
    pub run_time: Duration,
    /// Why it ended.
    pub ending: Ending,
    /// Workers that took part.
    pub workers: u16,
    /// Workers that never came back.
    pub held: u16,
    /// The share of the run time that the busiest worker was on a processor; `None` where time is
    /// virtual, or none passed.
    pub busiest_worker: Option<Percent>,
    /// What the engine was set up with.
    pub engine_facts: Vec<String>,
    /// What happened.
    pub measurement: Measurement,
    /// Readings of the machine's counters: at the start, and where they were taken at the start
    /// and end of the run time, and at the end.
    pub samples: Vec<Sample>,
    /// States of the arrays that the target is built on: of each the first, every change, and the
    /// last.
    pub arrays: Vec<ArrayReading>,
    /// What the audit found.
    pub marks: Vec<Mark>,
}

impl Point {
    /// Whether its number may be believed.
    pub fn verdict(&self) -> Verdict {
        verdict(&self.marks)
    }

    /// Its IOPS, where they may be compared with others: it is not void and ran to its end. What
    /// was cut short is no measurement of its setting, whatever it came to.
    pub fn believed(&self) -> Option<Iops> {
        let whole = self.verdict() != Verdict::Void && self.ending == Ending::Complete;
        whole.then(|| self.measurement.iops(self.run_time))
    }

    /// The readings at the start and end of the run time. A simulated target, whose time is not
    /// the machine's, has only those around the whole point; a point that ended before its run
    /// time has none.
    pub fn run_samples(&self) -> Option<(&Sample, &Sample)> {
        match self.samples.as_slice() {
            [_, start, end, _] => Some((start, end)),
            [start, end] if self.run_time > Duration::ZERO => Some((start, end)),
            _ => None,
        }
    }

    /// The readings before the first request and after the last.
    pub fn all_samples(&self) -> Option<(&Sample, &Sample)> {
        Some((self.samples.first()?, self.samples.last()?))
    }
}

/// How a run ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct End {
    /// When.
    pub at: SystemTime,
    /// How.
    pub how: Finish,
    /// Why, where it did not simply finish.
    pub reason: Option<String>,
    /// What of the environment had changed since the header; empty where nothing had, and `None`
    /// where nobody looked: the run was left in haste, or an older fathom wrote the record.
    pub changed: Option<Vec<Difference>>,
}

/// The ways a run ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Finish {
    /// All points were measured.
    Complete,
    /// Somebody asked for it.
    Interrupted,
    /// It could not go on.
    Failed,
}

impl Finish {
    /// Its name in records.
    pub const fn id(self) -> &'static str {
        match self {
            Self::Complete => "complete",
            Self::Interrupted => "interrupted",
            Self::Failed => "failed",
        }
    }
}

#[cfg(test)]
pub(crate) mod tests;
