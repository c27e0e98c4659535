//! What a comparison finds and what it invents: seeded reviews with planted differences, counted
//! two thousand at a time, and an article whose numbers can't carry its conclusion.

#![allow(clippy::unwrap_used, reason = "a test")]

use std::f64::consts::TAU;

use fathom::comparison::{Against, Analysis, Cell, Layout, Review, Series, Target, Word, compare};
use fathom::pattern::Scheme;
use fathom::rating::{over_repeats, rate};
use fathom::stats::standard_deviation;
use fathom::unit::QueueDepth;
use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::{Rng, SeedableRng};

/// How many comparisons each probability is counted over.
const REVIEWS: u32 = 2000;

/// Normal noise, by Box and Muller.
struct Noise(Xoshiro256PlusPlus);

impl Noise {
    fn new(seed: u64) -> Self {
        Self(Xoshiro256PlusPlus::seed_from_u64(seed))
    }

    /// Above 0 and at most 1.
    fn unit(&mut self) -> f64 {
        ((self.0.next_u64() >> 11) + 1) as f64 / (1_u64 << 53) as f64
    }

    fn normal(&mut self) -> f64 {
        (-2.0 * self.unit().ln()).sqrt() * (TAU * self.unit()).cos()
    }

    fn first(&mut self) -> bool {
        self.unit() <= 0.5
    }
}

/// What is planted.
#[derive(Clone, Copy)]
struct Planted {
    repeats: u32,
    /// How much faster the target is, 0.03 for 3 %.
    difference: f64,
    /// The relative deviation of a run.
    noise: f64,
    /// How much slower everything becomes from the first run to the last.
    drift: f64,
}

impl Planted {
    /// Both targets in each repeat, in an order that is drawn.
    fn cell(self, noise: &mut Noise) -> Cell {
        let mut baseline = Vec::new();
        let mut target = Vec::new();
        for repeat in 0..self.repeats {
            let mut places = [2 * repeat, 2 * repeat + 1];
            if noise.first() {
                places.reverse();
            }
            baseline.push((repeat + 1, self.run(places[0], 1.0, noise)));
            target.push((repeat + 1, self.run(places[1], 1.0 + self.difference, noise)));
        }
        cell("pattern", baseline.into_iter().collect(), target.into_iter().collect())
    }

    fn run(self, place: u32, factor: f64, noise: &mut Noise) -> f64 {
        let progress = f64::from(place) / f64::from(2 * self.repeats - 1);
        let drift = (-self.drift * progress).exp();
        10_000.0 * factor * drift * (1.0 + self.noise * noise.normal())
    }

    /// In how many of all comparisons a difference is called one.
    fn called(self, layout: Layout) -> f64 {
        let analysis = Analysis::fixed(self.repeats, layout);
        let mut noise = Noise::new(1);
        let called = (0..REVIEWS).filter(|_| {
            let answer = compare(&review(analysis, vec![self.cell(&mut noise)]));
            let word = answer.patterns[0].1[0].word;
            let called = matches!(word, Word::Faster | Word::Slower);
            // A single cell is its pattern.
            assert_eq!(answer.cells[0][0].word.is_some(), called);
            called
        });
        called.count() as f64 / f64::from(REVIEWS)
    }
}

fn depth(depth: u64) -> QueueDepth {
    depth.try_into().unwrap()
}

fn cell(pattern: &str, baseline: Series, target: Series) -> Cell {
    Cell { pattern: pattern.to_owned(), label: "1".to_owned(), baseline, targets: vec![target] }
}

fn review(analysis: Analysis, cells: Vec<Cell>) -> Review {
    let targets = vec![Target { name: "other".to_owned(), analysis }];
    Review { baseline: "baseline".to_owned(), targets, cells }
}

/// Whether a share of two thousand is a probability, within three standard errors.
fn is_about(share: f64, probability: f64) -> bool {
    let error = (probability * (1.0 - probability) / f64::from(REVIEWS)).sqrt();
    (share - probability).abs() <= 3.0 * error
}

#[test]
fn differences_are_found_as_often_as_they_should_be() {
    let cases = [
        (3, 0.0, 0.05),
        (3, 0.03, 0.15),
        (3, 0.1, 0.83),
        (5, 0.0, 0.05),
        (5, 0.03, 0.28),
        (5, 0.1, 0.99),
    ];
    for (repeats, difference, probability) in cases {
        let planted = Planted { repeats, difference, noise: 0.03, drift: 0.0 };
        let share = planted.called(Layout::Apart);
        assert!(is_about(share, probability), "{repeats} × {difference}: {share}");
    }
}

#[test]
fn pairs_see_through_what_drifts() {
    let planted = Planted { repeats: 5, difference: 0.05, noise: 0.02, drift: 0.1 };
    let [paired, unpaired] = [Layout::Interleaved, Layout::Apart].map(|l| planted.called(l));
    assert!(is_about(paired, 0.76), "{paired}");
    assert!(is_about(unpaired, 0.28), "{unpaired}");
    // Without a difference, what drifts invents none.
    let equal = Planted { difference: 0.0, ..planted }.called(Layout::Interleaved);
    assert!(equal < 0.065, "{equal}");
}

#[test]
fn many_equal_cells_are_left_without_words() {
    let planted = Planted { repeats: 5, difference: 0.0, noise: 0.03, drift: 0.0 };
    let mut noise = Noise::new(2008);
    let [mut naive, mut said] = [0_u32; 2];
    for _ in 0..REVIEWS {
        let cells = (0..36).map(|_| planted.cell(&mut noise)).collect();
        let answer = compare(&review(Analysis::Paired, cells));
        let outside = |against: &Against| against.ratio.unwrap().interval.unwrap().p < 0.05;
        let mut all = answer.cells.iter().flatten();
        naive += u32::from(all.clone().any(outside));
        said += u32::from(all.any(|against| against.word.is_some()));
    }
    let [naive, said] = [naive, said].map(|count| f64::from(count) / f64::from(REVIEWS));
    assert!(is_about(naive, 0.85), "{naive}");
    assert!(said <= 0.05 || is_about(said, 0.05), "{said}");
}

#[test]
fn a_rating_s_interval_holds_the_truth_as_often_as_it_says() {
    // A repeat that is fast is fast at all of its depths, and each depth has noise of its own.
    const DEPTHS: usize = 9;
    let mut noise = Noise::new(2003);
    let [mut per_repeat, mut by_depth] = [0_u32; 2];
    for _ in 0..REVIEWS {
        let repeats: Vec<Vec<f64>> = (0..5)
            .map(|_| {
                let common = 0.02 * noise.normal();
                (0..DEPTHS).map(|_| 1.0 + common + 0.03 * noise.normal()).collect()
            })
            .collect();
        let rated = repeats.iter().map(|iops| {
            let sweep = (1..).map(depth).zip(iops.iter().copied().map(Some)).collect::<Vec<_>>();
            rate(&Scheme::Mean, &sweep)
        });
        let rating = over_repeats(&rated.collect::<Vec<_>>()).unwrap();
        per_repeat += u32::from((rating.value - 1.0).abs() <= rating.error.unwrap());
        let variances = (0..DEPTHS).map(|depth| {
            let column: Vec<f64> = repeats.iter().map(|depths| depths[depth]).collect();
            standard_deviation(&column).unwrap().powi(2) / 5.0
        });
        let summed = 1.96 * variances.sum::<f64>().sqrt() / DEPTHS as f64;
        by_depth += u32::from((rating.value - 1.0).abs() <= summed);
    }
    let [per_repeat, by_depth] =
        [per_repeat, by_depth].map(|count| f64::from(count) / f64::from(REVIEWS));
    assert!(is_about(per_repeat, 0.95), "{per_repeat}");
    assert!(by_depth < 0.84, "{by_depth}");
}

/// Two controllers, one run each, from an article on cheap SATA cards: K/s of five tests, and seeks
/// a second. It concludes "slightly better".
#[test]
fn two_single_runs_do_not_carry_slightly_better() {
    let tests = ["putc", "write", "rewrite", "getc", "read", "seeks"];
    let built_in = [41_739.0, 63_675.0, 34_572.0, 47_792.0, 79_044.0, 220.0];
    let add_on = [41_310.0, 64_334.0, 34_373.0, 46_819.0, 79_255.0, 235.4];
    let once = |value: f64| [(1, value)].into_iter().collect::<Series>();
    let cells = tests
        .iter()
        .zip(built_in.into_iter().zip(add_on))
        .map(|(test, (baseline, target))| cell(test, once(baseline), once(target)))
        .collect();
    let answer = compare(&review(Analysis::fixed(1, Layout::Apart), cells));
    let percent: Vec<String> = answer
        .cells
        .iter()
        .map(|cell| format!("{:+.1}", 100.0 * (cell[0].ratio.unwrap().value - 1.0)))
        .collect();
    assert_eq!(percent, ["-1.0", "+1.0", "-0.6", "-2.0", "+0.3", "+7.0"]);
    assert!(answer.cells.iter().all(|cell| cell[0].word.is_none()));
    let summaries = answer.patterns.iter().map(|(_, targets)| &targets[0]).chain(&answer.overall);
    for summary in summaries {
        assert_eq!(summary.word, Word::OneRun);
        assert_eq!(summary.ratio.unwrap().interval, None);
    }
}
