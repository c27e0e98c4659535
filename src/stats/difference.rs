//! The difference of two means with its error, by Student's t.
//!
//! Unpaired it pools the two variances (the classic t). Welch's t, which doesn't assume that
//! they are equal, is too timid for three repeats: without a difference it is wrong in 3.5 %
//! instead of 5 %, and it finds 10 % under a noise of 3 % in 72 % of comparisons instead of 82 %.
//! It never chooses between paired and unpaired: that is fixed before there are data. Tested
//! against `scipy.stats.ttest_ind` and `ttest_rel`.

use statrs::distribution::{ContinuousCDF, StudentsT};

use super::sample::{mean, t_quantile};

/// A difference of means, in the unit of the values.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Difference {
    /// The other mean less that of the base.
    pub value: f64,
    /// How far it may be trusted; `None` where there is nothing to judge it by.
    pub trust: Option<Trust>,
}

/// What Student's t says of a difference.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Trust {
    /// Half the width of the interval.
    pub error: f64,
    /// The probability of a difference at least as large, in either direction, where there is
    /// none.
    pub p: f64,
}

/// The difference of two means whose values have nothing to do with each other. Each side needs
/// two values to be trusted; `None` where one has none. `confidence` is a fraction, 0.95.
pub fn unpaired(base: &[f64], other: &[f64], confidence: f64) -> Option<Difference> {
    let [low, high] = [mean(base)?, mean(other)?];
    let [n, m] = [base.len(), other.len()];
    let squares = |values: &[f64], mean: f64| -> f64 {
        values.iter().map(|value| (value - mean).powi(2)).sum()
    };
    let degrees = n + m - 2;
    let variance = (squares(base, low) + squares(other, high)) / degrees as f64;
    let standard_error = (variance * (1.0 / n as f64 + 1.0 / m as f64)).sqrt();
    let value = high - low;
    let rounding = rounding(base.iter().chain(other));
    let trust = (n > 1 && m > 1)
        .then(|| trust([value, standard_error.max(rounding)], degrees, confidence))
        .flatten();
    Some(Difference { value, trust })
}

/// The mean of the differences within pairs (base, other), where both of a pair had the same
/// conditions. Two pairs are needed to trust it; `None` of no pairs.
pub fn paired(pairs: &[(f64, f64)], confidence: f64) -> Option<Difference> {
    let differences: Vec<f64> = pairs.iter().map(|(base, other)| other - base).collect();
    let value = mean(&differences)?;
    let degrees = pairs.len() - 1;
    let squares: f64 = differences.iter().map(|difference| (difference - value).powi(2)).sum();
    let standard_error = (squares / degrees as f64 / pairs.len() as f64).sqrt();
    let rounding = rounding(pairs.iter().flat_map(|(base, other)| [base, other]));
    let trust = (degrees > 0)
        .then(|| trust([value, standard_error.max(rounding)], degrees, confidence))
        .flatten();
    Some(Difference { value, trust })
}

/// The least error that means of such values can have: without it, the last digits of values
/// that repeat exactly would be held for a difference.
fn rounding<'a>(values: impl Iterator<Item = &'a f64>) -> f64 {
    let largest = values.fold(f64::MIN_POSITIVE, |largest, value| value.abs().max(largest));
    64.0 * f64::EPSILON * largest
}

fn trust([value, standard_error]: [f64; 2], degrees: usize, confidence: f64) -> Option<Trust> {
    let error = t_quantile(confidence, degrees)? * standard_error;
    let students = StudentsT::new(0.0, 1.0, degrees as f64).ok()?;
    let p = (2.0 * students.sf((value / standard_error).abs())).min(1.0);
    Some(Trust { error, p })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn close(ours: f64, golden: f64) -> bool {
        (ours - golden).abs() <= 1e-9 * golden.abs()
    }

    fn zip(base: &[f64], other: &[f64]) -> Vec<(f64, f64)> {
        base.iter().copied().zip(other.iter().copied()).collect()
    }

    const FIVE: [f64; 5] = [98.0, 101.0, 103.0, 99.5, 104.25];

    #[test]
    fn unpaired_equals_scipy() {
        // r = ttest_ind(other, base); i = r.confidence_interval(0.95)
        // mean(other) - mean(base), (i.high - i.low) / 2, r.pvalue
        type Case<'a> = (&'a [f64], &'a [f64], [f64; 3]);
        let cases: [Case<'_>; 7] = [
            (
                &FIVE[..2],
                &[100.0, 105.5, 102.0],
                [3.0, 7.501_097_877_427_277, 0.292_775_452_203_265_7],
            ),
            (
                &FIVE[..3],
                &[110.0, 108.5, 112.0],
                [9.5, 4.919_002_718_217_655, 0.005_838_068_029_374_570_6],
            ),
            (
                &FIVE[..3],
                &[100.0, 102.5, 99.0],
                [-1.0 / 6.0, 4.962_342_786_623_433_5, 0.930_188_549_872_592],
            ),
            (
                &FIVE[..4],
                &[100.0, 105.5, 102.0, 99.0, 107.0],
                [2.325, 4.701_244_020_596_656, 0.280_506_464_457_099_3],
            ),
            (
                &FIVE,
                &[110.0, 108.5, 112.0, 107.0, 115.0],
                [9.35, 4.147_603_423_250_242, 0.000_823_952_682_829_871_2],
            ),
            (
                &FIVE,
                &[100.0, 105.5, 102.0, 99.0, 107.0],
                [1.55, 4.420_676_688_930_301, 0.442_156_959_161_221_16],
            ),
            (
                &[3.1, 2.9, 3.4, 3.3, 2.7, 3.0, 3.6],
                &[3.5, 3.2, 3.9, 3.8, 3.3, 3.7],
                [0.423_809_523_809_523_64, 0.363_714_190_173_459_5, 0.026_300_011_904_400_865],
            ),
        ];
        for (base, other, [value, error, p]) in cases {
            let ours = unpaired(base, other, 0.95).unwrap();
            let trust = ours.trust.unwrap();
            assert!(close(ours.value, value), "{ours:?}, not {value}");
            assert!(close(trust.error, error), "{ours:?}, not ± {error}");
            assert!(close(trust.p, p), "{ours:?}, not p = {p}");
        }
    }

    #[test]
    fn paired_equals_scipy() {
        // r = ttest_rel(other, base); i = r.confidence_interval(0.95)
        // mean(other - base), (i.high - i.low) / 2, r.pvalue
        type Case<'a> = (&'a [f64], &'a [f64], [f64; 3]);
        let cases: [Case<'_>; 5] = [
            (
                &FIVE[..3],
                &[110.0, 108.5, 112.0],
                [9.5, 5.691_874_550_395_14, 0.018_844_218_960_787_727],
            ),
            (
                &FIVE[..3],
                &[100.0, 102.5, 99.0],
                [-1.0 / 6.0, 8.270_101_988_161_139, 0.938_800_993_863_789_6],
            ),
            (
                &FIVE,
                &[110.0, 108.5, 112.0, 107.0, 115.0],
                [9.35, 2.479_444_760_261_052, 0.000_470_332_842_096_838_9],
            ),
            (
                &FIVE,
                &[100.0, 105.5, 102.0, 99.0, 107.0],
                [1.55, 2.848_394_532_335_903_2, 0.205_351_392_574_028_87],
            ),
            (
                &[10.0, 10.0, 11.0, 12.0],
                &[10.0, 11.0, 12.0, 12.0],
                [0.5, 0.918_693_115_518_539_3, 0.181_690_113_816_209_36],
            ),
        ];
        for (base, other, [value, error, p]) in cases {
            let ours = paired(&zip(base, other), 0.95).unwrap();
            let trust = ours.trust.unwrap();
            assert!(close(ours.value, value), "{ours:?}, not {value}");
            assert!(close(trust.error, error), "{ours:?}, not ± {error}");
            assert!(close(trust.p, p), "{ours:?}, not p = {p}");
        }
    }

    #[test]
    fn one_value_is_not_trusted() {
        let alone = Some(Difference { value: 2.0, trust: None });
        assert_eq!(unpaired(&[5.0], &[7.0], 0.95), alone);
        assert_eq!(unpaired(&[5.0], &[6.0, 8.0], 0.95), alone);
        assert_eq!(paired(&[(5.0, 7.0)], 0.95), alone);
        assert_eq!(unpaired(&[], &[7.0], 0.95), None);
        assert_eq!(paired(&[], 0.95), None);
        assert_eq!(paired(&[(1.0, 2.0), (1.0, 4.0)], 95.0).unwrap().trust, None);
    }

    #[test]
    fn what_repeats_exactly_differs_or_does_not() {
        let same = paired(&[(0.1, 0.1), (0.2, 0.2)], 0.95).unwrap().trust.unwrap();
        assert!((same.p - 1.0).abs() < f64::EPSILON, "{same:?}");
        // 0.1 + 0.2 is not 0.3 in the last digit.
        let rounded = unpaired(&[0.3; 5], &[0.1 + 0.2; 5], 0.95).unwrap().trust.unwrap();
        assert!(rounded.p > 0.5, "{rounded:?}");
        let other = unpaired(&[0.3; 5], &[0.31; 5], 0.95).unwrap().trust.unwrap();
        assert!(other.p < 1e-12 && other.error < 1e-12, "{other:?}");
    }
}
