//! A fault of a text file, as plain data: whoever shows it decides how it looks.

use std::ops::Range;

/// Whether a fault makes its file unusable.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Severity {
    /// The file means nothing until this is put right.
    Error,
    /// The file is used as it is, but perhaps not as its author meant it.
    Warning,
}

/// A place in the text, with a few words to stand beside it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Mark {
    /// Bytes of the text, from the first to one beyond the last.
    pub span: Range<usize>,
    /// What is said of them.
    pub label: String,
}

/// One fault of a text file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Diagnostic {
    /// Error or warning.
    pub severity: Severity,
    /// What is wrong, as a sentence without its full stop.
    pub message: String,
    /// The bytes of the text that are to blame.
    pub span: Range<usize>,
    /// A few words to stand under the blamed bytes.
    pub label: Option<String>,
    /// Another place that makes this one wrong: the first of two.
    pub also: Option<Mark>,
    /// How to put it right.
    pub help: Option<String>,
}

impl Diagnostic {
    /// An error at a place.
    pub fn error(span: Range<usize>, message: impl Into<String>) -> Self {
        Self {
            severity: Severity::Error,
            message: message.into(),
            span,
            label: None,
            also: None,
            help: None,
        }
    }

    /// A warning at a place.
    pub fn warning(span: Range<usize>, message: impl Into<String>) -> Self {
        Self { severity: Severity::Warning, ..Self::error(span, message) }
    }

    /// The same, with a few words under the blamed bytes.
    #[must_use]
    pub fn label(mut self, label: impl Into<String>) -> Self {
        self.label = Some(label.into());
        self
    }

    /// The same, with a second place that belongs to it.
    #[must_use]
    pub fn also(mut self, span: Range<usize>, label: impl Into<String>) -> Self {
        self.also = Some(Mark { span, label: label.into() });
        self
    }

    /// The same, with the remedy.
    #[must_use]
    pub fn help(mut self, help: impl Into<String>) -> Self {
        self.help = Some(help.into());
        self
    }

    /// Whether the file can't be used.
    pub fn is_error(&self) -> bool {
        self.severity == Severity::Error
    }
}
