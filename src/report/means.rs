//! The points of a sweep over its repeats: one figure a setting, with how far it scatters.
//!
//! Only points that are believed are in a mean: not void, and not cut short. Latencies are those of
//! all requests of these points together: a mean of percentiles would be no percentile.

use super::figures::{Figures, Spread, Sweep};
use crate::measure::{Latencies, Mark};
use crate::pattern::Setting;
use crate::record::Point;
use crate::stats;
use crate::unit::{Iops, Throughput};

/// One setting over all repeats.
#[derive(Debug)]
pub(super) struct Mean {
    pub(super) setting: Setting,
    /// The repeats that were measured, and those of them that are in the figures.
    pub(super) repeats: usize,
    pub(super) believed: usize,
    /// The arithmetic mean; `None` where no repeat is believed.
    pub(super) iops: Option<Iops>,
    /// The sample standard deviation, from two repeats on.
    pub(super) deviation: Option<Iops>,
    /// The same as a share of the mean.
    pub(super) relative: Option<f64>,
    pub(super) throughput: Throughput,
    pub(super) latency: Spread,
    /// Of all repeats, those that are not in the figures too.
    pub(super) marks: Vec<Mark>,
}

/// Every setting of a sweep, in the order of its points.
pub(super) fn means(sweep: &Sweep<'_>) -> Vec<Mean> {
    let mut settings: Vec<Setting> = Vec::new();
    for setting in sweep.points.iter().map(Figures::setting) {
        if !settings.contains(&setting) {
            settings.push(setting);
        }
    }
    settings.into_iter().map(|setting| mean(sweep, setting)).collect()
}

fn mean(sweep: &Sweep<'_>, setting: Setting) -> Mean {
    let all = sweep.points.iter().map(|figures| figures.point);
    let here: Vec<&Point> = all.filter(|point| point.point.setting == setting).collect();
    let believed: Vec<&Point> =
        here.iter().copied().filter(|point| point.believed().is_some()).collect();
    let values: Vec<f64> =
        believed.iter().filter_map(|point| point.believed()).map(|iops| iops.0).collect();
    let rates: Vec<f64> =
        believed.iter().map(|point| point.measurement.throughput(point.run_time).0).collect();
    let mut latencies = Latencies::new();
    for point in &believed {
        latencies.merge(&point.measurement.latencies());
    }
    Mean {
        setting,
        repeats: here.len(),
        believed: believed.len(),
        iops: stats::mean(&values).map(Iops),
        deviation: stats::standard_deviation(&values).map(Iops),
        relative: stats::relative_deviation(&values),
        throughput: Throughput(stats::mean(&rates).unwrap_or(0.0)),
        latency: Spread::of(&latencies),
        marks: here.iter().flat_map(|point| point.marks.iter().cloned()).collect(),
    }
}

impl Mean {
    /// `3`, or `2 of 3` where a repeat is not in the figures.
    pub(super) fn count(&self) -> String {
        if self.believed == self.repeats {
            self.repeats.to_string()
        } else {
            format!("{} of {}", self.believed, self.repeats)
        }
    }

    /// The deviation as a share of the mean: `1.2 %`.
    pub(super) fn scatter(&self) -> Option<String> {
        self.relative.map(|relative| format!("{:.1} %", relative * 100.0))
    }
}
