//! What the audit says of a measurement: marks with their figures, and the verdict.
//!
//! The types live here because records keep them and reports show them; the rules that set them
//! are the audit's.

use std::fmt;
use std::str::FromStr;

/// Whether a measurement may be believed. The order is that of trust lost.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub enum Verdict {
    /// Nothing speaks against it.
    #[default]
    Valid,
    /// A check failed: read the mark before the number.
    Suspect,
    /// There is no number, or none that means anything.
    Void,
}

/// What was checked.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Rule {
    /// The point did not run to its end.
    Ended,
    /// Requests failed.
    Errors,
    /// Requests never came back.
    Unanswered,
    /// An array under the target was not whole and at rest.
    Array,
    /// Fewer requests were in flight than asked.
    Depth,
    /// The requests issued do not fit the pattern's shares.
    Mix,
    /// The device saw fewer bytes than were asked of it: something before it answered.
    Cache,
    /// The ramp-up was shorter than slow requests take.
    RampUp,
    /// The tool was at its own limits: the number is about it as much as about the target.
    Tool,
    /// The target can't be asked without waiting, so kernel threads did the I/O.
    Nowait,
    /// Transfers stopped short or were refused for the moment, and were issued again.
    Reissued,
}

impl Rule {
    /// All of them, in the order in which they are shown.
    pub const ALL: [Self; 11] = [
        Self::Ended,
        Self::Errors,
        Self::Unanswered,
        Self::Array,
        Self::Depth,
        Self::Mix,
        Self::Cache,
        Self::RampUp,
        Self::Tool,
        Self::Nowait,
        Self::Reissued,
    ];

    /// Its name in records.
    pub const fn id(self) -> &'static str {
        match self {
            Self::Ended => "ended-early",
            Self::Errors => "errors",
            Self::Unanswered => "unanswered",
            Self::Array => "array-not-at-rest",
            Self::Depth => "depth-not-held",
            Self::Mix => "mix-not-achieved",
            Self::Cache => "cache-answered",
            Self::RampUp => "ramp-up-short",
            Self::Tool => "about-the-tool",
            Self::Nowait => "no-nowait",
            Self::Reissued => "reissued",
        }
    }

    /// The letter that stands beside a number in a table.
    pub const fn letter(self) -> char {
        match self {
            Self::Ended => 'p',
            Self::Errors => 'e',
            Self::Unanswered => 'u',
            Self::Array => 'a',
            Self::Depth => 'd',
            Self::Mix => 'm',
            Self::Cache => 'c',
            Self::RampUp => 'r',
            Self::Tool => 't',
            Self::Nowait => 'n',
            Self::Reissued => 's',
        }
    }
}

impl FromStr for Rule {
    type Err = ();

    fn from_str(text: &str) -> Result<Self, ()> {
        Self::ALL.into_iter().find(|rule| rule.id() == text).ok_or(())
    }
}

impl fmt::Display for Rule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.id())
    }
}

impl Verdict {
    /// Its name in records and tables.
    pub const fn id(self) -> &'static str {
        match self {
            Self::Valid => "valid",
            Self::Suspect => "suspect",
            Self::Void => "void",
        }
    }
}

impl FromStr for Verdict {
    type Err = ();

    fn from_str(text: &str) -> Result<Self, ()> {
        let all = [Self::Valid, Self::Suspect, Self::Void];
        all.into_iter().find(|verdict| verdict.id() == text).ok_or(())
    }
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.id())
    }
}

/// One failed check, with the figures that failed it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Mark {
    /// What was checked.
    pub rule: Rule,
    /// What it does to the number; `Valid` where it only needs saying.
    pub verdict: Verdict,
    /// The figures, in a sentence: `asked 256, held 61.2 at the device`.
    pub text: String,
}

/// The verdict of several marks: the worst of them.
pub fn verdict(marks: &[Mark]) -> Verdict {
    marks.iter().map(|mark| mark.verdict).max().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rules_have_names_and_letters_of_their_own() {
        for rule in Rule::ALL {
            assert_eq!(rule.id().parse(), Ok(rule));
            let alike = Rule::ALL.iter().filter(|other| other.letter() == rule.letter());
            assert_eq!(alike.count(), 1, "{rule}");
        }
    }
}
