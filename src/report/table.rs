//! A run for the terminal: a table for each pattern on each target, in 80 columns.
//!
//! The curve is drawn beside the numbers. A number that a check failed never stands without its
//! letter, nor a letter without its sentence below.

use tabled::builder::Builder;
use tabled::settings::object::{Columns, Object, Rows};
use tabled::settings::{Alignment, Padding, Style};

use super::axes::{Axis, in_common};
use super::bar::bar;
use super::figures::{Figures, Rates, Sweep};
use super::means::Mean;
use super::patterns::{WIDTH, trimmed, wrapped};
use super::pivot;
use super::words;
use crate::measure::Percentile;
use crate::record::Run;
use crate::unit::{Latency, QueueDepth, Throughput};

/// What stands for a figure that there is none of.
pub(super) const NOTHING: &str = "–";

/// The widest bar, and the narrowest that still shows a curve.
const BARS: std::ops::RangeInclusive<usize> = 4..=16;

/// The run with one line a point, or one figure where more axes than one are varied.
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

/// What a table shows of a sweep, and how.
struct View {
    /// The axes that it has columns or rows for.
    axes: Vec<Axis>,
    /// The depths that it shows.
    depths: Vec<QueueDepth>,
    table: fn(&Sweep<'_>, &[&Figures<'_>], &[Axis]) -> String,
}

/// Depths that are left out are not varied here; one axis has a line for each of its values.
fn narrow(sweep: &Sweep<'_>) -> View {
    let depths = sweep.shown_depths();
    let axes = Axis::varied(&sweep.pattern.axes, &depths);
    match axes.len() {
        0 => View { axes: vec![Axis::Depth], depths, table: rows },
        1 => View { axes, depths, table: rows },
        _ => View { axes, depths, table: pivot::show },
    }
}

/// Everything has a line; the depth always stands in it.
fn wide(sweep: &Sweep<'_>) -> View {
    let depths = sweep.pattern.axes.queue_depths.clone();
    let mut axes = Axis::varied(&sweep.pattern.axes, &depths);
    if !axes.contains(&Axis::Depth) {
        axes.push(Axis::Depth);
    }
    View { axes, depths, table: wide_rows }
}

fn shown(run: &Run, sweeps: &[Sweep<'_>], width: Width) -> String {
    let view = match width {
        Width::Narrow => narrow,
        Width::Wide => wide,
    };
    let facts = words::head(run).into_iter().map(|(name, fact)| fact_line(name, &fact));
    let mut lines: Vec<String> = facts.collect();
    for sweep in sweeps {
        lines.push(String::new());
        lines.extend(sweep_lines(sweep, &view(sweep), width));
    }
    if sweeps.is_empty() {
        lines.extend([String::new(), "no point was measured".to_owned()]);
    }
    let columns = match width {
        Width::Narrow if sweeps.iter().all(|sweep| sweep.repeats().count() < 2) => {
            words::COLUMNS.to_owned()
        }
        Width::Narrow => words::REPEATS.to_owned(),
        Width::Wide => [words::COLUMNS, words::BUSY].join(" "),
    };
    lines.extend([String::new(), wrapped(&columns, 0)]);
    if let Some(ending) = words::ending(run) {
        lines.extend([String::new(), wrapped(&ending, 0)]);
    }
    lines.join("\n")
}

fn sweep_lines(sweep: &Sweep<'_>, view: &View, width: Width) -> Vec<String> {
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
    let common = in_common(&sweep.pattern.axes, &view.axes, &view.depths);
    lines.extend(common.map(|common| fact_line("setting", &common)));
    let (here, left_out): (Vec<_>, Vec<_>) = sweep
        .points
        .iter()
        .partition(|figures| view.depths.contains(&figures.setting().queue_depth));
    let repeats = sweep.repeats().count();
    if repeats > 1 && width == Width::Narrow {
        lines.extend([String::new(), means(sweep, view), String::new()]);
    }
    let apart = if repeats > 1 && width == Width::Narrow { &[] } else { here.as_slice() };
    for points in apart.chunk_by(|a, b| a.point.point.repeat == b.point.point.repeat) {
        let title = format!("\nrepeat {}", points[0].point.point.repeat);
        lines.push(if repeats > 1 { title } else { String::new() });
        lines.push((view.table)(sweep, points, &view.axes));
    }
    if !apart.is_empty() {
        lines.push(String::new());
    }
    let legend = words::legend(sweep, &here, &view.axes);
    lines.extend(legend.iter().map(|(letter, text)| fact_line(&letter.to_string(), text)));
    lines.extend(words::left_out(&left_out).map(|text| fact_line("more", &text)));
    lines.extend(words::stops(sweep).map(|text| fact_line("rule", &text)));
    let ratings = words::ratings(sweep).into_iter();
    lines.extend(ratings.map(|(name, text)| fact_line(&name, &text)));
    lines
}

/// A name and what is to say of it, the further lines below the first.
fn fact_line(name: &str, fact: &str) -> String {
    const INDENT: usize = 9;
    let indent = INDENT.max(name.chars().count() + 2);
    format!("{name:<indent$}{}", wrapped(fact, indent))
}

/// One line a point. The bars take the room that the numbers leave.
fn rows(sweep: &Sweep<'_>, points: &[&Figures<'_>], axes: &[Axis]) -> String {
    let mut header: Vec<String> = axes.iter().map(|axis| axis.head()).collect();
    let figures = ["IOPS", "", "MB/s", "mean", "p99", "max", "CPU", "held", "device", ""];
    header.extend(figures.map(str::to_owned));
    let row = |figures: &Figures<'_>, bar: String| {
        let mut row = coordinates(sweep, figures, axes);
        row.extend(cells(figures, bar));
        row
    };
    let layout = Layout { header, bars: Some(axes.len() + 1) };
    let plain = layout.lay_out(points.iter().map(|figures| row(figures, String::new())));
    let taken = plain.lines().map(|line| line.chars().count()).max().unwrap_or(0);
    let width = WIDTH.saturating_sub(taken).clamp(*BARS.start(), *BARS.end());
    let most = points.iter().filter(|f| words::void(f).is_none()).map(|f| f.all.iops.0);
    let most = most.fold(0.0, f64::max);
    let rows = points.iter().map(|figures| row(figures, bar(figures.all.iops.0, most, width)));
    let rows: Vec<Vec<String>> = rows.collect();
    let voids = points.iter().map(|figures| words::void(figures));
    layout.with_voids(&rows, voids, axes.len())
}

/// One line, or one crossing, a setting over all repeats.
fn means(sweep: &Sweep<'_>, view: &View) -> String {
    let means = super::means::means(sweep);
    let shown = means.iter().filter(|mean| view.depths.contains(&mean.setting.queue_depth));
    let shown: Vec<&Mean> = shown.collect();
    if view.axes.len() > 1 {
        return pivot::means(sweep, &shown, &view.axes);
    }
    let mut header: Vec<String> = view.axes.iter().map(|axis| axis.head()).collect();
    let figures = ["IOPS", "", "s", "s/mean", "n", "MB/s", "mean", "p99", "max", ""];
    header.extend(figures.map(str::to_owned));
    let row = |mean: &Mean, bar: String| {
        let place = view.axes.iter().map(|axis| axis.value(&sweep.pattern.axes, mean.setting));
        let nothing = || NOTHING.to_owned();
        let figures = [
            mean.iops.map_or_else(|| "void".to_owned(), |iops| iops.to_string()),
            bar,
            mean.deviation.map_or_else(nothing, |deviation| deviation.to_string()),
            mean.scatter().unwrap_or_else(nothing),
            mean.count(),
            mean.iops.map_or_else(nothing, |_| Throughput::digits(mean.throughput.mb())),
            time(mean.latency.mean),
            time(mean.latency.percentile(Percentile::P99)),
            time(mean.latency.max),
            words::letters(&mean.marks),
        ];
        place.chain(figures).collect::<Vec<_>>()
    };
    let layout = Layout { header, bars: Some(view.axes.len() + 1) };
    let plain = layout.lay_out(shown.iter().map(|mean| row(mean, String::new())));
    let taken = plain.lines().map(|line| line.chars().count()).max().unwrap_or(0);
    let width = WIDTH.saturating_sub(taken).clamp(*BARS.start(), *BARS.end());
    let value = |mean: &Mean| mean.iops.map_or(0.0, |iops| iops.0);
    let most = shown.iter().map(|mean| value(mean)).fold(0.0, f64::max);
    layout.lay_out(shown.iter().map(|mean| row(mean, bar(value(mean), most, width))))
}

/// A point's place on the axes that have columns.
fn coordinates(sweep: &Sweep<'_>, figures: &Figures<'_>, axes: &[Axis]) -> Vec<String> {
    axes.iter().map(|axis| axis.value(&sweep.pattern.axes, figures.setting())).collect()
}

/// How a table of points is laid out.
struct Layout {
    header: Vec<String>,
    /// The column of bars, which grow from the left.
    bars: Option<usize>,
}

impl Layout {
    fn lay_out(&self, rows: impl Iterator<Item = Vec<String>>) -> String {
        let mut builder = Builder::default();
        builder.push_record(self.header.iter().cloned());
        rows.for_each(|row| builder.push_record(row));
        let mut table = builder.build();
        table.with(Style::empty()).with(Padding::new(0, 2, 0, 0));
        table.modify(Columns::new(..), Alignment::right());
        if let Some(bars) = self.bars {
            table.modify(Columns::one(bars).not(Rows::first()), Alignment::left());
        }
        // Letters stand where the eye looks for them.
        table.modify(Columns::last(), Alignment::left());
        trimmed(&table.to_string())
    }

    /// The table with the reason in each row that is void, behind its first columns.
    fn with_voids(
        &self,
        rows: &[Vec<String>],
        voids: impl Iterator<Item = Option<String>>,
        first: usize,
    ) -> String {
        let width = |column: usize| {
            let cells = rows.iter().chain([&self.header]).map(|row| row[column].chars().count());
            cells.max().unwrap_or(0) + "  ".len()
        };
        let indent: usize = (0..first).map(width).sum();
        let voids = std::iter::once(None).chain(voids);
        let row = |(line, void): (&str, Option<String>)| match void {
            None => line.to_owned(),
            Some(reason) => {
                let place: String = line.chars().take(indent).collect();
                format!("{place:<indent$}{}", wrapped(&reason, indent))
            }
        };
        let table = self.lay_out(rows.iter().cloned());
        table.lines().zip(voids).map(row).collect::<Vec<_>>().join("\n")
    }
}

fn cells(figures: &Figures<'_>, bar: String) -> Vec<String> {
    if words::void(figures).is_some() {
        return vec![String::new(); 10];
    }
    let cpu = figures.cpu.as_ref().and_then(|cpu| cpu.machine_busy_percent);
    let latency = &figures.all.latency;
    vec![
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

/// A line for both directions of each point together, and one for each.
fn wide_rows(sweep: &Sweep<'_>, points: &[&Figures<'_>], axes: &[Axis]) -> String {
    let mut header: Vec<String> = axes.iter().map(|axis| axis.head()).collect();
    let figures = [
        "I/O", "IOPS", "MB/s", "MiB/s", "min", "mean", "stddev", "p50", "p90", "p99", "p99.9",
        "p99.99", "max", "held", "device", "busy", "",
    ];
    header.extend(figures.map(str::to_owned));
    let (mut rows, mut voids) = (Vec::new(), Vec::new());
    for figures in points {
        let void = words::void(figures);
        let directions = figures.directions().into_iter();
        let moved = directions.filter(|(name, rates)| *name == "all" || rates.iops.0 > 0.0);
        let shown = if void.is_some() { 1 } else { 3 };
        for (name, rates) in moved.take(shown) {
            let mut row = coordinates(sweep, figures, axes);
            if name != "all" {
                row.fill(String::new());
            }
            row.extend(wide_cells(figures, name, rates));
            rows.push(row);
            voids.push(void.clone());
        }
    }
    // Bars are for the narrow table.
    Layout { header, bars: None }.with_voids(&rows, voids.into_iter(), axes.len())
}

fn wide_cells(figures: &Figures<'_>, name: &str, rates: &Rates) -> Vec<String> {
    let of_all = |text: String| if name == "all" { text } else { String::new() };
    let latency = &rates.latency;
    let mut row = vec![
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
