//! The engine of a simulation, which outlives its device.
//!
//! A GPU can be lost at any moment: its driver is updated, a laptop sleeps, another program takes all its memory. The host
//! keeps a swarm that was read whole and the steps played since. After a loss it opens another device or takes the CPU, and
//! plays those steps again. All arithmetic is integer, so the swarm arrives at the same bits; ledger and replay are not
//! involved, and a remark tells the user.

use super::{EngineChoice, WORKGROUP};
use crate::agents::gpu::GpuIndividuals;
use crate::agents::search::SearchKind;
use crate::agents::{AgentParameters, Setup};
use crate::chain::plan::Plan;
use crate::engine::gpu::{Adapters, Gpu, GpuEngine, box_bytes};
use crate::engine::cpu::{self, CpuEngine, CpuIndividuals};
use crate::engine::{Engine, IndividualsEngine, LatticeEngine};
use crate::error::{BadInput, Failure};
use crate::kernels::parameters::Parameters;
use crate::memory;
use crate::fault_injection::{self, Device};
use crate::rules::Rules;
use crate::shader::Dispatch;
use crate::state::State;
use crate::swarm::Swarm;
use crate::world::{Extents, World};
use std::sync::{Arc, OnceLock};
use std::thread;
use std::time::{Duration, Instant};

/// A state that is read anyway is kept when so many steps were played since the last one.
const OFTEN: usize = 64;
/// A state is read to be kept when so many steps were played since the last one.
const AT_LEAST: usize = 4096;
/// A GPU that is lost so often without getting any further is no longer tried.
const MOST_LOSSES: u32 = 3;
/// How often a GPU is looked for where nothing else can play the chain, and how long in between.
const TRIES: u32 = 8;
const BETWEEN_TRIES: Duration = Duration::from_millis(500);

/// What an engine is made for.
#[derive(Clone)]
pub enum EngineConfig {
    Cells {
        plan: Arc<Plan>,
        rules: Rules,
        world: World,
    },
    Agents {
        setup: Setup,
        /// The greatest speed (Q14) of the individuals.
        max: i32,
    },
}

impl EngineConfig {
    /// Whether only the CPU can play it.
    fn is_of_processors(&self) -> bool {
        matches!(self, Self::Agents { setup: Setup { search: SearchKind::Octree, .. }, .. })
    }

    /// Whether an engine for this config plays another one as well: the two differ in numbers of a step only.
    fn is_made_for(&self, next: &Self) -> bool {
        match (self, next) {
            (Self::Agents { setup, .. }, Self::Agents { setup: next, .. }) => setup.fits(next),
            _ => false,
        }
    }

    /// Whether individuals may be faster than the next config allows.
    fn is_faster(&self, next: &Self) -> bool {
        matches!((self, next), (Self::Agents { max, .. }, Self::Agents { max: next, .. }) if next < max)
    }

    /// Slows individuals down to the greatest speed.
    fn slow_down(&self, swarm: &mut Swarm) {
        if let (Self::Agents { max, .. }, Swarm::Agents(agents)) = (self, swarm) {
            agents.slow_down(*max);
        }
    }
}

/// The numbers of several steps.
pub enum Steps {
    Cells(Vec<Parameters>),
    Agents(Vec<AgentParameters>),
}

impl Steps {
    pub fn len(&self) -> usize {
        match self {
            Self::Cells(steps) => steps.len(),
            Self::Agents(steps) => steps.len(),
        }
    }

    fn clear(&mut self) {
        match self {
            Self::Cells(steps) => steps.clear(),
            Self::Agents(steps) => steps.clear(),
        }
    }

    /// Adds later steps of the same model.
    fn extend(&mut self, later: &Self) {
        match (self, later) {
            (Self::Cells(steps), Self::Cells(later)) => steps.extend_from_slice(later),
            (Self::Agents(steps), Self::Agents(later)) => steps.extend_from_slice(later),
            _ => unreachable!("an engine has played them"),
        }
    }
}

/// An engine of either model.
enum AnyEngine {
    Lattice(Box<dyn LatticeEngine>),
    Individuals(Box<dyn IndividualsEngine>),
}

impl AnyEngine {
    /// What engines of both models do.
    fn common(&self) -> &dyn Engine {
        match self {
            Self::Lattice(engine) => engine.as_ref(),
            Self::Individuals(engine) => engine.as_ref(),
        }
    }

    fn common_mut(&mut self) -> &mut dyn Engine {
        match self {
            Self::Lattice(engine) => engine.as_mut(),
            Self::Individuals(engine) => engine.as_mut(),
        }
    }

    fn play(&mut self, steps: &Steps) -> Result<(), Failure> {
        match (self, steps) {
            (Self::Lattice(engine), Steps::Cells(steps)) => engine.play(steps),
            (Self::Individuals(engine), Steps::Agents(steps)) => engine.play(steps),
            _ => Err(other_model()),
        }
    }

    fn swarm(&mut self) -> Result<Swarm, Failure> {
        match self {
            Self::Lattice(engine) => engine.state().map(Swarm::Cells),
            Self::Individuals(engine) => engine.agents().map(Swarm::Agents),
        }
    }

    fn set_swarm(&mut self, swarm: &Swarm) -> Result<(), Failure> {
        match (self, swarm) {
            (Self::Lattice(engine), Swarm::Cells(state)) => engine.set_state(state),
            (Self::Individuals(engine), Swarm::Agents(agents)) => engine.set_agents(agents),
            _ => Err(other_model()),
        }
    }
}

fn other_model() -> Failure {
    Failure::Broken("a swarm of one model was given to an engine of the other".into())
}

/// An engine, with what is needed to replace it.
pub struct EngineHost {
    /// Never `Auto`.
    choice: EngineChoice,
    adapters: Adapters,
    gpu: Option<Arc<Gpu>>,
    config: EngineConfig,
    engine: AnyEngine,
    /// The quanta caught by engines before this one.
    caught_before: u64,
    /// `None`: the engine needs no device.
    kept: Option<RecoveryPoint>,
    /// Steps played in all, for the tests that inject a loss.
    played: u64,
    remarks: Vec<String>,
}

/// A moment of which everything is known, and what was played since.
struct RecoveryPoint {
    swarm: Swarm,
    /// What the capacities were; `None`: those of the config's world.
    capacities: Option<Vec<u32>>,
    caught: u64,
    steps: Steps,
    /// How often the device was lost since.
    losses: u32,
}

impl RecoveryPoint {
    fn new(swarm: Swarm, caught: u64) -> Self {
        let steps = match swarm {
            Swarm::Cells(_) => Steps::Cells(Vec::new()),
            Swarm::Agents(_) => Steps::Agents(Vec::new()),
        };
        Self { swarm, capacities: None, caught, steps, losses: 0 }
    }
}

impl EngineHost {
    /// An engine for a config.
    ///
    /// # Errors
    /// Where a kernel does not compile or runs on another engine only, or the device cannot hold the lattice.
    pub fn new(choice: EngineChoice, config: EngineConfig, start: &Swarm) -> Result<Self, Failure> {
        let compute = EngineChoice::Gpu(Dispatch::Compute { workgroup: WORKGROUP });
        let processor = EngineChoice::Cpu(cpu::Options::default());
        let (adapters, choices) = match choice {
            EngineChoice::Auto if config.is_of_processors() => (Adapters::Any, vec![processor]),
            // There is none, or it cannot hold the lattice.
            EngineChoice::Auto => (Adapters::Hardware, vec![compute, processor]),
            chosen => (Adapters::Any, vec![chosen]),
        };
        let mut made = Err(Failure::Device("there is no engine".into()));
        for choice in choices {
            made = make(choice, adapters, None, &config, start).map(|(engine, gpu)| (choice, engine, gpu));
            if !matches!(made, Err(Failure::Device(_))) {
                break;
            }
        }
        let (choice, engine, gpu) = made?;
        let kept = gpu.is_some().then(|| RecoveryPoint::new(start.clone(), 0));
        Ok(Self { choice, adapters, gpu, config, engine, caught_before: 0, kept, played: 0, remarks: Vec::new() })
    }

    /// Goes on with the same swarm under another config; where that fails, under the present one.
    ///
    /// # Errors
    /// As [`Self::new`].
    pub fn change(&mut self, config: EngineConfig) -> Result<(), Failure> {
        let is_faster = self.config.is_faster(&config);
        if self.config.is_made_for(&config) {
            if is_faster {
                let mut swarm = self.swarm()?;
                config.slow_down(&mut swarm);
                self.set_swarm(&swarm)?;
            }
            self.config = config;
            return Ok(());
        }
        let (mut swarm, caught) = (self.swarm()?, self.caught()?);
        if is_faster {
            config.slow_down(&mut swarm);
        }
        loop {
            match make(self.choice, self.adapters, self.gpu.as_ref(), &config, &swarm) {
                Ok((engine, gpu)) => {
                    (self.engine, self.gpu, self.config, self.caught_before) = (engine, gpu, config, caught);
                    self.kept = self.gpu.is_some().then(|| RecoveryPoint::new(swarm, caught));
                    return Ok(());
                }
                Err(Failure::Device(why)) if self.kept.is_some() => self.recover(&why)?,
                Err(failure) => return Err(failure),
            }
        }
    }

    /// Another engine of a lattice, of the same kind and on the same device.
    ///
    /// # Errors
    /// As [`Self::new`].
    pub fn beside(&self, config: &EngineConfig, state: State) -> Result<Box<dyn LatticeEngine>, Failure> {
        match make(self.choice, self.adapters, self.gpu.as_ref(), config, &Swarm::Cells(state))?.0 {
            AnyEngine::Lattice(engine) => Ok(engine),
            AnyEngine::Individuals(_) => Err(other_model()),
        }
    }

    /// Plays one step for each set of parameters, in order: all of them, or where it fails, none.
    pub fn play(&mut self, steps: &Steps) -> Result<(), Failure> {
        // Before anything is played: what fails afterwards would leave the caller's count of steps behind.
        if self.kept.as_ref().is_some_and(|kept| kept.steps.len() >= AT_LEAST) {
            self.keep()?;
        }
        self.attempt(|engine| engine.play(steps))?;
        self.played += steps.len() as u64;
        if let (Some(gpu), true) = (&self.gpu, fault_injection::is_due(Device::Engine, self.played)) {
            gpu.lose();
        }
        if let Some(kept) = &mut self.kept {
            kept.steps.extend(steps);
        }
        Ok(())
    }

    /// The sum of the density, in quanta.
    pub fn total(&mut self) -> Result<u64, Failure> {
        self.attempt(|engine| engine.common_mut().total())
    }

    /// The quanta caught in the hunter's jaws since the machine was made.
    pub fn caught(&mut self) -> Result<u64, Failure> {
        // What went before may become more while the device is lost.
        let caught = self.attempt(|engine| engine.common_mut().caught())?;
        Ok(self.caught_before + caught)
    }

    /// Puts other capacities in the place of the present ones, x fastest; a solid's is 0.
    pub fn set_capacities(&mut self, capacities: &[u32]) -> Result<(), Failure> {
        self.keep()?;
        self.attempt(|engine| engine.common_mut().set_capacities(capacities))?;
        if let Some(kept) = &mut self.kept {
            kept.capacities = Some(capacities.to_vec());
        }
        Ok(())
    }

    /// The whole swarm.
    pub fn swarm(&mut self) -> Result<Swarm, Failure> {
        let swarm = self.attempt(|engine| engine.swarm())?;
        if self.kept.as_ref().is_some_and(|kept| kept.steps.len() >= OFTEN) {
            let caught = self.caught()?;
            self.keep_swarm(&swarm, caught);
        }
        Ok(swarm)
    }

    /// Puts another swarm in the place of the present one.
    pub fn set_swarm(&mut self, swarm: &Swarm) -> Result<(), Failure> {
        // From the moment it is there the device is asked for nothing until it is kept: a loss in between would bring
        // the old one back.
        let caught = self.caught()?;
        self.attempt(|engine| engine.set_swarm(swarm))?;
        self.keep_swarm(swarm, caught);
        Ok(())
    }

    /// The last swarm that is known for certain, the quanta caught up to it, and how many steps were played since;
    /// `None` where the present state is always at hand.
    pub fn last_known(&self) -> Option<(&Swarm, u64, u64)> {
        self.kept.as_ref().map(|kept| (&kept.swarm, kept.caught, kept.steps.len() as u64))
    }

    /// What happened to the engine since the last call.
    pub fn remarks(&mut self) -> Vec<String> {
        std::mem::take(&mut self.remarks)
    }

    /// Takes over what another machine has not said yet.
    pub fn say_for(&mut self, other: &mut Self) {
        self.remarks.splice(0..0, other.remarks());
    }

    /// What the engine was made for.
    pub fn config(&self) -> &EngineConfig {
        &self.config
    }

    /// The device, where there is one.
    pub fn gpu(&self) -> Option<&Arc<Gpu>> {
        self.gpu.as_ref()
    }

    /// The engine in use; never `Auto`.
    pub fn choice(&self) -> EngineChoice {
        self.choice
    }

    /// How the GPU engine runs its passes; `None` on the CPU.
    pub fn dispatch(&self) -> Option<Dispatch> {
        match self.choice {
            EngineChoice::Gpu(dispatch) => Some(dispatch),
            _ => None,
        }
    }

    /// The seconds that each pass of the plan took in a step of late; empty where that is not known.
    pub fn seconds_by_pass(&self) -> Vec<f64> {
        self.engine.common().seconds_by_pass()
    }

    /// What the engine runs on, for people.
    pub fn describe(&self) -> String {
        self.engine.common().describe()
    }

    /// Makes a call, and again on another engine as long as the device under it is lost.
    fn attempt<T>(&mut self, call: impl Fn(&mut AnyEngine) -> Result<T, Failure>) -> Result<T, Failure> {
        loop {
            match call(&mut self.engine) {
                Err(Failure::Device(why)) if self.kept.is_some() => self.recover(&why)?,
                done => return done,
            }
        }
    }

    fn keep(&mut self) -> Result<(), Failure> {
        if self.kept.as_ref().is_some_and(|kept| kept.steps.len() > 0) {
            let swarm = self.attempt(|engine| engine.swarm())?;
            let caught = self.caught()?;
            self.keep_swarm(&swarm, caught);
        }
        Ok(())
    }

    /// Keeps what is the present swarm, and what was caught up to it.
    fn keep_swarm(&mut self, swarm: &Swarm, caught: u64) {
        if let Some(kept) = &mut self.kept {
            match (&mut kept.swarm, swarm) {
                // A lattice keeps its size, and its place in memory.
                (Swarm::Cells(kept), Swarm::Cells(state)) => {
                    kept.density.copy_from_slice(&state.density);
                    kept.control.copy_from_slice(&state.control);
                }
                (kept, swarm) => *kept = swarm.clone(),
            }
            kept.caught = caught;
            kept.steps.clear();
            kept.losses = 0;
        }
    }

    /// Replaces an engine that has failed, and brings the swarm to where it was.
    fn recover(&mut self, why: &str) -> Result<(), Failure> {
        let Some(kept) = &mut self.kept else { return Err(Failure::Device(why.into())) };
        kept.losses += 1;
        let is_hopeless = kept.losses > MOST_LOSSES;
        let mut last = Failure::Device(why.into());
        if !is_hopeless {
            match self.replace(self.choice) {
                Ok(()) => {
                    self.remarks.push(format!("{why}; it was opened again, and nothing is missing"));
                    return Ok(());
                }
                Err(failure) => last = failure,
            }
        }
        match self.replace(EngineChoice::Cpu(cpu::Options::default())) {
            Ok(()) => {
                self.remarks.push(format!("{why}; the CPU goes on, and nothing is missing"));
                return Ok(());
            }
            // A kernel that runs on a GPU only. One that is being reset comes back after a while.
            Err(_) if !is_hopeless => {
                for _ in 0..TRIES {
                    thread::sleep(BETWEEN_TRIES);
                    match self.replace(self.choice) {
                        Ok(()) => {
                            self.remarks.push(format!("{why}; it was opened again, and nothing is missing"));
                            return Ok(());
                        }
                        Err(failure) => last = failure,
                    }
                }
            }
            Err(_) => {}
        }
        Err(Failure::Device(format!("{why}; no other engine can go on: {last}")))
    }

    /// Makes another engine, and plays on it what was played since the kept state.
    fn replace(&mut self, choice: EngineChoice) -> Result<(), Failure> {
        let Some(kept) = &self.kept else { return Ok(()) };
        let (mut engine, gpu) = make(choice, self.adapters, None, &self.config, &kept.swarm)?;
        if let Some(capacities) = &kept.capacities {
            engine.common_mut().set_capacities(capacities)?;
        }
        engine.play(&kept.steps)?;
        // Only when this is known has the engine played them all.
        engine.common_mut().total()?;
        (self.choice, self.engine, self.gpu) = (choice, engine, gpu);
        self.caught_before = kept.caught;
        if self.gpu.is_none() {
            self.kept = None;
        }
        Ok(())
    }
}

type Made = (AnyEngine, Option<Arc<Gpu>>);

/// The time since the first call.
fn since_start() -> Duration {
    static START: OnceLock<Instant> = OnceLock::new();
    START.get_or_init(Instant::now).elapsed()
}

/// Makes an engine, on a device that is open already where there is one.
fn make(
    choice: EngineChoice,
    adapters: Adapters,
    open: Option<&Arc<Gpu>>,
    config: &EngineConfig,
    swarm: &Swarm,
) -> Result<Made, Failure> {
    match (config, swarm) {
        (EngineConfig::Cells { plan, rules, world }, Swarm::Cells(state)) => match choice {
            EngineChoice::Gpu(dispatch) => {
                let boxes = box_bytes(plan, rules, dispatch);
                if boxes > 0 {
                    memory::check(world.extents, memory::ENGINE + boxes)
                        .map_err(|problem| BadInput::new("the sums over boxes", problem, memory::CURE))?;
                }
                let gpu = match open {
                    Some(gpu) => gpu.clone(),
                    None => Arc::new(Gpu::open(adapters, world.extents)?),
                };
                let engine = GpuEngine::new(gpu.clone(), plan.clone(), rules, world, state, dispatch)?;
                Ok((AnyEngine::Lattice(Box::new(engine)), Some(gpu)))
            }
            EngineChoice::Cpu(options) => {
                let engine = CpuEngine::new(plan.clone(), rules, world, state, options, Some(since_start))?;
                Ok((AnyEngine::Lattice(Box::new(engine)), None))
            }
            EngineChoice::Auto => unreachable!("auto is resolved when the host is made"),
        },
        (EngineConfig::Agents { setup, .. }, Swarm::Agents(start)) => match choice {
            EngineChoice::Gpu(Dispatch::Fragment) => {
                let problem = "individuals are played by compute dispatches only";
                Err(BadInput::new("--dispatch", problem, "take the GPU by compute, or the CPU").into())
            }
            EngineChoice::Gpu(Dispatch::Compute { .. }) => {
                let [width, height, _] = setup.terrain.space.extents;
                let gpu = match open {
                    Some(gpu) => gpu.clone(),
                    None => Arc::new(Gpu::open_for_agents(adapters, Extents { width, height }, start.len())?),
                };
                let engine = GpuIndividuals::new(gpu.clone(), setup, start)?;
                Ok((AnyEngine::Individuals(Box::new(engine)), Some(gpu)))
            }
            EngineChoice::Cpu(options) => {
                let engine = CpuIndividuals::new(setup, start, options, Some(since_start))?;
                Ok((AnyEngine::Individuals(Box::new(engine)), None))
            }
            EngineChoice::Auto => unreachable!("auto is resolved when the host is made"),
        },
        _ => Err(other_model()),
    }
}
