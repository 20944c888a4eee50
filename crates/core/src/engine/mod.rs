//! The engines that play a plan. They give the same bits (invariant 2) and never import each other.

pub mod cpu;

use crate::agents::rules::{AgentRules, Units};
use crate::chain::plan::{Plan, Slot};
use crate::error::{BadInput, Failure};
use crate::kernels::parameters::Parameters;
use crate::numbers::Cell;
use crate::rules::Rules;
use crate::simulation::EngineConfig;
use crate::state::State;
use crate::swarm::Swarm;
use crate::world::World;
use std::fmt::Debug;
use std::sync::Arc;

/// Plays the steps of one swarm and holds its state.
pub trait Engine: Send {
    /// Plays one step for each set of parameters, in order.
    fn play(&mut self, steps: &[Parameters]) -> Result<(), Failure>;

    /// The sum of the density, in quanta.
    fn total(&mut self) -> Result<u64, Failure>;

    /// The quanta caught in the hunter's jaws since the engine was made.
    fn caught(&mut self) -> Result<u64, Failure>;

    /// Puts other capacities in the place of the present ones, x fastest; a solid's is 0.
    fn set_capacities(&mut self, capacities: &[u32]) -> Result<(), Failure>;

    /// Goes on with the same swarm under another plan, for the same extents: with its passes, and with the sights of `rules`
    /// and the edges of `world`. The engine counts the quanta caught on.
    ///
    /// # Errors
    /// If a kernel of the plan does not compile or does not run on this engine; the engine is as it was.
    fn set_plan(&mut self, _: Arc<Plan>, _: &Rules, _: &World) -> Result<(), Failure> {
        Err(Failure::Broken("individuals were given the plan of a lattice".into()))
    }

    /// The whole swarm.
    fn swarm(&mut self) -> Result<Swarm, Failure> {
        Ok(Swarm::Cells(self.state()?))
    }

    /// Puts another swarm of the same model in the place of the present one.
    fn set_swarm(&mut self, swarm: &Swarm) -> Result<(), Failure> {
        match swarm {
            Swarm::Cells(state) => self.set_state(state),
            Swarm::Agents(_) => Err(Failure::Broken("a lattice was taken for individuals".into())),
        }
    }

    /// Goes on under other rules of individuals, which are [like](AgentRules::is_like) the present ones.
    fn set_rules(&mut self, _: &AgentRules, _: &Units) -> Result<(), Failure> {
        Err(Failure::Broken("a lattice was given the rules of individuals".into()))
    }

    /// The state of the lattice; of individuals what the lattice sees of them.
    fn state(&mut self) -> Result<State, Failure>;

    /// Puts another state in the place of the present one, where the swarm is one of cells.
    fn set_state(&mut self, state: &State) -> Result<(), Failure>;

    /// The word that a buffer of a field has for a cell, where there are fields.
    fn word(&mut self, slot: Slot, cell: Cell) -> Result<u32, Failure>;

    /// The seconds that each pass of the plan took in a step of late; empty where that is not known.
    fn seconds_by_pass(&self) -> Vec<f64>;

    /// What the engine runs on, for people: threads and instruction set, or adapter and dispatch.
    fn describe(&self) -> String;
}

/// How a pass runs on a GPU.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Dispatch {
    /// A compute dispatch with workgroups of this width and height.
    Compute { workgroup: [u32; 2] },
    /// A render pass over the whole lattice into integer targets, as in the paper.
    Fragment,
}

/// The default workgroup of a compute dispatch.
pub const WORKGROUP: [u32; 2] = [64, 1];

impl Default for Dispatch {
    fn default() -> Self {
        Self::Compute { workgroup: WORKGROUP }
    }
}

/// Which adapters may be used.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Adapters {
    /// Only real GPUs.
    Hardware,
    /// A real GPU, or else a software adapter such as lavapipe.
    Any,
}

/// What opens devices; `murmuration-gpu` implements it, and a [`crate::host::Host`] hands it in.
pub trait GpuBackend: Debug + Send + Sync {
    /// Opens the best adapter of those allowed, for a swarm of this configuration.
    ///
    /// # Errors
    /// There is none, or it cannot do what a swarm of this size needs.
    fn open(&self, adapters: Adapters, config: &EngineConfig, swarm: &Swarm) -> Result<Arc<dyn GpuDevice>, Failure>;

    /// Waits a moment before a device that was lost is looked for again.
    fn pause(&self);
}

/// An open device, on which engines are made.
pub trait GpuDevice: Send + Sync {
    /// An engine on this device.
    ///
    /// # Errors
    /// A kernel that does not compile or runs on the CPU only, or a device or memory that cannot hold the swarm.
    fn engine(
        self: Arc<Self>,
        dispatch: Dispatch,
        config: &EngineConfig,
        start: &Swarm,
    ) -> Result<Box<dyn Engine>, Failure>;

    /// Checks that memory is free for what an engine of this configuration needs beside the lattice.
    ///
    /// # Errors
    /// There is too little.
    fn check_memory(&self, dispatch: Dispatch, config: &EngineConfig) -> Result<(), BadInput>;

    /// Waits until everything that was submitted is done.
    ///
    /// # Errors
    /// The device is lost or failed.
    fn wait(&self) -> Result<(), Failure>;

    /// Tells how many steps were played on engines in all; a test may have asked for a loss after so many.
    fn note_steps(&self, _played: u64) {}

    /// Loses the device, as a driver's update does: whatever is asked of it from now on fails.
    #[doc(hidden)]
    fn lose(&self);

    /// Loses the device when it was touched so many times more.
    #[doc(hidden)]
    fn lose_after(&self, touches: u32);
}
