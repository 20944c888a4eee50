//! What a life has by chance: DNA, a parent and hunger at birth, and the place of a rebirth.
//!
//! All of it is a hash of a counter: of the species' seed, the individual's number, the step and what is drawn. So it has no order, and
//! is the same on every engine.

use super::lineage::NextLife;
use super::{FULL, Life, LifeRules, Trait};
use crate::numbers::random::hash;
use crate::numbers::{Vector3, each_axis};
use crate::state::{Individuals, LIFE_WORDS};
use crate::world::{PLACE_BITS, Space};

/// What is drawn, apart from places, which are drawn from [`PLACE`] on.
const DNA: [u32; 2] = [0, 1];
const HUNGER: u32 = 2;
const VELOCITY: u32 = 3;
const PLACE: u32 = 4;
/// How many places are tried.
const PLACES: u32 = 8;
const MUTATION: [u32; 2] = [32, 33];
/// The greatest ratio of numbers to living individuals at which every number has a slot. Beyond it lives are searched by number.
const MAX_SLOTS: usize = 16;
/// Parents are drawn from here on, two words for each.
const PARENT: u32 = 40;
/// How many are drawn in a world of one species, and in one of several, where some are of another.
pub const PARENTS: [u32; 2] = [16, 64];

/// A word by chance.
#[inline(always)]
fn chance(seed: u32, number: u32, step: u32, purpose: u32) -> u32 {
    hash(hash(hash(seed ^ purpose.wrapping_mul(0x9e37_79b9)) ^ number).wrapping_add(step))
}

/// The DNA of an individual: it depends on the seed and the number alone.
pub fn dna(seed: u32, number: u32) -> [u8; Trait::ALL.len()] {
    let [first, second] = DNA.map(|purpose| chance(seed, number, 0, purpose).to_le_bytes());
    [first[0], first[1], first[2], first[3], second[0], second[1]]
}

/// A life at its beginning in a step: in full health and in the mood of its disposition, its hunger by chance below that at which health
/// is lost.
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

/// The lives of a swarm by number, before a step. Parents are drawn among them.
#[derive(Debug, Clone, Default)]
pub struct Parents {
    /// By number up to the greatest one of a living one, all 0 where there is nobody; or, where `numbers` has any, in their order.
    lives: Vec<[i32; LIFE_WORDS]>,
    /// The numbers of the living in ascending order, if they are few among all numbers that were given; else none.
    numbers: Vec<u32>,
    /// The numbers that there ever were, among which parents are drawn.
    population: u32,
    /// How many are drawn.
    attempts: u32,
}

impl Parents {
    /// Takes over the lives of all individuals. `has_species`: whether they are of several species.
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

    /// The life of a number; all 0 where there is nobody.
    fn life_of(&self, number: u32) -> [i32; LIFE_WORDS] {
        let slot = match self.numbers.as_slice() {
            [] => Some(number as usize),
            numbers => numbers.binary_search(&number).ok(),
        };
        slot.and_then(|slot| self.lives.get(slot)).copied().unwrap_or_default()
    }

    /// The parent of one of a species that is born in a step, with its number; `None`: there are no parents, or none is found.
    ///
    /// A few numbers are drawn; the first of one of the species that lives, and is as healthy as a number by chance where that is asked, is
    /// the parent.
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

    /// The parent and the DNA of an individual that is born in a step. The DNA is the parent's with small changes. Without a parent, the
    /// individual is its own parent and keeps its DNA. Each byte changes by a random number (see `change`), held within 0 to 255. `own`:
    /// the life of before.
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

/// The change of a byte of a DNA, from -`most` to `most`, by a byte by chance. Its distribution is symmetric, so that nothing but selection
/// moves a trait: the changes of `part` and of 255 - `part` are opposite.
fn change(part: i32, most: i32) -> i32 {
    (((2 * part + 1) * (2 * most + 1)) >> 9) - most
}

/// The place (Q16) and the velocity (Q14) of a rebirth in a step. The place is the first free one of a few by chance, else the present
/// one. Each component of the velocity is within half of the greatest speed.
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
            // The upper half draws the cell, the lower half the place in it.
            let cell = ((word >> 16) * space.extents[axis]) >> 16;
            if axis < axes { (cell << PLACE_BITS | word & 0xffff) as i32 } else { present[axis] }
        })
    });
    (drawn.into_iter().find(|place| is_free(*place)).unwrap_or(present), velocity)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Among many numbers that were given only a few live. No slot for each is needed, and the parents are the same as by a search.
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
            // Where nearly all numbers are of the dead, nearly nobody has a parent.
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
