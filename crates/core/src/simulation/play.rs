//! Runs the steps of a simulation, and reads its swarm.

use super::engine_host::MAX_LOSSES;
use super::{Account, EngineChoice, KERNEL_PURPOSE, STEPS_AT_ONCE, Simulation, StopCheck};
use crate::cells::numbers::Parameters;
use crate::chain::Chain;
use crate::engine::{AnyEngine, CellSteps, EngineConfig, Progress, Steps, TotalsReading};
use crate::error::{BadInput, Failure};
use crate::numbers::random::word_of_seed;
use crate::preset::Preset;
use crate::simulation::reading::{AccountReading, StateHashReading};
use crate::state::{State, StateReading, Swarm, SwarmReading};
use crate::ticket::{Patience, Reading, ReadingSource, Ticket};
use crate::world::{HunterNumbers, HuntersOfStep};

/// Running steps, and reading the present swarm.
impl Simulation {
    /// Starts a preset with a chain on an engine, and runs the steps before step 0 (the run-in).
    ///
    /// # Errors
    /// If chain and preset do not fit each other, or a kernel does not compile or needs another engine. If the memory
    /// of the device or of the system is too small for the lattice.
    pub fn new(preset: Preset, chain: &Chain, choice: EngineChoice) -> Result<Self, Failure> {
        Self::new_with(preset, chain, choice, &mut |_| {})
    }

    /// Runs `steps` steps, or fewer if the run is stopped (see [`Self::stop_when`]). [`Self::step`] returns the number
    /// of the last step. Waits while the queue of the device is full.
    ///
    /// # Errors
    /// If the number of steps overflows, or the device fails.
    pub fn advance(&mut self, steps: u64) -> Result<(), Failure> {
        self.advance_patiently(steps, Patience::Wait)
    }

    /// The sums over the swarm, compared with its ledger.
    ///
    /// # Errors
    /// If the device fails.
    pub fn account(&mut self) -> Result<Account, Failure> {
        self.read(AccountReading)
    }

    /// The hash of the present swarm (`docs/formats.md`, State hash).
    ///
    /// # Errors
    /// If the device fails.
    pub fn state_hash(&mut self) -> Result<String, Failure> {
        self.read(StateHashReading)
    }

    /// The state of the lattice. For individuals, each individual adds one boid and its velocity to its cell.
    ///
    /// # Errors
    /// If the device fails.
    pub fn state(&mut self) -> Result<State, Failure> {
        self.read(StateReading)
    }

    /// A copy of the whole present swarm.
    ///
    /// # Errors
    /// If the device fails.
    pub fn swarm(&mut self) -> Result<Swarm, Failure> {
        self.read(SwarmReading)
    }

    /// Requests a reading of the present swarm and waits for its value.
    ///
    /// # Errors
    /// If the simulation refuses the reading, or the device fails and no other engine can continue.
    pub fn read<R: Reading>(&mut self, reading: R) -> Result<R::Value, Failure>
    where
        Self: ReadingSource<R>,
    {
        let mut losses = 0;
        loop {
            let read = self.request(reading.clone()).and_then(|ticket| {
                self.collect(Patience::Wait)?;
                ticket.wait()
            });
            match read {
                // Without a recovery point no other engine can replace the lost one. With several ranks, other ranks
                // would not repeat the request.
                Err(Failure::Device(_)) if losses < MAX_LOSSES && self.engine.kept.is_some() => self.recover()?,
                read => return read,
            }
            losses += 1;
        }
    }

    /// Requests a reading of the present swarm, without waiting for its value.
    ///
    /// # Errors
    /// If the simulation refuses the reading, or the device fails. If the device fails later, waiting for the ticket
    /// fails, and [`Self::recover`] replaces the engine.
    pub fn request<R: Reading>(&mut self, reading: R) -> Result<Ticket<R::Value>, Failure>
    where
        Self: ReadingSource<R>,
    {
        ReadingSource::request(self, reading)
    }

    /// Makes a new engine if the device is lost.
    ///
    /// # Errors
    /// If no other engine can continue.
    pub fn recover(&mut self) -> Result<(), Failure> {
        self.end_probe();
        self.engine.read(TotalsReading).map(drop)
    }

    /// Runs up to `steps` steps, as many as the queue of the engine takes, without waiting for room. [`Self::step`]
    /// returns the number of the last step. An endless world waits in two cases: every few steps for the mean place of
    /// its individuals, and for all individuals if its window moves.
    ///
    /// # Errors
    /// The errors of [`Self::advance`].
    pub fn try_advance(&mut self, steps: u64) -> Result<(), Failure> {
        self.advance_patiently(steps, Patience::Poll)
    }

    /// Waits until a GPU has finished all steps. An engine on the CPU has always finished them.
    ///
    /// # Errors
    /// If the device fails.
    pub fn wait(&mut self) -> Result<(), Failure> {
        self.engine.wait()
    }

    /// [`Self::advance`] ends early when `is_wanted` returns true. If possible, the step under way is then undone, and
    /// the swarm is as after the last complete step.
    pub fn stop_when(&mut self, is_wanted: StopCheck) {
        self.stop = Some(is_wanted);
    }

    /// Replaces the present swarm by an earlier copy. The ledger begins anew. Benchmarks use it to measure the same
    /// steps several times.
    ///
    /// # Errors
    /// If the device fails.
    pub fn put_back(&mut self, swarm: &Swarm) -> Result<(), Failure> {
        self.put(swarm)?;
        self.begin_ledger(swarm)
    }

    /// The number of steps that the swarm has made.
    pub fn step(&self) -> u64 {
        self.engine.step
    }

    pub(super) fn advance_patiently(&mut self, steps: u64, patience: Patience) -> Result<(), Failure> {
        let end = self.engine.step.checked_add(steps).ok_or_else(|| {
            BadInput::new("the steps", format!("{steps} more are more than can be counted"), "play fewer")
        })?;
        while self.engine.step < end {
            let last = (self.engine.step + STEPS_AT_ONCE).min(self.next_look()).min(self.next_balance());
            let steps = self.steps_to(end.min(last));
            let stop = self.stop.clone();
            let Progress { steps: played, is_stopped } =
                self.engine.play(&steps, stop.as_deref().map(|is_wanted| is_wanted as _))?;
            if let Some(record) = &mut self.record {
                record.steps += played as u64;
            }
            if played > 0 {
                self.follow_school()?;
                self.balance()?;
            }
            if is_stopped || played == 0 && patience == Patience::Poll {
                break;
            }
            if played < steps.len() && patience == Patience::Wait {
                self.engine.wait_for_queue()?;
            }
        }
        Ok(())
    }

    /// The parameters of the steps from the present one up to `end`.
    fn steps_to(&self, end: u64) -> Steps {
        let steps = self.engine.step..end;
        match &self.engine.config {
            EngineConfig::Cells { plan, .. } => Steps::Cells(CellSteps {
                parameters: steps.flat_map(|step| self.cell_parameters(step)).collect(),
                layers: plan.layers.len(),
            }),
            EngineConfig::Individuals { setup, .. } => {
                Steps::Individuals(steps.map(|step| self.individual_parameters(&setup.species, step)).collect())
            }
        }
    }

    /// The parameters of each species for the step that follows `step` steps. They contain the player's hunter.
    pub(super) fn cell_parameters(&self, step: u64) -> impl Iterator<Item = Parameters> {
        let Preset { rules, world, species, seed, .. } = &self.preset;
        let all = [rules].into_iter().chain(species.iter().skip(1).map(|species| &species.own.rules));
        let hunters = self.hunters_at(step);
        let pointer = self.pointer;
        all.zip(&self.weights).enumerate().map(move |(index, (rules, (weights, hunter_weight)))| {
            let mut parameters = Parameters::new(rules, world, weights, step);
            parameters.set_hunters(hunters.as_slice());
            parameters.own_species = index as u32;
            parameters.seed = word_of_seed(species.get(index).map_or(*seed, |own| own.seed), KERNEL_PURPOSE);
            if let Some(hunter) = *hunter_weight {
                let own = parameters.weights[hunter];
                parameters.weights[hunter] =
                    pointer.map_or_else(|| self.weight_of_hunters(index, own), |own| own.weight);
            }
            parameters
        })
    }

    /// The hunters in the step that follows `step` steps: the hunters of the preset or of the player, and the targets
    /// of a game.
    pub(super) fn hunters_at(&self, step: u64) -> HuntersOfStep {
        let mut hunters = self.preset.world.hunters_at(step, self.players_hunter());
        self.targets.add_to(&mut hunters, step);
        hunters
    }

    /// The player's hunter with its jaws; `None`: the player does not hunt.
    pub(super) fn players_hunter(&self) -> Option<HunterNumbers> {
        self.pointer.as_ref().map(|pointer| HunterNumbers {
            place: pointer.place.to_vector(),
            is_column: pointer.place.is_column().into(),
            reach: pointer.reach as i32,
            towards: pointer.mood.towards(),
            jaws: self.jaws as i32,
            ..bytemuck::Zeroable::zeroed()
        })
    }
}

impl<R: Reading> ReadingSource<R> for Simulation
where
    AnyEngine: ReadingSource<R>,
{
    fn request(&mut self, reading: R) -> Result<Ticket<R::Value>, Failure> {
        self.engine.request(reading)
    }
}
