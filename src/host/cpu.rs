//! What the processors did: this process's share, and the whole machine's.
//!
//! Readings are taken at two instants and subtracted. This file must never divide by a number
//! of processors: 100 % of a process is one processor, 100 % of a machine is all of them, and
//! each figure says which it is. Tested by tables of `/proc/stat` text and on the machine.
#![allow(unsafe_code, reason = "getrusage has no safe wrapper in rustix or std")]

use std::fs;
use std::io;
use std::mem::MaybeUninit;
use std::path::Path;
use std::time::Duration;

/// Processor time that this process, all its threads together, has used.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct ProcessCpu {
    /// In its own code.
    pub user: Duration,
    /// In the kernel, on its behalf. Work that kernel threads do for it is not in here.
    pub system: Duration,
}

impl ProcessCpu {
    /// The times until now.
    pub fn now() -> Self {
        let mut usage = MaybeUninit::<libc::rusage>::zeroed();
        // SAFETY: the pointer is to a writable `rusage`, and RUSAGE_SELF is a valid subject; the
        // structure is plain integers, so that its zeroed form is valid should the call fail.
        let usage = unsafe {
            libc::getrusage(libc::RUSAGE_SELF, usage.as_mut_ptr());
            usage.assume_init()
        };
        Self { user: duration(usage.ru_utime), system: duration(usage.ru_stime) }
    }

    /// The time used since an earlier reading.
    #[must_use]
    pub fn since(&self, earlier: &Self) -> Self {
        Self {
            user: self.user.saturating_sub(earlier.user),
            system: self.system.saturating_sub(earlier.system),
        }
    }

    /// Both together.
    pub fn total(&self) -> Duration {
        self.user + self.system
    }
}

/// Processor time that the calling thread has used, in its own code and in the kernel on its
/// behalf, since it began. Work that other threads do for it is not in here.
pub fn thread_cpu() -> Duration {
    let time = rustix::time::clock_gettime(rustix::time::ClockId::ThreadCPUTime);
    // The kernel's count is never negative.
    Duration::try_from(time).unwrap_or_default()
}

fn duration(time: libc::timeval) -> Duration {
    let seconds = u64::try_from(time.tv_sec).unwrap_or(0);
    let micros = u64::try_from(time.tv_usec).unwrap_or(0);
    Duration::from_secs(seconds) + Duration::from_micros(micros)
}

/// What the machine's processors have done since boot, in the kernel's ticks.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct MachineCpu {
    /// Of all processors together.
    pub all: Ticks,
    /// Of each, by its number.
    pub each: Vec<(u32, Ticks)>,
}

/// Ticks of the kernel's since boot.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Ticks {
    /// Idle or waiting for I/O.
    pub idle: u64,
    /// All of them.
    pub total: u64,
}

/// How busy the machine was over an interval; busy is all but idle and waiting for I/O.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Busy {
    /// Of all processors together, in percent.
    pub machine_percent: f64,
    /// Of the busiest one, in percent.
    pub busiest_percent: f64,
    /// Which one that was.
    pub busiest: u32,
}

impl MachineCpu {
    /// The ticks until now.
    ///
    /// # Errors
    /// Where `/proc/stat` can't be read.
    pub fn now() -> io::Result<Self> {
        let text = fs::read_to_string(Path::new("/proc/stat"))?;
        let malformed = || io::Error::new(io::ErrorKind::InvalidData, "/proc/stat has no cpu line");
        Self::parse(&text).ok_or_else(malformed)
    }

    /// Reads the text of `/proc/stat`; `None` where it has no line for all processors.
    pub fn parse(text: &str) -> Option<Self> {
        let (mut all, mut each) = (None, Vec::new());
        for line in text.lines() {
            let Some((name, rest)) = line.split_once(' ') else { continue };
            let Some(which) = name.strip_prefix("cpu") else { continue };
            match which.parse() {
                Ok(index) => each.push((index, ticks(rest))),
                Err(_) => all = Some(ticks(rest)),
            }
        }
        Some(Self { all: all?, each })
    }

    /// How busy the machine was since an earlier reading; `None` where no tick passed, as
    /// within 10 ms.
    pub fn busy_since(&self, earlier: &Self) -> Option<Busy> {
        let machine_percent = share(self.all, earlier.all)?;
        let before = |index: u32| earlier.each.iter().find(|(i, _)| *i == index).map(|(_, t)| *t);
        let each = self.each.iter().filter_map(|(i, now)| Some((*i, share(*now, before(*i)?)?)));
        let (busiest, busiest_percent) =
            each.max_by(|a, b| a.1.total_cmp(&b.1)).unwrap_or((0, machine_percent));
        Some(Busy { machine_percent, busiest_percent, busiest })
    }
}

/// The first eight fields are disjoint; guest time, after them, is a part of user time.
fn ticks(fields: &str) -> Ticks {
    let fields: Vec<u64> =
        fields.split_whitespace().take(8).map(|field| field.parse().unwrap_or(0)).collect();
    let at = |index: usize| fields.get(index).copied().unwrap_or(0);
    Ticks { idle: at(3) + at(4), total: fields.iter().sum() }
}

/// The kernel's count of waiting for I/O can run backwards, hence the clamp.
fn share(later: Ticks, earlier: Ticks) -> Option<f64> {
    let total = later.total.saturating_sub(earlier.total);
    let idle = later.idle.saturating_sub(earlier.idle).min(total);
    (total > 0).then(|| (total - idle) as f64 / total as f64 * 100.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    const BEFORE: &str = "cpu  100 0 100 1000 200 0 0 0 50 0\n\
                          cpu0 50 0 50 500 100 0 0 0 25 0\n\
                          cpu1 50 0 50 500 100 0 0 0 25 0\nintr 1\n";
    const AFTER: &str = "cpu  190 0 110 1080 220 0 0 0 140 0\n\
                         cpu0 140 0 55 500 105 0 0 0 115 0\n\
                         cpu1 50 0 55 580 115 0 0 0 25 0\nintr 2\n";

    #[test]
    fn busy_is_all_but_idle_and_waiting() {
        let (before, after) =
            (MachineCpu::parse(BEFORE).unwrap(), MachineCpu::parse(AFTER).unwrap());
        let busy = after.busy_since(&before).unwrap();
        assert!((busy.machine_percent - 50.0).abs() < 1e-9, "{busy:?}");
        assert!((busy.busiest_percent - 95.0).abs() < 1e-9, "{busy:?}");
        assert_eq!(busy.busiest, 0);
        assert_eq!(before.busy_since(&before), None);
        assert_eq!(MachineCpu::parse("intr 1\n"), None);
    }

    #[test]
    fn this_process_uses_time() {
        let before = ProcessCpu::now();
        let mut sum = 0_u64;
        while ProcessCpu::now().since(&before).total().is_zero() {
            sum = sum.wrapping_add(1);
        }
        assert!(ProcessCpu::now().total() > before.total(), "{sum}");
        assert!(thread_cpu() > Duration::ZERO);
        assert!(MachineCpu::now().is_ok());
    }
}
