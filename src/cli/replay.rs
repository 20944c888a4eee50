//! `murmuration replay`: plays a saved hunt again, and holds its end against the one that was saved.

use super::options::EngineOptions;
use super::progress::Progress;
use super::report::Outcome;
use super::{FAILED, complain};
use crate::error::Failure;
use crate::simulation::replay::Replay;
use std::path::PathBuf;
use std::time::Instant;

/// Play a replay to its end.
///
/// Exit status: 0 where it arrives at the state that was saved; 1 where it does not; 2 for bad input.
#[derive(Debug, clap::Args)]
pub struct Arguments {
    /// A replay
    file: PathBuf,
    #[command(flatten)]
    engine: EngineOptions,
    /// Print one JSON object about the run as the last thing on standard output
    #[arg(long)]
    json: bool,
}

pub fn run(arguments: &Arguments) -> Result<u8, Failure> {
    let replay = Replay::read(&arguments.file)?;
    let begun = Instant::now();
    let mut simulation = replay.begin(arguments.engine.choose()?)?;
    let mut progress = Progress::new(0, replay.total_steps(), simulation.preset().world.extents.cells());
    replay.play_on(&mut simulation, |steps| progress.at(steps))?;
    progress.finish();
    let account = simulation.account()?;
    let outcome = Outcome {
        account,
        steps: replay.total_steps(),
        seconds: begun.elapsed().as_secs_f64(),
        beside: 0.0,
        frames: 0,
        folder: None,
    };
    let hash = simulation.state()?.hash();
    let status = outcome.report(&mut simulation, arguments.json)?;
    if hash != replay.state_hash {
        complain(format_args!("the replay ends in the state {hash}, not in {}", replay.state_hash));
        return Ok(FAILED);
    }
    Ok(status)
}
