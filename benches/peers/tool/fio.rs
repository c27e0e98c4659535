//! fio as one of the tools: a pattern in its words, and the figures in its JSON document.
//!
//! In two settings: as it comes, and the best that is known for it, which submits and reaps in
//! batches, registers file and buffers, and leaves out the two latencies that are not compared.
//! Both keep the latency from before submission, draw without a random map, and run in a thread. Pure;
//! tested in tests/peers.rs.

use std::path::Path;

use fathom::pattern::{Access, Line};
use fathom::unit::Percent;
use serde_json::Value;

use crate::fault::Fault;
use crate::figures::{Figures, Metric};
use crate::load::{Load, Place, Trial};

/// How fio is set.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Setting {
    /// Everything that makes it cheaper and keeps what is compared.
    Best,
    /// As it comes.
    Plain,
}

/// What both settings have.
const COMMON: [&str; 10] = [
    "--name=peers",
    "--thread",
    "--group_reporting",
    "--norandommap",
    "--randrepeat=0",
    "--lat_percentiles=1",
    "--clat_percentiles=0",
    "--unified_rw_reporting=1",
    "--output-format=json",
    "--time_based",
];

/// What the best setting adds with any engine.
const BATCHES: [&str; 4] = [
    "--iodepth_batch_submit=8",
    "--iodepth_batch_complete_min=1",
    "--iodepth_batch_complete_max=16",
    "--disable_slat=1",
];

/// And with a ring.
const REGISTERED: [&str; 2] = ["--fixedbufs", "--registerfiles"];

/// The words behind `fio`; its answer goes to the file `answer`.
///
/// # Errors
/// [`Fault::Pattern`] where the pattern has no equal in fio.
pub(crate) fn words(trial: &Trial, setting: Setting, answer: &Path) -> Result<Vec<String>, Fault> {
    let Trial { load, place, depth, phases } = trial;
    let mut words: Vec<String> = COMMON.map(str::to_owned).into();
    words.extend(mix(load)?);
    words.push(format!("--iodepth={depth}"));
    words.push(format!("--runtime={}ms", phases.run_time.as_millis()));
    words.push(format!("--ramp_time={}ms", phases.ramp_up.as_millis()));
    words.push(format!("--output={}", answer.display()));
    if setting == Setting::Best {
        words.extend(BATCHES.map(str::to_owned));
    }
    match place.target() {
        None => words.extend(["--ioengine=null", "--size=1T"].map(str::to_owned)),
        Some(target) => {
            words.push("--ioengine=io_uring".to_owned());
            words.push(format!("--filename={}", escaped(&target.path)));
            words.push(format!("--size={}", target.size.get()));
            if setting == Setting::Best {
                words.extend(REGISTERED.map(str::to_owned));
            }
        }
    }
    words.extend(match place {
        Place::Null => Vec::new(),
        Place::Cached(_) => vec!["--direct=0".to_owned(), "--invalidate=0".to_owned()],
        Place::Direct(_) => vec!["--direct=1".to_owned()],
    });
    Ok(words)
}

/// A path as fio wants it: it takes a colon for the end of a name.
fn escaped(path: &Path) -> String {
    path.display().to_string().replace('\\', "\\\\").replace(':', "\\:")
}

/// A pattern's mix in fio's words.
///
/// # Errors
/// [`Fault::Pattern`] where it has none.
pub(crate) fn mix(load: &Load) -> Result<Vec<String>, Fault> {
    let fault = |why: &str| Fault::Pattern { name: load.word.clone(), why: why.to_owned() };
    let Access { lines, .. } = &load.access;
    let first = lines.first().ok_or_else(|| fault("it has no lines"))?;
    let alike = |line: &Line| (line.read, line.random) == (first.read, first.random);
    if !lines.iter().all(alike) {
        return Err(fault("fio has one share of reads and of random requests for all sizes"));
    }
    if lines.iter().any(|line| line.burst > 1 || !line.delay.is_zero()) {
        return Err(fault("fio has no bursts like these"));
    }
    let random = match whole(first.random) {
        Some(100) => "rand",
        Some(0) => "",
        _ => return Err(fault("fio is random by another rule where only a part is")),
    };
    let direction = match whole(first.read) {
        Some(100) => vec![format!("--rw={random}read")],
        Some(0) => vec![format!("--rw={random}write")],
        Some(read) => {
            let both = if random.is_empty() { "rw" } else { "randrw" };
            vec![format!("--rw={both}"), format!("--rwmixread={read}")]
        }
        None => return Err(fault("fio has whole percents only")),
    };
    let split = |line: &Line| Some(format!("{}/{}", line.size.get(), whole(line.share)?));
    let split: Option<Vec<String>> = lines.iter().map(split).collect();
    let split = split.ok_or_else(|| fault("fio has whole percents only"))?;
    let sizes = match lines.as_slice() {
        [line] => format!("--bs={}", line.size.get()),
        _ => format!("--bssplit={}", split.join(":")),
    };
    Ok(direction.into_iter().chain([sizes]).collect())
}

/// A percentage without decimals.
fn whole(percent: Percent) -> Option<u16> {
    let hundredths = percent.hundredths();
    hundredths.is_multiple_of(100).then_some(hundredths / 100)
}

/// The figures of a run of one job.
///
/// # Errors
/// [`Fault::Answer`] where the text is not fio's, or its job failed.
pub(crate) fn read(text: &str) -> Result<Figures, Fault> {
    let fault = |why: String| Fault::Answer { tool: "fio", why };
    // Warnings may stand before the document.
    let start = text.find('{').ok_or_else(|| fault("it wrote no JSON".to_owned()))?;
    let document: Value =
        serde_json::from_str(&text[start..]).map_err(|error| fault(error.to_string()))?;
    let job = &document["jobs"][0];
    let number = |pointer: &str| {
        job.pointer(pointer)
            .and_then(Value::as_f64)
            .ok_or_else(|| fault(format!("its job has no {pointer}")))
    };
    let error = number("/error")?;
    if error != 0.0 {
        return Err(fault(format!("its job failed with errno {error}")));
    }
    let ios = number("/mixed/total_ios")?;
    // A share of the time that one processor had, in percent.
    let user_ns = number("/usr_cpu")? / 100.0 * number("/job_runtime")? * 1e6;
    Ok(Figures::from([
        (Metric::Iops, number("/mixed/iops")?),
        (Metric::UserTime, user_ns / ios.max(1.0)),
        (Metric::Median, number("/mixed/lat_ns/percentile/50.000000")?),
    ]))
}
