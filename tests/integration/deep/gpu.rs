//! Deep worlds on the GPU: equal bits to the CPU, by compute and fragment passes, by both chains.

use crate::support::random::Random;
use crate::support::scenes::{EDGES, Player, Scene, assert_same, chain};
use crate::support::{adapter, size};
use murmuration_core::cells::numbers::Rules;
use murmuration_core::cells::sight::Sight;
use murmuration_core::falcons::Falcon;
use murmuration_core::numbers::{BOID, RULE_ONE};
use murmuration_core::state::State;
use murmuration_core::world::{Edges, Extents, FlightNumbers, Hunter, HunterKind, Mood, PARTS, Roost, World};

/// Extents of deep worlds. The atlas of slices in a texture has one tile, a row of tiles, several rows, or an empty
/// tile. Some worlds are narrower than their sights.
const EXTENTS: [[u32; 3]; 8] =
    [[7, 5, 3], [1, 1, 9], [9, 1, 1], [2, 3, 2], [1, 1, 1], [16, 13, 9], [5, 17, 4], [21, 6, 7]];
/// Workgroups of several shapes. The last shape divides no lattice of these tests.
const WORKGROUPS: [[u32; 2]; 4] = [[8, 8], [64, 1], [16, 4], [7, 3]];

/// A small random deep world, in which numbers may be at their bounds.
pub fn random(seed: u64) -> Scene {
    random_with(seed, &EXTENTS)
}

/// A world of [`random`] with one of these extents.
pub fn random_with(seed: u64, extents: &[[u32; 3]]) -> Scene {
    let mut random = Random::new(seed);
    let [width, height, depth] = *random.pick(extents);
    let extents = Extents::deep(width, height, depth);
    let flat = Scene::random(seed);
    let edges = *random.pick(&EDGES);
    let quarter = u64::from(width.min(height).min(depth) / 4);
    let margin = if edges == Edges::Walls { random.below(quarter + 1) as u32 } else { 0 };
    let solids: Vec<bool> = match random.below(3) {
        0 => Vec::new(),
        _ => (0..extents.cells()).map(|_| random.below(8) == 0).collect(),
    };
    let mut rules = flat.rules;
    for (name, sight) in &mut rules.sights {
        *sight = deep_sight(&mut random, name == "cohesion");
    }
    let world = World { margin, capacity: flat.world.capacity, solids: solids.into(), ..World::empty(extents, edges) };
    let name = format!("random {width}x{height}x{depth} of {seed}");
    with_another_swarm(&Scene { name, rules, world, start: State::empty(extents) }, seed)
}

/// Another random swarm in this world, with other rules, hunters, falcons and another roost. The sights and the noise
/// stay, so that the kernels are equal.
fn with_another_swarm(scene: &Scene, seed: u64) -> Scene {
    let mut random = Random::new(seed ^ 0x5EED);
    let mut world = scene.world.clone();
    let extents = world.extents;
    world.hunters = (0..*random.pick(&[0, 1, 1, 2, 5])).map(|_| random.hunter(extents)).collect();
    world.hunters.extend((0..*random.pick(&[0, 0, 1, 3])).map(|_| falcon(&mut random, extents)));
    let place = extents.ends().map(|end| random.below((end - PARTS + 1) as u64) as i32);
    world.roost = Roost { place, vertical: random.between(0, 4 * i64::from(RULE_ONE)) as i32 };
    let (sights, noise) = (scene.rules.sights.clone(), scene.rules.noise);
    let mut rules = Rules { sights, noise, ..Scene::random(seed).rules };
    rules.rest = *random.pick(&[0, 0, 16.min(1 << rules.shift), 1 << rules.shift]);
    let mut start = swarm(&mut random, extents, world.capacity);
    Falcon::set_all(&Falcon::from_world(&world, extents.ends()), &mut start.columns);
    Scene { name: format!("{} with the swarm {seed}", scene.name), rules, world, start }
}

fn swarm(random: &mut Random, extents: Extents, capacity: u32) -> State {
    let mut swarm = State::empty(extents);
    let fill = random.below(5);
    for index in 0..extents.cells() {
        let amount = match fill {
            0 => random.amount(),
            1 => u32::MAX - random.below(27) as u32,
            2 => random.below(2 * u64::from(BOID)) as u32,
            3 => random.below(300) as u32,
            _ => BOID * u32::from(random.below(5) == 0),
        };
        swarm.layers[0].density[index] = amount.min(capacity);
        swarm.layers[0].set_velocity(index, random.velocity());
    }
    swarm
}

/// A falcon that stoops within a few steps.
fn falcon(random: &mut Random, extents: Extents) -> Hunter {
    let start = extents.ends().map(|end| random.below((end - PARTS + 1) as u64) as i32);
    let mut between = |least: i64, most: i64| random.between(least, most) as i32;
    let (speed, peak, turn) = (between(100, 3000), between(1000, 20_000), between(1, 4000));
    let (sight, distance, rest) = (between(1, 20), between(1, 30), between(1, 4));
    let kind = HunterKind::Falcon(FlightNumbers { start, speed, peak, turn, sight, distance, rest });
    Hunter { kind, mood: Mood::Flee, reach: between(1, 12) as u32, jaws: between(0, 3) as u32 }
}

fn deep_sight(random: &mut Random, is_of_cohesion: bool) -> Sight {
    let sight = match random.below(if is_of_cohesion { 6 } else { 4 }) {
        0 => Sight::ball(random.between(1024, 3 * 1024) as u32),
        1 => Sight::cube(random.between(1, 2) as u32),
        2 => Sight::directions(*random.pick(&[6, 14, 26, 50]), &[1, random.between(2, 5) as u32]),
        3 => {
            let mut vectors: Vec<[i32; 3]> =
                (0..random.between(2, 12)).map(|_| [0; 3].map(|_| random.between(-5, 5) as i32)).collect();
            vectors.sort_unstable();
            vectors.dedup();
            vectors.push([0, 6, -1]);
            Sight::deep_list(&vectors)
        }
        4 => Sight::contrast([1, 1], 3),
        _ => Sight::contrast([2, 1], 3),
    };
    sight.unwrap()
}

/// Random deep worlds with each workgroup in turn. Compute and fragment passes play the two chains in turn.
#[test]
fn random_deep_worlds_are_the_same_on_the_gpu() {
    if adapter::shared("random deep worlds on the GPU").is_none() {
        return;
    }
    for seed in 0..size(3, 16) {
        let scene = random(seed);
        let workgroup = WORKGROUPS[seed as usize % WORKGROUPS.len()];
        let [of_compute, of_fragment] =
            if seed % 2 == 0 { ["cell-deep", "cell-fast"] } else { ["cell-fast", "cell-deep"] };
        for (chain, player) in [(of_compute, Player::Compute(workgroup)), (of_fragment, Player::Fragment)] {
            scene.assert_swarms_are_played_alike(with_another_swarm, 4, [chain, "cell-deep"], player);
        }
    }
}

/// A state on the device is read back before any step.
#[test]
fn a_deep_state_comes_back_as_it_was_put() {
    if adapter::shared("deep states on the GPU").is_none() {
        return;
    }
    for seed in 0..4 {
        let scene = random(seed);
        for player in [Player::Compute([64, 1]), Player::Fragment] {
            assert_same(&scene.start, &scene.after(0, &chain("cell-fast"), player), &scene.name);
        }
    }
}
