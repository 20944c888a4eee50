//! Scenes (a preset, its overrides, a chain and an engine), commands of the user, and messages to the user.

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

/// The kinds of files in which the user can save a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SaveKind {
    /// The run from its beginning, for `murmuration replay`.
    Replay,
    /// The current state, for `murmuration render --resume`.
    Checkpoint,
    /// The preset with the settings and the solid cells that the user has changed.
    Preset,
    /// A link to the run from its beginning, for the web page and `murmuration verify`.
    Link,
    /// The current state, for the user's next visit of the page. The user gets no message.
    Session,
}

/// The run that the user has chosen: a preset with its changes, a chain and an engine, or a replay.
#[derive(Debug, Clone)]
pub struct Scene {
    /// The name of a built-in preset, or the path of a preset.
    pub preset: PathBuf,
    /// The changes of the preset, which take effect at the start.
    pub overrides: Overrides,
    /// The name or the path of a chain. `None` for the chain of the preset.
    pub chain: Option<PathBuf>,
    /// The engine.
    pub choice: EngineChoice,
    /// A replay to watch. Its preset and its chain replace the preset and the chain of this scene.
    pub replay: Option<Arc<Replay>>,
}

impl Scene {
    /// The scene that plays a replay. A restart of the scene starts the replay's preset.
    pub fn from_replay(host: &SharedHost, replay: Arc<Replay>, choice: EngineChoice) -> Self {
        let PresetSource { origin, text, .. } = &replay.preset;
        // If the replay has the chain of its preset, `chain` is `None`, so that a restart takes the chain from the
        // preset.
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

    /// The scene of a link: its preset from the start, or its replay, which the user watches.
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

    /// Resumes the simulation of a checkpoint. Returns the scene with which its preset can be restarted, and the
    /// simulation.
    ///
    /// # Errors
    /// As for [`Simulation::resume`].
    pub fn resume(
        host: &SharedHost,
        checkpoint: Checkpoint,
        choice: EngineChoice,
    ) -> Result<(Self, Simulation), Failure> {
        // A web page cannot wait for a device. There the CPU resumes the swarm, which then moves to the device.
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

    /// Starts the simulation of the scene, before its run-in. `before`: the extents of the simulation that it replaces
    /// and whose memory becomes free.
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

    /// Loads the preset with its overrides, and the chain. `texts` receives the text of every file of the chain that is
    /// read, even if loading fails.
    ///
    /// # Errors
    /// If a file cannot be read or is wrong.
    pub fn load(&self, host: &SharedHost, texts: &mut Texts) -> Result<(Preset, Chain), Failure> {
        let preset = Preset::load(host, &self.preset, &self.overrides)?;
        let chain = preset.load_chain_from(self.chain.as_deref(), texts)?;
        Ok((preset, chain))
    }
}

/// Whether the program runs in a web page, which cannot wait for a device.
const IS_IN_PAGE: bool = cfg!(target_family = "wasm");

/// The engine that plays a preset: `choice`, or the CPU for an endless world in a web page. The window of an endless
/// world follows the individuals, and a page cannot wait until a device reports their places.
fn choice_in_page(preset: &Preset, choice: EngineChoice) -> EngineChoice {
    if IS_IN_PAGE && preset.world.window.is_some() { EngineChoice::Cpu(Default::default()) } else { choice }
}

/// A change of a scene, which takes effect at the restart of the scene.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct SceneChange {
    /// The seed. `None` for the present one.
    pub seed: Option<u64>,
    /// The extents along x and y, in cells. `None` for the present ones.
    pub size: Option<(u32, u32)>,
    /// Keys of the preset, such as `weights.cohesion`, and their new values.
    pub set: Vec<(String, Value)>,
}

impl SceneChange {
    /// The overrides of a scene with this change.
    pub fn apply_to(self, overrides: &Overrides) -> Overrides {
        let mut set = overrides.set.clone();
        for (key, _) in &self.set {
            // Settings that are valid only for the old value, such as the radius of blobs, would be errors.
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

/// The target of the probe, which shows the values of a cell or an individual.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum ProbeTarget {
    /// The cell with this place, in cells along x, y and z.
    Cell(Vector3),
    /// The individual on a line of sight. The probe then follows the individual that it has found.
    Individual(LineOfSight),
}

/// A command of the user to the controller.
#[derive(Debug)]
pub enum Command {
    /// An input to the simulation, which is ignored while a replay plays. The second value is for endless worlds: the
    /// place of the window in which the user saw the places of the input. `None` for the present window.
    Input(Input, Option<[i64; 3]>),
    /// Pauses the run, or continues it.
    Pause(bool),
    /// Plays this number of steps, even in a pause.
    Steps(u64),
    /// Sets the pace.
    Pace(Pace),
    /// Starts another scene on the current engine.
    Begin(Scene),
    /// Resumes a checkpoint on the current engine.
    Resume(Box<Checkpoint>),
    /// Restarts the scene with a change.
    Restart(SceneChange),
    /// Restarts the scene for a round of the game, and pauses after this number of steps.
    Round(u64),
    /// Ends a round of the game. The run then does not pause by itself.
    EndRound,
    /// Plays the run up to the present step again, from its first step.
    WatchReplay,
    /// Ends a replay. The user controls the swarm from the current state on.
    TakeOver,
    /// Probes a cell or an individual with every snapshot. Without a target, ends the probe. The second value is the
    /// place of an endless world's window in which the user saw the target, as in [`Self::Input`].
    Probe(Option<ProbeTarget>, Option<[i64; 3]>),
    /// Begins a film with a frame whenever this number of steps has been played. `None` ends the film.
    Film(Option<u64>),
    /// `true` restarts the scene with individuals, which are compared with its cells. `false` removes the individuals.
    Compare(bool),
    /// Moves the swarm to another engine.
    Engine(EngineChoice),
    /// Saves the run in a file.
    Save(SaveKind),
}

impl Command {
    /// Whether the command concerns the swarm at step 0 or later. During a run-in such a command waits for step 0.
    pub fn is_for_step_0(&self) -> bool {
        matches!(self, Self::Input(..) | Self::WatchReplay | Self::TakeOver)
    }

    /// Whether the next command replaces this one, because both move the hunter, move the probe, or set the same key.
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

/// A message to the user.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Event {
    Info(String),
    Error(String),
    /// The cause of the error with this text is gone.
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
