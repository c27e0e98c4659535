//! From what a person typed for a pattern to a [`Pattern`]: a name, or a file of their own.
//!
//! The shell's side of [`crate::pattern`]: it reads files and shows faults, and leaves all
//! judgement of a text to the layers below. Tested by the tables at its foot and by the command
//! lines in tests/cli.

use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

use thiserror::Error;

use super::draw;
use super::screen::{self, Failure};
use crate::document::Diagnostic;
use crate::pattern::{self, Pattern, Unknown};
use crate::plan::{self, file::PlanFile};
use crate::unit::Bytes;

/// The largest pattern file: a hundred lines of access fit a hundred times.
const LARGEST: u64 = 1 << 20;

/// The pattern that an argument of the command line means: a file if it has a `/` or an
/// extension, else a name of the catalog. Faults of a file are drawn on standard error.
///
/// # Errors
/// A [`Failure`] of input where there is no such pattern or its file can't be used.
pub(super) fn load_pattern(argument: &str) -> Result<Pattern, Failure> {
    let source = read_source(argument)?;
    source.read_pattern()
}

/// The text of a pattern file, and what it is called.
#[derive(Debug)]
pub(super) struct Source {
    /// What selects the pattern.
    pub(super) name: String,
    /// What its faults are shown under.
    pub(super) path: String,
    /// What it says.
    pub(super) text: String,
}

impl Source {
    /// The pattern. What there is to say about the file is drawn on standard error.
    pub(super) fn read_pattern(&self) -> Result<Pattern, Failure> {
        let (pattern, faults) = pattern::parse(&self.name, &self.text);
        if !faults.is_empty() {
            screen::note(&draw::faults(&self.path, &self.text, &faults, draw::Stream::Error));
            screen::note("");
        }
        pattern.ok_or_else(|| Failure::input(invalid(&self.path, &faults)))
    }
}

/// The text that an argument means, shipped or read from a file.
pub(super) fn read_source(argument: &str) -> Result<Source, Failure> {
    if is_file(argument) {
        return read_file(argument);
    }
    match pattern::find(argument) {
        Ok(shipped) => Ok(Source {
            name: shipped.name.to_owned(),
            path: format!("{} (shipped)", shipped.name),
            text: shipped.text.to_owned(),
        }),
        Err(unknown) => Err(Failure::input(miss(&unknown))),
    }
}

/// Reads a pattern file; its pattern has the name of the file without its extension.
pub(super) fn read_file(path: &str) -> Result<Source, Failure> {
    let text = read_text(path).map_err(|error| Failure::input(format!("{path}: {error}")))?;
    let stem = Path::new(path).file_stem().unwrap_or_default();
    Ok(Source { name: stem.to_string_lossy().into_owned(), path: path.to_owned(), text })
}

/// The plan in a file. What there is to say about the file is drawn on standard error.
///
/// # Errors
/// A [`Failure`] of input where it can't be read or used.
pub(super) fn read_plan(path: &Path) -> Result<PlanFile, Failure> {
    let path = path.to_string_lossy();
    let text = read_text(&path).map_err(|error| Failure::input(format!("{path}: {error}")))?;
    let (plan, faults) = plan::file::parse(&text);
    if !faults.is_empty() {
        screen::note(&draw::faults(&path, &text, &faults, draw::Stream::Error));
        screen::note("");
    }
    plan.ok_or_else(|| Failure::input(invalid(&path, &faults)))
}

/// How many faults of each kind a file has, as the last word on it.
fn invalid(path: &str, faults: &[Diagnostic]) -> String {
    let errors = faults.iter().filter(|fault| fault.is_error()).count();
    match errors {
        1 => format!("{path} is not a valid pattern: 1 fault"),
        _ => format!("{path} is not a valid pattern: {errors} faults"),
    }
}

pub(super) fn is_file(argument: &str) -> bool {
    argument.contains('/') || Path::new(argument).extension().is_some()
}

fn miss(unknown: &Unknown) -> String {
    let name = &unknown.name;
    if Path::new(name).exists() {
        return format!("{unknown}; for the file of that name in this folder, write ./{name}");
    }
    let list = "`fathom patterns` lists them";
    match unknown.nearest {
        Some(nearest) => format!("{unknown}; did you mean `{nearest}`? ({list})"),
        None => format!("{unknown}: {list}; a file of your own needs its path or extension"),
    }
}

/// Why a pattern file can't be read.
#[derive(Debug, Error)]
enum TextError {
    #[error("there is no such file")]
    Missing,
    #[error("this is a folder, not a pattern file")]
    Folder,
    #[error("no permission to read this file")]
    Forbidden,
    #[error("can't be read: {0}")]
    Unreadable(io::Error),
    #[error("this is larger than any pattern file may be ({})", Bytes(LARGEST))]
    TooLarge,
    #[error("this is not text: byte {offset} (0x{byte:02x}) is not UTF-8")]
    NotText { offset: usize, byte: u8 },
}

impl From<io::Error> for TextError {
    fn from(error: io::Error) -> Self {
        #[expect(clippy::wildcard_enum_match_arm, reason = "a foreign enum that grows")]
        match error.kind() {
            io::ErrorKind::NotFound | io::ErrorKind::NotADirectory => Self::Missing,
            io::ErrorKind::IsADirectory => Self::Folder,
            io::ErrorKind::PermissionDenied => Self::Forbidden,
            _ => Self::Unreadable(error),
        }
    }
}

/// The text without its byte order mark: spans and columns count from what is seen.
fn read_text(path: &str) -> Result<String, TextError> {
    let file = File::open(path)?;
    if file.metadata()?.is_dir() {
        return Err(TextError::Folder);
    }
    let mut bytes = Vec::new();
    // The limit holds for a pipe or a device, too, whose length nobody knows.
    file.take(LARGEST + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > LARGEST {
        return Err(TextError::TooLarge);
    }
    let text = String::from_utf8(bytes).map_err(|error| {
        let offset = error.utf8_error().valid_up_to();
        TextError::NotText { offset, byte: error.as_bytes()[offset] }
    })?;
    Ok(match text.strip_prefix('\u{feff}') {
        Some(rest) => rest.to_owned(),
        None => text,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn said(bytes: &[u8]) -> String {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("odd.toml");
        std::fs::write(&path, bytes).unwrap();
        match read_text(path.to_str().unwrap()) {
            Ok(text) => text,
            Err(error) => error.to_string(),
        }
    }

    #[test]
    fn odd_files_are_refused_in_a_sentence() {
        assert_eq!(said(b"\xef\xbb\xbftitle\r\n"), "title\r\n");
        assert_eq!(said(b"title = \"\xff\""), "this is not text: byte 9 (0xff) is not UTF-8");
        assert_eq!(said(b"\xff\xfet\0"), "this is not text: byte 0 (0xff) is not UTF-8");
        assert!(said(&vec![b' '; 20 << 20]).contains("larger than"));
        assert_eq!(read_text("/").unwrap_err().to_string(), "this is a folder, not a pattern file");
        let missing = read_text("./none.toml").unwrap_err();
        assert_eq!(missing.to_string(), "there is no such file");
    }

    #[test]
    fn a_slash_or_an_extension_makes_a_file() {
        for (argument, file) in
            [("file-server", false), ("./mine", true), ("mine.toml", true), ("a/b", true)]
        {
            assert_eq!(is_file(argument), file, "{argument}");
        }
    }

    #[test]
    fn a_miss_names_the_nearest() {
        let said = |argument: &str| format!("{:?}", load_pattern(argument).unwrap_err());
        assert!(said("fileserver").contains("did you mean `file-server`?"));
        assert!(said("quake").contains("`fathom patterns` lists them"));
        assert_eq!(load_pattern("database").unwrap().title, "Database");
    }
}
