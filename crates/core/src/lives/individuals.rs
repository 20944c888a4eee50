//! The lives of a swarm of individuals.

use super::rebirth::{dna, newborn};
use super::{Life, LifeRules, drawn_word, store};
use crate::numbers::Vector3;
use crate::state::{Individuals, LIFE_WORDS};
use crate::world::MAX_SPECIES;

impl Individuals {
    /// Whether the individuals have lives.
    pub fn has_lives(&self) -> bool {
        !self.lives[0].is_empty()
    }

    /// Adds an individual with a life. `life`: the four words of the life, in the order of [`Life::words`].
    pub fn push_living(&mut self, number: u32, position: Vector3, velocity: Vector3, life: [i32; LIFE_WORDS]) {
        self.push(number, position, velocity);
        self.lives.iter_mut().zip(life).for_each(|(list, word)| list.push(word));
    }

    /// The four words of an individual's life, in the order of [`Life::words`]. `None`: the individuals of this swarm
    /// have no lives. `index`: the place in the list of individuals.
    pub fn life(&self, index: usize) -> Option<[i32; LIFE_WORDS]> {
        let [first, second, needs, mood] = &*self.lives;
        self.has_lives().then(|| [first[index], second[index], needs[index], mood[index]])
    }

    /// The traits of an individual as one number, a byte for each trait in the order of
    /// [`Trait::ALL`](crate::lives::Trait::ALL). The first trait is the lowest byte. `None`: the individuals of this
    /// swarm have no lives.
    pub fn dna(&self, index: usize) -> Option<u64> {
        let Life { dna: [speed, force, sight, disposition, health, appetite], .. } =
            Life::from_words(self.life(index)?);
        Some(u64::from_le_bytes([speed, force, sight, disposition, health, appetite, 0, 0]))
    }

    /// The mood, the species and the steps until death of an individual in one word, for pictures (see [`drawn_word`]).
    /// 0 if the individuals have no lives.
    #[inline(always)]
    pub fn drawn_word(&self, index: usize) -> u32 {
        self.life(index).map_or(0, drawn_word)
    }

    /// With rules: replaces all lives by new ones of the first species. `None`: removes all lives. `step`: the steps
    /// made. The random hunger at birth depends on it.
    pub fn set_lives(&mut self, rules: Option<&LifeRules>, step: u32) {
        *self.lives = Default::default();
        if let Some(rules) = rules {
            self.add_lives(rules, 0, step);
        }
    }

    /// Adds lives for the last individuals of the list, which have none yet. `species`: the number of their species.
    /// `step`: the steps made. The random hunger at birth depends on it.
    pub fn add_lives(&mut self, rules: &LifeRules, species: u8, step: u32) {
        for number in &self.numbers[self.lives[0].len()..] {
            let dna = dna(rules.seed, *number);
            let life = newborn(rules, species, *number, step, dna);
            self.lives.iter_mut().zip(life.words()).for_each(|(list, word)| list.push(word));
        }
    }

    /// The energy of each species, summed over its individuals. The energy of an individual is
    /// [`FULL`](crate::lives::FULL) minus its hunger.
    pub fn stores(&self) -> [u64; MAX_SPECIES] {
        let mut stores = [0; MAX_SPECIES];
        for (index, needs) in self.lives[2].iter().enumerate() {
            stores[self.species(index)] += store(*needs);
        }
        stores
    }
}
