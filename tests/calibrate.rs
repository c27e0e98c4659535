//! The instrument's own figures, as commands print and keep them. That they are figures is tested,
//! not which: those are the machine's.

#![allow(clippy::unwrap_used, reason = "a test")]

use std::process::Command;

use serde_json::Value;

/// What a command prints as JSON.
fn document(arguments: &str) -> Value {
    let folder = tempfile::tempdir().unwrap();
    let run = Command::new(env!("CARGO_BIN_EXE_fathom"))
        .args(arguments.split_whitespace())
        .env("XDG_STATE_HOME", folder.path())
        .output()
        .unwrap();
    assert!(run.status.success(), "{}", String::from_utf8_lossy(&run.stderr));
    serde_json::from_slice(&run.stdout).unwrap()
}

/// A figure has a median between its ends, all of them positive.
fn check(name: &str, figure: &Value) {
    let of = |key: &str| figure[key].as_f64().unwrap_or(f64::NAN);
    let (median, min, max) = (of("median"), of("min"), of("max"));
    assert!(0.0 < min && min <= median && median <= max && max.is_finite(), "{name}: {figure}");
}

fn check_instrument(instrument: &Value) {
    for name in ["clock_step_ns", "clock_reading_ns", "null_turn_ns", "ceiling_iops"] {
        check(name, &instrument[name]);
    }
}

#[test]
fn calibrate_prints_figures() {
    let found = document("calibrate --format json");
    check_instrument(&found["instrument"]);
    assert!(found["clock"]["resolution_ns"].as_u64().unwrap() > 0);
    match found["io_uring_nop"].as_array() {
        Some(trips) => {
            let depths: Vec<_> = trips.iter().map(|trip| trip["queue_depth"].as_u64()).collect();
            assert_eq!(depths, [Some(1), Some(32), Some(256)]);
            for trip in trips {
                check("nop_ns", &trip["nop_ns"]);
                check("turn_ns", &trip["turn_ns"]);
            }
        }
        None => assert!(found["io_uring_refused"].as_str().unwrap().contains("io_uring")),
    }
}

#[test]
fn a_run_keeps_them_and_a_simulated_one_has_none() {
    let run = |target: &str| {
        let words = "-q 1,8 --run-time 50ms --ramp-up 0s --seed 1 --format json";
        document(&format!("run file-server -t {target} {words}"))
    };
    let (real, simulated) = (run("null:"), run("sim:ssd"));
    check_instrument(&real["instrument"]);
    assert_eq!(simulated["instrument"], Value::Null);
    for point in real["points"].as_array().unwrap() {
        let busy = point["cpu"]["busiest_worker_percent"].as_f64().unwrap();
        assert!((0.0..=100.0).contains(&busy), "{busy}");
        // The null target is there to show the tool's limits.
        let marks = point["marks"].as_array().unwrap();
        assert!(marks.iter().all(|mark| mark["rule"] != "about-the-tool"), "{marks:?}");
    }
    for point in simulated["points"].as_array().unwrap() {
        assert_eq!(point["cpu"]["busiest_worker_percent"], Value::Null);
    }
}
