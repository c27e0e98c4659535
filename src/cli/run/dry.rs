//! `--dry-run`: every point in order with its workers, and the time it will take. Opens nothing.

use std::fmt::Write as _;
use std::process::ExitCode;

use super::super::screen::{self, Failure};
use super::arguments::Arguments;
use super::workers;
use crate::host::affinity::name;
use crate::pattern::{Axes, Setting};
use crate::plan::{Plan, Workers};
use crate::unit::show_duration;

/// A setting whose parts lie below those of the last one; `percents` is the width of a share.
fn setting(axes: &Axes, setting: Setting, percents: usize) -> String {
    let share = axes
        .share(setting)
        .map(|(op, percent)| format!("{op} {:>percents$} %", percent.to_string()));
    let size = setting.transfer_size.map(|size| format!("{size:>8}"));
    let depth = format!("depth {:>4}", setting.queue_depth);
    [share, size, Some(depth)].into_iter().flatten().collect::<Vec<_>>().join("  ")
}

pub(super) fn show(arguments: &Arguments, plan: &Plan) -> Result<ExitCode, Failure> {
    let points = plan.points();
    let width = plan.patterns.iter().map(|pattern| pattern.name.len()).max().unwrap_or(0);
    let shares = points.iter().filter_map(|p| plan.axes[p.pattern].share(p.setting));
    let percents = shares.map(|(_, percent)| percent.to_string().len()).max().unwrap_or(0);
    let targets = plan.targets.iter().map(|target| target.name.as_str().len()).max().unwrap_or(0);
    let settled = workers::foreseen(arguments, plan).map_err(Failure::input)?;
    let mut text = String::new();
    for point in &points {
        let phases = plan.phases[point.target];
        _ = writeln!(
            text,
            "{:>4}  {:<width$}  {:<targets$}  {}  {}{} ramp-up + {}",
            point.index + 1,
            plan.patterns[point.pattern].name,
            plan.targets[point.target].name,
            setting(&plan.axes[point.pattern], point.setting, percents),
            shared(
                plan.workers,
                plan.workers.at(point.setting.queue_depth, settled[point.target].workers),
            ),
            show_duration(phases.ramp_up),
            show_duration(phases.run_time),
        );
    }
    for (target, settled) in plan.targets.iter().zip(&settled) {
        if !settled.cpus.is_empty() {
            _ = writeln!(text, "workers of {} held to {}", target.name, name(&settled.cpus));
        }
    }
    let simulated = plan.targets.iter().any(|target| target.spec.is_simulated());
    let beside = if simulated { ", simulated targets not counted" } else { "" };
    _ = write!(
        text,
        "{} points, {}{beside}; files are filled first. Seed {}. Nothing was opened.",
        points.len(),
        show_duration(plan.duration()),
        plan.seed
    );
    screen::print(&text)?;
    Ok(ExitCode::SUCCESS)
}

/// By how many workers a depth is shared; nothing where that is not in question.
fn shared(asked: Workers, workers: u16) -> String {
    match (asked, workers) {
        (Workers::Fixed(1), _) => String::new(),
        (_, 1) => format!("{:<13}", "1 worker"),
        (_, workers) => format!("{:<13}", format!("{workers} workers")),
    }
}
