//! The order in which points are measured.

use super::{Plan, Point};
use crate::unit::{Percent, QueueDepth};

/// All points of a plan: target by target, pattern by pattern, depth by depth.
pub(super) fn lay_out(plan: &Plan) -> Vec<Point> {
    let mut points = Vec::new();
    for target in 0..plan.targets.len() {
        for pattern in 0..plan.patterns.len() {
            for queue_depth in depths_of(plan, pattern, 1) {
                let index = points.len();
                let seed = plan.seed.derive(index as u64);
                points.push(Point { index, pattern, target, repeat: 1, queue_depth, seed });
            }
        }
    }
    points
}

/// The depths of one repeat. As written where the pattern only reads. Where it writes, every
/// second repeat runs backwards: a cache that early points spend must not always be missed by
/// the same late ones.
fn depths_of(plan: &Plan, pattern: usize, repeat: u32) -> Vec<QueueDepth> {
    let mut depths = plan.depths(pattern);
    let lines = &plan.patterns[pattern].access.lines;
    let writes = lines.iter().any(|line| line.read < Percent::HUNDRED);
    if writes && repeat.is_multiple_of(2) {
        depths.reverse();
    }
    depths
}
