//! The tables: which module is above which, and who may name which crate.
//!
//! Data only. A module imports from layers below its own; a third-party crate is named only at
//! its doors.

/// From the bottom up. The foundation has two halves, since time and text are read into
/// quantities: `clock` gives a `Tick`. So has layer 3: a review is made of records.
const LAYERS: [(&str, &[&str]); 8] = [
    ("0, quantities", &["unit"]),
    ("0", &["clock", "document"]),
    ("1", &["pattern", "measure", "stats", "host"]),
    ("2", &["access", "plan", "rating", "comparison", "payload"]),
    ("3", &["engine", "record", "audit"]),
    ("3, reviews", &["review"]),
    ("4", &["dispatch", "exchange", "report", "files"]),
    ("5", &["cli"]),
];

/// Modules that decide and compute: they log nothing and read no clock.
const PURE: [&str; 12] = [
    "unit",
    "document",
    "pattern",
    "measure",
    "stats",
    "plan",
    "access",
    "payload",
    "rating",
    "comparison",
    "audit",
    "review",
];

/// Where `unsafe` may stand.
pub(crate) const UNSAFE: &[&str] = &["engine", "host", "payload"];
/// Who may read the time.
pub(crate) const TIME: &[&str] = &["clock"];

/// Where a crate may be named.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Door {
    Anywhere,
    /// Anywhere but in the pure modules.
    Impure,
    /// In these modules and files, with all below them; a `*` at the end stands for any ending
    /// of the file's name.
    Only(&'static [&'static str]),
}

use Door::{Anywhere, Impure, Only};

const DRAWS: Door = Only(&["access", "plan", "payload", "stats", "engine/sim"]);
const SHELL: Door = Only(&["cli"]);

const DOORS: [(&str, Door); 31] = [
    ("annotate_snippets", SHELL),
    ("anstream", SHELL),
    ("askama", Only(&["report"])),
    ("base64", Only(&["record"])),
    ("clap", SHELL),
    ("csv", Only(&["exchange", "report"])),
    ("flate2", Only(&["payload"])),
    ("hdrhistogram", Only(&["measure"])),
    ("humantime", Only(&["unit"])),
    ("indicatif", SHELL),
    ("io_uring", Only(&["engine/uring*"])),
    ("libc", Only(&["host", "engine"])),
    ("mpi", Only(&["dispatch"])),
    ("parse_size", Only(&["unit"])),
    ("quanta", Only(&["clock"])),
    ("rand", DRAWS),
    ("rand_distr", Only(&["access"])),
    ("rand_xoshiro", DRAWS),
    ("ratatui", SHELL),
    ("rustix", Only(&["clock", "host", "engine", "payload"])),
    ("schemars", Only(&["document"])),
    // Core types are not serialisable: the record owns the schema, the report its own documents.
    ("serde", Only(&["record", "report"])),
    ("serde_json", Only(&["record", "exchange", "report"])),
    ("sha2", Only(&["pattern"])),
    ("statrs", Only(&["stats"])),
    ("tabled", Only(&["report"])),
    ("thiserror", Anywhere),
    ("tokio", Only(&["dispatch", "cli"])),
    ("toml", Only(&["document"])),
    ("tracing", Impure),
    ("tracing_subscriber", SHELL),
];

/// How high a module stands, and what its layer is called.
pub(crate) fn layer(module: &str) -> Option<(usize, &'static str)> {
    let height = LAYERS.iter().position(|(_, modules)| modules.contains(&module))?;
    Some((height, LAYERS[height].0))
}

pub(crate) fn door(krate: &str) -> Option<Door> {
    DOORS.iter().find(|(name, _)| *name == krate).map(|&(_, door)| door)
}

impl Door {
    /// Whether the file at `place` (`engine/uring`) may name a crate of this door.
    pub(crate) fn admits(self, place: &str) -> bool {
        match self {
            Anywhere => true,
            Impure => !within(place, &PURE),
            Only(places) => within(place, places),
        }
    }
}

/// Whether `place` is one of `places` or below one.
pub(crate) fn within(place: &str, places: &[&str]) -> bool {
    places.iter().any(|allowed| match allowed.strip_suffix('*') {
        Some(beginning) => place.starts_with(beginning),
        None => {
            place.strip_prefix(allowed).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
        }
    })
}
