//! All sides by one scheme or by all that the swept depths allow.

use std::fmt;
use std::str::FromStr;

use thiserror::Error;

use super::cells::Shared;
use super::sides::{self, Side};
use super::{Fault, Figure, place};
use crate::comparison::{self, Analysis, Flip, Ratio, Series, flips};
use crate::document::nearest;
use crate::pattern::{Scheme, Setting, preset, presets};
use crate::rating::{Rating, Undefined, over_repeats, rate};
use crate::stats::Estimate;
use crate::unit::QueueDepth;

/// By which schemes targets are rated.
#[derive(Debug, Clone, PartialEq, Default)]
pub enum Ratings {
    /// By the pattern's own.
    #[default]
    Own,
    /// By every one that the swept depths allow.
    All,
    /// By these, whatever the pattern says.
    These(Vec<Scheme>),
}

/// A scheme that there is not.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("no rating is called `{name}`{}: use own, all, mean, or {}", meant(.name), ids().join(", "))]
pub struct RatingsError {
    /// What was typed.
    name: String,
}

fn ids() -> Vec<&'static str> {
    presets().iter().map(|preset| preset.id).collect()
}

fn meant(name: &str) -> String {
    let all = ids().into_iter().chain(["own", "all", "mean"]);
    nearest(name, all).map_or_else(String::new, |near| format!("; did you mean `{near}`?"))
}

impl FromStr for Ratings {
    type Err = RatingsError;

    /// Reads `own`, `all`, or names of schemes: `mean,xbit-ws6`.
    fn from_str(text: &str) -> Result<Self, RatingsError> {
        let one = |name: &str| match name {
            "mean" => Ok(Scheme::Mean),
            _ if preset(name).is_some() => Ok(Scheme::Preset(name.to_owned())),
            _ => Err(RatingsError { name: name.to_owned() }),
        };
        match text {
            "own" => Ok(Self::Own),
            "all" => Ok(Self::All),
            _ => Ok(Self::These(text.split(',').map(one).collect::<Result<_, _>>()?)),
        }
    }
}

impl fmt::Display for Ratings {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Own => f.pad("own"),
            Self::All => f.pad("all"),
            Self::These(schemes) => f.pad(&schemes.iter().map(short).collect::<Vec<_>>().join(",")),
        }
    }
}

/// All sides of one pattern by each scheme, at one setting of the axes other than the depth.
#[derive(Debug, Clone)]
pub struct Ranking {
    /// That setting, in words; empty where nothing else is swept.
    pub group: String,
    /// Each scheme.
    pub rated: Vec<Rated>,
    /// Where two sides change places with the scheme.
    pub flips: Vec<Flip>,
}

/// All sides by one scheme.
#[derive(Debug, Clone)]
pub struct Rated {
    /// Its short name.
    pub scheme: String,
    /// The sum with its depths and weights, or why there is none.
    pub formula: Result<String, Undefined>,
    /// Each side's rating over repeats, in the order of the sides.
    pub estimates: Vec<Option<Estimate>>,
    /// Each target's, as a share of the baseline's.
    pub ratios: Vec<Option<Ratio>>,
}

/// The schemes for each pattern; a scheme that was asked for by name and can't be is a fault.
pub(super) fn check(
    ratings: &Ratings,
    shared: &[Shared<'_>],
    faults: &mut Vec<Fault>,
) -> Vec<Vec<Scheme>> {
    let mut schemes = |shared: &Shared<'_>| {
        let swept = depths(shared);
        let own = shared.pattern.pattern.rating.clone();
        match ratings {
            Ratings::Own => own.into_iter().collect(),
            Ratings::All => allowed(own, &swept),
            Ratings::These(asked) => {
                for scheme in asked {
                    let missing = scheme.missing(&swept);
                    if !missing.is_empty() {
                        let pattern = shared.pattern.pattern.name.clone();
                        faults.push(Fault::Rating { scheme: short(scheme), pattern, missing });
                    }
                }
                asked.clone()
            }
        }
    };
    shared.iter().map(&mut schemes).collect()
}

/// The depths that all sides can be rated by, in rising order.
fn depths(shared: &Shared<'_>) -> Vec<QueueDepth> {
    let mut depths: Vec<QueueDepth> =
        shared.cells.iter().map(|(setting, _)| setting.queue_depth).collect();
    depths.sort_unstable();
    depths.dedup();
    depths
}

/// Every scheme that counts no depth but those swept: the pattern's own first, the mean, 1/q as far
/// as it goes, and what was published. Of those with the same weights, the first.
fn allowed(own: Option<Scheme>, swept: &[QueueDepth]) -> Vec<Scheme> {
    let own = own.into_iter().filter(|scheme| scheme.missing(swept).is_empty());
    let inverse = |up_to: &QueueDepth| Scheme::InverseDepth { up_to: *up_to };
    let powers = swept.iter().filter(|depth| depth.get().is_power_of_two() && depth.get() > 1);
    let inverse = powers.map(inverse).rfind(|scheme| scheme.missing(swept).is_empty());
    let published = presets().iter().map(|preset| Scheme::Preset(preset.id.to_owned()));
    let published = published.filter(|scheme| scheme.missing(swept).is_empty());
    let mut schemes: Vec<Scheme> = Vec::new();
    for scheme in own.chain([Scheme::Mean]).chain(published).chain(inverse) {
        if !schemes.iter().any(|other| other.weights() == scheme.weights()) {
            schemes.push(scheme);
        }
    }
    schemes
}

/// A scheme's name where a table has little room.
fn short(scheme: &Scheme) -> String {
    match scheme {
        Scheme::Mean => "mean".to_owned(),
        Scheme::InverseDepth { up_to } => format!("1/q to {up_to}"),
        Scheme::Weights(_) => "own weights".to_owned(),
        Scheme::Preset(id) => id.clone(),
    }
}

/// All sides by these schemes, for each setting of the axes other than the depth.
pub(super) fn rankings(
    sides: &[Side<'_>],
    shared: &Shared<'_>,
    schemes: &[Scheme],
) -> Vec<Ranking> {
    if schemes.is_empty() {
        return Vec::new();
    }
    let group = |&(setting, _): &Swept| place::group(shared.pattern, setting);
    let mut groups: Vec<(String, Vec<&Swept>)> = Vec::new();
    for cell in &shared.cells {
        match groups.iter_mut().find(|(name, _)| *name == group(cell)) {
            Some((_, cells)) => cells.push(cell),
            None => groups.push((group(cell), vec![cell])),
        }
    }
    groups.into_iter().map(|(group, cells)| ranking(sides, group, &cells, schemes)).collect()
}

/// A setting, and what each side did there.
type Swept = (Setting, Vec<Figure>);

fn ranking(
    sides: &[Side<'_>],
    group: String,
    cells: &[&(Setting, Vec<Figure>)],
    schemes: &[Scheme],
) -> Ranking {
    let rated: Vec<(Rated, Vec<Series>)> =
        schemes.iter().map(|scheme| rated(sides, cells, scheme)).collect();
    let names: Vec<String> = sides.iter().map(|side| side.name.clone()).collect();
    let series = |(rated, ratings): &(Rated, Vec<Series>)| comparison::Rated {
        scheme: rated.scheme.clone(),
        ratings: ratings.clone(),
    };
    let all: Vec<comparison::Rated> = rated.iter().map(series).collect();
    let flips = flips(&names, common(sides), &all);
    Ranking { group, rated: rated.into_iter().map(|(rated, _)| rated).collect(), flips }
}

/// What holds for every pair: in pairs only where all were interleaved with one another.
fn common(sides: &[Side<'_>]) -> Analysis {
    let mut analyses = sides[1..].iter().map(|side| sides::analysis(&sides[0], side));
    let first = analyses.next().unwrap_or(Analysis::Single);
    if analyses.all(|analysis| analysis == first) { first } else { Analysis::Unpaired }
}

fn rated(
    sides: &[Side<'_>],
    cells: &[&(Setting, Vec<Figure>)],
    scheme: &Scheme,
) -> (Rated, Vec<Series>) {
    let of_side = |place: usize| -> Vec<(u32, Result<Rating, Undefined>)> {
        let figures = || cells.iter().map(|(setting, figures)| (*setting, &figures[place]));
        let mut repeats: Vec<u32> =
            figures().flat_map(|(_, figure)| figure.series.iter().map(|(at, _)| at)).collect();
        repeats.sort_unstable();
        repeats.dedup();
        let sweep = |repeat: u32| -> Vec<(QueueDepth, Option<f64>)> {
            figures().map(|(at, figure)| (at.queue_depth, figure.series.get(repeat))).collect()
        };
        repeats.into_iter().map(|repeat| (repeat, rate(scheme, &sweep(repeat)))).collect()
    };
    let all: Vec<_> = (0..sides.len()).map(of_side).collect();
    let formula = |rating: &Rating| rating.formula.clone();
    let results = || all.iter().flatten().map(|(_, result)| result);
    let formula = match results().find_map(|result| result.as_ref().ok()) {
        Some(rating) => Ok(formula(rating)),
        None => Err(results().find_map(|r| r.clone().err()).unwrap_or(Undefined::Empty)),
    };
    let estimate = |ratings: &Vec<(u32, Result<Rating, Undefined>)>| {
        let ratings: Vec<_> = ratings.iter().map(|(_, rating)| rating.clone()).collect();
        over_repeats(&ratings)
    };
    let series = |ratings: &Vec<(u32, Result<Rating, Undefined>)>| -> Series {
        let whole = ratings.iter().filter_map(|(at, r)| Some((*at, r.as_ref().ok()?.value)));
        whole.collect()
    };
    let by_repeat: Vec<Series> = all.iter().map(series).collect();
    let targets = sides.iter().zip(&by_repeat).skip(1);
    let ratio = |(side, ratings): (&Side<'_>, &Series)| {
        sides::analysis(&sides[0], side).ratio(&by_repeat[0], ratings)
    };
    let rated = Rated {
        scheme: short(scheme),
        formula,
        estimates: all.iter().map(estimate).collect(),
        ratios: targets.map(ratio).collect(),
    };
    (rated, by_repeat)
}
