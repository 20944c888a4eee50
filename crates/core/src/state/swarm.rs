//! A swarm of either model: cells or individuals.

use crate::numbers::BOID;
use crate::state::{Entry, Individuals, Ledger, State, WorldColumns};
use crate::ticket::reading;
use crate::world::Slab;

/// The whole state of a swarm between two steps.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Swarm {
    /// An amount in every cell of a lattice.
    Cells(State),
    /// Individuals, in any order, and the columns of their world.
    Individuals(Individuals, WorldColumns),
}

reading! {
    /// The whole present swarm.
    SwarmReading -> Swarm
}

impl Swarm {
    /// The quanta of the swarm. An individual is one boid.
    pub fn total(&self) -> u64 {
        match self {
            Self::Cells(state) => state.total(),
            Self::Individuals(individuals, _) => individuals.len() as u64 * u64::from(BOID),
        }
    }

    /// Whether this is a state of cells with the extents of a slab (the part of the world that one rank computes).
    pub fn is_in(&self, slab: &Slab) -> bool {
        matches!(self, Self::Cells(state) if state.extents == slab.extents())
    }

    /// The present amounts of boids, energy and food, as a ledger whose other entries are 0.
    pub fn present(&self) -> Ledger {
        let mut present = Ledger::default();
        match self {
            Self::Cells(state) => present[Entry::Present] = state.totals(),
            Self::Individuals(individuals, _) => {
                present[Entry::Present] = individuals.counts().map(|count| count * u64::from(BOID));
                present[Entry::EnergyPresent] = individuals.stores();
            }
        }
        self.columns().present().fold(present, |present, (entry, sum)| present.with(entry, sum))
    }

    /// The columns of the swarm's world.
    pub fn columns(&self) -> &WorldColumns {
        match self {
            Self::Cells(state) => &state.columns,
            Self::Individuals(_, columns) => columns,
        }
    }

    /// The mutable columns of the swarm's world.
    pub fn columns_mut(&mut self) -> &mut WorldColumns {
        match self {
            Self::Cells(state) => &mut state.columns,
            Self::Individuals(_, columns) => columns,
        }
    }

    /// The individuals; `None`: the swarm is of cells.
    pub fn individuals(&self) -> Option<&Individuals> {
        match self {
            Self::Cells(_) => None,
            Self::Individuals(individuals, _) => Some(individuals),
        }
    }

    /// The BLAKE3 hash of the whole state, in hex (`docs/formats.md, State hash`).
    pub fn hash(&self) -> String {
        match self {
            Self::Cells(state) => state.hash(),
            Self::Individuals(individuals, columns) => individuals.hash_with(columns),
        }
    }
}
