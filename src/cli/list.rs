//! `fathom list`: the runs that were recorded, newest last.

use std::process::ExitCode;

use super::screen::{self, Failure};
use crate::record::store::{Listed, Store};
use crate::report;

pub(super) fn execute() -> Result<ExitCode, Failure> {
    let store = Store::of_user().map_err(Failure::input)?;
    let listed = store.list().map_err(Failure::run)?;
    let (mut outlines, mut unread) = (Vec::new(), Vec::new());
    for Listed { id, outline } in listed {
        match outline {
            Ok(outline) => outlines.push((id, outline)),
            Err(error) => unread.push(error),
        }
    }
    for error in &unread {
        screen::note(&format!("note: {error}"));
    }
    screen::print(&report::runs::list(&outlines))?;
    Ok(ExitCode::SUCCESS)
}
