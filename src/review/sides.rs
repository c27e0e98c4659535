//! What the sides of a comparison are called, and how they lay in time.

use super::{Ask, Fault, Named};
use crate::comparison::scaling::Declared;
use crate::comparison::{Analysis, Layout};
use crate::document::nearest;
use crate::plan::{Order, TargetName};
use crate::record::{Run, RunTarget};

/// A record with what it is called here.
#[derive(Debug, Clone)]
pub struct Labelled<'a> {
    /// The name that was given, or a letter by the order.
    pub label: String,
    /// Whether the name was given.
    pub given: bool,
    /// What it says.
    pub run: &'a Run,
}

/// A target of one of the records.
#[derive(Debug, Clone)]
pub struct Side<'a> {
    /// What it is called here: its own name, or `RECORD/TARGET` where that means two things.
    pub name: String,
    /// Which record it is of.
    pub record: usize,
    /// Which target of that record.
    pub place: usize,
    /// That record.
    pub run: &'a Run,
    /// The target.
    pub target: &'a RunTarget,
    /// What array it is said to be.
    pub array: Option<Declared>,
}

/// The place of the target that a run's others are set against where nobody says another: the one
/// that its plan says, else the first.
fn default_baseline(run: &Run) -> usize {
    let named = run.header.review.baseline.as_ref();
    let place =
        |name: &TargetName| run.header.targets.iter().position(|target| target.name == *name);
    named.and_then(place).unwrap_or(0)
}

/// How a run's targets lay in time, and how many repeats were planned.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Timing {
    /// The repeats made in any case.
    pub repeats: u32,
    /// Whether each repeat had all targets before the next began.
    pub layout: Layout,
}

/// How a run's targets lay in time. By its plan, which is fixed before the run, and not by what was
/// measured.
pub fn timing(run: &Run) -> Timing {
    let review = &run.header.review;
    let layout = match review.order {
        Order::Interleaved => Layout::Interleaved,
        Order::AsWritten => Layout::Apart,
    };
    Timing { repeats: review.repeats.least(), layout }
}

/// How one side is set against another.
pub(super) fn analysis(baseline: &Side<'_>, target: &Side<'_>) -> Analysis {
    let (here, there) = (timing(baseline.run), timing(target.run));
    let layout = if baseline.record == target.record { here.layout } else { Layout::Apart };
    Analysis::fixed(here.repeats.min(there.repeats), layout)
}

/// The records with their names: those given, else letters.
pub(super) fn labelled<'a>(records: &[Named<'a>]) -> Result<Vec<Labelled<'a>>, Vec<Fault>> {
    let mut labelled: Vec<Labelled<'a>> = Vec::new();
    let mut faults = Vec::new();
    for (letter, record) in ('A'..='Z').chain('a'..='z').cycle().zip(records) {
        let label = record.name.map_or_else(|| letter.to_string(), ToOwned::to_owned);
        if label.parse::<TargetName>().is_err() {
            faults.push(Fault::Name(label.clone()));
        }
        let same = |other: &&Labelled<'_>| {
            let (one, two) = (&other.run.header, &record.run.header);
            (&one.id, one.started, one.seed) == (&two.id, two.started, two.seed)
        };
        if labelled.iter().any(|other| same(&other)) {
            faults.push(Fault::Twice(record.run.header.id.clone()));
        } else if labelled.iter().any(|other| other.label == label) {
            faults.push(Fault::NameTwice(label.clone()));
        }
        labelled.push(Labelled { label, given: record.name.is_some(), run: record.run });
    }
    if faults.is_empty() { Ok(labelled) } else { Err(faults) }
}

/// All targets, the baseline first.
pub(super) fn sides<'a>(records: &[Labelled<'a>], ask: &Ask) -> Result<Vec<Side<'a>>, Vec<Fault>> {
    let targets = |run: &'a Run| run.header.targets.iter().enumerate();
    let all = records.iter().enumerate().flat_map(|(record, labelled)| {
        targets(labelled.run).map(move |(place, target)| (record, place, target))
    });
    let all: Vec<(usize, usize, &RunTarget)> = all.collect();
    let name = |record: usize, target: &RunTarget| {
        let labelled = &records[record];
        let own = target.name.as_str();
        let targets = || all.iter().filter(|(_, _, other)| other.name.as_str() == own).count();
        // A name given to a record of one target is that target's.
        let alone = |other: &Labelled<'_>| other.given && other.run.header.targets.len() == 1;
        let given = || records.iter().any(|other| alone(other) && other.label == own);
        match (labelled.given, labelled.run.header.targets.len()) {
            (true, 1) => labelled.label.clone(),
            (true, _) => format!("{}/{own}", labelled.label),
            (false, _) if targets() > 1 || given() => format!("{}/{own}", labelled.label),
            (false, _) => own.to_owned(),
        }
    };
    let mut sides: Vec<Side<'a>> = all
        .iter()
        .map(|&(record, place, target)| Side {
            name: name(record, target),
            record,
            place,
            run: records[record].run,
            target,
            array: target.array.clone(),
        })
        .collect();
    let mut faults = Vec::new();
    for (name, array) in &ask.arrays {
        match find(&sides, name, "--array") {
            Ok(place) => sides[place].array = Some(array.clone()),
            Err(fault) => faults.push(fault),
        }
    }
    // Where nobody says it, what the first record says.
    let default = records.first().map_or(0, |labelled| default_baseline(labelled.run));
    let asked = ask.baseline.as_deref().map(|name| find(&sides, name, "--baseline"));
    match asked.unwrap_or(Ok(default)) {
        Ok(place) if place < sides.len() => sides[..=place].rotate_right(1),
        Ok(_) => {}
        Err(fault) => faults.push(fault),
    }
    faults.extend(disks(&sides));
    if faults.is_empty() { Ok(sides) } else { Err(faults) }
}

/// The side that a name means: its own, or that of a target where only one has it.
pub(super) fn find(sides: &[Side<'_>], name: &str, option: &'static str) -> Result<usize, Fault> {
    if let Some(place) = sides.iter().position(|side| side.name == name) {
        return Ok(place);
    }
    let mut own = sides.iter().enumerate().filter(|(_, side)| side.target.name.as_str() == name);
    if let (Some((place, _)), None) = (own.next(), own.next()) {
        return Ok(place);
    }
    let names = || sides.iter().map(|side| side.name.as_str());
    Err(Fault::NoSuchTarget {
        option,
        name: name.to_owned(),
        hint: nearest(name, names()).map(ToOwned::to_owned),
        targets: names().map(ToOwned::to_owned).collect(),
    })
}

/// The side that is the disk of an array: the one it names (before all one of its own record),
/// else the baseline.
pub(super) fn disk(sides: &[Side<'_>], array: &Side<'_>, declared: &Declared) -> Option<usize> {
    let Some(name) = declared.disk.as_deref() else { return Some(0) };
    let own = |side: &Side<'_>| side.record == array.record && side.target.name.as_str() == name;
    sides.iter().position(own).or_else(|| find(sides, name, "--array").ok())
}

/// Arrays whose disk is nowhere, or is themselves.
fn disks(sides: &[Side<'_>]) -> Vec<Fault> {
    let fault = |side: &Side<'_>| {
        let declared = side.array.as_ref()?;
        let Some(place) = disk(sides, side, declared) else {
            return find(sides, declared.disk.as_deref()?, "--array").err();
        };
        // Without a disk of its own it is one only where it is not the baseline.
        let own = sides[place].name == side.name && declared.disk.is_some();
        own.then(|| Fault::OwnDisk(side.name.clone()))
    };
    sides.iter().filter_map(fault).collect()
}
