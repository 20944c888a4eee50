//! `murmuration render`: plays a preset and writes frames, data and metrics.

use super::family_tree::{self, FamilyTree};
use super::options::{EngineOptions, FilmOptions, LookOptions, PresetOptions, check_folder, whole};
use super::progress::Progress;
use super::run::{FrameOptions, Outputs, Run};
use super::{INTERRUPTED, remark, say, within};
use crate::files::{check_destination, check_distinct, read_checkpoint, save_checkpoint_somewhere, save_last_known};
use crate::observe::{FrameKind, TrajectoryFormat};
use crate::provenance::record_path;
use murmuration_core::error::{BadInput, Failure};
use murmuration_core::numbers::BOID;
use murmuration_core::preset::DEFAULT;
use murmuration_core::simulation::Simulation;
use std::path::{Path, PathBuf};

/// Play a preset and write frames, data and metrics.
///
/// Exit status: 0; 1 if boids were lost or the run failed; 2 for bad input; 130 if interrupted.
#[derive(Debug, Clone, Default, clap::Args)]
pub struct Arguments {
    /// A built-in preset (see `murmuration presets`), or the path of one
    #[arg(required_unless_present = "resume")]
    preset: Option<PathBuf>,
    /// Go on from a checkpoint instead; --set changes keys that act without a restart, and the next checkpoint keeps them
    #[arg(long, value_name = "FILE", conflicts_with_all = ["size", "seed", "chain", "individuals"])]
    resume: Option<PathBuf>,
    /// Save a checkpoint at the end, for --resume
    #[arg(long, value_name = "FILE")]
    checkpoint: Option<PathBuf>,
    /// Write the checkpoint also under way, at every step that is a multiple of N: a run that is lost goes on from there
    #[arg(long, value_name = "N", requires = "checkpoint", value_parser = whole::<u64>(1..=u64::MAX))]
    checkpoint_every: Option<u64>,
    /// Steps to play, after those of a checkpoint
    #[arg(long, default_value_t = 600, value_name = "N", allow_negative_numbers = true, value_parser = whole::<u64>(0..=u64::MAX))]
    steps: u64,
    /// Write a frame and a row of metrics every K steps, step 0 included [default: 1 with --film, else the first and
    /// the last step]
    #[arg(long, value_name = "K", value_parser = whole::<u64>(1..=u64::MAX))]
    every: Option<u64>,
    /// The folder of the frames; without it no frames are written
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    #[command(flatten)]
    film: FilmOptions,
    #[command(flatten)]
    look: LookOptions,
    #[command(flatten)]
    overrides: PresetOptions,
    #[command(flatten)]
    engine: EngineOptions,
    /// The kinds of frames, separated by commas: picture, density16 (16-bit grey), npy (the exact state of the lattice), agents (the exact
    /// state of individuals)
    #[arg(long, value_name = "KIND", value_delimiter = ',', default_value = "picture", requires = "out")]
    #[arg(value_parser = |text: &str| text.parse::<FrameKind>().map_err(|wrong| format!("{}; {}", wrong.problem, wrong.cure)))]
    frames: Vec<FrameKind>,
    /// The boids a cell that are white in all density16 frames of the run; a checkpoint keeps the number [default: four times the greatest
    /// density at step 0, rounded up to a power of two]
    #[arg(long, value_name = "BOIDS", requires = "out", value_parser = whole::<u32>(1..=BOID.into()))]
    scale: Option<u32>,
    /// Remove frames of other runs from the folder of --out where they would remain among the new ones; nothing else is removed
    #[arg(long, requires = "out")]
    overwrite: bool,
    /// Write the metrics of every frame's step into a CSV file
    #[arg(long, value_name = "FILE.csv")]
    metrics: Option<PathBuf>,
    /// Write the statistics of every frame's step into a JSON file: correlations, pair distribution, number fluctuations, neighbours, turning
    #[arg(long, value_name = "FILE.json")]
    statistics: Option<PathBuf>,
    /// The greatest distance of two individuals that the metrics link to one cluster [default: the greatest radius within which they see each other]
    #[arg(long, value_name = "CELLS", value_parser = parse_link)]
    link: Option<f64>,
    /// Write where every individual is at every frame's step: a table, or with the ending .npz NumPy arrays
    #[arg(long, value_name = "FILE.csv|.npz")]
    trajectories: Option<PathBuf>,
    #[command(flatten)]
    tree: FamilyTree,
    /// Play a preset of cells with individuals, as `compare` does: every boid of the start becomes one
    #[arg(long)]
    individuals: bool,
    /// Print one JSON object about the run as the last thing on standard output; integers beyond 2^53 are in its key exact as text too
    #[arg(long)]
    json: bool,
}

impl Arguments {
    /// Checks the files that are written only at the end.
    fn check_destinations(&self) -> Result<(), BadInput> {
        let film = self.film.film.as_deref();
        let tables = [
            ("--metrics", &self.metrics),
            ("--trajectories", &self.trajectories),
            (family_tree::OPTION, &self.tree.path),
        ];
        let others = [("--checkpoint", &self.checkpoint), ("--statistics", &self.statistics)];
        let mut named: Vec<_> = others.iter().chain(&tables).map(|(option, path)| (*option, path.as_deref())).collect();
        for (option, path) in &named {
            path.map_or(Ok(()), |path| check_destination(option, path, self.out.as_deref()))?;
        }
        named.push(("--film", film));
        let records = tables.map(|(option, path)| (option, path.as_deref().and_then(record_path)));
        named.extend(records.iter().map(|(option, record)| (*option, record.as_deref())));
        check_distinct(&named)
    }
}

/// A length by which individuals are linked, in cells.
fn parse_link(text: &str) -> Result<f64, String> {
    let wrong = "write a length in cells, above 0 and at most 16384, as in 2.5";
    text.parse().ok().filter(|cells| *cells > 0.0 && *cells <= 16384.0).ok_or(wrong.to_owned())
}

/// Renders the default preset into `frames/`, for a call without arguments where there is no display, for a reason.
pub fn run_default(reason: &str) -> Result<u8, Failure> {
    say(format_args!("{reason}: rendering the preset `{DEFAULT}` into frames/ (240 steps, every 8th)"))?;
    say("see `murmuration --help` for everything else\n")?;
    let arguments = Arguments {
        preset: Some(DEFAULT.into()),
        steps: 240,
        every: Some(8),
        out: Some("frames".into()),
        frames: vec![FrameKind::Picture],
        ..Arguments::default()
    };
    run(&arguments).map_err(|failure| match failure {
        Failure::BadInput(wrong) if wrong.cure.contains("--overwrite") => {
            let cure = format!("move them away, or use `murmuration render {DEFAULT} --out DIR` with another folder");
            BadInput { cure, ..wrong }.into()
        }
        other => other,
    })
}

pub fn run(arguments: &Arguments) -> Result<u8, Failure> {
    let choice = arguments.engine.choose()?;
    let look = arguments.look.load()?;
    let out = arguments.out.as_deref();
    check_folder(out)?;
    let tables = [&arguments.metrics, &arguments.statistics, &arguments.trajectories];
    if arguments.every.is_some()
        && out.is_none()
        && arguments.film.film.is_none()
        && tables.iter().all(|path| path.is_none())
    {
        let cure = "add --out, --film, --metrics, --statistics or --trajectories";
        return Err(BadInput::new("--every", "there is nothing to write", cure).into());
    }
    let trajectories = arguments.trajectories.as_deref();
    let trajectories =
        trajectories.map(|path| Ok::<_, BadInput>((path, TrajectoryFormat::from_path(path)?))).transpose()?;
    arguments.check_destinations()?;
    let mut simulation = match (&arguments.preset, &arguments.resume) {
        (Some(preset), Some(path)) => {
            let problem =
                format!("a checkpoint is of a preset of its own, so that `{}` cannot be played", preset.display());
            return Err(BadInput::new(format!("--resume {}", path.display()), problem, "take one of them away").into());
        }
        (None, Some(path)) => {
            let checkpoint = read_checkpoint(path)?;
            let resumed = Simulation::resume(crate::host(), checkpoint, choice);
            let mut simulation = resumed.map_err(|failure| within(path, failure))?;
            arguments.overrides.set_under_way(&mut simulation)?;
            simulation
        }
        (preset, None) => {
            let name = preset.as_deref().unwrap_or(DEFAULT.as_ref());
            let (preset, chain) = arguments.overrides.load(name, arguments.individuals)?;
            arguments.engine.check(&chain)?;
            let run_in = preset.start_spec.run_in();
            let mut progress = Progress::new(0..run_in);
            let mut show = |step| progress.show(step, |_| format!("step {step} of {run_in} before step 0"));
            Simulation::new_with(preset, &chain, choice, &mut show)?
        }
    };
    arguments.engine.check(simulation.chain())?;
    if arguments.frames.contains(&FrameKind::Individuals) && simulation.preset().individuals.is_none() {
        let problem = format!("the preset `{}` has no individuals", simulation.preset().name);
        return Err(BadInput::new("--frames agents", problem, "use npy, which is its state").into());
    }
    if let Some((path, _)) = trajectories.filter(|_| simulation.preset().individuals.is_none()) {
        let problem = format!("the preset `{}` has no individuals", simulation.preset().name);
        let cure = "add --individuals, or use --out with --frames npy, which is its state";
        return Err(BadInput::new(format!("--trajectories {}", path.display()), problem, cure).into());
    }
    if arguments.scale.is_some() && !arguments.frames.contains(&FrameKind::Density16) {
        let problem = "is for frames of density, and none are asked for";
        return Err(BadInput::new("--scale", problem, "add --frames density16").into());
    }
    arguments.tree.begin(&mut simulation)?;
    let outputs = Outputs {
        frames: out.map(|folder| FrameOptions {
            folder,
            kinds: &arguments.frames,
            scale: arguments.scale,
            overwrites: arguments.overwrite,
        }),
        metrics: arguments.metrics.as_deref(),
        statistics: arguments.statistics.as_deref(),
        link: arguments.link,
        trajectories,
        tree: Some(&arguments.tree),
        film: arguments.film.asked(),
        checkpoints: arguments.checkpoint.as_deref().zip(arguments.checkpoint_every),
        every: arguments.every,
    };
    let first = simulation.step();
    let last = first.saturating_add(arguments.steps);
    let mut run = Run::new(simulation, last - first, outputs, look, None)?;
    let outcome = run.play().map_err(|failure| rescue(arguments, &mut run.simulation, failure))?;
    if outcome.is_interrupted {
        let step = run.simulation.step();
        remark(format_args!("interrupted at step {step} of {last}; the results so far are kept"));
    }
    if let Some(path) = &arguments.checkpoint {
        run.save_checkpoint(path)?;
    }
    let status = run.report(&outcome, arguments.json)?;
    Ok(if outcome.is_interrupted { INTERRUPTED } else { status })
}

/// Saves the requested checkpoint of a run that failed: of the last known state if no engine could go on, and of the present step if
/// something could not be written. Returns the failure with the outcome.
fn rescue(arguments: &Arguments, simulation: &mut Simulation, failure: Failure) -> Failure {
    let mut save = |path: &Path| -> Result<(u64, PathBuf), Failure> {
        if matches!(failure, Failure::Device(_)) {
            return Ok((save_last_known(simulation, path)?, path.to_path_buf()));
        }
        let elsewhere = save_checkpoint_somewhere(simulation, path)?;
        Ok((simulation.step(), elsewhere.map_or_else(|| path.to_path_buf(), |(place, _)| place)))
    };
    // The other ranks are still playing, and a swarm is read by all of them.
    let is_alone = crate::host().ranks().size() == 1;
    if !is_alone || !matches!(failure, Failure::Device(_) | Failure::File { .. }) {
        return failure;
    }
    let saved = match arguments.checkpoint.as_deref().map(&mut save) {
        Some(Ok((step, path))) => format!("; the swarm of step {step} was saved to {}", path.display()),
        Some(Err(failure)) => format!("; the swarm could not be saved: {failure}"),
        None => String::new(),
    };
    failure.with(format_args!("frames and metrics so far are kept{saved}"))
}
