//! Arrays whose curves are known: what they could give, and what is said of them.

use super::*;
use crate::comparison::Interval;

const RANDOM_READ: Load = Load { read: 1.0, random: 1.0 };
const RANDOM_WRITE: Load = Load { read: 0.0, random: 1.0 };
const SEQUENTIAL_READ: Load = Load { read: 1.0, random: 0.0 };

fn depth(depth: u64) -> QueueDepth {
    depth.try_into().unwrap()
}

fn curve(points: &[(u64, f64)]) -> Curve {
    points.iter().map(|&(at, iops)| (depth(at), iops)).collect()
}

/// A disk that serves one request at a time and does no better with more.
fn flat() -> Curve {
    curve(&[(1, 200.0), (2, 200.0), (4, 200.0), (8, 200.0), (16, 200.0), (32, 200.0)])
}

/// Whether figures come of repeats, so that they have an error.
#[derive(Clone, Copy)]
enum Runs {
    /// With an interval of ± 2 % and a word where 1 is outside.
    Repeated,
    Single,
}

fn steps(disk: &Curve, array: &[(u64, f64)], runs: Runs) -> Vec<Step> {
    let step = |&(at, iops): &(u64, f64)| {
        let ratio = disk.get(&depth(at)).map(|one| Ratio {
            value: iops / one,
            interval: match runs {
                Runs::Repeated => {
                    let (low, high) = (iops / one * 0.98, iops / one * 1.02);
                    Some(Interval { low, high, p: 0.001 })
                }
                Runs::Single => None,
            },
            repeats: [3, 3],
            chance: None,
        });
        let word = Word::of(ratio.as_ref());
        let word = [Word::Faster, Word::Slower].contains(&word).then_some(word);
        Step { depth: depth(at), iops, against: Against { ratio, adjusted: None, word } }
    };
    array.iter().map(step).collect()
}

struct Case<'a> {
    array: (Level, u16),
    load: Load,
    disk: Curve,
    measured: &'a [(u64, f64)],
    runs: Runs,
    said: &'a [&'a str],
}

fn check(case: &Case<'_>) {
    let array = Array::new(case.array.0, case.array.1).unwrap();
    let steps = steps(&case.disk, case.measured, case.runs);
    let scaling = scaling(array, case.load, &case.disk, &steps);
    let said: Vec<String> = scaling.findings.iter().map(ToString::to_string).collect();
    assert_eq!(said, case.said, "{array}");
}

#[test]
fn the_bound_is_the_disks_own_curve() {
    let rising = curve(&[(1, 100.0), (2, 180.0), (4, 300.0), (8, 400.0)]);
    let cases = [
        // Fewer requests than members: each has a disk of its own.
        (4.0, RANDOM_READ, 1, Some(100.0)),
        (4.0, RANDOM_READ, 2, Some(200.0)),
        (4.0, RANDOM_READ, 4, Some(400.0)),
        (4.0, RANDOM_READ, 8, Some(720.0)),
        (4.0, RANDOM_READ, 32, Some(1600.0)),
        // Between measured depths: half way from 1 to 2 by logarithm, 100 × 1.8^0.585.
        (2.0, RANDOM_READ, 3, Some(2.0 * 100.0 * 1.8_f64.powf(1.5_f64.log2()))),
        // Beyond them nothing is known.
        (2.0, RANDOM_READ, 32, None),
        (1.0, RANDOM_WRITE, 16, None),
        // A stream has every member at work at any depth.
        (4.0, SEQUENTIAL_READ, 1, Some(400.0)),
        (4.0, SEQUENTIAL_READ, 4, Some(1200.0)),
        (4.0, SEQUENTIAL_READ, 16, None),
    ];
    for (disks, load, at, expected) in cases {
        let ours = possible(disks, load, &rising, depth(at));
        assert_eq!(ours.is_some(), expected.is_some(), "{disks} disks at {at}: {ours:?}");
        let close = ours.zip(expected).is_none_or(|(a, b)| (a - b).abs() < 1e-9 * b);
        assert!(close, "{disks} disks at {at}: {ours:?}, not {expected:?}");
    }
    // Without depth 1 there is nothing that a lone request can be held against.
    let deep = curve(&[(4, 300.0), (8, 400.0)]);
    assert_eq!(possible(4.0, RANDOM_READ, &deep, depth(2)), None);
    assert_eq!(possible(4.0, RANDOM_READ, &Curve::new(), depth(2)), None);
}

#[test]
fn a_line_is_interpolated_exactly() {
    // A device that is nowhere near its limit: twice the depth, twice the IOPS.
    let line = curve(&[(1, 100.0), (8, 800.0), (64, 6400.0)]);
    for at in 1..=64 {
        let ours = possible(2.0, RANDOM_READ, &line, depth(at)).unwrap();
        assert!((ours - 100.0 * at as f64).abs() < 1e-6, "{at}: {ours}");
    }
}

#[test]
fn efficiency_is_by_depth() {
    let array = Array::new(Level::Raid0, 4).unwrap();
    let disk = flat();
    let steps = steps(&disk, &[(64, 780.0), (4, 760.0), (1, 200.0)], Runs::Single);
    let points = scaling(array, RANDOM_READ, &disk, &steps).points;
    let points: Vec<(u16, Option<f64>)> =
        points.iter().map(|point| (point.depth.get(), point.share)).collect();
    // One disk at depth 16 was measured, so 64 over four members is known.
    assert_eq!(points, [(1, Some(1.0)), (4, Some(0.95)), (64, Some(0.975))]);
}

/// Four stripes on flat disks, read at random.
fn four_stripes<'a>(measured: &'a [(u64, f64)], runs: Runs, said: &'a [&'a str]) -> Case<'a> {
    let array = (Level::Raid0, 4);
    Case { array, load: RANDOM_READ, disk: flat(), measured, runs, said }
}

#[test]
fn stripes_are_asked_whether_they_scale_and_from_where() {
    check(&four_stripes(
        &[(1, 201.0), (2, 320.0), (4, 457.0), (32, 760.0)],
        Runs::Repeated,
        &[
            "scales with its members: 3.80 (3.72 to 3.88) × one disk's figure at queue depth 32, \
             95 % of what 4 disks could give",
            "starts to be more than one disk: 1.60 (1.57 to 1.63) × one disk's figure at queue \
             depth 2",
        ],
    ));
    check(&four_stripes(
        &[(1, 201.0), (4, 214.0), (32, 300.0)],
        Runs::Single,
        &[
            "scales in part: 1.50 × one disk's figure at queue depth 32, 38 % of what 4 disks \
             could give; of single runs, where only 10 % and more counts",
            "starts to be more than one disk: 1.50 × one disk's figure at queue depth 32; of \
             single runs, where only 10 % and more counts",
        ],
    ));
    check(&four_stripes(
        &[(1, 199.0), (32, 203.0)],
        Runs::Repeated,
        &[
            "not shown to scale: 1.01 (0.99 to 1.04) × one disk's figure at queue depth 32, 25 % \
             of what 4 disks could give",
            "is shown to be more than one disk at no queue depth measured",
        ],
    ));
    check(&four_stripes(
        &[],
        Runs::Repeated,
        &[
            "whether it scales can't be said: one disk was not measured at the queue depths that \
             its members have",
            "is shown to be more than one disk at no queue depth measured",
        ],
    ));
}

#[test]
fn stripes_are_judged_by_what_their_disks_could_give() {
    // At this depth one disk is not the limit.
    check(&Case {
        disk: curve(&[(1, 100.0), (2, 200.0), (4, 400.0)]),
        ..four_stripes(
            &[(1, 100.0), (4, 400.0)],
            Runs::Repeated,
            &[
                "nothing to gain at queue depth 4: 4 disks could give 1.00 × one disk's figure, \
                 and it gave 1.00 (0.98 to 1.02)",
                "is shown to be more than one disk at no queue depth measured",
            ],
        )
    });
    // The review's streams: one depth, 54 MB/s of one disk and 215 of four.
    check(&Case {
        load: SEQUENTIAL_READ,
        disk: curve(&[(4, 54.0)]),
        ..four_stripes(
            &[(4, 215.0)],
            Runs::Single,
            &[
                "scales with its members: 3.98 × one disk's figure at queue depth 4, 100 % of \
                 what 4 disks could give; of single runs, where only 10 % and more counts",
                "starts to be more than one disk: 3.98 × one disk's figure at queue depth 4; of \
                 single runs, where only 10 % and more counts",
            ],
        )
    });
}

#[test]
fn mirrors_are_asked_whether_they_alternate_reads() {
    let case = |array, measured, said| Case {
        array,
        load: RANDOM_READ,
        disk: flat(),
        measured,
        runs: Runs::Repeated,
        said,
    };
    let pair = (Level::Raid1, 2);
    check(&case(
        pair,
        &[(1, 201.0), (2, 267.0), (32, 390.0)],
        &["alternates reads: 1.95 (1.91 to 1.99) × one disk's figure at queue depth 32"],
    ));
    // Faster at depth 1 is something else than alternation.
    check(&case(
        pair,
        &[(1, 250.0), (2, 198.0), (32, 203.0)],
        &["no sign that it alternates reads: 1.01 (0.99 to 1.04) × one disk's figure at queue \
             depth 32"],
    ));
    let unknown = ["whether it alternates reads can't be said: there are no random reads at a \
                   queue depth of 2 or more at which one copy is the limit"];
    check(&case(pair, &[(1, 200.0)], &unknown));
    check(&Case {
        disk: curve(&[(1, 100.0), (2, 200.0), (4, 400.0)]),
        ..case(pair, &[(1, 100.0), (2, 200.0), (4, 400.0)], &unknown)
    });
    check(&Case {
        load: SEQUENTIAL_READ,
        ..case(
            pair,
            &[(4, 400.0)],
            &["sequential reads don't show whether it alternates: random ones would"],
        )
    });
    // A mirror of two stripes that reads one copy is a stripe of two; one that reads both is more.
    let four = (Level::Raid10, 4);
    check(&case(
        four,
        &[(2, 267.0), (32, 394.0)],
        &[
            "scales in part: 1.97 (1.93 to 2.01) × one disk's figure at queue depth 32, 49 % of \
             what 4 disks could give",
            "starts to be more than one disk: 1.33 (1.31 to 1.36) × one disk's figure at queue \
             depth 2",
            "no sign that it alternates reads: 0.98 (0.97 to 1.00) × what 2 disks could give at \
             queue depth 32",
        ],
    ));
    check(&case(
        four,
        &[(32, 760.0)],
        &[
            "scales with its members: 3.80 (3.72 to 3.88) × one disk's figure at queue depth 32, \
             95 % of what 4 disks could give",
            "starts to be more than one disk: 3.80 (3.72 to 3.88) × one disk's figure at queue \
             depth 32",
            "alternates reads: 1.90 (1.86 to 1.94) × what 2 disks could give at queue depth 32",
        ],
    ));
}

#[test]
fn mirrors_are_asked_what_writes_cost() {
    let case = |array, measured, runs, said| Case {
        array,
        load: RANDOM_WRITE,
        disk: flat(),
        measured,
        runs,
        said,
    };
    let pair = (Level::Raid1, 2);
    check(&case(
        pair,
        &[(1, 180.0), (32, 198.0)],
        Runs::Repeated,
        &["writes cost: they reach 0.90 (0.88 to 0.92) × one disk's figure at queue depth 1, \
             0.99 (0.97 to 1.01) at 32"],
    ));
    check(&case(
        pair,
        &[(1, 199.0)],
        Runs::Repeated,
        &["writes are not shown to cost: they reach 0.99 (0.98 to 1.01) × one disk's figure at \
             queue depth 1"],
    ));
    check(&case(
        pair,
        &[(1, 188.0)],
        Runs::Single,
        &["writes are not shown to cost: they reach 0.94 × one disk's figure at queue depth 1; \
             of single runs, where only 10 % and more counts"],
    ));
    check(&case(
        (Level::Raid10, 4),
        &[(32, 380.0)],
        Runs::Repeated,
        &[
            "scales with its members: 1.90 (1.86 to 1.94) × one disk's figure at queue depth 32, \
             95 % of what 4 disks could give",
            "starts to be more than one disk: 1.90 (1.86 to 1.94) × one disk's figure at queue \
             depth 32",
            "writes reach 0.95 (0.93 to 0.97) × what 2 disks could give at queue depth 32",
        ],
    ));
    // Nothing beside one disk's figures, nothing said.
    check(&case(pair, &[(64, 200.0)], Runs::Repeated, &[]));
}
