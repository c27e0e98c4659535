//! The last line of a record, as schema 1 writes it.

use serde::{Deserialize, Serialize};

use super::Fault;
use super::environment::Difference;
use super::names::{self, FINISHES};
use crate::record;
use crate::unit::{parse_moment, show_moment};

#[derive(Debug, Serialize, Deserialize)]
pub(super) struct End {
    kind: String,
    at: String,
    how: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    reason: Option<String>,
    /// What of the environment was other than in the header; empty where nothing was, and no key
    /// where nobody looked.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    changed: Option<Vec<Difference>>,
}

impl From<&record::End> for End {
    fn from(end: &record::End) -> Self {
        Self {
            kind: "end".to_owned(),
            at: show_moment(end.at),
            how: names::word(&FINISHES, &end.how),
            reason: end.reason.clone(),
            changed: end.changed.as_ref().map(|all| all.iter().map(Difference::from).collect()),
        }
    }
}

impl TryFrom<End> for record::End {
    type Error = Fault;

    fn try_from(end: End) -> Result<Self, Fault> {
        Ok(Self {
            at: parse_moment(&end.at).map_err(Fault::invalid)?,
            how: names::value(&FINISHES, &end.how)?,
            reason: end.reason,
            changed: end.changed.map(|all| all.into_iter().map(Into::into).collect()),
        })
    }
}
