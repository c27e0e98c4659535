//! A run in which everything that a record keeps is there, for the tests of record and report.

use std::time::Duration;

use super::{
    Caching, Difference, End, Finish, Header, Link, Point, Review, Run, RunPattern, RunTarget,
};
use crate::host::counters::Named;
use crate::host::cpu::Ticks;
use crate::host::environment::Mitigations;
use crate::host::{
    ArrayReading, ArrayState, CounterSet, Counters, Environment, MachineCpu, ProcessCpu, Sample,
};
use crate::measure::{
    Ending, Errno, Figure, Instrument, LineCount, Mark, Measurement, Mix, Rule, Verdict,
};
use crate::pattern::{Axes, Scheme, Setting, find};
use crate::plan::{self, Phases, Raised, Workers};
use crate::unit::{
    Bytes, Geometry, Op, Percent, QueueDepth, Seed, Span, Tick, TransferSize, parse_moment,
};

fn depth(depth: u64) -> QueueDepth {
    depth.try_into().unwrap()
}

fn depths(depths: &[u64]) -> Axes {
    Axes { queue_depths: depths.iter().copied().map(depth).collect(), ..Axes::default() }
}

fn size(bytes: u64) -> TransferSize {
    bytes.try_into().unwrap()
}

/// Two patterns on two targets, one of them built of two disks; the deepest point is void.
pub(crate) fn rich_run() -> Run {
    let header = header();
    let mut points = Vec::new();
    for (target, pattern) in [(0, 0), (0, 1), (1, 0)] {
        for queue_depth in [1, 4, 32] {
            points.push(point(&header, points.len(), (pattern, target), at(queue_depth)));
        }
    }
    points.truncate(8);
    let gone = &mut points[5];
    gone.ending = Ending::Gone;
    gone.held = 1;
    gone.measurement.errors.add(Op::Read, Errno(5), 1000);
    gone.measurement.errors.add(Op::Write, Errno(19), 17);
    gone.measurement.outstanding = 3;
    gone.measurement.oldest_ns = 2_500_000_000;
    gone.marks = vec![mark(Rule::Ended, Verdict::Void, "the device went away after 1.2 s")];
    let end = End {
        at: parse_moment("2026-11-30T20:40:00.000Z").unwrap(),
        how: Finish::Failed,
        reason: Some("the device has gone".to_owned()),
        changed: Some(vec![Difference {
            target: Some("array".to_owned()),
            device: Some("sda".to_owned()),
            what: "temperature".to_owned(),
            left: Some("34 °C".to_owned()),
            right: Some("52 °C".to_owned()),
        }]),
    };
    Run { header, points, resumed: Vec::new(), end: Some(end) }
}

/// A pattern swept over writes and depths, of which a table shows two, and one over sizes, which
/// were raised; one point of each is void.
pub(crate) fn swept_run() -> Run {
    let swept = |name: &str| {
        let pattern = find(name).unwrap().pattern();
        let axes = pattern.axes.clone();
        RunPattern { pattern, raised: Vec::new(), axes }
    };
    let mut mix = swept("database-mix");
    mix.pattern.shown_depths = vec![depth(1), depth(32)];
    mix.pattern.rating = Some(Scheme::Mean);
    mix.axes.queue_depths = [1, 4, 32].map(depth).to_vec();
    mix.axes.directions.as_mut().unwrap().percents.truncate(3);
    let mut sizes = swept("sequential-write");
    sizes.axes.transfer_sizes = vec![size(65536), size(4096)];
    let raise = |from| Raised { line: 0, from, to: size(4096), because: "array".to_owned() };
    sizes.raised = [512, 1024].map(size).map(raise).to_vec();
    let header = Header { patterns: vec![mix, sizes], targets: vec![array()], ..header() };
    let mut points = Vec::new();
    for (pattern, run) in header.patterns.iter().enumerate() {
        for setting in run.axes.settings() {
            points.push(point(&header, points.len(), (pattern, 0), setting));
        }
    }
    for void in [8, 9] {
        points[void].ending = Ending::Gone;
        points[void].marks =
            vec![mark(Rule::Ended, Verdict::Void, "the device went away after 1 s")];
    }
    Run { header, points, resumed: Vec::new(), end: rich_run().end }
}

fn at(queue_depth: u64) -> Setting {
    Setting { read: None, transfer_size: None, queue_depth: depth(queue_depth) }
}

pub(crate) fn header() -> Header {
    let pattern = |name: &str| RunPattern {
        pattern: find(name).unwrap().pattern(),
        raised: Vec::new(),
        axes: depths(&[1, 4, 32]),
    };
    let mut raised = pattern("file-server");
    raised.pattern.access.lines[0].size = size(4096);
    raised.raised.push(Raised {
        line: 0,
        from: size(512),
        to: size(4096),
        because: "array".to_owned(),
    });
    let mut workstation = pattern("workstation");
    workstation.axes = depths(&[1, 2, 4, 8, 16, 32]);
    Header {
        id: "2026-11-30-2031-file-server".to_owned(),
        version: "0.1.0".to_owned(),
        started: parse_moment("2026-11-30T20:31:07.250Z").unwrap(),
        command: ["fathom", "run", "file-server", "workstation"].map(str::to_owned).to_vec(),
        seed: Seed(0x0123_4567_89ab_cdef),
        workers: Workers::Auto,
        wait_for: 1,
        patterns: vec![raised, workstation],
        targets: vec![array(), simulated()],
        review: Review::default(),
        environment: environment(),
        instrument: Some(instrument()),
        serials_hidden: false,
    }
}

fn instrument() -> Instrument {
    let figure = |median: f64| Figure { median, least: median * 0.5, most: median * 4.0 };
    Instrument {
        clock_step_ns: figure(20.0),
        clock_reading_ns: figure(24.68),
        turn_ns: figure(58.5),
        ceiling_iops: figure(19_800_000.0),
    }
}

fn environment() -> Environment {
    Environment {
        kernel: "6.1.0-18-amd64".to_owned(),
        architecture: "x86_64".to_owned(),
        boot: vec!["mitigations=auto".to_owned()],
        cpu_model: Some("Some CPU @ 2 GHz".to_owned()),
        cpus: 8,
        governor: Some("powersave".to_owned()),
        turbo: Some("on".to_owned()),
        numa_nodes: Some(1),
        hypervisor: None,
        clock: Some("tsc".to_owned()),
        mitigations: Mitigations {
            mitigated: 4,
            vulnerable: vec!["mds".to_owned()],
            unaffected: 9,
            flaws: vec![("meltdown".to_owned(), "Mitigation: PTI".to_owned())],
        },
        memory: Some(Bytes(16 << 30)),
        io_uring_disabled: Some(0),
        memlock: None,
    }
}

fn array() -> RunTarget {
    let all = Bytes(1 << 40);
    RunTarget {
        name: "array".parse().unwrap(),
        spec: "/dev/md0".to_owned(),
        kind: "block device".to_owned(),
        path: Some("/dev/md0".into()),
        geometry: Geometry { size: all, block: 4096, memory_alignment: 512 },
        span: Span { start: Bytes(0), length: all },
        engine: "io-uring".to_owned(),
        caching: Caching::Direct,
        nowait: Some(true),
        workers: 2,
        cpus: vec![4, 0],
        polled: true,
        phases: Phases { ramp_up: Duration::from_secs(2), run_time: Duration::from_secs(10) },
        array: Some("raid0:2@sim-ssd".parse().unwrap()),
        facts: vec![("level".to_owned(), "RAID-0".to_owned())],
        chain: chain(),
        notes: vec!["one of its disks is much slower than the others".to_owned()],
    }
}

/// An array of two disks.
fn chain() -> Vec<Link> {
    let link = |name: &str, facts: &[(&str, &str)]| {
        let facts = facts.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned()));
        Link { name: name.to_owned(), facts: facts.collect() }
    };
    let disk = |name: &str, serial: &str| {
        let facts = [
            ("kind", "SATA HDD"),
            ("model", "Old Spinner"),
            ("serial", serial),
            ("WWN", "naa.5000c500a1b2c3d4"),
            ("firmware", "CC4H"),
            ("scheduler", "mq-deadline"),
            ("temperature", "34 °C"),
        ];
        link(name, &facts)
    };
    let volume = "CRYPT-LUKS2-6f1c0a52-1b2c-4d3e-8f90-a1b2c3d4e5f6";
    let array = [("kind", "md raid0"), ("chunk", "512 KiB"), ("uuid", volume)];
    vec![link("md0", &array), disk("sda", "SERIAL-A"), disk("sdb", "SERIAL-B")]
}

fn simulated() -> RunTarget {
    RunTarget {
        name: "sim-ssd".parse().unwrap(),
        spec: "sim:ssd".to_owned(),
        kind: "simulated".to_owned(),
        path: None,
        span: Span { start: Bytes(1 << 20), length: Bytes(64 << 30) },
        engine: "sim".to_owned(),
        caching: Caching::None,
        nowait: None,
        array: None,
        workers: 1,
        cpus: Vec::new(),
        polled: false,
        facts: Vec::new(),
        chain: Vec::new(),
        notes: Vec::new(),
        ..array()
    }
}

fn mark(rule: Rule, verdict: Verdict, text: &str) -> Mark {
    Mark { rule, verdict, text: text.to_owned() }
}

fn point(header: &Header, index: usize, place: (usize, usize), setting: Setting) -> Point {
    let (pattern, target) = place;
    let queue_depth = u64::from(setting.queue_depth);
    let marks = match queue_depth {
        4 => vec![mark(Rule::RampUp, Verdict::Valid, "the ramp-up took 2 s, p99 is 2.4 s")],
        32 => vec![
            mark(Rule::Depth, Verdict::Suspect, "asked 32, held 21.4 at the device"),
            mark(Rule::RampUp, Verdict::Valid, "the ramp-up took 2 s, p99 is 3.1 s"),
        ],
        _ => Vec::new(),
    };
    let lines = header.patterns[pattern].pattern.access.lines.len();
    let real = header.targets[target].path.is_some();
    Point {
        point: plan::Point {
            index,
            pattern,
            target,
            repeat: 1,
            setting,
            seed: header.seed.derive(index as u64),
        },
        started: header.started + Duration::from_secs(12 * index as u64),
        ramp_up: Duration::from_secs(2),
        run_time: Duration::from_millis(10_001),
        ending: Ending::Complete,
        workers: 1,
        held: 0,
        busiest_worker: if real { Percent::from_hundredths(3_762) } else { None },
        engine_facts: vec!["ring of 64".to_owned()],
        measurement: measurement(lines, setting),
        samples: [0, 2_000, 12_001, 12_003]
            .map(|millis| sample(millis, real.then_some(queue_depth)))
            .to_vec(),
        arrays: if real { vec![checked(0, 10), checked(12_003, 90)] } else { Vec::new() },
        marks,
    }
}

/// The array while it checks itself.
fn checked(millis: u64, done: u64) -> ArrayReading {
    let array = ArrayState {
        name: "md0".to_owned(),
        action: Some("check".to_owned()),
        degraded: Some(1),
        progress: Some((done, 100)),
        failed: vec!["sdb".to_owned()],
        ..ArrayState::default()
    };
    ArrayReading { at: Tick::from_nanos(millis * 1_000_000), array }
}

/// Requests whose latencies grow with the depth, drawn from a stream that is always the same.
fn measurement(lines: usize, setting: Setting) -> Measurement {
    let depth = u64::from(setting.queue_depth);
    let reads = setting.read.map_or(80, |read| u64::from(read.hundredths()) / 100);
    let mut measured = Measurement::new(lines, 13);
    let mut counts = vec![LineCount::default(); lines];
    for number in 0..2000 * depth.min(8) {
        let draw = Seed(depth).derive(number).0;
        let op = if draw % 100 < 100 - reads { Op::Write } else { Op::Read };
        let bytes = 4096 << (draw >> 8 & 1);
        let bytes = setting.transfer_size.map_or(bytes, TransferSize::get);
        let latency = (1_000_000 + (draw >> 16) % 9_000_000) * depth.max(8) / 8;
        measured.record(op, bytes, latency);
        measured.series.enter(usize::try_from(2 + number % 10).unwrap());
        measured.series.record(op, bytes, latency);
        let count = &mut counts[usize::try_from(draw >> 32).unwrap() % lines];
        count.draws += 1;
        count.ios[op.index()][1] += 1;
    }
    measured.series.record_error();
    measured.series.finish(13);
    measured.mix = Mix::from_lines(counts);
    measured.errors.add(Op::Write, Errno(5), depth / 4);
    measured.errors_outside.add(Op::Read, Errno(5), 1);
    measured.short_transfers = 2;
    measured.again = 3;
    measured.depth_integral_ns = u128::from(depth) * 10_001_000_000;
    measured.in_flight_at_end = u32::try_from(depth).unwrap();
    measured
}

/// What the machine counted after so many milliseconds at a depth; no device without one.
fn sample(millis: u64, depth: Option<u64>) -> Sample {
    let device = |name: &str, share: u64, depth: u64| Named {
        name: name.to_owned(),
        counters: Counters {
            reads: 1_000_000 + millis * depth / share,
            read_bytes: Bytes((5 << 40) + millis * 1_200 * depth.min(8) / share),
            read_ms: u32::try_from(7_000_000 + millis * depth * 3 / 4 / share).unwrap(),
            in_flight: depth / share,
            ..Counters::default()
        },
    };
    let members = |depth| vec![device("sda", 2, depth), device("sdb", 2, depth)];
    Sample {
        at: Tick::from_nanos(millis * 1_000_000),
        counters: depth
            .map(|depth| CounterSet { target: device("md0", 1, depth), members: members(depth) }),
        process: ProcessCpu {
            user: Duration::from_micros(millis * 50),
            system: Duration::from_micros(millis * 150),
        },
        machine: Some(MachineCpu {
            all: Ticks { idle: 900 + millis * 7 / 10, total: 1000 + millis * 8 / 10 },
            each: vec![(0, Ticks { idle: 100, total: 100 + millis / 10 })],
        }),
    }
}
