//! Estimates with their error, and the tests that a verdict rests on.
//!
//! Pure: numbers in, numbers out. It knows neither patterns nor measurements, never prints and
//! never decides: what a probability means is said by whoever asked for it. The only door to
//! `statrs`. Tested against golden values from `SciPy`, each with the call that made it.

mod binomial;
mod chi_squared;
mod difference;
mod holm;
mod permutation;
mod rerun;
mod sample;

pub use binomial::binomial_two_sided;
pub use chi_squared::chi_squared;
pub use difference::{Difference, Trust, paired, unpaired};
pub use holm::holm;
pub use permutation::{Chance, exchange_runs, exchange_signs};
pub use rerun::{Rerun, RerunError, Step};
pub use sample::{
    Estimate, geometric_mean, mean, mean_with_interval, relative_deviation, standard_deviation,
};

/// How often the intervals of a report hold the truth; 1 less this is how often a word that rests
/// on one may be wrong.
pub const CONFIDENCE: f64 = 0.95;
