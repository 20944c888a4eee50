//! `murmuration bench`: measures the speed of steps.

use super::{FAILED, INTERRUPTED, complain, remark, say};
use crate::agents::search::SearchKind;
use crate::bench::families::{self, Adapter, Devices, EngineSetup, Family, RowSelection};
use crate::bench::hardware::Hardware;
use crate::bench::measure::{Listener, measure};
use crate::bench::report::Report;
use crate::bench::sights::Sights;
use crate::bench::timing::SamplingPlan;
use crate::bench::{plots, table};
use crate::chain::Chain;
use crate::error::{BadInput, Failure};
use crate::files::{create_folder, write_whole};
use crate::interrupt;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::io::IsTerminal;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

const NOTES: &str = "\
Without options, a few rows are measured in less than a minute. The rows of a table are run alternately, together with memory
copies on the same devices. A row shows the median of its repetitions, the least and the most. Several sizes, sights, chains,
threads, searches or counts, separated by commas, give every combination:
  murmuration bench --size 1024x1024,4096x4096 --sight rings:8:4,disc:8/3/6 --threads 1,2
  murmuration bench --agents 4096,65536 --search brute,octree,grid --json

Exit status: 0; 1 if boids were lost or a selected row could not be measured; 2 for bad input; 130 if interrupted, after the
results so far are printed and written.";

/// Measure the speed of steps and of memory copies on the same device.
#[derive(Debug, Clone, clap::Args)]
#[command(after_help = NOTES)]
pub struct Arguments {
    /// Only rows of one model
    #[arg(long, value_enum)]
    model: Option<ModelName>,
    /// Cells along x and y, as in 1024x1024,4096x4096
    #[arg(long, value_name = "WxH", value_delimiter = ',', value_parser = super::options::parse_size)]
    size: Vec<(u32, u32)>,
    /// The sights of the rules: rings:DIRECTIONS:RADIUS for all of them, disc:RADIUS or disc:COHESION/SEPARATION/ALIGNMENT,
    /// and box in the same form, as in rings:8:4,disc:8/3/6
    #[arg(long, value_name = "SIGHT", value_delimiter = ',')]
    sight: Vec<Sights>,
    /// Chains of the cell system, by name or path [default: the default chain]
    #[arg(long, value_name = "CHAIN", value_delimiter = ',')]
    chain: Vec<String>,
    /// Only rows of one engine
    #[arg(long, value_enum)]
    engine: Option<BenchEngine>,
    /// Threads of the CPU engine, as in 1,2 [default: one for each core]
    #[arg(long, value_name = "N", value_delimiter = ',', value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: Vec<u16>,
    /// The neighbour search of individuals [default: grid]
    #[arg(long, value_enum, value_delimiter = ',')]
    search: Vec<SearchName>,
    /// Numbers of individuals, as in 4096,65536
    #[arg(long, value_name = "N", value_delimiter = ',', value_parser = clap::value_parser!(u32).range(1..=1 << 24))]
    agents: Vec<u32>,
    /// All rows: by threads, cells, radius, boids and individuals, and the table of the school; about ten minutes
    #[arg(long, conflicts_with_all = ["size", "sight", "chain", "threads", "search", "agents"])]
    all: bool,
    /// Fewer and shorter repetitions
    #[arg(long)]
    quick: bool,
    /// Write bench.md, bench.json and plots/*.svg into a folder
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Print one JSON object as the last thing on standard output, and no tables
    #[arg(long)]
    json: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum ModelName {
    Cell,
    Agents,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum BenchEngine {
    Cpu,
    Gpu,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum SearchName {
    Brute,
    Octree,
    Grid,
}

impl From<SearchName> for SearchKind {
    fn from(name: SearchName) -> Self {
        match name {
            SearchName::Brute => Self::Brute,
            SearchName::Octree => Self::Octree,
            SearchName::Grid => Self::Grid,
        }
    }
}

pub fn run(arguments: &Arguments) -> Result<u8, Failure> {
    arguments.check()?;
    if let Some(out) = &arguments.out {
        create_folder(&out.join(PLOTS))?;
    }
    let interrupt = interrupt::listen()?;
    let hardware = Hardware::detect(arguments.engine != Some(BenchEngine::Cpu));
    if hardware.gpu.is_none() && arguments.engine == Some(BenchEngine::Gpu) {
        let problem = "no graphics adapter was found, not even a software one".into();
        return Err(Failure::Device(problem));
    }
    if arguments.json {
        hardware.lines().iter().for_each(remark);
    }
    let families = arguments.families(hardware.devices());
    let sampling = arguments.sampling();
    let mut progress = BenchProgress { bar: None, interrupt };
    let mut report = Report { hardware, families: Vec::new(), interrupted: false };
    for family in families {
        if progress.is_interrupted() {
            break;
        }
        let rows = measure(&family, &report.hardware, sampling, &mut progress);
        report.families.push((family, rows));
    }
    if let Some(bar) = &progress.bar {
        bar.finish_and_clear();
    }
    report.interrupted = progress.is_interrupted();
    arguments.publish(&report)
}

/// The folder of the plots in that of the results.
const PLOTS: &str = "plots";

impl Arguments {
    /// Whether particular rows are selected.
    fn selects_rows(&self) -> bool {
        self.selects_cells() || self.selects_agents() || !self.threads.is_empty()
    }

    fn selects_cells(&self) -> bool {
        !(self.size.is_empty() && self.sight.is_empty() && self.chain.is_empty())
    }

    fn selects_agents(&self) -> bool {
        !(self.search.is_empty() && self.agents.is_empty())
    }

    /// Checks the options before anything is measured.
    fn check(&self) -> Result<(), BadInput> {
        let refuse = |option: &str, problem: &str, cure: &str| Err(BadInput::new(option, problem, cure));
        if self.model == Some(ModelName::Agents) && self.selects_cells() {
            return refuse(
                "--model agents",
                "individuals have no --size, --sight or --chain here",
                "give --agents, --search",
            );
        }
        if self.model == Some(ModelName::Cell) && self.selects_agents() {
            return refuse("--model cell", "cells have no --agents and no --search", "give --size, --sight, --chain");
        }
        if self.engine == Some(BenchEngine::Gpu) && !self.threads.is_empty() {
            return refuse("--threads", "is for the CPU engine", "take it away, or --engine gpu");
        }
        if self.engine == Some(BenchEngine::Gpu) && self.search.contains(&SearchName::Octree) {
            return refuse(
                "--search octree",
                "the octree is searched on the CPU only",
                "take the grid, or --engine cpu",
            );
        }
        for chain in &self.chain {
            let chain = Chain::load(crate::host().as_ref(), chain)?;
            if chain.search.is_some() {
                return Err(BadInput::new(&chain.origin, "its model is \"agents\"", "choose it with --search"));
            }
        }
        let sizes = self.size.iter().map(|size| (Some(*size), None));
        for (size, sight) in sizes.chain(self.sight.iter().map(|sight| (None, Some(sight)))) {
            check_bounds(size, sight)?;
        }
        Ok(())
    }

    fn sampling(&self) -> SamplingPlan {
        match (self.quick, self.all) {
            (true, _) => SamplingPlan::QUICK,
            (false, false) => SamplingPlan::USUAL,
            (false, true) => SamplingPlan::THOROUGH,
        }
    }

    fn families(&self, devices: Devices) -> Vec<Family> {
        let mut families = match (self.selects_rows(), self.all) {
            (true, _) => families::selected(&self.selection(), &self.setups(devices)),
            (false, true) => families::all(devices),
            (false, false) => families::usual(devices),
        };
        for family in &mut families {
            family.rows.retain(|row| {
                let is_cell = row.scenario.cells.is_some();
                self.engine.is_none_or(|engine| (engine == BenchEngine::Gpu) == row.setup.is_gpu())
                    && self.model.is_none_or(|model| (model == ModelName::Cell) == is_cell)
            });
        }
        families.retain(|family| !family.rows.is_empty());
        families
    }

    /// The selected rows, with defaults for options that are left out.
    fn selection(&self) -> RowSelection {
        let mut selection = RowSelection {
            sizes: self.size.clone(),
            sights: self.sight.clone(),
            chains: self.chain.clone(),
            searches: self.search.iter().map(|name| (*name).into()).collect(),
            agents: self.agents.iter().map(|count| u64::from(*count)).collect(),
        };
        if self.selects_agents() || self.model == Some(ModelName::Agents) {
            or_default(&mut selection.agents, 65_536);
            or_default(&mut selection.searches, SearchKind::Grid);
        }
        if self.selects_cells() || selection.agents.is_empty() {
            or_default(&mut selection.sizes, (1024, 1024));
            or_default(&mut selection.sights, Sights::Rings { directions: 8, radii: vec![4] });
        }
        selection
    }

    /// The engines of the selected rows. A software adapter is used only with --engine gpu.
    fn setups(&self, devices: Devices) -> Vec<EngineSetup> {
        let mut threads: Vec<usize> = self.threads.iter().map(|threads| usize::from(*threads)).collect();
        or_default(&mut threads, devices.threads);
        let mut setups: Vec<EngineSetup> =
            threads.into_iter().map(|threads| EngineSetup::Cpu { threads, instruction_set: None }).collect();
        let is_explicit = self.engine == Some(BenchEngine::Gpu);
        let is_wanted = |adapter: &Adapter| is_explicit || *adapter == Adapter::Hardware && self.threads.is_empty();
        setups.extend(devices.gpu.filter(is_wanted).map(EngineSetup::Gpu));
        setups
    }

    /// Prints and writes the results. Returns the exit status.
    fn publish(&self, report: &Report) -> Result<u8, Failure> {
        report.complaints().for_each(complain);
        if let Some(out) = &self.out {
            write(report, out)?;
        }
        if self.json {
            say(report.object())?;
        } else {
            say(table::markdown(report).trim_end())?;
        }
        let mut is_missing = false;
        if self.selects_rows() {
            for (measured, why) in report.left_out() {
                complain(format_args!("{}, {}: {why}", measured.row.scenario.label, measured.row.setup.name()));
                is_missing = true;
            }
        }
        Ok(match report.interrupted {
            true => INTERRUPTED,
            false if is_missing || !report.is_valid() => FAILED,
            false => 0,
        })
    }
}

fn or_default<T>(list: &mut Vec<T>, default: T) {
    if list.is_empty() {
        list.push(default);
    }
}

/// Checks whether a preset may have this size or these sights; sights are tried on a small lattice.
fn check_bounds(size: Option<(u32, u32)>, sight: Option<&Sights>) -> Result<(), BadInput> {
    let most = 1..=crate::world::LARGEST_EXTENT;
    if let Some((width, height)) = size
        && !(most.contains(&width) && most.contains(&height))
    {
        let cure = format!("each extent is from 1 to {} cells", most.end());
        return Err(BadInput::new("--size", format!("{width}x{height} is not possible"), cure));
    }
    if let Some(sight) = sight {
        let cells = families::small(sight.clone());
        let named = |wrong: BadInput| BadInput { origin: format!("--sight {sight}"), line: None, ..wrong };
        cells.preset().map_err(named)?;
    }
    Ok(())
}

/// Writes tables, the JSON object and plots into a folder.
fn write(report: &Report, out: &Path) -> Result<(), Failure> {
    write_whole(&out.join("bench.md"), |to| to.write_all(table::page(report, PLOTS).as_bytes()))?;
    write_whole(&out.join("bench.json"), |to| writeln!(to, "{:#}", report.object()))?;
    for (family, rows) in &report.families {
        let plot = plots::svg(family, rows);
        if let Some(svg) = plot.map_err(|error| Failure::Broken(format!("a plot cannot be drawn: {error}")))? {
            let path = out.join(PLOTS).join(format!("{}.svg", family.name));
            write_whole(&path, |to| to.write_all(svg.as_bytes()))?;
        }
    }
    Ok(())
}

/// Shows the progress: a bar on a terminal, a line for each family otherwise. Ctrl-C ends the benchmark.
struct BenchProgress {
    bar: Option<ProgressBar>,
    interrupt: Arc<AtomicBool>,
}

impl BenchProgress {
    fn is_interrupted(&self) -> bool {
        self.interrupt.load(Ordering::Relaxed)
    }
}

impl Listener for BenchProgress {
    fn say(&mut self, what: &str) {
        if !std::io::stderr().is_terminal() {
            return remark(what);
        }
        let style = ProgressStyle::with_template("{bar:32} {msg} · {eta} left");
        let bar = self.bar.get_or_insert_with(|| {
            let bar = ProgressBar::with_draw_target(Some(1), ProgressDrawTarget::stderr());
            bar.with_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()))
        });
        bar.reset();
        bar.set_message(what.to_owned());
    }

    fn turn(&mut self, turns: usize, of: usize) -> bool {
        if let Some(bar) = &self.bar {
            bar.set_length(of as u64);
            bar.set_position(turns as u64);
        }
        !self.is_interrupted()
    }
}
