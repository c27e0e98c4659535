//! The house's layers and rules, held against the sources themselves.
//!
//! The tables are in [`table`], what a source refers to is found by [`reading`], the rules are in
//! [`rules`], and [`checker`] shows that each of them catches what it is there to catch. A module
//! that does not exist yet is no failure; one that no table knows is. A change to the tables is a
//! change to the design, and is argued in docs/architecture.md.

#[path = "layers/checker.rs"]
mod checker;
#[path = "layers/manifest.rs"]
mod manifest;
#[path = "layers/reading.rs"]
mod reading;
#[path = "layers/rules.rs"]
mod rules;
#[path = "layers/table.rs"]
mod table;
#[path = "layers/tokens.rs"]
mod tokens;

use std::fs;
use std::path::{Path, PathBuf};

use rules::Finding;

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// Every Rust file below `folder`, in a settled order.
fn rust_files(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).expect("the folder can be read");
    let mut entries: Vec<PathBuf> =
        entries.map(|entry| entry.expect("its entries too").path()).collect();
    entries.sort();
    let (folders, files): (Vec<_>, Vec<_>) = entries.into_iter().partition(|path| path.is_dir());
    let rust = |path: &PathBuf| path.extension().is_some_and(|extension| extension == "rs");
    files
        .into_iter()
        .filter(rust)
        .chain(folders.iter().flat_map(|folder| rust_files(folder)))
        .collect()
}

fn none_of(findings: &[Finding]) {
    let lines: Vec<String> = findings.iter().map(ToString::to_string).collect();
    assert!(findings.is_empty(), "{} broken:\n{}\n", findings.len(), lines.join("\n"));
}

#[test]
fn the_sources_keep_the_layers_the_doors_and_the_rules() {
    let files = rust_files(&root().join("src"));
    assert!(files.len() > 10, "the sources were not found");
    let check = |path: &PathBuf| {
        let name = path.strip_prefix(root()).unwrap().to_str().unwrap().replace('\\', "/");
        rules::check(&name, &fs::read_to_string(path).unwrap())
    };
    none_of(&files.iter().flat_map(check).collect::<Vec<_>>());
}

#[test]
fn every_dependency_has_its_reason_and_its_door() {
    let manifest = fs::read_to_string(root().join("Cargo.toml")).unwrap();
    assert!(manifest::dependencies(&manifest).len() > 10, "the dependencies were not found");
    none_of(&manifest::check(&manifest));
}
