//! Thousands of deep worlds. Each is played by both chains, by one and two threads, and turned in another direction,
//! with equal results. Further tests: a chain that skips resting cells, against a chain that computes all cells.

use crate::cells::symmetry::Symmetry;
use crate::deep::gpu::random_with;
use crate::support::random::Random;
use crate::support::scenes::{EDGES, Player, Scene, assert_same, chain};
use crate::support::{adapter, size};
use murmuration_core::cells::sight::Sight;
use murmuration_core::chain::Chain;
use murmuration_core::falcons::Falcon;
use murmuration_core::lanes::InstructionSet;
use murmuration_core::numbers::{BOID, ONE, RULE_ONE};
use murmuration_core::state::State;
use murmuration_core::world::{Edges, FlightNumbers, Hunter, HunterKind, Mood};
use std::num::NonZero;
use std::sync::atomic::{AtomicU64, Ordering};

/// Odd sizes, lines along every axis, and cubes. All are narrower than some sight.
const EXTENTS: [[u32; 3]; 12] = [
    [7, 5, 3],
    [3, 7, 5],
    [1, 1, 1],
    [1, 1, 2],
    [1, 1, 13],
    [17, 1, 1],
    [1, 6, 1],
    [2, 2, 2],
    [4, 4, 4],
    [1, 5, 4],
    [9, 3, 2],
    [5, 5, 1],
];

/// The random world of a seed. In every second world no axis has a special role, so that all 48 symmetries apply.
fn world(seed: u64) -> Scene {
    let mut scene = random_with(seed, &EXTENTS);
    if seed.is_multiple_of(2) {
        scene.world.roost.vertical = RULE_ONE;
        scene.rules.weights.insert("roost".into(), 0);
        for hunter in &mut scene.world.hunters {
            if let HunterKind::Path { is_column, .. } = &mut hunter.kind {
                *is_column = false;
            }
        }
    }
    scene
}

/// Plays a world. Checks that nothing is lost, no velocity is out of bounds, and no cell is above its capacity unless
/// it was so at the start.
fn played(scene: &Scene, chain: &Chain, player: Player, steps: u64) -> State {
    let mut game = scene.play(chain, player);
    game.advance(steps);
    let (state, what) = (game.state(), format!("{}, chain {}: {player}", scene.name, chain.name));
    assert_eq!(game.lost(), 0, "{what}");
    assert_eq!(state.total() + game.caught(), scene.start.total(), "{what}");
    let capacities = scene.world.capacities();
    for cell in 0..state.extents.cells() {
        let most = capacities[cell].max(scene.start.layers[0].density[cell]);
        assert!(
            state.layers[0].density[cell] <= most,
            "{what}: {} quanta in cell {cell}",
            state.layers[0].density[cell]
        );
        let v = state.layers[0].velocity(cell);
        assert!(v.iter().all(|along| along.abs() <= ONE), "{what}: {v:?} in cell {cell}");
    }
    state
}

/// Checks that the other chain, other threads and another direction give equal results.
fn check_world(seed: u64, [deep, fast]: &[Chain; 2]) {
    let (scene, steps) = (world(seed), 1 + seed % 3);
    let other = Player::Cpu { threads: 1 + seed as usize / 2 % 2, set: InstructionSet::widest() };
    let expected = played(&scene, deep, Player::quick(), steps);
    assert_same(&expected, &played(&scene, fast, other, steps), &format!("{}: the other chain", scene.name));
    if scene.rules.noise.is_any() {
        // The field of noise is not part of the state. The tests of noise transform it.
        return;
    }
    let symmetries: Vec<Symmetry> = Symmetry::of_the_cube().filter(|one| one.keeps_vertical(&scene)).collect();
    let symmetry = *Random::new(seed).pick(&symmetries);
    let image = played(&symmetry.scene(&scene), fast, Player::quick(), steps);
    assert_same(&symmetry.state(&expected), &image, &format!("{} {symmetry:?}", scene.name));
}

#[test]
fn thousands_of_small_deep_worlds() {
    let chains = ["cell-deep", "cell-fast"].map(chain);
    let (next, worlds) = (AtomicU64::new(0), size(2_000, 10_000));
    // Each player has its own thread pool. A pool that waits for another pool would start the next world meanwhile.
    std::thread::scope(|scope| {
        for _ in 0..std::thread::available_parallelism().map_or(1, NonZero::get) {
            scope.spawn(|| {
                let seeds = std::iter::repeat_with(|| next.fetch_add(1, Ordering::Relaxed));
                seeds.take_while(|seed| *seed < worlds).for_each(|seed| check_world(seed, &chains));
            });
        }
    });
}

/// A cloud of boids that flies along a sky much longer than the cloud. A falcon hunts the cloud, and the cloud leaves
/// sparse boids behind.
fn cloud(edges: Edges) -> Scene {
    let mut scene = Scene::busy_deep([64, 7, 6], edges);
    scene.name = format!("a cloud, {edges:?}");
    scene.world.solids = Default::default();
    scene.world.capacity = 64 * BOID;
    (scene.rules.rest, scene.rules.wander) = (16, 10);
    scene.rules.sights.insert("cohesion".into(), Sight::contrast([1, 1], 3).unwrap());
    scene.rules.weights.insert("roost".into(), if edges == Edges::Walls { 60 } else { 0 });
    let flight =
        FlightNumbers { start: [9 * 16, 20, 80], speed: 1500, peak: 2400, turn: 500, sight: 14, distance: 8, rest: 9 };
    let hunters = &mut scene.world.hunters;
    hunters.clear();
    hunters.push(Hunter { kind: HunterKind::Falcon(flight), mood: Mood::Flee, reach: 6, jaws: 1 });
    Falcon::set_all(&Falcon::from_world(&scene.world, scene.world.extents.ends()), &mut scene.start.columns);
    for index in 0..scene.start.layers[0].density.len() {
        let [x, y, z] = scene.world.extents.cell(index);
        let is_inside = (x - 20).pow(2) + (y - 4).pow(2) + (z - 3).pow(2) <= 8;
        scene.start.layers[0].density[index] = if is_inside { BOID } else { 0 };
        scene.start.layers[0].set_velocity(index, if is_inside { [ONE / 2, 0, 0] } else { [0; 3] });
    }
    scene
}

/// The fast chain skips resting parts: chunks of cells, and rows without remainders. The paper's chain computes every
/// rule and every amount of every cell, and then drops the results of resting cells.
#[test]
fn what_rests_may_be_left_out_over_1000_steps() {
    const WIDE: usize = 8;
    let [deep, fast] = ["cell-deep", "cell-fast"].map(chain);
    for edges in EDGES {
        let scene = cloud(edges);
        // The players, and the number of steps of each.
        let mut players = vec![(Player::Cpu { threads: 2, set: InstructionSet::widest() }, 1000)];
        if edges == Edges::Walls && adapter::shared("a cloud that rests on the GPU").is_some() {
            players.push((Player::Compute([64, 1]), 400));
        }
        let mut whole = scene.play(&deep, Player::quick());
        let mut others: Vec<_> =
            players.into_iter().map(|(player, steps)| (scene.play(&fast, player), player, steps)).collect();
        // For each block of cells along x, the numbers of checks in which it was awake and at rest.
        let mut looks = vec![[0; 2]; scene.world.extents.width as usize / WIDE];
        for step in (25..=1000).step_by(25) {
            whole.advance(25);
            let expected = whole.state();
            for (game, player, _) in others.iter_mut().filter(|(_, _, steps)| step <= *steps) {
                game.advance(25);
                assert_same(&expected, &game.state(), &format!("{}, {player}, step {step}", scene.name));
            }
            for (block, looks) in looks.iter_mut().enumerate() {
                let is_here = |index: &usize| index % scene.world.extents.width as usize / WIDE == block;
                let mut cells = (0..expected.layers[0].density.len()).filter(is_here);
                looks[usize::from(cells.all(|index| expected.layers[0].density[index] < scene.rules.rest))] += 1;
            }
        }
        assert!(whole.lost() == 0 && whole.caught() > 0, "{} lost, {} caught", whole.lost(), whole.caught());
        let has_changed = looks.iter().filter(|[awake, at_rest]| *awake > 0 && *at_rest > 0).count();
        assert!(has_changed >= 6, "{}: the cloud hardly moves from block to block: {looks:?}", scene.name);
        let at_rest: usize = looks.iter().map(|[_, at_rest]| at_rest).sum();
        assert!(at_rest > 80, "{}: hardly anything rests: {looks:?}", scene.name);
    }
}
