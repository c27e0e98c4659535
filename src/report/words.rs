//! What stands around the tables of a run, as sentences that the terminal and Markdown share.

use std::collections::BTreeMap;

use super::figures::{Figures, Rated, Sweep};
use crate::host::{Environment, affinity};
use crate::measure::{Instrument, Mark, Rule, Verdict};
use crate::record::{Caching, Difference, Finish, Run, RunPattern, RunTarget};
use crate::unit::{Bytes, Iops, Latency, QueueDepth, show_duration, show_moment};

/// When, by what and where: one line a fact.
pub(super) fn head(run: &Run) -> Vec<(&'static str, String)> {
    let header = &run.header;
    let workers = header.workers;
    let mut facts = vec![
        ("run", format!("{}, {}", header.id, show_moment(header.started))),
        ("fathom", format!("{}, seed {}, {workers}", header.version, header.seed)),
        ("machine", machine(&header.environment)),
    ];
    facts.extend(header.instrument.as_ref().map(|tool| ("tool", instrument(tool))));
    if header.wait_for > 1 {
        facts.push(("waits", format!("for {} completions at a time", header.wait_for)));
    }
    facts.extend(changed(run).map(|changes| ("CHANGED", changes)));
    facts
}

/// The most changes that are told one by one: a disk that is gone is one, and behind it are few.
const TOLD: usize = 6;

/// What of machine and devices was not at the end what it was at the start.
fn changed(run: &Run) -> Option<String> {
    let changed = run.end.as_ref()?.changed.as_ref()?;
    let changed: Vec<String> = changed.iter().filter(|d| d.matters()).map(difference).collect();
    let more = match changed.len().saturating_sub(TOLD) {
        0 => String::new(),
        more => format!("; and {more} more, which the format json has"),
    };
    let told = changed.iter().take(TOLD).cloned().collect::<Vec<_>>().join("; ");
    (!changed.is_empty()).then(|| format!("while this was measured: {told}{more}"))
}

/// `sda of array: scheduler none, then bfq`.
fn difference(difference: &Difference) -> String {
    let place = match (&difference.device, &difference.target) {
        (Some(device), Some(target)) => format!("{device} of {target}: "),
        (_, Some(target)) => format!("{target}: "),
        (_, None) => String::new(),
    };
    let values = match (&difference.left, &difference.right) {
        (Some(left), Some(right)) => format!("{left}, then {right}"),
        (Some(left), None) => format!("{left}, only at the start"),
        (None, Some(right)) => format!("{right}, only at the end"),
        (None, None) => String::new(),
    };
    format!("{place}{} {values}", difference.what)
}

/// What it was measured on.
pub(super) fn machine(machine: &Environment) -> String {
    let cpu = machine.cpu_model.as_deref().unwrap_or(&machine.architecture);
    format!("{cpu}, {} CPUs, Linux {}", machine.cpus, machine.kernel)
}

/// What the tool itself costs there.
fn instrument(tool: &Instrument) -> String {
    format!(
        "a turn without a device takes {}, a reading of the clock {}; at most {} IOPS a worker",
        nanos(tool.turn_ns.median),
        nanos(tool.clock_reading_ns.median),
        Iops(tool.ceiling_iops.median),
    )
}

/// Nanoseconds with three digits below a hundred too, where a latency has fewer to show.
pub(super) fn nanos(nanos: f64) -> String {
    #[expect(clippy::cast_possible_truncation, reason = "a time that was measured")]
    #[expect(clippy::cast_sign_loss, reason = "a time that was measured")]
    match nanos {
        n if n < 9.995 => format!("{n:.2} ns"),
        n if n < 99.95 => format!("{n:.1} ns"),
        n => Latency(n.round() as u64).to_string(),
    }
}

/// The pattern: its title and what tells it from others.
pub(super) fn pattern(run: &RunPattern) -> String {
    let pattern = &run.pattern;
    let fingerprint = pattern.access.fingerprint();
    format!("{} ({}, fingerprint {fingerprint})", pattern.title, pattern.name)
}

/// The target: what it is and how it was reached.
pub(super) fn target(target: &RunTarget) -> String {
    let place = target.path.as_ref().map(|path| path.display().to_string());
    let place = place.unwrap_or_else(|| target.spec.clone());
    format!("{}: {}, {place}, {}", target.name, target.kind, span(target))
}

fn span(target: &RunTarget) -> String {
    let (length, size) = (target.span.length, target.geometry.size);
    if length == size { length.to_string() } else { format!("{length} of {size}") }
}

/// How requests reached the target, and for how long.
pub(super) fn way(sweep: &Sweep<'_>) -> String {
    let target = sweep.target;
    let caching = match target.caching {
        Caching::Direct => ", past the page cache",
        Caching::Buffered => ", THROUGH THE PAGE CACHE",
        Caching::None => "",
    };
    let workers = sweep.points.iter().map(|figures| figures.point.workers);
    let workers = match (workers.clone().min(), workers.max()) {
        (None, _) | (_, None | Some(..=1)) => String::new(),
        (Some(least), Some(most)) => {
            format!(", {} workers", range([least, most].map(|count| count.to_string())))
        }
    };
    let polled = if target.polled { ", polled" } else { "" };
    let run_time = show_duration(target.phases.run_time);
    let ramp_up = show_duration(target.phases.ramp_up);
    format!(
        "{}{polled}{caching}{workers}; {run_time} a point after a ramp-up of {ramp_up}",
        target.engine
    )
}

/// What the engine of a sweep was set up with, by its points: what some of them lack is said with
/// their depths. And where its workers were held to.
pub(super) fn set_up(sweep: &Sweep<'_>) -> Option<String> {
    let mut found: Vec<(&str, Vec<QueueDepth>)> = Vec::new();
    for point in sweep.points.iter().map(|figures| figures.point) {
        for fact in &point.engine_facts {
            let depth = point.point.queue_depth;
            match found.iter_mut().find(|(known, _)| known == fact) {
                Some((_, depths)) => depths.push(depth),
                None => found.push((fact, vec![depth])),
            }
        }
    }
    let said = |(fact, mut depths): (&str, Vec<QueueDepth>)| {
        let everywhere = depths.len() == sweep.points.len();
        depths.dedup();
        let at = format!(" (queue depth {})", list(&depths));
        format!("{fact}{}", if everywhere { "" } else { at.as_str() })
    };
    let mut parts: Vec<String> = found.into_iter().map(said).collect();
    let cpus = &sweep.target.cpus;
    if !cpus.is_empty() {
        parts.push(format!("workers on {}", affinity::name(cpus)));
    }
    (!parts.is_empty()).then(|| parts.join(", "))
}

/// What has to be said loudly before any number: raised sizes, and notes of the target.
pub(super) fn warnings(sweep: &Sweep<'_>) -> Vec<String> {
    let raised = sweep.pattern.raised.iter().map(|raised| {
        format!(
            "requests of {} were raised to {}: {} can't do them, and the fingerprint is another",
            raised.from, raised.to, raised.because
        )
    });
    raised.chain(sweep.target.notes.iter().cloned()).collect()
}

/// How the run ended, where it did not simply finish.
pub(super) fn ending(run: &Run) -> Option<String> {
    let Some(end) = &run.end else {
        return Some("the run has no end: it is still going, or it was killed".to_owned());
    };
    let how = match end.how {
        Finish::Complete => return None,
        Finish::Interrupted => "the run was interrupted",
        Finish::Failed => "the run failed",
    };
    Some(match &end.reason {
        Some(reason) => format!("{how}: {reason}"),
        None => how.to_owned(),
    })
}

/// The letters of a point's marks, each once.
pub(super) fn letters(marks: &[Mark]) -> String {
    let set = Rule::ALL.into_iter().filter(|rule| marks.iter().any(|mark| mark.rule == *rule));
    set.map(Rule::letter).collect()
}

/// Each mark of a sweep once: its rule, the depths that have it, and the text of the worst.
pub(super) fn legend(points: &[Figures<'_>]) -> Vec<(char, String)> {
    let mut found: BTreeMap<Rule, (Vec<QueueDepth>, &Mark, QueueDepth)> = BTreeMap::new();
    for figures in points {
        let depth = figures.point.point.queue_depth;
        // What makes a point void stands in its row.
        for mark in figures.point.marks.iter().filter(|mark| mark.verdict != Verdict::Void) {
            let (depths, worst, at) = found.entry(mark.rule).or_insert((Vec::new(), mark, depth));
            if !depths.contains(&depth) {
                depths.push(depth);
            }
            // Of equals the later: what is not held is least held at the greatest depth.
            if mark.verdict >= worst.verdict {
                (*worst, *at) = (mark, depth);
            }
        }
    }
    let line = |(rule, (depths, mark, at)): (Rule, (Vec<QueueDepth>, &Mark, QueueDepth))| {
        let one = if depths.len() > 1 { format!("at {at} ") } else { String::new() };
        let text = format!("{rule} at queue depth {}: {one}{}", list(&depths), mark.text);
        (rule.letter(), text)
    };
    found.into_iter().map(line).collect()
}

/// Why a point is void.
pub(super) fn void(figures: &Figures<'_>) -> Option<String> {
    let void = figures.point.marks.iter().filter(|mark| mark.verdict == Verdict::Void);
    let reasons: Vec<&str> = void.map(|mark| mark.text.as_str()).collect();
    (figures.verdict == Verdict::Void).then(|| format!("void: {}", reasons.join("; ")))
}

/// What a rating is called, and its value with scheme, depths and weights, or why it has none.
pub(super) fn rating(rated: &Rated<'_>, of: usize) -> (String, String) {
    let name = match of {
        ..=1 => "rating".to_owned(),
        _ => format!("rating {}", rated.repeat),
    };
    let text = match &rated.rating {
        Ok(rating) => {
            let value = Iops(rating.value);
            let (depths, weights) = (list(&rating.depths), weights(&rating.weights));
            format!("{value}: {}; queue depths {depths}; weights {weights}", rated.scheme)
        }
        Err(undefined) => format!("{undefined} (scheme: {})", rated.scheme),
    };
    (name, text)
}

/// What stands where a pattern has no scheme.
pub(super) const NOT_RATED: &str = "not rated: the pattern names no scheme";

/// Weights as a list, or once where all are alike.
fn weights(weights: &[f64]) -> String {
    let mut texts: Vec<String> = weights.iter().map(|weight| weigh(*weight)).collect();
    let alike = texts.len() > 1 && texts.iter().all(|text| *text == texts[0]);
    if alike { format!("{} each", texts.swap_remove(0)) } else { texts.join(", ") }
}

/// A weight with as many digits as tell it from its neighbours.
fn weigh(weight: f64) -> String {
    let text = format!("{weight:.5}");
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

/// Depths, as a list.
fn list(depths: &[QueueDepth]) -> String {
    depths.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ")
}

/// What was asked of every point, and between what bounds it was reached.
pub(super) fn mix(sweep: &Sweep<'_>) -> String {
    let access = &sweep.pattern.pattern.access;
    let reached = |of: fn(&Figures<'_>) -> Option<f64>| bounds(sweep.points.iter().filter_map(of));
    let percent = |value: f64| format!("{value:.1}");
    let (read, random) = (100.0 * access.read_fraction(), 100.0 * access.random_fraction());
    let parts = [
        ("% read", percent(read), reached(|f| f.achieved.read_percent).map(|b| b.map(percent))),
        (
            "% random",
            percent(random),
            reached(|f| f.achieved.random_percent).map(|b| b.map(percent)),
        ),
        (
            "a request",
            size(access.mean_size()),
            reached(|f| f.achieved.mean_size).map(|b| b.map(size)),
        ),
    ];
    let said = parts.map(|(what, asked, reached)| match reached {
        Some(bounds) => format!("{asked} {what} (reached {})", range(bounds)),
        None => format!("{asked} {what}"),
    });
    let at_device = bounds(sweep.points.iter().filter_map(arrived));
    let at_device = at_device.map(|bounds| {
        format!("; the device moved {} % of these bytes", range(bounds.map(percent)))
    });
    format!("{}{}", said.join(", "), at_device.unwrap_or_default())
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

fn range([least, most]: [String; 2]) -> String {
    if least == most { least } else { format!("{least}–{most}") }
}

/// A mean size.
fn size(bytes: f64) -> String {
    #[expect(clippy::cast_possible_truncation, reason = "at most the largest request")]
    #[expect(clippy::cast_sign_loss, reason = "a mean of sizes is never negative")]
    Bytes(bytes.round() as u64).to_string()
}

/// What the columns mean, once for all tables.
pub(super) const COLUMNS: &str = "T(q): IOPS at queue depth q. MB/s: 10^6 bytes a second (MiB/s: \
    2^20). mean, p99, max: completion latency. CPU: of the whole machine. held: requests in \
    flight in the tool; device: there, by the kernel's count.";

/// What the column that only the wide table has means.
pub(super) const BUSY: &str = "busy: the share of the run time that the busiest worker was on a \
    processor.";

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::tests::rich_run;

    fn difference(device: Option<&str>, left: Option<&str>, right: Option<&str>) -> Difference {
        let owned = |text: Option<&str>| text.map(str::to_owned);
        let what = if device.is_some() { "sync" } else { "governor" }.to_owned();
        let target = owned(device.map(|_| "raid"));
        Difference { target, device: owned(device), what, left: owned(left), right: owned(right) }
    }

    #[test]
    fn what_changed_is_told_and_not_all_of_it() {
        let mut run = rich_run();
        let told = |run: &Run| head(run).into_iter().find(|(name, _)| *name == "CHANGED");
        let text = "while this was measured: sda of array: temperature 34 °C, then 52 °C";
        assert_eq!(told(&run), Some(("CHANGED", text.to_owned())));
        let mut tell = |changed: Option<Vec<Difference>>| {
            run.end.as_mut().unwrap().changed = changed;
            told(&run).map(|(_, text)| text)
        };
        assert_eq!(tell(None), None);
        assert_eq!(tell(Some(Vec::new())), None);
        let governor = difference(None, Some("powersave"), Some("performance"));
        let lost = difference(Some("md0"), Some("idle"), None);
        let new = difference(Some("md0"), None, Some("resync"));
        let text = "while this was measured: governor powersave, then performance; md0 of raid: \
                    sync idle, only at the start; md0 of raid: sync resync, only at the end";
        assert_eq!(tell(Some(vec![governor.clone(), lost, new])).as_deref(), Some(text));
        let many = tell(Some(vec![governor; TOLD + 2])).unwrap();
        assert!(many.ends_with("performance; and 2 more, which the format json has"), "{many}");
    }
}
