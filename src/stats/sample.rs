//! What a handful of repeats says: their mean, how far they scatter, and how far the mean may be
//! trusted.
//!
//! It never discards a value: an outlier is a finding, not an error. Tested against `NumPy` and
//! `scipy.stats.t`.

use statrs::distribution::{ContinuousCDF, StudentsT};

/// A figure with its error, in the unit of the values that it was made from.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Estimate {
    /// The figure itself.
    pub value: f64,
    /// Half the width of its interval: the truth lies within `value ± error` with the confidence
    /// asked for. `None` where there is nothing to judge it by, as after a single repeat.
    pub error: Option<f64>,
    /// How many values it rests on.
    pub n: usize,
}

/// The arithmetic mean; `None` of no values.
pub fn mean(values: &[f64]) -> Option<f64> {
    (!values.is_empty()).then(|| values.iter().sum::<f64>() / values.len() as f64)
}

/// The sample standard deviation, with n − 1 below the sum of squares; `None` of fewer than two
/// values.
pub fn standard_deviation(values: &[f64]) -> Option<f64> {
    let mean = mean(values)?;
    // Two passes: the one-pass formula loses all digits where values are large and close.
    let squares: f64 = values.iter().map(|value| (value - mean).powi(2)).sum();
    (values.len() > 1).then(|| (squares / (values.len() - 1) as f64).sqrt())
}

/// The standard deviation as a fraction of the mean (0.1 is 10 %); `None` of fewer than two
/// values, and where the mean is zero.
pub fn relative_deviation(values: &[f64]) -> Option<f64> {
    let mean = mean(values)?;
    (mean != 0.0).then_some(standard_deviation(values)? / mean.abs())
}

/// The mean with its interval by Student's t: the half width is t((1 + confidence)/2, n − 1) ×
/// deviation / √n. `confidence` is a fraction, 0.95; outside 0 to 1 there is no interval. `None`
/// of no values.
pub fn mean_with_interval(values: &[f64], confidence: f64) -> Option<Estimate> {
    let n = values.len();
    let error = standard_deviation(values)
        .zip(t_quantile(confidence, n.saturating_sub(1)))
        .map(|(deviation, t)| t * deviation / (n as f64).sqrt());
    Some(Estimate { value: mean(values)?, error, n })
}

/// The n-th root of the product: the mean that belongs to ratios, since it treats twice and half
/// alike. `None` of no values, and where one is not above zero.
pub fn geometric_mean(values: &[f64]) -> Option<f64> {
    let logs: Option<Vec<f64>> =
        values.iter().map(|&value| (value > 0.0).then(|| value.ln())).collect();
    mean(&logs?).map(f64::exp)
}

/// How many standard errors a two-sided interval of `confidence` reaches with so many degrees of
/// freedom.
pub(super) fn t_quantile(confidence: f64, degrees: usize) -> Option<f64> {
    if !(0.0 < confidence && confidence < 1.0) {
        return None;
    }
    let students = StudentsT::new(0.0, 1.0, degrees as f64).ok()?;
    Some(students.inverse_cdf(f64::midpoint(1.0, confidence)))
}

#[cfg(test)]
mod tests {
    use std::f64::consts::FRAC_1_SQRT_2;

    use super::*;

    fn close(ours: f64, golden: f64) -> bool {
        (ours - golden).abs() <= 1e-9 * golden.abs()
    }

    #[test]
    fn equals_scipy() {
        // a = np.array(values); s = a.std(ddof=1)
        // a.mean(), s, s / a.mean(), t.ppf((1 + c) / 2, len(a) - 1) * s / np.sqrt(len(a))
        type Case<'a> = (&'a [f64], f64, [f64; 4]);
        let cases: [Case<'_>; 4] = [
            (
                &[98.0, 101.0, 103.0],
                0.95,
                [
                    100.666_666_666_666_67,
                    2.516_611_478_423_583_6,
                    0.024_999_451_772_419_704,
                    6.251_609_479_375_776,
                ],
            ),
            (
                &[98.0, 101.0, 103.0, 99.5, 104.25],
                0.95,
                [101.15, 2.534_758_371_127_315, 0.025_059_400_604_323_43, 3.147_318_213_574_403],
            ),
            (
                &[98.0, 101.0, 103.0, 99.5, 104.25],
                0.99,
                [101.15, 2.534_758_371_127_315, 0.025_059_400_604_323_43, 5.219_102_520_160_225_5],
            ),
            (
                &[1.0, 2.0],
                0.9,
                [1.5, FRAC_1_SQRT_2, 0.471_404_520_791_031_73, 3.156_875_757_337_518_4],
            ),
        ];
        for (values, confidence, [centre, deviation, relative, half]) in cases {
            let estimate = mean_with_interval(values, confidence).unwrap();
            assert_eq!(estimate.n, values.len());
            assert!(close(estimate.value, centre), "{estimate:?}");
            assert!(close(estimate.error.unwrap(), half), "{estimate:?} is not ± {half}");
            assert!(close(standard_deviation(values).unwrap(), deviation));
            assert!(close(relative_deviation(values).unwrap(), relative));
        }
    }

    #[test]
    fn one_value_has_no_interval() {
        let estimate = mean_with_interval(&[7.0], 0.95);
        assert_eq!(estimate, Some(Estimate { value: 7.0, error: None, n: 1 }));
        assert_eq!(standard_deviation(&[7.0]), None);
        assert_eq!(mean_with_interval(&[], 0.95), None);
    }

    #[test]
    fn equal_values_have_no_error() {
        let estimate = mean_with_interval(&[10.0, 10.0], 0.95);
        assert_eq!(estimate, Some(Estimate { value: 10.0, error: Some(0.0), n: 2 }));
        assert_eq!(relative_deviation(&[0.0, 0.0]), None);
    }

    #[test]
    fn ratios_have_a_geometric_mean() {
        // gmean(values)
        assert!(close(geometric_mean(&[1.0, 2.0, 8.0]).unwrap(), 2.519_842_099_789_746));
        assert!(close(geometric_mean(&[0.99, 1.01, 0.994]).unwrap(), 0.997_962_718_971_264_4));
        for none in [&[][..], &[1.0, 0.0], &[1.0, -2.0], &[1.0, f64::NAN]] {
            assert_eq!(geometric_mean(none), None, "{none:?}");
        }
    }

    #[test]
    fn a_confidence_that_is_none_gives_no_interval() {
        for confidence in [0.0, 1.0, 95.0, f64::NAN] {
            assert_eq!(mean_with_interval(&[1.0, 2.0], confidence).unwrap().error, None);
        }
    }
}
