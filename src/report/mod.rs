//! What is shown: text in tables, made of values.
//!
//! Every function here takes values and returns text. The module must never print, read a file or
//! ask for the time, and it knows nothing of terminals beyond a width of 80 columns. Only this
//! module names the `tabled` crate. Tested by snapshots.

pub mod devices;
pub mod patterns;
