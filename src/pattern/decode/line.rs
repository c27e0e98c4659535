//! The lines of an access specification, and their shares.

use std::time::Duration;

use super::sweep::Sweep;
use super::{align, percent, size};
use crate::document::{Diagnostic, Table, Value};
use crate::pattern::{Align, Line, MAX_BURST, MAX_DELAY, keys};
use crate::unit::{Percent, TransferSize, parse_duration};

/// What the head of the file says for all lines that do not say otherwise, and what its sweep
/// says whatever they say.
struct Defaults {
    read: Option<Percent>,
    random: Option<Percent>,
    align: Align,
    swept_read: Option<Percent>,
    swept_size: Option<TransferSize>,
}

const EXAMPLE: &str = "access = [{ size = \"4k\" }]";

/// Whether each line must say its share: one that stands alone has all of it.
#[derive(Clone, Copy, PartialEq)]
enum Company {
    Alone,
    Several,
}

/// All lines whose share is not 0; `None` where `access` is missing or no array.
pub(super) fn lines(head: &Table<'_>, sweep: &Sweep<'_>) -> Option<Vec<Line>> {
    let swept_read = sweep.first_read();
    if let (Some(_), Some(said)) = (swept_read, head.field("read")) {
        never_run(said);
    }
    let defaults = Defaults {
        read: head.field("read").map(|value| percent(value).unwrap_or(Percent::ZERO)),
        random: head.field("random").map(|value| percent(value).unwrap_or(Percent::ZERO)),
        align: head.field("align").and_then(align).unwrap_or(Align::Natural),
        swept_read,
        swept_size: sweep.first_size(),
    };
    let access = head.required("access", EXAMPLE)?;
    let items = access.array(EXAMPLE)?;
    if items.is_empty() {
        let fault = Diagnostic::error(access.span(), "an access specification needs a line");
        access.report(fault.help(format!("write `{EXAMPLE}`")));
        return None;
    }
    if let Some(fault) = super::too_many(&items) {
        access.report(fault);
        return None;
    }
    let company = if items.len() == 1 { Company::Alone } else { Company::Several };
    let lines: Vec<_> = items.into_iter().map(|item| line(item, &defaults, company)).collect();
    let whole = lines.iter().all(Option::is_some);
    let drawn: Vec<_> =
        lines.into_iter().flatten().filter(|line| line.share > Percent::ZERO).collect();
    if whole {
        check_sum(access, &drawn);
    }
    Some(drawn)
}

/// One line; `None` where its share could not be read, so that the sum means nothing.
fn line(value: Value<'_>, defaults: &Defaults, company: Company) -> Option<Line> {
    let table = value.table(&keys::LINE, "{ size = \"4k\", share = 100 }")?;
    let share = share(&table, company);
    let said = match defaults.swept_size {
        Some(_) => table.field("size").inspect(|said| never_run(*said)),
        None => table.required("size", "size = \"4k\""),
    };
    let size = said.and_then(|field| match share {
        Some(Percent::ZERO) if is_nothing(field) => None,
        _ => size(field),
    });
    if let (Some(_), Some(said)) = (defaults.swept_read, table.field("read")) {
        never_run(said);
    }
    let read = ratio(&table, "read", defaults.read.or(defaults.swept_read));
    let line = Line {
        size: defaults.swept_size.or(size).unwrap_or(TransferSize::SECTOR),
        share: share.unwrap_or(Percent::ZERO),
        read: defaults.swept_read.unwrap_or(read),
        random: ratio(&table, "random", defaults.random),
        align: table.field("align").and_then(align).unwrap_or(defaults.align),
        burst: table.field("burst").and_then(burst).unwrap_or(1),
        delay: table.field("delay").and_then(delay).unwrap_or(Duration::ZERO),
    };
    share.map(|_| line)
}

/// Warns of what a line says and the sweep says otherwise.
fn never_run(said: Value<'_>) {
    let message = format!("`{}` is swept: what stands here is never run", said.name());
    said.report(Diagnostic::warning(said.key_span(), message).help("leave it out here"));
}

/// Iometer's files carry empty lines of size 0 and share 0: they are no mistake.
fn is_nothing(size: Value<'_>) -> bool {
    size.as_integer() == Some(0) || size.as_str().is_some_and(|text| text.trim() == "0")
}

fn share(table: &Table<'_>, company: Company) -> Option<Percent> {
    let Some(value) = table.field("share") else {
        if company == Company::Several {
            let fault = Diagnostic::error(table.span(), "this line does not say its share");
            table.report(fault.help("write `share = 10` for a tenth of all draws"));
            return None;
        }
        return Some(Percent::HUNDRED);
    };
    let share = percent(value)?;
    if share == Percent::ZERO {
        let fault = Diagnostic::warning(value.span(), "a line with a share of 0 is never drawn");
        value.report(fault.label("this line is left out"));
    }
    Some(share)
}

/// A percentage of the line's requests: the line's own, or what the head says for all.
fn ratio(table: &Table<'_>, name: &'static str, default: Option<Percent>) -> Percent {
    if let Some(value) = table.field(name) {
        return percent(value).unwrap_or(Percent::ZERO);
    }
    default.unwrap_or_else(|| {
        let what = if name == "read" { "read" } else { "go to a random place" };
        let message = format!("nothing says how many of this line's requests {what}");
        let help = format!("write `{name} = 100` in the line, or once at the head of the file");
        table.report(Diagnostic::error(table.span(), message).help(help));
        Percent::ZERO
    })
}

fn burst(value: Value<'_>) -> Option<u32> {
    let number = value.integer()?;
    let burst = u32::try_from(number).ok().filter(|burst| (1..=MAX_BURST).contains(burst));
    if burst.is_none() {
        value.fail(format!("a burst of {number} is outside 1 to {MAX_BURST} requests"));
    }
    burst
}

fn delay(value: Value<'_>) -> Option<Duration> {
    let Some(text) = value.as_str() else {
        value.report(value.mistyped("a duration").help("write it like \"10ms\""));
        return None;
    };
    let delay = value.accept(parse_duration(text))?;
    if delay > MAX_DELAY {
        value.fail(format!("a delay of {} is longer than an hour", text.trim()));
    }
    Some(delay)
}

fn check_sum(access: Value<'_>, lines: &[Line]) {
    let sum: u32 = lines.iter().map(|line| u32::from(line.share.hundredths())).sum();
    let whole = u32::from(Percent::HUNDRED.hundredths());
    if sum == whole {
        return;
    }
    let message = format!("the shares of the lines sum to {}, not to 100", decimal(sum));
    let fault = Diagnostic::error(access.key_span(), message);
    let fault = if sum < whole {
        fault.label(format!("{} percent is missing", decimal(whole - sum)))
    } else {
        fault.label(format!("{} percent too much", decimal(sum - whole)))
    };
    access.report(match sum {
        100 => fault.help("shares are percentages: a tenth is 10, not 0.1"),
        _ => fault,
    });
}

/// Hundredths of a percent as a number of percent.
fn decimal(hundredths: u32) -> String {
    let text = format!("{}.{:02}", hundredths / 100, hundredths % 100);
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}
