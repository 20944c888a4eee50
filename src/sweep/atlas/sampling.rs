//! How the combinations of an atlas are drawn from ranges: on a grid, as a Latin hypercube, or by a search.

use crate::sweep::values::number_text;
use murmuration_core::numbers::random::{Random, generator};
use serde::{Deserialize, Serialize};

/// The most ranges: all combinations of their ends are checked.
pub const MAX_RANGES: usize = 12;
/// The number of equal steps of a random place in a range.
const PARTS: u64 = 1 << 20;
/// The digits of a value beyond the first digit of the width of its range.
const DIGITS: i32 = 3;
/// The most decimals of a value.
const MAX_DECIMALS: i32 = 12;
/// The most fields of an axis of the map.
pub const MAX_FIELDS: u32 = 100;
/// The stream of random numbers of a Latin hypercube. The number of the range is added, so each range has a stream.
const HYPERCUBE: u64 = 0x6174_0000;

/// A parameter whose values are drawn from a range.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Range {
    /// The dotted key of the preset.
    pub key: String,
    /// The least value.
    pub least: f64,
    /// The greatest value.
    pub greatest: f64,
    /// Whether its values are whole numbers.
    pub is_whole: bool,
}

/// How combinations are drawn.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub enum Sampling {
    /// Every combination of `levels` equally distant values of each range.
    Grid {
        /// Values of a range, both ends included.
        levels: u32,
    },
    /// Each range is divided into `samples` equal parts, and each part is drawn once.
    LatinHypercube {
        /// The number of draws.
        samples: u64,
    },
    /// Draws near the best combinations that were found before.
    Search(Search),
}

/// How a search draws.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Search {
    /// The combinations of all islands.
    pub samples: u64,
    /// The number of islands. The draws of each island depend on it.
    pub islands: u64,
    /// The axes of the map.
    pub axes: [SearchAxis; 2],
    /// The measure whose greatest value makes a combination the best of its field.
    pub best: String,
}

/// An axis of the map.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SearchAxis {
    /// The measure.
    pub measure: String,
    /// Its value where the first field begins.
    pub least: f64,
    /// Its value where the last field ends.
    pub greatest: f64,
    /// The number of fields.
    pub fields: u32,
}

impl Range {
    /// Whether values can be drawn from the range.
    pub fn is_sound(&self) -> bool {
        self.least.is_finite() && self.greatest.is_finite() && self.least < self.greatest
    }

    /// The part of the range at which a value lies.
    pub fn part(&self, value: f64) -> f64 {
        let width = self.greatest - self.least;
        if self.is_whole { (value - self.least + 0.5) / (width + 1.0) } else { (value - self.least) / width }
    }

    /// The value at a part of the range, 0 to 1, in the notation of TOML. Every whole number has an equal part.
    pub fn value(&self, part: f64) -> String {
        let width = self.greatest - self.least;
        if self.is_whole {
            return number_text((self.least + (part * (width + 1.0)).floor()).min(self.greatest));
        }
        let decimals = (DIGITS - width.log10().floor() as i32).clamp(0, MAX_DECIMALS);
        let value = self.least + part * width;
        let rounded = format!("{value:.*}", decimals as usize).parse().unwrap_or(value);
        number_text(f64::clamp(rounded, self.least, self.greatest))
    }
}

impl SearchAxis {
    /// The field of a value. Values beyond the ends are in the first and the last one.
    pub fn field(&self, value: f64) -> u32 {
        let part = (value - self.least) / (self.greatest - self.least);
        (part * f64::from(self.fields)).clamp(0.0, f64::from(self.fields - 1)) as u32
    }

    /// Whether the axis can be searched along.
    pub fn is_sound(&self) -> bool {
        self.least.is_finite()
            && self.greatest.is_finite()
            && self.least < self.greatest
            && (1..=MAX_FIELDS).contains(&self.fields)
    }
}

impl Sampling {
    /// The number of draws. `ranges`: the number of ranges.
    pub fn samples(&self, ranges: usize) -> u64 {
        match self {
            Self::Grid { levels } => u64::from(*levels).checked_pow(ranges as u32).unwrap_or(u64::MAX),
            Self::LatinHypercube { samples } => *samples,
            Self::Search(search) => search.samples,
        }
    }

    /// Whether the axes of a search are sound.
    pub fn is_sound(&self) -> bool {
        match self {
            Self::Search(search) => search.axes.iter().all(SearchAxis::is_sound),
            _ => true,
        }
    }

    /// Whether every draw is played with every combination of the words. A search draws the words as well.
    pub fn multiplies_words(&self) -> bool {
        !matches!(self, Self::Search(_))
    }
}

/// Every combination of `levels` equally distant parts of each range; the last range is the fastest.
pub fn grid(levels: u32, ranges: usize) -> Vec<Vec<f64>> {
    let part = |level: u32| if levels < 2 { 0.5 } else { f64::from(level) / f64::from(levels - 1) };
    let mut all = vec![Vec::new()];
    for _ in 0..ranges {
        let longer = |parts: Vec<f64>| (0..levels).map(move |level| [&parts[..], &[part(level)]].concat());
        all = all.into_iter().flat_map(longer).collect();
    }
    all
}

/// The place of each draw in each range, 0 to 1. Each of the `samples` equal parts of a range has exactly one draw.
pub fn latin_hypercube(samples: u64, ranges: usize, seed: u64) -> Vec<Vec<f64>> {
    let mut all = vec![Vec::with_capacity(ranges); samples as usize];
    for range in 0..ranges as u64 {
        let mut random = generator(seed, HYPERCUBE + range);
        let mut strata: Vec<u64> = (0..samples).collect();
        shuffle(&mut strata, &mut random);
        for (parts, stratum) in all.iter_mut().zip(strata) {
            parts.push((stratum as f64 + any_part(&mut random)) / samples as f64);
        }
    }
    all
}

/// A random number, at least 0 and below 1.
pub fn any_part(random: &mut Random) -> f64 {
    random.below(PARTS) as f64 / PARTS as f64
}

fn shuffle(list: &mut [u64], random: &mut Random) {
    for last in (1..list.len()).rev() {
        list.swap(last, random.below(last as u64 + 1) as usize);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_part_of_every_range_is_drawn_once() {
        let all = latin_hypercube(50, 3, 7);
        assert_ne!(all, latin_hypercube(50, 3, 8));
        for range in 0..3 {
            let mut strata: Vec<u64> = all.iter().map(|parts| (parts[range] * 50.0) as u64).collect();
            assert_ne!(strata, (0..50).collect::<Vec<_>>(), "not in order");
            strata.sort_unstable();
            assert_eq!(strata, (0..50).collect::<Vec<_>>());
        }
        // No two ranges are drawn alike.
        assert!(all.iter().any(|parts| (parts[0] - parts[1]).abs() > 0.1));
    }

    #[test]
    fn a_grid_has_both_ends_and_every_combination() {
        assert_eq!(grid(3, 2).len(), 9);
        assert_eq!(grid(3, 2)[1], [0.0, 0.5]);
        assert_eq!(grid(3, 2)[8], [1.0, 1.0]);
        assert_eq!(grid(4, 0), [Vec::<f64>::new()]);
        assert_eq!(grid(1, 1), [[0.5]]);
    }

    #[test]
    fn values_are_short_and_within_their_range() {
        let range = |least, greatest, is_whole| Range { key: "x".into(), least, greatest, is_whole };
        assert_eq!(range(0.0, 2.0, false).value(1.0 / 3.0), "0.667");
        assert_eq!(range(0.0, 0.002, false).value(1.0 / 3.0), "0.000667");
        assert_eq!(range(100.0, 5000.0, false).value(1.0 / 3.0), "1733");
        let whole = range(2.0, 4.0, true);
        assert_eq!([0.0, 0.3, 0.34, 0.66, 0.67, 1.0].map(|part| whole.value(part)), ["2", "2", "3", "3", "4", "4"]);
        assert_eq!(["2", "3", "4"].map(|value| whole.value(whole.part(value.parse().unwrap()))), ["2", "3", "4"]);
        let odd = range(0.123_456, 0.123_457_8, false);
        assert_eq!([0.0, 1.0].map(|part| odd.value(part)), ["0.123456", "0.1234578"]);
    }
}
