//! Exact tests by exchange: in how many of all arrangements that were as likely is the difference
//! as large as the one that was seen?
//!
//! All arrangements are enumerated, none is drawn. Two-sided is twice the smaller tail, as in
//! `scipy.stats.permutation_test`, which the tests hold it against. (`statrs` has a Mann–Whitney
//! test; its exact form is wrong where the first sample is not the larger.) What may be exchanged
//! follows from how the values came about, never from what they are: see [`exchange_runs`] and
//! [`exchange_signs`].

/// The most arrangements that are enumerated: those of 10 values against 10, or of 17 pairs. Both
/// take less than a millisecond. With more values than that the t interval no longer leans on how
/// they are distributed, and there is nothing left to check it for.
const MOST: u64 = 200_000;

/// The answer of an exact test.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Chance {
    /// The probability of a mean difference at least as large, in either direction, where there
    /// is none.
    pub p: f64,
    /// The least probability that so many values can show, however far apart they are: a `p`
    /// equal to it says no more than that they do not overlap.
    pub least: f64,
}

impl Chance {
    /// The fewest values on a side that are worth asking: three against three can show nothing
    /// below 0.10.
    pub const FEWEST: usize = 4;
}

/// Exchanges runs between two sides: for values that were all taken under like conditions. C(n +
/// m, n) arrangements; three against three never come below 0.10, four against four below 0.029.
/// `None` where one side is empty, and above 10 values a side (200 000 arrangements).
pub fn exchange_runs(base: &[f64], other: &[f64]) -> Option<Chance> {
    if base.is_empty() || other.is_empty() {
        return None;
    }
    let all: Vec<f64> = other.iter().chain(base).copied().collect();
    let total = binomial(all.len(), other.len()).filter(|&total| total <= MOST)?;
    // The total is the same in all arrangements, so the sum of one side orders them as the
    // difference of means does.
    let mut tails = Tails::around(other.iter().sum(), &all);
    subsets(&all, other.len(), 0.0, &mut |sum| tails.count(sum));
    Some(tails.chance(total))
}

/// Exchanges the two of a pair, which changes the sign of its difference: for values that were
/// taken in pairs of like conditions, of which any one could be another's from pair to pair. 2^n
/// arrangements; five pairs never come below 0.0625, six below 0.031. `None` of no pairs, and
/// above 17.
pub fn exchange_signs(differences: &[f64]) -> Option<Chance> {
    let n = differences.len();
    let total = (1..18).contains(&n).then(|| 1_u64 << n)?;
    // The mean of an arrangement is twice the sum of those that keep their sign, less the sum of
    // all: so the former orders the arrangements. As they were seen, all keep it.
    let mut tails = Tails::around(differences.iter().sum(), differences);
    for kept in 0..=n {
        subsets(differences, kept, 0.0, &mut |sum| tails.count(sum));
    }
    Some(tails.chance(total))
}

/// How many arrangements lie on either side of the one seen, which is in both.
struct Tails {
    seen: f64,
    /// Sums of the same values in another order differ by this much at most.
    rounding: f64,
    below: u64,
    above: u64,
}

impl Tails {
    fn around(seen: f64, values: &[f64]) -> Self {
        let magnitude: f64 = values.iter().map(|value| value.abs()).sum();
        Self { seen, rounding: 64.0 * f64::EPSILON * magnitude, below: 0, above: 0 }
    }

    fn count(&mut self, sum: f64) {
        self.below += u64::from(sum <= self.seen + self.rounding);
        self.above += u64::from(sum >= self.seen - self.rounding);
    }

    fn chance(&self, total: u64) -> Chance {
        let twice = |count: u64| (2.0 * count as f64 / total as f64).min(1.0);
        Chance { p: twice(self.below.min(self.above)), least: twice(1) }
    }
}

/// Shows the sum of every subset of `size` values to `visit`, each added to `sum`.
fn subsets(values: &[f64], size: usize, sum: f64, visit: &mut impl FnMut(f64)) {
    if size == 0 {
        return visit(sum);
    }
    for first in 0..=values.len() - size {
        subsets(&values[first + 1..], size - 1, sum + values[first], visit);
    }
}

/// C(n, k); `None` once it is above [`MOST`].
fn binomial(n: usize, k: usize) -> Option<u64> {
    let mut count = 1_u64;
    for i in 0..k.min(n - k) as u64 {
        count = count * (n as u64 - i) / (i + 1);
        if count > MOST {
            return None;
        }
    }
    Some(count)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const FIVE: [f64; 5] = [98.0, 101.0, 103.0, 99.5, 104.25];

    fn close(ours: f64, golden: f64) -> bool {
        (ours - golden).abs() <= 1e-12
    }

    #[test]
    fn runs_equal_scipy() {
        // permutation_test((base, other), lambda x, y: mean(y) - mean(x),
        //                  vectorized=False, n_resamples=np.inf).pvalue
        type Case<'a> = (&'a [f64], &'a [f64], f64);
        let cases: [Case<'_>; 9] = [
            (&FIVE[..2], &[100.0, 105.5, 102.0], 0.4),
            (&FIVE[..3], &[110.0, 108.5, 112.0], 0.1),
            (&FIVE[..3], &[100.0, 102.5, 99.0], 1.0),
            (&[4.0, 3.0, 2.0, 1.0], &[8.0, 7.0, 6.0, 5.0], 0.028_571_428_571_428_57),
            (&[10.0, 10.0, 11.0, 12.0], &[10.0, 11.0, 12.0, 12.0], 0.742_857_142_857_142_8),
            (&FIVE[..4], &[100.0, 105.5, 102.0, 99.0, 107.0], 0.301_587_301_587_301_6),
            (&FIVE, &[110.0, 108.5, 112.0, 107.0, 115.0], 0.007_936_507_936_507_936),
            (&FIVE, &[100.0, 105.5, 102.0, 99.0, 107.0], 0.444_444_444_444_444_4),
            (
                &[3.1, 2.9, 3.4, 3.3, 2.7, 3.0, 3.6],
                &[3.5, 3.2, 3.9, 3.8, 3.3, 3.7],
                0.036_130_536_130_536_13,
            ),
        ];
        for (base, other, p) in cases {
            let ours = exchange_runs(base, other).unwrap();
            assert!(close(ours.p, p), "{base:?} against {other:?}: {ours:?}, not {p}");
        }
    }

    #[test]
    fn signs_equal_scipy() {
        // permutation_test((differences,), np.mean, permutation_type="samples",
        //                  vectorized=False, n_resamples=np.inf).pvalue
        let cases: [(&[f64], f64); 5] = [
            (&[12.0, 7.5, 9.0], 0.25),
            (&[2.0, 1.5, -4.0], 1.0),
            (&[0.0, 1.0, 1.0, 0.0], 0.5),
            (&[12.0, 7.5, 9.0, 7.5, 10.75], 0.0625),
            (&[2.0, 4.5, -1.0, -0.5, 2.75], 0.25),
        ];
        for (differences, p) in cases {
            let ours = exchange_signs(differences).unwrap();
            assert!(close(ours.p, p), "{differences:?}: {ours:?}, not {p}");
        }
    }

    #[test]
    fn the_least_is_what_separation_reaches() {
        for n in 1..=10_u32 {
            let [low, high] =
                [0, 100].map(|from| (from..from + n).map(f64::from).collect::<Vec<_>>());
            let runs = exchange_runs(&low, &high).unwrap();
            assert!(close(runs.p, runs.least), "{n}: {runs:?}");
            let signs = exchange_signs(&high).unwrap();
            assert!(close(signs.p, signs.least), "{n}: {signs:?}");
        }
        assert!(close(exchange_runs(&[1.0; 3], &[2.0; 3]).unwrap().least, 0.1));
    }

    #[test]
    fn too_many_are_not_enumerated() {
        assert!(exchange_runs(&[1.0; 10], &[2.0; 10]).is_some());
        assert_eq!(exchange_runs(&[1.0; 11], &[2.0; 11]), None);
        assert_eq!(exchange_runs(&[1.0; 500], &[2.0; 500]), None);
        assert!(exchange_signs(&[1.0; 17]).is_some());
        assert_eq!(exchange_signs(&[1.0; 18]), None);
        assert_eq!(exchange_runs(&[], &[1.0]), None);
        assert_eq!(exchange_signs(&[]), None);
    }

    proptest! {
        #[test]
        fn neither_side_comes_first(
            base in prop::collection::vec(1.0_f64..100.0, 1..6),
            other in prop::collection::vec(1.0_f64..100.0, 1..6),
        ) {
            let there = exchange_runs(&base, &other).unwrap();
            prop_assert_eq!(Some(there), exchange_runs(&other, &base));
            prop_assert!(there.least <= there.p && there.p <= 1.0);
        }

        #[test]
        fn neither_direction_comes_first(
            differences in prop::collection::vec(-10.0_f64..10.0, 1..9),
        ) {
            let turned: Vec<f64> = differences.iter().map(|difference| -difference).collect();
            let there = exchange_signs(&differences).unwrap();
            prop_assert_eq!(Some(there), exchange_signs(&turned));
            prop_assert!(there.least <= there.p && there.p <= 1.0);
        }
    }
}
