//! Sets the targets of one record, or of several, against a baseline.
//!
//! Finds what may stand side by side (the same pattern by name and fingerprint, the same setting),
//! hands the figures to [`comparison`](crate::comparison), [`rating`](crate::rating) and
//! [`scaling`], and gives back all that a report shows. Void points and points that were cut short
//! are never in; suspect ones are, and are counted. It must never compare unlike things silently:
//! what differs is a fault, or is said first. Pure: it reads no file and prints nothing. Tested by
//! records with planted figures in tests/comparisons.rs, and by command lines.

mod alike;
mod arrays;
mod cells;
mod environments;
mod fault;
mod place;
mod ratings;
mod sides;

use crate::comparison::scaling::{self, Declared};
use crate::comparison::{Against, Analysis, Review, Series, Summary, compare};
use crate::measure::Mark;
use crate::pattern::Setting;
use crate::record::{Run, RunPattern};

pub use alike::Unlike;
pub use arrays::{Scaled, Step};
pub use environments::Environments;
pub use fault::Fault;
pub use place::{group, label};
pub use ratings::{Ranking, Rated, Ratings, RatingsError};
pub use sides::{Labelled, Side, Timing, timing};

/// A record to be compared, and what it is to be called.
#[derive(Debug, Clone, Copy)]
pub struct Named<'a> {
    /// The name that its targets are called by; `None` leaves them their own.
    pub name: Option<&'a str>,
    /// What it says.
    pub run: &'a Run,
}

/// What is asked of a review.
#[derive(Debug, Clone, Default)]
pub struct Ask {
    /// The target that the others are set against; `None` for the first.
    pub baseline: Option<String>,
    /// Targets that are arrays, beside those that the records declare.
    pub arrays: Vec<(String, Declared)>,
    /// By which schemes the targets are rated.
    pub ratings: Ratings,
    /// Whether the ways of measuring may differ where they must be alike.
    pub unlike: bool,
}

/// All that a report of a comparison shows.
#[derive(Debug, Clone)]
pub struct Gathered<'a> {
    /// The records, in the order given.
    pub records: Vec<Labelled<'a>>,
    /// The baseline, then the targets that are set against it.
    pub sides: Vec<Side<'a>>,
    /// How each of these targets is set against the baseline.
    pub analyses: Vec<Analysis>,
    /// What differs between the sides, and is not what is compared.
    pub unlike: Vec<Unlike>,
    /// How the machines and devices of the other records differ from those of the baseline's.
    pub environments: Vec<Environments>,
    /// What was left out, and what else there is to know.
    pub remarks: Vec<String>,
    /// What was measured on the baseline and at least one target, by pattern.
    pub patterns: Vec<Compared<'a>>,
    /// Each target over all patterns, where there are several.
    pub overall: Vec<Summary>,
}

/// One pattern, on all sides.
#[derive(Debug, Clone)]
pub struct Compared<'a> {
    /// The pattern, as the first record that has it ran it.
    pub pattern: &'a RunPattern,
    /// Its settings, in the order of the sweep.
    pub cells: Vec<Cell>,
    /// Each target over all cells.
    pub summaries: Vec<Summary>,
    /// All sides by each scheme, for each setting of the axes other than the depth.
    pub rankings: Vec<Ranking>,
    /// The targets that are arrays, for each setting of the axes other than the depth.
    pub arrays: Vec<Scaled>,
}

/// One setting, on all sides.
#[derive(Debug, Clone)]
pub struct Cell {
    /// Its place on the axes.
    pub setting: Setting,
    /// What each side did there, in their order.
    pub figures: Vec<Figure>,
    /// Each target against the baseline.
    pub against: Vec<Against>,
}

/// What one side did at one setting.
#[derive(Debug, Clone, Default)]
pub struct Figure {
    /// IOPS by repeat.
    pub series: Series,
    /// What was found to be suspect about them.
    pub suspect: Vec<Mark>,
    /// Points that are in no figure: void, or cut short.
    pub left_out: u32,
}

/// Whether a run has something to compare: at least two targets have a figure.
pub fn comparable(run: &Run) -> bool {
    let has = |place| {
        run.points.iter().any(|point| point.point.target == place && point.believed().is_some())
    };
    (0..run.header.targets.len()).filter(|place| has(*place)).count() > 1
}

/// Joins the records. The first side is the baseline.
///
/// # Errors
/// Every [`Fault`] at once: names that mean nothing or two things, patterns of one name that differ,
/// what must be alike and is not.
pub fn gather<'a>(records: &[Named<'a>], ask: &Ask) -> Result<Gathered<'a>, Vec<Fault>> {
    let records = sides::labelled(records)?;
    let sides = sides::sides(&records, ask)?;
    let mut faults = alike::fingerprints(&records);
    let unlike = alike::unlike(&sides);
    if !ask.unlike {
        faults.extend(unlike.iter().filter(|row| row.option.is_some()).cloned().map(Fault::Unlike));
    }
    let shared = cells::shared(&sides);
    if shared.is_empty() && sides.len() > 1 {
        faults.push(Fault::NothingShared);
    }
    let ranked = ratings::check(&ask.ratings, &shared, &mut faults);
    if !faults.is_empty() {
        return Err(faults);
    }
    let analyses: Vec<Analysis> =
        sides[1..].iter().map(|side| sides::analysis(&sides[0], side)).collect();
    let all: Vec<usize> = (0..sides.len()).collect();
    let answer = compare(&review(&sides, &shared, &all));
    let mut against = answer.cells.into_iter();
    let mut summaries = answer.patterns.into_iter().map(|(_, summaries)| summaries);
    let patterns = shared.iter().zip(ranked).map(|(shared, schemes)| Compared {
        pattern: shared.pattern,
        cells: cells::judged(shared, &mut against),
        // A pattern without a cell has no summary.
        summaries: if shared.cells.is_empty() {
            Vec::new()
        } else {
            summaries.next().unwrap_or_default()
        },
        rankings: ratings::rankings(&sides, shared, &schemes),
        arrays: Vec::new(),
    });
    let mut patterns: Vec<Compared<'a>> = patterns.collect();
    let mut remarks = cells::remarks(&sides, &shared);
    arrays::fill(&sides, &shared, &mut patterns, &mut remarks);
    let environments = environments::apart(&records, sides[0].record);
    let overall = answer.overall;
    Ok(Gathered { records, sides, analyses, unlike, environments, remarks, patterns, overall })
}

/// The numbers of some sides, of which the first is the baseline.
fn review(sides: &[Side<'_>], shared: &[cells::Shared<'_>], of: &[usize]) -> Review {
    let base = &sides[of[0]];
    let target = |&place: &usize| crate::comparison::Target {
        name: sides[place].name.clone(),
        analysis: sides::analysis(base, &sides[place]),
    };
    let cells = shared.iter().flat_map(|shared| {
        shared.cells.iter().map(|(setting, figures)| crate::comparison::Cell {
            pattern: shared.pattern.pattern.name.clone(),
            label: label(shared.pattern, *setting),
            baseline: figures[of[0]].series.clone(),
            targets: of[1..].iter().map(|&place| figures[place].series.clone()).collect(),
        })
    });
    Review {
        baseline: base.name.clone(),
        targets: of[1..].iter().map(target).collect(),
        cells: cells.collect(),
    }
}

/// What a pattern asks for at a setting, as arrays are judged by it.
fn load(pattern: &RunPattern, setting: Setting) -> scaling::Load {
    let access = place::access(pattern, setting);
    scaling::Load { read: access.read_fraction(), random: access.random_fraction() }
}
