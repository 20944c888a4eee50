//! No search: every agent looks at every other of a species.

use super::order_by_species;
use crate::individuals::Agents;
use std::ops::Range;

/// The agents in the order of their species. Every agent looks at all agents of a species.
pub struct BruteForce {
    /// The first agent of each species, and at the end their number.
    starts: Vec<usize>,
    /// The agents by species, as indices.
    order: Vec<u32>,
}

impl BruteForce {
    pub fn new(species: usize) -> Self {
        Self { starts: vec![0; species + 1], order: Vec::new() }
    }

    /// Sorts the agents by their species.
    pub fn prepare(&mut self, agents: &mut Agents, spare: &mut Agents) {
        order_by_species(agents, &mut self.starts, &mut self.order);
        spare.resize_like(agents.len(), agents);
        for (to, from) in self.order.iter().enumerate() {
            spare.copy_from(to, agents, *from as usize);
        }
        std::mem::swap(agents, spare);
    }

    /// The agents of a species.
    pub fn of_species(&self, species: usize) -> Range<usize> {
        self.starts[species]..self.starts[species + 1]
    }
}
