//! One reading of everything that the machine counts, taken around a point.
//!
//! Differences of two samples say what the device saw and what the processors paid. A counter that
//! can't be read is absent, never zero. Tested through whole runs.

use std::time::Duration;

use super::{ArrayState, Arrays, CounterSet, MachineCpu, ProcessCpu, Sysfs};
use crate::clock::{Clock, Monotonic};
use crate::unit::Tick;

/// What is read: the processors always, the counters of a block device where there is one.
#[derive(Debug, Clone)]
pub struct Probe {
    sysfs: Sysfs,
    device: Option<String>,
    arrays: Arrays,
    clock: Monotonic,
}

/// One reading.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Sample {
    /// When, by the probe's clock.
    pub at: Tick,
    /// What the target's block device and its members have done.
    pub counters: Option<CounterSet>,
    /// What this process has used.
    pub process: ProcessCpu,
    /// What the machine's processors have done.
    pub machine: Option<MachineCpu>,
}

impl Probe {
    /// Reads the processors, and the block device of this kernel name.
    pub fn new(device: Option<String>) -> Self {
        let sysfs = Sysfs::default();
        let arrays = match &device {
            Some(name) => Arrays::below(&sysfs, name),
            None => Arrays::none(&sysfs),
        };
        Self { sysfs, device, arrays, clock: Monotonic::start() }
    }

    /// The state of the arrays that the device is built on, now, and when that is.
    pub fn arrays(&self) -> (Tick, Vec<ArrayState>) {
        (self.clock.now(), self.arrays.read())
    }

    /// Reads everything now.
    pub fn sample(&self) -> Sample {
        let device = self.device.as_deref();
        Sample {
            at: self.clock.now(),
            counters: device.and_then(|name| CounterSet::read(&self.sysfs, name).ok()),
            process: ProcessCpu::now(),
            machine: MachineCpu::now().ok(),
        }
    }
}

impl Default for Probe {
    fn default() -> Self {
        Self::new(None)
    }
}

impl Sample {
    /// The time since an earlier reading.
    pub fn elapsed(&self, earlier: &Self) -> Duration {
        self.at - earlier.at
    }

    /// What the block device did since an earlier reading; `None` where either lacks it.
    pub fn counted(&self, earlier: &Self) -> Option<CounterSet> {
        Some(self.counters.as_ref()?.since(earlier.counters.as_ref()?))
    }
}
