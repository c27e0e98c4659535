//! The axes of a sweep as tables head and label them.

use crate::pattern::{Axes, Setting};
use crate::unit::{Op, QueueDepth};

/// An axis of a sweep.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Axis {
    /// How many of the requests read, or write.
    Share(Op),
    /// Bytes of a request.
    Size,
    /// Requests in flight.
    Depth,
}

impl Axis {
    /// The axes that have more than one value, the outermost first. `depths` are those of a
    /// table, which may be fewer than were swept.
    pub(super) fn varied(axes: &Axes, depths: &[QueueDepth]) -> Vec<Self> {
        let of = axes.directions.as_ref().filter(|directions| directions.percents.len() > 1);
        let share = of.map(|directions| Self::Share(directions.of));
        let size = (axes.transfer_sizes.len() > 1).then_some(Self::Size);
        let depth = (depths.len() > 1).then_some(Self::Depth);
        [share, size, depth].into_iter().flatten().collect()
    }

    /// What stands over its values.
    pub(super) fn head(self) -> String {
        match self {
            Self::Share(op) => format!("{op} %"),
            Self::Size => "size".to_owned(),
            Self::Depth => "depth".to_owned(),
        }
    }

    /// Its value at a setting of these axes.
    pub(super) fn value(self, axes: &Axes, setting: Setting) -> String {
        match self {
            Self::Share(_) => axes.share(setting).map(|(_, percent)| percent.to_string()),
            Self::Size => setting.transfer_size.map(|size| size.to_string()),
            Self::Depth => Some(setting.queue_depth.to_string()),
        }
        .unwrap_or_default()
    }

    /// Values of the axis in a sentence: `queue depth 1, 4`, `write 0, 10 %`, `4 KiB, 8 KiB`.
    pub(super) fn said(self, values: &str) -> String {
        match self {
            Self::Share(op) => format!("{op} {values} %"),
            Self::Size => values.to_owned(),
            Self::Depth => format!("queue depth {values}"),
        }
    }
}

/// What all points of a table have in common, where an axis has a single value there that no
/// column shows.
pub(super) fn in_common(axes: &Axes, columns: &[Axis], depths: &[QueueDepth]) -> Option<String> {
    let setting = axes.settings().first().copied()?;
    let share = axes.share(setting).map(|(op, percent)| (Axis::Share(op), percent.to_string()));
    let size = setting.transfer_size.map(|size| (Axis::Size, size.to_string()));
    let depth = depths.first().map(|depth| (Axis::Depth, depth.to_string()));
    let hidden = |(axis, _): &(Axis, String)| !columns.contains(axis);
    let said: Vec<String> = [share, size, depth]
        .into_iter()
        .flatten()
        .filter(hidden)
        .map(|(axis, value)| axis.said(&value))
        .collect();
    (!said.is_empty()).then(|| said.join(", "))
}
