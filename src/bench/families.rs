//! Which rows are measured: a few that say most, all of them, or those that somebody asks for.

use super::scenario::{Cells, Scenario};
use super::sights::Sights;
use crate::agents::search::SearchKind;
use crate::engine::cpu;
use crate::lanes::InstructionSet;
use crate::shader::Dispatch;
use crate::simulation::{EngineChoice, WORKGROUP};

/// Rows that are measured together, in turns, and stand in one table.
#[derive(Debug, Clone)]
pub struct Family {
    /// The stem of its plot.
    pub name: &'static str,
    pub title: String,
    pub plot: Option<Axis>,
    pub rows: Vec<Row>,
}

/// What a family is drawn over.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Axis {
    Cells,
    Radius,
    Boids,
    Agents,
    Threads,
}

/// Something to be measured.
#[derive(Debug, Clone, PartialEq)]
pub struct Row {
    pub scenario: Scenario,
    /// A chain by name or path; `None`: the default.
    pub chain: Option<String>,
    pub player: Player,
    /// The line of the plot on which it lies, and where along the axis.
    pub series: String,
    pub at: f64,
}

/// Who plays.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Player {
    /// `None`: the widest instruction set of the processor.
    Cpu {
        threads: usize,
        instruction_set: Option<InstructionSet>,
    },
    Gpu(Adapter),
}

impl Player {
    fn is_software_gpu(self) -> bool {
        self == Self::Gpu(Adapter::Software)
    }

    /// Whether it is any GPU.
    pub fn is_gpu(self) -> bool {
        matches!(self, Self::Gpu(_))
    }

    /// How it is chosen.
    pub fn choice(self) -> EngineChoice {
        match self {
            Self::Cpu { threads, instruction_set } => {
                EngineChoice::Cpu(cpu::Options { threads: Some(threads), instruction_set })
            }
            Self::Gpu(_) => EngineChoice::Gpu(Dispatch::Compute { workgroup: WORKGROUP }),
        }
    }

    /// For people.
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

/// What there is to play on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Machine {
    /// Threads that run at once.
    pub threads: usize,
    pub gpu: Option<Adapter>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Adapter {
    Hardware,
    /// As lavapipe: so slow that large rows would take minutes.
    Software,
}

/// The cells, the sights, the chains … of which every combination is measured.
#[derive(Debug, Clone, Default)]
pub struct Asked {
    pub sizes: Vec<(u32, u32)>,
    pub sights: Vec<Sights>,
    pub chains: Vec<String>,
    pub searches: Vec<SearchKind>,
    pub agents: Vec<u64>,
}

/// The paper's sight and the targets' dense one.
const RINGS: &str = "rings:8:4";
const DISCS: &str = "disc:8/3/6";

/// The chain of a search.
pub fn chain_of(search: SearchKind) -> &'static str {
    match search {
        SearchKind::Brute => "agents-brute",
        SearchKind::Octree => "agents-octree",
        SearchKind::Grid => "agents-grid",
    }
}

impl Machine {
    fn cpu(self) -> Player {
        Player::Cpu { threads: self.threads, instruction_set: None }
    }

    fn one_thread(self) -> Player {
        Player::Cpu { threads: 1, instruction_set: None }
    }

    /// One thread, all threads, and the GPU where there is one; a machine with one thread has no second row of it.
    fn players(self) -> Vec<Player> {
        let mut players = vec![self.one_thread(), self.cpu()];
        players.dedup();
        players.extend(self.gpu.map(Player::Gpu));
        players
    }

    /// All threads, and the GPU where there is one.
    fn engines(self) -> Vec<Player> {
        std::iter::once(self.cpu()).chain(self.gpu.map(Player::Gpu)).collect()
    }

    /// 1, 2, 4 … and all threads.
    fn thread_counts(self) -> Vec<usize> {
        let mut counts: Vec<usize> = (0..).map(|bit| 1 << bit).take_while(|count| *count < self.threads).collect();
        counts.push(self.threads);
        counts
    }
}

impl Row {
    fn new(scenario: Scenario, player: Player) -> Self {
        Self { series: player.name(), scenario, chain: None, player, at: 0.0 }
    }

    fn in_series(self, series: String, at: f64) -> Self {
        Self { series, at, ..self }
    }
}

fn cells(extent: u32, sights: &str) -> Cells {
    Cells { size: (extent, extent), sights: sights.parse().expect("the sights of the rows are sights") }
}

/// A small lattice with these sights, to see whether a preset may have them.
pub fn small(sights: Sights) -> Scenario {
    Cells { size: (64, 64), sights }.scenario()
}

/// A few rows, in less than a minute.
pub fn usual(machine: Machine) -> Vec<Family> {
    let mut rows = Vec::new();
    for sights in [RINGS, DISCS] {
        rows.extend(machine.players().into_iter().map(|player| Row::new(cells(1024, sights).scenario(), player)));
    }
    let mut all_individuals = Vec::new();
    for player in machine.players() {
        all_individuals.push(individuals(Scenario::flat(65_536), SearchKind::Grid, player));
        all_individuals.push(individuals(Scenario::flat(4096), SearchKind::Brute, player));
    }
    vec![
        Family { name: "cells", title: "The cell system".into(), plot: None, rows },
        Family { name: "individuals", title: "Individuals".into(), plot: None, rows: all_individuals },
    ]
}

/// Everything.
pub fn all(machine: Machine) -> Vec<Family> {
    let mut families = vec![targets(machine), by_threads(machine), by_cells(machine), by_radius(machine)];
    let plane = by_agents(machine, "plane", Scenario::flat, "in the plane");
    let space = by_agents(machine, "space", Scenario::deep, "in space");
    families.extend([by_boids(machine), plane, space, schools(machine)]);
    families
}

/// Every combination of what is asked for.
pub fn asked(asked: &Asked, players: &[Player]) -> Vec<Family> {
    let mut rows = Vec::new();
    let chains: Vec<_> = match asked.chains.is_empty() {
        true => vec![None],
        false => asked.chains.iter().cloned().map(Some).collect(),
    };
    for &size in &asked.sizes {
        for sights in &asked.sights {
            for chain in &chains {
                for &player in players {
                    let scenario = Cells { size, sights: sights.clone() }.scenario();
                    rows.push(Row { chain: chain.clone(), ..Row::new(scenario, player) });
                }
            }
        }
    }
    for &count in &asked.agents {
        for &search in &asked.searches {
            // The octree has no shader.
            let can_play = |player: &&Player| search != SearchKind::Octree || !player.is_gpu();
            rows.extend(players.iter().filter(can_play).map(|player| individuals(Scenario::flat(count), search, *player)));
        }
    }
    vec![Family { name: "rows", title: "What was asked for".into(), plot: None, rows }]
}

/// The rows for which there are targets.
fn targets(machine: Machine) -> Family {
    let mut rows = Vec::new();
    for sights in [RINGS, DISCS] {
        for set in InstructionSet::ALL.iter().filter(|set| set.is_available()) {
            let player = Player::Cpu { threads: machine.threads, instruction_set: Some(*set) };
            rows.push(Row::new(cells(1024, sights).scenario(), player));
        }
        rows.push(Row::new(cells(4096, sights).scenario(), machine.cpu()));
        let gpu = machine.gpu.map(Player::Gpu);
        rows.extend(gpu.map(|player| Row::new(cells(1024, sights).scenario(), player)));
        let hardware = gpu.filter(|player| !player.is_software_gpu());
        rows.extend(hardware.map(|player| Row::new(cells(8192, sights).scenario(), player)));
    }
    Family { name: "targets", title: "Where there are targets".into(), plot: None, rows }
}

fn by_threads(machine: Machine) -> Family {
    let mut rows = Vec::new();
    for sights in [RINGS, DISCS] {
        for threads in machine.thread_counts() {
            let cells = cells(1024, sights);
            let series = cells.sights.to_string();
            let row = Row::new(cells.scenario(), Player::Cpu { threads, instruction_set: None });
            rows.push(row.in_series(series, threads as f64));
        }
    }
    Family { name: "threads", title: "Cells a second by threads".into(), plot: Some(Axis::Threads), rows }
}

fn by_cells(machine: Machine) -> Family {
    let mut rows = Vec::new();
    for player in machine.engines() {
        for extent in [256u32, 512, 1024, 2048, 4096, 8192] {
            if extent <= if player.is_software_gpu() { 2048 } else { 8192 } {
                let row = Row::new(cells(extent, RINGS).scenario(), player);
                rows.push(row.in_series(player.name(), f64::from(extent).powi(2)));
            }
        }
    }
    Family { name: "size", title: "Cost against cells, rings of 8 at radius 4".into(), plot: Some(Axis::Cells), rows }
}

fn by_radius(machine: Machine) -> Family {
    let mut rows = Vec::new();
    for player in machine.engines() {
        let extent = if player.is_software_gpu() { 512 } else { 1024 };
        for radius in [4u32, 8, 16] {
            let forms = [
                (format!("disc:{radius}/3/{radius}"), "discs, separation 3"),
                (format!("box:{radius}/3/{radius}"), "boxes, separation 3"),
                (format!("disc:4/{radius}/4"), "discs of 4, separation of its own"),
            ];
            for (sights, series) in forms {
                // The own radius begins with the target's.
                let (sights, at) = match series.ends_with("own") && radius == 4 {
                    true => ("disc:4/2/4".into(), 2.0),
                    false => (sights, f64::from(radius)),
                };
                let row = Row::new(cells(extent, &sights).scenario(), player);
                rows.push(row.in_series(format!("{}: {series}", player.name()), at));
            }
        }
    }
    Family { name: "radius", title: "Cost against the radius of sight".into(), plot: Some(Axis::Radius), rows }
}

fn by_boids(machine: Machine) -> Family {
    let mut rows = Vec::new();
    for player in machine.engines() {
        for exponent in 3..=9 {
            let boids = 10u64.pow(exponent);
            let row = Row::new(cells(1024, RINGS).crowded(boids), player);
            rows.push(row.in_series(player.name(), boids as f64));
        }
    }
    let title = "Cost against boids, rings of 8 at radius 4".into();
    Family { name: "boids", title, plot: Some(Axis::Boids), rows }
}

fn by_agents(machine: Machine, name: &'static str, form: fn(u64) -> Scenario, place: &str) -> Family {
    let mut rows = Vec::new();
    for count in [4096u64, 16_384, 65_536, 1 << 20] {
        for (search, most) in [(SearchKind::Grid, 1 << 20), (SearchKind::Octree, 65_536), (SearchKind::Brute, 16_384)] {
            for player in machine.players() {
                let most = if player.is_software_gpu() { most.min(65_536) } else { most };
                if count <= most && (search != SearchKind::Octree || !player.is_gpu()) {
                    rows.push(individuals(form(count), search, player));
                }
            }
        }
    }
    Family { name, title: format!("Cost against individuals {place}"), plot: Some(Axis::Agents), rows }
}

/// How many fish the document of the school had, and its frames a second: CPU single, CPU multi, GPU; never above 62.
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

/// The family that stands beside the document's table.
pub const SCHOOL: &str = "school";

fn schools(machine: Machine) -> Family {
    let mut rows = Vec::new();
    for (count, _) in DOCUMENT {
        for search in [SearchKind::Brute, SearchKind::Grid] {
            for player in machine.players() {
                rows.push(individuals(Scenario::school(count), search, player));
            }
        }
    }
    Family { name: SCHOOL, title: "A school of fish".into(), plot: Some(Axis::Agents), rows }
}

fn individuals(scenario: Scenario, search: SearchKind, player: Player) -> Row {
    let series = format!("{}, {}", name_of(search), player.name());
    let at = scenario.boids as f64;
    Row { chain: Some(chain_of(search).into()), ..Row::new(scenario, player).in_series(series, at) }
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

    const MACHINES: [Machine; 3] = [
        Machine { threads: 1, gpu: None },
        Machine { threads: 2, gpu: Some(Adapter::Software) },
        Machine { threads: 6, gpu: Some(Adapter::Hardware) },
    ];

    #[test]
    fn no_row_stands_twice_in_a_family_and_none_asks_for_what_there_is_not() {
        for machine in MACHINES {
            for family in [usual(machine), all(machine)].concat() {
                assert!(!family.rows.is_empty(), "{}", family.name);
                for (index, row) in family.rows.iter().enumerate() {
                    assert!(!family.rows[..index].contains(row), "{}: {row:?}", family.name);
                    assert!(machine.gpu.is_some() || !row.player.is_gpu());
                    assert!(!matches!(row.player, Player::Cpu { threads, .. } if threads > machine.threads));
                    assert!(family.plot.is_none() || row.at > 0.0, "{}: {row:?}", family.name);
                }
            }
        }
    }

    #[test]
    fn threads_are_counted_in_doublings() {
        assert_eq!(MACHINES.map(Machine::thread_counts), [vec![1], vec![1, 2], vec![1, 2, 4, 6]]);
    }

    #[test]
    fn every_small_row_is_a_preset_that_can_be_played() {
        let machine = MACHINES[1];
        let mut checked = 0;
        for row in [usual(machine), all(machine)].concat().into_iter().flat_map(|family| family.rows) {
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
    fn every_combination_that_is_asked_for_is_measured() {
        let players = [Player::Cpu { threads: 1, instruction_set: None }, Player::Gpu(Adapter::Hardware)];
        let cells = Asked {
            sizes: vec![(64, 64), (128, 64)],
            sights: vec![RINGS.parse().unwrap(), DISCS.parse().unwrap()],
            chains: vec!["cell".into(), "paper-gather".into()],
            ..Asked::default()
        };
        assert_eq!(asked(&cells, &players)[0].rows.len(), 2 * 2 * 2 * 2);
        let all_individuals =
            Asked { agents: vec![100, 200], searches: vec![SearchKind::Grid, SearchKind::Octree], ..Asked::default() };
        // The octree on the CPU only.
        assert_eq!(asked(&all_individuals, &players)[0].rows.len(), 2 * (2 + 1));
    }
}
