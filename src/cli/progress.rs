//! What a run shows while it runs, on standard error: a bar on a terminal, plain lines elsewhere.
//!
//! It shows and decides nothing. A bar is taken away when its work is done, so that what stays on
//! the screen are results. Tested by hand in a terminal, and by the command lines in tests/cli
//! without one.

use std::io::IsTerminal;
use std::time::Duration;

use indicatif::{ProgressBar, ProgressStyle};

use super::screen;
use crate::dispatch::Live;
use crate::plan::{Plan, Point, TargetName};
use crate::record;
use crate::unit::{Bytes, Iops, Latency, Throughput, show_duration};

/// Steps of a bar: fine enough for any width.
const STEPS: u64 = 1_000;

/// A bar while a file is filled.
pub(super) struct Layout {
    bar: ProgressBar,
}

impl Layout {
    /// A bar for `size` bytes.
    pub(super) fn new(target: &TargetName, size: Bytes) -> Self {
        if !std::io::stderr().is_terminal() {
            screen::note(&format!("{target}: filling {size} with incompressible data"));
        }
        let bar = ProgressBar::new(size.get());
        let style = ProgressStyle::with_template(
            "{msg} {bar:20} {binary_bytes}/{binary_total_bytes} {binary_bytes_per_sec} {eta} left",
        );
        bar.set_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()));
        bar.set_message(format!("filling {target}"));
        Self { bar }
    }

    /// Shows how much is done.
    pub(super) fn show(&self, done: Bytes) {
        self.bar.set_position(done.get());
    }

    /// Takes the bar away.
    pub(super) fn finish(&self) {
        self.bar.finish_and_clear();
    }
}

/// The progress of a run.
pub(super) struct Progress<'a> {
    plan: &'a Plan,
    points: usize,
    bar: ProgressBar,
    /// Time that the points before the running one take.
    passed: Duration,
    last: Live,
    terminal: bool,
}

impl<'a> Progress<'a> {
    /// Progress over the points of a plan.
    pub(super) fn new(plan: &'a Plan, points: usize) -> Self {
        let bar = ProgressBar::new(STEPS);
        let style = ProgressStyle::with_template("{bar:10} {wide_msg}");
        bar.set_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()));
        let terminal = std::io::stderr().is_terminal();
        Self { plan, points, bar, passed: Duration::ZERO, last: Live::default(), terminal }
    }

    /// A point begins.
    pub(super) fn begin(&mut self, point: &Point) {
        self.last = Live::default();
        self.bar.set_message(self.place(point));
    }

    /// Shows the live figures of the running point.
    pub(super) fn show(&mut self, point: &Point, live: Live) {
        let time =
            Duration::from_nanos(live.elapsed_ns - self.last.elapsed_ns.min(live.elapsed_ns));
        if time.is_zero() {
            return;
        }
        let seconds = time.as_secs_f64();
        let ios = live.ios.saturating_sub(self.last.ios);
        let bytes = live.bytes.saturating_sub(self.last.bytes);
        let latency = live.latency_ns.saturating_sub(self.last.latency_ns).checked_div(ios);
        self.last = live;
        let all = self.plan.duration();
        let passed = self.passed + Duration::from_nanos(live.elapsed_ns).min(self.length(point));
        if !all.is_zero() {
            let steps = u128::from(STEPS) * passed.as_nanos() / all.as_nanos();
            self.bar.set_position(u64::try_from(steps).unwrap_or(STEPS));
        }
        let errors =
            if live.errors > 0 { format!(", {} errors", live.errors) } else { String::new() };
        self.bar.set_message(format!(
            "{}: {} IOPS, {}, {} left{errors}, {}",
            self.place(point),
            Iops(ios as f64 / seconds),
            Throughput(bytes as f64 / seconds),
            show_duration(Duration::from_secs(all.saturating_sub(passed).as_secs())),
            // Last, since a narrow terminal cuts the end.
            Latency(latency.unwrap_or(0)),
        ));
    }

    /// A point has ended: without a terminal, a line says what it came to.
    pub(super) fn end(&mut self, point: &Point, result: &record::Point) {
        self.passed += self.length(point);
        if self.terminal {
            return;
        }
        let measurement = &result.measurement;
        let mean = measurement.mean_latency().map_or("-".to_owned(), |mean| mean.to_string());
        let marks: String = result.marks.iter().map(|mark| mark.rule.letter()).collect();
        screen::note(&format!(
            "{}: {} IOPS, {}, mean {mean}{}{marks}",
            self.place(point),
            measurement.iops(result.run_time),
            measurement.throughput(result.run_time),
            if marks.is_empty() { "" } else { ", marks " },
        ));
    }

    /// Says something without tearing the bar.
    pub(super) fn note(&self, text: &str) {
        self.bar.suspend(|| screen::note(text));
    }

    /// Takes the bar away.
    pub(super) fn finish(&self) {
        self.bar.finish_and_clear();
    }

    /// `[3/9] file-server on sda, depth 4`
    fn place(&self, point: &Point) -> String {
        format!(
            "[{}/{}] {} on {}, {}",
            point.index + 1,
            self.points,
            self.plan.patterns[point.pattern].name,
            self.plan.targets[point.target].name,
            self.plan.axes[point.pattern].show(point.setting)
        )
    }

    fn length(&self, point: &Point) -> Duration {
        if self.plan.targets[point.target].spec.is_simulated() {
            return Duration::ZERO;
        }
        let phases = self.plan.phases[point.target];
        phases.ramp_up + phases.run_time
    }
}
