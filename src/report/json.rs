//! A run as one JSON document, for programs.
//!
//! Its keys are frozen: programs of others read them. What is not known is `null`.

mod point;
mod review;

use serde::Serialize;

use super::figures::{Rated, Sweep};
use crate::pattern::Directions;
use crate::plan::Workers;
use crate::record::v1::{Difference, Environment, Instrument, Link};
use crate::record::{End, Run, RunPattern, RunTarget};
use crate::unit::{Percent, TransferSize, show_moment};
use point::{PointPart, points};
use review::{MeanPart, RatedPart, ReviewPart};

/// The version of the document's keys.
const SCHEMA: u32 = 1;

/// The document of a run.
pub(super) fn show(run: &Run, sweeps: &[Sweep<'_>]) -> String {
    let document = Document {
        schema: SCHEMA,
        tool: Tool { name: "fathom", version: &run.header.version },
        environment: (&run.header.environment).into(),
        instrument: run.header.instrument.map(Into::into),
        run: RunPart::of(run),
        review: ReviewPart::of(run),
        points: points(run),
        ratings: sweeps.iter().flat_map(ratings).collect(),
        means: sweeps.iter().flat_map(review::of_sweep).collect(),
        mean_ratings: sweeps.iter().flat_map(review::rated).collect(),
    };
    // Numbers, strings and maps with string keys always have a form in JSON.
    serde_json::to_string_pretty(&document).unwrap_or_default()
}

#[derive(Serialize)]
struct Document<'a> {
    schema: u32,
    tool: Tool<'a>,
    environment: Environment,
    instrument: Option<Instrument>,
    run: RunPart<'a>,
    review: ReviewPart<'a>,
    points: Vec<PointPart<'a>>,
    ratings: Vec<RatingPart<'a>>,
    means: Vec<MeanPart<'a>>,
    mean_ratings: Vec<RatedPart<'a>>,
}

#[derive(Serialize)]
struct Tool<'a> {
    name: &'static str,
    version: &'a str,
}

#[derive(Serialize)]
struct RunPart<'a> {
    id: &'a str,
    started: String,
    seed: String,
    command: &'a [String],
    targets: Vec<TargetPart<'a>>,
    patterns: Vec<PatternPart<'a>>,
    workers: u16,
    workers_auto: bool,
    wait_for: u16,
    serials_hidden: bool,
    end: Option<EndPart<'a>>,
}

impl<'a> RunPart<'a> {
    fn of(run: &'a Run) -> Self {
        let header = &run.header;
        Self {
            id: &header.id,
            started: show_moment(header.started),
            seed: header.seed.to_string(),
            command: &header.command,
            targets: header.targets.iter().map(TargetPart::of).collect(),
            patterns: header.patterns.iter().map(PatternPart::of).collect(),
            workers: header.most_workers(),
            workers_auto: header.workers == Workers::Auto,
            wait_for: header.wait_for,
            serials_hidden: header.serials_hidden,
            end: run.end.as_ref().map(EndPart::of),
        }
    }
}

#[derive(Serialize)]
struct EndPart<'a> {
    at: String,
    how: &'static str,
    reason: Option<&'a str>,
    changed: Option<Vec<Difference>>,
}

impl<'a> EndPart<'a> {
    fn of(end: &'a End) -> Self {
        let changed = end.changed.as_ref();
        Self {
            at: show_moment(end.at),
            how: end.how.id(),
            reason: end.reason.as_deref(),
            changed: changed.map(|all| all.iter().map(Difference::from).collect()),
        }
    }
}

#[derive(Serialize)]
struct TargetPart<'a> {
    name: &'a str,
    spec: &'a str,
    kind: &'a str,
    path: Option<String>,
    size_bytes: u64,
    block_bytes: u32,
    span_start_bytes: u64,
    span_length_bytes: u64,
    engine: &'a str,
    caching: &'static str,
    nowait: Option<bool>,
    workers: u16,
    cpus: &'a [u32],
    polled: bool,
    ramp_up_s: f64,
    run_time_s: f64,
    facts: &'a [(String, String)],
    chain: Vec<Link>,
    notes: &'a [String],
}

impl<'a> TargetPart<'a> {
    fn of(target: &'a RunTarget) -> Self {
        Self {
            name: target.name.as_str(),
            spec: &target.spec,
            kind: &target.kind,
            path: target.path.as_ref().map(|path| path.to_string_lossy().into_owned()),
            size_bytes: target.geometry.size.get(),
            block_bytes: target.geometry.block,
            span_start_bytes: target.span.start.get(),
            span_length_bytes: target.span.length.get(),
            engine: &target.engine,
            caching: target.caching.id(),
            nowait: target.nowait,
            workers: target.workers,
            cpus: &target.cpus,
            polled: target.polled,
            ramp_up_s: target.phases.ramp_up.as_secs_f64(),
            run_time_s: target.phases.run_time.as_secs_f64(),
            facts: &target.facts,
            chain: target.chain.iter().map(Link::from).collect(),
            notes: &target.notes,
        }
    }
}

#[derive(Serialize)]
struct PatternPart<'a> {
    name: &'a str,
    title: &'a str,
    fingerprint: String,
    queue_depths: Vec<u16>,
    /// Empty where the pattern's lines say it. So are the sizes.
    read_percents: Vec<f64>,
    transfer_sizes_bytes: Vec<u32>,
    raised: Vec<RaisedPart<'a>>,
}

#[derive(Serialize)]
struct RaisedPart<'a> {
    from_bytes: u32,
    to_bytes: u32,
    because: &'a str,
}

impl<'a> PatternPart<'a> {
    fn of(run: &'a RunPattern) -> Self {
        let raised = run.raised.iter().map(|raised| RaisedPart {
            from_bytes: raised.from.get(),
            to_bytes: raised.to.get(),
            because: &raised.because,
        });
        let axes = &run.axes;
        let reads = axes.directions.iter().flat_map(Directions::reads);
        Self {
            name: &run.pattern.name,
            title: &run.pattern.title,
            fingerprint: run.pattern.fingerprint().to_string(),
            queue_depths: axes.queue_depths.iter().map(|depth| depth.get()).collect(),
            read_percents: reads.map(Percent::value).collect(),
            transfer_sizes_bytes: axes.transfer_sizes.iter().map(|size| size.get()).collect(),
            raised: raised.collect(),
        }
    }
}

#[derive(Serialize)]
struct RatingPart<'a> {
    pattern: &'a str,
    target: &'a str,
    repeat: u32,
    read_percent: Option<f64>,
    transfer_size_bytes: Option<u32>,
    scheme: String,
    depths: Option<Vec<u16>>,
    weights: Option<Vec<f64>>,
    value: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    undefined: Option<String>,
}

fn ratings<'a>(sweep: &'a Sweep<'_>) -> impl Iterator<Item = RatingPart<'a>> {
    sweep.ratings.iter().map(|rated| rating(sweep, rated))
}

fn rating<'a>(sweep: &'a Sweep<'_>, rated: &Rated<'_>) -> RatingPart<'a> {
    let rating = rated.rating.as_ref();
    let defined = rating.ok();
    RatingPart {
        pattern: &sweep.pattern.pattern.name,
        target: sweep.target.name.as_str(),
        repeat: rated.repeat,
        read_percent: rated.setting.read.map(Percent::value),
        transfer_size_bytes: rated.setting.transfer_size.map(TransferSize::get),
        scheme: rated.scheme.to_string(),
        depths: defined.map(|rating| rating.depths.iter().map(|depth| depth.get()).collect()),
        weights: defined.map(|rating| rating.weights.clone()),
        value: defined.map(|rating| rating.value),
        undefined: rating.err().map(ToString::to_string),
    }
}
