//! An array must be whole and at rest from before a point to after it. One that rebuilds, checks
//! itself or lacks a disk does other work besides, or does the same work otherwise, and its number
//! is about that state.
//!
//! It is suspect also where the state is what was meant to be measured: the mark then says what
//! the number is about.

use super::Evidence;
use crate::host::{ArrayReading, ArrayState};
use crate::measure::{Mark, Rule, Verdict};

pub(super) fn judge(evidence: &Evidence<'_>) -> Option<Mark> {
    let mut names: Vec<&str> = Vec::new();
    for reading in evidence.arrays {
        let name = reading.array.name.as_str();
        if !names.contains(&name) {
            names.push(name);
        }
    }
    let faults: Vec<String> =
        names.into_iter().filter_map(|name| fault(name, evidence.arrays)).collect();
    (!faults.is_empty()).then(|| Mark {
        rule: Rule::Array,
        verdict: Verdict::Suspect,
        text: faults.join("; "),
    })
}

/// What was wrong with one array, and whether it was so all the time.
fn fault(name: &str, readings: &[ArrayReading]) -> Option<String> {
    let states: Vec<&ArrayState> =
        readings.iter().map(|reading| &reading.array).filter(|state| state.name == name).collect();
    let mut told: Vec<String> = Vec::new();
    for state in &states {
        for word in words(state) {
            if !told.contains(&word) {
                told.push(word);
            }
        }
    }
    if told.is_empty() {
        return None;
    }
    let first = states.first().is_some_and(|state| words(state).is_empty());
    let last = states.last().is_some_and(|state| words(state).is_empty());
    let when = match (first, last) {
        (true, true) => " for a while",
        (true, false) => " from some time on, not at the start",
        (false, true) => " at first, not at the end",
        (false, false) => "",
    };
    Some(format!("{name} {}{when}{}", told.join(", "), progress(&states)))
}

/// What keeps an array from being whole and at rest.
fn words(state: &ArrayState) -> Vec<String> {
    let fault = state.fault.as_ref().map(|fault| format!("was {fault}"));
    let missing = state.degraded.filter(|missing| *missing > 0).map(|missing| match missing {
        1 => "lacked 1 disk".to_owned(),
        n => format!("lacked {n} disks"),
    });
    let failed =
        (!state.failed.is_empty()).then(|| format!("had lost {}", state.failed.join(", ")));
    // Frozen is held at rest by hand.
    let busy = state.action.as_deref().filter(|action| !["idle", "frozen"].contains(action));
    let busy = busy.map(|action| format!("was busy with {action}"));
    [fault, missing, failed, busy].into_iter().flatten().collect()
}

/// How far it came, where that is known.
fn progress(states: &[&ArrayState]) -> String {
    let mut percents = states.iter().filter_map(|state| {
        let (done, all) = state.progress.filter(|(_, all)| *all > 0)?;
        Some(100.0 * done as f64 / all as f64)
    });
    match (percents.next(), percents.next_back()) {
        (Some(first), Some(last)) => format!(" ({first:.1} to {last:.1} % done)"),
        (Some(only), None) => format!(" ({only:.1} % done)"),
        _ => String::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::{evidence, good};
    use super::*;
    use crate::unit::Tick;

    fn state(action: Option<&str>, degraded: Option<u32>, done: Option<u64>) -> ArrayState {
        ArrayState {
            name: "md0".to_owned(),
            action: action.map(str::to_owned),
            degraded,
            progress: done.map(|done| (done, 200)),
            ..ArrayState::default()
        }
    }

    fn said(states: &[ArrayState]) -> Option<String> {
        let good = good();
        let readings: Vec<ArrayReading> = states
            .iter()
            .zip(0..)
            .map(|(array, at)| ArrayReading { at: Tick::from_nanos(at), array: array.clone() })
            .collect();
        judge(&Evidence { arrays: &readings, ..evidence(&good) }).map(|mark| mark.text)
    }

    #[test]
    fn an_array_at_rest_is_not_marked() {
        let (idle, frozen) =
            (state(Some("idle"), Some(0), None), state(Some("frozen"), Some(0), None));
        // A stripe has neither.
        let stripe = state(None, None, None);
        for states in [vec![], vec![idle.clone(), idle.clone()], vec![frozen], vec![stripe]] {
            assert_eq!(said(&states), None, "{states:?}");
        }
    }

    #[test]
    fn what_was_wrong_is_told_with_when() {
        let idle = || state(Some("idle"), Some(0), None);
        let resync = |done| state(Some("resync"), Some(0), Some(done));
        let lost =
            ArrayState { failed: vec!["sdb".to_owned()], ..state(Some("idle"), Some(1), None) };
        let broken = ArrayState { fault: Some("broken".to_owned()), ..state(None, None, None) };
        for (states, expected) in [
            (vec![resync(20), resync(40)], "md0 was busy with resync (10.0 to 20.0 % done)"),
            (
                vec![resync(190), idle(), idle()],
                "md0 was busy with resync at first, not at the end (95.0 % done)",
            ),
            (vec![idle(), resync(1), idle()], "md0 was busy with resync for a while (0.5 % done)"),
            (
                vec![idle(), lost],
                "md0 lacked 1 disk, had lost sdb from some time on, not at the start",
            ),
            (
                vec![state(Some("recover"), Some(2), None)],
                "md0 lacked 2 disks, was busy with recover",
            ),
            (vec![broken.clone(), broken], "md0 was broken"),
        ] {
            assert_eq!(said(&states).as_deref(), Some(expected));
        }
    }

    #[test]
    fn each_array_is_told() {
        let other = ArrayState { name: "md1".to_owned(), ..state(Some("check"), Some(0), None) };
        let text = said(&[state(Some("idle"), Some(1), None), other]).unwrap();
        assert_eq!(text, "md0 lacked 1 disk; md1 was busy with check");
    }
}
