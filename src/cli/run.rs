//! A run that writes frames, metrics and a film, and its result as text and as JSON.

mod tables;

use super::family_tree::FamilyTree;
use super::options::{EngineOptions, FilmOptions, LookOptions, PresetOptions, whole};
use super::progress::RunProgress;
use super::{FAILED, complain, pacing, remark, say, say_json, with_separator};
use crate::files::frames::Schedule;
use crate::files::{save_checkpoint, save_checkpoint_somewhere};
use crate::film::FilmRecorder;
use crate::observe::{
    Caption, FrameKind, FrameWriter, LivelinessSampler, Observation, StatisticsRecord, Trajectories, default_scale,
    features, link_length,
};
use crate::painter::FramePainter;
use crate::provenance::{KEY, Provenance};
use crate::ranks::is_first_rank;
use murmuration_core::chain::Chain;
use murmuration_core::error::Failure;
use murmuration_core::numbers::BOID;
use murmuration_core::simulation::replay::{Playback, Replay};
use murmuration_core::simulation::{Account, Simulation, StopCheck};
use murmuration_core::state::{Entry, Swarm};
use murmuration_core::text::readable::{boids, grouped, rate, signed_boids};
use murmuration_core::ticket::Patience;
use murmuration_gpu::look::{keep_points, on_device};
use serde_json::{Value, json};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

/// Steps between two looks at the progress of a run that writes nothing.
const STEPS_AT_ONCE: u64 = 16;

/// Play a preset and write frames, data and metrics.
///
/// Exit status: 0; 1 if boids were lost or the run failed; 2 for bad input; 130 if interrupted.
#[derive(Debug, Clone, Default, clap::Args)]
pub struct Arguments {
    /// A built-in preset (see `murmuration presets`), or the path of one
    #[arg(required_unless_present = "resume")]
    pub(super) preset: Option<PathBuf>,
    /// Go on from a checkpoint instead; --set changes keys that act without a restart, and the next checkpoint keeps them
    #[arg(long, value_name = "FILE", conflicts_with_all = ["size", "seed", "chain", "individuals"])]
    pub(super) resume: Option<PathBuf>,
    /// Save a checkpoint at the end, for --resume
    #[arg(long, value_name = "FILE")]
    pub(super) checkpoint: Option<PathBuf>,
    /// Write the checkpoint also under way, at every step that is a multiple of N: a run that is lost goes on from there
    #[arg(long, value_name = "N", requires = "checkpoint", value_parser = whole::<u64>(1..=u64::MAX))]
    pub(super) checkpoint_every: Option<u64>,
    /// Steps to play, after those of a checkpoint
    #[arg(long, default_value_t = 600, value_name = "N", allow_negative_numbers = true, value_parser = whole::<u64>(0..=u64::MAX))]
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
    /// The kinds of frames, separated by commas: picture, density16 (16-bit grey), npy (the exact state of the lattice), agents (the exact
    /// state of individuals)
    #[arg(long, value_name = "KIND", value_delimiter = ',', default_value = "picture", requires = "out")]
    #[arg(value_parser = |text: &str| text.parse::<FrameKind>().map_err(|wrong| format!("{}; {}", wrong.problem, wrong.cure)))]
    pub(super) frames: Vec<FrameKind>,
    /// The boids a cell that are white in all density16 frames of the run; a checkpoint keeps the number [default: four times the greatest
    /// density at step 0, rounded up to a power of two]
    #[arg(long, value_name = "BOIDS", requires = "out", value_parser = whole::<u32>(1..=BOID.into()))]
    pub(super) scale: Option<u32>,
    /// Remove frames of other runs from the folder of --out where they would remain among the new ones; nothing else is removed
    #[arg(long, requires = "out")]
    pub(super) overwrite: bool,
    /// Write the metrics of every frame's step into a CSV file
    #[arg(long, value_name = "FILE.csv")]
    pub(super) metrics: Option<PathBuf>,
    /// Write the statistics of every frame's step into a JSON file: correlations, pair distribution, number fluctuations, neighbours, turning
    #[arg(long, value_name = "FILE.json")]
    pub(super) statistics: Option<PathBuf>,
    /// The greatest distance of two individuals that the metrics link to one cluster [default: the greatest radius within which they see each other]
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
    /// Print one JSON object about the run as the last thing on standard output; integers beyond 2^53 are in its key exact as text too
    #[arg(long)]
    pub(super) json: bool,
}

/// A length by which individuals are linked, in cells.
fn parse_link(text: &str) -> Result<f64, String> {
    let wrong = "write a length in cells, above 0 and at most 16384, as in 2.5";
    text.parse().ok().filter(|cells| *cells > 0.0 && *cells <= 16384.0).ok_or(wrong.to_owned())
}

/// Where a result is that could not be written to its path, and why.
type Elsewhere = (PathBuf, Failure);

/// A run under way.
pub struct Run<'a> {
    pub simulation: Simulation,
    /// What the run writes.
    outputs: &'a Arguments,
    /// Steps to play, and the steps between two frames.
    steps: u64,
    every: u64,
    /// The replay that is played.
    replay: Option<(&'a Replay, Playback)>,
    metrics: Vec<Observation>,
    /// What the liveliness in the metrics is made of; `None`: no metrics are written.
    liveliness: Option<LivelinessSampler>,
    statistics: StatisticsRecord,
    trajectories: Option<Trajectories>,
    provenance: Arc<Provenance>,
    frame_painter: FramePainter,
    recorder: Option<FilmRecorder>,
    frames: Option<FrameWriter>,
    /// What is to be known though nothing is wrong: what was said so far, and what is not said yet.
    remarks: Vec<String>,
    notes: Vec<String>,
    elsewhere: Vec<Elsewhere>,
    /// Time spent in steps.
    step_time: Duration,
    begun: Instant,
}

/// The result of a run.
pub struct Outcome {
    account: Account,
    /// Steps played, without those before a checkpoint.
    pub steps: u64,
    pub is_interrupted: bool,
    /// Seconds spent in steps, and otherwise.
    seconds: [f64; 2],
    /// The frames of the film.
    film: Option<u64>,
}

impl<'a> Run<'a> {
    /// A run of so many steps of a simulation, drawn by a chain of the look (`None`: the built-in one), with the inputs of a replay if
    /// there is one.
    ///
    /// # Errors
    /// If the folder of the frames cannot be created or has frames of another run, or the film cannot begin.
    pub fn new(
        mut simulation: Simulation,
        steps: u64,
        outputs: &'a Arguments,
        look: Option<Chain>,
        replay: Option<&'a Replay>,
    ) -> Result<Self, Failure> {
        let every = outputs.every.unwrap_or(if outputs.film.film.is_some() { 1 } else { steps.max(1) });
        // Other ranks draw nothing and write nothing.
        let recorder = if is_first_rank() { outputs.film.begin(&simulation)? } else { None };
        let preset = simulation.preset();
        let (axes, slices) = (preset.size().axes(), preset.world.extents.depth);
        let (arrays, columns) = (features::arrays(preset), features::columns_of_individuals(preset));
        let mut frames = None;
        if let Some(folder) = &outputs.out {
            let first = simulation.step();
            let schedule = Schedule { first, last: first + steps, every, has_last: false };
            if is_first_rank() {
                frames = Some(FrameWriter::open(folder, &outputs.frames, schedule, arrays, slices, outputs.overwrite)?);
            }
            simulation.frame_scale = outputs.scale.or(simulation.frame_scale);
        }
        // The folder of the frames is there.
        let begin = |path: &PathBuf| Trajectories::begin(path, axes, columns);
        let trajectories = outputs.trajectories.as_ref().filter(|_| is_first_rank()).map(begin).transpose()?;
        let liveliness = outputs.metrics.is_some().then(|| LivelinessSampler::from_preset(simulation.preset()));
        Ok(Self {
            provenance: Arc::new(Provenance::new(&simulation).with_look(look.as_ref())),
            frame_painter: FramePainter::with_look(look),
            recorder,
            frames,
            steps,
            every,
            remarks: simulation.preset().notes(),
            notes: Vec::new(),
            simulation,
            outputs,
            replay: replay.map(|replay| (replay, Playback::default())),
            metrics: Vec::new(),
            liveliness,
            statistics: StatisticsRecord::default(),
            trajectories,
            elsewhere: Vec::new(),
            step_time: Duration::ZERO,
            begun: Instant::now(),
        })
    }

    /// Plays the steps, or fewer if it is interrupted. The film, the metrics and the family tree so far are written even if the run fails.
    ///
    /// # Errors
    /// If the engine fails, or something cannot be drawn or written.
    pub fn play(&mut self) -> Result<Outcome, Failure> {
        let played = self.play_steps();
        let film = self.recorder.take().map(|recorder| recorder.finish()).transpose();
        let metrics = self.write_metrics();
        let statistics = self.write_statistics();
        let trajectories = self.write_trajectories();
        // What has failed is reported, and the record so far written.
        let settled = self.simulation.update_lineage();
        let tree = self.write_tree();
        let (played, account) = played?;
        settled?;
        let film = film?;
        self.elsewhere.extend([metrics?, statistics?, trajectories?, tree?].into_iter().flatten());
        let seconds = [self.step_time, self.begun.elapsed() - self.step_time].map(|time| time.as_secs_f64());
        Ok(Outcome { account, steps: played, is_interrupted: played < self.steps, seconds, film })
    }

    /// Returns the steps played and the account of the swarm.
    fn play_steps(&mut self) -> Result<(u64, Account), Failure> {
        let (steps, every) = (self.steps, self.every);
        let interrupt = pacing::listen()?;
        let is_set: StopCheck = Arc::new(move || interrupt.load(Ordering::Relaxed));
        self.simulation.stop_when(is_set.clone());
        self.recorder.iter_mut().for_each(|recorder| recorder.end_when(is_set.clone()));
        let first = self.simulation.step();
        self.sample_liveliness()?;
        let mut progress = RunProgress::new(first..first + steps, &self.simulation);
        let played = pacing::play(self, steps, every, |played| progress.show(played))?;
        if played == steps && self.replay.is_some() {
            // Inputs after the last step.
            pacing::PacedRun::advance(self, 0)?;
        }
        // Waits for the last steps of a GPU, which count as well.
        let begun = Instant::now();
        let account = self.simulation.account()?;
        self.step_time += begun.elapsed();
        drop(progress);
        // The last step of an interrupted run is kept although it is not due.
        if played < steps && !played.is_multiple_of(every) {
            self.write(false)?;
        }
        self.remark_on_frames(played < steps)?;
        pacing::PacedRun::remarks(self).iter().for_each(remark);
        Ok((played, account))
    }

    /// Notes what is to be known of the frames.
    fn remark_on_frames(&mut self, is_interrupted: bool) -> Result<(), Failure> {
        let Some((frames, folder)) = self.frames.as_ref().zip(self.outputs.out.as_ref()) else {
            return Ok(());
        };
        let (step, folder) = (self.simulation.step(), folder.display());
        let left = if is_interrupted { frames.count_after(step)? } else { 0 };
        if left > 0 {
            self.notes.push(format!("{left} frames of an earlier run, of steps after {step}, are still in {folder}"));
        }
        if let (clipped @ 1.., Some(scale)) = (frames.clipped(), self.simulation.frame_scale) {
            self.notes.push(format!(
                "{} pixels of density were above the scale of {scale} boids a cell, and are white; --scale {} has room for all",
                grouped(clipped),
                frames.sufficient_scale()
            ));
        }
        Ok(())
    }

    /// Writes the frames of the present step and keeps its metrics. The film takes only steps that are due, so that all its
    /// frames are equally far apart.
    fn write(&mut self, is_due: bool) -> Result<(), Failure> {
        let Arguments { out, frames, film, metrics, statistics, trajectories, .. } = self.outputs;
        let has_film = film.film.is_some();
        let has_pictures = out.is_some() || has_film;
        if !has_pictures && metrics.is_none() && statistics.is_none() && trajectories.is_none() {
            return Ok(());
        }
        let step = self.simulation.step();
        // A picture reads the swarm where it is, and metrics of slabs are sums of all ranks.
        let is_drawn_there = on_device(&self.simulation).is_some();
        let is_summed = self.simulation.is_in_slabs();
        let has_tables = statistics.is_some() || trajectories.is_some() || metrics.is_some() && !is_summed;
        // Some pictures are sums of all ranks too.
        let has_frame = out.is_some() && frames.contains(&FrameKind::Picture);
        let is_picture_summed = (has_frame || has_film) && self.frame_painter.is_made_of_sums(&self.simulation);
        let has_arrays = out.is_some() && frames.iter().any(|kind| *kind != FrameKind::Picture);
        let is_read = has_tables || has_arrays || has_pictures && !is_drawn_there && !is_picture_summed;
        let begun = Instant::now();
        let swarm = if is_read { self.simulation.swarm_on_first_rank()? } else { None };
        if !is_read && is_drawn_there {
            // Whatever reads the swarm next says that a device is lost.
            let _ = self.simulation.wait();
        }
        // The steps of a GPU were waited for. That time belongs to the steps.
        self.step_time += begun.elapsed();
        let seen = match &swarm {
            Some(Swarm::Individuals(..)) => swarm.as_ref().map(|swarm| self.simulation.deposit(swarm).into_owned()),
            _ => None,
        };
        let state = match &swarm {
            Some(Swarm::Cells(state)) => Some(state),
            _ => seen.as_ref(),
        };
        let read = swarm.as_ref().zip(state);
        let caption = Caption { provenance: self.provenance(), step };
        let summed = match is_picture_summed && (has_frame || is_due) {
            true => FramePainter::picture_of_slabs(&mut self.simulation)?,
            false => None,
        };
        let (film_of_slabs, mut frame_of_slabs) =
            summed.map_or((None, None), |[film, frame]| (Some(film), Some(frame)));
        if let Some(frames) = &mut self.frames {
            if let Some((_, state)) = read.filter(|_| frames.has(FrameKind::Density16)) {
                self.simulation.frame_scale.get_or_insert_with(|| default_scale(state));
            }
            let scale = self.simulation.frame_scale.unwrap_or(1);
            let mut paint = || match frame_of_slabs.take() {
                Some(picture) => Ok(picture),
                None => self.frame_painter.paint_read(&mut self.simulation, read),
            };
            frames.write(read, scale, &caption, &mut paint)?;
        }
        if !is_first_rank() && (has_film || has_frame) {
            // Every rank keeps what the first one draws.
            keep_points(&mut self.simulation)?;
        }
        if let Some(recorder) = self.recorder.as_mut().filter(|_| is_due) {
            let picture = match film_of_slabs {
                Some(picture) => picture,
                None => self.frame_painter.paint_step(&mut self.simulation, read)?,
            };
            recorder.add_picture(picture, &caption)?;
        }
        if let (Some(trajectories), Some(Swarm::Individuals(individuals, columns))) = (&mut self.trajectories, &swarm) {
            let path = || self.outputs.trajectories.as_ref().map_or(String::new(), |path| path.display().to_string());
            let failed = |source| Failure::File { action: "cannot store a step of", path: path(), source };
            trajectories.add(step, individuals, columns.origin()).map_err(failed)?;
        }
        if let (Some(_), Some(swarm)) = (statistics, &swarm) {
            self.statistics.add(&self.simulation, swarm);
        }
        // Every rank adds to the account.
        if metrics.is_some() {
            let account = self.simulation.account()?;
            let observed = match read {
                _ if is_summed => Observation::over_ranks(&mut self.simulation, &account)?,
                Some((swarm, state)) => {
                    let (simulation, link) = (&mut self.simulation, self.outputs.link);
                    Some(Observation::from_swarm(simulation, swarm, state, &account, link))
                }
                None => None,
            };
            self.metrics.extend(observed.map(|observed| observed.with_liveliness(self.liveliness.as_ref())));
        }
        Ok(())
    }

    /// The provenance of the present step. A replay brings all its inputs.
    fn provenance(&mut self) -> Arc<Provenance> {
        self.provenance = self.provenance.renewed(&self.simulation);
        let inputs = self.replay.as_ref().map(|(replay, _)| replay.events.len() as u64);
        self.provenance.with_inputs(inputs.unwrap_or(self.provenance.inputs))
    }

    /// Prints the result. Returns the exit status.
    ///
    /// # Errors
    /// If the device fails, or standard output is closed.
    pub fn report(&mut self, outcome: &Outcome, as_json: bool) -> Result<u8, Failure> {
        let lost = outcome.account.lost;
        if lost != 0 {
            complain(loss(self.simulation.chain(), outcome.account));
        }
        if as_json {
            say_json(self.object(outcome)?)?;
        } else {
            self.print(outcome)?;
        }
        for (path, why) in &self.elsewhere {
            complain(format_args!("{why}; it is in {} instead", path.display()));
        }
        Ok(if lost == 0 && self.elsewhere.is_empty() { 0 } else { FAILED })
    }

    /// Saves a checkpoint of the last step.
    ///
    /// # Errors
    /// The device fails, or no folder takes the file.
    pub fn save_checkpoint(&mut self, path: &Path) -> Result<(), Failure> {
        self.elsewhere.extend(save_checkpoint_somewhere(&mut self.simulation, path)?);
        Ok(())
    }

    /// Cells or individuals per second.
    fn per_second(&self, outcome: &Outcome) -> f64 {
        let many = match self.simulation.preset().individuals {
            None => self.simulation.preset().world.extents.cells() as f64,
            Some(_) => murmuration_core::state::boids(outcome.account.quanta),
        };
        outcome.steps as f64 * many / outcome.seconds[0].max(1e-9)
    }

    fn print(&self, outcome: &Outcome) -> Result<(), Failure> {
        let simulation = &self.simulation;
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
        let per_second = self.per_second(outcome);
        let pace = match preset.individuals {
            None => rate(per_second, "cell"),
            Some(_) => format!("{} individuals/s", grouped(per_second as u64)),
        };
        let ([seconds, others], steps) = (outcome.seconds, grouped(outcome.steps));
        say(format_args!("{steps} steps in {seconds:.2} s ({pace}), other work {others:.2} s"))?;
        if let Some((frames, folder)) = self.frames.as_ref().zip(self.outputs.out.as_ref()) {
            say(format_args!("{} frames in {}", frames.files(), with_separator(folder)))?;
        }
        if let (Some(frames), Some(path)) = (outcome.film, &self.outputs.film.film) {
            say(format_args!("{} frames in {}", grouped(frames), path.display()))?;
        }
        self.outputs.tree.line(simulation).map_or(Ok(()), say)?;
        features::lines(preset, &outcome.account).iter().try_for_each(say)?;
        say(format_args!("{} boids · lost {}", boids(outcome.account.quanta), signed_boids(outcome.account.lost)))
    }

    /// The JSON object of `--json` (`docs/formats.md, JSON`). Amounts are in quanta.
    fn object(&mut self, outcome: &Outcome) -> Result<Value, Failure> {
        let (pace, provenance) = (self.per_second(outcome), self.provenance());
        let simulation = &mut self.simulation;
        let dispatch = provenance.engine.as_ref().and_then(|engine| engine.dispatch);
        let Account { quanta, ledger, lost, .. } = outcome.account;
        // Without the one for the hash.
        let readbacks = simulation.state_readbacks();
        let of_individuals = simulation.preset().individuals.is_some();
        // Several ranks hash and measure their slabs.
        let (hash, observed) = if simulation.is_in_slabs() {
            let hash = simulation.state_hash()?;
            let Some(observed) = Observation::over_ranks(simulation, &outcome.account)? else { return Ok(Value::Null) };
            (hash, observed)
        } else {
            let swarm = simulation.swarm()?;
            let deposit = simulation.deposit(&swarm).into_owned();
            let link = self.outputs.link;
            let observed = Observation::from_swarm(simulation, &swarm, &deposit, &outcome.account, link);
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
            "seconds": outcome.seconds[0],
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
            let link = self.outputs.link.or_else(|| link_length(simulation.preset()));
            add(vec![("agents_per_second", json!(pace)), ("link", json!(link))]);
            add(last);
        }
        Ok(object)
    }
}

impl Run<'_> {
    /// Samples the present step for the liveliness, if it is due.
    fn sample_liveliness(&mut self) -> Result<(), Failure> {
        let Some(sampler) = &mut self.liveliness else { return Ok(()) };
        sampler.sample(&mut self.simulation)
    }

    /// Plays a number of steps, or fewer. Returns how many.
    fn advance_piece(&mut self, steps: u64) -> Result<u64, Failure> {
        let (begun, simulation) = (Instant::now(), &mut self.simulation);
        let played = match &mut self.replay {
            Some((replay, playback)) => {
                let before = playback.steps();
                playback.advance(replay, simulation, steps, Patience::Wait)?;
                playback.steps() - before
            }
            None => {
                let before = simulation.step();
                simulation.advance(steps)?;
                simulation.step() - before
            }
        };
        self.step_time += begun.elapsed();
        Ok(played)
    }
}

impl pacing::PacedRun for Run<'_> {
    fn advance(&mut self, steps: u64) -> Result<u64, Failure> {
        let mut played = 0;
        loop {
            let left = steps - played;
            let step = self.simulation.step();
            let until_due = LivelinessSampler::until_due(step);
            let checkpoints = self.outputs.checkpoint.as_ref().zip(self.outputs.checkpoint_every);
            let until_checkpoint = checkpoints.map_or(u64::MAX, |(_, every)| every - step % every);
            let until_sample = if self.liveliness.is_some() { until_due } else { u64::MAX };
            let piece = left.min(until_sample).min(until_checkpoint);
            let done = self.advance_piece(piece)?;
            played += done;
            if done == until_due {
                self.sample_liveliness()?;
            }
            if let Some((path, _)) = checkpoints.filter(|_| done == until_checkpoint) {
                save_checkpoint(&mut self.simulation, path)?;
            }
            if done < piece || played == steps {
                return Ok(played);
            }
        }
    }

    fn observe(&mut self) -> Result<(), Failure> {
        self.write(true)
    }

    fn remarks(&mut self) -> Vec<String> {
        let new = [self.simulation.remarks(), self.frame_painter.remarks(), std::mem::take(&mut self.notes)].concat();
        self.remarks.extend_from_slice(&new);
        new
    }
}

/// The message about an account that is not balanced.
pub fn loss(chain: &Chain, account: Account) -> String {
    let start = account.ledger.sum(Entry::Start);
    let share = 100.0 * account.lost.unsigned_abs() as f64 / start.max(1) as f64;
    let verb = if account.lost > 0 { "lost" } else { "came from nowhere" };
    let amount = boids(account.lost.unsigned_abs());
    let is_ours = chain.passes.iter().all(|pass| pass.kernel.is_built_in);
    let why = match chain.conserves && is_ours {
        true => "this must never happen: please report it",
        false => "its way to move them does not conserve",
    };
    format!("{amount} of {} boids {verb} ({share:.2} %) with the chain {}: {why}", boids(start), chain.name)
}
/// Plays steps, with their progress alone. Returns `false` if a signal ended it before.
///
/// # Errors
/// If the engine fails, or no signals can be received.
pub fn play_quietly(simulation: &mut Simulation, steps: u64) -> Result<bool, Failure> {
    let interrupt = pacing::listen()?;
    simulation.stop_when(Arc::new(move || interrupt.load(Ordering::Relaxed)));
    let mut progress = RunProgress::new(0..steps, simulation);
    let (first, end) = (simulation.step(), simulation.step() + steps);
    while simulation.step() < end {
        let due = end.min(simulation.step() + STEPS_AT_ONCE);
        simulation.advance(due - simulation.step())?;
        if simulation.step() < due {
            return Ok(false);
        }
        progress.show(simulation.step() - first);
    }
    Ok(true)
}
