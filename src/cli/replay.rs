//! `murmuration replay`: plays a saved hunt again, and holds its end against the one that was saved.

use super::options::EngineOptions;
use super::progress::Progress;
use super::report::Outcome;
use super::{FAILED, complain, view};
use crate::error::{BadInput, Failure};
use crate::home;
use crate::simulation::replay::Replay;
use crate::viewer::{Scene, has_display};
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Instant;

/// Watch a replay in the window, or play it to its end without one (with --json, or where there is no display).
///
/// Exit status without the window: 0 where it arrives at the state that was saved; 1 where it does not; 2 for bad
/// input.
#[derive(Debug, clap::Args)]
pub struct Arguments {
    /// A replay [default: the last hunt]
    file: Option<PathBuf>,
    #[command(flatten)]
    engine: EngineOptions,
    /// Open no window, and print one JSON object about the run as the last thing on standard output
    #[arg(long)]
    json: bool,
}

pub fn run(arguments: &Arguments) -> Result<u8, Failure> {
    let replay = match &arguments.file {
        Some(file) => Replay::read(file)?,
        None => last_hunt()?,
    };
    let choice = arguments.engine.choose()?;
    if !arguments.json && has_display() {
        return view::open(Scene::watching(Arc::new(replay), choice));
    }
    let begun = Instant::now();
    let mut simulation = replay.begin(choice)?;
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

fn last_hunt() -> Result<Replay, BadInput> {
    match home::last_hunt() {
        Some(path) if path.exists() => Replay::read(&path),
        _ => Err(BadInput::new("replay", "no hunt has been kept yet", "hunt with `murmuration`, or name a file")),
    }
}
