//! `murmuration replay`: plays a saved hunt again and compares its last state with the saved one.

use super::film::FilmOptions;
use super::options::{EngineOptions, LookOptions};
use super::run::{Outputs, Run};
use super::{FAILED, INTERRUPTED, complain, remark, view, within};
use crate::controller::Scene;
use crate::error::{BadInput, Failure};
use crate::files::home;
use crate::viewer::has_display;
use std::path::PathBuf;
use std::sync::Arc;

/// Watch a replay in the window, or play it without one (with --json or --film, or without a display).
///
/// Exit status without the window: 0 if the last state is the saved one; 1 if it is not; 2 for bad input; 130 if
/// interrupted.
#[derive(Debug, clap::Args)]
pub struct Arguments {
    /// A replay [default: the last hunt]
    file: Option<PathBuf>,
    #[command(flatten)]
    film: FilmOptions,
    #[command(flatten)]
    look: LookOptions,
    /// Film a frame every K steps, step 0 included [default: 1]
    #[arg(long, value_name = "K", requires = "film", value_parser = clap::value_parser!(u64).range(1..))]
    every: Option<u64>,
    #[command(flatten)]
    engine: EngineOptions,
    /// Open no window, and print one JSON object about the run as the last thing on standard output
    #[arg(long)]
    json: bool,
}

pub fn run(arguments: &Arguments) -> Result<u8, Failure> {
    let file = match &arguments.file {
        Some(file) => file.clone(),
        None => last_hunt()?,
    };
    let replay = crate::files::read_replay(&file)?;
    let choice = arguments.engine.choose()?;
    let look = arguments.look.load()?;
    if !arguments.json && arguments.film.film.is_none() && has_display() {
        return view::open(Scene::of_replay(crate::host(), Arc::new(replay), choice), look);
    }
    let simulation = replay.begin(crate::host(), choice).map_err(|failure| within(&file, failure))?;
    arguments.engine.check(simulation.chain())?;
    let outputs = Outputs { frames: None, metrics: None, film: &arguments.film, every: arguments.every };
    let steps = replay.total_steps();
    let mut run = Run::new(simulation, outputs, look, Some(&replay))?;
    let outcome = run.play(steps)?;
    let hash = run.simulation.state_hash()?;
    let status = run.report(&outcome, arguments.json)?;
    if outcome.is_interrupted {
        remark(format_args!("interrupted after {} of {steps} steps", outcome.steps));
        return Ok(INTERRUPTED);
    }
    if hash != replay.state_hash {
        complain(format_args!("the replay ends in the state {hash}, not in {}", replay.state_hash));
        return Ok(FAILED);
    }
    Ok(status)
}

fn last_hunt() -> Result<PathBuf, BadInput> {
    match home::last_hunt() {
        Some(path) if path.exists() => Ok(path),
        _ => Err(BadInput::new("replay", "no hunt has been saved yet", "hunt with `murmuration`, or name a file")),
    }
}
