//! Charts: points with error bars and lines over two axes, with published values and their bands; heat maps. On a page
//! a chart is an SVG in the text colour of the page, with its data beside it. As a file it is an SVG in black on white.

mod axis;
mod heat_map;

pub use axis::{Axis, Scale};
pub use heat_map::HeatMap;

use axis::Coordinate;
use maud::{Markup, PreEscaped, html};
use murmuration_core::error::Failure;
use plotters::chart::ChartContext;
use plotters::coord::Shift;
use plotters::prelude::*;

/// The width and height of a chart in pixels, unless the chart has a wide legend.
const SIZE: [u32; 2] = [640, 400];
/// The maximum width in pixels that a legend takes from the width of a chart. A wider legend makes the chart wider.
const LEGEND: u32 = 190;
/// The font size in pixels.
const LETTERS: i32 = 16;
/// The mean width of a letter in pixels.
const LETTER: f64 = 8.4;
/// Half the width of the end of an error bar, in pixels.
const CAP: i32 = 4;
/// The maximum number of values of a line. A longer line is thinned.
const MAX_POINTS: usize = 500;
/// The maximum number of values of a line with a marker at every value. If a chart has several lines, a longer line has
/// about half this number of markers. A single longer line has none.
const MAX_MARKERS: usize = 40;
/// A placeholder for the colour of the text. The text of the finished SVG gets the real colour in its place.
const INK: RGBColor = RGBColor(1, 2, 3);
/// The placeholder [`INK`] in the text of an SVG.
const INK_IN_SVG: &str = "#010203";
/// The colour of each [`Reference`] and of its band.
const GREY: RGBColor = RGBColor(128, 128, 128);
/// The colours of series. They have enough contrast on white and on black, and are distinct for colour-blind people.
/// The first two equal the colours `--cells` and `--individuals` in the style sheets of pages.
const COLOURS: [RGBColor; 7] = [
    RGBColor(47, 127, 214),
    RGBColor(222, 115, 13),
    RGBColor(0, 158, 115),
    RGBColor(204, 100, 167),
    RGBColor(150, 110, 70),
    RGBColor(70, 180, 220),
    RGBColor(190, 160, 20),
];

/// A value of a series.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Point {
    /// The place on the axis `across`.
    pub at: f64,
    /// The value; NaN is a gap.
    pub value: f64,
    /// The lower and the upper end of the error bar; NaN: the value has no error bar.
    pub ends: [f64; 2],
}

impl Point {
    /// A value without an error bar. `at`: the place on the axis `across`.
    pub fn new(at: f64, value: f64) -> Self {
        Self { at, value, ends: [f64::NAN; 2] }
    }

    /// A value with an error bar of one standard error to each side. `error`: the standard error; NaN: no error bar.
    pub fn with_error(at: f64, value: f64, error: f64) -> Self {
        Self { at, value, ends: [value - error, value + error] }
    }

    fn is_drawn(&self) -> bool {
        self.at.is_finite() && self.value.is_finite()
    }
}

/// Values with a name, joined by a line.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Series {
    /// The name in the legend.
    pub name: String,
    /// The values in the order of the line.
    pub points: Vec<Point>,
    /// Whether the values are published. Published values are open squares in the colour of the text, without a line.
    pub is_published: bool,
}

/// A dashed line with a band around it, to compare the values with. An example is a published value. Places beyond the
/// ends of an axis, also infinite places, are drawn at its end.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Reference {
    /// The name in the legend.
    pub name: String,
    /// The places [x, y] of the line; empty: no line.
    pub line: Vec<[f64; 2]>,
    /// The corners [x, y] of the band, in the order around it; empty: no band.
    pub band: Vec<[f64; 2]>,
}

impl Reference {
    /// A horizontal line at a value of the axis `up`, and its band between two values. `None`: no line, or no band.
    pub fn level(name: String, value: Option<f64>, band: Option<[f64; 2]>) -> Self {
        let across = [f64::NEG_INFINITY, f64::INFINITY];
        let line = value.map_or_else(Vec::new, |value| across.map(|x| [x, value]).to_vec());
        let band = band.map_or_else(Vec::new, |[least, greatest]| {
            vec![[across[0], least], [across[1], least], [across[1], greatest], [across[0], greatest]]
        });
        Self { name, line, band }
    }

    /// A vertical line at a value of the axis `across`, and its band between two values. `None`: no line.
    pub fn place(name: String, value: Option<f64>, band: [f64; 2]) -> Self {
        let turned = Self::level(name, value, Some(band));
        let turn = |places: Vec<[f64; 2]>| places.into_iter().map(|[x, y]| [y, x]).collect();
        Self { name: turned.name, line: turn(turned.line), band: turn(turned.band) }
    }
}

/// A chart.
#[derive(Debug, Clone, PartialEq)]
pub struct Chart {
    /// The title in the caption. It also names the files that the buttons of the page save.
    pub title: String,
    /// The rest of the caption.
    pub note: String,
    /// The horizontal axis.
    pub across: Axis,
    /// The vertical axis.
    pub up: Axis,
    /// The values.
    pub series: Vec<Series>,
    /// The lines and bands to compare the values with.
    pub references: Vec<Reference>,
}

/// An area of an SVG.
type Area<'a> = DrawingArea<SVGBackend<'a>, Shift>;
/// A chart in an area, with its two axes.
type Context<'a> = ChartContext<'a, SVGBackend<'a>, Cartesian2d<Coordinate, Coordinate>>;

impl Chart {
    /// The chart as a figure of a page.
    ///
    /// # Errors
    /// If the chart cannot be drawn.
    pub fn figure(&self) -> Result<Markup, Failure> {
        Ok(figure("chart", &self.title, &self.note, &self.csv(), &self.draw()?))
    }

    /// The chart as the text of an SVG file, in black on white.
    ///
    /// # Errors
    /// If the chart cannot be drawn.
    #[cfg(any(feature = "cli", feature = "window", test))]
    pub fn svg(&self) -> Result<String, Failure> {
        let svg = self.draw()?;
        let (head, body) = svg.split_once('>').unwrap_or((&svg, ""));
        let background = "<rect width=\"100%\" height=\"100%\" fill=\"#FFFFFF\"/>";
        Ok(format!("{head}>\n{background}{}", body.replace(INK_IN_SVG, "#000000")))
    }

    /// The data of the chart as CSV text with a header. Each value of a series has a row, and so has each place of the
    /// line of a reference.
    fn csv(&self) -> String {
        let number = |number: f64| if number.is_finite() { format!("{number:?}") } else { String::new() };
        let place = |at: f64| match &self.across.scale {
            Scale::Words(words) => {
                words.get(at.round().max(0.0) as usize).map_or_else(String::new, |word| quoted(word))
            }
            _ => number(at),
        };
        let mut text = format!("series,{},{},low,high\n", quoted(&self.across.title), quoted(&self.up.title));
        for Series { name, points, .. } in &self.series {
            for Point { at, value, ends: [low, high] } in points {
                let numbers = [number(*value), number(*low), number(*high)].join(",");
                text += &format!("{},{},{numbers}\n", quoted(name), place(*at));
            }
        }
        for Reference { name, line, .. } in &self.references {
            line.iter().for_each(|[x, y]| text += &format!("{},{},{},,\n", quoted(name), number(*x), number(*y)));
        }
        text
    }

    /// The two axes, with ranges that cover all values, error bars and references. `None`: the values are too large to
    /// be drawn.
    fn coordinates(&self) -> Option<[Coordinate; 2]> {
        let points = || self.series.iter().flat_map(|series| &series.points).filter(|point| point.is_drawn());
        let places = || self.references.iter().flat_map(|reference| reference.line.iter().chain(&reference.band));
        let count = match &self.across.scale {
            Scale::Words(words) => {
                let longest = words.iter().map(|word| word.chars().count()).max().unwrap_or(1);
                (420.0 / (LETTER * longest as f64 + 14.0)) as usize
            }
            _ => 6,
        };
        let across = points().map(|point| point.at).chain(places().map(|[x, _]| *x));
        let up = points().flat_map(|point| [point.value, point.ends[0], point.ends[1]]);
        Some([self.across.over(across, count)?, self.up.over(up.chain(places().map(|[_, y]| *y)), 6)?])
    }

    /// The names in the legend, each with its colour and the index of its series. `None` for the index: the name of a
    /// reference. The legend is empty if at most one series has a name and the chart has no references.
    fn legend(&self) -> Vec<(&str, RGBColor, Option<usize>)> {
        let series =
            self.series.iter().enumerate().map(|(index, series)| (&*series.name, self.colour(index), Some(index)));
        let references = self.references.iter().map(|reference| (&*reference.name, GREY, None));
        let names: Vec<_> = series.chain(references).filter(|(name, ..)| !name.is_empty()).collect();
        if names.len() > 1 || !self.references.is_empty() { names } else { Vec::new() }
    }

    /// The colour of a series. If a chart has more series than [`COLOURS`], its series take colours from a scale.
    fn colour(&self, index: usize) -> RGBColor {
        match self.series.len() {
            _ if self.series[index].is_published => INK,
            count if count > COLOURS.len() => heat_map::legible(index as f64 / (count - 1) as f64),
            _ => COLOURS[index],
        }
    }

    /// The number of pixels by which a series is moved to the right, so that its error bars do not cover the error bars
    /// of other series.
    fn aside(&self, index: usize) -> i32 {
        let has_errors = |series: &&Series| series.points.iter().any(|point| point.ends[0].is_finite());
        let drawn =
            |series: &[Series]| series.iter().filter(|series| !series.is_published).filter(has_errors).count() as i32;
        match (drawn(&self.series), self.series[index].is_published) {
            (2..=8, false) => 6 * drawn(&self.series[..index]) - 3 * (drawn(&self.series) - 1),
            _ => 0,
        }
    }

    fn draw(&self) -> Result<String, Failure> {
        let Some([across, up]) = self.coordinates() else { return Ok("the values are too large to be drawn".into()) };
        let legend = self.legend();
        let letters = legend.iter().map(|(name, ..)| name.chars().count()).max().unwrap_or(0);
        let beside = if legend.is_empty() { 0 } else { (44.0 + LETTER * letters as f64) as u32 };
        let size = (SIZE[0] + beside.saturating_sub(LEGEND), SIZE[1]);
        svg(size, |area| {
            let (plot, names) = area.split_horizontally(size.0 - beside);
            let mut chart = frame(&plot, (&self.across.title, across), (&self.up.title, up))?;
            self.references.iter().try_for_each(|reference| draw_reference(&mut chart, reference))?;
            for (index, series) in self.series.iter().enumerate() {
                let every = match series.points.len() {
                    0..=MAX_MARKERS => 1,
                    _ if self.series.len() == 1 => usize::MAX,
                    count => 2 * count / MAX_MARKERS,
                };
                draw_series(&chart, series, (index, every, self.aside(index)), self.colour(index))?;
            }
            for (line, (name, colour, series)) in (0..).zip(legend) {
                let down = 24 + 24 * line;
                let is_line = series.is_none_or(|index| !self.series[index].is_published);
                if is_line {
                    let width = if series.is_some() { 2 } else { 1 };
                    names
                        .draw(&PathElement::new([(4, down), (26, down)], colour.stroke_width(width)))
                        .map_err(failed)?;
                }
                if let Some(index) = series {
                    draw_marker(&names, (15, down), is_line.then_some(index), colour)?;
                }
                names.draw(&Text::new(name.to_owned(), (32, down - 8), letters_of(INK))).map_err(failed)?;
            }
            Ok(())
        })
    }
}

/// The HTML of a figure: a caption with title and note, the drawing, and the data as CSV for the script of the page.
fn figure(class: &str, title: &str, note: &str, csv: &str, svg: &str) -> Markup {
    // SVG within HTML needs no namespace.
    let svg = svg.replace(" xmlns=\"http://www.w3.org/2000/svg\"", "").replace(INK_IN_SVG, "currentColor");
    html! {
        figure class=(class) role="group" aria-label=(title) data-csv=(csv) {
            figcaption { strong { (title) } @if !note.is_empty() { " " span.unit { (note) } } }
            (PreEscaped(svg))
        }
    }
}

/// A text as a cell of CSV, in quotation marks if it needs them.
fn quoted(text: &str) -> String {
    if text.contains([',', '"', '\n']) { format!("\"{}\"", text.replace('"', "\"\"")) } else { text.to_owned() }
}

fn failed(error: impl std::fmt::Display) -> Failure {
    Failure::Broken(format!("a chart cannot be drawn: {error}"))
}

fn letters_of(colour: RGBColor) -> TextStyle<'static> {
    ("sans-serif", LETTERS).into_font().color(&colour)
}

/// The text of an SVG that `draw` draws. `size`: the width and the height in pixels.
fn svg(size: (u32, u32), draw: impl FnOnce(&Area<'_>) -> Result<(), Failure>) -> Result<String, Failure> {
    let mut svg = String::new();
    let area = SVGBackend::with_string(&mut svg, size).into_drawing_area();
    draw(&area)?;
    area.present().map_err(failed)?;
    drop(area);
    Ok(svg)
}

/// Draws the axes of a chart with their titles, their ticks and a grid. Returns the chart between the axes.
fn frame<'a>(
    area: &Area<'a>,
    (across_title, across): (&str, Coordinate),
    (up_title, up): (&str, Coordinate),
) -> Result<Context<'a>, Failure> {
    let labels = (LETTER * up.letters() as f64) as i32;
    let mut chart = ChartBuilder::on(area)
        .margin(10)
        .margin_right(18)
        .x_label_area_size(54)
        .y_label_area_size(labels + 44)
        .build_cartesian_2d(across, up)
        .map_err(failed)?;
    let texts = [&across_title, &up_title].map(|title| (*title).to_owned());
    let [across_title, up_title] = texts;
    chart
        .configure_mesh()
        .max_light_lines(0)
        .bold_line_style(INK.mix(0.1))
        .axis_style(INK.mix(0.6))
        .label_style(letters_of(INK))
        .axis_desc_style(letters_of(INK))
        .x_desc(across_title)
        .y_desc(up_title)
        .draw()
        .map_err(failed)?;
    Ok(chart)
}

/// Draws the band of a reference, and its dashed line on the band.
fn draw_reference(chart: &mut Context<'_>, Reference { line, band, .. }: &Reference) -> Result<(), Failure> {
    let places = |places: &[[f64; 2]]| places.iter().map(|[x, y]| (*x, *y)).collect::<Vec<_>>();
    if !band.is_empty() {
        chart.draw_series([Polygon::new(places(band), GREY.mix(0.22))]).map_err(failed)?;
    }
    for run in line.split(|place| place.iter().any(|value| value.is_nan())).filter(|run| run.len() > 1) {
        let every = run.len().div_ceil(MAX_POINTS);
        let line = places(run).into_iter().step_by(every);
        chart.draw_series(DashedLineSeries::new(line, 5, 4, GREY.stroke_width(2))).map_err(failed)?;
    }
    Ok(())
}

/// Draws the line, the error bars and the markers of a series. `index`: the index of the series. `every`: every
/// `every`-th value has a marker; `usize::MAX`: no value has one. `aside`: the number of pixels by which the series is
/// moved to the right.
fn draw_series(
    chart: &Context<'_>,
    series: &Series,
    (index, every, aside): (usize, usize, i32),
    colour: RGBColor,
) -> Result<(), Failure> {
    let (runs, shape) = (runs(&series.points), (!series.is_published).then_some(index));
    let area = chart.plotting_area().strip_coord_spec();
    let (left, top) = area.get_base_pixel();
    let pixel = |at: f64, value: f64| {
        let (x, y) = chart.backend_coord(&(at, value));
        (x - left + aside, y - top)
    };
    if !series.is_published {
        for run in &runs {
            let line: Vec<_> = run.iter().map(|point| pixel(point.at, point.value)).collect();
            area.draw(&PathElement::new(line, colour.stroke_width(2))).map_err(failed)?;
        }
    }
    for (number, Point { at, value, ends }) in runs.iter().flatten().copied().enumerate() {
        if ends.iter().all(|end| end.is_finite()) {
            let [(x, low), (_, high)] = ends.map(|end| pixel(at, end));
            for bar in [[(x, low), (x, high)], [(x - CAP, low), (x + CAP, low)], [(x - CAP, high), (x + CAP, high)]] {
                area.draw(&PathElement::new(bar, colour.stroke_width(1))).map_err(failed)?;
            }
        }
        if every < usize::MAX && number % every == 0 {
            draw_marker(&area, pixel(at, value), shape, colour)?;
        }
    }
    Ok(())
}

/// Draws the marker of a value. `shape`: the index of the series, which selects one of four shapes, so that a chart is
/// legible in grey. `None`: the value is published, and its marker is an open square. A found value inside the square
/// stays visible.
fn draw_marker(area: &Area<'_>, place: (i32, i32), shape: Option<usize>, colour: RGBColor) -> Result<(), Failure> {
    let (x, y) = place;
    let filled = colour.filled();
    match shape.map(|shape| shape % 4) {
        None => area.draw(&Rectangle::new([(x - 7, y - 7), (x + 7, y + 7)], colour.stroke_width(2))),
        Some(0) => area.draw(&Circle::new(place, 4, filled)),
        Some(1) => area.draw(&Rectangle::new([(x - 4, y - 4), (x + 4, y + 4)], filled)),
        Some(2) => area.draw(&TriangleMarker::new(place, 5, filled)),
        _ => area.draw(&Cross::new(place, 4, colour.stroke_width(2))),
    }
    .map_err(failed)
}

/// Thins a series to at most [`MAX_POINTS`] values, and splits the series at its gaps.
fn runs(points: &[Point]) -> Vec<Vec<Point>> {
    let every = points.len().div_ceil(MAX_POINTS).max(1);
    let points: Vec<Point> = points.iter().step_by(every).copied().collect();
    let runs = points.split(|point| !point.is_drawn()).filter(|run| !run.is_empty());
    runs.map(<[Point]>::to_vec).collect()
}

#[cfg(test)]
pub(crate) mod tests {
    use crate::html_page::charts::*;

    fn chart(points: Vec<Point>, scale: Scale) -> Chart {
        let series = vec![Series { name: "<a>".into(), points, is_published: false }];
        let [across, up] = [Axis::new("x", "cell", Scale::Linear), Axis::new("y", "1", scale)];
        Chart { title: "t".into(), note: String::new(), across, up, series, references: Vec::new() }
    }

    #[test]
    fn a_gap_in_a_line_is_a_gap_in_the_chart() {
        let points = [(0.0, 1.0), (1.0, f64::NAN), (2.0, 2.0), (3.0, 3.0)].map(|(at, value)| Point::new(at, value));
        let places = |points: &[Point]| -> Vec<Vec<f64>> {
            runs(points).iter().map(|run| run.iter().map(|point| point.at).collect()).collect()
        };
        assert_eq!(places(&points), [vec![0.0], vec![2.0, 3.0]]);
        assert!(places(&points[1..2]).is_empty());
        let long: Vec<Point> = (0..10_000).map(|step| Point::new(f64::from(step), 1.0)).collect();
        assert!(runs(&long)[0].len() <= MAX_POINTS);
    }

    #[test]
    fn charts_of_nothing_and_of_odd_values_are_charts() {
        for scale in [Scale::Linear, Scale::FromZero, Scale::Logarithmic] {
            for values in [&[][..], &[0.0], &[f64::NAN, 1.0], &[-3.0, 1e-300], &[f64::INFINITY]] {
                let points = values.iter().map(|value| Point::with_error(1.0, *value, 0.5)).collect();
                let mut chart = chart(points, scale.clone());
                chart.references.push(Reference::level("r".into(), Some(1.0), Some([0.5, 2.0])));
                let (file, page) = (chart.svg().unwrap(), chart.figure().unwrap().into_string());
                assert!(file.starts_with("<svg") && file.trim_end().ends_with("</svg>"), "{file}");
                assert!(file.contains("xmlns") && !file.contains("currentColor") && !file.contains("NaN"), "{file}");
                assert!(!page.contains("http") && !page.contains("<a>") && page.contains("currentColor"), "{page}");
            }
        }
    }

    #[test]
    fn the_data_of_a_chart_have_a_row_for_each_value() {
        let points = vec![Point::with_error(1.0, 0.5, 0.25), Point::new(2.0, f64::NAN)];
        let mut chart = chart(points, Scale::Linear);
        chart.series[0].name = "a, \"b\"".into();
        chart.references.push(Reference::level("published".into(), Some(0.5), None));
        let name = "\"a, \"\"b\"\"\"";
        let rows = format!("{name},1.0,0.5,0.25,0.75\n{name},2.0,,,\npublished,,0.5,,\npublished,,0.5,,\n");
        assert_eq!(chart.csv(), format!("series,x (cell),y,low,high\n{rows}"));
    }
}
