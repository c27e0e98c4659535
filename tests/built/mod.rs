//! Records with planted figures, for tests of comparisons: made of the stored sample, written and
//! read as every record is.

#![allow(
    clippy::unwrap_used,
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    dead_code,
    missing_docs,
    unreachable_pub,
    reason = "each test file uses its part"
)]

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use fathom::measure::{Ending, Measurement};
use fathom::pattern::{self, Axes, Setting};
use fathom::plan::{Order, Repeats};
use fathom::record::store::{Writer, open_file};
use fathom::record::{End, Finish, Header, Point, Review, Run, RunPattern};
use fathom::unit::Op;

/// How long each point is recorded.
const RUN_TIME: Duration = Duration::from_secs(10);

/// How a run is laid out in time.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Layout {
    /// Repeat by repeat.
    Interleaved,
    /// Target by target.
    AsWritten,
}

/// A run to be made.
pub struct Plan<'a> {
    pub patterns: Vec<RunPattern>,
    pub targets: &'a [&'a str],
    pub repeats: u32,
    pub layout: Layout,
    /// How many days after the sample it began.
    pub day: u64,
}

/// One place of it, by names.
pub struct At<'a> {
    pub pattern: &'a str,
    pub target: &'a str,
    pub repeat: u32,
    pub setting: Setting,
}

pub fn sample() -> Run {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/records/v1-sample.jsonl");
    open_file(&path).unwrap().run
}

/// A shipped pattern over these depths.
pub fn shipped(name: &str, depths: &[u64]) -> RunPattern {
    let pattern = pattern::find(name).unwrap().pattern();
    let depths = depths.iter().map(|depth| (*depth).try_into().unwrap());
    let axes = Axes { queue_depths: depths.collect(), ..pattern.axes.clone() };
    RunPattern { pattern, raised: Vec::new(), axes }
}

/// A pattern of its own, at depth 1 and without a rating.
pub fn parsed(name: &str, text: &str) -> RunPattern {
    let (pattern, diagnostics) = pattern::parse(name, text);
    let pattern = pattern.unwrap_or_else(|| panic!("{diagnostics:?}"));
    let axes = pattern.axes.clone();
    RunPattern { pattern, raised: Vec::new(), axes }
}

impl Plan<'_> {
    /// The run with these IOPS.
    pub fn run(&self, iops: impl Fn(&At<'_>) -> f64) -> Run {
        let sample = sample();
        let mut simulated = sample.header.targets[1].clone();
        simulated.span.start.0 = 0;
        simulated.span.length = simulated.geometry.size;
        simulated.phases.run_time = RUN_TIME;
        let targets = self.targets.iter().map(|name| {
            let spec = format!("sim:{name}");
            fathom::record::RunTarget { name: name.parse().unwrap(), spec, ..simulated.clone() }
        });
        let header = Header {
            started: sample.header.started + Duration::from_secs(86_400 * self.day),
            patterns: self.patterns.clone(),
            targets: targets.collect(),
            instrument: None,
            review: Review {
                repeats: Repeats::Fixed(self.repeats),
                order: match self.layout {
                    Layout::Interleaved => Order::Interleaved,
                    Layout::AsWritten => Order::AsWritten,
                },
                ..Review::default()
            },
            ..sample.header.clone()
        };
        let mut points = Vec::new();
        for (target, repeat) in self.order() {
            for (place, pattern) in self.patterns.iter().enumerate() {
                for setting in pattern.axes.settings() {
                    let at = At {
                        pattern: &pattern.pattern.name,
                        target: self.targets[target],
                        repeat,
                        setting,
                    };
                    let mut point = sample.points[6].clone();
                    point.point = fathom::plan::Point {
                        index: points.len(),
                        pattern: place,
                        target,
                        repeat,
                        setting,
                        ..point.point
                    };
                    points.push(filled(point, iops(&at), pattern.pattern.access.lines.len()));
                }
            }
        }
        let end = End { at: header.started, how: Finish::Complete, reason: None, changed: None };
        Run { header, points, resumed: Vec::new(), end: Some(end) }
    }

    fn order(&self) -> Vec<(usize, u32)> {
        let targets = 0..self.targets.len();
        match self.layout {
            Layout::Interleaved => (1..=self.repeats)
                .flat_map(|repeat| targets.clone().map(move |target| (target, repeat)))
                .collect(),
            Layout::AsWritten => targets
                .flat_map(|target| (1..=self.repeats).map(move |repeat| (target, repeat)))
                .collect(),
        }
    }
}

/// A point at which as many requests completed as that makes, each in a millisecond.
fn filled(mut point: Point, iops: f64, lines: usize) -> Point {
    let mut measured = Measurement::new(lines, 13);
    for _ in 0..(iops * RUN_TIME.as_secs_f64()).round() as u64 {
        measured.record(Op::Read, 4096, 1_000_000);
    }
    point.measurement = measured;
    point.run_time = RUN_TIME;
    point.ending = Ending::Complete;
    point.marks = Vec::new();
    point
}

/// The record of a run, and the folder that it lies in.
pub fn write(run: &Run, folder: &Path, name: &str) -> PathBuf {
    let path = folder.join(format!("{name}.jsonl"));
    let mut writer = Writer::create(Some(&path), name, run.header.started).unwrap();
    writer.begin(&run.header).unwrap();
    for point in &run.points {
        writer.append(point).unwrap();
    }
    if let Some(end) = &run.end {
        writer.finish(end).unwrap();
    }
    path
}

/// What a command said, and its exit code.
pub struct Said {
    pub out: String,
    pub err: String,
    pub code: Option<i32>,
}

/// Runs the command in a folder, where the records lie.
pub fn fathom(folder: &Path, arguments: &[&str]) -> Said {
    let output = Command::new(env!("CARGO_BIN_EXE_fathom"))
        .args(arguments)
        .current_dir(folder)
        .env("XDG_STATE_HOME", folder.join("state"))
        .env("NO_COLOR", "1")
        .output()
        .unwrap();
    Said {
        out: String::from_utf8(output.stdout).unwrap(),
        err: String::from_utf8(output.stderr).unwrap(),
        code: output.status.code(),
    }
}

/// What a command that succeeds printed.
pub fn printed(folder: &Path, arguments: &[&str]) -> String {
    let said = fathom(folder, arguments);
    assert_eq!(said.code, Some(0), "{arguments:?}: {}", said.err);
    said.out
}
