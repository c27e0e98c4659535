//! The first line of a record, as schema 1 writes it.

use std::path::PathBuf;
use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::axes::Axes;
use super::declared::Declared;
use super::environment::{Environment, Link};
use super::instrument::Instrument;
use super::names::{self, CACHINGS};
use super::review::Review;
use super::sample::nanos;
use super::{Fault, SCHEMA};
use crate::document::Diagnostic;
use crate::pattern;
use crate::plan::{self, Phases, TargetName, Workers};
use crate::record;
use crate::unit::{self, Bytes, TransferSize, parse_moment, show_moment};

#[derive(Debug, Serialize, Deserialize)]
pub(super) struct Header {
    kind: String,
    schema: u64,
    id: String,
    version: String,
    started: String,
    command: Vec<String>,
    seed: String,
    /// What was asked; of `auto`, the most that any target has.
    workers: u16,
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    workers_auto: bool,
    wait_for: u16,
    patterns: Vec<Pattern>,
    targets: Vec<Target>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    review: Option<Review>,
    environment: Environment,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    instrument: Option<Instrument>,
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    serials_hidden: bool,
}

/// A pattern as the text of its file. Its fingerprint tells whether the text was changed since.
#[derive(Debug, Serialize, Deserialize)]
struct Pattern {
    name: String,
    fingerprint: String,
    toml: String,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    raised: Vec<Raised>,
    #[serde(flatten)]
    axes: Axes,
}

#[derive(Debug, Serialize, Deserialize)]
struct Raised {
    line: usize,
    from_bytes: u64,
    to_bytes: u64,
    because: String,
}

#[derive(Debug, Serialize, Deserialize)]
struct Target {
    name: String,
    spec: String,
    what: String,
    path: Option<String>,
    size_bytes: u64,
    block_bytes: u32,
    memory_alignment_bytes: u32,
    span_start_bytes: u64,
    span_length_bytes: u64,
    engine: String,
    caching: String,
    nowait: Option<bool>,
    /// Of a record from before it was told: what was asked of all targets.
    #[serde(skip_serializing_if = "Option::is_none")]
    workers: Option<u16>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    cpus: Vec<u32>,
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    polled: bool,
    ramp_up_ns: u64,
    run_time_ns: u64,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    array: Option<Declared>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    facts: Vec<(String, String)>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    chain: Vec<Link>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    notes: Vec<String>,
}

impl From<&record::Header> for Header {
    fn from(header: &record::Header) -> Self {
        Self {
            kind: "run".to_owned(),
            schema: SCHEMA,
            id: header.id.clone(),
            version: header.version.clone(),
            started: show_moment(header.started),
            command: header.command.clone(),
            seed: header.seed.to_string(),
            workers: header.most_workers(),
            workers_auto: header.workers == Workers::Auto,
            wait_for: header.wait_for,
            patterns: header.patterns.iter().map(Pattern::from).collect(),
            targets: header.targets.iter().map(Target::from).collect(),
            review: Some((&header.review).into()),
            environment: (&header.environment).into(),
            instrument: header.instrument.map(Instrument::from),
            serials_hidden: header.serials_hidden,
        }
    }
}

impl TryFrom<Header> for record::Header {
    type Error = Fault;

    fn try_from(header: Header) -> Result<Self, Fault> {
        let patterns = header.patterns.into_iter().map(record::RunPattern::try_from);
        let asked = header.workers;
        let targets = header.targets.into_iter().map(|target| target.read(asked));
        Ok(Self {
            id: header.id,
            version: header.version,
            started: parse_moment(&header.started).map_err(Fault::invalid)?,
            command: header.command,
            seed: header.seed.parse().map_err(Fault::invalid)?,
            workers: if header.workers_auto { Workers::Auto } else { Workers::Fixed(asked) },
            wait_for: header.wait_for,
            patterns: patterns.collect::<Result<_, _>>()?,
            targets: targets.collect::<Result<_, _>>()?,
            review: header.review.map(TryInto::try_into).transpose()?.unwrap_or_default(),
            environment: header.environment.into(),
            instrument: header.instrument.map(TryInto::try_into).transpose()?,
            serials_hidden: header.serials_hidden,
        })
    }
}

impl From<&record::RunPattern> for Pattern {
    fn from(run: &record::RunPattern) -> Self {
        let raised = run.raised.iter().map(|raised| Raised {
            line: raised.line,
            from_bytes: raised.from.get().into(),
            to_bytes: raised.to.get().into(),
            because: raised.because.clone(),
        });
        Self {
            name: run.pattern.name.clone(),
            fingerprint: run.pattern.fingerprint().to_string(),
            toml: pattern::write(&run.pattern),
            raised: raised.collect(),
            axes: (&run.axes).into(),
        }
    }
}

impl TryFrom<Pattern> for record::RunPattern {
    type Error = Fault;

    fn try_from(stored: Pattern) -> Result<Self, Fault> {
        let (name, fingerprint) = (&stored.name, &stored.fingerprint);
        let (pattern, faults) = pattern::parse(name, &stored.toml);
        let Some(pattern) = pattern else {
            let first = faults.into_iter().find(Diagnostic::is_error).map(|fault| fault.message);
            let first = first.unwrap_or_default();
            return Err(Fault::Invalid(format!("its pattern `{name}` can't be read: {first}")));
        };
        let found = pattern.fingerprint().to_string();
        if found != *fingerprint {
            return Err(Fault::Invalid(format!(
                "the text of its pattern `{name}` has the fingerprint {found}, not {fingerprint} \
                 as when it was run: it was changed since"
            )));
        }
        let raised = stored.raised.into_iter().map(plan::Raised::try_from);
        let raised = raised.collect::<Result<_, _>>()?;
        Ok(Self { pattern, raised, axes: stored.axes.try_into()? })
    }
}

impl TryFrom<Raised> for plan::Raised {
    type Error = Fault;

    fn try_from(raised: Raised) -> Result<Self, Fault> {
        Ok(Self {
            line: raised.line,
            from: TransferSize::try_from(raised.from_bytes).map_err(Fault::invalid)?,
            to: TransferSize::try_from(raised.to_bytes).map_err(Fault::invalid)?,
            because: raised.because,
        })
    }
}

impl From<&record::RunTarget> for Target {
    fn from(target: &record::RunTarget) -> Self {
        Self {
            name: target.name.to_string(),
            spec: target.spec.clone(),
            what: target.kind.clone(),
            path: target.path.as_ref().map(|path| path.to_string_lossy().into_owned()),
            size_bytes: target.geometry.size.get(),
            block_bytes: target.geometry.block,
            memory_alignment_bytes: target.geometry.memory_alignment,
            span_start_bytes: target.span.start.get(),
            span_length_bytes: target.span.length.get(),
            engine: target.engine.clone(),
            caching: names::word(&CACHINGS, &target.caching),
            nowait: target.nowait,
            workers: Some(target.workers),
            cpus: target.cpus.clone(),
            polled: target.polled,
            ramp_up_ns: nanos(target.phases.ramp_up),
            run_time_ns: nanos(target.phases.run_time),
            array: target.array.as_ref().map(Declared::from),
            facts: target.facts.clone(),
            chain: target.chain.iter().map(Link::from).collect(),
            notes: target.notes.clone(),
        }
    }
}

impl Target {
    /// The target of a run that asked for so many workers.
    fn read(self, workers: u16) -> Result<record::RunTarget, Fault> {
        let target = self;
        let (start, length) = (target.span_start_bytes, target.span_length_bytes);
        let beyond = || Fault::Invalid("a span ends beyond all that can be addressed".to_owned());
        start.checked_add(length).ok_or_else(beyond)?;
        Ok(record::RunTarget {
            name: target.name.parse::<TargetName>().map_err(Fault::invalid)?,
            spec: target.spec,
            kind: target.what,
            path: target.path.map(PathBuf::from),
            geometry: unit::Geometry {
                size: Bytes(target.size_bytes),
                block: target.block_bytes,
                memory_alignment: target.memory_alignment_bytes,
            },
            span: unit::Span { start: Bytes(start), length: Bytes(length) },
            engine: target.engine,
            caching: names::value(&CACHINGS, &target.caching)?,
            nowait: target.nowait,
            workers: target.workers.unwrap_or(workers),
            cpus: target.cpus,
            polled: target.polled,
            phases: Phases {
                ramp_up: Duration::from_nanos(target.ramp_up_ns),
                run_time: Duration::from_nanos(target.run_time_ns),
            },
            array: target.array.map(TryInto::try_into).transpose()?,
            facts: target.facts,
            chain: target.chain.into_iter().map(record::Link::from).collect(),
            notes: target.notes,
        })
    }
}
