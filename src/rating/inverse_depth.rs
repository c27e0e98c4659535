//! Σ T(q)/q over q = 1, 2, 4 … up to a depth.
//!
//! X-bit Labs rated Workstation so, up to 32: on a device that scales perfectly every depth
//! contributes the same, on one that does not scale the shallow queues decide. The figure is a
//! sum, not a mean: a flat T(q) = c gives 1.96875 c up to 32. It never skips a doubling. Tested
//! with the other schemes.

use std::iter;

use crate::unit::QueueDepth;

/// The doubling depths from 1 to at most `up_to`, each with 1/q.
pub(super) fn terms(up_to: QueueDepth) -> Vec<(QueueDepth, f64)> {
    let doubling = iter::successors(Some(1_u64), |depth| Some(depth * 2));
    doubling
        .map_while(|depth| QueueDepth::try_from(depth).ok())
        .take_while(|&depth| depth <= up_to)
        .map(|depth| (depth, 1.0 / f64::from(depth.get())))
        .collect()
}
