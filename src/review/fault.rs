//! Why records can't be compared: what, where, and the remedy.

use thiserror::Error;

use super::Unlike;
use crate::unit::QueueDepth;

/// Why records can't be compared as they were asked to be.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum Fault {
    /// One record twice.
    #[error("the record {0} is given twice: a run can't be set against itself")]
    Twice(String),
    /// Two records by one name.
    #[error("two records are called `{0}`: give each a name of its own, `{0}-2=RECORD`")]
    NameTwice(String),
    /// A name with characters that no target has.
    #[error("`{0}` is no name for a record: use letters, digits, `.`, `_` and `-`")]
    Name(String),
    /// A target that there is not.
    #[error("{option}: no target is called `{name}`; there are {}{}", .targets.join(", "), meant(.hint.as_deref()))]
    NoSuchTarget {
        /// Where it was named: `--baseline`.
        option: &'static str,
        /// What was typed.
        name: String,
        /// What may have been meant.
        hint: Option<String>,
        /// All of them.
        targets: Vec<String>,
    },
    /// An array that would be its own disk.
    #[error("--array: `{0}` can't be an array of itself; name its disk, `{0}=LEVEL:N@DISK`")]
    OwnDisk(String),
    /// Two loads by one name.
    #[error(
        "{pattern} is one load in {first} and another in {second} (fingerprints {}), and what \
         differs in the load can't be told from what differs in the target:\n{}\nrun the same \
         pattern on both, or give one of them another name",
        .fingerprints.join(" and "),
        .lines.join("\n")
    )]
    Fingerprint {
        /// The pattern's name.
        pattern: String,
        /// One record.
        first: String,
        /// The other.
        second: String,
        /// What each record's pattern is told by.
        fingerprints: Box<[String; 2]>,
        /// The lines that differ: `-` those of the first, `+` those of the second.
        lines: Vec<String>,
    },
    /// Something that must be alike.
    #[error(
        "{0}: run both alike ({option}), or compare with --unlike where that is the question",
        option = .0.option.unwrap_or("options")
    )]
    Unlike(Unlike),
    /// Nothing that two targets have in common.
    #[error("no pattern was run at the same setting on the baseline and on another target")]
    NothingShared,
    /// A rating that counts what was not measured.
    #[error(
        "--ratings: {scheme} counts queue depth {}, over which {pattern} was not swept on all \
         targets: sweep it (-q), or leave that rating out",
        list(.missing)
    )]
    Rating {
        /// The scheme.
        scheme: String,
        /// The pattern.
        pattern: String,
        /// The depths that it lacks.
        missing: Vec<QueueDepth>,
    },
}

fn meant(hint: Option<&str>) -> String {
    hint.map_or_else(String::new, |hint| format!("; did you mean `{hint}`?"))
}

fn list(depths: &[QueueDepth]) -> String {
    depths.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ")
}
