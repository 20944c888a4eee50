//! The results as tables, and as Markdown.

use super::families::{Axis, Family, Work};
use super::figures::Figures;
use super::measure::{MIN_TRAFFIC, Measurement};
use super::report::Report;
use murmuration_core::text::readable::{grouped, signed_boids};
use std::fmt::Write;

/// A part of the results of a family.
pub enum Block {
    /// The columns of a table. The first text of a column is its head.
    Table(Vec<Vec<String>>),
    /// A paragraph.
    Text(String),
    /// The items of a list.
    List(Vec<String>),
}

/// The whole report in Markdown: the hardware, the tables of each family, and the rows that were left out. `charts`: a
/// folder with the chart of each family, if there is one.
pub fn markdown(report: &Report, charts: Option<&str>) -> String {
    let mut text: String = report.hardware.lines().iter().map(|line| format!("- {line}\n")).collect();
    for (family, rows) in report.families.iter().filter(|(_, rows)| !rows.is_empty()) {
        let Family { name, title, .. } = family;
        let _ = write!(text, "\n## {title}\n");
        if let Some(folder) = charts.filter(|_| family.plot.is_some()) {
            let _ = write!(text, "\n![{title}]({folder}/{name}.svg)\n");
        }
        for block in blocks(family, rows) {
            let _ = match block {
                Block::Table(columns) => write!(text, "\n{}", aligned(&columns)),
                Block::Text(line) => write!(text, "\n{line}\n"),
                Block::List(lines) => {
                    write!(text, "\n{}\n", lines.iter().map(|line| format!("- {line}")).collect::<Vec<_>>().join("\n"))
                }
            };
        }
    }
    if let Some((word, why)) = report.warning().and_then(|warning| warning.split_once(':')) {
        let _ = write!(text, "\n**{word}**:{why}\n");
    }
    text
}

/// The name of the family that is compared with frame rates of a published document.
const SCHOOL: &str = "school";

/// The frame rates of schools in the document, in frames per second: the number of fish, and the rates of the CPU with
/// one thread, of the CPU with all threads, and of the GPU. The display limited the rates to 62.
const DOCUMENT: [(u64, [u32; 3]); 8] = [
    (100, [62, 62, 62]),
    (500, [62, 62, 62]),
    (1000, [62, 62, 62]),
    (1500, [49, 61, 62]),
    (3000, [14, 30, 62]),
    (5000, [5, 14, 47]),
    (10_000, [0, 3, 18]),
    (20_000, [0, 0, 1]),
];

/// The measured rows of a table, each with its figures.
type Lines<'a> = [(&'a Measurement, &'a Figures)];

/// The parts of the results of a family, in the order of the page.
pub fn blocks(family: &Family, rows: &[Measurement]) -> Vec<Block> {
    let measured = rows.iter().filter_map(|row| Some((row, row.figures.as_ref().ok()?)));
    let (steps, others): (Vec<_>, Vec<_>) = measured.partition(|(row, _)| row.row.work == Work::Steps);
    let (frames, rocks): (Vec<_>, Vec<_>) = others.into_iter().partition(|(row, _)| row.row.work == Work::Frame);
    let (lattices, all_individuals): (Vec<_>, Vec<_>) =
        steps.into_iter().partition(|(_, figures)| figures.traffic.is_some());
    let mut blocks = Vec::new();
    if !lattices.is_empty() {
        blocks.push(Block::Table(columns(family.plot, &lattices, true)));
    }
    if !rocks.is_empty() {
        blocks.push(Block::Table(of_rock(&rocks, &lattices)));
    }
    if !frames.is_empty() {
        blocks.push(Block::Table(of_frames(&frames)));
    }
    if family.name == SCHOOL {
        blocks.extend([Block::Text(OF_SCHOOLS.into()), Block::Table(of_schools(&all_individuals))]);
    } else if !all_individuals.is_empty() {
        blocks.push(Block::Table(columns(family.plot, &all_individuals, false)));
    }
    // The list of passes is only for families without an x axis. The JSON object has the passes of all families.
    let told = lattices.iter().chain(&frames).filter(|_| family.plot.is_none());
    let passes: Vec<String> = told.filter_map(|(row, figures)| passes(row, figures)).collect();
    if !passes.is_empty() {
        blocks.extend([Block::Text("Where the time goes:".into()), Block::List(passes)]);
    }
    let left_out = rows.iter().filter_map(|Measurement { row, figures }| {
        let why = figures.as_ref().err()?;
        Some(Block::Text(format!("Left out: {}, {}: {why}", row.scenario.label, row.setup.name())))
    });
    blocks.extend(left_out);
    blocks
}

/// A function that returns the text of a row in a column.
type CellText<'a> = &'a dyn Fn(&Measurement, &Figures) -> String;

/// A column: its head, and the text of each row.
fn column(rows: &Lines<'_>, head: &str, text: CellText<'_>) -> Vec<String> {
    std::iter::once(head.to_owned()).chain(rows.iter().map(|(row, figures)| text(row, figures))).collect()
}

/// The columns of a table of lattices or of individuals. If the family has an x axis, the last column compares each row
/// with the first row of its series. It compares the speed for different numbers of threads, and otherwise the cost of
/// a cell or an individual.
fn columns(plot: Option<Axis>, rows: &Lines<'_>, are_lattices: bool) -> Vec<Vec<String>> {
    let mut columns = Vec::new();
    let mut add = |head: &str, text: CellText<'_>| columns.push(column(rows, head, text));
    add(if are_lattices { "what" } else { "individuals" }, &|row, _| row.row.scenario.label.clone());
    add("engine", &named);
    add("chain", &|_, figures| figures.chain.clone());
    add("ms a step (least – most)", &|_, figures| milliseconds(figures));
    let rate = |_: &Measurement, figures: &Figures| significant(figures.rate() / 1e6);
    if are_lattices {
        add("Mcell/s", &rate);
        add(&format!("GB/s at {MIN_TRAFFIC} B (share)"), &|_, figures| bandwidth(figures, MIN_TRAFFIC));
        add("GB/s by the plan (share)", &|_, figures| {
            let planned = figures.traffic.unwrap_or_default();
            format!("{planned} B: {}", bandwidth(figures, planned))
        });
        add("copy GB/s", &|_, figures| giga(figures.copied.map(|copied| copied.median)));
    } else {
        add("million a second", &rate);
        add("Gpair/s", &|_, figures| giga(figures.pairs_a_second()));
    }
    if rows.iter().any(|(_, figures)| figures.is_same_as_cpu.is_some()) {
        add("state", &|row, figures| match figures.is_same_as_cpu {
            Some(true) => format!("the CPU's after {} steps", row.row.compared_steps),
            Some(false) => "DIFFERS from the CPU's".into(),
            None => "not compared".into(),
        });
    }
    if let Some(axis) = plot {
        let is_speed = axis == Axis::Threads;
        add(if is_speed { "speed, × the first" } else { "cost, × the first" }, &|row, figures| {
            let first = rows.iter().find(|(other, _)| other.row.series == row.row.series);
            let pace = first.map_or(1.0, |(_, first)| figures.rate() / first.rate());
            significant(if is_speed { pace } else { 1.0 / pace })
        });
    }
    columns
}

/// The columns of a table of rock. The last column divides the rate of the rock by the rate of cells of a lattice on
/// the same engine.
fn of_rock(rows: &Lines<'_>, lattices: &Lines<'_>) -> Vec<Vec<String>> {
    let column = |head: &str, text: CellText<'_>| column(rows, head, text);
    let beside = |row: &Measurement, figures: &Figures| {
        let lattice = lattices.iter().find(|(lattice, _)| lattice.row.setup == row.row.setup);
        lattice.map_or_else(String::new, |(_, lattice)| significant(figures.rate() / lattice.rate()))
    };
    vec![
        column("what", &|row, _| row.row.scenario.label.clone()),
        column("engine", &named),
        column("ms (least – most)", &|_, figures| milliseconds(figures)),
        column("million a second", &|row, figures| {
            let unit = row.row.work.unit().unwrap_or_default();
            format!("{} {unit}", significant(figures.rate() / 1e6))
        }),
        column("× the lattice's cells", &beside),
    ]
}

/// The columns of a table of frames.
fn of_frames(rows: &Lines<'_>) -> Vec<Vec<String>> {
    let column = |head: &str, text: CellText<'_>| column(rows, head, text);
    vec![
        column("what", &|row, _| row.row.scenario.label.clone()),
        column("engine", &named),
        column("ms a frame (least – most)", &|_, figures| milliseconds(figures)),
        column("frames a second", &|_, figures| significant(1.0 / figures.seconds.median)),
        column("ms of the passes of the picture", &|_, figures| {
            significant(figures.passes.iter().map(|(_, seconds)| seconds * 1e3).sum())
        }),
    ]
}

const OF_SCHOOLS: &str = "Steps a second (medians). The document's are frames a second on its authors' laptop, \
    pictures included, and never above 62.";

/// The table of steps per second of schools, beside the frame rates of the document.
fn of_schools(rows: &Lines<'_>) -> Vec<Vec<String>> {
    let mut series: Vec<&str> = rows.iter().map(|(row, _)| row.row.series.as_str()).collect();
    let mut known = std::collections::HashSet::new();
    series.retain(|name| known.insert(*name));
    let counted = DOCUMENT.iter().filter(|(count, _)| rows.iter().any(|(row, _)| row.row.scenario.boids == *count));
    let column = |head: String, text: &dyn Fn(u64, [u32; 3]) -> String| -> Vec<String> {
        std::iter::once(head).chain(counted.clone().map(|(count, frames)| text(*count, *frames))).collect()
    };
    let mut columns = vec![column("fish".into(), &|count, _| grouped(count))];
    for (index, engine) in ["CPU single", "CPU multi", "GPU"].iter().enumerate() {
        columns.push(column(format!("document: {engine}"), &|_, frames| frames[index].to_string()));
    }
    columns.extend(series.iter().map(|name| {
        column(name.to_string(), &|count, _| {
            let ours = rows.iter().find(|(row, _)| row.row.scenario.boids == count && row.row.series == *name);
            ours.map_or_else(String::new, |(_, figures)| {
                let mark = if figures.is_valid() { "" } else { " ✗" };
                format!("{}{mark}", significant(1.0 / figures.seconds.median))
            })
        })
    }));
    columns
}

/// The name of the row's engine, with a mark if the row is not valid.
fn named(row: &Measurement, figures: &Figures) -> String {
    let name = row.row.setup.name();
    match figures.is_valid() {
        true => name,
        false if figures.lost == 0 => format!("{name} ✗ not valid"),
        false => format!("{name} ✗ lost {}, not valid", signed_boids(figures.lost)),
    }
}

fn milliseconds(figures: &Figures) -> String {
    let [median, least, most] =
        [figures.seconds.median, figures.seconds.least, figures.seconds.most].map(|seconds| significant(seconds * 1e3));
    format!("{median} ({least} – {most})")
}

fn giga(value: Option<f64>) -> String {
    value.map_or_else(String::new, |value| significant(value / 1e9))
}

fn bandwidth(figures: &Figures, bytes_a_cell: u64) -> String {
    let (reached, share) = figures.bandwidth(bytes_a_cell);
    let share = share.map_or_else(String::new, |share| format!(" ({} %)", percent(share)));
    format!("{}{share}", giga(Some(reached)))
}

/// A share in percent, with one decimal if it is below 9.5 %.
fn percent(part: f64) -> String {
    if part < 0.095 { format!("{:.1}", part * 100.0) } else { format!("{:.0}", part * 100.0) }
}

/// The kernels of the passes of a row and the times of the passes in a step, the longest time first.
fn passes(row: &Measurement, figures: &Figures) -> Option<String> {
    let all: f64 = figures.passes.iter().map(|(_, seconds)| seconds).sum();
    let mut passes = figures.passes.clone();
    passes.sort_by(|(_, a), (_, b)| b.total_cmp(a));
    let pass = |(kernel, seconds): &(String, f64)| {
        format!("{kernel} {} ms ({} %)", significant(seconds * 1e3), percent(seconds / all))
    };
    let each = || passes.iter().map(pass).collect::<Vec<_>>().join(", ");
    (all > 0.0).then(|| format!("{}, {}: {}", row.row.scenario.label, row.row.setup.name(), each()))
}

/// A number with three significant digits, or more if its integer part has more.
pub fn significant(number: f64) -> String {
    if number == 0.0 || !number.is_finite() {
        return format!("{number}");
    }
    // The exponent is taken after rounding, because 9.996 becomes 10.0.
    let exponent = format!("{number:.2e}").split_once('e').and_then(|(_, exponent)| exponent.parse::<i32>().ok());
    let decimals = (2 - exponent.unwrap_or(0)).max(0) as usize;
    if decimals == 0 { grouped(number.round() as u64) } else { format!("{number:.decimals$}") }
}

/// A table in Markdown with aligned columns. The first text of each column is its head.
fn aligned(columns: &[Vec<String>]) -> String {
    let widths: Vec<usize> =
        columns.iter().map(|column| column.iter().map(|text| text.chars().count()).max().unwrap_or(0)).collect();
    let mut text = String::new();
    for line in 0..columns[0].len() {
        for (column, width) in columns.iter().zip(&widths) {
            let _ = write!(text, "| {:<width$} ", column[line], width = *width);
        }
        text.push_str("|\n");
        if line == 0 {
            let rules: String = widths.iter().map(|width| format!("|{}", "-".repeat(width + 2))).collect();
            let _ = writeln!(text, "{rules}|");
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::super::families::{Devices, EngineSetup};
    use super::super::rows::{Selection, families};
    use super::super::timing::Spread;
    use super::*;

    #[test]
    fn rows_are_compared_with_the_first_in_their_line() {
        let devices = Devices { threads: 2, gpu: None };
        let families = families(Selection::All, devices, false);
        let compared = |name: &str| {
            let family = families.iter().find(|family| family.name == name).unwrap();
            // A cell takes 10 ns on one thread, 6 ns on two threads, and 20 ns on the largest lattice.
            let measured = family.rows.iter().map(|row| {
                let nanoseconds = match (row.setup, row.at) {
                    (EngineSetup::Cpu { threads: 1, .. }, _) => 10.0,
                    (_, at) if at > 6e7 => 20.0,
                    _ => 6.0,
                };
                let many = row.scenario.cells.as_ref().unwrap().extents.cells() as u64;
                let median = nanoseconds * 1e-9 * many as f64;
                let seconds = Spread { median, least: median, most: median };
                Measurement { row: row.clone(), figures: Ok(Figures { many, seconds, ..figures() }) }
            });
            let rows: Vec<Measurement> = measured.collect();
            let lines: Vec<_> = rows.iter().map(|row| (row, row.figures.as_ref().unwrap())).collect();
            columns(family.plot, &lines, true).pop().unwrap().split_off(1)
        };
        assert_eq!(compared("threads"), ["1.00", "1.67", "1.00", "1.67"]);
        assert_eq!(compared("size"), ["1.00", "1.00", "1.00", "1.00", "1.00", "3.33"]);
    }

    fn figures() -> Figures {
        let seconds = Spread { median: 1.0, least: 1.0, most: 1.0 };
        Figures {
            chain: "cell".into(),
            many: 1,
            steps: 1,
            rounds: 1,
            seconds,
            traffic: Some(104),
            ..Figures::default()
        }
    }

    #[test]
    fn shares_and_pairs_follow_from_the_times() {
        let copied = Spread { median: 56.0, least: 50.0, most: 60.0 };
        let seconds = Spread { median: 0.5, least: 0.4, most: 0.9 };
        let figures = Figures { many: 10, seconds, copied: Some(copied), pairs: Some(90), ..figures() };
        assert_eq!(figures.rate(), 20.0);
        assert_eq!(figures.pairs_a_second(), Some(180.0));
        assert_eq!(figures.bandwidth(28), (560.0, Some(10.0)));
        let second = Spread { median: 1.0, ..seconds };
        let at_once = Figures { many: 1_000_000_000, seconds: second, ..figures.clone() };
        assert_eq!(at_once.bandwidth(MIN_TRAFFIC).0, 28e9);
        assert_eq!(Figures { pairs: None, ..figures.clone() }.pairs_a_second(), None);
        assert!(figures.is_valid() && !Figures { lost: -1, ..figures.clone() }.is_valid());
        assert!(Figures { is_same_as_cpu: Some(true), ..figures.clone() }.is_valid());
        assert!(!Figures { is_same_as_cpu: Some(false), ..figures }.is_valid());
    }

    #[test]
    fn three_digits_are_shown() {
        for (number, shown) in [
            (0.0, "0"),
            (0.001_234, "0.00123"),
            (0.999_6, "1.00"),
            (9.996, "10.0"),
            (12.34, "12.3"),
            (99.96, "100"),
            (123.4, "123"),
            (12_345.6, "12 346"),
        ] {
            assert_eq!(significant(number), shown);
        }
    }

    #[test]
    fn columns_stand_one_under_the_other() {
        let columns = [["a", "çd"], ["long head", "x"]].map(|column| column.map(str::to_owned).to_vec());
        assert_eq!(aligned(&columns), "| a  | long head |\n|----|-----------|\n| çd | x         |\n");
    }
}
