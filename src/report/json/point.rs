//! The points of the JSON document.

use std::collections::BTreeMap;

use serde::Serialize;

use crate::measure::{Mark, Measurement, Second};
use crate::record::{Point, Run};
use crate::report::figures::{Figures, Rates, Spread};
use crate::unit::{Latency, Percent};

/// One point.
#[derive(Serialize)]
pub(super) struct PointPart<'a> {
    pattern: &'a str,
    fingerprint: String,
    target: &'a str,
    repeat: u32,
    queue_depth: u16,
    /// Where shares are swept; `null` where the pattern's lines say it. So is the size.
    read_percent: Option<f64>,
    transfer_size_bytes: Option<u64>,
    workers: u16,
    engine_facts: &'a [String],
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
pub(super) fn points(run: &Run) -> Vec<PointPart<'_>> {
    run.points.iter().filter_map(|point| part(run, point)).collect()
}

fn part<'a>(run: &'a Run, point: &'a Point) -> Option<PointPart<'a>> {
    let place = &point.point;
    let pattern = &run.header.patterns.get(place.pattern)?.pattern;
    let target = run.header.targets.get(place.target)?;
    let (figures, measured) = (Figures::of(point), &point.measurement);
    Some(PointPart {
        pattern: &pattern.name,
        fingerprint: pattern.fingerprint().to_string(),
        target: target.name.as_str(),
        repeat: place.repeat,
        queue_depth: place.setting.queue_depth.get(),
        read_percent: place.setting.read.map(Percent::value),
        transfer_size_bytes: place.setting.transfer_size.map(|size| size.get().into()),
        workers: point.workers,
        engine_facts: &point.engine_facts,
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
    busiest_worker_percent: Option<f64>,
}

impl CpuPart {
    fn of(figures: &Figures<'_>) -> Self {
        let cpu = figures.cpu.as_ref();
        Self {
            user_s: cpu.map(|cpu| cpu.user.as_secs_f64()),
            system_s: cpu.map(|cpu| cpu.system.as_secs_f64()),
            machine_busy_percent: cpu.and_then(|cpu| cpu.machine_busy_percent),
            busiest_worker_percent: figures.point.busiest_worker.map(Percent::value),
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
    start_s: f64,
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
    // A ramp-up that is no whole number of seconds has its odd part first.
    let odd = f64::from(point.ramp_up.subsec_nanos()) / 1e9;
    let start = |index: usize| match (odd > 0.0, index) {
        (_, 0) => 0.0,
        (true, index) => odd + (index - 1) as f64,
        (false, index) => index as f64,
    };
    let part = |(index, second): (usize, &Second)| SecondPart {
        start_s: start(index),
        phase: phase(point, start(index)),
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
fn phase(point: &Point, start: f64) -> &'static str {
    let ramp_up = point.ramp_up.as_secs_f64();
    match start {
        // The odd part of a ramp-up is no exact binary number.
        _ if start + 1e-6 < ramp_up => "ramp-up",
        _ if start + 1e-6 < ramp_up + point.run_time.as_secs_f64() => "run",
        _ => "drain",
    }
}
