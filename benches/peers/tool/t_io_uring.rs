//! fio's `t/io_uring` as one of the tools: the least that a loop on a ring can do.
//!
//! It keeps no latency, reads only, and in one size; elsewhere it has no figure. It is built with
//! fio's sources and in no package, so its path is given. Pure; tested in tests/peers.rs.

use fathom::unit::Percent;

use crate::fault::Fault;
use crate::figures::{Figures, Metric};
use crate::load::{Place, Trial};

/// Whether the program can do a trial.
pub(crate) fn can(trial: &Trial) -> bool {
    let [line] = trial.load.access.lines.as_slice() else { return false };
    let random = [0.0, 100.0].contains(&line.random.value());
    matches!(trial.place, Place::Direct(_)) && line.read == Percent::HUNDRED && random
}

/// Whole seconds of ramp-up and of all, for a program that counts in these. It never tells the
/// last second.
fn seconds(trial: &Trial) -> (usize, usize) {
    let whole = |seconds: f64| {
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "phases are above zero and a few days at most"
        )]
        let whole = seconds.ceil() as usize;
        whole
    };
    let ramp_up = whole(trial.phases.ramp_up.as_secs_f64());
    (ramp_up, ramp_up + whole(trial.phases.run_time.as_secs_f64()) + 1)
}

/// The words behind the program's name.
pub(crate) fn words(trial: &Trial) -> Vec<String> {
    let line = &trial.load.access.lines[0];
    let random = u8::from(line.random == Percent::HUNDRED);
    let options = [
        format!("-d{}", trial.depth),
        format!("-s{}", trial.depth.min(8)),
        "-c1".to_owned(),
        format!("-b{}", line.size.get()),
        "-p0".to_owned(),
        "-B1".to_owned(),
        "-F1".to_owned(),
        "-n1".to_owned(),
        "-O1".to_owned(),
        format!("-R{random}"),
        format!("-r{}", seconds(trial).1),
    ];
    let path = trial.place.target().map(|target| target.path.display().to_string());
    options.into_iter().chain(path).collect()
}

/// The mean of the seconds after the ramp-up.
///
/// # Errors
/// [`Fault::Answer`] where there are none.
pub(crate) fn read(text: &str, trial: &Trial) -> Result<Figures, Fault> {
    let seconds: Vec<f64> = text.lines().filter_map(iops).skip(seconds(trial).0).collect();
    let mean = fathom::stats::mean(&seconds).ok_or_else(|| Fault::Answer {
        tool: "t/io_uring",
        why: "it told no second after the ramp-up".to_owned(),
    })?;
    Ok(Figures::from([(Metric::Iops, mean)]))
}

/// `IOPS=1.23M, BW=…`.
fn iops(line: &str) -> Option<f64> {
    let (number, _) = line.strip_prefix("IOPS=")?.split_once(',')?;
    let (digits, unit) = match number.strip_suffix(['K', 'M']) {
        Some(digits) if number.ends_with('M') => (digits, 1e6),
        Some(digits) => (digits, 1e3),
        None => (number, 1.0),
    };
    Some(digits.parse::<f64>().ok()? * unit)
}
