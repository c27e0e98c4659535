//! Holm's step-down: what probabilities are worth where many were asked for.
//!
//! It bounds the chance of a single false alarm among all of them, whatever they have to do with
//! each other. It must be given all that were looked at, never a choice of them. Tested against
//! `statsmodels`.

/// Each probability, adjusted (S. Holm, *A Simple Sequentially Rejective Multiple Test
/// Procedure*, 1979), in the order given: one that stays at or below α survives at the level α.
pub fn holm(probabilities: &[f64]) -> Vec<f64> {
    let mut order: Vec<usize> = (0..probabilities.len()).collect();
    order.sort_by(|&a, &b| probabilities[a].total_cmp(&probabilities[b]));
    let mut adjusted = vec![1.0; probabilities.len()];
    let mut least = 0.0_f64;
    for (rank, place) in order.into_iter().enumerate() {
        let tests = (probabilities.len() - rank) as f64;
        // None may be surer than one before it.
        least = least.max(probabilities[place] * tests).min(1.0);
        adjusted[place] = least;
    }
    adjusted
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn equals_statsmodels() {
        // multipletests(p, method="holm")[1]
        let cases: [(&[f64], &[f64]); 6] = [
            (&[], &[]),
            (&[0.5], &[0.5]),
            (&[0.01, 0.04, 0.03, 0.005], &[0.03, 0.06, 0.06, 0.02]),
            (&[0.02, 0.02, 0.02], &[0.06, 0.06, 0.06]),
            (&[0.9, 0.6, 0.001, 0.2, 0.0001], &[1.0, 1.0, 0.004, 0.6, 0.0005]),
            (&[0.0, 0.0, 1.0], &[0.0, 0.0, 1.0]),
        ];
        for (probabilities, golden) in cases {
            let ours = holm(probabilities);
            assert_eq!(ours.len(), golden.len());
            let close = |(ours, golden): (&f64, &f64)| (ours - golden).abs() <= 1e-12;
            assert!(ours.iter().zip(golden).all(close), "{ours:?}, not {golden:?}");
        }
    }

    proptest! {
        #[test]
        fn the_surest_pays_for_all_and_none_overtakes(
            probabilities in prop::collection::vec(0.0_f64..=1.0, 1..40),
        ) {
            let adjusted = holm(&probabilities);
            let least = |values: &[f64]| values.iter().copied().fold(1.0, f64::min);
            let all = least(&probabilities) * probabilities.len() as f64;
            prop_assert!((least(&adjusted) - all.min(1.0)).abs() < 1e-12);
            for (p, ours) in probabilities.iter().zip(&adjusted) {
                prop_assert!(p <= ours && *ours <= 1.0);
                for (other, theirs) in probabilities.iter().zip(&adjusted) {
                    prop_assert!(p > other || ours <= theirs);
                }
            }
        }
    }
}
