//! Patterns as text: the list of them, and one with its lines.

use tabled::builder::Builder;
use tabled::settings::object::Columns;
use tabled::settings::{Alignment, Padding, Style};

use crate::pattern::{Access, Align, Data, Line, Pattern};
use crate::unit::{Bytes, Percent, QueueDepth, show_duration};

/// One row a pattern: what selects it, what it asks for, and its fingerprint.
pub fn list(patterns: &[Pattern]) -> String {
    let mut rows = Builder::default();
    rows.push_record(["name", "title", "size", "read", "random", "fingerprint"]);
    for pattern in patterns {
        let access = &pattern.access;
        rows.push_record([
            pattern.name.clone(),
            pattern.title.clone(),
            sizes(access),
            percent(access.read_fraction()),
            percent(access.random_fraction()),
            access.fingerprint().to_string(),
        ]);
    }
    table(rows, 3..5)
}

/// One pattern: its lines, and what follows from them.
pub fn show(pattern: &Pattern) -> String {
    let access = &pattern.access;
    let mut text = format!("{} ({})\n", pattern.title, pattern.name);
    if let Some(about) = &pattern.about {
        text += &format!("{about}\n");
    }
    text += &format!("\n{}\n\n", indented(&lines(access)));
    for (name, value) in facts(pattern) {
        text += &format!("{name:<12} {value}\n");
    }
    text
}

/// The lines of an access specification, with only the columns that say something.
fn lines(access: &Access) -> String {
    let bursts = access.lines.iter().any(|line| line.burst != 1);
    let delays = access.lines.iter().any(|line| !line.delay.is_zero());
    let mut rows = Builder::default();
    let cells = |line: &Line| {
        let mut row = vec![
            line.size.to_string(),
            format!("{} %", line.share),
            format!("{} %", line.read),
            format!("{} %", line.random),
            align(line),
        ];
        row.extend(bursts.then(|| line.burst.to_string()));
        row.extend(delays.then(|| show_duration(line.delay)));
        row
    };
    let mut header = vec!["size", "share", "read", "random", "align"];
    header.extend(bursts.then_some("burst"));
    header.extend(delays.then_some("delay"));
    rows.push_record(header);
    access.lines.iter().for_each(|line| rows.push_record(cells(line)));
    table(rows, 0..7)
}

fn facts(pattern: &Pattern) -> Vec<(&'static str, String)> {
    let access = &pattern.access;
    let mean = access.mean_size();
    let mut facts = vec![
        ("mean size", format!("{mean:.2} B ({:.2} KiB)", mean / 1024.0)),
        ("read", percent(access.read_fraction()) + " % of all requests"),
        ("random", percent(access.random_fraction()) + " % of all requests"),
    ];
    if access.writes() {
        facts.push(("data", data(access.data)));
    }
    let depths: Vec<_> = pattern.queue_depths.iter().map(QueueDepth::to_string).collect();
    facts.push(("queue depths", depths.join(", ")));
    let rating = pattern.rating.as_ref().map(ToString::to_string);
    facts.push(("rating", rating.unwrap_or_else(|| "none".to_owned())));
    if let Some(source) = &pattern.source {
        facts.push(("source", source.clone()));
    }
    facts.push(("fingerprint", access.fingerprint().to_string()));
    facts
}

/// The size of all requests, or the smallest and the largest.
fn sizes(access: &Access) -> String {
    let sizes = || access.lines.iter().map(|line| line.size);
    match (sizes().min(), sizes().max()) {
        (Some(least), Some(most)) if least != most => format!("{least}–{most}"),
        (Some(only), _) => only.to_string(),
        (None, _) => String::new(),
    }
}

fn align(line: &Line) -> String {
    match line.align {
        Align::Natural => Bytes(line.alignment().into()).to_string(),
        Align::Sector => "sector".to_owned(),
        Align::Bytes(bytes) => bytes.to_string(),
    }
}

fn data(data: Data) -> String {
    match data {
        Data::Random => "incompressible".to_owned(),
        Data::Zeros => "zeros".to_owned(),
        Data::Compressible(share) => format!("{share} % zeros, the rest incompressible"),
    }
}

/// A fraction as a number of percent with the two decimals that a share has, where it has them.
fn percent(fraction: f64) -> String {
    let rounded = (fraction * 10_000.0).round() / 100.0;
    Percent::try_from(rounded).map_or_else(|_| rounded.to_string(), |percent| percent.to_string())
}

fn table(rows: Builder, numbers: std::ops::Range<usize>) -> String {
    let mut table = rows.build();
    table.with(Style::empty()).with(Padding::new(0, 2, 0, 0));
    table.modify(Columns::new(numbers), Alignment::right());
    trimmed(&table.to_string())
}

fn trimmed(text: &str) -> String {
    text.lines().map(str::trim_end).collect::<Vec<_>>().join("\n")
}

fn indented(text: &str) -> String {
    text.lines().map(|line| format!("  {line}")).collect::<Vec<_>>().join("\n")
}
