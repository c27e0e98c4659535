//! Round trips, damaged records as a table, and mutations of a good one.

use proptest::prelude::*;

use super::*;
use crate::measure::Measurement;
use crate::record::tests::{rich_run, swept_run};

/// A run as its lines.
fn text(run: &Run) -> String {
    let header = header_line(&run.header).unwrap();
    let points = run.points.iter().map(|point| point_line(&run.header, point).unwrap());
    let end = run.end.iter().map(|end| end_line(end).unwrap());
    std::iter::once(header).chain(points).chain(end).collect()
}

fn said(text: &[u8]) -> String {
    match read(text) {
        Ok(reading) => {
            let points = reading.run.points.len();
            let notes: Vec<_> = reading.notes.iter().map(ToString::to_string).collect();
            format!("{points} points; {}", notes.join("; "))
        }
        Err(error) => error.to_string(),
    }
}

#[test]
fn everything_survives() {
    for run in [rich_run(), swept_run()] {
        survives(&run);
    }
}

fn survives(run: &Run) {
    let reading = read(text(run).as_bytes()).unwrap();
    assert_eq!(reading.notes, []);
    assert_eq!(format!("{:?}", reading.run.header), format!("{:?}", run.header));
    assert_eq!(reading.run.points.len(), run.points.len());
    for (read, point) in reading.run.points.iter().zip(&run.points) {
        assert!(read.measurement == point.measurement, "point {}", point.point.index);
        let rest = |point: &Point| {
            let mut rest = point.clone();
            rest.measurement = Measurement::new(1, 1);
            format!("{rest:?}")
        };
        assert_eq!(rest(read), rest(point));
    }
    assert_eq!(reading.run.end, run.end);
    assert_eq!(text(&reading.run), text(run));
}

/// A record of depths alone has no key of an axis: it is as it always was.
#[test]
fn axes_stand_in_a_record_where_they_are_swept() {
    let plain = text(&rich_run());
    for key in ["read_percent", "write_percent", "transfer_size"] {
        assert!(!plain.contains(key), "{key}");
    }
    let swept = text(&swept_run());
    let lines: Vec<serde_json::Value> =
        swept.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let patterns = &lines[0]["patterns"];
    assert_eq!(patterns[0]["write_percents"], serde_json::json!([0.0, 10.0, 20.0]));
    assert_eq!(patterns[0].get("read_percents"), None);
    assert_eq!(patterns[1]["transfer_sizes_bytes"], serde_json::json!([65536, 4096]));
    assert_eq!((&lines[4]["queue_depth"], &lines[4]["read_percent"]), (&1.into(), &90.0.into()));
    assert_eq!(lines[10]["transfer_size_bytes"], 65536);
    assert_eq!(lines[10]["lines"][0]["size_bytes"], 65536);
}

#[test]
fn settings_that_are_none_of_the_pattern_are_refused() {
    let swept = text(&swept_run());
    for (from, to, expected) in [
        ("\"read_percent\":90.0", "\"read_percent\":91.0", "none of its pattern's"),
        ("\"read_percent\":90.0,", "", "none of its pattern's"),
        ("\"read_percent\":90.0", "\"read_percent\":190.0", "outside 0 to 100"),
        ("\"transfer_size_bytes\":65536", "\"transfer_size_bytes\":7", "multiple of 512"),
        ("\"write_percents\":", "\"read_percents\":[1],\"write_percents\":", "and of writes"),
    ] {
        let damaged = swept.replacen(from, to, 1);
        assert!(damaged != swept, "{from}");
        let said = said(damaged.as_bytes());
        assert!(said.contains(expected), "{to}: {said}");
    }
}

#[test]
fn a_line_keeps_what_an_audit_needs() {
    let run = rich_run();
    let line = point_line(&run.header, &run.points[2]).unwrap();
    let value: serde_json::Value = serde_json::from_str(&line).unwrap();
    assert_eq!(value["lines"][0]["size_bytes"], 4096);
    assert_eq!(value["samples"][0]["members"][1]["name"], "sdb");
    assert_eq!(value["marks"][0]["rule"], "depth-not-held");
    assert_eq!(value["errors"][0]["name"], "EIO");
    assert!(value["seed"].is_string());
    assert_eq!(value["series"]["reads"].as_array().unwrap().len(), 13);
}

#[test]
fn damaged_records_are_told_apart() {
    let run = rich_run();
    let whole = text(&run);
    let lines: Vec<&str> = whole.lines().collect();
    let header = lines[0];
    let with = |from: &str, to: &str| whole.replacen(from, to, 1);
    let newer = with("\"schema\":1", "\"schema\":2");
    let fingerprint = run.header.patterns[0].pattern.fingerprint().to_string();
    let cases: [(Vec<u8>, &str); 14] = [
        (whole.clone().into(), "8 points; "),
        (header.into(), "0 points; "),
        (format!("{header}\n{}\n{{\"kind\":\"scan\",\"x\":1}}\n\n", lines[1]).into(), "1 points; "),
        (with("{\"kind\":\"point\"", "{\"new\":[1],\"kind\":\"point\"").into(), "8 points; "),
        (whole[..whole.len() - 20].into(), "8 points; the record is cut off in its line 10"),
        ([header.as_bytes(), b"\n{\"kind\":\"po\xc3"].concat(), "0 points; the record is cut off"),
        ([header.as_bytes(), b"\n\0\0\0\0"].concat(), "0 points; the record is cut off"),
        (format!("{header}\nnonsense\n{}", lines[1]).into(), "is damaged in line 2: expected"),
        (Vec::new(), "is empty"),
        (header[..40].into(), "is no record of fathom"),
        ("[1, 2]\n".into(), "is no record of fathom"),
        (newer.into(), "has schema 2, and this fathom reads up to 1: use a newer fathom"),
        (with(&fingerprint, "0123456789abcdef").into(), "it was changed since"),
        (with("\"rule\":\"ramp-up-short\"", "\"rule\":\"lies\"").into(), "the rule `lies`"),
    ];
    for (text, expected) in cases {
        let said = said(&text);
        assert!(said.contains(expected), "{expected}: {said}");
    }
}

#[test]
fn figures_that_cannot_be_are_refused() {
    let whole = text(&rich_run());
    let key = |key: &str, value: &str| {
        let (before, rest) = whole.split_once(&format!("\"{key}\":")).unwrap();
        let (_, after) = rest.split_once(',').unwrap();
        format!("{before}\"{key}\":{value},{after}")
    };
    for (name, value, expected) in [
        ("queue_depth", "0", "outside 1 to 1024"),
        ("pattern", "7", "belongs to no pattern"),
        ("target", "7", "belongs to no target"),
        ("ios", "1", "its histogram"),
        ("ios", "18446744073709551615", "more than anything"),
        ("latency_min_ns", "99999999999", "not those of the histogram"),
        ("latency_sum_ns", "\"340282366920938463463374607431768211455\"", "not those"),
        ("histogram", "\"HISTOGRAM\"}", "Invalid"),
        ("histogram", "\"HISTFAAAAAA=\"}", "can't be read"),
        ("ending", "\"bored\"", "none of complete, stopped, gone, silent"),
        ("span_start_bytes", "18446744073709551615", "beyond all"),
        ("started", "\"yesterday\"", "is not a time"),
        ("median", "99", "a median of 99 between 10 and 80"),
        ("median", "-99", "a median of -99 between"),
        ("busiest_worker_percent", "100.5", "outside 0 to 100 percent"),
    ] {
        let said = said(key(name, value).as_bytes());
        assert!(said.contains(expected), "{name}: {said}");
    }
}

#[test]
fn the_outline_counts_what_it_does_not_read() {
    let run = rich_run();
    let outline = outline(text(&run).as_bytes()).unwrap();
    assert_eq!((outline.points, outline.end), (8, run.end));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(96))]

    /// Whatever is done to a record, reading and showing it ends in a result.
    #[test]
    fn no_record_makes_a_reader_panic(
        edits in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>(), 0_u8..4), 1..6)
    ) {
        let mut run = rich_run();
        run.points.truncate(1);
        let mut bytes = text(&run).into_bytes();
        let digits: Vec<usize> =
            (0..bytes.len()).filter(|at| bytes[*at].is_ascii_digit()).collect();
        for (index, byte, kind) in edits {
            let at = index.index(bytes.len());
            match kind {
                0 => bytes[at] = byte,
                1 => bytes.truncate(at.max(1)),
                2 => bytes[at] = b'0' + byte % 10,
                // Numbers are where wrong figures hide.
                _ => {
                    let at = digits[index.index(digits.len())];
                    if at < bytes.len() {
                        bytes[at] = b'0' + byte % 10;
                        bytes.splice(at..at, std::iter::repeat_n(b'9', usize::from(byte % 20)));
                    }
                }
            }
            if bytes.is_empty() {
                break;
            }
        }
        if let Ok(reading) = read(bytes.as_slice()) {
            _ = text(&reading.run);
        }
        _ = outline(bytes.as_slice());
    }
}
