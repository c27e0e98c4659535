//! Targets that are arrays, against what their disks could give.

use super::cells::Shared;
use super::sides::{self, Side};
use super::{Compared, load, place, review};
use crate::comparison::scaling::{Array, Curve, Efficiency, Finding, scaling};
use crate::comparison::{Against, compare, scaling as arrays};

/// One array under one load.
#[derive(Debug, Clone)]
pub struct Scaled {
    /// What the array is called.
    pub name: String,
    /// What it is made of.
    pub array: Array,
    /// What its disk is called.
    pub disk: String,
    /// The setting of the axes other than the depth, in words; empty where nothing else is swept.
    pub group: String,
    /// By depth, rising.
    pub steps: Vec<Step>,
    /// The answers to what a review asks, as sentences without their full stop.
    pub findings: Vec<Finding>,
}

/// An array at one depth.
#[derive(Debug, Clone)]
pub struct Step {
    /// One disk's IOPS at the same depth.
    pub disk: Option<f64>,
    /// The array's IOPS.
    pub iops: f64,
    /// The one as a share of the other.
    pub against: Against,
    /// What its disks could give, and how much of that it gave.
    pub efficiency: Efficiency,
}

/// Judges every array in every pattern. An array that was not measured beside its disk is remarked
/// on.
pub(super) fn fill(
    sides: &[Side<'_>],
    shared: &[Shared<'_>],
    patterns: &mut [Compared<'_>],
    remarks: &mut Vec<String>,
) {
    for (place, side) in sides.iter().enumerate() {
        let Some(declared) = &side.array else { continue };
        let Some(disk) = sides::disk(sides, side, declared).filter(|disk| *disk != place) else {
            remarks.push(format!(
                "{}: {}, and none of its disks is compared; name one, `--array {}={declared}@DISK`",
                side.name, declared.array, side.name
            ));
            continue;
        };
        let mut answers = if disk == 0 {
            let own = |cell: &super::Cell| cell.against[place - 1].clone();
            patterns.iter().flat_map(|pattern| pattern.cells.iter().map(own)).collect()
        } else {
            let answer = compare(&review(sides, shared, &[disk, place]));
            answer.cells.into_iter().flatten().collect::<Vec<_>>()
        }
        .into_iter();
        for (pattern, shared) in patterns.iter_mut().zip(shared) {
            let places = [disk, place];
            pattern.arrays.extend(scaled(sides, shared, places, declared.array, &mut answers));
        }
    }
}

/// An array under one pattern, for each setting of the axes other than the depth.
fn scaled(
    sides: &[Side<'_>],
    shared: &Shared<'_>,
    [disk, array]: [usize; 2],
    made_of: Array,
    answers: &mut impl Iterator<Item = Against>,
) -> Vec<Scaled> {
    let mut groups: Vec<(String, arrays::Load, Curve, Vec<arrays::Step>)> = Vec::new();
    for (setting, figures) in &shared.cells {
        let against = answers.next();
        let name = place::group(shared.pattern, *setting);
        let at = groups.iter().position(|(other, ..)| *other == name).unwrap_or_else(|| {
            let load = load(shared.pattern, *setting);
            groups.push((name, load, Curve::new(), Vec::new()));
            groups.len() - 1
        });
        let (_, _, curve, steps) = &mut groups[at];
        let depth = setting.queue_depth;
        curve.extend(figures[disk].mean().map(|iops| (depth, iops)));
        let step = figures[array].mean().zip(against);
        steps.extend(step.map(|(iops, against)| arrays::Step { depth, iops, against }));
    }
    let answered =
        groups.into_iter().filter(|(_, _, curve, steps)| !curve.is_empty() && !steps.is_empty());
    let scaled = |(group, load, curve, mut steps): (_, _, Curve, Vec<arrays::Step>)| {
        let answer = scaling(made_of, load, &curve, &steps);
        steps.sort_by_key(|step| step.depth);
        let step = |(step, efficiency): (arrays::Step, Efficiency)| Step {
            disk: curve.get(&step.depth).copied(),
            iops: step.iops,
            against: step.against,
            efficiency,
        };
        Scaled {
            name: sides[array].name.clone(),
            array: made_of,
            disk: sides[disk].name.clone(),
            group,
            steps: steps.into_iter().zip(answer.points).map(step).collect(),
            findings: answer.findings,
        }
    };
    answered.map(scaled).collect()
}
