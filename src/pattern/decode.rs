//! From the text of a pattern file to a [`Pattern`], or to every fault at once.
//!
//! Each function reads one field. What can't be read leaves a fault and a placeholder, so that the
//! next field is still looked at; a placeholder never gets out, since a file with an error yields
//! no pattern.

mod line;
mod rating;

use std::collections::BTreeSet;

use super::{Access, Align, DEFAULT_DEPTHS, Data, MAX_LINES, Pattern, keys};
use crate::document::{self, Diagnostic, Table, Value};
use crate::unit::{DepthError, Percent, QueueDepth, SizeError, TransferSize, parse_range};

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
    let lines = line::lines(head);
    let queue_depths = sweep(head);
    let swept = queue_depths.as_deref();
    let rating = head.field("rating").and_then(|value| rating::scheme(value, swept));
    Some(Pattern {
        name: name.to_owned(),
        title: title?,
        about,
        source,
        access: Access { lines: lines?, data },
        queue_depths: queue_depths?,
        rating,
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

const SWEEP: &str = "sweep = { queue_depth = \"1..256\" }";

/// The depths of the sweep; `None` where they could not all be read.
fn sweep(head: &Table<'_>) -> Option<Vec<QueueDepth>> {
    let Some(value) = head.field("sweep") else {
        let depths = DEFAULT_DEPTHS.into_iter().map(QueueDepth::try_from);
        return depths.collect::<Result<_, _>>().ok();
    };
    let table = value.table(&keys::SWEEP, SWEEP)?;
    depths(table.required("queue_depth", "queue_depth = \"1..256\"")?)
}

fn depths(value: Value<'_>) -> Option<Vec<QueueDepth>> {
    if let Some(text) = value.as_str() {
        let depths = value.accept(parse_range::<QueueDepth>(text))?;
        let mut seen = BTreeSet::new();
        if let Some(again) = depths.iter().find(|depth| !seen.insert(**depth)) {
            value.fail(format!("the depth {again} stands twice in this sweep"));
        }
        return Some(depths);
    }
    if let Some(one) = value.as_integer() {
        let fault = value.mistyped("an array or a range");
        value.report(fault.help(format!("a single depth is written `queue_depth = [{one}]`")));
        return None;
    }
    let items = value.array("queue_depth = [1, 4, 16]")?;
    if items.is_empty() {
        value.fail("a sweep needs at least one depth");
    }
    let read: Vec<_> = items.iter().map(|item| Some((depth(*item)?, *item))).collect();
    let mut seen: Vec<(QueueDepth, Value<'_>)> = Vec::with_capacity(read.len());
    for (depth, item) in read.iter().flatten().copied() {
        if let Some((_, first)) = seen.iter().find(|(earlier, _)| *earlier == depth) {
            let message = format!("the depth {depth} stands twice in this sweep");
            item.report(Diagnostic::error(item.span(), message).also(first.span(), "first here"));
        } else {
            seen.push((depth, item));
        }
    }
    read.into_iter().map(|read| read.map(|(depth, _)| depth)).collect()
}

fn depth(value: Value<'_>) -> Option<QueueDepth> {
    let number = value.integer()?;
    let read = u64::try_from(number)
        .map_err(|_| DepthError::Malformed(number.to_string()))
        .and_then(QueueDepth::try_from);
    value.accept(read)
}

/// That there may be more lines than this would be a mistake of a generator, not of a person.
fn too_many(items: &[Value<'_>]) -> Option<Diagnostic> {
    let beyond = items.get(MAX_LINES)?;
    let message = format!("{} lines are more than the {MAX_LINES} that are allowed", items.len());
    Some(Diagnostic::error(beyond.span(), message).label("the first one too many"))
}
