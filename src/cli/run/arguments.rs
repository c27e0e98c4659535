//! The words of `fathom run`, and the plan that they make.

use std::path::{Path, PathBuf};
use std::time::Duration;

use super::super::load::load_pattern;
use super::super::screen::Failure;
use super::arrays::ArrayArguments;
use super::axes::{AxisArguments, too_many};
use super::review::ReviewArguments;
use crate::clock::entropy;
use crate::host::Consent;
use crate::pattern::Pattern;
use crate::plan::{NamedTarget, Phases, Plan, TargetSpec, Workers};
use crate::report::Format;
use crate::unit::{Bytes, Seed, parse_duration};

/// Sweep patterns over queue depths and rate them
///
/// PATTERN is the name of a shipped pattern (`fathom patterns` lists them), or a file if it has a
/// `/` or an extension. Without a target, a scratch file in the current folder is measured and
/// nothing is left of it.
#[derive(Debug, Clone, clap::Args)]
#[command(after_long_help = EXAMPLES)]
#[expect(clippy::struct_excessive_bools, reason = "each is a flag of the command line")]
pub(in super::super) struct Arguments {
    /// Patterns to run, in this order
    #[arg(required_unless_present = "plan", value_name = "PATTERN")]
    pub(super) patterns: Vec<String>,

    /// What to measure: a file, a block device, `null:` or `sim:ssd`; may be given several times
    ///
    /// A name before `=` heads its tables: `-t raid0=/dev/md0`. A file that does not exist is made
    /// and filled if --size says how large. `null:` completes everything at once and shows what
    /// the tool itself can do; `sim:exact,channels=8,service=100us`, `sim:ssd` and `sim:hdd` are
    /// simulated devices on virtual time.
    #[arg(short, long = "target", value_name = "[NAME=]TARGET")]
    pub(super) targets: Vec<String>,

    #[command(flatten)]
    pub(super) axes: AxisArguments,

    #[command(flatten)]
    pub(super) review: ReviewArguments,

    /// Recorded time of each point [default: 30s on devices, 10s on files, 2s on null:]
    #[arg(short, long, value_name = "TIME", value_parser = parse_duration)]
    pub(super) run_time: Option<Duration>,

    /// Time before it that is not recorded [default: 5s on devices, 2s on files, 500ms on null:]
    #[arg(long, value_name = "TIME", value_parser = parse_duration)]
    pub(super) ramp_up: Option<Duration>,

    /// Threads per target that share the queue depth; `auto` takes what device and depth need
    /// [default: 1]
    #[arg(short, long, value_name = "N|auto")]
    pub(super) workers: Option<Workers>,

    /// Completions that one wait asks for; more than 1 costs depth, which is recorded [default: 1]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=8))]
    pub(super) wait_for: Option<u16>,

    /// Go through the page cache instead of past it (`O_DIRECT`)
    #[arg(long)]
    pub(super) buffered: bool,

    /// Write to this device or file, DESTROYING what is on it; names the target too
    ///
    /// A pattern that writes runs on a block device, or on a file that fathom did not make, only
    /// where this names it; never on anything that is in use.
    #[arg(long, value_name = "DEVICE")]
    overwrite: Vec<PathBuf>,

    /// What --overwrite may destroy, typed back as `fathom devices` shows it: `ext4`, `gpt`, `data`
    #[arg(long, value_name = "SIGNATURE")]
    destroy: Vec<String>,

    /// How requests reach a target
    #[arg(long, value_name = "ENGINE", default_value = "auto")]
    pub(super) engine: EngineChoice,

    /// Poll for completions instead of being interrupted (IOPOLL); only devices with queues for it
    #[arg(long)]
    pub(super) poll: bool,

    /// Use only this much of each target; a file is made this long
    #[arg(short, long, value_name = "SIZE")]
    pub(super) size: Option<Bytes>,

    #[command(flatten)]
    pub(super) arrays: ArrayArguments,

    /// Refuse instead of raising sizes that a target can't do directly
    #[arg(long)]
    pub(super) strict_sizes: bool,

    /// Where random streams start, to repeat a run's requests exactly [default: drawn, and printed]
    #[arg(long, value_name = "N")]
    pub(super) seed: Option<Seed>,

    /// Keep the record in this file instead of the state folder
    #[arg(short, long, value_name = "FILE")]
    pub(super) output: Option<PathBuf>,

    /// Leave serial numbers, world-wide names, UUIDs and the host's name out of the record
    #[arg(long)]
    pub(super) no_serials: bool,

    /// What to print: table, wide, markdown, csv or json
    #[arg(short, long, value_name = "FORMAT", default_value = "table")]
    pub(super) format: Format,

    /// Print every point in order and the time it will take, and touch nothing
    #[arg(long)]
    pub(super) dry_run: bool,
}

const EXAMPLES: &str = "\
Examples:
  fathom run workstation                        a scratch file here, depths 1 to 32
  fathom run web-server -t /dev/sdb              reads /dev/sdb; it needs no further word
  fathom run file-server --overwrite /dev/sdb    writes too: DESTROYS what is on /dev/sdb
  fathom run database -t disk.img --size 8G      a file, made and filled first
  fathom run random-read-4k -t null: -q 1..1024  the tool's own ceiling
  fathom run database --write-percents 0..100/25 what writes cost
  fathom run file-server -t sim:hdd              no disk needed

Exit codes: 0 done, 1 the run failed, 2 the input was wrong, 130 interrupted.";

/// The longest phase of a point: each of its seconds is kept.
const LONGEST: Duration = Duration::from_secs(30 * 86_400);

/// How requests reach a file or device.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub(super) enum EngineChoice {
    /// io-uring; threads, with a note, where the kernel refuses it
    Auto,
    /// one ring per worker
    IoUring,
    /// one thread per outstanding I/O
    Threads,
}

impl Arguments {
    /// What the user allows to be overwritten.
    pub(super) fn consent(&self) -> Consent {
        Consent { overwrite: self.overwrite.clone(), destroy: self.destroy.clone() }
    }

    /// The plan that the words make, and nothing opened yet.
    pub(super) fn plan(&self) -> Result<Plan, Failure> {
        let mut faults = Vec::new();
        let mut patterns: Vec<Pattern> = Vec::new();
        for argument in &self.patterns {
            match load_pattern(argument) {
                Ok(pattern) => patterns.push(pattern),
                Err(failure) => faults.push(failure.to_string()),
            }
        }
        let targets = self.named_targets(&mut faults);
        let asked = self.axes.axes(&mut faults);
        self.axes.check(&patterns, &mut faults);
        if self.run_time == Some(Duration::ZERO) {
            faults.push("--run-time: nothing can be measured in no time; 10s is usual".to_owned());
        }
        for (option, time) in [("--run-time", self.run_time), ("--ramp-up", self.ramp_up)] {
            if time.is_some_and(|time| LONGEST < time) {
                faults.push(format!("{option}: a phase of a point lasts 30 days at most"));
            }
        }
        self.arrays.check(&targets, &mut faults);
        if self.poll {
            self.check_poll(&targets, &mut faults);
        }
        let repeats = self.review.repeats(&mut faults);
        let baseline = self.review.baseline(&targets, &mut faults);
        if !faults.is_empty() {
            return Err(Failure::input(faults.join("\n")));
        }
        let phases = targets.iter().map(|target| self.phases(&target.spec)).collect();
        let plan = Plan {
            axes: patterns.iter().map(|pattern| asked.over(&pattern.axes)).collect(),
            patterns,
            targets,
            phases,
            workers: self.workers.unwrap_or(Workers::Fixed(1)),
            wait_for: self.wait_for.unwrap_or(1),
            seed: self.seed.unwrap_or_else(|| Seed(entropy())),
            repeats,
            order: self.review.order(),
            baseline,
            title: self.review.title.clone(),
            conditions: self.review.conditions.clone(),
        };
        match too_many(&plan).or_else(|| self.review.too_long(&plan)) {
            Some(fault) => Err(Failure::input(fault)),
            None => Ok(plan),
        }
    }

    /// The targets named by `-t` and by `--overwrite`, each once and by a name of its own.
    fn named_targets(&self, faults: &mut Vec<String>) -> Vec<NamedTarget> {
        let mut targets: Vec<NamedTarget> = Vec::new();
        for text in &self.targets {
            match text.parse() {
                Ok(target) => targets.push(target),
                Err(error) => faults.push(error.to_string()),
            }
        }
        for path in &self.overwrite {
            let known = |target: &NamedTarget| matches!(&target.spec, TargetSpec::Path(other) if same(other, path));
            if !targets.iter().any(known) {
                targets.push(NamedTarget::path(path));
            }
        }
        if self.no_serials {
            let named = Path::new("/dev/disk");
            for target in &mut targets {
                called_by_kernel(target, named);
            }
        }
        if self.targets.is_empty() && self.overwrite.is_empty() {
            targets.push(NamedTarget::scratch());
        }
        for (place, target) in targets.iter().enumerate() {
            if targets[..place].iter().any(|other| other.name == target.name) {
                faults.push(format!(
                    "two targets are called `{0}`; give one another name: -t other={1}",
                    target.name, target.spec
                ));
            }
        }
        targets
    }

    /// What there is nothing to poll for in.
    fn check_poll(&self, targets: &[NamedTarget], faults: &mut Vec<String>) {
        if self.buffered {
            faults.push("--poll: the page cache can't be polled; leave out --buffered".to_owned());
        }
        if self.engine == EngineChoice::Threads {
            faults.push("--poll: only io-uring polls; leave out --engine threads".to_owned());
        }
        for target in targets {
            if matches!(target.spec, TargetSpec::Null | TargetSpec::Simulated(_)) {
                faults.push(format!(
                    "--poll: {} has no device to poll; leave out --poll",
                    target.spec
                ));
            }
        }
    }

    /// The times of a target's points: a device is given more than a file.
    fn phases(&self, spec: &TargetSpec) -> Phases {
        let (run_time, ramp_up) = match spec {
            TargetSpec::Null => (2_000, 500),
            TargetSpec::Scratch => (10_000, 2_000),
            TargetSpec::Path(path) if !is_device(path) => (10_000, 2_000),
            TargetSpec::Path(_) | TargetSpec::Simulated(_) => (30_000, 5_000),
        };
        Phases {
            run_time: self.run_time.unwrap_or(Duration::from_millis(run_time)),
            ramp_up: self.ramp_up.unwrap_or(Duration::from_millis(ramp_up)),
        }
    }
}

/// Gives a target whose only name is one of a folder of links, made of serial numbers and UUIDs, the
/// kernel's name.
fn called_by_kernel(target: &mut NamedTarget, links: &Path) {
    if let TargetSpec::Path(path) = &target.spec
        && path.starts_with(links)
        && target.name == NamedTarget::path(path).name
        && let Ok(real) = path.canonicalize()
    {
        *target = NamedTarget::path(&real);
    }
}

fn is_device(path: &Path) -> bool {
    use std::os::unix::fs::FileTypeExt;
    std::fs::metadata(path).is_ok_and(|meta| meta.file_type().is_block_device())
}

/// Whether two paths lead to the same place.
pub(super) fn same(a: &Path, b: &Path) -> bool {
    a == b || matches!((a.canonicalize(), b.canonicalize()), (Ok(a), Ok(b)) if a == b)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_device_loses_a_name_that_tells_its_serial() {
        let folder = tempfile::TempDir::new().unwrap();
        let at = |name: &str| folder.path().canonicalize().unwrap().join(name);
        std::fs::create_dir(at("by-id")).unwrap();
        std::fs::write(at("sdx"), "").unwrap();
        std::os::unix::fs::symlink("../sdx", at("by-id/ata-Disk_S5Y1")).unwrap();
        let called = |mut target: NamedTarget| {
            called_by_kernel(&mut target, &at("by-id"));
            target
        };
        let link = NamedTarget::path(&at("by-id/ata-Disk_S5Y1"));
        assert_eq!(called(link.clone()), NamedTarget::path(&at("sdx")));
        let own = NamedTarget { name: "own".parse().unwrap(), ..link };
        // What leads nowhere keeps its name: opening it says what is wrong.
        let gone = NamedTarget::path(&at("by-id/ata-gone_S5Y1"));
        for kept in [own, gone, NamedTarget::path(&at("sdx")), "null:".parse().unwrap()] {
            assert_eq!(called(kept.clone()), kept);
        }
    }
}
