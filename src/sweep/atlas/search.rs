//! A search by MAP-Elites (J.-B. Mouret and J. Clune, Illuminating search spaces by mapping elites, 2015).
//!
//! The search fills a map whose two axes are measures. Each field of the map keeps the best combination that was found
//! for the field. Each shard of an atlas is an island, with a map of its own, and draws near the combinations of this
//! map. The draws depend only on the seed, the number of the island and its finished runs. So a search that was killed
//! continues with equal draws.

use super::plan::{AtlasPlan, Tiles};
use super::sampling::{Sampling, Search, any_part, latin_hypercube};
use crate::sweep::Shard;
use murmuration_core::numbers::random::{Random, generator};
use std::collections::BTreeMap;

/// The number of the random stream for a combination of a search is this number plus the number of the combination.
const MUTATION: u64 = 0x6d61_7000;
/// The number of combinations that an island draws at once.
const BATCH: usize = 32;
/// The value of a parameter with a range changes with the probability 1 / CHANGED_ONE_IN.
const CHANGED_ONE_IN: u64 = 2;
/// A parameter with words gets a random word with the probability 1 / OTHER_WORD_ONE_IN.
const OTHER_WORD_ONE_IN: u64 = 6;
/// The maximum change of a value, as a part of its range.
const STEP: f64 = 0.25;

/// The best combination of a field of the map.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Elite {
    /// The number of the combination.
    pub combination: u64,
    /// The value of the measure [`Search::best`] for this combination, as the mean over its runs.
    pub quality: f64,
}

impl AtlasPlan {
    /// Divides a search among this number of islands. Any other sampling stays as it is.
    pub fn set_islands(&mut self, count: u64) {
        if let Sampling::Search(search) = &mut self.sampling {
            search.islands = count;
        }
    }

    /// The best of these combinations in each field of the map, by the indices of the field along the two axes. If
    /// several combinations are equally good, the map has the first. A combination is left out if its runs have no
    /// value of the measure of an axis, or of the measure `best`.
    pub fn map(
        &self,
        search: &Search,
        tiles: &Tiles,
        combinations: impl Iterator<Item = u64>,
    ) -> BTreeMap<[u32; 2], Elite> {
        let mut map: BTreeMap<[u32; 2], Elite> = BTreeMap::new();
        for combination in combinations {
            let mean = |name: &str| self.mean(tiles, combination, name);
            let [x, y] = &search.axes;
            let (Some(x), Some(y)) =
                (mean(&x.measure).map(|value| x.field(value)), mean(&y.measure).map(|value| y.field(value)))
            else {
                continue;
            };
            let Some(quality) = mean(&search.best) else { continue };
            let elite = map.entry([x, y]).or_insert(Elite { combination, quality });
            if quality > elite.quality {
                *elite = Elite { combination, quality };
            }
        }
        map
    }

    /// The next combinations of an island, with the values of all parameters. Empty: the island has no more
    /// combinations.
    ///
    /// `shard`: the island. `done`: the number of its finished combinations. `tiles`: the results of their runs.
    /// Results of later combinations are ignored.
    pub fn batch(&self, search: &Search, shard: Shard, tiles: &Tiles, done: usize) -> Vec<(u64, Vec<String>)> {
        let own: Vec<u64> = self.combinations_of(shard).collect();
        let next = &own[done..own.len().min(done + BATCH)];
        let island = self.sampling_seed.wrapping_add(shard.number << 32);
        let words: Vec<Vec<String>> = self.words().collect();
        if done == 0 {
            let parts = latin_hypercube(next.len() as u64, self.ranges.len(), island);
            let values =
                parts.iter().zip(words.iter().cycle()).map(|(parts, words)| self.with_ranges(words.clone(), parts));
            return next.iter().copied().zip(values).collect();
        }
        let map: Vec<Elite> = self.map(search, tiles, own[..done].iter().copied()).into_values().collect();
        let draw = |combination: u64| {
            let mut random = generator(island, MUTATION + combination);
            let elite = map.get(random.below(map.len().max(1) as u64) as usize);
            match elite.and_then(|elite| tiles.get(&self.runs.runs_of(elite.combination).start)) {
                Some(parent) => self.mutated(&parent.values, &words, &mut random),
                // The map is empty, because no combination has all measures yet. The values are drawn from the whole
                // ranges.
                None => {
                    let parts: Vec<f64> = self.ranges.iter().map(|_| any_part(&mut random)).collect();
                    self.with_ranges(words[random.below(words.len() as u64) as usize].clone(), &parts)
                }
            }
        };
        next.iter().map(|combination| (*combination, draw(*combination))).collect()
    }

    /// Random values near the values of a combination. `words`: all combinations of the parameters that have words.
    fn mutated(&self, values: &[String], words: &[Vec<String>], random: &mut Random) -> Vec<String> {
        let others = &words[random.below(words.len() as u64) as usize];
        // The index of a range whose value always changes.
        let always = random.below(self.ranges.len().max(1) as u64) as usize;
        let mut changed = values.to_vec();
        for (index, parameter) in self.runs.parameters.iter().enumerate() {
            let Some(place) = self.ranges.iter().position(|range| range.key == parameter.key) else {
                if random.below(OTHER_WORD_ONE_IN) == 0 {
                    changed[index].clone_from(&others[index]);
                }
                continue;
            };
            // A random change from -STEP to STEP. Its distribution is a triangle, because it is a sum of two random
            // numbers.
            let step = (any_part(random) + any_part(random) - 1.0) * STEP;
            if place == always || random.below(CHANGED_ONE_IN) == 0 {
                let range = &self.ranges[place];
                let before = values[index].parse().unwrap_or(range.least);
                let part = range.part(before) + step;
                changed[index] = range.value(part.clamp(0.0, 1.0));
            }
        }
        changed
    }
}
