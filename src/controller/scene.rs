//! Scenes (a preset, its overrides, a chain and an engine), commands of a person, and messages to the person.

use super::pace::Pace;
use crate::link::{Link, LinkedRun};
use murmuration_core::chain::{Chain, DEFAULT};
use murmuration_core::engine::platform::SharedHost;
use murmuration_core::error::{BadInput, Failure};
use murmuration_core::host::contents::Texts;
use murmuration_core::individuals::find::LineOfSight;
use murmuration_core::numbers::Vector3;
use murmuration_core::preset::keys::{self, Value};
use murmuration_core::preset::{Overrides, Preset, PresetSource};
use murmuration_core::simulation::checkpoint::Checkpoint;
use murmuration_core::simulation::replay::Replay;
use murmuration_core::simulation::{EngineChoice, Input, Simulation};
use murmuration_core::text::stem;
use murmuration_core::world::{Extents, MAX_EXTENT, memory};
use std::path::PathBuf;
use std::sync::Arc;

/// Files that a run can be saved as.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SaveKind {
    /// The run from its beginning, for `murmuration replay`.
    Replay,
    /// The current state, for `murmuration render --resume`.
    Checkpoint,
    /// The preset with everything that was set and painted.
    Preset,
    /// The link of the run from its beginning, for the page and `murmuration verify`.
    Link,
    /// The current state, for the next visit of the page. The person gets no message.
    Session,
}

/// The run that a person has chosen.
#[derive(Debug, Clone)]
pub struct Scene {
    /// The name of a built-in preset, or the path of a preset.
    pub preset: PathBuf,
    /// Changes of the preset before the start.
    pub overrides: Overrides,
    /// The name or the path of a chain; `None`: the preset's chain.
    pub chain: Option<PathBuf>,
    pub choice: EngineChoice,
    /// A replay to watch. Its preset and chain replace those of this scene.
    pub replay: Option<Arc<Replay>>,
}

impl Scene {
    /// The scene of a replay.
    pub fn from_replay(host: &SharedHost, replay: Arc<Replay>, choice: EngineChoice) -> Self {
        let PresetSource { origin, text, .. } = &replay.preset;
        // The preset's own chain is not named, so that a restart takes it from the preset.
        let own = Preset::from_source(host, &replay.preset).ok().map(|preset| preset.chain.unwrap_or(DEFAULT.into()));
        let is_own = own.is_some_and(|own| own == replay.chain);
        let built_in = stem(origin);
        let is_built_in = host.library().preset(&built_in) == Some(text);
        Self {
            preset: if is_built_in { built_in.into() } else { origin.to_path_buf() },
            overrides: replay.preset.overrides.clone(),
            chain: (!is_own).then(|| replay.chain.to_path_buf()),
            choice,
            replay: Some(replay),
        }
    }

    /// The scene of a link, from its start. A replay is watched.
    pub fn from_link(link: &Link, choice: EngineChoice) -> Self {
        match &link.run {
            LinkedRun::Preset { preset, overrides, chain, .. } => Self {
                preset: preset.into(),
                overrides: overrides.clone(),
                chain: chain.as_ref().map(Into::into),
                choice,
                replay: None,
            },
            LinkedRun::Replay(replay) => Self::from_replay(crate::host(), replay.clone(), choice),
        }
    }

    /// The swarm of a checkpoint, and the scene for a restart.
    ///
    /// # Errors
    /// As [`Simulation::resume`].
    pub fn resume(
        host: &SharedHost,
        checkpoint: Checkpoint,
        choice: EngineChoice,
    ) -> Result<(Self, Simulation), Failure> {
        // A page cannot wait for a device. There the CPU resumes the swarm and hands it over.
        let by_cpu = EngineChoice::Cpu(Default::default());
        let first = if IS_IN_PAGE { by_cpu } else { choice };
        let mut simulation = Simulation::resume(host, checkpoint, first)?;
        let played_by = choice_in_page(simulation.preset(), choice);
        if played_by != first {
            simulation.switch(played_by)?;
        }
        let PresetSource { origin, text, overrides, .. } = simulation.preset().source();
        let built_in = stem(origin);
        let is_built_in = host.library().preset(&built_in) == Some(text);
        let preset = if is_built_in { built_in.into() } else { origin.to_path_buf() };
        let chain = Some(simulation.chain().named.to_path_buf());
        Ok((Self { preset, overrides: overrides.clone(), chain, choice, replay: None }, simulation))
    }

    /// Begins the scene at the start of its run-in. `before`: the extents of the simulation that it replaces, whose
    /// memory becomes free.
    ///
    /// # Errors
    /// `BadInput` if the preset, an override or the chain is wrong, or the lattice is too large for the memory.
    /// `Device` if the engine is not available.
    pub fn begin(&self, host: &SharedHost, before: Option<Extents>) -> Result<Simulation, Failure> {
        // The size is checked before the preset allocates its start.
        if let Some((width, height)) = self.overrides.size
            && width.max(height) <= MAX_EXTENT
        {
            let extents = Extents { width, height, depth: self.overrides.depth };
            memory::check_window(extents, before, host.free_memory())
                .map_err(|problem| BadInput::of_argument("size", extents, problem, memory::CURE))?;
        }
        let (preset, chain) = match &self.replay {
            Some(replay) => replay.load(host)?,
            None => self.load(host, &mut Texts::default())?,
        };
        memory::check_window(preset.world.extents, before, host.free_memory())
            .map_err(|problem| preset.too_large(problem))?;
        let choice = choice_in_page(&preset, self.choice);
        Simulation::before_run_in(preset, &chain, choice)
    }

    /// Reads the preset with its overrides, and the chain. `texts` receives every chain file that is read, also if
    /// reading fails.
    ///
    /// # Errors
    /// If a file cannot be read or is wrong.
    pub fn load(&self, host: &SharedHost, texts: &mut Texts) -> Result<(Preset, Chain), Failure> {
        let preset = Preset::load(host, &self.preset, &self.overrides)?;
        let chain = preset.load_chain_from(self.chain.as_deref(), texts)?;
        Ok((preset, chain))
    }
}

/// Whether the program runs in a page, which cannot wait.
const IS_IN_PAGE: bool = cfg!(target_family = "wasm");

/// The engine that plays a preset. The window of an endless world moves with the school, for which a page would have to
/// wait. So the CPU plays endless worlds in a page.
fn choice_in_page(preset: &Preset, choice: EngineChoice) -> EngineChoice {
    if IS_IN_PAGE && preset.world.window.is_some() { EngineChoice::Cpu(Default::default()) } else { choice }
}

/// A change of a scene that takes effect at its restart.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct SceneChange {
    pub seed: Option<u64>,
    /// Cells along x and y.
    pub size: Option<(u32, u32)>,
    /// Keys and values, as for `--set`.
    pub set: Vec<(String, Value)>,
}

impl SceneChange {
    /// The overrides with this change.
    pub fn apply_to(self, overrides: &Overrides) -> Overrides {
        let mut set = overrides.set.clone();
        for (key, _) in &self.set {
            // Settings that depend on the old value, such as the radius of blobs, would be errors.
            let outdated: Vec<&str> = keys::KEYS.dependents(key).collect();
            set.retain(|earlier| {
                let earlier = earlier.split('=').next().unwrap_or_default().trim();
                earlier != key && !outdated.contains(&earlier)
            });
        }
        set.extend(self.set.iter().map(|(key, value)| format!("{key}={value}")));
        Overrides {
            size: self.size.or(overrides.size),
            depth: overrides.depth,
            seed: self.seed.or(overrides.seed),
            set,
            individuals: overrides.individuals,
            scales_boids: overrides.scales_boids,
        }
    }
}

/// The target of the probe.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum ProbeTarget {
    Cell(Vector3),
    /// The individual on a line of sight. The probe follows the individual that it has found.
    Individual(LineOfSight),
}

/// A request to the controller.
#[derive(Debug)]
pub enum Command {
    /// An input to the simulation. Ignored while a replay plays. In an endless world its places belong to the window of
    /// this origin, as the sender saw it; `None`: to the present window.
    Input(Input, Option<[i64; 3]>),
    /// Pauses the run, or continues it.
    Pause(bool),
    /// Plays this many steps, also in a pause.
    Steps(u64),
    Pace(Pace),
    /// Begins another scene on the current engine.
    Begin(Scene),
    /// Resumes a checkpoint on the current engine.
    Resume(Box<Checkpoint>),
    /// Begins the scene again with a change.
    Restart(SceneChange),
    /// Begins the scene again for a round, and pauses after this many steps.
    Round(u64),
    /// Ends a round: the run no longer pauses by itself.
    EndRound,
    /// Replays the run so far from its first step.
    WatchReplay,
    /// Ends a replay. The person plays on from the current state.
    TakeOver,
    /// Probes a cell or an individual with every snapshot; `None` ends the probe. Its places belong to the window of
    /// this origin, as in [`Self::Input`].
    Probe(Option<ProbeTarget>, Option<[i64; 3]>),
    /// Films every n-th state from now on; `None` ends the film.
    Film(Option<u64>),
    /// `true` restarts the scene with individuals for comparison with its cells; `false` removes the individuals.
    Compare(bool),
    /// Moves the swarm to another engine.
    Engine(EngineChoice),
    Save(SaveKind),
}

impl Command {
    /// Whether the command concerns the swarm, and waits for step 0 during a run-in.
    pub fn is_for_step_0(&self) -> bool {
        matches!(self, Self::Input(..) | Self::WatchReplay | Self::TakeOver)
    }

    /// Whether the next command makes this one pointless: a pointer or a probe that moves on, a slider that is dragged.
    pub fn is_superseded_by(&self, next: &Self) -> bool {
        match (self, next) {
            (Self::Input(Input::Hunter(_), _), Self::Input(Input::Hunter(_), _)) => true,
            (Self::Input(Input::Set { key, .. }, _), Self::Input(Input::Set { key: next, .. }, _)) => key == next,
            (Self::Probe(..), Self::Probe(..)) => true,
            _ => false,
        }
    }
}

impl From<Input> for Command {
    fn from(input: Input) -> Self {
        Self::Input(input, None)
    }
}

/// A message to the person.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Event {
    Info(String),
    Error(String),
    /// The error with this text no longer holds.
    Resolved(String),
    /// The run is paused, because no engine can go on.
    Paused,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_change_replaces_what_it_outdates() {
        let set = |texts: &[&str]| texts.iter().map(|text| text.to_string()).collect::<Vec<_>>();
        let overrides = Overrides {
            size: Some((64, 48)),
            set: set(&["start.shape=ring", "start.width = 0.1", "weights.cohesion=1", "start.headings=swirl"]),
            ..Overrides::default()
        };
        let change = |key: &str, value| SceneChange { set: vec![(key.into(), value)], ..SceneChange::default() };
        let changed = change("start.shape", Value::Word("blobs")).apply_to(&overrides);
        assert_eq!(changed.set, set(&["weights.cohesion=1", "start.headings=swirl", "start.shape=blobs"]));
        assert_eq!((changed.size, changed.seed), (Some((64, 48)), None));
        let changed =
            SceneChange { seed: Some(7), ..change("weights.cohesion", Value::Number(2.0)) }.apply_to(&overrides);
        assert_eq!(changed.set.last().unwrap(), "weights.cohesion=2");
        assert_eq!((changed.set.len(), changed.seed), (4, Some(7)));
    }
}
