//! Runs one tool on one trial, and reads what the kernel says of it meanwhile.
//!
//! The middle half of the run time is looked at from outside, in the same way for every tool: a
//! tool may take a quarter of it to start.

use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::thread;
use std::time::Duration;

use fathom::clock::{Clock, Monotonic};
use fathom::host::Probe;
use fathom::unit::Tick;
use tempfile::TempDir;

use crate::fault::Fault;
use crate::figures::{Figures, Metric};
use crate::load::{Place, Trial};
use crate::tool::{self, Tool};

/// How often a program is asked whether it has ended already.
const LOOK: Duration = Duration::from_millis(50);

/// Where a file costs no device anything: a record is synced at each line, which is no part of
/// what is compared.
const MEMORY: &str = "/dev/shm";

/// The programs, and a place for what they write.
#[derive(Debug)]
pub(crate) struct Session {
    folder: TempDir,
    t_io_uring: PathBuf,
}

/// What was seen of a run from outside.
struct Seen {
    said: String,
    device_depth: Option<f64>,
    resident: Option<u64>,
    wall: Duration,
}

impl Session {
    /// A session whose `t/io_uring` is this program.
    ///
    /// # Errors
    /// [`Fault::File`] where there is no such program, or no place for what programs write.
    pub(crate) fn new(t_io_uring: Option<&Path>) -> Result<Self, Fault> {
        if let Some(program) = t_io_uring {
            fs::metadata(program).map_err(Fault::file(program))?;
        }
        let folder = TempDir::with_prefix_in("fathom-peers-", MEMORY)
            .or_else(|_| TempDir::with_prefix("fathom-peers-"))
            .map_err(Fault::file(std::env::temp_dir()))?;
        Ok(Self { folder, t_io_uring: t_io_uring.map(Path::to_owned).unwrap_or_default() })
    }

    /// A file of the session's own.
    pub(crate) fn file(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// One run of a tool, and what its own audit says against it.
    ///
    /// # Errors
    /// A [`Fault`] where it can't be started, fails, or gives no figures.
    pub(crate) fn measure(
        &self,
        tool: Tool,
        trial: &Trial,
    ) -> Result<(Figures, Vec<String>), Fault> {
        let (record, answer) = (self.file("record.jsonl"), self.file("answer.json"));
        let (program, words) = match tool {
            Tool::Fathom => {
                (Path::new(env!("CARGO_BIN_EXE_fathom")), tool::fathom::words(trial, &record))
            }
            Tool::Fio(setting) => (Path::new("fio"), tool::fio::words(trial, setting, &answer)?),
            Tool::TIoUring => (self.t_io_uring.as_path(), tool::t_io_uring::words(trial)),
        };
        let seen = self.run(program, &words, trial)?;
        let (mut figures, marks) = match tool {
            Tool::Fathom => {
                fs::remove_file(&record).map_err(Fault::file(&record))?;
                tool::fathom::read(&seen.said)?
            }
            Tool::Fio(_) => {
                let text = fs::read_to_string(&answer).map_err(Fault::file(&answer))?;
                (tool::fio::read(&text)?, Vec::new())
            }
            Tool::TIoUring => (tool::t_io_uring::read(&seen.said, trial)?, Vec::new()),
        };
        figures.extend(seen.device_depth.map(|depth| (Metric::DeviceDepth, depth)));
        let phases = trial.phases.ramp_up + trial.phases.run_time;
        figures.insert(Metric::Start, seen.wall.saturating_sub(phases).as_nanos() as f64);
        if let (Tool::Fathom, Some(resident)) = (tool, seen.resident) {
            let beside = resident.saturating_sub(tool::fathom::buffers(trial)?);
            figures.insert(Metric::Memory, beside as f64);
        }
        Ok((figures, marks))
    }

    /// Runs a program to its end.
    fn run(&self, program: &Path, words: &[String], trial: &Trial) -> Result<Seen, Fault> {
        let (out, err) = (self.file("out"), self.file("err"));
        let clock = Monotonic::start();
        let device = match &trial.place {
            Place::Direct(target) => target.device.clone(),
            Place::Null | Place::Cached(_) => None,
        };
        let probe = Probe::new(device);
        let begun = clock.now();
        let mut child = Command::new(program)
            .args(words)
            .stdin(Stdio::null())
            .stdout(File::create(&out).map_err(Fault::file(&out))?)
            .stderr(File::create(&err).map_err(Fault::file(&err))?)
            .spawn()
            .map_err(|reason| Fault::Start { program: program.display().to_string(), reason })?;
        let quarter = trial.phases.run_time / 4;
        let from = begun + trial.phases.ramp_up + quarter;
        wait(&mut child, &clock, from);
        let first = probe.sample();
        wait(&mut child, &clock, from + 2 * quarter);
        let last = probe.sample();
        let resident = resident(child.id());
        let status = child.wait().map_err(Fault::file(program))?;
        let wall = clock.now() - begun;
        let read = |path: &Path| fs::read(path).map_err(Fault::file(path));
        if !status.success() {
            let said = [read(&out)?, read(&err)?].concat();
            return Err(failed(program, words, status, &said));
        }
        let device_depth =
            last.counted(&first).and_then(|counted| counted.device_depth(last.elapsed(&first)));
        let said = String::from_utf8_lossy(&read(&out)?).into_owned();
        Ok(Seen { said, device_depth, resident, wall })
    }
}

/// Waits for an instant, or for the end of a program that does not last so long.
fn wait(child: &mut Child, clock: &Monotonic, until: Tick) {
    while clock.now() < until && matches!(child.try_wait(), Ok(None)) {
        let rest = until - clock.now();
        #[expect(clippy::disallowed_methods, reason = "another program is at work meanwhile")]
        thread::sleep(rest.min(LOOK));
    }
}

/// The most bytes that a process has had in memory.
fn resident(process: u32) -> Option<u64> {
    let status = fs::read_to_string(format!("/proc/{process}/status")).ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    let kib: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    Some(kib * 1024)
}

/// A run that failed, with the end of what it said.
fn failed(program: &Path, words: &[String], status: ExitStatus, said: &[u8]) -> Fault {
    let said = String::from_utf8_lossy(said);
    let lines: Vec<&str> = said.lines().collect();
    let end = lines[lines.len().saturating_sub(12)..].join("\n");
    let command = format!("{} {}", program.display(), words.join(" "));
    Fault::Failed { command, status, said: end }
}
