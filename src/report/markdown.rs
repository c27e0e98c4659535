//! A run for a wiki or a pull request: tables as GitHub draws them.
//!
//! Says what the table of the terminal says, and MiB/s beside MB/s, since a page is wider. Words
//! of a record never become markup.

use super::bar::bar;
use super::figures::{Figures, Sweep};
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
    parts.push(plain(words::COLUMNS));
    parts.extend(words::ending(run).map(|ending| format!("**{}**", plain(&ending))));
    parts.push(items(words::head(run).iter().map(|(name, fact)| (*name, fact.as_str()))));
    parts.join("\n\n")
}

fn section(sweep: &Sweep<'_>) -> String {
    let mut parts =
        vec![format!("### {} on {}", plain(&title(sweep)), plain(sweep.target.name.as_str()))];
    let warnings = words::warnings(sweep);
    parts.extend(warnings.iter().map(|warning| format!("> **Note:** {}", plain(warning))));
    let repeats = sweep.repeats().count();
    for points in sweep.repeats() {
        if repeats > 1 {
            parts.push(format!("Repeat {}", points[0].point.point.repeat));
        }
        parts.push(table(points));
    }
    let ratings = sweep.ratings.iter().map(|rated| words::rating(rated, sweep.ratings.len()));
    let mut facts: Vec<(String, String)> = ratings.collect();
    if facts.is_empty() {
        facts.push(("rating".to_owned(), words::NOT_RATED.to_owned()));
    }
    let legend = words::legend(&sweep.points).into_iter();
    facts.extend(legend.map(|(letter, text)| (letter.to_string(), text)));
    facts.extend([
        ("pattern".to_owned(), words::pattern(sweep.pattern)),
        ("target".to_owned(), words::target(sweep.target)),
        ("engine".to_owned(), words::way(sweep)),
        ("mix".to_owned(), words::mix(sweep)),
    ]);
    parts.push(items(facts.iter().map(|(name, fact)| (name.as_str(), fact.as_str()))));
    parts.join("\n\n")
}

fn title(sweep: &Sweep<'_>) -> String {
    sweep.pattern.pattern.title.clone()
}

fn items<'a>(facts: impl Iterator<Item = (&'a str, &'a str)>) -> String {
    let lines = facts.map(|(name, fact)| format!("- **{name}**: {}", plain(fact)));
    lines.collect::<Vec<_>>().join("\n")
}

fn table(points: &[Figures<'_>]) -> String {
    let header = "| depth | IOPS | | MB/s | MiB/s | mean | p50 | p99 | max | CPU | device | |\n\
                  |--:|--:|:--|--:|--:|--:|--:|--:|--:|--:|--:|:--|";
    let believed = points.iter().filter(|figures| words::void(figures).is_none());
    let most = believed.map(|figures| figures.all.iops.0).fold(0.0, f64::max);
    let rows = points.iter().map(|figures| format!("| {} |", cells(figures, most).join(" | ")));
    std::iter::once(header.to_owned()).chain(rows).collect::<Vec<_>>().join("\n")
}

fn cells(figures: &Figures<'_>, most: f64) -> Vec<String> {
    let depth = figures.point.point.queue_depth.to_string();
    let letters = words::letters(&figures.point.marks);
    if let Some(reason) = words::void(figures) {
        let mut row = vec![depth, NOTHING.to_owned(), plain(&reason)];
        row.resize(11, String::new());
        row.push(letters);
        return row;
    }
    let latency = &figures.all.latency;
    let cpu = figures.cpu.as_ref().and_then(|cpu| cpu.machine_busy_percent);
    vec![
        depth,
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
fn plain(text: &str) -> String {
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
