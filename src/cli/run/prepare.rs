//! Before the first point: targets opened and filled, patterns fitted, the instrument measured, and
//! the header that says so.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::SystemTime;

use super::super::screen::{self, Failure};
use super::arguments::Arguments;
use super::facts;
use super::targets::{self, Prepared, Ready};
use crate::dispatch::{self, WorkerError};
use crate::host::Environment;
use crate::measure::Instrument;
use crate::payload::deflated_percent;
use crate::plan::{self, Plan};
use crate::record::serials::Serials;
use crate::record::{Header, Review, RunPattern};
use crate::report;
use crate::unit::{Geometry, Span};

/// Targets opened, patterns fitted, and the header that says so.
pub(super) async fn ready(
    arguments: &Arguments,
    plan: &Plan,
    flag: &Arc<AtomicBool>,
    started: SystemTime,
) -> Result<(Vec<Ready>, Header, Option<Serials>), Failure> {
    let opened = targets::open(arguments, plan)?;
    let patterns = fitted(arguments, plan, &opened)?;
    let mut ready: Vec<Ready> = Vec::new();
    for (named, opened) in plan.targets.iter().zip(opened) {
        ready.push(opened.fill(&named.name, plan.seed, flag).await?.ready());
    }
    for (name, percent) in written(plan) {
        screen::note(&format!("{name} writes data of which 128 KiB deflate to {percent:.1} %"));
        for ready in &mut ready {
            let fact = format!("128 KiB deflate to {percent:.1} %");
            ready.found.facts.push((format!("data of {name}"), fact));
        }
    }
    let header = Header {
        // The record knows its own name.
        id: String::new(),
        version: env!("CARGO_PKG_VERSION").to_owned(),
        started,
        command: std::env::args().collect(),
        seed: plan.seed,
        workers: plan.workers,
        wait_for: plan.wait_for,
        patterns,
        targets: ready.iter().map(|ready| arguments.arrays.declared(&ready.found)).collect(),
        review: Review::from(plan),
        environment: Environment::now(),
        instrument: instrument(plan),
        serials_hidden: false,
    };
    if !arguments.no_serials {
        return Ok((ready, header, None));
    }
    let (header, serials) = facts::without_serials(header)?;
    Ok((ready, header, Some(serials)))
}

/// What the tool itself costs, measured when all is ready and nothing is in flight: the header that
/// keeps it is never written anew, and the first point is judged by it already. On virtual time it
/// would say nothing.
fn instrument(plan: &Plan) -> Option<Instrument> {
    if plan.targets.iter().all(|target| target.spec.is_simulated()) {
        return None;
    }
    let unmeasured = |error: &WorkerError| {
        screen::note(&format!("warning: no point is checked against the tool's own cost: {error}"));
    };
    dispatch::calibrate::brief().inspect_err(unmeasured).ok()
}

/// The patterns that write, and how far their data can be compressed, in percent.
fn written(plan: &Plan) -> impl Iterator<Item = (&str, f64)> {
    let writing = plan.patterns.iter().enumerate().filter(|(index, _)| plan.writes(*index));
    writing.map(|(_, p)| (p.name.as_str(), deflated_percent(p.access.data, plan.seed)))
}

/// The patterns as all targets can do them.
fn fitted(
    arguments: &Arguments,
    plan: &Plan,
    opened: &[Prepared],
) -> Result<Vec<RunPattern>, Failure> {
    let places: Vec<(String, Geometry, Span)> = plan
        .targets
        .iter()
        .zip(opened)
        .map(|(named, opened)| (named.name.to_string(), opened.geometry(), opened.span()))
        .collect();
    let (mut patterns, mut faults) = (Vec::new(), Vec::new());
    for (index, pattern) in plan.patterns.iter().enumerate() {
        let (mut pattern, mut axes) = (pattern.clone(), plan.axes[index].clone());
        let raised = match plan::fit(&mut pattern.access, &mut axes, &places) {
            Ok(raised) => raised,
            Err(errors) => {
                faults.extend(errors.iter().map(|error| format!("{}: {error}", pattern.name)));
                continue;
            }
        };
        let run = RunPattern { pattern, raised, axes };
        let said = report::raised(&run).into_iter();
        let said = said.map(|fact| format!("{}: {fact}", run.pattern.name));
        let said = said.collect::<Vec<_>>().join("\n");
        if arguments.strict_sizes && !said.is_empty() {
            faults.push(format!("{said}\n(--strict-sizes refuses)"));
        } else if !said.is_empty() {
            screen::note(&said);
        }
        patterns.push(run);
    }
    if faults.is_empty() { Ok(patterns) } else { Err(Failure::input(faults.join("\n"))) }
}
