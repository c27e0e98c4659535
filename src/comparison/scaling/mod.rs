//! Arrays against what their disks could give.
//!
//! What could be given is the disk's own curve, not a theory of disks: n members that share a
//! queue of depth q each have q/n of it, so together they could give n × T(q/n). Between measured
//! depths T is interpolated (both on logarithms, so that a curve that rises with the depth is
//! met exactly); beyond them it is never guessed. The bound is an ideal: where each request
//! falls on a member by chance, some members idle while others have two, and for members that
//! serve one request at a time an array without any fault reaches q/(q + n − 1) of n disks, 57 %
//! at q = n = 4. Pure, and tested by cases.

mod array;
mod findings;

use std::collections::BTreeMap;

pub use array::{Array, ArrayError, Declared, DeclaredError, Level};
pub use findings::{Cost, Extent, Finding, Seen};

use super::{Against, Ratio, Word};
use crate::unit::QueueDepth;

/// What an access specification asks for, on average.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Load {
    /// The share of reads, 0 to 1.
    pub read: f64,
    /// The share of requests that go to a random place, 0 to 1.
    pub random: f64,
}

/// One disk's IOPS at each queue depth: the mean over repeats.
pub type Curve = BTreeMap<QueueDepth, f64>;

/// The array at one queue depth.
#[derive(Debug, Clone, PartialEq)]
pub struct Step {
    /// Requests in flight at the array.
    pub depth: QueueDepth,
    /// Its IOPS: the mean over repeats.
    pub iops: f64,
    /// How it stands to one disk at the same depth, with the word that survived the adjustment
    /// for the whole review.
    pub against: Against,
}

/// How far an array is what its disks could be.
#[derive(Debug, Clone, PartialEq)]
pub struct Scaling {
    /// By depth, rising.
    pub points: Vec<Efficiency>,
    /// The answers, in the order in which a review asks.
    pub findings: Vec<Finding>,
}

/// One depth of an array.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Efficiency {
    /// Requests in flight at the array.
    pub depth: QueueDepth,
    /// The IOPS that its disks could give; `None` where one disk was not measured at the depths
    /// that this needs.
    pub possible: Option<f64>,
    /// What it gave of that, 1 for all. Above 1 where the members help each other: by a shorter
    /// stroke each, or a cache each.
    pub share: Option<f64>,
}

/// Measures one load's curve of an array against that of one disk. `steps` may come in any order.
pub fn scaling(array: Array, load: Load, disk: &Curve, steps: &[Step]) -> Scaling {
    let mut steps = steps.to_vec();
    steps.sort_by_key(|step| step.depth);
    let efficiency = |step: &Step| {
        let possible = possible(array.capacity(load), load, disk, step.depth);
        let share = possible.map(|possible| step.iops / possible);
        Efficiency { depth: step.depth, possible, share }
    };
    let points: Vec<Efficiency> = steps.iter().map(efficiency).collect();
    let findings = findings::all(array, load, disk, &steps);
    Scaling { points, findings }
}

/// What `disks` disks' worth of capacity could give at a depth.
///
/// A stream is not bound by the depth: drives read ahead and gather writes, and a request larger
/// than a chunk has several members at work. There the bound is n × T(q). A random request has
/// one member at a time, so with fewer requests than members only so many work.
fn possible(disks: f64, load: Load, disk: &Curve, depth: QueueDepth) -> Option<f64> {
    let depth = f64::from(depth.get());
    if load.random <= 0.0 {
        return Some(disks * at(disk, depth)?);
    }
    let each = depth / disks;
    if each < 1.0 { Some(depth * at(disk, 1.0)?) } else { Some(disks * at(disk, each)?) }
}

/// T at a depth that need not be whole; `None` outside the depths measured.
fn at(disk: &Curve, depth: f64) -> Option<f64> {
    let measured = || disk.iter().map(|(depth, iops)| (f64::from(depth.get()), *iops));
    let (below, low) = measured().rfind(|&(measured, _)| measured <= depth + 1e-9)?;
    if (below - depth).abs() < 1e-9 {
        return Some(low);
    }
    let (above, high) = measured().find(|&(measured, _)| measured >= depth)?;
    let way = (depth / below).ln() / (above / below).ln();
    Some(low * (high / low).powf(way))
}

impl Step {
    /// Whether it is shown to be more than one disk's figure over `scale`: by the interval of a
    /// ratio that survived; of single runs, by [`WITHOUT_ERROR`].
    fn beyond(&self, scale: f64) -> bool {
        match self.against.ratio {
            Some(Ratio { interval: Some(interval), .. }) => {
                self.against.word == Some(Word::Faster) && interval.low * scale > 1.0
            }
            Some(Ratio { interval: None, value, .. }) => value * scale > WITHOUT_ERROR,
            None => false,
        }
    }

    /// Whether it is shown to be less than one disk's figure, likewise.
    fn beneath(&self) -> bool {
        match self.against.ratio {
            Some(Ratio { interval: Some(_), .. }) => self.against.word == Some(Word::Slower),
            Some(Ratio { interval: None, value, .. }) => value * WITHOUT_ERROR < 1.0,
            None => false,
        }
    }
}

/// The ratio from which single runs, which have no error, are said to differ: beyond what runs of
/// one device usually lie apart. It is said beside each sentence that rests on it.
const WITHOUT_ERROR: f64 = 1.1;

#[cfg(test)]
mod tests;
