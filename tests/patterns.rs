//! Laws of pattern files, the shipped patterns, the reference that explains them, and the commands
//! that show them.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

use std::collections::BTreeSet;
use std::path::Path;
use std::process::Command;
use std::time::Duration;

use fathom::cli::draw::{self, Stream};
use fathom::document::Diagnostic;
use fathom::pattern::{
    self, Access, Align, Axes, Data, Directions, Line, MAX_BURST, MAX_DELAY, Pattern, Scheme,
    catalog, find, parse,
};
use fathom::unit::{Op, Percent, QueueDepth, TransferSize};
use proptest::prelude::*;

const ROOT: &str = env!("CARGO_MANIFEST_DIR");

/// A change here cuts old records off from new ones: see docs/pattern-format.md.
#[test]
fn fingerprints_of_shipped_patterns_never_change() {
    let golden = std::fs::read_to_string(Path::new(ROOT).join("tests/fingerprints.txt")).unwrap();
    let golden: BTreeSet<_> = golden.lines().map(str::to_owned).collect();
    let now: BTreeSet<_> = catalog()
        .iter()
        .map(|shipped| format!("{} {}", shipped.pattern().fingerprint(), shipped.name))
        .collect();
    assert_eq!(golden, now);
}

#[test]
fn every_key_is_explained_and_no_other() {
    let reference =
        std::fs::read_to_string(Path::new(ROOT).join("docs/pattern-format.md")).unwrap();
    let explained: BTreeSet<_> = reference
        .lines()
        .filter_map(|row| row.strip_prefix("| `")?.split_once("` |"))
        .map(|(key, _)| key.to_owned())
        .collect();
    assert_eq!(explained, pattern::known_keys().into_iter().collect());
}

/// The reference shows real output, and its example files are files.
#[test]
fn the_reference_shows_what_is_really_said() {
    let reference =
        std::fs::read_to_string(Path::new(ROOT).join("docs/pattern-format.md")).unwrap();
    for fixture in ["documented.toml", "documented.txt", "mix-of-all.toml"] {
        let text = std::fs::read_to_string(Path::new(ROOT).join("tests/diagnostics").join(fixture));
        let text = text.unwrap();
        let shown = text.rsplit_once("\n\ninvalid").map_or(text.as_str(), |(drawn, _)| drawn);
        assert!(reference.contains(shown.trim_end()), "{fixture}");
    }
    for name in ["file-server", "database-mix"] {
        let canonical = find(name).unwrap().pattern().canonical();
        assert!(reference.contains(&canonical), "{name}");
    }
}

fn percent() -> impl Strategy<Value = Percent> {
    (0_u16..=10_000).prop_map(|hundredths| Percent::from_hundredths(hundredths).unwrap())
}

fn size() -> impl Strategy<Value = TransferSize> {
    let sectors = prop_oneof![1_u64..=2048, (0_u32..18).prop_map(|power| 1 << power)];
    sectors.prop_map(|sectors| TransferSize::try_from(sectors * 512).unwrap())
}

fn align() -> impl Strategy<Value = Align> {
    prop_oneof![Just(Align::Natural), Just(Align::Sector), size().prop_map(Align::Bytes)]
}

fn depth() -> impl Strategy<Value = QueueDepth> {
    (1..=u64::from(QueueDepth::MAX)).prop_map(|depth| depth.try_into().unwrap())
}

fn line() -> impl Strategy<Value = Line> {
    let most = u64::try_from(MAX_DELAY.as_nanos()).unwrap();
    let delay = prop_oneof![Just(0), (0..=3_600_000_u64).prop_map(|ms| ms * 1_000_000), 0..=most];
    let burst = prop_oneof![Just(1), 1..=MAX_BURST];
    (size(), percent(), percent(), align(), burst, delay).prop_map(
        |(size, read, random, align, burst, delay)| {
            let delay = Duration::from_nanos(delay);
            Line { size, share: Percent::ZERO, read, random, align, burst, delay }
        },
    )
}

/// Lines whose shares are the gaps between distinct cuts of 0 to 100 %.
fn lines() -> impl Strategy<Value = Vec<Line>> {
    let cuts = proptest::collection::btree_set(1_u16..10_000, 0..10);
    let lines = proptest::collection::vec(line(), 10);
    (cuts, lines).prop_map(|(cuts, mut lines)| {
        let ends: Vec<u16> = cuts.into_iter().chain([10_000]).collect();
        lines.truncate(ends.len());
        let ends = &ends[ends.len() - lines.len()..];
        let mut start = 0;
        for (line, end) in lines.iter_mut().zip(ends) {
            line.share = Percent::from_hundredths(end - start).unwrap();
            start = *end;
        }
        lines
    })
}

fn rating() -> impl Strategy<Value = Option<Scheme>> {
    let presets = pattern::presets().iter().map(|preset| Scheme::Preset(preset.id.to_owned()));
    let weight = (1_u32..=1_000_000).prop_map(|weight| f64::from(weight) / 7.0);
    prop_oneof![
        Just(None),
        Just(Some(Scheme::Mean)),
        (0_u32..=10).prop_map(|power| {
            Some(Scheme::InverseDepth { up_to: (1_u64 << power).try_into().unwrap() })
        }),
        proptest::collection::btree_map(depth(), weight, 1..6)
            .prop_map(|weights| Some(Scheme::Weights(weights))),
        proptest::sample::select(presets.collect::<Vec<_>>()).prop_map(Some),
    ]
}

fn data() -> impl Strategy<Value = Data> {
    prop_oneof![Just(Data::Random), Just(Data::Zeros), percent().prop_map(Data::Compressible)]
}

fn text() -> impl Strategy<Value = Option<String>> {
    proptest::option::of("(\\PC|[\\n\\t\"\\\\]){0,30}")
}

/// Axes, and depths of them that are shown.
fn axes() -> impl Strategy<Value = (Axes, Vec<QueueDepth>)> {
    let depths = proptest::collection::btree_set(depth(), 1..12);
    let of = proptest::sample::select(Op::BOTH.to_vec());
    let percents = proptest::collection::btree_set(percent(), 1..6);
    let directions = (of, percents)
        .prop_map(|(of, percents)| Directions { of, percents: percents.into_iter().collect() });
    let sizes = proptest::collection::btree_set(size(), 0..4);
    (depths, proptest::option::of(directions), sizes, 0_usize..12).prop_map(
        |(depths, directions, sizes, shown)| {
            let queue_depths: Vec<QueueDepth> = depths.into_iter().rev().collect();
            let shown = queue_depths.iter().take(shown).copied().collect();
            let transfer_sizes = sizes.into_iter().rev().collect();
            (Axes { queue_depths, directions, transfer_sizes }, shown)
        },
    )
}

fn any_pattern() -> impl Strategy<Value = Pattern> {
    ("[a-zA-Z\"]\\PC{0,20}", text(), text(), lines(), data(), axes(), rating()).prop_map(
        |(title, about, source, lines, data, (mut axes, shown_depths), rating)| {
            if lines.len() > 1 {
                axes.transfer_sizes.clear();
            }
            // What is swept stands at its first setting.
            let access = Access { lines, data }.at(axes.settings()[0]);
            let name = "any".to_owned();
            Pattern { name, title, about, source, access, axes, shown_depths, rating }
        },
    )
}

proptest! {
    #[test]
    fn a_pattern_survives_being_written_and_read(pattern in any_pattern()) {
        let text = pattern::write(&pattern);
        let (again, faults) = parse("any", &text);
        prop_assert!(faults.iter().all(|fault| !fault.is_error()), "{text}\n{faults:?}");
        prop_assert_eq!(again, Some(pattern));
    }

    /// Neither the order of the lines nor the split of one into two changes what is asked.
    #[test]
    fn like_loads_have_like_fingerprints(pattern in any_pattern()) {
        let mut other = pattern.clone();
        let lines = &mut other.access.lines;
        lines.reverse();
        let split = lines[0].share.hundredths() / 2;
        if split > 0 {
            let rest = lines[0].share.hundredths() - split;
            let half = Line { share: Percent::from_hundredths(split).unwrap(), ..lines[0].clone() };
            lines[0].share = Percent::from_hundredths(rest).unwrap();
            lines.push(half);
        }
        prop_assert_eq!(other.fingerprint(), pattern.fingerprint());
        let fractions: f64 = other.access.request_fractions().iter().sum();
        prop_assert!((fractions - 1.0).abs() < 1e-9);
    }

    /// Whatever a file holds, it is read or refused, and its faults can be drawn.
    #[test]
    fn no_text_upsets_the_reader(
        shipped in 0..catalog().len(),
        cut in any::<proptest::sample::Index>(),
        length in 0_usize..20,
        put in "(\\PC|[\\x00-\\x1f\"{}\\[\\]=,\u{feff}]){0,12}",
    ) {
        let chars: Vec<char> = catalog()[shipped].text.chars().collect();
        let at = cut.index(chars.len());
        let end = (at + length).min(chars.len());
        let text: String =
            chars[..at].iter().copied().chain(put.chars()).chain(chars[end..].iter().copied()).collect();
        let (pattern, faults) = parse("any", &text);
        prop_assert!(pattern.is_some() || faults.iter().any(Diagnostic::is_error));
        let drawn = draw::faults("any.toml", &text, &faults, Stream::Plain);
        prop_assert_eq!(drawn.is_empty(), faults.is_empty());
    }
}

/// Exit code, standard output, standard error.
fn fathom(arguments: &[&str]) -> (i32, String, String) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_fathom"));
    let output = command.arg("patterns").args(arguments).current_dir(ROOT).output().unwrap();
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    (output.status.code().unwrap(), text(output.stdout), text(output.stderr))
}

#[test]
fn the_commands_show_patterns() {
    let (code, listed, _) = fathom(&[]);
    assert_eq!((code, fathom(&["list"]).1), (0, listed.clone()));
    assert_eq!(listed.lines().count(), catalog().len() + 1);
    let (code, shown, _) = fathom(&["show", "workstation"]);
    assert!(code == 0 && shown.contains("Σ T(q)/q, q = 1, 2, 4 … 32"), "{shown}");
    let (code, text, _) = fathom(&["show", "workstation", "--toml"]);
    assert_eq!((code, text.as_str()), (0, find("workstation").unwrap().text));
    let (_, from_file, _) = fathom(&["show", "patterns/workstation.toml"]);
    assert_eq!(from_file, shown);
}

#[test]
fn check_speaks_of_every_file() {
    let (code, valid, _) = fathom(&["check", "patterns/dss.toml", "patterns/database.toml"]);
    assert_eq!(code, 0);
    assert_eq!(
        valid,
        "patterns/dss.toml: valid, fingerprint 70d43ca5c5e1d43a\n\
         patterns/database.toml: valid, fingerprint 72477d0f36100d47\n"
    );
    let files = ["tests/diagnostics/sum-95.toml", "none.toml", "/", "patterns/dss.toml"];
    let (code, valid, faults) = fathom(&[&["check"], &files[..]].concat());
    assert_eq!(code, 2);
    assert!(valid.starts_with("patterns/dss.toml: valid"), "{valid}");
    for said in [
        "error: the shares of the lines sum to 95, not to 100",
        " --> tests/diagnostics/sum-95.toml:4:1",
        "error: tests/diagnostics/sum-95.toml is not a valid pattern: 1 fault",
        "error: none.toml: there is no such file",
        "error: /: this is a folder, not a pattern file",
    ] {
        assert!(faults.lines().any(|line| line == said), "{said}\n{faults}");
    }
    assert!(!faults.contains('\u{1b}'), "no colours without a terminal");
}

#[test]
fn a_miss_names_the_nearest() {
    let (code, _, said) = fathom(&["show", "fileserver"]);
    assert!(code == 2 && said.contains("did you mean `file-server`?"), "{said}");
}
