//! What is shown: text for people, made from what the layers below found.
//!
//! Everything here returns text; nothing here prints, reads a file or decides an exit code.
//! Tested by snapshots of the text.

pub mod devices;
