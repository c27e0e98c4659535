//! Estimates with their error, and the tests that a verdict rests on.
//!
//! Pure: numbers in, numbers out. It knows neither patterns nor measurements, never prints and
//! never decides: what a probability means is said by whoever asked for it. The only door to
//! `statrs`. Tested against golden values from `SciPy`, each with the call that made it.

mod binomial;
mod chi_squared;
mod sample;

pub use binomial::binomial_two_sided;
pub use chi_squared::chi_squared;
pub use sample::{Estimate, mean, mean_with_interval, relative_deviation, standard_deviation};
