//! The line that says that a stopped run went on, as schema 1 writes it.

use std::time::SystemTime;

use serde::{Deserialize, Serialize};

use super::Fault;
use crate::unit::{parse_moment, show_moment};

#[derive(Debug, Serialize, Deserialize)]
pub(super) struct Resumed {
    kind: String,
    at: String,
}

impl From<SystemTime> for Resumed {
    fn from(at: SystemTime) -> Self {
        Self { kind: "resumed".to_owned(), at: show_moment(at) }
    }
}

impl TryFrom<Resumed> for SystemTime {
    type Error = Fault;

    fn try_from(resumed: Resumed) -> Result<Self, Fault> {
        parse_moment(&resumed.at).map_err(Fault::invalid)
    }
}
