//! The patterns that come with fathom, found by name. Their files are in patterns/.

use thiserror::Error;

use super::{Pattern, parse};
use crate::document::nearest;

/// A pattern that comes with fathom.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Shipped {
    /// What selects it.
    pub name: &'static str,
    /// The text of its file.
    pub text: &'static str,
}

/// No pattern has this name.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("no pattern is called `{name}`")]
pub struct Unknown {
    /// The name that was asked for.
    pub name: String,
    /// The one that was probably meant.
    pub nearest: Option<&'static str>,
}

macro_rules! shipped {
    ($($name:literal)*) => {
        &[$(Shipped {
            name: $name,
            text: include_str!(concat!("../../patterns/", $name, ".toml")),
        }),*]
    };
}

/// In the order in which they are listed: the classic ones of the reviews first.
static CATALOG: &[Shipped] = shipped![
    "file-server"
    "web-server"
    "web-server-2008"
    "database"
    "database-mix"
    "workstation"
    "streaming-read"
    "streaming-write"
    "sequential-read"
    "sequential-write"
    "random-read"
    "random-write"
    "random-read-4k"
    "random-write-4k"
    "dss"
    "media-streaming"
    "video-on-demand"
    "exchange-server"
    "os-paging"
    "sql-server-log"
    "web-server-log"
    "all-in-one"
    "iometer-default"
    "vmware-max-read"
    "vmware-max-mixed"
    "vmware-real-life"
    "vmware-random-8k"
    "jesd219"
];

/// Every pattern that comes with fathom.
pub fn catalog() -> &'static [Shipped] {
    CATALOG
}

/// The shipped pattern of this name.
///
/// # Errors
/// [`Unknown`] names the nearest one.
pub fn find(name: &str) -> Result<&'static Shipped, Unknown> {
    if let Some(shipped) = CATALOG.iter().find(|shipped| shipped.name == name) {
        return Ok(shipped);
    }
    let names = || CATALOG.iter().map(|shipped| shipped.name);
    let part = || names().find(|whole| name.len() > 1 && whole.contains(&name.to_lowercase()));
    Err(Unknown { name: name.to_owned(), nearest: nearest(name, names()).or_else(part) })
}

impl Shipped {
    /// The pattern.
    ///
    /// # Panics
    /// Never: a test reads every shipped pattern.
    pub fn pattern(&self) -> Pattern {
        parse(self.name, self.text).0.expect("every shipped pattern is valid")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_shipped_pattern_is_read_without_a_word() {
        for shipped in catalog() {
            let (pattern, faults) = parse(shipped.name, shipped.text);
            assert_eq!(faults, [], "{}", shipped.name);
            let pattern = pattern.unwrap();
            assert!(pattern.source.is_some() && pattern.about.is_some(), "{}", shipped.name);
            let lines = pattern.access.lines.iter();
            let sum: u32 = lines.map(|line| u32::from(line.share.hundredths())).sum();
            assert_eq!(sum, 10_000, "{}", shipped.name);
        }
    }

    #[test]
    fn every_file_is_in_the_catalog() {
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/patterns");
        let files = std::fs::read_dir(folder).unwrap();
        let mut names: Vec<_> = files
            .map(|file| file.unwrap().path().file_stem().unwrap().to_str().unwrap().to_owned())
            .collect();
        let mut known: Vec<_> = catalog().iter().map(|shipped| shipped.name.to_owned()).collect();
        names.sort();
        known.sort();
        assert_eq!(names, known);
    }

    #[test]
    fn a_miss_names_the_nearest() {
        for (typed, nearest) in [
            ("fileserver", Some("file-server")),
            ("File-Server", Some("file-server")),
            ("webserver", Some("web-server")),
            ("workstaiton", Some("workstation")),
            ("paging", Some("os-paging")),
            ("quake", None),
        ] {
            assert_eq!(find(typed).unwrap_err().nearest, nearest, "{typed}");
        }
        assert_eq!(find("database").unwrap().name, "database");
    }
}
