//! The axes of charts: linear, logarithmic or of words, with their ticks.

use murmuration_core::text::readable::{grouped, short};
use plotters::coord::ranged1d::{KeyPointHint, NoDefaultFormatting, Ranged, ValueFormatter};
use std::ops::Range;

/// The spacing of an axis.
#[derive(Debug, Clone, PartialEq)]
pub enum Scale {
    /// Linear between the least and the greatest value.
    Linear,
    /// Linear, and the axis includes 0.
    FromZero,
    /// Logarithmic. Values of 0 or less are left out.
    Logarithmic,
    /// Words at equal distances. The values of the axis are the indices of the words.
    Words(Vec<String>),
}

/// An axis: its title with its unit, and its spacing.
#[derive(Debug, Clone, PartialEq)]
pub struct Axis {
    /// The name of the quantity, and its unit in parentheses.
    pub title: String,
    /// The spacing.
    pub scale: Scale,
}

impl Axis {
    /// An axis of a quantity. A unit of `1` and an empty one are not shown.
    pub fn new(name: &str, unit: &str, scale: Scale) -> Self {
        let title = if matches!(unit, "" | "1") { name.to_owned() } else { format!("{name} ({unit})") };
        Self { title, scale }
    }

    /// The range and the ticks of the axis: a range that covers `values`, with about `count` ticks. `None`: the values
    /// are too large to be drawn.
    pub(super) fn over(&self, values: impl Iterator<Item = f64>, count: usize) -> Option<Coordinate> {
        let is_logarithmic = self.scale == Scale::Logarithmic;
        let known = values.filter(|value| value.is_finite() && (!is_logarithmic || *value > 0.0));
        let ends = known.fold(None, |ends: Option<[f64; 2]>, value| {
            Some(ends.map_or([value; 2], |[least, greatest]| [least.min(value), greatest.max(value)]))
        });
        let [least, greatest] = ends.unwrap_or(if is_logarithmic { [1.0, 10.0] } else { [0.0, 1.0] });
        let room = |width: f64| (0.04 * width).max(1e-3 * least.abs().max(greatest.abs())).max(1e-9);
        let (range, ticks) = match &self.scale {
            Scale::Words(words) => (-0.5..words.len().max(1) as f64 - 0.5, word_ticks(words, count)),
            Scale::Logarithmic => {
                let room = (greatest / least).powf(0.04).max(1.15);
                let range = (least / room).max(f64::MIN_POSITIVE)..greatest * room;
                (range.clone(), logarithmic_ticks(&range, count))
            }
            Scale::FromZero => {
                let [low, high] = [least.min(0.0), greatest.max(0.0)];
                let room = room(high - low);
                let range = if low < 0.0 { low - room } else { 0.0 }..if high > 0.0 { high + room } else { 0.0 };
                let range = if range.is_empty() { 0.0..1.0 } else { range };
                (range.clone(), linear_ticks(&range, count))
            }
            Scale::Linear => {
                let range = least - room(greatest - least)..greatest + room(greatest - least);
                (range.clone(), linear_ticks(&range, count))
            }
        };
        let is_drawable = (range.end - range.start).is_finite() && range.start < range.end;
        is_drawable.then_some(Coordinate { range, is_logarithmic, ticks })
    }
}

/// An axis with its range and its ticks. Each tick has a value and a text.
#[derive(Debug, Clone)]
pub(super) struct Coordinate {
    range: Range<f64>,
    is_logarithmic: bool,
    ticks: Vec<(f64, String)>,
}

impl Coordinate {
    /// The number of letters of the tick with the longest text.
    pub(super) fn letters(&self) -> usize {
        self.ticks.iter().map(|(_, text)| text.chars().count()).max().unwrap_or(0)
    }
}

impl Ranged for Coordinate {
    type FormatOption = NoDefaultFormatting;
    type ValueType = f64;

    /// The pixel of a value on an axis from the pixel `first` to the pixel `last`. Values beyond the axis lie at its
    /// end.
    fn map(&self, value: &f64, (first, last): (i32, i32)) -> i32 {
        let scaled = |value: f64| if self.is_logarithmic { value.max(f64::MIN_POSITIVE).ln() } else { value };
        let [low, high, value] = [self.range.start, self.range.end, *value].map(scaled);
        let part = ((value - low) / (high - low)).clamp(0.0, 1.0);
        first + (part * f64::from(last - first)).round() as i32
    }

    fn key_points<Hint: KeyPointHint>(&self, _: Hint) -> Vec<f64> {
        self.ticks.iter().map(|(value, _)| *value).collect()
    }

    fn range(&self) -> Range<f64> {
        self.range.clone()
    }
}

impl ValueFormatter<f64> for Coordinate {
    fn format_ext(&self, value: &f64) -> String {
        let tick = self.ticks.iter().find(|(tick, _)| tick == value);
        tick.map_or_else(String::new, |(_, text)| text.clone())
    }
}

/// At most `count` of the words, with their indices: all words, or every second, third and so on. `count`: the number
/// of labels that have room side by side.
fn word_ticks(words: &[String], count: usize) -> Vec<(f64, String)> {
    let every = words.len().div_ceil(count.max(1)).max(1);
    words.iter().enumerate().step_by(every).map(|(index, word)| (index as f64, word.clone())).collect()
}

/// About `count` ticks of a linear axis. Their distance is 1, 2 or 5 times a power of ten. Each tick is a multiple of
/// the distance.
fn linear_ticks(range: &Range<f64>, count: usize) -> Vec<(f64, String)> {
    let rough = (range.end - range.start) / count.max(1) as f64;
    if !(rough.is_finite() && rough > 0.0) {
        return Vec::new();
    }
    let power = 10f64.powf(rough.log10().floor());
    let step = [1.0, 2.0, 5.0].map(|factor| factor * power).into_iter().find(|step| *step >= 0.999 * rough);
    let step = step.unwrap_or(10.0 * power);
    let first = (range.start / step).ceil();
    let ticks = (0..=2 * count).map(|index| (first + index as f64) * step).take_while(|tick| *tick <= range.end);
    let greatest = range.start.abs().max(range.end.abs());
    let decimals = (-step.log10().floor()).max(0.0) as usize;
    ticks.map(|tick| (tick, decimal(tick, decimals, greatest))).collect()
}

/// The text of a tick with this number of decimals. `greatest`: the greatest absolute value on the axis. If it is 10
/// million or more, or with more than 5 decimals, the text is the result of [`short`].
fn decimal(value: f64, decimals: usize, greatest: f64) -> String {
    let text = match value {
        _ if greatest >= 1e7 || decimals > 5 => short(value),
        _ if value >= 10_000.0 => grouped(value.round() as u64).replace(' ', "\u{202f}"),
        _ => format!("{:.decimals$}", value + 0.0),
    };
    text.replace('-', "−")
}

/// The ticks of a logarithmic axis: about `count` powers of ten at most. If the axis has at most three powers of ten,
/// their multiples by 2 and 5 are ticks too. With fewer than two such ticks, the ticks are linear.
fn logarithmic_ticks(range: &Range<f64>, count: usize) -> Vec<(f64, String)> {
    let [first, last] = [range.start.log10().ceil() as i32, range.end.log10().floor() as i32];
    let powers = (last - first + 1).max(0) as usize;
    let is_wide = powers > 3;
    let every = if is_wide { powers.div_ceil(count.max(1)) } else { 1 };
    let factors: &[f64] = if is_wide { &[1.0] } else { &[1.0, 2.0, 5.0] };
    let power = |power: i32| factors.iter().map(move |factor| (factor * 10f64.powi(power), power, *factor == 1.0));
    let ticks = (first - 1..=last).step_by(every).flat_map(power).filter(|(value, ..)| range.contains(value));
    let ticks: Vec<_> = ticks.map(|(value, power, is_power)| (value, power_text(value, power, is_power))).collect();
    if ticks.len() < 2 { linear_ticks(range, count) } else { ticks }
}

/// The text of a tick of a logarithmic axis. `power`: the exponent of the power of ten. From 0.001 to 5000 the text is
/// the number. Beyond, a power of ten is written with its exponent, and its multiples have no text.
fn power_text(value: f64, power: i32, is_power: bool) -> String {
    let raised = |digit: char| match digit {
        '-' => '⁻',
        digit => ['⁰', '¹', '²', '³', '⁴', '⁵', '⁶', '⁷', '⁸', '⁹'][digit.to_digit(10).unwrap_or(0) as usize],
    };
    match (power, is_power) {
        (-3..=3, _) => short(value),
        (_, true) => format!("10{}", power.to_string().chars().map(raised).collect::<String>()),
        (_, false) => String::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ticks(scale: Scale, ends: [f64; 2]) -> Vec<String> {
        let axis = Axis::new("x", "1", scale).over(ends.into_iter(), 6).unwrap();
        axis.ticks.into_iter().map(|(_, text)| text).collect()
    }

    #[test]
    fn ticks_are_round_numbers() {
        assert_eq!(ticks(Scale::Linear, [0.1, 0.9]), ["0.2", "0.4", "0.6", "0.8"]);
        assert_eq!(ticks(Scale::FromZero, [3.0, 9.0]), ["0", "2", "4", "6", "8"]);
        assert_eq!(ticks(Scale::Linear, [-1.0, 1.0]), ["−1.0", "−0.5", "0.0", "0.5", "1.0"]);
        assert_eq!(ticks(Scale::Logarithmic, [2.0, 3e6]), ["10", "100", "1000", "10⁴", "10⁵", "10⁶"]);
        assert_eq!(ticks(Scale::Logarithmic, [1e-5, 1e-4]), ["10⁻⁵", "", "", "10⁻⁴"]);
        assert_eq!(ticks(Scale::Logarithmic, [3.0, 30.0]), ["5", "10", "20"]);
        let words: Vec<String> = (0..20).map(|word| word.to_string()).collect();
        assert_eq!(ticks(Scale::Words(words), [0.0, 19.0]), ["0", "4", "8", "12", "16"]);
    }

    #[test]
    fn an_axis_has_room_around_its_values() {
        let range =
            |scale: Scale, values: &[f64]| Some(Axis::new("x", "", scale).over(values.iter().copied(), 6)?.range);
        let linear = range(Scale::Linear, &[2.0, 3.0]).unwrap();
        assert!(linear.start < 2.0 && linear.end > 3.0);
        assert_eq!(range(Scale::FromZero, &[100.0]).unwrap().start, 0.0);
        assert!(range(Scale::Logarithmic, &[0.0, -3.0, f64::NAN]).unwrap().start > 0.0);
        assert_eq!(range(Scale::Linear, &[-1e308, 1e308]), None);
        for scale in [Scale::Linear, Scale::FromZero, Scale::Logarithmic] {
            for values in [&[][..], &[0.0], &[5e-324], &[f64::INFINITY, 1.0], &[1e308]] {
                assert!(range(scale.clone(), values).is_none_or(|range| !range.is_empty()), "{scale:?} {values:?}");
            }
        }
    }
}
