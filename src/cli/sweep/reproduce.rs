//! `murmuration reproduce`: makes published results again, and holds what it finds against them.

use super::super::options::check_folder;
use super::super::{FAILED, INTERRUPTED, remark, say, say_json};
use super::{finish, listen, play_runs};
use crate::files::reading::at_most;
use crate::files::{access, create_folder, write_atomically};
use crate::json::with_exact;
use crate::observe::{Caption, reduced, write_png};
use crate::painter::FramePainter;
use crate::provenance::{KEY, program};
use crate::sweep::reproduce::{EXPERIMENTS, Experiment, Outcome, counts, found_text, page};
use crate::sweep::{Contents, Jobs, Shard, Sweep};
use murmuration_core::engine::cpu;
use murmuration_core::error::{BadInput, Failure};
use murmuration_core::readable::{grouped, short};
use murmuration_core::simulation::{EngineChoice, Simulation, StopCheck};
use murmuration_core::text::{did_you_mean, is_path};
use serde_json::{Value, json};
use std::num::NonZero;
use std::path::{MAIN_SEPARATOR, Path, PathBuf};

/// The most bytes of a picture that are read.
const LARGEST_PICTURE: u64 = 1 << 26;
/// The most pixels across a picture of the page.
const WIDEST_PICTURE: u32 = 720;

/// Make published results of collective motion again, and hold what is found against what was published.
///
/// An experiment is a sweep in a file, with results, their sources and their bands; docs/experiments.md says how they were chosen. The folder of --out
/// gets index.html, a page with what was published beside what was found; results.json, the same for programs; and a folder for each experiment with
/// the tables of its runs. The same command goes on with an interrupted one, and repeats no run.
///
/// Exit status: 0; 1 if a result is outside its band or boids were lost; 2 for bad input; 130 if interrupted.
#[derive(Debug, Clone, clap::Args)]
#[command(after_help = "\
Examples:
  murmuration reproduce --list                   the experiments and their sources
  murmuration reproduce --quick                  those that take some seconds each
  murmuration reproduce mean-field zones         some of them
  murmuration reproduce my/experiment.toml       one of your own")]
pub struct Arguments {
    /// Experiments by name or path [default: all built-in ones]. The page keeps others that were made in the folder before
    experiments: Vec<PathBuf>,
    /// Leave out experiments that take longer than some seconds
    #[arg(long)]
    quick: bool,
    /// List the experiments with their sources, and play nothing
    #[arg(long)]
    list: bool,
    /// Runs at once [default: one for each core]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    jobs: Option<u16>,
    /// The folder of the page and the tables
    #[arg(long, value_name = "DIR", default_value = "results")]
    out: PathBuf,
    /// Print one JSON object about all results as the last thing on standard output
    #[arg(long)]
    json: bool,
}

pub fn run(arguments: &Arguments) -> Result<u8, Failure> {
    let mut experiments = arguments.experiments()?;
    if arguments.quick {
        experiments.retain(|(experiment, _)| experiment.is_quick);
    }
    if experiments.is_empty() {
        let cure = "take --quick away, or name other experiments";
        return Err(BadInput::new("--quick", "none of the experiments is quick", cure).into());
    }
    if arguments.list {
        return list(&experiments, arguments.json);
    }
    check_folder(Some(&arguments.out))?;
    let count = std::thread::available_parallelism().map_or(1, NonZero::get);
    let count = arguments.jobs.map_or(count, usize::from);
    let engine = EngineChoice::Cpu(cpu::Options { threads: Some(1), ..cpu::Options::default() });
    for (_, sweep) in &experiments {
        sweep.notes.iter().for_each(remark);
        sweep.check_memory(count)?;
    }
    create_folder(&arguments.out)?;
    let jobs = Jobs { count, engine, stop: listen()? };
    let earlier = earlier(&experiments, &arguments.out)?;
    let (mut outcomes, mut status) = (Vec::new(), 0);
    for (experiment, sweep) in experiments {
        let folder = arguments.out.join(&experiment.name);
        let what = format!("{}: run", experiment.name);
        let Some(records) = play_runs(&sweep, Shard::default(), &jobs, &folder, &what)? else {
            return Ok(INTERRUPTED);
        };
        status = finish(&sweep.plan, &records, Shard::default(), &folder)?.max(status);
        let mut outcome = Outcome::new(experiment, sweep.plan.clone(), records);
        let Some(picture) = picture(&outcome, &sweep, &folder, &jobs.stop)? else { return Ok(INTERRUPTED) };
        outcome.picture = picture;
        if !arguments.json {
            report(&outcome)?;
        }
        outcomes.push(outcome);
        // What is there so far is kept.
        write(&arguments.out, outcomes.iter().chain(&earlier))?;
    }
    let [all, inside, _] = counts(outcomes.iter());
    if arguments.json {
        say_json(summary(outcomes.iter()))?;
    } else {
        let folder = arguments.out.display().to_string();
        let folder = folder.trim_end_matches(MAIN_SEPARATOR);
        say(format_args!(
            "{inside} of {all} results are within their bands; the page is {folder}{MAIN_SEPARATOR}index.html"
        ))?;
    }
    Ok(if inside < all { FAILED } else { status })
}

impl Arguments {
    /// The experiments that are named, or all built-in ones.
    fn experiments(&self) -> Result<Vec<(Experiment, Sweep)>, Failure> {
        if self.experiments.is_empty() {
            return EXPERIMENTS.iter().map(|(name, text)| built_in(name, text)).collect();
        }
        let mut experiments: Vec<(Experiment, Sweep)> = Vec::new();
        for path in &self.experiments {
            let name = path.to_string_lossy();
            let known = EXPERIMENTS.iter().find(|(known, _)| *known == name);
            let experiment = match known {
                Some((name, text)) => built_in(name, text)?,
                None if is_path(path) => {
                    access::name(path);
                    Experiment::from_text(crate::host(), path, &crate::host().read_text(path)?)?
                }
                None => {
                    let names = EXPERIMENTS.iter().map(|(name, _)| *name);
                    let all = names.clone().collect::<Vec<_>>().join(", ");
                    let cure = format!("known are {all}, or the path of a file{}", did_you_mean(&name, names));
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
}

/// The built-in experiments beside these that were made in a folder before, as far as they are finished.
fn earlier(experiments: &[(Experiment, Sweep)], out: &Path) -> Result<Vec<Outcome>, Failure> {
    let mut outcomes = Vec::new();
    for (name, text) in EXPERIMENTS {
        let folder = out.join(name);
        let journal = folder.join(Shard::default().file_name("journal", "txt"));
        if experiments.iter().any(|(other, _)| other.name == *name) || !journal.is_file() {
            continue;
        }
        let (experiment, sweep) = built_in(name, text)?;
        let finished = Contents::read(&journal).ok().filter(|contents| {
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

/// A built-in experiment and its sweep.
fn built_in(name: &str, text: &str) -> Result<(Experiment, Sweep), Failure> {
    Experiment::from_text(crate::host(), Path::new(&format!("experiments/{name}.toml")), text)
}

/// The file of the picture of an experiment, which has the hash of a run in its name, and the combination of the run; `None`: it was not played.
fn picture_of(outcome: &Outcome, folder: &Path) -> Option<(PathBuf, u64)> {
    let Outcome { experiment, plan, records, .. } = outcome;
    let combination = experiment.results.first().map_or(0, |result| plan.combination(&result.estimate.places));
    let record = records.get(&plan.runs_of(combination).start)?;
    Some((folder.join(format!("picture-{}.png", record.state_hash.get(..16)?)), combination))
}

fn read_picture(path: &Path) -> Result<Vec<u8>, Failure> {
    let failed = |source| Failure::File { action: "cannot read", path: path.display().to_string(), source };
    at_most(LARGEST_PICTURE, path).map_err(failed)
}

/// The swarm at the end of the first run of the first result, as PNG; `None`: interrupted. It is drawn once.
fn picture(outcome: &Outcome, sweep: &Sweep, folder: &Path, stop: &StopCheck) -> Result<Option<Vec<u8>>, Failure> {
    let plan = &outcome.plan;
    let Some((path, combination)) = picture_of(outcome, folder) else { return Ok(Some(Vec::new())) };
    if !path.is_file() {
        let (preset, chain) = sweep.load(combination, plan.seeds.first().copied())?;
        let mut simulation = Simulation::new(preset, &chain, EngineChoice::Cpu(cpu::Options::default()))?;
        simulation.stop_when(stop.clone());
        simulation.advance(plan.steps)?;
        if simulation.step() < plan.steps {
            return Ok(None);
        }
        let picture = FramePainter::default().paint(&mut simulation)?;
        let width = picture.width.min(WIDEST_PICTURE);
        write_png(&reduced(&picture, width), &path, &Caption::new(&simulation))?;
    }
    read_picture(&path).map(Some)
}

/// Says which experiments there are.
fn list(experiments: &[(Experiment, Sweep)], as_json: bool) -> Result<u8, Failure> {
    if as_json {
        let object = |(experiment, sweep): &(Experiment, Sweep)| {
            let Experiment { name, title, source, is_quick, results, .. } = experiment;
            json!({ "experiment": name, "title": title, "source": source, "is_quick": is_quick, "results": results.len(), "runs": sweep.plan.runs() })
        };
        say_json(json!({ "experiments": experiments.iter().map(object).collect::<Vec<_>>() }))?;
        return Ok(0);
    }
    for (experiment, sweep) in experiments {
        let Experiment { name, title, source, is_quick, .. } = experiment;
        let quick = if *is_quick { ", quick" } else { "" };
        say(format_args!("{name}: {title}"))?;
        say(format_args!(
            "    {} runs of {} steps{quick}. {source}",
            grouped(sweep.plan.runs()),
            grouped(sweep.plan.steps)
        ))?;
    }
    Ok(0)
}

/// Says what was found.
fn report(outcome: &Outcome) -> Result<(), Failure> {
    say(format_args!("{}: {}", outcome.experiment.name, outcome.experiment.title))?;
    for (result, found, is_inside) in outcome.results() {
        let [least, greatest] = result.band.map(short);
        let published = result.published.map_or("a statement".into(), |value| format!("published {}", short(value)));
        let place = if is_inside { "inside " } else { "OUTSIDE" };
        say(format_args!(
            "    {place}  {}: {}; {published}, band {least} to {greatest}",
            result.title,
            found_text(found)
        ))?;
    }
    Ok(())
}

fn summary<'a>(outcomes: impl Iterator<Item = &'a Outcome> + Clone) -> Value {
    let [all, inside, statements] = counts(outcomes.clone());
    json!({
        KEY: program(),
        "results": all,
        "inside": inside,
        "statements": statements,
        "experiments": outcomes.map(Outcome::to_json).collect::<Vec<_>>(),
    })
}

/// Writes the page and the results for programs.
fn write<'a>(out: &Path, outcomes: impl Iterator<Item = &'a Outcome> + Clone) -> Result<(), Failure> {
    let page = page(outcomes.clone())?;
    write_atomically(&out.join("index.html"), |to| to.write_all(page.as_bytes()))?;
    let summary = with_exact(summary(outcomes));
    write_atomically(&out.join("results.json"), |to| writeln!(to, "{summary:#}"))
}
