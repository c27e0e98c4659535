//! The walk over a file: its tables, the keys they may have, and the faults found on the way.

use std::cell::RefCell;
use std::ops::Range;

use toml::Spanned;
use toml::de::{DeString, DeTable};

use super::{Diagnostic, Value, nearest};

/// The keys that a table may have.
#[derive(Debug)]
pub struct Keys {
    /// Every key that is read; any other is a fault.
    pub known: &'static [&'static str],
    /// Keys that people bring from elsewhere.
    pub hints: &'static [Hint],
}

/// A key that people bring from elsewhere, and what to write instead.
#[derive(Debug)]
pub struct Hint {
    typed: &'static str,
    meant: Option<&'static str>,
    help: &'static str,
}

impl Hint {
    /// What is typed stands for a key of the same table, and holds the same type.
    pub const fn meant(typed: &'static str, meant: &'static str, help: &'static str) -> Self {
        Self { typed, meant: Some(meant), help }
    }

    /// What is typed belongs elsewhere, or nowhere.
    pub const fn elsewhere(typed: &'static str, help: &'static str) -> Self {
        Self { typed, meant: None, help }
    }
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
    entries: &'d DeTable<'d>,
    span: Range<usize>,
    keys: &'static Keys,
    /// Unknown keys, each under the known one that was probably meant.
    misspelt: Vec<(&'static str, &'d Spanned<DeString<'d>>)>,
    faults: &'d Faults,
}

impl<'d> Table<'d> {
    /// A table whose unknown keys are reported at once.
    pub(super) fn new(
        entries: &'d DeTable<'d>,
        span: Range<usize>,
        keys: &'static Keys,
        faults: &'d Faults,
    ) -> Self {
        let unknown = || entries.keys().filter(|key| !keys.known.contains(&key.get_ref().as_ref()));
        unknown().for_each(|key| faults.add(keys.fault(key)));
        let misspelt =
            unknown().filter_map(|key| Some((keys.meant(key.get_ref())?, key))).collect();
        Self { entries, span, keys, misspelt, faults }
    }

    /// The place to blame where something is missing: the table's header or braces.
    pub fn span(&self) -> Range<usize> {
        self.span.clone()
    }

    /// Whether nothing at all stands in it.
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// What a key holds, if it is there. A misspelt key, which is a fault already, stands for the
    /// one that was meant: what it holds is still looked at, and nothing is called missing.
    pub fn field(&self, name: &'static str) -> Option<Value<'d>> {
        debug_assert!(self.keys.known.contains(&name), "`{name}` is read but not a known key");
        let misspelt = || {
            let (_, key) = self.misspelt.iter().find(|(meant, _)| *meant == name)?;
            self.entries.get_key_value(key.get_ref().as_ref())
        };
        let (key, value) = self.entries.get_key_value(name).or_else(misspelt)?;
        Some(Value::new(name, key.span(), value, self.faults))
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
    fn hint(&self, typed: &str) -> Option<&Hint> {
        self.hints.iter().find(|hint| hint.typed == typed)
    }

    /// The known key that was meant by an unknown one.
    fn meant(&self, typed: &str) -> Option<&'static str> {
        match self.hint(typed) {
            Some(hint) => hint.meant,
            None => nearest(typed, self.known.iter().copied()),
        }
    }

    fn fault(&self, key: &Spanned<DeString<'_>>) -> Diagnostic {
        let name = key.get_ref();
        let fault =
            Diagnostic::error(key.span(), format!("`{name}` is not a key that is known here"));
        match (self.hint(name), self.meant(name)) {
            (Some(hint), _) => fault.help(hint.help),
            (None, Some(meant)) => fault.label(format!("did you mean `{meant}`?")),
            (None, None) => fault.help(self.listed()),
        }
    }

    /// The known keys as a sentence.
    fn listed(&self) -> String {
        let quoted: Vec<_> = self.known.iter().map(|key| format!("`{key}`")).collect();
        match quoted.as_slice() {
            [] => "no key is known here: leave it out".to_owned(),
            [only] => format!("the key here is {only}"),
            [rest @ .., last] => format!("the keys here are {} and {last}", rest.join(", ")),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    static KEYS: Keys =
        Keys { known: &["name", "count"], hints: &[Hint::elsewhere("number", "write `count`")] };

    fn faults(text: &str) -> Vec<String> {
        let (_, faults) = read(text, &KEYS, |table| {
            let _ = table.field("count").and_then(Value::integer);
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
    fn a_misspelt_key_is_not_called_missing_but_its_value_is_looked_at() {
        let expected = ["`nmae` is not a key that is known here"];
        assert_eq!(faults("nmae = \"x\""), expected);
        assert_eq!(faults("name = \"x\"\ncuont = true").len(), 2);
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
