//! What is run, and the rows that come of it: each a figure, whom it is held against, and the bar.

use std::time::Duration;

use crate::figures::Metric;
use crate::load::{Load, Phases, Place, Trial};
use crate::ratio::Bar;
use crate::tool::Tool;
use crate::tool::fio::Setting::{Best, Plain};
use crate::tool::t_io_uring;

/// What is held to a bar.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Held {
    /// The ratio of fathom's figure to the other's.
    Ratio(Bar),
    /// fathom's figure itself.
    Own(Bar),
}

/// A row of the table.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Row {
    /// The trial, by its place in the plan.
    pub(crate) trial: usize,
    /// The figure.
    pub(crate) metric: Metric,
    /// Whose figure it is held against.
    pub(crate) against: Option<Tool>,
    /// What must be reached.
    pub(crate) bar: Option<Held>,
    /// What is wished for.
    pub(crate) aim: Option<Held>,
}

/// All trials with the tools that take part, and the rows.
#[derive(Debug, Default)]
pub(crate) struct Plan {
    /// In the order of running.
    pub(crate) trials: Vec<(Trial, Vec<Tool>)>,
    /// In the order of the table.
    pub(crate) rows: Vec<Row>,
}

/// Where a queue is deep: the device holds what a tool keeps there, and batches pay.
const DEEP: u16 = 16;

/// The most memory beside the buffers.
const MEMORY: Held = Held::Own(Bar::AtMost((24 << 20) as f64));

/// As many requests a second as the other, and an interval that can tell.
const KEEPS_UP: Held = Held::Ratio(Bar::NotBelow { floor: 0.97, half_width: 0.05 });

impl Plan {
    fn trial(&mut self, trial: Trial, tools: &[Tool]) -> usize {
        self.trials.push((trial, tools.to_vec()));
        self.trials.len() - 1
    }

    fn row(
        &mut self,
        (trial, metric): (usize, Metric),
        against: Option<Tool>,
        bars: [Option<Held>; 2],
    ) {
        let [bar, aim] = bars;
        self.rows.push(Row { trial, metric, against, bar, aim });
    }

    /// The null target: what a request costs the tool itself.
    pub(crate) fn null(&mut self, load: &Load, phases: Phases) {
        for (depth, bar, aim) in [(32, 10.0, 15.0), (1, 3.0, 4.0)] {
            let trial = Trial { load: load.clone(), place: Place::Null, depth, phases };
            let peers = [Tool::Fio(Best), Tool::Fio(Plain)];
            let index = self.trial(trial, &[Tool::Fathom, peers[0], peers[1]]);
            let bars = [bar, aim].map(|ratio| Some(Held::Ratio(Bar::AtLeast(ratio))));
            for peer in peers {
                self.row((index, Metric::Iops), Some(peer), bars);
            }
            if depth > 1 {
                self.row((index, Metric::Memory), None, [Some(MEMORY), None]);
            }
        }
    }

    /// A file in the page cache: what a request costs the program, beside the kernel.
    pub(crate) fn cached(&mut self, load: &Load, place: Place, phases: Phases) {
        let trial = Trial { load: load.clone(), place, depth: 32, phases };
        let peer = Tool::Fio(Best);
        let index = self.trial(trial, &[Tool::Fathom, peer]);
        let bars = [1.0 / 4.0, 1.0 / 6.0].map(|ratio| Some(Held::Ratio(Bar::AtMost(ratio))));
        self.row((index, Metric::UserTime), Some(peer), bars);
    }

    /// How soon a run of large requests is under way.
    pub(crate) fn start(&mut self, load: &Load, place: Place) {
        let phases = Phases { ramp_up: Duration::ZERO, run_time: Duration::from_millis(500) };
        let trial = Trial { load: load.clone(), place, depth: 32, phases };
        let peer = Tool::Fio(Best);
        let index = self.trial(trial, &[Tool::Fathom, peer]);
        self.row((index, Metric::Start), Some(peer), [Some(Held::Own(Bar::AtMost(50e6))), None]);
    }

    /// A file or device past the page cache, at each depth.
    pub(crate) fn direct(&mut self, trials: Vec<Trial>, with: Tools) {
        let first = self.trials.len();
        for trial in trials {
            let mut tools = vec![Tool::Fathom, Tool::Fio(Best), Tool::Fio(Plain)];
            if with == Tools::AndTIoUring && t_io_uring::can(&trial) {
                tools.push(Tool::TIoUring);
            }
            self.trial(trial, &tools);
        }
        let depths: Vec<(usize, u16)> = (first..)
            .zip(&self.trials[first..])
            .map(|(at, (trial, _))| (at, trial.depth))
            .collect();
        for &at in &depths {
            self.rates(at);
        }
        for &(at, _) in depths.iter().filter(|(_, depth)| *depth == 1) {
            self.median(at);
        }
        for &at in depths.iter().filter(|(_, depth)| *depth >= DEEP) {
            self.held(at);
        }
        if let Some(&(deepest, _)) = depths.iter().max_by_key(|(_, depth)| *depth) {
            self.row((deepest, Metric::Memory), None, [Some(MEMORY), None]);
        }
    }

    /// Requests a second, beside each tool that takes part.
    fn rates(&mut self, (at, depth): (usize, u16)) {
        for peer in self.trials[at].1.clone() {
            let bars = match peer {
                Tool::Fathom => continue,
                Tool::Fio(Best) => [Some(KEEPS_UP), None],
                Tool::TIoUring if depth >= DEEP => [None, Some(KEEPS_UP)],
                Tool::Fio(Plain) | Tool::TIoUring => [None, None],
            };
            self.row((at, Metric::Iops), Some(peer), bars);
        }
    }

    fn median(&mut self, at: usize) {
        let bars = [1.05, 1.0].map(|ratio| Some(Held::Ratio(Bar::AtMost(ratio))));
        self.row((at, Metric::Median), Some(Tool::Fio(Best)), bars);
    }

    /// What the device holds of the depth, where something counts it.
    fn held(&mut self, (at, depth): (usize, u16)) {
        if self.trials[at].0.place.target().is_none_or(|target| target.device.is_none()) {
            return;
        }
        let bar = Some(Held::Ratio(Bar::AtLeast(1.0)));
        let aim = (depth == 32).then(|| Held::Own(Bar::AtLeast(0.9 * f64::from(depth))));
        self.row((at, Metric::DeviceDepth), Some(Tool::Fio(Best)), [bar, aim]);
        self.row((at, Metric::DeviceDepth), Some(Tool::Fio(Plain)), [bar, None]);
    }
}

/// Whom a target is measured with beside fio.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Tools {
    /// Nobody.
    FioOnly,
    /// fio's `t/io_uring`, where it can do the pattern.
    AndTIoUring,
}
