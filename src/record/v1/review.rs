//! How a run was planned as a review, as schema 1 writes it. Records from before there were
//! repeats have none of it: one repeat, target by target.

use serde::{Deserialize, Serialize};

use super::Fault;
use crate::plan::{Order, Repeats};
use crate::record;
use crate::stats::Rerun;
use crate::unit::Percent;

#[derive(Debug, Serialize, Deserialize)]
pub(super) struct Review {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    title: Option<String>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    conditions: Vec<(String, String)>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    baseline: Option<String>,
    repeats: u32,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    rule: Option<Rule>,
    order: String,
}

/// Repeats until the values lie closely together; the least are the `repeats`.
#[derive(Debug, Serialize, Deserialize)]
struct Rule {
    until_rsd_percent: f64,
    max_repeats: u32,
}

impl From<&record::Review> for Review {
    fn from(review: &record::Review) -> Self {
        Self {
            title: review.title.clone(),
            conditions: review.conditions.clone(),
            baseline: review.baseline.as_ref().map(ToString::to_string),
            repeats: review.repeats.least(),
            rule: match review.repeats {
                Repeats::Fixed(_) => None,
                Repeats::Rule(rule) => Some(Rule {
                    until_rsd_percent: rule.at_most().value(),
                    max_repeats: rule.most(),
                }),
            },
            order: review.order.id().to_owned(),
        }
    }
}

impl TryFrom<Review> for record::Review {
    type Error = Fault;

    fn try_from(stored: Review) -> Result<Self, Fault> {
        let repeats = match stored.rule {
            None if stored.repeats == 0 => {
                return Err(Fault::Invalid("a run of no repeats".to_owned()));
            }
            None => Repeats::Fixed(stored.repeats),
            Some(rule) => {
                let limit = Percent::try_from(rule.until_rsd_percent).map_err(Fault::invalid)?;
                let rule = Rerun::new(limit, stored.repeats, rule.max_repeats);
                Repeats::Rule(rule.map_err(Fault::invalid)?)
            }
        };
        Ok(Self {
            title: stored.title,
            conditions: stored.conditions,
            baseline: match stored.baseline {
                Some(name) => Some(name.parse().map_err(Fault::invalid)?),
                None => None,
            },
            repeats,
            order: stored.order.parse::<Order>().map_err(Fault::invalid)?,
        })
    }
}
