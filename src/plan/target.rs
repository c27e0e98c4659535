//! What a target is called and what it is, as the command line says it: `[NAME=]TARGET`.

use std::fmt;
use std::path::{Path, PathBuf};
use std::str::FromStr;

use thiserror::Error;

/// Why a target could not be read.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum TargetError {
    /// Nothing was named.
    #[error("a target is missing: name a file, a device, null: or sim:ssd")]
    Empty,
    /// A name with other characters than letters, digits, `.`, `_` and `-`.
    #[error("`{0}` is no name for a target: use letters, digits, `.`, `_` and `-`")]
    Name(String),
    /// A scheme that there is not.
    #[error("`{0}:` is no kind of target: use null:, sim:NAME, or a path")]
    Scheme(String),
}

/// What tables call a target: `[A-Za-z0-9._-]+`.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct TargetName(String);

impl TargetName {
    /// The text.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// A name from any text, other characters replaced by `-`.
    pub fn from_text(text: &str) -> Self {
        let name: String =
            text.chars().map(|c| if is_name_character(c) { c } else { '-' }).collect();
        Self(if name.is_empty() { "target".to_owned() } else { name })
    }
}

fn is_name_character(c: char) -> bool {
    c.is_ascii_alphanumeric() || "._-".contains(c)
}

impl FromStr for TargetName {
    type Err = TargetError;

    fn from_str(text: &str) -> Result<Self, TargetError> {
        if !text.is_empty() && text.chars().all(is_name_character) {
            Ok(Self(text.to_owned()))
        } else {
            Err(TargetError::Name(text.to_owned()))
        }
    }
}

impl fmt::Display for TargetName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.0)
    }
}

/// What a target is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum TargetSpec {
    /// No device: every request completes at once.
    Null,
    /// A simulated device: the words after `sim:`.
    Simulated(String),
    /// A file or block device.
    Path(PathBuf),
    /// A file of our own in the current folder that nothing is left of.
    Scratch,
}

impl TargetSpec {
    /// Whether it exists only as arithmetic, on virtual time.
    pub fn is_simulated(&self) -> bool {
        matches!(self, Self::Simulated(_))
    }
}

impl fmt::Display for TargetSpec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Null => f.pad("null:"),
            Self::Simulated(words) => f.pad(&format!("sim:{words}")),
            Self::Path(path) => f.pad(&path.display().to_string()),
            Self::Scratch => f.pad("scratch file"),
        }
    }
}

impl FromStr for TargetSpec {
    type Err = TargetError;

    fn from_str(text: &str) -> Result<Self, TargetError> {
        match text.split_once(':') {
            _ if text.is_empty() => Err(TargetError::Empty),
            _ if text.starts_with(['/', '.']) => Ok(Self::Path(PathBuf::from(text))),
            Some(("null", "")) => Ok(Self::Null),
            Some(("sim", words)) => Ok(Self::Simulated(words.to_owned())),
            Some((scheme, _)) if scheme.chars().all(|c| c.is_ascii_alphabetic()) => {
                Err(TargetError::Scheme(scheme.to_owned()))
            }
            _ => Ok(Self::Path(PathBuf::from(text))),
        }
    }
}

impl super::NamedTarget {
    /// The scratch file.
    pub fn scratch() -> Self {
        Self { name: TargetName("scratch".to_owned()), spec: TargetSpec::Scratch }
    }

    /// A path that another option names as a target.
    pub fn path(path: &Path) -> Self {
        let name = path.file_name().map(|name| name.to_string_lossy().into_owned());
        let name = TargetName::from_text(&name.unwrap_or_else(|| path.display().to_string()));
        Self { name, spec: TargetSpec::Path(path.to_owned()) }
    }
}

impl FromStr for super::NamedTarget {
    type Err = TargetError;

    /// Reads `[NAME=]TARGET`. What stands before `=` is a name only where it could be one:
    /// `./a=b` and `sim:exact,channels=4` name no target.
    fn from_str(text: &str) -> Result<Self, TargetError> {
        if let Some((name, spec)) = text.split_once('=')
            && let Ok(name) = name.parse()
        {
            return Ok(Self { name, spec: spec.parse()? });
        }
        let spec: TargetSpec = text.parse()?;
        match &spec {
            TargetSpec::Path(path) => Ok(Self::path(path)),
            TargetSpec::Null => Ok(Self { name: TargetName("null".to_owned()), spec }),
            TargetSpec::Simulated(words) => {
                let model = words.split(',').next().unwrap_or_default();
                Ok(Self { name: TargetName::from_text(&format!("sim-{model}")), spec })
            }
            TargetSpec::Scratch => Ok(Self::scratch()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::NamedTarget;
    use super::*;

    #[test]
    fn targets_are_read() {
        for (text, name, spec) in [
            ("null:", "null", TargetSpec::Null),
            ("/dev/sda", "sda", TargetSpec::Path("/dev/sda".into())),
            ("raid0=/dev/md0", "raid0", TargetSpec::Path("/dev/md0".into())),
            ("./a=b", "a-b", TargetSpec::Path("./a=b".into())),
            ("sim:exact,channels=8", "sim-exact", TargetSpec::Simulated("exact,channels=8".into())),
            ("old=sim:hdd", "old", TargetSpec::Simulated("hdd".into())),
            ("disk.img", "disk.img", TargetSpec::Path("disk.img".into())),
        ] {
            let target: NamedTarget = text.parse().unwrap();
            assert_eq!((target.name.as_str(), target.spec), (name, spec), "{text}");
        }
        assert_eq!("".parse::<NamedTarget>(), Err(TargetError::Empty));
        assert_eq!("nul:".parse::<NamedTarget>(), Err(TargetError::Scheme("nul".into())));
    }
}
