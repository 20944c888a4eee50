//! `murmuration atlas`: plays many combinations of values of a preset, and shows them all on one page.

use super::super::options::{check_folder, whole};
use super::super::{INTERRUPTED, remark, say, say_json, with_separator};
use super::{RunOptions, check_whole, complain_of_losses, listen, play, read_parts};
use crate::files::{access, create_folder, folder_of};
use crate::link::tiles::MAX_TILES;
use crate::sweep::atlas::{
    Atlas, AtlasPlan, LIVELINESS, LIVELY_STEPS, Sampling, Tiles, check_base, write_results, write_tiles,
};
use crate::sweep::{Jobs, RunPlan, Shard};
use murmuration_core::error::{BadInput, Failure};
use murmuration_core::text::readable::grouped;
use serde_json::{Map, Value, json};
use std::path::{Path, PathBuf};

/// Play many combinations of values of a preset, and show all of them on one page: measures, regimes and short films.
///
/// An atlas is a file in TOML: a sweep whose values are drawn from ranges, on a grid, as a Latin hypercube or by a
/// search for lively swarms; docs/formats.md shows how it is written. The folder of --out gets index.html, a page that
/// shows every combination; runs.csv and combinations.csv, tables of runs and of means; of a search map.csv; and
/// journal.txt, from which an atlas that was interrupted or killed goes on.
///
/// Exit status: 0; 1 if boids were lost or a run failed; 2 for bad input; 130 if interrupted.
#[derive(Debug, Clone, clap::Args)]
#[command(after_help = "\
Examples:
  murmuration atlas run examples/atlas/regimes.toml --out atlas           see atlas/index.html
  murmuration atlas run examples/atlas/regimes.toml --dry-run             how many runs it has
  murmuration atlas run my/atlas.toml --shard 2/8 --out parts             the second of eight parts
  murmuration atlas merge parts --out all                                 the page of all parts
  murmuration atlas merge parts --partial --out so-far                    a look at the finished runs
  murmuration atlas pick atlas --count 36 --out best.toml                 the best tiles, as links and films")]
pub struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Clone, clap::Subcommand)]
enum Command {
    /// Play the runs of an atlas, and write its tables and its page
    Run(RunArguments),
    /// Write the tables and the page of an atlas from the journals of its parts
    Merge(MergeArguments),
    /// Write the best tiles of an atlas of a built-in preset: links in a text, and their films in a picture beside it
    Pick(PickArguments),
}

#[derive(Debug, Clone, clap::Args)]
struct RunArguments {
    /// The file of the atlas
    atlas: PathBuf,
    #[command(flatten)]
    runs: RunOptions,
    /// Play one of N equal parts, counted from 1; its files have its number in their names, so that all parts may share
    /// a folder. Each part of a search searches for itself
    #[arg(long, value_name = "I/N")]
    shard: Option<Shard>,
    /// The folder of the journal, the tables and the page
    #[arg(long, value_name = "DIR", required_unless_present = "dry_run")]
    out: Option<PathBuf>,
    /// Check the atlas, say how many runs it has, and play none
    #[arg(long)]
    dry_run: bool,
    #[command(flatten)]
    output: Output,
}

#[derive(Debug, Clone, clap::Args)]
struct MergeArguments {
    /// Folders of parts, with all journals in them, or journals
    #[arg(required = true, value_name = "DIR")]
    parts: Vec<PathBuf>,
    /// The folder of the tables and the page
    #[arg(long, value_name = "DIR")]
    out: PathBuf,
    /// Show the finished runs, though others are missing
    #[arg(long)]
    partial: bool,
    #[command(flatten)]
    output: Output,
}

#[derive(Debug, Clone, clap::Args)]
struct PickArguments {
    /// Folders of parts, with all journals in them, or journals
    #[arg(required = true, value_name = "DIR")]
    parts: Vec<PathBuf>,
    /// How many: every regime gives its liveliest ones in turn, of a search the best ones of its map
    #[arg(long, value_name = "N", default_value_t = 36, value_parser = whole::<u16>(1..=MAX_TILES as u64))]
    count: u16,
    /// The text of the tiles; the picture has its name and the ending .jpg
    #[arg(long, value_name = "FILE.toml")]
    out: PathBuf,
}

#[derive(Debug, Clone, clap::Args)]
struct Output {
    /// The address of the page that plays links, for the links of the combinations
    #[arg(long, value_name = "URL", default_value = "", hide_default_value = true)]
    base: String,
    /// Print one JSON object about the atlas as the last thing on standard output
    #[arg(long)]
    json: bool,
}

pub fn run(arguments: &Arguments) -> Result<u8, Failure> {
    match &arguments.command {
        Command::Run(arguments) => arguments.run(),
        Command::Merge(arguments) => arguments.merge(),
        Command::Pick(arguments) => arguments.pick(),
    }
}

impl RunArguments {
    fn run(&self) -> Result<u8, Failure> {
        self.output.check()?;
        let engine = self.runs.engine()?;
        check_folder(self.out.as_deref())?;
        access::name(&self.atlas);
        let text = crate::host().read_text(&self.atlas)?;
        let mut atlas = Atlas::from_text(crate::host(), &self.atlas, &text)?;
        atlas.sweep.notes.iter().for_each(remark);
        let count = self.runs.at_once(engine);
        atlas.sweep.check_memory(count)?;
        let shard = self.shard.unwrap_or_default();
        atlas.plan.set_islands(shard.count);
        let plan = &atlas.plan;
        if shard.count > plan.combinations() {
            let problem = format!("an atlas of {} combinations cannot have so many parts", plan.combinations());
            return Err(BadInput::new(format!("--shard {shard}"), problem, "take fewer parts").into());
        }
        let Some(out) = self.out.as_ref().filter(|_| !self.dry_run) else {
            self.output.report((plan, &Tiles::new()), shard, None)?;
            return Ok(0);
        };
        let jobs = Jobs { count, engine, stop: listen()? };
        let Some(tiles) = play(&atlas, shard, &jobs, out, "run")? else { return Ok(INTERRUPTED) };
        self.output.finish((plan, &tiles), shard, out)
    }
}

impl MergeArguments {
    fn merge(&self) -> Result<u8, Failure> {
        self.output.check()?;
        check_folder(Some(&self.out))?;
        let (plan, tiles): (AtlasPlan, Tiles) = read_parts(&self.parts)?;
        if !self.partial {
            check_whole("atlas merge", &plan, &tiles).map_err(|wrong| BadInput {
                cure: format!("{}, or show the finished ones with --partial", wrong.cure),
                ..wrong
            })?;
        }
        create_folder(&self.out)?;
        self.output.finish((&plan, &tiles), Shard::default(), &self.out)
    }
}

impl PickArguments {
    fn pick(&self) -> Result<u8, Failure> {
        let origin = format!("--out {}", self.out.display());
        if self.out.extension().is_none_or(|ending| ending != "toml") {
            return Err(BadInput::new(origin, "is no name of a text of tiles", "let it end in .toml").into());
        }
        let folder = folder_of(&self.out);
        check_folder(Some(folder))?;
        let (plan, tiles): (AtlasPlan, Tiles) = read_parts(&self.parts)?;
        create_folder(folder)?;
        let count = write_tiles(&self.out, (&plan, &tiles), self.count.into())?;
        say(format_args!(
            "{count} tiles are in {} and in {}",
            self.out.display(),
            self.out.with_extension("jpg").display()
        ))?;
        Ok(0)
    }
}

impl Output {
    fn check(&self) -> Result<(), BadInput> {
        check_base(&self.base).map_err(|wrong| BadInput {
            origin: format!("base {}", self.base),
            is_argument: true,
            ..wrong
        })
    }

    /// Writes the files of a part or of a whole atlas, and prints their paths. Returns the exit status.
    fn finish(&self, (plan, tiles): (&AtlasPlan, &Tiles), shard: Shard, out: &Path) -> Result<u8, Failure> {
        write_results(out, (plan, tiles), shard, &self.base)?;
        let status = complain_of_losses(plan, tiles);
        self.report((plan, tiles), shard, Some(out))?;
        Ok(status)
    }

    /// Prints a summary of an atlas, its regimes, and the paths of its results.
    fn report(&self, (plan, tiles): (&AtlasPlan, &Tiles), shard: Shard, out: Option<&Path>) -> Result<(), Failure> {
        let counts = regimes(plan, tiles);
        let [all, combinations] = [RunPlan::runs(plan), plan.combinations()].map(grouped);
        let seeds = match plan.runs.seeds.len() {
            1 => "one seed".into(),
            count => format!("{} seeds", grouped(count as u64)),
        };
        if self.json {
            return say_json(json!({
                "preset": plan.runs.preset,
                "combinations": plan.combinations(),
                "seeds": plan.runs.seeds.len(),
                "runs": RunPlan::runs(plan),
                "finished": tiles.len(),
                "steps": plan.runs.steps,
                "shard": (shard.count > 1).then(|| shard.to_string()),
                "regimes": counts.into_iter().map(|(name, count)| (name, count.into())).collect::<Map<_, Value>>(),
                "out": out.map(|out| out.display().to_string()),
            }));
        }
        let how = match &plan.sampling {
            Sampling::Grid { levels } => format!("a grid of {levels} values of each range"),
            Sampling::LatinHypercube { .. } => "a Latin hypercube".into(),
            Sampling::Search(search) => format!("a search for the greatest {}", search.best),
        };
        let part = if shard.count > 1 {
            format!(", of which {} are in part {shard}", grouped(plan.runs_in(shard)))
        } else {
            String::new()
        };
        say(format_args!(
            "{} · {all} runs: {combinations} combinations with {seeds} each{part}; {how}",
            plan.runs.preset
        ))?;
        say(format_args!("{} steps a run", grouped(plan.runs.steps)))?;
        if plan.runs.steps < LIVELY_STEPS && plan.measures().any(|name| name == LIVELINESS) {
            say(format_args!("liveliness has no value in runs of fewer than {LIVELY_STEPS} steps"))?;
        }
        let Some(out) = out else { return Ok(()) };
        let missing = plan.runs_in(shard) - (tiles.len() as u64).min(plan.runs_in(shard));
        if missing > 0 {
            say(format_args!("{} runs are not finished", grouped(missing)))?;
        }
        let named: Vec<String> = counts.iter().map(|(name, count)| format!("{name} {}", grouped(*count))).collect();
        say(format_args!("regimes: {}", named.join(", ")))?;
        match shard.count {
            1 => say(format_args!("the page is {}index.html", with_separator(out))),
            _ => say(format_args!("{} is in {}", shard.file_name("runs", "csv"), with_separator(out))),
        }
    }
}

/// The number of finished combinations in each regime that has any, in the order of the regimes.
fn regimes(plan: &AtlasPlan, tiles: &Tiles) -> Vec<(String, u64)> {
    let mut counts: Vec<(String, u64)> = plan.regime_names().into_iter().map(|name| (name.to_owned(), 0)).collect();
    for combination in plan.finished(tiles) {
        let name = plan.regime_name(tiles, combination);
        counts.iter_mut().filter(|(known, _)| known == name).for_each(|(_, count)| *count += 1);
    }
    counts.retain(|(_, count)| *count > 0);
    counts
}
