//! Theory as a test: whole points on the simulated device, where the right answer is known, and
//! with planted faults, where the right account of them is.

#![allow(clippy::unwrap_used, reason = "a test")]

mod common;

use std::time::Duration;

use common::{access, depth, line, point, run, simulated};
use fathom::dispatch::{Outcome, PointSpec, Times};
use fathom::engine::sim::Model;
use fathom::measure::{Ending, Errno};
use fathom::pattern::{self, Access, Pattern, Setting};
use fathom::stats::chi_squared;
use fathom::unit::{Op, Seed};

/// A point on a simulated device: 4 KiB, 80 % reads, random.
fn spec(words: &str, asked: u64, seconds: u64) -> PointSpec {
    let size = Model::parse(words).unwrap().geometry().size;
    let times = Times {
        ramp_up: Duration::from_secs(1),
        run_time: Duration::from_secs(seconds),
        drain: Duration::from_secs(30),
    };
    let spec = point(simulated(words), size, access(vec![line(4096, 80.0, 100.0)]));
    PointSpec { queue_depth: depth(asked), times, ..spec }
}

fn simulate(words: &str, asked: u64, seconds: u64) -> Outcome {
    run(&spec(words, asked, seconds))
}

#[test]
fn throughput_is_depth_or_channels_over_service() {
    for asked in [1, 2, 3, 4, 8, 16, 32, 64, 128, 256, 1024] {
        let seconds = 3;
        let outcome = simulate("exact,channels=8,service=100us", asked, seconds);
        let expected = asked.min(8) * 10_000 * seconds;
        let ios = outcome.measurement.ios();
        assert!(ios.abs_diff(expected) <= 8, "{asked}: {ios} for {expected}");
        assert_eq!(outcome.run_time, Duration::from_secs(seconds));
        let mean = outcome.measurement.mean_latency().unwrap().0;
        let theory = 100_000 * asked.max(8) / 8;
        assert!(mean.abs_diff(theory) * 1000 <= theory, "{asked}: {mean} for {theory}");
        let held = outcome.measurement.mean_depth(outcome.run_time);
        assert!((held - asked as f64).abs() < 1e-9, "{asked}: {held}");
    }
}

/// Two channels that are never idle do two requests in the mean time of one: that of a read and
/// of a write by their shares, and the transfer by the size.
#[test]
fn throughput_follows_the_axes() {
    let (sweep, _) = pattern::parse(
        "swept",
        "title = \"Swept\"\nrandom = 100\naccess = [{}]\n[sweep]\nqueue_depth = [2, 16]\n\
         write = \"0..100/25\"\ntransfer_size = \"512..128k\"",
    );
    let sweep = sweep.unwrap();
    let settings = sweep.axes.settings();
    assert_eq!(settings.len(), 2 * 5 * 9);
    for setting in settings {
        let mut spec = spec("ssd,channels=2", setting.queue_depth.get().into(), 1);
        spec.access = sweep.access.at(setting);
        let read = setting.read.unwrap().fraction();
        let size = setting.transfer_size.unwrap().bytes().get();
        // 80 µs a read, 25 µs a write, 100 MB/s.
        let service = 80e-6 * read + 25e-6 * (1.0 - read) + size as f64 / 100e6;
        let outcome = run(&spec);
        let iops = outcome.measurement.ios() as f64;
        let off = iops * service / 2.0 - 1.0;
        assert!(off.abs() < 0.02, "{}: {iops} IOPS, off by {off}", sweep.axes.show(setting));
        let achieved = outcome.measurement.mean_size().unwrap();
        assert!((achieved - size as f64).abs() < 1e-9, "{achieved} for {size}");
    }
}

/// The first, the middle and the last setting of each axis but the depth: where shares are swept,
/// no, some and only writes; where sizes are, the smallest, a usual one and the largest.
fn settings(pattern: &Pattern) -> Vec<Setting> {
    let mut settings = pattern.axes.settings();
    settings.dedup_by_key(|setting| (setting.read, setting.transfer_size));
    let last = settings.len() - 1;
    let mut places = vec![0, last / 2, last];
    places.dedup();
    places.into_iter().map(|place| settings[place]).collect()
}

#[test]
fn every_shipped_pattern_is_achieved() {
    for shipped in pattern::catalog() {
        let pattern = shipped.pattern();
        for setting in settings(&pattern) {
            let access = pattern.access.at(setting);
            achieved(&format!("{}, {}", pattern.name, pattern.axes.show(setting)), &access);
        }
    }
}

/// What is issued of a million requests fits what is asked.
fn achieved(name: &str, access: &Access) {
    let mut spec = spec("exact,channels=64,service=64us", 64, 1);
    spec.access = access.clone();
    spec.seed = Seed(4);
    let outcome = run(&spec);
    let mix = &outcome.measurement.mix;
    assert!(mix.total() > 900_000, "{name}: {}", mix.total());
    let draws: Vec<u64> = mix.lines().iter().map(|line| line.draws).collect();
    let shares: Vec<f64> = access.lines.iter().map(|line| line.share.fraction()).collect();
    assert!(chi_squared(&draws, &shares) > 1e-4, "{name}: {draws:?}");
    for (asked, found) in access.lines.iter().zip(mix.lines()) {
        let total = found.total() as f64;
        for (share, count) in [(asked.read, found.of(Op::Read)), (asked.random, found.random())] {
            let expected = share.fraction();
            let deviation = (expected * (1.0 - expected) / total).sqrt();
            let off = (count as f64 / total - expected).abs();
            assert!(off <= 4.5 * deviation, "{name} {}: {off}", asked.size);
        }
    }
    let size = outcome.measurement.mean_size().unwrap();
    let spread = (size / access.mean_size() - 1.0).abs();
    assert!(spread < 0.02, "{name}: {size} bytes a request");
}

#[test]
fn offsets_are_spread_evenly() {
    let mut spec = spec("exact,channels=64,service=64us,size=1G", 64, 1);
    spec.access = access(vec![line(4096, 100.0, 100.0)]);
    let place = fathom::access::Place { geometry: spec.geometry, span: spec.span, worker: (0, 1) };
    let mut source = fathom::access::Source::new(&spec.access, place, spec.seed);
    let mut slots = [0_u64; 256];
    for _ in 0..1_000_000 {
        let request = source.next(fathom::unit::Tick::ZERO).unwrap();
        slots[(request.offset >> 22) as usize] += 1;
    }
    assert!(chi_squared(&slots, &[1.0; 256]) > 1e-4);
}

#[test]
fn the_same_seed_gives_the_same_figures() {
    let (a, b) = (simulate("ssd", 16, 2), simulate("ssd", 16, 2));
    assert_eq!(a.measurement, b.measurement);
    let other = run(&PointSpec { seed: Seed(2), ..spec("ssd", 16, 2) });
    assert_ne!(a.measurement, other.measurement);
}

#[test]
fn failures_are_counted_and_not_in_the_rate() {
    let outcome = simulate("exact,channels=8,service=100us,fail=0.25", 8, 5);
    let (ios, errors) = (outcome.measurement.ios(), outcome.measurement.errors.total());
    assert!((ios + errors).abs_diff(400_000) <= 8, "{ios} + {errors}");
    let share = errors as f64 / 400_000.0;
    assert!((share - 0.25).abs() < 0.005, "{share}");
    assert!(outcome.measurement.errors.iter().all(|(_, errno, _)| errno == Errno(5)));
    assert_eq!(outcome.ending, Ending::Complete);
}

#[test]
fn short_and_refused_transfers_are_issued_again() {
    let outcome = simulate("exact,channels=8,service=100us,short=0.01,again=0.01", 8, 5);
    let measurement = &outcome.measurement;
    assert!(measurement.short_transfers > 3000, "{}", measurement.short_transfers);
    assert!(measurement.again > 3000, "{}", measurement.again);
    assert_eq!(measurement.errors.total(), 0);
    assert_eq!(measurement.bytes().get(), measurement.ios() * 4096);
    // A request whose half was issued again took two services.
    assert!(measurement.latencies().max().unwrap().0 >= 200_000);
}

#[test]
fn requests_that_never_come_back_are_counted_apart() {
    let outcome = simulate("exact,channels=8,service=100us,never=1e-5", 64, 30);
    let measurement = &outcome.measurement;
    assert!(measurement.outstanding > 0);
    assert!(measurement.oldest_ns > 30_000_000_000, "{}", measurement.oldest_ns);
    assert_eq!(outcome.ending, Ending::Complete);
}

#[test]
fn a_device_that_never_answers_ends_the_point() {
    let outcome = simulate("exact,never=1", 4, 3600);
    assert_eq!(outcome.ending, Ending::Silent);
    assert_eq!(outcome.measurement.outstanding, 4);
    assert!(outcome.run_time < Duration::from_secs(61));
}

#[test]
fn a_device_that_drops_out_ends_the_point() {
    let outcome = simulate("exact,gone=3s", 4, 30);
    assert_eq!(outcome.ending, Ending::Gone);
    assert!(outcome.run_time <= Duration::from_secs(3));
    assert!(outcome.measurement.ios() > 0);
}

#[test]
fn a_device_that_fails_to_the_end_is_gone_and_not_rated() {
    // Dead from the middle on, as a pulled disk that answers each request with an error: far
    // fewer failures than would end the point at once.
    let mut spec = spec("exact,channels=1,service=10ms,fail=1", 1, 10);
    spec.times.ramp_up = Duration::ZERO;
    let outcome = run(&spec);
    assert_eq!(outcome.ending, Ending::Gone);
    assert!(outcome.run_time < Duration::from_secs(2), "{:?}", outcome.run_time);
}

#[test]
fn a_device_that_stops_answering_before_the_end_is_silent() {
    // Every request is lost sooner or later; at depth 1 the first lost one ends all traffic.
    let outcome = simulate("exact,channels=1,service=1ms,never=1e-3", 1, 30);
    assert_eq!(outcome.ending, Ending::Silent);
    assert_eq!(outcome.measurement.outstanding, 1);
}

#[test]
fn failures_outside_the_run_time_keep_their_reason() {
    let outcome = simulate("exact,channels=1,service=1ms,fail=0.5", 1, 1);
    let outside = &outcome.measurement.errors_outside;
    assert!(outside.iter().all(|(_, errno, _)| errno == Errno(5)));
    assert!(outside.total() > 300, "{}", outside.total());
}

#[test]
fn a_stall_shows_in_the_series_and_in_the_maximum() {
    let outcome = simulate("exact,channels=1,service=1ms,stall=2s", 1, 10);
    let seconds: Vec<u64> =
        outcome.measurement.series.seconds().iter().map(|s| s.ios.iter().sum()).collect();
    // The first second has one fewer: the request that lands at its end is the next one's.
    assert_eq!(seconds[..5], [999, 1000, 1000, 1000, 1000]);
    // One request had been started when the device stopped.
    assert!(seconds[5..7].iter().sum::<u64>() <= 1, "{seconds:?}");
    assert!(outcome.measurement.latencies().max().unwrap().0 >= 2_000_000_000);
}

#[test]
fn a_disk_seeks_and_a_sequential_stream_does_not() {
    let mut random = spec("hdd", 1, 10);
    random.access = access(vec![line(4096, 100.0, 100.0)]);
    let mut sequential = random.clone();
    sequential.access = access(vec![line(65536, 100.0, 0.0)]);
    let (random, sequential) = (run(&random), run(&sequential));
    let iops = random.measurement.iops(random.run_time).0;
    assert!((50.0..120.0).contains(&iops), "{iops}");
    let throughput = sequential.measurement.throughput(sequential.run_time).mb();
    assert!((90.0..150.0).contains(&throughput), "{throughput}");
}
