//! How the machines and devices of two records differ.

use super::sides::Labelled;
use crate::record::{Difference, differences, differences_of};

/// Two records, and what their machines and devices have not in common.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Environments {
    /// What the baseline's record is called here.
    pub left: String,
    /// What the other is called.
    pub right: String,
    /// What differs, the machine first.
    pub differences: Vec<Difference>,
}

/// What [`unlike`](super::alike::unlike) says already, with the option that makes it alike.
const SAID: [&str; 3] = ["engine", "caching", "used of it"];

/// Every other record against the baseline's, where anything differs.
pub(super) fn apart(records: &[Labelled<'_>], baseline: usize) -> Vec<Environments> {
    let base = &records[baseline];
    let others = records.iter().enumerate().filter(|(place, _)| *place != baseline);
    let apart = others.map(|(_, other)| Environments {
        left: base.label.clone(),
        right: other.label.clone(),
        differences: between(base, other),
    });
    apart.filter(|environments| !environments.differences.is_empty()).collect()
}

/// Targets are set against those of the same name; where each record has one, these two are meant.
fn between(one: &Labelled<'_>, other: &Labelled<'_>) -> Vec<Difference> {
    let (left, right) = (&one.run.header, &other.run.header);
    let one_each = (left.targets.len(), right.targets.len()) == (1, 1);
    let mut found =
        if one_each { differences_of(left, right, &[(0, 0)]) } else { differences(left, right) };
    let said = |what: &Difference| what.device.is_none() && SAID.contains(&what.what.as_str());
    found.retain(|difference| !said(difference));
    found
}
