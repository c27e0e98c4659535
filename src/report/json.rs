//! A run as one JSON document, for programs.
//!
//! Its keys are frozen: programs of others read them. What is not known is `null`.

use std::collections::BTreeMap;

use serde::Serialize;

use super::figures::{Figures, Rated, Rates, Spread, Sweep};
use crate::measure::{Mark, Measurement};
use crate::record::{End, Point, Run, RunPattern, RunTarget, v1::Environment};
use crate::unit::{Latency, show_moment};

/// The version of the document's keys.
const SCHEMA: u32 = 1;

/// The document of a run.
pub(super) fn show(run: &Run, sweeps: &[Sweep<'_>]) -> String {
    let document = Document {
        schema: SCHEMA,
        tool: Tool { name: "fathom", version: &run.header.version },
        environment: (&run.header.environment).into(),
        run: RunPart::of(run),
        points: points(run),
        ratings: sweeps.iter().flat_map(ratings).collect(),
    };
    // Numbers, strings and maps with string keys always have a form in JSON.
    serde_json::to_string_pretty(&document).unwrap_or_default()
}

#[derive(Serialize)]
struct Document<'a> {
    schema: u32,
    tool: Tool<'a>,
    environment: Environment,
    run: RunPart<'a>,
    points: Vec<PointPart<'a>>,
    ratings: Vec<RatingPart<'a>>,
}

#[derive(Serialize)]
struct Tool<'a> {
    name: &'static str,
    version: &'a str,
}

#[derive(Serialize)]
struct RunPart<'a> {
    id: &'a str,
    started: String,
    seed: String,
    command: &'a [String],
    targets: Vec<TargetPart<'a>>,
    patterns: Vec<PatternPart<'a>>,
    workers: u16,
    wait_for: u16,
    end: Option<EndPart<'a>>,
}

impl<'a> RunPart<'a> {
    fn of(run: &'a Run) -> Self {
        let header = &run.header;
        Self {
            id: &header.id,
            started: show_moment(header.started),
            seed: header.seed.to_string(),
            command: &header.command,
            targets: header.targets.iter().map(TargetPart::of).collect(),
            patterns: header.patterns.iter().map(PatternPart::of).collect(),
            workers: header.workers,
            wait_for: header.wait_for,
            end: run.end.as_ref().map(EndPart::of),
        }
    }
}

#[derive(Serialize)]
struct EndPart<'a> {
    at: String,
    how: &'static str,
    reason: Option<&'a str>,
}

impl<'a> EndPart<'a> {
    fn of(end: &'a End) -> Self {
        Self { at: show_moment(end.at), how: end.how.id(), reason: end.reason.as_deref() }
    }
}

#[derive(Serialize)]
struct TargetPart<'a> {
    name: &'a str,
    spec: &'a str,
    kind: &'a str,
    path: Option<String>,
    size_bytes: u64,
    block_bytes: u32,
    span_start_bytes: u64,
    span_length_bytes: u64,
    engine: &'a str,
    caching: &'static str,
    nowait: Option<bool>,
    ramp_up_s: f64,
    run_time_s: f64,
    facts: &'a [(String, String)],
    notes: &'a [String],
}

impl<'a> TargetPart<'a> {
    fn of(target: &'a RunTarget) -> Self {
        Self {
            name: target.name.as_str(),
            spec: &target.spec,
            kind: &target.kind,
            path: target.path.as_ref().map(|path| path.to_string_lossy().into_owned()),
            size_bytes: target.geometry.size.get(),
            block_bytes: target.geometry.block,
            span_start_bytes: target.span.start.get(),
            span_length_bytes: target.span.length.get(),
            engine: &target.engine,
            caching: target.caching.id(),
            nowait: target.nowait,
            ramp_up_s: target.phases.ramp_up.as_secs_f64(),
            run_time_s: target.phases.run_time.as_secs_f64(),
            facts: &target.facts,
            notes: &target.notes,
        }
    }
}

#[derive(Serialize)]
struct PatternPart<'a> {
    name: &'a str,
    title: &'a str,
    fingerprint: String,
    queue_depths: Vec<u16>,
    raised: Vec<RaisedPart<'a>>,
}

#[derive(Serialize)]
struct RaisedPart<'a> {
    from_bytes: u32,
    to_bytes: u32,
    because: &'a str,
}

impl<'a> PatternPart<'a> {
    fn of(run: &'a RunPattern) -> Self {
        let raised = run.raised.iter().map(|raised| RaisedPart {
            from_bytes: raised.from.get(),
            to_bytes: raised.to.get(),
            because: &raised.because,
        });
        Self {
            name: &run.pattern.name,
            title: &run.pattern.title,
            fingerprint: run.pattern.access.fingerprint().to_string(),
            queue_depths: run.queue_depths.iter().map(|depth| depth.get()).collect(),
            raised: raised.collect(),
        }
    }
}

/// One point.
#[derive(Serialize)]
struct PointPart<'a> {
    pattern: &'a str,
    fingerprint: String,
    target: &'a str,
    repeat: u32,
    queue_depth: u16,
    read_percent: Option<f64>,
    transfer_size_bytes: Option<u64>,
    run_time_s: f64,
    ios: u64,
    iops: f64,
    read_iops: f64,
    write_iops: f64,
    bytes_per_s: f64,
    read_bytes_per_s: f64,
    write_bytes_per_s: f64,
    latency_ns: LatencyPart,
    read_latency_ns: LatencyPart,
    write_latency_ns: LatencyPart,
    achieved: AchievedPart,
    marks: Vec<MarkPart<'a>>,
    status: &'static str,
    cpu: CpuPart,
    errors: ErrorsPart,
    series: Vec<SecondPart>,
}

/// The points in the order of measuring.
fn points(run: &Run) -> Vec<PointPart<'_>> {
    run.points.iter().filter_map(|point| part(run, point)).collect()
}

fn part<'a>(run: &'a Run, point: &'a Point) -> Option<PointPart<'a>> {
    let place = &point.point;
    let pattern = &run.header.patterns.get(place.pattern)?.pattern;
    let target = run.header.targets.get(place.target)?;
    let (figures, measured) = (Figures::of(point), &point.measurement);
    Some(PointPart {
        pattern: &pattern.name,
        fingerprint: pattern.access.fingerprint().to_string(),
        target: target.name.as_str(),
        repeat: place.repeat,
        queue_depth: place.queue_depth.get(),
        // The axes of later plans; today the pattern decides both.
        read_percent: None,
        transfer_size_bytes: None,
        run_time_s: point.run_time.as_secs_f64(),
        ios: measured.ios(),
        iops: figures.all.iops.0,
        read_iops: figures.read.iops.0,
        write_iops: figures.write.iops.0,
        bytes_per_s: figures.all.throughput.0,
        read_bytes_per_s: figures.read.throughput.0,
        write_bytes_per_s: figures.write.throughput.0,
        latency_ns: LatencyPart::of(&figures.all),
        read_latency_ns: LatencyPart::of(&figures.read),
        write_latency_ns: LatencyPart::of(&figures.write),
        achieved: AchievedPart::of(&figures),
        marks: point.marks.iter().map(MarkPart::of).collect(),
        status: figures.verdict.id(),
        cpu: CpuPart::of(&figures),
        errors: ErrorsPart::of(measured),
        series: series(point),
    })
}

#[derive(Serialize)]
struct LatencyPart {
    min: Option<u64>,
    mean: Option<u64>,
    stddev: Option<u64>,
    p50: Option<u64>,
    p90: Option<u64>,
    p99: Option<u64>,
    p99_9: Option<u64>,
    p99_99: Option<u64>,
    max: Option<u64>,
}

impl LatencyPart {
    fn of(rates: &Rates) -> Self {
        let nanos = |latency: &Option<Latency>| latency.map(|latency| latency.0);
        let Spread { min, mean, stddev, percentiles, max } = &rates.latency;
        let [p50, p90, p99, p99_9, p99_99] = percentiles.each_ref().map(nanos);
        Self {
            min: nanos(min),
            mean: nanos(mean),
            stddev: nanos(stddev),
            p50,
            p90,
            p99,
            p99_9,
            p99_99,
            max: nanos(max),
        }
    }
}

#[derive(Serialize)]
struct AchievedPart {
    queue_depth: f64,
    device_queue_depth: Option<f64>,
    read_percent: Option<f64>,
    random_percent: Option<f64>,
    mean_size_bytes: Option<f64>,
    device_bytes: Option<u64>,
}

impl AchievedPart {
    fn of(figures: &Figures<'_>) -> Self {
        let achieved = &figures.achieved;
        Self {
            queue_depth: achieved.depth,
            device_queue_depth: achieved.device_depth,
            read_percent: achieved.read_percent,
            random_percent: achieved.random_percent,
            mean_size_bytes: achieved.mean_size,
            device_bytes: achieved.device_bytes,
        }
    }
}

#[derive(Serialize)]
struct MarkPart<'a> {
    rule: &'static str,
    verdict: &'static str,
    text: &'a str,
}

impl<'a> MarkPart<'a> {
    fn of(mark: &'a Mark) -> Self {
        Self { rule: mark.rule.id(), verdict: mark.verdict.id(), text: &mark.text }
    }
}

#[derive(Serialize)]
struct CpuPart {
    user_s: Option<f64>,
    system_s: Option<f64>,
    machine_busy_percent: Option<f64>,
}

impl CpuPart {
    fn of(figures: &Figures<'_>) -> Self {
        let cpu = figures.cpu.as_ref();
        Self {
            user_s: cpu.map(|cpu| cpu.user.as_secs_f64()),
            system_s: cpu.map(|cpu| cpu.system.as_secs_f64()),
            machine_busy_percent: cpu.and_then(|cpu| cpu.machine_busy_percent),
        }
    }
}

#[derive(Serialize)]
struct ErrorsPart {
    total: u64,
    by_errno: BTreeMap<String, u64>,
}

impl ErrorsPart {
    fn of(measured: &Measurement) -> Self {
        let mut by_errno = BTreeMap::new();
        for (_, errno, count) in measured.errors.iter() {
            *by_errno.entry(errno.to_string()).or_insert(0) += count;
        }
        Self { total: measured.errors.total(), by_errno }
    }
}

/// What landed in a second, counted from the start of the point.
#[derive(Serialize)]
struct SecondPart {
    start_s: usize,
    phase: &'static str,
    read_ios: u64,
    write_ios: u64,
    read_bytes: u64,
    write_bytes: u64,
    latency_mean_ns: Option<u64>,
    latency_max_ns: u64,
    errors: u64,
}

fn series(point: &Point) -> Vec<SecondPart> {
    let seconds = point.measurement.series.seconds().iter().enumerate();
    let part = |(start_s, second): (usize, &crate::measure::Second)| SecondPart {
        start_s,
        phase: phase(point, start_s),
        read_ios: second.ios[0],
        write_ios: second.ios[1],
        read_bytes: second.bytes[0],
        write_bytes: second.bytes[1],
        latency_mean_ns: second.latency_sum_ns.checked_div(second.ios[0] + second.ios[1]),
        latency_max_ns: second.latency_max_ns,
        errors: second.errors,
    };
    seconds.map(part).collect()
}

/// The phase in which a second begins.
fn phase(point: &Point, start_s: usize) -> &'static str {
    let start = start_s as f64;
    let ramp_up = point.ramp_up.as_secs_f64();
    match start {
        _ if start < ramp_up => "ramp-up",
        _ if start < ramp_up + point.run_time.as_secs_f64() => "run",
        _ => "drain",
    }
}

#[derive(Serialize)]
struct RatingPart<'a> {
    pattern: &'a str,
    target: &'a str,
    repeat: u32,
    scheme: String,
    depths: Option<Vec<u16>>,
    weights: Option<Vec<f64>>,
    value: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    undefined: Option<String>,
}

fn ratings<'a>(sweep: &'a Sweep<'_>) -> impl Iterator<Item = RatingPart<'a>> {
    sweep.ratings.iter().map(|rated| rating(sweep, rated))
}

fn rating<'a>(sweep: &'a Sweep<'_>, rated: &Rated<'_>) -> RatingPart<'a> {
    let rating = rated.rating.as_ref();
    let defined = rating.ok();
    RatingPart {
        pattern: &sweep.pattern.pattern.name,
        target: sweep.target.name.as_str(),
        repeat: rated.repeat,
        scheme: rated.scheme.to_string(),
        depths: defined.map(|rating| rating.depths.iter().map(|depth| depth.get()).collect()),
        weights: defined.map(|rating| rating.weights.clone()),
        value: defined.map(|rating| rating.value),
        undefined: rating.err().map(ToString::to_string),
    }
}
