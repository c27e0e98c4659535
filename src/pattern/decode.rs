//! From the text of a pattern file to a [`Pattern`], or to every fault at once.
//!
//! Each function reads one field. What can't be read leaves a fault and a placeholder, so that the
//! next field is still looked at; a placeholder never gets out, since a file with an error yields
//! no pattern.

mod line;
mod rating;
mod sweep;

use super::{Access, Align, Axes, Data, MAX_LINES, Pattern, keys};
use crate::document::{self, Diagnostic, Table, Value};
use crate::unit::{Percent, SizeError, TransferSize};
use sweep::{Sweep, depth, sweep};

/// Reads the text of a pattern file: a pattern, and what there is to say about the file.
///
/// The pattern is missing where one of the faults is an error; warnings leave it usable. `name`
/// is what selects the pattern: by custom the stem of its file.
pub fn parse(name: &str, text: &str) -> (Option<Pattern>, Vec<Diagnostic>) {
    document::read(text, &keys::HEAD, |head| decode(name, head))
}

fn decode(name: &str, head: &Table<'_>) -> Option<Pattern> {
    let title = head.required("title", "title = \"File Server\"").and_then(title);
    let about = head.field("about").and_then(prose);
    let source = head.field("source").and_then(prose);
    let data = head.field("data").and_then(data).unwrap_or(Data::Random);
    let sweep = sweep(head);
    let lines = line::lines(head, &sweep);
    if let Some(lines) = &lines {
        sweep.check_lines(lines);
    }
    let swept = sweep.queue_depths.as_deref();
    let rating = head.field("rating").and_then(|value| rating::scheme(value, swept));
    let shown_depths = sweep.shown_depths.clone();
    Some(Pattern {
        name: name.to_owned(),
        title: title?,
        about,
        source,
        access: Access { lines: lines?, data },
        axes: axes(sweep)?,
        shown_depths,
        rating,
    })
}

/// The axes; `None` where one of them could not be read.
fn axes(sweep: Sweep<'_>) -> Option<Axes> {
    let directions = sweep.directions.map(|axis| axis.values);
    let transfer_sizes = sweep.transfer_sizes.map(|axis| axis.values);
    Some(Axes {
        queue_depths: sweep.queue_depths?,
        directions: match directions {
            Some(values) => Some(values?),
            None => None,
        },
        transfer_sizes: transfer_sizes.unwrap_or(Some(Vec::new()))?,
    })
}

fn title(value: Value<'_>) -> Option<String> {
    let title = value.string()?;
    if title.trim().is_empty() {
        value.fail("a title must say something: it heads the tables");
    } else if title.chars().any(char::is_control) {
        value.fail("a title is one line, without control characters");
    }
    Some(title.to_owned())
}

/// Control characters would reach the terminal of whoever looks at the pattern.
fn prose(value: Value<'_>) -> Option<String> {
    let text = value.string()?;
    if text.chars().any(|c| c.is_control() && c != '\n' && c != '\t') {
        value.fail(format!("`{}` holds control characters", value.name()));
    }
    Some(text.to_owned())
}

/// A percentage with up to two decimals.
fn percent(value: Value<'_>) -> Option<Percent> {
    let Some(number) = value.as_number() else {
        let fault = value.mistyped("a number");
        let meant = value.as_str().and_then(|text| text.parse::<Percent>().ok());
        value.report(match meant {
            Some(meant) => fault.help(format!("write `{} = {meant}`", value.name())),
            None => fault,
        });
        return None;
    };
    value.accept(Percent::try_from(number))
}

/// The bytes of a request, as a string with a unit or as a plain number.
fn size(value: Value<'_>) -> Option<TransferSize> {
    let read = match (value.as_str(), value.as_integer()) {
        (Some(text), _) => text.parse(),
        (None, Some(bytes)) => u64::try_from(bytes)
            .map_err(|_| SizeError::Malformed(bytes.to_string()))
            .and_then(TransferSize::try_from),
        (None, None) => {
            let fault = value.mistyped("a size");
            value.report(fault.help("write it like \"4k\", \"64 KiB\" or 4096"));
            return None;
        }
    };
    read.map_err(|error| value.report(size_fault(value, &error))).ok()
}

fn size_fault(value: Value<'_>, error: &SizeError) -> Diagnostic {
    let fault = Diagnostic::error(value.span(), error.to_string());
    match error {
        SizeError::NotSectors(bytes) => {
            let (below, above) = (bytes / 512 * 512, bytes.div_ceil(512) * 512);
            match below {
                0 => fault.help(format!("the nearest size is {above}")),
                _ => fault.help(format!("the nearest sizes are {below} and {above}")),
            }
        }
        SizeError::Malformed(_) | SizeError::Zero | SizeError::TooLarge(_) => fault,
    }
}

fn align(value: Value<'_>) -> Option<Align> {
    match value.as_str() {
        Some("natural") => Some(Align::Natural),
        Some("sector") => Some(Align::Sector),
        Some(text) if !text.starts_with(|c: char| c.is_ascii_digit()) => {
            let fault = Diagnostic::error(value.span(), format!("`{text}` is not an alignment"));
            let fault = match document::nearest(text, ["natural", "sector"]) {
                Some(meant) => fault.label(format!("did you mean \"{meant}\"?")),
                None => fault,
            };
            value.report(fault.help("write \"natural\", \"sector\" or a size like \"4k\""));
            None
        }
        _ => size(value).map(Align::Bytes),
    }
}

fn data(value: Value<'_>) -> Option<Data> {
    if value.is_table() {
        let table = value.table(&keys::DATA, "data = { compressible = 50 }")?;
        let share = table.required("compressible", "data = { compressible = 50 }")?;
        return percent(share).map(Data::Compressible);
    }
    match value.as_str() {
        Some("random") => return Some(Data::Random),
        Some("zeros") => return Some(Data::Zeros),
        _ => {}
    }
    let fault = match value.as_str() {
        Some(text) => Diagnostic::error(value.span(), format!("`{text}` is no kind of data")),
        None => value.mistyped("a string or a table"),
    };
    value.report(fault.help("write \"random\", \"zeros\" or { compressible = 50 }"));
    None
}

/// That there may be more lines than this would be a mistake of a generator, not of a person.
fn too_many(items: &[Value<'_>]) -> Option<Diagnostic> {
    let beyond = items.get(MAX_LINES)?;
    let message = format!("{} lines are more than the {MAX_LINES} that are allowed", items.len());
    Some(Diagnostic::error(beyond.span(), message).label("the first one too many"))
}
