//! The walk over a file: its tables, the keys they may have, and the faults found on the way.

use std::cell::RefCell;
use std::ops::Range;

use toml::Spanned;
use toml::de::DeTable;

use super::{Diagnostic, Value, nearest};

/// The keys that a table may have.
#[derive(Debug)]
pub struct Keys {
    /// Every key that is read; any other is a fault.
    pub known: &'static [&'static str],
    /// Keys that people bring from elsewhere, each with what to write instead.
    pub hints: &'static [(&'static str, &'static str)],
}

/// Where a walk leaves the faults that it meets: shared by all tables and values of a file.
#[derive(Debug, Default)]
pub(super) struct Faults(RefCell<Vec<Diagnostic>>);

impl Faults {
    pub(super) fn add(&self, fault: Diagnostic) {
        self.0.borrow_mut().push(fault);
    }
}

/// Reads a file: parses the text, walks its root table, gives back a value or says why not.
///
/// The value is `None` where any fault is an error, so `walk` may put a placeholder for what it
/// could not read and go on to the next field. Faults come in the order of the text. Where the
/// text is no TOML, only the first such fault is given: the parser's view of the rest is a guess.
/// Keys that stand twice are the exception, since the rest is sound.
pub fn read<T>(
    text: &str,
    keys: &'static Keys,
    walk: impl FnOnce(&Table<'_>) -> Option<T>,
) -> (Option<T>, Vec<Diagnostic>) {
    let (root, errors) = DeTable::parse_recoverable(text);
    let faults = Faults::default();
    let mut errors = errors.iter().map(|error| syntax_fault(text, error)).peekable();
    let sound = loop {
        match errors.next_if(|(_, kind)| *kind == Syntax::Twice) {
            Some((fault, _)) => faults.add(fault),
            None => break errors.next().map(|(fault, _)| fault),
        }
    };
    if let Some(fault) = sound {
        return (None, vec![fault]);
    }
    let value = walk(&Table::new(root.get_ref(), 0..0, keys, &faults));
    let mut faults = faults.0.into_inner();
    faults.sort_by_key(|fault| (fault.span.start, fault.span.end));
    let usable = faults.iter().all(|fault| !fault.is_error());
    (value.filter(|_| usable), faults)
}

#[derive(PartialEq)]
enum Syntax {
    /// A key that was given already: all else can be read.
    Twice,
    /// Anything else.
    Broken,
}

fn syntax_fault(text: &str, error: &toml::de::Error) -> (Diagnostic, Syntax) {
    let span = error.span().unwrap_or(text.len()..text.len());
    let message = error.message();
    if message == "duplicate key" {
        let key = text.get(span.clone()).unwrap_or_default();
        let fault = Diagnostic::error(span, format!("`{key}` is given twice"))
            .label("the second one")
            .help("leave one of the two");
        return (fault, Syntax::Twice);
    }
    let fault = Diagnostic::error(span, format!("this is not TOML: {message}"));
    (fault.help("the rest of the file is checked once this is put right"), Syntax::Broken)
}

/// A table of the file.
#[derive(Debug)]
pub struct Table<'d> {
    table: &'d DeTable<'d>,
    span: Range<usize>,
    keys: &'static Keys,
    faults: &'d Faults,
}

impl<'d> Table<'d> {
    /// A table whose unknown keys are reported at once.
    pub(super) fn new(
        table: &'d DeTable<'d>,
        span: Range<usize>,
        keys: &'static Keys,
        faults: &'d Faults,
    ) -> Self {
        let this = Self { table, span, keys, faults };
        for (key, _) in table.iter() {
            if !keys.known.contains(&key.get_ref().as_ref()) {
                this.report(this.unknown(key));
            }
        }
        this
    }

    fn unknown(&self, key: &Spanned<impl AsRef<str>>) -> Diagnostic {
        let name = key.get_ref().as_ref();
        let fault =
            Diagnostic::error(key.span(), format!("`{name}` is not a key that is known here"));
        if let Some((_, hint)) = self.keys.hints.iter().find(|(from, _)| *from == name) {
            return fault.help(hint);
        }
        match nearest(name, self.keys.known.iter().copied()) {
            Some(meant) => fault.label(format!("did you mean `{meant}`?")),
            None => fault.help(format!("the keys here are {}", self.keys.listed())),
        }
    }

    /// The place to blame where something is missing: the table's header or braces.
    pub fn span(&self) -> Range<usize> {
        self.span.clone()
    }

    /// What a key holds, if it is there.
    pub fn field(&self, name: &'static str) -> Option<Value<'d>> {
        debug_assert!(self.keys.known.contains(&name), "`{name}` is read but not a known key");
        let (key, value) = self.table.get_key_value(name)?;
        Some(Value::new(key.get_ref(), key.span(), value, self.faults))
    }

    /// What a key holds; that it is missing is a fault, and `example` shows how to write it.
    pub fn required(&self, name: &'static str, example: &str) -> Option<Value<'d>> {
        let value = self.field(name);
        if value.is_none() {
            let fault = Diagnostic::error(self.span(), format!("`{name}` is missing"));
            self.report(fault.help(format!("write `{example}`")));
        }
        value
    }

    /// The keys that are there and known, each with what it holds, in the order of the text.
    pub fn fields(&self) -> Vec<Value<'d>> {
        let known = self.keys.known.iter();
        let mut fields: Vec<_> = known.filter_map(|name| self.field(name)).collect();
        fields.sort_by_key(|field| field.key_span().start);
        fields
    }

    /// Leaves a fault.
    pub fn report(&self, fault: Diagnostic) {
        self.faults.add(fault);
    }
}

impl Keys {
    /// The known keys as a sentence lists them.
    fn listed(&self) -> String {
        let quoted: Vec<_> = self.known.iter().map(|key| format!("`{key}`")).collect();
        match quoted.split_last() {
            Some((last, rest)) if !rest.is_empty() => format!("{} and {last}", rest.join(", ")),
            Some((last, _)) => last.clone(),
            None => "none".to_owned(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    static KEYS: Keys = Keys { known: &["name", "count"], hints: &[("number", "write `count`")] };

    fn faults(text: &str) -> Vec<String> {
        let (_, faults) = read(text, &KEYS, |table| {
            table.required("name", "name = \"x\"").and_then(Value::string).map(str::len)
        });
        faults.into_iter().map(|fault| fault.message).collect()
    }

    #[test]
    fn all_faults_come_at_once_in_the_order_of_the_text() {
        let text = "number = 1\nnaem = \"x\"\nname = 3\nfoo = 1";
        assert_eq!(
            faults(text),
            [
                "`number` is not a key that is known here",
                "`naem` is not a key that is known here",
                "`name` must be a string, not an integer",
                "`foo` is not a key that is known here",
            ]
        );
    }

    #[test]
    fn a_key_given_twice_does_not_hide_the_rest() {
        let found = faults("name = 1\nname = 2\nfoo = 1");
        assert_eq!(found.len(), 3, "{found:?}");
        assert!(found.iter().any(|message| message == "`name` is given twice"));
    }

    #[test]
    fn broken_syntax_is_told_once() {
        assert_eq!(faults("name = \nfoo = 1\n[[[").len(), 1);
    }

    #[test]
    fn the_byte_order_mark_and_dos_line_ends_do_no_harm() {
        let (value, faults) = read("\u{feff}name = \"x\"\r\ncount = 1\r\n", &KEYS, |table| {
            table.field("name").and_then(Value::string).map(str::to_owned)
        });
        assert_eq!((value.as_deref(), faults.as_slice()), (Some("x"), [].as_slice()));
    }
}
