//! What an array is made of, and what a request costs its members.

use std::fmt;
use std::str::FromStr;

use thiserror::Error;

use super::Load;

/// How data lie on the members.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Level {
    /// Striped, each byte once.
    Raid0,
    /// Every member has everything.
    Raid1,
    /// Striped, each byte twice.
    Raid10,
}

/// An array of equal disks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Array {
    level: Level,
    members: u16,
}

/// Why disks make no array.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
#[error("a {level} of {members} is no array: it has at least 2 members")]
pub struct ArrayError {
    level: Level,
    members: u16,
}

impl Array {
    /// An array of so many disks.
    ///
    /// # Errors
    /// [`ArrayError`] with fewer than two.
    pub fn new(level: Level, members: u16) -> Result<Self, ArrayError> {
        if members < 2 { Err(ArrayError { level, members }) } else { Ok(Self { level, members }) }
    }

    /// How data lie on it.
    pub fn level(self) -> Level {
        self.level
    }

    /// How many disks it has.
    pub fn members(self) -> u16 {
        self.members
    }

    /// How many members have each byte.
    fn copies(self) -> u16 {
        match self.level {
            Level::Raid0 => 1,
            Level::Raid1 => self.members,
            Level::Raid10 => 2,
        }
    }

    pub(super) fn is_mirror(self) -> bool {
        self.copies() > 1
    }

    /// How many disks' worth of a load it could carry: a read costs one member, a write each that
    /// has a copy. Reads and writes are taken to cost a member the same, which is exact for loads
    /// that only read or only write.
    pub(super) fn capacity(self, load: Load) -> f64 {
        let members_a_request = load.read + (1.0 - load.read) * f64::from(self.copies());
        f64::from(self.members) / members_a_request
    }

    /// How many disks' worth it would be if one copy of each byte did all the work.
    pub(super) fn stripes(self) -> f64 {
        f64::from(self.members) / f64::from(self.copies())
    }
}

impl fmt::Display for Level {
    /// As md calls it.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::Raid0 => "raid0",
            Self::Raid1 => "raid1",
            Self::Raid10 => "raid10",
        })
    }
}

impl fmt::Display for Array {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} of {}", self.level, self.members)
    }
}

impl FromStr for Level {
    type Err = DeclaredError;

    fn from_str(text: &str) -> Result<Self, DeclaredError> {
        let known = [Self::Raid0, Self::Raid1, Self::Raid10];
        let found = known.into_iter().find(|level| level.to_string() == text);
        found.ok_or_else(|| DeclaredError::Form(text.to_owned()))
    }
}

/// What somebody says of a target: it is an array, of so many of these disks. Written
/// `LEVEL:MEMBERS`, or `LEVEL:MEMBERS@DISK` where its disk is not the baseline.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Declared {
    /// What it is made of.
    pub array: Array,
    /// The target that is one of its disks, or equal to one; `None` for the baseline.
    pub disk: Option<String>,
}

/// Why a text declares no array.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum DeclaredError {
    /// It has another form.
    #[error(
        "`{0}` is no array: write raid0:4, raid1:2 or raid10:4, with @DISK where its disk is \
             not the baseline"
    )]
    Form(String),
    /// It has too few members.
    #[error(transparent)]
    Members(#[from] ArrayError),
}

impl fmt::Display for Declared {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.array.level, self.array.members)?;
        self.disk.as_ref().map_or(Ok(()), |disk| write!(f, "@{disk}"))
    }
}

impl FromStr for Declared {
    type Err = DeclaredError;

    fn from_str(text: &str) -> Result<Self, DeclaredError> {
        let form = || DeclaredError::Form(text.to_owned());
        let (array, disk) = match text.split_once('@') {
            Some((_, "")) => return Err(form()),
            Some((array, disk)) => (array, Some(disk.to_owned())),
            None => (text, None),
        };
        let (level, members) = array.split_once(':').ok_or_else(form)?;
        let level = level.parse().map_err(|_| form())?;
        let members = members.parse().map_err(|_| form())?;
        Ok(Self { array: Array::new(level, members)?, disk })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_write_costs_every_copy() {
        let load = |read| Load { read, random: 1.0 };
        let cases = [
            (Level::Raid0, 4, [4.0, 4.0, 4.0], 4.0),
            (Level::Raid1, 2, [2.0, 4.0 / 3.0, 1.0], 1.0),
            (Level::Raid1, 3, [3.0, 1.5, 1.0], 1.0),
            (Level::Raid10, 4, [4.0, 8.0 / 3.0, 2.0], 2.0),
            (Level::Raid10, 3, [3.0, 2.0, 1.5], 1.5),
        ];
        for (level, members, capacities, stripes) in cases {
            let array = Array::new(level, members).unwrap();
            for (read, capacity) in [1.0, 0.5, 0.0].into_iter().zip(capacities) {
                let ours = array.capacity(load(read));
                assert!((ours - capacity).abs() < 1e-12, "{array}, {read} read: {ours}");
            }
            assert!((array.stripes() - stripes).abs() < 1e-12, "{array}");
        }
        let error = Array::new(Level::Raid0, 1).unwrap_err();
        assert_eq!(error.to_string(), "a raid0 of 1 is no array: it has at least 2 members");
    }

    #[test]
    fn an_array_is_declared_in_a_word() {
        for text in ["raid0:4", "raid1:2@sda", "raid10:6@before/sda"] {
            assert_eq!(text.parse::<Declared>().unwrap().to_string(), text);
        }
        for text in ["", "raid0", "raid5:4", "raid0:x", "raid0:4@", "raid0:-1"] {
            let error = text.parse::<Declared>().unwrap_err().to_string();
            assert!(error.contains("write raid0:4"), "{text}: {error}");
        }
        let few = "raid1:1".parse::<Declared>().unwrap_err();
        assert_eq!(few.to_string(), "a raid1 of 1 is no array: it has at least 2 members");
    }
}
