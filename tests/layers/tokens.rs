//! Paths in what `syn` does not parse: the insides of macros and attributes.
//!
//! Finds `a::b::c` and `a::{b, c}` wherever they stand. It never follows a macro: what one
//! expands to is seen where it is defined.

use proc_macro2::{Delimiter, TokenStream, TokenTree};

/// A path as it is written.
#[derive(Debug, Clone)]
pub(crate) struct Written {
    pub(crate) line: usize,
    /// Its names; the last is `*` for a glob.
    pub(crate) names: Vec<String>,
    /// Whether it starts with `::`, and so with a crate.
    pub(crate) rooted: bool,
}

/// Every path of two names or more.
pub(crate) fn paths(tokens: TokenStream) -> Vec<Written> {
    let mut found = Vec::new();
    scan(tokens, &[], &mut found);
    found.retain(|path| path.names.len() > 1);
    found
}

/// The lines on which `word` stands, as a word of its own and not in text.
pub(crate) fn lines_with(tokens: TokenStream, word: &str) -> Vec<usize> {
    let lines = |tree: TokenTree| match tree {
        TokenTree::Ident(ident) if ident == word => vec![ident.span().start().line],
        TokenTree::Group(group) => lines_with(group.stream(), word),
        TokenTree::Ident(_) | TokenTree::Punct(_) | TokenTree::Literal(_) => Vec::new(),
    };
    tokens.into_iter().flat_map(lines).collect()
}

fn scan(tokens: TokenStream, prefix: &[String], found: &mut Vec<Written>) {
    let trees: Vec<TokenTree> = tokens.into_iter().collect();
    let mut at = 0;
    while at < trees.len() {
        match &trees[at] {
            TokenTree::Group(group) => scan(group.stream(), &[], found),
            TokenTree::Ident(_) => at = path(&trees, at, prefix, found),
            TokenTree::Punct(_) | TokenTree::Literal(_) => {}
        }
        at += 1;
    }
}

/// Takes the path that starts at `start`, and returns where it ends.
fn path(trees: &[TokenTree], start: usize, prefix: &[String], found: &mut Vec<Written>) -> usize {
    let line = trees[start].span().start().line;
    let rooted = prefix.is_empty() && start > 1 && colons(trees, start - 2);
    let mut names = prefix.to_vec();
    names.push(trees[start].to_string());
    let mut at = start;
    while colons(trees, at + 1) {
        match trees.get(at + 3) {
            Some(TokenTree::Ident(ident)) => names.push(ident.to_string()),
            Some(TokenTree::Punct(punct)) if punct.as_char() == '*' => names.push("*".to_owned()),
            Some(TokenTree::Group(group)) if group.delimiter() == Delimiter::Brace => {
                scan(group.stream(), &names, found);
                return at + 3;
            }
            _ => break,
        }
        at += 3;
    }
    found.push(Written { line, names, rooted });
    at
}

fn colons(trees: &[TokenTree], at: usize) -> bool {
    let colon = |tree: Option<&TokenTree>| matches!(tree, Some(TokenTree::Punct(punct)) if punct.as_char() == ':');
    colon(trees.get(at)) && colon(trees.get(at + 1))
}
