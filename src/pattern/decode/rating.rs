//! How a pattern file says that its sweep is rated.

use std::collections::BTreeMap;

use super::depth;
use crate::document::{Diagnostic, Table, Value, nearest};
use crate::pattern::{Scheme, keys, preset, presets};
use crate::unit::QueueDepth;

/// The scheme that `[rating]` names: exactly one. A depth that it needs and that `swept` lacks
/// makes the rating undefined as long as nobody sweeps it: a warning.
pub(super) fn scheme(value: Value<'_>, swept: Option<&[QueueDepth]>) -> Option<Scheme> {
    let table = value.table(&keys::RATING, "rating = { mean = {} }")?;
    let fields = table.fields();
    if table.is_empty() {
        let fault = Diagnostic::error(table.span(), "a rating needs a scheme");
        table.report(fault.help("write `mean = {}`, or leave the table out: no rating then"));
    }
    let first = fields.first()?;
    for second in &fields[1..] {
        let message = "a pattern has one rating, and this is a second one";
        let fault = Diagnostic::error(second.key_span(), message);
        second.report(fault.also(first.key_span(), "the first one"));
    }
    let schemes: Vec<_> = fields.iter().map(|field| decode(*field)).collect();
    let scheme = schemes.into_iter().next().flatten()?;
    if let Some(swept) = swept {
        warn_of_missing(*first, &scheme, swept);
    }
    Some(scheme)
}

const INVERSE: &str = "inverse_depth = { up_to = 32 }";
const WEIGHTS: &str = "weights = { 1 = 1.0, 2 = 0.5 }";

fn decode(field: Value<'_>) -> Option<Scheme> {
    match field.name() {
        "mean" => field.table(&keys::MEAN, "mean = {}").map(|_| Scheme::Mean),
        "inverse_depth" => {
            field.table(&keys::INVERSE_DEPTH, INVERSE).and_then(|table| inverse(&table))
        }
        "weights" => weights(field).map(Scheme::Weights),
        _ => published(field).map(Scheme::Preset),
    }
}

fn inverse(table: &Table<'_>) -> Option<Scheme> {
    let value = table.required("up_to", INVERSE)?;
    let up_to = depth(value)?;
    if !up_to.get().is_power_of_two() {
        let fault = Diagnostic::error(value.span(), format!("{up_to} is not a power of two"));
        value.report(fault.help("the sum runs over the depths 1, 2, 4, 8 and so on"));
    }
    Some(Scheme::InverseDepth { up_to })
}

fn weights(field: Value<'_>) -> Option<BTreeMap<QueueDepth, f64>> {
    let entries = field.entries(WEIGHTS)?;
    if entries.is_empty() {
        let fault = Diagnostic::error(field.span(), "weights need at least one depth");
        field.report(fault.help(format!("write it like `{WEIGHTS}`")));
    }
    let mut weights = BTreeMap::new();
    for entry in entries {
        let depth = entry.name().parse::<QueueDepth>();
        let weight = weight(entry);
        match depth {
            Ok(depth) if weights.contains_key(&depth) => entry.report(Diagnostic::error(
                entry.key_span(),
                format!("the depth {depth} has a weight already"),
            )),
            Ok(depth) => _ = weights.insert(depth, weight),
            Err(error) => entry.report(Diagnostic::error(entry.key_span(), error.to_string())),
        }
    }
    Some(weights)
}

/// The largest weight: beyond it a rating would be all weight and no measurement.
const HEAVIEST: f64 = 1e6;

fn weight(entry: Value<'_>) -> f64 {
    let Some(weight) = entry.as_number() else {
        entry.report(entry.mistyped("a number").help("it is the weight of this depth"));
        return 1.0;
    };
    if weight == 0.0 {
        let fault = Diagnostic::error(entry.span(), "a weight of 0 counts nothing");
        entry.report(fault.help("leave this depth out"));
    } else if !(weight > 0.0 && weight <= HEAVIEST) {
        entry.fail(format!("a weight of {weight} is outside 0 to {HEAVIEST}"));
    }
    weight
}

fn published(field: Value<'_>) -> Option<String> {
    let id = field.string()?;
    if preset(id).is_some() {
        return Some(id.to_owned());
    }
    let ids: Vec<_> = presets().iter().map(|preset| preset.id).collect();
    let fault = Diagnostic::error(field.span(), format!("no published rating is called `{id}`"));
    let fault = match nearest(id, ids.iter().copied()) {
        Some(meant) => fault.label(format!("did you mean \"{meant}\"?")),
        None => fault,
    };
    field.report(fault.help(format!("there are {}", ids.join(", "))));
    None
}

fn warn_of_missing(field: Value<'_>, scheme: &Scheme, swept: &[QueueDepth]) {
    let missing: Vec<_> = scheme.missing(swept).iter().map(ToString::to_string).collect();
    if missing.is_empty() {
        return;
    }
    let depths = if missing.len() == 1 { "depth" } else { "depths" };
    let message = format!("the rating needs the {depths} {}, not swept here", missing.join(", "));
    let fault = Diagnostic::warning(field.key_span(), message);
    field.report(fault.help("add to `queue_depth` what is missing: without it there is no rating"));
}
