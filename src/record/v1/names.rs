//! The words that schema 1 has for things that are one of a few.

use super::Fault;
use crate::measure::Ending;
use crate::record::{Caching, Finish};
use crate::unit::Op;

/// Values with their words.
type Names<T, const N: usize> = [(T, &'static str); N];

pub(super) const OPS: Names<Op, 2> = [(Op::Read, "read"), (Op::Write, "write")];

pub(super) const CACHINGS: Names<Caching, 3> = [
    (Caching::Direct, Caching::Direct.id()),
    (Caching::Buffered, Caching::Buffered.id()),
    (Caching::None, Caching::None.id()),
];

pub(super) const ENDINGS: Names<Ending, 4> = [
    (Ending::Complete, "complete"),
    (Ending::Stopped, "stopped"),
    (Ending::Gone, "gone"),
    (Ending::Silent, "silent"),
];

pub(super) const FINISHES: Names<Finish, 3> = [
    (Finish::Complete, Finish::Complete.id()),
    (Finish::Interrupted, Finish::Interrupted.id()),
    (Finish::Failed, Finish::Failed.id()),
];

/// The word for a value.
pub(super) fn word<T: PartialEq>(names: &[(T, &'static str)], value: &T) -> String {
    let found = names.iter().find(|(named, _)| named == value);
    found.expect("every value has its word").1.to_owned()
}

/// The value of a word.
pub(super) fn value<T: Copy>(names: &[(T, &'static str)], word: &str) -> Result<T, Fault> {
    let found = names.iter().find(|(_, name)| *name == word);
    found.map(|(value, _)| *value).ok_or_else(|| {
        let known: Vec<&str> = names.iter().map(|(_, name)| *name).collect();
        Fault::Invalid(format!("`{word}` is none of {}", known.join(", ")))
    })
}
