//! `--dry-run`: every point in order, and the time it will take. Opens nothing.

use std::fmt::Write as _;
use std::process::ExitCode;

use super::super::screen::{self, Failure};
use crate::plan::Plan;
use crate::unit::show_duration;

pub(super) fn show(plan: &Plan) -> Result<ExitCode, Failure> {
    let points = plan.points();
    let width = plan.patterns.iter().map(|pattern| pattern.name.len()).max().unwrap_or(0);
    let targets = plan.targets.iter().map(|target| target.name.as_str().len()).max().unwrap_or(0);
    let mut text = String::new();
    for point in &points {
        let phases = plan.phases[point.target];
        _ = writeln!(
            text,
            "{:>4}  {:<width$}  {:<targets$}  depth {:>4}  {} ramp-up + {}",
            point.index + 1,
            plan.patterns[point.pattern].name,
            plan.targets[point.target].name,
            point.queue_depth,
            show_duration(phases.ramp_up),
            show_duration(phases.run_time),
        );
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
