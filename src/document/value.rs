//! One value of a file: its type, its place, and what is said when it is of another type.

use std::fmt::Display;
use std::ops::Range;

use toml::Spanned;
use toml::de::{DeInteger, DeValue};

use super::table::Faults;
use super::{Diagnostic, Keys, Table};

/// What a key or a place in an array holds.
#[derive(Debug, Clone, Copy)]
pub struct Value<'d> {
    name: &'d str,
    key: (usize, usize),
    place: Place,
    held: &'d Spanned<DeValue<'d>>,
    faults: &'d Faults,
}

/// Where a value stands.
#[derive(Debug, Clone, Copy)]
enum Place {
    /// Beside its key.
    Key,
    /// In an array that stands beside its key.
    Entry,
}

impl<'d> Value<'d> {
    pub(super) fn new(
        name: &'d str,
        key: Range<usize>,
        held: &'d Spanned<DeValue<'d>>,
        faults: &'d Faults,
    ) -> Self {
        Self { name, key: (key.start, key.end), place: Place::Key, held, faults }
    }

    /// The key that holds it, or holds the array that it stands in.
    pub fn name(self) -> &'d str {
        self.name
    }

    /// Where it stands.
    pub fn span(self) -> Range<usize> {
        self.held.span()
    }

    /// Where its key stands.
    pub fn key_span(self) -> Range<usize> {
        self.key.0..self.key.1
    }

    /// Leaves a fault.
    pub fn report(self, fault: Diagnostic) {
        self.faults.add(fault);
    }

    /// Leaves an error at this value.
    pub fn fail(self, message: impl Display) {
        self.report(Diagnostic::error(self.span(), message.to_string()));
    }

    /// What a result holds; an error is left as a fault at this value.
    pub fn accept<T, E: Display>(self, result: Result<T, E>) -> Option<T> {
        result.map_err(|error| self.fail(error)).ok()
    }

    /// The fault of being of another type than `expected`, to be given a help and reported.
    pub fn mistyped(self, expected: &str) -> Diagnostic {
        let found = article(self.held.get_ref());
        let subject = match self.place {
            Place::Key => format!("`{}`", self.name),
            Place::Entry => format!("every entry of `{}`", self.name),
        };
        let message = format!("{subject} must be {expected}, not {found}");
        Diagnostic::error(self.span(), message).label(format!("this is {found}"))
    }

    /// The text of a string, if it is one; no fault where it is not.
    pub fn as_str(self) -> Option<&'d str> {
        self.held.get_ref().as_str()
    }

    /// A whole number of at most 64 bits, if it is one; no fault where it is not.
    pub fn as_integer(self) -> Option<i64> {
        self.held.get_ref().as_integer().and_then(whole)
    }

    /// A number with or without decimals, if it is one; no fault where it is not.
    pub fn as_number(self) -> Option<f64> {
        match self.held.get_ref() {
            DeValue::Integer(integer) => whole(integer).map(|number| number as f64),
            DeValue::Float(float) => float.as_str().parse().ok(),
            DeValue::String(_)
            | DeValue::Boolean(_)
            | DeValue::Datetime(_)
            | DeValue::Array(_)
            | DeValue::Table(_) => None,
        }
    }

    /// Whether it is a table; no fault where it is not.
    pub fn is_table(self) -> bool {
        self.held.get_ref().is_table()
    }

    /// The text of a string.
    pub fn string(self) -> Option<&'d str> {
        self.or_mistyped(self.as_str(), "a string")
    }

    /// A whole number.
    pub fn integer(self) -> Option<i64> {
        self.or_mistyped(self.as_integer(), "a whole number")
    }

    /// A number with or without decimals.
    pub fn number(self) -> Option<f64> {
        self.or_mistyped(self.as_number(), "a number")
    }

    /// True or false.
    pub fn boolean(self) -> Option<bool> {
        self.or_mistyped(self.held.get_ref().as_bool(), "true or false")
    }

    /// The values of an array; `example` shows how to write it.
    pub fn array(self, example: &str) -> Option<Vec<Value<'d>>> {
        let array = self.or_shown(self.held.get_ref().as_array(), "an array", example)?;
        let entries = array.iter();
        Some(entries.map(|entry| Self { held: entry, place: Place::Entry, ..self }).collect())
    }

    /// A table with known keys; `example` shows how to write it.
    pub fn table(self, keys: &'static Keys, example: &str) -> Option<Table<'d>> {
        let table = self.or_shown(self.held.get_ref().as_table(), "a table", example)?;
        Some(Table::new(table, self.span(), keys, self.faults))
    }

    /// The values of a table whose keys the author chooses, in the order of the text; `example`
    /// shows how to write it.
    pub fn entries(self, example: &str) -> Option<Vec<Value<'d>>> {
        let table = self.or_shown(self.held.get_ref().as_table(), "a table", example)?;
        let pairs = table.iter();
        let mut entries: Vec<_> = pairs
            .map(|(key, value)| Value::new(key.get_ref(), key.span(), value, self.faults))
            .collect();
        entries.sort_by_key(|entry| entry.key.0);
        Some(entries)
    }

    fn or_shown<T>(self, value: Option<T>, expected: &str, example: &str) -> Option<T> {
        if value.is_none() {
            self.report(self.mistyped(expected).help(format!("write it like `{example}`")));
        }
        value
    }

    fn or_mistyped<T>(self, value: Option<T>, expected: &str) -> Option<T> {
        if value.is_none() {
            self.report(self.mistyped(expected));
        }
        value
    }
}

/// `None` beyond 64 bits: no key has a use for such a number.
fn whole(integer: &DeInteger<'_>) -> Option<i64> {
    i64::from_str_radix(integer.as_str(), integer.radix()).ok()
}

fn article(value: &DeValue<'_>) -> &'static str {
    match value {
        DeValue::String(_) => "a string",
        DeValue::Integer(integer) if whole(integer).is_none() => "a number beyond 64 bits",
        DeValue::Integer(_) => "an integer",
        DeValue::Float(_) => "a number with decimals",
        DeValue::Boolean(_) => "a boolean",
        DeValue::Datetime(_) => "a date",
        DeValue::Array(_) => "an array",
        DeValue::Table(_) => "a table",
    }
}
