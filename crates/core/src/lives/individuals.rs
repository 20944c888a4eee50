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

    /// Adds an individual with a life of these words.
    pub fn push_living(&mut self, number: u32, position: Vector3, velocity: Vector3, life: [i32; LIFE_WORDS]) {
        self.push(number, position, velocity);
        self.lives.iter_mut().zip(life).for_each(|(list, word)| list.push(word));
    }

    /// The words of an individual's life; `None`: individuals have no lives.
    pub fn life(&self, index: usize) -> Option<[i32; LIFE_WORDS]> {
        let [first, second, needs, mood] = &*self.lives;
        self.has_lives().then(|| [first[index], second[index], needs[index], mood[index]])
    }

    /// The bytes of an individual's traits as one number; `None`: individuals have no lives.
    pub fn dna(&self, index: usize) -> Option<u64> {
        let Life { dna: [speed, force, sight, disposition, health, appetite], .. } =
            Life::from_words(self.life(index)?);
        Some(u64::from_le_bytes([speed, force, sight, disposition, health, appetite, 0, 0]))
    }

    /// The word of an individual for pictures (see [`drawn_word`]); 0 without lives.
    #[inline(always)]
    pub fn drawn_word(&self, index: usize) -> u32 {
        self.life(index).map_or(0, drawn_word)
    }

    /// Gives every individual a new life of the first species in a step, or removes all lives.
    pub fn set_lives(&mut self, rules: Option<&LifeRules>, step: u32) {
        *self.lives = Default::default();
        if let Some(rules) = rules {
            self.add_lives(rules, 0, step);
        }
    }

    /// Gives the last individuals, which have no lives yet, new lives of a species in a step.
    pub fn add_lives(&mut self, rules: &LifeRules, species: u8, step: u32) {
        for number in &self.numbers[self.lives[0].len()..] {
            let dna = dna(rules.seed, *number);
            let life = newborn(rules, species, *number, step, dna);
            self.lives.iter_mut().zip(life.words()).for_each(|(list, word)| list.push(word));
        }
    }

    /// The sum of the energy of each species (see [`Entry::EnergyPresent`](crate::state::Entry::EnergyPresent)).
    pub fn stores(&self) -> [u64; MAX_SPECIES] {
        let mut stores = [0; MAX_SPECIES];
        for (index, needs) in self.lives[2].iter().enumerate() {
            stores[self.species(index)] += store(*needs);
        }
        stores
    }
}
