//! A simulation: an engine that runs a preset step by step, with its account.

// First, because rustdoc then shows its methods first.
mod play;

mod account;
mod balance;
mod change;
pub mod checkpoint;
mod copies;
mod engine_host;
pub mod events;
mod individuals;
mod input;
#[cfg(test)]
pub(crate) mod loss_tests;
mod obstacles;
mod points;
pub mod probe;
mod queries;
pub mod replay;
pub mod rollback;
mod run_in;
pub mod snapshot;
mod steering;
mod targets;
mod travel;
mod undo;

pub use crate::engine::WORKGROUP;
pub use account::Account;
pub use input::{Input, MAX_BRUSH_RADIUS, MAX_SPAWNED, Pointer};
pub use run_in::RunIn;

/// All readings that a simulation answers.
pub mod reading {
    pub use super::account::AccountReading;
    pub use super::checkpoint::CheckpointReading;
    pub use super::copies::StateHashReading;
    pub use super::probe::{IndividualProbeReading, ProbeReading};
    pub use super::replay::ReplayReading;
    pub use crate::falcons::FalconsReading;
    pub use crate::individuals::deposit::DepositReading;
    pub use crate::individuals::feature::FeatureReading;
    pub use crate::lives::measures::PopulationReading;
    pub use crate::measures::MeasuresReading;
    pub use crate::measures::liveliness::LivelinessReading;
    pub use crate::overlap::OverlapReading;
    pub use crate::points::PointsReading;
    pub use crate::state::sums::SumsReading;
    pub use crate::state::{DensityReading, StateReading, SwarmReading};
    pub use crate::ticket::{Reading, ReadingSource, Ticket};
    pub use crate::world::endless::PlaceSumsReading;
}

use crate::cells::numbers::Rules;
use crate::chain::Chain;
use crate::chain::plan::{Plan, THE_PRESET, name_of};
use crate::chain::table::Model;
use crate::engine::{Dispatch, EngineConfig, GpuDevice, cpu};
use crate::error::{BadInput, Failure};
use crate::look::colour_vector;
use crate::numbers::{BOID, RULE_ONE};
use crate::preset::{IndividualsStart, Preset};
use crate::ranks::{SharedInput, check_shared_inputs};
use crate::species::SpeciesRules;
use crate::state::fields::pieces_around;
use crate::state::{Entry, Ledger, State, Swarm};
use crate::world::targets::Targets;
use crate::world::{Hunter, HunterKind, MAX_JAWS, Mood, Slab, World, memory};
use engine_host::EngineHost;
use obstacles::ObstacleLayer;
use replay::Replay;
use std::any::Any;
use std::str::FromStr;
use std::sync::Arc;
use travel::Travel;
use undo::UndoPoint;

/// The number of steps whose parameters are computed at a time.
const STEPS_AT_ONCE: u64 = 64;
/// The purpose of the random numbers of kernels.
const KERNEL_PURPOSE: u32 = 0xce11;

/// The choice of an engine.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum EngineChoice {
    /// The GPU if there is a hardware GPU, else the CPU.
    Auto,
    /// The CPU, with these options.
    Cpu(cpu::Options),
    /// Any graphics adapter, including software adapters.
    Gpu(Dispatch),
}

impl FromStr for EngineChoice {
    type Err = BadInput;

    /// The engine of a name: `auto`, `cpu` or `gpu`.
    fn from_str(name: &str) -> Result<Self, BadInput> {
        match name {
            "auto" => Ok(Self::Auto),
            "cpu" => Ok(Self::Cpu(cpu::Options::default())),
            "gpu" => Ok(Self::Gpu(Dispatch::default())),
            _ => Err(BadInput::new("engine", format!("`{name}` is no engine"), "use auto, cpu or gpu")),
        }
    }
}

/// A running preset. Every method that returns a [`Failure`] fails if the engine's device fails.
pub struct Simulation {
    preset: Preset,
    chain: Chain,
    /// For each species: the weights (Q10) of the control vectors, in the order of the plan, and the index of the
    /// hunter's weight.
    weights: Vec<(Vec<i32>, Option<usize>)>,
    engine: EngineHost,
    /// The work of recent steps in each slice of a deep lattice, on all ranks; empty with a single rank. The unit is
    /// the work of a resting cell.
    loads: Vec<u64>,
    /// The engine of [`probe`], which the first probe makes.
    probing: Option<probe::ProbeEngine>,
    /// The ledger without the turnover of the present engine.
    ledger: Ledger,
    /// The count of numbers that individuals were given before the ledger began, including individuals that died in the
    /// run-in.
    numbers_before: u64,
    /// The player's hunter and its jaws.
    pointer: Option<Pointer>,
    jaws: u32,
    /// Whether a player has ever hunted. The plan then has the passes of a player's hunter.
    has_player: bool,
    /// Whether pictures need points.
    keeps_points: bool,
    /// The steps of the unfinished run-in; 0: step 0 is reached.
    run_in: u64,
    undo: Vec<Arc<UndoPoint>>,
    obstacles: ObstacleLayer,
    targets: Targets,
    /// The run up to now, without the hash at its end. `None`: the run was resumed from a checkpoint without a record,
    /// or a program set its velocities.
    record: Option<Replay>,
    /// The number of inputs, including the inputs before the checkpoint from which the run continued.
    inputs: u64,
    /// The step of the checkpoint from which the run continued.
    resumed_at: Option<u64>,
    /// The maximum number of individuals for which sums over neighbours do not overflow; 0 for cells.
    most_individuals: usize,
    /// The check that ends a run early; `None`: no check.
    stop: Option<StopCheck>,
    /// The recent places of the school of an endless world.
    travel: Option<Travel>,
    /// The number of boids a cell that is white in frames of density; `None`: no such frame was written. Checkpoints
    /// keep this number, so that later frames have an equal scale.
    pub frame_scale: Option<u32>,
}

/// A function that returns whether a run is to end. It is called often, from any thread. After it has returned true, it
/// must always return true.
pub type StopCheck = Arc<dyn Fn() -> bool + Send + Sync>;

impl Simulation {
    /// The preset with all later settings.
    pub fn preset(&self) -> &Preset {
        &self.preset
    }

    /// The chain of the run.
    pub fn chain(&self) -> &Chain {
        &self.chain
    }

    /// The plan of the lattice; `None` for individuals.
    pub fn plan(&self) -> Option<&Arc<Plan>> {
        match &self.engine.config {
            EngineConfig::Cells { plan, .. } => Some(plan),
            EngineConfig::Individuals { .. } => None,
        }
    }

    /// The player's hunter; `None`: no player hunts.
    pub fn pointer(&self) -> Option<&Pointer> {
        self.pointer.as_ref()
    }

    /// The reach of the jaws of the player's hunter, in cells; 0: the hunter catches no boids.
    pub fn jaws(&self) -> u32 {
        self.jaws
    }

    /// The number of inputs up to now, including the inputs before the checkpoint from which the run continued. Inputs
    /// are moves of the player's hunter, strokes of brushes and changed keys, for example.
    pub fn inputs(&self) -> u64 {
        self.inputs
    }

    /// The step of the checkpoint from which the run continued; `None`: the run began with the preset's start.
    pub fn resumed_at(&self) -> Option<u64> {
        self.resumed_at
    }

    /// The engine in use; never `Auto`.
    pub fn choice(&self) -> EngineChoice {
        self.engine.choice
    }

    /// The name of the engine: `cpu` or `gpu`.
    pub fn engine_name(&self) -> &'static str {
        if self.engine.gpu.is_some() { "gpu" } else { "cpu" }
    }

    /// Remarks for the user about the engine since the last call: the loss of a device, and the engine that continues.
    pub fn remarks(&mut self) -> Vec<String> {
        std::mem::take(&mut self.engine.remarks)
    }

    /// Updates the textures and buffers of pictures to the present step, if steps do not update them. A lost device is
    /// replaced.
    ///
    /// # Errors
    /// If the device fails and no engine can continue.
    pub fn show(&mut self) -> Result<(), Failure> {
        self.engine.show()
    }

    /// The data on the engine's device that pictures use instead of a state in memory (see
    /// [`on_device`](crate::engine::Engine::on_device)).
    pub fn on_device(&self) -> Option<Arc<dyn Any + Send + Sync>> {
        self.engine.engine.common().on_device()
    }

    /// The device of the GPU engine, for tests that lose it.
    #[doc(hidden)]
    pub fn gpu(&self) -> Option<&Arc<dyn GpuDevice>> {
        self.engine.gpu.as_ref()
    }

    /// The number of times that an engine was made for this simulation, and the number of times that the engine took
    /// another plan, other cuts between ranks or another setup of individuals. A changed number does neither.
    pub fn preparations(&self) -> [u64; 2] {
        self.engine.preparations
    }

    /// The seconds that each pass took in a recent step, by kernel; empty if unknown.
    pub fn seconds_by_pass(&self) -> Vec<(&str, f64)> {
        let seconds = self.engine.engine.common().seconds_by_pass();
        if self.chain.model == Model::Individuals {
            let names: Vec<&str> = match &self.engine.gpu {
                Some(_) => self.chain.passes.iter().map(|pass| pass.kernel.name.as_str()).collect(),
                None => self.chain.phases().collect(),
            };
            return names.into_iter().zip(seconds).collect();
        }
        let Some(plan) = self.plan() else { return Vec::new() };
        let names = plan.phases[0].iter().map(|pass| plan.kernels[pass.kernel].name.as_str());
        names.zip(seconds).collect()
    }

    /// A description of the engine and its device, for the user.
    pub fn describe_engine(&self) -> String {
        self.engine.engine.common().describe()
    }
}

impl Simulation {
    /// Starts without a run-in. `state` replaces the preset's start if given.
    fn begin(preset: Preset, chain: &Chain, choice: EngineChoice, state: Option<State>) -> Result<Self, Failure> {
        let ranks = preset.host().ranks();
        let record = Replay::new(&preset, chain);
        let effective = record.effective.clone().unwrap_or_default();
        let input = SharedInput::new(format!("the preset `{}`", preset.name), effective);
        check_shared_inputs(&*ranks, &[input], "give all ranks the same preset, settings, chain and files")?;
        let slab = Slab::of_rank(preset.world.extents, &*ranks);
        memory::check(slab.extents(), memory::RUN * preset.species.len().max(1) as u64, preset.host().free_memory())
            .map_err(|problem| preset.too_large(problem))?;
        check_models(chain, &preset)?;
        let (swarm, config, most_individuals) = first_swarm(&preset, chain, &slab, state)?;
        let engine =
            EngineHost::new(preset.host().clone(), choice, config, &swarm).map_err(|failure| match failure {
                Failure::BadInput(wrong) => preset.locate(wrong).into(),
                other => other,
            })?;
        let mut present = swarm.present();
        if swarm.is_in(&slab) && !slab.is_whole() {
            present = present.sum_over(&*ranks)?;
        }
        let ledger = Ledger::begin(&present);
        let mut simulation = Self {
            travel: Travel::begin(&swarm, &preset),
            most_individuals,
            record: Some(record),
            inputs: 0,
            resumed_at: None,
            preset,
            chain: chain.clone(),
            engine,
            probing: None,
            numbers_before: ledger.sum(Entry::Start) / u64::from(BOID),
            ledger,
            pointer: None,
            jaws: 0,
            has_player: false,
            keeps_points: false,
            run_in: 0,
            undo: Vec::new(),
            obstacles: ObstacleLayer::default(),
            targets: Targets::default(),
            weights: Vec::new(),
            loads: Vec::new(),
            stop: None,
            frame_scale: None,
        };
        simulation.take_weights();
        Ok(simulation)
    }

    /// Prepares the engine for a player's hunter, which may appear at any step.
    ///
    /// # Errors
    /// If the device fails, and no other engine can continue.
    pub fn expect_player(&mut self) -> Result<(), Failure> {
        self.admit_player()
    }

    /// Requests a copy of the present swarm without waiting. Returns whether the copy is ready. If it is ready, an
    /// input need not wait, even in a web page. If it is not ready, run no step until this function returns true.
    ///
    /// # Errors
    /// If the device fails, and no other engine can continue.
    pub fn keep_soon(&mut self) -> Result<bool, Failure> {
        self.engine.keep_soon()
    }

    /// Adds the passes of a player's hunter to the plan, if necessary. Individuals need none.
    fn admit_player(&mut self) -> Result<(), Failure> {
        if !self.has_player && self.preset.individuals.is_none() {
            self.has_player = true;
            self.rebuild().inspect_err(|_| self.has_player = false)?;
        }
        Ok(())
    }

    /// Takes the weights of the plan, but the hunter's weight of the preset, because the plan may have a higher weight
    /// for a player's hunter.
    fn take_weights(&mut self) {
        let Some(plan) = self.plan() else { return };
        let all = plan.layers.iter().map(|layer| &layer.weights);
        let of_species = |(species, weights): (usize, &Vec<(String, i32)>)| {
            let hunter = weights.iter().position(|(name, _)| name == "hunter");
            let mut weights: Vec<i32> = weights.iter().map(|(_, weight)| *weight).collect();
            if let Some(hunter) = hunter {
                let rules = self.preset.species.get(species).map_or(&self.preset.rules, |species| &species.own.rules);
                let own = rules.weights.get("hunter").or(self.chain.weights.get("hunter"));
                weights[hunter] = own.copied().unwrap_or(0);
            }
            (weights, hunter)
        };
        self.weights = all.enumerate().map(of_species).collect();
    }

    /// The rules and the world for the plan, with a hunter and jaws if a player may hunt.
    fn planned_for(&self) -> (Rules, World) {
        let (mut rules, mut world) = (self.preset.rules.clone(), self.preset.world.clone());
        if self.has_player {
            let (kind, mood) = (HunterKind::Player, Mood::Flee);
            world.hunters.push(Hunter { kind, mood, reach: 1, jaws: MAX_JAWS });
            let weight = rules.weights.entry("hunter".into()).or_insert(0);
            if *weight == 0 {
                *weight = RULE_ONE;
            }
        }
        (rules, world)
    }

    /// The config of an engine for the present preset.
    fn config(&self) -> Result<EngineConfig, Failure> {
        check_models(&self.chain, &self.preset)?;
        if self.chain.model == Model::Individuals {
            return Ok(self.individuals_config()?);
        }
        let (rules, world) = self.planned_for();
        let plan = plan(&self.chain, &self.preset, &rules, &world)?;
        // Slabs become even again if one is thinner than the reach of a rule.
        let around = pieces_around(plan.reach as usize);
        let cuts = self.engine.config.cuts().filter(|cuts| cuts.thinnest() as usize >= around).cloned();
        Ok(EngineConfig::Cells { plan, rules: engine_rules(&self.preset, &rules), world: World { cuts, ..world } })
    }

    /// Continues the swarm with a new plan.
    fn rebuild(&mut self) -> Result<(), Failure> {
        self.take_config(self.config()?)
    }

    /// Continues the swarm with a new config.
    fn take_config(&mut self, config: EngineConfig) -> Result<(), Failure> {
        let before = self.engine.preparations;
        self.engine.change(config)?;
        if self.engine.preparations != before {
            self.probing = None;
        }
        self.take_weights();
        Ok(())
    }
}

/// The swarm before the first step, the config of its engine, and the maximum number of individuals for which sums over
/// neighbours do not overflow (0 for cells). `state`: replaces the start of the preset; it is of the whole world or of
/// the slab.
fn first_swarm(
    preset: &Preset,
    chain: &Chain,
    slab: &Slab,
    state: Option<State>,
) -> Result<(Swarm, EngineConfig, usize), Failure> {
    if chain.search.is_none() {
        let plan = plan(chain, preset, &preset.rules, &preset.world)?;
        let rules = engine_rules(preset, &preset.rules);
        let state = state.map_or_else(|| preset.start_in(slab), Ok)?;
        return Ok((Swarm::Cells(state), EngineConfig::Cells { plan, rules, world: preset.world.clone() }, 0));
    }
    let of = IndividualsStart::new(preset).map_err(|wrong| preset.locate(wrong))?;
    let most = of.units[0].units.most();
    let config = individuals::config(preset, chain, of.units, of.habitat);
    Ok((Swarm::Individuals(of.start, of.columns), config, most))
}

/// Checks that a chain and a preset have equal models.
///
/// # Errors
/// If the models differ.
pub fn check_models(chain: &Chain, preset: &Preset) -> Result<(), BadInput> {
    let (of_chain, of_preset) = (chain.model.name(), preset.model());
    if of_chain == of_preset {
        return Ok(());
    }
    let problem =
        format!("the chain's model is \"{of_chain}\", and that of the preset `{}` \"{of_preset}\"", preset.name);
    let cure = format!("take a chain with model = \"{of_preset}\", such as {}", preset.default_chain());
    if preset.chain.as_ref() == Some(&chain.named) {
        return Err(preset.locate(BadInput::new(THE_PRESET, problem, cure).at_key("chain")));
    }
    Err(BadInput::new(&chain.origin, problem, cure))
}

/// The plan of a preset of cells, with one species or several. `rules` may have a weight for a player's hunter that the
/// preset lacks.
///
/// # Errors
/// The errors of [`Plan::new`] and [`Plan::of_species`].
pub fn plan(chain: &Chain, preset: &Preset, rules: &Rules, world: &World) -> Result<Arc<Plan>, BadInput> {
    let mut species: Vec<SpeciesRules> = preset.species.iter().map(|species| species.own.clone()).collect();
    for own in &mut species {
        let hunter = rules.weights.get("hunter").filter(|_| own.rules.weights.get("hunter").unwrap_or(&0) == &0);
        own.rules.weights.extend(hunter.map(|weight| ("hunter".to_string(), *weight)));
    }
    if let [only] = species.as_mut_slice() {
        only.rules = rules.clone();
    }
    let names: Vec<&str> = preset.species.iter().map(|species| species.name.as_str()).collect();
    let plan = match species.as_slice() {
        [] => Plan::new(chain, rules, world),
        own => Plan::of_species(preset.host().library(), chain, &names, own, world),
    };
    let colours: Vec<_> = preset.species.iter().map(|species| colour_vector(species.colour)).collect();
    let colours = if colours.len() > 1 { colours } else { Vec::new() };
    plan.map(|plan| Arc::new(Plan { colours, ..plan })).map_err(|wrong| preset.locate(wrong))
}

/// The rules for the engine of a preset: `rules`, with the sights of further species under their names in the plan.
pub fn engine_rules(preset: &Preset, rules: &Rules) -> Rules {
    let mut all = rules.clone();
    for (number, species) in preset.species.iter().enumerate().skip(1) {
        let own = species.own.rules.sights.iter();
        all.sights.extend(own.map(|(name, sight)| (name_of(name, number), sight.clone())));
        // All species share one shader, so one flag for noise suffices.
        if !all.noise.is_any() {
            all.noise = species.own.rules.noise;
        }
    }
    all
}
