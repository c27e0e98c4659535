//! What a simulated device is like: how many requests it serves at once, and how long each takes.

use std::time::Duration;

use rand::Rng;
use thiserror::Error;

use super::{Faults, Transfer, nanos};
use crate::unit::{Bytes, Geometry, Op, below, parse_duration};

/// Why a simulated target's words could not be read.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum ModelError {
    /// No model of this name.
    #[error("there is no simulated device `{0}`: use exact, ssd or hdd")]
    Name(String),
    /// A word that is no `key=value`.
    #[error("`{0}` is not a setting: write it like channels=8 or service=100us")]
    Setting(String),
    /// A key that no model has.
    #[error("`{0}` is no setting of a simulated device: use {keys}", keys = KEYS.join(", "))]
    Key(String),
    /// A value out of range.
    #[error("`{value}` is no value for {key}: {wanted}")]
    Value {
        /// The setting.
        key: String,
        /// What was written.
        value: String,
        /// What would do.
        wanted: &'static str,
    },
}

const KEYS: [&str; 9] =
    ["channels", "service", "size", "fail", "short", "again", "never", "stall", "gone"];

/// How long a request takes, apart from an arm's movements.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Service {
    /// Whatever its size.
    pub base: Duration,
    /// Bytes per microsecond of transfer; 0 for at once.
    pub bytes_per_us: u64,
}

/// An arm over turning platters.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Arm {
    /// The shortest seek.
    pub track_to_track: Duration,
    /// The longest.
    pub full_stroke: Duration,
    /// One turn.
    pub turn: Duration,
}

/// A simulated device.
#[derive(Debug, Clone, PartialEq)]
pub struct Model {
    /// Requests served at once.
    pub channels: u16,
    /// Service of reads and writes.
    pub service: [Service; 2],
    /// How far a service time strays to each side, in thousandths.
    pub jitter: u64,
    /// The arm of a disk.
    pub arm: Option<Arm>,
    /// Capacity.
    pub size: Bytes,
    /// What goes wrong.
    pub faults: Faults,
}

impl Model {
    /// Reads the words after `sim:`: a model's name, then settings behind commas.
    ///
    /// # Errors
    /// [`ModelError`] names the first word that is wrong.
    pub fn parse(words: &str) -> Result<Self, ModelError> {
        let mut words = words.split(',').map(str::trim);
        let name = words.next().unwrap_or_default();
        let mut model = match name {
            "exact" => Self::exact(),
            "ssd" => Self::ssd(),
            "hdd" => Self::hdd(),
            _ => return Err(ModelError::Name(name.to_owned())),
        };
        for word in words {
            let (key, value) =
                word.split_once('=').ok_or_else(|| ModelError::Setting(word.to_owned()))?;
            model.set(key.trim(), value.trim())?;
        }
        Ok(model)
    }

    /// Equal channels with one service time for everything: what theory can say exactly.
    fn exact() -> Self {
        let service = Service { base: Duration::from_micros(100), bytes_per_us: 0 };
        Self {
            channels: 8,
            service: [service; 2],
            jitter: 0,
            arm: None,
            size: Bytes(1 << 40),
            faults: Faults::default(),
        }
    }

    /// Round figures of a SATA-class solid-state drive: 8 channels, 80 µs to read and 25 µs to
    /// accept a write, each channel moving 100 MB/s.
    fn ssd() -> Self {
        let service = |micros| Service { base: Duration::from_micros(micros), bytes_per_us: 100 };
        Self {
            service: [service(80), service(25)],
            jitter: 100,
            size: Bytes(256 << 30),
            ..Self::exact()
        }
    }

    /// Round figures of a 7200 rpm disk without queueing: 0.8 to 18 ms seeks, 150 MB/s.
    fn hdd() -> Self {
        let service = Service { base: Duration::from_micros(200), bytes_per_us: 150 };
        Self {
            channels: 1,
            service: [service; 2],
            arm: Some(Arm {
                track_to_track: Duration::from_micros(800),
                full_stroke: Duration::from_millis(18),
                turn: Duration::from_nanos(8_333_333),
            }),
            size: Bytes(1_000_204_886_016),
            ..Self::exact()
        }
    }

    /// What the device says of itself.
    pub fn geometry(&self) -> Geometry {
        Geometry { size: self.size, block: 512, memory_alignment: 512 }
    }

    fn set(&mut self, key: &str, value: &str) -> Result<(), ModelError> {
        let wrong = |wanted| {
            let (key, value) = (key.to_owned(), value.to_owned());
            ModelError::Value { key, value, wanted }
        };
        let time = || parse_duration(value).map_err(|_| wrong("write a duration like 100us"));
        let share = || match value.parse::<f64>() {
            Ok(share) if (0.0..=1.0).contains(&share) => Ok(share),
            _ => Err(wrong("write a share from 0 to 1, like 1e-3")),
        };
        match key {
            "channels" => {
                self.channels = match value.parse() {
                    Ok(channels @ 1..=1024) => channels,
                    _ => return Err(wrong("write a whole number from 1 to 1024")),
                }
            }
            "service" => {
                let base = time()?;
                if base.is_zero() {
                    // Time would stand still.
                    return Err(wrong("write more than nothing, like 100us"));
                }
                self.service = [Service { base, bytes_per_us: 0 }; 2];
            }
            "size" => {
                let size: Bytes = value.parse().map_err(|_| wrong("write a size like 1 TiB"))?;
                self.size = Bytes(size.get() / 512 * 512);
            }
            "fail" => self.faults.fail = share()?,
            "short" => self.faults.short = share()?,
            "again" => self.faults.again = share()?,
            "never" => self.faults.never = share()?,
            "stall" => self.faults.stall = time()?,
            "gone" => self.faults.gone = time()?,
            _ => return Err(ModelError::Key(key.to_owned())),
        }
        Ok(())
    }

    /// How long a transfer takes once its channel is free, in nanoseconds.
    pub(super) fn service(
        &self,
        transfer: &Transfer,
        arm_at: u64,
        generator: &mut impl Rng,
    ) -> u64 {
        let service = self.service[match transfer.op {
            Op::Read => 0,
            Op::Write => 1,
        }];
        let moving = (u64::from(transfer.size) * 1_000).checked_div(service.bytes_per_us);
        let mut total = nanos(service.base) + moving.unwrap_or(0);
        if let Some(arm) = &self.arm
            && transfer.offset != arm_at
        {
            total += arm.reach(transfer.offset.abs_diff(arm_at), self.size.get());
            total += below(generator.next_u64(), nanos(arm.turn));
        }
        if self.jitter == 0 {
            return total;
        }
        let thousandths = 1_000 - self.jitter + below(generator.next_u64(), 2 * self.jitter + 1);
        let strayed = u128::from(total) * u128::from(thousandths) / 1_000;
        u64::try_from(strayed).unwrap_or(u64::MAX).max(1)
    }
}

impl Arm {
    /// The time to move over a distance, in nanoseconds: the square root of the distance between
    /// the shortest and the longest seek.
    fn reach(&self, distance: u64, size: u64) -> u64 {
        let (shortest, longest) = (nanos(self.track_to_track), nanos(self.full_stroke));
        let share = (distance as f64 / size.max(1) as f64).sqrt();
        #[expect(clippy::cast_possible_truncation, reason = "at most the longest seek")]
        #[expect(clippy::cast_sign_loss, reason = "a share and a time, both positive")]
        let beyond = (longest.saturating_sub(shortest) as f64 * share) as u64;
        shortest + beyond
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_read() {
        let model = Model::parse("exact,channels=4,service=50us,never=1e-6").unwrap();
        assert_eq!(model.channels, 4);
        assert_eq!(model.service[0].base, Duration::from_micros(50));
        assert!((model.faults.never - 1e-6).abs() < 1e-18);
        for (words, fragment) in [
            ("floppy", "no simulated device `floppy`"),
            ("exact,channels", "is not a setting"),
            ("exact,chanels=8", "is no setting"),
            ("exact,channels=0", "1 to 1024"),
            ("exact,service=soon", "a duration"),
            ("exact,fail=2", "0 to 1"),
        ] {
            let message = Model::parse(words).unwrap_err().to_string();
            assert!(message.contains(fragment), "{words}: {message}");
        }
    }
}
