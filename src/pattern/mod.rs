//! What a pattern file says: an access specification, the sweep it is meant for and how it is
//! rated; its canonical form and fingerprint; the catalog of shipped patterns.
//!
//! This module knows nothing of targets: a size that a disk can't do is the plan's affair. It
//! does no I/O and logs nothing; whoever reads a file hands its text to [`parse`]. Tested by
//! fixtures in tests/diagnostics, by the shipped patterns themselves, and by the law that a
//! pattern survives being written and read (tests/patterns.rs).

mod axes;
mod canonical;
mod catalog;
mod decode;
mod encode;
mod keys;
mod moments;
mod scheme;

use std::collections::BTreeMap;
use std::time::Duration;

use crate::unit::{Percent, QueueDepth, TransferSize};

pub use axes::{Axes, Directions, Setting};
pub use canonical::{Fingerprint, FingerprintError};
pub use catalog::{Shipped, Unknown, catalog, find};
pub use decode::parse;
pub use encode::write;
pub use keys::known_keys;
pub use scheme::{Preset, preset, presets};

/// The most lines that an access specification may have: as many as Iometer's.
pub const MAX_LINES: usize = 100;
/// The most requests that one draw of a line may stand for.
pub const MAX_BURST: u32 = 1_000_000;
/// The longest pause before a burst.
pub const MAX_DELAY: Duration = Duration::from_secs(3600);
/// The depths that a pattern is swept over where its file names none.
pub const DEFAULT_DEPTHS: [u64; 9] = [1, 2, 4, 8, 16, 32, 64, 128, 256];

/// A named access specification with its sweep and rating.
#[derive(Debug, Clone, PartialEq)]
pub struct Pattern {
    /// What selects it: the file's stem, `file-server`.
    pub name: String,
    /// What heads its tables: `File Server`.
    pub title: String,
    /// One sentence on what it stands for.
    pub about: Option<String>,
    /// Where its figures come from.
    pub source: Option<String>,
    /// What is asked of the target.
    pub access: Access,
    /// What it is swept over where the command line says nothing else. What is swept here,
    /// `access` holds at its first setting.
    pub axes: Axes,
    /// The depths that a table of the terminal shows where it has no room for all; empty for all.
    pub shown_depths: Vec<QueueDepth>,
    /// How a sweep becomes one figure; `None` where the pattern is not rated.
    pub rating: Option<Scheme>,
}

/// The part of a pattern that decides which I/O is done: what its fingerprint covers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Access {
    /// The weighted lines; their shares sum to exactly 100 %.
    pub lines: Vec<Line>,
    /// What writes carry.
    pub data: Data,
}

/// One line of an access specification.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Line {
    /// Bytes of a request.
    pub size: TransferSize,
    /// How many of all draws take this line.
    pub share: Percent,
    /// How many of its requests read.
    pub read: Percent,
    /// How many of its requests go to a random place.
    pub random: Percent,
    /// Where its requests may start.
    pub align: Align,
    /// Requests per draw.
    pub burst: u32,
    /// Pause before each burst.
    pub delay: Duration,
}

/// Where a request may start.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Align {
    /// At multiples of the request's largest power-of-two divisor.
    Natural,
    /// At any sector of 512 bytes, as Iometer and fio do.
    Sector,
    /// At multiples of a number of bytes.
    Bytes(TransferSize),
}

/// What writes carry.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Data {
    /// Incompressible, every 4 KiB unique.
    Random,
    /// Nothing but zero bytes.
    Zeros,
    /// This share of each 4 KiB is zeros, the rest incompressible.
    Compressible(Percent),
}

/// How the points of a sweep become one figure. T(q) stands for IOPS at queue depth q.
#[derive(Debug, Clone, PartialEq)]
pub enum Scheme {
    /// The arithmetic mean of T(q) over the swept depths.
    Mean,
    /// The sum of T(q)/q over q = 1, 2, 4 … up to a depth.
    InverseDepth {
        /// The deepest queue that counts.
        up_to: QueueDepth,
    },
    /// The sum of `weight × T(q)` over the named depths.
    Weights(BTreeMap<QueueDepth, f64>),
    /// A published set of weights, by its id: `xbit-ws6`.
    Preset(String),
}
