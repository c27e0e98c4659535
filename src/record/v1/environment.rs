//! The machine and what lies under a target, as schema 1 and the JSON report write them.

use serde::{Deserialize, Serialize};

use crate::host::{self, environment};
use crate::record;
use crate::unit::Bytes;

/// The machine.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Environment {
    kernel: String,
    architecture: String,
    #[serde(default)]
    boot: Vec<String>,
    cpu_model: Option<String>,
    cpus: u32,
    governor: Option<String>,
    #[serde(default)]
    turbo: Option<String>,
    #[serde(default)]
    mitigated: u32,
    #[serde(default)]
    vulnerable: Vec<String>,
    #[serde(default)]
    unaffected: u32,
    #[serde(default)]
    flaws: Vec<(String, String)>,
    memory_bytes: Option<u64>,
    #[serde(default)]
    numa_nodes: Option<u32>,
    #[serde(default)]
    hypervisor: Option<String>,
    #[serde(default)]
    clock: Option<String>,
    io_uring_disabled: Option<u32>,
    memlock_bytes: Option<u64>,
}

impl From<&host::Environment> for Environment {
    fn from(machine: &host::Environment) -> Self {
        let mitigations = &machine.mitigations;
        Self {
            kernel: machine.kernel.clone(),
            architecture: machine.architecture.clone(),
            boot: machine.boot.clone(),
            cpu_model: machine.cpu_model.clone(),
            cpus: machine.cpus,
            governor: machine.governor.clone(),
            turbo: machine.turbo.clone(),
            mitigated: mitigations.mitigated,
            vulnerable: mitigations.vulnerable.clone(),
            unaffected: mitigations.unaffected,
            flaws: mitigations.flaws.clone(),
            memory_bytes: machine.memory.map(Bytes::get),
            numa_nodes: machine.numa_nodes,
            hypervisor: machine.hypervisor.clone(),
            clock: machine.clock.clone(),
            io_uring_disabled: machine.io_uring_disabled,
            memlock_bytes: machine.memlock.map(Bytes::get),
        }
    }
}

impl From<Environment> for host::Environment {
    fn from(stored: Environment) -> Self {
        Self {
            kernel: stored.kernel,
            architecture: stored.architecture,
            boot: stored.boot,
            cpu_model: stored.cpu_model,
            cpus: stored.cpus,
            governor: stored.governor,
            turbo: stored.turbo,
            mitigations: environment::Mitigations {
                mitigated: stored.mitigated,
                vulnerable: stored.vulnerable,
                unaffected: stored.unaffected,
                flaws: stored.flaws,
            },
            memory: stored.memory_bytes.map(Bytes),
            numa_nodes: stored.numa_nodes,
            hypervisor: stored.hypervisor,
            clock: stored.clock,
            io_uring_disabled: stored.io_uring_disabled,
            memlock: stored.memlock_bytes.map(Bytes),
        }
    }
}

/// A file system or device under a target.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Link {
    name: String,
    facts: Vec<(String, String)>,
}

impl From<&record::Link> for Link {
    fn from(link: &record::Link) -> Self {
        Self { name: link.name.clone(), facts: link.facts.clone() }
    }
}

impl From<Link> for record::Link {
    fn from(stored: Link) -> Self {
        Self { name: stored.name, facts: stored.facts }
    }
}

/// A fact that was another at the end of a run than at its start; of the machine where it has no
/// target.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Difference {
    target: Option<String>,
    device: Option<String>,
    what: String,
    start: Option<String>,
    end: Option<String>,
}

impl From<&record::Difference> for Difference {
    fn from(difference: &record::Difference) -> Self {
        Self {
            target: difference.target.clone(),
            device: difference.device.clone(),
            what: difference.what.clone(),
            start: difference.left.clone(),
            end: difference.right.clone(),
        }
    }
}

impl From<Difference> for record::Difference {
    fn from(stored: Difference) -> Self {
        Self {
            target: stored.target,
            device: stored.device,
            what: stored.what,
            left: stored.start,
            right: stored.end,
        }
    }
}
