//! A line for each point, as schema 1 writes it.

use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::Fault;
use super::axes::Setting;
use super::direction::Direction;
use super::names::{self, ENDINGS, OPS};
use super::number::{Count, Wide};
use super::sample::{Sample, nanos};
use crate::host;
use crate::measure::{self, Errno, Errors, LineCount, Measurement, Mix, Rule};
use crate::plan;
use crate::record::{self, Header};
use crate::unit::{Op, Percent, parse_moment, show_moment};

#[derive(Debug, Serialize, Deserialize)]
pub(super) struct Point {
    kind: String,
    index: usize,
    pattern: usize,
    target: usize,
    repeat: u32,
    #[serde(flatten)]
    setting: Setting,
    seed: String,
    started: String,
    ramp_up_ns: u64,
    run_time_ns: u64,
    ending: String,
    workers: u16,
    held: u16,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    busiest_worker_percent: Option<f64>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    engine_facts: Vec<String>,
    read: Direction,
    write: Direction,
    lines: Vec<Line>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    errors: Vec<Error>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    errors_outside: Vec<Error>,
    short_transfers: Count,
    again: Count,
    depth_integral_ns: Wide,
    in_flight_at_end: u32,
    outstanding: u32,
    oldest_ns: u64,
    series: Series,
    samples: Vec<Sample>,
    marks: Vec<Mark>,
}

/// What was issued of a line of the access specification. With the size beside it, the lines
/// are the histogram of sizes by direction.
#[derive(Debug, Serialize, Deserialize)]
struct Line {
    size_bytes: u64,
    draws: Count,
    sequential_reads: Count,
    random_reads: Count,
    sequential_writes: Count,
    random_writes: Count,
}

#[derive(Debug, Serialize, Deserialize)]
struct Error {
    operation: String,
    errno: u16,
    name: String,
    count: Count,
}

/// The seconds of a point as arrays: one number a second in each.
#[derive(Debug, Default, Serialize, Deserialize)]
struct Series {
    reads: Vec<Count>,
    writes: Vec<Count>,
    read_bytes: Vec<Count>,
    written_bytes: Vec<Count>,
    latency_sum_ns: Vec<Wide>,
    latency_max_ns: Vec<Wide>,
    errors: Vec<Count>,
}

#[derive(Debug, Serialize, Deserialize)]
struct Mark {
    rule: String,
    verdict: String,
    text: String,
}

impl Point {
    /// The line of a point of the run with this header.
    pub(super) fn new(header: &Header, point: &record::Point) -> Result<Self, Fault> {
        let (place, measured) = (&point.point, &point.measurement);
        Ok(Self {
            kind: "point".to_owned(),
            index: place.index,
            pattern: place.pattern,
            target: place.target,
            repeat: place.repeat,
            setting: place.setting.into(),
            seed: place.seed.to_string(),
            started: show_moment(point.started),
            ramp_up_ns: nanos(point.ramp_up),
            run_time_ns: nanos(point.run_time),
            ending: names::word(&ENDINGS, &point.ending),
            workers: point.workers,
            held: point.held,
            busiest_worker_percent: point.busiest_worker.map(Percent::value),
            engine_facts: point.engine_facts.clone(),
            read: measured.direction(Op::Read).try_into()?,
            write: measured.direction(Op::Write).try_into()?,
            lines: lines(header, place, &measured.mix),
            errors: measured.errors.iter().map(Error::from).collect(),
            errors_outside: measured.errors_outside.iter().map(Error::from).collect(),
            short_transfers: Count(measured.short_transfers),
            again: Count(measured.again),
            depth_integral_ns: Wide(measured.depth_integral_ns),
            in_flight_at_end: measured.in_flight_at_end,
            outstanding: measured.outstanding,
            oldest_ns: measured.oldest_ns,
            series: (&measured.series).into(),
            samples: point.samples.iter().map(Sample::from).collect(),
            marks: point.marks.iter().map(Mark::from).collect(),
        })
    }

    /// The point, if it belongs to the run with this header.
    pub(super) fn read(self, header: &Header) -> Result<record::Point, Fault> {
        let outside = |what| move || Fault::Invalid(format!("it belongs to no {what} of the run"));
        let pattern = header.patterns.get(self.pattern).ok_or_else(outside("pattern"))?;
        header.targets.get(self.target).ok_or_else(outside("target"))?;
        if self.lines.len() != pattern.pattern.access.lines.len() {
            return Err(Fault::Invalid("its lines are not those of its pattern".to_owned()));
        }
        let busiest = self.busiest_worker_percent.map(Percent::try_from);
        Ok(record::Point {
            point: plan::Point {
                index: self.index,
                pattern: self.pattern,
                target: self.target,
                repeat: self.repeat,
                setting: self.setting.read(&pattern.axes)?,
                seed: self.seed.parse().map_err(Fault::invalid)?,
            },
            started: parse_moment(&self.started).map_err(Fault::invalid)?,
            ramp_up: Duration::from_nanos(self.ramp_up_ns),
            run_time: Duration::from_nanos(self.run_time_ns),
            ending: names::value(&ENDINGS, &self.ending)?,
            workers: self.workers,
            held: self.held,
            busiest_worker: busiest.transpose().map_err(Fault::invalid)?,
            measurement: Measurement {
                directions: [self.read.try_into()?, self.write.try_into()?],
                mix: Mix::from_lines(self.lines.into_iter().map(LineCount::from).collect()),
                errors: errors(self.errors)?,
                errors_outside: errors(self.errors_outside)?,
                series: self.series.try_into()?,
                short_transfers: self.short_transfers.0,
                again: self.again.0,
                depth_integral_ns: self.depth_integral_ns.0,
                in_flight_at_end: self.in_flight_at_end,
                outstanding: self.outstanding,
                oldest_ns: self.oldest_ns,
            },
            engine_facts: self.engine_facts,
            samples: self.samples.into_iter().map(host::Sample::from).collect(),
            marks: self.marks.into_iter().map(measure::Mark::try_from).collect::<Result<_, _>>()?,
        })
    }
}

fn lines(header: &Header, place: &plan::Point, mix: &Mix) -> Vec<Line> {
    let access = header.patterns.get(place.pattern).map(|run| run.access(place));
    let lines = access.map_or_else(Vec::new, |access| access.lines);
    let size = |line: usize| lines.get(line).map(|line| line.size);
    let line = |(place, count): (usize, &LineCount)| {
        let [[sequential_reads, random_reads], [sequential_writes, random_writes]] =
            count.ios.map(|by_order| by_order.map(Count));
        Line {
            size_bytes: size(place).map_or(0, |size| size.get().into()),
            draws: Count(count.draws),
            sequential_reads,
            random_reads,
            sequential_writes,
            random_writes,
        }
    };
    mix.lines().iter().enumerate().map(line).collect()
}

impl From<Line> for LineCount {
    fn from(line: Line) -> Self {
        let reads = [line.sequential_reads.0, line.random_reads.0];
        let writes = [line.sequential_writes.0, line.random_writes.0];
        Self { draws: line.draws.0, ios: [reads, writes] }
    }
}

impl From<(Op, Errno, u64)> for Error {
    fn from((op, errno, count): (Op, Errno, u64)) -> Self {
        Self {
            operation: names::word(&OPS, &op),
            errno: errno.0,
            name: errno.to_string(),
            count: Count(count),
        }
    }
}

/// Each reason once: what is said twice could add up to more than fits.
fn errors(stored: Vec<Error>) -> Result<Errors, Fault> {
    let mut errors = Errors::new();
    let mut seen = Vec::new();
    for error in stored {
        let reason = (names::value(&OPS, &error.operation)?, error.errno);
        if seen.contains(&reason) || seen.len() > usize::from(MOST_REASONS) {
            return Err(Fault::Invalid(format!("{} stands in its errors twice", error.name)));
        }
        errors.add(reason.0, Errno(reason.1), error.count.0);
        seen.push(reason);
    }
    Ok(errors)
}

/// More reasons than Linux has, in both directions.
const MOST_REASONS: u16 = 400;

impl From<&measure::Series> for Series {
    fn from(series: &measure::Series) -> Self {
        let mut arrays = Self::default();
        for second in series.seconds() {
            arrays.reads.push(Count(second.ios[0]));
            arrays.writes.push(Count(second.ios[1]));
            arrays.read_bytes.push(Count(second.bytes[0]));
            arrays.written_bytes.push(Count(second.bytes[1]));
            arrays.latency_sum_ns.push(second.latency_sum_ns.into());
            arrays.latency_max_ns.push(second.latency_max_ns.into());
            arrays.errors.push(Count(second.errors));
        }
        arrays
    }
}

impl TryFrom<Series> for measure::Series {
    type Error = Fault;

    fn try_from(arrays: Series) -> Result<Self, Fault> {
        let seconds = arrays.reads.len();
        let lengths = [
            arrays.writes.len(),
            arrays.read_bytes.len(),
            arrays.written_bytes.len(),
            arrays.latency_sum_ns.len(),
            arrays.latency_max_ns.len(),
            arrays.errors.len(),
        ];
        if seconds == 0 || lengths.iter().any(|length| *length != seconds) {
            return Err(Fault::Invalid("the arrays of its series differ in length".to_owned()));
        }
        let second = |at: usize| measure::Second {
            ios: [arrays.reads[at].0, arrays.writes[at].0],
            bytes: [arrays.read_bytes[at].0, arrays.written_bytes[at].0],
            latency_sum_ns: arrays.latency_sum_ns[at].narrow(),
            latency_max_ns: arrays.latency_max_ns[at].narrow(),
            errors: arrays.errors[at].0,
        };
        Ok(Self::from_seconds((0..seconds).map(second).collect()))
    }
}

impl From<&measure::Mark> for Mark {
    fn from(mark: &measure::Mark) -> Self {
        Self {
            rule: mark.rule.id().to_owned(),
            verdict: mark.verdict.id().to_owned(),
            text: mark.text.clone(),
        }
    }
}

impl TryFrom<Mark> for measure::Mark {
    type Error = Fault;

    /// A mark that is not known is a fault of the whole record: leaving it out would make a
    /// number look better than it is.
    fn try_from(mark: Mark) -> Result<Self, Fault> {
        let unknown = |what: &str, word: &str| {
            Fault::Invalid(format!("its mark has the {what} `{word}`, unknown to this fathom"))
        };
        Ok(Self {
            rule: mark.rule.parse::<Rule>().map_err(|()| unknown("rule", &mark.rule))?,
            verdict: mark.verdict.parse().map_err(|()| unknown("verdict", &mark.verdict))?,
            text: mark.text,
        })
    }
}
