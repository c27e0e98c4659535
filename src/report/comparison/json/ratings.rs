//! The ratings and the arrays of a comparison's document.

use serde::Serialize;

use super::RatioPart;
use crate::review::{Ranking, Rated, Scaled, Step};
use crate::stats::Estimate;

/// All targets by each scheme.
#[derive(Serialize)]
pub(super) struct RankingPart<'a> {
    /// The setting of the axes other than the depth; empty where nothing else is swept.
    at: &'a str,
    schemes: Vec<SchemePart<'a>>,
    /// Where two targets change places with the scheme, in words.
    changes: Vec<String>,
}

impl<'a> RankingPart<'a> {
    pub(super) fn of(ranking: &'a Ranking) -> Self {
        Self {
            at: &ranking.group,
            schemes: ranking.rated.iter().map(SchemePart::of).collect(),
            changes: ranking.flips.iter().map(ToString::to_string).collect(),
        }
    }
}

#[derive(Serialize)]
struct SchemePart<'a> {
    scheme: &'a str,
    formula: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    undefined: Option<String>,
    ratings: Vec<EstimatePart>,
    ratios: Vec<RatioPart>,
}

impl<'a> SchemePart<'a> {
    fn of(rated: &'a Rated) -> Self {
        Self {
            scheme: &rated.scheme,
            formula: rated.formula.as_ref().ok().map(String::as_str),
            undefined: rated.formula.as_ref().err().map(ToString::to_string),
            ratings: rated.estimates.iter().map(|e| EstimatePart::of(e.as_ref())).collect(),
            ratios: rated.ratios.iter().map(|ratio| RatioPart::of(ratio.as_ref())).collect(),
        }
    }
}

#[derive(Serialize)]
struct EstimatePart {
    mean: Option<f64>,
    error: Option<f64>,
    repeats: usize,
}

impl EstimatePart {
    fn of(estimate: Option<&Estimate>) -> Self {
        Self {
            mean: estimate.map(|estimate| estimate.value),
            error: estimate.and_then(|estimate| estimate.error),
            repeats: estimate.map_or(0, |estimate| estimate.n),
        }
    }
}

/// An array against what its disks could give.
#[derive(Serialize)]
pub(super) struct ArrayPart<'a> {
    name: &'a str,
    level: String,
    members: u16,
    disk: &'a str,
    at: &'a str,
    depths: Vec<StepPart>,
    findings: Vec<String>,
}

impl<'a> ArrayPart<'a> {
    pub(super) fn of(scaled: &'a Scaled) -> Self {
        Self {
            name: &scaled.name,
            level: scaled.array.level().to_string(),
            members: scaled.array.members(),
            disk: &scaled.disk,
            at: &scaled.group,
            depths: scaled.steps.iter().map(StepPart::of).collect(),
            findings: scaled.findings.iter().map(ToString::to_string).collect(),
        }
    }
}

#[derive(Serialize)]
struct StepPart {
    queue_depth: u16,
    disk_iops: Option<f64>,
    iops: f64,
    #[serde(flatten)]
    ratio: RatioPart,
    possible_iops: Option<f64>,
    efficiency: Option<f64>,
}

impl StepPart {
    fn of(step: &Step) -> Self {
        Self {
            queue_depth: step.efficiency.depth.get(),
            disk_iops: step.disk,
            iops: step.iops,
            ratio: RatioPart::of(step.against.ratio.as_ref()),
            possible_iops: step.efficiency.possible,
            efficiency: step.efficiency.share,
        }
    }
}
