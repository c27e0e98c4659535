//! What an access specification asks for on average: exact, from its lines.
//!
//! A line is drawn by its share, and then asks for as many requests as its burst. Of all requests
//! a line therefore has its share times its burst.

use super::{Access, Line};
use crate::unit::Percent;

impl Access {
    /// The fraction of all requests that each line asks for, in the order of the lines.
    pub fn request_fractions(&self) -> Vec<f64> {
        let total: f64 = self.lines.iter().map(weight).sum();
        self.lines.iter().map(|line| weight(line) / total).collect()
    }

    /// The mean transfer size in bytes.
    pub fn mean_size(&self) -> f64 {
        self.mean(|line| f64::from(line.size.get()))
    }

    /// The fraction of all requests that read.
    pub fn read_fraction(&self) -> f64 {
        self.mean(|line| line.read.fraction())
    }

    /// The fraction of all requests that go to a random place.
    pub fn random_fraction(&self) -> f64 {
        self.mean(|line| line.random.fraction())
    }

    /// Whether any request writes.
    pub fn writes(&self) -> bool {
        self.lines.iter().any(|line| line.read < Percent::HUNDRED)
    }

    /// Something's mean over all requests.
    fn mean(&self, of: impl Fn(&Line) -> f64) -> f64 {
        let total: f64 = self.lines.iter().map(weight).sum();
        self.lines.iter().map(|line| weight(line) * of(line)).sum::<f64>() / total
    }
}

/// Requests of a line for each 10 000 draws.
fn weight(line: &Line) -> f64 {
    f64::from(line.share.hundredths()) * f64::from(line.burst)
}

#[cfg(test)]
mod tests {
    use crate::pattern::{find, parse};

    #[test]
    fn mean_sizes_are_the_published_ones() {
        for (name, size) in [
            ("file-server", 11_345.92),
            ("web-server", 16_035.84),
            ("web-server-2008", 16_107.52),
            ("jesd219", 7_818.24),
        ] {
            let mean = find(name).unwrap().pattern().access.mean_size();
            assert!((mean - size).abs() < 1e-9, "{name}: {mean}");
        }
    }

    #[test]
    fn a_burst_multiplies_its_share() {
        let (pattern, _) = parse(
            "test",
            "title = \"Test\"\nrandom = 50\naccess = [
                { size = 1024, share = 50, read = 100, burst = 3 },
                { size = 2048, share = 50, read = 0 },
            ]",
        );
        let access = pattern.unwrap().access;
        let near = |value: f64, expected: f64| (value - expected).abs() < 1e-12;
        assert!(near(access.request_fractions()[0], 0.75));
        assert!(near(access.read_fraction(), 0.75));
        assert!(near(access.random_fraction(), 0.5));
        assert!(near(access.mean_size(), 1280.0));
        assert!(access.writes());
    }
}
