//! The seconds of a point: what landed in each, ramp-up and drain included.

use crate::unit::Op;

/// Which part of a point a second belongs to, by its first instant.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Phase {
    /// Unrecorded start.
    RampUp,
    /// Recorded.
    Run,
    /// Waiting out the rest.
    Drain,
}

/// What landed in one second.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Second {
    /// Requests by direction.
    pub ios: [u64; 2],
    /// Bytes by direction.
    pub bytes: [u64; 2],
    /// The sum of their latencies, in nanoseconds.
    pub latency_sum_ns: u64,
    /// The longest of them, in nanoseconds.
    pub latency_max_ns: u64,
    /// Requests that failed.
    pub errors: u64,
}

impl Second {
    fn merge(&mut self, other: &Self) {
        for op in Op::BOTH.map(Op::index) {
            self.ios[op] += other.ios[op];
            self.bytes[op] += other.bytes[op];
        }
        self.latency_sum_ns = self.latency_sum_ns.saturating_add(other.latency_sum_ns);
        self.latency_max_ns = self.latency_max_ns.max(other.latency_max_ns);
        self.errors += other.errors;
    }
}

/// The seconds of a point from its start. Seconds in which nothing landed are in it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Series {
    seconds: Vec<Second>,
    current: usize,
}

impl Series {
    /// Room for a point of `seconds` seconds; what lands later is counted in the last.
    pub fn new(seconds: usize) -> Self {
        Self { seconds: vec![Second::default(); seconds.max(1)], current: 0 }
    }

    /// From stored seconds.
    pub fn from_seconds(seconds: Vec<Second>) -> Self {
        Self { seconds, current: 0 }
    }

    /// Moves on to a second of the point, counted from 0.
    #[inline]
    pub fn enter(&mut self, second: usize) {
        self.current = second.min(self.seconds.len() - 1);
    }

    /// Counts a completed request in the current second.
    #[inline]
    pub fn record(&mut self, op: Op, bytes: u32, latency_ns: u64) {
        let second = &mut self.seconds[self.current];
        second.ios[op.index()] += 1;
        second.bytes[op.index()] += u64::from(bytes);
        second.latency_sum_ns = second.latency_sum_ns.saturating_add(latency_ns);
        second.latency_max_ns = second.latency_max_ns.max(latency_ns);
    }

    /// Counts a failed request in the current second.
    pub fn record_error(&mut self) {
        self.seconds[self.current].errors += 1;
    }

    /// Drops the seconds after the point's end: it may have room for more than it took.
    pub fn finish(&mut self, seconds: usize) {
        self.seconds.truncate(seconds.max(1));
        self.current = 0;
    }

    /// All seconds from the start of the point.
    pub fn seconds(&self) -> &[Second] {
        &self.seconds
    }

    /// Adds the seconds of another worker.
    pub fn merge(&mut self, other: &Self) {
        if self.seconds.len() < other.seconds.len() {
            self.seconds.resize(other.seconds.len(), Second::default());
        }
        for (mine, theirs) in self.seconds.iter_mut().zip(&other.seconds) {
            mine.merge(theirs);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn empty_seconds_stay_in_the_series() {
        let mut series = Series::new(10);
        series.record(Op::Read, 512, 3);
        series.enter(3);
        series.record(Op::Write, 1024, 5);
        series.record_error();
        series.finish(4);
        let ios: Vec<u64> = series.seconds().iter().map(|s| s.ios.iter().sum()).collect();
        assert_eq!(ios, [1, 0, 0, 1]);
        assert_eq!(series.seconds()[3].errors, 1);
    }
}
