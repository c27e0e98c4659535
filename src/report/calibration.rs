//! What the tool itself costs, as a person and as a program reads it.
//!
//! It shows the dispatcher's figures and computes none. Tested by snapshots.

use serde::Serialize;
use tabled::builder::Builder;
use tabled::settings::object::Columns;
use tabled::settings::{Alignment, Padding, Style};

use super::patterns::{trimmed, wrapped};
use super::words;
use crate::host::{self, ClockSource};
use crate::measure::{self, Calibration, RoundTrip};
use crate::record::v1::{Environment, Figure, Instrument};
use crate::unit::{Iops, Latency, QueueDepth};

/// The version of the document's keys.
const SCHEMA: u32 = 1;

/// What the rows mean.
const WORDS: &str = "A turn draws one request of the File Server pattern, stamps its payload, \
    submits it, takes it back and accounts for it; IOPS are those of one worker. A NOP goes \
    through the kernel and does nothing there; all of a turn are handed over at once and waited \
    for together. None of this is taken off any result.";

/// The figures with their spread, in 80 columns.
pub fn table(found: &Calibration, machine: &host::Environment, clock: &ClockSource) -> String {
    let mut lines = vec![fact("machine", &words::machine(machine)), fact("clock", &source(clock))];
    lines.extend(clock.warning().map(|warning| fact("NOTE", &warning)));
    if let Err(reason) = &found.nops {
        lines.push(fact("NOTE", &format!("no NOPs: {reason}")));
    }
    let rounds = format!("Medians of {} rounds, with the least and the greatest. ", found.rounds);
    lines.extend([String::new(), rows(found), String::new(), wrapped(&(rounds + WORDS), 0)]);
    lines.join("\n")
}

fn fact(name: &str, fact: &str) -> String {
    const INDENT: usize = 9;
    format!("{name:<INDENT$}{}", wrapped(fact, INDENT))
}

/// The clock by the kernel's own account.
fn source(clock: &ClockSource) -> String {
    let name = clock.name.as_deref().unwrap_or("of an unknown source");
    let nanos = u64::try_from(clock.resolution.as_nanos()).unwrap_or(u64::MAX);
    format!("{name}; the kernel gives its resolution as {}", Latency(nanos))
}

fn rows(found: &Calibration) -> String {
    let instrument = &found.instrument;
    let mut rows = Builder::default();
    rows.push_record(["", "median", "least", "most"]);
    let mut add = |name: String, figure: measure::Figure, shown: fn(f64) -> String| {
        rows.push_record([name, shown(figure.median), shown(figure.least), shown(figure.most)]);
    };
    add("clock, smallest step".into(), instrument.clock_step_ns, words::nanos);
    add("clock, one reading".into(), instrument.clock_reading_ns, words::nanos);
    add("null engine, a turn at depth 1".into(), instrument.turn_ns, words::nanos);
    add("null engine, IOPS at depth 32".into(), instrument.ceiling_iops, |iops| {
        Iops(iops).to_string()
    });
    for trip in found.nops.iter().flatten() {
        let depth = trip.queue_depth;
        add(format!("io_uring, a NOP at depth {depth}"), trip.each_ns(), words::nanos);
        if depth > QueueDepth::ONE {
            add(format!("io_uring, a turn at depth {depth}"), trip.turn_ns, words::nanos);
        }
    }
    if found.nops.is_err() {
        rows.push_record(["io_uring", "refused", "", ""]);
    }
    let mut table = rows.build();
    table.with(Style::empty()).with(Padding::new(0, 2, 0, 0));
    table.modify(Columns::new(1..), Alignment::right());
    trimmed(&table.to_string())
}

/// The same as one JSON document.
pub fn json(found: &Calibration, machine: &host::Environment, clock: &ClockSource) -> String {
    let trips = found.nops.as_ref();
    let document = Document {
        schema: SCHEMA,
        tool: Tool { name: "fathom", version: env!("CARGO_PKG_VERSION") },
        environment: machine.into(),
        clock: Clock {
            source: clock.name.as_deref(),
            available: &clock.available,
            resolution_ns: u64::try_from(clock.resolution.as_nanos()).unwrap_or(u64::MAX),
            warning: clock.warning(),
        },
        rounds: found.rounds,
        instrument: found.instrument.into(),
        io_uring_nop: trips.ok().map(|trips| trips.iter().map(NopPart::from).collect()),
        io_uring_refused: trips.err().map(String::as_str),
    };
    // Numbers and strings always have a form in JSON.
    serde_json::to_string_pretty(&document).unwrap_or_default()
}

#[derive(Serialize)]
struct Document<'a> {
    schema: u32,
    tool: Tool,
    environment: Environment,
    clock: Clock<'a>,
    rounds: u32,
    instrument: Instrument,
    io_uring_nop: Option<Vec<NopPart>>,
    io_uring_refused: Option<&'a str>,
}

#[derive(Serialize)]
struct Tool {
    name: &'static str,
    version: &'static str,
}

#[derive(Serialize)]
struct Clock<'a> {
    source: Option<&'a str>,
    available: &'a [String],
    resolution_ns: u64,
    warning: Option<String>,
}

#[derive(Serialize)]
struct NopPart {
    queue_depth: u16,
    nop_ns: Figure,
    turn_ns: Figure,
}

impl From<&RoundTrip> for NopPart {
    fn from(trip: &RoundTrip) -> Self {
        Self {
            queue_depth: trip.queue_depth.get(),
            nop_ns: trip.each_ns().into(),
            turn_ns: trip.turn_ns.into(),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::super::patterns::WIDTH;
    use super::*;
    use crate::measure::Figure;

    fn figure(median: f64) -> Figure {
        Figure { median, least: median * 0.9, most: median * 1.5 }
    }

    fn calibration() -> Calibration {
        let trip = |(depth, ns): (u64, f64)| RoundTrip {
            queue_depth: QueueDepth::try_from(depth).unwrap(),
            turn_ns: figure(ns),
        };
        Calibration {
            instrument: measure::Instrument {
                clock_step_ns: figure(20.0),
                clock_reading_ns: figure(24.68),
                turn_ns: figure(103.0),
                ceiling_iops: figure(19_812_345.6),
            },
            nops: Ok([(1, 481.0), (32, 2_752.0), (256, 19_212.8)].map(trip).to_vec()),
            rounds: 9,
        }
    }

    fn shown(found: &Calibration, clock: &ClockSource) -> String {
        let machine = host::Environment {
            kernel: "6.1.0-18-amd64".to_owned(),
            cpu_model: Some("Some CPU @ 2 GHz".to_owned()),
            cpus: 8,
            ..host::Environment::default()
        };
        let table = table(found, &machine, clock);
        assert!(table.lines().all(|line| line.chars().count() <= WIDTH), "{table}");
        let document: serde_json::Value =
            serde_json::from_str(&json(found, &machine, clock)).unwrap();
        format!("{table}\n\n{document:#}")
    }

    #[test]
    fn every_figure_has_its_spread() {
        let clock = ClockSource {
            name: Some("tsc".to_owned()),
            available: vec!["tsc".to_owned(), "hpet".to_owned()],
            resolution: Duration::from_nanos(1),
        };
        insta::assert_snapshot!(shown(&calibration(), &clock));
    }

    #[test]
    fn what_is_missing_is_said() {
        let clock = ClockSource {
            name: Some("hpet".to_owned()),
            available: vec!["hpet".to_owned()],
            resolution: Duration::from_nanos(70),
        };
        let refused = Calibration {
            nops: Err("io_uring is disabled by the sysctl kernel.io_uring_disabled=2".to_owned()),
            ..calibration()
        };
        insta::assert_snapshot!(shown(&refused, &clock));
    }
}
