//! Rating schemes as text and as weights. What they make of measurements is the rating's affair.

use std::collections::BTreeMap;
use std::fmt;

use super::Scheme;
use crate::unit::QueueDepth;

/// A rating formula that was published, under our id for it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Preset {
    /// What a pattern file calls it.
    pub id: &'static str,
    /// Where it was in use.
    pub used: &'static str,
    /// Each depth with the number that T(q) is divided by; empty for the mean over all depths
    /// swept.
    divisors: &'static [(u64, u32)],
}

/// X-bit Labs printed at least these formulas; which of them an article used can't be told from
/// its text alone, so none is called theirs without its id.
static PRESETS: [Preset; 7] = [
    Preset {
        id: "xbit-mean",
        used: "X-bit Labs, File Server and Web Server, 2003 to 2010",
        divisors: &[],
    },
    Preset {
        id: "xbit-ws6",
        used: "X-bit Labs, Workstation, 2002 to 2008",
        divisors: &[(1, 1), (2, 2), (4, 4), (8, 8), (16, 16), (32, 32)],
    },
    Preset {
        id: "xbit-ws5",
        used: "X-bit Labs, Workstation in round-ups, 2008 to 2010",
        divisors: &[(1, 1), (2, 2), (4, 4), (8, 8), (16, 16)],
    },
    Preset {
        id: "xbit-2003-web",
        used: "X-bit Labs, Web Server, 2003",
        divisors: &[(1, 1), (2, 1), (4, 1), (8, 2), (16, 3)],
    },
    Preset {
        id: "xbit-2008-fs",
        used: "X-bit Labs, File Server, February 2008",
        divisors: &[(1, 1), (4, 2), (16, 4), (64, 6), (256, 8)],
    },
    Preset {
        id: "xbit-2008-web",
        used: "X-bit Labs, Web Server, February 2008",
        divisors: &[(1, 1), (4, 1), (16, 2), (64, 4), (256, 6)],
    },
    Preset {
        id: "xbit-2008-ws",
        used: "X-bit Labs, Workstation, February 2008",
        divisors: &[(1, 1), (2, 1), (4, 2), (8, 3), (16, 4)],
    },
];

/// Every published rating that is known.
pub fn presets() -> &'static [Preset] {
    &PRESETS
}

/// The published rating with this id.
pub fn preset(id: &str) -> Option<&'static Preset> {
    PRESETS.iter().find(|preset| preset.id == id)
}

impl Scheme {
    /// The weight of each depth that the scheme names; `None` where it takes the mean of all
    /// depths swept, and for a preset that is unknown.
    pub fn weights(&self) -> Option<BTreeMap<QueueDepth, f64>> {
        match self {
            Self::Mean => None,
            Self::InverseDepth { up_to } => {
                Some(powers_to(*up_to).map(|depth| (depth, 1.0 / f64::from(depth.get()))).collect())
            }
            Self::Weights(weights) => Some(weights.clone()),
            Self::Preset(id) => preset(id)?.weights(),
        }
    }

    /// The depths that the scheme counts and `swept` lacks: without them there is no rating.
    pub fn missing(&self, swept: &[QueueDepth]) -> Vec<QueueDepth> {
        let counted = self.weights().unwrap_or_default().into_keys();
        counted.filter(|depth| !swept.contains(depth)).collect()
    }
}

impl Preset {
    /// The weight of each depth; `None` where the preset takes the mean of all depths swept.
    pub fn weights(&self) -> Option<BTreeMap<QueueDepth, f64>> {
        let pairs = self.divisors.iter();
        let weights: BTreeMap<_, _> = pairs
            .filter_map(|(depth, divisor)| {
                QueueDepth::try_from(*depth).ok().map(|depth| (depth, 1.0 / f64::from(*divisor)))
            })
            .collect();
        (!weights.is_empty()).then_some(weights)
    }
}

/// The depths 1, 2, 4 … up to a depth.
fn powers_to(up_to: QueueDepth) -> impl Iterator<Item = QueueDepth> {
    let depths = std::iter::successors(Some(1_u64), |depth| Some(depth * 2));
    depths.take_while(move |depth| *depth <= u64::from(up_to)).map_while(|d| d.try_into().ok())
}

impl fmt::Display for Scheme {
    /// The formula, with T(q) for IOPS at queue depth q.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = match self {
            Self::Mean => MEAN.to_owned(),
            Self::InverseDepth { up_to } => {
                let depths: Vec<_> = powers_to(*up_to).map(|depth| depth.to_string()).collect();
                format!("Σ T(q)/q, q = {}", elided(&depths))
            }
            Self::Weights(weights) => {
                let terms: Vec<_> = weights.iter().map(|(depth, w)| weighted(*depth, *w)).collect();
                terms.join(" + ")
            }
            Self::Preset(id) => match preset(id) {
                Some(preset) => format!("{} ({id})", preset.formula()),
                None => id.clone(),
            },
        };
        f.pad(&text)
    }
}

impl Preset {
    /// The formula as it was printed.
    fn formula(&self) -> String {
        let terms = self.divisors.iter().map(|(depth, divisor)| match divisor {
            1 => format!("T({depth})"),
            _ => format!("T({depth})/{divisor}"),
        });
        let terms: Vec<_> = terms.collect();
        if terms.is_empty() { MEAN.to_owned() } else { terms.join(" + ") }
    }
}

const MEAN: &str = "mean of T(q)";

fn weighted(depth: QueueDepth, weight: f64) -> String {
    #[expect(clippy::float_cmp, reason = "a weight written as 1 is exactly 1")]
    if weight == 1.0 { format!("T({depth})") } else { format!("{weight}·T({depth})") }
}

/// A list with its middle left out: `1, 2, 4 … 32`.
fn elided(items: &[String]) -> String {
    match items {
        [a, b, c, _, .., last] => format!("{a}, {b}, {c} … {last}"),
        _ => items.join(", "),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn depth(depth: u64) -> QueueDepth {
        depth.try_into().unwrap()
    }

    #[test]
    fn formulas_are_spelt_out() {
        for (scheme, formula) in [
            (Scheme::Mean, "mean of T(q)"),
            (Scheme::InverseDepth { up_to: depth(32) }, "Σ T(q)/q, q = 1, 2, 4 … 32"),
            (Scheme::InverseDepth { up_to: depth(4) }, "Σ T(q)/q, q = 1, 2, 4"),
            (Scheme::InverseDepth { up_to: depth(1) }, "Σ T(q)/q, q = 1"),
            (Scheme::Weights([(depth(1), 1.0), (depth(2), 0.5)].into()), "T(1) + 0.5·T(2)"),
            (
                Scheme::Preset("xbit-2003-web".to_owned()),
                "T(1) + T(2) + T(4) + T(8)/2 + T(16)/3 (xbit-2003-web)",
            ),
            (Scheme::Preset("xbit-mean".to_owned()), "mean of T(q) (xbit-mean)"),
        ] {
            assert_eq!(scheme.to_string(), formula);
        }
    }

    #[test]
    fn inverse_depth_to_32_is_the_published_six_terms() {
        let ours = Scheme::InverseDepth { up_to: depth(32) }.weights();
        assert_eq!(ours, Scheme::Preset("xbit-ws6".to_owned()).weights());
        let sum = |id: &str| preset(id).unwrap().weights().unwrap().values().sum::<f64>();
        assert!((sum("xbit-ws6") - 1.968_75).abs() < 1e-12);
        assert!((sum("xbit-ws5") - 1.937_5).abs() < 1e-12);
    }

    #[test]
    fn every_depth_of_a_preset_is_a_depth() {
        for preset in presets() {
            let named = preset.weights().map_or(0, |weights| weights.len());
            assert_eq!(named, preset.divisors.len(), "{}", preset.id);
        }
    }
}
