//! What the machine says: its block devices and whether they may be written, its file systems,
//! what its processors did and what its devices count.
//!
//! Everything here asks; nothing here writes, and nothing but [`safety`] decides. Public types
//! are plain data. Facts come from sysfs, procfs and ioctls, and what can't be known is `None`,
//! never a guess. Tested on trees of files that stand for a machine, so that `cargo test` needs
//! neither root nor a spare disk, and by hand on loop devices, arrays, NVMe and SATA disks.

pub mod affinity;
pub mod block;
pub mod clocksource;
pub mod counters;
pub mod cpu;
pub mod environment;
pub mod extents;
pub mod filesystem;
pub mod geometry;
pub mod lanes;
mod loops;
mod marks;
pub mod mounts;
pub mod node;
pub mod safety;
pub mod sample;
pub mod signature;
mod stack;
pub mod sysfs;

pub use affinity::Cpus;
pub use block::BlockDevice;
pub use clocksource::ClockSource;
pub use counters::{CounterSet, Counters};
pub use cpu::{Busy, MachineCpu, ProcessCpu, thread_cpu};
pub use environment::Environment;
pub use extents::{Extents, Fullness};
pub use filesystem::{Direct, Filesystem};
pub use geometry::{Nowait, dio_alignment, probe_nowait};
pub use lanes::{Lanes, NotPolled};
pub use node::{DeviceError, DeviceNumber};
pub use safety::{Consent, Examination, Permit, Refusal, examine};
pub use sample::{Probe, Sample};
pub use signature::{Contents, Signature};
pub use sysfs::Sysfs;
