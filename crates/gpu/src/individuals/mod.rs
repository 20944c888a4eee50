//! The individuals on a GPU: the kernels of a chain, with the same bits as on the CPU.
//!
//! Between two steps the individuals lie in the buffer `individuals`, in any order. A step counts the individuals in
//! each cell, and separately the individuals that hunters catch. It scans the counts, and sorts the individuals by
//! cell. Then it steers and moves each individual, and writes it back to `individuals`. Their number stays on the GPU
//! until it is requested.

mod account;
mod bodies;
pub(crate) mod check;
mod deposit;
mod find;
pub(crate) mod memory;
mod place_sums;
mod reading;
pub(crate) mod shader;
mod steps;

pub use bodies::Bodies;
pub use check::{check, check_file};

use crate::cells::StateTextures;
use crate::device::player::{Player, stride_of};
use crate::device::transfer::{self, Words};
use crate::device::{DeviceStepPart, Gpu, ReadingPasses};
use crate::lives::LifeLog;
use crate::parts::{DeviceColumns, Parts, check_columns, parts_of_individuals};
use crate::shader::workgroups::WORKGROUP;
use crate::shader::{ACCOUNT_WORDS, StoredIndividual};
use deposit::Deposit;
use memory::{Memory, obstacle_words};
use murmuration_core::chain::Chain;
use murmuration_core::chain::individuals_plan::IndividualsPlan;
use murmuration_core::engine::{Engine, IndividualsEngine, Progress, Stop};
use murmuration_core::error::{BadInput, Failure};
use murmuration_core::individuals::{IndividualParameters, Setup};
use murmuration_core::numbers::round_shift;
use murmuration_core::state::{Individuals, Ledger, WorldColumns};
use murmuration_core::terrain::Habitat;
use murmuration_core::ticket::Ticket;
use murmuration_core::world::{PLACE_BITS, solids_of};
use shader::KernelConfig;
use std::any::Any;
use std::sync::{Arc, OnceLock};
use steps::IndividualSteps;

/// The maximum absolute value of a velocity component, in the units of `shaders/individuals/candidate.wgsl`. With its
/// bias of 2048 the component then fits in 12 bits.
const MAX_VELOCITY: i32 = 2047;

/// A swarm of individuals on a GPU, and the kernels of a chain that move it.
pub struct GpuIndividuals {
    gpu: Arc<Gpu>,
    chain: Chain,
    plan: IndividualsPlan,
    config: KernelConfig,
    player: Player,
    memory: Memory,
    /// The columns of the world, and the features' parts that are bound to them.
    columns: DeviceColumns,
    parts: Parts,
    /// The number of steps played.
    step: u64,
    /// The number of individuals that were uploaded last. Some may have been caught since.
    begun: usize,
    /// The deposit on the lattice, for pictures and metrics. It is made on request. `None` inside: the device has no
    /// memory for it.
    shown: OnceLock<Option<Arc<StateTextures>>>,
    /// The passes that make the deposit.
    deposit: Option<Deposit>,
    /// Whether the deposit shows the present individuals.
    is_shown: bool,
    passes_of_readings: ReadingPasses,
    /// The log of ended lives, if it was requested.
    life_log: Option<LifeLog>,
}

impl GpuIndividuals {
    /// An engine with these individuals, played by a chain.
    ///
    /// # Errors
    /// If a kernel of the chain runs only on the CPU or is not valid, or the device cannot hold the individuals.
    pub fn new(
        gpu: Arc<Gpu>,
        setup: &Setup,
        start: (&Individuals, &WorldColumns),
        chain: &Chain,
    ) -> Result<Self, Failure> {
        Self::with_workgroup(gpu, setup, start, chain, WORKGROUP)
    }

    /// An engine with workgroups of `workgroup` invocations, from 1 to 256. See [`GpuIndividuals::new`].
    ///
    /// # Errors
    /// As for [`GpuIndividuals::new`].
    pub fn with_workgroup(
        gpu: Arc<Gpu>,
        setup: &Setup,
        (individuals, columns): (&Individuals, &WorldColumns),
        chain: &Chain,
        workgroup: u32,
    ) -> Result<Self, Failure> {
        let plan = IndividualsPlan::new(chain, setup.has_lives, setup.has_predators());
        if !plan.has_shaders() {
            let cure = "take the chain agents-grid, which gives the same bits, or the engine `cpu`";
            return Err(BadInput::of_argument("engine", "gpu", "the octree is searched on the CPU only", cure).into());
        }
        let config = KernelConfig::new(setup, individuals.len(), workgroup.clamp(1, 256));
        let player = Player::new(gpu.clone(), plan.work(individuals.len()), 1, stride_of::<IndividualParameters>());
        let memory = Memory::new(&gpu, &plan, &config, player.parameters(), needed_capacity(individuals), None)?;
        let mut engine = Self {
            gpu,
            chain: chain.clone(),
            plan,
            config,
            player,
            memory,
            columns: DeviceColumns::default(),
            parts: Parts::new(),
            step: 0,
            begun: individuals.len(),
            shown: OnceLock::new(),
            deposit: None,
            is_shown: false,
            passes_of_readings: ReadingPasses::default(),
            life_log: None,
        };
        engine.take_columns(DeviceColumns::default());
        engine.put(individuals, columns, Ledger::default())?;
        Ok(engine)
    }

    /// Makes the passes again, under another config and plan with the same extents, lives and cells of food. Buffers
    /// that keep their sizes keep their contents. `capacity`: the number of individuals and the bound of their numbers.
    /// `None`: both stay, and so do all individuals.
    fn renew(
        &mut self,
        config: KernelConfig,
        plan: IndividualsPlan,
        capacity: Option<[usize; 2]>,
    ) -> Result<(), Failure> {
        debug_assert_eq!(config.space().extents, self.config.space().extents);
        debug_assert_eq!(config.setup.has_lives, self.config.setup.has_lives);
        debug_assert_eq!(config.setup.features.sizes(), self.config.setup.features.sizes());
        self.gpu.touch();
        let parameters = self.player.parameters();
        if capacity.is_some() {
            self.deposit = None;
        }
        let capacity = capacity.unwrap_or([self.memory.most, self.memory.numbers]);
        let memory = Memory::new(&self.gpu, &plan, &config, parameters, capacity, Some(&self.memory))?;
        (self.memory, self.config, self.plan) = (memory, config, plan);
        self.passes_of_readings.clear();
        self.player.set_work(self.plan.work(self.begun));
        // The parts are still bound to the earlier buffers.
        self.take_columns(self.columns.clone());
        self.renew_life_log()
    }

    /// Takes columns of the world, and binds the features' parts to them.
    fn take_columns(&mut self, columns: DeviceColumns) {
        let own = self.memory.individuals();
        self.parts = parts_of_individuals(&self.gpu, &columns, own, &self.config.setup);
        self.columns = columns;
    }

    /// Binds the log of lives to the present buffers, if there is one. Its entries are kept.
    fn renew_life_log(&mut self) -> Result<(), Failure> {
        if let Some(mut before) = self.life_log.take() {
            before.empty(&self.gpu)?;
            self.life_log.insert(self.new_life_log()?).take_over(before);
        }
        Ok(())
    }

    fn new_life_log(&self) -> Result<LifeLog, Failure> {
        let Self { gpu, plan, config, memory, .. } = self;
        LifeLog::new(gpu, memory.most, |signature, log| {
            let own = |name: &str| (name == "life_log").then_some(log);
            memory.pass_beside_plan(gpu, plan, config, signature, own)
        })
    }

    /// Sets the maximum work in one submission, in cell updates. A step with more work is cut between its passes.
    pub fn set_work_per_submission(&mut self, most: u64) {
        self.player.set_work_per_submission(most);
    }

    /// The textures of the deposit. `None`: the device has no memory for them.
    fn shown(&self) -> Option<&Arc<StateTextures>> {
        self.shown.get_or_init(|| deposit::textures(&self.gpu, self.config.space().extents())).as_ref()
    }

    /// The deposit of the present individuals, and its textures. `None`: the device has no memory for it.
    fn deposit(&mut self) -> Result<Option<(&Deposit, &StateTextures)>, Failure> {
        let Some(shown) = self.shown().cloned() else { return Ok(None) };
        let each = bodies::each_of(self.begun, self.gpu.is_software());
        if self.deposit.as_ref().is_none_or(|deposit| deposit.list.each != each) {
            match Deposit::new(&shown, &self.memory, each) {
                Ok(deposit) => self.deposit = Some(deposit),
                Err(Failure::Device(_)) if !self.gpu.is_lost() => {
                    self.shown = OnceLock::from(None);
                    return Ok(None);
                }
                Err(failure) => return Err(failure),
            }
            self.is_shown = false;
        }
        let made = self.deposit.as_ref().zip(self.shown.get().and_then(Option::as_deref));
        if let Some((deposit, shown)) = made
            && !self.is_shown
        {
            deposit.make(shown, self.step)?;
            shown.replace_columns(self.columns.clone());
            self.is_shown = true;
        }
        Ok(made)
    }

    fn parts(&self) -> Vec<&dyn DeviceStepPart> {
        parts_of(&self.parts, &self.life_log)
    }

    fn buffer(&self, name: &str) -> &wgpu::Buffer {
        &self.memory.buffers[name]
    }

    /// Requests the number of individuals, the sums of their food and energy, and the turnover since the engine was
    /// made, in individuals. Each entry has a number for each species. Food is counted under species 0.
    fn account(&self) -> Result<Ticket<Ledger>, Failure> {
        let mut encoder = self.gpu.device.create_command_encoder(&Default::default());
        let mut words = vec![Words::Buffer(self.buffer("account"), 0..4 * ACCOUNT_WORDS)];
        let (counted, totals): (Vec<_>, Vec<_>) =
            self.parts().iter().filter_map(|part| part.encode_count(&mut encoder)).unzip();
        words.extend(counted);
        let species = self.config.setup.species.len();
        self.memory.encode_energy_sum(&mut encoder, species);
        let read = transfer::request(&self.gpu, encoder, &words, "account")?;
        Ok(read.map(move |words| {
            let of_parts = totals.iter().zip(&words[1..]).map(|(totals, words)| totals(words));
            of_parts.fold(account::totals(&words[0], species), |sum, own| sum.plus(&own))
        }))
    }

    fn write(&self, name: &str, words: &[impl bytemuck::NoUninit]) {
        self.gpu.queue().write_buffer(self.buffer(name), 0, bytemuck::cast_slice(words));
    }

    /// Takes a habitat with other obstacles.
    fn take_habitat(&mut self, habitat: Habitat) -> Result<(), Failure> {
        let before = &self.config.setup.habitat;
        if before.solids.is_empty() == habitat.solids.is_empty() || habitat.is_swept() {
            self.gpu.touch();
            self.write("solids", &obstacle_words(&habitat));
            self.config.setup.habitat = habitat;
            return self.gpu.check();
        }
        // The kernels differ with and without solids.
        let mut config = self.config.clone();
        config.setup.habitat = habitat;
        self.renew(config, self.plan.clone(), None)
    }

    /// Writes the individuals, the account and the turnover. All three count individuals.
    fn put(&mut self, individuals: &Individuals, columns: &WorldColumns, turnover: Ledger) -> Result<(), Failure> {
        self.check_individuals(individuals, columns)?;
        let stored = StoredIndividual::store(individuals, self.config.setup.has_lives);
        let account = account::words(individuals, &turnover);
        self.gpu.touch();
        (self.begun, self.is_shown) = (individuals.len(), false);
        self.player.set_work(self.plan.work(individuals.len()));
        self.write("individuals", &stored);
        self.write("account", &account);
        let written = self.columns.write(&self.gpu, columns);
        if written != self.columns {
            self.take_columns(written);
        }
        self.parts.iter().for_each(|part| part.write(&self.gpu, columns, &turnover));
        self.gpu.check()
    }

    /// Checks what the kernels assume: individuals are in the world, and no faster than their units allow.
    fn check_individuals(&self, individuals: &Individuals, columns: &WorldColumns) -> Result<(), Failure> {
        let (setup, space) = (&self.config.setup, self.config.space());
        let (has_lives, units) = (setup.has_lives, setup.units());
        if !individuals.is_empty() && individuals.has_lives() != has_lives {
            return Err(Failure::Broken("only some of the individuals have lives".into()));
        }
        check_columns(columns, setup)?;
        let broken =
            |index: usize, problem| Failure::Broken(format!("individual {} is {problem}", individuals.numbers[index]));
        let is_fast = |velocity: &i32| {
            let units = if units.velocity == 0 { *velocity } else { round_shift(*velocity, units.velocity) };
            units.abs() > MAX_VELOCITY
        };
        for axis in 0..3 {
            let places = 0..(space.extents[axis] as i32) << PLACE_BITS;
            if let Some(index) = individuals.positions[axis].iter().position(|place| !places.contains(place)) {
                return Err(broken(index, "outside of the world"));
            }
            if let Some(index) = individuals.velocities[axis].iter().position(is_fast) {
                return Err(broken(index, "faster than any may be"));
            }
        }
        Ok(())
    }
}

impl Engine for GpuIndividuals {
    fn set_capacities(&mut self, capacities: &[u32]) -> Result<(), Failure> {
        let mut habitat = self.config.setup.habitat.clone();
        habitat.set_solids(solids_of(capacities));
        self.take_habitat(habitat)
    }

    fn show(&mut self) -> Result<(), Failure> {
        self.deposit().map(drop)
    }

    fn on_device(&self) -> Option<Arc<dyn Any + Send + Sync>> {
        Some(self.shown()?.clone())
    }

    fn set_step(&mut self, step: u64) {
        self.is_shown &= self.step == step;
        self.step = step;
    }

    fn queue_space(&mut self) -> Ticket<()> {
        self.player.queue_space()
    }

    fn seconds_by_pass(&self) -> Vec<f64> {
        self.player.seconds_by_pass()
    }

    fn describe(&self) -> String {
        self.gpu.describe("compute")
    }
}

impl IndividualsEngine for GpuIndividuals {
    fn play_until(&mut self, steps: &[IndividualParameters], stop: Stop<'_>) -> Result<Progress, Failure> {
        self.is_shown = false;
        let Self { gpu, plan, player, parts, memory, step, life_log, .. } = self;
        let (mut played, mut is_stopped) = (0, false);
        while played < steps.len() {
            let left = steps.len() - played;
            let count = life_log.as_mut().map_or(Ok(left), |log| log.reserve(gpu, left))?;
            let mut encoder = IndividualSteps { parts: parts_of(parts, life_log), memory, plan };
            let progress = player.play(&steps[played..played + count], stop, &mut encoder)?;
            life_log.iter_mut().for_each(|log| log.add_steps(progress.steps));
            played += progress.steps;
            *step += progress.steps as u64;
            if progress.steps < count {
                is_stopped = progress.is_stopped;
                break;
            }
        }
        Ok(Progress { steps: played, is_stopped })
    }

    fn record_ends(&mut self) -> Result<(), Failure> {
        if self.life_log.is_none() {
            self.life_log = Some(self.new_life_log()?);
        }
        Ok(())
    }

    fn stop_recording(&mut self) {
        self.life_log = None;
    }

    fn set_setup(&mut self, setup: &Setup) -> Result<(), Failure> {
        let config = KernelConfig::new(setup, self.memory.most, self.config.workgroup);
        let plan = IndividualsPlan::new(&self.chain, setup.has_lives, setup.has_predators());
        self.renew(config, plan, None)
    }

    fn set_individuals(&mut self, individuals: &Individuals, columns: &WorldColumns) -> Result<(), Failure> {
        let turnover = self.account()?.wait()?;
        let [most, numbers] = needed_capacity(individuals);
        if most > self.memory.most || numbers > self.memory.numbers {
            let capacity = [most.max(self.memory.most), numbers.max(self.memory.numbers)];
            let config = self.config.clone().with_layout_for(capacity[0]);
            self.renew(config, self.plan.clone(), Some(capacity))?;
        }
        self.put(individuals, columns, turnover)
    }

    fn set_habitat(&mut self, habitat: &Habitat) -> Result<(), Failure> {
        self.take_habitat(habitat.clone())
    }
}

fn parts_of<'a>(parts: &'a Parts, life_log: &'a Option<LifeLog>) -> Vec<&'a dyn DeviceStepPart> {
    parts.iter().map(|part| &**part).chain(life_log.iter().map(|log| log as &dyn DeviceStepPart)).collect()
}

/// The number of individuals, and the upper bound of their numbers.
fn needed_capacity(individuals: &Individuals) -> [usize; 2] {
    [individuals.len(), individuals.numbers.iter().max().map_or(0, |number| *number as usize + 1)]
}
