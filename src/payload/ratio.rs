//! How far what is written could be compressed: measured, not assumed.

use std::io::Write;

use flate2::Compression;
use flate2::write::DeflateEncoder;

use super::fill;
use crate::pattern::Data;
use crate::unit::Seed;

/// What arrays and drives compress at a time, at most.
const WINDOW: usize = 128 << 10;

/// The size of 128 KiB of a pattern's data after deflate, in percent of what it was. Data that
/// can't be compressed comes out a little above 100.
pub fn deflated_percent(data: Data, seed: Seed) -> f64 {
    let mut bytes = vec![0; WINDOW];
    fill(&mut bytes, data, seed);
    let mut encoder = DeflateEncoder::new(Vec::with_capacity(WINDOW), Compression::fast());
    // Writing to memory can't fail.
    _ = encoder.write_all(&bytes);
    let deflated = encoder.finish().unwrap_or_default();
    100.0 * deflated.len() as f64 / WINDOW as f64
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::unit::Percent;

    #[test]
    fn data_is_as_compressible_as_it_says() {
        assert!(deflated_percent(Data::Random, Seed(1)) > 99.0);
        assert!(deflated_percent(Data::Zeros, Seed(1)) < 1.0);
        let half = Data::Compressible(Percent::try_from(50.0).unwrap());
        assert!((deflated_percent(half, Seed(1)) - 50.0).abs() < 2.0);
    }
}
