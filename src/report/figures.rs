//! The figures of a run that every format shows: computed here once, from raw counts.
//!
//! No format computes a rate, a depth or a rating of its own, so that no two can differ. What
//! can't be known is `None`, never zero. Tested through the formats.

use std::collections::BTreeMap;
use std::time::Duration;

use crate::measure::{Direction, Latencies, Percentile, Verdict, per_second};
use crate::pattern::{Scheme, Setting};
use crate::plan::{self, Cell, Repeats};
use crate::rating::{Rating, Undefined, rate};
use crate::record::{Point, Run, RunPattern, RunTarget};
use crate::stats::Step;
use crate::unit::{Iops, Latency, Op, QueueDepth, Throughput};

/// The points of one pattern on one target, with what they amount to.
#[derive(Debug)]
pub(super) struct Sweep<'a> {
    pub(super) pattern: &'a RunPattern,
    pub(super) target: &'a RunTarget,
    /// By repeat, then by the axes, depth by depth.
    pub(super) points: Vec<Figures<'a>>,
    /// One for each repeat and each setting of the other axes; none where the pattern has no
    /// scheme.
    pub(super) ratings: Vec<Rated<'a>>,
    /// Where repeats were made by a rule: what it says of each setting, after how many. It looks
    /// at all targets.
    pub(super) stops: Vec<(Setting, u32, Step)>,
}

/// A sweep as one figure.
#[derive(Debug)]
pub(super) struct Rated<'a> {
    pub(super) scheme: &'a Scheme,
    pub(super) repeat: u32,
    /// Its place on the other axes; the depth means nothing here.
    pub(super) setting: Setting,
    pub(super) rating: Result<Rating, Undefined>,
}

/// The figures of one point.
#[derive(Debug)]
pub(super) struct Figures<'a> {
    pub(super) point: &'a Point,
    pub(super) verdict: Verdict,
    pub(super) all: Rates,
    pub(super) read: Rates,
    pub(super) write: Rates,
    pub(super) achieved: Achieved,
    pub(super) cpu: Option<Cpu>,
}

/// What moved in a second, and how long it took.
#[derive(Debug)]
pub(super) struct Rates {
    pub(super) iops: Iops,
    pub(super) throughput: Throughput,
    pub(super) latency: Spread,
}

/// How latencies are spread; `None` where there are none, or too few to say.
#[derive(Debug)]
pub(super) struct Spread {
    pub(super) min: Option<Latency>,
    pub(super) mean: Option<Latency>,
    pub(super) stddev: Option<Latency>,
    /// In the order of [`Percentile::ALL`].
    pub(super) percentiles: [Option<Latency>; 5],
    pub(super) max: Option<Latency>,
}

/// What was reached, to stand beside what was asked.
#[derive(Debug)]
pub(super) struct Achieved {
    /// Requests in flight as the tool held them.
    pub(super) depth: f64,
    /// Requests in flight at the device, by the kernel's count.
    pub(super) device_depth: Option<f64>,
    pub(super) read_percent: Option<f64>,
    pub(super) random_percent: Option<f64>,
    pub(super) mean_size: Option<f64>,
    /// Bytes that the target's device moved in the run time.
    pub(super) device_bytes: Option<u64>,
}

/// What the processors paid for the run time.
#[derive(Debug)]
pub(super) struct Cpu {
    pub(super) user: Duration,
    pub(super) system: Duration,
    /// Of the machine, where 100 is all processors.
    pub(super) machine_busy_percent: Option<f64>,
}

impl<'a> Sweep<'a> {
    /// The points of each repeat.
    pub(super) fn repeats(&self) -> impl Iterator<Item = &[Figures<'a>]> {
        self.points.chunk_by(|a, b| a.point.point.repeat == b.point.point.repeat)
    }

    /// The depths that a table shows where it has no room for all.
    pub(super) fn shown_depths(&self) -> Vec<QueueDepth> {
        let depths = &self.pattern.axes.queue_depths;
        let shown = |depth: &&QueueDepth| self.pattern.pattern.shown_depths.contains(depth);
        let shown: Vec<QueueDepth> = depths.iter().filter(shown).copied().collect();
        if shown.is_empty() { depths.clone() } else { shown }
    }
}

/// Every pattern on every target that has points, in the order of the run.
pub(super) fn sweeps(run: &Run) -> Vec<Sweep<'_>> {
    let targets = 0..run.header.targets.len();
    let patterns = 0..run.header.patterns.len();
    let pairs = patterns.flat_map(|pattern| targets.clone().map(move |target| (pattern, target)));
    let stops = match run.header.review.repeats {
        Repeats::Rule(rule) => plan::stops(rule, &run.measured()),
        Repeats::Fixed(_) => BTreeMap::new(),
    };
    let sweeps = pairs.map(|pair| sweep(run, pair, &stops));
    sweeps.filter(|sweep| !sweep.points.is_empty()).collect()
}

/// One pattern on one target.
fn sweep<'a>(
    run: &'a Run,
    place: (usize, usize),
    stops: &BTreeMap<Cell, (u32, Step)>,
) -> Sweep<'a> {
    let (pattern, target) = (&run.header.patterns[place.0], &run.header.targets[place.1]);
    let here = |point: &&Point| (point.point.pattern, point.point.target) == place;
    let mut points: Vec<Figures<'_>> = run.points.iter().filter(here).map(Figures::of).collect();
    points.sort_by_key(|figures| {
        let Setting { transfer_size, queue_depth, .. } = figures.setting();
        // The share as its axis counts it: where writes are swept, they rise.
        let share = pattern.axes.share(figures.setting());
        let place = figures.point.point;
        (place.repeat, share, transfer_size, queue_depth, place.index)
    });
    let ratings = ratings(pattern, &points);
    let of_pattern = pattern.axes.settings().into_iter().filter_map(|setting| {
        let (repeats, step) = stops.get(&(place.0, setting))?;
        Some((setting, *repeats, *step))
    });
    Sweep { pattern, target, points, ratings, stops: of_pattern.collect() }
}

fn ratings<'a>(run: &'a RunPattern, points: &[Figures<'_>]) -> Vec<Rated<'a>> {
    let Some(scheme) = &run.pattern.rating else { return Vec::new() };
    let mut repeats: Vec<u32> = points.iter().map(|figures| figures.point.point.repeat).collect();
    repeats.dedup();
    let mut places = run.axes.settings();
    places.dedup_by_key(|setting| (setting.read, setting.transfer_size));
    let rated = |repeat, setting| {
        let depths = run.axes.queue_depths.iter();
        let series: Vec<_> = depths
            .map(|depth| {
                let setting = Setting { queue_depth: *depth, ..setting };
                (*depth, believed(points, repeat, setting))
            })
            .collect();
        Rated { scheme, repeat, setting, rating: rate(scheme, &series) }
    };
    let all = |repeat| places.iter().map(move |setting| (repeat, *setting));
    repeats.into_iter().flat_map(all).map(|(repeat, setting)| rated(repeat, setting)).collect()
}

/// IOPS of a point that is not void and ran to its end.
fn believed(points: &[Figures<'_>], repeat: u32, setting: Setting) -> Option<f64> {
    let here = |figures: &&Figures<'_>| {
        let place = figures.point.point;
        (place.repeat, place.setting) == (repeat, setting)
    };
    points.iter().find(here)?.point.believed().map(|iops| iops.0)
}

impl<'a> Figures<'a> {
    /// The figures of a point.
    pub(super) fn of(point: &'a Point) -> Self {
        let measured = &point.measurement;
        let time = point.run_time;
        let one = |op: Op| Rates::of(measured.direction(op), time);
        Self {
            point,
            verdict: point.verdict(),
            all: Rates {
                iops: measured.iops(time),
                throughput: measured.throughput(time),
                latency: Spread::of(&measured.latencies()),
            },
            read: one(Op::Read),
            write: one(Op::Write),
            achieved: Achieved::of(point),
            cpu: Cpu::of(point),
        }
    }

    /// Its place on the axes.
    pub(super) fn setting(&self) -> Setting {
        self.point.point.setting
    }

    /// Both directions, then each.
    pub(super) fn directions(&self) -> [(&'static str, &Rates); 3] {
        [("all", &self.all), ("read", &self.read), ("write", &self.write)]
    }
}

impl Rates {
    fn of(direction: &Direction, time: Duration) -> Self {
        Self {
            iops: Iops(per_second(direction.ios, time)),
            throughput: Throughput(per_second(direction.bytes, time)),
            latency: Spread::of(&direction.latencies),
        }
    }
}

impl Spread {
    pub(super) fn of(latencies: &Latencies) -> Self {
        Self {
            min: latencies.min(),
            mean: latencies.mean(),
            stddev: latencies.stddev(),
            percentiles: Percentile::ALL.map(|percentile| latencies.percentile(percentile)),
            max: latencies.max(),
        }
    }

    /// One of the percentiles.
    pub(super) fn percentile(&self, percentile: Percentile) -> Option<Latency> {
        self.percentiles[percentile as usize]
    }
}

impl Achieved {
    fn of(point: &Point) -> Self {
        let measured = &point.measurement;
        let around = point.run_samples();
        let counted =
            around.and_then(|(start, end)| Some((end.counted(start)?, end.elapsed(start))));
        let counted = counted.as_ref();
        Self {
            depth: measured.mean_depth(point.run_time),
            device_depth: counted.and_then(|(grown, elapsed)| grown.device_depth(*elapsed)),
            read_percent: measured.mix.read_percent(),
            random_percent: measured.mix.random_percent(),
            mean_size: measured.mean_size(),
            device_bytes: counted.map(|(grown, _)| grown.reached().bytes().get()),
        }
    }
}

impl Cpu {
    fn of(point: &Point) -> Option<Self> {
        let (start, end) = point.run_samples()?;
        let used = end.process.since(&start.process);
        let busy = end.machine.as_ref().zip(start.machine.as_ref());
        let busy = busy.and_then(|(end, start)| end.busy_since(start));
        Some(Self {
            user: used.user,
            system: used.system,
            machine_busy_percent: busy.map(|busy| busy.machine_percent),
        })
    }
}
