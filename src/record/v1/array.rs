//! States of arrays in the course of a point, as schema 1 and the JSON report write them.

use serde::{Deserialize, Serialize};

use crate::host::{ArrayReading, ArrayState};
use crate::unit::Tick;

/// The state of an array at one moment of a point.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Array {
    at_ns: u64,
    name: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    fault: Option<String>,
    sync_action: Option<String>,
    degraded: Option<u32>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    sync_done_sectors: Option<u64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    sync_all_sectors: Option<u64>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    failed: Vec<String>,
}

impl From<&ArrayReading> for Array {
    fn from(reading: &ArrayReading) -> Self {
        let array = &reading.array;
        Self {
            at_ns: reading.at.nanos(),
            name: array.name.clone(),
            fault: array.fault.clone(),
            sync_action: array.action.clone(),
            degraded: array.degraded,
            sync_done_sectors: array.progress.map(|(done, _)| done),
            sync_all_sectors: array.progress.map(|(_, all)| all),
            failed: array.failed.clone(),
        }
    }
}

impl From<Array> for ArrayReading {
    fn from(stored: Array) -> Self {
        Self {
            at: Tick::from_nanos(stored.at_ns),
            array: ArrayState {
                name: stored.name,
                fault: stored.fault,
                action: stored.sync_action,
                degraded: stored.degraded,
                progress: stored.sync_done_sectors.zip(stored.sync_all_sectors),
                failed: stored.failed,
            },
        }
    }
}
