//! Draws the combinations of an atlas from ranges: on a grid, as a Latin hypercube, or by a search.

use crate::sweep::values::number_text;
use murmuration_core::numbers::random::{Random, generator};
use serde::{Deserialize, Serialize};

/// The maximum number of ranges. The limit is low because all combinations of the ends of ranges are checked.
pub const MAX_RANGES: usize = 12;
/// A random place in a range is a multiple of 1/PARTS of the range.
const PARTS: u64 = 1 << 20;
/// The decimal places from the first nonzero digit of the width of a range to the last digit of its rounded values.
const DIGITS: i32 = 3;
/// The maximum number of decimals of a value.
const MAX_DECIMALS: i32 = 12;
/// The maximum number of fields along an axis of the map of a search.
pub const MAX_FIELDS: u32 = 100;
/// The number of the random stream for the first range of a Latin hypercube. The streams of the other ranges have the
/// next numbers.
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
    /// Whether all values of the parameter are whole numbers.
    pub is_whole: bool,
}

/// The method by which combinations are drawn.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub enum Sampling {
    /// Every combination of `levels` equally distant values of each range.
    Grid {
        /// The number of values of each range, both ends included.
        levels: u32,
    },
    /// Each range is divided into `samples` equal parts, and one value is drawn from each part.
    LatinHypercube {
        /// The number of draws. Each draw has a value from every range.
        samples: u64,
    },
    /// New combinations are drawn near the best combinations that were found before.
    Search(Search),
}

/// The settings of a search, which draws combinations near the best combinations of a map.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Search {
    /// The number of combinations, summed over all islands.
    pub samples: u64,
    /// The number of islands: independent searches, one for each shard. Another number of islands gives other draws.
    pub islands: u64,
    /// The two axes of the map.
    pub axes: [SearchAxis; 2],
    /// The name of the measure by which combinations of one field are compared. The greatest value is the best.
    pub best: String,
}

/// An axis of the map. The fields of the map divide the axis into equal parts.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SearchAxis {
    /// The name of the measure along the axis.
    pub measure: String,
    /// The value of the measure at the begin of the first field.
    pub least: f64,
    /// The value of the measure at the end of the last field.
    pub greatest: f64,
    /// The number of fields along the axis.
    pub fields: u32,
}

impl Range {
    /// Whether both ends are finite, and `least` is below `greatest`.
    pub fn is_sound(&self) -> bool {
        self.least.is_finite() && self.greatest.is_finite() && self.least < self.greatest
    }

    /// The place of a value in the range, from 0 at `least` to 1 at `greatest`. A whole number has the middle of its
    /// part ([`Self::value`]).
    pub fn part(&self, value: f64) -> f64 {
        let width = self.greatest - self.least;
        if self.is_whole { (value - self.least + 0.5) / (width + 1.0) } else { (value - self.least) / width }
    }

    /// The value at a place in the range, in the notation of TOML. `part`: the place, 0 to 1. If the values are whole
    /// numbers, the range is divided into equal parts, one for each whole number.
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
    /// The index of the field that contains a value. Values beyond the ends are in the first or the last field.
    pub fn field(&self, value: f64) -> u32 {
        let part = (value - self.least) / (self.greatest - self.least);
        (part * f64::from(self.fields)).clamp(0.0, f64::from(self.fields - 1)) as u32
    }

    /// Whether both ends are finite, `least` is below `greatest`, and the axis has 1 to `MAX_FIELDS` fields.
    pub fn is_sound(&self) -> bool {
        self.least.is_finite()
            && self.greatest.is_finite()
            && self.least < self.greatest
            && (1..=MAX_FIELDS).contains(&self.fields)
    }
}

impl Sampling {
    /// The number of draws of this sampling. `ranges`: the number of ranges.
    pub fn samples(&self, ranges: usize) -> u64 {
        match self {
            Self::Grid { levels } => u64::from(*levels).checked_pow(ranges as u32).unwrap_or(u64::MAX),
            Self::LatinHypercube { samples } => *samples,
            Self::Search(search) => search.samples,
        }
    }

    /// Whether the axes of a search are sound ([`SearchAxis::is_sound`]). Always true for the other samplings.
    pub fn is_sound(&self) -> bool {
        match self {
            Self::Search(search) => search.axes.iter().all(SearchAxis::is_sound),
            _ => true,
        }
    }

    /// Whether every draw is combined with every combination of the parameters that have words. A search draws the
    /// words at random too, so the result is false.
    pub fn multiplies_words(&self) -> bool {
        !matches!(self, Self::Search(_))
    }
}

/// Every combination of `levels` equally distant places in each range. A place is from 0 to 1. From one combination to
/// the next, the place in the last range changes first.
pub fn grid(levels: u32, ranges: usize) -> Vec<Vec<f64>> {
    let part = |level: u32| if levels < 2 { 0.5 } else { f64::from(level) / f64::from(levels - 1) };
    let mut all = vec![Vec::new()];
    for _ in 0..ranges {
        let longer = |parts: Vec<f64>| (0..levels).map(move |level| [&parts[..], &[part(level)]].concat());
        all = all.into_iter().flat_map(longer).collect();
    }
    all
}

/// Draws of a Latin hypercube. Each draw is a place in each range, 0 to 1. Each of the `samples` equal parts of a range
/// contains the place of exactly one draw.
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

/// A random place in a range, at least 0 and below 1.
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
        // The places in the two ranges are drawn independently.
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
