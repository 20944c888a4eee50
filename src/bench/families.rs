//! The rows that are measured: a default selection, all of them, or those of the command line.

use super::scenario::{Cells, Scenario};
use super::sights::Sights;
use crate::agents::search::SearchKind;
use crate::engine::Dispatch;
use crate::engine::cpu;
use crate::lanes::InstructionSet;
use crate::simulation::{EngineChoice, WORKGROUP};

/// Rows that are measured alternately and form one table.
#[derive(Debug, Clone)]
pub struct Family {
    /// The file name of its plot without the extension.
    pub name: &'static str,
    pub title: String,
    pub plot: Option<Axis>,
    pub rows: Vec<Row>,
}

/// The x axis of the plot of a family.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Axis {
    Cells,
    Radius,
    Boids,
    Agents,
    Threads,
}

/// A scenario, chain and engine to be measured.
#[derive(Debug, Clone, PartialEq)]
pub struct Row {
    pub scenario: Scenario,
    /// The name or path of a chain; `None`: the default chain.
    pub chain: Option<String>,
    pub setup: EngineSetup,
    /// The line of the plot to which it belongs, and its position on the x axis.
    pub series: String,
    pub at: f64,
}

/// The engine of a row, and what it runs on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum EngineSetup {
    /// Without an instruction set, the widest of the processor.
    Cpu {
        threads: usize,
        instruction_set: Option<InstructionSet>,
    },
    Gpu(Adapter),
}

impl EngineSetup {
    fn is_software_gpu(self) -> bool {
        self == Self::Gpu(Adapter::Software)
    }

    /// Whether it is a GPU, software adapters included.
    pub fn is_gpu(self) -> bool {
        matches!(self, Self::Gpu(_))
    }

    /// The choice of the engine for a simulation.
    pub fn choice(self) -> EngineChoice {
        match self {
            Self::Cpu { threads, instruction_set } => {
                EngineChoice::Cpu(cpu::Options { threads: Some(threads), instruction_set })
            }
            Self::Gpu(_) => EngineChoice::Gpu(Dispatch::Compute { workgroup: WORKGROUP }),
        }
    }

    /// The name in tables.
    pub fn name(self) -> String {
        let threads = |threads| if threads == 1 { "1 thread".to_owned() } else { format!("{threads} threads") };
        match self {
            Self::Cpu { threads: count, instruction_set: None } => format!("CPU, {}", threads(count)),
            Self::Cpu { threads: count, instruction_set: Some(set) } => format!("CPU, {}, {set}", threads(count)),
            Self::Gpu(Adapter::Hardware) => "GPU".into(),
            Self::Gpu(Adapter::Software) => "software GPU".into(),
        }
    }
}

/// The devices that engines can run on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Devices {
    /// Hardware threads.
    pub threads: usize,
    pub gpu: Option<Adapter>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Adapter {
    Hardware,
    /// A software adapter such as lavapipe, on which large rows would take minutes.
    Software,
}

/// Sizes, sights, chains and so on, of which every combination is measured.
#[derive(Debug, Clone, Default)]
pub struct RowSelection {
    pub sizes: Vec<(u32, u32)>,
    pub sights: Vec<Sights>,
    pub chains: Vec<String>,
    pub searches: Vec<SearchKind>,
    pub agents: Vec<u64>,
}

/// The sight of the paper, and the dense one of the speed targets.
const RINGS: &str = "rings:8:4";
const DISCS: &str = "disc:8/3/6";

/// The chain of a neighbour search.
pub fn chain_of(search: SearchKind) -> &'static str {
    match search {
        SearchKind::Brute => "agents-brute",
        SearchKind::Octree => "agents-octree",
        SearchKind::Grid => "agents-grid",
    }
}

impl Devices {
    fn cpu(self) -> EngineSetup {
        EngineSetup::Cpu { threads: self.threads, instruction_set: None }
    }

    fn one_thread(self) -> EngineSetup {
        EngineSetup::Cpu { threads: 1, instruction_set: None }
    }

    /// One thread, all threads (if there are more than one), and the GPU if there is one.
    fn setups(self) -> Vec<EngineSetup> {
        let mut setups = vec![self.one_thread(), self.cpu()];
        setups.dedup();
        setups.extend(self.gpu.map(EngineSetup::Gpu));
        setups
    }

    /// All threads, and the GPU if there is one.
    fn engines(self) -> Vec<EngineSetup> {
        std::iter::once(self.cpu()).chain(self.gpu.map(EngineSetup::Gpu)).collect()
    }

    /// 1, 2, 4 … and all threads.
    fn thread_counts(self) -> Vec<usize> {
        let mut counts: Vec<usize> = (0..).map(|bit| 1 << bit).take_while(|count| *count < self.threads).collect();
        counts.push(self.threads);
        counts
    }
}

impl Row {
    fn new(scenario: Scenario, setup: EngineSetup) -> Self {
        Self { series: setup.name(), scenario, chain: None, setup, at: 0.0 }
    }

    fn in_series(self, series: String, at: f64) -> Self {
        Self { series, at, ..self }
    }
}

fn cells(extent: u32, sights: &str) -> Cells {
    Cells { size: (extent, extent), sights: sights.parse().expect("the sights of the rows are sights") }
}

/// A small lattice with these sights, for checking whether a preset may have them.
pub fn small(sights: Sights) -> Scenario {
    Cells { size: (64, 64), sights }.scenario()
}

/// A default selection that takes less than a minute.
pub fn usual(devices: Devices) -> Vec<Family> {
    let mut rows = Vec::new();
    for sights in [RINGS, DISCS] {
        rows.extend(devices.setups().into_iter().map(|setup| Row::new(cells(1024, sights).scenario(), setup)));
    }
    let mut all_individuals = Vec::new();
    for setup in devices.setups() {
        all_individuals.push(individuals(Scenario::flat(65_536), SearchKind::Grid, setup));
        all_individuals.push(individuals(Scenario::flat(4096), SearchKind::Brute, setup));
    }
    vec![
        Family { name: "cells", title: "The cell system".into(), plot: None, rows },
        Family { name: "individuals", title: "Individuals".into(), plot: None, rows: all_individuals },
    ]
}

/// All families.
pub fn all(devices: Devices) -> Vec<Family> {
    let mut families = vec![targets(devices), by_threads(devices), by_cells(devices), by_radius(devices)];
    let plane = by_agents(devices, "plane", Scenario::flat, "in the plane");
    let space = by_agents(devices, "space", Scenario::deep, "in space");
    families.extend([by_boids(devices), plane, space, schools(devices)]);
    families
}

/// Every combination of a selection.
pub fn selected(selection: &RowSelection, setups: &[EngineSetup]) -> Vec<Family> {
    let mut rows = Vec::new();
    let chains: Vec<_> = match selection.chains.is_empty() {
        true => vec![None],
        false => selection.chains.iter().cloned().map(Some).collect(),
    };
    for &size in &selection.sizes {
        for sights in &selection.sights {
            for chain in &chains {
                for &setup in setups {
                    let scenario = Cells { size, sights: sights.clone() }.scenario();
                    rows.push(Row { chain: chain.clone(), ..Row::new(scenario, setup) });
                }
            }
        }
    }
    for &count in &selection.agents {
        for &search in &selection.searches {
            // The octree search exists on the CPU only.
            let can_play = |setup: &&EngineSetup| search != SearchKind::Octree || !setup.is_gpu();
            rows.extend(setups.iter().filter(can_play).map(|setup| individuals(Scenario::flat(count), search, *setup)));
        }
    }
    vec![Family { name: "rows", title: "Selected rows".into(), plot: None, rows }]
}

/// The rows with a speed target.
fn targets(devices: Devices) -> Family {
    let mut rows = Vec::new();
    for sights in [RINGS, DISCS] {
        for set in InstructionSet::ALL.iter().filter(|set| set.is_available()) {
            let setup = EngineSetup::Cpu { threads: devices.threads, instruction_set: Some(*set) };
            rows.push(Row::new(cells(1024, sights).scenario(), setup));
        }
        rows.push(Row::new(cells(4096, sights).scenario(), devices.cpu()));
        let gpu = devices.gpu.map(EngineSetup::Gpu);
        rows.extend(gpu.map(|setup| Row::new(cells(1024, sights).scenario(), setup)));
        let hardware = gpu.filter(|setup| !setup.is_software_gpu());
        rows.extend(hardware.map(|setup| Row::new(cells(8192, sights).scenario(), setup)));
    }
    Family { name: "targets", title: "Rows with a speed target".into(), plot: None, rows }
}

fn by_threads(devices: Devices) -> Family {
    let mut rows = Vec::new();
    for sights in [RINGS, DISCS] {
        for threads in devices.thread_counts() {
            let cells = cells(1024, sights);
            let series = cells.sights.to_string();
            let row = Row::new(cells.scenario(), EngineSetup::Cpu { threads, instruction_set: None });
            rows.push(row.in_series(series, threads as f64));
        }
    }
    Family { name: "threads", title: "Cells a second by threads".into(), plot: Some(Axis::Threads), rows }
}

fn by_cells(devices: Devices) -> Family {
    let mut rows = Vec::new();
    for setup in devices.engines() {
        for extent in [256u32, 512, 1024, 2048, 4096, 8192] {
            if extent <= if setup.is_software_gpu() { 2048 } else { 8192 } {
                let row = Row::new(cells(extent, RINGS).scenario(), setup);
                rows.push(row.in_series(setup.name(), f64::from(extent).powi(2)));
            }
        }
    }
    Family { name: "size", title: "Cost against cells, rings of 8 at radius 4".into(), plot: Some(Axis::Cells), rows }
}

fn by_radius(devices: Devices) -> Family {
    let mut rows = Vec::new();
    for setup in devices.engines() {
        let extent = if setup.is_software_gpu() { 512 } else { 1024 };
        for radius in [4u32, 8, 16] {
            let forms = [
                (format!("disc:{radius}/3/{radius}"), "discs, separation 3"),
                (format!("box:{radius}/3/{radius}"), "boxes, separation 3"),
                (format!("disc:4/{radius}/4"), "discs of 4, separation of its own"),
            ];
            for (sights, series) in forms {
                // The first point of the series with a separation radius of its own is the target's radius, 2.
                let (sights, at) = match series.ends_with("own") && radius == 4 {
                    true => ("disc:4/2/4".into(), 2.0),
                    false => (sights, f64::from(radius)),
                };
                let row = Row::new(cells(extent, &sights).scenario(), setup);
                rows.push(row.in_series(format!("{}: {series}", setup.name()), at));
            }
        }
    }
    Family { name: "radius", title: "Cost against the radius of sight".into(), plot: Some(Axis::Radius), rows }
}

fn by_boids(devices: Devices) -> Family {
    let mut rows = Vec::new();
    for setup in devices.engines() {
        for exponent in 3..=9 {
            let boids = 10u64.pow(exponent);
            let row = Row::new(cells(1024, RINGS).crowded(boids), setup);
            rows.push(row.in_series(setup.name(), boids as f64));
        }
    }
    let title = "Cost against boids, rings of 8 at radius 4".into();
    Family { name: "boids", title, plot: Some(Axis::Boids), rows }
}

fn by_agents(devices: Devices, name: &'static str, form: fn(u64) -> Scenario, place: &str) -> Family {
    let mut rows = Vec::new();
    for count in [4096u64, 16_384, 65_536, 1 << 20] {
        for (search, most) in [(SearchKind::Grid, 1 << 20), (SearchKind::Octree, 65_536), (SearchKind::Brute, 16_384)] {
            for setup in devices.setups() {
                let most = if setup.is_software_gpu() { most.min(65_536) } else { most };
                if count <= most && (search != SearchKind::Octree || !setup.is_gpu()) {
                    rows.push(individuals(form(count), search, setup));
                }
            }
        }
    }
    Family { name, title: format!("Cost against individuals {place}"), plot: Some(Axis::Agents), rows }
}

/// The frame rates in the document of the school by the number of fish: CPU with one thread, CPU with all threads, GPU. The
/// display limited them to 62 per second.
pub const DOCUMENT: [(u64, [u32; 3]); 8] = [
    (100, [62, 62, 62]),
    (500, [62, 62, 62]),
    (1000, [62, 62, 62]),
    (1500, [49, 61, 62]),
    (3000, [14, 30, 62]),
    (5000, [5, 14, 47]),
    (10_000, [0, 3, 18]),
    (20_000, [0, 0, 1]),
];

/// The family that is compared with the table of the document.
pub const SCHOOL: &str = "school";

fn schools(devices: Devices) -> Family {
    let mut rows = Vec::new();
    for (count, _) in DOCUMENT {
        for search in [SearchKind::Brute, SearchKind::Grid] {
            for setup in devices.setups() {
                rows.push(individuals(Scenario::school(count), search, setup));
            }
        }
    }
    Family { name: SCHOOL, title: "A school of fish".into(), plot: Some(Axis::Agents), rows }
}

fn individuals(scenario: Scenario, search: SearchKind, setup: EngineSetup) -> Row {
    let series = format!("{}, {}", name_of(search), setup.name());
    let at = scenario.boids as f64;
    Row { chain: Some(chain_of(search).into()), ..Row::new(scenario, setup).in_series(series, at) }
}

fn name_of(search: SearchKind) -> &'static str {
    match search {
        SearchKind::Brute => "brute force",
        SearchKind::Octree => "octree",
        SearchKind::Grid => "grid",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const DEVICES: [Devices; 3] = [
        Devices { threads: 1, gpu: None },
        Devices { threads: 2, gpu: Some(Adapter::Software) },
        Devices { threads: 6, gpu: Some(Adapter::Hardware) },
    ];

    #[test]
    fn no_row_stands_twice_in_a_family_and_none_needs_a_device_that_is_missing() {
        for devices in DEVICES {
            for family in [usual(devices), all(devices)].concat() {
                assert!(!family.rows.is_empty(), "{}", family.name);
                for (index, row) in family.rows.iter().enumerate() {
                    assert!(!family.rows[..index].contains(row), "{}: {row:?}", family.name);
                    assert!(devices.gpu.is_some() || !row.setup.is_gpu());
                    assert!(!matches!(row.setup, EngineSetup::Cpu { threads, .. } if threads > devices.threads));
                    assert!(family.plot.is_none() || row.at > 0.0, "{}: {row:?}", family.name);
                }
            }
        }
    }

    #[test]
    fn threads_are_counted_in_doublings() {
        assert_eq!(DEVICES.map(Devices::thread_counts), [vec![1], vec![1, 2], vec![1, 2, 4, 6]]);
    }

    #[test]
    fn every_small_row_is_a_preset_that_can_be_played() {
        let devices = DEVICES[1];
        let mut checked = 0;
        for row in [usual(devices), all(devices)].concat().into_iter().flat_map(|family| family.rows) {
            if row.scenario.cells.as_ref().is_some_and(|cells| cells.size.0 > 512) || row.scenario.boids > 5000 {
                continue;
            }
            let preset = row.scenario.preset().unwrap_or_else(|wrong| panic!("{wrong}"));
            preset.load_chain(row.chain.as_deref()).unwrap_or_else(|wrong| panic!("{wrong}"));
            checked += 1;
        }
        assert!(checked > 50, "{checked}");
    }

    #[test]
    fn every_combination_of_a_selection_is_measured() {
        let setups = [EngineSetup::Cpu { threads: 1, instruction_set: None }, EngineSetup::Gpu(Adapter::Hardware)];
        let cells = RowSelection {
            sizes: vec![(64, 64), (128, 64)],
            sights: vec![RINGS.parse().unwrap(), DISCS.parse().unwrap()],
            chains: vec!["cell".into(), "paper-gather".into()],
            ..RowSelection::default()
        };
        assert_eq!(selected(&cells, &setups)[0].rows.len(), 2 * 2 * 2 * 2);
        let all_individuals = RowSelection {
            agents: vec![100, 200],
            searches: vec![SearchKind::Grid, SearchKind::Octree],
            ..RowSelection::default()
        };
        // The octree on the CPU only.
        assert_eq!(selected(&all_individuals, &setups)[0].rows.len(), 2 * (2 + 1));
    }
}
