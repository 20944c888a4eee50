//! Makes experiments in a folder: plays them, and writes their pictures and the page with all results in the folder.

use super::{EXPERIMENTS, Experiment, Outcome, counts, page};
use crate::files::json::with_exact;
use crate::files::reading::at_most;
use crate::files::{access, write_atomically};
use crate::observe::{Caption, reduced, write_png};
use crate::painter::FramePainter;
use crate::provenance::{KEY, program};
use crate::run::Run;
use crate::sweep::{Contents, Plan, Records, RunPlan, Shard, Sweep};
use murmuration_core::engine::cpu;
use murmuration_core::engine::platform::SharedHost;
use murmuration_core::error::{BadInput, Failure};
use murmuration_core::parallel::in_this_process;
use murmuration_core::simulation::{EngineChoice, Simulation, StopCheck};
use murmuration_core::text::{did_you_mean, is_path};
use serde_json::{Value, json};
use std::path::{Path, PathBuf};

/// The maximum number of bytes that are read from a picture.
const MAX_PICTURE_BYTES: u64 = 1 << 26;
/// The maximum width in pixels of a picture of an experiment.
const MAX_PICTURE_WIDTH: u32 = 720;

/// Reads experiments with their sweeps. `names`: names of built-in experiments and paths of files; empty: all built-in
/// experiments.
///
/// # Errors
/// If an experiment is unknown, has an error, or is named twice.
pub fn experiments(host: &SharedHost, names: &[PathBuf]) -> Result<Vec<(Experiment, Sweep)>, Failure> {
    if names.is_empty() {
        return EXPERIMENTS.iter().map(|(name, text)| built_in(host, name, text)).collect();
    }
    let mut experiments: Vec<(Experiment, Sweep)> = Vec::new();
    for path in names {
        let name = path.to_string_lossy();
        let known = EXPERIMENTS.iter().find(|(known, _)| *known == name);
        let experiment = match known {
            Some((name, text)) => built_in(host, name, text)?,
            None if is_path(path) => {
                access::name(path);
                Experiment::from_text(host, path, &host.read_text(path)?)?
            }
            None => {
                let known = EXPERIMENTS.iter().map(|(name, _)| *name);
                let all = known.clone().collect::<Vec<_>>().join(", ");
                let cure = format!("known are {all}, or the path of a file{}", did_you_mean(&name, known));
                return Err(BadInput::new(name, "there is no such experiment", cure).into());
            }
        };
        if experiments.iter().any(|(other, _)| other.name == experiment.0.name) {
            let problem = format!("the experiment {} stands twice", experiment.0.name);
            return Err(BadInput::new(name, problem, "name each experiment once").into());
        }
        experiments.push(experiment);
    }
    Ok(experiments)
}

/// Makes experiments one after the other in the folder `out`. After each experiment the page is written, with the new
/// outcomes and the outcomes of earlier calls.
///
/// `play` gets a sweep, the name of the experiment and a folder, plays the runs and writes their tables. `play` returns
/// `None` if it was interrupted. `tell` is called with each outcome. Returns the new outcomes; `None`: interrupted.
///
/// # Errors
/// If a run, a picture, a chart or a file fails. The page then has the outcomes of the experiments before.
pub fn make(
    experiments: Vec<(Experiment, Sweep)>,
    out: &Path,
    stop: &StopCheck,
    mut play: impl FnMut(&Sweep, &str, &Path) -> Result<Option<Records>, Failure>,
    mut tell: impl FnMut(&Outcome) -> Result<(), Failure>,
) -> Result<Option<Vec<Outcome>>, Failure> {
    let earlier = in_this_process(|| earlier(crate::host(), &experiments, out))?;
    let mut outcomes = Vec::new();
    for (experiment, sweep) in experiments {
        let folder = out.join(&experiment.name);
        let Some(records) = play(&sweep, &experiment.name, &folder)? else { return Ok(None) };
        let mut outcome = Outcome::new(experiment, sweep.plan.clone(), records);
        let drawn = in_this_process(|| picture(&outcome, &sweep, &folder, stop))?;
        let Some(picture) = drawn else { return Ok(None) };
        outcome.picture = picture;
        tell(&outcome)?;
        outcomes.push(outcome);
        // The page keeps the outcomes of earlier calls.
        in_this_process(|| write(out, outcomes.iter().chain(&earlier)))?;
    }
    Ok(Some(outcomes))
}

/// The outcomes of the built-in experiments that earlier calls have finished in the folder `out`. The given experiments
/// are left out.
///
/// # Errors
/// If a picture cannot be read.
fn earlier(host: &SharedHost, experiments: &[(Experiment, Sweep)], out: &Path) -> Result<Vec<Outcome>, Failure> {
    let mut outcomes = Vec::new();
    for (name, text) in EXPERIMENTS {
        let folder = out.join(name);
        let journal = folder.join(Shard::default().file_name("journal", "txt"));
        if experiments.iter().any(|(other, _)| other.name == *name) || !journal.is_file() {
            continue;
        }
        let (experiment, sweep) = built_in(host, name, text)?;
        let finished = Contents::<Plan>::read(&journal).ok().filter(|contents| {
            contents.plan.difference(&sweep.plan).is_none() && contents.records.len() as u64 == sweep.plan.runs()
        });
        let Some(Contents { plan, records, .. }) = finished else { continue };
        let mut outcome = Outcome::new(experiment, plan, records);
        if let Some((path, _)) = picture_of(&outcome, &folder).filter(|(path, _)| path.is_file()) {
            outcome.picture = read_picture(&path)?;
        }
        outcomes.push(outcome);
    }
    Ok(outcomes)
}

/// Reads a built-in experiment and its sweep.
fn built_in(host: &SharedHost, name: &str, text: &str) -> Result<(Experiment, Sweep), Failure> {
    Experiment::from_text(host, Path::new(&format!("experiments/{name}.toml")), text)
}

/// The path of the picture of an experiment, and the number of the combination that the picture shows. The file name
/// contains the first 16 digits of the state hash of the run. `None`: the run was not played.
fn picture_of(outcome: &Outcome, folder: &Path) -> Option<(PathBuf, u64)> {
    let Outcome { experiment, plan, records, .. } = outcome;
    let combination = experiment.results.first().map_or(0, |result| plan.combination(&result.estimate.places));
    let record = records.get(&plan.runs_of(combination).start)?;
    Some((folder.join(format!("picture-{}.png", record.state_hash.get(..16)?)), combination))
}

fn read_picture(path: &Path) -> Result<Vec<u8>, Failure> {
    let failed = |source| Failure::File { action: "cannot read", path: path.display().to_string(), source };
    at_most(MAX_PICTURE_BYTES, path).map_err(failed)
}

/// The picture of an experiment as PNG: the swarm at the end of the first run of the first result. If the file of the
/// picture does not exist, the run is played again, drawn and written. Empty: the run was not played before. `None`:
/// interrupted.
///
/// # Errors
/// If the run cannot be played, or the picture cannot be drawn, written or read.
fn picture(outcome: &Outcome, sweep: &Sweep, folder: &Path, stop: &StopCheck) -> Result<Option<Vec<u8>>, Failure> {
    let plan = &outcome.plan;
    let Some((path, combination)) = picture_of(outcome, folder) else { return Ok(Some(Vec::new())) };
    if !path.is_file() {
        let (preset, chain) = sweep.load(combination, plan.seeds.first().copied())?;
        let mut simulation = Simulation::new(preset, &chain, EngineChoice::Cpu(cpu::Options::default()))?;
        if Run::new(&mut simulation).to(plan.steps).stop_when(stop.clone()).play()?.is_stopped {
            return Ok(None);
        }
        let picture = FramePainter::default().paint(&mut simulation)?;
        let width = picture.width.min(MAX_PICTURE_WIDTH);
        write_png(&reduced(&picture, width), &path, &Caption::new(&simulation))?;
    }
    read_picture(&path).map(Some)
}

/// All outcomes as a JSON object, for other programs.
pub fn summary<'a>(outcomes: impl Iterator<Item = &'a Outcome> + Clone) -> Value {
    let [all, inside, statements] = counts(outcomes.clone());
    json!({
        KEY: program(),
        "results": all,
        "inside": inside,
        "statements": statements,
        "experiments": outcomes.map(Outcome::to_json).collect::<Vec<_>>(),
    })
}

/// Writes the page `index.html` and the outcomes as `results.json` into the folder `out`.
///
/// # Errors
/// If a plot cannot be drawn, or a file cannot be written.
fn write<'a>(out: &Path, outcomes: impl Iterator<Item = &'a Outcome> + Clone) -> Result<(), Failure> {
    let page = page(outcomes.clone())?;
    write_atomically(&out.join("index.html"), |to| to.write_all(page.as_bytes()))?;
    let summary = with_exact(summary(outcomes));
    write_atomically(&out.join("results.json"), |to| writeln!(to, "{summary:#}"))
}
