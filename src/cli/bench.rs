//! `murmuration bench`: measures the speed of steps.

use super::options::{EngineName, one_of, parse_size, whole};
use super::progress::{bar, listen};
use super::{FAILED, INTERRUPTED, complain, remark, say, say_json};
use crate::bench::families::{self, Adapter, Devices, EngineSetup, Family, RowSelection, SEARCHES, Work};
use crate::bench::figures::Figures;
use crate::bench::hardware::Hardware;
use crate::bench::measure::{Measurement, measure};
use crate::bench::report::Report;
use crate::bench::rows::{self, Selection};
use crate::bench::scenario::{Scenario, Sights};
use crate::bench::timing::SamplingPlan;
use crate::bench::{page, table};
use crate::files::json::with_exact;
use crate::files::{access, create_folder, write_atomically, write_table};
use murmuration_core::chain::Chain;
use murmuration_core::chain::table::Model;
use murmuration_core::error::{BadInput, Failure};
use murmuration_core::individuals::search::SearchKind;
use murmuration_core::text::readable::signed_boids;
use murmuration_core::world::MAX_EXTENT;
use std::path::{Path, PathBuf};

const NOTES: &str = "\
Without options, a few rows are measured in less than a minute. The rows of a table are run alternately, together with \
memory
copies on the same devices. A row shows the median of its repetitions, the least and the most. Several sizes, sights, \
chains,
threads, searches or counts, separated by commas, give every combination:
  murmuration bench --size 1024x1024,4096x4096 --sight rings:8:4,disc:8/3/6 --threads 1,2
  murmuration bench --agents 4096,65536 --search brute,octree,grid --json

Exit status: 0; 1 if boids were lost, if a state differs from the CPU's, or if a selected row could not be \
measured; 2 for bad input; 130 if interrupted, after the
results so far are printed and written.";

/// Measure the speed of steps and of memory copies on the same device.
#[derive(Debug, Clone, clap::Args)]
#[command(after_help = NOTES)]
pub struct Arguments {
    /// Only rows of one model
    #[arg(long, value_parser = one_of(&MODELS))]
    model: Option<Model>,
    /// Cells along x and y, as in 1024x1024,4096x4096
    #[arg(long, value_name = "WxH", value_delimiter = ',', value_parser = parse_size, conflicts_with = "selection")]
    size: Vec<(u32, u32)>,
    /// The sights of the rules: rings:DIRECTIONS:RADIUS for all of them, disc:RADIUS or
    /// disc:COHESION/SEPARATION/ALIGNMENT, and box in the same form, as in rings:8:4,disc:8/3/6
    #[arg(long, value_name = "SIGHT", value_delimiter = ',', conflicts_with = "selection")]
    sight: Vec<Sights>,
    /// Chains of the cell system, by name or path [default: the default chain]
    #[arg(long, value_name = "CHAIN", value_delimiter = ',', conflicts_with = "selection")]
    chain: Vec<PathBuf>,
    /// Only rows of one engine
    #[arg(long, value_parser = one_of(&ENGINES))]
    engine: Option<EngineName>,
    /// Threads of the CPU engine, as in 1,2 [default: one for each core]
    #[arg(
        long,
        value_name = "N",
        value_delimiter = ',',
        value_parser = whole::<u16>(1..=1024),
        conflicts_with = "selection"
    )]
    threads: Vec<u16>,
    /// The neighbour search of individuals [default: grid]
    #[arg(long, value_parser = one_of(&SEARCHES), value_delimiter = ',', conflicts_with = "selection")]
    search: Vec<SearchKind>,
    /// Numbers of individuals, as in 4096,65536
    #[arg(
        long = "agents",
        alias = "individuals",
        value_name = "N",
        value_delimiter = ',',
        value_parser = whole::<u32>(1..=1 << 24),
        conflicts_with = "selection"
    )]
    individuals: Vec<u32>,
    /// All rows: by threads, cells, radius, boids and individuals, and the table of the school; about ten minutes
    #[arg(long, group = "selection")]
    all: bool,
    /// Deep worlds beside a flat one: dense and with rest, and the same swarm in ever larger skies
    #[arg(long, group = "selection")]
    deep: bool,
    /// Noise, gap field and mesh of rock beside a flat lattice, and fish among rock beside the same in open water
    #[arg(long, group = "selection")]
    terrain: bool,
    /// Individuals with lives, with food and of two species beside the same ones without
    #[arg(long, group = "selection")]
    lives: bool,
    /// One, two, four and eight species of cells, alone and meeting each other
    #[arg(long, group = "selection")]
    species: bool,
    /// A graphics adapter: cells by size up to 16384², by radius and by boids, deep worlds up to 512³, individuals up
    /// to 2^24, points and frames; states are compared with the CPU's; some minutes
    #[arg(long, group = "selection")]
    gpu: bool,
    /// Fewer and shorter repetitions; with --gpu smaller rows too
    #[arg(long)]
    quick: bool,
    /// Write index.html, a page with charts, bench.md, bench.json, bench.csv and plots/*.svg into a folder
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Print one JSON object as the last thing on standard output, and no tables
    #[arg(long)]
    json: bool,
}

const MODELS: [(&str, Model); 3] =
    [("cell", Model::Cell), ("agents", Model::Individuals), ("individuals", Model::Individuals)];
const ENGINES: [(&str, EngineName); 2] = [("cpu", EngineName::Cpu), ("gpu", EngineName::Gpu)];
/// The folder of the plots in the folder of the results.
const PLOTS: &str = "plots";

pub fn run(arguments: &Arguments) -> Result<u8, Failure> {
    arguments.check()?;
    if let Some(out) = &arguments.out {
        create_folder(&out.join(PLOTS))?;
    }
    let is_ending = listen()?;
    let hardware = Hardware::detect(arguments.engine != Some(EngineName::Cpu));
    if hardware.gpu.is_none() && (arguments.engine == Some(EngineName::Gpu) || arguments.gpu) {
        return Err(Failure::Device("no graphics adapter was found, not even a software one".into()));
    }
    if arguments.json {
        hardware.lines().iter().for_each(remark);
    }
    let families = arguments.families(hardware.devices());
    let sampling = arguments.sampling();
    let mut report = Report { hardware, families: Vec::new(), is_interrupted: false };
    for family in families {
        let bar = bar(1);
        match &bar {
            Some(bar) => bar.set_message(family.title),
            None => remark(family.title),
        }
        let mut go_on = |turns: usize, of: usize| {
            if let Some(bar) = &bar {
                bar.set_length(of as u64);
                bar.set_position(turns as u64);
            }
            !is_ending()
        };
        let rows = measure(&family, &report.hardware, sampling, &mut go_on);
        if let Some(bar) = &bar {
            bar.finish_and_clear();
        }
        report.families.push((family, rows));
        report.is_interrupted = is_ending();
        if report.is_interrupted {
            break;
        }
    }
    arguments.publish(&report)
}

impl Arguments {
    /// Whether particular rows are selected.
    fn selects_rows(&self) -> bool {
        self.selects_cells() || self.selects_individuals() || !self.threads.is_empty()
    }

    fn selects_cells(&self) -> bool {
        !(self.size.is_empty() && self.sight.is_empty() && self.chain.is_empty())
    }

    fn selects_individuals(&self) -> bool {
        !(self.search.is_empty() && self.individuals.is_empty())
    }

    /// Checks the options before anything is measured.
    fn check(&self) -> Result<(), BadInput> {
        let (is_cell, is_individuals) = (self.model == Some(Model::Cell), self.model == Some(Model::Individuals));
        let is_gpu = self.engine == Some(EngineName::Gpu);
        let wants_octree = self.search.contains(&SearchKind::Octree);
        let of_individuals = "individuals have no --size, --sight or --chain here";
        let of_cells = "cells have no --agents and no --search";
        for (is_wrong, option, problem, cure) in [
            (is_individuals && self.selects_cells(), "--model agents", of_individuals, "give --agents, --search"),
            (is_cell && self.selects_individuals(), "--model cell", of_cells, "give --size, --sight, --chain"),
            (
                self.gpu && self.engine == Some(EngineName::Cpu),
                "--gpu",
                "is for a graphics adapter",
                "take away --engine cpu, or take --all",
            ),
            (is_gpu && !self.threads.is_empty(), "--threads", "is for the CPU engine", "take it away, or --engine gpu"),
            (
                is_gpu && wants_octree,
                "--search octree",
                "the octree is searched on the CPU only",
                "take the grid, or --engine cpu",
            ),
        ] {
            if is_wrong {
                return Err(BadInput::new(option, problem, cure));
            }
        }
        for chain in &self.chain {
            access::name(chain);
            let chain = Chain::load(crate::host().as_ref(), chain)?;
            if chain.search.is_some() {
                return Err(BadInput::new(&chain.origin, "its model is \"agents\"", "choose it with --search"));
            }
        }
        let is_possible = |extent: &u32| (1..=MAX_EXTENT).contains(extent);
        if let Some((width, height)) = self.size.iter().find(|(w, h)| !(is_possible(w) && is_possible(h))) {
            let cure = format!("each extent is from 1 to {MAX_EXTENT} cells");
            return Err(BadInput::new("--size", format!("{width}x{height} is not possible"), cure));
        }
        // A preset with a small lattice shows whether the sights are valid.
        self.sight.iter().try_for_each(|sight| match Scenario::cells((64, 64), sight.clone(), None).preset() {
            Ok(_) => Ok(()),
            Err(wrong) => {
                Err(BadInput { origin: format!("sight {}", sight.label), is_argument: true, line: None, ..wrong })
            }
        })
    }

    fn sampling(&self) -> SamplingPlan {
        match (self.quick, self.all) {
            (true, _) => SamplingPlan::QUICK,
            (false, false) => SamplingPlan::USUAL,
            (false, true) => SamplingPlan::THOROUGH,
        }
    }

    fn families(&self, devices: Devices) -> Vec<Family> {
        let of_options = [
            (self.deep, Selection::Deep),
            (self.terrain, Selection::Terrain),
            (self.lives, Selection::Lives),
            (self.species, Selection::Species),
            (self.gpu, Selection::Gpu),
            (self.all, Selection::All),
        ];
        let selection = of_options.into_iter().find_map(|(is_given, selection)| is_given.then_some(selection));
        let mut families = match selection {
            None if self.selects_rows() => families::selected(&self.selection(), &self.setups(devices)),
            _ => rows::families(selection.unwrap_or(Selection::Usual), devices, self.gpu && self.quick),
        };
        for family in &mut families {
            family.rows.retain(|row| {
                let is_cell = row.scenario.cells.is_some();
                self.engine.is_none_or(|engine| (engine == EngineName::Gpu) == row.setup.is_gpu())
                    && self.model.is_none_or(|model| row.work == Work::Steps && (model == Model::Cell) == is_cell)
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
            searches: self.search.clone(),
            individuals: self.individuals.iter().map(|count| u64::from(*count)).collect(),
        };
        if self.selects_individuals() || self.model == Some(Model::Individuals) {
            or_default(&mut selection.individuals, 65_536);
            or_default(&mut selection.searches, SearchKind::Grid);
        }
        if self.selects_cells() || selection.individuals.is_empty() {
            or_default(&mut selection.sizes, (1024, 1024));
            or_default(&mut selection.sights, "rings:8:4".parse().expect("the default sights are sights"));
        }
        selection
    }

    /// The engines of the selected rows. A software adapter is used only with --engine gpu.
    fn setups(&self, devices: Devices) -> Vec<EngineSetup> {
        let mut threads: Vec<usize> = self.threads.iter().map(|threads| usize::from(*threads)).collect();
        or_default(&mut threads, devices.threads);
        let mut setups: Vec<EngineSetup> = threads.into_iter().map(EngineSetup::cpu).collect();
        let is_explicit = self.engine == Some(EngineName::Gpu);
        let is_wanted = |adapter: &Adapter| is_explicit || *adapter == Adapter::Hardware && self.threads.is_empty();
        setups.extend(devices.gpu.filter(is_wanted).map(EngineSetup::Gpu));
        setups
    }

    /// Prints and writes the results. Returns the exit status.
    fn publish(&self, report: &Report) -> Result<u8, Failure> {
        let mut is_missing = false;
        for Measurement { row, figures } in report.rows() {
            let label = &row.scenario.label;
            match figures {
                Ok(Figures { engine, chain, lost, .. }) if *lost != 0 => {
                    let lost = signed_boids(*lost);
                    complain(format_args!(
                        "{label}, {engine}, chain {chain}: {lost} boids are lost; the row is not valid"
                    ));
                }
                Ok(Figures { engine, chain, is_same_as_cpu: Some(false), .. }) => complain(format_args!(
                    "{label}, {engine}, chain {chain}: the state differs from the CPU's; the row is not valid"
                )),
                Ok(Figures { not_compared: Some(why), .. }) => {
                    complain(format_args!(
                        "{label}, {}: the state is not compared with the CPU's: {why}",
                        row.setup.name()
                    ));
                    is_missing = true;
                }
                Err(why) if self.selects_rows() || self.gpu => {
                    complain(format_args!("{label}, {}: {why}", row.setup.name()));
                    is_missing = true;
                }
                _ => {}
            }
        }
        if let Some(out) = &self.out {
            write(report, out)?;
        }
        if self.json {
            say_json(report.object())?;
        } else {
            say(table::markdown(report, None).trim_end())?;
        }
        Ok(match report.is_interrupted {
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

/// Writes the page, the tables, the JSON object and the charts into a folder.
fn write(report: &Report, out: &Path) -> Result<(), Failure> {
    let page = page::page(report)?;
    write_atomically(&out.join("index.html"), |to| to.write_all(page.as_bytes()))?;
    write_atomically(&out.join("bench.md"), |to| {
        write!(to, "# Benchmark\n\n{}", table::markdown(report, Some(PLOTS)))
    })?;
    write_table(&out.join("bench.csv"), report.table().into_iter())?;
    write_atomically(&out.join("bench.json"), |to| writeln!(to, "{:#}", with_exact(report.object())))?;
    for (family, rows) in &report.families {
        if let Some(chart) = page::chart(family, rows) {
            let (path, svg) = (out.join(PLOTS).join(format!("{}.svg", family.name)), chart.svg()?);
            write_atomically(&path, |to| to.write_all(svg.as_bytes()))?;
        }
    }
    Ok(())
}
