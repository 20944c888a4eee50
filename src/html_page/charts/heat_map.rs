//! Heat maps: a value for each pair of words, with a bar of colours.

use super::axis::{Axis, Scale};
use super::{Area, Coordinate, INK, LETTER, LETTERS, failed, figure, frame, letters_of, quoted, svg};
use colorous::VIRIDIS;
use maud::Markup;
use murmuration_core::error::Failure;
use murmuration_core::text::readable::short;
use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, Pos, VPos};

/// The maximum width and height in pixels of the area that all cells cover together.
const EXTENT: [usize; 2] = [480, 340];
/// The maximum width and height of a cell in pixels.
const MAX_CELL: [usize; 2] = [96, 56];
/// The minimum width and height in pixels of a cell that shows its value as a number.
const CELL_OF_NUMBER: [usize; 2] = [52, 22];
/// The width of the bar of colours in pixels.
const BAR: u32 = 22;
/// The number of rectangles of one colour in the bar.
const STEPS: usize = 64;
/// The ends of the part of the palette whose colours are legible on white and on black. The palette is from 0 to 1.
const LEGIBLE: [f64; 2] = [0.1, 0.85];

/// A heat map.
pub struct HeatMap {
    /// The title in the caption. It also names the files that the buttons of the page save.
    pub title: String,
    /// The rest of the caption.
    pub note: String,
    /// The axis of the columns. Both axes are of words.
    pub across: Axis,
    /// The axis of the rows.
    pub up: Axis,
    /// The name and the unit of the values.
    pub value: String,
    /// A row for each word of the axis `up`, the lowest row first. A row has a pair for each word of the axis `across`:
    /// a value and its standard error. NaN: the cell has no value, or the value has no error.
    pub rows: Vec<Vec<[f64; 2]>>,
}

/// A colour for a line, legible on white and on black. `part`: the place of the colour in the legible part of the
/// palette, 0 to 1.
pub(super) fn legible(part: f64) -> RGBColor {
    let [low, high] = LEGIBLE;
    colour(low + (high - low) * part)
}

fn colour(part: f64) -> RGBColor {
    let colour = VIRIDIS.eval_continuous(part.clamp(0.0, 1.0));
    RGBColor(colour.r, colour.g, colour.b)
}

impl HeatMap {
    /// The heat map as a figure of a page.
    ///
    /// # Errors
    /// If the heat map cannot be drawn.
    pub fn figure(&self) -> Result<Markup, Failure> {
        Ok(figure("chart heat", &self.title, &self.note, &self.csv(), &self.draw()?))
    }

    fn words(axis: &Axis) -> &[String] {
        if let Scale::Words(words) = &axis.scale { words } else { &[] }
    }

    /// The data as CSV text, with a header and a row for each cell.
    fn csv(&self) -> String {
        let number = |number: f64| if number.is_finite() { format!("{number:?}") } else { String::new() };
        let [across, up] = [&self.across, &self.up].map(|axis| quoted(&axis.title));
        let mut text = format!("{across},{up},{},error\n", quoted(&self.value));
        for (up, row) in Self::words(&self.up).iter().zip(&self.rows) {
            for (across, [value, error]) in Self::words(&self.across).iter().zip(row) {
                text += &format!("{},{},{},{}\n", quoted(across), quoted(up), number(*value), number(*error));
            }
        }
        text
    }

    fn draw(&self) -> Result<String, Failure> {
        let counts = [&self.across, &self.up].map(|axis| Self::words(axis).len().max(1));
        // The width and height of a cell are whole numbers of pixels, so that all cells have the same size.
        let cell = [0, 1].map(|axis| (EXTENT[axis] / counts[axis]).clamp(1, MAX_CELL[axis]));
        let letters = |axis: &Axis| Self::words(axis).iter().map(|word| word.chars().count()).max().unwrap_or(1);
        let room = (cell[0] * counts[0]) as f64 / (LETTER * letters(&self.across) as f64 + 14.0);
        let values = || self.rows.iter().flatten().map(|[value, _]| *value).filter(|value| value.is_finite());
        let [least, greatest] =
            [f64::min as fn(f64, f64) -> f64, f64::max].map(|of| values().reduce(of).unwrap_or(0.0));
        let scale = Axis { title: self.value.clone(), scale: Scale::Linear }.over(values(), 6);
        let across = self.across.over(std::iter::empty(), room as usize);
        let up = self.up.over(std::iter::empty(), cell[1] * counts[1] / 20);
        let (Some(scale), Some(across), Some(up)) = (scale, across, up) else {
            return Ok("the values are too large to be drawn".into());
        };
        let part = |value: f64| (value - least) / (greatest - least).max(f64::MIN_POSITIVE);
        // The space around the cells in pixels, along each axis: the margins and the labels (see `frame`). One pixel is
        // added, because the range of a plot includes its first and its last pixel.
        let edges = [1 + 28 + 44 + (LETTER * up.letters() as f64) as usize, 1 + 20 + 54];
        let [width, height] = [0, 1].map(|axis| (cell[axis] * counts[axis] + edges[axis]) as u32);
        let ticks = (LETTER * scale.letters() as f64) as u32 + 40;
        svg((width + BAR + ticks, height), |area| {
            let (map, bar) = area.split_horizontally(width);
            let mut chart = frame(&map, (&self.across.title, across), (&self.up.title, up))?;
            for (y, row) in self.rows.iter().enumerate() {
                for (x, [value, _]) in row.iter().enumerate().filter(|(_, [value, _])| value.is_finite()) {
                    let [x, y] = [x, y].map(|place| place as f64);
                    let corners = [(x - 0.5, y + 0.5), (x + 0.5, y - 0.5)];
                    let colour = colour(part(*value));
                    chart.draw_series([Rectangle::new(corners, colour.filled())]).map_err(failed)?;
                    if cell[0] >= CELL_OF_NUMBER[0] && cell[1] >= CELL_OF_NUMBER[1] {
                        chart.draw_series([Text::new(short(*value), (x, y), number_on(colour))]).map_err(failed)?;
                    }
                }
            }
            self.draw_bar(&bar, [least, greatest], (scale, ticks))
        })
    }

    /// Draws the bar of colours with its ticks. `least` and `greatest`: the values at the ends of the bar. `ticks`: the
    /// width in pixels of the area for the ticks and the title.
    fn draw_bar(
        &self,
        area: &Area<'_>,
        [least, greatest]: [f64; 2],
        (up, ticks): (Coordinate, u32),
    ) -> Result<(), Failure> {
        let mut bar = ChartBuilder::on(area)
            .margin_top(10)
            .margin_bottom(10 + 54)
            .margin_right(4)
            .right_y_label_area_size(ticks)
            .build_cartesian_2d(0.0..1.0, up)
            .map_err(failed)?;
        let step = |index: usize| least + (greatest - least) * index as f64 / STEPS as f64;
        let rectangle = |index: usize| {
            let filled = colour((index as f64 + 0.5) / STEPS as f64).filled();
            Rectangle::new([(0.0, step(index)), (1.0, step(index + 1))], filled)
        };
        bar.draw_series((0..STEPS).map(rectangle)).map_err(failed)?;
        let letters = letters_of(INK);
        bar.configure_mesh()
            .disable_mesh()
            .disable_x_axis()
            .axis_style(INK.mix(0.6))
            .label_style(letters.clone())
            .axis_desc_style(letters)
            .y_desc(self.value.clone())
            .draw()
            .map_err(failed)
    }
}

/// The text style of a number on a cell of this colour: black letters on a light colour, white letters on a dark one.
fn number_on(RGBColor(red, green, blue): RGBColor) -> TextStyle<'static> {
    let is_light = u32::from(red) * 3 + u32::from(green) * 6 + u32::from(blue) > 1400;
    let ink = if is_light { BLACK } else { WHITE };
    ("sans-serif", LETTERS - 1).into_font().color(&ink).pos(Pos::new(HPos::Center, VPos::Center))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn map(value: f64) -> HeatMap {
        let words = |count: usize| Scale::Words((0..count).map(|word| word.to_string()).collect());
        let [across, up] = [Axis::new("a", "", words(3)), Axis::new("b", "", words(2))];
        let rows = vec![vec![[0.0, f64::NAN], [0.5, 0.1], [value, 0.0]]; 2];
        HeatMap { title: "t".into(), note: String::new(), across, up, value: "m".into(), rows }
    }

    #[test]
    fn cells_of_a_heat_map_have_equal_extents() {
        let svg = map(1.0).draw().unwrap();
        let rectangles = svg.split("<rect ").skip(1).map(|rest| {
            let of = |name: &str| rest.split_once(name).unwrap().1.split_once('"').unwrap().0.to_owned();
            [of("width=\""), of("height=\"")]
        });
        let rectangles: Vec<[String; 2]> = rectangles.collect();
        assert_eq!(rectangles.len(), 6 + STEPS);
        assert!(rectangles[..6].iter().all(|extents| *extents == rectangles[0]), "{rectangles:?}");
    }

    #[test]
    fn a_cell_without_a_value_is_left_out() {
        for (value, cells) in [(f64::NAN, 4), (1.0, 6), (f64::INFINITY, 4)] {
            let svg = map(value).draw().unwrap();
            assert_eq!(svg.matches("<rect ").count(), cells + STEPS);
            assert!(!svg.contains("NaN"));
        }
        assert!(map(1.0).csv().starts_with("a,b,m,error\n0,0,0.0,\n1,0,0.5,0.1\n"), "{}", map(1.0).csv());
    }
}
