//! fathom as one of the tools: its command line, and the figures in its JSON document.
//!
//! Pure but for [`buffers`]. Tested in tests/peers.rs, against the program itself.

use std::path::Path;

use fathom::payload::{Needs, Payload};
use fathom::unit::{Seed, show_duration};
use serde_json::Value;

use crate::fault::Fault;
use crate::figures::{Figures, Metric};
use crate::load::{Place, Trial};

/// The words behind `fathom`; the run's record goes to `record`.
pub(crate) fn words(trial: &Trial, record: &Path) -> Vec<String> {
    let Trial { load, place, depth, phases } = trial;
    let mut words = vec!["run".to_owned(), load.word.clone()];
    let mut add = |key: &str, value: String| words.extend([key.to_owned(), value]);
    add("--queue-depths", depth.to_string());
    add("--run-time", show_duration(phases.run_time));
    add("--ramp-up", show_duration(phases.ramp_up));
    add("--format", "json".to_owned());
    add("--output", record.display().to_string());
    match place.target() {
        None => add("--target", "null:".to_owned()),
        Some(target) => {
            let path = target.path.display().to_string();
            match &target.destroy {
                // What fio has written there is no longer a file of fathom's own.
                Some(signatures) if load.access.writes() => {
                    add("--overwrite", path);
                    for found in signatures {
                        add("--destroy", found.clone());
                    }
                }
                _ => add("--target", path),
            }
            add("--size", target.size.get().to_string());
        }
    }
    if matches!(place, Place::Cached(_)) {
        words.push("--buffered".to_owned());
    }
    // Sizes that are raised would be another load than the other tools have.
    words.push("--strict-sizes".to_owned());
    words
}

/// The figures of a run of one point, and what its audit says against them.
///
/// # Errors
/// [`Fault::Answer`] where the document is none, or its point has no number.
pub(crate) fn read(text: &str) -> Result<(Figures, Vec<String>), Fault> {
    let fault = |why: String| Fault::Answer { tool: "fathom", why };
    let document: Value = serde_json::from_str(text).map_err(|error| fault(error.to_string()))?;
    let point = &document["points"][0];
    let marks = point["marks"].as_array().into_iter().flatten();
    let marks: Vec<String> = marks
        .filter(|mark| mark["verdict"] != "valid")
        .filter_map(|mark| Some(mark["text"].as_str()?.to_owned()))
        .collect();
    if point["status"] == "void" {
        return Err(fault(marks.join("; ")));
    }
    let number = |value: &Value, key: &str| {
        value.as_f64().ok_or_else(|| fault(format!("it has no {key} of its point")))
    };
    let ios = number(&point["ios"], "ios")?;
    let mut figures = Figures::from([(Metric::Iops, number(&point["iops"], "iops")?)]);
    if let Some(user) = point["cpu"]["user_s"].as_f64() {
        figures.insert(Metric::UserTime, user * 1e9 / ios.max(1.0));
    }
    if let Some(median) = point["latency_ns"]["p50"].as_f64() {
        figures.insert(Metric::Median, median);
    }
    Ok((figures, marks))
}

/// Bytes of the buffers of a run: made as its worker makes them.
///
/// # Errors
/// [`Fault::Buffers`] where there is no memory for them.
pub(crate) fn buffers(trial: &Trial) -> Result<u64, Fault> {
    let access = &trial.load.access;
    let payload = Payload::new(Needs {
        slots: trial.depth,
        largest: access.lines.iter().map(|line| line.size.get()).max().unwrap_or(0),
        writes: access.writes().then_some(access.data),
        seed: Seed(0),
    })?;
    Ok(payload.arena().length() as u64)
}
