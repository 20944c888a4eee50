//! The rows that are measured: a default selection, all of them, or those of the command line.

use super::scenario::{Scenario, Sights};
use murmuration_core::engine::{Dispatch, cpu};
use murmuration_core::individuals::search::SearchKind;
use murmuration_core::lanes::InstructionSet;
use murmuration_core::simulation::EngineChoice;
use std::path::PathBuf;

/// Rows that are measured alternately and form one table.
#[derive(Debug, Clone)]
pub struct Family {
    /// The file name of its plot without the extension.
    pub name: &'static str,
    pub title: &'static str,
    pub plot: Option<Axis>,
    pub rows: Vec<Row>,
}

/// The x axis of the plot of a family.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Axis {
    Cells,
    Radius,
    Boids,
    Individuals,
    Threads,
}

/// What of a scenario is timed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Work {
    /// The steps of its swarm.
    Steps,
    /// Its rock, made again and again.
    Rock(RockWork),
    /// A step and its picture, as a window plays them.
    Frame,
}

/// What of the rock of a scenario is worked out, again and again.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RockWork {
    /// The scalar field.
    Field,
    /// The gap field of it.
    Gaps,
    /// The mesh of its surface.
    Mesh,
}

impl Work {
    /// What is counted; `None` for steps, whose cells or individuals are counted.
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
    /// The name or path of a chain; `None`: the default chain.
    pub chain: Option<PathBuf>,
    pub setup: EngineSetup,
    pub work: Work,
    /// Whether steps also move what pictures draw for each boid.
    pub keeps_points: bool,
    /// The steps after which the state is compared with the CPU's; 0: it is not.
    pub compared_steps: u64,
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
    /// The widest instruction set of the processor with this many threads.
    pub fn cpu(threads: usize) -> Self {
        Self::Cpu { threads, instruction_set: None }
    }

    /// The threads of the CPU.
    pub fn threads(self) -> Option<usize> {
        match self {
            Self::Cpu { threads, .. } => Some(threads),
            Self::Gpu(_) => None,
        }
    }

    pub(super) fn is_software_gpu(self) -> bool {
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
            Self::Gpu(_) => EngineChoice::Gpu(Dispatch::default()),
        }
    }

    /// The name in tables.
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
    /// Hardware threads.
    pub threads: usize,
    pub gpu: Option<Adapter>,
}

/// The kind of a graphics adapter.
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
    pub chains: Vec<PathBuf>,
    pub searches: Vec<SearchKind>,
    pub individuals: Vec<u64>,
}

/// The sight of the paper, and the dense one of the speed targets.
pub(super) const RINGS: &str = "rings:8:4";
pub(super) const DISCS: &str = "disc:8/3/6";

/// The sight of the paper.
pub fn rings() -> Sights {
    sights(RINGS)
}

fn sights(text: &str) -> Sights {
    text.parse().expect("the sights of the rows are sights")
}

/// The neighbour searches of individuals, by name.
pub const SEARCHES: [(&str, SearchKind); 3] =
    [("brute", SearchKind::Brute), ("octree", SearchKind::Octree), ("grid", SearchKind::Grid)];

impl Devices {
    /// One thread, all threads (if there are more than one), and the GPU if there is one.
    fn setups(self) -> Vec<EngineSetup> {
        let mut setups = vec![EngineSetup::cpu(1)];
        setups.extend(self.engines());
        setups.dedup();
        setups
    }

    /// All threads, and the GPU if there is one.
    fn engines(self) -> Vec<EngineSetup> {
        std::iter::once(EngineSetup::cpu(self.threads)).chain(self.gpu.map(EngineSetup::Gpu)).collect()
    }

    /// 1, 2, 4 … and all threads.
    fn thread_counts(self) -> Vec<usize> {
        let mut counts: Vec<usize> = (0..).map(|bit| 1 << bit).take_while(|count| *count < self.threads).collect();
        counts.push(self.threads);
        counts
    }
}

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

    pub(super) fn on_lattice(extent: u32, sights: &str, boids: Option<u64>, setup: EngineSetup) -> Self {
        Self::new(Scenario::cells((extent, extent), self::sights(sights), boids), setup)
    }

    /// A row of individuals. The octree is searched on the CPU only.
    pub(super) fn of_individuals(scenario: Scenario, search: SearchKind, setup: EngineSetup) -> Option<Self> {
        let (name, _) = SEARCHES.into_iter().find(|(_, known)| *known == search)?;
        let chain = Some(format!("agents-{name}").into());
        let series = format!("{}, {}", if name == "brute" { "brute force" } else { name }, setup.name());
        let at = scenario.boids as f64;
        let is_possible = search != SearchKind::Octree || !setup.is_gpu();
        is_possible.then(|| Self { chain, series, at, ..Self::new(scenario, setup) })
    }
}

/// A default selection that takes less than a minute.
pub fn usual(devices: Devices) -> Vec<Family> {
    let on_lattice = |sights| devices.setups().into_iter().map(move |setup| Row::on_lattice(1024, sights, None, setup));
    let individuals = |setup| {
        [(65_536, SearchKind::Grid), (4096, SearchKind::Brute)]
            .into_iter()
            .filter_map(move |(count, search)| Row::of_individuals(Scenario::flat(count), search, setup))
    };
    let rows = [RINGS, DISCS].into_iter().flat_map(on_lattice).collect();
    let all_individuals = devices.setups().into_iter().flat_map(individuals).collect();
    vec![
        Family { name: "cells", title: "The cell system", plot: None, rows },
        Family { name: "individuals", title: "Individuals", plot: None, rows: all_individuals },
    ]
}

/// Deep worlds beside a flat one: dense and with rest, other sights, and the same swarm in a sky 8 and 27 times as large.
pub fn deep(devices: Devices) -> Vec<Family> {
    let contrast = Sights::of_contrast;
    let scenarios = [
        Scenario::cells((1024, 1024), rings(), None),
        Scenario::sky(1, contrast(), false),
        Scenario::sky(1, contrast(), true),
        Scenario::sky(1, Sights::of_balls(), true),
        Scenario::sky(2, contrast(), true),
        Scenario::sky(3, contrast(), true),
    ];
    let rows = |setup: EngineSetup| {
        // A software adapter takes minutes for the large skies.
        let count = if setup.is_software_gpu() { 4 } else { scenarios.len() };
        scenarios[..count].iter().cloned().map(move |scenario| Row::new(scenario, setup)).collect::<Vec<_>>()
    };
    let rows = devices.setups().into_iter().flat_map(rows).collect();
    vec![Family { name: "deep", title: "Deep worlds", plot: None, rows }]
}

/// What rock is made of, beside the flat lattice of the speed targets; and fish among rock beside the same in open water, with rays
/// and without.
pub fn terrain(devices: Devices) -> Vec<Family> {
    let fish = [(true, true), (false, true), (false, false)].map(|(rock, rays)| Scenario::aquarium(rock, rays));
    let rock = [
        ("a field of one octave", true, RockWork::Field),
        ("a field of four octaves and tunnels", false, RockWork::Field),
        ("a gap field", false, RockWork::Gaps),
        ("a mesh", false, RockWork::Mesh),
    ];
    let rows = |setup: EngineSetup| {
        let of_rock = move |(label, is_simple, work): (&str, bool, RockWork)| {
            let row = Row::new(Scenario::rock(label, is_simple), setup);
            Row { work: Work::Rock(work), ..row }
        };
        let of_fish = fish.iter().cloned().map(move |scenario| Row::new(scenario, setup));
        // Rock is made by the processor.
        let of_rock = rock.into_iter().filter(move |_| !setup.is_gpu()).map(of_rock);
        std::iter::once(Row::on_lattice(1024, RINGS, None, setup)).chain(of_rock).chain(of_fish)
    };
    let rows = devices.setups().into_iter().flat_map(rows).collect();
    vec![Family { name: "terrain", title: "Rock, and fish among it", plot: None, rows }]
}

/// Individuals with lives beside the same ones without.
pub fn lives(devices: Devices) -> Vec<Family> {
    let count = 65_536;
    let all = [Scenario::flat(count), Scenario::deep(count)].map(|scenario| {
        let living = scenario.with("[lives]\nrebirth = \"starved\"\n", ", with lives");
        let fed = living.with("[food]\npattern = \"even\"\n", " and food");
        [scenario, living.clone(), fed, living.with_hunters()]
    });
    let rows = |setup: EngineSetup| all.clone().into_iter().flatten().map(move |scenario| Row::new(scenario, setup));
    let rows = devices.setups().into_iter().flat_map(rows).collect();
    vec![Family {
        name: "lives",
        title: "Individuals with lives, with food and of two species, and without",
        plot: None,
        rows,
    }]
}

/// Several species of cells beside one: that many times the same passes, and what meeting and eating costs beyond it.
pub fn species(devices: Devices) -> Vec<Family> {
    let scenarios = [(1, false), (2, false), (2, true), (4, false), (4, true), (8, true)];
    let rows = |setup: EngineSetup| {
        scenarios.map(move |(count, are_meeting)| Row::new(Scenario::species(count, are_meeting), setup))
    };
    let rows = devices.setups().into_iter().flat_map(rows).collect();
    vec![Family { name: "species", title: "Several species of cells", plot: None, rows }]
}

/// All families.
pub fn all(devices: Devices) -> Vec<Family> {
    let [size, radius, boids] = [by_cells, by_radius, by_boids]
        .map(|rows: fn(EngineSetup) -> Vec<Row>| devices.engines().into_iter().flat_map(rows).collect());
    let searches = [(SearchKind::Grid, 1 << 20), (SearchKind::Octree, 65_536), (SearchKind::Brute, 16_384)];
    let [plane, space] = [Scenario::flat, Scenario::deep]
        .map(|form| by_individuals(devices, form, &[4096, 16_384, 65_536, 1 << 20], &searches));
    let searches = [(SearchKind::Brute, u64::MAX), (SearchKind::Grid, u64::MAX)];
    let school = by_individuals(devices, Scenario::school, &DOCUMENT.map(|(count, _)| count), &searches);
    [
        ("targets", "Rows with a speed target", None, targets(devices)),
        ("threads", "Cells a second by threads", Some(Axis::Threads), by_threads(devices)),
        ("size", "Cost against cells, rings of 8 at radius 4", Some(Axis::Cells), size),
        ("radius", "Cost against the radius of sight", Some(Axis::Radius), radius),
        ("boids", "Cost against boids, rings of 8 at radius 4", Some(Axis::Boids), boids),
        ("plane", "Cost against individuals in the plane", Some(Axis::Individuals), plane),
        ("space", "Cost against individuals in space", Some(Axis::Individuals), space),
        (SCHOOL, "A school of fish", Some(Axis::Individuals), school),
    ]
    .map(|(name, title, plot, rows)| Family { name, title, plot, rows })
    .into()
}

/// Every combination of a selection.
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

/// The rows with a speed target.
fn targets(devices: Devices) -> Vec<Row> {
    let threads = devices.threads;
    let sets = InstructionSet::ALL.iter().filter(|set| set.is_available());
    let mut runs: Vec<(u32, EngineSetup)> =
        sets.map(|set| (1024, EngineSetup::Cpu { threads, instruction_set: Some(*set) })).collect();
    runs.push((4096, EngineSetup::cpu(threads)));
    runs.extend(devices.gpu.map(|adapter| (1024, EngineSetup::Gpu(adapter))));
    runs.extend(devices.gpu.filter(|adapter| *adapter == Adapter::Hardware).map(|gpu| (8192, EngineSetup::Gpu(gpu))));
    let rows = |sights| runs.iter().map(move |(extent, setup)| Row::on_lattice(*extent, sights, None, *setup));
    [RINGS, DISCS].into_iter().flat_map(rows).collect()
}

fn by_threads(devices: Devices) -> Vec<Row> {
    let row = |sights, threads| {
        let row = Row::on_lattice(1024, sights, None, EngineSetup::cpu(threads));
        let series = row.scenario.cells.as_ref().map_or(String::new(), |cells| cells.sights.label.clone());
        Row { series, at: threads as f64, ..row }
    };
    let rows = |sights| devices.thread_counts().into_iter().map(move |threads| row(sights, threads));
    [RINGS, DISCS].into_iter().flat_map(rows).collect()
}

fn by_cells(setup: EngineSetup) -> Vec<Row> {
    let most = if setup.is_software_gpu() { 2048 } else { 8192 };
    let extents = [256u32, 512, 1024, 2048, 4096, 8192].into_iter().filter(|extent| *extent <= most);
    extents.map(|extent| Row { at: f64::from(extent).powi(2), ..Row::on_lattice(extent, RINGS, None, setup) }).collect()
}

pub(super) fn by_radius(setup: EngineSetup) -> Vec<Row> {
    let extent = if setup.is_software_gpu() { 512 } else { 1024 };
    let forms = |radius: u32| {
        // The first separation radius of its own is that of the speed target.
        let own = if radius == 4 { 2 } else { radius };
        [
            (format!("disc:{radius}/3/{radius}"), "discs, separation 3", radius),
            (format!("box:{radius}/3/{radius}"), "boxes, separation 3", radius),
            (format!("disc:4/{own}/4"), "discs of 4, separation of its own", own),
        ]
    };
    let row = |(sights, series, radius): (String, &str, u32)| Row {
        series: format!("{}: {series}", setup.name()),
        at: f64::from(radius),
        ..Row::on_lattice(extent, &sights, None, setup)
    };
    [4, 8, 16].into_iter().flat_map(forms).map(row).collect()
}

pub(super) fn by_boids(setup: EngineSetup) -> Vec<Row> {
    let row = |boids: u64| Row { at: boids as f64, ..Row::on_lattice(1024, RINGS, Some(boids), setup) };
    (3..=9).map(|exponent| row(10u64.pow(exponent))).collect()
}

/// Rows of individuals: each count with every search for which it is not too many.
fn by_individuals(
    devices: Devices,
    form: fn(u64) -> Scenario,
    counts: &[u64],
    searches: &[(SearchKind, u64)],
) -> Vec<Row> {
    let mut rows = Vec::new();
    for &count in counts {
        for &(search, most) in searches {
            let most = |setup: &EngineSetup| if setup.is_software_gpu() { most.min(65_536) } else { most };
            let setups = devices.setups().into_iter().filter(|setup| count <= most(setup));
            rows.extend(setups.filter_map(|setup| Row::of_individuals(form(count), search, setup)));
        }
    }
    rows
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
            for family in [usual(devices), all(devices), deep(devices), terrain(devices), species(devices)].concat() {
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
        for row in [usual(devices), all(devices), deep(devices), species(devices)]
            .concat()
            .into_iter()
            .flat_map(|family| family.rows)
        {
            if row.scenario.cells.as_ref().is_some_and(|cells| cells.extents.cells() > 512 * 512)
                || row.scenario.boids > 5000
            {
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
            individuals: vec![100, 200],
            searches: vec![SearchKind::Grid, SearchKind::Octree],
            ..RowSelection::default()
        };
        // The octree on the CPU only.
        assert_eq!(selected(&all_individuals, &setups)[0].rows.len(), 2 * (2 + 1));
    }
}
