//! Software arrays under a target: whether each is whole and at rest, before, during and after a
//! point.
//!
//! An array that rebuilds, checks itself or has lost a disk gives other numbers than the same
//! array whole. This file only reads md's attributes in sysfs, none of which waits for the array;
//! it must never judge, which is the audit's. Tested on trees of files that stand for arrays, and
//! in a virtual machine on arrays that resync and lose disks.

use super::block::Kind;
use super::sysfs::Sysfs;
use crate::unit::Tick;

/// Changes of one point that are kept: an array that flaps must not fill a record.
const MOST_READINGS: usize = 64;

/// The state of an array at one moment.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct ArrayState {
    /// The kernel's name of it: `md0`.
    pub name: String,
    /// Why it can't serve as it should: `broken`, `inactive`, `suspended`, or `gone` where sysfs
    /// no longer has it; `None` as a rule.
    pub fault: Option<String>,
    /// `idle`, `resync`, `recover`, `check`, `repair`, `reshape`, `frozen`; `None` for levels
    /// that have nothing to synchronise.
    pub action: Option<String>,
    /// How many disks are missing; `None` for levels that can't do without one.
    pub degraded: Option<u32>,
    /// How far the action is: sectors done, and of how many.
    pub progress: Option<(u64, u64)>,
    /// Disks in it that failed, and are not taken out yet.
    pub failed: Vec<String>,
}

impl ArrayState {
    /// Whether the two differ in more than how far an action is.
    fn differs(&self, other: &Self) -> bool {
        Self { progress: None, ..self.clone() } != Self { progress: None, ..other.clone() }
    }
}

/// The state of an array, and when it was read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ArrayReading {
    /// When, by the clock of the point's counters.
    pub at: Tick,
    /// What was read.
    pub array: ArrayState,
}

/// The arrays that a target is built on, at whatever layer.
#[derive(Debug, Clone)]
pub struct Arrays {
    sysfs: Sysfs,
    names: Vec<String>,
}

impl Arrays {
    /// Those on the way from a device to its disks, the device itself among them.
    pub fn below(sysfs: &Sysfs, name: &str) -> Self {
        let chain = sysfs.chain(name).into_iter();
        let arrays = chain.filter(|device| matches!(device.kind, Kind::Md(_)));
        Self { sysfs: sysfs.clone(), names: arrays.map(|device| device.name).collect() }
    }

    /// None.
    pub fn none(sysfs: &Sysfs) -> Self {
        Self { sysfs: sysfs.clone(), names: Vec::new() }
    }

    /// The state of each, now.
    pub fn read(&self) -> Vec<ArrayState> {
        self.names.iter().map(|name| self.state(name)).collect()
    }

    fn state(&self, name: &str) -> ArrayState {
        let folder = format!("class/block/{name}/md");
        let text = |attribute: &str| self.sysfs.text(&format!("{folder}/{attribute}"));
        if text("level").is_none() && text("array_state").is_none() {
            let fault = Some("gone".to_owned());
            return ArrayState { name: name.to_owned(), fault, ..ArrayState::default() };
        }
        ArrayState {
            name: name.to_owned(),
            fault: text("array_state").filter(|state| !is_ordinary(state)),
            action: text("sync_action"),
            degraded: text("degraded").and_then(|count| count.parse().ok()),
            progress: text("sync_completed").and_then(|text| progress(&text)),
            failed: members(&self.sysfs, name)
                .into_iter()
                .filter(|(_, state)| state.split(',').any(|word| word == "faulty"))
                .map(|(disk, _)| disk)
                .collect(),
        }
    }
}

/// The disks of an array with the state that md gives each: `in_sync`, `spare`, `faulty` …
pub(super) fn members(sysfs: &Sysfs, array: &str) -> Vec<(String, String)> {
    let folder = format!("class/block/{array}/md");
    let slots = sysfs.entries(&folder);
    let member = |slot: &String| {
        let disk = slot.strip_prefix("dev-")?;
        Some((disk.to_owned(), sysfs.text(&format!("{folder}/{slot}/state"))?))
    };
    slots.iter().filter_map(member).collect()
}

/// States of an array that serves: between them it moves by itself, as writes come and go.
pub(super) fn is_ordinary(state: &str) -> bool {
    ["clean", "active", "active-idle", "write-pending", "readonly", "read-auto"].contains(&state)
}

/// Reads `123 / 456`; md says `none` where nothing is under way, and `delayed` while it waits.
fn progress(text: &str) -> Option<(u64, u64)> {
    let (done, all) = text.split_once('/')?;
    Some((done.trim().parse().ok()?, all.trim().parse().ok()?))
}

/// The states that arrays had in the course of a point: the first, each change, and the last.
#[derive(Debug, Clone, Default)]
pub struct ArrayLog {
    readings: Vec<ArrayReading>,
}

impl ArrayLog {
    /// Adds what was read, as far as it is news.
    pub fn note(&mut self, at: Tick, states: Vec<ArrayState>) {
        for array in states {
            let before = self.readings.iter().rev().find(|known| known.array.name == array.name);
            let news = before.is_none_or(|known| known.array.differs(&array));
            if news && self.readings.len() < MOST_READINGS {
                self.readings.push(ArrayReading { at, array });
            }
        }
    }

    /// Everything, with the last states behind it, whether they are news or not: how far an
    /// action came is seen from first and last.
    pub fn close(mut self, at: Tick, states: Vec<ArrayState>) -> Vec<ArrayReading> {
        self.readings.extend(states.into_iter().map(|array| ArrayReading { at, array }));
        self.readings
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::super::block::tests::{add, build_on, machine};
    use super::*;

    /// An array of two disks under a volume, in the middle of a resync.
    fn mirror() -> (tempfile::TempDir, Sysfs) {
        let (folder, sysfs) = machine();
        let root = folder.path();
        for (disk, dev) in [("sdc", "8:32"), ("sdd", "8:48")] {
            add(root, &format!("virtual/block/{disk}"), &[("dev", dev), ("size", "8192")]);
        }
        let md = [
            ("dev", "9:1"),
            ("size", "8192"),
            ("md/level", "raid1"),
            ("md/array_state", "clean"),
            ("md/sync_action", "resync"),
            ("md/sync_completed", "1024 / 8192"),
            ("md/degraded", "0"),
            ("md/dev-sdc/state", "in_sync"),
            ("md/dev-sdd/state", "in_sync"),
        ];
        add(root, "virtual/block/md1", &md);
        add(root, "virtual/block/dm-1", &[("dev", "253:1"), ("size", "8000"), ("dm/name", "x")]);
        build_on(root, "md1", "sdc");
        build_on(root, "md1", "sdd");
        build_on(root, "dm-1", "md1");
        (folder, sysfs)
    }

    #[test]
    fn arrays_are_found_at_any_layer_and_read() {
        let (folder, sysfs) = mirror();
        for name in ["md1", "dm-1"] {
            let states = Arrays::below(&sysfs, name).read();
            let [state] = states.as_slice() else { panic!("{name}: {states:?}") };
            assert_eq!((state.name.as_str(), state.fault.as_deref()), ("md1", None));
            assert_eq!(state.action.as_deref(), Some("resync"));
            assert_eq!((state.degraded, state.progress), (Some(0), Some((1024, 8192))));
            assert_eq!(state.failed, [""; 0]);
        }
        assert_eq!(Arrays::below(&sysfs, "sda").read(), []);
        let arrays = Arrays::below(&sysfs, "md1");
        let md = folder.path().join("class/block/md1/md");
        fs::write(md.join("dev-sdd/state"), "faulty,write_error\n").unwrap();
        fs::write(md.join("array_state"), "broken\n").unwrap();
        fs::write(md.join("sync_completed"), "delayed\n").unwrap();
        let state = arrays.read().remove(0);
        assert_eq!((state.failed, state.progress), (vec!["sdd".to_owned()], None));
        assert_eq!(state.fault.as_deref(), Some("broken"));
        fs::remove_dir_all(md).unwrap();
        assert_eq!(arrays.read()[0].fault.as_deref(), Some("gone"));
    }

    #[test]
    fn a_level_without_spare_has_nothing_to_synchronise() {
        let (_folder, sysfs) = machine();
        let state = Arrays::below(&sysfs, "dm-0").read().remove(0);
        let expected = ArrayState { name: "md0".to_owned(), ..ArrayState::default() };
        assert_eq!(state, expected);
    }

    #[test]
    fn a_log_keeps_first_changes_and_last() {
        let state = |action: &str, done: u64| ArrayState {
            name: "md1".to_owned(),
            action: Some(action.to_owned()),
            progress: (action != "idle").then_some((done, 100)),
            ..ArrayState::default()
        };
        let mut log = ArrayLog::default();
        let at = |second: u64| Tick::from_nanos(second * 1_000_000_000);
        for (second, action, done) in [(0, "idle", 0), (1, "check", 5), (2, "check", 9)] {
            log.note(at(second), vec![state(action, done)]);
        }
        let readings = log.clone().close(at(3), vec![state("check", 20)]);
        let kept: Vec<_> = readings.iter().map(|r| (r.at.nanos(), r.array.progress)).collect();
        let nanos = |second: u64| at(second).nanos();
        assert_eq!(kept, [(0, None), (nanos(1), Some((5, 100))), (nanos(3), Some((20, 100)))]);
        for second in 4..1000 {
            log.note(at(second), vec![state(if second % 2 == 0 { "idle" } else { "check" }, 1)]);
        }
        assert_eq!(log.close(at(1000), Vec::new()).len(), MOST_READINGS);
    }
}
