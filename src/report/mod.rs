//! What is shown: text in tables, made of values.
//!
//! Every function here takes values and returns text. The module must never print, read a file or
//! ask for the time, and it knows nothing of terminals beyond a width of 80 columns. A figure that
//! several formats show is computed once, for all of them. Only this module names the `tabled`
//! crate. Tested by snapshots.

mod axes;
mod bar;
pub mod calibration;
pub mod comparison;
mod csv;
pub mod devices;
mod figures;
mod format;
mod json;
mod markdown;
mod means;
pub mod patterns;
mod pivot;
pub mod runs;
mod table;
mod words;

pub use format::{Format, FormatError, render};
pub use words::raised;
