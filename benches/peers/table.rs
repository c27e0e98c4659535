//! The comparison as a table, for the terminal or for a page.
//!
//! Pure. Tested in tests/peers.rs.

use std::collections::{BTreeMap, BTreeSet};

use tabled::builder::Builder;
use tabled::settings::Style;

use crate::figures::{Figures, Metric};
use crate::load::Trial;
use crate::plan::{Held, Plan, Row};
use crate::ratio::{Interval, median};
use crate::tool::Tool;

/// What stands for a figure that there is none of.
const NOTHING: &str = "–";

/// Every run of a trial: for each pair, the figures of each tool.
pub(crate) type Rounds = Vec<BTreeMap<Tool, Figures>>;

/// How a table is drawn.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Look {
    /// In columns.
    Terminal,
    /// As GitHub draws it.
    Markdown,
}

/// The table of a plan whose trials came to `results`, trial by trial.
pub(crate) fn table(plan: &Plan, results: &[Rounds], look: Look) -> String {
    let mut builder = Builder::default();
    builder.push_record([
        "where",
        "depth",
        "figure",
        "fathom",
        "against",
        "its figure",
        "ratio (95 %)",
        "bar",
        "aim",
    ]);
    for row in &plan.rows {
        if let (Some((trial, _)), Some(rounds)) =
            (plan.trials.get(row.trial), results.get(row.trial))
        {
            builder.push_record(cells(row, trial, rounds));
        }
    }
    let mut table = builder.build();
    match look {
        Look::Markdown => table.with(Style::markdown()),
        Look::Terminal => table.with(Style::blank()),
    };
    let lines = table.to_string();
    lines.lines().map(str::trim_end).collect::<Vec<_>>().join("\n")
}

/// How the figures of a plan are got.
pub(crate) fn legend(plan: &Plan) -> Vec<String> {
    let metrics: BTreeSet<Metric> = plan.rows.iter().map(|row| row.metric).collect();
    metrics.iter().filter_map(|metric| Some(format!("{metric}: {}", metric.how()?))).collect()
}

fn cells(row: &Row, trial: &Trial, rounds: &Rounds) -> [String; 9] {
    let metric = row.metric;
    let of = |tool| values(rounds, tool, metric);
    let shown = |values: &[f64]| {
        median(values).map_or_else(|| NOTHING.to_owned(), |middle| metric.show(middle))
    };
    let ours = of(Tool::Fathom);
    let ratio = row.against.and_then(|peer| Interval::of_ratio(&pairs(rounds, peer, metric)));
    let own = Interval::of_mean(&ours);
    let judged = |held| judged(held, metric, (ratio, own));
    [
        trial.place.to_string(),
        trial.depth.to_string(),
        metric.to_string(),
        shown(&ours),
        row.against.map_or_else(|| NOTHING.to_owned(), |peer| peer.to_string()),
        row.against.map_or_else(|| NOTHING.to_owned(), |peer| shown(&of(peer))),
        ratio.map_or_else(|| NOTHING.to_owned(), |ratio| ratio.to_string()),
        judged(row.bar),
        judged(row.aim),
    ]
}

/// A bar and whether it is reached.
fn judged(
    held: Option<Held>,
    metric: Metric,
    figures: (Option<Interval>, Option<Interval>),
) -> String {
    let (ratio, own) = figures;
    let (words, verdict) = match held {
        None => return NOTHING.to_owned(),
        Some(Held::Ratio(bar)) => {
            let digits = |number: f64| format!("{} ×", (number * 1000.0).round() / 1000.0);
            (bar.words(digits), ratio.map(|ratio| bar.judge(&ratio)))
        }
        Some(Held::Own(bar)) => {
            (bar.words(|number| metric.show(number)), own.map(|own| bar.judge(&own)))
        }
    };
    verdict.map_or_else(|| format!("{words}: {NOTHING}"), |verdict| format!("{words}: {verdict}"))
}

/// A tool's figures, run by run.
fn values(rounds: &Rounds, tool: Tool, metric: Metric) -> Vec<f64> {
    rounds.iter().filter_map(|round| round.get(&tool)?.get(&metric).copied()).collect()
}

/// fathom's figure and another tool's, pair by pair.
fn pairs(rounds: &Rounds, peer: Tool, metric: Metric) -> Vec<(f64, f64)> {
    let of = |round: &BTreeMap<Tool, Figures>, tool| round.get(&tool)?.get(&metric).copied();
    rounds.iter().filter_map(|round| Some((of(round, Tool::Fathom)?, of(round, peer)?))).collect()
}
