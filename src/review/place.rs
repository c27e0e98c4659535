//! Where a point lies on the axes of its pattern's sweep, and how that is called.

use std::borrow::Cow;

use crate::pattern::Access;
use crate::plan;
use crate::record::RunPattern;
use crate::unit::QueueDepth;

/// A place on the axes.
pub type Setting = QueueDepth;

/// Where a point lies.
pub(super) fn of(point: &plan::Point) -> Setting {
    point.queue_depth
}

/// Every place that a pattern was swept over, in order.
pub(super) fn all(pattern: &RunPattern) -> Vec<Setting> {
    pattern.queue_depths.clone()
}

/// What is asked at a place.
pub(super) fn access(pattern: &RunPattern, _: Setting) -> Cow<'_, Access> {
    Cow::Borrowed(&pattern.pattern.access)
}

/// The requests in flight there.
pub(super) fn depth(setting: Setting) -> QueueDepth {
    setting
}

/// A place in words: `depth 4`.
pub fn label(_: &RunPattern, setting: Setting) -> String {
    format!("depth {setting}")
}

/// The place but for the depth, in words; empty where nothing else is swept.
pub fn group(_: &RunPattern, _: Setting) -> String {
    String::new()
}
