//! What stands around the tables of a run, as sentences that the terminal and Markdown share.

use std::collections::BTreeMap;

use super::figures::{Figures, Rated, Sweep};
use crate::measure::{Mark, Rule, Verdict};
use crate::record::{Caching, Run, RunPattern, RunTarget};
use crate::unit::{Bytes, QueueDepth, show_duration, show_moment};

/// When, by what and where: one line a fact.
pub(super) fn head(run: &Run) -> Vec<(&'static str, String)> {
    let header = &run.header;
    let machine = &header.environment;
    let cpu = machine.cpu_model.clone().unwrap_or_else(|| machine.architecture.clone());
    let workers = match header.workers {
        1 => "1 worker".to_owned(),
        workers => format!("{workers} workers"),
    };
    let mut facts = vec![
        ("run", format!("{}, {}", header.id, show_moment(header.started))),
        ("fathom", format!("{}, seed {}, {workers}", header.version, header.seed)),
        ("machine", format!("{cpu}, {} CPUs, Linux {}", machine.cpus, machine.kernel)),
    ];
    if header.wait_for > 1 {
        facts.push(("waits", format!("for {} completions at a time", header.wait_for)));
    }
    facts
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
pub(super) fn way(target: &RunTarget) -> String {
    let caching = match target.caching {
        Caching::Direct => ", past the page cache",
        Caching::Buffered => ", THROUGH THE PAGE CACHE",
        Caching::None => "",
    };
    let run_time = show_duration(target.phases.run_time);
    let ramp_up = show_duration(target.phases.ramp_up);
    format!("{}{caching}; {run_time} a point after a ramp-up of {ramp_up}", target.engine)
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
        crate::record::Finish::Complete => return None,
        crate::record::Finish::Interrupted => "the run was interrupted",
        crate::record::Finish::Failed => "the run failed",
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
    let mut found: BTreeMap<Rule, (Vec<QueueDepth>, &Mark)> = BTreeMap::new();
    for figures in points {
        let depth = figures.point.point.queue_depth;
        for mark in &figures.point.marks {
            let (depths, worst) = found.entry(mark.rule).or_insert((Vec::new(), mark));
            if !depths.contains(&depth) {
                depths.push(depth);
            }
            // Of equals the later: what is not held is least held at the greatest depth.
            if mark.verdict >= worst.verdict {
                *worst = mark;
            }
        }
    }
    let line = |(rule, (depths, mark)): (Rule, (Vec<QueueDepth>, &Mark))| {
        let text = format!("{rule} at queue depth {}: {}", list(&depths), mark.text);
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

/// The line of a rating: the value with its formula, or why there is none.
pub(super) fn rating(rated: &Rated<'_>, repeats: usize) -> (String, String) {
    let name = match repeats {
        ..=1 => "rating".to_owned(),
        _ => format!("rating of repeat {}", rated.repeat),
    };
    let text = match &rated.rating {
        Ok(rating) => {
            let value = crate::unit::Iops(rating.value);
            let formula = &rating.formula;
            let depths = list(&rating.depths);
            let weights: Vec<String> = rating.weights.iter().map(|weight| weigh(*weight)).collect();
            format!(
                "{value} = {} = {formula}; depths {depths}; weights {}",
                rated.scheme,
                weights.join(", ")
            )
        }
        Err(undefined) => format!("{undefined} ({})", rated.scheme),
    };
    (name, text)
}

/// A weight with as many digits as tell it from its neighbours.
fn weigh(weight: f64) -> String {
    let text = format!("{weight:.4}");
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

/// Depths, as a list.
pub(super) fn list(depths: &[QueueDepth]) -> String {
    depths.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ")
}

/// A size in bytes, rounded to whole ones.
pub(super) fn mean_size(bytes: f64) -> String {
    #[expect(clippy::cast_possible_truncation, reason = "at most the largest request")]
    #[expect(clippy::cast_sign_loss, reason = "a mean of sizes is never negative")]
    Bytes(bytes.round() as u64).to_string()
}
