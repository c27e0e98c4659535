//! What benches/peers decides and reads, without running it: its program needs fio and an idle
//! machine. What is pure in it is taken in here by its path; fathom's own answer is read from the
//! program itself.

#![allow(clippy::unwrap_used, dead_code, reason = "a test, which uses a part of what it takes in")]

#[path = "../benches/peers/fault.rs"]
mod fault;
#[path = "../benches/peers/figures.rs"]
mod figures;
#[path = "../benches/peers/load.rs"]
mod load;
#[path = "../benches/peers/plan.rs"]
mod plan;
#[path = "../benches/peers/ratio.rs"]
mod ratio;
#[path = "../benches/peers/table.rs"]
mod table;
#[path = "../benches/peers/tool/mod.rs"]
mod tool;

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use ::fathom::unit::Bytes;

use figures::{Figures, Metric};
use load::{Load, Phases, Place, Target, Trial};
use plan::{Plan, Tools};
use ratio::{Bar, Interval, Verdict, median};
use table::Look;
use tool::Tool;
use tool::fio::Setting::{Best, Plain};

const PHASES: Phases =
    Phases { ramp_up: Duration::from_millis(500), run_time: Duration::from_secs(2) };

fn file() -> Place {
    Place::Direct(Target {
        path: PathBuf::from("/srv/a:b"),
        size: Bytes(1 << 30),
        device: Some("sda".to_owned()),
        destroy: Some(vec!["data".to_owned()]),
    })
}

fn trial(pattern: &str, place: Place, depth: u16) -> Trial {
    Trial { load: Load::named(pattern).unwrap(), place, depth, phases: PHASES }
}

#[test]
fn a_ratio_is_that_of_its_pairs() {
    let ratio = Interval::of_ratio(&[(2.0, 1.0), (1.0, 2.0)]).unwrap();
    assert!((ratio.value - 1.0).abs() < 1e-12, "two and a half make one: {ratio}");
    assert_eq!(Interval::of_ratio(&[(3.0, 2.0)]), Some(Interval { value: 1.5, ends: None }));
    assert_eq!(Interval::of_ratio(&[]), None);
    assert_eq!(Interval::of_ratio(&[(1.0, 0.0)]), None, "nothing has no ratio");
    // l = np.log([1.1, 1.2, 1.3]); h = t.ppf(.975, 2) * l.std(ddof=1) / np.sqrt(3)
    // np.exp([l.mean(), l.mean() - h, l.mean() + h])
    let ratio = Interval::of_ratio(&[(1.1, 1.0), (2.4, 2.0), (3.9, 3.0)]).unwrap();
    assert_eq!(ratio.to_string(), "1.20 (0.973 to 1.47)");
    assert_eq!(median(&[3.0, 1.0, 2.0]), Some(2.0));
    assert_eq!(median(&[4.0, 1.0, 2.0, 3.0]), Some(2.5));
    assert_eq!(median(&[]), None);
}

#[test]
fn a_bar_is_reached_by_a_whole_interval() {
    use Verdict::{No, Undecided, Yes};
    let keeps_up = Bar::NotBelow { floor: 0.97, half_width: 0.05 };
    let cases = [
        (Bar::AtLeast(10.0), Some((10.0, 12.0)), Yes),
        (Bar::AtLeast(10.0), Some((9.0, 12.0)), Undecided),
        (Bar::AtLeast(10.0), Some((8.0, 9.9)), No),
        (Bar::AtLeast(10.0), None, Undecided),
        (Bar::AtMost(0.25), Some((0.1, 0.25)), Yes),
        (Bar::AtMost(0.25), Some((0.2, 0.3)), Undecided),
        (Bar::AtMost(0.25), Some((0.26, 0.3)), No),
        (keeps_up, Some((0.95, 0.98)), Yes),
        (keeps_up, Some((0.94, 0.96)), No),
        (keeps_up, Some((0.80, 1.2)), Undecided),
        (keeps_up, Some((0.50, 0.9)), No),
    ];
    for (bar, ends, expected) in cases {
        let value = ends.map_or(1.0, |(low, high)| f64::midpoint(low, high));
        assert_eq!(bar.judge(&Interval { value, ends }), expected, "{bar:?} {ends:?}");
    }
}

#[test]
fn fio_is_asked_for_the_same() {
    let words = |trial: &Trial, setting| {
        tool::fio::words(trial, setting, Path::new("/tmp/answer")).unwrap().join("\n")
    };
    insta::assert_snapshot!(words(&trial("file-server", Place::Null, 32), Best));
    insta::assert_snapshot!(words(&trial("random-read-4k", file(), 1), Plain));
    assert!(words(&trial("random-read-4k", file(), 1), Best).contains("--registerfiles"));
    let mixes = [
        ("streaming-read", "--rw=read"),
        ("streaming-write", "--rw=write"),
        ("database", "--rw=randrw --rwmixread=67"),
        ("random-write-4k", "--rw=randwrite"),
    ];
    for (pattern, start) in mixes {
        let mix = tool::fio::mix(&Load::named(pattern).unwrap()).unwrap().join(" ");
        assert!(mix.starts_with(start), "{pattern}: {mix}");
    }
    for pattern in ["workstation", "vmware-real-life"] {
        assert!(tool::fio::mix(&Load::named(pattern).unwrap()).is_err(), "{pattern}");
    }
}

#[test]
fn the_answer_of_fio_is_read() {
    // From fio 3.33, cut to what is read.
    let job = r#"{ "error": 0, "usr_cpu": 61.95, "job_runtime": 2000, "mixed": { "iops": 455602.2,
        "total_ios": 911660, "lat_ns": { "percentile": { "50.000000": 660 } } } }"#;
    let figures = tool::fio::read(&format!("fio: a note\n{{ \"jobs\": [{job}] }}")).unwrap();
    let user = 0.6195 * 2e9 / 911_660.0;
    assert!((figures[&Metric::UserTime] - user).abs() < 1e-6, "{figures:?}");
    assert_eq!((figures[&Metric::Iops], figures[&Metric::Median]), (455_602.2, 660.0));
    let broken = job.replace("\"error\": 0", "\"error\": 5");
    for text in ["", "no job", "{}", &format!("{{ \"jobs\": [{broken}] }}")] {
        assert!(tool::fio::read(text).is_err(), "{text}");
    }
}

#[test]
fn the_answer_of_t_io_uring_is_read() {
    let said = "submitter=0, tid=1, file=x\nIOPS=90000, BW=351MiB/s, IOS/call=1/1\n\
                IOPS=150.50K, BW=1GiB/s, IOS/call=1/1\nIOPS=1.25M, BW=4GiB/s, IOS/call=8/8\n\
                Exiting on timeout\nMaximum IOPS=1.25M\n";
    let trial = trial("random-read-4k", file(), 32);
    let figures = tool::t_io_uring::read(said, &trial).unwrap();
    assert_eq!(figures, Figures::from([(Metric::Iops, 700_250.0)]), "the first is the ramp-up");
    assert!(tool::t_io_uring::read("", &trial).is_err());
    assert!(tool::t_io_uring::can(&trial));
    assert!(!tool::t_io_uring::can(&self::trial("file-server", file(), 32)));
    assert!(!tool::t_io_uring::can(&self::trial("random-read-4k", Place::Null, 32)));
}

#[test]
fn fathom_takes_its_words_and_its_answer_is_read() {
    let folder = tempfile::tempdir().unwrap();
    let record = folder.path().join("record");
    let phases = Phases { ramp_up: Duration::ZERO, run_time: Duration::from_millis(20) };
    let trial = Trial { phases, ..trial("file-server", Place::Null, 4) };
    let words = tool::fathom::words(&trial, &record);
    let output = Command::new(env!("CARGO_BIN_EXE_fathom")).args(&words).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let (figures, _) = tool::fathom::read(&String::from_utf8_lossy(&output.stdout)).unwrap();
    assert!(figures[&Metric::Iops] > 0.0 && figures.contains_key(&Metric::Median), "{figures:?}");
    assert!(record.exists(), "the record goes where it is told to");

    let writes = tool::fathom::words(&self::trial("file-server", file(), 4), &record).join(" ");
    assert!(writes.contains("--overwrite /srv/a:b --destroy data"), "{writes}");
    let reads = tool::fathom::words(&self::trial("random-read-4k", file(), 4), &record).join(" ");
    assert!(reads.contains("--target /srv/a:b") && !reads.contains("--overwrite"), "{reads}");
    for text in ["", "{}", r#"{"points":[{"status":"void","ios":1,"iops":1}]}"#] {
        assert!(tool::fathom::read(text).is_err(), "{text}");
    }
}

#[test]
fn a_table_says_what_is_reached() {
    let mut plan = Plan::default();
    plan.null(&Load::named("file-server").unwrap(), PHASES);
    let read = trial("random-read-4k", file(), 1);
    plan.cached(&read.load, Place::Cached(file().target().unwrap().clone()), PHASES);
    plan.direct(vec![read.clone(), Trial { depth: 32, ..read }], Tools::AndTIoUring);
    let figures = |tool: Tool, pair: u8| {
        let scale = if tool == Tool::Fathom { 12.0 } else { 1.0 } + f64::from(pair) * 0.01;
        Figures::from([
            (Metric::Iops, 1e6 * scale),
            (Metric::UserTime, 300.0 / scale),
            (Metric::Median, 20_000.0 / scale),
            (Metric::DeviceDepth, 2.0 * scale),
            (Metric::Memory, f64::from(7 << 20)),
        ])
    };
    let round = |tools: &[Tool], pair| tools.iter().map(|&t| (t, figures(t, pair))).collect();
    let results: Vec<table::Rounds> = plan
        .trials
        .iter()
        .map(|(_, tools)| (0..3).map(|pair| round(tools, pair)).collect())
        .collect();
    insta::assert_snapshot!(table::table(&plan, &results, Look::Terminal));
    let page = table::table(&plan, &results, Look::Markdown);
    assert!(page.lines().all(|line| line.starts_with('|') && line.ends_with('|')), "{page}");
    assert_eq!(page.lines().count(), plan.rows.len() + 2);
    assert_eq!(table::legend(&plan).len(), 4, "IOPS need no word");
}
