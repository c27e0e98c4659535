//! A review's questions about arrays, answered with the figures that the answers rest on.
//!
//! An answer that nothing was measured for says so; "no sign" is never turned into "does not".

use std::fmt;

use super::{Array, Curve, Level, Load, Step, possible};
use crate::unit::QueueDepth;

/// An array that reaches this share of what its disks could give is said to scale.
const FULL: f64 = 0.8;
/// Where its disks could give less than this times one disk's figure, there is nothing to ask.
const ROOM: f64 = 1.1;

/// What was seen at a queue depth.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Seen {
    /// The depth.
    pub depth: QueueDepth,
    /// How many times the figure of so many disks the array's was.
    pub times: f64,
    /// The bounds of that; `None` of single runs.
    pub bounds: Option<[f64; 2]>,
    /// Of how many disks: 1, or half of a raid10.
    pub disks: f64,
}

/// How far an array is more than one disk.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Extent {
    /// At least 80 % of what its disks could give.
    Full,
    /// Less, but shown to be more than one disk.
    Part,
    /// Not shown to be more than one disk.
    NotShown,
    /// Its disks could not give 10 % more than one.
    NoRoom,
}

/// One answer.
#[derive(Debug, Clone, PartialEq)]
pub enum Finding {
    /// Does it scale with its members? At the greatest depth that can be judged.
    Scales {
        /// The answer.
        extent: Extent,
        /// The array, as a share of one disk.
        seen: Seen,
        /// What its members could give, as a share of one disk at this depth.
        possible: f64,
        /// What it gave of that.
        share: f64,
        /// Its members.
        members: u16,
    },
    /// That question, where one disk was not measured at the depths that it needs.
    ScalesUnknown,
    /// At which depth does it start to be more than one disk? The first, if there is one.
    Starts(Option<Seen>),
    /// Does the mirror alternate reads? Where it does, the depth at which it gains most by it.
    Alternates(Seen),
    /// There is no sign of it, not at this greatest depth either.
    NoAlternation(Seen),
    /// A stream of reads from a mirror is one disk's stream either way.
    AlternationNotAsked,
    /// There was no depth of 2 or more at which it could be seen: one disk does not rise above
    /// itself where it is not the limit.
    AlternationUnknown,
    /// What do writes on the mirror cost? The least share that was kept, and the greatest.
    Writes {
        /// The depth with the least share.
        least: Seen,
        /// The depth with the greatest.
        greatest: Seen,
        /// Whether that is more than chance.
        cost: Cost,
    },
}

/// Whether writes are shown to cost something.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Cost {
    /// At one depth at least the mirror is shown to be slower than one disk.
    Shown,
    /// At none.
    NotShown,
    /// The figures are shares of an ideal, which nothing real has to reach.
    OfBound,
}

/// Every question that the array and the load raise.
pub(super) fn all(array: Array, load: Load, disk: &Curve, steps: &[Step]) -> Vec<Finding> {
    let mut findings = Vec::new();
    if array.level() != Level::Raid1 {
        findings.push(scales(array, load, disk, steps));
        findings.push(Finding::Starts(first_beyond(steps)));
    }
    if array.is_mirror() && load.read >= 1.0 {
        findings.push(alternation(array, load, disk, steps));
    }
    if array.is_mirror() && load.read <= 0.0 {
        findings.extend(writes(array, load, disk, steps));
    }
    findings
}

fn scales(array: Array, load: Load, disk: &Curve, steps: &[Step]) -> Finding {
    let judged = steps.iter().rev().find_map(|step| {
        let seen = Seen::against_one(step)?;
        let possible = possible(array.capacity(load), load, disk, step.depth)?;
        Some((step, seen, possible, possible / disk.get(&step.depth)?))
    });
    let Some((step, seen, iops, possible)) = judged else { return Finding::ScalesUnknown };
    let share = step.iops / iops;
    let extent = if possible < ROOM {
        Extent::NoRoom
    } else if !step.beyond(1.0) {
        Extent::NotShown
    } else if share >= FULL {
        Extent::Full
    } else {
        Extent::Part
    };
    Finding::Scales { extent, seen, possible, share, members: array.members() }
}

fn first_beyond(steps: &[Step]) -> Option<Seen> {
    steps.iter().find(|step| step.beyond(1.0)).and_then(Seen::against_one)
}

/// How the array stands to as many disks as would do if one copy of each byte did all the work,
/// and by what one disk's figure was multiplied for that.
fn against_one_copy(array: Array, load: Load, disk: &Curve, step: &Step) -> Option<(Seen, f64)> {
    let disks = array.stripes();
    let scale = disk.get(&step.depth)? / possible(disks, load, disk, step.depth)?;
    Some((Seen::of(step, disks, scale)?, scale))
}

fn alternation(array: Array, load: Load, disk: &Curve, steps: &[Step]) -> Finding {
    if load.random <= 0.0 {
        return Finding::AlternationNotAsked;
    }
    let asked: Vec<(&Step, Seen, f64)> = steps
        .iter()
        .filter(|step| step.depth > QueueDepth::ONE)
        .filter_map(|step| {
            let (seen, scale) = against_one_copy(array, load, disk, step)?;
            Some((step, seen, scale))
        })
        .collect();
    let beyond = asked.iter().filter(|(step, _, scale)| step.beyond(*scale));
    let most = beyond.max_by(|(_, a, _), (_, b, _)| a.times.total_cmp(&b.times));
    if let Some((_, seen, _)) = most {
        return Finding::Alternates(*seen);
    }
    let room = |depth| {
        let with = possible(array.capacity(load), load, disk, depth)?;
        Some(with / possible(array.stripes(), load, disk, depth)?)
    };
    let asked = asked.iter().map(|(_, seen, _)| *seen);
    let last = asked.rev().find(|seen| room(seen.depth).is_some_and(|room| room >= ROOM));
    last.map_or(Finding::AlternationUnknown, Finding::NoAlternation)
}

fn writes(array: Array, load: Load, disk: &Curve, steps: &[Step]) -> Option<Finding> {
    let seen: Vec<Seen> = steps
        .iter()
        .filter_map(|step| Some(against_one_copy(array, load, disk, step)?.0))
        .collect();
    let by_ratio = |a: &&Seen, b: &&Seen| a.times.total_cmp(&b.times);
    let least = *seen.iter().min_by(by_ratio)?;
    let greatest = *seen.iter().max_by(by_ratio)?;
    let cost = if array.level() != Level::Raid1 {
        Cost::OfBound
    } else if steps.iter().any(Step::beneath) {
        Cost::Shown
    } else {
        Cost::NotShown
    };
    Some(Finding::Writes { least, greatest, cost })
}

impl Seen {
    fn against_one(step: &Step) -> Option<Self> {
        Self::of(step, 1.0, 1.0)
    }

    /// With one disk's figure divided by `scale`, which is taken to be exact.
    fn of(step: &Step, disks: f64, scale: f64) -> Option<Self> {
        let ratio = step.against.ratio?;
        let bounds = ratio.interval.map(|interval| [interval.low * scale, interval.high * scale]);
        Some(Self { depth: step.depth, times: ratio.value * scale, bounds, disks })
    }

    /// `0.94 (0.92 to 0.96)`.
    fn figure(&self) -> String {
        match self.bounds {
            Some([low, high]) => format!("{:.2} ({low:.2} to {high:.2})", self.times),
            None => format!("{:.2}", self.times),
        }
    }

    /// `one disk's figure`, `what 2 disks could give`.
    fn whose(&self) -> String {
        if (self.disks - 1.0).abs() < 1e-9 {
            "one disk's figure".to_owned()
        } else {
            format!("what {} disks could give", self.disks)
        }
    }

    /// `0.94 (0.92 to 0.96) × one disk's figure at queue depth 4`.
    fn said(&self) -> String {
        format!("{} × {} at queue depth {}", self.figure(), self.whose(), self.depth)
    }

    /// What has to be said where there is no error to judge by.
    fn caveat(&self) -> &'static str {
        match self.bounds {
            Some(_) => "",
            None => "; of single runs, where only 10 % and more counts",
        }
    }
}

impl fmt::Display for Finding {
    /// One sentence, without its full stop.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Scales { extent: Extent::NoRoom, seen, possible, members, .. } => write!(
                f,
                "nothing to gain at queue depth {}: {members} disks could give {possible:.2} × one \
                 disk's figure, and it gave {}",
                seen.depth,
                seen.figure()
            ),
            Self::Scales { extent, seen, share, members, .. } => write!(
                f,
                "{extent}: {}, {:.0} % of what {members} disks could give{}",
                seen.said(),
                100.0 * share,
                seen.caveat()
            ),
            Self::ScalesUnknown => f.write_str(
                "whether it scales can't be said: one disk was not measured at the queue depths \
                 that its members have",
            ),
            Self::Starts(Some(seen)) => {
                write!(f, "starts to be more than one disk: {}{}", seen.said(), seen.caveat())
            }
            Self::Starts(None) => {
                f.write_str("is shown to be more than one disk at no queue depth measured")
            }
            Self::Alternates(seen) => {
                write!(f, "alternates reads: {}{}", seen.said(), seen.caveat())
            }
            Self::NoAlternation(seen) => {
                write!(f, "no sign that it alternates reads: {}{}", seen.said(), seen.caveat())
            }
            Self::AlternationNotAsked => {
                f.write_str("sequential reads don't show whether it alternates: random ones would")
            }
            Self::AlternationUnknown => f.write_str(
                "whether it alternates reads can't be said: there are no random reads at a queue \
                 depth of 2 or more at which one copy is the limit",
            ),
            Self::Writes { least, greatest, cost } => {
                write!(f, "{cost} {}", least.said())?;
                if least.depth != greatest.depth {
                    write!(f, ", {} at {}", greatest.figure(), greatest.depth)?;
                }
                f.write_str(least.caveat())
            }
        }
    }
}

impl fmt::Display for Extent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::Full => "scales with its members",
            Self::Part => "scales in part",
            Self::NotShown => "not shown to scale",
            Self::NoRoom => "nothing to gain",
        })
    }
}

impl fmt::Display for Cost {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::Shown => "writes cost: they reach",
            Self::NotShown => "writes are not shown to cost: they reach",
            Self::OfBound => "writes reach",
        })
    }
}
