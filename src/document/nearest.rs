//! The word that was meant: the nearest of a list by typing mistakes.

/// The candidate nearest to `word`, if it is near enough to have been meant.
///
/// A mistake is a letter too many, too few, wrong, or two in the wrong order. A third of the
/// letters may be wrong, and at least one; case, `_` and `-` do not count.
pub fn nearest<'c>(word: &str, candidates: impl IntoIterator<Item = &'c str>) -> Option<&'c str> {
    let word = folded(word);
    let tolerated = (word.len() / 3).max(1);
    candidates
        .into_iter()
        .map(|candidate| (mistakes(&word, &folded(candidate)), candidate))
        .filter(|(mistakes, _)| *mistakes <= tolerated)
        .min_by_key(|(mistakes, _)| *mistakes)
        .map(|(_, candidate)| candidate)
}

fn folded(word: &str) -> Vec<char> {
    let chars = word.chars().filter(|c| !matches!(c, '-' | '_' | ' '));
    chars.flat_map(char::to_lowercase).collect()
}

/// The optimal string alignment distance: Levenshtein's, and a swap of neighbours is one mistake.
fn mistakes(a: &[char], b: &[char]) -> usize {
    let mut rows: Vec<Vec<usize>> = vec![(0..=b.len()).collect()];
    for (i, from) in a.iter().enumerate() {
        let mut row = vec![i + 1];
        for (j, to) in b.iter().enumerate() {
            let replaced = rows[i][j] + usize::from(from != to);
            let mut least = replaced.min(rows[i][j + 1] + 1).min(row[j] + 1);
            if i > 0 && j > 0 && *from == b[j - 1] && a[i - 1] == *to {
                least = least.min(rows[i - 1][j - 1] + 1);
            }
            row.push(least);
        }
        rows.push(row);
    }
    rows[a.len()][b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_nearest_word_is_the_one_that_was_meant() {
        let words = ["size", "share", "read", "random", "file-server"];
        for (typed, meant) in [
            ("siez", Some("size")),
            ("shares", Some("share")),
            ("randon", Some("random")),
            ("Read", Some("read")),
            ("fileserver", Some("file-server")),
            ("file_sever", Some("file-server")),
            ("burst", None),
            ("", None),
        ] {
            assert_eq!(nearest(typed, words), meant, "{typed}");
        }
    }

    #[test]
    fn a_swap_is_one_mistake() {
        let chars = |word: &str| word.chars().collect::<Vec<_>>();
        for (a, b, count) in [("ab", "ba", 1), ("abc", "", 3), ("kitten", "sitting", 3)] {
            assert_eq!(mistakes(&chars(a), &chars(b)), count);
        }
    }
}
