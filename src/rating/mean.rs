//! The arithmetic mean of T(q) over the swept depths: all loads are held to be equally probable.
//!
//! X-bit Labs rated File Server and Web Server so, and never said over which depths; therefore
//! the depths are those that were swept, and stand beside the figure. It never leaves out a
//! swept depth. Tested with the other schemes.

use std::collections::BTreeSet;

use crate::unit::QueueDepth;

/// Each swept depth, once, with 1/n.
pub(super) fn terms(swept: impl Iterator<Item = QueueDepth>) -> Vec<(QueueDepth, f64)> {
    let depths: BTreeSet<QueueDepth> = swept.collect();
    let weight = 1.0 / depths.len() as f64;
    depths.into_iter().map(|depth| (depth, weight)).collect()
}
