//! Repeats from record to page: means, how far they scatter, what the rule said.

#![allow(clippy::unwrap_used, reason = "a test")]

mod built;

use std::path::Path;

use built::{At, Layout, Plan, printed, shipped, write};
use fathom::measure::Ending;
use fathom::plan::Repeats;
use fathom::record::Run;
use fathom::stats::Rerun;
use fathom::unit::Percent;
use serde_json::Value;

/// 100, 110 and 120 IOPS at depth 1, and always 400 at depth 4.
fn figure(at: &At<'_>) -> f64 {
    match at.setting.queue_depth.get() {
        1 => f64::from(90 + 10 * at.repeat),
        _ => 400.0,
    }
}

/// Three repeats under a rule of 5 % that allowed no more of them; and a title.
fn run() -> Run {
    let plan = Plan {
        patterns: vec![shipped("random-read-4k", &[1, 4])],
        targets: &["one", "two"],
        repeats: 3,
        layout: Layout::Interleaved,
        day: 0,
    };
    let mut run = plan.run(figure);
    let review = &mut run.header.review;
    let limit = Percent::try_from(5.0).unwrap();
    review.repeats = Repeats::Rule(Rerun::new(limit, 3, 3).unwrap());
    review.title = Some("Two of a kind".to_owned());
    review.conditions = vec![("controller".to_owned(), "Sil 3114".to_owned())];
    run
}

fn shown(run: &Run, folder: &Path, format: &str) -> String {
    let name = format!("run-{format}");
    write(run, folder, &name);
    printed(folder, &["show", &format!("./{name}.jsonl"), "--format", format])
}

#[test]
fn a_setting_is_its_mean_and_how_far_it_scatters() {
    let folder = tempfile::tempdir().unwrap();
    let text = shown(&run(), folder.path(), "table");
    let words = text.split_whitespace().collect::<Vec<_>>().join(" ");
    let said = |part: &str| assert!(words.contains(part), "{part}\n{text}");
    said("title Two of a kind stated controller: Sil 3114 run ");
    said("3 repeats, then again until");
    said("interleaved in an order drawn from the");
    // numpy.std([100, 110, 120], ddof=1) is 10, of a mean of 110.
    let rows: Vec<Vec<&str>> = text.lines().map(|l| l.split_whitespace().collect()).collect();
    let row = |depth: &str| rows.iter().find(|row| row.first() == Some(&depth)).unwrap().clone();
    assert_eq!([row("1")[1], row("1")[3], row("1")[4], row("1")[6]], ["110", "10.0", "9.1", "3"]);
    assert_eq!([row("4")[1], row("4")[3], row("4")[4], row("4")[6]], ["400", "0.0", "0.0", "3"]);
    said("depth 4: the rule stopped it after 3 repeats");
    said("depth 1: still scattering");
    // The ratings are 250, 255 and 260: t(0.975, 2) is 4.3027, 4.3027 · 5 / √3 = 12.42.
    said("rating 255 ± 12.4 (95 % by t, of 250; 255; 260): mean");
    assert!(text.lines().all(|line| line.chars().count() <= 80), "{text}");
}

#[test]
fn what_is_not_believed_is_in_no_mean() {
    let folder = tempfile::tempdir().unwrap();
    let mut run = run();
    let first = |point: &&mut fathom::record::Point| {
        (point.point.repeat, point.point.target, point.point.setting.queue_depth.get()) == (1, 0, 1)
    };
    run.points.iter_mut().find(first).unwrap().ending = Ending::Stopped;
    let page = shown(&run, folder.path(), "markdown");
    let rows: Vec<&str> = page.lines().filter(|line| line.starts_with("| 1 |")).collect();
    assert!(rows[0].starts_with("| 1 | 115 | 7.1 | 6.1 % | 2 of 3 |"), "{page}");
    assert!(rows[1].starts_with("| 1 | 110 | 10.0 | 9.1 % | 3 |"), "{page}");
    let document: Value = serde_json::from_str(&shown(&run, folder.path(), "json")).unwrap();
    assert_eq!(document["review"]["until_rsd_percent"], 5.0);
    let mean = &document["means"][0];
    assert_eq!([&mean["repeats"], &mean["n"]], [3, 2]);
    assert_eq!([&mean["iops_mean"], &mean["rule"]], [&Value::from(115.0), &"exhausted".into()]);
    assert_eq!(document["mean_ratings"][0]["n"], 2);
    let error = document["mean_ratings"][1]["error"].as_f64().unwrap();
    assert!((error - 12.4207).abs() < 1e-3, "{error}");
}
