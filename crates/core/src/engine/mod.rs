//! The engines: they play the steps of a swarm and hold its state. All engines of a model give equal results, bit for
//! bit (invariant 2), and never import each other.

mod config;
pub mod cpu;
pub mod halo;
pub mod platform;
mod steps;

pub use config::EngineConfig;
pub use steps::{CellSteps, Steps};

use crate::cells::numbers::{Parameters, Rules};
use crate::chain::plan::{Plan, Slot};
use crate::error::{BadInput, Failure};
use crate::individuals::{IndividualParameters, Setup};
use crate::numbers::Vector3;
use crate::points::{PointParameters, Points};
use crate::ranks::Ranks;
use crate::state::{
    DensityReading, Individuals, Ledger, RegionReading, State, StateReading, Swarm, SwarmReading, WorldColumns,
};
use crate::terrain::Habitat;
use crate::ticket::{AnyReadingSource, EngineReading, ReadingSource, Ticket, reading};
use crate::world::{Slab, World};
use std::any::Any;
use std::fmt::Debug;
use std::sync::Arc;

/// Tells whether to stop the current steps, such as after Ctrl-C. It is called often, from any thread. Once it returns
/// true, it always does. `None`: the steps are played to their end.
pub type Stop<'a> = Option<&'a (dyn Fn() -> bool + Sync)>;

/// Whether a stop is wanted.
pub fn is_wanted(stop: Stop<'_>) -> bool {
    stop.is_some_and(|is_wanted| is_wanted())
}

reading! {
    /// The present amounts of a swarm, with the turnover since its engine was made.
    TotalsReading -> Ledger
}

/// The progress of an engine with the steps that it was given. It plays all of them, except if a stop is wanted or the
/// queue of a device is full (see [`Engine::queue_space`]).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Progress {
    /// Steps that were played.
    pub steps: usize,
    /// Whether a stop has ended the steps early.
    pub is_stopped: bool,
}

/// The interface that the engines of both models share. Every call fails if the device under the engine fails.
pub trait Engine: Send + AnyReadingSource + ReadingSource<TotalsReading> {
    /// Replaces the capacities of all columns, x fastest; 0: solid.
    ///
    /// # Errors
    /// If the device fails.
    fn set_capacities(&mut self, capacities: &[u32]) -> Result<(), Failure>;

    /// Updates the textures and buffers that pictures read to the present step, if steps do not do this themselves.
    ///
    /// # Errors
    /// If the device fails.
    fn show(&mut self) -> Result<(), Failure> {
        Ok(())
    }

    /// The data that pictures on the engine's device read instead of a state in memory. Its type belongs to the
    /// engine's crate. `None`: pictures read the state.
    fn on_device(&self) -> Option<Arc<dyn Any + Send + Sync>> {
        None
    }

    /// Sets the number of steps up to the present state, for pictures on the device. The engine counts on from there.
    fn set_step(&mut self, _step: u64) {}

    /// A ticket that is ready as soon as the engine takes more steps. A device with a full queue takes none.
    fn queue_space(&mut self) -> Ticket<()> {
        Ticket::ready(())
    }

    /// The seconds that each pass took in a recent step; empty if they are not known.
    fn seconds_by_pass(&self) -> Vec<f64>;

    /// A description of the engine for the user: threads and instruction set, or adapter and dispatch.
    fn describe(&self) -> String;
}

/// An engine of the cell system.
pub trait LatticeEngine:
    Engine
    + Any
    + ReadingSource<StateReading>
    + ReadingSource<DensityReading>
    + ReadingSource<RegionReading>
    + ReadingSource<VectorReading>
{
    /// Plays steps in order, as many as the queue takes, until a stop is wanted. Each step has a set of parameters for
    /// each layer of the plan. After a step that is not finished, the swarm, its ledger and the columns of its world
    /// are as before the step.
    ///
    /// The call does not wait for the device without a stop. With a stop, it waits for the parts of a step that is too
    /// long for one submission, so that the step can be abandoned between parts.
    ///
    /// # Errors
    /// If the device fails.
    fn play_until(&mut self, steps: &[Parameters], stop: Stop<'_>) -> Result<Progress, Failure>;

    /// The number of sets of parameters of a step.
    fn layers(&self) -> usize;

    /// Plays all steps, and waits for the queue between them.
    ///
    /// # Errors
    /// If the device fails.
    fn play(&mut self, steps: &[Parameters]) -> Result<(), Failure> {
        let (mut left, layers) = (steps, self.layers());
        while !left.is_empty() {
            self.queue_space().wait()?;
            left = &left[self.play_until(left, None)?.steps * layers..];
        }
        Ok(())
    }

    /// The slab of this rank, with its present state; the whole world if there are no other ranks.
    ///
    /// # Errors
    /// If the device fails.
    fn slab(&mut self) -> Result<(Slab, State), Failure> {
        let state = self.request(StateReading)?.wait()?;
        Ok((Slab::whole(state.extents), state))
    }

    /// The work in each piece of this rank since the last call. The unit is the work of a resting cell. Empty if the
    /// engine does not count the work.
    fn take_loads(&mut self) -> Vec<u64> {
        Vec::new()
    }

    /// Replaces the state by another state on the same lattice.
    ///
    /// # Errors
    /// If the device fails.
    fn set_state(&mut self, state: &State) -> Result<(), Failure>;

    /// Continues with the present swarm under another plan for the same extents. The sights come from `rules`, the
    /// edges and the cuts from `world`. The engine still counts the caught quanta. Ranks exchange the halos of
    /// capacities first, then the halos of states.
    ///
    /// # Errors
    /// If a kernel of the plan does not compile or does not run on this engine. The engine is unchanged. If another
    /// rank has ended, or there is too little memory for a slab. The run then ends.
    fn set_plan(&mut self, plan: Arc<Plan>, rules: &Rules, world: &World) -> Result<(), Failure>;

    /// Takes over the present state of another engine on the same lattice. Its plan has the same number of layers.
    ///
    /// # Errors
    /// If a device fails.
    fn take_state_of(&mut self, other: &mut (dyn LatticeEngine + 'static)) -> Result<(), Failure> {
        self.set_state(&other.request(StateReading)?.wait()?)
    }

    /// Takes points of the present state, which move with every later step. `None`: removes all points. The engine's
    /// points stay as they are when the state or the plan is replaced.
    ///
    /// # Errors
    /// If the device fails.
    fn set_points(&mut self, points: Option<Points>) -> Result<(), Failure>;

    /// Seeds points of the present state as [`PointPlayer::seeded`](crate::points::PointPlayer::seeded) does. They move
    /// with every later step.
    ///
    /// # Errors
    /// If the device fails.
    fn seed_points(&mut self, parameters: PointParameters) -> Result<(), Failure>;
}

reading! {
    /// The vector that a buffer of a field holds for a cell. In a flat world its z is 0.
    VectorReading {
        /// The buffer of the field.
        slot: Slot,
        /// The cell, along x, y and z.
        cell: Vector3,
    } -> Vector3
}

/// An engine of individuals.
pub trait IndividualsEngine: Engine + ReadingSource<SwarmReading> {
    /// Plays steps as [`LatticeEngine::play_until`] does.
    ///
    /// # Errors
    /// If the device fails.
    fn play_until(&mut self, steps: &[IndividualParameters], stop: Stop<'_>) -> Result<Progress, Failure>;

    /// Plays one step for each set of parameters, in order. Waits for the queue between the steps.
    ///
    /// # Errors
    /// If the device fails.
    fn play(&mut self, steps: &[IndividualParameters]) -> Result<(), Failure> {
        let mut left = steps;
        while !left.is_empty() {
            self.queue_space().wait()?;
            left = &left[self.play_until(left, None)?.steps..];
        }
        Ok(())
    }

    /// Continues with the present individuals under another setup with the same extents, lives and cells of food. No
    /// individual is faster than the setup allows. Threads and the device stay.
    ///
    /// # Errors
    /// If the device fails.
    fn set_setup(&mut self, setup: &Setup) -> Result<(), Failure>;

    /// Replaces the individuals and the columns of their world, in the same window of an endless world.
    ///
    /// # Errors
    /// If the device fails.
    fn set_individuals(&mut self, individuals: &Individuals, columns: &WorldColumns) -> Result<(), Failure>;

    /// Records from now on the lives that end and the lives that begin in their place. A reading
    /// [`LifeEndsReading`](crate::lives::lineage::LifeEndsReading) returns the records.
    ///
    /// # Errors
    /// If a device has too little memory.
    fn record_ends(&mut self) -> Result<(), Failure>;

    /// Stops recording lives, and drops the records that were not taken.
    fn stop_recording(&mut self);

    /// Replaces the habitat by another one of the same extents, such as another window of an endless world. The caller
    /// replaces the individuals afterwards.
    ///
    /// # Errors
    /// If the device fails.
    fn set_habitat(&mut self, habitat: &Habitat) -> Result<(), Failure>;
}

/// An engine of either model.
pub enum AnyEngine {
    /// An engine of cells.
    Lattice(Box<dyn LatticeEngine>),
    /// An engine of individuals.
    Individuals(Box<dyn IndividualsEngine>),
}

impl AnyEngine {
    /// The engine, as the interface of both models.
    pub fn common(&self) -> &dyn Engine {
        match self {
            Self::Lattice(engine) => engine.as_ref(),
            Self::Individuals(engine) => engine.as_ref(),
        }
    }

    /// The engine, as the mutable interface of both models.
    pub fn common_mut(&mut self) -> &mut dyn Engine {
        match self {
            Self::Lattice(engine) => engine.as_mut(),
            Self::Individuals(engine) => engine.as_mut(),
        }
    }

    /// Plays steps of the engine's model, in order, until a stop is wanted (see [`LatticeEngine::play_until`]).
    ///
    /// # Errors
    /// If the device fails.
    pub fn play_until(&mut self, steps: &Steps, stop: Stop<'_>) -> Result<Progress, Failure> {
        match (self, steps) {
            (Self::Lattice(engine), Steps::Cells(steps)) => engine.play_until(&steps.parameters, stop),
            (Self::Individuals(engine), Steps::Individuals(steps)) => engine.play_until(steps, stop),
            _ => Err(other_model()),
        }
    }

    /// Plays all steps of the engine's model. Waits for the queue between the steps.
    ///
    /// # Errors
    /// If the device fails.
    pub fn play(&mut self, steps: &Steps) -> Result<(), Failure> {
        match (self, steps) {
            (Self::Lattice(engine), Steps::Cells(steps)) => engine.play(&steps.parameters),
            (Self::Individuals(engine), Steps::Individuals(steps)) => engine.play(steps),
            _ => Err(other_model()),
        }
    }

    /// Replaces the swarm by another swarm of the same model.
    ///
    /// # Errors
    /// If the device fails.
    pub fn set_swarm(&mut self, swarm: &Swarm) -> Result<(), Failure> {
        match (self, swarm) {
            (Self::Lattice(engine), Swarm::Cells(state)) => engine.set_state(state),
            (Self::Individuals(engine), Swarm::Individuals(individuals, columns)) => {
                engine.set_individuals(individuals, columns)
            }
            _ => Err(other_model()),
        }
    }

    /// The engine, if it is an engine of cells.
    ///
    /// # Errors
    /// If it is an engine of individuals.
    pub fn lattice(&mut self) -> Result<&mut dyn LatticeEngine, Failure> {
        match self {
            Self::Lattice(engine) => Ok(engine.as_mut()),
            Self::Individuals(_) => Err(other_model()),
        }
    }

    /// The engine, if it is an engine of individuals.
    ///
    /// # Errors
    /// If it is an engine of cells.
    pub fn individuals(&mut self) -> Result<&mut dyn IndividualsEngine, Failure> {
        match self {
            Self::Individuals(engine) => Ok(engine.as_mut()),
            Self::Lattice(_) => Err(other_model()),
        }
    }
}

impl<R: EngineReading> ReadingSource<R> for AnyEngine {
    fn request(&mut self, reading: R) -> Result<Ticket<R::Value>, Failure> {
        reading.ask(match self {
            Self::Lattice(engine) => engine.as_mut(),
            Self::Individuals(engine) => engine.as_mut(),
        })
    }
}

/// The failure if a swarm of one model is given to an engine of the other model.
pub fn other_model() -> Failure {
    Failure::Broken("a swarm of one model was given to an engine of the other".into())
}

/// The way in which a pass runs on a GPU.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Dispatch {
    /// A compute dispatch with workgroups of this width and height.
    Compute {
        /// The number of invocations of a workgroup along x and y.
        workgroup: [u32; 2],
    },
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

/// The adapters that may be used.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Adapters {
    /// Only real GPUs.
    Hardware,
    /// A real GPU, or else a software adapter such as lavapipe.
    Any,
}

/// A factory of devices. `murmuration-gpu` implements it, and a [`crate::host::Host`] provides it.
pub trait GpuBackend: Debug + Send + Sync {
    /// Opens the best allowed adapter, for a swarm of this configuration, or for a rank's slab of it.
    ///
    /// # Errors
    /// If there is no adapter, or if it cannot run a swarm of this size.
    fn open(
        &self,
        adapters: Adapters,
        config: &EngineConfig,
        swarm: &Swarm,
        ranks: &dyn Ranks,
    ) -> Result<Arc<dyn GpuDevice>, Failure>;
}

/// An open device, on which engines are made.
pub trait GpuDevice: Send + Sync {
    /// An engine on this device, for the slab of a rank if there are several ranks.
    ///
    /// # Errors
    /// If a kernel does not compile or runs only on the CPU, or if the device or memory cannot hold the swarm.
    fn engine(
        self: Arc<Self>,
        dispatch: Dispatch,
        config: &EngineConfig,
        start: &Swarm,
        ranks: Arc<dyn Ranks>,
    ) -> Result<AnyEngine, Failure>;

    /// Checks the free memory for everything that an engine of this configuration needs in addition to the lattice.
    ///
    /// # Errors
    /// If there is too little memory.
    fn check_memory(&self, dispatch: Dispatch, config: &EngineConfig, ranks: &dyn Ranks) -> Result<(), BadInput>;

    /// Waits until all submitted work is done.
    ///
    /// # Errors
    /// If the device is lost or has failed.
    fn wait(&self) -> Result<(), Failure>;

    /// Notes the total number of steps that engines have played. A test may ask for a loss after a number of steps.
    fn note_steps(&self, _played: u64) {}

    /// Gives the device up after a failure. No more engines are made on it.
    fn discard(&self);

    /// Loses the device, as an update of a driver does. Everything that is asked of it later fails.
    #[doc(hidden)]
    fn lose(&self);

    /// Loses the device, for tests, after this number of further operations on it, such as uploads and submissions.
    #[doc(hidden)]
    fn lose_after(&self, touches: u32);
}
