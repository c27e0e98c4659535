//! What a source refers to: every path in it, resolved to a module of this crate or to a crate.
//!
//! Sees grouped imports, re-exports, `self::` and `super::`, paths in types, expressions,
//! patterns, attributes and macros. It judges nothing: that is for the rules.

use std::collections::BTreeSet;

use syn::spanned::Spanned;
use syn::visit::{self, Visit};
use syn::{Attribute, Item, UseTree};

use crate::tokens::{self, Written};

/// Where a path leads.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Target {
    /// Below the root of this crate.
    Own(Vec<String>),
    /// Into the crate of this name.
    Foreign(String),
}

/// A path that was found.
#[derive(Debug, Clone)]
pub(crate) struct Reference {
    pub(crate) line: usize,
    /// As it is written, a group's members one by one.
    pub(crate) text: String,
    pub(crate) target: Option<Target>,
    /// Whether it is seen by tests only.
    pub(crate) testing: bool,
}

/// Every path of `file`, which is the module `module`; `root` is what the crate is called there.
pub(crate) fn references(file: &syn::File, module: &[String], root: &str) -> Vec<Reference> {
    let testing = module.iter().any(|name| name == "tests");
    let mut reader = Reader {
        root: root.to_owned(),
        module: module.to_vec(),
        names: vec![names_bound(&file.items)],
        testing: u32::from(testing),
        found: Vec::new(),
    };
    reader.visit_file(file);
    reader.found
}

struct Reader {
    root: String,
    module: Vec<String>,
    /// For each module on the way here, the names that it binds to something of this crate.
    names: Vec<BTreeSet<String>>,
    testing: u32,
    found: Vec<Reference>,
}

impl Reader {
    fn add(&mut self, written: &Written) {
        let target = self.resolve(written);
        let text = written.names.join("::");
        let testing = self.testing > 0;
        self.found.push(Reference { line: written.line, text, target, testing });
    }

    fn resolve(&self, written: &Written) -> Option<Target> {
        let first = written.names.first()?;
        if written.rooted {
            return Some(Target::Foreign(first.clone()));
        }
        let mut place = match first.as_str() {
            "crate" => Vec::new(),
            name if name == self.root => Vec::new(),
            "self" | "super" => self.module.clone(),
            name if self.names.last().is_some_and(|bound| bound.contains(name)) => return None,
            name => return Some(Target::Foreign(name.to_owned())),
        };
        if first == "super" {
            place.pop();
        }
        for name in &written.names[1..] {
            match name.as_str() {
                "super" => _ = place.pop(),
                "self" => {}
                name => place.push(name.to_owned()),
            }
        }
        Some(Target::Own(place))
    }

    /// Walks on with `testing` raised where `attributes` say that only tests see what follows.
    fn within(&mut self, attributes: &[Attribute], walk: impl FnOnce(&mut Self)) {
        let only_tests = u32::from(attributes.iter().any(is_test));
        self.testing += only_tests;
        walk(self);
        self.testing -= only_tests;
    }
}

impl<'ast> Visit<'ast> for Reader {
    fn visit_item(&mut self, item: &'ast Item) {
        self.within(attributes(item), |reader| visit::visit_item(reader, item));
    }

    fn visit_item_mod(&mut self, module: &'ast syn::ItemMod) {
        let inside = module.content.as_ref().map(|(_, items)| names_bound(items));
        self.module.push(module.ident.to_string());
        self.names.push(inside.unwrap_or_default());
        visit::visit_item_mod(self, module);
        self.names.pop();
        self.module.pop();
    }

    fn visit_item_use(&mut self, import: &'ast syn::ItemUse) {
        let rooted = import.leading_colon.is_some();
        for (written, _) in flatten(&import.tree, &[], rooted) {
            self.add(&written);
        }
    }

    fn visit_item_extern_crate(&mut self, item: &'ast syn::ItemExternCrate) {
        let line = item.ident.span().start().line;
        self.add(&Written { line, names: vec![item.ident.to_string()], rooted: true });
    }

    fn visit_path(&mut self, path: &'ast syn::Path) {
        if path.segments.len() > 1 {
            let names = path.segments.iter().map(|segment| segment.ident.to_string()).collect();
            let line = path.span().start().line;
            self.add(&Written { line, names, rooted: path.leading_colon.is_some() });
        }
        visit::visit_path(self, path);
    }

    fn visit_macro(&mut self, call: &'ast syn::Macro) {
        for written in tokens::paths(call.tokens.clone()) {
            self.add(&written);
        }
        visit::visit_macro(self, call);
    }

    fn visit_meta_list(&mut self, list: &'ast syn::MetaList) {
        for written in tokens::paths(list.tokens.clone()) {
            self.add(&written);
        }
        visit::visit_meta_list(self, list);
    }

    /// `pub(in path)` lends out, it does not reach.
    fn visit_visibility(&mut self, _: &'ast syn::Visibility) {}
}

/// The paths of an import, each with the name that it binds.
fn flatten(tree: &UseTree, prefix: &[String], rooted: bool) -> Vec<(Written, String)> {
    let line = tree.span().start().line;
    let with = |name: String| [prefix, &[name]].concat();
    let one = |names: Vec<String>, bound: String| vec![(Written { line, names, rooted }, bound)];
    match tree {
        UseTree::Path(path) => flatten(&path.tree, &with(path.ident.to_string()), rooted),
        UseTree::Name(name) if name.ident == "self" => {
            one(prefix.to_vec(), prefix.last().cloned().unwrap_or_default())
        }
        UseTree::Name(name) => one(with(name.ident.to_string()), name.ident.to_string()),
        UseTree::Rename(rename) => one(with(rename.ident.to_string()), rename.rename.to_string()),
        UseTree::Glob(_) => one(with("*".to_owned()), String::new()),
        UseTree::Group(group) => {
            group.items.iter().flat_map(|tree| flatten(tree, prefix, rooted)).collect()
        }
    }
}

/// The names that `items` bind to something of this crate: their modules, and what they import
/// from it. Such a name hides a crate of the same name.
fn names_bound(items: &[Item]) -> BTreeSet<String> {
    struct Bound(BTreeSet<String>);
    impl<'ast> Visit<'ast> for Bound {
        fn visit_item_mod(&mut self, module: &'ast syn::ItemMod) {
            self.0.insert(module.ident.to_string());
        }
        fn visit_item_use(&mut self, import: &'ast syn::ItemUse) {
            let own = |(written, name): (Written, String)| {
                let first = written.names.first()?.clone();
                ["crate", "self", "super"].contains(&first.as_str()).then_some(name)
            };
            self.0.extend(flatten(&import.tree, &[], false).into_iter().filter_map(own));
        }
    }
    let mut bound = Bound(BTreeSet::new());
    for item in items {
        bound.visit_item(item);
    }
    bound.0
}

/// `#[test]`, or `#[cfg(test)]` in any combination.
fn is_test(attribute: &Attribute) -> bool {
    let cfg_test = || match &attribute.meta {
        syn::Meta::List(list) => !tokens::lines_with(list.tokens.clone(), "test").is_empty(),
        syn::Meta::Path(_) | syn::Meta::NameValue(_) => false,
    };
    attribute.path().is_ident("test") || (attribute.path().is_ident("cfg") && cfg_test())
}

fn attributes(item: &Item) -> &[Attribute] {
    match item {
        Item::Const(item) => &item.attrs,
        Item::Enum(item) => &item.attrs,
        Item::ExternCrate(item) => &item.attrs,
        Item::ForeignMod(item) => &item.attrs,
        Item::Fn(item) => &item.attrs,
        Item::Impl(item) => &item.attrs,
        Item::Macro(item) => &item.attrs,
        Item::Mod(item) => &item.attrs,
        Item::Static(item) => &item.attrs,
        Item::Struct(item) => &item.attrs,
        Item::Trait(item) => &item.attrs,
        Item::TraitAlias(item) => &item.attrs,
        Item::Type(item) => &item.attrs,
        Item::Union(item) => &item.attrs,
        Item::Use(item) => &item.attrs,
        Item::Verbatim(_) | _ => &[],
    }
}
