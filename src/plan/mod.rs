//! What will be run, decided before anything is opened for load: axes, points, order, phases.
//!
//! A [`Plan`] is made from patterns, named targets and settings; it lays out every [`Point`] in
//! the order in which it will be measured, and says how long that takes. Sizes that a target can't
//! do are raised here, for all targets alike. This module opens nothing and reads no clock. Tested
//! by the cases in each file.

mod fit;
mod order;
mod target;
mod workers;

use std::time::Duration;

use crate::pattern::{Access, Axes, Pattern, Setting};
use crate::unit::Seed;

pub use fit::{FitError, Raised, fit};
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

    /// How many points there are, without laying them out.
    pub fn count(&self) -> usize {
        let settings = self.axes.iter().map(Axes::count);
        let settings = settings.fold(0, usize::saturating_add);
        settings.saturating_mul(self.targets.len())
    }

    /// Every point, in the order of measuring.
    pub fn points(&self) -> Vec<Point> {
        order::lay_out(self)
    }

    /// How long the whole run takes on real targets, without layout and drain.
    pub fn duration(&self) -> Duration {
        let points = self.points();
        let real = points.iter().filter(|point| !self.targets[point.target].spec.is_simulated());
        real.map(|point| self.phases[point.target].ramp_up + self.phases[point.target].run_time)
            .sum()
    }
}
