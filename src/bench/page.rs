//! The results as a page: tables, and charts of the families that have an axis.

use super::families::{Axis, Family};
use super::measure::Measurement;
use super::report::Report;
use super::table::{Block, blocks};
use crate::files::json::with_exact;
use crate::html_page::charts::{self, Chart, Point, Scale, Series};
use crate::html_page::html_page;
use crate::provenance::program;
use maud::{Markup, html};
use murmuration_core::error::Failure;

/// The two axes of a chart, each with its scale, and the function of the y axis. Its arguments are the seconds of a
/// step, and the number of cells or individuals.
type Scales = ([(&'static str, Scale); 2], fn(f64, f64) -> f64);

fn scales(axis: Axis) -> Scales {
    let across = match axis {
        Axis::Cells => ("cells", Scale::Logarithmic),
        Axis::Radius => ("radius of sight (cells)", Scale::FromZero),
        Axis::Boids => ("boids on 1024 × 1024 cells", Scale::Logarithmic),
        Axis::Individuals => ("individuals", Scale::Logarithmic),
        Axis::Threads => ("threads", Scale::FromZero),
    };
    match axis {
        Axis::Individuals => ([across, ("time of a step (ms)", Scale::Logarithmic)], |seconds, _| seconds * 1e3),
        Axis::Threads => ([across, ("10⁶ cells a second", Scale::FromZero)], |seconds, many| many / seconds / 1e6),
        _ => ([across, ("time of a cell and step (ns)", Scale::Logarithmic)], |seconds, many| seconds * 1e9 / many),
    }
}

/// The chart of a family, with the median of the repetitions of each row, and a bar from the minimum to the maximum;
/// `None` if the family has no x axis, or no row was measured.
pub fn chart(family: &Family, rows: &[Measurement]) -> Option<Chart> {
    let ([across, up], value) = scales(family.plot?);
    let mut series: Vec<Series> = Vec::new();
    for Measurement { row, figures } in rows {
        let Ok(figures) = figures else { continue };
        let seconds = [figures.seconds.median, figures.seconds.least, figures.seconds.most];
        let [median, least, most] = seconds.map(|seconds| value(seconds, figures.many as f64));
        let point = Point { at: row.at, value: median, ends: [least, most] };
        match series.iter_mut().find(|series| series.name == row.series) {
            Some(series) => series.points.push(point),
            None => series.push(Series { name: row.series.clone(), points: vec![point], is_published: false }),
        }
    }
    let [across, up] = [across, up].map(|(title, scale)| charts::Axis { title: title.into(), scale });
    let note = "medians, with bars from the least to the greatest repetition".into();
    let chart = Chart { title: family.title.into(), note, across, up, series, references: Vec::new() };
    (!chart.series.is_empty()).then_some(chart)
}

/// The page of all results.
///
/// # Errors
/// If a chart cannot be drawn.
pub fn page(report: &Report) -> Result<String, Failure> {
    let families = report.families.iter().filter(|(_, rows)| !rows.is_empty());
    let body = html! {
        h1 { "Benchmark" }
        @for line in report.hardware.lines() { p.facts { (line) } }
        @if let Some(warning) = report.warning() { p.warning { (warning) } }
        @for (family, rows) in families {
            h2 { (family.title) }
            @if let Some(chart) = chart(family, rows) { div.plots { (chart.figure()?) } }
            @for block in blocks(family, rows) { (html_of(&block)) }
        }
    };
    Ok(html_page("Benchmark", "", &with_exact(program()).to_string(), &body))
}

fn html_of(block: &Block) -> Markup {
    match block {
        Block::Text(text) => html! { p.note { (text) } },
        Block::List(lines) => html! { ul { @for line in lines { li { (line) } } } },
        Block::Table(columns) => html! {
            div.wide { table {
                @for line in 0..columns[0].len() {
                    tr {
                        @for column in columns {
                            @if line == 0 { th { (column[line]) } } @else { td { (column[line]) } }
                        }
                    }
                }
            } }
        },
    }
}

#[cfg(test)]
mod tests {
    use super::super::families::{Adapter, Devices, Row};
    use super::super::figures::Figures;
    use super::super::rows::{Selection, families};
    use super::super::timing::Spread;
    use super::*;

    #[test]
    fn every_family_with_an_axis_becomes_a_small_svg_with_all_its_lines() {
        let devices = Devices { threads: 4, gpu: Some(Adapter::Hardware) };
        for family in families(Selection::All, devices, false) {
            let row = |row: &Row| {
                let seconds = row.at * 1e-9;
                let seconds = Spread { median: seconds, least: 0.9 * seconds, most: 1.2 * seconds };
                Measurement { row: row.clone(), figures: Ok(Figures { many: 1 << 20, seconds, ..Figures::default() }) }
            };
            let rows: Vec<Measurement> = family.rows.iter().map(row).collect();
            let chart = chart(&family, &rows);
            assert_eq!(chart.is_some(), family.plot.is_some());
            let Some(svg) = chart.map(|chart| chart.svg().unwrap()) else { continue };
            assert!(svg.len() < 60 << 10, "{}: {} bytes", family.name, svg.len());
            for row in &family.rows {
                assert!(svg.contains(&row.series), "{}: {} is not drawn", family.name, row.series);
            }
            assert!(super::chart(&family, &[]).is_none());
        }
    }
}
