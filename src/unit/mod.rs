//! Quantities and facts that cannot be mixed up.
//!
//! Every number that has a unit is a type of its own here, and each type is the only place that
//! knows how its values are written and read: `Display` prints what a person reads, `FromStr`
//! takes what a person types. This module does no I/O, reads no clock and knows nothing of
//! patterns or devices. Tested by the tables at the foot of each file.

mod bytes;
mod depth;
mod io;
mod moment;
mod percent;
mod range;
mod rate;
mod time;

pub use bytes::{Bytes, SECTOR, SizeError, TransferSize};
pub use depth::{DepthError, QueueDepth};
pub use io::{Geometry, Op, Order, Seed, SeedError, Span, below};
pub use moment::{MomentError, parse_moment, show_moment};
pub use percent::{Percent, PercentError};
pub use range::{RangeError, Stepped, parse_range};
pub use rate::{Iops, Throughput};
pub use time::{Latency, Tick, TimeError, parse_duration, show_duration};
