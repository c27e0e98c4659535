//! Readings of the machine's counters, as schema 1 writes them.

use std::time::Duration;

use serde::{Deserialize, Serialize};

use crate::host::counters::Named;
use crate::host::cpu::Ticks;
use crate::host::{self, CounterSet, MachineCpu, ProcessCpu};
use crate::unit::{Bytes, Tick};

#[derive(Debug, Serialize, Deserialize)]
pub(super) struct Sample {
    at_ns: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    target: Option<Device>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    members: Vec<Device>,
    process: Process,
    #[serde(skip_serializing_if = "Option::is_none")]
    machine: Option<Machine>,
}

/// The counters of one block device.
#[derive(Debug, Serialize, Deserialize)]
struct Device {
    name: String,
    reads: u64,
    read_bytes: u64,
    read_ms: u32,
    writes: u64,
    write_bytes: u64,
    write_ms: u32,
    in_flight: u64,
    busy_ms: u32,
    queue_ms: u32,
    discards: u64,
    flushes: u64,
}

#[derive(Debug, Serialize, Deserialize)]
struct Process {
    user_ns: u64,
    system_ns: u64,
}

/// `each` has an array for each processor: its number, idle ticks, all ticks.
#[derive(Debug, Serialize, Deserialize)]
struct Machine {
    idle_ticks: u64,
    total_ticks: u64,
    #[serde(default)]
    each: Vec<(u32, u64, u64)>,
}

impl From<&host::Sample> for Sample {
    fn from(sample: &host::Sample) -> Self {
        let counters = sample.counters.as_ref();
        Self {
            at_ns: sample.at.nanos(),
            target: counters.map(|set| (&set.target).into()),
            members: counters
                .map_or_else(Vec::new, |set| set.members.iter().map(Device::from).collect()),
            process: Process {
                user_ns: nanos(sample.process.user),
                system_ns: nanos(sample.process.system),
            },
            machine: sample.machine.as_ref().map(Machine::from),
        }
    }
}

impl From<Sample> for host::Sample {
    fn from(sample: Sample) -> Self {
        let members = sample.members;
        Self {
            at: Tick::from_nanos(sample.at_ns),
            counters: sample.target.map(|target| CounterSet {
                target: target.into(),
                members: members.into_iter().map(Named::from).collect(),
            }),
            process: ProcessCpu {
                user: Duration::from_nanos(sample.process.user_ns),
                system: Duration::from_nanos(sample.process.system_ns),
            },
            machine: sample.machine.map(MachineCpu::from),
        }
    }
}

impl From<&MachineCpu> for Machine {
    fn from(machine: &MachineCpu) -> Self {
        Self {
            idle_ticks: machine.all.idle,
            total_ticks: machine.all.total,
            each: machine.each.iter().map(|(cpu, t)| (*cpu, t.idle, t.total)).collect(),
        }
    }
}

impl From<Machine> for MachineCpu {
    fn from(machine: Machine) -> Self {
        let each = machine.each.into_iter();
        Self {
            all: Ticks { idle: machine.idle_ticks, total: machine.total_ticks },
            each: each.map(|(cpu, idle, total)| (cpu, Ticks { idle, total })).collect(),
        }
    }
}

impl From<&Named> for Device {
    fn from(named: &Named) -> Self {
        let counters = &named.counters;
        Self {
            name: named.name.clone(),
            reads: counters.reads,
            read_bytes: counters.read_bytes.get(),
            read_ms: counters.read_ms,
            writes: counters.writes,
            write_bytes: counters.write_bytes.get(),
            write_ms: counters.write_ms,
            in_flight: counters.in_flight,
            busy_ms: counters.busy_ms,
            queue_ms: counters.queue_ms,
            discards: counters.discards,
            flushes: counters.flushes,
        }
    }
}

impl From<Device> for Named {
    fn from(device: Device) -> Self {
        let counters = host::Counters {
            reads: device.reads,
            read_bytes: Bytes(device.read_bytes),
            read_ms: device.read_ms,
            writes: device.writes,
            write_bytes: Bytes(device.write_bytes),
            write_ms: device.write_ms,
            in_flight: device.in_flight,
            busy_ms: device.busy_ms,
            queue_ms: device.queue_ms,
            discards: device.discards,
            flushes: device.flushes,
        };
        Self { name: device.name, counters }
    }
}

/// Nanoseconds of a duration; more than 584 years are that many.
pub(super) fn nanos(duration: Duration) -> u64 {
    u64::try_from(duration.as_nanos()).unwrap_or(u64::MAX)
}
