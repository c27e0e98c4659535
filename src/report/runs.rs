//! The list of recorded runs.

use tabled::builder::Builder;
use tabled::settings::object::Columns;
use tabled::settings::{Alignment, Padding, Style};

use super::format::harmless;
use super::patterns::{WIDTH, trimmed};
use crate::record::v1::Outline;
use crate::unit::show_moment;

/// The narrowest column of patterns or targets.
const NARROWEST: usize = 8;

/// One row a run, with its ID. The words of patterns and targets are cut to what 80 columns
/// leave.
pub fn list(runs: &[(String, Outline)]) -> String {
    if runs.is_empty() {
        return "there is no record yet: `fathom run` makes one".to_owned();
    }
    let taken = table(runs, 0).lines().map(|line| line.chars().count()).max().unwrap_or(0);
    let left = (WIDTH + 2 * NARROWEST).saturating_sub(taken) / 2;
    harmless(&table(runs, left.max(NARROWEST)))
}

fn table(runs: &[(String, Outline)], width: usize) -> String {
    let mut rows = Builder::default();
    rows.push_record(["id", "started (UTC)", "patterns", "targets", "points", "end"]);
    for (id, outline) in runs {
        let header = &outline.header;
        let patterns = header.patterns.iter().map(|run| run.pattern.name.as_str());
        let targets = header.targets.iter().map(|target| target.name.as_str());
        let started: String = show_moment(header.started).chars().take(16).collect();
        rows.push_record([
            id.clone(),
            started.replace('T', " "),
            cut(&patterns.collect::<Vec<_>>().join(", "), width),
            cut(&targets.collect::<Vec<_>>().join(", "), width),
            outline.points.to_string(),
            outline.end.as_ref().map_or("none", |end| end.how.id()).to_owned(),
        ]);
    }
    let mut table = rows.build();
    table.with(Style::empty()).with(Padding::new(0, 2, 0, 0));
    table.modify(Columns::one(4), Alignment::right());
    trimmed(&table.to_string())
}

/// The beginning of a text, and a sign where that is not all of it.
fn cut(text: &str, width: usize) -> String {
    if text.chars().count() <= width {
        return text.to_owned();
    }
    let begun: String = text.chars().take(width.saturating_sub(1)).collect();
    format!("{begun}…")
}
