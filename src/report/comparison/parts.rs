//! The parts of a comparison, and how the terminal and Markdown draw them.

use tabled::builder::Builder;
use tabled::settings::object::Columns;
use tabled::settings::{Alignment, Padding, Style};

use super::super::markdown::plain;
use super::super::patterns::{WIDTH, trimmed, wrapped};

/// One part of a page.
#[derive(Debug)]
pub(super) enum Part {
    /// What a section is about.
    Title(String),
    /// What the next table is about.
    Heading(String),
    /// A name, and what is to say of it.
    Fact(String, String),
    /// Sentences.
    Text(String),
    /// A table.
    Table(Grid),
}

/// A table: the columns that have nothing to say are left out.
#[derive(Debug, Default)]
pub(super) struct Grid {
    pub(super) columns: Vec<Column>,
    pub(super) rows: Vec<Vec<String>>,
}

/// A column.
#[derive(Debug)]
pub(super) struct Column {
    pub(super) head: String,
    /// Whether it is of words: those begin at the left.
    pub(super) words: bool,
    /// How soon it gives way where a terminal is too narrow, 1 first; `None` where it stays.
    pub(super) gives_way: Option<u8>,
}

impl Column {
    /// A column of figures that stays.
    pub(super) fn new(head: impl Into<String>) -> Self {
        Self { head: head.into(), words: false, gives_way: None }
    }

    /// A column of words that stays.
    pub(super) fn words(head: impl Into<String>) -> Self {
        Self { words: true, ..Self::new(head) }
    }

    /// The same, giving way where there is no room.
    pub(super) fn giving_way(self, order: u8) -> Self {
        Self { gives_way: Some(order), ..self }
    }
}

impl Grid {
    /// Which columns are shown: those with something in them, and of these what fits.
    fn shown(&self, narrow: bool) -> Vec<usize> {
        let says = |column: &usize| self.rows.iter().any(|row| !row[*column].is_empty());
        let mut shown: Vec<usize> = (0..self.columns.len()).filter(says).collect();
        while narrow && self.width(&shown) > WIDTH {
            let next = shown.iter().filter_map(|&c| Some((self.columns[c].gives_way?, c))).min();
            let Some((order, _)) = next else { break };
            shown.retain(|&column| self.columns[column].gives_way != Some(order));
        }
        shown
    }

    fn width(&self, shown: &[usize]) -> usize {
        self.drawn(shown).lines().map(|line| line.chars().count()).max().unwrap_or(0)
    }

    fn drawn(&self, shown: &[usize]) -> String {
        let mut builder = Builder::default();
        builder.push_record(shown.iter().map(|&column| self.columns[column].head.as_str()));
        for row in &self.rows {
            builder.push_record(shown.iter().map(|&column| row[column].as_str()));
        }
        let mut table = builder.build();
        table.with(Style::empty()).with(Padding::new(0, 2, 0, 0));
        for (place, &column) in shown.iter().enumerate() {
            let words = self.columns[column].words;
            let side = if words { Alignment::left() } else { Alignment::right() };
            table.modify(Columns::one(place), side);
        }
        trimmed(&table.to_string())
    }

    /// As many columns as fit, the first of them always, in as many tables as that takes.
    fn split(&self, shown: &[usize]) -> Vec<Vec<usize>> {
        let Some((&first, rest)) = shown.split_first() else { return Vec::new() };
        let mut tables: Vec<Vec<usize>> = Vec::new();
        for &column in rest {
            match tables.last_mut() {
                Some(table) if self.width(&[table.as_slice(), &[column]].concat()) <= WIDTH => {
                    table.push(column);
                }
                _ => tables.push(vec![first, column]),
            }
        }
        if tables.is_empty() { vec![vec![first]] } else { tables }
    }

    fn text(&self, narrow: bool) -> String {
        let shown = self.shown(narrow);
        let tables = if narrow { self.split(&shown) } else { vec![shown] };
        tables.iter().map(|shown| self.drawn(shown)).collect::<Vec<_>>().join("\n\n")
    }

    fn markdown(&self) -> String {
        let shown = self.shown(false);
        let line = |cells: Vec<String>| format!("| {} |", cells.join(" | "));
        let head = shown.iter().map(|&column| plain(&self.columns[column].head)).collect();
        let rule = shown.iter().map(|&c| if self.columns[c].words { ":--" } else { "--:" });
        let rule = format!("|{}|", rule.collect::<Vec<_>>().join("|"));
        let rows = self.rows.iter().map(|row| shown.iter().map(|&c| plain(&row[c])).collect());
        let lines = [line(head), rule].into_iter().chain(rows.map(line));
        lines.collect::<Vec<_>>().join("\n")
    }
}

/// The page for a terminal; in 80 columns where it is to be narrow.
pub(super) fn text(parts: &[Part], narrow: bool) -> String {
    let mut lines: Vec<String> = Vec::new();
    let mut before: Option<&Part> = None;
    for (place, part) in parts.iter().enumerate() {
        let (apart, text) = match part {
            Part::Title(title) => (true, wrapped(title, 0)),
            Part::Heading(heading) => (true, wrapped(heading, 0)),
            Part::Fact(name, fact) => {
                let apart = matches!(before, Some(Part::Table(_) | Part::Text(_)));
                (apart, fact_line(name, fact, indent(parts, place)))
            }
            Part::Text(text) => (true, wrapped(text, 0)),
            Part::Table(grid) if grid.is_empty() => continue,
            Part::Table(grid) => (!matches!(before, Some(Part::Heading(_))), grid.text(narrow)),
        };
        lines.extend((apart && before.is_some()).then(String::new));
        lines.push(text);
        before = Some(part);
    }
    lines.join("\n")
}

/// Where what is said begins: alike for all facts that stand together.
fn indent(parts: &[Part], place: usize) -> usize {
    const LEAST: usize = 8;
    let width = |part: &Part| match part {
        Part::Fact(name, _) => Some(name.chars().count()),
        Part::Title(_) | Part::Heading(_) | Part::Text(_) | Part::Table(_) => None,
    };
    let before = parts[..place].iter().rev().map_while(width);
    let longest = before.chain(parts[place..].iter().map_while(width)).max();
    LEAST.max(longest.unwrap_or(0)) + 2
}

/// A name and what is to say of it, the further lines below the first.
fn fact_line(name: &str, fact: &str, indent: usize) -> String {
    format!("{name:<indent$}{}", wrapped(fact, indent))
}

/// The page for a wiki.
pub(super) fn markdown(parts: &[Part]) -> String {
    let mut text = String::new();
    let mut listed = false;
    for part in parts {
        let (fact, drawn) = match part {
            Part::Title(title) => (false, format!("### {}", plain(title))),
            Part::Heading(heading) => (false, format!("**{}**", plain(heading))),
            Part::Fact(name, fact) => (true, format!("- **{}**: {}", plain(name), plain(fact))),
            Part::Text(words) => (false, plain(words)),
            Part::Table(grid) if grid.is_empty() => continue,
            Part::Table(grid) => (false, grid.markdown()),
        };
        if !text.is_empty() {
            text.push_str(if fact && listed { "\n" } else { "\n\n" });
        }
        text.push_str(&drawn);
        listed = fact;
    }
    text
}
