//! The order in which points are measured.
//!
//! Interleaved, a repeat measures every target before the next repeat begins, so that what drifts
//! falls on all of them. Which target goes first is drawn from the seed, pattern by pattern, and
//! goes round by repeat: among as many repeats as there are targets, each target has each place
//! once. A pattern's sweep on one target stays together, since a device that rests between two
//! depths is not the device of a sweep.

use std::fmt;
use std::str::FromStr;

use rand::{Rng, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use thiserror::Error;

use super::repeats::Cell;
use super::{Plan, Point};
use crate::pattern::Setting;
use crate::unit::below;

/// The stream of a seed that orders are drawn from; points have those from 0.
const STREAM: u64 = u64::MAX;

/// How repeats, targets and settings follow each other.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Order {
    /// Repeat by repeat, the targets in a drawn order; patterns that write are swept forwards and
    /// backwards by turns, so that a cache spent by early points does not always fall on late
    /// ones.
    #[default]
    Interleaved,
    /// Target by target, and for each of them repeat by repeat, settings as they stand.
    AsWritten,
}

impl Order {
    /// Its name, on command lines and in records.
    pub const fn id(self) -> &'static str {
        match self {
            Self::Interleaved => "interleaved",
            Self::AsWritten => "as-written",
        }
    }
}

impl fmt::Display for Order {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.id())
    }
}

/// Why an order could not be read.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("`{0}` is no order: use interleaved or as-written")]
pub struct OrderError(String);

impl FromStr for Order {
    type Err = OrderError;

    fn from_str(text: &str) -> Result<Self, OrderError> {
        let known = [Self::Interleaved, Self::AsWritten].into_iter();
        known
            .into_iter()
            .find(|order| order.id() == text)
            .ok_or_else(|| OrderError(text.to_owned()))
    }
}

/// The points of a plan that are measured in any case.
pub(super) fn lay_out(plan: &Plan) -> Vec<Point> {
    let mut points = Vec::new();
    let repeats = 1..=plan.repeats.least();
    match plan.order {
        Order::Interleaved => repeats.for_each(|repeat| pass(plan, repeat, |_| true, &mut points)),
        Order::AsWritten => {
            for target in 0..plan.targets.len() {
                for repeat in repeats.clone() {
                    for pattern in 0..plan.patterns.len() {
                        let sweep = Sweep { plan, pattern, target, repeat };
                        sweep.lay_out(|_| true, &mut points);
                    }
                }
            }
        }
    }
    points
}

/// One repeat of some of the cells, on all targets, behind the points that are there.
pub(super) fn pass(
    plan: &Plan,
    repeat: u32,
    wanted: impl Fn(&Cell) -> bool,
    points: &mut Vec<Point>,
) {
    for pattern in 0..plan.patterns.len() {
        for target in targets(plan, pattern, repeat) {
            Sweep { plan, pattern, target, repeat }.lay_out(&wanted, points);
        }
    }
}

/// The targets in the order in which a pattern's repeat takes them.
fn targets(plan: &Plan, pattern: usize, repeat: u32) -> Vec<usize> {
    let mut order: Vec<usize> = (0..plan.targets.len()).collect();
    if plan.order == Order::AsWritten || order.is_empty() {
        return order;
    }
    let turn = repeat as usize - 1;
    let (round, place) = (turn / order.len(), turn % order.len());
    let seed = plan.seed.derive(STREAM).derive(pattern as u64).derive(round as u64);
    let mut draws = Xoshiro256PlusPlus::seed_from_u64(seed.0);
    for last in (1..order.len()).rev() {
        let other = below(draws.next_u64(), last as u64 + 1);
        order.swap(last, usize::try_from(other).unwrap_or(last));
    }
    order.rotate_left(place);
    order
}

/// One pattern on one target, once.
struct Sweep<'a> {
    plan: &'a Plan,
    pattern: usize,
    target: usize,
    repeat: u32,
}

impl Sweep<'_> {
    fn lay_out(&self, wanted: impl Fn(&Cell) -> bool, points: &mut Vec<Point>) {
        let &Self { plan, pattern, target, repeat } = self;
        let mut settings: Vec<Setting> = plan.axes[pattern].settings();
        let backwards = repeat.is_multiple_of(2) && plan.writes(pattern);
        if backwards && plan.order == Order::Interleaved {
            settings.reverse();
        }
        for setting in settings.into_iter().filter(|&setting| wanted(&(pattern, setting))) {
            let index = points.len();
            let seed = plan.seed.derive(index as u64);
            points.push(Point { index, pattern, target, repeat, setting, seed });
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::super::tests::plan;
    use super::super::{Measured, Repeats};
    use super::*;
    use crate::stats::Rerun;
    use crate::unit::Percent;

    fn places(points: &[Point]) -> Vec<(u32, usize, usize, u16)> {
        let place = |point: &Point| {
            (point.repeat, point.pattern, point.target, point.setting.queue_depth.get())
        };
        points.iter().map(place).collect()
    }

    #[test]
    fn a_repeat_ends_before_the_next_begins_and_every_target_has_every_place() {
        let mut plan = plan(3, 2);
        plan.repeats = Repeats::Fixed(6);
        let points = plan.points();
        assert_eq!(points.len(), 6 * 3 * 2 * 2);
        assert!(points.is_sorted_by_key(|point| point.repeat));
        assert!(points.iter().enumerate().all(|(place, point)| point.index == place));
        for pattern in 0..2 {
            for rounds in [1..=3, 4..=6] {
                let firsts: BTreeSet<usize> = rounds
                    .map(|repeat| {
                        let here = |p: &&Point| (p.repeat, p.pattern) == (repeat, pattern);
                        points.iter().find(here).unwrap().target
                    })
                    .collect();
                assert_eq!(firsts.len(), 3);
            }
        }
        assert_eq!(points, plan.points());
        let seeds: BTreeSet<u64> = points.iter().map(|point| point.seed.0).collect();
        assert_eq!(seeds.len(), points.len());
        let order = |plan: &Plan| places(&plan.points());
        let others = (0..20).map(|seed| Plan { seed: crate::unit::Seed(seed), ..plan.clone() });
        assert!(others.filter(|other| order(other) != order(&plan)).count() > 10);
    }

    #[test]
    fn only_sweeps_that_write_turn_round() {
        let mut plan = plan(1, 2);
        plan.repeats = Repeats::Fixed(2);
        // The first pattern writes, the second only reads.
        let expected = [
            [(1, 0, 0, 1), (1, 0, 0, 8), (1, 1, 0, 1), (1, 1, 0, 8)],
            [(2, 0, 0, 8), (2, 0, 0, 1), (2, 1, 0, 1), (2, 1, 0, 8)],
        ];
        assert_eq!(places(&plan.points()), expected.concat());
        plan.order = Order::AsWritten;
        assert_eq!(places(&plan.points())[4..6], [(2, 0, 0, 1), (2, 0, 0, 8)]);
    }

    #[test]
    fn as_written_goes_target_by_target() {
        let mut plan = plan(2, 1);
        (plan.repeats, plan.order) = (Repeats::Fixed(2), Order::AsWritten);
        let targets: Vec<usize> = plan.points().iter().map(|point| point.target).collect();
        assert_eq!(targets, [0, 0, 0, 0, 1, 1, 1, 1]);
        assert_eq!("as-written".parse(), Ok(Order::AsWritten));
        assert!("random".parse::<Order>().is_err());
    }

    /// Depth 8 scatters on the second target: both get the repeat, and depth 1 gets none.
    #[test]
    fn a_cell_that_scatters_is_measured_again_on_all_targets() {
        let mut plan = plan(2, 1);
        let rule = Rerun::new(Percent::try_from(10.0).unwrap(), 3, 4).unwrap();
        plan.repeats = Repeats::Rule(rule);
        let iops = |point: &Point| match (point.target, point.setting.queue_depth.get()) {
            (1, 8) => f64::from(point.repeat) * 100.0,
            _ => 100.0,
        };
        let measured = |points: &[Point]| -> Vec<Measured> {
            let one = |point: &Point| Measured { point: *point, iops: Some(iops(point)) };
            points.iter().map(one).collect()
        };
        let mut points = plan.points();
        assert_eq!(points.len(), 3 * 2 * 2);
        let more = plan.more(&measured(&points), &[]);
        let mut again: Vec<(u32, usize, usize, u16)> = places(&more);
        again.sort_unstable();
        assert_eq!(again, [(4, 0, 0, 8), (4, 0, 1, 8)]);
        assert_eq!(more.iter().map(|point| point.index).collect::<Vec<_>>(), [12, 13]);
        assert_eq!(plan.more(&measured(&points), &[1]), []);
        points.extend(more);
        // Four is the most.
        assert_eq!(plan.more(&measured(&points), &[]), []);
    }
}
