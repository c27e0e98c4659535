//! What must be alike before two figures may stand side by side, and what has to be said where it
//! is not.

use std::fmt;

use super::Fault;
use super::sides::{Labelled, Side};
use crate::host::affinity;
use crate::pattern::{self, Pattern};
use crate::record::RunPattern;
use crate::unit::show_duration;

/// Something that differs between the sides, beside what is compared.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Unlike {
    /// What: `engine`, `run time`.
    pub what: &'static str,
    /// Each value, and the sides that have it, in their order.
    pub values: Vec<(String, Vec<String>)>,
    /// The option of `fathom run` that makes it alike, where figures with unlike ones are about
    /// different things; `None` where it is enough that it is said.
    pub option: Option<&'static str>,
}

impl fmt::Display for Unlike {
    /// `the run time differs: 10s (before), 1m (after)`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let value = |(value, sides): &(String, Vec<String>)| format!("{value} ({})", some(sides));
        let values: Vec<String> = self.values.iter().map(value).collect();
        write!(f, "{} differs: {}", self.what, values.join(", "))
    }
}

/// Names, of which the first few are enough.
fn some(names: &[String]) -> String {
    const SHOWN: usize = 3;
    match names.len().checked_sub(SHOWN) {
        Some(rest @ 1..) => format!("{} and {rest} more", names[..SHOWN].join(", ")),
        _ => names.join(", "),
    }
}

/// A thing that is compared: what it is called, the option that it must be alike by, and its value
/// for a side.
type Row = (&'static str, Option<&'static str>, fn(&Side<'_>) -> String);

/// Everything beside the target that decides a figure.
const ROWS: [Row; 9] = [
    ("the number of workers", Some("--workers"), |side| side.target.workers.to_string()),
    ("how many completions a wait asks for", Some("--wait-for"), |side| {
        side.run.header.wait_for.to_string()
    }),
    ("the engine", Some("--engine"), |side| side.target.engine.clone()),
    ("how completions are waited for", Some("--poll"), |side| {
        if side.target.polled { "polling" } else { "interrupts" }.to_owned()
    }),
    ("the page cache", Some("--buffered"), |side| side.target.caching.id().to_owned()),
    ("the run time", Some("--run-time"), |side| show_duration(side.target.phases.run_time)),
    ("the ramp-up", None, |side| show_duration(side.target.phases.ramp_up)),
    ("where workers are held", None, |side| match side.target.cpus.as_slice() {
        [] => "nowhere".to_owned(),
        cpus => affinity::name(cpus),
    }),
    ("the part of the target that was used", None, |side| {
        let (length, size) = (side.target.span.length, side.target.geometry.size);
        if length == size { "all of it".to_owned() } else { format!("{length} of {size}") }
    }),
];

/// All that differs between the sides.
pub(super) fn unlike(sides: &[Side<'_>]) -> Vec<Unlike> {
    let row = |&(what, option, of): &Row| {
        let mut values: Vec<(String, Vec<String>)> = Vec::new();
        for side in sides {
            let value = of(side);
            match values.iter_mut().find(|(other, _)| *other == value) {
                Some((_, names)) => names.push(side.name.clone()),
                None => values.push((value, vec![side.name.clone()])),
            }
        }
        (values.len() > 1).then_some(Unlike { what, values, option })
    };
    ROWS.iter().filter_map(row).collect()
}

/// Patterns of one name that ask for different things in two of the records.
pub(super) fn fingerprints(records: &[Labelled<'_>]) -> Vec<Fault> {
    let mut first: Vec<(&Labelled<'_>, &RunPattern)> = Vec::new();
    let mut faults = Vec::new();
    for labelled in records {
        for run in &labelled.run.header.patterns {
            let known =
                |(_, other): &&(&Labelled<'_>, &RunPattern)| other.pattern.name == run.pattern.name;
            match first.iter().find(known) {
                None => first.push((labelled, run)),
                Some((before, other)) => faults.extend(differing((before, other), (labelled, run))),
            }
        }
    }
    faults
}

fn differing(
    (before, one): (&Labelled<'_>, &RunPattern),
    (after, two): (&Labelled<'_>, &RunPattern),
) -> Option<Fault> {
    let fingerprints = [one, two].map(|run| run.pattern.fingerprint());
    if fingerprints[0] == fingerprints[1] {
        return None;
    }
    let called = |labelled: &Labelled<'_>| {
        if labelled.given { labelled.label.clone() } else { labelled.run.header.id.clone() }
    };
    // The access alone: titles, sources and values of a sweep may differ.
    let bare = |run: &RunPattern| {
        pattern::write(&Pattern { access: run.pattern.access.clone(), ..one.pattern.clone() })
    };
    let mut lines = only(["-", "+"], &[bare(one), bare(two)]);
    if lines.is_empty() {
        // What is swept in one and fixed in the other.
        lines = only(["-", "+"], &[one, two].map(|run| run.pattern.canonical()));
    }
    Some(Fault::Fingerprint {
        pattern: one.pattern.name.clone(),
        first: called(before),
        second: called(after),
        fingerprints: Box::new(fingerprints.map(|fingerprint| fingerprint.to_string())),
        lines,
    })
}

/// The lines that only one of two texts has, each behind that text's mark.
fn only(marks: [&str; 2], [one, two]: &[String; 2]) -> Vec<String> {
    let lines = |mark: &str, here: &str, there: &str| -> Vec<String> {
        let lines = here.lines().filter(|line| !there.lines().any(|other| other == *line));
        lines.map(|line| format!("  {mark} {}", line.trim())).collect()
    };
    [lines(marks[0], one, two), lines(marks[1], two, one)].concat()
}
