//! Swarms and engines for the tests: presets, random worlds and players.

use crate::support::adapter;
use crate::support::random::Random;
use murmuration_core::cells::numbers::{Distribution, Parameters, Rules};
use murmuration_core::cells::sight::Sight;
use murmuration_core::chain::Chain;
use murmuration_core::chain::plan::Plan;
use murmuration_core::engine::cpu::{CpuEngine, Options};
use murmuration_core::engine::{Dispatch, LatticeEngine, TotalsReading};
use murmuration_core::lanes::InstructionSet;
use murmuration_core::numbers::{BOID, RULE_ONE, Vector, Vector3};
use murmuration_core::preset::{Overrides, Preset};
use murmuration_core::state::{Entry, Layer, Ledger, State, StateReading, Unit};
use murmuration_core::world::{Edges, Extents, Hunter, HunterKind, Mood, PARTS, Roost, World};
use murmuration_gpu::GpuEngine;
use std::collections::BTreeMap;
use std::fmt;
use std::sync::{Arc, Mutex};

pub const EDGES: [Edges; 2] = [Edges::Torus, Edges::Walls];

/// A swarm before its first step, with its rules and its world.
#[derive(Debug, Clone)]
pub struct Scene {
    pub name: String,
    pub rules: Rules,
    pub world: World,
    pub start: State,
}

impl Scene {
    /// A built-in preset with another size.
    pub fn built_in(name: &str, width: u32, height: u32) -> Self {
        let overrides = Overrides { size: Some((width, height)), ..Overrides::default() };
        Preset::load(murmuration::host(), name, &overrides).unwrap_or_else(|failure| panic!("{failure}")).into()
    }

    /// A swarm with every feature: every rule has a weight, the world has solids and a moving hunter, and every cell
    /// holds something. Tests modify it for their subject.
    pub fn busy(width: u32, height: u32, edges: Edges) -> Self {
        let margin = if edges == Edges::Walls { width.min(height) / 4 } else { 0 };
        let (w, h) = (width as i32, height as i32);
        let mut random = Random::new(u64::from(width * height));
        let extents = Extents::flat(width, height);
        let cells = extents.cells();
        let solids: Vec<bool> = (0..cells).map(|_| random.below(20) == 0).collect();
        let density = solids.iter().map(|solid| if *solid { 0 } else { random.below(3 * u64::from(BOID)) as u32 });
        let density = density.collect();
        let corners = vec![[w * 4, h * 4], [w * 11, h * 5], [w * 7, h * 12]].into_iter().map(on(extents)).collect();
        let hunter = Hunter {
            kind: HunterKind::Path { corners, is_column: true, speed: 700 },
            mood: Mood::Flee,
            reach: (width.max(height) / 3).max(1),
            jaws: 1,
        };
        let sights = [
            ("cohesion", Sight::disc(5 << 10)),
            ("separation", Sight::square(2)),
            ("alignment", Sight::rings(16, &[1, 2, 4])),
        ];
        let weights = [
            ("cohesion", 512),
            ("separation", 150),
            ("alignment", 512),
            ("walls", 200),
            ("hunter", 1500),
            ("roost", 90),
        ];
        Self {
            name: format!("busy {width}x{height} {edges:?}"),
            rules: Rules {
                shift: 12,
                crowd: 16,
                keep: RULE_ONE,
                cruise: 9830,
                max: 15565,
                distribution: Distribution::Bilinear,
                wander: 377,
                weights: weights.map(|(name, weight)| (name.to_string(), weight)).into(),
                sights: sights.map(|(name, sight)| (name.to_string(), sight.unwrap())).into(),
                ..Rules::default()
            },
            world: World {
                margin,
                solids: solids.into(),
                hunters: vec![hunter],
                roost: Roost { place: [w * 8, h * 5, 0], vertical: RULE_ONE },
                ..World::empty(extents, edges)
            },
            start: State::new(
                extents,
                vec![Layer { density, control: (0..cells).map(|_| random.heading()).collect() }],
            ),
        }
    }

    /// [`Self::busy`] in a deep world.
    pub fn busy_deep([width, height, depth]: [u32; 3], edges: Edges) -> Self {
        let flat = Self::busy(width, height, edges);
        let extents = Extents::deep(width, height, depth);
        let mut random = Random::new(extents.cells() as u64);
        let solids: Vec<bool> = (0..extents.cells()).map(|_| random.below(20) == 0).collect();
        let mut start = State::empty(extents);
        for (index, solid) in solids.iter().enumerate() {
            start.layers[0].density[index] = if *solid { 0 } else { random.below(3 * u64::from(BOID)) as u32 };
            start.layers[0].set_velocity(index, random.velocity());
        }
        let place = |parts: Vector3| [0, 1, 2].map(|axis| parts[axis] * (extents.ends()[axis] - PARTS) / 16);
        let corners = [[4, 4, 11], [11, 5, 2], [7, 12, 8]].map(place).to_vec();
        let hunter = Hunter {
            kind: HunterKind::Path { corners, is_column: false, speed: 700 },
            reach: (extents.ends().into_iter().max().unwrap() / PARTS / 3).max(1) as u32,
            ..flat.world.hunters[0].clone()
        };
        let sights =
            [("cohesion", Sight::ball(3 << 10)), ("separation", Sight::ball(2 << 10)), ("alignment", Sight::cube(1))];
        let sights = sights.map(|(name, sight)| (name.to_string(), sight.unwrap())).into();
        let world = World {
            extents,
            margin: if edges == Edges::Walls { extents.smallest() / 4 } else { 0 },
            solids: solids.into(),
            hunters: vec![hunter],
            roost: Roost { place: place([8, 5, 9]), vertical: 2 * RULE_ONE },
            ..flat.world
        };
        Self { name: format!("busy {extents} {edges:?}"), rules: Rules { sights, ..flat.rules }, world, start }
    }

    /// A small random world, in which numbers may be at their bounds.
    pub fn random(seed: u64) -> Self {
        let mut random = Random::new(seed);
        let extents = match random.below(6) {
            0 => Extents::flat(1 + random.below(3) as u32, 1 + random.below(40) as u32),
            1 => Extents::flat(1 + random.below(40) as u32, 1 + random.below(3) as u32),
            _ => Extents::flat(4 + random.below(66) as u32, 4 + random.below(20) as u32),
        };
        let edges = *random.pick(&EDGES);
        let quarter = u64::from(extents.width.min(extents.height) / 4);
        let margin = if edges == Edges::Walls { random.below(quarter + 1) as u32 } else { 0 };
        let some = random.amount();
        let capacity = *random.pick(&[u32::MAX, u32::MAX, u32::MAX - BOID + 1, some.max(1), BOID]);
        let solids = match random.below(3) {
            0 => Vec::new(),
            _ => (0..extents.cells()).map(|_| random.below(8) == 0).collect(),
        };
        let hunters = (0..*random.pick(&[0, 1, 1, 2, 8])).map(|_| random.hunter(extents)).collect();
        let [x, y] = extents.as_parts().map(|parts| random.below(parts as u64) as i32);
        let roost = Roost { place: [x, y, 0], vertical: RULE_ONE };
        let solids = Vec::into(solids);
        let world = World { margin, capacity, solids, hunters, roost, ..World::empty(extents, edges) };
        Self { name: format!("random {seed}"), start: random.swarm(extents, capacity), rules: random.rules(), world }
    }

    /// Another random swarm in this world, with other rules and hunters. The sights and the noise stay, so that the
    /// kernels are equal.
    pub fn with_another_swarm(&self, seed: u64) -> Self {
        let mut random = Random::new(seed);
        let mut world = self.world.clone();
        world.hunters = (0..*random.pick(&[0, 1, 1, 2, 8])).map(|_| random.hunter(world.extents)).collect();
        Self {
            name: format!("{} with the swarm {seed}", self.name),
            start: random.swarm(world.extents, world.capacity),
            rules: Rules { sights: self.rules.sights.clone(), noise: self.rules.noise, ..random.rules() },
            world,
        }
    }

    /// Plays four swarms in this world. `player` plays all of them with the first chain, by one engine. The CPU plays
    /// each with the second chain, and the states must be equal. `another` makes a swarm from a seed. Swarms that need
    /// other passes are skipped.
    pub fn assert_swarms_are_played_alike(
        &self,
        another: impl Fn(&Self, u64) -> Self,
        steps: u64,
        chains: [&str; 2],
        player: Player,
    ) {
        let [played, expected] = chains.map(chain);
        let plan = self.plan(&played);
        let swarms = (0..1000).map(|seed| another(self, seed));
        let swarms: Vec<Self> = swarms.filter(|swarm| swarm.plan(&played).has_passes_of(&plan)).take(4).collect();
        assert_eq!(swarms.len(), 4, "{}", self.name);
        let mut game = self.play(&played, player);
        for swarm in swarms {
            game.take(&swarm, &played);
            game.advance(steps);
            let what = format!("{}, chain {}, after {steps} steps: {player}", swarm.name, played.name);
            assert_same(&swarm.after(steps, &expected, Player::quick()), &game.state(), &what);
            assert!(!plan.conserves || game.lost() == 0, "{what}: {} lost", game.lost());
        }
    }

    pub fn play(&self, chain: &Chain, player: Player) -> Game {
        let plan = Arc::new(self.plan(chain));
        let Self { rules, world, start, .. } = self;
        let on_gpu = |dispatch| -> Box<dyn LatticeEngine> {
            let gpu = adapter::shared("a game").expect("whoever plays on the GPU has asked for it before");
            Box::new(GpuEngine::new(gpu, plan.clone(), rules, world, start, dispatch).unwrap())
        };
        let engine = match player {
            Player::Cpu { threads, set } => {
                let options = Options { threads: Some(threads), instruction_set: Some(set) };
                Box::new(CpuEngine::new(plan.clone(), rules, world, start, options, None).unwrap())
            }
            Player::Compute(workgroup) => on_gpu(Dispatch::Compute { workgroup }),
            Player::Fragment => on_gpu(Dispatch::Fragment),
        };
        let ledger = Ledger::default().with(Entry::Start, start.total());
        Game { engine, rules: rules.clone(), world: world.clone(), weights: plan.weights(), ledger, step: 0 }
    }

    fn plan(&self, chain: &Chain) -> Plan {
        Plan::new(chain, &self.rules, &self.world).unwrap_or_else(|bad| panic!("{bad}"))
    }

    /// The state after some steps.
    pub fn after(&self, steps: u64, chain: &Chain, player: Player) -> State {
        let mut game = self.play(chain, player);
        game.advance(steps);
        game.state()
    }
}

impl From<Preset> for Scene {
    fn from(preset: Preset) -> Self {
        let start = preset.start().unwrap_or_else(|wrong| panic!("{wrong}"));
        Self { name: preset.name, rules: preset.rules, world: preset.world, start }
    }
}

/// The built-in presets of flat cells with one species. The reference explains every key, and can be played as well.
pub fn presets() -> impl Iterator<Item = &'static str> {
    murmuration::host()
        .library()
        .preset_names()
        .filter(|name| !is_of_individuals(name) && !is_deep(name) && !has_species(name))
}

/// The built-in presets of the cell system in deep worlds.
pub fn deep_presets() -> impl Iterator<Item = &'static str> {
    murmuration::host().library().preset_names().filter(|name| !is_of_individuals(name) && is_deep(name))
}

/// The built-in presets of individuals.
pub fn all_individuals() -> impl Iterator<Item = &'static str> {
    murmuration::host().library().preset_names().filter(|name| is_of_individuals(name))
}

fn is_of_individuals(name: &str) -> bool {
    murmuration::host().library().preset(name).unwrap().lines().any(|line| line == "model = \"agents\"")
}

fn has_species(name: &str) -> bool {
    murmuration::host().library().preset(name).unwrap().lines().any(|line| line == "[[species]]")
}

fn is_deep(name: &str) -> bool {
    let is_size = |line: &str| line.starts_with("size = ") && line.matches(',').count() == 2;
    murmuration::host().library().preset(name).unwrap().lines().any(is_size)
}

/// A built-in chain. Each is read and checked only once, because that takes longer than playing a small world.
pub fn chain(name: &str) -> Chain {
    static CHAINS: Mutex<BTreeMap<String, Chain>> = Mutex::new(BTreeMap::new());
    let load = || Chain::load(murmuration::host().as_ref(), name).unwrap_or_else(|bad| panic!("{bad}"));
    CHAINS.lock().unwrap().entry(name.to_string()).or_insert_with(load).clone()
}

/// The movement of the cell system without its rules: control vectors move boids, and some boids wander.
pub fn movement() -> Chain {
    let text = r#"
        description = "movement"
        [fields]
        outflow_x = "amount"
        outflow_y = "amount"
        outflow_xy = "amount"
        [[pass]]
        kernel = "outflow"
        read = ["density", "capacity", "control"]
        write = ["control", "outflow_x", "outflow_y", "outflow_xy"]
        [[pass]]
        kernel = "advect"
        read = ["density", "control", "outflow_x", "outflow_y", "outflow_xy"]
        write = ["density", "control"]
        [[pass]]
        kernel = "wander"
        read = ["density", "capacity"]
        write = ["density"]
    "#;
    chain_of(text)
}

/// The chain in a test's text.
pub fn chain_of(text: &str) -> Chain {
    Chain::read(murmuration::host().as_ref(), "test", "test.toml", text, None).unwrap_or_else(|bad| panic!("{bad}"))
}

/// An engine that plays a scene.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Player {
    Cpu { threads: usize, set: InstructionSet },
    Compute([u32; 2]),
    Fragment,
}

impl Player {
    /// One thread with portable instructions: the reference for all other players.
    pub const PLAIN: Self = Player::Cpu { threads: 1, set: InstructionSet::Portable };

    /// One thread with the widest instructions: the fastest player for small lattices.
    pub fn quick() -> Self {
        Player::Cpu { threads: 1, set: InstructionSet::widest() }
    }
}

impl fmt::Display for Player {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Player::Cpu { threads, set } => write!(f, "CPU, {threads} threads, {set}"),
            Player::Compute([width, height]) => write!(f, "compute, workgroups of {width}x{height}"),
            Player::Fragment => write!(f, "fragment"),
        }
    }
}

/// A swarm on an engine.
pub struct Game {
    engine: Box<dyn LatticeEngine>,
    pub rules: Rules,
    world: World,
    weights: Vec<i32>,
    ledger: Ledger,
    step: u64,
}

impl Game {
    /// The parameters of the next steps.
    pub fn parameters(&self, steps: u64) -> Vec<Parameters> {
        let numbers = |step| Parameters::new(&self.rules, &self.world, &self.weights, step);
        (self.step..self.step + steps).map(numbers).collect()
    }

    /// Replaces the hunters from the next step on.
    pub fn set_hunters(&mut self, hunters: &[Hunter]) {
        self.world.hunters = hunters.to_vec();
    }

    pub fn advance(&mut self, steps: u64) {
        self.engine.play(&self.parameters(steps)).unwrap();
        self.step += steps;
    }

    pub fn state(&mut self) -> State {
        self.engine.request(StateReading).unwrap().wait().unwrap()
    }

    /// Replaces the state, as the state after `step` steps.
    pub fn put(&mut self, state: &State, step: u64) {
        self.engine.set_state(state).unwrap();
        self.step = step;
    }

    /// Continues with the start of another swarm in this world.
    fn take(&mut self, swarm: &Scene, chain: &Chain) {
        self.put(&swarm.start, 0);
        self.weights = swarm.plan(chain).weights();
        (self.rules, self.world) = (swarm.rules.clone(), swarm.world.clone());
        self.ledger = Ledger::default().with(Entry::Start, swarm.start.total() + self.caught());
    }

    /// The number of missing quanta; negative if the state has too many.
    pub fn lost(&mut self) -> i64 {
        let totals = self.totals();
        self.ledger.plus(&totals).lost(Unit::Quanta)
    }

    /// Quanta caught in the hunter's jaws.
    pub fn caught(&mut self) -> u64 {
        self.totals().sum(Entry::Caught)
    }

    fn totals(&mut self) -> Ledger {
        self.engine.request(TotalsReading).unwrap().wait().unwrap()
    }
}

/// Clamps a place (1/16 cell) to the lattice.
fn on(extents: Extents) -> impl Fn(Vector) -> Vector3 {
    let [w, h] = extents.as_cell().map(|extent| (extent - 1) * PARTS);
    move |[x, y]| [x.clamp(0, w), y.clamp(0, h), 0]
}

/// Reports only the first cell in which two states differ, because whole states are too long.
#[track_caller]
pub fn assert_same(expected: &State, actual: &State, what: &str) {
    assert_eq!((expected.extents, &expected.columns), (actual.extents, &actual.columns), "{what}");
    let width = expected.extents.width as usize;
    for index in 0..expected.extents.cells() {
        let height = expected.extents.height as usize;
        let cell = (index % width, index / width % height, index / width / height);
        let of = |state: &State| (state.layers[0].density[index], state.layers[0].velocity(index));
        assert_eq!(of(expected), of(actual), "{what}: (quanta, control vector) of the cell {cell:?}");
    }
}

/// The names of the built-in chains of the cell system.
pub fn cell_chains() -> impl Iterator<Item = &'static str> {
    ["cell", "cell-fast", "paper-gather"].into_iter()
}
