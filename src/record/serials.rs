//! Leaves serial numbers out of a record, so that it can be shown to strangers.
//!
//! What names one single device in the world goes: serial numbers, world-wide names, the UUIDs of
//! volumes, the host's name, and each of them wherever it stands in a path or a sentence. It must never touch a
//! figure, and never leave half of a number. Pure. Tested by cases.

use std::path::PathBuf;

use super::{Header, Link};
use crate::host::Environment;

/// What stands where something was left out.
const HIDDEN: &str = "hidden";

/// The facts of a device that name it alone.
pub(super) const NAMING: [&str; 3] = ["serial", "WWN", "uuid"];

/// Shorter numbers are not looked for in sentences: they could be any word.
const SHORTEST: usize = 4;

/// The folders of `/dev/disk`, the names in which are made of serial numbers and UUIDs.
const LINKS: &str = "/dev/disk/by-";

/// The numbers that must not stand in a record.
#[derive(Debug, Clone, Default)]
pub struct Serials {
    secrets: Vec<String>,
}

impl Serials {
    /// Those that a header tells.
    pub fn of(header: &Header) -> Self {
        header
            .targets
            .iter()
            .fold(Self::default(), |serials, target| serials.and_those_of(&target.chain))
    }

    /// Those that a chain tells, too.
    #[must_use]
    pub fn and_those_of(self, chain: &[Link]) -> Self {
        let values = chain.iter().flat_map(|link| NAMING.iter().filter_map(|name| link.fact(name)));
        let found = values.flat_map(|value| {
            // `mpath-3600…` and `naa.5000…`: what follows the kind stands alone, too.
            let rest = value.split_once(['-', '.']).map(|(_, rest)| rest);
            [Some(value), rest].into_iter().flatten().map(str::to_owned)
        });
        found.fold(self, Self::and)
    }

    /// This word, too: a host's name.
    #[must_use]
    pub fn and(mut self, secret: String) -> Self {
        if secret.chars().count() >= SHORTEST && !self.secrets.contains(&secret) {
            self.secrets.push(secret);
        }
        // A number may be a part of another.
        self.secrets.sort_by_key(|secret| std::cmp::Reverse(secret.len()));
        self
    }

    /// A header without them, which says so. Names of targets stay: they are part of every table,
    /// and whoever has them in one is to be told before.
    #[must_use]
    pub fn out_of(&self, mut header: Header) -> Header {
        header.serials_hidden = true;
        self.texts(&mut header.command);
        self.machine(&mut header.environment);
        for target in &mut header.targets {
            target.spec = self.text(&target.spec);
            let path = target.path.take();
            target.path = path.map(|path| PathBuf::from(self.text(&path.to_string_lossy())));
            target.facts.iter_mut().for_each(|(_, value)| *value = self.text(value));
            self.texts(&mut target.notes);
            self.links(&mut target.chain);
        }
        header
    }

    /// Takes them out of a chain.
    pub fn links(&self, chain: &mut [Link]) {
        for link in chain {
            link.facts.retain(|(name, _)| !NAMING.contains(&name.as_str()));
            for (name, value) in &mut link.facts {
                *value = self.text(value);
                if name == "mount options" {
                    *value = addresses_hidden(value);
                }
            }
        }
    }

    /// Takes them out of what is known of the machine.
    pub fn machine(&self, machine: &mut Environment) {
        self.texts(&mut machine.boot);
    }

    fn texts(&self, texts: &mut [String]) {
        for text in texts {
            *text = self.text(text);
        }
    }

    /// A text without them.
    pub fn text(&self, text: &str) -> String {
        let mut text = links_hidden(text);
        for secret in &self.secrets {
            text = replaced(&text, secret);
        }
        uuids_hidden(&text)
    }
}

/// `/dev/disk/by-id/…` up to where a path ends.
fn links_hidden(text: &str) -> String {
    let mut shown = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find(LINKS) {
        let (before, link) = rest.split_at(at);
        let Some(slash) = link[LINKS.len()..].find('/') else { break };
        let folder = LINKS.len() + slash + 1;
        let ends = |c: char| c.is_whitespace() || ",;'\"()".contains(c);
        let end = link[folder..].find(ends).map_or(link.len(), |length| folder + length);
        shown.extend([before, &link[..folder], HIDDEN]);
        rest = &link[end..];
    }
    shown + rest
}

/// A text with each whole occurrence of a secret replaced; as a part of a longer number it is
/// another number.
fn replaced(text: &str, secret: &str) -> String {
    let mut shown = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find(secret) {
        let (before, behind) = (&rest[..at], &rest[at + secret.len()..]);
        let joins = |c: Option<char>| c.is_some_and(char::is_alphanumeric);
        let whole = !joins(before.chars().next_back()) && !joins(behind.chars().next());
        shown.push_str(before);
        shown.push_str(if whole { HIDDEN } else { secret });
        rest = behind;
    }
    shown + rest
}

/// Mount options of a share without the addresses of server and client.
fn addresses_hidden(options: &str) -> String {
    let shown = |option: &str| match option.split_once('=') {
        Some((key, _)) if key.ends_with("addr") => format!("{key}={HIDDEN}"),
        _ => option.to_owned(),
    };
    options.split(',').map(shown).collect::<Vec<_>>().join(",")
}

/// UUIDs as they are written: 8, 4, 4, 4 and 12 hexadecimal digits.
fn uuids_hidden(text: &str) -> String {
    const LENGTH: usize = 36;
    let is_uuid = |bytes: &[u8]| {
        bytes.iter().enumerate().all(|(at, byte)| match at {
            8 | 13 | 18 | 23 => *byte == b'-',
            _ => byte.is_ascii_hexdigit(),
        })
    };
    let found = text.as_bytes().windows(LENGTH).position(is_uuid);
    // A match is ASCII throughout, so both of its ends lie between letters.
    match found {
        Some(at) => format!("{}{HIDDEN}{}", &text[..at], uuids_hidden(&text[at + LENGTH..])),
        None => text.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::header;
    use super::super::v1::header_line;
    use super::*;

    #[test]
    fn texts_lose_what_names_a_device() {
        let secrets = ["S5Y1", "35000c500a1b2c3d4"].map(str::to_owned).to_vec();
        let serials = Serials { secrets };
        for (text, expected) in [
            ("/dev/disk/by-id/ata-Disk_S5Y1-part1", "/dev/disk/by-id/hidden"),
            ("-t a=/dev/disk/by-uuid/1234-ABCD, b", "-t a=/dev/disk/by-uuid/hidden, b"),
            ("/dev/disk/by-id", "/dev/disk/by-id"),
            ("disk S5Y1, S5Y12 and XS5Y1: S5Y1", "disk hidden, S5Y12 and XS5Y1: hidden"),
            ("/dev/mapper/35000c500a1b2c3d4", "/dev/mapper/hidden"),
            ("luks-6f1c0a52-1b2c-4d3e-8f90-a1b2c3d4e5f6 ü", "luks-hidden ü"),
            ("512 KiB, /dev/sda", "512 KiB, /dev/sda"),
        ] {
            assert_eq!(serials.text(text), expected);
        }
    }

    #[test]
    fn a_share_does_not_tell_its_server() {
        let options = "rw,vers=4.2,clientaddr=192.0.2.7,addr=192.0.2.1,noaddr";
        let facts = vec![("mount options".to_owned(), options.to_owned())];
        let mut chain = [Link { name: "file system".to_owned(), facts }];
        Serials::default().links(&mut chain);
        let shown = "rw,vers=4.2,clientaddr=hidden,addr=hidden,noaddr";
        assert_eq!(chain[0].fact("mount options"), Some(shown));
    }

    #[test]
    fn no_serial_is_left_in_a_header() {
        let mut header = header();
        header.command.push("array=/dev/disk/by-id/ata-Old_Spinner_SERIAL-A".to_owned());
        header.targets[0].notes.push("SERIAL-B is slower than SERIAL-A".to_owned());
        let told = header_line(&header).unwrap();
        for secret in ["SERIAL-A", "SERIAL-B", "naa.5000c500", "6f1c0a52"] {
            assert!(told.contains(secret), "{secret}");
        }
        header.environment.boot.push("nvme_core.host=attic".to_owned());
        header.targets[0].path = Some("/dev/mapper/attic--vg-data".into());
        let serials = Serials::of(&header).and("attic".to_owned());
        let hidden = serials.out_of(header);
        assert!(hidden.serials_hidden);
        let hidden = header_line(&hidden).unwrap();
        for secret in ["SERIAL", "5000c500", "6f1c0a52", "attic"] {
            assert!(!hidden.contains(secret), "{secret}: {hidden}");
        }
        assert!(hidden.contains("hidden is slower than hidden"), "{hidden}");
        assert!(hidden.contains("Old Spinner"), "{hidden}");
    }
}
