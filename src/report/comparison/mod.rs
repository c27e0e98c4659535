//! Targets against a baseline, in every form.
//!
//! What a comparison says is laid out once, as parts that the terminal and Markdown draw in their
//! own ways; CSV and JSON have all figures without rounding. Words for differences come from
//! [`Word`](crate::comparison::Word) and nowhere else, and how the figures were made stands above
//! them.

mod csv;
mod json;
mod parts;
mod tables;
mod words;

use super::format::{Format, harmless};
use crate::review::{Compared, Gathered};
use parts::{Grid, Part};

/// How a comparison is shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct View {
    /// In which form.
    pub format: Format,
    /// Whether the best of all repeats is shown beside the rest.
    pub best: bool,
}

/// A comparison as text.
pub fn render(gathered: &Gathered<'_>, view: View) -> String {
    let text = match view.format {
        Format::Csv => csv::show(gathered),
        Format::Json => json::show(gathered),
        Format::Table => parts::text(&all(gathered, view, true), true),
        Format::Wide => parts::text(&all(gathered, view, true), false),
        Format::Markdown => parts::markdown(&all(gathered, view, true)),
    };
    harmless(&text)
}

/// What is shown below the tables of a run whose targets are compared: nothing in forms that hold
/// one document, or one table, and nothing else.
pub fn below(gathered: &Gathered<'_>, view: View) -> Option<String> {
    let parts = || all(gathered, view, false);
    let text = match view.format {
        Format::Csv | Format::Json => return None,
        Format::Table => parts::text(&parts(), true),
        Format::Wide => parts::text(&parts(), false),
        Format::Markdown => parts::markdown(&parts()),
    };
    Some(harmless(&format!("\n{text}")))
}

/// Everything, in the order in which it is read: what differs before any number.
fn all(gathered: &Gathered<'_>, view: View, alone: bool) -> Vec<Part> {
    let mut parts = words::head(gathered, alone);
    for compared in &gathered.patterns {
        parts.extend(pattern(gathered, compared, view));
    }
    if gathered.sides.len() > 1 {
        parts.extend(words::overall(gathered));
        parts.push(Part::Text(words::columns(gathered, view.best)));
    }
    parts
}

fn pattern(gathered: &Gathered<'_>, compared: &Compared<'_>, view: View) -> Vec<Part> {
    let several = gathered.sides.len() > 2;
    let mut parts = vec![Part::Title(words::title(compared))];
    if several {
        parts.push(Part::Table(tables::normalised(gathered, compared)));
    }
    for target in 0..gathered.sides.len() - 1 {
        if several {
            parts.push(Part::Heading(words::pair(gathered, target)));
        }
        parts.push(Part::Table(tables::details(gathered, compared, target, view)));
        parts.extend(words::summary(gathered, compared, target));
    }
    if view.best && gathered.sides.len() > 1 {
        parts.push(Part::Heading(words::BEST.to_owned()));
        parts.push(Part::Table(tables::best(gathered, compared)));
    }
    for ranking in &compared.rankings {
        parts.extend(words::ranking_head(ranking));
        parts.push(Part::Table(tables::ranking(gathered, ranking)));
        parts.extend(words::ranking(ranking));
    }
    for scaled in &compared.arrays {
        parts.push(Part::Heading(words::array(scaled)));
        parts.push(Part::Table(tables::array(scaled)));
        parts.extend(words::findings(scaled));
    }
    parts
}

/// The letters of what was found to be suspect of a setting, on these sides.
fn letters(cell: &crate::review::Cell, sides: [usize; 2]) -> String {
    let marks = sides.iter().flat_map(|side| cell.figures[*side].suspect.iter().cloned());
    super::words::letters(&marks.collect::<Vec<_>>())
}

/// A table without rows says nothing.
impl Grid {
    fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }
}
