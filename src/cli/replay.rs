//! `murmuration replay`: plays a saved hunt again, and holds its end against the one that was saved.

use super::frame_painter::FramePainter;
use super::film::{FilmOptions, Filming};
use super::options::EngineOptions;
use super::progress::Progress;
use super::report::Outcome;
use super::{FAILED, INTERRUPTED, complain, remark, view};
use crate::error::{BadInput, Failure};
use crate::home;
use crate::interrupt;
use crate::simulation::Simulation;
use crate::simulation::replay::{Playback, Replay};
use crate::controller::Scene;
use crate::viewer::has_display;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// Steps between two looks at the progress and at Ctrl-C, where no film wants more.
const STEPS_AT_ONCE: u64 = 64;

/// Watch a replay in the window, or play it to its end without one (with --json or --film, or where there is no
/// display).
///
/// Exit status without the window: 0 where it arrives at the state that was saved; 1 where it does not; 2 for bad
/// input; 130 when interrupted.
#[derive(Debug, clap::Args)]
pub struct Arguments {
    /// A replay [default: the last hunt]
    file: Option<PathBuf>,
    #[command(flatten)]
    film: FilmOptions,
    /// Film a frame every K steps that are played, step 0 included [default: 1]
    #[arg(long, value_name = "K", requires = "film", value_parser = clap::value_parser!(u64).range(1..))]
    every: Option<u64>,
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
    if !arguments.json && arguments.film.film.is_none() && has_display() {
        return view::open(Scene::of_replay(Arc::new(replay), choice));
    }
    let begun = Instant::now();
    let mut simulation = replay.begin(choice)?;
    arguments.engine.check(simulation.chain())?;
    let interrupt = interrupt::listen()?;
    let mut filming = Filming::begin(&arguments.film, &simulation)?;
    let mut filmed_for = Duration::ZERO;
    let played = play(arguments, &replay, &mut simulation, filming.as_mut(), &mut filmed_for, &interrupt);
    // Whatever ended the run, the film so far is kept.
    let finishing = Instant::now();
    let filmed = filming.map(Filming::finish).transpose();
    filmed_for += finishing.elapsed();
    let steps = played?;
    let filmed = filmed?;
    let account = simulation.account()?;
    simulation.remarks().iter().for_each(remark);
    let outcome = Outcome {
        account,
        steps,
        seconds: begun.elapsed().saturating_sub(filmed_for).as_secs_f64(),
        beside: filmed_for.as_secs_f64(),
        frames: 0,
        folder: None,
        filmed,
    };
    let hash = simulation.state_hash()?;
    let status = outcome.report(&mut simulation, arguments.json)?;
    if steps < replay.total_steps() {
        remark(format_args!("interrupted after {steps} of {} steps", replay.total_steps()));
        return Ok(INTERRUPTED);
    }
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

/// Plays to the end, or until it is interrupted; how many steps that were.
fn play(
    arguments: &Arguments,
    replay: &Replay,
    simulation: &mut Simulation,
    mut filming: Option<&mut Filming>,
    filmed_for: &mut Duration,
    interrupt: &AtomicBool,
) -> Result<u64, Failure> {
    let mut frame_painter = FramePainter::new(simulation)?;
    let every = arguments.every.unwrap_or(1);
    let mut film = |simulation: &mut Simulation, steps: u64| -> Result<(), Failure> {
        let Some(filming) = filming.as_mut().filter(|_| steps.is_multiple_of(every)) else { return Ok(()) };
        let begun = Instant::now();
        let state = simulation.state()?;
        filming.add(simulation, &state, &mut frame_painter)?;
        *filmed_for += begun.elapsed();
        Ok(())
    };
    let mut progress = Progress::new(0, replay.total_steps(), simulation);
    let mut playback = Playback::default();
    let at_once = if arguments.film.film.is_some() { 1 } else { STEPS_AT_ONCE };
    film(simulation, 0)?;
    while !playback.is_over(replay) && !interrupt.load(Ordering::Relaxed) {
        let before = playback.steps();
        playback.advance(replay, simulation, at_once)?;
        simulation.remarks().iter().for_each(remark);
        progress.at(playback.steps());
        // The last inputs may come after the last step.
        if playback.steps() > before {
            film(simulation, playback.steps())?;
        }
    }
    progress.finish();
    Ok(playback.steps())
}
