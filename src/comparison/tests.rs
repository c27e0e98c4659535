//! Cases of ratios, words and summaries. Golden values are `SciPy`'s, on logarithms.

use proptest::prelude::*;

use super::*;

const BASELINE: [f64; 5] = [98.0, 101.0, 103.0, 99.5, 104.25];
const TARGET: [f64; 5] = [100.0, 105.5, 102.0, 99.0, 107.0];

fn series(values: &[f64]) -> Series {
    (1..).zip(values.iter().copied()).collect()
}

fn close(ours: f64, golden: f64) -> bool {
    (ours - golden).abs() <= 1e-9 * golden.abs()
}

fn cell(pattern: &str, baseline: &[f64], target: &[f64]) -> Cell {
    Cell {
        pattern: pattern.to_owned(),
        label: String::new(),
        baseline: series(baseline),
        targets: vec![series(target)],
    }
}

fn review(analysis: Analysis, cells: Vec<Cell>) -> Review {
    let targets = vec![Target { name: "other".to_owned(), analysis }];
    Review { baseline: "baseline".to_owned(), targets, cells }
}

#[test]
fn the_plan_decides_how() {
    use Layout::{Apart, Interleaved};
    let cases = [
        (0, Interleaved, Analysis::Single),
        (1, Interleaved, Analysis::Single),
        (1, Apart, Analysis::Single),
        (2, Interleaved, Analysis::Unpaired),
        (3, Interleaved, Analysis::Unpaired),
        (4, Interleaved, Analysis::Paired),
        (20, Interleaved, Analysis::Paired),
        (4, Apart, Analysis::Unpaired),
    ];
    for (repeats, layout, analysis) in cases {
        assert_eq!(Analysis::fixed(repeats, layout), analysis, "{repeats} {layout:?}");
    }
}

#[test]
fn ratios_equal_scipy() {
    // x, y = np.log(baseline), np.log(target); r = ttest_ind(y, x) or ttest_rel(y, x)
    // i = r.confidence_interval(); np.exp([mean(y) - mean(x), i.low, i.high]), r.pvalue
    // permutation_test((x, y), …) or, in pairs, ((y - x,), np.mean, permutation_type="samples")
    use Analysis::{Paired, Unpaired};
    let cases = [
        (
            Unpaired,
            2,
            [0.904_568_288_523_303, 1.178_321_091_768_321_1, 0.408_236_138_359_482],
            None,
        ),
        (
            Unpaired,
            3,
            [0.959_706_482_817_178, 1.080_206_724_039_677_5, 0.445_381_408_475_286_84],
            None,
        ),
        (
            Unpaired,
            4,
            [0.969_676_182_132_499_2, 1.056_849_891_706_926, 0.512_252_097_217_271_5],
            Some(0.485_714_285_714_285_7),
        ),
        (
            Unpaired,
            5,
            [0.972_195_501_911_279_3, 1.059_940_548_651_017, 0.446_278_499_924_199_5],
            Some(0.428_571_428_571_428_55),
        ),
        (
            Paired,
            5,
            [0.987_456_559_495_314_4, 1.043_559_257_147_03, 0.206_037_125_821_239_2],
            Some(0.25),
        ),
    ];
    for (analysis, n, [low, high, p], chance) in cases {
        let ratio = analysis.ratio(&series(&BASELINE[..n]), &series(&TARGET[..n])).unwrap();
        let interval = ratio.interval.unwrap();
        assert!(close(ratio.value, f64::sqrt(low * high)), "{analysis:?} of {n}: {ratio:?}");
        assert!(close(interval.low, low) && close(interval.high, high), "{n}: {interval:?}");
        assert!(close(interval.p, p), "{analysis:?} of {n}: {interval:?}, not {p}");
        let ours = ratio.chance.map(|chance| chance.p);
        assert!(ours.zip(chance).is_none_or(|(ours, golden)| close(ours, golden)), "{ours:?}");
        assert_eq!(ours.is_some(), chance.is_some(), "{analysis:?} of {n}");
        assert_eq!(ratio.repeats, [n, n]);
    }
}

#[test]
fn one_run_has_a_ratio_and_no_verdict() {
    for analysis in [Analysis::Single, Analysis::Unpaired, Analysis::Paired] {
        let ratio = analysis.ratio(&series(&[100.0]), &series(&[107.0])).unwrap();
        assert!(close(ratio.value, 1.07), "{ratio:?}");
        assert_eq!((ratio.interval, ratio.chance), (None, None));
        assert_eq!(Word::of(Some(&ratio)), Word::OneRun);
    }
    // What was planned as a single run is not judged, whatever was found.
    let found = Analysis::Single.ratio(&series(&BASELINE), &series(&TARGET)).unwrap();
    assert_eq!(found.interval, None);
}

#[test]
fn what_is_missing_drops_out_in_pairs() {
    let drop = |repeats: &[(u32, f64)]| repeats.iter().copied().collect::<Series>();
    // Repeat 2 of one and repeat 4 of the other are void: zero and infinity count as void.
    let baseline = drop(&[(1, 100.0), (2, 0.0), (3, 100.0), (4, 100.0), (5, 100.0)]);
    let target = drop(&[(1, 110.0), (2, 500.0), (3, 110.0), (4, f64::INFINITY), (5, 110.0)]);
    let paired = Analysis::Paired.ratio(&baseline, &target).unwrap();
    assert!(close(paired.value, 1.1), "{paired:?}");
    assert_eq!((paired.repeats, paired.chance), ([3, 3], None));
    let unpaired = Analysis::Unpaired.ratio(&baseline, &target).unwrap();
    assert!(unpaired.value > 1.5, "{unpaired:?}");
    assert_eq!(unpaired.repeats, [4, 4]);
    // Nothing in common.
    let late = drop(&[(6, 100.0)]);
    assert_eq!(Analysis::Paired.ratio(&baseline, &late), None);
    assert_eq!(Analysis::Unpaired.ratio(&baseline, &Series::default()), None);
}

#[test]
fn words_for_intervals() {
    let ratio = |low: f64, high: f64| Ratio {
        value: (low * high).sqrt(),
        interval: Some(Interval { low, high, p: 0.5 }),
        repeats: [3, 3],
        chance: None,
    };
    let cases = [
        (Some(ratio(1.01, 1.2)), "faster"),
        (Some(ratio(0.8, 0.99)), "slower"),
        (Some(ratio(1.0 / 1.068, 1.068)), "no difference shown (would need ≥ 6.8 %)"),
        // A little more than 6.8 % is needed, and so it is not called enough.
        (Some(ratio(1.0 / 1.0681, 1.0681)), "no difference shown (would need ≥ 6.9 %)"),
        (Some(ratio(1.0, 1.21)), "no difference shown (would need ≥ 10.0 %)"),
        (Some(Ratio { interval: None, ..ratio(1.1, 1.2) }), "no verdict: one run has no error"),
        (None, "no verdict: nothing in common"),
    ];
    for (ratio, word) in cases {
        assert_eq!(Word::of(ratio.as_ref()).to_string(), word, "{ratio:?}");
    }
}

#[test]
fn a_cell_has_a_word_only_where_it_survives_all_others() {
    // p is 0.0058 for the first alone.
    let clear = || cell("a", &[98.0, 101.0, 103.0], &[110.0, 108.5, 112.0]);
    let equal = || cell("a", &[98.0, 101.0, 103.0], &[98.5, 101.5, 102.0]);
    let word = |others: usize| {
        let cells = std::iter::once(clear()).chain((0..others).map(|_| equal())).collect();
        let answer = compare(&review(Analysis::Unpaired, cells));
        assert!(answer.cells[1..].iter().all(|cell| cell[0].word.is_none()));
        answer.cells[0][0].word
    };
    assert_eq!(word(0), Some(Word::Faster));
    assert_eq!(word(6), Some(Word::Faster));
    assert_eq!(word(35), None);
}

#[test]
fn a_pattern_is_summed_up_within_repeats() {
    // Each repeat's ratio is √(2 × 0.5) = 1, though the cells scatter wildly.
    let cells = vec![
        cell("a", &[100.0, 150.0, 90.0], &[200.0, 300.0, 180.0]),
        cell("a", &[100.0, 150.0, 90.0], &[50.0, 75.0, 45.0]),
        cell("b", &[100.0, 100.0, 100.0], &[400.0, 400.0, 400.0]),
    ];
    let answer = compare(&review(Analysis::Unpaired, cells));
    let ratios: Vec<(&str, f64)> = answer
        .patterns
        .iter()
        .map(|(name, targets)| (name.as_str(), targets[0].ratio.unwrap().value))
        .collect();
    assert_eq!(ratios.len(), 2);
    assert!(ratios[0].0 == "a" && close(ratios[0].1, 1.0), "{ratios:?}");
    assert!(ratios[1].0 == "b" && close(ratios[1].1, 4.0), "{ratios:?}");
    assert_eq!(answer.patterns[1].1[0].word, Word::Faster);
    // Patterns weigh the same, with one cell or two.
    let overall = answer.overall[0].ratio.unwrap();
    assert!(close(overall.value, 2.0), "{overall:?}");
    assert_eq!((answer.overall[0].counted, answer.overall[0].of), (2, 2));
}

#[test]
fn a_summary_counts_what_is_whole() {
    let mut cells = vec![
        cell("a", &[100.0, 100.0, 100.0, 100.0], &[110.0, 111.0, 112.0, 110.0]),
        // The run was stopped in the last repeat.
        cell("a", &[100.0, 100.0, 100.0], &[110.0, 111.0, 112.0]),
        // The target never answered here.
        cell("a", &[100.0, 100.0, 100.0, 100.0], &[]),
    ];
    let summary = |cells: Vec<Cell>, analysis| {
        let answer = compare(&review(analysis, cells));
        assert!(answer.overall.is_empty());
        answer.patterns[0].1[0].clone()
    };
    for analysis in [Analysis::Unpaired, Analysis::Paired] {
        let summary = summary(cells.clone(), analysis);
        assert_eq!((summary.counted, summary.of), (2, 3), "{analysis:?}");
        assert_eq!(summary.ratio.unwrap().repeats, [3, 3], "{analysis:?}");
        assert_eq!(summary.word, Word::Faster, "{analysis:?}");
    }
    cells.drain(..2);
    let nothing = summary(cells, Analysis::Unpaired);
    assert_eq!((nothing.word, nothing.counted), (Word::Nothing, 0));
}

#[test]
fn a_target_that_was_not_measured_is_no_mistake() {
    let mut cells = vec![cell("a", &BASELINE, &TARGET)];
    cells[0].targets.clear();
    let answer = compare(&review(Analysis::Paired, cells));
    assert_eq!(answer.cells[0][0], Against { ratio: None, adjusted: None, word: None });
    assert_eq!(answer.patterns[0].1[0].word, Word::Nothing);
    assert!(compare(&review(Analysis::Paired, vec![])).patterns.is_empty());
}

fn values() -> impl Strategy<Value = Vec<f64>> {
    prop::collection::vec(1.0_f64..1e6, 2..7)
}

proptest! {
    #[test]
    fn the_other_way_round_is_the_reciprocal(baseline in values(), target in values()) {
        let (baseline, target) = (series(&baseline), series(&target));
        for analysis in [Analysis::Single, Analysis::Unpaired, Analysis::Paired] {
            let there = analysis.ratio(&baseline, &target).unwrap();
            let back = analysis.ratio(&target, &baseline).unwrap();
            prop_assert!(close(there.value, 1.0 / back.value));
            prop_assert_eq!(there.chance.map(|c| c.least), back.chance.map(|c| c.least));
            if let Some((there, back)) = there.interval.zip(back.interval) {
                prop_assert!((there.low.ln() + back.high.ln()).abs() < 1e-9);
                prop_assert!((there.p - back.p).abs() < 1e-12);
                // The interval and its probability are one statement.
                prop_assert_eq!(there.low > 1.0 || there.high < 1.0, there.p < 1.0 - CONFIDENCE);
            }
        }
    }

    #[test]
    fn the_unit_does_not_matter(baseline in values(), target in values(), unit in 1e-3_f64..1e3) {
        let scaled = |values: &[f64]| series(&values.iter().map(|v| v * unit).collect::<Vec<_>>());
        let ratio = Analysis::Unpaired.ratio(&series(&baseline), &series(&target)).unwrap();
        let other = Analysis::Unpaired.ratio(&scaled(&baseline), &scaled(&target)).unwrap();
        prop_assert!(close(ratio.value, other.value));
        prop_assert!((ratio.interval.unwrap().p - other.interval.unwrap().p).abs() < 1e-6);
    }
}
