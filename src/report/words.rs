//! What stands around the tables of a run, as sentences that the terminal and Markdown share.

mod change;
mod mix;
mod repeats;

use std::collections::BTreeMap;

use super::axes::Axis;
use super::figures::{Figures, Rated, Sweep};
use crate::host::{Environment, affinity};
use crate::measure::{Instrument, Mark, Rule, Verdict};
use crate::pattern::Setting;
use crate::plan::Raised;
use crate::rating::Rating;
use crate::record::{Caching, Finish, Run, RunPattern, RunTarget};
use crate::unit::{Iops, Latency, QueueDepth, show_duration, show_moment};
use change::changed;
pub(super) use mix::mix;
pub(super) use repeats::{rated_alike, stops};

/// When, by what and where: one line a fact.
pub(super) fn head(run: &Run) -> Vec<(&'static str, String)> {
    let header = &run.header;
    let workers = header.workers;
    let mut facts = repeats::stated(run);
    facts.extend([
        ("run", format!("{}, {}", header.id, show_moment(header.started))),
        ("fathom", format!("{}, seed {}, {workers}", header.version, header.seed)),
        ("machine", machine(&header.environment)),
    ]);
    facts.extend(header.instrument.as_ref().map(|tool| ("tool", instrument(tool))));
    if header.wait_for > 1 {
        facts.push(("waits", format!("for {} completions at a time", header.wait_for)));
    }
    facts.extend(repeats::review(run));
    facts.extend(changed(run).map(|changes| ("CHANGED", changes)));
    facts
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
    let fingerprint = pattern.fingerprint();
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
            let depth = point.point.setting.queue_depth;
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
    raised(sweep.pattern).into_iter().chain(sweep.target.notes.iter().cloned()).collect()
}

/// The sizes that a target can't do and that were raised, one sentence each; of swept sizes, one
/// for each that others became.
pub fn raised(run: &RunPattern) -> Vec<String> {
    if run.axes.transfer_sizes.is_empty() {
        let one = |raised: &Raised| {
            format!(
                "requests of {} were raised to {}: {} can't do them, and the fingerprint is another",
                raised.from, raised.to, raised.because
            )
        };
        return run.raised.iter().map(one).collect();
    }
    let one = |raised: &[Raised]| {
        let from: Vec<String> = raised.iter().map(|raised| raised.from.to_string()).collect();
        let (to, because) = (raised[0].to, &raised[0].because);
        format!(
            "{because} can't do requests of {}: {to} is measured instead, once",
            from.join(", ")
        )
    };
    run.raised.chunk_by(|a, b| a.to == b.to).map(one).collect()
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

/// Each mark of these points once: its rule, where it stands, and the text of the worst. `axes`
/// are those that the points differ in.
pub(super) fn legend(
    sweep: &Sweep<'_>,
    points: &[&Figures<'_>],
    axes: &[Axis],
) -> Vec<(char, String)> {
    let mut found: BTreeMap<Rule, Vec<(Setting, &Mark)>> = BTreeMap::new();
    for figures in points {
        // What makes a point void stands in its row, if it has one.
        let said = |mark: &&Mark| axes.len() > 1 || mark.verdict != Verdict::Void;
        for mark in figures.point.marks.iter().filter(said) {
            found.entry(mark.rule).or_default().push((figures.setting(), mark));
        }
    }
    let line = |(rule, marks): (Rule, Vec<(Setting, &Mark)>)| {
        let text = match axes {
            [only] => at_values(sweep, &marks, *only),
            _ => at_settings(sweep, &marks, points.len()),
        };
        (rule.letter(), format!("{rule} {text}"))
    };
    found.into_iter().map(line).collect()
}

/// `at queue depth 4, 32: at 32 …`
fn at_values(sweep: &Sweep<'_>, marks: &[(Setting, &Mark)], axis: Axis) -> String {
    let mut values: Vec<String> = Vec::new();
    for (setting, _) in marks {
        let value = axis.value(&sweep.pattern.axes, *setting);
        if !values.contains(&value) {
            values.push(value);
        }
    }
    let (setting, text) = worst(marks);
    let at = axis.value(&sweep.pattern.axes, setting);
    let at = if axis == Axis::Depth { at } else { axis.said(&at) };
    let one = if values.len() > 1 { format!("at {at} ") } else { String::new() };
    format!("at {}: {one}{text}", axis.said(&values.join(", ")))
}

/// `at 12 of 33 points, worst at write 30 %, depth 16: …`
fn at_settings(sweep: &Sweep<'_>, marks: &[(Setting, &Mark)], of: usize) -> String {
    let (setting, text) = worst(marks);
    let at = sweep.pattern.axes.show(setting);
    match marks.len() {
        1 => format!("at {at}: {text}"),
        count => format!("at {count} of {of} points, worst at {at}: {text}"),
    }
}

/// The gravest mark. Of equals the last: what is not held is least held at the greatest depth.
fn worst<'m>(marks: &[(Setting, &'m Mark)]) -> (Setting, &'m str) {
    let worst = marks.iter().max_by_key(|(_, mark)| mark.verdict);
    let (setting, mark) = worst.expect("an entry is made with its first mark");
    (*setting, &mark.text)
}

/// The points that a table has no room for, and how many of them are marked.
pub(super) fn left_out(points: &[&Figures<'_>]) -> Option<String> {
    let mut depths: Vec<QueueDepth> = points.iter().map(|f| f.setting().queue_depth).collect();
    depths.sort_unstable();
    depths.dedup();
    let marks = Rule::ALL.into_iter().filter_map(|rule| {
        let has = |figures: &&&Figures<'_>| figures.point.marks.iter().any(|m| m.rule == rule);
        let count = points.iter().filter(has).count();
        (count > 0).then(|| format!("{count} {rule}"))
    });
    let marks = marks.collect::<Vec<_>>().join(", ");
    let marks = if marks.is_empty() {
        "none of them is marked".to_owned()
    } else {
        format!("marked: {marks}")
    };
    (!points.is_empty()).then(|| {
        format!(
            "{} points at queue depth {} are left to the formats wide, markdown, csv and json; {marks}",
            points.len(),
            list(&depths)
        )
    })
}

/// Why a point is void.
pub(super) fn void(figures: &Figures<'_>) -> Option<String> {
    let void = figures.point.marks.iter().filter(|mark| mark.verdict == Verdict::Void);
    let reasons: Vec<&str> = void.map(|mark| mark.text.as_str()).collect();
    (figures.verdict == Verdict::Void).then(|| format!("void: {}", reasons.join("; ")))
}

/// What each rating is called, and its value with scheme, depths and weights, or why it has none.
/// Where more than the depth is swept, scheme, depths and weights are said once, before them all.
pub(super) fn ratings(sweep: &Sweep<'_>) -> Vec<(String, String)> {
    let Some(first) = sweep.ratings.first() else {
        let none = "not rated: the pattern names no scheme";
        return vec![("rating".to_owned(), none.to_owned())];
    };
    if sweep.ratings.iter().any(|rated| rated.repeat != first.repeat) {
        return repeats::ratings(sweep);
    }
    let name = |_: &Rated<'_>| "rating".to_owned();
    let axes = &sweep.pattern.axes;
    if axes.show_rest(first.setting).is_empty() {
        return sweep.ratings.iter().map(|rated| (name(rated), rating(rated))).collect();
    }
    let scheme = sweep.ratings.iter().find_map(|rated| Some((rated, rated.rating.as_ref().ok()?)));
    let scheme = match scheme {
        Some((rated, rating)) => terms(rated, rating),
        None => first.scheme.to_string(),
    };
    let one = |rated: &Rated<'_>| {
        let value = match &rated.rating {
            Ok(rating) => Iops(rating.value).to_string(),
            Err(undefined) => undefined.to_string(),
        };
        (name(rated), format!("at {}: {value}", axes.show_rest(rated.setting)))
    };
    let head = ("rating".to_owned(), scheme);
    std::iter::once(head).chain(sweep.ratings.iter().map(one)).collect()
}

fn rating(rated: &Rated<'_>) -> String {
    match &rated.rating {
        Ok(rating) => format!("{}: {}", Iops(rating.value), terms(rated, rating)),
        Err(undefined) => format!("{undefined} (scheme: {})", rated.scheme),
    }
}

/// What a rating is the sum of.
fn terms(rated: &Rated<'_>, rating: &Rating) -> String {
    let (depths, weights) = (list(&rating.depths), weights(&rating.weights));
    format!("{}; queue depths {depths}; weights {weights}", rated.scheme)
}

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

/// One value, or the two that a figure lies between.
fn range([least, most]: [String; 2]) -> String {
    if least == most { least } else { format!("{least}–{most}") }
}

/// What the columns mean, once for all tables.
pub(super) const COLUMNS: &str = "T(q): IOPS at queue depth q. MB/s: 10^6 bytes a second (MiB/s: \
    2^20). mean, p99, max: completion latency. CPU: of the whole machine. held: requests in \
    flight in the tool; device: there, by the kernel's count.";

/// What the columns of a table over repeats mean.
pub(super) const REPEATS: &str = "T(q): IOPS at queue depth q. IOPS and MB/s: means of n repeats; s: \
    the standard deviation of their IOPS. mean, p99, max: completion latency of all repeats \
    together. The formats wide, csv and json have each repeat.";

/// What the column that only the wide table has means.
pub(super) const BUSY: &str = "busy: the share of the run time that the busiest worker was on a \
    processor.";
