//! The words for a review: how often, in which order, against what; and the plan file that says
//! them all.

use std::path::{Path, PathBuf};
use std::time::Duration;

use super::super::load::{is_file, read_plan};
use super::super::screen::Failure;
use super::arguments::Arguments;
use crate::document::nearest;
use crate::plan::file::{PlanFile, parse_deviation};
use crate::plan::{MAX_REPEATS, NamedTarget, Order, Plan, Repeats, TargetName, TargetSpec};
use crate::stats::Rerun;
use crate::unit::{Percent, parse_duration, show_duration};

/// The most repeats under a rule, where nobody says.
const MOST_BY_RULE: u32 = 6;

/// How a review is made.
#[derive(Debug, Clone, Default, clap::Args)]
#[command(next_help_heading = "Reviews")]
pub(super) struct ReviewArguments {
    /// A plan file, which says patterns, targets and everything below; what stands here goes first
    ///
    /// docs/plan-format.md explains it. Paths in it are meant from its own folder. It can't allow
    /// anything to be overwritten.
    #[arg(long, value_name = "FILE")]
    pub(super) plan: Option<PathBuf>,

    /// Measure each point this often; targets and repeats are interleaved [default: 1]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=i64::from(MAX_REPEATS)))]
    repeat: Option<u32>,

    /// Repeat a setting on all targets until the relative deviation of each is at most this: `10%`
    #[arg(long, value_name = "PERCENT", value_parser = parse_deviation)]
    until_rsd: Option<Percent>,

    /// Repeats at which --until-rsd gives up [default: 6]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=i64::from(MAX_REPEATS)))]
    max_repeats: Option<u32>,

    /// interleaved: repeat by repeat, targets in a drawn order; as-written: target by target
    #[arg(long, value_name = "ORDER")]
    order: Option<Order>,

    /// The target that the others are set against [default: the first]
    #[arg(long, value_name = "NAME")]
    baseline: Option<TargetName>,

    /// Refuse a plan that takes longer than this
    #[arg(long, value_name = "TIME", value_parser = parse_duration)]
    max_time: Option<Duration>,

    /// Go on with a run that was stopped: its ID, or its file; the plan must be the same
    #[arg(long, value_name = "RECORD", conflicts_with = "output")]
    pub(super) resume: Option<String>,

    /// What heads the results
    #[arg(long, value_name = "TEXT")]
    pub(super) title: Option<String>,

    /// What a reader should know: `--condition controller="Sil 3114"`; may be given several times
    #[arg(long = "condition", value_name = "NAME=TEXT", value_parser = condition)]
    pub(super) conditions: Vec<(String, String)>,
}

/// Reads `NAME=TEXT`.
fn condition(text: &str) -> Result<(String, String), String> {
    let control = text.chars().any(char::is_control);
    match text.split_once('=') {
        Some((name, said)) if !control && !name.trim().is_empty() && !said.trim().is_empty() => {
            Ok((name.trim().to_owned(), said.trim().to_owned()))
        }
        _ => Err("write it like controller=\"Sil 3114\", on one line".to_owned()),
    }
}

impl ReviewArguments {
    /// How often each cell is measured.
    pub(super) fn repeats(&self, faults: &mut Vec<String>) -> Repeats {
        let Some(limit) = self.until_rsd else {
            if self.max_repeats.is_some() {
                faults.push(
                    "--max-repeats goes with --until-rsd; without that, --repeat says how often"
                        .to_owned(),
                );
            }
            return Repeats::Fixed(self.repeat.unwrap_or(1));
        };
        let least = self.repeat.unwrap_or(Rerun::LEAST);
        let most = self.max_repeats.unwrap_or(MOST_BY_RULE.max(least));
        match Rerun::new(limit, least, most) {
            Ok(rule) => Repeats::Rule(rule),
            Err(error) => {
                faults.push(format!("--until-rsd: {error}"));
                Repeats::Fixed(least)
            }
        }
    }

    pub(super) fn order(&self) -> Order {
        self.order.unwrap_or_default()
    }

    /// The place of the baseline among the targets.
    pub(super) fn baseline(
        &self,
        targets: &[NamedTarget],
        faults: &mut Vec<String>,
    ) -> Option<usize> {
        let name = self.baseline.as_ref()?;
        let place = targets.iter().position(|target| target.name == *name);
        if place.is_none() {
            let names: Vec<&str> = targets.iter().map(|target| target.name.as_str()).collect();
            let hint = nearest(name.as_str(), names.iter().copied());
            let hint = hint.map_or(String::new(), |meant| format!("; did you mean `{meant}`?"));
            faults.push(format!(
                "--baseline: no target is called `{name}`; there is {}{hint}",
                names.join(", ")
            ));
        }
        place
    }

    /// What the plan's time is too long for.
    pub(super) fn too_long(&self, plan: &Plan) -> Option<String> {
        let (limit, longest) = (self.max_time?, plan.longest());
        (limit < longest).then(|| {
            let at_most = if plan.repeats.most() > plan.repeats.least() { " at most" } else { "" };
            format!(
                "the plan takes {}{at_most}, more than --max-time {}: fewer repeats or depths, or \
                 a shorter --run-time, make it shorter",
                show_duration(longest),
                show_duration(limit)
            )
        })
    }
}

/// The words of a command line with what its plan file says where they are silent.
pub(super) fn completed(words: &Arguments) -> Result<Arguments, Failure> {
    let mut all = words.clone();
    let Some(path) = &words.review.plan else { return Ok(all) };
    let file = read_plan(path)?;
    let folder = path.parent().unwrap_or(Path::new(""));
    if all.patterns.is_empty() {
        all.patterns = file.patterns.iter().map(|pattern| beside(folder, pattern)).collect();
    }
    if all.patterns.is_empty() {
        return Err(Failure::input(format!(
            "{} names no pattern: add `patterns = [\"file-server\"]`, or name one beside --plan",
            path.display()
        )));
    }
    if all.targets.is_empty() {
        all.targets = targets(&file, folder);
        let declared = file.targets.iter().filter_map(|target| {
            let array = target.array.as_deref()?;
            Some(array.parse().map(|array| (target.name.to_string(), array)).map_err(|error| {
                format!("{}: targets.{}.array: {error}", path.display(), target.name)
            }))
        });
        let declared: Result<Vec<_>, String> = declared.collect();
        all.arrays.complete(declared.map_err(Failure::input)?);
    }
    all.run_time = all.run_time.or(file.run_time);
    all.ramp_up = all.ramp_up.or(file.ramp_up);
    all.workers = match (all.workers, &file.workers) {
        (None, Some(text)) => Some(text.parse().map_err(|error| {
            Failure::input(format!("{}: workers = {text}: {error}", path.display()))
        })?),
        (workers, _) => workers,
    };
    all.wait_for = all.wait_for.or(file.wait_for);
    all.buffered |= file.buffered;
    all.size = all.size.or(file.size);
    all.seed = all.seed.or(file.seed);
    let review = &mut all.review;
    review.repeat = review.repeat.or(file.repeat);
    review.until_rsd = review.until_rsd.or(file.until_rsd);
    review.max_repeats = review.max_repeats.or(file.max_repeats);
    review.order = review.order.or(file.order);
    review.baseline = review.baseline.take().or(file.baseline);
    review.max_time = review.max_time.or(file.max_time);
    review.title = review.title.take().or(file.title);
    let mut conditions = file.conditions;
    conditions.retain(|(name, _)| review.conditions.iter().all(|(said, _)| said != name));
    conditions.append(&mut review.conditions);
    review.conditions = conditions;
    all.axes.planned = file.axes;
    Ok(all)
}

/// The targets of a plan file as the command line has them.
fn targets(file: &PlanFile, folder: &Path) -> Vec<String> {
    let target = |target: &crate::plan::file::Target| {
        let path = match target.path.parse() {
            Ok(TargetSpec::Path(path)) => in_folder(folder, &path),
            Ok(_) | Err(_) => target.path.clone(),
        };
        format!("{}={path}", target.name)
    };
    file.targets.iter().map(target).collect()
}

/// A pattern that a plan file names: a file is meant from the plan's own folder.
fn beside(folder: &Path, pattern: &str) -> String {
    if is_file(pattern) { in_folder(folder, Path::new(pattern)) } else { pattern.to_owned() }
}

/// A path from a folder, written so that it can't be taken for anything but a path.
fn in_folder(folder: &Path, path: &Path) -> String {
    let joined = folder.join(path).to_string_lossy().into_owned();
    if joined.starts_with(['/', '.']) { joined } else { format!("./{joined}") }
}
