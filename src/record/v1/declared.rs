//! What array a target was said to be, as schema 1 writes it.

use serde::{Deserialize, Serialize};

use super::Fault;
use crate::comparison::scaling::{self, Level};

#[derive(Debug, Serialize, Deserialize)]
pub(super) struct Declared {
    level: String,
    members: u16,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    disk: Option<String>,
}

impl From<&scaling::Declared> for Declared {
    fn from(declared: &scaling::Declared) -> Self {
        Self {
            level: declared.array.level().to_string(),
            members: declared.array.members(),
            disk: declared.disk.clone(),
        }
    }
}

impl TryFrom<Declared> for scaling::Declared {
    type Error = Fault;

    fn try_from(stored: Declared) -> Result<Self, Fault> {
        let level: Level = stored.level.parse().map_err(Fault::invalid)?;
        let array = scaling::Array::new(level, stored.members).map_err(Fault::invalid)?;
        Ok(Self { array, disk: stored.disk })
    }
}
