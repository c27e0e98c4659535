//! A comparison as one JSON document, for programs.
//!
//! Its keys are frozen: programs of others read them. What is not known is `null`. The first of
//! `targets` is the baseline; every list of figures has their order, and every list of ratios that
//! of the targets after it.

mod ratings;

use serde::Serialize;

use crate::comparison::{Against, Ratio, Summary, Word};
use crate::record::RunPattern;
use crate::record::v1::Difference;
use crate::review::{Cell, Compared, Environments, Figure, Gathered, Labelled, Side, Unlike};
use crate::unit::{Percent, TransferSize, show_moment};
use ratings::{ArrayPart, RankingPart};

/// The version of the document's keys.
const SCHEMA: u32 = 1;

/// The document of a comparison.
pub(super) fn show(gathered: &Gathered<'_>) -> String {
    let document = Document {
        schema: SCHEMA,
        tool: Tool { name: "fathom", version: env!("CARGO_PKG_VERSION") },
        records: gathered.records.iter().map(RecordPart::of).collect(),
        targets: gathered.sides.iter().map(|side| TargetPart::of(gathered, side)).collect(),
        analyses: gathered.analyses.iter().map(|analysis| analysis.id()).collect(),
        unlike: gathered.unlike.iter().map(UnlikePart::of).collect(),
        environments: gathered.environments.iter().map(EnvironmentsPart::of).collect(),
        remarks: &gathered.remarks,
        patterns: gathered.patterns.iter().map(PatternPart::of).collect(),
        overall: gathered.overall.iter().map(SummaryPart::of).collect(),
    };
    // Numbers, strings and maps with string keys always have a form in JSON.
    serde_json::to_string_pretty(&document).unwrap_or_default()
}

#[derive(Serialize)]
struct Document<'a> {
    schema: u32,
    tool: Tool,
    records: Vec<RecordPart<'a>>,
    targets: Vec<TargetPart<'a>>,
    analyses: Vec<&'static str>,
    unlike: Vec<UnlikePart<'a>>,
    environments: Vec<EnvironmentsPart<'a>>,
    remarks: &'a [String],
    patterns: Vec<PatternPart<'a>>,
    overall: Vec<SummaryPart>,
}

#[derive(Serialize)]
struct Tool {
    name: &'static str,
    version: &'static str,
}

#[derive(Serialize)]
struct RecordPart<'a> {
    label: &'a str,
    id: &'a str,
    started: String,
    version: &'a str,
    /// `null` where the record was cut off, or the run is still going.
    end: Option<&'static str>,
}

impl<'a> RecordPart<'a> {
    fn of(labelled: &'a Labelled<'_>) -> Self {
        let header = &labelled.run.header;
        Self {
            label: &labelled.label,
            id: &header.id,
            started: show_moment(header.started),
            version: &header.version,
            end: labelled.run.end.as_ref().map(|end| end.how.id()),
        }
    }
}

#[derive(Serialize)]
struct TargetPart<'a> {
    name: &'a str,
    record: &'a str,
    target: &'a str,
    spec: &'a str,
    engine: &'a str,
    array: Option<String>,
}

impl<'a> TargetPart<'a> {
    fn of(gathered: &'a Gathered<'_>, side: &'a Side<'_>) -> Self {
        Self {
            name: &side.name,
            record: &gathered.records[side.record].run.header.id,
            target: side.target.name.as_str(),
            spec: &side.target.spec,
            engine: &side.target.engine,
            array: side.array.as_ref().map(ToString::to_string),
        }
    }
}

#[derive(Serialize)]
struct UnlikePart<'a> {
    what: &'static str,
    must_match: bool,
    values: Vec<ValuePart<'a>>,
}

#[derive(Serialize)]
struct ValuePart<'a> {
    value: &'a str,
    targets: &'a [String],
}

impl<'a> UnlikePart<'a> {
    fn of(unlike: &'a Unlike) -> Self {
        let values = unlike.values.iter();
        Self {
            what: unlike.what,
            must_match: unlike.option.is_some(),
            values: values.map(|(value, targets)| ValuePart { value, targets }).collect(),
        }
    }
}

#[derive(Serialize)]
struct EnvironmentsPart<'a> {
    left: &'a str,
    right: &'a str,
    differences: Vec<Difference>,
}

impl<'a> EnvironmentsPart<'a> {
    fn of(environments: &'a Environments) -> Self {
        Self {
            left: &environments.left,
            right: &environments.right,
            differences: environments.differences.iter().map(Difference::from).collect(),
        }
    }
}

#[derive(Serialize)]
struct PatternPart<'a> {
    name: &'a str,
    title: &'a str,
    fingerprint: String,
    settings: Vec<SettingPart<'a>>,
    summaries: Vec<SummaryPart>,
    ratings: Vec<RankingPart<'a>>,
    arrays: Vec<ArrayPart<'a>>,
}

impl<'a> PatternPart<'a> {
    fn of(compared: &'a Compared<'_>) -> Self {
        let RunPattern { pattern, .. } = compared.pattern;
        Self {
            name: &pattern.name,
            title: &pattern.title,
            fingerprint: pattern.fingerprint().to_string(),
            settings: compared.cells.iter().map(SettingPart::of).collect(),
            summaries: compared.summaries.iter().map(SummaryPart::of).collect(),
            ratings: compared.rankings.iter().map(RankingPart::of).collect(),
            arrays: compared.arrays.iter().map(ArrayPart::of).collect(),
        }
    }
}

#[derive(Serialize)]
struct SettingPart<'a> {
    queue_depth: u16,
    read_percent: Option<f64>,
    transfer_size_bytes: Option<u32>,
    figures: Vec<FigurePart>,
    ratios: Vec<AgainstPart<'a>>,
}

impl SettingPart<'_> {
    fn of(cell: &Cell) -> Self {
        Self {
            queue_depth: cell.setting.queue_depth.get(),
            read_percent: cell.setting.read.map(Percent::value),
            transfer_size_bytes: cell.setting.transfer_size.map(TransferSize::get),
            figures: cell.figures.iter().map(FigurePart::of).collect(),
            ratios: cell.against.iter().map(AgainstPart::of).collect(),
        }
    }
}

#[derive(Serialize)]
struct FigurePart {
    /// By repeat.
    iops: Vec<RepeatPart>,
    mean: Option<f64>,
    stddev: Option<f64>,
    best: Option<f64>,
    /// The rules that found something suspect.
    suspect: Vec<&'static str>,
    left_out: u32,
}

#[derive(Serialize)]
struct RepeatPart {
    repeat: u32,
    iops: f64,
}

impl FigurePart {
    fn of(figure: &Figure) -> Self {
        let mut suspect: Vec<&'static str> =
            figure.suspect.iter().map(|mark| mark.rule.id()).collect();
        suspect.sort_unstable();
        suspect.dedup();
        let repeats = figure.series.iter().map(|(repeat, iops)| RepeatPart { repeat, iops });
        Self {
            iops: repeats.collect(),
            mean: figure.mean(),
            stddev: figure.deviation(),
            best: figure.best(),
            suspect,
            left_out: figure.left_out,
        }
    }
}

#[derive(Serialize)]
struct AgainstPart<'a> {
    #[serde(flatten)]
    ratio: RatioPart,
    p_adjusted: Option<f64>,
    word: Option<&'a str>,
}

impl AgainstPart<'_> {
    fn of(against: &Against) -> Self {
        Self {
            ratio: RatioPart::of(against.ratio.as_ref()),
            p_adjusted: against.adjusted,
            word: against.word.map(Word::id),
        }
    }
}

/// A ratio with everything that says what it is worth.
#[derive(Serialize)]
struct RatioPart {
    ratio: Option<f64>,
    low: Option<f64>,
    high: Option<f64>,
    p: Option<f64>,
    exact_p: Option<f64>,
    exact_p_least: Option<f64>,
}

impl RatioPart {
    fn of(ratio: Option<&Ratio>) -> Self {
        let interval = ratio.and_then(|ratio| ratio.interval);
        let chance = ratio.and_then(|ratio| ratio.chance);
        Self {
            ratio: ratio.map(|ratio| ratio.value),
            low: interval.map(|interval| interval.low),
            high: interval.map(|interval| interval.high),
            p: interval.map(|interval| interval.p),
            exact_p: chance.map(|chance| chance.p),
            exact_p_least: chance.map(|chance| chance.least),
        }
    }
}

#[derive(Serialize)]
struct SummaryPart {
    #[serde(flatten)]
    ratio: RatioPart,
    word: &'static str,
    counted: usize,
    of: usize,
}

impl SummaryPart {
    fn of(summary: &Summary) -> Self {
        Self {
            ratio: RatioPart::of(summary.ratio.as_ref()),
            word: summary.word.id(),
            counted: summary.counted,
            of: summary.of,
        }
    }
}
