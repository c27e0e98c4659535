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
    value: &'d Spanned<DeValue<'d>>,
    faults: &'d Faults,
}

impl<'d> Value<'d> {
    pub(super) fn new(
        name: &'d str,
        key: Range<usize>,
        value: &'d Spanned<DeValue<'d>>,
        faults: &'d Faults,
    ) -> Self {
        Self { name, key: (key.start, key.end), value, faults }
    }

    /// The key that holds it, or holds the array that it stands in.
    pub fn name(self) -> &'d str {
        self.name
    }

    /// Where it stands.
    pub fn span(self) -> Range<usize> {
        self.value.span()
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
        self.report(Diagnostic::error(self.span(), message));
    }

    /// What a result holds; an error is left as a fault at this value.
    pub fn accept<T, E: Display>(self, result: Result<T, E>) -> Option<T> {
        result.map_err(|error| self.fail(error)).ok()
    }

    /// The fault of being of another type than `expected`, to be given a help and reported.
    pub fn mistyped(self, expected: &str) -> Diagnostic {
        let found = article(self.value.get_ref());
        let message = format!("`{}` must be {expected}, not {found}", self.name);
        Diagnostic::error(self.span(), message).label(format!("this is {found}"))
    }

    /// The text of a string, if it is one; no fault where it is not.
    pub fn as_str(self) -> Option<&'d str> {
        self.value.get_ref().as_str()
    }

    /// A whole number, if it is one; no fault where it is not. One beyond 64 bits is the largest
    /// or the smallest number: no key has a use for it, and its own check refuses it.
    pub fn as_integer(self) -> Option<i64> {
        self.value.get_ref().as_integer().map(whole)
    }

    /// A number with or without decimals, if it is one; no fault where it is not.
    pub fn as_number(self) -> Option<f64> {
        match self.value.get_ref() {
            DeValue::Integer(integer) => Some(whole(integer) as f64),
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
        self.value.get_ref().is_table()
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

    /// The values of an array; each has the array's name.
    pub fn array(self) -> Option<Vec<Value<'d>>> {
        let array = self.or_mistyped(self.value.get_ref().as_array(), "an array")?;
        let items = array.iter();
        Some(items.map(|item| Self { value: item, ..self }).collect())
    }

    /// A table with known keys.
    pub fn table(self, keys: &'static Keys) -> Option<Table<'d>> {
        let table = self.or_mistyped(self.value.get_ref().as_table(), "a table")?;
        Some(Table::new(table, self.span(), keys, self.faults))
    }

    /// The values of a table whose keys the author chooses, in the order of the text.
    pub fn entries(self) -> Option<Vec<Value<'d>>> {
        let table = self.or_mistyped(self.value.get_ref().as_table(), "a table")?;
        let pairs = table.iter();
        let mut entries: Vec<_> = pairs
            .map(|(key, value)| Value::new(key.get_ref(), key.span(), value, self.faults))
            .collect();
        entries.sort_by_key(|entry| entry.key.0);
        Some(entries)
    }

    fn or_mistyped<T>(self, value: Option<T>, expected: &str) -> Option<T> {
        if value.is_none() {
            self.report(self.mistyped(expected));
        }
        value
    }
}

fn whole(integer: &DeInteger<'_>) -> i64 {
    let digits = integer.as_str();
    let furthest = if digits.starts_with('-') { i64::MIN } else { i64::MAX };
    i64::from_str_radix(digits, integer.radix()).unwrap_or(furthest)
}

fn article(value: &DeValue<'_>) -> &'static str {
    match value {
        DeValue::String(_) => "a string",
        DeValue::Integer(_) => "an integer",
        DeValue::Float(_) => "a number with decimals",
        DeValue::Boolean(_) => "a boolean",
        DeValue::Datetime(_) => "a date",
        DeValue::Array(_) => "an array",
        DeValue::Table(_) => "a table",
    }
}
