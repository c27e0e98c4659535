//! The words of the command.

use std::path::PathBuf;
use std::time::Duration;

use clap::{Parser, ValueEnum};
use fathom::unit::{Bytes, QueueDepth, parse_duration, parse_range};

use crate::fault::Fault;

/// Run fathom and fio in turns, and print how they compare
///
/// Each pair is one run of every tool, one after another, the order turned round from pair to
/// pair. Ratios are those of the pairs, with their 95 % intervals. Run it on an idle machine.
#[derive(Debug, Parser)]
#[command(name = "peers", bin_name = "cargo bench --bench peers --", after_help = ROWS)]
pub(crate) struct Arguments {
    /// A file or block device for the rows past the page cache; without it they are left out
    pub(crate) target: Option<PathBuf>,

    /// Runs of each tool at each setting
    #[arg(long, value_name = "N", default_value_t = 7, value_parser = clap::value_parser!(u16).range(1..=1000))]
    pub(crate) pairs: u16,

    /// Recorded time of each run
    #[arg(long, value_name = "TIME", default_value = "5s", value_parser = parse_duration)]
    pub(crate) run_time: Duration,

    /// Time before it
    #[arg(long, value_name = "TIME", default_value = "1s", value_parser = parse_duration)]
    pub(crate) ramp_up: Duration,

    /// Depths at the target
    #[arg(long, value_name = "DEPTHS", default_value = "1,4,16,32,64,256")]
    depths: String,

    /// The pattern at the target: a name, or a file if it has a `/` or an extension
    #[arg(long, default_value = "random-read-4k")]
    pub(crate) pattern: String,

    /// A target that does not exist is made this long; of any other, only this much is used
    #[arg(long)]
    pub(crate) size: Option<Bytes>,

    /// Let a pattern that writes DESTROY what is on the target
    #[arg(long)]
    pub(crate) overwrite: bool,

    /// What that may destroy on a device, as `fathom devices` shows it: `data` after fio's writes
    #[arg(long, value_name = "SIGNATURE")]
    pub(crate) destroy: Vec<String>,

    /// Compare with this build of fio's `t/io_uring` too
    #[arg(long, value_name = "PROGRAM")]
    pub(crate) t_io_uring: Option<PathBuf>,

    /// Only these parts
    #[arg(long, value_name = "PART", value_delimiter = ',')]
    only: Vec<Part>,

    /// Print the table for a page
    #[arg(long)]
    pub(crate) markdown: bool,

    /// What cargo adds to the words of every bench
    #[arg(long, hide = true)]
    bench: bool,
}

const ROWS: &str = "\
What is run:
  null    the File Server pattern on no device, depths 32 and 1
  cached  4 KiB random reads of a file of 256 MiB in the page cache, depth 32, user CPU per I/O
  start   random reads of 64 KiB at depth 32 for half a second: what a run takes beyond that
  target  the pattern on the target, past the page cache, at each depth

The best fio registers file and buffers, submits and reaps in batches, and keeps only the latency
that is compared; the plain one is as it comes. Both run in a thread and without a random map.";

/// A part of the comparison.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Part {
    /// No device.
    Null,
    /// The page cache.
    Cached,
    /// The time to the first request.
    Start,
    /// The target named.
    Target,
}

impl Arguments {
    /// Whether a part is asked for.
    pub(crate) fn has(&self, part: Part) -> bool {
        self.only.is_empty() || self.only.contains(&part)
    }

    /// The depths at the target.
    ///
    /// # Errors
    /// [`Fault::Asked`] where one is no depth.
    pub(crate) fn depths(&self) -> Result<Vec<u16>, Fault> {
        let depths = parse_range::<QueueDepth>(&self.depths)
            .map_err(|error| Fault::Asked(format!("--depths: {error}")))?;
        Ok(depths.into_iter().map(QueueDepth::get).collect())
    }
}
