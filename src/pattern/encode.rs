//! From a [`Pattern`] to the text of its file: canonical TOML, a pleasure to read.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::time::Duration;

use super::{Access, Align, Axes, Data, Line, Pattern, Scheme};
use crate::document::quote;
use crate::unit::{Percent, QueueDepth, TransferSize};

/// The text of a pattern's file. Reading it gives the same pattern back.
///
/// What all lines have in common is said once, at the head; what is the default is not said.
pub fn write(pattern: &Pattern) -> String {
    let mut text = String::new();
    let mut pair = |key: &str, value: String| {
        // Writing to a `String` can't fail.
        _ = writeln!(text, "{key:<6} = {value}");
    };
    pair("title", quote(&pattern.title));
    if let Some(about) = &pattern.about {
        pair("about", quote(about));
    }
    if let Some(source) = &pattern.source {
        pair("source", quote(source));
    }
    let common = Common::of(pattern);
    if let Some(read) = common.read.filter(|_| common.swept.directions.is_none()) {
        pair("read", read.to_string());
    }
    if let Some(random) = common.random {
        pair("random", random.to_string());
    }
    if common.align != Align::Natural {
        pair("align", show_align(common.align));
    }
    if pattern.access.data != Data::Random {
        pair("data", show_data(pattern.access.data));
    }
    pair("access", show_lines(&pattern.access.lines, &common));
    _ = write!(text, "\n[sweep]\n{}", show_sweep(pattern));
    if let Some(scheme) = &pattern.rating {
        _ = write!(text, "\n[rating]\n{}\n", show_scheme(scheme));
    }
    text
}

/// What no line says: what all say alike, and what the sweep says for them.
struct Common<'a> {
    read: Option<Percent>,
    random: Option<Percent>,
    align: Align,
    swept: &'a Axes,
}

impl<'a> Common<'a> {
    fn of(pattern: &'a Pattern) -> Self {
        let access = &pattern.access;
        Self {
            read: agreed(access, |line| line.read),
            random: agreed(access, |line| line.random),
            align: agreed(access, |line| line.align).unwrap_or(Align::Natural),
            swept: &pattern.axes,
        }
    }
}

fn agreed<T: PartialEq>(access: &Access, of: impl Fn(&Line) -> T) -> Option<T> {
    let first = access.lines.first().map(&of)?;
    access.lines.iter().all(|line| of(line) == first).then_some(first)
}

/// The lines as rows of an aligned table: equal columns begin at equal places.
fn show_lines(lines: &[Line], common: &Common<'_>) -> String {
    let rows: Vec<Vec<String>> = lines.iter().map(|line| cells(line, common)).collect();
    let columns = rows.iter().map(Vec::len).max().unwrap_or(0);
    let width = |column: usize| {
        rows.iter().filter_map(|row| row.get(column)).map(|cell| cell.chars().count()).max()
    };
    let widths: Vec<usize> = (0..columns).map(|column| width(column).unwrap_or(0)).collect();
    let mut text = String::from("[\n");
    for row in &rows {
        let filled = row.iter().zip(&widths).filter(|(_, width)| **width > 0);
        let padded: Vec<_> = filled.map(|(cell, width)| format!("{cell:<width$}")).collect();
        _ = writeln!(text, "  {{ {} }},", padded.join(" ").trim_end().trim_end_matches(','));
    }
    text.push(']');
    text
}

/// `key = value,` for all that a line says; empty where it says nothing.
fn cells(line: &Line, common: &Common<'_>) -> Vec<String> {
    let said = |key: &str, value: Option<String>| {
        value.map_or_else(String::new, |value| format!("{key} = {value},"))
    };
    vec![
        said("size", common.swept.transfer_sizes.is_empty().then(|| show_size(line.size))),
        said("share", Some(line.share.to_string())),
        said("read", common.read.is_none().then(|| line.read.to_string())),
        said("random", common.random.is_none().then(|| line.random.to_string())),
        said("align", (line.align != common.align).then(|| show_align(line.align))),
        said("burst", (line.burst != 1).then(|| line.burst.to_string())),
        said("delay", (line.delay != Duration::ZERO).then(|| show_delay(line.delay))),
    ]
}

/// The axes, one a line.
fn show_sweep(pattern: &Pattern) -> String {
    let axes = &pattern.axes;
    let mut text = format!("queue_depth = {}\n", list(axes.queue_depths.iter()));
    let mut pair = |key: &str, values: String| _ = writeln!(text, "{key} = {values}");
    if !pattern.shown_depths.is_empty() {
        pair("show_queue_depth", list(pattern.shown_depths.iter()));
    }
    if let Some(directions) = &axes.directions {
        pair(&directions.of.to_string(), list(directions.percents.iter()));
    }
    if !axes.transfer_sizes.is_empty() {
        pair("transfer_size", list(axes.transfer_sizes.iter().map(|size| show_size(*size))));
    }
    text
}

fn list(values: impl Iterator<Item = impl ToString>) -> String {
    format!("[{}]", values.map(|value| value.to_string()).collect::<Vec<_>>().join(", "))
}

/// A size in the largest binary unit that it is a whole number of: never rounded.
fn show_size(size: TransferSize) -> String {
    let bytes = size.get();
    match bytes.trailing_zeros() {
        20.. => format!("\"{} MiB\"", bytes >> 20),
        10.. => format!("\"{} KiB\"", bytes >> 10),
        _ => format!("\"{bytes}\""),
    }
}

fn show_align(align: Align) -> String {
    match align {
        Align::Natural => "\"natural\"".to_owned(),
        Align::Sector => "\"sector\"".to_owned(),
        Align::Bytes(bytes) => show_size(bytes),
    }
}

fn show_data(data: Data) -> String {
    match data {
        Data::Random => "\"random\"".to_owned(),
        Data::Zeros => "\"zeros\"".to_owned(),
        Data::Compressible(share) => format!("{{ compressible = {share} }}"),
    }
}

/// A delay in the largest unit that it is a whole number of: never rounded.
fn show_delay(delay: Duration) -> String {
    let nanos = delay.as_nanos();
    let units = [(1_000_000_000, "s"), (1_000_000, "ms"), (1_000, "us")];
    let whole = units.iter().find(|(size, _)| nanos.is_multiple_of(*size));
    let (size, unit) = whole.unwrap_or(&(1, "ns"));
    format!("\"{}{unit}\"", nanos / size)
}

fn show_scheme(scheme: &Scheme) -> String {
    match scheme {
        Scheme::Mean => "mean = {}".to_owned(),
        Scheme::InverseDepth { up_to } => format!("inverse_depth = {{ up_to = {up_to} }}"),
        Scheme::Weights(weights) => format!("weights = {{ {} }}", show_weights(weights)),
        Scheme::Preset(id) => format!("preset = {}", quote(id)),
    }
}

/// `{:?}` always writes the point, so that a weight is seen to be no count.
fn show_weights(weights: &BTreeMap<QueueDepth, f64>) -> String {
    let pairs: Vec<_> = weights.iter().map(|(depth, w)| format!("{depth} = {w:?}")).collect();
    pairs.join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pattern::{catalog, parse};

    #[test]
    fn what_is_common_is_said_once() {
        let (pattern, _) = parse(
            "test",
            "title = \"T\"\nread = 80\nalign = \"sector\"\naccess = [
                { size = 512, share = 33.33, random = 0, burst = 4 },
                { size = 65536, share = 66.67, random = 100, delay = \"1500us\" },
            ]\n[sweep]\nqueue_depth = \"1..4\"\n[rating]\nweights = { 1 = 1, 4 = 0.25 }",
        );
        let expected = "\
title  = \"T\"
read   = 80
align  = \"sector\"
access = [
  { size = \"512\",    share = 33.33, random = 0,   burst = 4 },
  { size = \"64 KiB\", share = 66.67, random = 100,            delay = \"1500us\" },
]

[sweep]
queue_depth = [1, 2, 4]

[rating]
weights = { 1 = 1.0, 4 = 0.25 }
";
        assert_eq!(write(&pattern.unwrap()), expected);
    }

    #[test]
    fn shipped_patterns_survive_writing() {
        for shipped in catalog() {
            let pattern = shipped.pattern();
            let (again, faults) = parse(shipped.name, &write(&pattern));
            assert_eq!((again, faults), (Some(pattern), vec![]));
        }
    }
}
