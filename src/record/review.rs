//! How a run was planned as a review: what it is called, how often and in which order, against
//! what.

use crate::plan::{Order, Plan, Repeats, TargetName};

/// How a run was planned as a review.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Review {
    /// What heads its results.
    pub title: Option<String>,
    /// What a reader should know, in the author's words: names and values.
    pub conditions: Vec<(String, String)>,
    /// The target that the others are set against, where somebody said it.
    pub baseline: Option<TargetName>,
    /// How often each cell was to be measured.
    pub repeats: Repeats,
    /// How repeats and targets followed each other.
    pub order: Order,
}

impl Default for Review {
    /// One repeat, target by target: a run that says nothing of it.
    fn default() -> Self {
        Self {
            title: None,
            conditions: Vec::new(),
            baseline: None,
            repeats: Repeats::Fixed(1),
            order: Order::AsWritten,
        }
    }
}

impl From<&Plan> for Review {
    fn from(plan: &Plan) -> Self {
        Self {
            title: plan.title.clone(),
            conditions: plan.conditions.clone(),
            baseline: plan.baseline.map(|place| plan.targets[place].name.clone()),
            repeats: plan.repeats,
            order: plan.order,
        }
    }
}
