//! Which line a draw takes: a table instead of a search, since a search's branches are guessed
//! wrong about once a draw.

use crate::unit::Percent;

/// The lines of an access specification, as often as their shares say.
///
/// Shares are whole hundredths of a percent that sum to 100 %. One entry stands for their
/// greatest common divisor: whole percents need 100 entries at most.
#[derive(Debug)]
pub(super) struct Pick {
    entries: Box<[u8]>,
}

impl Pick {
    pub(super) fn new(shares: impl Iterator<Item = Percent>) -> Self {
        let shares: Vec<u16> = shares.map(Percent::hundredths).collect();
        let unit = shares.iter().copied().fold(0, divisor).max(1);
        let lines = (0_u8..).zip(&shares);
        let entries =
            lines.flat_map(|(line, share)| std::iter::repeat_n(line, usize::from(share / unit)));
        Self { entries: entries.collect() }
    }

    /// The line of a 32-bit draw.
    #[inline]
    pub(super) fn line(&self, chance: u32) -> usize {
        let entry = (u64::from(chance) * self.entries.len() as u64) >> 32;
        usize::from(self.entries[entry as usize])
    }
}

/// The greatest common divisor.
fn divisor(a: u16, b: u16) -> u16 {
    if b == 0 { a } else { divisor(b, a % b) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pick(shares: &[f64]) -> Pick {
        Pick::new(shares.iter().map(|&share| Percent::try_from(share).unwrap()))
    }

    #[test]
    fn an_entry_is_the_largest_unit_of_all_shares() {
        assert_eq!(*pick(&[100.0]).entries, [0]);
        assert_eq!(*pick(&[50.0, 25.0, 25.0]).entries, [0, 0, 1, 2]);
        assert_eq!(pick(&[99.0, 1.0]).entries.len(), 100);
        assert_eq!(pick(&[99.99, 0.01]).entries.len(), 10_000);
    }

    #[test]
    fn a_draw_takes_the_line_that_its_hundredth_lies_in() {
        let shares = [22.0, 15.5, 8.0, 23.0, 15.0, 2.0, 6.0, 7.0, 1.0, 0.5];
        let pick = pick(&shares);
        for chance in (0..=u32::MAX).step_by(65_521) {
            let percent = f64::from(((u64::from(chance) * 10_000) >> 32) as u32) / 100.0;
            let mut below = 0.0;
            let line = shares.iter().position(|share| {
                below += share;
                percent < below
            });
            assert_eq!(Some(pick.line(chance)), line, "a draw of {chance}");
        }
    }
}
