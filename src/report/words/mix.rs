//! What was asked of the points of a sweep, and how near it was reached.

use super::super::figures::{Figures, Sweep};
use super::range;
use crate::pattern::Access;
use crate::unit::Bytes;

/// What was asked of the points, and how near it was reached.
pub(in super::super) fn mix(sweep: &Sweep<'_>) -> String {
    let percent = |value: f64| format!("{value:.1}");
    let parts = [
        part(
            sweep,
            "% read",
            (|a| 100.0 * a.read_fraction(), |f| f.achieved.read_percent),
            percent,
        ),
        part(
            sweep,
            "% random",
            (|a| 100.0 * a.random_fraction(), |f| f.achieved.random_percent),
            percent,
        ),
        part(sweep, "a request", (Access::mean_size, |f| f.achieved.mean_size), size),
    ];
    let at_device = bounds(sweep.points.iter().filter_map(arrived));
    let at_device = at_device.map(|bounds| {
        format!("; the device moved {} % of these bytes", range(bounds.map(percent)))
    });
    format!("{}{}", parts.join(", "), at_device.unwrap_or_default())
}

/// A figure of what is asked, and the same of what was reached.
type Pair = (fn(&Access) -> f64, fn(&Figures<'_>) -> Option<f64>);

/// What all points ask alike, and between what bounds it was reached; or where it is swept, the
/// bounds of what they ask, and how far any was off.
fn part(sweep: &Sweep<'_>, what: &str, (asked, reached): Pair, show: fn(f64) -> String) -> String {
    let pairs = sweep.points.iter().map(|figures| {
        let access = sweep.pattern.access(&figures.point.point);
        (asked(&access), reached(figures))
    });
    let pairs: Vec<(f64, Option<f64>)> = pairs.collect();
    let asked = bounds(pairs.iter().map(|(asked, _)| *asked)).unwrap_or_default().map(show);
    let reached = if asked[0] == asked[1] {
        bounds(pairs.iter().filter_map(|(_, reached)| *reached))
            .map(|bounds| range(bounds.map(show)))
    } else {
        let off = pairs.iter().filter_map(|(asked, reached)| Some((asked - (*reached)?).abs()));
        off.reduce(f64::max).map(|off| match off {
            0.0 => "exactly".to_owned(),
            off => format!("to within {}", show(off)),
        })
    };
    let asked = range(asked);
    match reached {
        Some(reached) => format!("{asked} {what} (reached {reached})"),
        None => format!("{asked} {what}"),
    }
}

/// The bytes that the device moved, in percent of those that the requests moved.
fn arrived(figures: &Figures<'_>) -> Option<f64> {
    let asked = figures.point.measurement.bytes().get();
    let device = figures.achieved.device_bytes?;
    (asked > 0).then(|| 100.0 * device as f64 / asked as f64)
}

/// The least and the greatest.
fn bounds(values: impl Iterator<Item = f64>) -> Option<[f64; 2]> {
    values.fold(None, |bounds, value| {
        let [least, most] = bounds.unwrap_or([value, value]);
        Some([f64::min(least, value), f64::max(most, value)])
    })
}

/// A mean size.
fn size(bytes: f64) -> String {
    #[expect(clippy::cast_possible_truncation, reason = "at most the largest request")]
    #[expect(clippy::cast_sign_loss, reason = "a mean of sizes is never negative")]
    Bytes(bytes.round() as u64).to_string()
}
