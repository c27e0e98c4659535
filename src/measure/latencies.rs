//! How long requests took: a histogram of three significant digits, with the exact sum, least
//! and greatest beside it.

use hdrhistogram::Histogram;
use hdrhistogram::serialization::{Deserializer, Serializer, V2Serializer};
use thiserror::Error;

use crate::unit::Latency;

/// The longest latency that is told apart, one hour in nanoseconds; longer ones are counted as
/// saturated, and the exact maximum still shows them.
const LONGEST_NS: u64 = 3_600_000_000_000;

/// Digits that a bucket keeps: percentiles are good to 0.1 %.
const DIGITS: u8 = 3;

/// Fewer requests than this beyond a percentile, and it says nothing about the target.
const ENOUGH_BEYOND: f64 = 10.0;

/// The percentiles that tables and records show.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Percentile {
    /// The median.
    P50,
    /// 90 % are faster.
    P90,
    /// 99 % are faster.
    P99,
    /// 99.9 % are faster.
    P999,
    /// 99.99 % are faster.
    P9999,
}

impl Percentile {
    /// All of them, in rising order.
    pub const ALL: [Self; 5] = [Self::P50, Self::P90, Self::P99, Self::P999, Self::P9999];

    /// As a fraction.
    pub const fn quantile(self) -> f64 {
        match self {
            Self::P50 => 0.5,
            Self::P90 => 0.9,
            Self::P99 => 0.99,
            Self::P999 => 0.999,
            Self::P9999 => 0.9999,
        }
    }
}

/// Why stored latencies could not be read.
#[derive(Debug, Error)]
pub enum CodecError {
    /// The bytes are no histogram.
    #[error("the stored histogram can't be read: {0:?}")]
    Read(hdrhistogram::serialization::DeserializeError),
    /// The bytes are no histogram that [`Latencies::encode`] writes.
    #[error("the stored histogram can't be read: its head is not that of one of latencies")]
    Foreign,
    /// The exact figures can't be those of the histogram.
    #[error("the stored sum, least and greatest latencies are not those of the histogram")]
    Exact,
    /// The histogram could not be written.
    #[error("the histogram can't be stored: {0:?}")]
    Write(hdrhistogram::serialization::V2SerializeError),
}

/// The latencies of completed requests, in nanoseconds.
#[derive(Debug, Clone, PartialEq)]
pub struct Latencies {
    histogram: Histogram<u64>,
    sum_ns: u128,
    min_ns: u64,
    max_ns: u64,
    saturated: u64,
}

impl Latencies {
    /// No latencies yet.
    ///
    /// # Panics
    /// Never: the bounds are constants.
    pub fn new() -> Self {
        let histogram = Histogram::new_with_bounds(1, LONGEST_NS, DIGITS)
            .expect("1 ns to one hour at three digits is a valid range");
        Self { histogram, sum_ns: 0, min_ns: u64::MAX, max_ns: 0, saturated: 0 }
    }

    /// Counts one latency.
    #[inline]
    pub fn record(&mut self, nanos: u64) {
        self.sum_ns += u128::from(nanos);
        self.min_ns = self.min_ns.min(nanos);
        self.max_ns = self.max_ns.max(nanos);
        self.saturated += u64::from(nanos > LONGEST_NS);
        self.histogram.saturating_record(nanos);
    }

    /// Adds the latencies of another worker.
    ///
    /// # Panics
    /// Never: all histograms of latencies have the same bounds.
    pub fn merge(&mut self, other: &Self) {
        self.histogram.add(&other.histogram).expect("both have the bounds that new() gives");
        self.sum_ns += other.sum_ns;
        self.min_ns = self.min_ns.min(other.min_ns);
        self.max_ns = self.max_ns.max(other.max_ns);
        self.saturated += other.saturated;
    }

    /// How many were counted.
    pub fn count(&self) -> u64 {
        self.histogram.len()
    }

    /// How many took more than an hour.
    pub fn saturated(&self) -> u64 {
        self.saturated
    }

    /// The exact sum, in nanoseconds.
    pub fn sum_ns(&self) -> u128 {
        self.sum_ns
    }

    /// The exact least; `None` where there are none.
    pub fn min(&self) -> Option<Latency> {
        (self.count() > 0).then_some(Latency(self.min_ns))
    }

    /// The exact greatest; `None` where there are none.
    pub fn max(&self) -> Option<Latency> {
        (self.count() > 0).then_some(Latency(self.max_ns))
    }

    /// The exact mean, to the nanosecond; `None` where there are none.
    pub fn mean(&self) -> Option<Latency> {
        let count = u128::from(self.count());
        let mean = (self.sum_ns + count / 2).checked_div(count)?;
        u64::try_from(mean).ok().map(Latency)
    }

    /// The standard deviation, from the histogram's buckets (good to 0.1 %); `None` where there
    /// are none.
    pub fn stddev(&self) -> Option<Latency> {
        #[expect(clippy::cast_possible_truncation, reason = "at most an hour in nanoseconds")]
        #[expect(clippy::cast_sign_loss, reason = "a deviation is never negative")]
        (self.count() > 0).then(|| Latency(self.histogram.stdev().round() as u64))
    }

    /// The latency that a share of all requests did not exceed. `None` where fewer than ten
    /// requests lie beyond it; never outside the exact least and greatest.
    pub fn percentile(&self, percentile: Percentile) -> Option<Latency> {
        let quantile = percentile.quantile();
        let beyond = self.count() as f64 * (1.0 - quantile);
        // The half undoes rounding: 10 000 × (1 − 0.999) is a hair below 10.
        (beyond + 1e-6 >= ENOUGH_BEYOND).then(|| {
            let value = self.histogram.value_at_quantile(quantile);
            Latency(value.clamp(self.min_ns, self.max_ns))
        })
    }

    /// The histogram in `HdrHistogram`'s V2 form, which its readers in other languages take.
    ///
    /// # Errors
    /// [`CodecError::Write`] where the histogram can't be encoded.
    pub fn encode(&self) -> Result<Vec<u8>, CodecError> {
        let mut bytes = Vec::new();
        V2Serializer::new().serialize(&self.histogram, &mut bytes).map_err(CodecError::Write)?;
        Ok(bytes)
    }

    /// Puts stored latencies together again.
    ///
    /// # Errors
    /// [`CodecError`] where the bytes are no histogram of latencies, and where the exact figures
    /// can't belong to it.
    pub fn decode(mut bytes: &[u8], exact: Exact) -> Result<Self, CodecError> {
        if !is_modest(bytes) {
            return Err(CodecError::Foreign);
        }
        let stored: Histogram<u64> =
            Deserializer::new().deserialize(&mut bytes).map_err(CodecError::Read)?;
        let mut latencies = Self::new();
        for bucket in stored.iter_recorded() {
            let value = bucket.value_iterated_to().min(LONGEST_NS);
            latencies.histogram.saturating_record_n(value, bucket.count_at_value());
        }
        if latencies.count() > 0 {
            if !exact.fits(latencies.count()) {
                return Err(CodecError::Exact);
            }
            latencies.sum_ns = exact.sum_ns;
            latencies.min_ns = exact.min_ns;
            latencies.max_ns = exact.max_ns;
            latencies.saturated = exact.saturated;
        }
        Ok(latencies)
    }

    /// What the histogram does not hold.
    pub fn exact(&self) -> Exact {
        Exact {
            sum_ns: self.sum_ns,
            min_ns: if self.count() > 0 { self.min_ns } else { 0 },
            max_ns: self.max_ns,
            saturated: self.saturated,
        }
    }
}

impl Default for Latencies {
    fn default() -> Self {
        Self::new()
    }
}

/// The exact figures that stand beside a histogram, in nanoseconds; all zero where it is empty.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Exact {
    /// The sum of all latencies.
    pub sum_ns: u128,
    /// The least.
    pub min_ns: u64,
    /// The greatest.
    pub max_ns: u64,
    /// How many were beyond the histogram's range.
    pub saturated: u64,
}

impl Exact {
    /// Whether so many latencies can have these figures.
    fn fits(&self, count: u64) -> bool {
        let times = |each: u64| u128::from(each) * u128::from(count);
        let sum = times(self.min_ns)..=times(self.max_ns);
        self.min_ns <= self.max_ns && sum.contains(&self.sum_ns) && self.saturated <= count
    }
}

/// Whether the head of a stored histogram asks for no more memory than its bytes and ours take:
/// the bytes may be a stranger's, and what reads them believes their head.
fn is_modest(bytes: &[u8]) -> bool {
    /// The first four bytes of `HdrHistogram`'s V2 form, uncompressed.
    const COOKIE: u64 = 0x1c84_9313;
    const HEAD: usize = 40;
    let number = |from: usize, to: usize| -> u64 {
        bytes[from..to].iter().fold(0, |number, byte| number << 8 | u64::from(*byte))
    };
    bytes.len() >= HEAD
        && number(0, 4) == COOKIE
        && number(4, 8) == (bytes.len() - HEAD) as u64
        && number(12, 16) <= u64::from(DIGITS)
        && number(24, 32) <= LONGEST_NS
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn of(values: impl IntoIterator<Item = u64>) -> Latencies {
        let mut latencies = Latencies::new();
        values.into_iter().for_each(|value| latencies.record(value));
        latencies
    }

    #[test]
    fn a_percentile_needs_ten_beyond_it() {
        let few = of(1..=99);
        assert_eq!(few.percentile(Percentile::P90), None);
        assert!(few.percentile(Percentile::P50).is_some());
        let enough = of(1..=10_000);
        assert_eq!(enough.percentile(Percentile::P999), Some(Latency(9991)));
        assert_eq!(enough.percentile(Percentile::P9999), None);
    }

    #[test]
    fn longer_than_an_hour_is_kept_exactly() {
        let latencies = of([2 * LONGEST_NS, 10]);
        assert_eq!(latencies.max(), Some(Latency(2 * LONGEST_NS)));
        assert_eq!(latencies.saturated(), 1);
        assert_eq!(latencies.count(), 2);
    }

    #[test]
    fn nothing_has_no_figures() {
        let none = Latencies::new();
        assert_eq!((none.min(), none.max(), none.mean(), none.stddev()), (None, None, None, None));
    }

    proptest! {
        #[test]
        fn figures_stay_in_order(values in prop::collection::vec(1_u64..1_000_000_000_000, 1..300)) {
            let latencies = of(values.iter().copied());
            let (min, max) = (latencies.min().unwrap(), latencies.max().unwrap());
            prop_assert_eq!(min.0, *values.iter().min().unwrap());
            prop_assert_eq!(max.0, *values.iter().max().unwrap());
            let mean = latencies.mean().unwrap();
            prop_assert!(min <= mean && mean <= max);
            let mut last = min;
            for percentile in Percentile::ALL.map(|p| latencies.percentile(p)).into_iter().flatten() {
                prop_assert!(last <= percentile && percentile <= max);
                last = percentile;
            }
        }

        #[test]
        fn decode_undoes_encode(values in prop::collection::vec(1_u64..1_000_000_000_000, 0..300)) {
            let latencies = of(values);
            let again = Latencies::decode(&latencies.encode().unwrap(), latencies.exact()).unwrap();
            prop_assert_eq!(again, latencies);
        }
    }
}
