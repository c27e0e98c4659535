//! The plan file: a review as one file of TOML.
//!
//! Whatever stands in it could be said on the command line, and nothing of it allows anything to
//! be overwritten: that a person says each time. Pure: text in, a [`PlanFile`] or all of its
//! faults out. docs/plan-format.md is its reference, held to [`known_keys`] by a test.

use std::time::Duration;

use super::{Order, TargetName};
use crate::document::{self, Diagnostic, Hint, Keys, Table, Value};
use crate::pattern::{Axes, read_axes};
use crate::unit::{Bytes, Percent, Seed, parse_duration};

/// What a plan file says; what it leaves out is decided elsewhere.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct PlanFile {
    /// What heads the review.
    pub title: Option<String>,
    /// Patterns by name, or files of patterns as they are written there.
    pub patterns: Vec<String>,
    /// Targets, in the order of the file.
    pub targets: Vec<Target>,
    /// Axes in place of those of the patterns.
    pub axes: Axes,
    /// Repeats of each cell.
    pub repeat: Option<u32>,
    /// The relative deviation at which repeats may end.
    pub until_rsd: Option<Percent>,
    /// The most repeats of a cell.
    pub max_repeats: Option<u32>,
    /// How repeats and targets follow each other.
    pub order: Option<Order>,
    /// What the others are set against.
    pub baseline: Option<TargetName>,
    /// Recorded time of a point.
    pub run_time: Option<Duration>,
    /// Time before it.
    pub ramp_up: Option<Duration>,
    /// The longest that the run may take.
    pub max_time: Option<Duration>,
    /// Workers of each target, as the command line has them.
    pub workers: Option<String>,
    /// Completions that a wait asks for.
    pub wait_for: Option<u16>,
    /// Through the page cache.
    pub buffered: bool,
    /// How much of each target is used.
    pub size: Option<Bytes>,
    /// Where random streams start.
    pub seed: Option<Seed>,
    /// What a reader should know, in the author's words: names and values, in the order of the
    /// file.
    pub conditions: Vec<(String, String)>,
}

/// A target of a plan file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Target {
    /// What tables call it.
    pub name: TargetName,
    /// What it is, as the command line has it.
    pub path: String,
    /// What array of the baseline's disks it is: `raid0:4`.
    pub array: Option<String>,
}

static HEAD: Keys = Keys {
    known: &[
        "title",
        "patterns",
        "targets",
        "sweep",
        "repeat",
        "until_rsd",
        "max_repeats",
        "order",
        "baseline",
        "run_time",
        "ramp_up",
        "max_time",
        "workers",
        "wait_for",
        "buffered",
        "size",
        "seed",
        "conditions",
    ],
    hints: &[
        Hint::meant("repeats", "repeat", "the key is `repeat`, as on the command line"),
        Hint::meant("pattern", "patterns", "the key is `patterns`, also for one"),
        Hint::meant("target", "targets", "targets are named: `targets = { disk = \"/dev/sdb\" }`"),
        Hint::meant("time", "run_time", "the recorded time of a point is its `run_time`"),
        Hint::meant("notes", "conditions", "what a reader should know goes into `conditions`"),
        Hint::elsewhere("queue_depth", "depths go into the table `[sweep]`"),
        Hint::elsewhere(
            "overwrite",
            "no file allows that: say `--overwrite DEVICE` on the command line",
        ),
        Hint::elsewhere(
            "destroy",
            "no file allows that: say `--destroy SIGNATURE` on the command line",
        ),
    ],
};

static TARGET: Keys = Keys { known: &["path", "array"], hints: &[] };

/// Every key of a plan file: the list that the format's reference is checked against.
pub fn known_keys() -> Vec<String> {
    let of_target = TARGET.known.iter().map(|key| format!("targets.NAME.{key}"));
    HEAD.known.iter().map(ToString::to_string).chain(of_target).collect()
}

/// Reads the text of a plan file: what it says, and what there is to say about it. The plan is
/// missing where one of the faults is an error.
pub fn parse(text: &str) -> (Option<PlanFile>, Vec<Diagnostic>) {
    document::read(text, &HEAD, |head| Some(decode(head)))
}

fn decode(head: &Table<'_>) -> PlanFile {
    let time = |name| head.field(name).and_then(|value| parsed(value, parse_duration));
    PlanFile {
        title: head.field("title").and_then(line),
        patterns: head.field("patterns").map(patterns).unwrap_or_default(),
        targets: head.field("targets").map(targets).unwrap_or_default(),
        axes: head.field("sweep").and_then(read_axes).unwrap_or_default(),
        repeat: head.field("repeat").and_then(count),
        until_rsd: head.field("until_rsd").and_then(deviation),
        max_repeats: head.field("max_repeats").and_then(count),
        order: head.field("order").and_then(|value| parsed(value, str::parse)),
        baseline: head.field("baseline").and_then(|value| parsed(value, str::parse)),
        run_time: time("run_time"),
        ramp_up: time("ramp_up"),
        max_time: time("max_time"),
        workers: head.field("workers").and_then(workers),
        wait_for: head.field("wait_for").and_then(count),
        buffered: head.field("buffered").and_then(Value::boolean).unwrap_or(false),
        size: head.field("size").and_then(|value| parsed(value, str::parse)),
        seed: head.field("seed").and_then(|value| parsed(value, str::parse)),
        conditions: head.field("conditions").map(conditions).unwrap_or_default(),
    }
}

/// A string that is read as the command line reads it.
fn parsed<T, E: std::fmt::Display>(
    value: Value<'_>,
    read: impl Fn(&str) -> Result<T, E>,
) -> Option<T> {
    let text = value.string()?;
    value.accept(read(text))
}

/// A line of text that can stand in a table.
fn line(value: Value<'_>) -> Option<String> {
    let text = value.string()?;
    if text.trim().is_empty() || text.chars().any(char::is_control) {
        value.fail(format!("`{}` must be one line that says something", value.name()));
    }
    Some(text.to_owned())
}

fn patterns(value: Value<'_>) -> Vec<String> {
    let entries = value.array("patterns = [\"file-server\", \"./mine.toml\"]").unwrap_or_default();
    if entries.is_empty() {
        value.fail("a plan needs a pattern: `patterns = [\"file-server\"]`");
    }
    entries.into_iter().filter_map(line).collect()
}

fn targets(value: Value<'_>) -> Vec<Target> {
    const EXAMPLE: &str = "targets = { single = \"/dev/sdb\", raid0 = { path = \"/dev/md0\", \
                           array = \"raid0:4\" } }";
    let entries = value.entries(EXAMPLE).unwrap_or_default();
    let target = |entry: Value<'_>| {
        let name = entry.name().parse::<TargetName>();
        let name = name.map_err(|error| {
            entry.report(Diagnostic::error(entry.key_span(), error.to_string()));
        });
        let (path, array) = if entry.is_table() {
            let table = entry.table(&TARGET, EXAMPLE)?;
            let path = table.required("path", "path = \"/dev/md0\"").and_then(line);
            (path, table.field("array").and_then(line))
        } else {
            (line(entry), None)
        };
        Some(Target { name: name.ok()?, path: path?, array })
    };
    entries.into_iter().filter_map(target).collect()
}

/// A count of at least one.
fn count<T: TryFrom<i64> + Default + PartialEq>(value: Value<'_>) -> Option<T> {
    let number = value.integer()?;
    let read = T::try_from(number).ok().filter(|number| *number != T::default());
    if read.is_none() || number < 0 {
        value.fail(format!("{number} is no count for `{}`", value.name()));
    }
    read
}

/// A percentage, as a number or as the command line has it: `10` or `"10%"`.
fn deviation(value: Value<'_>) -> Option<Percent> {
    match value.as_number() {
        Some(number) => value.accept(Percent::try_from(number)),
        None => parsed(value, parse_deviation),
    }
}

/// Reads a relative deviation: `10%` or `10`.
///
/// # Errors
/// As for any percentage.
pub fn parse_deviation(text: &str) -> Result<Percent, <Percent as std::str::FromStr>::Err> {
    text.trim().trim_end_matches('%').trim_end().parse()
}

/// A number, or `"auto"`.
fn workers(value: Value<'_>) -> Option<String> {
    match value.as_integer() {
        Some(number) => Some(number.to_string()),
        None => value.string().map(str::to_owned),
    }
}

fn conditions(value: Value<'_>) -> Vec<(String, String)> {
    let entries = value.entries("conditions = { controller = \"Sil 3114\" }").unwrap_or_default();
    let said = entries.into_iter().map(|entry| Some((entry.name().to_owned(), line(entry)?)));
    said.flatten().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_plan_says_all_that_a_command_line_can() {
        let text = "\
title = \"Sil 3114\"
patterns = [\"file-server\", \"./mine.toml\"]
repeat = 3
until_rsd = \"10%\"
max_repeats = 6
order = \"as-written\"
baseline = \"single\"
run_time = \"30s\"
ramp_up = \"5s\"
max_time = \"2h\"
workers = 2
wait_for = 4
buffered = true
size = \"8 GiB\"
seed = \"0x1f\"
targets = { single = \"/dev/sdb\", raid0 = { path = \"/dev/md0\", array = \"raid0:4\" } }
conditions = { controller = \"Sil 3114\", write_cache = \"on\" }
[sweep]
queue_depth = \"1..4\"
write = [0, 100]
";
        let (plan, faults) = parse(text);
        assert_eq!(faults, []);
        let plan = plan.unwrap();
        assert_eq!(plan.patterns, ["file-server", "./mine.toml"]);
        let targets: Vec<_> = plan.targets.iter().map(|t| (t.name.as_str(), &*t.path)).collect();
        assert_eq!(targets, [("single", "/dev/sdb"), ("raid0", "/dev/md0")]);
        assert_eq!(plan.targets[1].array.as_deref(), Some("raid0:4"));
        assert_eq!((plan.repeat, plan.max_repeats, plan.wait_for), (Some(3), Some(6), Some(4)));
        assert_eq!(plan.until_rsd, Some(Percent::try_from(10.0).unwrap()));
        assert_eq!((plan.order, plan.seed), (Some(Order::AsWritten), Some(Seed(0x1f))));
        assert_eq!(plan.max_time, Some(Duration::from_secs(7200)));
        assert_eq!(plan.axes.queue_depths.len(), 3);
        assert_eq!(plan.conditions[1], ("write_cache".to_owned(), "on".to_owned()));
        assert!(plan.buffered);
        assert_eq!(parse("").0, Some(PlanFile::default()));
    }

    #[test]
    fn all_faults_are_found_at_once() {
        let text = "\
patterns = []
repeats = 0
until_rsd = \"often\"
order = \"random\"
overwrite = \"/dev/sdb\"
targets = { \"a b\" = \"/dev/sdb\", c = { array = \"raid0:4\" } }
sweep = {}
";
        let (plan, faults) = parse(text);
        assert_eq!(plan, None);
        let text: Vec<String> = faults
            .iter()
            .map(|fault| format!("{} {}", fault.message, fault.help.clone().unwrap_or_default()))
            .collect();
        for part in [
            "a plan needs a pattern",
            "`repeat`",
            "0 is no count",
            "often",
            "`random` is no order",
            "--overwrite DEVICE",
            "`a b` is no name",
            "`path` is missing",
            "`sweep` names no axis",
        ] {
            assert!(text.iter().any(|fault| fault.contains(part)), "{part}: {text:#?}");
        }
    }
}
