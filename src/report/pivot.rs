//! Tables of a sweep that varies more than depth or size alone: one figure at each crossing of
//! two axes, in 80 columns.
//!
//! IOPS always, and MB/s beside them where sizes differ within a table. A figure never stands
//! without the letters of its marks. Where columns are more than fit, they go on in a further table
//! below.

use tabled::builder::Builder;
use tabled::settings::object::Columns;
use tabled::settings::{Alignment, Padding, Style};

use super::axes::Axis;
use super::figures::{Figures, Sweep};
use super::means::Mean;
use super::patterns::{WIDTH, trimmed};
use super::table::NOTHING;
use super::words;
use crate::pattern::Setting;
use crate::unit::Throughput;

/// What may stand at a crossing.
struct Spot {
    setting: Setting,
    /// `void` where there is no figure.
    iops: String,
    throughput: String,
    /// How far repeats scatter, where there are some.
    scatter: Option<String>,
    letters: String,
}

/// One of these figures.
type Figure = fn(&Spot) -> String;

/// The tables of points that differ in several axes; with three, for each size one.
pub(super) fn show(sweep: &Sweep<'_>, points: &[&Figures<'_>], varied: &[Axis]) -> String {
    let spot = |point: &&Figures<'_>| {
        let void = words::void(point).is_some();
        let text = |text: String| if void { VOID.to_owned() } else { text };
        Spot {
            setting: point.setting(),
            iops: text(point.all.iops.to_string()),
            throughput: text(Throughput::digits(point.all.throughput.mb())),
            scatter: None,
            letters: words::letters(&point.point.marks),
        }
    };
    tables(sweep, &points.iter().map(spot).collect::<Vec<_>>(), varied)
}

/// The same of settings over all repeats.
pub(super) fn means(sweep: &Sweep<'_>, means: &[&Mean], varied: &[Axis]) -> String {
    let spot = |mean: &&Mean| Spot {
        setting: mean.setting,
        iops: mean.iops.map_or_else(|| VOID.to_owned(), |iops| iops.to_string()),
        throughput: Throughput::digits(mean.throughput.mb()),
        scatter: Some(mean.scatter().unwrap_or_else(|| NOTHING.to_owned())),
        letters: words::letters(&mean.marks),
    };
    tables(sweep, &means.iter().map(spot).collect::<Vec<_>>(), varied)
}

/// What stands for a figure that no check has left standing.
const VOID: &str = "void";

fn tables(sweep: &Sweep<'_>, points: &[Spot], varied: &[Axis]) -> String {
    let (rows, columns) = match varied {
        [Axis::Share(op), Axis::Size] => (Axis::Size, Axis::Share(*op)),
        [rows, .., columns] => (*rows, *columns),
        _ => return String::new(),
    };
    let mut figures: Vec<(&str, Figure)> = vec![("IOPS", |spot| spot.iops.clone())];
    if [rows, columns].contains(&Axis::Size) {
        figures.push(("MB/s", |spot| spot.throughput.clone()));
    }
    if points.iter().any(|spot| spot.scatter.is_some()) {
        figures.push(("s/mean of IOPS", |spot| spot.scatter.clone().unwrap_or_default()));
    }
    let mut tables = Vec::new();
    // With three axes the sizes are in the middle: each has tables of its own.
    for group in groups(points, varied) {
        let size = group.first().and_then(|first| first.setting.transfer_size);
        let size = size.filter(|_| varied.len() > 2).map(|size| format!(" of {size} requests"));
        for (name, figure) in &figures {
            let head = format!(
                "{name}{}, {} down and {} across",
                size.clone().unwrap_or_default(),
                title(rows),
                title(columns)
            );
            tables.push(format!("{head}\n{}", crossed(sweep, &group, [rows, columns], *figure)));
        }
    }
    tables.join("\n\n")
}

fn title(axis: Axis) -> String {
    if axis == Axis::Depth { "queue depth".to_owned() } else { axis.head() }
}

/// All points, or where three axes are varied those of each size.
fn groups<'p>(points: &'p [Spot], varied: &[Axis]) -> Vec<Vec<&'p Spot>> {
    if varied.len() < 3 {
        return vec![points.iter().collect()];
    }
    let mut sizes: Vec<_> = points.iter().map(|point| point.setting.transfer_size).collect();
    sizes.sort_unstable();
    sizes.dedup();
    let of = |size| move |point: &&Spot| point.setting.transfer_size == size;
    sizes.into_iter().map(|size| points.iter().filter(of(size)).collect()).collect()
}

/// One figure by two axes.
fn crossed(
    sweep: &Sweep<'_>,
    points: &[&Spot],
    [down, across]: [Axis; 2],
    figure: Figure,
) -> String {
    let value = |axis: Axis, point: &Spot| axis.value(&sweep.pattern.axes, point.setting);
    let rows = unique(points.iter().map(|point| value(down, point)));
    let column = |across_at: &String| {
        let cell = |down_at: &String| {
            let here = |point: &&&Spot| {
                value(down, point) == *down_at && value(across, point) == *across_at
            };
            points.iter().find(here).map(|point| (figure(point), point.letters.clone()))
        };
        Column::new(across_at.clone(), rows.iter().map(cell).collect())
    };
    let columns = unique(points.iter().map(|point| value(across, point)));
    let columns: Vec<Column> = columns.iter().map(column).collect();
    let mut first = vec![down.head()];
    first.extend(rows);
    let tables = fitting(&first, &columns).into_iter().map(|columns| laid_out(&first, columns));
    tables.collect::<Vec<_>>().join("\n\n")
}

/// Each value once, in the order in which it comes.
fn unique(values: impl Iterator<Item = String>) -> Vec<String> {
    let mut unique = Vec::new();
    for value in values {
        if !unique.contains(&value) {
            unique.push(value);
        }
    }
    unique
}

/// A column as text, its head first, all cells of one width.
struct Column(Vec<String>);

impl Column {
    fn new(head: String, cells: Vec<Option<(String, String)>>) -> Self {
        let nothing = || (NOTHING.to_owned(), String::new());
        let cells = cells.into_iter().map(|cell| cell.unwrap_or_else(nothing));
        let cells: Vec<_> = std::iter::once((head, String::new())).chain(cells).collect();
        let longest = |of: fn(&(String, String)) -> &String| {
            cells.iter().map(|cell| of(cell).chars().count()).max().unwrap_or(0)
        };
        let (figures, letters) = (longest(|cell| &cell.0), longest(|cell| &cell.1));
        let gap = usize::from(letters > 0);
        let text = |(figure, mark): &(String, String)| {
            format!("{figure:>figures$}{:gap$}{mark:<letters$}", "")
        };
        Self(cells.iter().map(text).collect())
    }

    fn width(&self) -> usize {
        self.0.first().map_or(0, |cell| cell.chars().count())
    }
}

/// The columns in runs that fit beside the first one.
fn fitting<'c>(first: &[String], columns: &'c [Column]) -> Vec<&'c [Column]> {
    const GAP: usize = 2;
    let beside = first.iter().map(|cell| cell.chars().count()).max().unwrap_or(0);
    let mut runs = Vec::new();
    let (mut start, mut taken) = (0, beside);
    for (index, column) in columns.iter().enumerate() {
        if index > start && taken + GAP + column.width() > WIDTH {
            runs.push(&columns[start..index]);
            (start, taken) = (index, beside);
        }
        taken += GAP + column.width();
    }
    runs.push(&columns[start..]);
    runs
}

fn laid_out(first: &[String], columns: &[Column]) -> String {
    let mut builder = Builder::default();
    for (row, head) in first.iter().enumerate() {
        let cells = columns.iter().filter_map(|column| column.0.get(row).cloned());
        builder.push_record(std::iter::once(head.clone()).chain(cells));
    }
    let mut table = builder.build();
    table.with(Style::empty()).with(Padding::new(0, 2, 0, 0));
    table.modify(Columns::new(..), Alignment::right());
    trimmed(&table.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::tests::swept_run;
    use crate::report::{Format, render};

    #[test]
    fn several_axes_cross_in_80_columns() {
        let text = render(&swept_run(), Format::Table);
        let wide: Vec<&str> = text.lines().filter(|line| line.chars().count() > WIDTH).collect();
        assert!(wide.is_empty(), "{}", wide.join("\n"));
        insta::assert_snapshot!(text);
    }

    #[test]
    fn pages_have_a_column_for_each_axis() {
        insta::assert_snapshot!(render(&swept_run(), Format::Markdown));
        let wide = render(&swept_run(), Format::Wide);
        let heads: Vec<&str> = wide.lines().filter(|line| line.contains("p99.9")).collect();
        let heads: Vec<Vec<&str>> =
            heads.iter().map(|line| line.split_whitespace().take(5).collect()).collect();
        assert_eq!(heads[0], ["write", "%", "depth", "I/O", "IOPS"]);
        assert_eq!(heads[1], ["size", "depth", "I/O", "IOPS", "MB/s"]);
    }

    /// What is left out of a table is in the others, point for point.
    #[test]
    fn no_point_is_lost() {
        let run = swept_run();
        let csv = render(&run, Format::Csv);
        assert_eq!(csv.lines().count(), 1 + run.points.len());
        let settings: Vec<String> = csv
            .lines()
            .map(|line| line.split(',').skip(5).take(3).collect::<Vec<_>>().join(" "))
            .collect();
        assert_eq!(settings[0], "queue_depth read_percent transfer_size_bytes");
        assert_eq!(settings[1..4], ["1 100 ", "4 100 ", "32 100 "]);
        assert_eq!(settings.last().unwrap(), "4  65536");
    }

    #[test]
    fn columns_that_do_not_fit_go_on_below() {
        let column = |width: usize| Column(vec!["x".repeat(width)]);
        let columns: Vec<Column> = [20, 20, 20, 20, 90, 3].into_iter().map(column).collect();
        let runs = fitting(&["12345678".to_owned()], &columns);
        let widths = |run: &[Column]| run.iter().map(Column::width).collect::<Vec<_>>();
        let widths: Vec<Vec<usize>> = runs.into_iter().map(widths).collect();
        assert_eq!(widths, [vec![20, 20, 20], vec![20], vec![90], vec![3]]);
    }
}
