//! The figures of all sides, cell by cell.

use std::collections::BTreeMap;

use super::sides::Side;
use super::{Cell, Figure, place};
use crate::comparison::Against;
use crate::measure::Verdict;
use crate::pattern::Setting;
use crate::record::{Point, RunPattern};
use crate::stats;

/// A pattern that several sides ran, and what they did.
#[derive(Debug)]
pub(super) struct Shared<'a> {
    /// The pattern, as the first side that has it ran it.
    pub(super) pattern: &'a RunPattern,
    /// Each setting that the baseline and a target were swept over, with every side's figure.
    pub(super) cells: Vec<(Setting, Vec<Figure>)>,
    /// Settings that only one side of each pair was swept over.
    pub(super) apart: Vec<Setting>,
    /// Whether each side ran the pattern at all.
    pub(super) ran: Vec<bool>,
}

/// What one side did of one pattern.
type Curve = BTreeMap<Setting, Figure>;

/// Every pattern that the baseline and a target ran. One side alone shares all with itself.
pub(super) fn shared<'a>(sides: &[Side<'a>]) -> Vec<Shared<'a>> {
    let mut names: Vec<&str> = Vec::new();
    for run in sides.iter().flat_map(|side| &side.run.header.patterns) {
        if !names.contains(&run.pattern.name.as_str()) {
            names.push(&run.pattern.name);
        }
    }
    let all = names.into_iter().filter_map(|name| one(sides, name));
    all.filter(|shared| !shared.cells.is_empty()).collect()
}

fn one<'a>(sides: &[Side<'a>], name: &str) -> Option<Shared<'a>> {
    let curves: Vec<Option<(&RunPattern, Curve)>> =
        sides.iter().map(|side| curve(side, name)).collect();
    let pattern = curves.iter().flatten().next()?.0;
    let swept = |curve: &Option<(&RunPattern, Curve)>, setting| {
        curve.as_ref().is_some_and(|(run, _)| place::all(run).contains(&setting))
    };
    let mut settings: Vec<Setting> = Vec::new();
    for (run, _) in curves.iter().flatten() {
        for setting in place::all(run) {
            if !settings.contains(&setting) {
                settings.push(setting);
            }
        }
    }
    let (cells, apart): (Vec<Setting>, Vec<Setting>) = settings.into_iter().partition(|&setting| {
        let others = &curves[1..];
        swept(&curves[0], setting)
            && (others.is_empty() || others.iter().any(|curve| swept(curve, setting)))
    });
    let figures = |setting: Setting| {
        let figure = |curve: &Option<(&RunPattern, Curve)>| {
            curve.as_ref().and_then(|(_, curve)| curve.get(&setting)).cloned().unwrap_or_default()
        };
        (setting, curves.iter().map(figure).collect())
    };
    Some(Shared {
        pattern,
        cells: cells.into_iter().map(figures).collect(),
        apart,
        ran: curves.iter().map(Option::is_some).collect(),
    })
}

fn curve<'a>(side: &Side<'a>, name: &str) -> Option<(&'a RunPattern, Curve)> {
    let mut patterns = side.run.header.patterns.iter().enumerate();
    let (index, pattern) = patterns.find(|(_, run)| run.pattern.name == name)?;
    let here = |point: &&Point| (point.point.pattern, point.point.target) == (index, side.place);
    let mut values: BTreeMap<Setting, Vec<(u32, f64)>> = BTreeMap::new();
    let mut curve = Curve::new();
    for point in side.run.points.iter().filter(here) {
        let setting = point.point.setting;
        let figure = curve.entry(setting).or_default();
        match point.believed() {
            Some(iops) => {
                values.entry(setting).or_default().push((point.point.repeat, iops.0));
                let suspect = point.marks.iter().filter(|mark| mark.verdict == Verdict::Suspect);
                figure.suspect.extend(suspect.cloned());
            }
            None => figure.left_out += 1,
        }
    }
    for (setting, figure) in &mut curve {
        figure.series = values.remove(setting).unwrap_or_default().into_iter().collect();
    }
    Some((pattern, curve))
}

impl Figure {
    /// The mean over repeats; `None` where there is none.
    pub fn mean(&self) -> Option<f64> {
        stats::mean(&self.series.values())
    }

    /// The standard deviation over repeats; `None` of fewer than two.
    pub fn deviation(&self) -> Option<f64> {
        stats::standard_deviation(&self.series.values())
    }

    /// The standard deviation as a share of the mean, 0.1 for 10 %.
    pub fn relative_deviation(&self) -> Option<f64> {
        stats::relative_deviation(&self.series.values())
    }

    /// The best of all repeats: no estimate of anything.
    pub fn best(&self) -> Option<f64> {
        self.series.iter().map(|(_, iops)| iops).max_by(f64::total_cmp)
    }
}

/// The cells of a pattern with the answers to them, which come in the order of the review.
pub(super) fn judged(
    shared: &Shared<'_>,
    answers: &mut impl Iterator<Item = Vec<Against>>,
) -> Vec<Cell> {
    let cell = |(setting, figures): &(Setting, Vec<Figure>)| Cell {
        setting: *setting,
        figures: figures.clone(),
        against: answers.next().unwrap_or_default(),
    };
    shared.cells.iter().map(cell).collect()
}

/// What was left out, and what is in with a reservation.
pub(super) fn remarks(sides: &[Side<'_>], shared: &[Shared<'_>]) -> Vec<String> {
    let mut remarks = Vec::new();
    for (place, side) in sides.iter().enumerate() {
        let figures = || shared.iter().flat_map(|s| s.cells.iter().map(|(_, f)| &f[place]));
        let suspect = figures().filter(|figure| !figure.suspect.is_empty()).count();
        let left_out: u32 = figures().map(|figure| figure.left_out).sum();
        if suspect > 0 {
            remarks.push(format!(
                "{}: {} with points that failed a check; their letters stand beside them, and \
                 `fathom show {}` says why",
                side.name,
                counted(suspect, "cell"),
                side.run.header.id
            ));
        }
        if left_out > 0 {
            let points = counted(left_out as usize, "point");
            remarks.push(format!("{}: {points} void or cut short, and left out", side.name));
        }
        let patterns = side.run.header.patterns.iter().map(|run| run.pattern.name.as_str());
        let alone = patterns.filter(|name| shared.iter().all(|s| s.pattern.pattern.name != *name));
        let alone: Vec<&str> = alone.collect();
        if !alone.is_empty() {
            remarks.push(format!(
                "{}: {} has nothing to compare with",
                side.name,
                alone.join(", ")
            ));
        }
    }
    for shared in shared {
        let name = &shared.pattern.pattern.name;
        let never = sides.iter().zip(&shared.ran).filter(|(_, ran)| !**ran);
        remarks.extend(never.map(|(side, _)| format!("{}: {name} was not run", side.name)));
        if !shared.apart.is_empty() {
            let settings = shared.apart.iter().map(|at| place::label(shared.pattern, *at));
            let settings: Vec<String> = settings.collect();
            remarks.push(format!("{name}: swept on one side only, left out: {}", some(&settings)));
        }
    }
    remarks
}

fn counted(number: usize, what: &str) -> String {
    if number == 1 { format!("1 {what}") } else { format!("{number} {what}s") }
}

/// Settings, of which the first few are enough.
fn some(settings: &[String]) -> String {
    const SHOWN: usize = 6;
    match settings.len().checked_sub(SHOWN) {
        Some(rest @ 1..) => format!("{} and {rest} more", settings[..SHOWN].join(", ")),
        _ => settings.join(", "),
    }
}
