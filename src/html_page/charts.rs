//! Charts as SVG: those of pages in the text colour of the page, and figures of their own in black on white.

use murmuration_core::error::Failure;
use murmuration_core::text::readable::short;
use plotters::coord::ranged1d::{AsRangedCoord, Ranged, ValueFormatter};
use plotters::prelude::*;
use std::ops::Range;

/// The size of a plot, in pixels of the page.
const SIZE: (u32, u32) = (440, 240);
/// The most values of a line, more than the plot has pixels across.
const MAX_POINTS: usize = 500;
/// A placeholder for the text colour of the page, replaced at the end.
pub const INK: RGBColor = RGBColor(1, 2, 3);
const INK_IN_SVG: &str = "#010203";

/// The colour of a line, the lengths of its dashes and gaps, and its width.
pub type Style = (RGBColor, Option<[u32; 2]>, u32);

/// A line: places along the axis, and the values there.
pub type Line = Vec<(f64, Option<f64>)>;

/// The names of the axes of a chart, and the labels of the axis across.
struct Axes<'a> {
    across: &'a str,
    up: Option<&'a str>,
    label: &'a dyn Fn(&f64) -> String,
}

/// A chart of a page: lines over an axis with a description and labels.
///
/// # Errors
/// If the chart cannot be drawn.
pub fn draw<X, Y>(
    across: X,
    up: Y,
    description: &str,
    label: &dyn Fn(&f64) -> String,
    lines: &[(Line, Style)],
) -> Result<String, Failure>
where
    X: AsRangedCoord<Value = f64, CoordDescType: Ranged<ValueType = f64> + ValueFormatter<f64>>,
    Y: AsRangedCoord<Value = f64, CoordDescType: Ranged<ValueType = f64> + ValueFormatter<f64>>,
{
    let svg = svg(across, up, &Axes { across: description, up: None, label }, lines)?;
    // SVG within HTML needs no namespace.
    Ok(svg.replace(" xmlns=\"http://www.w3.org/2000/svg\"", "").replace(INK_IN_SVG, "currentColor"))
}

/// A figure of its own, with the names of both axes. The axes reach as far as the lines.
///
/// # Errors
/// If it cannot be drawn.
#[cfg(feature = "window")]
pub fn figure(across: &str, up: &str, lines: &[(Line, Style)]) -> Result<String, Failure> {
    let span = |values: Range<f64>| {
        let room = (0.04 * (values.end - values.start)).max(1e-3 * values.end.abs()).max(1e-9);
        values.start - room..values.end + room
    };
    let known = || lines.iter().flat_map(|(line, _)| line).filter_map(|(x, y)| Some([*x, (*y)?]));
    let [horizontal, vertical] = [0, 1].map(|axis| span(bounds(known().map(|place| place[axis]))));
    let axes = Axes { across, up: Some(up), label: &|value| short(*value) };
    let svg = svg(horizontal, vertical, &axes, lines)?;
    let (head, body) = svg.split_once('>').unwrap_or((&svg, ""));
    let background = "<rect width=\"100%\" height=\"100%\" fill=\"#FFFFFF\"/>";
    Ok(format!("{head}>\n{background}{}", body.replace(INK_IN_SVG, "#000000")))
}

/// The chart with its placeholder for the colour of text.
fn svg<X, Y>(across: X, up: Y, axes: &Axes<'_>, lines: &[(Line, Style)]) -> Result<String, Failure>
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

/// The segments of a line without a gap, thinned to at most [`MAX_POINTS`].
fn runs(line: &Line) -> Vec<Vec<(f64, f64)>> {
    let every = line.len().div_ceil(MAX_POINTS).max(1);
    let values: Vec<_> = line.iter().step_by(every).collect();
    let runs = values.split(|(_, value)| value.is_none()).filter(|run| !run.is_empty());
    runs.map(|run| run.iter().filter_map(|(place, value)| Some((*place, (*value)?))).collect()).collect()
}

/// The least and the greatest value; 0 and 1 without values.
pub fn bounds(values: impl Iterator<Item = f64> + Clone) -> Range<f64> {
    values.clone().reduce(f64::min).unwrap_or(0.0)..values.reduce(f64::max).unwrap_or(1.0)
}

#[cfg(test)]
mod tests {
    use crate::html_page::charts::*;

    #[test]
    fn a_gap_in_a_line_is_a_gap_in_the_plot() {
        let line = vec![(0.0, Some(1.0)), (1.0, None), (2.0, Some(2.0)), (3.0, Some(3.0))];
        assert_eq!(runs(&line), [vec![(0.0, 1.0)], vec![(2.0, 2.0), (3.0, 3.0)]]);
        assert!(runs(&vec![(0.0, None)]).is_empty());
        let long: Line = (0..10_000).map(|step| (f64::from(step), Some(1.0))).collect();
        assert!(runs(&long)[0].len() <= MAX_POINTS);
    }
}
