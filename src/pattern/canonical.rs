//! The canonical form of an access specification, and its fingerprint.
//!
//! Two patterns that ask the same of a target have the same canonical form, however their files
//! are written; the fingerprint is a hash of it and stands beside every result, so that results
//! of unlike patterns are never compared. Both are stable for ever: a change here would cut every
//! old record off from the new ones. docs/pattern-format.md describes the form.

use std::fmt::{self, Write};
use std::str::FromStr;

use sha2::{Digest, Sha256};
use thiserror::Error;

use super::{Align, Axes, Data, Line, Pattern};
use crate::unit::Percent;

/// The identity of an access specification: the first 8 bytes of the SHA-256 of its canonical
/// form. Written as 16 hexadecimal digits.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Fingerprint(u64);

/// Why a fingerprint could not be read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
#[error("a fingerprint is 16 hexadecimal digits")]
pub struct FingerprintError;

impl fmt::Display for Fingerprint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&format!("{:016x}", self.0))
    }
}

impl FromStr for Fingerprint {
    type Err = FingerprintError;

    fn from_str(text: &str) -> Result<Self, FingerprintError> {
        let hexadecimal = text.len() == 16 && text.bytes().all(|b| b.is_ascii_hexdigit());
        let number = u64::from_str_radix(text, 16).ok().filter(|_| hexadecimal);
        number.map(Self).ok_or(FingerprintError)
    }
}

/// What tells lines apart, in the order in which they are sorted: all but the share. `None` is
/// what a sweep decides, or an alignment that follows from it.
type Key = (Option<u32>, Option<u16>, u16, Option<u32>, u32, u128);

impl Line {
    /// The alignment in bytes: every way of asking for the same one gives the same number.
    pub fn alignment(&self) -> u32 {
        match self.align {
            Align::Natural => self.size.natural_alignment(),
            Align::Sector => 512,
            Align::Bytes(bytes) => bytes.get(),
        }
    }

    fn key(&self, swept: &Axes) -> Key {
        let sized = swept.transfer_sizes.is_empty();
        let aligned = sized || self.align != Align::Natural;
        (
            sized.then(|| self.size.get()),
            swept.directions.is_none().then(|| self.read.hundredths()),
            self.random.hundredths(),
            aligned.then(|| self.alignment()),
            self.burst,
            self.delay.as_nanos(),
        )
    }
}

impl Pattern {
    /// The identity of what is asked of the target, but for what the sweep varies.
    pub fn fingerprint(&self) -> Fingerprint {
        let digest = Sha256::digest(self.canonical());
        let first = digest.iter().take(8).fold(0, |hash, byte| hash << 8 | u64::from(*byte));
        Fingerprint(first)
    }

    /// The text that is hashed: lines sorted, like ones made one, every number in its smallest
    /// unit. The order of lines and the split of one into two do not change what is asked. What
    /// the sweep varies is `swept`, whatever its values: each setting says its own.
    pub fn canonical(&self) -> String {
        let lines = self.access.lines.iter();
        let mut lines: Vec<(Key, u32)> =
            lines.map(|line| (line.key(&self.axes), line.share.hundredths().into())).collect();
        lines.sort_unstable();
        lines.dedup_by(|line, kept| {
            let like = line.0 == kept.0;
            kept.1 += if like { line.1 } else { 0 };
            like
        });
        let mut text = String::from("fathom access 1\n");
        for ((size, read, random, align, burst, delay), share) in lines {
            let (size, read) = (or(size, "swept"), or(read, "swept"));
            let align = or(align, "natural");
            // Writing to a `String` can't fail.
            _ = writeln!(
                text,
                "size={size} share={share} read={read} random={random} \
                 align={align} burst={burst} delay={delay}"
            );
        }
        text.push_str("data=");
        match self.access.data {
            Data::Random | Data::Compressible(Percent::ZERO) => text.push_str("random"),
            Data::Zeros | Data::Compressible(Percent::HUNDRED) => text.push_str("zeros"),
            Data::Compressible(share) => _ = write!(text, "compressible:{}", share.hundredths()),
        }
        text.push('\n');
        text
    }
}

/// A number, or the word for what is none.
fn or(number: Option<impl ToString>, word: &str) -> String {
    number.map_or_else(|| word.to_owned(), |number| number.to_string())
}

#[cfg(test)]
mod tests {
    use crate::pattern::{Fingerprint, Pattern, parse};

    fn pattern(text: &str) -> Pattern {
        let (pattern, faults) = parse("test", &format!("title = \"Test\"\n{text}"));
        pattern.unwrap_or_else(|| panic!("{faults:?}"))
    }

    fn fingerprint(text: &str) -> Fingerprint {
        pattern(text).fingerprint()
    }

    #[test]
    fn the_canonical_form_is_for_ever() {
        let text = "read = 80\nrandom = 33.33\ndata = { compressible = 50 }\naccess = [
            { size = \"64 KiB\", share = 12.5, align = \"sector\", burst = 16, delay = \"10ms\" },
            { size = 512, share = 87.5, read = 100 },
        ]";
        assert_eq!(
            pattern(text).canonical(),
            "fathom access 1\n\
             size=512 share=8750 read=10000 random=3333 align=512 burst=1 delay=0\n\
             size=65536 share=1250 read=8000 random=3333 align=512 burst=16 delay=10000000\n\
             data=compressible:5000\n"
        );
        assert_eq!(fingerprint(text).to_string(), "2eecbdb805c63d6f");
    }

    #[test]
    fn like_loads_have_like_fingerprints() {
        let one = "read = 67\nrandom = 100\naccess = [{ size = \"8k\" }]";
        for other in [
            "access = [{ size = 8192, share = 100, read = 67, random = 100.00 }]",
            "read = 67\nrandom = 100\nalign = \"8 KiB\"\naccess = [{ size = \"8k\" }]",
            "read = 67\nrandom = 100\naccess = [{ size = \"8k\", share = 40 }, { size = \"8k\", share = 60 }]",
            "read = 67\nrandom = 100\ndata = \"random\"\naccess = [{ size = \"8k\", burst = 1 }]\n\
             [sweep]\nqueue_depth = [3]\n[rating]\nmean = {}",
        ] {
            assert_eq!(fingerprint(one), fingerprint(other), "{other}");
        }
        let swapped = |a: &str, b: &str| {
            format!("read = 0\nrandom = 0\naccess = [{{ {a}, share = 50 }}, {{ {b}, share = 50 }}]")
        };
        let (a, b) = ("size = 512", "size = 4096");
        assert_eq!(fingerprint(&swapped(a, b)), fingerprint(&swapped(b, a)));
    }

    #[test]
    fn unlike_loads_have_unlike_fingerprints() {
        let one = "read = 67\nrandom = 100\naccess = [{ size = \"8k\" }]";
        for other in [
            "read = 67\nrandom = 100\naccess = [{ size = \"4k\" }]",
            "read = 66.99\nrandom = 100\naccess = [{ size = \"8k\" }]",
            "read = 67\nrandom = 99\naccess = [{ size = \"8k\" }]",
            "read = 67\nrandom = 100\nalign = \"sector\"\naccess = [{ size = \"8k\" }]",
            "read = 67\nrandom = 100\ndata = \"zeros\"\naccess = [{ size = \"8k\" }]",
            "read = 67\nrandom = 100\naccess = [{ size = \"8k\", burst = 2 }]",
            "read = 67\nrandom = 100\naccess = [{ size = \"8k\", delay = \"1ms\" }]",
        ] {
            assert_ne!(fingerprint(one), fingerprint(other), "{other}");
        }
    }

    /// How far a key is swept is no part of what is asked, but that it is swept is.
    #[test]
    fn what_is_swept_is_left_out() {
        let swept = |head: &str, sweep: &str| {
            format!("random = 100\n{head}\n[sweep]\nqueue_depth = [1]\n{sweep}")
        };
        let line = "access = [{ burst = 1 }]";
        let both = swept(line, "write = [0, 50]\ntransfer_size = [512, 4096]");
        assert_eq!(
            pattern(&both).canonical(),
            "fathom access 1\n\
             size=swept share=10000 read=swept random=10000 align=natural burst=1 delay=0\n\
             data=random\n"
        );
        for other in [
            swept(line, "read = [100]\ntransfer_size = \"8k..64k\""),
            swept("access = [{ size = \"1M\", read = 12 }]", "read = [7]\ntransfer_size = [512]"),
        ] {
            assert_eq!(fingerprint(&both), fingerprint(&other), "{other}");
        }
        for other in [
            swept("align = \"sector\"\naccess = [{}]", "read = [100]\ntransfer_size = [512]"),
            swept("read = 0\naccess = [{}]", "transfer_size = [512]"),
            swept("access = [{ size = 512 }]", "read = [100]"),
            swept("access = [{ size = 512, read = 100 }]", ""),
        ] {
            assert_ne!(fingerprint(&both), fingerprint(&other), "{other}");
        }
        let lines = |first: u8, second: u8| {
            let head = format!(
                "access = [{{ size = 512, share = 40, read = {first} }}, \
                 {{ size = 512, share = 60, read = {second} }}]"
            );
            swept(&head, "write = [0]")
        };
        assert_eq!(fingerprint(&lines(0, 100)), fingerprint(&lines(3, 3)));
    }

    #[test]
    fn fingerprints_read_back() {
        let print = fingerprint("read = 0\nrandom = 0\naccess = [{ size = 512 }]");
        assert_eq!(print.to_string().parse(), Ok(print));
        for text in ["", "123", "+123456789abcdef", "g123456789abcdef", "00123456789abcdef0"] {
            assert!(text.parse::<Fingerprint>().is_err(), "{text}");
        }
    }
}
