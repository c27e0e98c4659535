//! Bars drawn with eighths of a letter, so that a curve is seen in a column of text.

/// Blocks that fill one to eight eighths of a letter from its left.
const EIGHTHS: [char; 8] = ['▏', '▎', '▍', '▌', '▋', '▊', '▉', '█'];

/// A bar of at most `width` letters for a value, where `most` fills it. A value above zero
/// always shows.
pub(super) fn bar(value: f64, most: f64, width: usize) -> String {
    if most <= 0.0 || value <= 0.0 || !value.is_finite() || !most.is_finite() {
        return String::new();
    }
    let all = width * EIGHTHS.len();
    #[expect(clippy::cast_possible_truncation, reason = "at most eight times the width")]
    #[expect(clippy::cast_sign_loss, reason = "both are above zero")]
    let filled = ((value / most * all as f64).round() as usize).clamp(1, all);
    let (whole, rest) = (filled / EIGHTHS.len(), filled % EIGHTHS.len());
    let mut text = "█".repeat(whole);
    text.extend((rest > 0).then(|| EIGHTHS[rest - 1]));
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bar_is_as_long_as_its_value() {
        for (value, text) in [
            (0.0, ""),
            (-1.0, ""),
            (f64::NAN, ""),
            (1e-9, "▏"),
            (50.0, "██"),
            (53.2, "██▏"),
            (100.0, "████"),
            (1e300, "████"),
        ] {
            assert_eq!(bar(value, 100.0, 4), text, "{value}");
        }
        assert_eq!(bar(1.0, 0.0, 4), "");
    }
}
