//! The rules that every file of src/ keeps.
//!
//! Each takes a source and says what breaks it, with file and line. None of them knows a module
//! by name: names are in the tables.

use std::fmt;

use crate::reading::{self, Reference, Target};
use crate::table::{self, TIME, UNSAFE};
use crate::tokens;

/// Lines of a file before its tests.
const LONGEST_FILE: usize = 400;
/// Lines of the doc of a module of the first rank: what it is for, what it must never do, how it
/// is tested.
const SHORTEST_DOC: usize = 3;

/// A rule that is broken.
#[derive(Debug)]
pub(crate) struct Finding {
    pub(crate) file: String,
    pub(crate) line: usize,
    pub(crate) what: String,
    pub(crate) rule: &'static str,
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}: {}. {}", self.file, self.line, self.what, self.rule)
    }
}

/// A file of src/.
struct Source<'a> {
    name: &'a str,
    text: &'a str,
    syntax: syn::File,
    /// Its place without root and ending: `engine/uring`, `plan`, `main`.
    place: String,
}

impl Source<'_> {
    /// The module of the first rank that it belongs to; `main` and `lib` stand for themselves.
    fn module(&self) -> &str {
        self.place.split('/').next().unwrap_or_default()
    }

    fn is_root(&self) -> bool {
        ["lib", "main"].contains(&self.module())
    }

    /// Whether it is seen by tests only.
    fn is_test(&self) -> bool {
        self.path().iter().any(|name| name == "tests")
    }

    /// The names from the root to this module. `block_tests.rs` is the module `tests` of `block`,
    /// moved out of its file.
    fn path(&self) -> Vec<String> {
        if self.is_root() {
            return Vec::new();
        }
        let path = match self.place.strip_suffix("_tests") {
            Some(tested) => format!("{tested}/tests"),
            None => self.place.clone(),
        };
        path.split('/').map(ToOwned::to_owned).collect()
    }

    fn references(&self) -> Vec<Reference> {
        let root = if self.module() == "main" { "fathom" } else { "crate" };
        reading::references(&self.syntax, &self.path(), root)
    }

    fn finding(&self, line: usize, what: String, rule: &'static str) -> Finding {
        Finding { file: self.name.to_owned(), line, what, rule }
    }
}

/// Everything that the file `name` (`src/plan/mod.rs`) breaks.
pub(crate) fn check(name: &str, text: &str) -> Vec<Finding> {
    let place = name.trim_start_matches("src/").trim_end_matches(".rs");
    let place = place.trim_end_matches("/mod").to_owned();
    let syntax = match syn::parse_file(text) {
        Ok(syntax) => syntax,
        Err(error) => {
            let (file, line) = (name.to_owned(), error.span().start().line);
            return vec![Finding { file, line, what: error.to_string(), rule: "Must parse." }];
        }
    };
    let source = Source { name, text, syntax, place };
    let per_file = [known, only_modules, unsafe_code, documented, short];
    let per_reference = [layered, by_the_door, timeless, no_glob_of_super];
    let references = source.references();
    let of_references = references
        .iter()
        .flat_map(|reference| per_reference.iter().filter_map(|rule| rule(&source, reference)));
    per_file.iter().flat_map(|rule| rule(&source)).chain(of_references).collect()
}

fn known(source: &Source<'_>) -> Vec<Finding> {
    if source.is_root() || table::layer(source.module()).is_some() {
        return Vec::new();
    }
    let what = format!("the module `{}` is in no layer", source.module());
    vec![source.finding(1, what, "Give it a place in tests/layers/table.rs.")]
}

fn only_modules(source: &Source<'_>) -> Vec<Finding> {
    let others = source.syntax.items.iter().filter(|item| !matches!(item, syn::Item::Mod(_)));
    let finding = |item| {
        let line = syn::spanned::Spanned::span(item).start().line;
        source.finding(line, "not a module".to_owned(), "lib.rs declares modules and no shortcuts.")
    };
    others.filter(|_| source.module() == "lib").map(finding).collect()
}

fn unsafe_code(source: &Source<'_>) -> Vec<Finding> {
    if table::within(&source.place, UNSAFE) {
        return Vec::new();
    }
    let stream: proc_macro2::TokenStream = source.text.parse().unwrap_or_default();
    let finding = |line| {
        source.finding(line, "`unsafe`".to_owned(), "Only engine/, host/ and payload/ may have it.")
    };
    tokens::lines_with(stream, "unsafe").into_iter().map(finding).collect()
}

fn documented(source: &Source<'_>) -> Vec<Finding> {
    let lines = source.text.lines().take_while(|line| line.starts_with("//!"));
    let lines = lines.filter(|line| line.trim() != "//!").count();
    let first_rank = !source.place.contains('/') && !source.is_root();
    let needed = if first_rank { SHORTEST_DOC } else { 1 };
    if lines >= needed {
        return Vec::new();
    }
    let what = format!("{lines} lines of `//!`, where {needed} are needed");
    let rule = "A module says what it is for, what it must never do and how it is tested.";
    vec![source.finding(1, what, rule)]
}

fn short(source: &Source<'_>) -> Vec<Finding> {
    let lines = source.text.lines().take_while(|line| line.trim() != "#[cfg(test)]").count();
    if source.is_test() || lines <= LONGEST_FILE {
        return Vec::new();
    }
    let what = format!("{lines} lines before its tests");
    vec![source.finding(lines, what, "Above 400 a file is split by concept.")]
}

fn layered(source: &Source<'_>, reference: &Reference) -> Option<Finding> {
    let Some(Target::Own(path)) = &reference.target else { return None };
    let own = source.module();
    let broken = |what: String, rule| {
        Some(source.finding(reference.line, format!("`{}` {what}", reference.text), rule))
    };
    let module = match path.first().map(String::as_str) {
        None | Some("*") => {
            return broken("is the root of the crate".to_owned(), "Name the module.");
        }
        Some(module) if module == own => return None,
        Some(module) => module,
    };
    let Some((height, layer)) = table::layer(module) else {
        return broken("leads to no module of a layer".to_owned(), "See tests/layers/table.rs.");
    };
    match table::layer(own) {
        Some((at, own_layer)) if height >= at => broken(
            format!("reaches `{module}` (layer {layer}) from `{own}` (layer {own_layer})"),
            "A module imports only from layers below its own.",
        ),
        _ => None,
    }
}

fn by_the_door(source: &Source<'_>, reference: &Reference) -> Option<Finding> {
    let Some(Target::Foreign(krate)) = &reference.target else { return None };
    // Doors are about what ships: a test may look at a result with any tool.
    if reference.testing || table::door(krate)?.admits(&source.place) {
        return None;
    }
    let what = format!("`{}` names the crate `{krate}` outside its doors", reference.text);
    Some(source.finding(reference.line, what, "The doors are in tests/layers/table.rs."))
}

fn timeless(source: &Source<'_>, reference: &Reference) -> Option<Finding> {
    let reads = ["Instant::now", "SystemTime::now"]
        .iter()
        .any(|call| reference.text == *call || reference.text.ends_with(&format!("::{call}")));
    if !reads || table::within(&source.place, TIME) {
        return None;
    }
    let what = format!("`{}`", reference.text);
    Some(source.finding(reference.line, what, "Only clock.rs reads time: take a Tick or a Clock."))
}

fn no_glob_of_super(source: &Source<'_>, reference: &Reference) -> Option<Finding> {
    if reference.testing || reference.text != "super::*" {
        return None;
    }
    let what = "`use super::*`".to_owned();
    Some(source.finding(reference.line, what, "Outside tests, names are imported one by one."))
}
