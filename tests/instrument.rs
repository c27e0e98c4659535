//! What benches/instrument decides, without counting: the ratchet, what it reads of the counts, and
//! that what it counts as turns are turns. Its program itself needs valgrind.

#![allow(clippy::unwrap_used, reason = "a test")]

mod common;
#[path = "../benches/instrument/ratchet.rs"]
mod ratchet;
#[path = "../benches/instrument/summary.rs"]
mod summary;

use std::cell::Cell;
use std::collections::BTreeMap;
use std::time::Duration;

use fathom::clock::Clock;
use fathom::dispatch::{Device, solo};
use fathom::engine::null::Null;
use fathom::unit::{Bytes, Tick};

use ratchet::Counts;

/// A clock that moves on by half a microsecond each time that it is read.
struct Counting(Cell<u64>);

impl Clock for Counting {
    fn now(&self) -> Tick {
        self.0.set(self.0.get() + 500);
        Tick::from_nanos(self.0.get())
    }
}

#[test]
fn a_longer_stretch_has_that_many_more_turns() {
    let ios = |depth, turns| {
        let mix = common::access(vec![common::line(4096, 80.0, 100.0)]);
        let mut point = common::point(Device::Null, Bytes(1 << 20), mix);
        point.queue_depth = common::depth(depth);
        point.times.run_time = Duration::from_micros(turns);
        let clock = Counting(Cell::new(0));
        solo(&mut Null::new(32), &clock, &point).unwrap().ios()
    };
    for (depth, short, long) in [(1, 10, 11), (32, 10, 1000)] {
        let more = ios(depth, long) - ios(depth, short);
        assert_eq!(more, depth * (long - short), "a turn takes two readings, depth {depth}");
    }
}

fn counts(toolchain: &str, cases: &[(&str, f64)]) -> Counts {
    let cases = cases.iter().map(|&(name, count)| (name.to_owned(), count)).collect();
    Counts { toolchain: toolchain.to_owned(), cases }
}

#[test]
fn a_ratchet_turns_one_way() {
    const RUSTC: &str = "rustc 1.95.0";
    // New counts, and how many faults and hints they make beside `a = 100`.
    type Case<'a> = (&'a str, &'a [(&'a str, f64)], usize, usize);
    let cases: [Case<'_>; 8] = [
        (RUSTC, &[("a", 100.0)], 0, 0),
        (RUSTC, &[("a", 102.9)], 0, 0),
        (RUSTC, &[("a", 103.1)], 1, 0),
        (RUSTC, &[("a", 96.9)], 0, 1),
        (RUSTC, &[], 1, 0),
        (RUSTC, &[("a", 100.0), ("b", 1.0)], 1, 0),
        ("rustc 1.96.0", &[("a", 109.0)], 0, 1),
        ("rustc 1.96.0", &[("a", 111.0)], 1, 1),
    ];
    for (toolchain, now, faults, hints) in cases {
        let comparison = counts(RUSTC, &[("a", 100.0)]).compare(&counts(toolchain, now));
        assert_eq!(comparison.faults().len(), faults, "{toolchain} {now:?}");
        assert_eq!(comparison.hints().len(), hints, "{toolchain} {now:?}");
    }
    let rose = counts(RUSTC, &[("a", 100.0)]).compare(&counts(RUSTC, &[("a", 105.0)]));
    insta::assert_snapshot!(format!("{}\n{}", rose.table(), rose.faults().join("\n")));
}

#[test]
fn a_ratchet_is_read_as_it_is_written() {
    let kept = counts("rustc 1.95.0, x86_64", &[("a", 12.5), ("b", 1000.0)]);
    assert_eq!(Counts::parse(&kept.write()).unwrap(), kept);
    let whole = Counts::parse("toolchain = \"x\"\n[instructions]\na = 3").unwrap();
    assert_eq!(whole, counts("x", &[("a", 3.0)]));
    let faults = [
        "",
        "toolchain = 1",
        "toolchain = \"x\"",
        "toolchain = \"x\"\n[instructions]\na = 0",
        "toolchain = \"x\"\n[instructions]\na = nan",
        "toolchain = \"x\"\n[instructions]\na = \"12\"",
        "[instructions",
    ];
    for text in faults {
        let fault = Counts::parse(text).unwrap_err().to_string();
        assert!(fault.contains("--accept"), "{text}: {fault}");
    }
}

#[test]
fn the_kept_ratchet_can_be_read() {
    let kept = Counts::parse(include_str!("../benches/ratchet.toml")).unwrap();
    assert!(kept.cases.contains_key("turn_at_depth_32"), "{kept:?}");
}

#[test]
fn a_count_is_the_difference_of_two_stretches() {
    let line = |id: &str, count: u64| {
        format!(
            r#"{{"function_name":"f","id":"{id}","profiles":[{{"data":{{"total":{{"metrics":{{"Ir":
            {{"values":{{"new":{count},"old":7}}}}}}}}}}}}]}}"#
        )
        .replace('\n', "")
    };
    let both = format!("{}\n{}\n", line("short", 1010), line("long", 3010));
    let counted = summary::per_repetition(&both, 10..30).unwrap();
    assert_eq!(counted, BTreeMap::from([("f".to_owned(), 100.0)]));
    for text in [line("short", 1010), "no JSON".to_owned(), "{}".to_owned()] {
        assert!(summary::per_repetition(&text, 10..30).is_err(), "{text}");
    }
}
