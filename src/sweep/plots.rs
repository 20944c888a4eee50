//! The plots of a sweep: lines with error bars over a parameter, and heat maps over two.

use crate::html_page::charts::{Line, Style, bounds, draw};
use colorous::VIRIDIS;
use maud::{Markup, html};
use murmuration_core::error::Failure;
use murmuration_core::text::readable::short;
use plotters::style::RGBColor;

/// The part of the palette that is legible on white and on black.
const LEGIBLE: [f64; 2] = [0.15, 0.85];
/// Half the width of the bar at the end of an error, as a part of the axis.
const CAP: f64 = 0.008;
/// The most columns of a heat map whose cells show their numbers.
const MAX_NUMBERS: usize = 14;

/// The most digits behind the point.
const MAX_DECIMALS: f64 = 9.0;

/// A value and its standard error; NaN where there is none.
pub type Value = [f64; 2];

/// An axis of a plot: its title, the places of the values, and what is written there.
pub struct Axis {
    pub title: String,
    pub places: Vec<f64>,
    pub labels: Vec<String>,
    /// Whether the values are words, which have whole places.
    pub is_of_words: bool,
}

impl Axis {
    fn label(&self, place: f64) -> String {
        if !self.is_of_words {
            return short(place);
        }
        let is_whole = (place - place.round()).abs() < 1e-6 && place > -0.5;
        if is_whole { self.labels.get(place.round() as usize).cloned().unwrap_or_default() } else { String::new() }
    }
}

/// A colour between two ends, 0 to 1.
fn colour(part: f64) -> RGBColor {
    let [low, high] = LEGIBLE;
    let colour = VIRIDIS.eval_continuous(low + (high - low) * part);
    RGBColor(colour.r, colour.g, colour.b)
}

/// The colour of one of several lines, as pages write it.
pub fn colour_of_line(index: usize, count: usize) -> String {
    let RGBColor(red, green, blue) = line_colour(index, count);
    format!("#{red:02x}{green:02x}{blue:02x}")
}

fn line_colour(index: usize, count: usize) -> RGBColor {
    colour(if count < 2 { 0.35 } else { index as f64 / (count - 1) as f64 })
}

/// Lines over an axis, each with a value at every place, and error bars of one standard error.
///
/// # Errors
/// If the plot cannot be drawn.
pub fn lines(axis: &Axis, lines: &[Vec<Value>]) -> Result<String, Failure> {
    let across = bounds(axis.places.iter().copied());
    let width = across.end - across.start;
    let across = across.start - 0.03 * width..across.end + 0.03 * width;
    let mut drawn: Vec<(Line, Style)> = Vec::new();
    for (index, values) in lines.iter().enumerate() {
        let colour = line_colour(index, lines.len());
        let known = |value: f64| value.is_finite().then_some(value);
        let points = axis.places.iter().zip(values);
        drawn.push((points.clone().map(|(place, [mean, _])| (*place, known(*mean))).collect(), (colour, None, 2)));
        for (place, [mean, error]) in points.filter(|(_, [mean, _])| mean.is_finite()) {
            let (low, high) = if error.is_finite() { (mean - error, mean + error) } else { (*mean, *mean) };
            let cap =
                |value: f64| [(place - CAP * width, Some(value)), (place + CAP * width, Some(value)), (*place, None)];
            let bar = [(*place, Some(low)), (*place, Some(high)), (*place, None)];
            drawn.push(([bar, cap(low), cap(high)].concat(), (colour, None, 1)));
        }
    }
    let up = bounds(drawn.iter().flat_map(|(line, _)| line.iter().filter_map(|(_, value)| *value)));
    let room = 0.05 * (up.end - up.start).max(1e-9 + 1e-3 * up.end.abs());
    if !(room.is_finite() && width.is_finite()) {
        return Ok("the values are too large to be drawn".into());
    }
    draw(across, up.start - room..up.end + room, &axis.title, &|place| axis.label(*place), &drawn)
}

/// A heat map: a row for each value of one parameter, the greatest on top, and a column for each value of the other.
pub fn heat_map(across: &Axis, up: &Axis, values: &[Vec<Value>]) -> Markup {
    let range = bounds(values.iter().flatten().map(|[mean, _]| *mean).filter(|mean| mean.is_finite()));
    let width = (range.end - range.start).max(f64::MIN_POSITIVE);
    let has_numbers = across.places.len() <= MAX_NUMBERS;
    let shade = |mean: f64| {
        if !mean.is_finite() {
            return String::new();
        }
        let colour = VIRIDIS.eval_continuous(((mean - range.start) / width).clamp(0.0, 1.0));
        let ink = if u32::from(colour.r) * 3 + u32::from(colour.g) * 6 + u32::from(colour.b) > 1400 {
            "#000"
        } else {
            "#fff"
        };
        format!("background: #{:02x}{:02x}{:02x}; color: {ink}", colour.r, colour.g, colour.b)
    };
    html! {
        table.heat {
            @for (row, values) in values.iter().enumerate().rev() {
                tr {
                    th { (up.labels[row]) }
                    @for (column, [mean, error]) in values.iter().enumerate() {
                        td style=(shade(*mean)) title=(format!("{} {}, {} {}: {}", across.title, across.labels[column], up.title,
                            up.labels[row], with_error([*mean, *error]))) {
                            @if has_numbers && mean.is_finite() { (short(*mean)) }
                        }
                    }
                }
            }
            tr { th { (up.title) " ↑ " (across.title) " →" } @for label in &across.labels { th { (label) } } }
        }
    }
}

/// A value with its standard error, which has two digits, for people.
pub fn with_error([mean, error]: Value) -> String {
    let decimals = 1.0 - error.log10().floor();
    match (mean.is_finite(), (0.0..=MAX_DECIMALS).contains(&decimals)) {
        (false, _) => "none".into(),
        (true, true) => format!("{mean:.0$} ± {error:.0$}", decimals as usize),
        (true, false) if error.is_finite() => format!("{} ± {}", short(mean), short(error)),
        (true, false) => short(mean),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_value_has_the_digits_that_its_error_allows() {
        for (value, text) in [
            ([0.995_856, 0.000_985_7], "0.99586 ± 0.00099"),
            ([0.5, 0.25], "0.50 ± 0.25"),
            ([123.456, 7.0], "123.5 ± 7.0"),
            ([1234.0, 56.0], "1234 ± 56"),
            ([1234.0, 560.0], "1234 ± 560"),
            ([0.5, 0.0], "0.5 ± 0"),
            ([0.5, f64::NAN], "0.5"),
            ([f64::NAN, f64::NAN], "none"),
        ] {
            assert_eq!(with_error(value), text);
        }
    }
}
