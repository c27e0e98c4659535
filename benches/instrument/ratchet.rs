//! The figures that are kept in `benches/ratchet.toml`, and what a new count comes to beside them.
//!
//! Pure: text and numbers in, text and verdicts out. Tested in tests/instrument.rs.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use thiserror::Error;
use toml::de::{DeFloat, DeInteger, DeTable};

/// By how much a count may rise with the compiler that the kept figures were counted with: a
/// fraction.
const LIMIT: f64 = 0.03;

/// And with another one, whose code differs by itself: so wide that a rise is still somebody's.
const LIMIT_ELSEWHERE: f64 = 0.10;

/// How to take over new figures.
const ACCEPT: &str = "cargo bench --bench instrument -- --accept";

const HEAD: &str = "\
# Instructions of the inner loop, counted by callgrind: `cargo bench --bench instrument`.
# More than 3 % above one of these fails, and .ci/run with it. Where the rise is worth it:
#     cargo bench --bench instrument -- --accept
# and the reason goes into the commit. Counts depend on the compiler, on the architecture and, by a
# hair, on which memory functions libc picks for the processor. With another compiler than this
# the limit is 10 %.
";

/// Counts, and what they were made with.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Counts {
    /// The compiler and the architecture.
    pub(crate) toolchain: String,
    /// Instructions of one repetition of each case.
    pub(crate) cases: BTreeMap<String, f64>,
}

/// Why kept figures can't be used.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("benches/ratchet.toml: {0}; write it anew with {ACCEPT}")]
pub(crate) struct RatchetError(String);

impl Counts {
    /// Reads kept figures.
    ///
    /// # Errors
    /// [`RatchetError`] where the text is not what [`Counts::write`] writes.
    pub(crate) fn parse(text: &str) -> Result<Self, RatchetError> {
        let table = DeTable::parse(text).map_err(|error| RatchetError(error.to_string()))?;
        let table = table.get_ref();
        let missing = |what: &str| RatchetError(format!("it has no `{what}`"));
        let toolchain = table.get("toolchain").and_then(|value| value.get_ref().as_str());
        let cases = table.get("instructions").and_then(|value| value.get_ref().as_table());
        let mut counts = Self {
            toolchain: toolchain.ok_or_else(|| missing("toolchain"))?.to_owned(),
            cases: BTreeMap::new(),
        };
        for (name, value) in cases.ok_or_else(|| missing("[instructions]"))? {
            let value = value.get_ref();
            let digits = value.as_float().map(DeFloat::as_str);
            let digits = digits.or_else(|| value.as_integer().map(DeInteger::as_str));
            let number = digits.and_then(|digits| digits.parse().ok());
            let name = name.get_ref();
            let above_zero = number.filter(|&number: &f64| number.is_finite() && number > 0.0);
            let number = above_zero
                .ok_or_else(|| RatchetError(format!("`{name}` is not a number above 0")))?;
            counts.cases.insert(name.to_string(), number);
        }
        Ok(counts)
    }

    /// The text to keep.
    pub(crate) fn write(&self) -> String {
        let mut text = format!("{HEAD}toolchain = \"{}\"\n\n[instructions]\n", self.toolchain);
        for (name, count) in &self.cases {
            _ = writeln!(text, "{name} = {count:.2}");
        }
        text
    }

    /// What new counts come to beside these.
    pub(crate) fn compare(&self, now: &Self) -> Comparison {
        let names = self.cases.keys().chain(now.cases.keys());
        let mut lines: Vec<Line> = names
            .map(|name| Line {
                case: name.clone(),
                was: self.cases.get(name).copied(),
                now: now.cases.get(name).copied(),
            })
            .collect();
        lines.sort_by(|a, b| a.case.cmp(&b.case));
        lines.dedup_by(|a, b| a.case == b.case);
        let other = (self.toolchain != now.toolchain)
            .then(|| (self.toolchain.clone(), now.toolchain.clone()));
        Comparison { lines, other }
    }
}

/// New counts beside the kept ones.
#[derive(Debug)]
pub(crate) struct Comparison {
    lines: Vec<Line>,
    /// The toolchains, kept and new, where they differ.
    other: Option<(String, String)>,
}

#[derive(Debug)]
struct Line {
    case: String,
    was: Option<f64>,
    now: Option<f64>,
}

impl Line {
    /// The change as a fraction of what was kept; `None` where one of the two lacks it.
    fn change(&self) -> Option<f64> {
        Some(self.now? / self.was? - 1.0)
    }
}

impl Comparison {
    fn limit(&self) -> f64 {
        if self.other.is_some() { LIMIT_ELSEWHERE } else { LIMIT }
    }

    /// All counts, old and new.
    pub(crate) fn table(&self) -> String {
        let mut text =
            format!("{:<26}{:>12}{:>12}{:>10}\n", "instructions", "kept", "now", "change");
        for line in &self.lines {
            let number = |count: Option<f64>| count.map_or("–".to_owned(), |n| format!("{n:.2}"));
            let change = line.change().map_or("–".to_owned(), percent);
            let (was, now) = (number(line.was), number(line.now));
            _ = writeln!(text, "{:<26}{was:>12}{now:>12}{change:>10}", line.case);
        }
        text
    }

    /// What must be said beside the table and fails nothing.
    pub(crate) fn hints(&self) -> Vec<String> {
        let mut hints: Vec<String> = Vec::new();
        if let Some((kept, now)) = &self.other {
            hints.push(format!(
                "kept with `{kept}`, counted with `{now}`: a rise fails above {:.0} % only",
                self.limit() * 100.0
            ));
        }
        let fell = self.lines.iter().filter(|line| line.change().is_some_and(|c| c < -LIMIT));
        hints.extend(fell.map(|line| {
            format!("{}: it costs less now; hold the gain with {ACCEPT}", line.told())
        }));
        hints
    }

    /// Why the new counts are not to be taken.
    pub(crate) fn faults(&self) -> Vec<String> {
        let limit = self.limit();
        let fault = |line: &Line| match line.change() {
            Some(change) if change > limit => Some(format!(
                "{}, more than the {:.0} % that are let pass; if that is worth it, accept it with \
                 {ACCEPT} and say why in the commit",
                line.told(),
                limit * 100.0
            )),
            Some(_) => None,
            None if line.now.is_none() => {
                Some(format!("{} is kept and was not counted; drop it with {ACCEPT}", line.case))
            }
            None => Some(format!("{} has no figure to hold to; keep it with {ACCEPT}", line.case)),
        };
        self.lines.iter().filter_map(fault).collect()
    }
}

impl Line {
    /// `case: 100.00 → 105.00 instructions (+5.00 %)`.
    fn told(&self) -> String {
        let (was, now) = (self.was.unwrap_or_default(), self.now.unwrap_or_default());
        let change = percent(self.change().unwrap_or_default());
        format!("{}: {was:.2} → {now:.2} instructions ({change})", self.case)
    }
}

/// `+5.00 %`; what rounds to nothing has no sign of its own.
fn percent(fraction: f64) -> String {
    let hundredths = (fraction * 10_000.0).round() / 100.0 + 0.0;
    format!("{hundredths:+.2} %")
}
