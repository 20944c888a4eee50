//! Tests of deep worlds on the CPU. The results are compared with the definitions of the rules, between chains, and
//! between a world and the same world turned or shifted.

use super::{CpuEngine, Options};
use crate::cells::numbers::{Distribution, Parameters, Rules};
use crate::cells::sight::Sight;
use crate::chain::Chain;
use crate::chain::plan::Plan;
use crate::engine::{LatticeEngine, Progress};
use crate::falcons::Falcon;
use crate::lanes::InstructionSet;
use crate::noise::Noise;
use crate::numbers::random::{Random, generator};
use crate::numbers::{BOID, ONE, RULE_ONE, Vector3, quotient, round_shift};
use crate::state::{State, StateReading};
use crate::testing::host;
use crate::ticket::ReadingSource;
use crate::world::{Edges, Extents, FlightNumbers, Hunter, HunterKind, Mood, PARTS, Roost, World};
use std::collections::BTreeMap;
use std::f64::consts::TAU;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

/// A swarm in a deep world.
#[derive(Clone)]
struct Scene {
    rules: Rules,
    world: World,
    start: State,
}

/// The number of steps for comparisons of chains.
const STEPS: u64 = 12;

impl Scene {
    /// A random swarm under random rules.
    fn random(seed: u64) -> Self {
        let mut random = generator(seed, 0);
        let extents = match seed % 4 {
            0 => Extents::deep(7, 5, 3),
            1 => Extents::deep(1, 1, 9),
            2 => Extents::deep(1 + random.below(20) as u32, 1 + random.below(12) as u32, 1 + random.below(10) as u32),
            _ => Extents::deep(12 + random.below(30) as u32, 6 + random.below(9) as u32, 5 + random.below(6) as u32),
        };
        let edges = if random.below(2) == 0 { Edges::Walls } else { Edges::Torus };
        let capacity = [64 * BOID, 1000, u32::MAX - 7, u32::MAX][random.below(4) as usize];
        let solid_share = random.below(4) * random.below(2);
        let solids: Vec<bool> = match solid_share {
            0 => Vec::new(),
            share => (0..extents.cells()).map(|_| random.below(10) < share).collect(),
        };
        let world = World { capacity, solids: solids.into(), ..World::empty(extents, edges) };
        let rules = random_rules(&mut random);
        let start = random_state(&mut random, &world);
        Self { rules, world, start }
    }

    /// The state after `steps` steps.
    fn play(&self, chain: &str, options: Options, steps: u64) -> State {
        let chain = Chain::load(host().as_ref(), chain).unwrap();
        let plan = Arc::new(Plan::new(&chain, &self.rules, &self.world).unwrap());
        let mut engine = CpuEngine::new(plan.clone(), &self.rules, &self.world, &self.start, options, None).unwrap();
        let weights = plan.weights();
        let steps = (0..steps).map(|step| Parameters::new(&self.rules, &self.world, &weights, step));
        engine.play(&steps.collect::<Vec<_>>()).unwrap();
        engine.request(StateReading).unwrap().wait().unwrap()
    }
}

fn random_rules(random: &mut Random) -> Rules {
    let cohesion = match random.below(5) {
        0 => Sight::ball(2048).unwrap(),
        1 => Sight::directions(26, &[1, 3]).unwrap(),
        2 => Sight::cube(1).unwrap(),
        3 => Sight::contrast([2, 2], 3).unwrap(),
        _ => Sight::contrast([1, 3], 3).unwrap(),
    };
    let weight = |random: &mut Random| random.around(2 * i64::from(RULE_ONE)) as i32;
    let mut weights = BTreeMap::from([("hunter".into(), 0), ("walls".into(), 0), ("roost".into(), 0)]);
    for rule in ["cohesion", "separation", "alignment"] {
        weights.insert(rule.into(), weight(random));
    }
    Rules {
        shift: 10,
        crowd: 40,
        keep: [0, 700, RULE_ONE][random.below(3) as usize],
        cruise: [0, 9000][random.below(2) as usize],
        max: [ONE, 15_000, 30_000][random.below(3) as usize],
        distribution: Distribution::ALL[random.below(3) as usize],
        carry: random.below(4) != 0,
        wander: [0, 377, 2048][random.below(3) as usize],
        rest: [0, 16, 1024][random.below(3) as usize],
        noise: random_noise(random),
        weights,
        sights: BTreeMap::from([
            ("cohesion".into(), cohesion),
            ("separation".into(), Sight::ball(2048).unwrap()),
            (
                "alignment".into(),
                if random.below(2) == 0 { Sight::cube(1) } else { Sight::directions(6, &[2]) }.unwrap(),
            ),
        ]),
    }
}

/// Noise of every kind, with and without correlation; mostly none.
fn random_noise(random: &mut Random) -> Noise {
    let mut noise = Noise::default();
    if random.below(3) == 0 {
        noise.set_angle([0.0, 0.3, 4.0, TAU][random.below(4) as usize]);
        noise.vector = [0, ONE / 3, 2 * ONE][random.below(3) as usize];
        noise.time = [1, 2, 5][random.below(3) as usize];
        noise.length = [1, 3, 7][random.below(3) as usize];
    }
    noise
}

/// A random state: empty cells, dust, crowds, and cells within a few quanta of the capacity.
fn random_state(random: &mut Random, world: &World) -> State {
    let mut state = State::empty(world.extents);
    let capacities = world.capacities();
    // In some worlds all but a few cells are empty or hold dust, so that whole registers of cells rest.
    let crowd = (random.below(3) == 0).then(|| random.below(state.layers[0].density.len() as u64) as usize);
    for index in 0..state.layers[0].density.len() {
        let is_empty = crowd.is_some_and(|crowd| index.abs_diff(crowd) > 3);
        let capacity = if is_empty { capacities[index].min(random.below(20) as u32) } else { capacities[index] };
        let amount = match random.below(5) {
            0 => 0,
            1 => random.below(64) as u32,
            2 => capacity.saturating_sub(random.below(15) as u32),
            _ => random.below(u64::from(capacity.min(1 << 22)) + 1) as u32,
        };
        state.layers[0].density[index] = amount.min(capacity);
        let edge = [0, 1, -1, ONE, -ONE, ONE - 1, 127, -128];
        let component = |random: &mut Random| match random.below(3) {
            0 => edge[random.below(8) as usize],
            _ => random.around(ONE.into()) as i32,
        };
        state.layers[0].set_velocity(index, [component(random), component(random), component(random)]);
    }
    state
}

fn sets() -> impl Iterator<Item = InstructionSet> {
    InstructionSet::ALL.iter().copied().filter(|set| set.is_available())
}

#[test]
fn both_chains_and_all_threads_and_instruction_sets_give_one_state() {
    for seed in 0..60 {
        let scene = Scene::random(seed);
        let expected = scene.play("cell-deep", Options { threads: Some(1), instruction_set: None }, STEPS);
        assert_eq!(expected.total(), scene.start.total(), "seed {seed}");
        for set in sets() {
            for threads in [1, 3] {
                let options = Options { threads: Some(threads), instruction_set: Some(set) };
                let played = scene.play("cell-fast", options, STEPS);
                assert_eq!(played.hash(), expected.hash(), "seed {seed}, {set}, {threads} threads: {:?}", scene.rules);
            }
        }
    }
}

/// An engine skips resting rows, and does not copy a row that it has copied before. After every step its state must
/// equal the state of a new engine that has skipped nothing. Meanwhile clouds cross the edges, dust lies in cells, the
/// numbers change and a hunter eats.
#[test]
fn rows_that_are_left_out_are_those_of_an_engine_that_leaves_out_none() {
    let mut caught = 0;
    for seed in 0..12 {
        let mut scene = Scene::random(4 * seed + 3);
        let mut random = generator(seed, 9);
        // The world is wide, so that a blur also skips cells of a row.
        let extents = Extents::deep([40, 150][usize::from(seed % 3 == 0)], 24 + seed as u32, 19);
        if seed % 2 == 0 {
            let radii = [[2, 2], [1, 3], [0, 1]][seed as usize / 2 % 3];
            scene.rules.sights.insert("cohesion".into(), Sight::contrast(radii, 3).unwrap());
        }
        let edges = [Edges::Torus, Edges::Walls][seed as usize % 2];
        let jaws = HunterKind::Path { corners: vec![[300, 100, 100], [300, 300, 200]], is_column: false, speed: 24 };
        let hunters = vec![Hunter { kind: jaws, mood: Mood::Follow, reach: 6, jaws: 2 }];
        scene.world = World { extents, edges, hunters, solids: Default::default(), ..scene.world };
        scene.world.capacity = 64 * BOID;
        scene.rules.weights.insert("hunter".into(), 900);
        let mut state = State::empty(extents);
        for index in 0..state.layers[0].density.len() {
            let [x, y, z] = place_of(extents, index);
            let is_in = |centre: Vector3| {
                [x, y, z].iter().zip(centre).map(|(along, centre)| (along - centre).pow(2)).sum::<i32>() < 16
            };
            let is_dusty = random.below(200) == 0;
            state.layers[0].density[index] = match () {
                () if is_in([3, 4, 3]) || is_in([30, 20, 17]) => random.below(9 * u64::from(BOID)) as u32,
                () if is_dusty => random.below(30) as u32,
                () => 0,
            };
            let ahead = random.around(ONE.into()) as i32;
            state.layers[0].set_velocity(index, [ONE, ahead, ONE / 2]);
        }
        scene.start = state;
        let chain = Chain::load(host().as_ref(), ["cell-fast", "cell-deep"][usize::from(seed % 5 == 4)]).unwrap();
        let plan = Arc::new(Plan::new(&chain, &scene.rules, &scene.world).unwrap());
        let options = Options { threads: Some(1 + seed as usize % 3), instruction_set: None };
        let engine =
            |start: &State| CpuEngine::new(plan.clone(), &scene.rules, &scene.world, start, options, None).unwrap();
        let (mut one, mut before) = (engine(&scene.start), scene.start.clone());
        let weights = plan.weights();
        for step in 0..50 {
            let rest = [scene.rules.rest, 0, 700, 3][step as usize / 13];
            let rules = Rules { rest, ..scene.rules.clone() };
            let parameters = Parameters::new(&rules, &scene.world, &weights, step);
            if step % 17 == 16 {
                // The step is abandoned in the middle, and begun again.
                let looks = AtomicU32::new(0);
                let stop = || looks.fetch_add(1, Ordering::Relaxed) > 2;
                let progress = one.play_until(&[parameters], Some(&stop)).unwrap();
                assert_eq!(progress, Progress { steps: 0, is_stopped: true });
                assert_eq!(
                    one.request(StateReading).unwrap().wait().unwrap(),
                    before,
                    "seed {seed}, step {step}: left undone"
                );
            }
            let mut fresh = engine(&before);
            for engine in [&mut one, &mut fresh] {
                engine.play(&[parameters]).unwrap();
            }
            before = fresh.request(StateReading).unwrap().wait().unwrap();
            assert_eq!(
                one.request(StateReading).unwrap().wait().unwrap(),
                before,
                "seed {seed}, step {step}, rest {rest}"
            );
            if step == 30 {
                one.set_state(&scene.start).unwrap();
                before = scene.start.clone();
            }
        }
        caught += u32::from(before.total() < scene.start.total());
    }
    assert!(caught > 6, "the hunter has eaten in {caught} worlds");
}

/// The movement of one step by its definition: every cell gives, and then every cell has received. V' is the result of
/// the rules.
fn moved(scene: &Scene, before: &State) -> State {
    let World { extents, edges, .. } = scene.world;
    let capacities = scene.world.capacities();
    let [width, height, depth] = extents.along_axes().map(|extent| extent as i32);
    let places = || (0..depth).flat_map(move |z| (0..height).flat_map(move |y| (0..width).map(move |x| [x, y, z])));
    let index = |place: Vector3| extents.deep_index(place, edges);
    let capacity = |place: Vector3| index(place).map_or(0, |index| capacities[index]);
    let density = |place: Vector3| index(place).map_or(0, |index| before.layers[0].density[index]);
    let is_resting = |place: Vector3| density(place) < scene.rules.rest;
    let mut turned = before.clone();
    for place in places().filter(|place| !is_resting(*place)) {
        let mut v = before.layers[0].velocity(index(place).unwrap());
        for axis in 0..3 {
            let mut next = place;
            next[axis] += if v[axis] < 0 { -1 } else { 1 };
            if capacity(next) == 0 {
                v[axis] = -v[axis];
            }
        }
        turned.layers[0].set_velocity(index(place).unwrap(), v);
    }
    let mut received: Vec<Vec<(u32, Vector3)>> = vec![Vec::new(); extents.cells()];
    for place in places() {
        let own = index(place).unwrap();
        let v = turned.layers[0].velocity(own);
        let mut stays = before.layers[0].density[own];
        for axes in 1..8 {
            let mut to = place;
            for axis in (0..3).filter(|axis| axes & 1 << axis != 0) {
                to[axis] += if v[axis] < 0 { -1 } else { 1 };
            }
            let share = share(v.map(|component| component.unsigned_abs().into()), axes, scene.rules.distribution);
            let room = capacity(to).max(density(to)) - density(to);
            let given = ((u64::from(before.layers[0].density[own]) * share) >> 16).min(u64::from(room / 26)) as u32;
            if given > 0 && !is_resting(place) {
                stays -= given;
                received[index(to).unwrap()].push((given, v));
            }
        }
        received[own].push((stays, v));
    }
    let mut after = turned.clone();
    for (cell, received) in received.iter().enumerate() {
        let amount: u32 = received.iter().map(|(amount, _)| amount).sum();
        after.layers[0].density[cell] = amount;
        if scene.rules.carry && amount > 0 {
            let shift = (0..32).find(|shift| amount >> shift < 1 << 17).unwrap();
            let weight: i32 = received.iter().map(|(amount, _)| (amount >> shift) as i32).sum();
            let mean = [0, 1, 2].map(|axis| {
                let momentum: i32 = received.iter().map(|(amount, v)| (amount >> shift) as i32 * v[axis]).sum();
                quotient(momentum, weight)
            });
            after.layers[0].set_velocity(cell, mean);
        }
    }
    after
}

/// The share (Q16) of a cell for the neighbour ahead along these axes, by the definitions of the methods.
fn share(along: [u64; 3], axes: usize, method: Distribution) -> u64 {
    let one = ONE as u64;
    let mut sorted: Vec<usize> = vec![0, 1, 2];
    sorted.sort_by_key(|axis| std::cmp::Reverse(along[*axis]));
    let [a, b, c] = [0, 1, 2].map(|place| along[sorted[place]]);
    let by_rank = [1 << sorted[0], 1 << sorted[0] | 1 << sorted[1], 7];
    match method {
        Distribution::Bilinear => {
            let weight = |axis: usize| if axes & 1 << axis != 0 { along[axis] } else { one - along[axis] };
            (weight(0) * weight(1) * weight(2)) >> 26
        }
        Distribution::Split => {
            let amounts = [a - b, b - c, c];
            by_rank.iter().zip(amounts).filter(|(set, _)| **set == axes).map(|(_, amount)| 4 * amount).sum()
        }
        Distribution::Nearest => {
            let kinds = [6 * a * a, 3 * (a + b) * (a + b), 2 * (a + b + c) * (a + b + c)];
            let nearest = (0..3).rev().max_by_key(|kind| kinds[*kind]).unwrap();
            if by_rank[nearest] == axes { 4 * a } else { 0 }
        }
    }
}

#[test]
fn movement_is_what_its_definition_says() {
    for seed in 0..80 {
        let mut scene = Scene::random(seed);
        scene.rules.noise = Noise::default();
        scene.rules.weights.values_mut().for_each(|weight| *weight = 0);
        scene.rules.wander = 0;
        // Only the steering is played. The definition of the movement starts from it.
        let mut steered = scene.start.clone();
        for cell in 0..steered.layers[0].density.len() {
            if steered.layers[0].density[cell] >= scene.rules.rest {
                let v = steered.layers[0].velocity(cell).map(|component| round_shift(scene.rules.keep * component, 10));
                steered.layers[0]
                    .set_velocity(cell, crate::lanes::vector::limit(v, scene.rules.cruise, scene.rules.max));
            }
        }
        let expected = moved(&scene, &steered);
        for chain in ["cell-deep", "cell-fast"] {
            let played = scene.play(chain, Options::default(), 1);
            assert_eq!(played.layers[0].density, expected.layers[0].density, "seed {seed}, {chain}: {:?}", scene.rules);
            let [played, expected] = [&played, &expected].map(|state| {
                (0..state.layers[0].density.len()).map(|cell| state.layers[0].velocity(cell)).collect::<Vec<_>>()
            });
            assert_eq!(played, expected, "seed {seed}, {chain}");
        }
    }
}

/// One of the 48 rotations and reflections of the cube: the old axis of each new axis, and whether it is reversed.
#[derive(Clone, Copy, Debug)]
struct Turn {
    axes: [usize; 3],
    is_mirrored: [bool; 3],
}

impl Turn {
    fn all() -> impl Iterator<Item = Self> {
        let orders = [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]];
        orders.into_iter().flat_map(|axes| {
            (0..8).map(move |signs| Self { axes, is_mirrored: [0, 1, 2].map(|axis| signs & 1 << axis != 0) })
        })
    }

    fn extents(&self, extents: Extents) -> Extents {
        let old = extents.along_axes();
        Extents::deep(old[self.axes[0]], old[self.axes[1]], old[self.axes[2]])
    }

    fn vector(&self, v: Vector3) -> Vector3 {
        [0, 1, 2].map(|axis| if self.is_mirrored[axis] { -v[self.axes[axis]] } else { v[self.axes[axis]] })
    }

    fn state(&self, state: &State) -> State {
        let (old, new) = (state.extents, self.extents(state.extents));
        let mut turned = State::empty(new);
        let ends = new.along_axes().map(|extent| extent as i32 - 1);
        for index in 0..state.layers[0].density.len() {
            let place = place_of(old, index);
            let moved = [0, 1, 2].map(|axis| {
                let along = place[self.axes[axis]];
                if self.is_mirrored[axis] { ends[axis] - along } else { along }
            });
            let to = new.deep_index(moved, Edges::Walls).unwrap();
            turned.layers[0].density[to] = state.layers[0].density[index];
            turned.layers[0].set_velocity(to, self.vector(state.layers[0].velocity(index)));
        }
        let falcon = |falcon: &Falcon| Falcon {
            place: self.place(falcon.place, state.extents),
            remainder: self.vector(falcon.remainder),
            velocity: self.vector(falcon.velocity),
            ..*falcon
        };
        let falcons: Vec<Falcon> = Falcon::all_of(&state.columns).iter().map(falcon).collect();
        Falcon::set_all(&falcons, &mut turned.columns);
        turned
    }

    /// The place in 1/16 cell to which the turn moves a place.
    fn place(&self, place: Vector3, extents: Extents) -> Vector3 {
        let ends = self.extents(extents).ends();
        [0, 1, 2].map(|axis| {
            let along = place[self.axes[axis]];
            if self.is_mirrored[axis] { ends[axis] - PARTS - along } else { along }
        })
    }

    fn scene(&self, scene: &Scene) -> Scene {
        let mut solids = State::empty(scene.world.extents);
        solids.layers[0].density = scene.world.capacities().iter().map(|capacity| u32::from(*capacity == 0)).collect();
        let solids = self.state(&solids).layers[0].density.iter().map(|solid| *solid == 1).collect::<Vec<_>>();
        let mut world =
            World { extents: self.extents(scene.world.extents), solids: solids.into(), ..scene.world.clone() };
        let place = |at: &mut Vector3| *at = self.place(*at, scene.world.extents);
        place(&mut world.roost.place);
        for hunter in &mut world.hunters {
            match &mut hunter.kind {
                HunterKind::Path { corners, .. } => corners.iter_mut().for_each(place),
                HunterKind::Falcon(flight) => place(&mut flight.start),
                HunterKind::Player => {}
            }
        }
        Scene { world, start: self.state(&scene.start), rules: scene.rules.clone() }
    }
}

fn place_of(extents: Extents, index: usize) -> Vector3 {
    let [width, height, _] = extents.along_axes().map(|extent| extent as usize);
    [index % width, index / width % height, index / width / height].map(|place| place as i32)
}

#[test]
fn all_48_symmetries_of_the_cube_hold() {
    for seed in [2, 3, 6, 7, 11, 14, 15, 19] {
        let mut scene = Scene::random(seed);
        // The scene has no noise, because its random numbers would have to be transformed too.
        scene.rules.noise = Noise::default();
        if scene.world.edges == Edges::Walls {
            scene.world.margin = 1;
            scene.rules.weights.insert("walls".into(), 300);
        }
        let played = scene.play("cell-fast", Options::default(), 6);
        for turn in Turn::all() {
            let turned = turn.scene(&scene).play("cell-fast", Options::default(), 6);
            assert_eq!(turned, turn.state(&played), "seed {seed}, {turn:?}: {:?}", scene.rules);
        }
    }
}

#[test]
fn a_torus_has_no_first_cell() {
    for seed in 0..12 {
        let mut scene = Scene::random(4 * seed + 3);
        // The scene has no noise, because its random numbers would have to be transformed too.
        scene.rules.noise = Noise::default();
        scene.world.edges = Edges::Torus;
        scene.world.solids = Default::default();
        let shift = [5, 3, 2];
        let shifted = |state: &State| {
            let mut moved = State::empty(state.extents);
            for index in 0..state.layers[0].density.len() {
                let place = place_of(state.extents, index);
                let place = [0, 1, 2].map(|axis| place[axis] + shift[axis]);
                let to = state.extents.deep_index(place, Edges::Torus).unwrap();
                moved.layers[0].density[to] = state.layers[0].density[index];
                moved.layers[0].set_velocity(to, state.layers[0].velocity(index));
            }
            moved
        };
        let played = scene.play("cell-fast", Options::default(), STEPS);
        let other = Scene { start: shifted(&scene.start), ..scene.clone() };
        assert_eq!(other.play("cell-fast", Options::default(), STEPS), shifted(&played), "seed {seed}");
    }
}

/// Three falcons that wait, stoop, strike and climb; a standing hunter; and a roost.
#[test]
fn all_48_symmetries_hold_with_falcons_and_a_roost() {
    for edges in [Edges::Torus, Edges::Walls] {
        let mut scene = Scene::random(3);
        // The scene has no noise, because its random numbers would have to be transformed too.
        scene.rules.noise = Noise::default();
        let extents = Extents::deep(11, 11, 11);
        let falcon = |start, rest, jaws| {
            let flight = FlightNumbers { start, speed: 1100, peak: 1700, turn: 500, sight: 6, distance: 4, rest };
            Hunter { kind: HunterKind::Falcon(flight), mood: Mood::Flee, reach: 4, jaws }
        };
        let standing = HunterKind::Path { corners: vec![[80, 33, 71]], is_column: false, speed: 0 };
        let standing = Hunter { kind: standing, mood: Mood::Follow, reach: 5, jaws: 1 };
        let hunters = vec![falcon([40, 77, 9], 3, 1), standing, falcon([151, 20, 90], 4, 0), falcon([0, 13, 40], 2, 1)];
        let roost = Roost { place: [37, 90, 100], vertical: 1024 };
        scene.world = World { extents, edges, solids: Default::default(), hunters, roost, ..scene.world };
        scene.rules.weights.extend([("hunter".into(), 2500), ("roost".into(), 200)]);
        scene.start = random_state(&mut generator(5, 5), &scene.world);
        Falcon::set_all(&Falcon::from_world(&scene.world, extents.ends()), &mut scene.start.columns);
        let start = scene.play("cell-fast", Options::default(), 7);
        assert!(start.total() < scene.start.total(), "nothing was caught");
        scene.start = start;
        let played = scene.play("cell-fast", Options::default(), 12);
        let phases: Vec<i32> = Falcon::all_of(&played.columns).iter().map(|falcon| falcon.phase).collect();
        assert!(phases.iter().any(|phase| *phase != phases[0]), "all falcons do the same: {phases:?}");
        assert_eq!(played, scene.play("cell-deep", Options::default(), 12), "{edges:?}: the other chain");
        for turn in Turn::all() {
            let turned = turn.scene(&scene).play("cell-fast", Options::default(), 12);
            assert_eq!(turned, turn.state(&played), "{edges:?}, {turn:?}");
        }
    }
}
