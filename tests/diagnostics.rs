//! Every fault of a pattern file, as it is shown. Each `NAME.toml` of tests/diagnostics has a
//! `NAME.txt` beside it with the text that a person reads; `UPDATE_DIAGNOSTICS=1 cargo test --test
//! diagnostics` writes them anew.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

use std::fs;
use std::path::{Path, PathBuf};

use fathom::cli::draw::{self, Stream};
use fathom::pattern::parse;

const FOLDER: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/diagnostics");

/// What `fathom patterns check` says of a file, less its path.
fn checked(path: &Path) -> String {
    let text = fs::read_to_string(path).unwrap();
    let text = text.strip_prefix('\u{feff}').unwrap_or(&text);
    let (pattern, faults) = parse("test", text);
    let drawn = draw::faults("test.toml", text, &faults, Stream::Plain);
    let end = match pattern {
        Some(pattern) => format!("valid, fingerprint {}", pattern.fingerprint()),
        None => format!("invalid, {} faults", faults.len()),
    };
    if drawn.is_empty() { format!("{end}\n") } else { format!("{drawn}\n\n{end}\n") }
}

fn fixtures() -> Vec<PathBuf> {
    let files = fs::read_dir(FOLDER).unwrap().map(|file| file.unwrap().path());
    let mut paths: Vec<_> = files.filter(|path| path.extension().unwrap() == "toml").collect();
    paths.sort();
    paths
}

#[test]
fn every_fault_is_shown_as_expected() {
    let fixtures = fixtures();
    assert!(fixtures.len() >= 25);
    let update = std::env::var_os("UPDATE_DIAGNOSTICS").is_some();
    let mut wrong = Vec::new();
    for path in fixtures {
        let shown = checked(&path);
        let expected = path.with_extension("txt");
        if update {
            fs::write(&expected, &shown).unwrap();
        } else if fs::read_to_string(&expected).ok().as_deref() != Some(shown.as_str()) {
            wrong.push(format!("{}:\n{shown}", path.display()));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// What is said must not turn on a byte order mark or on how lines end.
#[test]
fn line_ends_do_not_change_what_is_said() {
    for path in fixtures() {
        let text = fs::read_to_string(&path).unwrap();
        let said = |text: &str| {
            let faults = parse("test", text).1;
            faults.into_iter().map(|fault| (fault.message, fault.help)).collect::<Vec<_>>()
        };
        let plain = text.replace("\r\n", "\n");
        let plain = plain.trim_start_matches('\u{feff}');
        let dos = format!("\u{feff}{}", plain.replace('\n', "\r\n"));
        assert_eq!(said(plain), said(&dos), "{}", path.display());
    }
}
