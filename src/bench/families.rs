//! Families of rows, their engines, and the rows of the command line.

use super::scenario::{Scenario, Sights};
use murmuration_core::engine::{Dispatch, cpu};
use murmuration_core::individuals::search::SearchKind;
use murmuration_core::lanes::InstructionSet;
use murmuration_core::simulation::EngineChoice;
use serde::Deserialize;
use std::path::PathBuf;

/// Rows that are measured alternately and form one table.
#[derive(Debug, Clone)]
pub struct Family {
    /// The name of the file of the family's plot, without the extension.
    pub name: &'static str,
    pub title: &'static str,
    pub plot: Option<Axis>,
    pub rows: Vec<Row>,
}

/// The x axis of the plot of a family.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Axis {
    Cells,
    Radius,
    Boids,
    Individuals,
    Threads,
}

/// The work that is timed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Work {
    /// The steps of the row's swarm.
    Steps,
    /// The repeated computation of a part of the row's rock.
    Rock(RockWork),
    /// A step and its picture, as a window plays and draws them.
    Frame,
}

/// The part of the rock of a scenario that is computed repeatedly.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum RockWork {
    /// The scalar field of the rock.
    Field,
    /// The gap field, which is computed from the scalar field.
    Gaps,
    /// The mesh of the rock's surface.
    Mesh,
}

impl Work {
    /// The name of the things that a rate counts; `None` for steps, whose rate counts cells or individuals.
    pub fn unit(self) -> Option<&'static str> {
        match self {
            Self::Steps => None,
            Self::Rock(RockWork::Mesh) => Some("triangles"),
            Self::Rock(_) => Some("voxels"),
            Self::Frame => Some("pixels"),
        }
    }
}

/// A scenario, chain and engine to be measured.
#[derive(Debug, Clone, PartialEq)]
pub struct Row {
    pub scenario: Scenario,
    /// The name or path of a chain; `None` for the default chain.
    pub chain: Option<PathBuf>,
    pub setup: EngineSetup,
    pub work: Work,
    /// Whether steps also move the points that pictures draw for the boids.
    pub keeps_points: bool,
    /// The number of steps after which the state is compared with the state that the CPU computes; 0: no comparison.
    pub compared_steps: u64,
    /// The name of the line of the plot to which the row belongs.
    pub series: String,
    /// The position of the row on the x axis of the plot.
    pub at: f64,
}

/// The engine of a row, with its threads and instruction set.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum EngineSetup {
    /// A CPU. `instruction_set`: `None` for the widest instruction set of the processor.
    Cpu {
        threads: usize,
        instruction_set: Option<InstructionSet>,
    },
    Gpu(Adapter),
}

impl EngineSetup {
    /// The CPU with this number of threads, and with the widest instruction set of the processor.
    pub fn cpu(threads: usize) -> Self {
        Self::Cpu { threads, instruction_set: None }
    }

    /// The number of threads of the CPU; `None` for a GPU.
    pub fn threads(self) -> Option<usize> {
        match self {
            Self::Cpu { threads, .. } => Some(threads),
            Self::Gpu(_) => None,
        }
    }

    pub(super) fn is_software_gpu(self) -> bool {
        self == Self::Gpu(Adapter::Software)
    }

    /// Whether the engine is a GPU or a software adapter.
    pub fn is_gpu(self) -> bool {
        matches!(self, Self::Gpu(_))
    }

    /// The choice of the engine for a simulation.
    pub fn choice(self) -> EngineChoice {
        match self {
            Self::Cpu { threads, instruction_set } => {
                EngineChoice::Cpu(cpu::Options { threads: Some(threads), instruction_set })
            }
            Self::Gpu(_) => EngineChoice::Gpu(Dispatch::default()),
        }
    }

    /// The name of the engine in tables.
    pub fn name(self) -> String {
        match self {
            Self::Cpu { threads, instruction_set } => {
                let plural = if threads == 1 { "" } else { "s" };
                let set = instruction_set.map_or(String::new(), |set| format!(", {set}"));
                format!("CPU, {threads} thread{plural}{set}")
            }
            Self::Gpu(Adapter::Hardware) => "GPU".into(),
            Self::Gpu(Adapter::Software) => "software GPU".into(),
        }
    }
}

/// The devices that engines can run on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Devices {
    /// The number of hardware threads of the processor.
    pub threads: usize,
    pub gpu: Option<Adapter>,
}

/// The kind of a graphics adapter.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Adapter {
    Hardware,
    /// A software adapter such as lavapipe, on which a large row would take minutes.
    Software,
}

/// The sizes, sights, chains, searches and numbers of individuals of rows. Every combination of them is measured.
#[derive(Debug, Clone, Default)]
pub struct RowSelection {
    pub sizes: Vec<(u32, u32)>,
    pub sights: Vec<Sights>,
    pub chains: Vec<PathBuf>,
    pub searches: Vec<SearchKind>,
    pub individuals: Vec<u64>,
}

/// The neighbour searches of individuals, by name.
pub const SEARCHES: [(&str, SearchKind); 3] =
    [("brute", SearchKind::Brute), ("octree", SearchKind::Octree), ("grid", SearchKind::Grid)];

impl Row {
    pub(super) fn new(scenario: Scenario, setup: EngineSetup) -> Self {
        let series = setup.name();
        Self {
            series,
            scenario,
            chain: None,
            setup,
            work: Work::Steps,
            keeps_points: false,
            compared_steps: 0,
            at: 0.0,
        }
    }

    /// A row of individuals; `None` for the octree on a GPU, because only the CPU searches in an octree.
    pub(super) fn of_individuals(scenario: Scenario, search: SearchKind, setup: EngineSetup) -> Option<Self> {
        let (name, _) = SEARCHES.into_iter().find(|(_, known)| *known == search)?;
        let chain = Some(format!("agents-{name}").into());
        let series = format!("{}, {}", if name == "brute" { "brute force" } else { name }, setup.name());
        let at = scenario.boids as f64;
        let is_possible = search != SearchKind::Octree || !setup.is_gpu();
        is_possible.then(|| Self { chain, series, at, ..Self::new(scenario, setup) })
    }
}

/// The families with a row for every combination of a selection, on every engine of `setups`.
pub fn selected(selection: &RowSelection, setups: &[EngineSetup]) -> Vec<Family> {
    let mut rows = Vec::new();
    let mut chains: Vec<Option<PathBuf>> = selection.chains.iter().cloned().map(Some).collect();
    if chains.is_empty() {
        chains.push(None);
    }
    for &size in &selection.sizes {
        for sights in &selection.sights {
            for chain in &chains {
                rows.extend(setups.iter().map(|setup| {
                    let scenario = Scenario::cells(size, sights.clone(), None);
                    Row { chain: chain.clone(), ..Row::new(scenario, *setup) }
                }));
            }
        }
    }
    for &count in &selection.individuals {
        for &search in &selection.searches {
            let row = |setup: &EngineSetup| Row::of_individuals(Scenario::flat(count), search, *setup);
            rows.extend(setups.iter().filter_map(row));
        }
    }
    vec![Family { name: "rows", title: "Selected rows", plot: None, rows }]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_combination_of_a_selection_is_measured() {
        let setups = [EngineSetup::Cpu { threads: 1, instruction_set: None }, EngineSetup::Gpu(Adapter::Hardware)];
        let cells = RowSelection {
            sizes: vec![(64, 64), (128, 64)],
            sights: ["rings:8:4", "disc:8/3/6"].map(|sights| sights.parse().unwrap()).into(),
            chains: vec!["cell".into(), "paper-gather".into()],
            ..RowSelection::default()
        };
        assert_eq!(selected(&cells, &setups)[0].rows.len(), 2 * 2 * 2 * 2);
        let all_individuals = RowSelection {
            individuals: vec![100, 200],
            searches: vec![SearchKind::Grid, SearchKind::Octree],
            ..RowSelection::default()
        };
        // The octree is measured on the CPU only.
        assert_eq!(selected(&all_individuals, &setups)[0].rows.len(), 2 * (2 + 1));
    }
}
