//! `murmuration reproduce`: reproduces published results, and compares its results with them.

use super::super::options::{check_folder, whole};
use super::super::{FAILED, INTERRUPTED, remark, say, say_json, with_separator};
use super::{finish, listen, play};
use crate::files::create_folder;
use crate::sweep::reproduce::{Experiment, Outcome, counts, experiments, found_text, make, summary};
use crate::sweep::{Jobs, RunPlan, Shard, Sweep};
use murmuration_core::engine::cpu;
use murmuration_core::error::{BadInput, Failure};
use murmuration_core::simulation::EngineChoice;
use murmuration_core::text::readable::{grouped, short};
use serde_json::json;
use std::path::{Path, PathBuf};

/// Make published results of collective motion again, and hold what is found against what was published.
///
/// An experiment is a sweep in a file, with results, their sources and their bands; docs/experiments.md says how they
/// were chosen. The folder of --out gets index.html, a page with what was published beside what was found;
/// results.json, the same for programs; and a folder for each experiment with the tables of its runs. The same command
/// goes on with an interrupted one, and repeats no run.
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
    /// Experiments by name or path [default: all built-in ones]. The page keeps others that were made in the folder
    /// before
    experiments: Vec<PathBuf>,
    /// Leave out experiments that take longer than some seconds
    #[arg(long)]
    quick: bool,
    /// List the experiments with their sources, and play nothing
    #[arg(long)]
    list: bool,
    /// Runs at once [default: one for each core]
    #[arg(long, value_name = "N", value_parser = whole::<u16>(1..=1024))]
    jobs: Option<u16>,
    /// The folder of the page and the tables
    #[arg(long, value_name = "DIR", default_value = "results")]
    out: PathBuf,
    /// Print one JSON object about all results as the last thing on standard output
    #[arg(long)]
    json: bool,
}

pub fn run(arguments: &Arguments) -> Result<u8, Failure> {
    let mut experiments = experiments(crate::host(), &arguments.experiments)?;
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
    let engine = Jobs::engine_of_run(EngineChoice::Cpu(cpu::Options::default()));
    let count = arguments.jobs.map_or_else(|| Jobs::usual_count(engine), usize::from);
    for (_, sweep) in &experiments {
        sweep.notes.iter().for_each(remark);
        sweep.check_memory(count)?;
    }
    create_folder(&arguments.out)?;
    let jobs = Jobs { count, engine, stop: listen()? };
    let mut status = 0;
    let play = |sweep: &Sweep, name: &str, folder: &Path| {
        let played = play(sweep, Shard::default(), &jobs, folder, &format!("{name}: run"))?;
        if let Some(records) = &played {
            status = finish(&sweep.plan, records, Shard::default(), folder)?.max(status);
        }
        Ok(played)
    };
    let tell = |outcome: &Outcome| if arguments.json { Ok(()) } else { report(outcome) };
    let Some(outcomes) = make(experiments, &arguments.out, &jobs.stop, play, tell)? else { return Ok(INTERRUPTED) };
    let [all, inside, _] = counts(outcomes.iter());
    if arguments.json {
        say_json(summary(outcomes.iter()))?;
    } else {
        let folder = with_separator(&arguments.out);
        say(format_args!("{inside} of {all} results are within their bands; the page is {folder}index.html"))?;
    }
    Ok(if inside < all { FAILED } else { status })
}

/// Prints the list of experiments.
fn list(experiments: &[(Experiment, Sweep)], as_json: bool) -> Result<u8, Failure> {
    if as_json {
        let object = |(experiment, sweep): &(Experiment, Sweep)| {
            let Experiment { name, title, source, is_quick, results, .. } = experiment;
            json!({
                "experiment": name, "title": title, "source": source, "is_quick": is_quick,
                "results": results.len(), "runs": sweep.plan.runs(),
            })
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

/// Prints the results.
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
