//! What a run took place on, set against another run or against its own end.
//!
//! Two records are worth comparing only where it is known what else than the target differed. A
//! fact is a name and a value; this file must never weigh them, only leave out those that differ
//! without meaning anything. Pure. Tested by cases.

use super::serials::NAMING;
use super::{Header, RunTarget};
use crate::host::Environment;

/// A fact: its name and its value.
type Fact = (String, String);

/// A step from a target down to its disks: the file system that a file lies on, or a device.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Link {
    /// The kernel's name of a device, or `file system`.
    pub name: String,
    /// What is known of it, in order.
    pub facts: Vec<Fact>,
}

impl Link {
    /// The value of a fact.
    pub fn fact(&self, name: &str) -> Option<&str> {
        self.facts.iter().find(|(known, _)| known == name).map(|(_, value)| value.as_str())
    }

    /// What it is, where it has to be named alone.
    fn summary(&self) -> String {
        let words = ["kind", "type", "model"].into_iter().filter_map(|name| self.fact(name));
        words.collect::<Vec<_>>().join(", ")
    }
}

/// A fact that has another value on the right than on the left. Of a run's start and end, the
/// start is left.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Difference {
    /// The target, `left / right` where the two have other names; `None` for the machine.
    pub target: Option<String>,
    /// The device or file system under it; `None` for the target itself.
    pub device: Option<String>,
    /// The fact: `scheduler`, or `device` where one side lacks the device.
    pub what: String,
    /// Its value on the left; `None` where it is not known there.
    pub left: Option<String>,
    /// Its value on the right; `None` where it is not known there.
    pub right: Option<String>,
}

/// What changes by itself and says nothing of what was measured on; how far a resync is stands
/// with the points.
const IDLE: [&str; 4] = ["number", "used by", "partitions", "synced"];

/// The fact that is a reading: it always moves a little.
const TEMPERATURE: &str = "temperature";

/// Temperatures that are less than this many degrees apart count as alike.
const WARMER: i64 = 5;

impl Difference {
    /// Whether it is more than the usual noise of a reading.
    pub fn matters(&self) -> bool {
        let degrees = |side: &Option<String>| -> Option<i64> {
            side.as_deref()?.split(' ').next()?.parse().ok()
        };
        let (Some(left), Some(right)) = (degrees(&self.left), degrees(&self.right)) else {
            return true;
        };
        self.what != TEMPERATURE || left.abs_diff(right) >= WARMER.unsigned_abs()
    }
}

/// How the environments of two runs differ: the machine, then each target that both have by its
/// name.
pub fn differences(left: &Header, right: &Header) -> Vec<Difference> {
    let same = |target: &RunTarget| right.targets.iter().position(|t| t.name == target.name);
    let targets = left.targets.iter().enumerate();
    let pairs: Vec<_> = targets.filter_map(|(at, target)| Some((at, same(target)?))).collect();
    differences_of(left, right, &pairs)
}

/// How the environments of two runs differ: the machine, then these pairs of targets, by their
/// places in the headers; a place that there is not is left out.
pub fn differences_of(left: &Header, right: &Header, pairs: &[(usize, usize)]) -> Vec<Difference> {
    let mut found: Vec<Difference> = between(&machine(left), &machine(right))
        .into_iter()
        .map(|(what, left, right)| Difference { target: None, device: None, what, left, right })
        .collect();
    for &(a, b) in pairs {
        if let (Some(left), Some(right)) = (left.targets.get(a), right.targets.get(b)) {
            found.extend(of_targets(left, right));
        }
    }
    if left.serials_hidden != right.serials_hidden {
        // The other has them all, which says nothing.
        found.retain(|difference| !NAMING.contains(&difference.what.as_str()));
    }
    found.retain(Difference::matters);
    found
}

/// What of a run's environment is another at its end than in its header: `chains` are those of
/// its targets, in their order. Readings are kept as they are.
pub fn changes(start: &Header, machine: &Environment, chains: &[Vec<Link>]) -> Vec<Difference> {
    let mut found: Vec<Difference> = between(&start.environment.facts(), &machine.facts())
        .into_iter()
        .map(|(what, left, right)| Difference { target: None, device: None, what, left, right })
        .collect();
    for (target, chain) in start.targets.iter().zip(chains) {
        found.extend(of_chains(target.name.as_str(), &target.chain, chain, &[same_name]));
    }
    found
}

/// The machine's facts, the tool's version among them. The flaws of its processor are one fact
/// each only where both sides have them so.
fn machine(header: &Header) -> Vec<Fact> {
    let mut facts = vec![("fathom".to_owned(), header.version.clone())];
    facts.extend(header.environment.facts());
    facts
}

fn of_targets(left: &RunTarget, right: &RunTarget) -> Vec<Difference> {
    let name = joined(left.name.as_str(), right.name.as_str());
    let mut own = between(&own_facts(left), &own_facts(right));
    // An older record has no chain, but all facts in one list: only what both tell is set against
    // each other.
    let told = !left.chain.is_empty() && !right.chain.is_empty();
    own.retain(|(_, left, right)| told || (left.is_some() && right.is_some()));
    let target = Some(name.clone());
    let own = own.into_iter().map(|(what, left, right)| Difference {
        target: target.clone(),
        device: None,
        what,
        left,
        right,
    });
    let mut found: Vec<Difference> = own.collect();
    if told {
        found.extend(of_chains(&name, &left.chain, &right.chain, ALIKE));
    }
    found
}

/// What a target is and how it was reached.
fn own_facts(target: &RunTarget) -> Vec<Fact> {
    let nowait = target.nowait.map(|can| if can { "yes" } else { "no" }.to_owned());
    let facts = [
        ("kind", Some(target.kind.clone())),
        ("size", Some(target.geometry.size.to_string())),
        ("used of it", Some(target.span.length.to_string())),
        ("block", Some(format!("{} B", target.geometry.block))),
        ("engine", Some(target.engine.clone())),
        ("caching", Some(target.caching.id().to_owned())),
        ("NOWAIT", nowait),
    ];
    let known = facts.into_iter().filter_map(|(name, value)| Some((name.to_owned(), value?)));
    known.chain(target.facts.iter().cloned()).collect()
}

/// Whether two links stand for the same thing.
type Alike = fn(&Link, &Link) -> bool;

/// From the surest sign to the weakest. A disk keeps its serial number whatever it is called; of
/// two that are just both disks the first is set against the first.
const ALIKE: &[Alike] = &[
    |a, b| same_name(a, b) && same_fact(a, b, "serial"),
    |a, b| same_fact(a, b, "serial"),
    |a, b| same_fact(a, b, "WWN"),
    same_name,
    |a, b| same_fact(a, b, "kind"),
];

fn same_name(a: &Link, b: &Link) -> bool {
    a.name == b.name
}

fn same_fact(a: &Link, b: &Link, name: &str) -> bool {
    a.fact(name).is_some() && a.fact(name) == b.fact(name)
}

fn of_chains(target: &str, left: &[Link], right: &[Link], alike: &[Alike]) -> Vec<Difference> {
    let partners = partners(left, right, alike);
    let difference = |device: String, (what, left, right)| Difference {
        target: Some(target.to_owned()),
        device: Some(device),
        what,
        left,
        right,
    };
    let mut found = Vec::new();
    for (link, partner) in left.iter().zip(&partners) {
        if let Some(other) = partner.map(|at| &right[at]) {
            let device = joined(&link.name, &other.name);
            let facts = between(&link.facts, &other.facts).into_iter();
            found.extend(facts.map(|fact| difference(device.clone(), fact)));
        } else {
            let lost = ("device".to_owned(), Some(link.summary()), None);
            found.push(difference(link.name.clone(), lost));
        }
    }
    let taken = |at: usize| partners.contains(&Some(at));
    for (_, link) in right.iter().enumerate().filter(|(at, _)| !taken(*at)) {
        let new = ("device".to_owned(), None, Some(link.summary()));
        found.push(difference(link.name.clone(), new));
    }
    found
}

/// For each on the left, its partner's place on the right. Surer signs are looked for first.
fn partners(left: &[Link], right: &[Link], alike: &[Alike]) -> Vec<Option<usize>> {
    let mut partners: Vec<Option<usize>> = vec![None; left.len()];
    for sign in alike {
        for (at, link) in left.iter().enumerate() {
            let free = |place: &usize| !partners.contains(&Some(*place));
            let found = (0..right.len()).filter(free).find(|place| sign(link, &right[*place]));
            if partners[at].is_none() {
                partners[at] = found;
            }
        }
    }
    partners
}

fn joined(left: &str, right: &str) -> String {
    if left == right { left.to_owned() } else { format!("{left} / {right}") }
}

/// Facts that differ, in the order of the left; then those that only the right has.
fn between(left: &[Fact], right: &[Fact]) -> Vec<(String, Option<String>, Option<String>)> {
    let of = |facts: &[Fact], name: &str| {
        facts.iter().find(|(known, _)| known == name).map(|(_, value)| value.clone())
    };
    let flaw = |name: &str| name.starts_with("flaw ");
    let flaws = |facts: &[Fact]| facts.iter().any(|(name, _)| flaw(name));
    let both = flaws(left) && flaws(right);
    let only = right.iter().filter(|(name, _)| of(left, name).is_none());
    let names = left.iter().chain(only).map(|(name, _)| name);
    names
        .filter(|name| !IDLE.contains(&name.as_str()) && (both || !flaw(name)))
        .map(|name| (name.clone(), of(left, name), of(right, name)))
        .filter(|(_, left, right)| left != right)
        .collect()
}

#[cfg(test)]
mod tests {
    use super::super::tests::header;
    use super::*;

    fn link(name: &str, facts: &[(&str, &str)]) -> Link {
        let facts = facts.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned()));
        Link { name: name.to_owned(), facts: facts.collect() }
    }

    /// Each difference as a line.
    fn told(differences: &[Difference]) -> Vec<String> {
        let side = |side: &Option<String>| side.clone().unwrap_or_else(|| "–".to_owned());
        let line = |d: &Difference| {
            let place = [d.target.as_deref(), d.device.as_deref(), Some(d.what.as_str())];
            let place: Vec<&str> = place.into_iter().flatten().collect();
            format!("{}: {} | {}", place.join(" "), side(&d.left), side(&d.right))
        };
        differences.iter().map(line).collect()
    }

    #[test]
    fn a_run_differs_from_itself_in_nothing() {
        let header = header();
        assert_eq!(differences(&header, &header), []);
        let chains: Vec<Vec<Link>> = header.targets.iter().map(|t| t.chain.clone()).collect();
        assert_eq!(changes(&header, &header.environment, &chains), []);
    }

    #[test]
    fn machine_first_then_targets_by_name() {
        let (left, mut right) = (header(), header());
        right.environment.governor = Some("performance".to_owned());
        right.environment.hypervisor = Some("QEMU".to_owned());
        right.environment.mitigations.flaws[0].1 = "Vulnerable".to_owned();
        right.targets[0].engine = "threads".to_owned();
        right.targets[0].chain[0].facts.retain(|(name, _)| name != "chunk");
        right.targets[1].name = "other".parse().unwrap();
        right.targets[1].nowait = Some(true);
        let expected = [
            "governor: powersave | performance",
            "flaw meltdown: Mitigation: PTI | Vulnerable",
            "hypervisor: – | QEMU",
            "array engine: io-uring | threads",
            "array md0 chunk: 512 KiB | –",
        ];
        assert_eq!(told(&differences(&left, &right)), expected);
        let pairs = differences_of(&left, &right, &[(1, 1), (7, 0)]);
        // A simulated target has no chain: only what both know of it is compared.
        assert_eq!(told(&pairs), expected[..3]);
        // Where one side hides what names a disk, that is no difference.
        right.targets[0].chain[1].facts.retain(|(name, _)| name != "serial");
        assert_eq!(told(&differences(&left, &right)).len(), expected.len() + 1);
        right.serials_hidden = true;
        assert_eq!(told(&differences(&left, &right)), expected);
        // An older record does not tell flaws apart.
        right.environment.mitigations.flaws.clear();
        assert_eq!(told(&differences(&left, &right)).len(), expected.len() - 1);
    }

    #[test]
    fn disks_are_known_by_their_serial_then_by_name_then_by_kind() {
        let disk = |name: &str, serial: &str, scheduler: &str| {
            link(name, &[("kind", "SATA HDD"), ("serial", serial), ("scheduler", scheduler)])
        };
        let left = [disk("sda", "A", "none"), disk("sdb", "B", "none"), disk("sdc", "C", "bfq")];
        let right = [disk("sdb", "A", "bfq"), disk("sda", "B", "none"), disk("sdx", "X", "bfq")];
        let found = of_chains("array", &left, &right, ALIKE);
        let expected = ["array sda / sdb scheduler: none | bfq", "array sdc / sdx serial: C | X"];
        assert_eq!(told(&found), expected);
        let single = [link("nvme0n1", &[("kind", "NVMe SSD"), ("model", "Quick")])];
        let expected =
            ["array sda device: SATA HDD | –", "array nvme0n1 device: – | NVMe SSD, Quick"];
        assert_eq!(told(&of_chains("array", &left[..1], &single, ALIKE)), expected);
    }

    #[test]
    fn a_reading_matters_only_where_it_is_far_off() {
        let mut start = header();
        let warm = |degrees: &str| link("sda", &[("temperature", degrees), ("synced", degrees)]);
        start.targets[0].chain = vec![warm("31 °C")];
        for (degrees, matters) in [("35 °C", false), ("36 °C", true), ("26 °C", true)] {
            let found = changes(&start, &start.environment, &[vec![warm(degrees)]]);
            assert_eq!(told(&found), [format!("array sda temperature: 31 °C | {degrees}")]);
            assert_eq!(found[0].matters(), matters, "{degrees}");
        }
    }
}
