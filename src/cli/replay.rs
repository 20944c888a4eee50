//! `murmuration replay`: plays a saved hunt again and compares its last state with the saved one.

use super::film::{FilmOptions, FilmRecorder};
use super::frame_painter::FramePainter;
use super::options::EngineOptions;
use super::pacing::{self, PacedRun};
use super::progress::Progress;
use super::report::Outcome;
use super::{FAILED, INTERRUPTED, complain, remark, view};
use crate::controller::Scene;
use crate::error::{BadInput, Failure};
use crate::files::home;
use crate::interrupt;
use crate::simulation::Simulation;
use crate::simulation::replay::{Playback, Replay};
use crate::viewer::has_display;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

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
    let replay = match &arguments.file {
        Some(file) => crate::files::read_replay(file)?,
        None => last_hunt()?,
    };
    let choice = arguments.engine.choose()?;
    if !arguments.json && arguments.film.film.is_none() && has_display() {
        return view::open(Scene::of_replay(crate::host(), Arc::new(replay), choice));
    }
    let begun = Instant::now();
    let simulation = replay.begin(crate::host(), choice)?;
    arguments.engine.check(simulation.chain())?;
    let interrupt = interrupt::listen()?;
    let mut run = Run {
        replay: &replay,
        recorder: FilmRecorder::begin(&arguments.film, &simulation)?,
        frame_painter: FramePainter::new(&simulation)?,
        simulation,
        playback: Playback::default(),
        film_time: Duration::ZERO,
    };
    let default = if arguments.film.film.is_some() { 1 } else { u64::MAX };
    let played = run.play(arguments.every.unwrap_or(default), &interrupt);
    // The film so far is written even if the run failed.
    let finishing = Instant::now();
    let film = run.recorder.take().map(FilmRecorder::finish).transpose();
    let other_time = run.film_time + finishing.elapsed();
    let steps = played?;
    let film = film?;
    let mut simulation = run.simulation;
    let account = simulation.account()?;
    simulation.remarks().iter().for_each(remark);
    let outcome = Outcome {
        account,
        steps,
        seconds: begun.elapsed().saturating_sub(other_time).as_secs_f64(),
        other_seconds: other_time.as_secs_f64(),
        frames: 0,
        folder: None,
        film,
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
        Some(path) if path.exists() => crate::files::read_replay(&path),
        _ => Err(BadInput::new("replay", "no hunt has been saved yet", "hunt with `murmuration`, or name a file")),
    }
}

/// A replay that is being played, and the film of it.
struct Run<'a> {
    replay: &'a Replay,
    simulation: Simulation,
    playback: Playback,
    frame_painter: FramePainter,
    recorder: Option<FilmRecorder>,
    /// Time spent in the film.
    film_time: Duration,
}

impl Run<'_> {
    /// Plays to the end or until it is interrupted. Returns the steps played.
    fn play(&mut self, every: u64, interrupt: &AtomicBool) -> Result<u64, Failure> {
        let steps = self.replay.total_steps();
        let mut progress = Progress::new(0, steps, &self.simulation);
        let played = pacing::play(self, steps, every, interrupt, |played| progress.show(played))?;
        progress.finish();
        if played == steps {
            // Inputs after the last step.
            self.advance(0)?;
        }
        Ok(played)
    }
}

impl PacedRun for Run<'_> {
    fn advance(&mut self, steps: u64) -> Result<(), Failure> {
        self.playback.advance(self.replay, &mut self.simulation, steps)?;
        Ok(())
    }

    fn observe(&mut self) -> Result<(), Failure> {
        let Some(recorder) = &mut self.recorder else { return Ok(()) };
        let begun = Instant::now();
        let state = self.simulation.state()?;
        recorder.add(&self.simulation, &state, &mut self.frame_painter)?;
        self.film_time += begun.elapsed();
        Ok(())
    }

    fn remarks(&mut self) -> Vec<String> {
        self.simulation.remarks()
    }
}
