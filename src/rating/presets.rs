//! Published ratings, by id: the same weights as in the articles that used them.
//!
//! X-bit Labs had at least five sets in use, and which one a figure was made with can change the
//! ranking of two devices; so each has a name of its own, and none is ever changed once it is
//! here. Sources are articles under xbitlabs.com/articles/storage/display unless said otherwise.
//! Tested with the other schemes.

use super::mean;
use crate::unit::QueueDepth;

/// A published set of weights.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Preset {
    /// What selects it: `xbit-ws6`.
    pub id: &'static str,
    /// Which tests it was used for, and when.
    pub about: &'static str,
    /// What each depth weighs.
    pub weighting: Weighting,
}

/// How a published rating weighs the depths.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Weighting {
    /// All swept depths alike, as a mean.
    Mean,
    /// T(q) by a divisor, summed: pairs of queue depth and divisor.
    Divisors(&'static [(u16, u16)]),
}

/// Every published rating that fathom knows.
pub fn presets() -> &'static [Preset] {
    &PRESETS
}

pub(super) fn find(id: &str) -> Option<&'static Preset> {
    PRESETS.iter().find(|preset| preset.id == id)
}

impl Preset {
    /// What each depth weighs, in rising order of depth.
    pub(super) fn terms(&self, swept: impl Iterator<Item = QueueDepth>) -> Vec<(QueueDepth, f64)> {
        match self.weighting {
            Weighting::Mean => mean::terms(swept),
            Weighting::Divisors(divisors) => divisors.iter().copied().map(term).collect(),
        }
    }
}

fn term((depth, divisor): (u16, u16)) -> (QueueDepth, f64) {
    let depth = QueueDepth::try_from(u64::from(depth)).expect("the table keeps to the limits");
    (depth, 1.0 / f64::from(divisor))
}

const PRESETS: [Preset; 7] = [
    // sil-3124_6.html, 3ware-8500_10.html, promise-s150sx4_10.html: "all workloads are equally
    // probable". The depths were never listed.
    Preset {
        id: "xbit-mean",
        about: "File Server and Web Server, 2003-2010: the mean over all tested depths",
        weighting: Weighting::Mean,
    },
    // seagate-barracuda-sata5_13.html has the reason ("inverse to the queue depth"); also
    // sil-3114_6.html, promise-s150sx4_12.html, wd2500sd_4.html, 15k-roundup_8.html.
    Preset {
        id: "xbit-ws6",
        about: "Workstation, 2002-2008",
        weighting: Weighting::Divisors(&[(1, 1), (2, 2), (4, 4), (8, 8), (16, 16), (32, 32)]),
    },
    // 320gb-hdd-roundup_8.html, 500gb-hdd-roundup_11.html, hitachi-travelstar-5k500_8.html: the
    // load went on to 32, the sum did not.
    Preset {
        id: "xbit-ws5",
        about: "Workstation, drive round-ups 2008-2010",
        weighting: Weighting::Divisors(&[(1, 1), (2, 2), (4, 4), (8, 8), (16, 16)]),
    },
    // samsung-pl40_10.html; its siblings for File Server and Workstation are not known.
    Preset {
        id: "xbit-2003-web",
        about: "Web Server, the Samsung PL40 review of 2003",
        weighting: Weighting::Divisors(&[(1, 1), (2, 1), (4, 1), (8, 2), (16, 3)]),
    },
    // 25inch-external-hdd_8.html, February 2008, here and for the next two.
    Preset {
        id: "xbit-2008-fs",
        about: "File Server, external drives of 2008",
        weighting: Weighting::Divisors(&[(1, 1), (4, 2), (16, 4), (64, 6), (256, 8)]),
    },
    Preset {
        id: "xbit-2008-web",
        about: "Web Server, external drives of 2008",
        weighting: Weighting::Divisors(&[(1, 1), (4, 1), (16, 2), (64, 4), (256, 6)]),
    },
    Preset {
        id: "xbit-2008-ws",
        about: "Workstation, external drives of 2008",
        weighting: Weighting::Divisors(&[(1, 1), (2, 1), (4, 2), (8, 3), (16, 4)]),
    },
];
