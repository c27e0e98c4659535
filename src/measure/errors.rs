//! Failed requests, counted by operation and reason.

use std::fmt;

use crate::unit::Op;

/// The reason the kernel gave for a failed request. 0 stands for a transfer that stopped short of
/// what was asked and could not be continued.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Errno(pub u16);

/// Reasons with a place of their own in the counters: Linux has 133. Others share the last.
const REASONS: usize = 135;

/// The names of the reasons that storage gives, from errno(3).
const NAMES: [(u16, &str); 16] = [
    (0, "SHORT"),
    (1, "EPERM"),
    (4, "EINTR"),
    (5, "EIO"),
    (6, "ENXIO"),
    (9, "EBADF"),
    (11, "EAGAIN"),
    (12, "ENOMEM"),
    (14, "EFAULT"),
    (16, "EBUSY"),
    (19, "ENODEV"),
    (22, "EINVAL"),
    (28, "ENOSPC"),
    (30, "EROFS"),
    (61, "ENODATA"),
    (110, "ETIMEDOUT"),
];

impl Errno {
    /// A transfer that moved less than asked and could not go on.
    pub const SHORT: Self = Self(0);
    /// Try again: the request is issued again instead of failing.
    pub const AGAIN: Self = Self(11);

    /// Whether the target itself has gone, not only this request failed.
    pub const fn means_gone(self) -> bool {
        // ENXIO, ENODEV, ESHUTDOWN: what the block layer says once a device is removed.
        matches!(self.0, 6 | 19 | 108)
    }
}

impl fmt::Display for Errno {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match NAMES.iter().find(|(number, _)| *number == self.0) {
            Some((_, name)) => f.pad(name),
            None => f.pad(&format!("errno {}", self.0)),
        }
    }
}

/// How many requests failed, by operation and reason.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Errors {
    counts: [Vec<u64>; 2],
}

impl Errors {
    /// None yet.
    pub fn new() -> Self {
        Self { counts: [vec![0; REASONS], vec![0; REASONS]] }
    }

    /// Counts a failed request.
    pub fn record(&mut self, op: Op, errno: Errno) {
        self.add(op, errno, 1);
    }

    /// Counts several failed requests.
    pub fn add(&mut self, op: Op, errno: Errno, count: u64) {
        self.counts[op.index()][usize::from(errno.0).min(REASONS - 1)] += count;
    }

    /// Adds the counts of another worker.
    pub fn merge(&mut self, other: &Self) {
        for (op, errno, count) in other.iter() {
            self.add(op, errno, count);
        }
    }

    /// All of them together.
    pub fn total(&self) -> u64 {
        self.counts.iter().flatten().sum()
    }

    /// Each reason that occurred.
    pub fn iter(&self) -> impl Iterator<Item = (Op, Errno, u64)> {
        Op::BOTH.into_iter().flat_map(|op| {
            (0_u16..)
                .zip(&self.counts[op.index()])
                .filter(|&(_, &count)| count > 0)
                .map(move |(errno, &count)| (op, Errno(errno), count))
        })
    }
}

impl Default for Errors {
    fn default() -> Self {
        Self::new()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn errors_are_told_apart() {
        let mut errors = Errors::new();
        errors.record(Op::Read, Errno(5));
        errors.record(Op::Read, Errno(5));
        errors.record(Op::Write, Errno(28));
        errors.record(Op::Write, Errno(4000));
        let listed: Vec<_> = errors.iter().map(|(op, e, n)| format!("{op} {e} {n}")).collect();
        assert_eq!(listed, ["read EIO 2", "write ENOSPC 1", "write errno 134 1"]);
        assert_eq!(errors.total(), 4);
    }
}
