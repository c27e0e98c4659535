//! The words for what is swept: one option an axis, each going before what a pattern says.

use std::fmt::Display;

use crate::pattern::{Axes, Directions, Pattern};
use crate::plan::{MAX_POINTS, Plan};
use crate::unit::{Op, Percent, QueueDepth, Stepped, TransferSize, parse_range};

/// What is swept instead of what the patterns say: `1..256` doubles, `1,4,16` is a list, `2..8/2`
/// steps.
#[derive(Debug, clap::Args)]
pub(super) struct AxisArguments {
    /// Queue depths instead of the pattern's own: `1..256` doubles, `1,4,16` is a list, `2..8/2` steps
    #[arg(short, long, value_name = "DEPTHS")]
    queue_depths: Option<String>,

    /// Percent of requests that write, one after another: `0..100/10`, `0,30,100`
    #[arg(long, value_name = "PERCENTS")]
    write_percents: Option<String>,

    /// The same, counted as reads
    #[arg(long, value_name = "PERCENTS")]
    read_percents: Option<String>,

    /// Sizes of requests, for patterns of one line: `512..1M`, `4k,64k`, `64k..256k/64k`
    #[arg(long, value_name = "SIZES")]
    transfer_sizes: Option<String>,
}

impl AxisArguments {
    /// The axes that are named, the others without values; what is wrong with them in `faults`.
    pub(super) fn axes(&self, faults: &mut Vec<String>) -> Axes {
        let queue_depths: Vec<QueueDepth> =
            series("--queue-depths", self.queue_depths.as_deref(), faults);
        let writes: Vec<Percent> =
            series("--write-percents", self.write_percents.as_deref(), faults);
        let reads: Vec<Percent> = series("--read-percents", self.read_percents.as_deref(), faults);
        let transfer_sizes: Vec<TransferSize> =
            series("--transfer-sizes", self.transfer_sizes.as_deref(), faults);
        if self.write_percents.is_some() && self.read_percents.is_some() {
            let both = "--write-percents and --read-percents are one axis: what is not read is \
                        written; leave one out";
            faults.push(both.to_owned());
        }
        let (of, percents) =
            if writes.is_empty() { (Op::Read, reads) } else { (Op::Write, writes) };
        let directions = (!percents.is_empty()).then_some(Directions { of, percents });
        Axes { queue_depths, directions, transfer_sizes }
    }

    /// What stands against running these patterns over these axes.
    pub(super) fn check(&self, patterns: &[Pattern], faults: &mut Vec<String>) {
        let several = patterns.iter().filter(|pattern| pattern.access.lines.len() > 1);
        for pattern in several.filter(|_| self.transfer_sizes.is_some()) {
            let lines = pattern.access.lines.len();
            faults.push(format!(
                "--transfer-sizes: sizes are swept in patterns of one line, and {} has {lines}; \
                 run it by itself",
                pattern.name
            ));
        }
    }
}

/// The values of an option, each once.
fn series<T: Stepped>(option: &str, text: Option<&str>, faults: &mut Vec<String>) -> Vec<T> {
    let Some(text) = text else { return Vec::new() };
    let mut unique: Vec<T> = Vec::new();
    match parse_range::<T>(text) {
        Ok(values) => {
            for value in values {
                if unique.iter().all(|other| other.units() != value.units()) {
                    unique.push(value);
                }
            }
        }
        Err(error) => faults.push(format!("{option}: {error}")),
    }
    unique
}

/// What is too much for one run.
pub(super) fn too_many(plan: &Plan) -> Option<String> {
    let points = plan.count();
    (points > MAX_POINTS).then(|| {
        format!("that would be {points} points, and a run has at most {MAX_POINTS}: sweep less")
    })
}

/// The patterns that will have no rating since depths that it counts are not swept: said before
/// anything costs time.
pub(super) fn unrated(plan: &Plan) -> Vec<String> {
    let missing = |(pattern, axes): (&Pattern, &Axes)| {
        let missing = pattern.rating.as_ref()?.missing(&axes.queue_depths);
        let (name, depths) = (&pattern.name, joined(&missing));
        (!missing.is_empty()).then(|| {
            format!("note: {name} will have no rating: it counts queue depth {depths}, not swept")
        })
    };
    plan.patterns.iter().zip(&plan.axes).filter_map(missing).collect()
}

fn joined(values: &[impl Display]) -> String {
    values.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ")
}
