//! Whether a run ends in the state that is expected of it.

use super::Link;
use murmuration_core::chain::Chain;
use murmuration_core::error::Failure;
use murmuration_core::preset::Preset;
use murmuration_core::simulation::replay::{CHANGED, Playback, Replay};
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
    /// Why the run may end in another state than the expected one; `None`: what takes effect here took effect at its
    /// making.
    pub change: Option<String>,
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
        let change = replay.change(&preset, chain);
        let mut simulation = Simulation::new(preset, chain, choice)?;
        Playback::default().advance(replay, &mut simulation, u64::MAX, Patience::Wait)?;
        let (hash, expected) = (simulation.state_hash()?, replay.state_hash.clone());
        let engine = format!("{} ({})", simulation.engine_name(), simulation.describe_engine());
        let (step, took) = (simulation.step(), begun.elapsed());
        Ok(Self { hash, expected, step, engine, took, change })
    }

    /// Plays the run of a link to its end; `None`: the link tells no hash.
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

    /// Whether the last state is the expected one.
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
