//! A stored record of schema 1, read for ever: what it says is shown in every format.
//!
//! The file must never be written anew: it stands for all that lie in people's state folders.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

use std::path::Path;

use fathom::record::Run;
use fathom::record::store::open_file;
use fathom::report::{Format, render};
use serde_json::Value;

fn sample() -> Run {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/records/v1-sample.jsonl");
    let reading = open_file(&path).unwrap();
    assert_eq!(reading.notes, []);
    reading.run
}

#[test]
fn the_table_fits_a_terminal() {
    let table = render(&sample(), Format::Table);
    let wide: Vec<&str> = table.lines().filter(|line| line.chars().count() > 80).collect();
    assert!(wide.is_empty(), "{}", wide.join("\n"));
    insta::assert_snapshot!(table);
}

#[test]
fn reads_and_writes_apart() {
    insta::assert_snapshot!(render(&sample(), Format::Wide));
}

#[test]
fn a_page_for_a_wiki() {
    insta::assert_snapshot!(render(&sample(), Format::Markdown));
}

#[test]
fn a_row_for_each_point() {
    let csv = render(&sample(), Format::Csv);
    let columns: Vec<usize> = csv.lines().map(|line| line.split(',').count()).collect();
    assert!(columns.iter().all(|count| *count == columns[0]), "{columns:?}");
    insta::assert_snapshot!(csv);
}

/// A whole point and a void one; of each series the start.
#[test]
fn one_document() {
    let mut document: Value = serde_json::from_str(&render(&sample(), Format::Json)).unwrap();
    let points = document["points"].as_array_mut().unwrap();
    assert_eq!(points.len(), 8);
    let mut kept = vec![points[0].take(), points[5].take()];
    for point in &mut kept {
        point["series"].as_array_mut().unwrap().truncate(3);
    }
    document["points"] = Value::Array(kept);
    insta::assert_snapshot!(serde_json::to_string_pretty(&document).unwrap());
}

#[test]
fn a_run_without_points_is_shown_all_the_same() {
    let mut run = sample();
    run.points.clear();
    run.end = None;
    let table = render(&run, Format::Table);
    assert!(table.contains("no point was measured"), "{table}");
    assert!(table.contains("still going, or it was killed"), "{table}");
    for format in Format::ALL {
        assert_eq!(format.name().parse(), Ok(format));
        assert!(!render(&run, format).is_empty(), "{format}");
    }
    assert!("xml".parse::<Format>().unwrap_err().to_string().contains("table, wide, markdown"));
}
