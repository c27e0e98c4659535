//! What a sweep varies, and the settings that come of it.
//!
//! An axis that a sweep has takes the place of what the access lines say; one that it has not
//! leaves them alone. This file decides the order of settings and how one is called, for the dry
//! run, the progress and the report alike.

use std::fmt::Write;

use super::{Access, Pattern};
use crate::unit::{Op, Percent, QueueDepth, TransferSize};

/// What a sweep varies: each combination is a setting.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Axes {
    /// Requests in flight. A pattern has at least one.
    pub queue_depths: Vec<QueueDepth>,
    /// How many of the requests read or write; `None` where the access lines say it.
    pub directions: Option<Directions>,
    /// Bytes of a request, for patterns of one line; empty where the line says it.
    pub transfer_sizes: Vec<TransferSize>,
}

/// The axis of directions: shares of reads, or of writes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Directions {
    /// Whose share it is.
    pub of: Op,
    /// How many of all requests have this direction, in the order in which they are run.
    pub percents: Vec<Percent>,
}

/// One value of each axis.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Setting {
    /// How many of the requests read; `None` where the access lines say it.
    pub read: Option<Percent>,
    /// Bytes of a request; `None` where the access lines say it.
    pub transfer_size: Option<TransferSize>,
    /// Requests in flight.
    pub queue_depth: QueueDepth,
}

impl Directions {
    /// How many of the requests read, in the order in which they are run.
    pub fn reads(&self) -> impl Iterator<Item = Percent> {
        self.percents.iter().map(|percent| self.read(*percent))
    }

    /// The share of reads that a value of the axis means.
    fn read(&self, percent: Percent) -> Percent {
        match self.of {
            Op::Read => percent,
            Op::Write => percent.rest(),
        }
    }
}

impl Axes {
    /// These axes where they have values, else those of `own`: what a command line says goes
    /// before what a file says.
    #[must_use]
    pub fn over(&self, own: &Self) -> Self {
        fn first<T: Clone>(asked: &[T], own: &[T]) -> Vec<T> {
            if asked.is_empty() { own.to_vec() } else { asked.to_vec() }
        }
        Self {
            queue_depths: first(&self.queue_depths, &own.queue_depths),
            directions: self.directions.clone().or_else(|| own.directions.clone()),
            transfer_sizes: first(&self.transfer_sizes, &own.transfer_sizes),
        }
    }

    /// Every combination in the order of measuring: shares outermost, then sizes, and for each of
    /// them all queue depths. What is measured for one curve over the depths lies together.
    pub fn settings(&self) -> Vec<Setting> {
        let mut settings = Vec::new();
        for read in self.reads() {
            for transfer_size in maybe(self.transfer_sizes.iter().copied()) {
                let one = |&queue_depth| Setting { read, transfer_size, queue_depth };
                settings.extend(self.queue_depths.iter().map(one));
            }
        }
        settings
    }

    /// How many settings there are.
    pub fn count(&self) -> usize {
        let sizes = self.transfer_sizes.len().max(1);
        self.queue_depths.len().saturating_mul(self.reads().len()).saturating_mul(sizes)
    }

    /// Whether a setting has a value of each of these axes, and of no other. Any depth will do.
    pub fn holds(&self, setting: Setting) -> bool {
        let sizes = maybe(self.transfer_sizes.iter().copied());
        self.reads().contains(&setting.read) && sizes.contains(&setting.transfer_size)
    }

    /// The shares of reads, `None` alone where the lines say them.
    fn reads(&self) -> Vec<Option<Percent>> {
        maybe(self.directions.iter().flat_map(Directions::reads))
    }

    /// Whether any request of any setting writes.
    pub fn writes(&self, access: &Access) -> bool {
        match &self.directions {
            Some(directions) => directions.reads().any(|read| read < Percent::HUNDRED),
            None => access.writes(),
        }
    }

    /// The share of a setting as its axis counts it: of reads, or of writes.
    pub fn share(&self, setting: Setting) -> Option<(Op, Percent)> {
        let directions = self.directions.as_ref()?;
        // A share of reads and what it leaves for writes are each the other's rest.
        Some((directions.of, directions.read(setting.read?)))
    }

    /// A setting in words: `write 30 %, 4 KiB, depth 16`; only what is swept, and the depth.
    pub fn show(&self, setting: Setting) -> String {
        let mut text = self.show_rest(setting);
        // Writing to a `String` can't fail.
        _ = write!(
            text,
            "{}depth {}",
            if text.is_empty() { "" } else { ", " },
            setting.queue_depth
        );
        text
    }

    /// A setting without its depth: `write 30 %, 4 KiB`; empty where nothing else is swept.
    pub fn show_rest(&self, setting: Setting) -> String {
        let share = self.share(setting).map(|(op, percent)| format!("{op} {percent} %"));
        let size = setting.transfer_size.map(|size| size.to_string());
        [share, size].into_iter().flatten().collect::<Vec<_>>().join(", ")
    }
}

/// The values, or a single none where there are no values.
fn maybe<T>(values: impl Iterator<Item = T>) -> Vec<Option<T>> {
    let values: Vec<Option<T>> = values.map(Some).collect();
    if values.is_empty() { vec![None] } else { values }
}

impl Access {
    /// What is asked at a setting: every line with the share of reads and the size that the
    /// setting has.
    #[must_use]
    pub fn at(&self, setting: Setting) -> Self {
        let mut access = self.clone();
        for line in &mut access.lines {
            line.read = setting.read.unwrap_or(line.read);
            line.size = setting.transfer_size.unwrap_or(line.size);
        }
        access
    }
}

impl Pattern {
    /// Whether any of its requests writes, by its own sweep.
    pub fn writes(&self) -> bool {
        self.axes.writes(&self.access)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pattern::parse;

    fn pattern(sweep: &str) -> Pattern {
        let text = format!(
            "title = \"Test\"\nrandom = 100\nread = 67\naccess = [{{ size = \"8k\" }}]\n\
             [sweep]\n{sweep}"
        );
        let (pattern, faults) = parse("test", &text);
        pattern.unwrap_or_else(|| panic!("{faults:?}"))
    }

    fn shown(axes: &Axes) -> Vec<String> {
        axes.settings().into_iter().map(|setting| axes.show(setting)).collect()
    }

    #[test]
    fn depths_are_innermost_and_shares_outermost() {
        let axes =
            pattern("queue_depth = [4, 1]\nwrite = [0, 33.33]\ntransfer_size = [\"4k\", 512]").axes;
        assert_eq!(
            shown(&axes),
            [
                "write 0 %, 4 KiB, depth 4",
                "write 0 %, 4 KiB, depth 1",
                "write 0 %, 512 B, depth 4",
                "write 0 %, 512 B, depth 1",
                "write 33.33 %, 4 KiB, depth 4",
                "write 33.33 %, 4 KiB, depth 1",
                "write 33.33 %, 512 B, depth 4",
                "write 33.33 %, 512 B, depth 1",
            ]
        );
        assert_eq!(axes.count(), 8);
    }

    #[test]
    fn an_axis_takes_the_place_of_what_the_line_says() {
        let swept = pattern("queue_depth = [1]\nwrite = [0, 30]\ntransfer_size = \"512..1k\"");
        let said = |pattern: &Pattern| -> Vec<(u32, String)> {
            let settings = pattern.axes.settings().into_iter();
            let lines = settings.map(|setting| pattern.access.at(setting).lines.remove(0));
            lines.map(|line| (line.size.get(), line.read.to_string())).collect()
        };
        let expected = [(512, "100"), (1024, "100"), (512, "70"), (1024, "70")];
        assert_eq!(said(&swept), expected.map(|(size, read)| (size, read.to_owned())));
        let plain = pattern("queue_depth = [1]");
        assert_eq!(said(&plain), [(8192, "67".to_owned())]);
        assert_eq!(shown(&plain.axes), ["depth 1"]);
    }

    #[test]
    fn what_is_asked_goes_before_what_the_file_says() {
        let own = pattern("queue_depth = [1, 2]\nread = [100, 0]").axes;
        let asked = pattern("queue_depth = [8]\ntransfer_size = [512]").axes;
        assert_eq!(
            shown(&asked.over(&own)),
            ["read 100 %, 512 B, depth 8", "read 0 %, 512 B, depth 8"]
        );
        assert_eq!(Axes::default().over(&own), own);
    }

    /// Whether a target is opened for writing turns on this.
    #[test]
    fn a_sweep_writes_if_any_of_its_settings_does() {
        for (sweep, writes) in [
            ("", true),
            ("read = [100]", false),
            ("read = [100, 99.99]", true),
            ("write = [0]", false),
            ("write = [0, 0.01]", true),
        ] {
            let pattern = pattern(&format!("queue_depth = [1]\n{sweep}"));
            assert_eq!(pattern.writes(), writes, "{sweep}");
            let settings = pattern.axes.settings().into_iter();
            let any = settings.map(|setting| pattern.access.at(setting)).any(|a| a.writes());
            assert_eq!(any, writes, "{sweep}");
        }
    }
}
