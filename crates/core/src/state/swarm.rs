//! A swarm in either model: what is moved, kept, hashed and saved.

use crate::numbers::BOID;
use crate::state::{Entry, Falcon, Individuals, Ledger, State};
use crate::ticket::reading;
use crate::world::Slab;

/// The whole state of a swarm between two steps.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Swarm {
    /// An amount in every cell of a lattice.
    Cells(State),
    /// Individuals, in any order.
    Individuals(Individuals),
}

reading! {
    /// The whole present swarm.
    SwarmReading -> Swarm
}

impl Swarm {
    /// What there is of it, in quanta: an individual is one boid.
    pub fn total(&self) -> u64 {
        match self {
            Self::Cells(state) => state.total(),
            Self::Individuals(individuals) => individuals.len() as u64 * u64::from(BOID),
        }
    }

    /// Whether it is of the cells of a slab.
    pub fn is_in(&self, slab: &Slab) -> bool {
        matches!(self, Self::Cells(state) if state.extents == slab.extents())
    }

    /// The present amounts, as entries of an account.
    pub fn present(&self) -> Ledger {
        let mut present = Ledger::default();
        match self {
            Self::Cells(state) => present[Entry::Present] = state.totals(),
            Self::Individuals(individuals) => {
                present[Entry::Present] = individuals.counts().map(|count| count * u64::from(BOID));
                present[Entry::FoodPresent][0] = individuals.food_sum();
                present[Entry::EnergyPresent] = individuals.stores();
            }
        }
        present
    }

    /// The falcons in it, in the order of the preset.
    pub fn falcons(&self) -> &[Falcon] {
        match self {
            Self::Cells(state) => &state.falcons,
            Self::Individuals(individuals) => &individuals.falcons,
        }
    }

    /// The same, to be changed.
    pub fn falcons_mut(&mut self) -> &mut Vec<Falcon> {
        match self {
            Self::Cells(state) => &mut state.falcons,
            Self::Individuals(individuals) => &mut individuals.falcons,
        }
    }

    /// BLAKE3, in hex (`docs/formats.md, State hash`).
    pub fn hash(&self) -> String {
        match self {
            Self::Cells(state) => state.hash(),
            Self::Individuals(individuals) => individuals.hash(),
        }
    }
}
