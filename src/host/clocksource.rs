//! What the kernel makes its monotonic clock of.
//!
//! It must never judge a clock by its name alone where it can be measured: the name explains a
//! slow clock, and `fathom calibrate` shows how slow it is. Tested on trees made by the tests.

use std::path::Path;
use std::time::Duration;

use rustix::time::{ClockId, clock_getres};

use super::sysfs::text;

/// Sources that a program reads without entering the kernel.
const QUICK: [&str; 10] = [
    "arch_sys_counter",
    "hyperv_clocksource_tsc_page",
    "kvm-clock",
    "riscv_clocksource",
    "stick",
    "stp_clock",
    "timebase",
    "tod",
    "tsc",
    "xen",
];

/// The source of the kernel's clock.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct ClockSource {
    /// Its name; `None` where sysfs does not tell.
    pub name: Option<String>,
    /// All that the kernel could use, this one among them.
    pub available: Vec<String>,
    /// What the kernel gives as the clock's resolution (`clock_getres`).
    pub resolution: Duration,
}

impl ClockSource {
    /// The source that is in use now.
    pub fn now() -> Self {
        // The kernel's resolution is never negative.
        let resolution = Duration::try_from(clock_getres(ClockId::Monotonic)).unwrap_or_default();
        Self { resolution, ..Self::read(Path::new("/sys")) }
    }

    /// The part of it that stands in files below a root.
    fn read(sys: &Path) -> Self {
        let folder = sys.join("devices/system/clocksource/clocksource0");
        let available = text(&folder.join("available_clocksource")).unwrap_or_default();
        Self {
            name: text(&folder.join("current_clocksource")),
            available: available.split_whitespace().map(str::to_owned).collect(),
            resolution: Duration::ZERO,
        }
    }

    /// What is wrong with the source and what to do about it; `None` where a program reads it
    /// without entering the kernel, and where it is not known.
    pub fn warning(&self) -> Option<String> {
        let name = self.name.as_deref()?;
        if QUICK.contains(&name) {
            return None;
        }
        let better = QUICK.iter().find(|quick| self.available.iter().any(|other| other == *quick));
        let remedy = match better {
            Some(better) => format!(
                "boot with clocksource={better}, or write {better} to \
                 /sys/devices/system/clocksource/clocksource0/current_clocksource"
            ),
            None => "the kernel offers none that is quicker, and its log may say why".to_owned(),
        };
        Some(format!("the clock is {name}, and each reading of it is a system call: {remedy}"))
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    #[test]
    fn a_slow_source_is_told_with_its_remedy() {
        for (current, available, said) in [
            ("tsc", "tsc kvm-clock", None),
            ("kvm-clock", "kvm-clock", None),
            ("hpet", "tsc hpet acpi_pm", Some("boot with clocksource=tsc")),
            ("acpi_pm", "hpet acpi_pm", Some("offers none that is quicker")),
            ("", "", None),
        ] {
            let root = tempfile::TempDir::new().unwrap();
            let folder = root.path().join("devices/system/clocksource/clocksource0");
            fs::create_dir_all(&folder).unwrap();
            fs::write(folder.join("current_clocksource"), format!("{current}\n")).unwrap();
            fs::write(folder.join("available_clocksource"), format!("{available} \n")).unwrap();
            let warning = ClockSource::read(root.path()).warning();
            assert_eq!(warning.is_some(), said.is_some(), "{current}");
            assert!(warning.unwrap_or_default().contains(said.unwrap_or_default()), "{current}");
        }
    }

    #[test]
    fn a_live_machine_has_a_resolution() {
        assert!(ClockSource::now().resolution > Duration::ZERO);
    }
}
