//! `cargo bench --bench peers -- FILE_OR_DEVICE`: fathom beside fio, in turns, as a table.
//!
//! [`arguments`] says what is asked, [`plan`] what is run for it and which bars it is held to,
//! [`session`] runs one tool once, [`tool`] knows the words and answers of each, [`ratio`] what the
//! pairs say, and [`table`] shows it. fathom is the program that cargo
//! builds with this one; fio is the one on the path. Nothing here is a test: the figures are those
//! of the machine, and a bar that is not reached ends in success. What is pure is tested in
//! tests/peers.rs.

#![allow(clippy::print_stdout, clippy::print_stderr, reason = "a program that prints its result")]

mod arguments;
mod fault;
mod figures;
mod load;
mod plan;
mod ratio;
mod session;
mod table;
mod target;
mod tool;

use std::collections::BTreeMap;
use std::fs;
use std::process::{Command, ExitCode};

use clap::Parser;
use fathom::clock::time_of_day;
use fathom::host::Environment;
use fathom::unit::{show_duration, show_moment};

use arguments::{Arguments, Part};
use fault::Fault;
use load::{Load, Phases, Place, Target, Trial};
use plan::{Plan, Tools};
use session::Session;
use table::{Look, Rounds};
use target::Cached;
use tool::Tool;

/// Requests whose buffers take a while to make.
const LARGE: &str = "\
title = \"Random Read 64K\"
read = 100
random = 100
access = [{ size = \"64 KiB\" }]
";

fn main() -> ExitCode {
    match compare(&Arguments::parse()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(fault) => {
            eprintln!("error: {fault}");
            ExitCode::FAILURE
        }
    }
}

fn compare(arguments: &Arguments) -> Result<(), Fault> {
    let fio = fio_version()?;
    let session = Session::new(arguments.t_io_uring.as_deref())?;
    let named = match &arguments.target {
        Some(path) => Some(target::named(path, arguments.size)?),
        None => None,
    };
    let reads_cache = arguments.has(Part::Cached) || arguments.has(Part::Start);
    let cached = if reads_cache { Some(Cached::new()?) } else { None };
    let cached = cached.as_ref().map(|(_, target)| target);
    let plan = planned(arguments, &session, cached, named)?;
    let results = run(&plan, &session, arguments.pairs)?;
    show(arguments, &head(arguments, &fio), &plan, &results);
    Ok(())
}

/// Prints the table, what it was made with above it and how its figures are got below.
fn show(arguments: &Arguments, head: &[String], plan: &Plan, results: &[Rounds]) {
    let (look, bullet) =
        if arguments.markdown { (Look::Markdown, "- ") } else { (Look::Terminal, "") };
    let text = |lines: &[String]| {
        lines.iter().map(|line| format!("{bullet}{line}")).collect::<Vec<_>>().join("\n")
    };
    let table = table::table(plan, results, look);
    println!("{}\n\n{table}\n\n{}", text(head), text(&table::legend(plan)));
}

/// What is run, in order.
fn planned(
    arguments: &Arguments,
    session: &Session,
    cached: Option<&Target>,
    named: Option<Target>,
) -> Result<Plan, Fault> {
    let phases = Phases { ramp_up: arguments.ramp_up, run_time: arguments.run_time };
    let mut plan = Plan::default();
    if arguments.has(Part::Null) {
        plan.null(&Load::named("file-server")?, phases);
    }
    if let Some(target) = cached.filter(|_| arguments.has(Part::Cached)) {
        plan.cached(&Load::named("random-read-4k")?, Place::Cached(target.clone()), phases);
    }
    if let Some(target) = cached.filter(|_| arguments.has(Part::Start)) {
        let file = session.file("large.toml");
        fs::write(&file, LARGE).map_err(Fault::file(&file))?;
        let large = Load::named(&file.display().to_string())?;
        plan.start(&large, Place::Cached(target.clone()));
    }
    if let Some(target) = named.filter(|_| arguments.has(Part::Target)) {
        let load = Load::named(&arguments.pattern)?;
        // What fio can't do is found out before anything has run.
        tool::fio::mix(&load)?;
        let destroy = consent(arguments, &load)?;
        let place = Place::Direct(Target { destroy, ..target });
        let trial = |depth| Trial { load: load.clone(), place: place.clone(), depth, phases };
        let with = match arguments.t_io_uring {
            Some(_) => Tools::AndTIoUring,
            None => Tools::FioOnly,
        };
        plan.direct(arguments.depths()?.into_iter().map(trial).collect(), with);
    }
    Ok(plan)
}

/// Leave to overwrite the target, where the pattern needs it.
fn consent(arguments: &Arguments, load: &Load) -> Result<Option<Vec<String>>, Fault> {
    match (load.access.writes(), arguments.overwrite) {
        (false, _) => Ok(None),
        (true, true) => Ok(Some(arguments.destroy.clone())),
        (true, false) => Err(Fault::Asked(format!(
            "{} writes: --overwrite lets it DESTROY what is on the target",
            load.word
        ))),
    }
}

/// Runs every trial, pair by pair.
fn run(plan: &Plan, session: &Session, pairs: u16) -> Result<Vec<Rounds>, Fault> {
    let per_pair: usize = plan.trials.iter().map(|(_, tools)| tools.len()).sum();
    let mut progress = Progress { done: 0, all: per_pair * usize::from(pairs) };
    let mut results = Vec::new();
    for (trial, tools) in &plan.trials {
        let mut rounds = Rounds::new();
        for pair in 0..pairs {
            let mut order = tools.clone();
            // The first of the first pair is fathom, which looks whether the target may be used
            // before another tool does.
            if pair % 2 == 1 {
                order.reverse();
            }
            let mut round = BTreeMap::new();
            for tool in order {
                progress.begin(trial, tool, pair + 1);
                let (figures, marks) = session.measure(tool, trial)?;
                progress.marked(trial, &marks);
                round.insert(tool, figures);
            }
            rounds.push(round);
        }
        results.push(rounds);
    }
    Ok(results)
}

/// How far it is, on standard error.
struct Progress {
    done: usize,
    all: usize,
}

impl Progress {
    fn begin(&mut self, trial: &Trial, tool: Tool, pair: u16) {
        self.done += 1;
        let (Self { done, all }, Trial { place, depth, .. }) = (self, trial);
        eprintln!("{done:>4}/{all}  {place}, depth {depth}, pair {pair}: {tool}");
    }

    /// What speaks against a run. Of the page cache it is known that no device answers.
    fn marked(&self, trial: &Trial, marks: &[String]) {
        if matches!(trial.place, Place::Direct(_)) {
            for mark in marks {
                eprintln!("{:>4}/{}  fathom marks: {mark}", self.done, self.all);
            }
        }
    }
}

/// What the table was made with.
fn head(arguments: &Arguments, fio: &str) -> Vec<String> {
    let machine = Environment::now();
    let cpu = machine.cpu_model.as_deref().unwrap_or("an unknown processor");
    let mut head = vec![
        format!(
            "fathom {} beside {fio}, {}",
            env!("CARGO_PKG_VERSION"),
            show_moment(time_of_day())
        ),
        format!("Linux {}, {cpu}, {} CPUs", machine.kernel, machine.cpus),
        format!(
            "{} pairs of {} after {}; medians, and ratios of the pairs",
            arguments.pairs,
            show_duration(arguments.run_time),
            show_duration(arguments.ramp_up)
        ),
    ];
    if let Some(target) = &arguments.target {
        head.push(format!("{} on {}", arguments.pattern, target.display()));
    }
    head
}

/// The installed fio's name for itself: `fio-3.33`.
fn fio_version() -> Result<String, Fault> {
    let output = Command::new("fio").arg("--version").output().map_err(Fault::NoFio)?;
    Ok(String::from_utf8_lossy(&output.stdout).trim().to_owned())
}
