//! `murmuration bench`: how fast steps are.

use super::{FAILED, INTERRUPTED, complain, remark, say};
use crate::agents::search::SearchKind;
use crate::bench::families::{self, Adapter, Asked, Family, Machine, Player};
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
Without options a few rows in less than a minute. All rows of a table take turns, with the copying of memory on the same
device among them, and a row is the median of its repetitions between the least and the most. Several sizes, sights,
chains, threads, searches or counts, with commas, give every combination:
  murmuration bench --size 1024x1024,4096x4096 --sight rings:8:4,disc:8/3/6 --threads 1,2
  murmuration bench --agents 4096,65536 --search brute,octree,grid --json

Exit status: 0; 1 where boids were lost or what was asked for could not be measured; 2 for bad input; 130 when
interrupted, with what was measured by then printed and written.";

/// Measure how fast steps are, beside the copying of memory on the same device.
#[derive(Debug, Clone, clap::Args)]
#[command(after_help = NOTES)]
pub struct Arguments {
    /// Only rows of one model
    #[arg(long, value_enum)]
    model: Option<ModelName>,
    /// Cells along x and y, as in 1024x1024,4096x4096
    #[arg(long, value_name = "WxH", value_delimiter = ',', value_parser = super::options::parse_size)]
    size: Vec<(u32, u32)>,
    /// How far the rules see: rings:DIRECTIONS:RADIUS for all of them, disc:RADIUS or disc:COHESION/SEPARATION/ALIGNMENT,
    /// and box likewise, as in rings:8:4,disc:8/3/6
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
    /// How individuals find their neighbours [default: grid]
    #[arg(long, value_enum, value_delimiter = ',')]
    search: Vec<SearchName>,
    /// How many individuals, as in 4096,65536
    #[arg(long, value_name = "N", value_delimiter = ',', value_parser = clap::value_parser!(u32).range(1..=1 << 24))]
    agents: Vec<u32>,
    /// All rows: by threads, cells, radius, boids and individuals, and the school's table; some ten minutes
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
    let hardware = Hardware::look(arguments.engine != Some(BenchEngine::Cpu));
    if hardware.gpu.is_none() && arguments.engine == Some(BenchEngine::Gpu) {
        let problem = "no graphics adapter was found, not even a software one".into();
        return Err(Failure::Device(problem));
    }
    if arguments.json {
        hardware.lines().iter().for_each(remark);
    }
    let families = arguments.families(hardware.machine());
    let effort = arguments.effort();
    let mut listening = Listening { bar: None, interrupt };
    let mut report = Report { hardware, families: Vec::new(), interrupted: false };
    for family in families {
        if listening.is_interrupted() {
            break;
        }
        let rows = measure(&family, &report.hardware, effort, &mut listening);
        report.families.push((family, rows));
    }
    if let Some(bar) = &listening.bar {
        bar.finish_and_clear();
    }
    report.interrupted = listening.is_interrupted();
    arguments.tell(&report)
}

/// Where the plots are in the folder of the results.
const PLOTS: &str = "plots";

impl Arguments {
    /// Whether particular rows are asked for.
    fn asks(&self) -> bool {
        self.asks_for_cells() || self.asks_for_agents() || !self.threads.is_empty()
    }

    fn asks_for_cells(&self) -> bool {
        !(self.size.is_empty() && self.sight.is_empty() && self.chain.is_empty())
    }

    fn asks_for_agents(&self) -> bool {
        !(self.search.is_empty() && self.agents.is_empty())
    }

    /// Refuses what contradicts itself or cannot be played, before anything is measured.
    fn check(&self) -> Result<(), BadInput> {
        let refuse = |option: &str, problem: &str, cure: &str| Err(BadInput::new(option, problem, cure));
        if self.model == Some(ModelName::Agents) && self.asks_for_cells() {
            return refuse(
                "--model agents",
                "individuals have no --size, --sight or --chain here",
                "give --agents, --search",
            );
        }
        if self.model == Some(ModelName::Cell) && self.asks_for_agents() {
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

    fn effort(&self) -> SamplingPlan {
        match (self.quick, self.all) {
            (true, _) => SamplingPlan::QUICK,
            (false, false) => SamplingPlan::USUAL,
            (false, true) => SamplingPlan::THOROUGH,
        }
    }

    fn families(&self, machine: Machine) -> Vec<Family> {
        let mut families = match (self.asks(), self.all) {
            (true, _) => families::asked(&self.asked(), &self.players(machine)),
            (false, true) => families::all(machine),
            (false, false) => families::usual(machine),
        };
        for family in &mut families {
            family.rows.retain(|row| {
                let is_cell = row.scenario.cells.is_some();
                self.engine.is_none_or(|engine| (engine == BenchEngine::Gpu) == row.player.is_gpu())
                    && self.model.is_none_or(|model| (model == ModelName::Cell) == is_cell)
            });
        }
        families.retain(|family| !family.rows.is_empty());
        families
    }

    /// What is asked for, with the usual where an option is left out.
    fn asked(&self) -> Asked {
        let mut asked = Asked {
            sizes: self.size.clone(),
            sights: self.sight.clone(),
            chains: self.chain.clone(),
            searches: self.search.iter().map(|name| (*name).into()).collect(),
            agents: self.agents.iter().map(|count| u64::from(*count)).collect(),
        };
        if self.asks_for_agents() || self.model == Some(ModelName::Agents) {
            or_usual(&mut asked.agents, 65_536);
            or_usual(&mut asked.searches, SearchKind::Grid);
        }
        if self.asks_for_cells() || asked.agents.is_empty() {
            or_usual(&mut asked.sizes, (1024, 1024));
            or_usual(&mut asked.sights, Sights::Rings { directions: 8, radii: vec![4] });
        }
        asked
    }

    /// Who plays what is asked for. A software adapter only plays when it is asked for.
    fn players(&self, machine: Machine) -> Vec<Player> {
        let mut threads: Vec<usize> = self.threads.iter().map(|threads| usize::from(*threads)).collect();
        or_usual(&mut threads, machine.threads);
        let mut players: Vec<Player> =
            threads.into_iter().map(|threads| Player::Cpu { threads, instruction_set: None }).collect();
        let is_asked = self.engine == Some(BenchEngine::Gpu);
        let is_wanted = |adapter: &Adapter| is_asked || *adapter == Adapter::Hardware && self.threads.is_empty();
        players.extend(machine.gpu.filter(is_wanted).map(Player::Gpu));
        players
    }

    /// Prints and writes what was measured; the exit status.
    fn tell(&self, report: &Report) -> Result<u8, Failure> {
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
        if self.asks() {
            for (measured, why) in report.left_out() {
                complain(format_args!("{}, {}: {why}", measured.row.scenario.label, measured.row.player.name()));
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

fn or_usual<T>(list: &mut Vec<T>, usual: T) {
    if list.is_empty() {
        list.push(usual);
    }
}

/// Whether a preset may have this size or sight; on a small lattice where it is not about the size.
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

/// Writes tables, object and plots into a folder.
fn write(report: &Report, out: &Path) -> Result<(), Failure> {
    write_whole(&out.join("bench.md"), |to| to.write_all(table::page(report, PLOTS).as_bytes()))?;
    write_whole(&out.join("bench.json"), |to| writeln!(to, "{:#}", report.object()))?;
    for (family, rows) in &report.families {
        let drawn = plots::svg(family, rows);
        if let Some(svg) = drawn.map_err(|error| Failure::Broken(format!("a plot cannot be drawn: {error}")))? {
            let path = out.join(PLOTS).join(format!("{}.svg", family.name));
            write_whole(&path, |to| to.write_all(svg.as_bytes()))?;
        }
    }
    Ok(())
}

/// A bar on a terminal, a line for each family otherwise; Ctrl-C ends the measuring.
struct Listening {
    bar: Option<ProgressBar>,
    interrupt: Arc<AtomicBool>,
}

impl Listening {
    fn is_interrupted(&self) -> bool {
        self.interrupt.load(Ordering::Relaxed)
    }
}

impl Listener for Listening {
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
