//! What will be run, decided before anything is opened for load: axes, points, order, phases.
//!
//! A [`Plan`] is made from patterns, named targets and settings; it lays out every [`Point`] in
//! the order in which it will be measured, and says how long that takes. Sizes that a target can't
//! do are raised here, for all targets alike. This module opens nothing and reads no clock. Tested
//! by the cases in each file.

pub mod file;
mod fit;
mod order;
mod repeats;
mod target;
mod workers;

use std::time::Duration;

use crate::pattern::{Access, Axes, Pattern, Setting};
use crate::unit::Seed;

pub use fit::{FitError, Raised, fit};
pub use order::{Order, OrderError};
pub use repeats::{Cell, MAX_REPEATS, Measured, Repeats, stops};
pub use target::{TargetError, TargetName, TargetSpec};
pub use workers::{Workers, WorkersError};

/// The most points of a run: what a record may hold. Every shipped pattern, swept, on twenty
/// targets, five times.
pub const MAX_POINTS: usize = 20_000;

/// One target of a plan.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NamedTarget {
    /// What tables call it.
    pub name: TargetName,
    /// What it is.
    pub spec: TargetSpec,
}

/// How long the phases of a point take.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Phases {
    /// Unrecorded start.
    pub ramp_up: Duration,
    /// Recorded time.
    pub run_time: Duration,
}

/// Everything that decides a run.
#[derive(Debug, Clone)]
pub struct Plan {
    /// The patterns, in the order given.
    pub patterns: Vec<Pattern>,
    /// The targets, in the order given.
    pub targets: Vec<NamedTarget>,
    /// What each pattern is swept over, in the order of the patterns.
    pub axes: Vec<Axes>,
    /// The phases of each target's points, in the order of the targets.
    pub phases: Vec<Phases>,
    /// Workers per target.
    pub workers: Workers,
    /// Completions that a wait asks for.
    pub wait_for: u16,
    /// Where all random streams of the run start.
    pub seed: Seed,
    /// How often each cell is measured.
    pub repeats: Repeats,
    /// In which order.
    pub order: Order,
    /// The place of the target that the others are set against, where somebody said it.
    pub baseline: Option<usize>,
    /// What heads the results.
    pub title: Option<String>,
    /// What a reader should know, in the author's words: names and values.
    pub conditions: Vec<(String, String)>,
}

/// One setting of the axes: what is measured in one go.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Point {
    /// Its place in the order of the run, from 0.
    pub index: usize,
    /// Which of the plan's patterns.
    pub pattern: usize,
    /// Which of the plan's targets.
    pub target: usize,
    /// Which repeat, from 1.
    pub repeat: u32,
    /// Its place on the axes.
    pub setting: Setting,
    /// Where this point's random streams start.
    pub seed: Seed,
}

impl Plan {
    /// What is asked of the target at a point.
    pub fn access(&self, point: &Point) -> Access {
        self.patterns[point.pattern].access.at(point.setting)
    }

    /// Whether any request of a pattern writes, as it is swept here.
    pub fn writes(&self, pattern: usize) -> bool {
        self.axes[pattern].writes(&self.patterns[pattern].access)
    }

    /// How many points there can be at most, without laying them out.
    pub fn count(&self) -> usize {
        let settings = self.axes.iter().map(Axes::count);
        let settings = settings.fold(0, usize::saturating_add);
        let repeats = usize::try_from(self.repeats.most()).unwrap_or(usize::MAX);
        settings.saturating_mul(self.targets.len()).saturating_mul(repeats)
    }

    /// Every point that is measured in any case, in the order of measuring.
    pub fn points(&self) -> Vec<Point> {
        order::lay_out(self)
    }

    /// The points that the rule for repeats asks for after these; none where it asks for no more.
    /// `given_up` are targets that are measured no more.
    pub fn more(&self, measured: &[Measured], given_up: &[usize]) -> Vec<Point> {
        repeats::more(self, measured, given_up)
    }

    /// How long a point takes, without drain; simulated ones take no time.
    pub fn length(&self, point: &Point) -> Duration {
        if self.targets[point.target].spec.is_simulated() {
            return Duration::ZERO;
        }
        let phases = self.phases[point.target];
        phases.ramp_up + phases.run_time
    }

    /// How long all that is measured in any case takes, without layout and drain.
    pub fn duration(&self) -> Duration {
        self.points().iter().map(|point| self.length(point)).sum()
    }

    /// How long the run takes at most, with all repeats that its rule may ask for.
    pub fn longest(&self) -> Duration {
        let (least, most) = (self.repeats.least().max(1), self.repeats.most());
        // Every repeat takes as long.
        (self.duration() / least).saturating_mul(most)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A plan of simulated targets and of patterns that are swept over two depths; the first of
    /// them writes.
    pub(super) fn plan(targets: usize, patterns: usize) -> Plan {
        let pattern = |place: usize| {
            let text = format!(
                "title = \"T\"\nread = {}\nrandom = 100\naccess = [{{ size = \"4k\" }}]\n\
                 sweep = {{ queue_depth = [1, 8] }}",
                if place == 0 { 50 } else { 100 }
            );
            crate::pattern::parse("t", &text).0.unwrap()
        };
        let patterns: Vec<Pattern> = (0..patterns).map(pattern).collect();
        let target = |place: usize| format!("t{place}=/dev/t{place}").parse().unwrap();
        let phases = Phases { ramp_up: Duration::from_secs(5), run_time: Duration::from_secs(30) };
        Plan {
            axes: patterns.iter().map(|pattern| pattern.axes.clone()).collect(),
            patterns,
            targets: (0..targets).map(target).collect(),
            phases: vec![phases; targets],
            workers: Workers::Fixed(1),
            wait_for: 1,
            seed: Seed(1),
            repeats: Repeats::Fixed(1),
            order: Order::default(),
            baseline: None,
            title: None,
            conditions: Vec::new(),
        }
    }

    #[test]
    fn a_rule_bounds_the_time() {
        let mut plan = plan(2, 1);
        assert_eq!(plan.duration(), Duration::from_secs(35 * 4));
        let rule = crate::stats::Rerun::new(crate::unit::Percent::HUNDRED, 3, 6).unwrap();
        plan.repeats = Repeats::Rule(rule);
        assert_eq!(plan.duration(), Duration::from_secs(35 * 12));
        assert_eq!(plan.longest(), Duration::from_secs(35 * 24));
        assert_eq!(plan.count(), 24);
    }
}
