//! Goes on with a run that was stopped: its record is written on where plan, patterns, targets and
//! machine are the same, and refused where any of them is not.

use std::fmt::Debug;
use std::fmt::Write as _;

use super::super::screen::Failure;
use crate::measure::Ending;
use crate::plan::{Plan, Point};
use crate::record::store::{self, Stopped};
use crate::record::{self, Header, RunPattern, RunTarget};

/// The record that is to be gone on with, and the plan with its seed.
pub(super) fn open(what: &str, plan: Plan, seed_said: bool) -> Result<(Stopped, Plan), Failure> {
    let path = store::find(what).map_err(Failure::input)?;
    let stopped = Stopped::open(&path).map_err(Failure::input)?;
    let seed = stopped.reading.run.header.seed;
    if seed_said && seed != plan.seed {
        return Err(Failure::input(format!(
            "--seed {} is not that of the record, {seed}; leave --seed out to go on with it",
            plan.seed
        )));
    }
    Ok((stopped, Plan { seed, ..plan }))
}

/// That a run as it would be now is the one that was stopped.
pub(super) fn check(then: &Header, now: &Header) -> Result<(), Failure> {
    let mut unlike = Vec::new();
    let mut compare = |what: &str, then: &dyn Debug, now: &dyn Debug| {
        let (then, now) = (format!("{then:?}"), format!("{now:?}"));
        if then != now {
            unlike.push(format!("  {what}: {then} then, {now} now"));
        }
    };
    compare("fathom", &then.version, &now.version);
    compare("patterns", &names(&then.patterns), &names(&now.patterns));
    for (then, now) in then.patterns.iter().zip(&now.patterns) {
        let name = &now.pattern.name;
        let fingerprint = |run: &RunPattern| run.pattern.fingerprint().to_string();
        compare(&format!("fingerprint of {name}"), &fingerprint(then), &fingerprint(now));
        compare(&format!("sweep of {name}"), &then.axes, &now.axes);
    }
    compare("targets", &targets(&then.targets), &targets(&now.targets));
    for (then, now) in then.targets.iter().zip(&now.targets) {
        let name = &now.name;
        let what = |target: &RunTarget| {
            (target.kind.clone(), target.geometry, target.span, target.engine.clone())
        };
        compare(&format!("what {name} is"), &what(then), &what(now));
        compare(&format!("caching of {name}"), &then.caching, &now.caching);
        compare(&format!("times of {name}"), &then.phases, &now.phases);
    }
    compare("workers", &then.workers, &now.workers);
    compare("completions of a wait", &then.wait_for, &now.wait_for);
    compare("repeats", &then.review.repeats, &now.review.repeats);
    compare("order", &then.review.order, &now.review.order);
    compare("serial numbers hidden", &then.serials_hidden, &now.serials_hidden);
    compare("kernel", &then.environment.kernel, &now.environment.kernel);
    compare("processor", &then.environment.cpu_model, &now.environment.cpu_model);
    if unlike.is_empty() {
        return Ok(());
    }
    let mut said = format!(
        "{} can't be gone on with: its points would not be comparable\n{}",
        then.id,
        unlike.join("\n")
    );
    _ = write!(said, "\nit was made by: {}", then.command.join(" "));
    Err(Failure::input(said))
}

fn names(patterns: &[RunPattern]) -> Vec<&str> {
    patterns.iter().map(|run| run.pattern.name.as_str()).collect()
}

fn targets(targets: &[RunTarget]) -> Vec<(&str, &str)> {
    targets.iter().map(|target| (target.name.as_str(), target.spec.as_str())).collect()
}

/// Whether a point of the plan needs no measuring any more.
pub(super) fn is_done(points: &[record::Point], point: &Point) -> bool {
    let same = |done: &record::Point| {
        let Point { pattern, target, repeat, setting, .. } = done.point;
        (pattern, target, repeat, setting)
            == (point.pattern, point.target, point.repeat, point.setting)
    };
    points.iter().any(|done| same(done) && done.ending == Ending::Complete)
}
