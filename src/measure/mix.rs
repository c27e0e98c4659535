//! What was asked for, line by line: the source of the achieved mix.

use crate::unit::{Op, Order};

/// Requests issued of one access line.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct LineCount {
    /// Draws of the line: one per burst.
    pub draws: u64,
    /// By direction, then sequential and random.
    pub ios: [[u64; 2]; 2],
}

impl LineCount {
    /// Requests of one direction.
    pub fn of(&self, op: Op) -> u64 {
        self.ios[op.index()].iter().sum()
    }

    /// Requests to random places.
    pub fn random(&self) -> u64 {
        self.ios.iter().map(|by_order| by_order[1]).sum()
    }

    /// All requests.
    pub fn total(&self) -> u64 {
        self.ios.iter().flatten().sum()
    }
}

/// Requests issued in the run time, by line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Mix {
    lines: Vec<LineCount>,
}

impl Mix {
    /// Nothing issued of any of `lines` lines.
    pub fn new(lines: usize) -> Self {
        Self { lines: vec![LineCount::default(); lines] }
    }

    /// From stored counts.
    pub fn from_lines(lines: Vec<LineCount>) -> Self {
        Self { lines }
    }

    /// Counts an issued request.
    #[inline]
    pub fn issue(&mut self, line: usize, op: Op, order: Order) {
        self.lines[line].ios[op.index()][order as usize] += 1;
    }

    /// Counts a draw of a line.
    #[inline]
    pub fn draw(&mut self, line: usize) {
        self.lines[line].draws += 1;
    }

    /// The lines, in the pattern's order.
    pub fn lines(&self) -> &[LineCount] {
        &self.lines
    }

    /// Adds what another worker issued.
    pub fn merge(&mut self, other: &Self) {
        for (mine, theirs) in self.lines.iter_mut().zip(&other.lines) {
            mine.draws += theirs.draws;
            for (op, by_order) in theirs.ios.iter().enumerate() {
                for (order, count) in by_order.iter().enumerate() {
                    mine.ios[op][order] += count;
                }
            }
        }
    }

    /// All requests issued.
    pub fn total(&self) -> u64 {
        self.lines.iter().map(LineCount::total).sum()
    }

    /// The share of requests that read, in percent; `None` where none were issued.
    pub fn read_percent(&self) -> Option<f64> {
        self.percent(|line| line.of(Op::Read))
    }

    /// The share of requests that went to random places, in percent; `None` where none were.
    pub fn random_percent(&self) -> Option<f64> {
        self.percent(LineCount::random)
    }

    fn percent(&self, count: impl Fn(&LineCount) -> u64) -> Option<f64> {
        let total = self.total();
        let counted: u64 = self.lines.iter().map(count).sum();
        (total > 0).then(|| 100.0 * counted as f64 / total as f64)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shares_follow_from_counts() {
        let mut mix = Mix::new(2);
        mix.issue(0, Op::Read, Order::Random);
        mix.issue(0, Op::Read, Order::Sequential);
        mix.issue(1, Op::Write, Order::Random);
        mix.issue(1, Op::Read, Order::Random);
        assert_eq!(mix.read_percent(), Some(75.0));
        assert_eq!(mix.random_percent(), Some(75.0));
        assert_eq!(mix.lines()[1].of(Op::Write), 1);
        assert_eq!(Mix::new(1).read_percent(), None);
    }
}
