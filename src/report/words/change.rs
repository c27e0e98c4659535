//! What of machine and devices changed while a run was under way, as one sentence.

use crate::record::{Difference, Run};

/// The most changes that are told one by one: a disk that is gone is one, and behind it are few.
const TOLD: usize = 6;

/// What of machine and devices was not at the end what it was at the start.
pub(super) fn changed(run: &Run) -> Option<String> {
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

#[cfg(test)]
mod tests {
    use super::super::head;
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
