//! The machine's own counters around a point: block devices and processors.

/// What is read around a point.
#[derive(Debug, Clone, Default)]
pub struct Probe {}

/// One reading of the machine's counters.
#[derive(Debug, Clone)]
pub struct Sample {}

impl Probe {
    /// Reads the counters now.
    pub fn sample(&self) -> Sample {
        Sample {}
    }
}
