//! The checker against small sources: it must catch what it is there to catch, and nothing else.
//!
//! Each case is a file's name, its text and what is found in it, as `line: what`.

use crate::{manifest, rules};

/// Checks the source, a doc of three lines before it, whose lines are not counted.
fn findings(name: &str, source: &str) -> Vec<String> {
    let text = format!("//! For.\n//! Never.\n//! Tested.\n{source}");
    let line =
        |finding: &rules::Finding| format!("{}: {}", finding.line.saturating_sub(3), finding.what);
    rules::check(name, &text).iter().map(line).collect()
}

fn check(name: &str, source: &str, expected: &[&str]) {
    assert_eq!(findings(name, source), expected, "{name}:\n{source}");
}

/// `path` reaches `module` of layer `layer` from plan/, on line `line`.
fn from_plan(line: usize, path: &str, module: &str, layer: u8) -> String {
    format!("{line}: `{path}` reaches `{module}` (layer {layer}) from `plan` (layer 2)")
}

#[test]
fn lower_layers_may_be_reached_and_no_others() {
    check("src/plan/mod.rs", "use crate::pattern::Pattern;\nuse std::fmt;", &[]);
    let found = findings("src/plan/mod.rs", "use crate::dispatch::Fleet;");
    assert_eq!(found, [from_plan(1, "crate::dispatch::Fleet", "dispatch", 4)]);
    let found = findings("src/plan/order.rs", "\nuse crate::access::Source;");
    assert_eq!(found, [from_plan(2, "crate::access::Source", "access", 2)], "the same layer");
    check("src/plan/order.rs", "use crate::plan::Point;\nuse super::Axis;", &[]);
    check("src/clock.rs", "use crate::unit::Tick;", &[]);
    assert_eq!(findings("src/unit/time.rs", "use crate::clock::Clock;").len(), 1);
    check("src/main.rs", "fn main() { fathom::cli::main() }", &[]);
}

#[test]
fn grouped_imports_are_taken_apart() {
    let source = "use crate::{\n  unit::{self, Bytes},\n  record::{v1::{Line, *}, Store as S},\n};";
    let expected = ["v1::Line", "v1::*", "Store"]
        .map(|name| from_plan(3, &format!("crate::record::{name}"), "record", 3));
    assert_eq!(findings("src/plan/mod.rs", source), expected);
}

#[test]
fn re_exports_are_imports() {
    let source = "pub use crate::engine::Kind;\npub(crate) use super::engine as device;";
    let expected = [
        from_plan(1, "crate::engine::Kind", "engine", 3),
        from_plan(2, "super::engine", "engine", 3),
    ];
    assert_eq!(findings("src/plan.rs", source), expected);
}

#[test]
fn super_and_self_are_resolved() {
    let cases = [
        ("src/plan.rs", "use super::dispatch::Fleet;"),
        ("src/plan/mod.rs", "use super::dispatch::Fleet;"),
        ("src/plan/order.rs", "use super::super::dispatch::Fleet;"),
        ("src/plan/order.rs", "use self::super::super::dispatch::Fleet;"),
        ("src/plan/order.rs", "mod inner { use super::super::super::dispatch::Fleet; }"),
        ("src/plan/mod.rs", "#[cfg(test)] mod tests { use super::super::dispatch::Fleet; }"),
        ("src/plan/tests.rs", "fn f() { super::super::dispatch::run(); }"),
    ];
    for (name, source) in cases {
        let found = findings(name, source);
        assert_eq!(found.len(), 1, "{name}: {source}: {found:?}");
        assert!(found[0].contains("reaches `dispatch`"), "{found:?}");
    }
    check("src/plan/mod.rs", "mod inner { use super::super::unit::Bytes; use super::Point; }", &[]);
}

#[test]
fn paths_are_seen_wherever_they_stand() {
    let cases = [
        "fn f(fleet: &crate::dispatch::Fleet) {}",
        "fn f() { let _ = crate::dispatch::run(); }",
        "fn f() -> impl Iterator<Item = crate::dispatch::Fleet> { todo!() }",
        "struct S(Vec<crate::dispatch::Fleet>);",
        "impl crate::dispatch::Fleet for S {}",
        "fn f(x: u8) { if let crate::dispatch::ONE = x {} }",
        "fn f() { println!(\"{}\", crate::dispatch::ONE); }",
        "fn f() { assert!({ use crate::{unit::Bytes, dispatch::Fleet}; true }); }",
        "macro_rules! m { () => { $crate::dispatch::run() } }",
        "fn f() { use crate::dispatch::run; }",
        "#[derive(crate::dispatch::Derive)] struct S;",
    ];
    for source in cases {
        let found = findings("src/plan/mod.rs", source);
        assert_eq!(found.len(), 1, "{source}: {found:?}");
        assert!(found[0].contains("reaches `dispatch`"), "{found:?}");
    }
}

#[test]
fn the_root_itself_is_no_way_round() {
    for source in
        ["use crate as all;", "use crate::*;", "use super::*;", "use super::{self as up};"]
    {
        let found = findings("src/plan.rs", source);
        assert!(found[0].contains("is the root of the crate"), "{source}: {found:?}");
    }
    check("src/plan/mod.rs", "pub(crate) struct S;\npub(in crate::plan) struct T;", &[]);
    check("src/lib.rs", "pub mod unit;\npub use unit::Bytes;", &["2: not a module"]);
}

#[test]
fn a_module_without_a_layer_is_found() {
    check("src/helpers.rs", "", &["0: the module `helpers` is in no layer"]);
    let found = findings("src/plan/mod.rs", "use crate::helpers::help;");
    assert_eq!(found, ["1: `crate::helpers::help` leads to no module of a layer"]);
}

#[test]
fn crates_are_named_at_their_doors_only() {
    let cases = [
        ("src/stats/mod.rs", "use statrs::distribution::Normal;", true),
        ("src/rating/mod.rs", "use statrs::distribution::Normal;", false),
        ("src/rating/mod.rs", "use {std::fmt, statrs::{distribution::{Normal}}};", false),
        ("src/rating/mod.rs", "fn f() { statrs::function::gamma::gamma(1.0); }", false),
        ("src/rating/mod.rs", "fn f() { ::statrs::function::gamma::gamma(1.0); }", false),
        ("src/rating/mod.rs", "extern crate statrs;", false),
        ("src/rating/mod.rs", "use statrs as numbers;", false),
        ("src/engine/uring.rs", "use io_uring::IoUring;", true),
        ("src/engine/uring_ring.rs", "use io_uring::IoUring;", true),
        ("src/engine/uring/ring.rs", "use io_uring::IoUring;", true),
        ("src/engine/null.rs", "use io_uring::IoUring;", false),
        ("src/engine/sim/noise.rs", "use rand::Rng;", true),
        ("src/engine/simple.rs", "use rand::Rng;", false),
        ("src/plan/mod.rs", "fn f() { tracing::info!(\"x\"); }", false),
        ("src/engine/mod.rs", "fn f() { tracing::info!(\"x\"); }", true),
        ("src/plan/mod.rs", "fn f() { vec![serde_json::json!(1)]; }", false),
        ("src/plan/mod.rs", "#[derive(Debug, serde::Serialize)] struct S;", false),
        ("src/record/v1.rs", "#[derive(Debug, serde::Serialize)] struct S;", true),
        ("src/plan/mod.rs", "#[tokio::main] async fn f() {}", false),
        ("src/plan/mod.rs", "use thiserror::Error;", true),
        ("src/main.rs", "use clap::Parser;", false),
    ];
    for (name, source, admitted) in cases {
        let found = findings(name, source);
        assert_eq!(found.is_empty(), admitted, "{name}: {source}: {found:?}");
        assert!(found.iter().all(|what| what.contains("outside its doors")), "{found:?}");
    }
}

#[test]
fn a_module_may_be_called_like_a_crate() {
    check("src/cli/mod.rs", "mod csv;\nfn f() { csv::write(); }", &[]);
    check("src/cli/show.rs", "use super::csv;\nfn f() { csv::write(); }", &[]);
    check("src/cli/show.rs", "fn f(rand: u8) -> u8 { rand }", &[]);
    assert_eq!(findings("src/cli/show.rs", "mod csv;\nfn f() { ::csv::write(); }").len(), 1);
}

#[test]
fn tests_may_use_any_tool() {
    let source = "#[cfg(test)]\nmod tests {\n  use super::*;\n  use serde_json::json;\n}";
    check("src/plan/mod.rs", source, &[]);
    check("src/plan/tests.rs", "use super::*;\nuse serde_json::json;", &[]);
    check("src/plan/order_tests.rs", "use super::*;\nuse super::super::axes::Axis;", &[]);
    check("src/plan/order.rs", "use super::*;", &["1: `use super::*`"]);
}

#[test]
fn time_is_read_in_one_place() {
    let source = "fn f() { std::time::Instant::now(); }";
    check("src/clock.rs", source, &[]);
    check("src/dispatch/worker.rs", source, &["1: `std::time::Instant::now`"]);
    check("src/cli/mod.rs", "fn f() { g(SystemTime::now) }", &["1: `SystemTime::now`"]);
}

#[test]
fn unsafe_stays_where_it_belongs() {
    let source =
        "// unsafe in a comment, and \"unsafe\" below\nfn f() { g(\"unsafe\"); unsafe { h() } }";
    check("src/engine/uring.rs", source, &[]);
    check("src/plan/mod.rs", source, &["2: `unsafe`"]);
    check("src/plan/mod.rs", "#![allow(unsafe_code)]", &[]);
}

#[test]
fn modules_are_documented_and_short() {
    let found = rules::check("src/plan/mod.rs", "//! What is run.\n//!\n//! Never opens.\n");
    assert_eq!(found[0].what, "2 lines of `//!`, where 3 are needed");
    assert!(rules::check("src/plan/order.rs", "//! The order of points.\n").is_empty());
    assert_eq!(rules::check("src/plan/order.rs", "struct S;\n").len(), 1);
    let long = "\n".repeat(400);
    check("src/plan/order.rs", &long, &["400: 403 lines before its tests"]);
    check("src/plan/tests.rs", &long, &[]);
    check("src/plan/order.rs", &format!("#[cfg(test)]\nmod tests {{ {long} }}"), &[]);
}

#[test]
fn a_file_that_does_not_parse_is_found() {
    assert_eq!(findings("src/plan/mod.rs", "fn f( {").len(), 1);
}

#[test]
fn dependencies_have_reasons_and_doors() {
    let manifest = "[package]\nname = \"x\"\n[dependencies]\n\
        csv = \"1\"  # quoting\nclap = \"4\"\nleft-pad = \"1\"  # spaces\n\
        [dev-dependencies]\ninsta = \"1\"  # snapshots\nsyn = { version = \"2\" }\n\
        [dependencies.tokio]\nversion = \"1\"\n[lints.rust]\nmissing_docs = \"warn\"\n";
    let found: Vec<String> = manifest::check(manifest).iter().map(ToString::to_string).collect();
    assert_eq!(
        found,
        [
            "Cargo.toml:5: `clap` has no `# reason` on its line. Argue for it.",
            "Cargo.toml:6: `left-pad` has no door. Say in tests/layers/table.rs who may name it.",
            "Cargo.toml:9: `syn` has no `# reason` on its line. Argue for it.",
            "Cargo.toml:10: `tokio` has no `# reason` on its line. Argue for it.",
        ]
    );
    let names: Vec<&str> = manifest::dependencies(manifest).iter().map(|d| d.name).collect();
    assert_eq!(names, ["csv", "clap", "left-pad", "insta", "syn", "tokio"]);
}
