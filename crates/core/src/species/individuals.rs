//! The species of the individuals of a swarm.

use super::MOST_SPECIES;
use super::numbers::SpeciesNumbers;
use crate::individuals::{IndividualParameters, Individuals};
use crate::lives::{WORDS, species_in, species_of};

impl Individuals {
    /// The number of an individual's species.
    #[inline(always)]
    pub fn species(&self, index: usize) -> usize {
        self.lives[1].get(index).map_or(0, |word| species_in(*word))
    }

    /// How many there are of each species.
    pub fn counts(&self) -> [u64; MOST_SPECIES] {
        let mut counts = [0; MOST_SPECIES];
        if !self.has_lives() {
            counts[0] = self.len() as u64;
            return counts;
        }
        (0..self.len()).for_each(|index| counts[self.species(index)] += 1);
        counts
    }
}

impl IndividualParameters {
    /// The numbers of the species of an individual with a life of these words, or of the only one.
    #[inline(always)]
    pub fn of_life(&self, life: Option<[i32; WORDS]>) -> &SpeciesNumbers {
        &self.species[life.map_or(0, species_of)]
    }
}
