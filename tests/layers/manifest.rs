//! Dependencies: each has its reason on its line, and a door.
//!
//! Read line by line, as a comment is what it is about: a TOML parser would drop it.

use crate::rules::Finding;
use crate::table;

/// A dependency as a line of Cargo.toml has it.
#[derive(Debug)]
pub(crate) struct Dependency<'a> {
    line: usize,
    pub(crate) name: &'a str,
    reason: Option<&'a str>,
    ships: bool,
}

/// Every dependency of a manifest, of whatever kind.
pub(crate) fn dependencies(manifest: &str) -> Vec<Dependency<'_>> {
    let mut section = "";
    let mut found = Vec::new();
    for (line, text) in (1..).zip(manifest.lines()) {
        let reason = text.rsplit_once("# ").map(|(_, reason)| reason.trim());
        if let Some(header) = text.strip_prefix('[') {
            section = header.split(']').next().unwrap_or_default();
            // `[dependencies.name]` is a dependency by itself.
            if let Some((kind, name)) = section.rsplit_once("dependencies.") {
                found.push(Dependency { line, name, reason, ships: kind.is_empty() });
            }
        } else if section.ends_with("dependencies")
            && text.starts_with(|first: char| first.is_alphanumeric())
            && let Some((name, _)) = text.split_once(['=', '.'])
        {
            let ships = !section.starts_with("dev-");
            found.push(Dependency { line, name: name.trim(), reason, ships });
        }
    }
    found
}

/// The dependencies without a reason or a door.
pub(crate) fn check(manifest: &str) -> Vec<Finding> {
    let finding = |line, what, rule| Finding { file: "Cargo.toml".to_owned(), line, what, rule };
    let judge = |dependency: Dependency<'_>| {
        let Dependency { line, name, reason, ships } = dependency;
        let bare = reason.is_none_or(str::is_empty).then(|| {
            finding(line, format!("`{name}` has no `# reason` on its line"), "Argue for it.")
        });
        let homeless = (ships && table::door(&name.replace('-', "_")).is_none()).then(|| {
            let rule = "Say in tests/layers/table.rs who may name it.";
            finding(line, format!("`{name}` has no door"), rule)
        });
        [bare, homeless]
    };
    dependencies(manifest).into_iter().flat_map(judge).flatten().collect()
}
