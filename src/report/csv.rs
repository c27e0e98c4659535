//! A run as CSV: one row a point, the unit in each column's name, nothing rounded.
//!
//! For spreadsheets and data frames. What is not known is an empty field; what a void point
//! counted is in its row, and `status` says that it is void.

use super::figures::{Figures, Rates, Sweep};
use crate::record::Run;
use crate::unit::{Percent, TransferSize};

/// A column: its name, and its value for a point of a sweep.
type Column = (&'static str, fn(&Place<'_>) -> String);

/// A point, and where it belongs.
struct Place<'a> {
    run: &'a Run,
    sweep: &'a Sweep<'a>,
    figures: &'a Figures<'a>,
}

/// The table of a run, with its header.
pub(super) fn show(run: &Run, sweeps: &[Sweep<'_>]) -> String {
    let mut writer = ::csv::Writer::from_writer(Vec::new());
    // Writing to memory can't fail, and every row has all columns.
    _ = writer.write_record(header());
    for sweep in sweeps {
        for figures in &sweep.points {
            _ = writer.write_record(row(&Place { run, sweep, figures }));
        }
    }
    String::from_utf8(writer.into_inner().unwrap_or_default()).unwrap_or_default()
}

fn header() -> impl Iterator<Item = String> {
    let names = |columns: &[Column]| -> Vec<String> {
        columns.iter().map(|(name, _)| (*name).to_owned()).collect()
    };
    let latencies = ["", "read_", "write_"].into_iter().flat_map(|direction| {
        LATENCIES.into_iter().map(move |figure| format!("{direction}latency_{figure}_ns"))
    });
    names(&FIRST).into_iter().chain(latencies).chain(names(&LAST))
}

fn row(place: &Place<'_>) -> impl Iterator<Item = String> {
    let values = |columns: &[Column]| -> Vec<String> {
        columns.iter().map(|(_, value)| value(place)).collect()
    };
    let latencies = place.figures.directions().into_iter().flat_map(|(_, rates)| latency(rates));
    values(&FIRST).into_iter().chain(latencies.collect::<Vec<_>>()).chain(values(&LAST))
}

/// The columns before the latencies.
const FIRST: [Column; 16] = [
    ("run", |p| p.run.header.id.clone()),
    ("pattern", |p| p.sweep.pattern.pattern.name.clone()),
    ("fingerprint", |p| p.sweep.pattern.pattern.fingerprint().to_string()),
    ("target", |p| p.sweep.target.name.to_string()),
    ("repeat", |p| p.figures.point.point.repeat.to_string()),
    ("queue_depth", |p| p.figures.setting().queue_depth.to_string()),
    ("read_percent", |p| maybe(p.figures.setting().read)),
    ("transfer_size_bytes", |p| maybe(p.figures.setting().transfer_size.map(TransferSize::get))),
    ("run_time_s", |p| p.figures.point.run_time.as_secs_f64().to_string()),
    ("ios", |p| p.figures.point.measurement.ios().to_string()),
    ("iops", |p| p.figures.all.iops.0.to_string()),
    ("read_iops", |p| p.figures.read.iops.0.to_string()),
    ("write_iops", |p| p.figures.write.iops.0.to_string()),
    ("bytes_per_s", |p| p.figures.all.throughput.0.to_string()),
    ("read_bytes_per_s", |p| p.figures.read.throughput.0.to_string()),
    ("write_bytes_per_s", |p| p.figures.write.throughput.0.to_string()),
];

/// The figures of a latency, in the order of its columns.
const LATENCIES: [&str; 9] =
    ["min", "mean", "stddev", "p50", "p90", "p99", "p99_9", "p99_99", "max"];

fn latency(rates: &Rates) -> Vec<String> {
    let spread = &rates.latency;
    let first = [spread.min, spread.mean, spread.stddev].into_iter();
    let all = first.chain(spread.percentiles).chain([spread.max]);
    all.map(|latency| maybe(latency.map(|latency| latency.0))).collect()
}

/// The columns after the latencies.
const LAST: [Column; 16] = [
    ("held_queue_depth", |p| p.figures.achieved.depth.to_string()),
    ("device_queue_depth", |p| maybe(p.figures.achieved.device_depth)),
    ("achieved_read_percent", |p| maybe(p.figures.achieved.read_percent)),
    ("achieved_random_percent", |p| maybe(p.figures.achieved.random_percent)),
    ("mean_size_bytes", |p| maybe(p.figures.achieved.mean_size)),
    ("device_bytes", |p| maybe(p.figures.achieved.device_bytes)),
    ("cpu_user_s", |p| maybe(p.figures.cpu.as_ref().map(|cpu| cpu.user.as_secs_f64()))),
    ("cpu_system_s", |p| maybe(p.figures.cpu.as_ref().map(|cpu| cpu.system.as_secs_f64()))),
    ("machine_busy_percent", |p| {
        maybe(p.figures.cpu.as_ref().and_then(|cpu| cpu.machine_busy_percent))
    }),
    ("busiest_worker_percent", |p| maybe(p.figures.point.busiest_worker.map(Percent::value))),
    ("errors", |p| p.figures.point.measurement.errors.total().to_string()),
    ("short_transfers", |p| p.figures.point.measurement.short_transfers.to_string()),
    ("again", |p| p.figures.point.measurement.again.to_string()),
    ("outstanding", |p| p.figures.point.measurement.outstanding.to_string()),
    ("marks", |p| {
        let rules = p.figures.point.marks.iter().map(|mark| mark.rule.id());
        rules.collect::<Vec<_>>().join(" ")
    }),
    ("status", |p| p.figures.verdict.to_string()),
];

fn maybe(value: Option<impl ToString>) -> String {
    value.map_or_else(String::new, |value| value.to_string())
}
