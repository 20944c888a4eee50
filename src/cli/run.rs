//! Plays a run that writes frames, metrics, a film and other results, and prints a report as text or as JSON.

use super::family_tree::FamilyTree;
use super::options::{EngineOptions, FilmOptions, LookOptions, PresetOptions, whole};
use super::progress::{RunProgress, listen};
use super::{FAILED, complain, say, say_json, with_separator};
use crate::files::frames::Schedule;
use crate::files::save_checkpoint_somewhere;
use crate::film::FilmRecorder;
use crate::observe::{FrameKind, Observation, features, link_length};
use crate::provenance::{KEY, Provenance};
use crate::run::{Checkpoints, Elsewhere, FrameWriter, Metrics, Played, Run, Statistics, TrajectoryWriter};
use murmuration_core::chain::Chain;
use murmuration_core::error::Failure;
use murmuration_core::numbers::BOID;
use murmuration_core::simulation::replay::Replay;
use murmuration_core::simulation::{Account, Simulation};
use murmuration_core::state::Entry;
use murmuration_core::text::readable::{boids, grouped, rate, signed_boids};
use serde_json::{Value, json};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Instant;

/// Play a preset and write frames, data and metrics.
///
/// Exit status: 0; 1 if boids were lost or the run failed; 2 for bad input; 130 if interrupted.
#[derive(Debug, Clone, Default, clap::Args)]
pub struct Arguments {
    /// A built-in preset (see `murmuration presets`), or the path of one
    #[arg(required_unless_present = "resume")]
    pub(super) preset: Option<PathBuf>,
    /// Go on from a checkpoint instead; --set changes keys that act without a restart, and the next checkpoint keeps
    /// them
    #[arg(long, value_name = "FILE", conflicts_with_all = ["size", "seed", "chain", "individuals"])]
    pub(super) resume: Option<PathBuf>,
    /// Save a checkpoint at the end, for --resume
    #[arg(long, value_name = "FILE")]
    pub(super) checkpoint: Option<PathBuf>,
    /// Write the checkpoint also under way, at every step that is a multiple of N: a run that is lost goes on from
    /// there
    #[arg(long, value_name = "N", requires = "checkpoint", value_parser = whole::<u64>(1..=u64::MAX))]
    pub(super) checkpoint_every: Option<u64>,
    /// Steps to play, after those of a checkpoint
    #[arg(long, default_value_t = 600, value_name = "N", allow_negative_numbers = true)]
    #[arg(value_parser = whole::<u64>(0..=u64::MAX))]
    pub(super) steps: u64,
    /// Write a frame and a row of metrics every K steps, step 0 included [default: 1 with --film, else the first and
    /// the last step]
    #[arg(long, value_name = "K", value_parser = whole::<u64>(1..=u64::MAX))]
    pub(super) every: Option<u64>,
    /// The folder of the frames; without it no frames are written
    #[arg(long, value_name = "DIR")]
    pub(super) out: Option<PathBuf>,
    #[command(flatten)]
    pub(super) film: FilmOptions,
    #[command(flatten)]
    pub(super) look: LookOptions,
    #[command(flatten)]
    pub(super) overrides: PresetOptions,
    #[command(flatten)]
    pub(super) engine: EngineOptions,
    /// The kinds of frames, separated by commas: picture, density16 (16-bit grey), npy (the exact state of the
    /// lattice), agents (the exact state of individuals)
    #[arg(long, value_name = "KIND", value_delimiter = ',', default_value = "picture", requires = "out")]
    #[arg(value_parser = |text: &str| {
        text.parse::<FrameKind>().map_err(|wrong| format!("{}; {}", wrong.problem, wrong.cure))
    })]
    pub(super) frames: Vec<FrameKind>,
    /// The boids a cell that are white in all density16 frames of the run; a checkpoint keeps the number [default: four
    /// times the greatest density at step 0, rounded up to a power of two]
    #[arg(long, value_name = "BOIDS", requires = "out", value_parser = whole::<u32>(1..=BOID.into()))]
    pub(super) scale: Option<u32>,
    /// Remove frames of other runs from the folder of --out where they would remain among the new ones; nothing else is
    /// removed
    #[arg(long, requires = "out")]
    pub(super) overwrite: bool,
    /// Write the metrics of every frame's step into a CSV file
    #[arg(long, value_name = "FILE.csv")]
    pub(super) metrics: Option<PathBuf>,
    /// Write the statistics of every frame's step into a JSON file: correlations, pair distribution, number
    /// fluctuations, neighbours, turning
    #[arg(long, value_name = "FILE.json")]
    pub(super) statistics: Option<PathBuf>,
    /// The greatest distance of two individuals that the metrics link to one cluster [default: the greatest radius
    /// within which they see each other]
    #[arg(long, value_name = "CELLS", value_parser = parse_link)]
    pub(super) link: Option<f64>,
    /// Write where every individual is at every frame's step: a table, or with the ending .npz NumPy arrays
    #[arg(long, value_name = "FILE.csv|.npz")]
    pub(super) trajectories: Option<PathBuf>,
    #[command(flatten)]
    pub(super) tree: FamilyTree,
    /// Play a preset of cells with individuals, as `compare` does: every boid of the start becomes one
    #[arg(long)]
    pub(super) individuals: bool,
    /// Print one JSON object about the run as the last thing on standard output; integers beyond 2^53 are in its key
    /// exact as text too
    #[arg(long)]
    pub(super) json: bool,
}

/// Parses the maximum distance of two linked individuals, in cells.
fn parse_link(text: &str) -> Result<f64, String> {
    let wrong = "write a length in cells, above 0 and at most 16384, as in 2.5";
    text.parse().ok().filter(|cells| *cells > 0.0 && *cells <= 16384.0).ok_or(wrong.to_owned())
}

/// The outcome of a run that has ended or was interrupted.
pub struct Outcome<'a> {
    arguments: &'a Arguments,
    played: Played,
    account: Account,
    frames: Option<FrameWriter>,
    /// The number of frames of the film. `None` without a film.
    film: Option<u64>,
    provenance: Arc<Provenance>,
    /// Notes of the preset, and messages of the run.
    remarks: Vec<String>,
    /// The files that were saved at another path than the requested one, each with the reason.
    elsewhere: Vec<Elsewhere>,
}

/// Plays steps, with the inputs of a replay if there is one, and writes the results that the arguments request. `look`:
/// the chain that draws, or `None` for the built-in look. If the run fails, the film, the metrics and the family tree
/// are written up to the last step.
///
/// # Errors
/// If the folder has frames of another run, the engine fails, or a result cannot be drawn or written.
pub fn play<'a>(
    simulation: &mut Simulation,
    steps: u64,
    arguments: &'a Arguments,
    look: Option<&Chain>,
    replay: Option<&Replay>,
) -> Result<Outcome<'a>, Failure> {
    let every = arguments.every.unwrap_or(if arguments.film.film.is_some() { 1 } else { steps.max(1) });
    let (first, stop, notes) = (simulation.step(), listen()?, simulation.preset().notes());
    let mut film = arguments.film.begin(simulation)?.map(|film| film.every(every));
    film.iter_mut().for_each(|film| film.end_when(stop.clone()));
    let mut frames = arguments.frames(simulation, steps, every)?;
    // The folder of the frames exists by now.
    let trajectories = arguments.trajectories.as_ref();
    let trajectories = trajectories.map(|path| TrajectoryWriter::new(path, every, simulation.preset())).transpose()?;
    let metrics = arguments.metrics.as_ref();
    let metrics = metrics.map(|path| Metrics::every(every, simulation).link(arguments.link).write_to(path));
    let statistics = arguments.statistics.as_ref().map(|path| Statistics::new(path, every));
    let checkpoints = arguments.checkpoint.as_ref().zip(arguments.checkpoint_every);
    let progress = RunProgress::new(first..first + steps, simulation);
    let mut run = Run::new(simulation).to(first + steps).stop_when(stop).look(look.cloned());
    if let Some(replay) = replay {
        run = run.replay(replay);
    }
    let played = run
        .with(checkpoints.map(|(path, every)| Checkpoints::new(path, every)))
        .with(&mut frames)
        .with(&mut film)
        .with(metrics)
        .with(statistics)
        .with(trajectories)
        .with(&arguments.tree)
        .with(progress)
        .play();
    let mut played = played?;
    // The account waits for the last steps of a GPU. This time belongs to the time of the steps.
    let begun = Instant::now();
    let account = simulation.account()?;
    played.step_time += begun.elapsed();
    let provenance = Arc::new(Provenance::new(simulation).with_look(look));
    let inputs = replay.map_or(provenance.inputs, |replay| replay.events.len() as u64);
    Ok(Outcome {
        arguments,
        account,
        frames,
        film: film.as_ref().map(FilmRecorder::frames),
        provenance: provenance.with_inputs(inputs),
        remarks: [notes, std::mem::take(&mut played.remarks)].concat(),
        elsewhere: std::mem::take(&mut played.elsewhere),
        played,
    })
}

impl Arguments {
    /// Opens the folder of the frames, if frames are requested. Stores their scale in the simulation, so that a
    /// checkpoint keeps it.
    fn frames(&self, simulation: &mut Simulation, steps: u64, every: u64) -> Result<Option<FrameWriter>, Failure> {
        let Some(folder) = &self.out else { return Ok(None) };
        simulation.frame_scale = self.scale.or(simulation.frame_scale);
        let (first, preset) = (simulation.step(), simulation.preset());
        let schedule = Schedule { first, last: first + steps, every, has_last: false };
        let (slices, arrays) = (preset.world.extents.depth, features::arrays(preset));
        FrameWriter::open(folder, &self.frames, schedule, arrays, slices, self.overwrite).map(Some)
    }
}

impl Outcome<'_> {
    /// The number of steps that this run has played, without the steps before a resumed checkpoint.
    pub fn steps(&self) -> u64 {
        self.played.steps
    }

    pub fn is_interrupted(&self) -> bool {
        self.played.is_stopped
    }

    /// Prints the report of the run. Returns the exit status.
    ///
    /// # Errors
    /// If the device fails, or standard output is closed.
    pub fn report(&self, simulation: &mut Simulation, as_json: bool) -> Result<u8, Failure> {
        let lost = self.account.lost;
        if lost != 0 {
            complain(loss(simulation.chain(), self.account));
        }
        if as_json {
            say_json(self.object(simulation)?)?;
        } else {
            self.print(simulation)?;
        }
        for (path, why) in &self.elsewhere {
            complain(format_args!("{why}; it is in {} instead", path.display()));
        }
        Ok(if lost == 0 && self.elsewhere.is_empty() { 0 } else { FAILED })
    }

    /// Saves a checkpoint of the last step. If its folder does not take the file, saves the checkpoint elsewhere.
    ///
    /// # Errors
    /// If the device fails, or no folder takes the file.
    pub fn save_checkpoint(&mut self, simulation: &mut Simulation, path: &Path) -> Result<(), Failure> {
        self.elsewhere.extend(save_checkpoint_somewhere(simulation, path)?);
        Ok(())
    }

    /// The number of cells or individuals that were updated a second.
    fn per_second(&self, simulation: &Simulation) -> f64 {
        let many = match simulation.preset().individuals {
            None => simulation.preset().world.extents.cells() as f64,
            Some(_) => murmuration_core::state::boids(self.account.quanta),
        };
        self.steps() as f64 * many / self.played.step_time.as_secs_f64().max(1e-9)
    }

    fn print(&self, simulation: &Simulation) -> Result<(), Failure> {
        let preset = simulation.preset();
        say(format_args!(
            "{} · {} · seed {} · chain {} · {} ({})",
            preset.name,
            preset.size(),
            preset.seed,
            simulation.chain().name,
            simulation.engine_name(),
            simulation.describe_engine()
        ))?;
        let per_second = self.per_second(simulation);
        let pace = match preset.individuals {
            None => rate(per_second, "cell"),
            Some(_) => format!("{} individuals/s", grouped(per_second as u64)),
        };
        let Played { step_time, time, .. } = &self.played;
        let seconds = step_time.as_secs_f64();
        let others = time.saturating_sub(*step_time).as_secs_f64();
        let steps = grouped(self.steps());
        say(format_args!("{steps} steps in {seconds:.2} s ({pace}), other work {others:.2} s"))?;
        if let Some((frames, folder)) = self.frames.as_ref().zip(self.arguments.out.as_ref()) {
            say(format_args!("{} frames in {}", frames.files(), with_separator(folder)))?;
        }
        if let (Some(frames), Some(path)) = (self.film, &self.arguments.film.film) {
            say(format_args!("{} frames in {}", grouped(frames), path.display()))?;
        }
        self.arguments.tree.line(simulation).map_or(Ok(()), say)?;
        features::lines(preset, &self.account).iter().try_for_each(say)?;
        say(format_args!("{} boids · lost {}", boids(self.account.quanta), signed_boids(self.account.lost)))
    }

    /// The JSON object of `--json` (`docs/formats.md, JSON`). Amounts are in quanta.
    fn object(&self, simulation: &mut Simulation) -> Result<Value, Failure> {
        let pace = self.per_second(simulation);
        let provenance = &self.provenance;
        let dispatch = provenance.engine.as_ref().and_then(|engine| engine.dispatch);
        let Account { quanta, ledger, lost, .. } = self.account;
        // The readbacks are counted before the state is read back for the hash.
        let readbacks = simulation.state_readbacks();
        let of_individuals = simulation.preset().individuals.is_some();
        // If several ranks play the world, each rank hashes and measures its own slab.
        let (hash, observed) = if simulation.is_in_slabs() {
            let hash = simulation.state_hash()?;
            let Some(observed) = Observation::over_ranks(simulation, &self.account)? else { return Ok(Value::Null) };
            (hash, observed)
        } else {
            let swarm = simulation.swarm()?;
            let deposit = simulation.deposit(&swarm).into_owned();
            let link = self.arguments.link;
            let observed = Observation::from_swarm(simulation, &swarm, &deposit, &self.account, link);
            (swarm.hash(), observed)
        };
        let mut object = json!({
            "preset": simulation.preset().name,
            "engine": simulation.engine_name(),
            "dispatch": dispatch,
            "chain": simulation.chain().name,
            "size": simulation.preset().size().to_string(),
            "steps": simulation.step(),
            "seed": simulation.preset().seed,
            "boids": murmuration_core::state::boids(quanta),
            "quanta_start": ledger.sum(Entry::Start),
            "quanta_end": quanta,
            "spawned": ledger.sum(Entry::Spawned),
            "caught": ledger.sum(Entry::Caught),
            "lost": lost,
            "state_hash": hash,
            "measures": observed.measures(),
            "seconds": self.played.step_time.as_secs_f64(),
            "cells_per_second": (!of_individuals).then_some(pace),
            "frames": self.frames.as_ref().map_or(0, FrameWriter::files),
            "state_readbacks": readbacks,
            "remarks": self.remarks,
        });
        if let Some(frames) = self.frames.as_ref().filter(|frames| frames.has(FrameKind::Density16)) {
            object["scale"] = json!(simulation.frame_scale);
            object["clipped"] = json!(frames.clipped());
        }
        let mut add = |keys: Vec<(&str, Value)>| keys.into_iter().for_each(|(key, value)| object[key] = value);
        let [before, after, last] = observed.features.keys(simulation);
        add(before);
        add(vec![(KEY, provenance.record(simulation.step()))]);
        if of_individuals {
            add(after);
            let link = self.arguments.link.or_else(|| link_length(simulation.preset()));
            add(vec![("agents_per_second", json!(pace)), ("link", json!(link))]);
            add(last);
        }
        Ok(object)
    }
}

/// The message about an account that is not balanced: boids were lost, or came from nowhere.
pub fn loss(chain: &Chain, account: Account) -> String {
    let start = account.ledger.sum(Entry::Start);
    let share = 100.0 * account.lost.unsigned_abs() as f64 / start.max(1) as f64;
    let verb = if account.lost > 0 { "lost" } else { "came from nowhere" };
    let amount = boids(account.lost.unsigned_abs());
    let is_ours = chain.passes.iter().all(|pass| pass.kernel.is_built_in);
    let why = if chain.conserves && is_ours {
        "this must never happen: please report it"
    } else {
        "its way to move them does not conserve"
    };
    format!("{amount} of {} boids {verb} ({share:.2} %) with the chain {}: {why}", boids(start), chain.name)
}
