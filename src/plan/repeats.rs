//! How often each cell is measured: a fixed number of times, or until its values lie closely
//! enough together.
//!
//! A cell is one setting of one pattern, on all targets: where one target scatters, all of them
//! are measured again, so that they stay comparable. Nothing here looks at how far targets lie
//! apart.

use std::collections::BTreeMap;
use std::fmt;

use super::{Plan, Point, order};
use crate::pattern::Setting;
use crate::stats::{Rerun, Step};

/// The most repeats of a cell.
pub const MAX_REPEATS: u32 = 1000;

/// How often each cell is measured.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Repeats {
    /// This many times.
    Fixed(u32),
    /// Until the rule stops it.
    Rule(Rerun),
}

impl Repeats {
    /// The repeats that are made in any case: they decide how targets are compared.
    pub fn least(self) -> u32 {
        match self {
            Self::Fixed(repeats) => repeats,
            Self::Rule(rule) => rule.least(),
        }
    }

    /// The most there can be.
    pub fn most(self) -> u32 {
        match self {
            Self::Fixed(repeats) => repeats,
            Self::Rule(rule) => rule.most(),
        }
    }
}

impl fmt::Display for Repeats {
    /// In words: `3 repeats`, or the rule.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Fixed(1) => f.write_str("1 repeat"),
            Self::Fixed(repeats) => write!(f, "{repeats} repeats"),
            Self::Rule(rule) => rule.fmt(f),
        }
    }
}

/// What a point came to.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Measured {
    /// Which point.
    pub point: Point,
    /// Its IOPS; `None` where the point is void.
    pub iops: Option<f64>,
}

/// A cell: a pattern of the plan, and a setting of its axes.
pub type Cell = (usize, Setting);

/// The points that the plan's rule asks for after these, in the order of measuring; none where
/// it stops every cell, or there is no rule. `given_up` are targets that are measured no more:
/// they hold nobody up.
pub(super) fn more(plan: &Plan, measured: &[Measured], given_up: &[usize]) -> Vec<Point> {
    let Repeats::Rule(rule) = plan.repeats else { return Vec::new() };
    let cells = values(measured, given_up);
    let last = measured.iter().map(|one| one.point.repeat).max().unwrap_or(0);
    // A cell that was stopped stays stopped: only those of the last repeat can go on.
    let again = |cell: &Cell| {
        cells
            .get(cell)
            .is_some_and(|values| values.repeats == last && step(rule, values) == Step::Again)
    };
    let first = measured.iter().map(|one| one.point.index + 1).max().unwrap_or(0);
    let mut points = Vec::new();
    order::pass(plan, last + 1, again, &mut points);
    points.retain(|point| !given_up.contains(&point.target));
    for (point, index) in points.iter_mut().zip(first..) {
        *point = Point { index, seed: plan.seed.derive(index as u64), ..*point };
    }
    points
}

/// What the rule says of each cell of a run as far as it went, after how many repeats.
pub fn stops(rule: Rerun, measured: &[Measured]) -> BTreeMap<Cell, (u32, Step)> {
    let cells = values(measured, &[]).into_iter();
    cells.map(|(cell, values)| (cell, (values.repeats, step(rule, &values)))).collect()
}

/// What was measured of a cell: each target's values, and the repeats made.
#[derive(Debug, Default)]
struct Values {
    repeats: u32,
    targets: BTreeMap<usize, Vec<f64>>,
}

fn values(measured: &[Measured], given_up: &[usize]) -> BTreeMap<Cell, Values> {
    let mut cells: BTreeMap<Cell, Values> = BTreeMap::new();
    for Measured { point, iops } in measured {
        let cell = cells.entry((point.pattern, point.setting)).or_default();
        cell.repeats = cell.repeats.max(point.repeat);
        if !given_up.contains(&point.target) {
            cell.targets.entry(point.target).or_default().extend(iops);
        }
    }
    cells
}

fn step(rule: Rerun, values: &Values) -> Step {
    let targets: Vec<Vec<f64>> = values.targets.values().cloned().collect();
    rule.after(values.repeats, &targets)
}
