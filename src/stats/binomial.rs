//! The exact two-sided binomial test: could this many successes come from a share of `p`?
//!
//! The tail is summed term by term at every size, outward from the count, where terms shrink
//! geometrically: that is at most some ten standard deviations of terms, a millisecond for 10^10
//! trials. It never goes through the incomplete beta function: `statrs` stops its continued
//! fraction after 140 steps, which is far too early for 10^10 trials. Tested against
//! `scipy.stats.binom` from one trial to 10^10.

use std::f64::consts::TAU;

/// The probability of a count of successes at least as far out as `successes`, on either side,
/// among `trials` of probability `p` each: twice the smaller tail, the count itself included, and
/// at most 1. No trials give 1. More successes than trials, or a `p` outside 0 to 1, have probability 0.
pub fn binomial_two_sided(successes: u64, trials: u64, p: f64) -> f64 {
    if successes > trials || !(0.0..=1.0).contains(&p) {
        return 0.0;
    }
    if trials == 0 {
        return 1.0;
    }
    let failures = trials - successes;
    // The median lies within one of the mean, so the count's own side holds the smaller tail.
    let tail = if successes as f64 <= trials as f64 * p {
        lower_tail([successes, failures], [p, 1.0 - p])
    } else {
        lower_tail([failures, successes], [1.0 - p, p])
    };
    (2.0 * tail).min(1.0)
}

/// The probability of at most `counts[0]` of the first kind. Both shares are given, since taking
/// a small one from 1 and back again costs half its digits.
fn lower_tail(counts: [u64; 2], [p, q]: [f64; 2]) -> f64 {
    let [mut k, mut rest] = counts.map(|count| count as f64);
    let mut term = probability([k, rest], [p, q]);
    let mut sum = term;
    // P(k−1)/P(k) = k/(n−k+1) × q/p.
    let odds = q / p;
    while k > 0.0 && term > sum * f64::EPSILON {
        rest += 1.0;
        term *= k / rest * odds;
        sum += term;
        k -= 1.0;
    }
    sum
}

/// The probability of exactly k of the first kind and m of the second, by Loader's saddle point (C. Loader,
/// *Fast and Accurate Computation of Binomial Probabilities*, 2000): the plain formula by
/// logarithms of factorials loses all but four digits at 10^10 trials.
#[expect(clippy::many_single_char_names, reason = "the letters of the formula")]
fn probability([k, m]: [f64; 2], [p, q]: [f64; 2]) -> f64 {
    let n = k + m;
    if k == 0.0 {
        return (m * (-p).ln_1p()).exp();
    }
    if m == 0.0 {
        return (k * (-q).ln_1p()).exp();
    }
    let exponent = stirling_error(n)
        - stirling_error(k)
        - stirling_error(m)
        - deviance(k, n * p)
        - deviance(m, n * q);
    exponent.exp() * (n / (TAU * k * m)).sqrt()
}

/// ln n! − ln(√(2πn) (n/e)^n): what Stirling's formula leaves out.
fn stirling_error(n: f64) -> f64 {
    if n <= 15.0 {
        let factorial: f64 = (1..=15).map(f64::from).take_while(|&i| i <= n).product();
        return factorial.ln() - n.mul_add(n.ln() - 1.0, 0.5 * (TAU * n).ln());
    }
    let squared = n * n;
    (1.0 / 12.0 - (1.0 / 360.0 - (1.0 / 1260.0 - 1.0 / 1680.0 / squared) / squared) / squared) / n
}

/// x ln(x/mean) + mean − x, without cancellation where the two are close.
fn deviance(x: f64, mean: f64) -> f64 {
    let difference = x - mean;
    if difference.abs() >= 0.1 * (x + mean) {
        return x * (x / mean).ln() - difference;
    }
    // The series of the logarithm in v = (x − mean)/(x + mean), |v| < 0.1: ten terms reach the
    // last digit.
    let v = difference / (x + mean);
    let mut power = 2.0 * x * v;
    let mut sum = difference * v;
    for i in 1..=10_u8 {
        power *= v * v;
        sum += power / f64::from(2 * i + 1);
    }
    sum
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equals_scipy() {
        // min(1, 2 * min(binom.cdf(k, n, p), binom.sf(k - 1, n, p)))
        const TEN_BILLION: u64 = 10_000_000_000;
        let cases = [
            (0, 10, 0.1, 0.697_356_880_199_999_9),
            (3, 10, 0.8, 0.001_728_716_799_999_997_2),
            (1, 1, 0.1, 0.2),
            (7, 20, 0.5, 0.263_175_964_355_468_75),
            (2, 1000, 0.01, 0.005_358_863_987_583_02),
            (79_000, 100_000, 0.8, 4.019_774_124_083_656e-15),
            (80_500, 100_000, 0.8, 7.476_939_516_236_6e-5),
            (7_999_500_000, TEN_BILLION, 0.8, 7.502_838_731_357_097e-36),
            (8_000_200_000, TEN_BILLION, 0.8, 5.731_619_144_342_085e-7),
            (8_000_000_000, TEN_BILLION, 0.8, 1.0),
            (4_999_900_000, TEN_BILLION, 0.5, 0.045_501_343_720_924_78),
            (150, TEN_BILLION, 1e-8, 3.768_420_453_507_060_8e-6),
            (40, TEN_BILLION, 1e-8, 1.503_929_064_617_959_8e-11),
        ];
        for (k, n, p, golden) in cases {
            let ours = binomial_two_sided(k, n, p);
            assert!((ours - golden).abs() <= 1e-9 * golden, "{k} of {n}: {ours:e}, not {golden:e}");
        }
    }

    #[test]
    fn certainty_and_impossibility() {
        let cases = [
            (0, 0, 0.5, 1.0),
            (0, 100, 0.0, 1.0),
            (1, 100, 0.0, 0.0),
            (100, 100, 1.0, 1.0),
            (99, 100, 1.0, 0.0),
            (2, 1, 0.5, 0.0),
            (1, 2, f64::NAN, 0.0),
        ];
        for (k, n, p, expected) in cases {
            let ours = binomial_two_sided(k, n, p);
            assert!((ours - expected).abs() < f64::EPSILON, "{k} of {n} at {p}: {ours}");
        }
    }

    #[test]
    fn the_smaller_tail_is_taken_everywhere() {
        // All of the small: the definition, summed with no cleverness.
        for n in 1..=30_u64 {
            for p in [0.03, 0.2, 0.5, 0.67, 0.99] {
                let exact: Vec<f64> = (0..=n)
                    .map(|k| probability([k as f64, (n - k) as f64], [p, 1.0 - p]))
                    .collect();
                assert!((exact.iter().sum::<f64>() - 1.0).abs() < 1e-12, "{n} at {p}");
                for k in 0..=n {
                    let split = usize::try_from(k).unwrap();
                    let lower: f64 = exact[..=split].iter().sum();
                    let upper: f64 = exact[split..].iter().sum();
                    let expected = (2.0 * lower.min(upper)).min(1.0);
                    let ours = binomial_two_sided(k, n, p);
                    assert!((ours - expected).abs() < 1e-12, "{k} of {n} at {p}: {ours}");
                }
            }
        }
    }
}
