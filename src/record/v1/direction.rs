//! What one direction did, as schema 1 writes it: counts, exact figures and the histogram.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use serde::{Deserialize, Serialize};

use super::Fault;
use super::number::{Count, Wide};
use crate::measure::{self, Exact, Latencies};

/// One direction. The histogram is base64 of `HdrHistogram`'s V2 form.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct Direction {
    ios: Count,
    bytes: Count,
    latency_sum_ns: Wide,
    latency_min_ns: u64,
    latency_max_ns: u64,
    saturated: Count,
    histogram: String,
}

impl TryFrom<&measure::Direction> for Direction {
    type Error = Fault;

    fn try_from(direction: &measure::Direction) -> Result<Self, Fault> {
        let exact = direction.latencies.exact();
        Ok(Self {
            ios: Count(direction.ios),
            bytes: Count(direction.bytes),
            latency_sum_ns: Wide(exact.sum_ns),
            latency_min_ns: exact.min_ns,
            latency_max_ns: exact.max_ns,
            saturated: Count(exact.saturated),
            histogram: STANDARD.encode(direction.latencies.encode().map_err(Fault::invalid)?),
        })
    }
}

impl TryFrom<Direction> for measure::Direction {
    type Error = Fault;

    fn try_from(stored: Direction) -> Result<Self, Fault> {
        let exact = Exact {
            sum_ns: stored.latency_sum_ns.0,
            min_ns: stored.latency_min_ns,
            max_ns: stored.latency_max_ns,
            saturated: stored.saturated.0,
        };
        let bytes = STANDARD.decode(&stored.histogram).map_err(Fault::invalid)?;
        let latencies = Latencies::decode(&bytes, exact).map_err(Fault::invalid)?;
        if latencies.count() != stored.ios.0 {
            return Err(Fault::Invalid(format!(
                "it counts {} requests, and its histogram {}",
                stored.ios.0,
                latencies.count()
            )));
        }
        Ok(Self { ios: stored.ios.0, bytes: stored.bytes.0, latencies })
    }
}
