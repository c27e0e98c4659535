//! `cargo bench --bench instrument`: instructions of the inner loop, held to benches/ratchet.toml.
//!
//! Callgrind counts what [`counted`] names, gungraun runs it, [`summary`] reads its answer and
//! [`ratchet`] compares. Counts are the same on a busy machine and on an idle one, so that a rise
//! is somebody's change and nothing else. With `--accept` the new counts are kept. Needs valgrind,
//! and gungraun-runner of the same version as the library; .ci/run gets both.

#![allow(clippy::print_stdout, clippy::print_stderr, reason = "a program that prints its result")]

mod counted;
mod ratchet;
mod summary;

use std::env;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Stdio};

use thiserror::Error;

use ratchet::{Counts, RatchetError};
use summary::SummaryError;

/// Set for the program that is to be gungraun's own, as this one starts it.
const COUNTING: &str = "FATHOM_INSTRUMENT_COUNTS";

/// What keeps a count from being made or held.
#[derive(Debug, Error)]
enum Fault {
    #[error("`{0}` is not understood: --accept keeps the new counts, and there is nothing else")]
    Word(String),
    #[error("valgrind can't be started: {0}; install it: apt install valgrind")]
    Valgrind(io::Error),
    #[error("can't start {what}: {reason}")]
    Start { what: &'static str, reason: io::Error },
    #[error(
        "counting failed ({0}); if it is gungraun-runner that is missing or of another version: \
         cargo install --locked gungraun-runner@VERSION, with gungraun's version in Cargo.lock"
    )]
    Counting(std::process::ExitStatus),
    #[error(transparent)]
    Summary(#[from] SummaryError),
    #[error("{}: {reason}; --accept writes it", .path.display())]
    File { path: PathBuf, reason: io::Error },
    #[error(transparent)]
    Ratchet(#[from] RatchetError),
    #[error("{}", .0.join("\nerror: "))]
    Held(Vec<String>),
}

fn main() -> ExitCode {
    let words: Vec<String> = env::args().skip(1).collect();
    // Callgrind runs this program for each count; what starts the runner is this program too.
    if env::var_os(COUNTING).is_some() || words.first().is_some_and(|w| w == "--gungraun-run") {
        counted::run();
        return ExitCode::SUCCESS;
    }
    match held(&words) {
        Ok(()) => ExitCode::SUCCESS,
        Err(fault) => {
            eprintln!("error: {fault}");
            ExitCode::FAILURE
        }
    }
}

/// Counts, and holds the counts to the kept ones or keeps them.
fn held(words: &[String]) -> Result<(), Fault> {
    // Cargo adds `--bench` by itself.
    let mut words = words.iter().filter(|word| *word != "--bench").peekable();
    let accept = words.next_if(|word| *word == "--accept").is_some();
    if let Some(word) = words.next() {
        return Err(Fault::Word(word.clone()));
    }
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("benches/ratchet.toml");
    let now = count()?;
    let file = |reason| Fault::File { path: path.clone(), reason };
    if accept {
        fs::write(&path, now.write()).map_err(file)?;
        println!("{}kept in {}", now.compare(&now).table(), path.display());
        return Ok(());
    }
    let kept = Counts::parse(&fs::read_to_string(&path).map_err(file)?)?;
    let comparison = kept.compare(&now);
    print!("{}", comparison.table());
    for hint in comparison.hints() {
        println!("note: {hint}");
    }
    let faults = comparison.faults();
    if faults.is_empty() { Ok(()) } else { Err(Fault::Held(faults)) }
}

/// Counts every case twice, over a short and a long stretch: the difference is what repeats.
fn count() -> Result<Counts, Fault> {
    let valgrind = Command::new("valgrind").arg("--version").stdout(Stdio::null()).status();
    valgrind.map_err(Fault::Valgrind)?;
    let start = |reason| Fault::Start { what: "the count", reason };
    let output = Command::new(env::current_exe().map_err(start)?)
        // Without this word, which cargo gives too, the runner only tries whether all is well.
        .arg("--bench")
        .env(COUNTING, "1")
        .env("GUNGRAUN_OUTPUT_FORMAT", "json")
        // Some containers forbid to switch it off, and instructions are counted, not addresses.
        .env("GUNGRAUN_ALLOW_ASLR", "yes")
        .stderr(Stdio::inherit())
        .output()
        .map_err(start)?;
    if !output.status.success() {
        return Err(Fault::Counting(output.status));
    }
    let text = String::from_utf8_lossy(&output.stdout);
    let cases = summary::per_repetition(&text, counted::SHORT..counted::LONG)?;
    Ok(Counts { toolchain: toolchain()?, cases })
}

/// `rustc 1.95.0 (59807616e 2026-04-14), x86_64`.
fn toolchain() -> Result<String, Fault> {
    let start = |reason| Fault::Start { what: "rustc", reason };
    let output = Command::new("rustc").arg("--version").output().map_err(start)?;
    let version = String::from_utf8_lossy(&output.stdout);
    Ok(format!("{}, {}", version.trim(), env::consts::ARCH))
}
