//! Plots of the results as SVG: a line for each series, and the spread of every value as a bar.

use super::families::{Axis, Family};
use super::measure::Measurement;
use murmuration_core::text::readable::short;
use plotters::coord::Shift;
use plotters::coord::ranged1d::{AsRangedCoord, ValueFormatter};
use plotters::prelude::*;
use std::error::Error;
use std::ops::Range;

const SIZE: (u32, u32) = (820, 460);
/// Colours that are legible on white and distinct for colour-blind people (mostly those of Okabe and Ito).
const COLOURS: [RGBColor; 8] = [
    RGBColor(0, 114, 178),
    RGBColor(213, 94, 0),
    RGBColor(0, 158, 115),
    RGBColor(204, 121, 167),
    RGBColor(86, 180, 233),
    RGBColor(230, 159, 0),
    RGBColor(60, 60, 60),
    RGBColor(140, 81, 10),
];

/// The labels of both axes, and a value on the y axis by the seconds of a step and the number of cells or individuals.
type Scales = (&'static str, &'static str, fn(f64, f64) -> f64);

fn scales(axis: Axis) -> Scales {
    let cost: (_, fn(f64, f64) -> f64) = ("nanoseconds a cell and step", |seconds, many| seconds * 1e9 / many);
    match axis {
        Axis::Cells => ("cells", cost.0, cost.1),
        Axis::Radius => ("radius of sight, in cells", cost.0, cost.1),
        Axis::Boids => ("boids on 1024 × 1024 cells", cost.0, cost.1),
        Axis::Individuals => ("individuals", "milliseconds a step", |seconds, _| seconds * 1e3),
        Axis::Threads => ("threads", "megacells a second", |seconds, many| many / seconds / 1e6),
    }
}

/// A line of a plot: its name, and the median and the extremes at positions on the x axis.
struct Line<'a> {
    name: &'a str,
    values: Vec<(f64, [f64; 3])>,
}

/// The plot of a family; `None` if it has no axis or nothing was measured.
///
/// # Errors
/// If the plot cannot be drawn.
pub fn svg(family: &Family, rows: &[Measurement]) -> Result<Option<String>, Box<dyn Error>> {
    let Some(axis) = family.plot else { return Ok(None) };
    let (x, y, value) = scales(axis);
    let mut lines: Vec<Line> = Vec::new();
    for row in rows {
        let Ok(figures) = &row.figures else { continue };
        let seconds = [figures.seconds.median, figures.seconds.least, figures.seconds.most];
        let value_of_row = (row.row.at, seconds.map(|seconds| value(seconds, figures.many as f64)));
        match lines.iter_mut().find(|line| line.name == row.row.series) {
            Some(line) => line.values.push(value_of_row),
            None => lines.push(Line { name: &row.row.series, values: vec![value_of_row] }),
        }
    }
    if lines.is_empty() {
        return Ok(None);
    }
    let along = ends(lines.iter().flat_map(|line| line.values.iter().map(|(at, _)| *at)));
    let up = ends(lines.iter().flat_map(|line| line.values.iter().flat_map(|(_, spread)| *spread)));
    let mut svg = String::new();
    let area = SVGBackend::with_string(&mut svg, SIZE).into_drawing_area();
    // Quantities that span orders of magnitude have a logarithmic axis.
    let drawn = match axis {
        Axis::Threads => draw(&area, [family.title, x, y], &lines, from_zero(along), from_zero(up)),
        Axis::Radius => draw(&area, [family.title, x, y], &lines, from_zero(along), factors(up).log_scale()),
        _ => draw(&area, [family.title, x, y], &lines, factors(along).log_scale(), factors(up).log_scale()),
    };
    drawn.map_err(|error| error.to_string())?;
    drop(area);
    Ok(Some(svg))
}

fn draw<X, Y>(
    area: &DrawingArea<SVGBackend<'_>, Shift>,
    [title, x, y]: [&str; 3],
    lines: &[Line<'_>],
    along: X,
    up: Y,
) -> Result<(), Box<dyn Error>>
where
    X: AsRangedCoord<Value = f64, CoordDescType: ValueFormatter<f64>>,
    Y: AsRangedCoord<Value = f64, CoordDescType: ValueFormatter<f64>>,
{
    area.fill(&WHITE)?;
    // The legend is beside the plot, where it hides no line.
    let longest = lines.iter().map(|line| line.name.chars().count()).max().unwrap_or(0);
    let (plot, names) = area.split_horizontally(SIZE.0 as i32 - 40 - 7 * longest as i32);
    let text = |size: i32| ("sans-serif", size).into_font().color(&RGBColor(40, 40, 40));
    let mut chart = ChartBuilder::on(&plot)
        .caption(title, text(17))
        .margin(12)
        .x_label_area_size(42)
        .y_label_area_size(62)
        .build_cartesian_2d(along, up)?;
    chart
        .configure_mesh()
        .x_desc(x)
        .y_desc(y)
        .label_style(text(12))
        .axis_desc_style(text(13))
        .x_label_formatter(&|value| in_units(*value))
        .y_label_formatter(&|value| in_units(*value))
        .light_line_style(RGBColor(240, 240, 240))
        .bold_line_style(RGBColor(215, 215, 215))
        .draw()?;
    for (index, line) in lines.iter().enumerate() {
        let colour = COLOURS[index % COLOURS.len()];
        // Lines that reuse a colour are thinner.
        let width = if index < COLOURS.len() { 2 } else { 1 };
        chart.draw_series(LineSeries::new(
            line.values.iter().map(|(at, [median, ..])| (*at, *median)),
            colour.stroke_width(width),
        ))?;
        for (at, [median, least, most]) in &line.values {
            chart.draw_series([PathElement::new(vec![(*at, *least), (*at, *most)], colour.stroke_width(1))])?;
            chart.draw_series([Circle::new((*at, *median), 3, colour.filled())])?;
        }
        let down = 60 + 18 * index as i32;
        names.draw(&PathElement::new(vec![(0, down), (18, down)], colour.stroke_width(width)))?;
        names.draw(&Circle::new((9, down), 3, colour.filled()))?;
        names.draw(&Text::new(line.name.to_owned(), (24, down - 5), text(12)))?;
    }
    area.present()?;
    Ok(())
}

/// The least and the greatest value.
fn ends(values: impl Iterator<Item = f64>) -> [f64; 2] {
    values.fold([f64::INFINITY, 0.0], |[least, most], value| [value.min(least), value.max(most)])
}

/// The range of a logarithmic axis: from below the least to above the greatest value, at least a factor of ten.
fn factors([least, most]: [f64; 2]) -> Range<f64> {
    let room = (10.0 / (most / least)).sqrt().max(1.25);
    least / room..most * room
}

/// The range of a linear axis: from 0 to above the greatest value.
fn from_zero([_, most]: [f64; 2]) -> Range<f64> {
    0.0..1.125 * most
}

/// A short number for an axis, in the largest unit in which it is at least one.
fn in_units(value: f64) -> String {
    for (unit, letter) in [(1e9, "G"), (1e6, "M"), (1e3, "k")] {
        if value >= unit {
            return format!("{}{letter}", short(value / unit));
        }
    }
    short(value)
}

#[cfg(test)]
mod tests {
    use super::super::families::{Devices, all};
    use super::super::figures::Figures;
    use super::super::timing::Spread;
    use super::*;

    #[test]
    fn an_axis_has_room_around_what_lies_on_it() {
        assert_eq!(ends([3.0, 2.0, 7.0].into_iter()), [2.0, 7.0]);
        let range = factors([2.0, 3.0]);
        assert!(range.start < 2.0 && range.end > 3.0 && (range.end / range.start - 10.0).abs() < 1e-9, "{range:?}");
        assert_eq!(factors([1.0, 1e6]), 0.8..1.25e6);
        assert_eq!(from_zero([1.0, 100.0]), 0.0..112.5);
    }

    #[test]
    fn every_family_with_an_axis_becomes_a_small_svg_with_all_its_lines() {
        let families = all(Devices { threads: 4, gpu: Some(super::super::families::Adapter::Hardware) });
        let mut drawn = 0;
        for family in &families {
            let row = |row: &super::super::families::Row| {
                let seconds = row.at * 1e-9;
                let figures = Figures {
                    engine: String::new(),
                    chain: String::new(),
                    many: 1 << 20,
                    steps: 1,
                    rounds: 3,
                    seconds: Spread { median: seconds, least: 0.9 * seconds, most: 1.2 * seconds },
                    traffic: None,
                    copied: None,
                    pairs: None,
                    passes: Vec::new(),
                    lost: 0,
                    is_same_as_cpu: None,
                    not_compared: None,
                };
                Measurement { row: row.clone(), figures: Ok(figures) }
            };
            let rows: Vec<Measurement> = family.rows.iter().map(row).collect();
            let Some(svg) = svg(family, &rows).unwrap() else {
                assert!(family.plot.is_none());
                continue;
            };
            drawn += 1;
            assert!(svg.starts_with("<svg") && svg.trim_end().ends_with("</svg>"));
            assert!(svg.len() < 60 << 10, "{}: {} bytes", family.name, svg.len());
            for row in &family.rows {
                assert!(svg.contains(&row.series), "{}: {} is not drawn", family.name, row.series);
            }
            assert!(super::svg(family, &[]).unwrap().is_none());
        }
        assert_eq!(drawn, families.iter().filter(|family| family.plot.is_some()).count());
    }
}
