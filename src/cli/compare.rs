//! `fathom compare`: targets of one record, or of several, against a baseline.

use std::process::ExitCode;

use super::screen::{self, Failure};
use crate::comparison::scaling::Declared;
use crate::plan::TargetName;
use crate::record::Run;
use crate::record::store;
use crate::report::Format;
use crate::report::comparison::{self, View};
use crate::review::{Ask, Fault, Named, Ratings, comparable, gather};

/// Set recorded targets against a baseline: ratios, their intervals, words
///
/// The targets may be those of one run, or of several: two records of two days are compared as
/// two targets of one run are, and it is said that nothing was interleaved. A pattern counts where
/// it was run under one name and with one fingerprint, at the settings that both targets have.
#[derive(Debug, clap::Args)]
#[command(after_long_help = EXAMPLES)]
pub(super) struct Arguments {
    /// Which runs: as for `fathom show`; a name before `=` is what its targets are called by
    ///
    /// `before=2026-11-30 after=last`: of a run with one target the name is the target's, of one
    /// with several it stands before theirs, `before/sda`. Without a name a target keeps its own,
    /// and where two records have the same, they are A/sda and B/sda in the order of the records.
    #[arg(required = true, value_name = "[NAME=]last|ID|FILE")]
    records: Vec<String>,

    /// The target that the others are set against [default: the first]
    #[arg(short, long, value_name = "NAME")]
    baseline: Option<String>,

    /// A target that is an array of N disks like the baseline: `md0=raid0:4`, `md1=raid1:2@sdb`
    ///
    /// It is measured against what its disks could give. LEVEL is raid0, raid1 or raid10; `@DISK`
    /// names the target that is such a disk where that is not the baseline.
    #[arg(long = "array", value_name = "NAME=LEVEL:N", value_parser = array)]
    arrays: Vec<(String, Declared)>,

    /// Rate targets by: own (the pattern's scheme), all that the depths allow, or names of schemes
    #[arg(long, value_name = "SCHEMES", default_value = "own")]
    ratings: Ratings,

    /// Compare what was measured in different ways; what differs is said first
    ///
    /// Numbers of workers, completions that a wait asks for, polling, engines, the page cache and
    /// run times must be alike without it. One name for two loads is refused in any case.
    #[arg(long)]
    unlike: bool,

    /// Show the best of all repeats too; it is no estimate of anything
    #[arg(long)]
    best: bool,

    /// What to print: table, wide, markdown, csv or json
    #[arg(short, long, value_name = "FORMAT", default_value_t)]
    format: Format,
}

const EXAMPLES: &str = "\
Examples:
  fathom compare last                            the targets of one run
  fathom compare before=2026-11-30 after=last    two runs, two days, another controller between
  fathom compare last --baseline sda --array md0=raid0:4
  fathom compare last --ratings all              does the ranking change with the scheme?";

/// Reads `NAME=LEVEL:N`, with `@DISK` where that is not the baseline.
pub(super) fn array(text: &str) -> Result<(String, Declared), String> {
    let Some((name, array)) = text.split_once('=').filter(|(name, _)| !name.is_empty()) else {
        return Err("write it like md0=raid0:4: the array's name, its level and members".to_owned());
    };
    array.parse().map(|array| (name.to_owned(), array)).map_err(|error| format!("{error}"))
}

/// The name before `=`, and the record.
fn named(text: &str) -> (Option<&str>, &str) {
    match text.split_once('=') {
        Some((name, record)) if name.parse::<TargetName>().is_ok() => (Some(name), record),
        _ => (None, text),
    }
}

pub(super) fn execute(arguments: &Arguments) -> Result<ExitCode, Failure> {
    let (mut runs, mut faults) = (Vec::new(), Vec::new());
    for text in &arguments.records {
        let (name, record) = named(text);
        match store::open(record) {
            Ok((_, reading)) => {
                for note in &reading.notes {
                    screen::note(&format!("note: {record}: {note}"));
                }
                runs.push((name, reading.run));
            }
            Err(error) => faults.push(error.to_string()),
        }
    }
    if !faults.is_empty() {
        return Err(Failure::input(faults.join("\n")));
    }
    let records: Vec<Named<'_>> =
        runs.iter().map(|(name, run)| Named { name: *name, run }).collect();
    let ask = Ask {
        baseline: arguments.baseline.clone(),
        arrays: arguments.arrays.clone(),
        ratings: arguments.ratings.clone(),
        unlike: arguments.unlike,
    };
    let gathered = gather(&records, &ask).map_err(|faults| Failure::input(said(&faults)))?;
    if gathered.sides.len() == 1 && arguments.ratings == Ratings::Own {
        return Err(Failure::input(format!(
            "{} has one target, {}, and a target is compared with another: name a second record; \
             --ratings all rates one target by every scheme",
            records[0].run.header.id, gathered.sides[0].name
        )));
    }
    let view = View { format: arguments.format, best: arguments.best };
    screen::print(&comparison::render(&gathered, view))?;
    Ok(ExitCode::SUCCESS)
}

fn said(faults: &[Fault]) -> String {
    faults.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n")
}

/// What stands below the tables of a run: its targets against its baseline, where there is more
/// than one. Why they can't be compared is said instead, and is no failure of the run.
pub(super) fn below(run: &Run, format: Format) -> Option<String> {
    if !comparable(run) {
        return None;
    }
    match gather(&[Named { name: None, run }], &Ask::default()) {
        Ok(gathered) => comparison::below(&gathered, View { format, best: false }),
        Err(faults) => {
            screen::note(&format!("note: the targets are not compared:\n{}", said(&faults)));
            None
        }
    }
}
