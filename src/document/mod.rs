//! Text files with spans: values, or every fault at once.
//!
//! A TOML file that a person wrote is walked field by field, so that nine mistakes give nine
//! [`Diagnostic`]s in one go, each with the place in the text, and not the first one only. The
//! module serves every kind of file that fathom reads from a person: it knows tables, keys and
//! types, and must never know what a pattern or a plan is, read a file, or draw a fault (the
//! command line does that). Only this module names the `toml` crate.
//!
//! Tested by the tables at the foot of each file, and by the fixtures in tests/diagnostics.

mod diagnostic;
mod nearest;
mod quote;
mod table;
mod value;

pub use diagnostic::{Diagnostic, Mark, Severity};
pub use nearest::nearest;
pub use quote::quote;
pub use table::{Hint, Keys, Table, read};
pub use value::Value;
