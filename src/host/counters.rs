//! What a block device has done, by the kernel's own count: the second account of depth, bytes
//! and direction, beside the tool's.
//!
//! Read from `/sys/class/block/NAME/stat`, for the target and for each device at the bottom of
//! its stack. This file must never derive one figure from the tool's own counts: the point is
//! that the two accounts are independent. Tested by tables of `stat` lines, and on real devices.
//!
//! **What the kernel rounds.** Requests and sectors are exact. The times are kept in ns for each
//! request, summed when it *completes*, and shown in whole ms, so a reading is at most 1 ms low
//! and a difference within 1 ms of the truth; what is still in flight at either end is counted
//! whole in the interval in which it completes, an error of at most depth × latency. They are
//! shown as 32-bit numbers and wrap after 49.7 days of waiting (at depth 256 in under five
//! hours): differences are taken modulo 2^32. `io_ticks` is sampled at the scheduler's tick and
//! is coarse.
//!
//! **Which depth.** [`Counters::mean_depth`] is read time + write time over elapsed time, by
//! Little's law. `queue_ms` (field 11) is kept raw but not used: since Linux 5.0 it also holds
//! discards and flushes, and before it was a sampled figure. A request's time starts when the
//! block layer has room for it: requests waiting for a free tag are not yet counted, so a device
//! with few tags shows fewer than were asked for.

use std::io;
use std::time::Duration;

use super::sysfs::Sysfs;
use crate::unit::{Bytes, SECTOR};

/// The counts of one device since it appeared, or their growth over an interval.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Counters {
    /// Reads that completed.
    pub reads: u64,
    /// Bytes that they moved.
    pub read_bytes: Bytes,
    /// Milliseconds that they took, summed over them; wraps at 2^32.
    pub read_ms: u32,
    /// Writes that completed.
    pub writes: u64,
    /// Bytes that they moved.
    pub write_bytes: Bytes,
    /// Milliseconds that they took, summed over them; wraps at 2^32.
    pub write_ms: u32,
    /// Requests under way when the counts were read; not a difference.
    pub in_flight: u64,
    /// Milliseconds with at least one request under way; coarse; wraps at 2^32.
    pub busy_ms: u32,
    /// Milliseconds that requests of all kinds took, summed over them; wraps at 2^32.
    pub queue_ms: u32,
    /// Discards that completed (Linux 4.18).
    pub discards: u64,
    /// Flushes that completed (Linux 5.5).
    pub flushes: u64,
}

impl Counters {
    /// Reads a line as the kernel writes it; `None` where it is none.
    pub fn parse(line: &str) -> Option<Self> {
        let fields: Option<Vec<u64>> = line.split_whitespace().map(|f| f.parse().ok()).collect();
        let fields = fields.filter(|fields| fields.len() >= 11)?;
        let at = |index: usize| fields.get(index).copied().unwrap_or(0);
        let sectors = |index: usize| Bytes(at(index).saturating_mul(SECTOR));
        Some(Self {
            reads: at(0),
            read_bytes: sectors(2),
            read_ms: wrapped(at(3)),
            writes: at(4),
            write_bytes: sectors(6),
            write_ms: wrapped(at(7)),
            in_flight: at(8),
            busy_ms: wrapped(at(9)),
            queue_ms: wrapped(at(10)),
            discards: at(11),
            flushes: at(15),
        })
    }

    /// The counts of a device, now.
    ///
    /// # Errors
    /// Where the device is gone.
    pub fn read(sysfs: &Sysfs, name: &str) -> io::Result<Self> {
        let line = sysfs.text(&format!("class/block/{name}/stat"));
        line.and_then(|line| Self::parse(&line)).ok_or_else(|| {
            io::Error::new(
                io::ErrorKind::NotFound,
                format!("{name} shows no counters: is it gone?"),
            )
        })
    }

    /// The growth since an earlier reading; requests in flight are those of the later one.
    #[must_use]
    pub fn since(&self, earlier: &Self) -> Self {
        Self {
            reads: self.reads.wrapping_sub(earlier.reads),
            read_bytes: grown(self.read_bytes, earlier.read_bytes),
            read_ms: self.read_ms.wrapping_sub(earlier.read_ms),
            writes: self.writes.wrapping_sub(earlier.writes),
            write_bytes: grown(self.write_bytes, earlier.write_bytes),
            write_ms: self.write_ms.wrapping_sub(earlier.write_ms),
            in_flight: self.in_flight,
            busy_ms: self.busy_ms.wrapping_sub(earlier.busy_ms),
            queue_ms: self.queue_ms.wrapping_sub(earlier.queue_ms),
            discards: self.discards.wrapping_sub(earlier.discards),
            flushes: self.flushes.wrapping_sub(earlier.flushes),
        }
    }

    /// Of a difference: bytes read and written together.
    pub fn bytes(&self) -> Bytes {
        Bytes(self.read_bytes.0.saturating_add(self.write_bytes.0))
    }

    /// Of a difference: the mean number of reads and writes under way over the interval; `None`
    /// where no time passed.
    pub fn mean_depth(&self, elapsed: Duration) -> Option<f64> {
        let waited = u64::from(self.read_ms) + u64::from(self.write_ms);
        let elapsed = elapsed.as_secs_f64() * 1e3;
        (elapsed > 0.0).then(|| waited as f64 / elapsed)
    }
}

/// The kernel shows times as unsigned 32-bit numbers; a wider one is cut the same way.
#[expect(clippy::cast_possible_truncation, reason = "times are taken modulo 2^32")]
const fn wrapped(value: u64) -> u32 {
    value as u32
}

fn grown(later: Bytes, earlier: Bytes) -> Bytes {
    Bytes(later.0.saturating_sub(earlier.0))
}

/// The counts of one named device.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Named {
    /// The kernel's name of it.
    pub name: String,
    /// Its counts.
    pub counters: Counters,
}

/// The counts of a target's own device and of each device at the bottom of its stack.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CounterSet {
    /// The target's own device.
    pub target: Named,
    /// What it is built on: disks, or the partitions that a stack takes. Empty for a plain disk
    /// or partition.
    pub members: Vec<Named>,
}

impl CounterSet {
    /// Reads the counts of a device and of its members, now.
    ///
    /// # Errors
    /// Where the target's device is gone. A member that is gone is left out: that its array
    /// lost it must not hide what the others did.
    pub fn read(sysfs: &Sysfs, name: &str) -> io::Result<Self> {
        let named =
            |name: String| Some(Named { counters: Counters::read(sysfs, &name).ok()?, name });
        let target = Named { name: name.to_owned(), counters: Counters::read(sysfs, name)? };
        let leaves = sysfs.leaves(name).into_iter().filter(|leaf| leaf != name);
        Ok(Self { target, members: leaves.filter_map(named).collect() })
    }

    /// The growth since an earlier reading, member by member; a member that either reading
    /// lacks is left out.
    #[must_use]
    pub fn since(&self, earlier: &Self) -> Self {
        let grown = |later: &Named, earlier: &Named| Named {
            name: later.name.clone(),
            counters: later.counters.since(&earlier.counters),
        };
        let before = |name: &str| earlier.members.iter().find(|member| member.name == name);
        let members = self.members.iter();
        Self {
            target: grown(&self.target, &earlier.target),
            members: members.filter_map(|m| Some(grown(m, before(&m.name)?))).collect(),
        }
    }

    /// Of a difference: what reached the devices. Where there are members, each amount is the
    /// target's own or that of all members together, whichever is less: mirrors write what was
    /// asked several times over, and an array counts an attempt again that the kernel repeats
    /// because it would have had to wait.
    #[must_use]
    pub fn reached(&self) -> Counters {
        let own = self.target.counters;
        if self.members.is_empty() {
            return own;
        }
        let sum = |of: fn(&Counters) -> u64| self.members.iter().map(|m| of(&m.counters)).sum();
        Counters {
            reads: own.reads.min(sum(|c| c.reads)),
            writes: own.writes.min(sum(|c| c.writes)),
            read_bytes: Bytes(own.read_bytes.0.min(sum(|c| c.read_bytes.0))),
            write_bytes: Bytes(own.write_bytes.0.min(sum(|c| c.write_bytes.0))),
            ..own
        }
    }

    /// Of a difference: the mean depth at the devices: the target's own or that of its members
    /// together, whichever is less, as in [`CounterSet::reached`].
    pub fn device_depth(&self, elapsed: Duration) -> Option<f64> {
        let own = self.target.counters.mean_depth(elapsed)?;
        if self.members.is_empty() {
            return Some(own);
        }
        let members: Option<f64> =
            self.members.iter().map(|member| member.counters.mean_depth(elapsed)).sum();
        members.map(|members| own.min(members))
    }
}

#[cfg(test)]
mod tests {
    use super::super::block::tests::machine;
    use super::*;
    use std::fs;

    #[test]
    fn a_line_of_any_kernel_is_read() {
        let new = "21674 4711 5093434 46570 4397 32280 10026232 68673 3 16024 118864 4351 66 63704 3604 31 16";
        let counters = Counters::parse(new).unwrap();
        assert_eq!((counters.reads, counters.writes), (21674, 4397));
        assert_eq!(counters.read_bytes, Bytes(5_093_434 * 512));
        assert_eq!((counters.read_ms, counters.write_ms), (46570, 68673));
        assert_eq!((counters.in_flight, counters.busy_ms, counters.queue_ms), (3, 16024, 118_864));
        assert_eq!((counters.discards, counters.flushes), (4351, 31));
        let old = Counters::parse("1 0 8 2 3 0 16 4 0 5 6").unwrap();
        assert_eq!((old.reads, old.writes, old.discards, old.flushes), (1, 3, 0, 0));
        for line in ["", "1 2 3", "a b c d e f g h i j k"] {
            assert_eq!(Counters::parse(line), None, "{line}");
        }
    }

    #[test]
    fn times_wrap_and_the_difference_does_not() {
        let earlier = Counters { read_ms: u32::MAX - 9, ..Counters::default() };
        let later = Counters { read_ms: 90, reads: 5, ..Counters::default() };
        let grown = later.since(&earlier);
        assert_eq!((grown.read_ms, grown.reads), (100, 5));
        assert_eq!(grown.mean_depth(Duration::from_millis(50)), Some(2.0));
        assert_eq!(grown.mean_depth(Duration::ZERO), None);
    }

    #[test]
    fn a_set_holds_the_target_and_its_members() {
        let (folder, sysfs) = machine();
        let write = |name: &str, line: &str| {
            fs::write(folder.path().join("class/block").join(name).join("stat"), line).unwrap();
        };
        for name in ["md0", "sda", "sdb"] {
            write(name, "0 0 0 0 0 0 0 0 0 0 0");
        }
        let before = CounterSet::read(&sysfs, "md0").unwrap();
        write("md0", "100 0 800 400 0 0 0 0 0 0 0");
        write("sda", "60 0 480 150 0 0 0 0 0 0 0");
        write("sdb", "40 0 320 150 0 0 0 0 0 0 0");
        let grown = CounterSet::read(&sysfs, "md0").unwrap().since(&before);
        let reads: Vec<u64> = grown.members.iter().map(|m| m.counters.reads).collect();
        assert_eq!((grown.target.counters.reads, reads), (100, vec![60, 40]));
        assert_eq!(grown.target.counters.mean_depth(Duration::from_millis(100)), Some(4.0));
        assert_eq!(grown.device_depth(Duration::from_millis(100)), Some(3.0));
        // An attempt that was repeated is counted twice at the array, a mirrored write at both
        // members: neither is more than was asked.
        write("md0", "130 0 1040 400 50 0 400 0 0 0 0");
        write("sda", "60 0 480 150 50 0 400 0 0 0 0");
        write("sdb", "40 0 320 150 50 0 400 0 0 0 0");
        let reached = CounterSet::read(&sysfs, "md0").unwrap().since(&before).reached();
        assert_eq!((reached.reads, reached.writes), (100, 50));
        assert_eq!((reached.read_bytes.0, reached.write_bytes.0), (800 * 512, 400 * 512));
        fs::remove_file(folder.path().join("class/block/sdb/stat")).unwrap();
        assert_eq!(CounterSet::read(&sysfs, "md0").unwrap().members.len(), 1);
        assert!(CounterSet::read(&sysfs, "sdz").is_err());
    }
}
