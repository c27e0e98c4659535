//! Records in folders made here: what is written, found and refused.

use std::time::Duration;

use super::*;
use crate::record::tests::rich_run;

fn started() -> SystemTime {
    crate::unit::parse_moment("2026-11-30T20:31:07.250Z").unwrap()
}

fn store() -> (tempfile::TempDir, Store) {
    let folder = tempfile::tempdir().unwrap();
    let store = Store::at(folder.path().join("state/records"));
    (folder, store)
}

/// Records a run of so many points.
fn record(store: &Store, name: &str, started: SystemTime, points: usize) -> String {
    let run = rich_run();
    let mut writer = store.create(name, started).unwrap();
    writer.begin(&Header { started, ..run.header }).unwrap();
    run.points.iter().take(points).for_each(|point| writer.append(point).unwrap());
    writer.finish(&run.end.unwrap()).unwrap();
    writer.id().to_owned()
}

#[test]
fn a_record_grows_by_whole_points() {
    let (_folder, store) = store();
    let run = rich_run();
    let mut writer = store.create("File Server", started()).unwrap();
    assert_eq!(writer.id(), "2026-11-30-2031-file-server");
    writer.begin(&run.header).unwrap();
    for (number, point) in run.points.iter().enumerate() {
        writer.append(point).unwrap();
        let reading = open_file(writer.path()).unwrap();
        assert_eq!((reading.run.points.len(), reading.run.end), (number + 1, None));
    }
    writer.finish(run.end.as_ref().unwrap()).unwrap();
    assert_eq!(open_file(writer.path()).unwrap().run.end, run.end);
}

#[test]
fn ids_do_not_collide() {
    let (_folder, store) = store();
    let ids = [(); 3].map(|()| record(&store, "database", started(), 0));
    let first = "2026-11-30-2031-database";
    assert_eq!(ids, [first.to_owned(), format!("{first}-2"), format!("{first}-3")]);
    assert_eq!(id("../../etc/ö", started()), "2026-11-30-2031-------etc");
    assert_eq!(id("", started()), "2026-11-30-2031");
}

#[test]
fn records_are_found_by_name() {
    let (_folder, store) = store();
    assert!(matches!(store.find("last"), Err(StoreError::None)));
    assert!(store.list().unwrap().is_empty());
    let file = record(&store, "web-server", started(), 1);
    let data = record(&store, "database", started() + Duration::from_secs(5), 2);
    let old = record(&store, "workstation", started() - Duration::from_secs(90_000), 3);
    let found = |what: &str| match store.find(what) {
        Ok(path) => path.file_stem().unwrap().to_str().unwrap().to_owned(),
        Err(error) => error.to_string(),
    };
    // Of one minute, the one that began last, though its name comes first.
    assert_eq!(found("last"), data);
    assert_eq!(found(&file), file);
    assert_eq!(found("2026-11-29"), old);
    assert!(found("2026-11-30").contains("begins the names of 2"), "{}", found("2026-11-30"));
    assert!(found("database").contains(&format!("did you mean `{data}`?")));
    assert!(found("2026-11-30-2031-databse").contains(&format!("did you mean `{data}`?")));
    assert!(found("quake").ends_with("no record `quake` (`fathom list` lists them)"));
    let listed = store.list().unwrap();
    let points: Vec<_> =
        listed.iter().map(|l| (l.id.clone(), l.outline.as_ref().unwrap().points)).collect();
    assert_eq!(points, [(old, 3), (file, 1), (data, 2)]);
}

#[test]
fn a_place_that_cannot_be_written_is_found_at_once() {
    let folder = tempfile::tempdir().unwrap();
    let said =
        |path: &Path| Writer::create(Some(path), "x", started()).map(drop).unwrap_err().to_string();
    let taken = folder.path().join("taken");
    fs::write(&taken, "mine").unwrap();
    assert!(said(&taken).contains("a record never replaces a file"));
    assert_eq!(fs::read_to_string(&taken).unwrap(), "mine");
    assert!(said(&folder.path().join("none/r.jsonl")).contains("make its folder first"));
    assert!(said(&taken.join("r.jsonl")).contains("make its folder first"));
    let below = Store::at(taken.join("records")).create("x", started());
    assert!(below.map(drop).unwrap_err().to_string().contains("-o FILE"));
}

#[test]
fn a_run_that_never_began_leaves_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("r.jsonl");
    drop(Writer::create(Some(&path), "x", started()).unwrap());
    assert!(!path.exists());
}

#[test]
fn a_full_disk_is_said_and_leaves_whole_lines() {
    let full = Path::new("/dev/full");
    let file = OpenOptions::new().append(true).open(full).unwrap();
    let mut writer = Writer::new(file, full.to_owned(), "x".to_owned());
    let error = writer.begin(&rich_run().header).unwrap_err().to_string();
    assert!(error.contains("/dev/full can't be written"), "{error}");
    assert!(error.contains("free some space there"), "{error}");
    // Dropping would remove the record that never began.
    writer.header = Some(rich_run().header);
}

#[test]
fn what_is_no_record_is_refused_in_a_sentence() {
    let folder = tempfile::tempdir().unwrap();
    let said = |path: &Path| open_file(path).unwrap_err().to_string();
    let file = |text: &str| {
        let path = folder.path().join("odd.jsonl");
        fs::write(&path, text).unwrap();
        said(&path)
    };
    assert!(said(folder.path()).ends_with("is a folder, not a record"));
    assert!(said(&folder.path().join("none")).contains("can't be read"));
    assert!(file("").contains("is empty"));
    assert!(file("hello\n").contains("is no record of fathom"));
    assert!(said(Path::new("/dev/zero")).contains("larger than any record"));
    assert!(open("./none.jsonl").unwrap_err().to_string().contains("./none.jsonl"));
}
