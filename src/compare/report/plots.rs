//! Plots as SVG: those of the report in the text colour of the page, and figures of their own in black on white.

use crate::compare::agreement::{Histogram, least};
use crate::compare::pair::ModelPair;
use crate::compare::spectrum::Spectrum;
use murmuration_core::error::Failure;
use murmuration_core::readable::short;
use plotters::coord::ranged1d::{AsRangedCoord, Ranged, ValueFormatter};
use plotters::prelude::*;
use std::ops::Range;

/// The size of a plot, in pixels of the page.
const SIZE: (u32, u32) = (440, 240);
/// The most values of a line, more than the plot has pixels across.
const MOST_POINTS: usize = 500;
/// A placeholder for the text colour of the page, replaced at the end.
const INK: RGBColor = RGBColor(1, 2, 3);
const INK_IN_SVG: &str = "#010203";

/// The colour of a line, the lengths of its dashes and gaps, and its width.
pub type Style = (RGBColor, Option<[u32; 2]>, u32);

/// Colours with enough contrast on white and on black.
pub const CELLS: Style = (RGBColor(47, 127, 214), None, 2);
pub const INDIVIDUALS: Style = (RGBColor(222, 115, 13), Some([7, 4]), 2);
pub const AGREEMENT: Style = (INK, None, 2);
pub const CHANCE: Style = (RGBColor(128, 128, 128), Some([2, 4]), 1);

/// Values by step.
pub type Line = Vec<(f64, Option<f64>)>;

/// Values over the steps.
pub fn over_time(lines: &[(Line, Style)]) -> Result<String, Failure> {
    let steps = bounds(lines.iter().flat_map(|(line, _)| line.iter().map(|(step, _)| *step)));
    let values = bounds(lines.iter().flat_map(|(line, _)| line.iter().filter_map(|(_, value)| *value)));
    // The axis includes 0, so that a small change looks small.
    let room = 0.05 * (values.end.max(0.0) - values.start.min(0.0)).max(1e-9);
    let low = if values.start < 0.0 { values.start - room } else { 0.0 };
    let values = low..values.end.max(low) + room;
    let axes = Axes { across: "step", up: None, label: &|step| format!("{step:.0}") };
    draw(steps.start..steps.end.max(steps.start + 1.0), values, &axes, lines).map(in_page)
}

/// A figure of its own, with the names of both axes. The axes reach as far as the lines.
///
/// # Errors
/// If it cannot be drawn.
pub fn figure(across: &str, up: &str, lines: &[(Line, Style)]) -> Result<String, Failure> {
    let span = |values: Range<f64>| {
        let room = (0.04 * (values.end - values.start)).max(1e-3 * values.end.abs()).max(1e-9);
        values.start - room..values.end + room
    };
    let [across_of, up_of] = [0, 1].map(|axis| {
        let known = lines.iter().flat_map(|(line, _)| line).filter_map(|(x, y)| Some([*x, (*y)?]));
        span(bounds(known.map(|place| place[axis]).collect::<Vec<_>>().into_iter()))
    });
    let axes = Axes { across, up: Some(up), label: &|value| short(*value) };
    let svg = draw(across_of, up_of, &axes, lines)?;
    let (head, body) = svg.split_once('>').unwrap_or((&svg, ""));
    let background = "<rect width=\"100%\" height=\"100%\" fill=\"#FFFFFF\"/>";
    Ok(format!("{head}>\n{background}{}", body.replace(INK_IN_SVG, "#000000")))
}

/// The plot as a part of a page of HTML, which needs no namespace.
fn in_page(svg: String) -> String {
    svg.replace(" xmlns=\"http://www.w3.org/2000/svg\"", "").replace(INK_IN_SVG, "currentColor")
}

/// The names of the axes of a plot, and the labels of the axis across.
struct Axes<'a> {
    across: &'a str,
    up: Option<&'a str>,
    label: &'a dyn Fn(&f64) -> String,
}

/// The shares of the lattice by the boids that a grain holds.
pub fn histograms(of: &ModelPair<Histogram>) -> Result<String, Failure> {
    let bins = of.cells.used().max(of.individuals.used());
    // A bin is a horizontal segment.
    let line = |histogram: &Histogram| -> Line {
        let shares = histogram.0.iter().take(bins).enumerate();
        let level = |(bin, share): (usize, &f64)| {
            let value = (*share > 0.0).then_some(*share);
            [(bin as f64 - 0.5, value), (bin as f64 + 0.5, value)]
        };
        shares.flat_map(level).collect()
    };
    let lines = [(line(&of.cells), CELLS), (line(&of.individuals), INDIVIDUALS)];
    let least_share = lines.iter().flat_map(|(line, _)| line.iter().filter_map(|(_, value)| *value));
    let low = least_share.fold(0.1, f64::min) / 2.0;
    let label = |place: &f64| {
        let is_whole = (place - place.round()).abs() < 1e-6 && *place > -0.5;
        if is_whole { least(place.round() as usize).to_string() } else { String::new() }
    };
    let axes = Axes { across: "boids in a grain, from", up: None, label: &label };
    draw(-0.5..bins as f64 - 0.5, (low..1.5).log_scale(), &axes, &lines).map(in_page)
}

/// The structure factors by wavelength, and the level of the shot noise.
pub fn spectra(of: &ModelPair<Spectrum>) -> Result<String, Failure> {
    let line = |spectrum: &Spectrum| -> Line {
        let value = |(index, value): (usize, &f64)| (spectrum.wavelength(index), (*value > 0.0).then_some(*value));
        spectrum.values.iter().enumerate().map(value).collect()
    };
    let longest = f64::from(of.cells.extent).max(3.0);
    let noise = vec![(2.0, Some(1.0)), (longest, Some(1.0))];
    let lines = [(line(&of.cells), CELLS), (line(&of.individuals), INDIVIDUALS), (noise, CHANCE)];
    let values = bounds(lines.iter().flat_map(|(line, _)| line.iter().filter_map(|(_, value)| *value)));
    // Values far below the noise of the other curve are cut off.
    let values = values.start.max(1e-4) / 1.5..values.end.max(1.0) * 1.5;
    let axes = Axes { across: "wavelength in cells", up: None, label: &|cells| short(*cells) };
    draw((2.0..longest).log_scale(), values.log_scale(), &axes, &lines).map(in_page)
}

fn draw<X, Y>(across: X, up: Y, axes: &Axes<'_>, lines: &[(Line, Style)]) -> Result<String, Failure>
where
    X: AsRangedCoord<Value = f64, CoordDescType: Ranged<ValueType = f64> + ValueFormatter<f64>>,
    Y: AsRangedCoord<Value = f64, CoordDescType: Ranged<ValueType = f64> + ValueFormatter<f64>>,
{
    let mut svg = String::new();
    {
        let area = SVGBackend::with_string(&mut svg, SIZE).into_drawing_area();
        let mut chart = ChartBuilder::on(&area)
            .margin(8)
            .margin_right(16)
            .x_label_area_size(38)
            .y_label_area_size(if axes.up.is_some() { 66 } else { 52 })
            .build_cartesian_2d(across, up)
            .map_err(failed)?;
        let letters = ("sans-serif", 12).into_font().color(&INK.mix(0.8));
        let mut mesh = chart.configure_mesh();
        axes.up.iter().for_each(|up| _ = mesh.y_desc(*up));
        mesh.light_line_style(TRANSPARENT)
            .bold_line_style(INK.mix(0.12))
            .axis_style(INK.mix(0.5))
            .label_style(letters.clone())
            .axis_desc_style(letters)
            .x_desc(axes.across)
            .x_labels(8)
            .y_labels(6)
            .x_label_formatter(axes.label)
            .y_label_formatter(&|value| short(*value))
            .draw()
            .map_err(failed)?;
        for (line, (colour, dashes, width)) in lines {
            let style = colour.stroke_width(*width);
            for run in runs(line) {
                match dashes {
                    None => chart.draw_series(LineSeries::new(run, style)).map(drop),
                    Some([dash, gap]) => chart.draw_series(DashedLineSeries::new(run, *dash, *gap, style)).map(drop),
                }
                .map_err(failed)?;
            }
        }
        area.present().map_err(failed)?;
    }
    Ok(svg)
}

fn failed(error: impl std::fmt::Display) -> Failure {
    Failure::Broken(format!("a plot cannot be drawn: {error}"))
}

/// The segments of a line without a gap, thinned to at most [`MOST_POINTS`].
fn runs(line: &Line) -> Vec<Vec<(f64, f64)>> {
    let every = line.len().div_ceil(MOST_POINTS).max(1);
    let values: Vec<_> = line.iter().step_by(every).collect();
    let runs = values.split(|(_, value)| value.is_none()).filter(|run| !run.is_empty());
    runs.map(|run| run.iter().filter_map(|(place, value)| Some((*place, (*value)?))).collect()).collect()
}

/// The least and the greatest value; 0 and 1 without values.
fn bounds(values: impl Iterator<Item = f64> + Clone) -> Range<f64> {
    values.clone().reduce(f64::min).unwrap_or(0.0)..values.reduce(f64::max).unwrap_or(1.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_gap_in_a_line_is_a_gap_in_the_plot() {
        let line = vec![(0.0, Some(1.0)), (1.0, None), (2.0, Some(2.0)), (3.0, Some(3.0))];
        assert_eq!(runs(&line), [vec![(0.0, 1.0)], vec![(2.0, 2.0), (3.0, 3.0)]]);
        assert!(runs(&vec![(0.0, None)]).is_empty());
        let long: Line = (0..10_000).map(|step| (f64::from(step), Some(1.0))).collect();
        assert!(runs(&long)[0].len() <= MOST_POINTS);
    }

    #[test]
    fn plots_of_nothing_and_of_one_value_are_plots() {
        let none = [(vec![(0.0, None)], CELLS), (Vec::new(), INDIVIDUALS)];
        for svg in [over_time(&none), over_time(&[(vec![(5.0, Some(0.0))], AGREEMENT)])] {
            let svg = svg.unwrap();
            assert!(svg.starts_with("<svg") && svg.trim_end().ends_with("</svg>"), "{svg}");
            assert!(!svg.contains("http") && !svg.contains("NaN") && svg.contains("currentColor"), "{svg}");
        }
    }
}
