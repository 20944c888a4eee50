//! Whether a run ends in the state that is expected of it.

use super::Link;
use murmuration_core::chain::Chain;
use murmuration_core::error::Failure;
use murmuration_core::preset::Preset;
use murmuration_core::simulation::replay::{Playback, Replay};
use murmuration_core::simulation::{EngineChoice, Simulation};
use murmuration_core::ticket::Patience;
use std::fmt;
use std::time::Duration;
use web_time::Instant;

/// A run that was played to its end.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Verification {
    /// The hash of the last state.
    pub hash: String,
    /// The hash that was expected.
    pub expected: String,
    /// The step of the last state.
    pub step: u64,
    /// What played it, in words.
    pub engine: String,
    /// How long that took.
    pub took: Duration,
    /// Whether what takes effect here is not what took effect where the link was made.
    pub is_of_another_version: bool,
}

impl Verification {
    /// Plays a replay to its end.
    ///
    /// # Errors
    /// The run cannot be begun, or the engine fails.
    pub fn of_replay(replay: &Replay, choice: EngineChoice) -> Result<Self, Failure> {
        let (preset, chain) = replay.load(crate::host())?;
        Self::play(replay, preset, &chain, choice)
    }

    /// Plays a replay, of which the preset and the chain are loaded, to its end.
    pub(super) fn play(replay: &Replay, preset: Preset, chain: &Chain, choice: EngineChoice) -> Result<Self, Failure> {
        let begun = Instant::now();
        let mut simulation = Simulation::new(preset, chain, choice)?;
        Playback::default().advance(replay, &mut simulation, u64::MAX, Patience::Wait)?;
        let (hash, expected) = (simulation.state_hash()?, replay.state_hash.clone());
        let engine = format!("{} ({})", simulation.engine_name(), simulation.describe_engine());
        let (step, took) = (simulation.step(), begun.elapsed());
        Ok(Self { hash, expected, step, engine, took, is_of_another_version: false })
    }

    /// Plays the run of a link to its end; `None`: the link tells no hash.
    ///
    /// # Errors
    /// As [`Link::load`], and as [`Self::of_replay`].
    pub fn of_link(link: &Link, choice: EngineChoice) -> Result<Option<Self>, Failure> {
        let (preset, chain) = link.load()?;
        let Some(replay) = link.replay(&preset, &chain) else { return Ok(None) };
        let is_of_another_version = link.is_of_another_version(&preset, &chain);
        Ok(Some(Self { is_of_another_version, ..Self::play(&replay, preset, &chain, choice)? }))
    }

    /// Whether the last state is the expected one.
    pub fn is_same(&self) -> bool {
        self.hash == self.expected
    }
}

impl fmt::Display for Verification {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { hash, expected, step, engine, took, is_of_another_version } = self;
        match (self.is_same(), is_of_another_version) {
            (true, _) => write!(f, "verified: step {step} has the expected hash {hash}")?,
            (false, true) => {
                write!(
                    f,
                    "this link is of another version of the preset: step {step} has the hash {hash}, not {expected}"
                )?;
            }
            (false, false) => write!(f, "wrong: step {step} has the hash {hash}, and {expected} was expected")?,
        }
        write!(f, "; {engine} played it in {:.1} s", took.as_secs_f64())
    }
}
