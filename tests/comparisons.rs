//! Comparisons from record to page: planted figures whose answers are known, written as records
//! and read by the command.

#![allow(clippy::unwrap_used, reason = "a test")]

mod built;

use std::path::Path;
use std::time::Duration;

use built::{At, Layout, Plan, fathom, parsed, printed, shipped, write};
use fathom::measure::{Ending, Mark, Rule, Verdict};
use fathom::record::{Caching, Link, Point, Run};
use serde_json::Value;
use tempfile::TempDir;

fn folder() -> TempDir {
    tempfile::tempdir().unwrap()
}

/// A column of the article on SATA controllers: what it asks for, the figure of the built-in
/// controller and that of the one added on, and the change.
struct Column {
    name: &'static str,
    read: u32,
    random: u32,
    built_in: f64,
    siig: f64,
    change: &'static str,
}

const fn column(
    (name, read, random): (&'static str, u32, u32),
    [built_in, siig]: [f64; 2],
    change: &'static str,
) -> Column {
    Column { name, read, random, built_in, siig, change }
}

/// KiB a second, and seeks.
const SATA: [Column; 6] = [
    column(("write-char", 0, 0), [41739.0, 41310.0], "-1.0 %"),
    column(("write-block", 0, 0), [63675.0, 64334.0], "+1.0 %"),
    column(("rewrite", 50, 0), [34572.0, 34373.0], "-0.6 %"),
    column(("read-char", 100, 0), [47792.0, 46819.0], "-2.0 %"),
    column(("read-block", 100, 0), [79044.0, 79255.0], "+0.3 %"),
    column(("seeks", 100, 100), [220.0, 235.4], "+7.0 %"),
];

/// One line of the article as a record: each column a pattern of its own at depth 1.
fn sata(folder: &Path, name: &str, day: u64, figure: fn(&Column) -> f64) {
    let pattern = |Column { name, read, random, .. }: &Column| {
        let asks = format!("read = {read}\nrandom = {random}\naccess = [{{ size = \"1k\" }}]");
        parsed(name, &format!("title = \"{name}\"\n{asks}\nsweep = {{ queue_depth = [1] }}"))
    };
    let plan = Plan {
        patterns: SATA.iter().map(pattern).collect(),
        targets: &["disk"],
        repeats: 1,
        layout: Layout::AsWritten,
        day,
    };
    let run = plan.run(|at| figure(SATA.iter().find(|column| column.name == at.pattern).unwrap()));
    write(&run, folder, name);
}

#[test]
fn two_single_runs_carry_no_verdict() {
    let folder = folder();
    sata(folder.path(), "built-in", 0, |column| column.built_in);
    sata(folder.path(), "siig", 1, |column| column.siig);
    let records = ["built-in=./built-in.jsonl", "siig=./siig.jsonl"];
    let table = printed(folder.path(), &["compare", records[0], records[1]]);
    insta::assert_snapshot!(table);
    let changes: Vec<&str> = table
        .lines()
        .filter(|line| line.trim_start().starts_with("1 "))
        .map(|line| line.rsplit_once("  ").unwrap().1.trim())
        .collect();
    assert_eq!(changes, SATA.each_ref().map(|column| column.change));
    for word in ["faster", "slower", "difference shown", "interval"] {
        let said = table.lines().find(|line| line.contains(word));
        assert_eq!(said, None, "a single run has no `{word}`");
    }
    // For programs too.
    let csv = printed(folder.path(), &["compare", records[0], records[1], "--format", "csv"]);
    let mut lines = csv.lines().map(|line| line.split(',').collect::<Vec<_>>());
    let columns = lines.next().unwrap();
    let place = |name: &str| columns.iter().position(|column| *column == name).unwrap();
    let settings: Vec<Vec<&str>> = lines.filter(|line| line[0] == "setting").collect();
    assert_eq!(settings.len(), 6);
    for (line, column) in settings.iter().zip(&SATA) {
        let ratio: f64 = line[place("ratio")].parse().unwrap();
        assert!((ratio - column.siig / column.built_in).abs() < 1e-12, "{line:?}");
        for empty in ["ratio_low", "ratio_high", "p", "p_adjusted", "exact_p", "word"] {
            assert_eq!(line[place(empty)], "", "{empty}");
        }
    }
}

/// Noise of about two percent that a seed would not change.
fn noise(repeat: u32, salt: u32) -> f64 {
    1.0 + 0.002 * (f64::from((repeat * 7 + salt * 11) % 17) - 8.0)
}

/// One disk; a stripe of two that scales in part; a mirror of two that alternates reads; and
/// a copy of the disk, which differs by noise alone.
fn figure(at: &At<'_>) -> f64 {
    let depth = u32::from(at.setting.queue_depth.get());
    let disk = |depth: f64| 100.0 * depth.powf(0.25);
    let each = f64::from(depth);
    let reads = at.pattern == "random-read-4k";
    let (iops, salt) = match at.target {
        "raid0" if depth > 1 => (1.9 * disk(each / 2.0), 1),
        "raid1" if reads => (disk(each) * if depth > 1 { 1.5 } else { 1.0 }, 2),
        "raid1" => (disk(each) * 0.9, 3),
        "copy" => (disk(each), 4),
        _ => (disk(each), 5),
    };
    iops * noise(at.repeat, salt + depth)
}

fn review(targets: &[&str], repeats: u32, layout: Layout, day: u64) -> Run {
    let patterns = ["random-read-4k", "random-write-4k"];
    let patterns = patterns.map(|name| shipped(name, &[1, 2, 4, 8, 16])).to_vec();
    let mut run = Plan { patterns, targets, repeats, layout, day }.run(figure);
    for target in &mut run.header.targets {
        target.array = match target.name.as_str() {
            "raid0" => Some("raid0:2".parse().unwrap()),
            "raid1" => Some("raid1:2".parse().unwrap()),
            _ => None,
        };
    }
    run
}

/// A line with six digits of each figure: the last ones are the machine's.
fn rounded(line: &str) -> String {
    let figure = |word: &str| match word.parse::<f64>() {
        Ok(value) if word.contains('.') => format!("{value:.5e}"),
        _ => word.to_owned(),
    };
    let (start, end) = line.split_once(": ").unwrap_or(("", line));
    let value = end.trim_end_matches(',');
    if start.trim_start().starts_with('"') {
        return format!("{start}: {}{}", figure(value), &end[value.len()..]);
    }
    line.split(',').map(figure).collect::<Vec<_>>().join(",")
}

#[test]
fn a_review_in_every_form() {
    let folder = folder();
    let targets = ["disk", "raid0", "raid1", "copy"];
    write(&review(&targets, 5, Layout::Interleaved, 0), folder.path(), "review");
    let shown =
        |words: &[&str]| printed(folder.path(), &[&["compare", "./review.jsonl"], words].concat());
    let table = shown(&["--ratings", "all", "--best"]);
    let wide: Vec<&str> = table.lines().filter(|line| line.chars().count() > 80).collect();
    assert!(wide.is_empty(), "{}", wide.join("\n"));
    insta::assert_snapshot!("a_review", table);
    insta::assert_snapshot!("a_review_for_a_wiki", shown(&["--format", "markdown"]));
    let rows: Vec<String> = shown(&["--format", "csv"]).lines().map(rounded).collect();
    insta::assert_snapshot!("a_review_as_rows", rows.join("\n"));
    let mut document: Value = serde_json::from_str(&shown(&["--format", "json"])).unwrap();
    // One pattern, and of its settings one.
    let patterns = document["patterns"].as_array_mut().unwrap();
    patterns.truncate(1);
    patterns[0]["settings"].as_array_mut().unwrap().drain(1..);
    let document = serde_json::to_string_pretty(&document).unwrap();
    let document: Vec<String> = document.lines().map(rounded).collect();
    insta::assert_snapshot!("a_review_as_a_document", document.join("\n"));
    // A table that is wide says no less.
    assert!(shown(&["--format", "wide"]).contains("exact p"));
    // The run itself shows the same below its own tables.
    let run = printed(folder.path(), &["show", "./review.jsonl"]);
    let below = run.split_once("Comparison: raid0, raid1, copy against disk").unwrap().1;
    let plain = shown(&[]);
    let from = plain.find("analysis").unwrap();
    assert_eq!(below.trim(), plain[from..].trim());
    // One table, or one document, is all that these forms hold.
    for format in ["csv", "json"] {
        let run = printed(folder.path(), &["show", "./review.jsonl", "--format", format]);
        assert!(!run.contains("raid0 against disk") && !run.contains("p_adjusted"), "{format}");
    }
}

#[test]
fn a_rating_is_one_a_repeat() {
    // Depths 1 and 2 by repeat: the means are 150, 160 and 200, their deviation is √700, and
    // t(0.975, 2) is 4.302652729911275.
    let iops = |at: &At<'_>| {
        let [one, two] = [[100.0, 200.0], [120.0, 200.0], [100.0, 300.0]][at.repeat as usize - 1];
        if at.setting.queue_depth.get() == 1 { one } else { two }
    };
    let patterns = vec![shipped("random-read-4k", &[1, 2])];
    let plan = Plan { patterns, targets: &["disk"], repeats: 3, layout: Layout::AsWritten, day: 0 };
    let folder = folder();
    write(&plan.run(iops), folder.path(), "rated");
    let words = ["compare", "./rated.jsonl", "--ratings", "mean", "--format", "json"];
    let document: Value = serde_json::from_str(&printed(folder.path(), &words)).unwrap();
    let scheme = &document["patterns"][0]["ratings"][0]["schemes"][0];
    assert_eq!(scheme["formula"], "(T(1) + T(2))/2");
    let rating = &scheme["ratings"][0];
    assert_eq!((rating["mean"].as_f64(), rating["repeats"].as_u64()), (Some(170.0), Some(3)));
    let error = rating["error"].as_f64().unwrap();
    assert!((error - 65.724_106_079_756).abs() < 1e-6, "{error}");
}

#[test]
fn a_ranking_that_depends_on_the_scheme_is_said() {
    let iops = |at: &At<'_>| {
        let depth = f64::from(at.setting.queue_depth.get());
        let iops = if at.target == "steady" { 100.0 } else { 20.0 * depth };
        iops * noise(at.repeat, 1)
    };
    let patterns = vec![shipped("workstation", &[1, 2, 4, 8, 16, 32])];
    let targets = ["steady", "deep"];
    let plan =
        Plan { patterns, targets: &targets, repeats: 4, layout: Layout::Interleaved, day: 0 };
    let folder = folder();
    write(&plan.run(iops), folder.path(), "ranked");
    let own = printed(folder.path(), &["compare", "./ranked.jsonl"]);
    assert!(!own.contains("ranking"), "{own}");
    let all = printed(folder.path(), &["compare", "./ranked.jsonl", "--ratings", "all"]);
    insta::assert_snapshot!("a_ranking_by_every_scheme", all);
    // 1/q: 100 × 63/32 against 20 × 6; the mean: 100 against 20 × 63/6.
    let said: Vec<&str> = all.split_once("ranking ").unwrap().1.split_whitespace().collect();
    let said = said.join(" ");
    assert!(said.starts_with("steady is ahead of deep by 1/q to 32 (+64.1 %)"), "{said}");
    assert!(said.contains("and behind by mean (-52.4 %)"), "{said}");
}

/// A disk, as far as it is compared.
fn link(scheduler: &str, temperature: &str) -> Link {
    let facts = [("kind", "disk"), ("scheduler", scheduler), ("temperature", temperature)];
    let facts = facts.map(|(name, value)| (name.to_owned(), value.to_owned()));
    Link { name: "sda".to_owned(), facts: facts.to_vec() }
}

/// Each case changes a record beside another, and both are compared.
#[test]
fn unlike_things_are_refused_all_at_once() {
    let folder = folder();
    let mut one = review(&["disk"], 1, Layout::AsWritten, 0);
    let mut two = review(&["disk"], 1, Layout::AsWritten, 1);
    two.header.wait_for = 4;
    two.header.version = "0.2.0".to_owned();
    two.header.environment.kernel = "7.0.1".to_owned();
    two.header.environment.governor = None;
    let target = &mut two.header.targets[0];
    target.engine = "io-uring".to_owned();
    target.polled = true;
    target.workers = 4;
    target.caching = Caching::Buffered;
    target.phases.run_time = Duration::from_mins(1);
    target.phases.ramp_up = Duration::from_secs(9);
    target.chain = vec![link("bfq", "34 °C")];
    one.header.targets[0].chain = vec![link("none", "31 °C")];
    write(&one, folder.path(), "one");
    write(&two, folder.path(), "two");
    let words = ["compare", "before=./one.jsonl", "after=./two.jsonl"];
    let said = fathom(folder.path(), &words);
    assert_eq!((said.code, said.out.as_str()), (Some(2), ""));
    insta::assert_snapshot!("unlike_things", said.err);
    // Where it is what is compared, it is said before any number.
    let table = printed(folder.path(), &[&words[..], &["--unlike"]].concat());
    let (head, _) = table.split_once("Random Read 4K").unwrap();
    insta::assert_snapshot!("unlike_things_side_by_side", head);
}

#[test]
fn one_name_for_two_loads_shows_what_differs() {
    let folder = folder();
    let run = |size: &str, day| {
        let text = format!(
            "title = \"Mine\"\nread = 100\nrandom = 100\naccess = [{{ size = \"{size}\" }}]\n\
             sweep = {{ queue_depth = [1] }}"
        );
        let patterns = vec![parsed("mine", &text)];
        Plan { patterns, targets: &["disk"], repeats: 1, layout: Layout::AsWritten, day }
            .run(|_| 9.0)
    };
    write(&run("4k", 0), folder.path(), "one");
    write(&run("8k", 1), folder.path(), "two");
    // `--unlike` is for the ways of measuring; another load is another thing.
    for more in [&[][..], &["--unlike"]] {
        let words = [&["compare", "./one.jsonl", "after=./two.jsonl"][..], more].concat();
        let said = fathom(folder.path(), &words);
        assert_eq!(said.code, Some(2));
        insta::assert_snapshot!("two_loads_of_one_name", said.err);
    }
}

/// What stands on the command line, and what has to be in the answer.
#[test]
fn what_makes_no_comparison_is_refused() {
    let folder = folder();
    write(&review(&["disk", "raid0"], 1, Layout::AsWritten, 0), folder.path(), "two");
    write(&review(&["disk"], 1, Layout::AsWritten, 1), folder.path(), "one");
    let cases: [(&[&str], &str); 14] = [
        (
            &["./two.jsonl", "--baseline", "dik"],
            "no target is called `dik`; there are disk, raid0; did you mean `disk`?",
        ),
        (
            &["./one.jsonl"],
            "has one target, disk, and a target is compared with another: name a second record",
        ),
        (&["./one.jsonl", "./one.jsonl"], "is given twice: a run can't be set against itself"),
        (&["a=./one.jsonl", "a=./two.jsonl"], "two records are called `a`"),
        (
            &["./one.jsonl", "./two.jsonl", "-b", "disk"],
            "no target is called `disk`; there are A/disk, B/disk, raid0",
        ),
        (
            &["./two.jsonl", "--ratings", "xbit-ws6"],
            "xbit-ws6 counts queue depth 32, over which random-read-4k was not swept on all targets: sweep it (-q)",
        ),
        (&["./two.jsonl", "--ratings", "xbit-ws7"], "did you mean `xbit-ws6`?"),
        (
            &["./two.jsonl", "--array", "raid9=raid0:2"],
            "--array: no target is called `raid9`; there are disk, raid0; did you mean `raid0`?",
        ),
        (&["./two.jsonl", "--array", "raid0=raid5:3"], "`raid5:3` is no array: write raid0:4"),
        (&["./two.jsonl", "--array", "raid0:3"], "write it like md0=raid0:4"),
        (&["./two.jsonl", "--array", "raid0=raid0:2@raid0"], "`raid0` can't be an array of itself"),
        (&["./none.jsonl", "./neither.jsonl"], "neither.jsonl"),
        (&["./two.jsonl", "--format", "xml"], "`xml` is no format"),
        (&[], "<[NAME=]last|ID|FILE>"),
    ];
    for (words, answer) in cases {
        let said = fathom(folder.path(), &[&["compare"], words].concat());
        assert_eq!((said.code, said.out.as_str()), (Some(2), ""), "{words:?}");
        let text = said.err.split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(text.contains(answer), "{words:?}: {text}");
    }
    // Of several faults none hides another.
    let words = ["compare", "./two.jsonl", "-b", "none", "--array", "raid9=raid0:2"];
    let said = fathom(folder.path(), &words);
    assert!(said.err.contains("`none`") && said.err.contains("`raid9`"), "{}", said.err);
}

#[test]
fn targets_of_one_name_are_told_apart() {
    let folder = folder();
    write(&review(&["disk", "raid0"], 1, Layout::AsWritten, 0), folder.path(), "two");
    write(&review(&["disk"], 1, Layout::AsWritten, 1), folder.path(), "one");
    // What is written, and the baseline and targets that this makes.
    let cases: [(&[&str], &[&str]); 6] = [
        (&["./two.jsonl", "./one.jsonl"], &["A/disk", "raid0", "B/disk"]),
        (&["./two.jsonl", "./one.jsonl", "-b", "B/disk"], &["B/disk", "A/disk", "raid0"]),
        (&["./two.jsonl", "after=./one.jsonl"], &["A/disk", "raid0", "after"]),
        (&["before=./two.jsonl", "after=./one.jsonl"], &["before/disk", "before/raid0", "after"]),
        (&["./two.jsonl", "raid0=./one.jsonl", "-b", "raid0"], &["raid0", "A/disk", "A/raid0"]),
        (&["before=./two.jsonl", "-b", "raid0"], &["before/raid0", "before/disk"]),
    ];
    for (words, names) in cases {
        let document = printed(folder.path(), &[&["compare", "--format", "json"], words].concat());
        let document: Value = serde_json::from_str(&document).unwrap();
        let targets = document["targets"].as_array().unwrap();
        let found: Vec<&str> =
            targets.iter().map(|target| target["name"].as_str().unwrap()).collect();
        assert_eq!(found, names, "{words:?}");
    }
}

#[test]
fn the_plan_decides_how_it_is_judged() {
    let targets = ["disk", "copy"];
    let cases = [
        (
            1,
            Layout::Interleaved,
            "none: a single run has no error; one run each, one target after the other, nothing interleaved",
        ),
        (3, Layout::Interleaved, "unpaired t on the logarithm; 3 repeats each, interleaved"),
        (
            4,
            Layout::Interleaved,
            "paired t on the logarithm, by the differences within each repeat; 4 repeats each, interleaved",
        ),
        (
            4,
            Layout::AsWritten,
            "unpaired t on the logarithm; 4 repeats each, one target after the other, nothing interleaved",
        ),
    ];
    let said = |words: &[&str], folder: &Path| {
        let table = printed(folder, &[&["compare"], words].concat());
        let (_, text) = table.split_once("analysis").unwrap();
        let (text, _) = text.split_once("\n\n").unwrap();
        text.split_whitespace().collect::<Vec<_>>().join(" ")
    };
    for (repeats, layout, analysis) in cases {
        let folder = folder();
        write(&review(&targets, repeats, layout, 0), folder.path(), "run");
        assert_eq!(said(&["./run.jsonl"], folder.path()), analysis);
    }
    // Two days, however often: nothing lies beside anything.
    let folder = folder();
    write(&review(&["disk"], 5, Layout::Interleaved, 0), folder.path(), "one");
    write(&review(&["disk"], 4, Layout::Interleaved, 2), folder.path(), "two");
    assert_eq!(
        said(&["./one.jsonl", "./two.jsonl"], folder.path()),
        "unpaired t on the logarithm; 5 and 4 repeats, of two records, nothing interleaved: \
         whatever else changed between them is in the ratios"
    );
}

#[test]
fn what_is_void_or_cut_short_is_in_no_figure() {
    let mut run = review(&["disk", "copy"], 3, Layout::Interleaved, 0);
    let mark = |verdict| Mark { rule: Rule::Depth, verdict, text: "not held".to_owned() };
    let place = |run: &Run, target, repeat| {
        let at = |point: &Point| (point.point.target, point.point.repeat) == (target, repeat);
        run.points.iter().position(at).unwrap()
    };
    // Of the first cell: a void repeat of the copy, one of the disk cut short, one suspect.
    let [void, cut, suspect] = [place(&run, 1, 1), place(&run, 0, 2), place(&run, 0, 3)];
    run.points[void].marks = vec![mark(Verdict::Void)];
    run.points[cut].ending = Ending::Stopped;
    run.points[suspect].marks = vec![mark(Verdict::Suspect)];
    let folder = folder();
    write(&run, folder.path(), "run");
    let table = printed(folder.path(), &["compare", "./run.jsonl", "--format", "wide"]);
    insta::assert_snapshot!(
        "what_is_left_out_is_said",
        table.split_once("\n\n  ").map_or(&*table, |(head, _)| head)
    );
    let words = ["compare", "./run.jsonl", "--format", "json"];
    let document: Value = serde_json::from_str(&printed(folder.path(), &words)).unwrap();
    let figures = &document["patterns"][0]["settings"][0]["figures"];
    let repeats = |side: usize| -> Vec<u64> {
        let iops = figures[side]["iops"].as_array().unwrap();
        iops.iter().map(|value| value["repeat"].as_u64().unwrap()).collect()
    };
    assert_eq!((repeats(0), repeats(1)), (vec![1, 3], vec![2, 3]));
    assert_eq!(figures[0]["suspect"][0], "depth-not-held");
    assert_eq!((&figures[0]["left_out"], &figures[1]["left_out"]), (&1.into(), &1.into()));
}

#[test]
fn a_record_that_was_cut_off_is_compared_as_far_as_it_goes() {
    let folder = folder();
    let path = write(&review(&["disk", "copy"], 2, Layout::Interleaved, 0), folder.path(), "cut");
    let text = std::fs::read_to_string(&path).unwrap();
    std::fs::write(&path, &text[..text.len() * 3 / 4]).unwrap();
    let said = fathom(folder.path(), &["compare", "./cut.jsonl"]);
    assert_eq!(said.code, Some(0), "{}", said.err);
    assert!(said.err.contains("note: ./cut.jsonl: "), "{}", said.err);
    assert!(said.out.contains("still going, or it was killed"), "{}", said.out);
    // Of a newer schema nothing is guessed.
    std::fs::write(&path, text.replacen("\"schema\":1", "\"schema\":2", 1)).unwrap();
    let said = fathom(folder.path(), &["compare", "./cut.jsonl", "./none.jsonl"]);
    assert_eq!(said.code, Some(2));
    for part in ["has schema 2, and this fathom reads up to 1", "none.jsonl"] {
        assert!(said.err.contains(part), "{}", said.err);
    }
}

#[test]
fn a_run_says_why_its_targets_are_not_compared() {
    let folder = folder();
    let mut run = review(&["disk", "copy"], 1, Layout::AsWritten, 0);
    run.header.targets[1].engine = "threads".to_owned();
    write(&run, folder.path(), "run");
    let said = fathom(folder.path(), &["show", "./run.jsonl"]);
    assert_eq!(said.code, Some(0));
    assert!(!said.out.contains("Comparison"), "{}", said.out);
    let why = "note: the targets are not compared:\nthe engine differs: sim (disk), threads (copy): \
               run both alike (--engine)";
    assert!(said.err.contains(why), "{}", said.err);
}

#[test]
fn an_array_is_judged_by_the_disk_it_names() {
    let folder = folder();
    let mut run = review(&["raid0", "disk"], 4, Layout::Interleaved, 0);
    run.header.targets[0].array = None;
    write(&run, folder.path(), "run");
    let findings = |words: &[&str]| {
        let words = [&["compare", "./run.jsonl", "--format", "json"], words].concat();
        let document: Value = serde_json::from_str(&printed(folder.path(), &words)).unwrap();
        let array = &document["patterns"][0]["arrays"][0];
        (array["findings"][0].clone(), document["remarks"].to_string())
    };
    let scales = "scales with its members: ";
    // The array is the baseline here, and its disk is set against it.
    let (said, _) = findings(&["--array", "raid0=raid0:2@disk"]);
    assert!(said.as_str().unwrap().starts_with(scales), "{said}");
    let (said, _) = findings(&["--array", "raid0=raid0:2", "-b", "disk"]);
    assert!(said.as_str().unwrap().starts_with(scales), "{said}");
    // Nothing is said of an array whose disk nobody knows.
    let (said, remarks) = findings(&["--array", "raid0=raid0:2"]);
    assert_eq!(said, Value::Null);
    assert!(remarks.contains("none of its disks is compared; name one"), "{remarks}");
    assert_eq!(findings(&[]).0, Value::Null);
}
