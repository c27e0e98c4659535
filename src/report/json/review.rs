//! How a run was planned as a review, and each setting over its repeats.

use serde::Serialize;

use super::super::figures::Sweep;
use super::super::means::{Mean, means};
use crate::plan::{Repeats, TargetName};
use crate::rating::over_repeats;
use crate::record::Run;
use crate::stats::Step;
use crate::unit::{Percent, TransferSize, show_moment};

#[derive(Serialize)]
pub(super) struct ReviewPart<'a> {
    title: Option<&'a str>,
    conditions: &'a [(String, String)],
    baseline: Option<&'a str>,
    repeats: u32,
    /// The rule by which there may be more; `null` where there is none.
    until_rsd_percent: Option<f64>,
    max_repeats: u32,
    order: &'static str,
    /// When the run was gone on with, after it had been stopped.
    resumed: Vec<String>,
}

impl<'a> ReviewPart<'a> {
    pub(super) fn of(run: &'a Run) -> Self {
        let review = &run.header.review;
        let rule = match review.repeats {
            Repeats::Fixed(_) => None,
            Repeats::Rule(rule) => Some(rule.at_most().value()),
        };
        Self {
            title: review.title.as_deref(),
            conditions: &review.conditions,
            baseline: review.baseline.as_ref().map(TargetName::as_str),
            repeats: review.repeats.least(),
            until_rsd_percent: rule,
            max_repeats: review.repeats.most(),
            order: review.order.id(),
            resumed: run.resumed.iter().map(|at| show_moment(*at)).collect(),
        }
    }
}

/// One setting over all repeats: what is void or cut short is in none of the figures.
#[derive(Serialize)]
pub(super) struct MeanPart<'a> {
    pattern: &'a str,
    target: &'a str,
    queue_depth: u16,
    read_percent: Option<f64>,
    transfer_size_bytes: Option<u32>,
    repeats: usize,
    n: usize,
    iops_mean: Option<f64>,
    iops_stddev: Option<f64>,
    iops_relative_deviation: Option<f64>,
    /// What the rule said of the setting: `steady`, `exhausted`, or `again` where the run was
    /// stopped first; `null` without a rule.
    rule: Option<&'static str>,
}

pub(super) fn of_sweep<'a>(sweep: &Sweep<'a>) -> Vec<MeanPart<'a>> {
    means(sweep).iter().map(|mean| part(sweep, mean)).collect()
}

fn part<'a>(sweep: &Sweep<'a>, mean: &Mean) -> MeanPart<'a> {
    let stop = sweep.stops.iter().find(|(setting, ..)| *setting == mean.setting);
    MeanPart {
        pattern: &sweep.pattern.pattern.name,
        target: sweep.target.name.as_str(),
        queue_depth: mean.setting.queue_depth.get(),
        read_percent: mean.setting.read.map(Percent::value),
        transfer_size_bytes: mean.setting.transfer_size.map(TransferSize::get),
        repeats: mean.repeats,
        n: mean.believed,
        iops_mean: mean.iops.map(|iops| iops.0),
        iops_stddev: mean.deviation.map(|deviation| deviation.0),
        iops_relative_deviation: mean.relative,
        rule: stop.map(|(.., step)| match step {
            Step::Again => "again",
            Step::Steady => "steady",
            Step::Exhausted => "exhausted",
        }),
    }
}

/// One rating over all repeats.
#[derive(Serialize)]
pub(super) struct RatedPart<'a> {
    pattern: &'a str,
    target: &'a str,
    read_percent: Option<f64>,
    transfer_size_bytes: Option<u32>,
    n: usize,
    mean: Option<f64>,
    /// Half of the 95 % interval by Student's t; `null` of one repeat.
    error: Option<f64>,
}

pub(super) fn rated<'a>(sweep: &Sweep<'a>) -> Vec<RatedPart<'a>> {
    let groups = super::super::words::rated_alike(sweep).into_iter();
    let part = |group: Vec<&super::Rated<'_>>| {
        let ratings: Vec<_> = group.iter().map(|rated| rated.rating.clone()).collect();
        let estimate = over_repeats(&ratings);
        let setting = group.first().map(|rated| rated.setting);
        RatedPart {
            pattern: &sweep.pattern.pattern.name,
            target: sweep.target.name.as_str(),
            read_percent: setting.and_then(|setting| setting.read).map(Percent::value),
            transfer_size_bytes: setting.and_then(|s| s.transfer_size).map(TransferSize::get),
            n: estimate.map_or(0, |estimate| estimate.n),
            mean: estimate.map(|estimate| estimate.value),
            error: estimate.and_then(|estimate| estimate.error),
        }
    };
    groups.map(part).collect()
}
