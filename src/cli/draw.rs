//! Draws the faults of a text file under their source lines, as compilers do.
//!
//! Takes plain data and gives back text, with colours only where a terminal reads it. Tested by
//! the fixtures in tests/diagnostics.

use std::io::{self, IsTerminal};

use annotate_snippets::renderer::DecorStyle;
use annotate_snippets::{AnnotationKind, Group, Level, Renderer, Snippet};

use crate::document::{Diagnostic, Severity};

/// Where the text will be shown: what decides on colours.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stream {
    /// Standard error, coloured where it is a terminal and nobody objects.
    Error,
    /// A file or a test: never coloured.
    Plain,
}

/// The faults of a file, one under the other, each with its place and the line that is to blame.
pub fn faults(path: &str, text: &str, faults: &[Diagnostic], stream: Stream) -> String {
    let renderer = match stream {
        Stream::Error if coloured() => Renderer::styled(),
        Stream::Error | Stream::Plain => Renderer::plain(),
    };
    let renderer = renderer.decor_style(DecorStyle::Ascii);
    let drawn: Vec<_> =
        faults.iter().map(|fault| renderer.render(&[group(path, text, fault)])).collect();
    drawn.join("\n\n")
}

fn group<'a>(path: &'a str, text: &'a str, fault: &'a Diagnostic) -> Group<'a> {
    let level = match fault.severity {
        Severity::Error => Level::ERROR,
        Severity::Warning => Level::WARNING,
    };
    let blamed = AnnotationKind::Primary.span(fault.span.clone()).label(fault.label.as_deref());
    let mut snippet = Snippet::source(text).path(path).annotation(blamed);
    if let Some(mark) = &fault.also {
        let context = AnnotationKind::Context.span(mark.span.clone());
        snippet = snippet.annotation(context.label(mark.label.as_str()));
    }
    let group = level.primary_title(fault.message.as_str()).element(snippet);
    match &fault.help {
        Some(help) => group.element(Level::HELP.message(help.as_str())),
        None => group,
    }
}

/// Whether standard error is a terminal that shows colours and whose owner wants them.
fn coloured() -> bool {
    let set = |name: &str| std::env::var_os(name).is_some_and(|value| !value.is_empty());
    let dumb = std::env::var_os("TERM").is_some_and(|term| term == "dumb");
    io::stderr().is_terminal() && !set("NO_COLOR") && !dumb
}
