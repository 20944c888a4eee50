//! Replays: a preset, and every input with its step. From a replay, any engine computes the recorded final state.
//!
//! A replay is a JSON object. It has `version` (2), the preset with its overrides and the contents of its pictures and
//! arrays, and the chain with the text of its files. `program` is the version of the recording program, and `effective`
//! the effective hash of preset and chain. The `events` are inputs, each with the number of `steps` since the previous
//! input. The `steps` after the last event and the `state_hash` at the end follow. A replay contains all files that it
//! needs, except files that were too long: it has only their hashes.

use super::undo::MAX_UNDONE;
use super::{EngineChoice, Input, Simulation};
use crate::chain::Chain;
use crate::engine::platform::SharedHost;
use crate::error::{BadInput, Failure};
use crate::host::contents::Texts;
use crate::host::file_path::FilePath;
use crate::numbers::BOID;
use crate::preset::{Preset, PresetSource};
use crate::simulation::reading::StateHashReading;
use crate::state::MAX_INDIVIDUALS;
use crate::text::one_line;
use crate::ticket::{Patience, ReadingSource, Ticket, reading};
use crate::world::memory;
use serde::{Deserialize, Serialize};

const VERSION: u32 = 2;
const PROGRAM: &str = env!("CARGO_PKG_VERSION");
/// The text shown if preset and chain have another effective hash than a link or a replay recorded.
pub const CHANGED: &str = "changed, or of another version of the preset";
/// The most bytes of a replay file.
pub const MAX_REPLAY_BYTES: u64 = 1 << 28;

/// An input, and the number of steps before it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Event {
    /// Steps since the previous input.
    pub steps: u64,
    /// The input.
    pub input: Input,
}

/// A run from its start.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Replay {
    version: u32,
    /// The version of the recording program; `None` for older replays.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub program: Option<String>,
    /// The effective hash of preset and chain at the recording ([`Preset::effective_hash`]); `None` for older replays.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub effective: Option<String>,
    /// The preset before the first input.
    pub preset: PresetSource,
    /// The chain, by name or path.
    pub chain: FilePath,
    /// The files of the chain at the recording.
    #[serde(default, skip_serializing_if = "Texts::is_empty")]
    pub files: Texts,
    /// All inputs in order, each with the steps before it.
    pub events: Vec<Event>,
    /// Steps after the last event.
    pub steps: u64,
    /// The hash of the state after the last step, in hex.
    pub state_hash: String,
}

reading! {
    /// The run up to now, with the hash of its last state. A run that was resumed from a checkpoint has no start and is
    /// refused.
    ReplayReading -> Replay
}

impl ReadingSource<ReplayReading> for Simulation {
    fn request(&mut self, _: ReplayReading) -> Result<Ticket<Replay>, Failure> {
        let problem = "a run that was resumed from a checkpoint, or whose velocities a program has set, \
                       has no beginning to be replayed from";
        let resumed = || BadInput::new("replay", problem, "save a checkpoint instead");
        let run = self.record.clone().ok_or_else(resumed)?;
        Ok(self.request(StateHashReading)?.map(move |state_hash| Replay { state_hash, ..run }))
    }
}

impl Simulation {
    /// The run up to now, without the hash of its last state; `None`: the run was resumed from a checkpoint without a
    /// record, or a program set its velocities.
    pub fn record(&self) -> Option<&Replay> {
        self.record.as_ref()
    }

    /// Sets the record of a run that was resumed from a checkpoint. `record`: the value of [`Self::record`] when the
    /// checkpoint was saved. Returns false and changes nothing if the checkpoint has another number of inputs.
    pub fn restore_record(&mut self, record: Replay) -> bool {
        let is_own = record.events.len() as u64 == self.inputs;
        if is_own {
            self.record = Some(record);
        }
        is_own
    }

    pub(super) fn log(&mut self, input: Input) {
        self.inputs += 1;
        if let Some(record) = &mut self.record {
            let steps = std::mem::take(&mut record.steps);
            record.events.push(Event { steps, input });
        }
    }
}

impl Replay {
    /// A run without steps. Later settings become events.
    pub(super) fn new(preset: &Preset, chain: &Chain) -> Self {
        Self {
            version: VERSION,
            program: Some(PROGRAM.into()),
            effective: Some(preset.effective_hash(chain)),
            preset: preset.source().clone(),
            chain: chain.named.clone(),
            files: chain.files.clone(),
            events: Vec::new(),
            steps: 0,
            state_hash: String::new(),
        }
    }

    /// A run of `steps` steps without inputs, with the hash of its last state.
    pub fn of_steps(preset: &Preset, chain: &Chain, steps: u64, state_hash: String) -> Self {
        Self { steps, state_hash, ..Self::new(preset, chain) }
    }

    /// Reads a replay from its JSON text. `origin`: the name of the text in error messages.
    ///
    /// # Errors
    /// `BadInput` if the text is not a replay.
    pub fn from_json(origin: &str, text: &str) -> Result<Self, BadInput> {
        let cure = "name a file that the program wrote";
        let replay: Self = serde_json::from_str(text).map_err(|error| {
            let problem = format!("is no replay: {}", one_line(&error.to_string()));
            BadInput::new(origin, problem, cure).at_line(error.line())
        })?;
        if replay.version != VERSION {
            let problem = format!("a replay of version {}", replay.version);
            return Err(BadInput::new(origin, problem, format!("this program plays version {VERSION}")));
        }
        Ok(replay)
    }

    /// The reason why the run may end in another state than the recorded state, as a text for users. `None`: this
    /// version of the program recorded the run, and preset and chain are unchanged. `preset` and `chain` are the values
    /// of [`Self::load`].
    pub fn change(&self, preset: &Preset, chain: &Chain) -> Option<String> {
        let program = self.program.as_deref().filter(|program| *program != PROGRAM);
        let is_changed = self.effective.as_ref().is_some_and(|effective| *effective != preset.effective_hash(chain));
        match (program, is_changed) {
            (Some(program), _) => {
                Some(format!("recorded by version {program} of the program, which is {PROGRAM} here"))
            }
            (None, true) => Some(CHANGED.into()),
            (None, false) => None,
        }
    }

    /// The number of steps of the run.
    pub fn total_steps(&self) -> u64 {
        self.events.iter().fold(self.steps, |sum, event| sum.saturating_add(event.steps))
    }

    /// An estimate of the memory that the run needs, in bytes (see [`memory_of`]). `bytes_a_cell`: the memory that the
    /// engine needs for a cell.
    pub fn memory(&self, preset: &Preset, bytes_a_cell: u64) -> u64 {
        memory_of(preset, &self.events, bytes_a_cell)
    }

    /// Makes a simulation at the start of the recorded run, before its first step.
    ///
    /// # Errors
    /// The errors of [`Self::load`] and [`Simulation::new`].
    pub fn begin(&self, host: &SharedHost, choice: EngineChoice) -> Result<Simulation, Failure> {
        let (preset, chain) = self.load(host)?;
        Simulation::new(preset, &chain, choice)
    }

    /// The preset and the chain of the run.
    ///
    /// # Errors
    /// The errors of [`Preset::load`] and [`Chain::load`].
    pub fn load(&self, host: &SharedHost) -> Result<(Preset, Chain), BadInput> {
        let preset = Preset::from_source(host, &self.preset)?;
        Ok((preset, Chain::load_from(host.as_ref(), &self.chain, &mut self.files.clone())?))
    }

    /// Plays the whole run. The caller compares the hash of the result with [`Self::state_hash`].
    ///
    /// # Errors
    /// The errors of [`Self::begin`], or an input is refused or the device fails.
    pub fn play(&self, host: &SharedHost, choice: EngineChoice) -> Result<Simulation, Failure> {
        let mut simulation = self.begin(host, choice)?;
        Playback::default().advance(self, &mut simulation, u64::MAX, Patience::Wait)?;
        Ok(simulation)
    }
}

/// An estimate of the memory that a run with these inputs needs, in bytes. It includes the lattice, all individuals
/// with the spawned ones, and the copies of the swarm that are kept to undo brush strokes. `bytes_a_cell`: the memory
/// that the engine needs for a cell.
pub fn memory_of(preset: &Preset, events: &[Event], bytes_a_cell: u64) -> u64 {
    let inputs = || events.iter().map(|event| &event.input);
    let strokes = inputs().filter(|input| matches!(input, Input::Stroke)).count().min(MAX_UNDONE) as u64;
    let extents = preset.world.extents;
    let lattice = memory::needed(extents, bytes_a_cell);
    if preset.individuals.is_none() {
        return lattice.saturating_add(strokes * memory::needed(extents, memory::SWARM));
    }
    let spawned = inputs().map(|input| if let Input::Spawn { boids, .. } = input { u64::from(*boids) } else { 0 });
    let spawned = spawned.fold(0, u64::saturating_add).min(MAX_INDIVIDUALS as u64);
    let count = spawned + preset.start_spec.quanta() / u64::from(BOID);
    lattice.saturating_add(count.saturating_mul(memory::INDIVIDUAL + strokes * memory::SAVED_INDIVIDUAL))
}

/// The progress of a replay that is played in parts.
#[derive(Debug, Clone, Default)]
pub struct Playback {
    /// The number of applied events.
    applied: usize,
    /// Steps since the last applied event.
    since: u64,
    /// All played steps.
    steps: u64,
}

impl Playback {
    /// Plays up to `steps` further steps of the replay, with their inputs. Returns whether any input was applied. Plays
    /// fewer steps if the simulation is stopped, or with [`Patience::Poll`] if the engine's queue is full.
    ///
    /// # Errors
    /// If an input is refused or the device fails.
    pub fn advance(
        &mut self,
        replay: &Replay,
        simulation: &mut Simulation,
        steps: u64,
        patience: Patience,
    ) -> Result<bool, Failure> {
        let mut left = steps;
        let before = self.applied;
        loop {
            let event = replay.events.get(self.applied);
            let until = event.map_or(replay.steps, |event| event.steps);
            let few = left.min(until - self.since);
            let before_them = simulation.step();
            simulation.advance_patiently(few, patience)?;
            let few = simulation.step() - before_them;
            (left, self.since, self.steps) = (left - few, self.since + few, self.steps + few);
            match event {
                Some(event) if self.since == until => {
                    // Some inputs read the swarm before they change it. A web page cannot wait for a device, so
                    // the input is applied in a later call, when the copy of the swarm is ready.
                    let is_in_page = cfg!(target_family = "wasm") && patience == Patience::Poll;
                    if is_in_page && event.input.reads_swarm() && !simulation.keep_soon()? {
                        return Ok(self.applied > before);
                    }
                    simulation.apply(event.input.clone())?;
                    (self.applied, self.since) = (self.applied + 1, 0);
                }
                _ => return Ok(self.applied > before),
            }
        }
    }

    /// Whether all steps were played and all inputs applied.
    pub fn is_over(&self, replay: &Replay) -> bool {
        self.applied == replay.events.len() && self.since == replay.steps
    }

    /// The number of played steps.
    pub fn steps(&self) -> u64 {
        self.steps
    }
}
