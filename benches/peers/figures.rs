//! What a run of a tool comes to.

use std::collections::BTreeMap;
use std::fmt;

use fathom::unit::{Bytes, Iops, Latency};

/// A figure that tools are compared by.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Metric {
    /// Requests completed a second.
    Iops,
    /// Processor time in the program itself for each request, in nanoseconds.
    UserTime,
    /// The median latency, in nanoseconds, from before a request is submitted.
    Median,
    /// The mean number of requests at the block layer.
    DeviceDepth,
    /// Bytes in memory at most, beside the buffers.
    Memory,
    /// Nanoseconds that a run took beyond its phases.
    Start,
}

/// The figures of one run, in the units of their metrics.
pub(crate) type Figures = BTreeMap<Metric, f64>;

impl fmt::Display for Metric {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Iops => "IOPS",
            Self::UserTime => "user CPU per I/O",
            Self::Median => "p50",
            Self::DeviceDepth => "depth at the device",
            Self::Memory => "memory beside the buffers",
            Self::Start => "start to first I/O, at most",
        })
    }
}

impl Metric {
    /// How the figure is got, where that is not plain.
    pub(crate) fn how(self) -> Option<&'static str> {
        match self {
            Self::Iops => None,
            Self::UserTime => Some(
                "processor time outside the kernel over the run time, as each tool keeps it of \
                 itself: fathom of its process, fio of its job; the kernel samples it, so take at \
                 least 7 pairs",
            ),
            Self::Median => Some(
                "fathom's completion latency and fio's `lat`, which both begin before the request \
                 is submitted",
            ),
            Self::DeviceDepth => Some(
                "the kernel's count of the block device, /sys/block/*/stat, over the middle half \
                 of the run time, read by this program for every tool",
            ),
            Self::Memory => Some(
                "the peak of the process's resident memory (VmHWM) at three quarters of the run \
                 time, less the buffers, which are made once more to see how large they are",
            ),
            Self::Start => Some(
                "from the start of the process to its end, less the run time: an upper bound, \
                 since taking down and showing the result are in it",
            ),
        }
    }

    /// A value with its unit.
    pub(crate) fn show(self, value: f64) -> String {
        let whole = || {
            #[expect(
                clippy::cast_possible_truncation,
                clippy::cast_sign_loss,
                reason = "figures are above zero and far below 2^53"
            )]
            let whole = value.round() as u64;
            whole
        };
        match self {
            Self::Iops => Iops(value).to_string(),
            Self::UserTime => format!("{value:.1} ns"),
            Self::DeviceDepth => format!("{value:.1}"),
            Self::Memory => Bytes(whole()).to_string(),
            Self::Median | Self::Start => Latency(whole()).to_string(),
        }
    }
}
