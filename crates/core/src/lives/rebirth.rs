//! Random parts of a life: DNA, parent and hunger at birth, and the place of a rebirth.
//!
//! Each draw is a hash of the species' seed, the individual's number, the step and a number for the purpose. So draws
//! need no order and are equal on every engine.

use super::lineage::NextLife;
use super::{FULL, Life, LifeRules, Trait};
use crate::numbers::random::hash;
use crate::numbers::{Vector3, each_axis};
use crate::state::{Individuals, LIFE_WORDS};
use crate::world::{PLACE_BITS, Space};

/// Purposes of draws: a number for each, so that draws for different purposes differ.
const DNA: [u32; 2] = [0, 1];
const HUNGER: u32 = 2;
const VELOCITY: u32 = 3;
const PLACE: u32 = 4;
/// The number of random places that a rebirth tries.
const PLACES: u32 = 8;
const MUTATION: [u32; 2] = [32, 33];
/// [`Parents`] has a slot for the life of every number if it needs at most this multiple of the number of living
/// individuals (plus 2^16) slots. Otherwise it has only the lives of the living, sorted by number, and finds them by a
/// binary search.
const MAX_SLOTS: usize = 16;
/// The first purpose of the draws of parents. Each attempt to draw a parent has two purposes: the number, and a bound
/// on the health.
const PARENT: u32 = 40;
/// The number of attempts to draw a parent, in a world with one species and with several. With several species,
/// attempts also hit individuals of other species.
pub const PARENTS: [u32; 2] = [16, 64];

/// A random word for a purpose, from the individual's number and the steps made.
#[inline(always)]
fn chance(seed: u32, number: u32, step: u32, purpose: u32) -> u32 {
    hash(hash(hash(seed ^ purpose.wrapping_mul(0x9e37_79b9)) ^ number).wrapping_add(step))
}

/// The first DNA of an individual, a byte for each trait in the order of [`Trait::ALL`]. It depends on the seed and the
/// number alone.
pub fn dna(seed: u32, number: u32) -> [u8; Trait::ALL.len()] {
    let [first, second] = DNA.map(|purpose| chance(seed, number, 0, purpose).to_le_bytes());
    [first[0], first[1], first[2], first[3], second[0], second[1]]
}

/// A life that begins after `step` steps: full health, the mood of its disposition, and a random hunger below
/// [`LifeRules::hungry`].
pub fn newborn(rules: &LifeRules, species: u8, number: u32, step: u32, dna: [u8; Trait::ALL.len()]) -> Life {
    let value = |of: Trait| rules.value(of, i32::from(dna[of as usize]));
    let part = chance(rules.seed, number, step, HUNGER) >> 16;
    Life {
        dna,
        hunger: ((part * rules.hungry as u32) >> 16).min(FULL as u32) as u16,
        health: value(Trait::Health) as u16,
        mood: (value(Trait::Disposition) << 4) as i16,
        perishing: 0,
        species,
        is_eaten: false,
    }
}

/// The lives of all individuals before a step. Parents are drawn among them.
#[derive(Debug, Clone, Default)]
pub struct Parents {
    /// If `numbers` is empty: the life of each number up to the greatest living one, all 0 for a number without an
    /// individual. Otherwise: the lives in the order of `numbers`.
    lives: Vec<[i32; LIFE_WORDS]>,
    /// The numbers of the living in ascending order, if they are few in comparison with the greatest number. Otherwise
    /// empty.
    numbers: Vec<u32>,
    /// The count of numbers given to individuals since the start of the swarm. Parents are drawn among these numbers.
    population: u32,
    /// The number of attempts to draw a parent of one individual.
    attempts: u32,
}

impl Parents {
    /// Reads the lives of all individuals. `population`: the count of numbers given since the start of the swarm.
    /// `has_species`: whether there are several species.
    pub fn read(&mut self, individuals: &Individuals, population: u32, has_species: bool) {
        self.population = population;
        self.attempts = PARENTS[usize::from(has_species)];
        self.lives.clear();
        self.numbers.clear();
        let slots = individuals.numbers.iter().max().map_or(0, |number| *number as usize + 1);
        if slots > MAX_SLOTS * individuals.len() + (1 << 16) {
            let lives = individuals
                .numbers
                .iter()
                .enumerate()
                .filter_map(|(index, number)| Some((*number, individuals.life(index)?)));
            let mut lives: Vec<_> = lives.collect();
            lives.sort_unstable();
            (self.numbers, self.lives) = lives.into_iter().unzip();
            return;
        }
        self.lives.resize(slots, [0; LIFE_WORDS]);
        for (index, number) in individuals.numbers.iter().enumerate() {
            if let (Some(own), Some(life)) = (self.lives.get_mut(*number as usize), individuals.life(index)) {
                *own = life;
            }
        }
    }

    /// The four words of the life of a number; all 0 if no individual has the number.
    fn life_of(&self, number: u32) -> [i32; LIFE_WORDS] {
        let slot = match self.numbers.as_slice() {
            [] => Some(number as usize),
            numbers => numbers.binary_search(&number).ok(),
        };
        slot.and_then(|slot| self.lives.get(slot)).copied().unwrap_or_default()
    }

    /// The number and the life of the parent of an individual that is born in a step. `None`: `mutation` is 0, or no
    /// attempt finds a parent. `species`, `number`: of the individual that is born.
    ///
    /// Each attempt draws a number. The parent is the first drawn individual that has health and is of the species.
    /// With `by_health`, its health must also exceed a random number.
    fn parent_of(&self, rules: &LifeRules, species: u8, number: u32, step: u32) -> Option<(u32, Life)> {
        if rules.mutation == 0 || self.population == 0 {
            return None;
        }
        let drawn = (0..self.attempts).map(|attempt| {
            let [who, how] = [0, 1].map(|part| chance(rules.seed, number, step, PARENT + 2 * attempt + part));
            let who = who % self.population;
            ((who, Life::from_words(self.life_of(who))), how >> 16)
        });
        let mut living = drawn.filter(|((_, life), _)| life.health > 0 && life.species == species);
        let is_healthy = |life: &Life, least: u32| rules.by_health == 0 || least < u32::from(life.health);
        living.find(|((_, life), least)| is_healthy(life, *least)).map(|(parent, _)| parent)
    }

    /// The number of the parent, and the DNA of an individual that is born in a step. Each byte of the parent's DNA is
    /// changed by a random number (see `change`) and held within 0 to 255. Without a parent, the individual is its own
    /// parent and keeps its DNA. `own`: its previous life.
    pub fn child(&self, rules: &LifeRules, number: u32, step: u32, own: &Life) -> NextLife {
        let Some((who, parent)) = self.parent_of(rules, own.species, number, step) else {
            return NextLife { parent: number, dna: own.dna };
        };
        let changes = MUTATION.map(|purpose| chance(rules.seed, number, step, purpose).to_le_bytes());
        let dna = std::array::from_fn(|index| {
            let part = i32::from(changes[index / 4][index % 4]);
            (i32::from(parent.dna[index]) + change(part, rules.mutation)).clamp(0, 255) as u8
        });
        NextLife { parent: who, dna }
    }
}

/// A random change of a byte of a DNA, from -`most` to `most`. `part`: a random byte. The changes for `part` and for
/// 255 - `part` are opposite. So the distribution is symmetric, and only selection moves the mean of a trait.
fn change(part: i32, most: i32) -> i32 {
    (((2 * part + 1) * (2 * most + 1)) >> 9) - most
}

/// A random place (Q16 of a cell) and velocity (Q14) for a rebirth in a step. The place is the first free one of
/// eight random places. If none is free, the place is `present`. Each component of the velocity is at most half of
/// `max`, the max speed.
pub fn place(
    rules: &LifeRules,
    space: &Space,
    is_free: impl Fn(Vector3) -> bool,
    number: u32,
    step: u32,
    max: i32,
    present: Vector3,
) -> (Vector3, Vector3) {
    let axes = space.axes();
    let word = chance(rules.seed, number, step, VELOCITY);
    let velocity = each_axis(|axis| {
        let part = (word >> (10 * axis) & 1023) as i32 - 512;
        if axis < axes { (part * max) >> 10 } else { 0 }
    });
    let drawn = (0..PLACES).map(|attempt| {
        each_axis(|axis| {
            let word = chance(rules.seed, number, step, PLACE + 3 * attempt + axis as u32);
            // The upper half of the word draws the cell, the lower half the place within the cell.
            let cell = ((word >> 16) * space.extents[axis]) >> 16;
            if axis < axes { (cell << PLACE_BITS | word & 0xffff) as i32 } else { present[axis] }
        })
    });
    (drawn.into_iter().find(|place| is_free(*place)).unwrap_or(present), velocity)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Only a few of many numbers are of living individuals. Their lives are then found by a search, with the same
    /// parents.
    #[test]
    fn parents_are_found_among_many_numbers_and_few() {
        let rules = LifeRules { mutation: 9, ..LifeRules::still() };
        for population in [40, 100_000, u32::MAX] {
            let mut individuals = Individuals::default();
            for index in 0..40 {
                let life = Life { dna: [index as u8; 6], health: 9, ..Life::default() };
                let number = index * ((population - 1) / 39);
                individuals.push_living(number, [0; 3], [0; 3], life.words());
            }
            let mut parents = Parents::default();
            parents.read(&individuals, population, false);
            assert!(parents.lives.len() <= 40 || population < u32::MAX);
            for (index, number) in individuals.numbers.iter().enumerate() {
                assert_eq!(Some(parents.life_of(*number)), individuals.life(index));
            }
            assert_eq!(parents.life_of(individuals.numbers[39].wrapping_add(1)), [0; LIFE_WORDS]);
            // If nearly all numbers are of dead individuals, hardly any attempt finds a parent.
            let born = (0..200).filter(|step| parents.parent_of(&rules, 0, 7, *step).is_some()).count();
            assert_eq!(born > 0, population == 40, "{population}");
        }
    }

    #[test]
    fn changes_are_symmetric_and_reach_as_far_as_they_may() {
        for most in 0..=255 {
            let changes: Vec<i32> = (0..256).map(|part| change(part, most)).collect();
            assert!(changes.iter().zip(changes.iter().rev()).all(|(one, other)| *one == -other), "{most}");
            assert!(changes.is_sorted() && changes[255] == most, "{most}");
        }
    }
}
