//! A swarm under way: a preset played by an engine, step by step, with its account.

use crate::chain::Chain;
use crate::chain::plan::Plan;
use crate::engine::gpu::{Adapters, Gpu, GpuEngine, has_hardware};
use crate::engine::{Engine, cpu};
use crate::error::Failure;
use crate::kernels::parameters::Parameters;
use crate::preset::Preset;
use crate::shader::Dispatch;
use crate::state::{Ledger, State};
use std::sync::Arc;

/// The workgroup of a compute dispatch where none is asked for.
pub const WORKGROUP: [u32; 2] = [64, 1];
/// Steps whose parameters are worked out at a time.
const STEPS_AT_ONCE: u64 = 64;

/// Which engine is to play.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum EngineChoice {
    /// The GPU where there is a real one, else the CPU.
    Auto,
    Cpu(cpu::Options),
    /// Any adapter, a software one too.
    Gpu(Dispatch),
}

/// A preset under way.
pub struct Simulation {
    preset: Preset,
    plan: Arc<Plan>,
    engine: Box<dyn Engine>,
    engine_name: &'static str,
    dispatch: Option<Dispatch>,
    ledger: Ledger,
    step: u64,
}

/// The sum of the swarm at a step, against its ledger.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Account {
    /// Quanta now.
    pub quanta: u64,
    pub ledger: Ledger,
    /// Quanta that are missing; negative where there are too many.
    pub lost: i64,
}

impl Simulation {
    /// Begins a preset with a chain on an engine.
    pub fn new(preset: Preset, chain: &Chain, choice: EngineChoice) -> Result<Self, Failure> {
        let plan = Arc::new(Plan::new(chain, &preset.rules, &preset.world).map_err(|wrong| preset.locate(wrong))?);
        let choice = match choice {
            EngineChoice::Auto if has_hardware() => EngineChoice::Gpu(Dispatch::Compute { workgroup: WORKGROUP }),
            EngineChoice::Auto => EngineChoice::Cpu(cpu::Options::default()),
            chosen => chosen,
        };
        let Preset { rules, world, start, .. } = &preset;
        let (engine, engine_name, dispatch): (Box<dyn Engine>, _, _) = match choice {
            EngineChoice::Gpu(dispatch) => {
                let gpu = Arc::new(Gpu::open(Adapters::Any, world.extents)?);
                (Box::new(GpuEngine::new(gpu, plan.clone(), rules, world, start, dispatch)?), "gpu", Some(dispatch))
            }
            EngineChoice::Cpu(options) => {
                (Box::new(cpu::CpuEngine::new(plan.clone(), rules, world, start, options)?), "cpu", None)
            }
            EngineChoice::Auto => unreachable!("auto was resolved above"),
        };
        let ledger = Ledger { start: start.total(), ..Ledger::default() };
        Ok(Self { preset, plan, engine, engine_name, dispatch, ledger, step: 0 })
    }

    /// Plays this many steps.
    pub fn advance(&mut self, steps: u64) -> Result<(), Failure> {
        let weights = self.plan.weights();
        let end = self.step + steps;
        let mut batch = Vec::with_capacity(STEPS_AT_ONCE.min(steps) as usize);
        while self.step < end {
            let next = end.min(self.step + STEPS_AT_ONCE);
            batch.clear();
            batch.extend(
                (self.step..next).map(|step| Parameters::new(&self.preset.rules, &self.preset.world, &weights, step)),
            );
            self.engine.play(&batch)?;
            self.step = next;
        }
        Ok(())
    }

    /// Sums the density and compares it with the ledger.
    pub fn account(&mut self) -> Result<Account, Failure> {
        let quanta = self.engine.total()?;
        let ledger = self.ledger()?;
        Ok(Account { quanta, ledger, lost: ledger.lost(quanta) })
    }

    /// What there was, what came, and what was caught up to now.
    pub fn ledger(&mut self) -> Result<Ledger, Failure> {
        Ok(Ledger { caught: self.ledger.caught + self.engine.caught()?, ..self.ledger })
    }

    /// The whole state.
    pub fn state(&mut self) -> Result<State, Failure> {
        self.engine.state()
    }

    /// Steps made so far.
    pub fn step(&self) -> u64 {
        self.step
    }

    pub fn preset(&self) -> &Preset {
        &self.preset
    }

    pub fn plan(&self) -> &Plan {
        &self.plan
    }

    /// `cpu` or `gpu`.
    pub fn engine_name(&self) -> &'static str {
        self.engine_name
    }

    /// How the GPU engine runs its passes; `None` on the CPU.
    pub fn dispatch(&self) -> Option<Dispatch> {
        self.dispatch
    }

    /// What the engine runs on, for people.
    pub fn describe_engine(&self) -> String {
        self.engine.describe()
    }
}
