//! The results as tables in Markdown.

use super::families::{Axis, DOCUMENT, Family, SCHOOL};
use super::measure::{Figures, Measurement};
use super::report::Report;
use super::traffic;
use crate::readable::{grouped, signed_boids};
use std::fmt::Write;

/// The whole report: the hardware, a table for each family, and the rows that were left out.
pub fn markdown(report: &Report) -> String {
    written(report, |_| None)
}

/// The report as a page with links to the plots in a folder beside it.
pub fn page(report: &Report, plots: &str) -> String {
    let plot = |family: &Family| family.plot.map(|_| format!("![{}]({plots}/{}.svg)\n\n", family.title, family.name));
    format!("# Benchmark\n\n{}", written(report, plot))
}

fn written(report: &Report, plot: impl Fn(&Family) -> Option<String>) -> String {
    let mut text = String::new();
    for line in report.hardware.lines() {
        let _ = writeln!(text, "- {line}");
    }
    for (family, rows) in &report.families {
        if rows.is_empty() {
            continue;
        }
        let plot = plot(family).unwrap_or_default();
        let _ = write!(text, "\n## {}\n\n{plot}{}", family.title, of_family(family, rows));
    }
    if report.interrupted {
        text.push_str("\n**Interrupted**: there are fewer repetitions or rows than there should be.\n");
    }
    if !report.is_valid() {
        text.push_str("\n**Not valid**: the ledger is off, or nothing was measured.\n");
    }
    text
}

fn of_family(family: &Family, rows: &[Measurement]) -> String {
    let mut text = String::new();
    let measured: Vec<(&Measurement, &Figures)> =
        rows.iter().filter_map(|row| Some((row, row.figures.as_ref().ok()?))).collect();
    let (lattices, all_individuals): (Vec<_>, Vec<_>) =
        measured.iter().partition(|(_, figures)| figures.traffic.is_some());
    if !lattices.is_empty() {
        text.push_str(&of_lattices(family.plot, &lattices).markdown());
    }
    if family.name == SCHOOL {
        text.push_str(&of_schools(&all_individuals));
    } else if !all_individuals.is_empty() {
        text.push_str(&of_agents(family.plot, &all_individuals).markdown());
    }
    // Families along an axis list no passes here; the JSON object has them all.
    let told = lattices.iter().filter(|_| family.plot.is_none());
    let passes: Vec<String> = told.filter_map(|(row, figures)| passes(row, figures)).collect();
    if !passes.is_empty() {
        let _ = write!(text, "\nWhere the time goes:\n\n{}", passes.concat());
    }
    for row in rows {
        if let Err(why) = &row.figures {
            let _ = writeln!(text, "\nLeft out: {}, {}: {why}", row.row.scenario.label, row.row.setup.name());
        }
    }
    text
}

type Lines<'a> = [&'a (&'a Measurement, &'a Figures)];

fn of_lattices(plot: Option<Axis>, rows: &Lines<'_>) -> Table {
    let least = format!("GB/s at {} B (share)", traffic::METHOD);
    let mut table = Table::new(&["what", "engine", "chain", "ms a step (least – most)", "Mcell/s", &least]);
    table.heads.extend(["GB/s by the plan (share)".into(), "copy GB/s".into()]);
    for (row, figures) in rows {
        let planned = figures.traffic.unwrap_or_default();
        let bandwidths = [
            bandwidth(figures, traffic::METHOD),
            format!("{planned} B: {}", bandwidth(figures, planned)),
            figures.copied.map_or_else(String::new, |copied| significant(copied.median / 1e9)),
        ];
        table.rows.push(common_columns(row, figures).into_iter().chain(bandwidths).collect());
    }
    table.compare(plot, rows);
    table
}

fn of_agents(plot: Option<Axis>, rows: &Lines<'_>) -> Table {
    let mut table =
        Table::new(&["individuals", "engine", "chain", "ms a step (least – most)", "million a second", "Gpair/s"]);
    for (row, figures) in rows {
        let pairs = figures.pairs().map_or_else(String::new, |pairs| significant(pairs / 1e9));
        table.rows.push(common_columns(row, figures).into_iter().chain([pairs]).collect());
    }
    table.compare(plot, rows);
    table
}

/// Label, engine, chain, milliseconds per step, and millions of cells or individuals per second.
fn common_columns(row: &Measurement, figures: &Figures) -> [String; 5] {
    [
        row.row.scenario.label.clone(),
        named(row, figures),
        figures.chain.clone(),
        milliseconds(figures),
        significant(figures.rate() / 1e6),
    ]
}

/// The steps per second of schools beside the frame rates of the document.
fn of_schools(rows: &Lines<'_>) -> String {
    let mut series: Vec<&str> = Vec::new();
    for (row, _) in rows {
        if !series.contains(&row.row.series.as_str()) {
            series.push(&row.row.series);
        }
    }
    let document = ["CPU single", "CPU multi", "GPU"].map(|engine| format!("document: {engine}"));
    let mut table = Table::new(&["fish"]);
    table.heads.extend(document.into_iter().chain(series.iter().map(ToString::to_string)));
    for (count, frames) in DOCUMENT {
        let of_count =
            |name: &&str| rows.iter().find(|(row, _)| row.row.scenario.boids == count && row.row.series == *name);
        let ours: Vec<String> = series
            .iter()
            .map(|name| of_count(name).map_or_else(String::new, |(_, figures)| frequency(figures)))
            .collect();
        if ours.iter().all(String::is_empty) {
            continue;
        }
        let fish = [grouped(count)].into_iter();
        table.rows.push(fish.chain(frames.map(|frames| frames.to_string())).chain(ours).collect());
    }
    format!(
        "Steps a second (medians). The document's are frames a second on its authors' laptop, pictures included, and never \
         above 62.\n\n{}",
        table.markdown()
    )
}

fn frequency(figures: &Figures) -> String {
    let mark = if figures.is_valid() { "" } else { " ✗" };
    format!("{}{mark}", significant(1.0 / figures.seconds.median))
}

/// The engine, and a mark if the row is not valid.
fn named(row: &Measurement, figures: &Figures) -> String {
    let name = row.row.setup.name();
    match figures.is_valid() {
        true => name,
        false => format!("{name} ✗ lost {}, not valid", signed_boids(figures.lost)),
    }
}

fn milliseconds(figures: &Figures) -> String {
    let [median, least, most] =
        [figures.seconds.median, figures.seconds.least, figures.seconds.most].map(|seconds| significant(seconds * 1e3));
    format!("{median} ({least} – {most})")
}

fn bandwidth(figures: &Figures, bytes_a_cell: u64) -> String {
    let (reached, share) = figures.bandwidth(bytes_a_cell);
    let share = share.map_or_else(String::new, |share| format!(" ({} %)", percent(share)));
    format!("{}{share}", significant(reached / 1e9))
}

/// A share in percent, with a decimal if it is small.
fn percent(part: f64) -> String {
    if part < 0.095 { format!("{:.1}", part * 100.0) } else { format!("{:.0}", part * 100.0) }
}

/// The time of each pass in a step, the longest first.
fn passes(row: &Measurement, figures: &Figures) -> Option<String> {
    let all: f64 = figures.passes.iter().map(|(_, seconds)| seconds).sum();
    if all <= 0.0 {
        return None;
    }
    let mut passes = figures.passes.clone();
    passes.sort_by(|(_, a), (_, b)| b.total_cmp(a));
    let each: Vec<String> = passes
        .iter()
        .map(|(kernel, seconds)| format!("{kernel} {} ms ({} %)", significant(seconds * 1e3), percent(seconds / all)))
        .collect();
    Some(format!("- {}, {}: {}\n", row.row.scenario.label, row.row.setup.name(), each.join(", ")))
}

/// A number with three significant digits, or more if its integer part has more.
pub fn significant(number: f64) -> String {
    if number == 0.0 || !number.is_finite() {
        return format!("{number}");
    }
    // The exponent after rounding: 9.996 is 10.0.
    let exponent = format!("{number:.2e}").split_once('e').and_then(|(_, exponent)| exponent.parse::<i32>().ok());
    let decimals = (2 - exponent.unwrap_or(0)).max(0) as usize;
    if decimals == 0 { grouped(number.round() as u64) } else { format!("{number:.decimals$}") }
}

/// A table of texts.
struct Table {
    heads: Vec<String>,
    rows: Vec<Vec<String>>,
}

impl Table {
    fn new(heads: &[&str]) -> Self {
        Self { heads: heads.iter().map(ToString::to_string).collect(), rows: Vec::new() }
    }

    /// Adds a column, if there is a plot, that compares every row with the first of its series: the cost of a cell or an
    /// individual, or the speedup by threads.
    fn compare(&mut self, plot: Option<Axis>, rows: &Lines<'_>) {
        let Some(axis) = plot else { return };
        self.heads.push(if axis == Axis::Threads { "speed, × the first" } else { "cost, × the first" }.into());
        for (line, (row, figures)) in self.rows.iter_mut().zip(rows) {
            let first = rows.iter().find(|(other, _)| other.row.series == row.row.series);
            let pace = first.map_or(1.0, |(_, first)| figures.rate() / first.rate());
            line.push(significant(if axis == Axis::Threads { pace } else { 1.0 / pace }));
        }
    }

    /// The table in Markdown with aligned columns.
    fn markdown(&self) -> String {
        let all = || std::iter::once(&self.heads).chain(&self.rows);
        let width = |column: usize| all().map(|row| row[column].chars().count()).max().unwrap_or(0);
        let widths: Vec<usize> = (0..self.heads.len()).map(width).collect();
        let line = |row: &Vec<String>| {
            let texts: Vec<String> =
                row.iter().zip(&widths).map(|(text, width)| format!(" {text:<width$} ", width = *width)).collect();
            format!("|{}|\n", texts.join("|"))
        };
        let rules: Vec<String> = widths.iter().map(|width| "-".repeat(width + 2)).collect();
        let mut text = line(&self.heads) + &format!("|{}|\n", rules.join("|"));
        self.rows.iter().for_each(|row| text.push_str(&line(row)));
        text
    }
}

#[cfg(test)]
mod tests {
    use super::super::families::{Devices, EngineSetup, all};
    use super::super::timing::Spread;
    use super::*;

    #[test]
    fn rows_are_compared_with_the_first_in_their_line() {
        let devices = Devices { threads: 2, gpu: None };
        let families = all(devices);
        let compared = |name: &str| {
            let family = families.iter().find(|family| family.name == name).unwrap();
            // Ten nanoseconds a cell on one thread, six on two; twenty on the largest lattice.
            let measured = family.rows.iter().map(|row| {
                let nanoseconds = match (row.setup, row.at) {
                    (EngineSetup::Cpu { threads: 1, .. }, _) => 10.0,
                    (_, at) if at > 6e7 => 20.0,
                    _ => 6.0,
                };
                let cells = row.scenario.cells.as_ref().unwrap().size;
                let many = u64::from(cells.0) * u64::from(cells.1);
                let median = nanoseconds * 1e-9 * many as f64;
                let seconds = Spread { median, least: median, most: median };
                Measurement { row: row.clone(), figures: Ok(Figures { many, seconds, ..figures() }) }
            });
            let rows: Vec<Measurement> = measured.collect();
            let lines: Vec<_> = rows.iter().map(|row| (row, row.figures.as_ref().unwrap())).collect();
            let lines: Vec<_> = lines.iter().collect();
            let last = |row: Vec<String>| row.last().cloned().unwrap();
            of_lattices(family.plot, &lines).rows.into_iter().map(last).collect::<Vec<_>>()
        };
        assert_eq!(compared("threads"), ["1.00", "1.67", "1.00", "1.67"]);
        assert_eq!(compared("size"), ["1.00", "1.00", "1.00", "1.00", "1.00", "3.33"]);
    }

    fn figures() -> Figures {
        Figures {
            engine: "2 threads".into(),
            chain: "cell".into(),
            many: 1,
            steps: 1,
            rounds: 1,
            seconds: Spread { median: 1.0, least: 1.0, most: 1.0 },
            traffic: Some(104),
            copied: None,
            is_brute: false,
            passes: Vec::new(),
            lost: 0,
        }
    }

    #[test]
    fn shares_and_pairs_follow_from_the_times() {
        let copied = Spread { median: 56.0, least: 50.0, most: 60.0 };
        let seconds = Spread { median: 0.5, least: 0.4, most: 0.9 };
        let figures = Figures { many: 10, seconds, copied: Some(copied), is_brute: true, ..figures() };
        assert_eq!(figures.rate(), 20.0);
        assert_eq!(figures.pairs(), Some(180.0));
        assert_eq!(figures.bandwidth(28), (560.0, Some(10.0)));
        assert_eq!(Figures { is_brute: false, ..figures.clone() }.pairs(), None);
        assert!(figures.is_valid() && !Figures { lost: -1, ..figures }.is_valid());
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
        let mut table = Table::new(&["a", "long head"]);
        table.rows.push(vec!["çd".into(), "x".into()]);
        assert_eq!(table.markdown(), "| a  | long head |\n|----|-----------|\n| çd | x         |\n");
    }
}
