//! A run for the terminal: a table for each pattern on each target, in 80 columns.
//!
//! The curve is drawn beside the numbers. A number that a check failed never stands without its
//! letter, nor a letter without its sentence below.

use tabled::builder::Builder;
use tabled::settings::object::{Columns, Object, Rows};
use tabled::settings::{Alignment, Padding, Style};

use super::bar::bar;
use super::figures::{Figures, Rates, Sweep};
use super::patterns::{WIDTH, trimmed, wrapped};
use super::words;
use crate::measure::Percentile;
use crate::record::Run;
use crate::unit::{Latency, Throughput};

/// What stands for a figure that there is none of.
pub(super) const NOTHING: &str = "–";

/// The widest bar, and the narrowest that still shows a curve.
const BARS: std::ops::RangeInclusive<usize> = 4..=16;

/// The run with one line a point.
pub(super) fn show(run: &Run, sweeps: &[Sweep<'_>]) -> String {
    shown(run, sweeps, Width::Narrow)
}

/// The run with reads and writes apart, however wide.
pub(super) fn show_wide(run: &Run, sweeps: &[Sweep<'_>]) -> String {
    shown(run, sweeps, Width::Wide)
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Width {
    Narrow,
    Wide,
}

fn shown(run: &Run, sweeps: &[Sweep<'_>], width: Width) -> String {
    let facts = words::head(run).into_iter().map(|(name, fact)| fact_line(name, &fact));
    let mut lines: Vec<String> = facts.collect();
    for sweep in sweeps {
        lines.push(String::new());
        lines.extend(sweep_lines(sweep, width));
    }
    if sweeps.is_empty() {
        lines.extend([String::new(), "no point was measured".to_owned()]);
    }
    let columns = match width {
        Width::Narrow => words::COLUMNS.to_owned(),
        Width::Wide => [words::COLUMNS, words::BUSY].join(" "),
    };
    lines.extend([String::new(), wrapped(&columns, 0)]);
    if let Some(ending) = words::ending(run) {
        lines.extend([String::new(), wrapped(&ending, 0)]);
    }
    lines.join("\n")
}

fn sweep_lines(sweep: &Sweep<'_>, width: Width) -> Vec<String> {
    let mut lines = vec![
        wrapped(&words::pattern(sweep.pattern), 0),
        fact_line("target", &words::target(sweep.target)),
        fact_line("engine", &words::way(sweep)),
    ];
    if width == Width::Wide {
        lines.extend(words::set_up(sweep).map(|facts| fact_line("set up", &facts)));
    }
    let warnings = words::warnings(sweep);
    lines.extend(warnings.iter().map(|warning| fact_line("NOTE", warning)));
    lines.push(fact_line("mix", &words::mix(sweep)));
    let repeats = sweep.repeats().count();
    for points in sweep.repeats() {
        let title = format!("\nrepeat {}", points[0].point.point.repeat);
        lines.push(if repeats > 1 { title } else { String::new() });
        lines.push(match width {
            Width::Narrow => narrow(points),
            Width::Wide => wide(points),
        });
    }
    lines.push(String::new());
    let legend = words::legend(&sweep.points);
    lines.extend(legend.iter().map(|(letter, text)| fact_line(&letter.to_string(), text)));
    lines.extend(ratings(sweep));
    lines
}

fn ratings(sweep: &Sweep<'_>) -> Vec<String> {
    if sweep.ratings.is_empty() {
        return vec![fact_line("rating", words::NOT_RATED)];
    }
    let rated = sweep.ratings.iter().map(|rated| words::rating(rated, sweep.ratings.len()));
    rated.map(|(name, text)| fact_line(&name, &text)).collect()
}

/// A name and what is to say of it, the further lines below the first.
fn fact_line(name: &str, fact: &str) -> String {
    const INDENT: usize = 9;
    let indent = INDENT.max(name.chars().count() + 2);
    format!("{name:<indent$}{}", wrapped(fact, indent))
}

/// One line a point. The bars take the room that the numbers leave.
fn narrow(points: &[Figures<'_>]) -> String {
    let header = ["depth", "IOPS", "", "MB/s", "mean", "p99", "max", "CPU", "held", "device", ""];
    let plain = laid_out(&header, points.iter().map(|figures| cells(figures, String::new())));
    let taken = plain.lines().map(|line| line.chars().count()).max().unwrap_or(0);
    let width = WIDTH.saturating_sub(taken).clamp(*BARS.start(), *BARS.end());
    let most = points.iter().filter(|f| words::void(f).is_none()).map(|f| f.all.iops.0);
    let most = most.fold(0.0, f64::max);
    let rows = points.iter().map(|figures| cells(figures, bar(figures.all.iops.0, most, width)));
    with_voids(&laid_out(&header, rows), points.iter().map(words::void))
}

/// The table with the reason in each row that is void.
fn with_voids(table: &str, voids: impl Iterator<Item = Option<String>>) -> String {
    let voids = std::iter::once(None).chain(voids);
    let row = |(line, void): (&str, Option<String>)| match void {
        None => line.to_owned(),
        Some(reason) => {
            const DEPTH: usize = "depth  ".len();
            let depth: String = line.chars().take(DEPTH).collect();
            format!("{depth:<DEPTH$}{}", wrapped(&reason, DEPTH))
        }
    };
    table.lines().zip(voids).map(row).collect::<Vec<_>>().join("\n")
}

fn cells(figures: &Figures<'_>, bar: String) -> Vec<String> {
    let depth = figures.point.point.queue_depth.to_string();
    if words::void(figures).is_some() {
        let mut row = vec![depth];
        row.resize(11, String::new());
        return row;
    }
    let cpu = figures.cpu.as_ref().and_then(|cpu| cpu.machine_busy_percent);
    let latency = &figures.all.latency;
    vec![
        depth,
        figures.all.iops.to_string(),
        bar,
        Throughput::digits(figures.all.throughput.mb()),
        time(latency.mean),
        time(latency.percentile(Percentile::P99)),
        time(latency.max),
        // Always as wide, so that the bars do not depend on the machine.
        format!("{:>5}", cpu.map_or_else(|| NOTHING.to_owned(), |cpu| format!("{cpu:.0} %"))),
        format!("{:.1}", figures.achieved.depth),
        figures.achieved.device_depth.map_or_else(|| NOTHING.to_owned(), |d| format!("{d:.1}")),
        words::letters(&figures.point.marks),
    ]
}

/// A latency, or a dash where there is none.
pub(super) fn time(latency: Option<Latency>) -> String {
    latency.map_or_else(|| NOTHING.to_owned(), |latency| latency.to_string())
}

fn laid_out(header: &[&str], rows: impl Iterator<Item = Vec<String>>) -> String {
    let mut builder = Builder::default();
    builder.push_record(header.iter().copied());
    rows.for_each(|row| builder.push_record(row));
    let mut table = builder.build();
    table.with(Style::empty()).with(Padding::new(0, 2, 0, 0));
    table.modify(Columns::new(..), Alignment::right());
    // Bars grow from the left, and letters stand where the eye looks for them.
    table.modify(Columns::one(2).not(Rows::first()), Alignment::left());
    table.modify(Columns::last(), Alignment::left());
    trimmed(&table.to_string())
}

/// A line for both directions of each point together, and one for each.
fn wide(points: &[Figures<'_>]) -> String {
    let header = [
        "depth", "I/O", "IOPS", "MB/s", "MiB/s", "min", "mean", "stddev", "p50", "p90", "p99",
        "p99.9", "p99.99", "max", "held", "device", "busy", "",
    ];
    let (mut rows, mut voids) = (Vec::new(), Vec::new());
    for figures in points {
        let void = words::void(figures);
        let directions = figures.directions().into_iter();
        let moved = directions.filter(|(name, rates)| *name == "all" || rates.iops.0 > 0.0);
        let shown = if void.is_some() { 1 } else { 3 };
        for (name, rates) in moved.take(shown) {
            rows.push(wide_cells(figures, name, rates));
            voids.push(void.clone());
        }
    }
    with_voids(&laid_out(&header, rows.into_iter()), voids.into_iter())
}

fn wide_cells(figures: &Figures<'_>, name: &str, rates: &Rates) -> Vec<String> {
    let of_all = |text: String| if name == "all" { text } else { String::new() };
    let latency = &rates.latency;
    let mut row = vec![
        of_all(figures.point.point.queue_depth.to_string()),
        name.to_owned(),
        rates.iops.to_string(),
        Throughput::digits(rates.throughput.mb()),
        Throughput::digits(rates.throughput.mib()),
        time(latency.min),
        time(latency.mean),
        time(latency.stddev),
    ];
    row.extend(latency.percentiles.iter().map(|percentile| time(*percentile)));
    let (achieved, busy) = (&figures.achieved, figures.point.busiest_worker);
    row.extend([
        time(latency.max),
        of_all(format!("{:.1}", achieved.depth)),
        of_all(achieved.device_depth.map_or_else(|| NOTHING.to_owned(), |d| format!("{d:.1}"))),
        of_all(busy.map_or_else(|| NOTHING.to_owned(), |busy| format!("{:.0} %", busy.value()))),
        of_all(words::letters(&figures.point.marks)),
    ]);
    row
}
