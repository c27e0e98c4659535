//! What a review says of itself: its title and conditions, how often it was measured and why it was
//! not measured more often, and ratings with their error.

use super::super::figures::{Rated, Sweep};
use super::terms;
use crate::plan::Order;
use crate::rating::over_repeats;
use crate::record::Run;
use crate::stats::Step;
use crate::unit::{Iops, show_moment};

/// What the author said: a title, and what a reader should know.
pub(super) fn stated(run: &Run) -> Vec<(&'static str, String)> {
    let review = &run.header.review;
    let title = review.title.iter().map(|title| ("title", title.clone()));
    let stated: Vec<String> =
        review.conditions.iter().map(|(name, text)| format!("{name}: {text}")).collect();
    title.chain((!stated.is_empty()).then(|| ("stated", stated.join("; ")))).collect()
}

/// How often it was measured and in which order, where that was more than once.
pub(super) fn review(run: &Run) -> Vec<(&'static str, String)> {
    let review = &run.header.review;
    let mut facts: Vec<(&'static str, String)> = Vec::new();
    if review.repeats.most() > 1 {
        let order = match review.order {
            Order::Interleaved => "targets interleaved in an order drawn from the seed",
            Order::AsWritten => "target by target, nothing interleaved",
        };
        facts.push(("repeats", format!("{}; {order}", review.repeats)));
    }
    if !run.resumed.is_empty() {
        let at: Vec<String> = run.resumed.iter().map(|at| show_moment(*at)).collect();
        facts.push(("stopped", format!("and gone on with at {}", at.join(", "))));
    }
    facts
}

/// Where the rule stopped the repeats, and where their greatest number did.
pub(in super::super) fn stops(sweep: &Sweep<'_>) -> Option<String> {
    let words = [
        (Step::Steady, "the rule stopped it"),
        (Step::Exhausted, "still scattering, the greatest number of repeats stopped it"),
        (Step::Again, "not ended"),
    ];
    let mut said = Vec::new();
    for (step, words) in words {
        let here: Vec<_> = sweep.stops.iter().filter(|(.., at)| *at == step).collect();
        let Some((setting, ..)) = here.first() else { continue };
        let counts = here.iter().map(|(_, repeats, _)| repeats);
        let (least, most) = (counts.clone().min().unwrap_or(&0), counts.max().unwrap_or(&0));
        let counts = if least == most { least.to_string() } else { format!("{least} to {most}") };
        let settings = match here.len() {
            1 => sweep.pattern.axes.show(*setting),
            count if count == sweep.stops.len() => "all settings".to_owned(),
            count => format!("{count} of {} settings", sweep.stops.len()),
        };
        said.push(format!("{settings}: {words} after {counts} repeats"));
    }
    (!said.is_empty()).then(|| said.join("; "))
}

/// The ratings of a sweep, those of one setting of the other axes together.
pub(in super::super) fn rated_alike<'r, 'a>(sweep: &'r Sweep<'a>) -> Vec<Vec<&'r Rated<'a>>> {
    let mut groups: Vec<Vec<&Rated<'_>>> = Vec::new();
    for rated in &sweep.ratings {
        let same = |group: &&mut Vec<&Rated<'_>>| {
            let (one, two) = (group[0].setting, rated.setting);
            (one.read, one.transfer_size) == (two.read, two.transfer_size)
        };
        match groups.iter_mut().find(same) {
            Some(group) => group.push(rated),
            None => groups.push(vec![rated]),
        }
    }
    groups
}

/// Each rating as its mean over repeats with its interval, and those that it is made of.
pub(super) fn ratings(sweep: &Sweep<'_>) -> Vec<(String, String)> {
    let line = |group: &Vec<&Rated<'_>>| {
        let rest = sweep.pattern.axes.show_rest(group[0].setting);
        let at = if rest.is_empty() { String::new() } else { format!("at {rest}: ") };
        ("rating".to_owned(), format!("{at}{}", rating(group)))
    };
    rated_alike(sweep).iter().map(line).collect()
}

/// `9,930 ± 120 (95 % by t, of 9,880; 9,960; 9,950): scheme; queue depths …`.
fn rating(group: &[&Rated<'_>]) -> String {
    let ratings: Vec<_> = group.iter().map(|rated| rated.rating.clone()).collect();
    let rated = group.iter().find_map(|one| Some((*one, one.rating.as_ref().ok()?)));
    let (Some(estimate), Some((one, whole))) = (over_repeats(&ratings), rated) else {
        let why = group.iter().find_map(|one| one.rating.as_ref().err());
        let why = why.map(ToString::to_string).unwrap_or_default();
        return format!("{why} (scheme: {})", group[0].scheme);
    };
    let values: Vec<String> =
        ratings.iter().flatten().map(|rating| Iops(rating.value).to_string()).collect();
    let error = match estimate.error {
        Some(error) => format!(" ± {} (95 % by t, of", Iops(error)),
        None => " (of".to_owned(),
    };
    let missing = match ratings.len() - values.len() {
        0 => String::new(),
        missing => format!("; {missing} repeats have none"),
    };
    format!(
        "{}{error} {}{missing}): {}",
        Iops(estimate.value),
        values.join("; "),
        terms(one, whole)
    )
}
