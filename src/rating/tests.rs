//! The schemes against a real sweep, against their properties, and against holes in a sweep.
//!
//! The series are IOPS of one solid-state drive at depths 1 to 128, from Iometer 2008.06.18
//! (`SQLServerIO/IometerParser`, `iometeroutput.csv`); the ratings are regression vectors, as no
//! published pair of series and rating exists in text. Must never be "fixed" to what the code
//! says.

use std::collections::BTreeMap;

use proptest::prelude::*;

use super::*;

const RANDOM_READS_8K: [f64; 8] = [
    4_483.110_456,
    8_630.931_988,
    15_680.168_893,
    19_241.241_456,
    22_963.649_417,
    28_007.186_847,
    28_070.148_211,
    28_068.766_545,
];
const RANDOM_WRITES_64K: [f64; 8] = [
    587.503_356,
    980.326_274,
    1_820.157_581,
    2_666.369_191,
    3_078.618_497,
    3_122.179_689,
    3_136.415_509,
    3_131.928_899,
];

fn depth(depth: u64) -> QueueDepth {
    depth.try_into().unwrap()
}

fn preset(id: &str) -> Scheme {
    Scheme::Preset(id.to_owned())
}

/// Figures at depths 1, 2, 4 …
fn doubling(figures: &[f64]) -> Vec<(QueueDepth, Option<f64>)> {
    (0..).map(|i| depth(1 << i)).zip(figures.iter().copied().map(Some)).collect()
}

#[test]
fn regression_vectors_hold_to_the_last_digit() {
    let up_to = |deepest| Scheme::InverseDepth { up_to: depth(deepest) };
    let cases = [
        (preset("xbit-ws6"), ["17434.226533", "2155.983808"]),
        (up_to(32), ["17434.226533", "2155.983808"]),
        (preset("xbit-ws5"), ["16559.001944", "2058.415693"]),
        (up_to(16), ["16559.001944", "2058.415693"]),
        (preset("xbit-2008-ws"), ["33108.786397", "4136.352775"]),
        (preset("xbit-2003-web"), ["46069.381871", "5747.377972"]),
        (preset("xbit-mean"), ["19393.150477", "2315.437374"]),
        (Scheme::Mean, ["19393.150477", "2315.437374"]),
    ];
    for (scheme, expected) in cases {
        for (series, expected) in [RANDOM_READS_8K, RANDOM_WRITES_64K].iter().zip(expected) {
            let rating = rate(&scheme, &doubling(series)).unwrap();
            assert_eq!(format!("{:.6}", rating.value), expected, "{scheme:?}");
            assert_eq!(rating.depths.len(), rating.weights.len());
        }
    }
}

#[test]
fn formulas_read_as_they_were_published() {
    let series: Vec<_> = [1, 2, 4, 8, 16, 32, 64, 128, 256].map(|q| (depth(q), Some(1.0))).into();
    let weights = BTreeMap::from([(depth(1), 1.0), (depth(4), 0.4), (depth(8), 0.25)]);
    let cases = [
        (preset("xbit-ws6"), "T(1) + T(2)/2 + T(4)/4 + T(8)/8 + T(16)/16 + T(32)/32"),
        (preset("xbit-2003-web"), "T(1) + T(2) + T(4) + T(8)/2 + T(16)/3"),
        (preset("xbit-2008-fs"), "T(1) + T(4)/2 + T(16)/4 + T(64)/6 + T(256)/8"),
        (preset("xbit-2008-web"), "T(1) + T(4) + T(16)/2 + T(64)/4 + T(256)/6"),
        (Scheme::Weights(weights), "T(1) + 0.4 T(4) + T(8)/4"),
        (Scheme::InverseDepth { up_to: depth(7) }, "T(1) + T(2)/2 + T(4)/4"),
        (Scheme::Mean, "(T(1) + T(2) + T(4) + T(8) + T(16) + T(32) + T(64) + T(128) + T(256))/9"),
    ];
    for (scheme, expected) in cases {
        assert_eq!(rate(&scheme, &series).unwrap().formula, expected);
    }
}

#[test]
fn a_missing_depth_makes_a_rating_undefined_and_is_named() {
    let mut series = doubling(&[100.0; 8]);
    series[2].1 = None;
    series[3].1 = Some(f64::NAN);
    series.remove(4);
    let cases = [
        (Scheme::Mean, "4, 8"),
        (preset("xbit-ws6"), "4, 8, 16"),
        (preset("xbit-2008-fs"), "4, 16, 256"),
        (Scheme::Weights(BTreeMap::from([(depth(3), 1.0)])), "3"),
        (Scheme::InverseDepth { up_to: depth(1024) }, "4, 8, 16, 256, 512, 1024"),
    ];
    for (scheme, expected) in cases {
        let undefined = rate(&scheme, &series).unwrap_err();
        let message = format!("undefined: no valid measurement at queue depth {expected}");
        assert_eq!(undefined.to_string(), message);
    }
    // A hole where nothing is counted is none of the scheme's business.
    assert!(rate(&Scheme::InverseDepth { up_to: depth(2) }, &series).is_ok());
}

#[test]
fn repeats_have_a_mean_and_its_error() {
    let repeat = |iops: f64| rate(&Scheme::Mean, &doubling(&[iops, iops]));
    let void = || rate(&Scheme::Mean, &[(depth(1), None)]);
    // a = np.array([98, 101, 103]); t.ppf(0.975, 2) * a.std(ddof=1) / np.sqrt(3)
    let rated = [repeat(98.0), repeat(101.0), void(), repeat(103.0)];
    let estimate = over_repeats(&rated).unwrap();
    assert_eq!(estimate.n, 3);
    assert!((estimate.value - 302.0 / 3.0).abs() < 1e-9, "{estimate:?}");
    assert!((estimate.error.unwrap() - 6.251_609_479_375_776).abs() < 1e-9, "{estimate:?}");
    assert_eq!(over_repeats(&[void()]), None);
    assert_eq!(over_repeats(&rated[..1]).unwrap().error, None);
}

#[test]
fn what_counts_nothing_is_undefined() {
    assert_eq!(rate(&Scheme::Mean, &[]), Err(Undefined::Empty));
    assert_eq!(rate(&Scheme::Weights(BTreeMap::new()), &[]), Err(Undefined::Empty));
    let unknown = rate(&preset("xbit-ws7"), &[]);
    assert_eq!(unknown, Err(Undefined::NoSuchPreset("xbit-ws7".to_owned())));
}

proptest! {
    #[test]
    fn a_flat_device_rates_the_sum_of_the_weights(c in 0.0..1e9_f64) {
        let series = doubling(&[c; 6]);
        for (scheme, sum) in
            [(preset("xbit-ws6"), 1.968_75), (preset("xbit-ws5"), 1.9375), (Scheme::Mean, 1.0)]
        {
            let rating = rate(&scheme, &series).unwrap();
            prop_assert!((rating.value - sum * c).abs() <= 1e-12 * c);
        }
    }

    #[test]
    fn every_depth_of_a_scaling_device_contributes_the_same(c in 0.0..1e9_f64) {
        let series = doubling(&[1.0, 2.0, 4.0, 8.0, 16.0, 32.0].map(|q| q * c));
        for (scheme, terms) in [(preset("xbit-ws6"), 6.0), (preset("xbit-ws5"), 5.0)] {
            let rating = rate(&scheme, &series).unwrap();
            prop_assert!((rating.value - terms * c).abs() <= 1e-12 * c);
        }
    }

    #[test]
    fn the_order_of_the_points_does_not_matter(
        figures in proptest::collection::vec(0.0..1e9, 8),
        turn in 0_usize..8,
    ) {
        let series = doubling(&figures);
        let mut turned = series.clone();
        turned.rotate_left(turn);
        for preset in pattern::presets().iter().filter(|preset| !preset.id.starts_with("xbit-2008-")) {
            let scheme = Scheme::Preset(preset.id.to_owned());
            prop_assert_eq!(rate(&scheme, &series), rate(&scheme, &turned));
        }
    }
}
