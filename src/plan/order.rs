//! The order in which points are measured.

use super::{Plan, Point};

/// All points of a plan: target by target, pattern by pattern, setting by setting.
pub(super) fn lay_out(plan: &Plan) -> Vec<Point> {
    let mut points = Vec::new();
    for target in 0..plan.targets.len() {
        for pattern in 0..plan.patterns.len() {
            for setting in plan.axes[pattern].settings() {
                let index = points.len();
                let seed = plan.seed.derive(index as u64);
                points.push(Point { index, pattern, target, repeat: 1, setting, seed });
            }
        }
    }
    points
}
