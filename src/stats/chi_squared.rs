//! Pearson's test of goodness of fit: do counts follow the shares that were asked for?
//!
//! It never judges a cell by fewer than five expected counts, where the distribution no longer
//! holds: such cells are put together first. Tested against `scipy.stats.chisquare`.

use statrs::distribution::{ChiSquared, ContinuousCDF};

/// The least expected count of a cell that is judged on its own (Cochran, 1954).
const SMALLEST_EXPECTATION: f64 = 5.0;

/// The probability of counts at least as far from `expected_shares` as `observed` are, where the
/// shares are true. Shares may be in any unit: only their ratios count. A count where the share
/// is zero has probability 0; fewer than two cells, or no counts, leave nothing to doubt and
/// give 1.
///
/// # Panics
/// Where the two slices differ in length: a cell without its share is the caller's mistake.
pub fn chi_squared(observed: &[u64], expected_shares: &[f64]) -> f64 {
    assert_eq!(observed.len(), expected_shares.len(), "each cell has one share");
    let cells = cells(observed, expected_shares);
    if cells.iter().any(|cell| cell.expected <= 0.0 && cell.observed > 0.0) {
        return 0.0;
    }
    let judged = merge(cells);
    let statistic: f64 = judged.iter().map(Cell::distance).sum();
    ChiSquared::new(judged.len() as f64 - 1.0)
        .map_or(1.0, |distribution| distribution.sf(statistic))
}

/// What was counted and what was expected, in counts.
#[derive(Debug, Clone, Copy)]
struct Cell {
    observed: f64,
    expected: f64,
}

impl Cell {
    fn distance(&self) -> f64 {
        (self.observed - self.expected).powi(2) / self.expected
    }

    fn join(&mut self, other: Cell) {
        self.observed += other.observed;
        self.expected += other.expected;
    }
}

fn cells(observed: &[u64], shares: &[f64]) -> Vec<Cell> {
    let total = observed.iter().sum::<u64>() as f64;
    let whole: f64 = shares.iter().sum();
    let cell = |(&count, share): (&u64, &f64)| Cell {
        observed: count as f64,
        expected: share / whole * total,
    };
    observed.iter().zip(shares).map(cell).collect()
}

/// Puts the smallest cells together until each has enough expectation; at the end, one that is
/// still too small joins the next.
fn merge(mut cells: Vec<Cell>) -> Vec<Cell> {
    cells.retain(|cell| cell.expected > 0.0);
    cells.sort_by(|a, b| a.expected.total_cmp(&b.expected));
    let mut judged: Vec<Cell> = Vec::with_capacity(cells.len());
    for cell in cells {
        match judged.last_mut() {
            Some(last) if last.expected < SMALLEST_EXPECTATION => last.join(cell),
            _ => judged.push(cell),
        }
    }
    // The last cell is the largest that is not joined; only where the whole is small is it too
    // small itself.
    if judged.len() > 1 && judged[judged.len() - 1].expected < SMALLEST_EXPECTATION {
        let last = judged.remove(judged.len() - 1);
        judged[0].join(last);
    }
    judged
}

#[cfg(test)]
mod tests {
    use super::*;

    fn close(ours: f64, golden: f64) -> bool {
        (ours - golden).abs() <= 1e-9 * golden
    }

    #[test]
    fn equals_scipy() {
        // e = np.array(shares) / sum(shares) * sum(observed); chisquare(observed, e).pvalue
        let file_server = [10.0, 5.0, 5.0, 60.0, 2.0, 4.0, 4.0, 10.0];
        let cases: [(&[u64], &[f64], f64); 5] = [
            (&[105, 45, 50], &[0.5, 0.25, 0.25], 0.687_289_278_790_972_1),
            (&[11, 9], &[50.0, 50.0], 0.654_720_846_018_576_8),
            (&[1000, 2000, 3000], &[1.0, 2.0, 3.0], 1.0),
            (
                &[99_800, 50_100, 49_900, 600_300, 20_300, 40_000, 39_800, 99_800],
                &file_server,
                0.444_663_291_782_796_07,
            ),
            (
                &[101_800, 50_100, 49_900, 598_300, 20_300, 40_000, 39_800, 99_800],
                &file_server,
                2.650_590_177_089_13e-7,
            ),
        ];
        for (observed, shares, golden) in cases {
            let p = chi_squared(observed, shares);
            assert!(close(p, golden), "{observed:?}: {p:e} is not {golden:e}");
        }
    }

    #[test]
    fn small_cells_are_judged_together() {
        // Expected 60, 30, 6 and 4: the smallest joins the next, as
        // chisquare([50, 35, 15], [60, 30, 10]).pvalue
        let p = chi_squared(&[50, 35, 12, 3], &[60.0, 30.0, 6.0, 4.0]);
        assert!(close(p, 0.082_084_998_623_898_8), "{p}");
    }

    #[test]
    fn a_count_where_none_may_be_is_impossible() {
        assert!(chi_squared(&[99, 1], &[1.0, 0.0]).abs() < f64::MIN_POSITIVE);
        assert!(close(chi_squared(&[50, 50, 0], &[1.0, 1.0, 0.0]), 1.0));
    }

    #[test]
    fn nothing_to_doubt_is_no_doubt() {
        let cases: [(&[u64], &[f64]); 4] =
            [(&[], &[]), (&[7], &[1.0]), (&[0, 0], &[1.0, 1.0]), (&[3, 1], &[1.0, 1.0])];
        for (observed, shares) in cases {
            assert!(close(chi_squared(observed, shares), 1.0), "{observed:?}");
        }
    }
}
