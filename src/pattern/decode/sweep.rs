//! What `[sweep]` varies: depths, shares of reads or writes, sizes.

use std::fmt::Display;

use super::{percent, size};
use crate::document::{Diagnostic, Table, Value};
use crate::pattern::{DEFAULT_DEPTHS, Directions, Line, keys};
use crate::unit::{DepthError, Op, Percent, QueueDepth, Stepped, TransferSize, parse_range};

/// What `[sweep]` says. An axis that could not be read is there without its values, so that the
/// lines are not blamed for what it was to say.
pub(super) struct Sweep<'d> {
    pub(super) queue_depths: Option<Vec<QueueDepth>>,
    pub(super) shown_depths: Vec<QueueDepth>,
    pub(super) directions: Option<Axis<'d, Directions>>,
    pub(super) transfer_sizes: Option<Axis<'d, Vec<TransferSize>>>,
}

/// An axis that is there, and what it holds if that could be read.
pub(super) struct Axis<'d, T> {
    key: Value<'d>,
    pub(super) values: Option<T>,
}

/// How the values of an axis are called, and how one writes them.
struct Words {
    one: &'static str,
    example: &'static str,
}

const DEPTHS: Words = Words { one: "depth", example: "queue_depth = [1, 4, 16]" };
const SHOWN: Words = Words { one: "depth", example: "show_queue_depth = [1, 16]" };
const SHARES: Words = Words { one: "percentage", example: "write = [0, 50, 100]" };
const SIZES: Words = Words { one: "size", example: "transfer_size = [\"4k\", \"64k\"]" };

/// The axes of the sweep.
pub(super) fn sweep<'d>(head: &Table<'d>) -> Sweep<'d> {
    let Some(value) = head.field("sweep") else {
        let depths = DEFAULT_DEPTHS.into_iter().map(QueueDepth::try_from);
        return Sweep { queue_depths: depths.collect::<Result<_, _>>().ok(), ..Sweep::empty() };
    };
    let example = "sweep = { queue_depth = \"1..256\" }";
    let Some(table) = value.table(&keys::SWEEP, example) else { return Sweep::empty() };
    let depths = table.required("queue_depth", "queue_depth = \"1..256\"");
    let queue_depths = depths.and_then(|value| series(value, &DEPTHS, depth));
    let shown = table.field("show_queue_depth");
    let shown = shown.and_then(|value| shown_depths(value, queue_depths.as_deref()));
    let sizes = table.field("transfer_size");
    Sweep {
        queue_depths,
        shown_depths: shown.unwrap_or_default(),
        directions: directions(&table),
        transfer_sizes: sizes.map(|key| Axis { key, values: series(key, &SIZES, size) }),
    }
}

impl Sweep<'_> {
    fn empty() -> Self {
        Self {
            queue_depths: None,
            shown_depths: Vec::new(),
            directions: None,
            transfer_sizes: None,
        }
    }

    /// The share of reads that all lines have at the first setting; `None` where they say it.
    pub(super) fn first_read(&self) -> Option<Percent> {
        let values = self.directions.as_ref()?.values.as_ref();
        // Where it could not be read, no pattern comes of it.
        Some(values.and_then(|values| values.reads().next()).unwrap_or(Percent::ZERO))
    }

    /// The size that the line has at the first setting; `None` where it says its own.
    pub(super) fn first_size(&self) -> Option<TransferSize> {
        let values = self.transfer_sizes.as_ref()?.values.as_ref();
        Some(values.and_then(|sizes| sizes.first().copied()).unwrap_or(TransferSize::SECTOR))
    }

    /// A size for all lines would make of a mix something else, so only one line may be swept.
    pub(super) fn check_lines(&self, lines: &[Line]) {
        if let Some(Axis { key, .. }) = &self.transfer_sizes
            && lines.len() > 1
        {
            let message =
                format!("sizes are swept in a pattern of one line, and this has {}", lines.len());
            let help = "leave `transfer_size` out, or make a pattern of the line that matters";
            key.report(Diagnostic::error(key.key_span(), message).help(help));
        }
    }
}

/// `read` or `write`: two names of one axis.
fn directions<'d>(table: &Table<'d>) -> Option<Axis<'d, Directions>> {
    let axis = |(key, of): (Value<'d>, Op)| {
        let percents = series(key, &SHARES, share);
        Axis { key, values: percents.map(|percents| Directions { of, percents }) }
    };
    let said = [("read", Op::Read), ("write", Op::Write)]
        .map(|(name, of)| table.field(name).map(|key| axis((key, of))));
    match said {
        [Some(read), Some(write)] => {
            let (first, second) = if read.key.span().start < write.key.span().start {
                (read.key, write.key)
            } else {
                (write.key, read.key)
            };
            let message = "`read` and `write` are one axis: what is not read is written";
            let fault = Diagnostic::error(second.key_span(), message);
            second.report(fault.also(first.key_span(), "said here already").help("leave one out"));
            Some(read)
        }
        [read, write] => read.or(write),
    }
}

/// Depths that are swept, for the tables that have no room for all.
fn shown_depths(value: Value<'_>, swept: Option<&[QueueDepth]>) -> Option<Vec<QueueDepth>> {
    let shown = series(value, &SHOWN, depth)?;
    let swept = swept.unwrap_or(&shown);
    let missing = shown.iter().filter(|depth| !swept.contains(depth));
    let missing: Vec<String> = missing.map(ToString::to_string).collect();
    if !missing.is_empty() {
        let depths = if missing.len() == 1 { "depth" } else { "depths" };
        let message =
            format!("the {depths} {} can't be shown, not being swept", missing.join(", "));
        let fault = Diagnostic::error(value.span(), message);
        value.report(fault.help("add to `queue_depth` what is missing"));
    }
    Some(shown)
}

/// The values of an axis: an array, or a range in a string. Each stands once, and there is one.
fn series<T: Stepped + Display>(
    value: Value<'_>,
    words: &Words,
    read: impl Fn(Value<'_>) -> Option<T>,
) -> Option<Vec<T>> {
    let twice = |again: T| format!("the {} {again} stands twice in this sweep", words.one);
    if let Some(text) = value.as_str() {
        let values = value.accept(parse_range::<T>(text))?;
        let mut seen = Vec::new();
        for one in &values {
            if seen.contains(&one.units()) {
                value.fail(twice(*one));
                break;
            }
            seen.push(one.units());
        }
        return Some(values);
    }
    if let Some(one) = value.as_number() {
        let fault = value.mistyped("an array or a range");
        let help = format!("a single {} is written `{} = [{one}]`", words.one, value.name());
        value.report(fault.help(help));
        return None;
    }
    let items = value.array(words.example)?;
    if items.is_empty() {
        value.fail(format!("a sweep needs at least one {}", words.one));
    }
    let read: Vec<_> = items.iter().map(|item| Some((read(*item)?, *item))).collect();
    let mut seen: Vec<(T, Value<'_>)> = Vec::with_capacity(read.len());
    for (one, item) in read.iter().flatten().copied() {
        match seen.iter().find(|(earlier, _)| earlier.units() == one.units()) {
            Some((_, first)) => {
                let fault = Diagnostic::error(item.span(), twice(one));
                item.report(fault.also(first.span(), "first here"));
            }
            None => seen.push((one, item)),
        }
    }
    read.into_iter().map(|read| read.map(|(one, _)| one)).collect()
}

/// A queue depth.
pub(super) fn depth(value: Value<'_>) -> Option<QueueDepth> {
    let number = value.integer()?;
    let read = u64::try_from(number)
        .map_err(|_| DepthError::Malformed(number.to_string()))
        .and_then(QueueDepth::try_from);
    value.accept(read)
}

/// A percentage of an array.
fn share(value: Value<'_>) -> Option<Percent> {
    if value.as_number().is_none() {
        let help = format!("write it like `{}`", SHARES.example);
        value.report(value.mistyped("a number").help(help));
        return None;
    }
    percent(value)
}
