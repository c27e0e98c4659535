//! What happened: counts, bytes, latencies, errors and the per-second series of a point.
//!
//! A [`Measurement`] is a monoid: workers, and later hosts, merge theirs with
//! [`Measurement::merge`], and an empty one changes nothing. It holds no duration, because workers
//! measure the same seconds side by side: the point that owns it knows its run time. Recording
//! allocates nothing; everything is sized when the measurement is made. This module does no I/O
//! and reads no clock. Tested by the laws in this folder (merge, codec) and by whole runs on the
//! simulated device.

mod errors;
mod instrument;
mod latencies;
mod mark;
mod mix;
mod series;

pub use errors::{Errno, Errors};
pub use instrument::{Calibration, Figure, Instrument, RoundTrip};
pub use latencies::{CodecError, Exact, Latencies, Percentile};
pub use mark::{Mark, Rule, Verdict, verdict};
pub use mix::{LineCount, Mix};
pub use series::{Phase, Second, Series};

use crate::unit::{Bytes, Iops, Latency, Op, Throughput};
use std::time::Duration;

/// Why a point, or a worker's share of it, ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ending {
    /// The run time passed.
    Complete,
    /// Somebody asked for it.
    Stopped,
    /// The target has gone, or fails every request.
    Gone,
    /// The target stopped answering.
    Silent,
}

/// What one direction did in the run time.
#[derive(Debug, Clone, PartialEq)]
pub struct Direction {
    /// Requests completed.
    pub ios: u64,
    /// Bytes that they moved.
    pub bytes: u64,
    /// How long each took, from its first submission to its landing.
    pub latencies: Latencies,
}

impl Direction {
    fn new() -> Self {
        Self { ios: 0, bytes: 0, latencies: Latencies::new() }
    }

    fn merge(&mut self, other: &Self) {
        self.ios += other.ios;
        self.bytes += other.bytes;
        self.latencies.merge(&other.latencies);
    }
}

/// What happened at a point, or at one worker's share of it.
#[derive(Debug, Clone, PartialEq)]
pub struct Measurement {
    /// Reads and writes, in this order: [`Op::index`] is the place.
    pub directions: [Direction; 2],
    /// What was asked for in the run time, counted when it was issued.
    pub mix: Mix,
    /// Requests that failed in the run time.
    pub errors: Errors,
    /// Requests that failed before or after it.
    pub errors_outside: Errors,
    /// The seconds of the whole point, ramp-up and drain included.
    pub series: Series,
    /// Transfers that moved less than asked and were issued again for the rest.
    pub short_transfers: u64,
    /// Requests that the kernel refused for the moment (EAGAIN) and that were issued again.
    pub again: u64,
    /// Nanoseconds of the run time times the requests in flight during them.
    pub depth_integral_ns: u128,
    /// Requests still in flight when the run time ended.
    pub in_flight_at_end: u32,
    /// Requests that never came back before the drain was given up.
    pub outstanding: u32,
    /// How long ago the oldest of them was issued, in nanoseconds.
    pub oldest_ns: u64,
}

impl Measurement {
    /// An empty measurement for an access specification of `lines` lines and a point of at most
    /// `seconds` seconds in all.
    pub fn new(lines: usize, seconds: usize) -> Self {
        Self {
            directions: [Direction::new(), Direction::new()],
            mix: Mix::new(lines),
            errors: Errors::new(),
            errors_outside: Errors::new(),
            series: Series::new(seconds),
            short_transfers: 0,
            again: 0,
            depth_integral_ns: 0,
            in_flight_at_end: 0,
            outstanding: 0,
            oldest_ns: 0,
        }
    }

    /// Counts one completed request of the run time.
    #[inline]
    pub fn record(&mut self, op: Op, bytes: u32, latency_ns: u64) {
        let direction = &mut self.directions[op.index()];
        direction.ios += 1;
        direction.bytes += u64::from(bytes);
        direction.latencies.record(latency_ns);
    }

    /// Adds what another worker measured over the same seconds.
    pub fn merge(&mut self, other: &Self) {
        for (mine, theirs) in self.directions.iter_mut().zip(&other.directions) {
            mine.merge(theirs);
        }
        self.mix.merge(&other.mix);
        self.errors.merge(&other.errors);
        self.errors_outside.merge(&other.errors_outside);
        self.series.merge(&other.series);
        self.short_transfers += other.short_transfers;
        self.again += other.again;
        self.depth_integral_ns += other.depth_integral_ns;
        self.in_flight_at_end += other.in_flight_at_end;
        self.outstanding += other.outstanding;
        self.oldest_ns = self.oldest_ns.max(other.oldest_ns);
    }

    /// One direction.
    pub fn direction(&self, op: Op) -> &Direction {
        &self.directions[op.index()]
    }

    /// Requests completed in the run time, both directions.
    pub fn ios(&self) -> u64 {
        self.directions.iter().map(|direction| direction.ios).sum()
    }

    /// Bytes moved in the run time, both directions.
    pub fn bytes(&self) -> Bytes {
        Bytes(self.directions.iter().map(|direction| direction.bytes).sum())
    }

    /// The latencies of both directions together.
    pub fn latencies(&self) -> Latencies {
        let mut all = self.direction(Op::Read).latencies.clone();
        all.merge(&self.direction(Op::Write).latencies);
        all
    }

    /// Requests completed per second of a run time.
    pub fn iops(&self, run_time: Duration) -> Iops {
        Iops(per_second(self.ios(), run_time))
    }

    /// Bytes moved per second of a run time.
    pub fn throughput(&self, run_time: Duration) -> Throughput {
        Throughput(per_second(self.bytes().get(), run_time))
    }

    /// The mean number of requests in flight over a run time, as the worker's window held it.
    pub fn mean_depth(&self, run_time: Duration) -> f64 {
        match run_time.as_nanos() {
            0 => 0.0,
            nanos => self.depth_integral_ns as f64 / nanos as f64,
        }
    }

    /// Bytes of a completed request on average; `None` where none completed.
    pub fn mean_size(&self) -> Option<f64> {
        match self.ios() {
            0 => None,
            ios => Some(self.bytes().get() as f64 / ios as f64),
        }
    }

    /// The mean latency of both directions; `None` where nothing completed.
    pub fn mean_latency(&self) -> Option<Latency> {
        self.latencies().mean()
    }
}

/// A count over a time; zero over no time.
pub fn per_second(count: u64, time: Duration) -> f64 {
    if time.is_zero() { 0.0 } else { count as f64 / time.as_secs_f64() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn any_measurement() -> impl Strategy<Value = Measurement> {
        let request = (any::<bool>(), 1_u32..100, 1_u64..10_000_000_000);
        (prop::collection::vec(request, 0..40), 0_u32..5, 0_u64..100).prop_map(
            |(requests, outstanding, oldest)| {
                let mut measurement = Measurement::new(2, 3);
                for (write, sectors, latency) in requests {
                    let op = if write { Op::Write } else { Op::Read };
                    measurement.record(op, sectors * 512, latency);
                    measurement.series.record(op, sectors * 512, latency);
                    if latency % 7 == 0 {
                        measurement.errors.record(op, Errno(5));
                    }
                    measurement.depth_integral_ns += u128::from(latency);
                }
                measurement.outstanding = outstanding;
                measurement.oldest_ns = oldest;
                measurement
            },
        )
    }

    fn merged(a: &Measurement, b: &Measurement) -> Measurement {
        let mut sum = a.clone();
        sum.merge(b);
        sum
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(48))]
        #[test]
        fn merge_is_a_commutative_monoid(
            a in any_measurement(), b in any_measurement(), c in any_measurement()
        ) {
            prop_assert_eq!(merged(&a, &Measurement::new(2, 3)), a.clone());
            prop_assert_eq!(merged(&a, &b), merged(&b, &a));
            prop_assert_eq!(merged(&merged(&a, &b), &c), merged(&a, &merged(&b, &c)));
            prop_assert_eq!(merged(&a, &b).ios(), a.ios() + b.ios());
        }
    }

    #[test]
    fn rates_follow_from_counts() {
        let mut measurement = Measurement::new(1, 2);
        for _ in 0..1000 {
            measurement.record(Op::Read, 4096, 1_000_000);
        }
        let run_time = Duration::from_secs(2);
        assert!((measurement.iops(run_time).0 - 500.0).abs() < 1e-9);
        let product = measurement.iops(run_time).0 * measurement.mean_size().unwrap();
        assert!((measurement.throughput(run_time).0 - product).abs() < 1e-6);
    }
}
