//! How a request reaches a device.
//!
//! An [`Engine`] has three verbs and no policy: what to submit, how long to wait and what a result
//! means is the window's affair. An engine knows a geometry and never a plan. It is built inside
//! its worker's thread and never leaves it. Failures of a request are results; only a broken
//! engine is an `Err`. Tested by one suite of behaviours for all engines, tests/engines.rs.

pub mod null;
pub mod sim;
pub mod target;
pub mod threads;
pub mod uring;

use std::fs::File;
use std::sync::Arc;
use std::time::Duration;

use thiserror::Error;

use crate::measure::Errno;
use crate::payload::Buffer;

use crate::unit::{Op, Span};

/// A target as an engine sees it.
#[derive(Debug, Clone)]
pub struct Opened {
    /// The open file: one descriptor a run, shared by the workers.
    pub file: Arc<File>,
    /// Where requests may go; each is checked against it before it is submitted.
    pub span: Span,
}

/// One of the places for a request in flight; an index into preallocated arrays.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Slot(pub u16);

impl Slot {
    /// The place in an array.
    #[inline]
    pub fn index(self) -> usize {
        usize::from(self.0)
    }
}

/// What an engine is to move: a request, or the rest of one that stopped short.
#[derive(Debug, Clone, Copy)]
pub struct Transfer {
    /// Its direction.
    pub op: Op,
    /// Where it starts on the target.
    pub offset: u64,
    /// Bytes.
    pub size: u32,
    /// Where its bytes lie in memory.
    pub buffer: Buffer,
}

/// The end of one transfer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Completion {
    /// Whose it was.
    pub slot: Slot,
    /// Bytes moved, or the kernel's reason.
    pub result: Result<u32, Errno>,
}

/// How long to wait for completions.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Wait {
    /// Return once this many have landed.
    pub at_least: u32,
    /// Return after this time in any case; never more than 100 ms. An engine that does the I/O
    /// itself, or polls for it, returns when that is done.
    pub at_most: Duration,
}

/// Why an engine can't go on, or can't be had.
#[derive(Debug, Error)]
pub enum EngineError {
    /// The kernel has no io_uring, or an older one.
    #[error("io_uring is not available: {0}; use --engine threads")]
    NoUring(std::io::Error),
    /// Forbidden for all processes.
    #[error(
        "io_uring is disabled by the sysctl kernel.io_uring_disabled={0}; set it to 0, or use --engine threads"
    )]
    DisabledBySysctl(u8),
    /// Forbidden for this process alone.
    #[error(
        "io_uring is forbidden to this process, most likely by a container's seccomp filter; allow it there, or use --engine threads"
    )]
    ForbiddenBySeccomp,
    /// The ring could not be set up for another reason.
    #[error(
        "can't set up io_uring: {0}; raise the limits of locked memory (ulimit -l) or open files (ulimit -n), use a lower depth or fewer workers, or --engine threads"
    )]
    Setup(std::io::Error),
    /// Completions can't be polled for.
    #[error(
        "the kernel does not poll for what is read here: its file system or driver has no way to; name the device itself, or leave out --poll"
    )]
    NotPolled,
    /// Waiting failed in a way that has no remedy.
    #[error("the engine can't wait for completions: {0}")]
    Wait(std::io::Error),
    /// Completions were lost.
    #[error("{0} completions overflowed the ring; this is a fault of fathom")]
    Overflow(u32),
    /// The threads could not be started.
    #[error("can't start {asked} I/O threads: {reason}; use a lower depth")]
    Threads {
        /// How many were asked for.
        asked: u16,
        /// What the system said.
        reason: std::io::Error,
    },
}

/// A way to do I/O.
pub trait Engine {
    /// Queues a transfer; no system call.
    fn submit(&mut self, slot: Slot, transfer: Transfer);

    /// Hands over what is queued and waits; one system call.
    ///
    /// # Errors
    /// [`EngineError`] where the engine itself is broken. A wait that was interrupted or ran out
    /// of time is `Ok`: the caller looks at what landed and turns again.
    fn wait(&mut self, wait: Wait) -> Result<(), EngineError>;

    /// The next completion, if one has landed.
    fn take(&mut self) -> Option<Completion>;
}
