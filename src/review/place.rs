//! Where a point lies on the axes of its pattern's sweep, and how that is called.

use crate::pattern::{Access, Axes, Setting};
use crate::record::RunPattern;

/// Every place that a pattern was swept over, as tables show it: shares as their axis counts them,
/// then sizes, and for each of these the depths, all of them rising.
pub(super) fn all(pattern: &RunPattern) -> Vec<Setting> {
    let mut all = pattern.axes.settings();
    all.sort_by_key(|setting| key(&pattern.axes, *setting));
    all
}

fn key(axes: &Axes, setting: Setting) -> impl Ord + use<> {
    (axes.share(setting), setting.transfer_size, setting.queue_depth)
}

/// What is asked at a place.
pub(super) fn access(pattern: &RunPattern, setting: Setting) -> Access {
    pattern.pattern.access.at(setting)
}

/// A place in words: `write 30 %, depth 4`.
pub fn label(pattern: &RunPattern, setting: Setting) -> String {
    pattern.axes.show(setting)
}

/// The place but for the depth, in words; empty where nothing else is swept.
pub fn group(pattern: &RunPattern, setting: Setting) -> String {
    pattern.axes.show_rest(setting)
}
