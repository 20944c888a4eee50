//! `murmuration render`: plays a preset and writes frames, data and metrics.

use super::film::{FilmOptions, FilmRecorder};
use super::frame_painter::FramePainter;
use super::options::{EngineOptions, PresetOptions, check_folder};
use super::progress::Progress;
use super::report::Outcome;
use super::{INTERRUPTED, pacing, remark, say};
use crate::error::{BadInput, Failure};
use crate::files::create_folder;
use crate::interrupt;
use crate::observe::{Caption, FrameInput, FrameKind, MetricsTable, Observation, write_frame};
use crate::preset::{Look, Overrides, Preset};
use crate::simulation::{Account, Simulation};
use crate::state::State;
use crate::world::World;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// Play a preset and write frames, data and metrics.
///
/// Exit status: 0; 1 if boids were lost or the run failed; 2 for bad input; 130 if interrupted.
#[derive(Debug, Clone, clap::Args)]
pub struct Arguments {
    /// A built-in preset (see `murmuration presets`), or the path of one
    #[arg(required_unless_present = "resume")]
    preset: Option<String>,
    /// Go on from a checkpoint instead
    #[arg(long, value_name = "FILE", conflicts_with_all = ["preset", "size", "seed", "set", "chain", "individuals"])]
    resume: Option<PathBuf>,
    /// Save a checkpoint at the end, for --resume
    #[arg(long, value_name = "FILE")]
    checkpoint: Option<PathBuf>,
    /// Steps to play, after those of a checkpoint
    #[arg(long, default_value_t = 600, value_name = "N")]
    steps: u64,
    /// Write a frame and a row of metrics every K steps, step 0 included [default: 1 with --film, else the first and
    /// the last step]
    #[arg(long, value_name = "K", value_parser = clap::value_parser!(u64).range(1..))]
    every: Option<u64>,
    /// The folder of the frames; without it no frames are written
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    #[command(flatten)]
    film: FilmOptions,
    #[command(flatten)]
    overrides: PresetOptions,
    #[command(flatten)]
    engine: EngineOptions,
    /// The kinds of frames, separated by commas: glow (a picture), density16 (16-bit grey), npy (the exact state of the
    /// lattice), agents (the exact state of individuals)
    #[arg(long, value_name = "KIND", value_delimiter = ',', default_value = "glow", requires = "out")]
    #[arg(value_parser = parse_frame_kind)]
    frames: Vec<FrameKind>,
    /// Write the metrics of every frame's step into a CSV file
    #[arg(long, value_name = "FILE.csv")]
    metrics: Option<PathBuf>,
    /// Play a preset of cells with individuals, as `compare` does: every boid of the start becomes one
    #[arg(long)]
    individuals: bool,
    /// Print one JSON object about the run as the last thing on standard output
    #[arg(long)]
    json: bool,
}

fn parse_frame_kind(text: &str) -> Result<FrameKind, String> {
    text.parse().map_err(|wrong: BadInput| format!("{}; {}", wrong.problem, wrong.cure))
}

/// Renders the default preset into `frames/`, for a call without arguments and without a display.
pub fn run_default() -> Result<u8, Failure> {
    say(format_args!(
        "there is no display: rendering the preset `{}` into frames/ (600 steps, every 20th)",
        crate::preset::DEFAULT
    ))?;
    say("see `murmuration --help` for everything else\n")?;
    run(&Arguments {
        preset: Some(crate::preset::DEFAULT.into()),
        resume: None,
        checkpoint: None,
        steps: 600,
        every: Some(20),
        out: Some("frames".into()),
        film: FilmOptions::default(),
        overrides: PresetOptions::default(),
        engine: EngineOptions::default(),
        frames: vec![FrameKind::Glow],
        metrics: None,
        individuals: false,
        json: false,
    })
}

pub fn run(arguments: &Arguments) -> Result<u8, Failure> {
    let choice = arguments.engine.choose()?;
    check_folder(arguments.out.as_deref())?;
    let writes = arguments.out.is_some() || arguments.metrics.is_some() || arguments.film.film.is_some();
    if arguments.every.is_some() && !writes {
        return Err(BadInput::new("--every", "there is nothing to write", "add --out, --film or --metrics").into());
    }
    if let Some(metrics) = &arguments.metrics {
        check_metrics(metrics, arguments.out.as_deref())?;
    }
    let simulation = match (&arguments.preset, &arguments.resume) {
        (_, Some(checkpoint)) => Simulation::resume(crate::host(), crate::files::read_checkpoint(checkpoint)?, choice)?,
        (preset, None) => {
            let overrides = Overrides { individuals: arguments.individuals, ..arguments.overrides.overrides() };
            let preset = Preset::load(crate::host(), preset.as_deref().unwrap_or(crate::preset::DEFAULT), &overrides)?;
            let chain = preset.load_chain(arguments.overrides.chain.as_deref())?;
            arguments.engine.check(&chain)?;
            Simulation::new(preset, &chain, choice)?
        }
    };
    arguments.engine.check(simulation.chain())?;
    if arguments.frames.contains(&FrameKind::Agents) && simulation.preset().agents.is_none() {
        let problem = format!("the preset `{}` has no individuals", simulation.preset().name);
        return Err(BadInput::new("--frames agents", problem, "use npy, which is its state").into());
    }
    let mut run = Run::new(arguments, simulation)?;
    let played = run.play();
    // The film and the metrics so far are written even if the run failed.
    let film = run.recorder.take().map(FilmRecorder::finish).transpose();
    let kept = run.write_metrics();
    let (interrupted, account) = played.map_err(|failure| rescue(arguments, &mut run.simulation, failure))?;
    let film = film?;
    kept?;
    let outcome = Outcome {
        account,
        steps: run.simulation.step() - run.first,
        seconds: run.step_time.as_secs_f64(),
        other_seconds: (run.begun.elapsed() - run.step_time).as_secs_f64(),
        frames: run.frames,
        folder: arguments.out.as_deref(),
        film,
    };
    if interrupted {
        let step = run.simulation.step();
        remark(format_args!("interrupted at step {step} of {}; the results so far are kept", run.last));
    }
    if let Some(path) = &arguments.checkpoint {
        crate::files::save_checkpoint(&mut run.simulation, path)?;
    }
    let status = outcome.report(&mut run.simulation, arguments.json)?;
    Ok(if interrupted { INTERRUPTED } else { status })
}

/// Saves the last known state as the requested checkpoint after no engine could go on. Returns the failure with the outcome.
fn rescue(arguments: &Arguments, simulation: &mut Simulation, failure: Failure) -> Failure {
    let Failure::Device(why) = failure else { return failure };
    let saved =
        match arguments.checkpoint.as_deref().map(|path| (path, crate::files::save_last_known(simulation, path))) {
            Some((path, Ok(step))) => format!("; the swarm of step {step} was saved to {}", path.display()),
            Some((_, Err(failure))) => format!("; the swarm could not be saved: {failure}"),
            None => String::new(),
        };
    Failure::Device(format!("{why}{saved}; frames and metrics so far are kept"))
}

/// Checks the path of the metrics, which are written only at the end.
fn check_metrics(metrics: &Path, out: Option<&Path>) -> Result<(), BadInput> {
    let wrong = |problem, cure| Err(BadInput::new(format!("--metrics {}", metrics.display()), problem, cure));
    let folder = metrics.parent().filter(|folder| !folder.as_os_str().is_empty());
    if metrics.is_dir() {
        return wrong("a folder is there", "name a file");
    }
    if folder.is_some_and(|folder| !folder.is_dir() && Some(folder) != out) {
        return wrong("its folder is not there", "create it first");
    }
    Ok(())
}

/// A run under way.
struct Run<'a> {
    arguments: &'a Arguments,
    simulation: Simulation,
    /// The steps at which it begins and ends.
    first: u64,
    last: u64,
    metrics: MetricsTable,
    frame_painter: FramePainter,
    recorder: Option<FilmRecorder>,
    /// The number of files of frames so far.
    frames: usize,
    /// Time spent in steps.
    step_time: Duration,
    begun: Instant,
}

impl<'a> Run<'a> {
    fn new(arguments: &'a Arguments, simulation: Simulation) -> Result<Self, Failure> {
        if let Some(out) = &arguments.out {
            create_folder(out)?;
        }
        let frame_painter = FramePainter::new(&simulation)?;
        let recorder = FilmRecorder::begin(&arguments.film, &simulation)?;
        Ok(Self {
            arguments,
            first: simulation.step(),
            last: simulation.step().saturating_add(arguments.steps),
            simulation,
            frame_painter,
            recorder,
            metrics: MetricsTable::default(),
            frames: 0,
            step_time: Duration::ZERO,
            begun: Instant::now(),
        })
    }

    /// Plays to the end or until it is interrupted. Returns whether it was interrupted, and the account of the swarm.
    fn play(&mut self) -> Result<(bool, Account), Failure> {
        let (first, last) = (self.first, self.last);
        let default = if self.recorder.is_some() { 1 } else { (last - first).max(1) };
        let every = self.arguments.every.unwrap_or(default);
        let interrupt = interrupt::listen()?;
        let mut progress = Progress::new(first, last, &self.simulation);
        let played = pacing::play(self, last - first, every, &interrupt, |played| progress.show(played))?;
        // Waits for the last steps of a GPU, which count as well.
        let begun = Instant::now();
        let account = self.simulation.account()?;
        self.step_time += begun.elapsed();
        progress.finish();
        self.simulation.remarks().iter().for_each(remark);
        let interrupted = played < last - first;
        // The last step of an interrupted run is kept although it is not due.
        if interrupted && !played.is_multiple_of(every) {
            self.write(false)?;
        }
        Ok((interrupted, account))
    }

    /// Writes the frames of the present step and keeps its metrics. The film takes only steps that are due, so that all its
    /// frames are equally far apart.
    fn write(&mut self, is_due: bool) -> Result<(), Failure> {
        let Arguments { out, frames, metrics, .. } = self.arguments;
        if out.is_none() && metrics.is_none() && self.recorder.is_none() {
            return Ok(());
        }
        let begun = Instant::now();
        let step = self.simulation.step();
        let swarm = self.simulation.swarm()?;
        let state = self.simulation.seen(&swarm);
        // Reading the state waits for the steps of a GPU. That time belongs to the steps.
        self.step_time += begun.elapsed();
        let ledger = self.simulation.ledger()?;
        let preset = self.simulation.preset();
        if let Some(out) = out {
            let caption = Caption { preset: preset.name.clone(), step, seed: preset.seed };
            let mut paint = |state: &State, world: &World, look: &Look| self.frame_painter.paint(state, world, look);
            let (world, look) = (&preset.world, &preset.look);
            let frame = FrameInput { swarm: &swarm, state: &state, world, look, caption: &caption };
            let written = write_frame(frames, out, frame, &mut paint)?;
            self.frames += written.len();
        }
        if let Some(recorder) = self.recorder.as_mut().filter(|_| is_due) {
            recorder.add(&self.simulation, &state, &mut self.frame_painter)?;
        }
        if metrics.is_some() {
            let observed = Observation::of(step, &state, &preset.world, &preset.rules, &ledger);
            self.metrics.push(observed.with_total(swarm.total(), &ledger));
        }
        Ok(())
    }

    fn write_metrics(&self) -> Result<(), Failure> {
        match &self.arguments.metrics {
            Some(path) => self.metrics.write(path),
            None => Ok(()),
        }
    }
}

impl pacing::PacedRun for Run<'_> {
    fn advance(&mut self, steps: u64) -> Result<(), Failure> {
        let begun = Instant::now();
        self.simulation.advance(steps)?;
        self.step_time += begun.elapsed();
        Ok(())
    }

    fn observe(&mut self) -> Result<(), Failure> {
        self.write(true)
    }

    fn remarks(&mut self) -> Vec<String> {
        self.simulation.remarks()
    }
}
