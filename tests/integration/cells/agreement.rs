//! One swarm, equal everywhere (invariant 2): equal bits on every engine, with any number of threads, every instruction
//! set, and any workgroup.

use crate::support::command::fixture;
use crate::support::scenes::{EDGES, Player, Scene, assert_same, chain, presets};
use crate::support::{adapter, is_played, size};
use murmuration_core::cells::sight::Sight;
use murmuration_core::chain::{Chain, DEFAULT};
use murmuration_core::lanes::InstructionSet;
use murmuration_core::noise::Noise;
use murmuration_core::numbers::{ONE, WEIGHT_LIMIT, pack};
use murmuration_core::state::State;
use murmuration_core::world::{Edges, MAX_EXTENT};

/// A lattice that no chunk of cells and no workgroup divides.
const SIZE: [u32; 2] = [193, 101];

/// Workgroups of several shapes. The last shape divides no lattice of these tests.
const WORKGROUPS: [[u32; 2]; 4] = [[8, 8], [64, 1], [16, 4], [7, 3]];

/// All ways to play on the CPU.
fn cpus() -> impl Iterator<Item = Player> {
    let sets = InstructionSet::ALL.iter().filter(|set| set.is_available());
    sets.flat_map(|set| [1, 2, 3].map(|threads| Player::Cpu { threads, set: *set }))
}

/// The paper's chain. It stores values in fields that the default chain computes several times instead.
const PAPER: &str = "cell";
/// The paper's chain with the gather movement.
const GATHER: &str = "paper-gather";

/// The size for software adapters, which take a second for a few steps with large discs.
const SIZE_ON_GPU: [u32; 2] = [97, 66];

fn compare(expected: &State, scene: &Scene, chain: &Chain, steps: u64, player: Player) {
    let what = format!("{}, chain {}, after {steps} steps: {player}", scene.name, chain.name);
    let actual = scene.after(steps, chain, player);
    assert_same(expected, &actual, &what);
    assert_eq!(expected.hash(), actual.hash(), "{what}");
}

/// The maximum extent along each axis, by both chains and every instruction set.
#[test]
fn the_longest_lattices_are_the_same_on_every_cpu() {
    for [width, height] in [[MAX_EXTENT, 11], [11, MAX_EXTENT]] {
        let mut scene = Scene::busy(width, height, Edges::Torus);
        scene.world.hunters[0].reach = 255;
        scene.rules.noise = Noise { vector: ONE / 4, time: 2, length: 9, ..Noise::default() };
        let steps = size(3, 6);
        let expected = scene.after(steps, &chain(PAPER), Player::PLAIN);
        assert_ne!(expected, scene.start, "nothing moved");
        for player in cpus().filter(|player| matches!(player, Player::Cpu { threads: 3, .. })) {
            compare(&expected, &scene, &chain(DEFAULT), steps, player);
        }
    }
}

/// The default chain plays every preset on every CPU player (in the suite, on three). Every preset is also played by
/// three other chains (in the suite, by one), so that each chain meets several presets.
#[test]
fn every_preset_is_the_same_on_every_cpu() {
    for chain in crate::support::scenes::cell_chains().map(chain) {
        let is_default = chain.name == DEFAULT;
        let steps = if is_default { 24 } else { 10 };
        for (index, name) in presets().enumerate() {
            let scene = Scene::built_in(name, SIZE[0], SIZE[1]);
            let expected = scene.after(steps, &chain, Player::PLAIN);
            assert_ne!(expected, scene.start, "{name}: nothing moved");
            let others: Vec<Player> = cpus().filter(|player| *player != Player::PLAIN).collect();
            let met = if is_default { size(3, others.len()) } else { size(1, 3) };
            for player in others.iter().cycle().skip(index).take(met) {
                compare(&expected, &scene, &chain, steps, *player);
            }
        }
    }
}

#[test]
fn every_preset_is_the_same_on_the_gpu() {
    if adapter::shared("the presets on the GPU").is_none() {
        return;
    }
    let [paper, default, gather] = [PAPER, DEFAULT, GATHER].map(chain);
    for (index, name) in presets().enumerate() {
        let scene = Scene::built_in(name, SIZE_ON_GPU[0], SIZE_ON_GPU[1]);
        // Each shape of workgroup plays some of the presets, and so does each of the two other chains. Together the
        // presets use every kernel.
        let compute = Player::Compute(WORKGROUPS[index % WORKGROUPS.len()]);
        let other = [&paper, &gather][index % 2];
        let players = [compute, Player::Fragment];
        // The suite plays the first two presets completely. Of the other presets it plays every second one, by the
        // default chain and one player.
        let is_whole = index < 2 || size(false, true);
        if !is_whole && !is_played(index, 2) {
            continue;
        }
        let of_default = if is_whole { &players[..] } else { &players[index / 2 % 2..][..1] };
        let of_other = &players[index / 2 % 2..][..usize::from(is_whole)];
        for (chain, players) in [(&default, of_default), (other, of_other)] {
            let steps = if chain.name == DEFAULT { 14 } else { 6 };
            let expected = scene.after(steps, if chain.name == GATHER { chain } else { &paper }, Player::quick());
            for player in players {
                compare(&expected, &scene, chain, steps, *player);
            }
        }
    }
}

#[test]
fn every_workgroup_is_as_good() {
    if adapter::shared("workgroups of every shape").is_none() {
        return;
    }
    let chain = chain(DEFAULT);
    let mut scene = Scene::busy(67, 35, Edges::Torus);
    // Software adapters take longer to compile a kernel with a wider sight.
    scene.rules.sights.values_mut().for_each(|sight| *sight = Sight::square(1).unwrap());
    let expected = scene.after(20, &chain, Player::quick());
    let extremes = [[1, 1], [1, 5], [256, 1], [1, 256], [16, 16]];
    for workgroup in extremes.into_iter().chain(WORKGROUPS).take(size(3, usize::MAX)) {
        compare(&expected, &scene, &chain, 20, Player::Compute(workgroup));
    }
}

#[test]
fn random_worlds_are_the_same_on_every_cpu() {
    for chain in crate::support::scenes::cell_chains().map(chain) {
        for seed in 0..size(60, 200) {
            let scene = Scene::random(seed);
            let expected = scene.after(5, &chain, Player::PLAIN);
            for player in cpus().filter(|player| *player != Player::PLAIN) {
                compare(&expected, &scene, &chain, 5, player);
            }
        }
    }
}

#[test]
fn random_worlds_are_the_same_on_the_gpu() {
    if adapter::shared("random worlds on the GPU").is_none() {
        return;
    }
    for seed in 0..size(3, 16) {
        let scene = Scene::random(seed);
        let [played, expected] = if seed % 5 == 4 { [GATHER; 2] } else { [DEFAULT, PAPER] };
        let workgroup = WORKGROUPS[seed as usize % WORKGROUPS.len()];
        for player in [Player::Compute(workgroup), Player::Fragment] {
            scene.assert_swarms_are_played_alike(Scene::with_another_swarm, 5, [played, expected], player);
        }
    }
}

/// The first hunter makes the engine compile the kernels again. The new kernels stay after the hunter has gone.
#[test]
fn a_hunter_may_come_and_go_on_the_gpu() {
    if adapter::shared("hunters that come and go on the GPU").is_none() {
        return;
    }
    let chain = chain(DEFAULT);
    let mut hunted = Scene::busy(41, 35, Edges::Walls);
    hunted.rules.sights.values_mut().for_each(|sight| *sight = Sight::square(1).unwrap());
    let mut alone = hunted.clone();
    alone.world.hunters.clear();
    let after = |player| {
        let mut game = alone.play(&chain, player);
        [&alone, &hunted, &alone].map(|scene| {
            game.set_hunters(&scene.world.hunters);
            game.advance(3);
            game.state()
        })
    };
    let [quiet, hunted, later] = after(Player::quick());
    assert_ne!(hunted, alone.after(6, &chain, Player::quick()), "the hunter is felt");
    for player in [Player::Compute([8, 8]), Player::Fragment] {
        for (expected, actual) in [&quiet, &hunted, &later].into_iter().zip(&after(player)) {
            assert_same(expected, actual, &format!("{player}"));
        }
    }
}

/// The GPU computes the noise for strips of cells. A strip crosses several knots of the noise, or begins between two
/// knots. Each cell must have the noise that it has on the CPU.
#[test]
fn noise_in_strips_is_the_same_on_the_gpu() {
    if adapter::shared("noise in strips on the GPU").is_none() {
        return;
    }
    let chain = chain(DEFAULT);
    for (edges, length, time) in [(EDGES[0], 1, 3), (EDGES[0], 7, 1), (EDGES[1], 9, 5), (EDGES[1], 40, 1)] {
        let mut scene = Scene::busy(37, 83, edges);
        scene.rules.sights.values_mut().for_each(|sight| *sight = Sight::square(1).unwrap());
        scene.rules.noise = Noise { vector: ONE / 4, time, length, ..Noise::default() };
        scene.rules.noise.set_angle(0.7);
        let expected = scene.after(4, &chain, Player::quick());
        let mut quiet = scene.clone();
        quiet.rules.noise = Noise::default();
        assert_ne!(expected, quiet.after(4, &chain, Player::quick()), "the noise is felt");
        compare(&expected, &scene, &chain, 4, Player::Compute([8, 8]));
    }
}

/// The adapter sums the lower and the upper 16 bits of densities separately. Densities of full cells have bits in both
/// halves.
#[test]
fn the_adapter_counts_as_the_state_does() {
    if adapter::shared("the ledger on the GPU").is_none() {
        return;
    }
    let chain = chain(DEFAULT);
    for (width, height) in [(1, 1), (67, 35), (4096, 4), (3, 1025)] {
        let mut scene = Scene::random(7);
        scene.world.extents = murmuration_core::world::Extents::flat(width, height);
        (scene.world.solids, scene.world.margin, scene.world.capacity) = (Default::default(), 0, u32::MAX);
        scene.world.hunters.clear();
        scene.start = State::empty(scene.world.extents);
        scene.start.layers[0].density.fill(u32::MAX);
        for player in [Player::Compute([64, 1]), Player::Fragment] {
            let mut game = scene.play(&chain, player);
            assert_eq!(game.lost(), 0, "{width}x{height}: {player}");
            game.advance(1);
            assert_eq!(game.lost(), 0, "{width}x{height}: {player}");
            assert_eq!(game.state().total(), scene.start.total(), "{width}x{height}: {player}");
        }
    }
}

/// After a state has replaced another state, the engine continues as from a start with the new state. The result does
/// not depend on the buffer that contained the replaced state.
#[test]
fn a_swarm_goes_on_from_any_state() {
    let mut players: Vec<Player> = cpus().collect();
    if adapter::shared("states put into the GPU engine").is_some() {
        players.extend([Player::Compute([64, 1]), Player::Fragment]);
    }
    let chain = chain(DEFAULT);
    let mut scene = Scene::built_in(&fixture("ribbons"), 61, 43);
    let middle = scene.after(7, &chain, Player::PLAIN);
    let end = scene.after(12, &chain, Player::PLAIN);
    for player in players {
        let mut game = scene.play(&chain, player);
        game.advance(7);
        assert_same(&middle, &game.state(), &format!("before: {player}"));
        game.advance(4);
        game.put(&middle, 7);
        game.advance(5);
        assert_same(&end, &game.state(), &format!("after: {player}"));
    }
    scene.start = middle;
    let onward = scene.after(5, &chain, Player::PLAIN);
    assert_same(&end, &onward, "the swarm of ribbons, which depends on no step's number");
}

/// The bounds of `docs/design.md, Numbers` are reached: the maximum number or the maximum reach of perceptual vectors,
/// every cell full, every control vector and weight at its maximum. Overflow is checked on the CPU in these builds. The
/// GPU does not check it, and must agree.
#[test]
fn the_largest_sums_fit() {
    let far: Vec<[i32; 2]> = (-255..=255).step_by(2).flat_map(|x| [[x, 255], [255, x], [-255, x]]).collect();
    let far: std::collections::BTreeSet<[i32; 2]> = far.into_iter().collect();
    let sights = [Sight::square(31), Sight::list(&far.into_iter().collect::<Vec<_>>()), Sight::disc(35 << 10)];
    for (index, sight) in sights.into_iter().enumerate() {
        let mut scene = Scene::busy(67, 35, Edges::Torus);
        scene.name += &format!(", the largest sums of sight {index}");
        let sight = sight.unwrap();
        scene.rules.sights.values_mut().for_each(|own| *own = sight.clone());
        scene.rules.weights.values_mut().for_each(|weight| *weight = WEIGHT_LIMIT);
        (scene.rules.shift, scene.rules.crowd, scene.rules.keep) = (0, 1, 1024);
        (scene.rules.cruise, scene.rules.max) = (0, 2 * ONE);
        scene.world.solids = Default::default();
        scene.start.layers[0].density.fill(u32::MAX);
        scene.start.layers[0].control.fill(pack([ONE, -ONE]));
        let expected = scene.after(2, &chain(PAPER), Player::PLAIN);
        for chain in [PAPER, DEFAULT].map(chain) {
            for player in cpus() {
                compare(&expected, &scene, &chain, 2, player);
            }
            if adapter::shared("the largest sums on the GPU").is_some() {
                compare(&expected, &scene, &chain, 2, Player::Fragment);
            }
        }
    }
}
