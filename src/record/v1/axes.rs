//! What a pattern was swept over, and where a point lies on it, as schema 1 writes them.
//!
//! Keys of axes that are not swept are left out, so that a record of depths alone is as it always
//! was.

use serde::{Deserialize, Serialize};

use super::Fault;
use crate::pattern::{self, Directions};
use crate::unit::{Op, Percent, QueueDepth, TransferSize};

/// The axes of a pattern.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct Axes {
    queue_depths: Vec<u64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    read_percents: Option<Vec<f64>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    write_percents: Option<Vec<f64>>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    transfer_sizes_bytes: Vec<u64>,
}

/// The setting of a point.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct Setting {
    queue_depth: u64,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    read_percent: Option<f64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    transfer_size_bytes: Option<u64>,
}

impl From<&pattern::Axes> for Axes {
    fn from(axes: &pattern::Axes) -> Self {
        let percents = |of: Op| {
            let directions = axes.directions.as_ref().filter(|directions| directions.of == of)?;
            Some(directions.percents.iter().map(|percent| percent.value()).collect())
        };
        Self {
            queue_depths: axes.queue_depths.iter().map(|depth| u64::from(*depth)).collect(),
            read_percents: percents(Op::Read),
            write_percents: percents(Op::Write),
            transfer_sizes_bytes: axes
                .transfer_sizes
                .iter()
                .map(|size| size.get().into())
                .collect(),
        }
    }
}

impl TryFrom<Axes> for pattern::Axes {
    type Error = Fault;

    fn try_from(stored: Axes) -> Result<Self, Fault> {
        let (of, percents) = match (stored.read_percents, stored.write_percents) {
            (Some(_), Some(_)) => {
                let both = "a pattern is swept over shares of reads and of writes";
                return Err(Fault::Invalid(both.to_owned()));
            }
            (None, Some(percents)) => (Op::Write, Some(percents)),
            (percents, None) => (Op::Read, percents),
        };
        Ok(Self {
            queue_depths: all(stored.queue_depths)?,
            directions: match percents {
                Some(percents) => Some(Directions { of, percents: all(percents)? }),
                None => None,
            },
            transfer_sizes: all(stored.transfer_sizes_bytes)?,
        })
    }
}

/// Every value as what it stands for.
fn all<S, T: TryFrom<S, Error: std::fmt::Display>>(stored: Vec<S>) -> Result<Vec<T>, Fault> {
    stored.into_iter().map(|value| T::try_from(value).map_err(Fault::invalid)).collect()
}

impl From<pattern::Setting> for Setting {
    fn from(setting: pattern::Setting) -> Self {
        Self {
            queue_depth: setting.queue_depth.into(),
            read_percent: setting.read.map(Percent::value),
            transfer_size_bytes: setting.transfer_size.map(|size| size.get().into()),
        }
    }
}

impl Setting {
    /// The setting, if it is one of the axes.
    pub(super) fn read(self, axes: &pattern::Axes) -> Result<pattern::Setting, Fault> {
        let read = self.read_percent.map(Percent::try_from).transpose();
        let size = self.transfer_size_bytes.map(TransferSize::try_from).transpose();
        let setting = pattern::Setting {
            read: read.map_err(Fault::invalid)?,
            transfer_size: size.map_err(Fault::invalid)?,
            queue_depth: QueueDepth::try_from(self.queue_depth).map_err(Fault::invalid)?,
        };
        if axes.holds(setting) {
            Ok(setting)
        } else {
            Err(Fault::Invalid("its setting is none of its pattern's".to_owned()))
        }
    }
}
