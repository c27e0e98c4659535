//! What a worker and the dispatcher share while a point runs: a stop, and figures for the screen.
//!
//! Plain relaxed atomics: the worker looks at the stop once a turn and publishes ten times a
//! second. Nothing here is used for a result.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

/// The stop of a point and one worker's live figures.
#[derive(Debug, Default)]
pub(super) struct Control {
    stop: AtomicBool,
    figures: [AtomicU64; 6],
}

/// What a worker has done since its point began, ramp-up included.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Live {
    /// Requests completed.
    pub ios: u64,
    /// Bytes that they moved.
    pub bytes: u64,
    /// The sum of their latencies, in nanoseconds.
    pub latency_ns: u64,
    /// Requests that failed.
    pub errors: u64,
    /// Requests in flight.
    pub in_flight: u64,
    /// The worker's time since its first turn, in nanoseconds.
    pub elapsed_ns: u64,
}

impl Control {
    /// Asks the worker to end its point.
    pub(super) fn stop(&self) {
        self.stop.store(true, Ordering::Relaxed);
    }

    #[inline]
    pub(super) fn stopped(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }

    pub(super) fn publish(&self, live: &Live) {
        let Live { ios, bytes, latency_ns, errors, in_flight, elapsed_ns } = *live;
        let values = [ios, bytes, latency_ns, errors, in_flight, elapsed_ns];
        for (figure, value) in self.figures.iter().zip(values) {
            figure.store(value, Ordering::Relaxed);
        }
    }

    /// The figures that the worker last published.
    pub(super) fn live(&self) -> Live {
        let [ios, bytes, latency_ns, errors, in_flight, elapsed_ns] =
            self.figures.each_ref().map(|figure| figure.load(Ordering::Relaxed));
        Live { ios, bytes, latency_ns, errors, in_flight, elapsed_ns }
    }
}

impl Live {
    /// The figures of several workers together.
    #[must_use]
    pub(super) fn sum(all: impl Iterator<Item = Self>) -> Self {
        all.fold(Self::default(), |sum, one| Self {
            ios: sum.ios + one.ios,
            bytes: sum.bytes + one.bytes,
            latency_ns: sum.latency_ns + one.latency_ns,
            errors: sum.errors + one.errors,
            in_flight: sum.in_flight + one.in_flight,
            elapsed_ns: sum.elapsed_ns.max(one.elapsed_ns),
        })
    }
}
