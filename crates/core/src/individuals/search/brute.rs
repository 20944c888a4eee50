//! The search without a structure: every individual looks at all individuals of a species.

use super::order_by_species;
use crate::state::Individuals;
use std::ops::Range;

/// The individuals in the order of their species. Every individual looks at all individuals of a species.
pub struct BruteForce {
    /// The index of the first individual of each species. After the last species comes the number of all individuals.
    starts: Vec<usize>,
    /// The indices of the individuals in the order of their species.
    order: Vec<u32>,
}

impl BruteForce {
    pub fn new(species: usize) -> Self {
        Self { starts: vec![0; species + 1], order: Vec::new() }
    }

    /// Sorts the individuals by their species.
    pub fn prepare(&mut self, individuals: &mut Individuals, spare: &mut Individuals) {
        order_by_species(individuals, &mut self.starts, &mut self.order);
        spare.take_in_order(individuals, &self.order);
        std::mem::swap(individuals, spare);
    }

    /// The range of indices of the individuals of a species.
    pub fn of_species(&self, species: usize) -> Range<usize> {
        self.starts[species]..self.starts[species + 1]
    }
}
