//! `murmuration sweep`: plays a preset with many values and seeds, and writes means with their errors.

pub mod atlas;
pub mod reproduce;

use super::options::{EngineName, EngineOptions, check_folder, texts, whole};
use super::progress::{Progress, listen_for};
use super::{FAILED, INTERRUPTED, complain, remark, say, say_json, with_separator};
use crate::files::{access, create_folder};
use crate::host::has_hardware;
use crate::sweep::{
    self, Contents, Jobs, Kept, Parameter, Place, Placed, Plan, Records, Request, Results, RunPlan, Shard, Study, Sweep,
};
use murmuration_core::engine::cpu;
use murmuration_core::error::{BadInput, Failure};
use murmuration_core::ranks::{Ranks, SharedInput, check_shared_inputs};
use murmuration_core::simulation::{EngineChoice, StopCheck};
use murmuration_core::text::is_path;
use murmuration_core::text::readable::{grouped, signed_boids};
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// Play a preset with every combination of values and seeds, and write a table of all runs, the means with their
/// errors, and a page with plots.
///
/// The folder of --out gets runs.csv and runs.npz, a row for each run; means.csv, a row for each combination with
/// means, standard errors and Binder cumulants over steps and seeds; index.html, a page with plots; and journal.txt,
/// from which a sweep that was interrupted or killed goes on: the same command repeats no run. The same sweep gives the
/// same bytes with any engine and number of jobs.
///
/// Exit status: 0; 1 if boids were lost or a run failed; 2 for bad input; 130 if interrupted.
#[derive(Debug, Clone, clap::Args)]
#[command(
    args_conflicts_with_subcommands = true,
    subcommand_negates_reqs = true,
    after_help = "\
Examples:
  murmuration sweep droplets --set weights.cohesion=0:1:0.25 --seeds 1..5 --out cohesion
  murmuration sweep droplets --set weights.alignment=0.5,1,2 --set movement.wander=0,0.01 --size 64x64 --steps 2000 \
--out grid
  murmuration sweep flock --size 32x32,48x48,64x64 --seeds 1..10 --measures polarisation,mean_speed --out sizes
  murmuration sweep examples/vicsek-sweep.toml --out vicsek          a sweep in a file
  murmuration sweep examples/vicsek-sweep.toml --dry-run             how many runs it has, and of which size
  murmuration sweep my/sweep.toml --out results --shard 2/8          the second of eight parts, as a job array starts \
them
  murmuration sweep merge results --out results                      the tables of all parts"
)]
pub struct Arguments {
    #[command(subcommand)]
    command: Option<Command>,
    /// A built-in preset (see `murmuration presets`), the path of one, or the path of a sweep's file, which names its
    /// preset
    #[arg(required = true)]
    preset: Option<PathBuf>,
    /// Sweep a key of the preset: a list as in weights.cohesion=0.5,1,2, or a range as in noise.angle=0:6:0.5, which is
    /// first:last:distance; may be repeated
    #[arg(long = "set", value_name = "KEY=VALUES")]
    set: Vec<String>,
    /// Sizes instead of the preset's, at its density, as in 32x32,64x64
    #[arg(long, value_name = "WxH[xD],…")]
    size: Option<String>,
    /// The seeds, as in 1..20, which has 20 seeds, or 1,4,7..9 [default: the preset's]
    #[arg(long, value_name = "SEEDS", allow_hyphen_values = true)]
    seeds: Option<String>,
    /// A built-in chain, or the path of one [default: the preset's]
    #[arg(long, value_name = "CHAIN")]
    chain: Option<PathBuf>,
    /// Steps of each run, the warm-up included [default: 1000]
    #[arg(long, value_name = "N", value_parser = whole::<u64>(0..=u64::MAX))]
    steps: Option<u64>,
    /// The first steps of each run, which are not measured [default: half of the steps]
    #[arg(long, value_name = "M", value_parser = whole::<u64>(0..=u64::MAX))]
    warm_up: Option<u64>,
    /// Measure every K-th step after the warm-up [default: 10]
    #[arg(long, value_name = "K", value_parser = whole::<u64>(0..=u64::MAX))]
    every: Option<u64>,
    /// The measures: columns of --metrics, separated by commas [default: polarisation, mean_speed, and milling where
    /// there is one]
    #[arg(long, value_name = "MEASURES", value_delimiter = ',')]
    measures: Vec<String>,
    #[command(flatten)]
    runs: RunOptions,
    /// Play one of N equal parts, counted from 1; its files have its number in their names, so that all parts may share
    /// a folder
    #[arg(long, value_name = "I/N")]
    shard: Option<Shard>,
    /// The folder of the journal, the tables and the page
    #[arg(long, value_name = "DIR", required_unless_present = "dry_run")]
    out: Option<PathBuf>,
    /// Check every combination, say how many runs there are and of which size, and play none
    #[arg(long)]
    dry_run: bool,
    /// Print one JSON object about the sweep as the last thing on standard output
    #[arg(long)]
    json: bool,
    /// Whether it is a part of which nothing is reported.
    #[arg(skip)]
    is_part: bool,
}

#[derive(Debug, Clone, clap::Subcommand)]
enum Command {
    /// Write the tables and the page of a sweep from the journals of its parts
    Merge(MergeArguments),
}

#[derive(Debug, Clone, clap::Args)]
struct MergeArguments {
    /// Folders of parts, with all journals in them, or journals
    #[arg(required = true, value_name = "DIR")]
    parts: Vec<PathBuf>,
    /// The folder of the tables and the page
    #[arg(long, value_name = "DIR")]
    out: PathBuf,
    /// Print one JSON object about the sweep as the last thing on standard output
    #[arg(long)]
    json: bool,
}

pub fn run(arguments: &Arguments) -> Result<u8, Failure> {
    if let Some(Command::Merge(arguments)) = &arguments.command {
        return merge(arguments);
    }
    check_folder(arguments.out.as_deref())?;
    arguments.run(&Sweep::new(crate::host(), arguments.request()?)?)
}

/// Plays the part of a rank. The first rank writes the tables of all parts when every rank has played its part.
pub fn run_on_ranks(arguments: Arguments, ranks: &dyn Ranks) -> Result<u8, Failure> {
    if arguments.command.is_some() || arguments.dry_run {
        return if ranks.is_first() { run(&arguments) } else { Ok(0) };
    }
    if let Some(shard) = arguments.shard {
        let (problem, cure) = ("each rank plays a part by itself", "take it away");
        return Err(BadInput::new(format!("--shard {shard}"), problem, cure).into());
    }
    let shard = Shard { number: ranks.rank() as u64 + 1, count: ranks.size() as u64 };
    // The report is of all parts, so the rank reports nothing about its own part (`is_part`). The cores of a machine
    // are divided among its ranks, so a rank plays one run at a time by default.
    let runs = RunOptions { jobs: arguments.runs.jobs.or(Some(1)), ..arguments.runs.clone() };
    let own = Arguments { shard: Some(shard), is_part: true, runs, ..arguments.clone() };
    check_folder(own.out.as_deref())?;
    let sweep = Sweep::new(crate::host(), own.request()?)?;
    let input = SharedInput::from_bytes("the sweep", sweep.plan.to_json().as_bytes());
    check_shared_inputs(ranks, &[input], "give all ranks the same sweep, preset, chain and files")?;
    let status = own.run(&sweep)?;
    if ranks.any(status == INTERRUPTED)? {
        return Ok(INTERRUPTED);
    }
    let Some(out) = arguments.out.filter(|_| ranks.is_first()) else { return Ok(status) };
    let journal = |number| out.join(Shard { number, ..shard }.file_name("journal", "txt"));
    merge(&MergeArguments { parts: (1..=shard.count).map(journal).collect(), json: arguments.json, out })
}

impl Arguments {
    /// Plays a sweep, or says what it would play.
    fn run(&self, sweep: &Sweep) -> Result<u8, Failure> {
        let engine = self.runs.engine()?;
        sweep.notes.iter().for_each(remark);
        let jobs = self.runs.at_once(engine);
        sweep.check_memory(jobs)?;
        let shard = self.shard.unwrap_or_default();
        if shard.count > sweep.plan.runs() {
            let problem = format!("a sweep of {} runs cannot have so many parts", sweep.plan.runs());
            return Err(BadInput::new(format!("--shard {shard}"), problem, "take fewer parts").into());
        }
        let Some(out) = self.out.as_ref().filter(|_| !self.dry_run) else {
            report(&sweep.plan, None, shard, Some(&sweep.sizes), self.json)?;
            return Ok(0);
        };
        let jobs = Jobs { count: jobs, engine, stop: listen()? };
        let Some(records) = play(sweep, shard, &jobs, out, "run")? else { return Ok(INTERRUPTED) };
        let status = finish(&sweep.plan, &records, shard, out)?;
        if !self.is_part {
            report(&sweep.plan, Some(out), shard, None, self.json)?;
        }
        Ok(status)
    }

    /// The request for a sweep from the options and from the sweep's file.
    fn request(&self) -> Result<Request, BadInput> {
        let name = self.preset.as_deref().unwrap_or(Path::new(""));
        let mut request = Request::default();
        for written in &self.set {
            let parameter = Parameter::from_option(written)?;
            let settings = parameter.values.iter().map(|value| parameter.setting(value));
            settings.flat_map(|setting| texts(&setting)).for_each(access::name);
            if request.parameters.iter().any(|other| other.key == parameter.key) {
                return Err(parameter.place.wrong("the key stands twice", "give all its values in one --set"));
            }
            request.parameters.push(parameter);
        }
        request.parameters.extend(self.size.as_deref().map(Parameter::from_sizes).transpose()?);
        let number = |option: &str, value: Option<u64>| {
            value.map(|value| Placed { value, place: Place::from_option(format!("{option} {value}")) })
        };
        [request.steps, request.warm_up, request.every] =
            [number("steps", self.steps), number("warm-up", self.warm_up), number("every", self.every)];
        request.seeds = self.seeds.as_deref().map(sweep::seeds_of_option).transpose()?;
        if !self.measures.is_empty() {
            let place = Place::from_option(format!("measures {}", self.measures.join(",")));
            request.measures = Some(Placed { value: self.measures.clone(), place });
        }
        if let Some(chain) = &self.chain {
            access::name(chain);
            let place = Place::from_option(format!("chain {}", chain.display()));
            request.chain = Some(Placed { value: chain.clone(), place });
        }
        if is_path(name) {
            access::name(name);
        }
        request.for_preset(crate::host(), name)
    }
}

/// How runs are played.
#[derive(Debug, Clone, clap::Args)]
struct RunOptions {
    /// Runs at once [default: one for each core; 2 on a GPU]
    #[arg(long, value_name = "N", value_parser = whole::<u16>(1..=1024))]
    jobs: Option<u16>,
    /// The engine of each run: auto is the GPU if there is a hardware adapter, else the CPU
    #[arg(long, value_enum, default_value_t = EngineName::Cpu)]
    engine: EngineName,
    /// Threads of each run on the CPU; many runs at once are faster than many threads in each [default: 1]
    #[arg(long, value_name = "N", value_parser = whole::<u16>(1..=1024))]
    threads: Option<u16>,
}

impl RunOptions {
    /// The engine of each run, on the CPU with one thread unless another number is given.
    fn engine(&self) -> Result<EngineChoice, BadInput> {
        Ok(Jobs::engine_of_run(match EngineOptions::new(self.engine, self.threads).choose()? {
            EngineChoice::Auto if !has_hardware() => EngineChoice::Cpu(cpu::Options::default()),
            choice => choice,
        }))
    }

    /// The number of runs that are played at once on an engine.
    fn at_once(&self, engine: EngineChoice) -> usize {
        self.jobs.map_or_else(|| Jobs::usual_count(engine), usize::from)
    }
}

/// A check whether the runs are to end, as after Ctrl-C.
///
/// # Errors
/// If the system refuses.
fn listen() -> Result<StopCheck, Failure> {
    listen_for("finished runs are kept")
}

/// Plays the runs of a part that are not in the journal of a folder yet, and shows the progress. `what`: the name of a
/// run. `None`: the part was interrupted.
///
/// # Errors
/// If a run or the journal fails. Finished runs are kept.
fn play<S: Study>(
    study: &S,
    shard: Shard,
    jobs: &Jobs,
    out: &Path,
    what: &str,
) -> Result<Option<Results<S::Plan>>, Failure> {
    let plan = study.plan();
    let mut kept = Kept::open(out, plan, shard)?;
    let (before, runs) = (kept.results.len() as u64, plan.runs_in(shard));
    if before > 0 && before < runs {
        remark(format_args!("{before} of {runs} runs are in the journal, and are not repeated"));
    }
    let mut progress = Progress::new(0..runs.saturating_sub(before) * plan.steps());
    let mut show = |so_far: sweep::Progress<'_>| {
        so_far.remarks.iter().for_each(remark);
        progress.show(so_far.steps, |_| format!("{what} {} of {runs}", so_far.runs));
    };
    let played = study.play(shard, jobs, &mut kept, &mut show);
    drop(progress);
    let goes_on = format!("finished runs are kept in {}, and the same command goes on", out.display());
    if !played.map_err(|failure| failure.with(&goes_on))? {
        remark(format_args!("interrupted after {} of {runs} runs; {goes_on}", kept.results.len()));
        return Ok(None);
    }
    Ok(Some(kept.results))
}

/// Writes the files of a part or of a whole sweep. Returns the exit status.
fn finish(plan: &Plan, records: &Records, shard: Shard, out: &Path) -> Result<u8, Failure> {
    sweep::write_results(out, plan, records, shard)?;
    Ok(complain_of_losses(plan, records))
}

/// Says which runs have lost boids. Returns the exit status.
fn complain_of_losses<P: RunPlan>(plan: &P, results: &Results<P>) -> u8 {
    let lost = || results.iter().map(|(run, record)| (*run, P::lost(record))).filter(|(_, lost)| *lost != 0);
    for (run, lost) in lost().take(MAX_COMPLAINTS) {
        complain(format_args!("{} boids were lost in the run of {}", signed_boids(lost), plan.describe(run)));
    }
    let count = lost().count();
    if count > MAX_COMPLAINTS {
        complain(format_args!("boids were lost in {} more runs", count - MAX_COMPLAINTS));
    }
    if count == 0 { 0 } else { FAILED }
}

/// The maximum number of runs whose losses are printed.
const MAX_COMPLAINTS: usize = 10;

/// Prints a summary of a sweep, and the paths of its results.
fn report(
    plan: &Plan,
    out: Option<&Path>,
    shard: Shard,
    sizes: Option<&BTreeSet<String>>,
    as_json: bool,
) -> Result<(), Failure> {
    let runs = plan.runs_in(shard);
    let samples = (plan.steps - plan.warm_up) / plan.every;
    if as_json {
        let mut object: Value = json!({
            "preset": plan.preset,
            "runs": runs,
            "combinations": plan.combinations(),
            "seeds": plan.seeds.len(),
            "steps": plan.steps,
            "warm_up": plan.warm_up,
            "every": plan.every,
            "samples": samples,
            "measures": plan.measures,
            "shard": (shard.count > 1).then(|| shard.to_string()),
            "out": out.map(|out| out.display().to_string()),
        });
        if let Some(sizes) = sizes {
            object["sizes"] = json!(sizes);
        }
        return say_json(object);
    }
    let [combinations, seeds, steps] = [plan.combinations(), plan.seeds.len() as u64, plan.steps].map(grouped);
    let part =
        if shard.count > 1 { format!(", of which {} are in part {shard}", grouped(runs)) } else { String::new() };
    let all = grouped(plan.runs());
    say(format_args!("{} · {all} runs: {combinations} combinations with {seeds} seeds each{part}", plan.preset))?;
    say(format_args!(
        "{steps} steps a run, {} samples after a warm-up of {} steps",
        grouped(samples),
        grouped(plan.warm_up)
    ))?;
    if let Some(sizes) = sizes {
        let shown: Vec<&str> = sizes.iter().take(MAX_COMPLAINTS).map(String::as_str).collect();
        let more =
            if sizes.len() > shown.len() { format!(" and {} more", sizes.len() - shown.len()) } else { String::new() };
        say(format_args!("sizes: {}{more}", shown.join("; ")))?;
        say(format_args!("{} steps in all", grouped(runs.saturating_mul(plan.steps))))?;
    }
    let Some(out) = out else { return Ok(()) };
    let files = ["csv", "npz"].map(|ending| shard.file_name("runs", ending)).join(" and ");
    let files = if shard.count > 1 { files } else { "runs.csv, runs.npz, means.csv and index.html".into() };
    say(format_args!("{files} are in {}", with_separator(out)))
}

/// Writes the tables of the journals of all parts.
fn merge(arguments: &MergeArguments) -> Result<u8, Failure> {
    check_folder(Some(&arguments.out))?;
    let (plan, records): (Plan, _) = read_parts(&arguments.parts)?;
    check_whole("sweep merge", &plan, &records)?;
    create_folder(&arguments.out)?;
    let status = finish(&plan, &records, Shard::default(), &arguments.out)?;
    report(&plan, Some(&arguments.out), Shard::default(), None, arguments.json)?;
    Ok(status)
}

/// The plan and the finished runs of the named journals and of all journals in the named folders.
fn read_parts<P: RunPlan>(parts: &[PathBuf]) -> Result<(P, Results<P>), BadInput> {
    let mut whole: Option<(PathBuf, Contents<P>)> = None;
    for path in journals(parts, P::OF)? {
        let contents = Contents::<P>::read(&path)?;
        let Some((first, all)) = &mut whole else {
            whole = Some((path, contents));
            continue;
        };
        let wrong = |problem: String, cure: &str| BadInput::new(path.display().to_string(), problem, cure);
        if let Some(how) = all.plan.difference(&contents.plan) {
            let problem = format!("is a journal of another plan than {}, with {how}", first.display());
            return Err(wrong(problem, "merge the parts of one plan"));
        }
        for (run, record) in contents.records {
            let written = P::write(&record);
            if all.records.insert(run, record).is_some_and(|other| P::write(&other) != written) {
                let problem =
                    format!("has another result of the run of {} than another journal", all.plan.describe(run));
                return Err(wrong(problem, "play one of both parts again into another folder"));
            }
        }
    }
    let Some((_, Contents { plan, records, .. })) = whole else { unreachable!("there is a journal, or a complaint") };
    Ok((plan, records))
}

/// Refuses a sweep with missing runs. `origin` names the request in the message.
fn check_whole<P: RunPlan>(origin: &str, plan: &P, records: &Results<P>) -> Result<(), BadInput> {
    let missing: Vec<u64> = (0..plan.runs()).filter(|run| !records.contains_key(run)).collect();
    let Some(first) = missing.first() else { return Ok(()) };
    let [count, all] = [missing.len() as u64, plan.runs()].map(grouped);
    let problem = format!("{count} of {all} runs are missing, such as the run of {}", plan.describe(*first));
    Err(BadInput::new(origin, problem, "name all parts, and let each come to its end first"))
}

/// The named journals, and all journals in the named folders.
fn journals(parts: &[PathBuf], of: &str) -> Result<Vec<PathBuf>, BadInput> {
    let mut journals = Vec::new();
    for part in parts {
        if !part.is_dir() {
            journals.push(part.clone());
            continue;
        }
        let is_journal = |path: &PathBuf| {
            let name = path.file_name().unwrap_or_default().to_string_lossy();
            name.starts_with("journal") && name.ends_with(".txt")
        };
        let entries = std::fs::read_dir(part).into_iter().flatten().flatten().map(|entry| entry.path());
        let mut found: Vec<PathBuf> = entries.filter(is_journal).collect();
        if found.is_empty() {
            let problem = format!("there is no journal of {of} in this folder");
            return Err(BadInput::new(part.display().to_string(), problem, "name a folder of --out"));
        }
        found.sort();
        journals.append(&mut found);
    }
    Ok(journals)
}
