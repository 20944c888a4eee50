//! Readings of the whole swarm: a copy, its state and its hash. Checkpoints and replays use such copies.
//!
//! A ticket's value is of the step of the request, whatever happens to the swarm later, even if its device is lost.
//! After a loss, a polled ticket waits for the next engine. Before waiting for a ticket, call [`Simulation::collect`].
//! [`Simulation::read`] does both. The ticket of a [`DensityReading`] fails if the device is lost, and
//! [`Simulation::read`] then requests again.

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
    /// The hash of the present swarm (`docs/formats.md`, State hash).
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
    /// The state of a swarm that was read before. For individuals, their deposit on the lattice.
    pub fn deposit<'a>(&self, swarm: &'a Swarm) -> Cow<'a, State> {
        match swarm {
            Swarm::Cells(state) => Cow::Borrowed(state),
            Swarm::Individuals(individuals, columns) => {
                let deposit = deposit(individuals, &self.preset.space());
                Cow::Owned(State { columns: columns.clone(), ..deposit })
            }
        }
    }

    /// The whole swarm, for writing. With several ranks, the first rank has the cells and the others have `None`. Every
    /// rank has all individuals.
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

    /// Whether several ranks simulate the world, each with a slab of the cells. Individuals are never in slabs: every
    /// rank has all of them.
    pub fn is_in_slabs(&self) -> bool {
        self.preset.host().ranks().size() > 1 && self.preset.individuals.is_none()
    }

    /// The slab of this rank in a world of cells, and its state.
    ///
    /// # Errors
    /// If the device fails, or the swarm is of individuals.
    pub fn slab(&mut self) -> Result<(Slab, State), Failure> {
        self.engine.engine.lattice()?.slab()
    }

    /// The measures of cells, on the first rank; `None` on the others. Each rank only reads its own slab. Every rank
    /// must make this call.
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

    /// The number of times that the whole swarm was read back from the engine's device. Hashes, checkpoints and undo
    /// read it, and so do the recovery points every few thousand steps. A picture on this device reads nothing back.
    pub fn state_readbacks(&self) -> u64 {
        self.engine.readbacks
    }

    /// Takes the copies of the swarm that are ready, or waits for all. If a device is lost before its copies are ready,
    /// another engine continues.
    ///
    /// # Errors
    /// If no engine can continue. The requests then fail, too.
    pub fn collect(&mut self, patience: Patience) -> Result<(), Failure> {
        self.engine.collect(patience)
    }
}
