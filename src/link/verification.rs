//! Verifies runs: plays a run, and compares the hash of its last state with the expected hash.

use super::Link;
use crate::run::Run;
use murmuration_core::chain::Chain;
use murmuration_core::error::Failure;
use murmuration_core::preset::Preset;
use murmuration_core::simulation::replay::{CHANGED, Replay};
use murmuration_core::simulation::{EngineChoice, Simulation};
use std::fmt;
use std::time::Duration;
use web_time::Instant;

/// The result of a run that was played to its end for verification.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Verification {
    /// The hash of the final state.
    pub hash: String,
    /// The hash of the final state that the replay or the link contains.
    pub expected: String,
    /// The step of the final state.
    pub step: u64,
    /// A description of the engine that played the run.
    pub engine: String,
    /// The wall-clock time that the run took.
    pub took: Duration,
    /// The reason why the final state may differ from the expected state, as a text for users. `None`: the program, the
    /// preset and the chain are the same as when the run was recorded.
    pub change: Option<String>,
}

impl Verification {
    /// Plays a replay to its end on an engine.
    ///
    /// # Errors
    /// If the run cannot begin, or the engine fails.
    pub fn of_replay(replay: &Replay, choice: EngineChoice) -> Result<Self, Failure> {
        let (preset, chain) = replay.load(crate::host())?;
        Self::play(replay, preset, &chain, choice)
    }

    /// Plays a replay to its end. `preset` and `chain`: the loaded preset and chain of the replay.
    pub(super) fn play(replay: &Replay, preset: Preset, chain: &Chain, choice: EngineChoice) -> Result<Self, Failure> {
        let begun = Instant::now();
        let change = replay.change(&preset, chain);
        let mut simulation = Simulation::new(preset, chain, choice)?;
        Run::new(&mut simulation).replay(replay).play()?;
        let hash = simulation.state_hash()?;
        let expected = replay.state_hash.clone();
        let engine = format!("{} ({})", simulation.engine_name(), simulation.describe_engine());
        let step = simulation.step();
        let took = begun.elapsed();
        Ok(Self { hash, expected, step, engine, took, change })
    }

    /// Plays the run of a link to its end; `None`: the link has no hash.
    ///
    /// # Errors
    /// As [`Link::load`], and as [`Self::of_replay`].
    pub fn of_link(link: &Link, choice: EngineChoice) -> Result<Option<Self>, Failure> {
        let (preset, chain) = link.load()?;
        let Some(replay) = link.replay(&preset, &chain) else { return Ok(None) };
        let change = link.is_of_another_version(&preset, &chain).then(|| CHANGED.to_owned());
        let played = Self::play(&replay, preset, &chain, choice)?;
        Ok(Some(Self { change: played.change.clone().or(change), ..played }))
    }

    /// Whether the final state is the expected state.
    pub fn is_same(&self) -> bool {
        self.hash == self.expected
    }
}

impl fmt::Display for Verification {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { hash, expected, step, engine, took, change } = self;
        match (self.is_same(), change) {
            (true, _) => write!(f, "verified: step {step} has the expected hash {hash}")?,
            (false, Some(change)) => write!(f, "{change}: step {step} has the hash {hash}, not {expected}")?,
            (false, None) => write!(f, "wrong: step {step} has the hash {hash}, and {expected} was expected")?,
        }
        write!(f, "; {engine} played it in {:.1} s", took.as_secs_f64())
    }
}
