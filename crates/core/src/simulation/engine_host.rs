//! The engine of a simulation. It is replaced if its device is lost.
//!
//! A GPU can be lost at any moment: its driver is updated, a laptop sleeps, another program takes all its memory.
//! [`EngineHost`] keeps a copy of the swarm (the recovery point) and the steps since this copy. After a loss it opens
//! another device or takes the CPU, and repeats these steps. All arithmetic is integer, so the swarm has equal bits
//! again. Ledger and replay do not change, and a remark informs the user. With several ranks no copy is kept, and a
//! lost device ends all ranks.

mod change;
mod copies;
mod lineage;
mod recovery;

use crate::falcons::Falcon;
pub use copies::{Scope, SwarmCopy};
pub use recovery::{MAX_LOSSES, RecoveryPoint};

use super::{EngineChoice, WORKGROUP};
use crate::chain::Chain;
use crate::engine::cpu::{self, CpuEngine, CpuIndividuals};
use crate::engine::halo::check_slabs;
use crate::engine::platform::SharedHost;
use crate::engine::{
    Adapters, AnyEngine, Dispatch, EngineConfig, GpuDevice, LatticeEngine, Progress, Steps, Stop, TotalsReading,
    other_model,
};
use crate::error::{BadInput, Failure};
use crate::lives::lineage::Lineage;
use crate::points::{PointParameters, Points};
use crate::ranks::{Ranks, SingleRank};
use crate::state::fields::Layout;
use crate::state::{Ledger, State, Swarm};
use crate::ticket::{Patience, Reading, ReadingSource, Ticket};
use copies::{PendingCopies, SharedCopy};
use lineage::PendingEnds;
use recovery::AT_LEAST;
use std::sync::Arc;

/// An engine, and all data that are needed to replace it.
pub struct EngineHost {
    host: SharedHost,
    /// The kind of the engine in use. It is never `Auto`.
    pub choice: EngineChoice,
    adapters: Adapters,
    pub gpu: Option<Arc<dyn GpuDevice>>,
    /// The configuration with which the engine was made, with later changes.
    pub config: EngineConfig,
    pub engine: AnyEngine,
    /// The number of steps that the swarm has made.
    pub step: u64,
    /// The number of falcons in the swarm.
    pub falcon_count: usize,
    /// The turnover up to the recovery point from which the present engine began.
    turnover_before: Ledger,
    /// The copy of the swarm with which a new engine would begin. `None`: the engine uses no GPU, or there are several
    /// ranks.
    pub kept: Option<RecoveryPoint>,
    /// A requested copy that will be the next recovery point, with the number of steps from the present recovery point
    /// to this copy.
    pub next: Option<(usize, SharedCopy)>,
    /// All requested copies of the swarm that are not ready.
    pub pending: PendingCopies,
    /// The number of steps that all engines have run. Tests lose the device after a number of steps.
    played: u64,
    /// The number of times that the whole swarm was read back from a GPU.
    pub readbacks: u64,
    /// The parameters of the points that the engine moves; `None`: the engine has no points.
    point_parameters: Option<PointParameters>,
    /// The family tree, if it was requested. It is complete up to the last ends of lives that were received.
    pub lineage: Option<Lineage>,
    /// Requested ends of lives that are not ready.
    ends: PendingEnds,
    /// Messages for the user about lost devices.
    pub remarks: Vec<String>,
    /// The number of times that an engine was made or replaced, and the number of times that an engine got another plan
    /// or setup.
    pub preparations: [u64; 2],
}

impl EngineHost {
    /// Makes an engine and its host. `start`: the swarm before the first step.
    ///
    /// # Errors
    /// If a kernel does not compile or needs another engine, or the device cannot hold the lattice.
    pub fn new(host: SharedHost, choice: EngineChoice, config: EngineConfig, start: &Swarm) -> Result<Self, Failure> {
        let compute = EngineChoice::Gpu(Dispatch::Compute { workgroup: WORKGROUP });
        let processor = EngineChoice::Cpu(cpu::Options::default());
        let has_ranks = host.ranks().size() > 1;
        if let (true, EngineChoice::Gpu(_)) = (has_ranks, choice) {
            check_gpu_ranks(&config, &*host.ranks())?;
        }
        let (adapters, choices) = match choice {
            EngineChoice::Auto if has_ranks => (Adapters::Any, vec![processor]),
            EngineChoice::Auto if config.is_of_processors() => (Adapters::Any, vec![processor]),
            // If there is no GPU, or its memory is too small for the lattice, the CPU is used.
            EngineChoice::Auto => (Adapters::Hardware, vec![compute, processor]),
            chosen => (Adapters::Any, vec![chosen]),
        };
        let mut made = Err(Failure::Device("there is no engine".into()));
        for choice in choices {
            made = make(&host, choice, adapters, None, &config, start, host.ranks())
                .map(|(engine, gpu)| (choice, engine, gpu));
            if !matches!(made, Err(Failure::Device(_))) {
                break;
            }
        }
        let (choice, engine, gpu) = made?;
        let copy = || SwarmCopy { swarm: start.clone(), points: None, turnover: Ledger::default() };
        let kept = can_recover(&host, gpu.as_ref()).then(|| RecoveryPoint::new(copy()));
        Ok(Self {
            host,
            choice,
            adapters,
            gpu,
            config,
            engine,
            step: 0,
            falcon_count: Falcon::all_of(start.columns()).len(),
            turnover_before: Ledger::default(),
            kept,
            next: None,
            pending: Vec::new(),
            played: 0,
            readbacks: 0,
            point_parameters: None,
            lineage: None,
            ends: PendingEnds::new(),
            remarks: Vec::new(),
            preparations: [1, 0],
        })
    }

    /// Makes another engine of the same kind on the same device, for a whole lattice.
    ///
    /// # Errors
    /// The errors of [`Self::new`].
    pub fn beside(&self, config: &EngineConfig, state: State) -> Result<Box<dyn LatticeEngine>, Failure> {
        let (swarm, alone) = (Swarm::Cells(state), Arc::new(SingleRank));
        match make(&self.host, self.choice, self.adapters, self.gpu.as_ref(), config, &swarm, alone)?.0 {
            AnyEngine::Lattice(engine) => Ok(engine),
            AnyEngine::Individuals(_) => Err(other_model()),
        }
    }

    /// Runs steps in order. It stops when the engine's queue is full or `stop` says so. If it fails, no step is run.
    pub fn play(&mut self, steps: &Steps, stop: Stop<'_>) -> Result<Progress, Failure> {
        // If a call failed after the steps, the caller would miss the steps. So all calls that can fail come first.
        self.keep(AT_LEAST)?;
        self.collect(Patience::Poll)?;
        let progress = self.attempt(|engine| engine.play_until(steps, stop))?;
        self.step += progress.steps as u64;
        self.played += progress.steps as u64;
        if let Some(gpu) = &self.gpu {
            gpu.note_steps(self.played);
        }
        if let Some(kept) = &mut self.kept {
            kept.steps.extend(steps, progress.steps);
        }
        self.request_ends_often()?;
        Ok(progress)
    }

    /// Waits until the device has finished all its work.
    ///
    /// # Errors
    /// If the device fails.
    pub fn wait(&mut self) -> Result<(), Failure> {
        self.retry(|host| host.gpu.as_ref().map_or(Ok(()), |gpu| gpu.wait()))
    }

    /// Waits until the queue of the engine has room for more steps.
    pub fn wait_for_queue(&mut self) -> Result<(), Failure> {
        self.attempt(|engine| engine.common_mut().queue_space().wait())
    }

    /// Sets the number of steps that the present swarm has made.
    pub fn set_step(&mut self, step: u64) {
        self.step = step;
        self.lineage.iter_mut().for_each(|lineage| lineage.set_step(step));
        self.engine.common_mut().set_step(step);
    }

    /// Requests a reading and waits for its value, and for all copies that were requested before.
    ///
    /// # Errors
    /// If the device fails, and no other engine can continue.
    pub fn read<R: Reading>(&mut self, reading: R) -> Result<R::Value, Failure>
    where
        Self: ReadingSource<R>,
    {
        self.retry(|host| {
            let ticket = host.request(reading.clone())?;
            host.collect(Patience::Wait)?;
            ticket.wait()
        })
    }

    /// Updates the data from which the engine's GPU draws pictures, so that pictures show the present step.
    ///
    /// # Errors
    /// If the device fails.
    pub fn show(&mut self) -> Result<(), Failure> {
        self.attempt(|engine| engine.common_mut().show())
    }

    /// Replaces the capacities of the cells (quanta), x fastest. The capacity of a solid cell is 0.
    pub fn set_capacities(&mut self, capacities: &[u32]) -> Result<(), Failure> {
        self.keep_present()?;
        self.attempt(|engine| engine.common_mut().set_capacities(capacities))?;
        if let Some(kept) = &mut self.kept {
            kept.capacities = Some(capacities.to_vec());
        }
        Ok(())
    }

    /// The parameters of the points that the engine moves; `None`: the engine has no points.
    pub fn point_parameters(&self) -> Option<PointParameters> {
        self.point_parameters
    }

    /// Replaces the points of the present swarm. `None` removes them.
    pub fn set_points(&mut self, points: Option<Points>) -> Result<(), Failure> {
        // If points are removed, the recovery point needs no points either, so the old one can remain.
        if points.is_some() {
            self.keep_present()?;
        } else {
            self.collect(Patience::Wait)?;
        }
        self.attempt(|engine| match engine {
            AnyEngine::Lattice(engine) => engine.set_points(points.clone()),
            AnyEngine::Individuals(_) => Ok(()),
        })?;
        self.point_parameters = points.as_ref().map(|points| points.parameters);
        if let Some(kept) = &mut self.kept {
            (kept.copy.points, kept.seeded) = (points, None);
        }
        Ok(())
    }

    /// Makes points for the present swarm on the engine's device. The swarm must have no points. Nothing is read back.
    pub fn seed_points(&mut self, parameters: PointParameters) -> Result<(), Failure> {
        self.collect(Patience::Wait)?;
        self.attempt(|engine| engine.lattice()?.seed_points(parameters))?;
        self.point_parameters = Some(parameters);
        if let Some(kept) = &mut self.kept {
            kept.seeded = Some((kept.steps.len(), parameters));
        }
        Ok(())
    }

    /// Replaces the swarm between two steps.
    ///
    /// # Errors
    /// If the device fails.
    pub fn set_swarm(&mut self, swarm: &Swarm) -> Result<(), Failure> {
        self.replace_swarm(None, swarm)
    }

    /// Replaces the individuals, and moves the window of an endless world. `config`: the configuration for the new
    /// window.
    ///
    /// # Errors
    /// If the device fails. The window and the individuals are then unchanged.
    pub fn set_window(&mut self, config: EngineConfig, swarm: &Swarm) -> Result<(), Failure> {
        self.replace_swarm(Some(config), swarm)
    }

    fn replace_swarm(&mut self, window: Option<EngineConfig>, swarm: &Swarm) -> Result<(), Failure> {
        // From the change of the swarm to the new recovery point, nothing is requested from the device. A device lost
        // in between would restore the old swarm.
        let (turnover, points) =
            if self.kept.is_some() { (self.turnover_now()?, self.points_now()?) } else { (Ledger::default(), None) };
        self.collect(Patience::Wait)?;
        self.update_lineage()?;
        self.attempt(|engine| {
            match &window {
                Some(EngineConfig::Individuals { setup, .. }) => engine.individuals()?.set_habitat(&setup.habitat)?,
                Some(EngineConfig::Cells { .. }) => return Err(other_model()),
                None => {}
            }
            engine.set_swarm(swarm)
        })?;
        self.keep_swarm(swarm, points, turnover, self.steps_since_kept());
        if let Some(config) = window {
            self.config = config;
            self.kept.iter_mut().for_each(|kept| kept.capacities = None);
        }
        self.begin_lineage_anew(swarm);
        self.falcon_count = Falcon::all_of(swarm.columns()).len();
        Ok(())
    }

    /// Gives a new engine its points. If there is a family tree, the engine also notes the ends of lives.
    fn prepared(&self, mut engine: AnyEngine, points: &Option<Points>) -> Result<AnyEngine, Failure> {
        if points.is_some() {
            engine.lattice()?.set_points(points.clone())?;
        }
        if self.lineage.is_some() {
            engine.individuals()?.record_ends()?;
        }
        Ok(engine)
    }

    /// Calls `call`. If the device is lost, makes a new engine and calls again.
    fn retry<T>(&mut self, call: impl Fn(&mut Self) -> Result<T, Failure>) -> Result<T, Failure> {
        loop {
            match call(self) {
                Err(Failure::Device(why)) if self.kept.is_some() => self.recover(&why)?,
                done => return done,
            }
        }
    }

    /// Calls `call` with the engine. If the device is lost, makes a new engine and calls again.
    pub fn attempt<T>(&mut self, call: impl Fn(&mut AnyEngine) -> Result<T, Failure>) -> Result<T, Failure> {
        self.retry(|host| call(&mut host.engine))
    }
}

impl<R: Reading> ReadingSource<R> for EngineHost
where
    AnyEngine: ReadingSource<R>,
{
    fn request(&mut self, reading: R) -> Result<Ticket<R::Value>, Failure> {
        self.attempt(|engine| engine.request(reading.clone()))
    }
}

/// The totals contain the turnover of earlier engines.
impl ReadingSource<TotalsReading> for EngineHost {
    fn request(&mut self, reading: TotalsReading) -> Result<Ticket<Ledger>, Failure> {
        let totals = self.attempt(|engine| engine.common_mut().request(reading))?;
        // If the device is lost before the ticket is ready, `self.turnover_before` changes. So its value is copied.
        let before = self.turnover_before;
        Ok(totals.map(move |totals| before.plus(&totals)))
    }
}

/// Whether a new engine can replace an engine on this device. With several ranks it cannot, because the other ranks
/// would not repeat steps.
fn can_recover(host: &SharedHost, gpu: Option<&Arc<dyn GpuDevice>>) -> bool {
    gpu.is_some() && host.ranks().size() == 1
}

type EngineOnDevice = (AnyEngine, Option<Arc<dyn GpuDevice>>);

/// Makes an engine. `open`: the device to use; `None`: a device is opened if the engine needs one.
fn make(
    host: &SharedHost,
    choice: EngineChoice,
    adapters: Adapters,
    open: Option<&Arc<dyn GpuDevice>>,
    config: &EngineConfig,
    swarm: &Swarm,
    ranks: Arc<dyn Ranks>,
) -> Result<EngineOnDevice, Failure> {
    match choice {
        EngineChoice::Gpu(dispatch) => {
            let device = match (open, host.gpu()) {
                (Some(device), _) => device.clone(),
                (None, Some(backend)) => backend.open(adapters, config, swarm, &*ranks)?,
                (None, None) => return Err(Failure::Device("this program was built without the GPU engine".into())),
            };
            let engine = device.clone().engine(dispatch, config, swarm, ranks)?;
            Ok((engine, Some(device)))
        }
        EngineChoice::Cpu(options) => match (config, swarm) {
            (EngineConfig::Cells { plan, rules, world }, Swarm::Cells(state)) => {
                let engine = CpuEngine::on_ranks(plan.clone(), rules, world, state, options, host.clock(), ranks)?;
                Ok((AnyEngine::Lattice(Box::new(engine)), None))
            }
            (EngineConfig::Individuals { chain, setup, .. }, Swarm::Individuals(individuals, columns)) => {
                check_twins(chain)?;
                let start = (individuals, columns);
                let engine = CpuIndividuals::on_ranks(setup, start, options, host.clock(), ranks)?;
                Ok((AnyEngine::Individuals(Box::new(engine)), None))
            }
            _ => Err(other_model()),
        },
        EngineChoice::Auto => unreachable!("auto is resolved when the engine host is made"),
    }
}

/// Checks that GPUs can simulate this world on several ranks. No device is opened.
fn check_gpu_ranks(config: &EngineConfig, ranks: &dyn Ranks) -> Result<(), BadInput> {
    let EngineConfig::Cells { plan, world, .. } = config else {
        let problem = "a GPU plays all individuals of a world, and this world is on several ranks";
        return Err(BadInput::new("engine", problem, "take the engine `cpu`, or one rank"));
    };
    let layout = Layout::of_slab(world.slab_of(ranks), world.edges, plan.reach as usize);
    check_slabs(&layout, &world.cuts_of(ranks.size()))
}

/// Refuses kernels of users for individuals on the CPU. The CPU has only built-in kernels, written in Rust.
fn check_twins(chain: &Chain) -> Result<(), Failure> {
    if let Some(pass) = chain.passes.iter().find(|pass| !pass.kernel.is_built_in) {
        let problem = format!("the kernel `{}` has no twin in Rust, so it runs on the GPU only", pass.kernel.name);
        return Err(BadInput::new(&pass.kernel.origin, problem, "take the engine `gpu`").into());
    }
    Ok(())
}
