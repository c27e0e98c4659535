//! What stands around the tables of a comparison, as sentences.

use super::super::words as run_words;
use super::parts::Part;
use super::tables::{change, factor, interval, probability};
use crate::comparison::{Analysis, Layout, Ratio, Summary};
use crate::review::{Compared, Environments, Gathered, Labelled, Ranking, Scaled, Side, timing};
use crate::unit::show_moment;

/// What the best of all repeats is.
pub(super) const BEST: &str = "best of all repeats, as WinBench was read: the luckiest run of each, \
    no estimate of either; it has no interval and no verdict";

/// What is compared, how it differs beside that, and how it is judged: before any number.
pub(super) fn head(gathered: &Gathered<'_>, alone: bool) -> Vec<Part> {
    let mut parts = Vec::new();
    let fact = |name: &str, text: String| Part::Fact(name.to_owned(), text);
    let sides = &gathered.sides;
    if sides.len() > 1 && !alone {
        let targets: Vec<&str> = sides[1..].iter().map(|side| side.name.as_str()).collect();
        let title = format!("Comparison: {} against {}", targets.join(", "), sides[0].name);
        parts.push(Part::Title(title));
    }
    parts.extend(gathered.unlike.iter().map(|unlike| fact("DIFFERS", unlike.to_string())));
    let told = gathered.environments.iter().flat_map(environment);
    parts.extend(told.map(|text| fact("DIFFERS", text)));
    if alone {
        parts.extend(gathered.records.iter().map(|labelled| fact("record", record(labelled))));
        let (base, targets) = sides.split_at(1);
        parts.extend(base.iter().map(|side| fact("baseline", target(side))));
        parts.extend(targets.iter().map(|side| fact("target", target(side))));
    }
    if sides.len() > 1 {
        parts.extend(analyses(gathered).into_iter().map(|text| fact("analysis", text)));
    }
    parts.extend(gathered.remarks.iter().map(|remark| fact("NOTE", remark.clone())));
    parts
}

/// What is not alike in two environments: a sentence for the machine, and one for each device.
fn environment(environments: &Environments) -> Vec<String> {
    let Environments { left, right, differences } = environments;
    let mut told: Vec<(String, Vec<String>)> = Vec::new();
    for difference in differences {
        let place = match (&difference.target, &difference.device) {
            (Some(target), Some(device)) => format!("{device} under {target}"),
            (Some(target), None) => target.clone(),
            (None, _) => "the machine".to_owned(),
        };
        let value = |value: &Option<String>| value.clone().unwrap_or_else(|| "unknown".to_owned());
        let (one, two) = (value(&difference.left), value(&difference.right));
        let text = format!("{} {one} ({left}), {two} ({right})", difference.what);
        match told.iter_mut().find(|(other, _)| *other == place) {
            Some((_, facts)) => facts.push(text),
            None => told.push((place, vec![text])),
        }
    }
    told.into_iter().map(|(place, facts)| format!("{place}: {}", facts.join("; "))).collect()
}

/// A record: its name here, when, and by what.
fn record(labelled: &Labelled<'_>) -> String {
    let header = &labelled.run.header;
    let started: String = show_moment(header.started).chars().take(16).collect();
    let ending = run_words::ending(labelled.run).map(|ending| format!("; {ending}"));
    format!(
        "{}: {}, {} UTC, fathom {}{}",
        labelled.label,
        header.id,
        started.replace('T', " "),
        header.version,
        ending.unwrap_or_default()
    )
}

/// A target under its name here.
fn target(side: &Side<'_>) -> String {
    let target = side.target;
    let told = run_words::target(target);
    let rest = told.strip_prefix(target.name.as_str()).unwrap_or(&told);
    let array = side.array.as_ref().map(|array| format!("; {}", array.array));
    format!("{}{rest}; {}{}", side.name, target.engine, array.unwrap_or_default())
}

/// How the targets are set against the baseline; alike ones in one sentence.
fn analyses(gathered: &Gathered<'_>) -> Vec<String> {
    let mut said: Vec<(String, Vec<&str>)> = Vec::new();
    for (side, analysis) in gathered.sides[1..].iter().zip(&gathered.analyses) {
        let text = analysis_of(&gathered.sides[0], side, *analysis);
        match said.iter_mut().find(|(other, _)| *other == text) {
            Some((_, names)) => names.push(&side.name),
            None => said.push((text, vec![&side.name])),
        }
    }
    if let [(text, _)] = said.as_slice() {
        return vec![text.clone()];
    }
    said.into_iter().map(|(text, names)| format!("{}: {text}", names.join(", "))).collect()
}

fn analysis_of(baseline: &Side<'_>, target: &Side<'_>, analysis: Analysis) -> String {
    let (here, there) = (timing(baseline.run), timing(target.run));
    let repeats = match (here.repeats, there.repeats) {
        (1, 1) => "one run each".to_owned(),
        (n, m) if n == m => format!("{n} repeats each"),
        (n, m) => format!("{n} and {m} repeats"),
    };
    let lay = if baseline.record != target.record {
        "of two records, nothing interleaved: whatever else changed between them is in the ratios"
    } else if here.repeats > 1 && here.layout == Layout::Interleaved {
        "interleaved"
    } else {
        "one target after the other, nothing interleaved"
    };
    format!("{analysis}; {repeats}, {lay}")
}

/// The pattern of a section.
pub(super) fn title(compared: &Compared<'_>) -> String {
    run_words::pattern(compared.pattern)
}

/// The two sides of a table.
pub(super) fn pair(gathered: &Gathered<'_>, target: usize) -> String {
    format!("{} against {}", gathered.sides[target + 1].name, gathered.sides[0].name)
}

/// A target over all settings of a pattern.
pub(super) fn summary(
    gathered: &Gathered<'_>,
    compared: &Compared<'_>,
    target: usize,
) -> Option<Part> {
    let summary = compared.summaries.get(target)?;
    let name = gathered.sides[target + 1].name.clone();
    Some(Part::Fact(name, summed_up(summary, &gathered.sides[0].name, "setting")))
}

/// Every target over all patterns, where there are several.
pub(super) fn overall(gathered: &Gathered<'_>) -> Vec<Part> {
    let sides = gathered.sides[1..].iter().zip(&gathered.overall);
    let mut parts: Vec<Part> = sides
        .map(|(side, summary)| {
            let text = summed_up(summary, &gathered.sides[0].name, "pattern");
            Part::Fact(side.name.clone(), text)
        })
        .collect();
    if !parts.is_empty() {
        let title = "Over all patterns, each of them weighing the same";
        parts.insert(0, Part::Title(title.to_owned()));
    }
    parts
}

/// `1.024 (0.978–1.071) × sda, +2.4 %, over 9 settings: no difference shown (…)`.
fn summed_up(summary: &Summary, baseline: &str, what: &str) -> String {
    let counted = if summary.counted == summary.of {
        let plural = if summary.of == 1 { "" } else { "s" };
        format!("{} {what}{plural}", summary.of)
    } else {
        format!("{} of {} {what}s", summary.counted, summary.of)
    };
    let Some(ratio) = &summary.ratio else { return summary.word.to_string() };
    let exact = ratio.chance.map(|chance| {
        format!("; exact p {} (at least {})", probability(chance.p), probability(chance.least))
    });
    format!(
        "{} × {baseline}, {}, over {counted}: {}{}",
        bounded(ratio),
        change(ratio.value),
        summary.word,
        exact.unwrap_or_default()
    )
}

/// `1.024 (0.978–1.071)`.
fn bounded(ratio: &Ratio) -> String {
    let bounds = ratio.interval.map(|bounds| format!(" ({})", interval(bounds)));
    format!("{}{}", factor(ratio.value), bounds.unwrap_or_default())
}

/// What the columns mean, as far as they are shown.
pub(super) fn columns(gathered: &Gathered<'_>, best: bool) -> String {
    let against = || gathered.patterns.iter().flat_map(|p| &p.cells).flat_map(|c| &c.against);
    let ratios = || against().filter_map(|against| against.ratio.as_ref());
    let mut text = "ratio: IOPS as a share of the baseline's, of geometric means over repeats; a \
                    summary is the geometric mean of its ratios."
        .to_owned();
    if ratios().any(|ratio| ratio.interval.is_some()) {
        text += " s: standard deviation of the repeats. A setting is called faster or slower only \
                 where that survives Holm's adjustment for all settings, patterns and targets \
                 shown; one without a word is not thereby equal.";
    }
    let least = ratios().filter_map(|ratio| Some(ratio.chance?.least)).reduce(f64::min);
    if let Some(least) = least {
        let exact =
            "exact p: by exchanging what could have been exchanged; with so many repeats it";
        text += &[" ", exact, " can't be below ", &probability(least), "."].concat();
    }
    if gathered.sides.len() > 2 {
        text += " all: geometric mean. ↑ ↓: called faster, slower.";
    }
    if best {
        text += " Nothing else here rests on the best runs.";
    }
    text
}

/// Where a ranking holds, where that has to be said.
pub(super) fn ranking_head(ranking: &Ranking) -> Option<Part> {
    let at = format!("ratings at {}", ranking.group);
    (!ranking.group.is_empty()).then_some(Part::Heading(at))
}

/// The formulas of the ratings, and where the ranking changes with them.
pub(super) fn ranking(ranking: &Ranking) -> Vec<Part> {
    let formula = |rated: &crate::review::Rated| {
        let text = rated.formula.clone().unwrap_or_else(|undefined| undefined.to_string());
        Part::Fact(rated.scheme.clone(), text)
    };
    let mut parts: Vec<Part> = ranking.rated.iter().map(formula).collect();
    let flips = ranking.flips.iter().map(|flip| Part::Fact("ranking".to_owned(), flip.to_string()));
    parts.extend(flips);
    let sides = ranking.rated.first().map_or(0, |rated| rated.estimates.len());
    if ranking.rated.len() > 1 && sides > 1 && ranking.flips.is_empty() {
        let same = "no two targets change places with the scheme".to_owned();
        parts.push(Part::Fact("ranking".to_owned(), same));
    }
    parts
}

/// An array and its disk.
pub(super) fn array(scaled: &Scaled) -> String {
    let at = if scaled.group.is_empty() { String::new() } else { format!(", {}", scaled.group) };
    format!(
        "{}, {} × {}: against what these disks could give{at}",
        scaled.name, scaled.array, scaled.disk
    )
}

/// The answers to what a review asks.
pub(super) fn findings(scaled: &Scaled) -> Vec<Part> {
    let fact = |finding| Part::Fact(scaled.name.clone(), format!("{finding}"));
    scaled.findings.iter().map(fact).collect()
}
