//! The tables of a comparison.

use super::super::axes::Axis;
use super::super::table::NOTHING;
use super::parts::{Column, Grid};
use super::{View, letters};
use crate::comparison::{Against, Interval, Ratio, Word};
use crate::review::{Cell, Compared, Figure, Gathered, Ranking, Scaled};
use crate::stats::Estimate;
use crate::unit::{Iops, QueueDepth};

/// The longest name that heads a column.
const LONGEST: usize = 12;

/// The columns that tell settings apart.
fn axes(compared: &Compared<'_>) -> Vec<Axis> {
    let axes = Axis::varied(&compared.pattern.axes, &depths(compared));
    if axes.is_empty() { vec![Axis::Depth] } else { axes }
}

/// The depths of all cells, each once.
fn depths(compared: &Compared<'_>) -> Vec<QueueDepth> {
    let mut depths: Vec<QueueDepth> =
        compared.cells.iter().map(|cell| cell.setting.queue_depth).collect();
    depths.sort_unstable();
    depths.dedup();
    depths
}

/// A setting as one text, where a table may be split: `30 4 KiB 16`.
fn place(compared: &Compared<'_>, cell: &Cell) -> Vec<String> {
    let axes = axes(compared);
    axes.iter().map(|axis| axis.value(&compared.pattern.axes, cell.setting)).collect()
}

fn heads(compared: &Compared<'_>) -> Vec<Column> {
    axes(compared).iter().map(|axis| Column::new(axis.head())).collect()
}

/// A name that fits over a column.
fn head(name: &str) -> String {
    if name.chars().count() <= LONGEST {
        return name.to_owned();
    }
    let end: Vec<char> = name.chars().rev().take(LONGEST - 1).collect();
    format!("…{}", end.into_iter().rev().collect::<String>())
}

/// Every setting of a pattern on the baseline and on one target.
pub(super) fn details(
    gathered: &Gathered<'_>,
    compared: &Compared<'_>,
    target: usize,
    view: View,
) -> Grid {
    let names = [&gathered.sides[0].name, &gathered.sides[target + 1].name];
    let mut columns = heads(compared);
    for name in names {
        columns.push(Column::new(head(name)));
        columns.push(Column::new("s").giving_way(4));
        columns.push(Column::new("s/mean").giving_way(1));
        columns.push(Column::new("n").giving_way(3));
    }
    columns.extend([
        Column::new("ratio"),
        Column::new("change"),
        Column::new("95 % interval"),
        Column::new("exact p").giving_way(2),
        Column::words(""),
        Column::words(""),
    ]);
    let wide = view.format != super::Format::Table;
    let row = |cell: &Cell| {
        let mut row = place(compared, cell);
        for side in [0, target + 1] {
            row.extend(figure(&cell.figures[side], wide));
        }
        let against = cell.against.get(target);
        row.extend(ratio(against.and_then(|against| against.ratio.as_ref())));
        row.push(against.map(word).unwrap_or_default());
        row.push(letters(cell, [0, target + 1]));
        row
    };
    Grid { columns, rows: compared.cells.iter().map(row).collect() }
}

/// A mean with its deviations, absolute where there is room, and how many repeats are in it.
fn figure(figure: &Figure, wide: bool) -> [String; 4] {
    let mean = figure.mean().map_or_else(|| NOTHING.to_owned(), |mean| Iops(mean).to_string());
    let deviation = figure.deviation().filter(|_| wide);
    let relative = figure.relative_deviation();
    let repeats = figure.series.len();
    [
        mean,
        deviation.map_or_else(String::new, |deviation| Iops(deviation).to_string()),
        relative.map_or_else(String::new, |share| format!("{:.1} %", 100.0 * share)),
        if wide && repeats > 1 { repeats.to_string() } else { String::new() },
    ]
}

/// Ratio, change, interval and exact probability.
fn ratio(ratio: Option<&Ratio>) -> [String; 4] {
    let Some(ratio) = ratio else {
        return [NOTHING.to_owned(), NOTHING.to_owned(), String::new(), String::new()];
    };
    [
        factor(ratio.value),
        change(ratio.value),
        ratio.interval.map(interval).unwrap_or_default(),
        ratio.chance.map(|chance| probability(chance.p)).unwrap_or_default(),
    ]
}

/// A ratio with the digits that it carries: `0.0182`, `1.042`, `3.80`, `54.3`.
pub(super) fn factor(ratio: f64) -> String {
    match ratio {
        r if r < 0.0995 => format!("{r:.4}"),
        r if r < 1.995 => format!("{r:.3}"),
        r if r < 9.995 => format!("{r:.2}"),
        r if r < 99.95 => format!("{r:.1}"),
        r => Iops(r).to_string(),
    }
}

/// A ratio as a change in percent, with its sign.
pub(super) fn change(ratio: f64) -> String {
    let percent = 100.0 * (ratio - 1.0);
    if percent.abs() < 999.5 { format!("{percent:+.1} %") } else { format!("{percent:+.0} %") }
}

/// The bounds of a ratio.
pub(super) fn interval(bounds: Interval) -> String {
    format!("{}–{}", factor(bounds.low), factor(bounds.high))
}

/// A probability.
pub(super) fn probability(p: f64) -> String {
    if p < 0.001 { "<0.001".to_owned() } else { format!("{p:.3}") }
}

/// What is said of a cell: nothing where it did not survive all others.
fn word(against: &Against) -> String {
    against.word.map(|word| word.to_string()).unwrap_or_default()
}

/// Every setting on all targets as shares of the baseline, which has its own figure.
pub(super) fn normalised(gathered: &Gathered<'_>, compared: &Compared<'_>) -> Grid {
    // One column for the setting, so that a table that is split keeps all of it.
    let axes: Vec<String> = axes(compared).iter().map(|axis| axis.head()).collect();
    let mut columns = vec![Column::new(axes.join("  "))];
    columns.push(Column::new(format!("{} IOPS", head(&gathered.sides[0].name))));
    columns.extend(gathered.sides.iter().map(|side| Column::new(head(&side.name))));
    let row = |cell: &Cell| {
        let mean = cell.figures[0].mean();
        let mut row = vec![place(compared, cell).join("  ")];
        row.push(mean.map_or_else(|| NOTHING.to_owned(), |mean| Iops(mean).to_string()));
        row.push(if mean.is_some() { "1".to_owned() } else { NOTHING.to_owned() });
        row.extend(cell.against.iter().map(|against| {
            let sign = match against.word {
                Some(Word::Faster) => " ↑",
                Some(Word::Slower) => " ↓",
                _ => "  ",
            };
            against.ratio.map_or_else(|| format!("{NOTHING}  "), |r| factor(r.value) + sign)
        }));
        row
    };
    let mut rows: Vec<Vec<String>> = compared.cells.iter().map(row).collect();
    let mut mean = vec!["all".to_owned(), String::new(), "1".to_owned()];
    mean.extend(compared.summaries.iter().map(|summary| {
        summary.ratio.map_or_else(|| format!("{NOTHING}  "), |ratio| factor(ratio.value) + "  ")
    }));
    rows.push(mean);
    Grid { columns, rows }
}

/// The best of all repeats, and nothing else.
pub(super) fn best(gathered: &Gathered<'_>, compared: &Compared<'_>) -> Grid {
    let mut columns = heads(compared);
    columns.push(Column::new(head(&gathered.sides[0].name)));
    for side in &gathered.sides[1..] {
        columns.extend([Column::new(head(&side.name)), Column::new("ratio")]);
    }
    let row = |cell: &Cell| {
        let best: Vec<Option<f64>> = cell.figures.iter().map(Figure::best).collect();
        let shown = |value: Option<f64>, show: fn(f64) -> String| {
            value.map_or_else(|| NOTHING.to_owned(), show)
        };
        let mut row = place(compared, cell);
        row.push(shown(best[0], |iops| Iops(iops).to_string()));
        for target in &best[1..] {
            row.push(shown(*target, |iops| Iops(iops).to_string()));
            row.push(shown(target.zip(best[0]).map(|(target, base)| target / base), factor));
        }
        row
    };
    Grid { columns, rows: compared.cells.iter().map(row).collect() }
}

/// All sides by each scheme, the best of a scheme first.
pub(super) fn ranking(gathered: &Gathered<'_>, ranking: &Ranking) -> Grid {
    let columns = vec![
        Column::words("rating"),
        Column::words("target"),
        Column::new("mean"),
        Column::new("± t"),
        Column::new("n").giving_way(1),
        Column::new("ratio"),
        Column::new("change"),
        Column::new("95 % interval"),
    ];
    let mut rows = Vec::new();
    for rated in &ranking.rated {
        let mut order: Vec<usize> = (0..gathered.sides.len()).collect();
        let value = |side: usize| rated.estimates[side].map_or(f64::NEG_INFINITY, |e| e.value);
        order.sort_by(|a, b| value(*b).total_cmp(&value(*a)));
        for (place, side) in order.into_iter().enumerate() {
            let scheme = if place == 0 { rated.scheme.clone() } else { String::new() };
            let mut row = vec![scheme, gathered.sides[side].name.clone()];
            row.extend(estimate(rated.estimates[side].as_ref()));
            let against = side.checked_sub(1).map(|target| rated.ratios[target].as_ref());
            let [factor, change, interval, _] = match against {
                Some(against) => ratio(against),
                None => ["1".to_owned(), String::new(), String::new(), String::new()],
            };
            row.extend([factor, change, interval]);
            rows.push(row);
        }
    }
    let mut grid = Grid { columns, rows };
    if gathered.sides.len() == 1 {
        // A share of itself says nothing.
        for row in &mut grid.rows {
            row[5].clear();
        }
    }
    grid
}

/// A rating over repeats, with its error.
fn estimate(estimate: Option<&Estimate>) -> [String; 3] {
    let Some(estimate) = estimate else {
        return [NOTHING.to_owned(), String::new(), String::new()];
    };
    [
        Iops(estimate.value).to_string(),
        estimate.error.map(|error| Iops(error).to_string()).unwrap_or_default(),
        if estimate.n > 1 { estimate.n.to_string() } else { String::new() },
    ]
}

/// An array against what its disks could give.
pub(super) fn array(scaled: &Scaled) -> Grid {
    let columns = vec![
        Column::new("depth"),
        Column::new(head(&scaled.disk)),
        Column::new(head(&scaled.name)),
        Column::new("× one disk"),
        Column::new("95 % interval").giving_way(1),
        Column::new("could give"),
        Column::new("efficiency"),
    ];
    let nothing = || NOTHING.to_owned();
    let iops = |iops: Option<f64>| iops.map_or_else(nothing, |iops| Iops(iops).to_string());
    let row = |step: &crate::review::Step| {
        let [times, _, interval, _] = ratio(step.against.ratio.as_ref());
        let share = step.efficiency.share.map(|share| format!("{:.0} %", 100.0 * share));
        vec![
            step.efficiency.depth.to_string(),
            iops(step.disk),
            Iops(step.iops).to_string(),
            times,
            interval,
            iops(step.efficiency.possible),
            share.unwrap_or_else(nothing),
        ]
    };
    Grid { columns, rows: scaled.steps.iter().map(row).collect() }
}
