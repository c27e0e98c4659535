//! A comparison as CSV: one row a setting and target, nothing rounded.
//!
//! `row` says what a row is about: a `setting`, all settings of a `pattern`, all patterns
//! (`overall`), or a `rating`. What is not known, or has no meaning in such a row, is an empty
//! field.

use std::collections::BTreeMap;

use crate::comparison::{Ratio, Summary, Word};
use crate::review::{Cell, Compared, Figure, Gathered, Ranking};
use crate::stats::Estimate;
use crate::unit::{Percent, TransferSize};

/// Every column, in order; a row names those that it fills.
const COLUMNS: [&str; 28] = [
    "row",
    "pattern",
    "fingerprint",
    "queue_depth",
    "read_percent",
    "transfer_size_bytes",
    "at",
    "scheme",
    "baseline",
    "target",
    "analysis",
    "baseline_mean",
    "baseline_stddev",
    "baseline_error",
    "baseline_repeats",
    "target_mean",
    "target_stddev",
    "target_error",
    "target_repeats",
    "ratio",
    "ratio_low",
    "ratio_high",
    "p",
    "p_adjusted",
    "exact_p",
    "exact_p_least",
    "counted",
    "word",
];

/// The fields of a row by their columns.
type Row = BTreeMap<&'static str, String>;

/// All rows, with their header.
pub(super) fn show(gathered: &Gathered<'_>) -> String {
    let mut writer = ::csv::Writer::from_writer(Vec::new());
    // Writing to memory can't fail, and every row has all columns.
    _ = writer.write_record(COLUMNS);
    for row in rows(gathered) {
        _ = writer.write_record(COLUMNS.map(|column| row.get(column).map_or("", String::as_str)));
    }
    String::from_utf8(writer.into_inner().unwrap_or_default()).unwrap_or_default()
}

fn rows(gathered: &Gathered<'_>) -> Vec<Row> {
    let mut rows = Vec::new();
    for compared in &gathered.patterns {
        let targets = 0..gathered.sides.len() - 1;
        let settings = compared.cells.iter().flat_map(|cell| {
            targets.clone().map(move |target| setting(gathered, compared, cell, target))
        });
        rows.extend(settings);
        for (target, summed) in compared.summaries.iter().enumerate() {
            let row = summary(head(gathered, "pattern", target), summed);
            rows.push(of_pattern(row, compared));
        }
        for ranking in &compared.rankings {
            let ratings = ratings(gathered, ranking);
            rows.extend(ratings.into_iter().map(|row| of_pattern(row, compared)));
        }
    }
    let overall = gathered.overall.iter().enumerate();
    rows.extend(overall.map(|(target, all)| summary(head(gathered, "overall", target), all)));
    rows
}

/// What every row about a target says.
fn head(gathered: &Gathered<'_>, row: &'static str, target: usize) -> Row {
    Row::from([
        ("row", row.to_owned()),
        ("baseline", gathered.sides[0].name.clone()),
        ("target", gathered.sides[target + 1].name.clone()),
        ("analysis", gathered.analyses[target].id().to_owned()),
    ])
}

fn of_pattern(mut row: Row, compared: &Compared<'_>) -> Row {
    let pattern = &compared.pattern.pattern;
    row.insert("pattern", pattern.name.clone());
    row.insert("fingerprint", pattern.fingerprint().to_string());
    row
}

fn setting(gathered: &Gathered<'_>, compared: &Compared<'_>, cell: &Cell, target: usize) -> Row {
    let mut row = of_pattern(head(gathered, "setting", target), compared);
    let at = cell.setting;
    row.insert("queue_depth", at.queue_depth.to_string());
    row.insert("read_percent", maybe(at.read.map(Percent::value)));
    row.insert("transfer_size_bytes", maybe(at.transfer_size.map(TransferSize::get)));
    let [baseline, other] = [&cell.figures[0], &cell.figures[target + 1]];
    let [mean, deviation, repeats] = figure(baseline);
    row.extend([
        ("baseline_mean", mean),
        ("baseline_stddev", deviation),
        ("baseline_repeats", repeats),
    ]);
    let [mean, deviation, repeats] = figure(other);
    row.extend([("target_mean", mean), ("target_stddev", deviation), ("target_repeats", repeats)]);
    if let Some(against) = cell.against.get(target) {
        row.extend(ratio(against.ratio.as_ref()));
        row.insert("p_adjusted", maybe(against.adjusted));
        row.insert("word", against.word.map_or_else(String::new, |word| word.id().to_owned()));
    }
    row
}

fn figure(figure: &Figure) -> [String; 3] {
    [maybe(figure.mean()), maybe(figure.deviation()), figure.series.len().to_string()]
}

fn ratio(ratio: Option<&Ratio>) -> Row {
    let Some(ratio) = ratio else { return Row::new() };
    let interval = ratio.interval;
    Row::from([
        ("ratio", ratio.value.to_string()),
        ("ratio_low", maybe(interval.map(|interval| interval.low))),
        ("ratio_high", maybe(interval.map(|interval| interval.high))),
        ("p", maybe(interval.map(|interval| interval.p))),
        ("exact_p", maybe(ratio.chance.map(|chance| chance.p))),
        ("exact_p_least", maybe(ratio.chance.map(|chance| chance.least))),
    ])
}

fn summary(mut row: Row, summary: &Summary) -> Row {
    row.extend(ratio(summary.ratio.as_ref()));
    row.insert("counted", summary.counted.to_string());
    row.insert("word", Word::id(summary.word).to_owned());
    row
}

/// A row for each scheme and target; of a review of one target, for each scheme.
fn ratings(gathered: &Gathered<'_>, ranking: &Ranking) -> Vec<Row> {
    let mut rows = Vec::new();
    for rated in &ranking.rated {
        let own = |row: &mut Row| {
            row.insert("scheme", rated.scheme.clone());
            row.insert("at", ranking.group.clone());
            row.extend(rating(
                ["baseline_mean", "baseline_error", "baseline_repeats"],
                rated.estimates[0].as_ref(),
            ));
        };
        if rated.ratios.is_empty() {
            let name = gathered.sides[0].name.clone();
            let mut row = Row::from([("row", "rating".to_owned()), ("baseline", name)]);
            own(&mut row);
            rows.push(row);
        }
        for (target, against) in rated.ratios.iter().enumerate() {
            let mut row = head(gathered, "rating", target);
            own(&mut row);
            row.extend(rating(
                ["target_mean", "target_error", "target_repeats"],
                rated.estimates[target + 1].as_ref(),
            ));
            row.extend(ratio(against.as_ref()));
            rows.push(row);
        }
    }
    rows
}

fn rating(columns: [&'static str; 3], estimate: Option<&Estimate>) -> Row {
    let Some(estimate) = estimate else { return Row::new() };
    let values = [estimate.value.to_string(), maybe(estimate.error), estimate.n.to_string()];
    columns.into_iter().zip(values).collect()
}

fn maybe(value: Option<impl ToString>) -> String {
    value.map_or_else(String::new, |value| value.to_string())
}
