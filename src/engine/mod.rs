//! The engines: they play the steps of a swarm and hold its state. All engines of a model give the same bits (invariant 2)
//! and never import each other.

pub mod cpu;
pub mod gpu;

use crate::agents::Agents;
use crate::agents::parameters::AgentParameters;
use crate::chain::plan::Slot;
use crate::error::Failure;
use crate::kernels::parameters::Parameters;
use crate::numbers::Cell;
use crate::state::State;

/// What the engines of both models do. Every call fails where the device under the engine does.
pub trait Engine: Send {
    /// The sum of the swarm, in quanta.
    fn total(&mut self) -> Result<u64, Failure>;

    /// The quanta caught in the hunter's jaws since the engine was made.
    fn caught(&mut self) -> Result<u64, Failure>;

    /// Replaces the capacities of all columns, x fastest; 0: solid.
    fn set_capacities(&mut self, capacities: &[u32]) -> Result<(), Failure>;

    /// The seconds that each pass took in a recent step; empty where they are not known.
    fn seconds_by_pass(&self) -> Vec<f64>;

    /// What the engine runs on, for people: threads and instruction set, or adapter and dispatch.
    fn describe(&self) -> String;
}

/// An engine of the cell system.
pub trait LatticeEngine: Engine {
    /// Plays one step for each set of parameters, in order.
    fn play(&mut self, steps: &[Parameters]) -> Result<(), Failure>;

    /// The state of the lattice.
    fn state(&mut self) -> Result<State, Failure>;

    /// Replaces the state by another on the same lattice.
    fn set_state(&mut self, state: &State) -> Result<(), Failure>;

    /// The word that a buffer of a field holds for a cell.
    fn word(&mut self, slot: Slot, cell: Cell) -> Result<u32, Failure>;
}

/// An engine of individuals.
pub trait IndividualsEngine: Engine {
    /// Plays one step for each set of parameters, in order.
    fn play(&mut self, steps: &[AgentParameters]) -> Result<(), Failure>;

    /// The individuals, in any order.
    fn agents(&mut self) -> Result<Agents, Failure>;

    /// Replaces the individuals by others.
    fn set_agents(&mut self, agents: &Agents) -> Result<(), Failure>;
}
