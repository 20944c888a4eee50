//! The engines: they play the steps of a swarm and hold its state. All engines of a model give the same bits (invariant 2)
//! and never import each other.

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

/// Whether steps under way are to be left, such as after Ctrl-C. It is asked often, from any thread; once true it stays true. `None`:
/// they are played to their end.
pub type Stop<'a> = Option<&'a (dyn Fn() -> bool + Sync)>;

/// Whether a stop is wanted.
pub fn is_wanted(stop: Stop<'_>) -> bool {
    stop.is_some_and(|is_wanted| is_wanted())
}

reading! {
    /// The present amounts of a swarm, with what came and went since its engine was made.
    TotalsReading -> Ledger
}

/// The progress of an engine with the steps that it was given. It plays all of them, unless a stop is wanted, or a device has enough to
/// do (see [`Engine::queue_space`]).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Progress {
    /// Steps that were played.
    pub steps: usize,
    /// Whether a stop has ended the steps early.
    pub is_stopped: bool,
}

/// What the engines of both models do. Every call fails where the device under the engine does.
pub trait Engine: Send + AnyReadingSource + ReadingSource<TotalsReading> {
    /// Replaces the capacities of all columns, x fastest; 0: solid.
    ///
    /// # Errors
    /// If the device fails.
    fn set_capacities(&mut self, capacities: &[u32]) -> Result<(), Failure>;

    /// Brings the textures and buffers that pictures read to the present step, if steps alone do not.
    ///
    /// # Errors
    /// If the device fails.
    fn show(&mut self) -> Result<(), Failure> {
        Ok(())
    }

    /// What pictures on the engine's device read instead of a state in memory. Its type is one of the engine's crate. `None`: they read the
    /// state.
    fn on_device(&self) -> Option<Arc<dyn Any + Send + Sync>> {
        None
    }

    /// Tells pictures on the device how many steps were made up to the present state. The engine counts on from there.
    fn set_step(&mut self, _step: u64) {}

    /// A ticket that is there as soon as the engine takes more steps. A device that has enough to do takes none.
    fn queue_space(&mut self) -> Ticket<()> {
        Ticket::ready(())
    }

    /// The seconds that each pass took in a recent step; empty where they are not known.
    fn seconds_by_pass(&self) -> Vec<f64>;

    /// What the engine runs on, for people: threads and instruction set, or adapter and dispatch.
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
    /// Plays steps in order, as many as its queue takes, until a stop is wanted. Each step has a set of parameters for each layer of
    /// the plan. A step that is left undone leaves the swarm, its ledger and the columns of its world as they were before it. Nothing is waited for,
    /// unless there is a stop. A step that is too long for one submission is then waited for part by part, so that it can be left.
    ///
    /// # Errors
    /// If the device fails.
    fn play_until(&mut self, steps: &[Parameters], stop: Stop<'_>) -> Result<Progress, Failure>;

    /// The sets of parameters of a step.
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

    /// What this rank has of the present state; the whole of it if there are no other ranks.
    ///
    /// # Errors
    /// If the device fails.
    fn slab(&mut self) -> Result<(Slab, State), Failure> {
        let state = self.request(StateReading)?.wait()?;
        Ok((Slab::whole(state.extents), state))
    }

    /// The work in each piece that this rank has since the last call, in the work of a cell that rests. It is empty if the engine does not count it.
    fn take_loads(&mut self) -> Vec<u64> {
        Vec::new()
    }

    /// Replaces the state by another on the same lattice.
    ///
    /// # Errors
    /// If the device fails.
    fn set_state(&mut self, state: &State) -> Result<(), Failure>;

    /// Goes on with the same swarm under another plan, for the same extents: with its passes, with the sights of `rules`, and with the edges
    /// and the cuts of `world`. The engine goes on counting the quanta that are caught. Ranks exchange the halos of capacities first. The halos
    /// of states follow.
    ///
    /// # Errors
    /// If a kernel of the plan does not compile or does not run on this engine; the engine is as it was. If another rank has ended, or memory for a slab
    /// is lacking; then the run ends.
    fn set_plan(&mut self, plan: Arc<Plan>, rules: &Rules, world: &World) -> Result<(), Failure>;

    /// Takes over the present state of another engine on the same lattice, whose plan has as many layers.
    ///
    /// # Errors
    /// If a device fails.
    fn take_state_of(&mut self, other: &mut (dyn LatticeEngine + 'static)) -> Result<(), Failure> {
        self.set_state(&other.request(StateReading)?.wait()?)
    }

    /// Takes points of the present state, which go along with every step from here on; `None`: there are none. Points that an engine
    /// has stay as they are when the state or the plan is replaced.
    ///
    /// # Errors
    /// If the device fails.
    fn set_points(&mut self, points: Option<Points>) -> Result<(), Failure>;

    /// Seeds points of the present state, as [`PointPlayer::seeded`](crate::points::PointPlayer::seeded) does, which go along with every
    /// step from here on.
    ///
    /// # Errors
    /// If the device fails.
    fn seed_points(&mut self, parameters: PointParameters) -> Result<(), Failure>;
}

reading! {
    /// The vector that a buffer of a field holds for a cell; on two axes its z is 0.
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

    /// Plays one step for each set of parameters, in order, and waits for the queue between them.
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

    /// Goes on with the same individuals under another setup, of the same extents, lives and cells of food. No individual is faster than it
    /// allows. Threads and the device stay.
    ///
    /// # Errors
    /// If the device fails.
    fn set_setup(&mut self, setup: &Setup) -> Result<(), Failure>;

    /// Replaces the individuals and the columns of their world by others, in the same window of an endless world.
    ///
    /// # Errors
    /// If the device fails.
    fn set_individuals(&mut self, individuals: &Individuals, columns: &WorldColumns) -> Result<(), Failure>;

    /// Notes from here on which lives end, and which begin in their place, for [`LifeEndsReading`](crate::lives::lineage::LifeEndsReading).
    ///
    /// # Errors
    /// If a device has no memory for that.
    fn record_ends(&mut self) -> Result<(), Failure>;

    /// Notes nothing any longer, and forgets what nobody took.
    fn stop_recording(&mut self);

    /// Replaces the habitat by another of the same extents, in another window of an endless world. Individuals in it follow.
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
    /// What engines of both models do.
    pub fn common(&self) -> &dyn Engine {
        match self {
            Self::Lattice(engine) => engine.as_ref(),
            Self::Individuals(engine) => engine.as_ref(),
        }
    }

    /// What engines of both models do.
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

    /// Plays all steps of the engine's model, and waits for the queue between them.
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

    /// Replaces the swarm by another of the same model.
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

    /// The engine, if it is one of a lattice.
    ///
    /// # Errors
    /// If it is one of individuals.
    pub fn lattice(&mut self) -> Result<&mut dyn LatticeEngine, Failure> {
        match self {
            Self::Lattice(engine) => Ok(engine.as_mut()),
            Self::Individuals(_) => Err(other_model()),
        }
    }

    /// The engine, if it is one of individuals.
    ///
    /// # Errors
    /// If it is one of a lattice.
    pub fn individuals(&mut self) -> Result<&mut dyn IndividualsEngine, Failure> {
        match self {
            Self::Individuals(engine) => Ok(engine.as_mut()),
            Self::Lattice(_) => Err(other_model()),
        }
    }
}

// The host of an engine and a simulation answer these readings as well.
impl<R: EngineReading> ReadingSource<R> for AnyEngine {
    fn request(&mut self, reading: R) -> Result<Ticket<R::Value>, Failure> {
        reading.ask(match self {
            Self::Lattice(engine) => engine.as_mut(),
            Self::Individuals(engine) => engine.as_mut(),
        })
    }
}

/// A swarm of one model was given to the other.
pub fn other_model() -> Failure {
    Failure::Broken("a swarm of one model was given to an engine of the other".into())
}

/// How a pass runs on a GPU.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Dispatch {
    /// A compute dispatch with workgroups of this width and height.
    Compute {
        /// Invocations of a workgroup along x and y.
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
    /// Opens the best adapter of those allowed, for a swarm of this configuration, or for the slab that a rank has of it.
    ///
    /// # Errors
    /// There is none, or it cannot do what a swarm of this size needs.
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
    /// A kernel that does not compile or runs on the CPU only, or a device or memory that cannot hold the swarm.
    fn engine(
        self: Arc<Self>,
        dispatch: Dispatch,
        config: &EngineConfig,
        start: &Swarm,
        ranks: Arc<dyn Ranks>,
    ) -> Result<AnyEngine, Failure>;

    /// Checks that memory is free for what an engine of this configuration needs beside the lattice.
    ///
    /// # Errors
    /// There is too little.
    fn check_memory(&self, dispatch: Dispatch, config: &EngineConfig, ranks: &dyn Ranks) -> Result<(), BadInput>;

    /// Waits until everything that was submitted is done.
    ///
    /// # Errors
    /// The device is lost or failed.
    fn wait(&self) -> Result<(), Failure>;

    /// Tells how many steps were played on engines in all; a test may have asked for a loss after so many.
    fn note_steps(&self, _played: u64) {}

    /// Gives the device up, because something has failed on it: no engine is made on it any more.
    fn discard(&self);

    /// Loses the device, as a driver's update does: whatever is asked of it from now on fails.
    #[doc(hidden)]
    fn lose(&self);

    /// Loses the device when it was touched so many times more.
    #[doc(hidden)]
    fn lose_after(&self, touches: u32);
}
