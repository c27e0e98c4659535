//! Patterns as text: the list of them, and one with its lines.

use std::time::Duration;

use tabled::builder::Builder;
use tabled::settings::object::Columns;
use tabled::settings::{Alignment, Padding, Style};

use crate::pattern::{Align, Data, Directions, Line, Pattern};
use crate::unit::{Bytes, Op, Percent, TransferSize, show_duration};

/// One row a pattern: what selects it, what it asks for, and its fingerprint.
pub fn list(patterns: &[Pattern]) -> String {
    let mut rows = Builder::default();
    rows.push_record(["name", "title", "size", "read", "rand", "fingerprint"]);
    for pattern in patterns {
        let access = &pattern.access;
        rows.push_record([
            pattern.name.clone(),
            pattern.title.clone(),
            sizes(pattern),
            reads(pattern),
            percent(access.random_fraction()),
            pattern.fingerprint().to_string(),
        ]);
    }
    table(rows, 3..5)
}

/// One pattern: its lines, and what follows from them.
pub fn show(pattern: &Pattern) -> String {
    let mut text = vec![format!("{} ({})", pattern.title, pattern.name)];
    text.extend(pattern.about.as_deref().map(|about| wrapped(about, 0)));
    text.extend([String::new(), indented(&lines(pattern)), String::new()]);
    let facts = facts(pattern);
    text.extend(facts.iter().map(|(name, fact)| format!("{name:<14}{}", wrapped(fact, 14))));
    text.join("\n")
}

/// The lines of an access specification, with only the columns that say something.
fn lines(pattern: &Pattern) -> String {
    let Pattern { access, axes, .. } = pattern;
    let (sized, directed) = (axes.transfer_sizes.is_empty(), axes.directions.is_none());
    let swept = |said: bool, text: String| if said { text } else { "swept".to_owned() };
    let bursts = access.lines.iter().any(|line| line.burst != 1);
    let delays = access.lines.iter().any(|line| !line.delay.is_zero());
    let mut rows = Builder::default();
    let cells = |line: &Line| {
        let mut row = vec![
            swept(sized, exact(line.size)),
            format!("{} %", line.share),
            swept(directed, format!("{} %", line.read)),
            format!("{} %", line.random),
            if sized { align(line) } else { swept_align(line) },
        ];
        row.extend(bursts.then(|| line.burst.to_string()));
        row.extend(delays.then(|| delay(line.delay)));
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
    let Pattern { access, axes, .. } = pattern;
    let mut facts = Vec::new();
    if axes.transfer_sizes.is_empty() {
        let mean = access.mean_size();
        facts.push(("mean size", format!("{mean:.2} B ({:.2} KiB)", mean / 1024.0)));
    } else {
        facts.push(("sizes", joined(&axes.transfer_sizes)));
    }
    match &axes.directions {
        None => facts.push(("read", percent(access.read_fraction()) + " % of all requests")),
        Some(Directions { of, percents }) => {
            let name = if *of == Op::Read { "read" } else { "write" };
            facts.push((name, joined(percents) + " % of all requests"));
        }
    }
    facts.push(("random", percent(access.random_fraction()) + " % of all requests"));
    if pattern.writes() {
        facts.push(("data", data(access.data)));
    }
    facts.push(("queue depths", joined(&axes.queue_depths)));
    if !pattern.shown_depths.is_empty() {
        facts.push(("shown", format!("queue depths {}", joined(&pattern.shown_depths))));
    }
    let settings = axes.count();
    if settings > axes.queue_depths.len() {
        facts.push(("points", format!("{settings}, one for each combination")));
    }
    let rating = pattern.rating.as_ref().map(ToString::to_string);
    facts.push(("rating", rating.unwrap_or_else(|| "none".to_owned())));
    if let Some(source) = &pattern.source {
        facts.push(("source", source.clone()));
    }
    facts.push(("fingerprint", pattern.fingerprint().to_string()));
    facts
}

fn joined(values: &[impl ToString]) -> String {
    values.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ")
}

/// The percent of requests that read, or the least and the most that the sweep asks.
fn reads(pattern: &Pattern) -> String {
    let Some(directions) = &pattern.axes.directions else {
        return percent(pattern.access.read_fraction());
    };
    match (directions.reads().min(), directions.reads().max()) {
        (Some(least), Some(most)) if least != most => format!("{least}–{most}"),
        (only, _) => only.map_or_else(String::new, |only| only.to_string()),
    }
}

/// The size of all requests, or the smallest and the largest.
fn sizes(pattern: &Pattern) -> String {
    let lines = pattern.access.lines.iter().map(|line| line.size);
    let swept = &pattern.axes.transfer_sizes;
    let sizes: Vec<TransferSize> = if swept.is_empty() { lines.collect() } else { swept.clone() };
    match (sizes.iter().min(), sizes.iter().max()) {
        (Some(least), Some(most)) if least != most => {
            let (least, most) = (least.to_string(), most.to_string());
            let unit = |text: &str| text.rsplit(' ').next().unwrap_or_default().to_owned();
            let shared = unit(&least) == unit(&most);
            let least = if shared { least.split(' ').next().unwrap_or_default() } else { &least };
            format!("{least}–{most}")
        }
        (Some(only), _) => only.to_string(),
        (None, _) => String::new(),
    }
}

fn align(line: &Line) -> String {
    match line.align {
        Align::Natural => Bytes(line.alignment().into()).to_string(),
        Align::Sector => "sector".to_owned(),
        Align::Bytes(bytes) => exact(bytes),
    }
}

/// Where the size is swept, what follows from it is swept with it.
fn swept_align(line: &Line) -> String {
    if line.align == Align::Natural { "natural".to_owned() } else { align(line) }
}

fn delay(delay: Duration) -> String {
    if delay.is_zero() { "–".to_owned() } else { show_duration(delay) }
}

fn data(data: Data) -> String {
    match data {
        Data::Random => "incompressible".to_owned(),
        Data::Zeros => "zeros".to_owned(),
        Data::Compressible(share) => format!("{share} % zeros, the rest incompressible"),
    }
}

/// A size in its unit, or in bytes where two decimals of the unit are not all of it.
fn exact(size: TransferSize) -> String {
    let text = size.to_string();
    if text.parse() == Ok(size) { text } else { format!("{} B", size.get()) }
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

pub(super) fn trimmed(text: &str) -> String {
    text.lines().map(str::trim_end).collect::<Vec<_>>().join("\n")
}

fn indented(text: &str) -> String {
    text.lines().map(|line| format!("  {line}")).collect::<Vec<_>>().join("\n")
}

/// The width that a text is wrapped to.
pub(super) const WIDTH: usize = 80;

/// A text with line breaks between words, its further lines indented.
pub(super) fn wrapped(text: &str, indent: usize) -> String {
    let mut lines = vec![String::new()];
    for word in text.split_whitespace() {
        let last = lines.last_mut().expect("there is always a line");
        if last.is_empty() {
            last.push_str(word);
        } else if indent + last.chars().count() + 1 + word.chars().count() <= WIDTH {
            last.push(' ');
            last.push_str(word);
        } else {
            lines.push(word.to_owned());
        }
    }
    lines.join(&format!("\n{}", " ".repeat(indent)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pattern::{Shipped, catalog, find, parse};

    #[test]
    fn the_list_fits_a_narrow_terminal() {
        let patterns: Vec<_> = catalog().iter().map(Shipped::pattern).collect();
        let text = list(&patterns);
        assert!(text.lines().all(|line| line.chars().count() <= WIDTH), "{text}");
        insta::assert_snapshot!(text);
    }

    #[test]
    fn a_pattern_shows_its_lines_and_what_follows() {
        insta::assert_snapshot!(show(&find("file-server").unwrap().pattern()));
    }

    #[test]
    fn only_columns_that_say_something_are_shown() {
        let (pattern, _) = parse(
            "mine",
            "title = \"Mine\"\nread = 12.5\nrandom = 0\ndata = { compressible = 50 }\naccess = [
                { size = \"66560\", share = 0.01, burst = 16, align = \"4k\" },
                { size = 1049088, share = 99.99, delay = \"10ms\", align = \"sector\" },
            ]\n[sweep]\nqueue_depth = [1, 4]\n[rating]\nweights = { 1 = 1, 4 = 0.5 }",
        );
        insta::assert_snapshot!(show(&pattern.unwrap()));
    }
}
