//! A swarm in either model: what is moved, kept, hashed and saved.

use crate::numbers::BOID;
use crate::state::{Falcon, Individuals, State};
use crate::ticket::reading;
use crate::world::{MOST_SPECIES, Slab};

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

    /// The food of its individuals.
    pub fn food(&self) -> u64 {
        match self {
            Self::Cells(_) => 0,
            Self::Individuals(individuals) => individuals.food_sum(),
        }
    }

    /// The quanta of each of so many species; zeros in a world of one.
    pub fn totals(&self, species: usize) -> [u64; MOST_SPECIES] {
        match self {
            _ if species < 2 => [0; MOST_SPECIES],
            Self::Cells(state) => state.totals(),
            Self::Individuals(individuals) => individuals.counts().map(|count| count * u64::from(BOID)),
        }
    }

    /// The energy of the individuals of each species.
    pub fn energy(&self) -> [u64; MOST_SPECIES] {
        match self {
            Self::Cells(_) => [0; MOST_SPECIES],
            Self::Individuals(individuals) => individuals.stores(),
        }
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
