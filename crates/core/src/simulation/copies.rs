//! Readings of the whole swarm: a copy, its state, its hash. A checkpoint and a replay are made of them.
//!
//! The value of a ticket is of the step at which it was asked for, whatever is done to the swarm meanwhile, even if its device is lost. A ticket
//! that is polled waits for the next engine then. A ticket that is waited for needs [`Simulation::collect`] before; [`Simulation::read`] does both.
//! The ticket of a [`DensityReading`] fails where the device is lost; [`Simulation::read`] asks again.

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
    /// The state of a swarm that was read before; of individuals their deposit on the lattice.
    pub fn deposit<'a>(&self, swarm: &'a Swarm) -> Cow<'a, State> {
        match swarm {
            Swarm::Cells(state) => Cow::Borrowed(state),
            Swarm::Individuals(individuals, columns) => {
                let deposit = deposit(individuals, &self.preset.space());
                Cow::Owned(State { columns: columns.clone(), ..deposit })
            }
        }
    }

    /// The whole swarm, for the one who writes it: on several ranks the first one has the cells, and the others have none. Of
    /// individuals every rank has all.
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

    /// Whether several ranks play it, each with a slab of its cells. Not so for individuals: their readings give every rank all of them.
    pub fn is_in_slabs(&self) -> bool {
        self.preset.host().ranks().size() > 1 && self.preset.individuals.is_none()
    }

    /// What this rank has of a world of cells: its slab, and the state of it.
    ///
    /// # Errors
    /// If the device fails, or the swarm is of individuals.
    pub fn slab(&mut self) -> Result<(Slab, State), Failure> {
        self.engine.engine.lattice()?.slab()
    }

    /// The measures of cells, on the first rank; `None` on the others. No rank has more of the cells than its slab. Every rank makes this call.
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

    /// How often the whole swarm was read back from the device of the engine. It is read for a hash, a checkpoint or an undo, and every
    /// few thousand steps in case the device is lost. A picture on that device reads nothing back.
    pub fn state_readbacks(&self) -> u64 {
        self.engine.readbacks
    }

    /// Takes the copies of the swarm that have come, or waits for all. If a device is lost from which a copy has not come, another engine goes
    /// on.
    ///
    /// # Errors
    /// If no engine can go on. Then the requests fail as well.
    pub fn collect(&mut self, patience: Patience) -> Result<(), Failure> {
        self.engine.collect(patience)
    }
}
