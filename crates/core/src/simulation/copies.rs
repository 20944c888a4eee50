//! Readings of the whole swarm: a copy, the state of its lattice, and its hash. Checkpoints and replays use such
//! copies.
//!
//! A request returns a ticket. Its value belongs to the step of the request, even if the swarm changes later or its
//! device is lost. After a loss, the ticket gets its value from the next engine. Before waiting for a ticket, call
//! [`Simulation::collect`]. [`Simulation::read`] does both. A [`DensityReading`] is an exception: its ticket fails if
//! the device is lost, and [`Simulation::read`] makes a new request.

#[cfg(test)]
pub(super) mod testing;
#[cfg(test)]
mod tests;

use super::Simulation;
use crate::answer;
use crate::engine::AnyEngine;
use crate::error::Failure;
use crate::individuals::deposit::deposit;
use crate::measures::CellMeasures;
use crate::state::{DensityReading, State, StateReading, Swarm, SwarmReading};
use crate::ticket::{Patience, Ticket, reading};
use crate::world::Slab;
use std::borrow::Cow;

reading! {
    /// Computes the hash of the present swarm (`docs/formats.md`, State hash).
    StateHashReading -> String
}

answer! {
    Simulation {
        SwarmReading => |own, reading| own.engine.request(reading),
        StateHashReading => |own, _| {
            let ranks = own.preset.host().ranks();
            match &mut own.engine.engine {
                AnyEngine::Lattice(engine) if ranks.size() > 1 => {
                    let (slab, state) = engine.slab()?;
                    Ok(Ticket::ready(state.hash_over(&slab, &*ranks)?))
                }
                _ => Ok(own.request(SwarmReading)?.map(|swarm| swarm.hash())),
            }
        },
        DensityReading => |own, reading| {
            let of_cells = own.engine.attempt(|engine| match engine {
                AnyEngine::Lattice(engine) => engine.request(reading).map(Some),
                AnyEngine::Individuals(_) => Ok(None),
            })?;
            match of_cells {
                Some(densities) => Ok(densities),
                None => Ok(own.request(StateReading)?.map(State::into_densities)),
            }
        },
        StateReading => |own, _| {
            let space = own.preset.space();
            Ok(own.request(SwarmReading)?.map(move |swarm| match swarm {
                Swarm::Cells(state) => state,
                Swarm::Individuals(individuals, columns) => State { columns, ..deposit(&individuals, &space) },
            }))
        },
    }
}

impl Simulation {
    /// The lattice of a swarm that was read before. For individuals, each individual adds one boid and its velocity to
    /// its cell.
    pub fn deposit<'a>(&self, swarm: &'a Swarm) -> Cow<'a, State> {
        match swarm {
            Swarm::Cells(state) => Cow::Borrowed(state),
            Swarm::Individuals(individuals, columns) => {
                let deposit = deposit(individuals, &self.preset.space());
                Cow::Owned(State { columns: columns.clone(), ..deposit })
            }
        }
    }

    /// The whole swarm, for writing to a file. If several ranks divide a world of cells, the first rank gets all cells
    /// and other ranks get `None`. Individuals are complete on every rank.
    ///
    /// # Errors
    /// If the device fails, or another rank has ended.
    pub fn swarm_on_first_rank(&mut self) -> Result<Option<Swarm>, Failure> {
        let ranks = self.preset.host().ranks();
        match &mut self.engine.engine {
            AnyEngine::Lattice(engine) if ranks.size() > 1 => {
                let (slab, state) = engine.slab()?;
                Ok(state.gathered_to_first(slab.world, &*ranks)?.map(Swarm::Cells))
            }
            _ => self.swarm().map(Some),
        }
    }

    /// Whether several ranks divide the cells of the world among them. Individuals are not divided: every rank has all
    /// of them.
    pub fn is_in_slabs(&self) -> bool {
        self.preset.host().ranks().size() > 1 && self.preset.individuals.is_none()
    }

    /// The part of a world of cells on this rank, and its state.
    ///
    /// # Errors
    /// If the device fails, or the swarm is of individuals.
    pub fn slab(&mut self) -> Result<(Slab, State), Failure> {
        self.engine.engine.lattice()?.slab()
    }

    /// The measures of a world of cells on the first rank; `None` on other ranks. Each rank reads only its own slab.
    /// All ranks must call this function.
    ///
    /// # Errors
    /// If the device fails, or another rank has ended.
    pub fn cell_measures(&mut self) -> Result<Option<CellMeasures>, Failure> {
        let (ranks, edges, shift) = (self.preset.host().ranks(), self.preset.world.edges, self.preset.rules.shift);
        match &mut self.engine.engine {
            AnyEngine::Lattice(engine) => {
                let (slab, state) = engine.slab()?;
                CellMeasures::over_ranks(&state, &slab, edges, shift, &*ranks)
            }
            AnyEngine::Individuals(_) => Ok(None),
        }
    }

    /// The number of times that the whole swarm was read back from a GPU. Hashes, checkpoints, undo, and recovery
    /// points every few thousand steps read it back. Pictures that this GPU draws do not.
    pub fn state_readbacks(&self) -> u64 {
        self.engine.readbacks
    }

    /// Receives the requested copies of the swarm that are ready, or waits for all of them. If the device is lost
    /// before a copy is ready, another engine continues and makes the copy.
    ///
    /// # Errors
    /// If no engine can continue. All requests then fail too.
    pub fn collect(&mut self, patience: Patience) -> Result<(), Failure> {
        self.engine.collect(patience)
    }
}
