//! A run for a wiki or a pull request: tables as GitHub draws them.
//!
//! Says what the table of the terminal says, and MiB/s beside MB/s, since a page is wider. Words
//! of a record never become markup.

use super::axes::{Axis, in_common};
use super::bar::bar;
use super::figures::{Figures, Sweep};
use super::means::Mean;
use super::table::{NOTHING, time};
use super::words;
use crate::measure::Percentile;
use crate::record::Run;
use crate::unit::Throughput;

/// Letters of the longest bar.
const BAR: usize = 16;

/// The page of a run.
pub(super) fn show(run: &Run, sweeps: &[Sweep<'_>]) -> String {
    let mut parts: Vec<String> = sweeps.iter().map(section).collect();
    if sweeps.is_empty() {
        parts.push("no point was measured".to_owned());
    }
    let repeated = sweeps.iter().any(|sweep| sweep.repeats().count() > 1);
    parts.push(plain(if repeated { words::REPEATS } else { words::COLUMNS }));
    parts.extend(words::ending(run).map(|ending| format!("**{}**", plain(&ending))));
    parts.push(items(words::head(run).iter().map(|(name, fact)| (*name, fact.as_str()))));
    parts.join("\n\n")
}

fn section(sweep: &Sweep<'_>) -> String {
    let mut parts =
        vec![format!("### {} on {}", plain(&title(sweep)), plain(sweep.target.name.as_str()))];
    let warnings = words::warnings(sweep);
    parts.extend(warnings.iter().map(|warning| format!("> **Note:** {}", plain(warning))));
    let axes = columns(sweep);
    let mut repeats = sweep.repeats();
    match (repeats.next(), repeats.next()) {
        (Some(points), None) => parts.push(table(sweep, points, &axes)),
        _ => parts.push(means(sweep, &axes)),
    }
    let mut facts = words::ratings(sweep);
    facts.extend(words::stops(sweep).map(|text| ("rule".to_owned(), text)));
    let points: Vec<&Figures<'_>> = sweep.points.iter().collect();
    let legend = words::legend(sweep, &points, &axes).into_iter();
    facts.extend(legend.map(|(letter, text)| (letter.to_string(), text)));
    facts.extend([
        ("pattern".to_owned(), words::pattern(sweep.pattern)),
        ("target".to_owned(), words::target(sweep.target)),
        ("engine".to_owned(), words::way(sweep)),
        ("mix".to_owned(), words::mix(sweep)),
    ]);
    let swept = &sweep.pattern.axes;
    let common = in_common(swept, &axes, &swept.queue_depths);
    facts.extend(common.map(|common| ("setting".to_owned(), common)));
    parts.push(items(facts.iter().map(|(name, fact)| (name.as_str(), fact.as_str()))));
    parts.join("\n\n")
}

/// The axes that have a column: those that are varied, and the depth in any case.
fn columns(sweep: &Sweep<'_>) -> Vec<Axis> {
    let axes = &sweep.pattern.axes;
    let mut columns = Axis::varied(axes, &axes.queue_depths);
    if !columns.contains(&Axis::Depth) {
        columns.push(Axis::Depth);
    }
    columns
}

fn title(sweep: &Sweep<'_>) -> String {
    sweep.pattern.pattern.title.clone()
}

fn items<'a>(facts: impl Iterator<Item = (&'a str, &'a str)>) -> String {
    let lines = facts.map(|(name, fact)| format!("- **{name}**: {}", plain(fact)));
    lines.collect::<Vec<_>>().join("\n")
}

fn table(sweep: &Sweep<'_>, points: &[Figures<'_>], axes: &[Axis]) -> String {
    let heads: Vec<String> = axes.iter().map(|axis| axis.head()).collect();
    let header = format!(
        "| {} | IOPS | | MB/s | MiB/s | mean | p50 | p99 | max | CPU | device | |\n\
         |{}--:|:--|--:|--:|--:|--:|--:|--:|--:|--:|:--|",
        heads.join(" | "),
        "--:|".repeat(axes.len())
    );
    let believed = points.iter().filter(|figures| words::void(figures).is_none());
    let most = believed.map(|figures| figures.all.iops.0).fold(0.0, f64::max);
    let row = |figures: &Figures<'_>| {
        let values = axes.iter().map(|axis| axis.value(&sweep.pattern.axes, figures.setting()));
        let cells: Vec<String> = values.chain(cells(figures, most)).collect();
        format!("| {} |", cells.join(" | "))
    };
    std::iter::once(header).chain(points.iter().map(row)).collect::<Vec<_>>().join("\n")
}

/// Each setting over all repeats.
fn means(sweep: &Sweep<'_>, axes: &[Axis]) -> String {
    let heads: Vec<String> = axes.iter().map(|axis| axis.head()).collect();
    let header = format!(
        "| {} | IOPS | s | s/mean | n | MB/s | MiB/s | mean | p50 | p99 | max | |\n|{}:--|",
        heads.join(" | "),
        "--:|".repeat(axes.len() + 10)
    );
    let nothing = || NOTHING.to_owned();
    let row = |mean: &Mean| {
        let figures = [
            mean.iops.map_or_else(|| "void".to_owned(), |iops| iops.to_string()),
            mean.deviation.map_or_else(nothing, |deviation| deviation.to_string()),
            mean.scatter().unwrap_or_else(nothing),
            mean.count(),
            Throughput::digits(mean.throughput.mb()),
            Throughput::digits(mean.throughput.mib()),
            time(mean.latency.mean),
            time(mean.latency.percentile(Percentile::P50)),
            time(mean.latency.percentile(Percentile::P99)),
            time(mean.latency.max),
            words::letters(&mean.marks),
        ];
        let place = axes.iter().map(|axis| axis.value(&sweep.pattern.axes, mean.setting));
        let cells: Vec<String> = place.chain(figures).collect();
        format!("| {} |", cells.join(" | "))
    };
    let rows = super::means::means(sweep);
    std::iter::once(header).chain(rows.iter().map(row)).collect::<Vec<_>>().join("\n")
}

fn cells(figures: &Figures<'_>, most: f64) -> Vec<String> {
    let letters = words::letters(&figures.point.marks);
    if let Some(reason) = words::void(figures) {
        let mut row = vec![NOTHING.to_owned(), plain(&reason)];
        row.resize(10, String::new());
        row.push(letters);
        return row;
    }
    let latency = &figures.all.latency;
    let cpu = figures.cpu.as_ref().and_then(|cpu| cpu.machine_busy_percent);
    vec![
        figures.all.iops.to_string(),
        bar(figures.all.iops.0, most, BAR),
        Throughput::digits(figures.all.throughput.mb()),
        Throughput::digits(figures.all.throughput.mib()),
        time(latency.mean),
        time(latency.percentile(Percentile::P50)),
        time(latency.percentile(Percentile::P99)),
        time(latency.max),
        cpu.map_or_else(|| NOTHING.to_owned(), |cpu| format!("{cpu:.0} %")),
        figures.achieved.device_depth.map_or_else(|| NOTHING.to_owned(), |d| format!("{d:.1}")),
        letters,
    ]
}

/// A text on one line, of which no letter means anything to Markdown.
pub(super) fn plain(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '<' => plain.push_str("&lt;"),
            '\\' | '`' | '*' | '[' | ']' | '|' => plain.extend(['\\', c]),
            c if c.is_whitespace() => plain.push(' '),
            c => plain.push(c),
        }
    }
    plain
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_never_become_markup() {
        assert_eq!(plain("a|b\n[x](y) <img> `c`"), r"a\|b \[x\](y) &lt;img> \`c\`");
    }
}
