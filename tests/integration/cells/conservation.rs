//! No boid is lost (invariant 1), and no cell exceeds its capacity.

use crate::support::random::Random;
use crate::support::scenes::{EDGES, Game, Player, Scene, chain, presets};
use crate::support::size;
use murmuration_core::cells::numbers::Distribution;
use murmuration_core::chain::DEFAULT;
use murmuration_core::numbers::{BOID, ONE};
use murmuration_core::world::Edges;

fn game(scene: &Scene) -> Game {
    scene.play(&chain(DEFAULT), Player::quick())
}

/// Plays `steps` steps and checks after every `every` steps: nothing is lost, and no cell exceeds its capacity. Only
/// cells under a solid may do so, if they did at the start.
fn keep(scene: &Scene, steps: u64, every: u64) {
    let mut game = game(scene);
    let capacities = scene.world.capacities();
    let total = scene.start.total();
    for step in (every..=steps).step_by(every as usize) {
        game.advance(every);
        assert_eq!(game.lost(), 0, "{} at step {step}", scene.name);
        let state = game.state();
        let left = total - game.caught();
        assert_eq!(state.total(), left, "{} at step {step}: the engine's sum is not that of its state", scene.name);
        for (cell, (now, capacity)) in state.layers[0].density.iter().zip(&capacities).enumerate() {
            let most = (*capacity).max(scene.start.layers[0].density[cell]);
            assert!(*now <= most, "{} at step {step}: {now} quanta in cell {cell}, which holds {most}", scene.name);
        }
    }
}

#[test]
fn every_preset_keeps_every_boid() {
    for name in presets() {
        keep(&Scene::built_in(name, 61, 127), size(300, 1000), 50);
    }
}

#[test]
fn every_way_to_move_keeps_every_boid() {
    for edges in EDGES {
        for distribution in Distribution::ALL {
            let mut scene = Scene::busy(31, 17, edges);
            scene.name = format!("{} {distribution:?}", scene.name);
            scene.rules.distribution = distribution;
            // With `keep` = 0, as in the paper, stripes and crowds appear. Both values of `keep` are tried.
            scene.rules.keep = if distribution == Distribution::ALL[0] { 0 } else { 1024 };
            keep(&scene, size(3000, 10_000), 100);
        }
    }
}

#[test]
fn all_boids_in_one_cell_stay_as_many() {
    for edges in EDGES {
        for corner in [0, 31 * 8 + 15] {
            let mut scene = Scene::busy(31, 17, edges);
            scene.name += ", all in one cell";
            scene.world.solids = Default::default();
            scene.start.layers[0].density.fill(0);
            scene.start.layers[0].density[corner] = u32::MAX;
            keep(&scene, 3000, 10);
        }
    }
}

#[test]
fn full_cells_take_nothing() {
    for edges in EDGES {
        for capacity in [1, 7, 8, BOID, 3 * BOID + 5] {
            let mut scene = Scene::busy(31, 17, edges);
            scene.name += &format!(", capacity {capacity}");
            scene.world.capacity = capacity;
            let mut random = Random::new(u64::from(capacity));
            // Most cells are full, some nearly full, some empty.
            let fill = |solid: &bool| match (solid, random.below(8)) {
                (true, _) | (_, 0) => 0,
                (_, 1) => capacity - 1,
                _ => capacity,
            };
            scene.start.layers[0].density = scene.world.solids.iter().map(fill).collect();
            keep(&scene, 300, 1);
        }
    }
}

#[test]
fn cells_at_the_end_of_32_bits_do_not_overflow() {
    for edges in EDGES {
        for distribution in Distribution::ALL {
            let mut scene = Scene::busy(31, 17, edges);
            scene.name += &format!(", nearly 2^32 everywhere, {distribution:?}");
            scene.rules.distribution = distribution;
            scene.rules.wander = 2048;
            let mut random = Random::new(32);
            scene.start.layers[0].density = (0..31 * 17).map(|_| u32::MAX - (random.amount() >> 20)).collect();
            scene.start.layers[0].density[9] = 0;
            scene.world.solids = Default::default();
            keep(&scene, 500, 5);
        }
    }
}

#[test]
fn a_maze_keeps_every_boid_and_stays_empty_itself() {
    for edges in EDGES {
        for distribution in Distribution::ALL {
            let mut scene = Scene::busy(31, 17, edges);
            scene.name += &format!(", a maze, {distribution:?}");
            scene.rules.distribution = distribution;
            // Corridors one cell wide, with gaps alternately at the top and at the bottom. They have many dead ends and
            // corners.
            let wall = |cell: usize| {
                let (x, y) = (cell % 31, cell / 31);
                let gap = if x % 4 == 1 { 0 } else { 16 };
                (x % 2 == 1 && y != gap) || (x % 6 == 2 && y % 5 == 3)
            };
            scene.world.solids = (0..31 * 17).map(wall).collect::<Vec<_>>().into();
            let solid = |cell: usize| scene.world.solids[cell];
            for cell in (0..31 * 17).filter(|cell| solid(*cell)) {
                scene.start.layers[0].density[cell] = 0;
            }
            keep(&scene, 2000, 20);
        }
    }
}

#[test]
fn boids_under_a_solid_stay_until_they_leave_and_none_comes() {
    for edges in EDGES {
        let mut scene = Scene::busy(31, 17, edges);
        scene.name += ", a solid painted over boids";
        // The jaws would reach into the solid.
        scene.world.hunters[0].jaws = 0;
        // A block of solids over a dense swarm. Boids can leave the cells at its rim, but not the inner cells.
        scene.world.solids = (0..31 * 17)
            .map(|cell| (8..20).contains(&(cell % 31)) && (5..13).contains(&(cell / 31)))
            .collect::<Vec<_>>()
            .into();
        scene.start.layers[0].density.fill(BOID);
        keep(&scene, 1, 1);
        let mut game = game(&scene);
        let mut before = scene.start.clone();
        for step in 0..300 {
            game.advance(1);
            let now = game.state();
            for cell in (0..31 * 17).filter(|cell| scene.world.solids[*cell]) {
                assert!(
                    now.layers[0].density[cell] <= before.layers[0].density[cell],
                    "step {step}: boids came into the solid {cell}"
                );
                let (x, y) = (cell % 31, cell / 31);
                if (9..19).contains(&x) && (6..12).contains(&y) {
                    assert_eq!(
                        now.layers[0].density[cell], BOID,
                        "step {step}: boids left the cell {cell} through solids"
                    );
                }
            }
            before = now;
        }
        let rim = 8 + 31 * 8;
        assert!(before.layers[0].density[rim] < BOID, "nobody ever left the rim of the solid");
        assert_eq!(game.lost(), 0);
    }
}

#[test]
fn lattices_smaller_than_the_sight_keep_every_boid() {
    for edges in EDGES {
        for (width, height) in [(1, 1), (1, 2), (2, 1), (1, 23), (23, 1), (2, 2), (2, 19), (19, 2), (3, 3), (5, 4)] {
            for distribution in Distribution::ALL {
                let mut scene = Scene::busy(width, height, edges);
                scene.rules.distribution = distribution;
                scene.world.solids = Default::default();
                keep(&scene, 2000, 20);
            }
        }
    }
}

#[test]
fn random_worlds_keep_every_boid() {
    for seed in 0..300 {
        keep(&Scene::random(seed), 20, 2);
    }
}

/// Deep worlds with every feature, both edges and every distribution method.
fn deep_scenes(extents: [u32; 3]) -> impl Iterator<Item = Scene> {
    let ways = EDGES.into_iter().flat_map(|edges| Distribution::ALL.map(|distribution| (edges, distribution)));
    ways.map(move |(edges, distribution)| {
        let mut scene = Scene::busy_deep(extents, edges);
        scene.name += &format!(", {distribution:?}");
        scene.rules.distribution = distribution;
        scene
    })
}

/// Up to 26 cells give to one cell. Each gives at most 1/26 of the room in that cell.
#[test]
fn full_deep_cells_take_nothing() {
    for capacity in [1, 25, 26, 27, 52, BOID, 3 * BOID + 5, u32::MAX] {
        let mut random = Random::new(u64::from(capacity));
        for mut scene in deep_scenes([11, 7, 5]) {
            scene.name += &format!(", capacity {capacity}");
            scene.world.capacity = capacity;
            scene.rules.wander = 2048;
            // Most cells are full, some nearly full, some empty.
            let fill = |solid: &bool| match (solid, random.below(8)) {
                (true, _) | (_, 0) => 0,
                (_, 1) => capacity - random.below(27.min(u64::from(capacity))) as u32,
                _ => capacity,
            };
            scene.start.layers[0].density = scene.world.solids.iter().map(fill).collect();
            keep(&scene, 60, 2);
        }
    }
}

/// The 26 neighbours of an empty cell are full, and all head for it.
#[test]
fn a_deep_cell_takes_from_26_at_once() {
    for capacity in [26, 27, 1000, u32::MAX] {
        let mut scene = Scene::busy_deep([3; 3], Edges::Walls);
        scene.name += &format!(", towards the middle, capacity {capacity}");
        (scene.world.solids, scene.world.hunters) = (Default::default(), Vec::new());
        scene.world.capacity = capacity;
        (scene.rules.wander, scene.rules.rest) = (0, 0);
        scene.rules.weights.values_mut().for_each(|weight| *weight = 0);
        let middle = 13;
        for cell in 0..27 {
            scene.start.layers[0].density[cell] = if cell == middle { 0 } else { capacity };
            scene.start.layers[0].set_velocity(cell, scene.world.extents.cell(cell).map(|place| (1 - place) * ONE));
        }
        (scene.rules.max, scene.rules.cruise) = (2 * ONE, 0);
        let after = scene.after(1, &chain(DEFAULT), Player::quick());
        assert_eq!(after.layers[0].density[middle], 26 * (capacity / 26), "{}", scene.name);
        keep(&scene, 100, 1);
    }
}

#[test]
fn deep_cells_at_the_end_of_32_bits_do_not_overflow() {
    for mut scene in deep_scenes([11, 7, 5]) {
        scene.name += ", nearly 2^32 everywhere";
        scene.rules.wander = 2048;
        let mut random = Random::new(32);
        scene.start.layers[0].density.fill_with(|| u32::MAX - (random.amount() >> 20));
        scene.start.layers[0].density[9] = 0;
        scene.world.solids = Default::default();
        keep(&scene, 200, 5);
    }
}

/// Amounts so small that every share is rounded down to nothing or to a quantum.
#[test]
fn deep_dust_is_kept() {
    for rest in [0, 1, 16, 27] {
        for mut scene in deep_scenes([11, 7, 5]) {
            scene.name += &format!(", dust, rest {rest}");
            (scene.rules.rest, scene.rules.wander) = (rest, 2048);
            let mut random = Random::new(26);
            scene.start.layers[0].density.fill_with(|| random.below(27) as u32);
            keep(&scene, 100, 4);
        }
    }
}

#[test]
fn a_maze_of_voxels_keeps_every_boid_and_stays_empty_itself() {
    for mut scene in deep_scenes([13, 9, 9]) {
        scene.name += ", a maze";
        // Plates one cell thick with holes alternately in opposite corners, and pillars between them.
        let wall = |cell: usize| {
            let [x, y, z] = scene.world.extents.cell(cell);
            let hole = if x % 4 == 1 { [0, 0] } else { [8, 8] };
            (x % 2 == 1 && [y, z] != hole) || (x % 4 == 2 && y % 3 == 1 && z % 2 == 1)
        };
        let solids: Vec<bool> = (0..scene.world.extents.cells()).map(wall).collect();
        for (density, solid) in scene.start.layers[0].density.iter_mut().zip(&solids) {
            *density *= u32::from(!solid);
        }
        scene.world.solids = solids.into();
        keep(&scene, 200, 10);
    }
}

#[test]
fn deep_lattices_smaller_than_the_sight_keep_every_boid() {
    for extents in
        [[1, 1, 1], [1, 1, 2], [1, 1, 19], [1, 19, 1], [19, 1, 1], [2, 2, 2], [2, 1, 7], [7, 5, 3], [3, 3, 3]]
    {
        for mut scene in deep_scenes(extents) {
            scene.world.solids = Default::default();
            keep(&scene, 300, 10);
        }
    }
}

#[test]
fn all_boids_in_one_voxel_stay_as_many() {
    for mut scene in deep_scenes([9, 7, 5]) {
        scene.name += ", all in one cell";
        scene.world.solids = Default::default();
        scene.start.layers[0].density.fill(0);
        scene.start.layers[0].density[0] = u32::MAX;
        keep(&scene, 300, 5);
    }
}

/// The paper's gather moves densities as textures are advected. It loses boids, and the ledger must report it.
#[test]
fn the_ledger_sees_what_the_papers_gather_loses() {
    let chain = chain("paper-gather");
    assert!(!chain.conserves);
    for name in ["paper", "droplets"] {
        let scene = Scene::built_in(name, 61, 127);
        let mut game = scene.play(&chain, Player::quick());
        game.advance(100);
        let lost = game.lost();
        assert_ne!(lost, 0, "{name}");
        assert_eq!(i128::from(scene.start.total()) - i128::from(lost), i128::from(game.state().total()), "{name}");
    }
}

/// Takes minutes: `cargo test --release --test integration -- --ignored a_million_steps`
#[test]
#[ignore = "minutes long"]
fn a_million_steps_lose_nothing() {
    let mut scene = Scene::busy(32, 32, Edges::Torus);
    scene.name += ", a million steps";
    keep(&scene, 1_000_000, 10_000);
}
