//! The movement in deep worlds against f64: the shares of a moving cell in eight cells, and wandering.

use crate::deep::oracle::{AXES, FLOAT, Real3, cell_at, heading, plus};
use crate::support::random::Random;
use crate::support::scenes::{Player, Scene, chain_of};
use murmuration_core::cells::numbers::Distribution;
use murmuration_core::numbers::{BOID, ONE};
use murmuration_core::state::State;
use murmuration_core::world::Edges;

/// The movement of the two chains of deep worlds, without the rules. The first stores the amounts that flow between
/// cells in fields. The second computes an amount again in each cell that needs it.
const MOVEMENTS: [&str; 2] = [
    r#"
        description = "stored"
        [fields]
        outflow_x = "amount"
        outflow_y = "amount"
        outflow_z = "amount"
        outflow_xy = "amount"
        outflow_xz = "amount"
        outflow_yz = "amount"
        outflow_xyz = "amount"
        [[pass]]
        kernel = "outflow_along_axes"
        read = ["density", "capacity", "control"]
        write = ["control", "outflow_x", "outflow_y", "outflow_z"]
        [[pass]]
        kernel = "outflow_along_diagonals"
        read = ["density", "capacity", "control"]
        write = ["outflow_xy", "outflow_xz", "outflow_yz", "outflow_xyz"]
        [[pass]]
        kernel = "advect_deep"
        read = [
            "density", "control", "outflow_x", "outflow_y", "outflow_z",
            "outflow_xy", "outflow_xz", "outflow_yz", "outflow_xyz",
        ]
        write = ["density", "control"]
    "#,
    r#"
        description = "worked out"
        [[pass]]
        kernel = "movement"
        read = ["density", "capacity", "control"]
        write = ["density", "control"]
    "#,
];

/// A torus with boids at rest. Every third cell along each axis moves, so that no two moving cells reach one cell.
fn movers(random: &mut Random) -> Scene {
    const SIDE: u32 = 9;
    let mut scene = Scene::busy_deep([SIDE; 3], Edges::Torus);
    scene.world.solids = Default::default();
    scene.world.hunters.clear();
    scene.world.capacity = *random.pick(&[u32::MAX, u32::MAX - 7, 64 * BOID, 1 << 30]);
    (scene.rules.wander, scene.rules.distribution) = (0, Distribution::Bilinear);
    let most = scene.world.capacity;
    let component = |random: &mut Random| match random.below(6) {
        0 => 0,
        1 => *random.pick(&[1, -1, ONE, -ONE, ONE - 1, 1 - ONE, 127, -128]),
        _ => random.between(i64::from(-ONE), i64::from(ONE)) as i32,
    };
    for cell in 0..scene.world.extents.cells() {
        scene.start.layers[0].density[cell] = random.amount().min(most);
        let is_mover = scene.world.extents.cell(cell).iter().all(|place| place % 3 == 0);
        let v = if is_mover { [0; 3].map(|_| component(random)) } else { [0; 3] };
        scene.start.layers[0].set_velocity(cell, v);
    }
    scene
}

/// A cell with D quanta and the velocity V gives the part w_x·w_y·w_z of D to each of seven neighbours ahead. On an
/// axis w is |V| if the neighbour lies ahead on this axis, else 1 - |V|. A neighbour gets at most 1/26 of its room.
///
/// Rounding down twice reduces each amount by at most 1 + D/2^16 quanta. If the neighbour has too little room, a third
/// rounding reduces the amount by at most 1. Quanta that are not given stay in the cell.
#[test]
fn a_boid_of_a_deep_world_is_shared_among_the_eight_cells() {
    let mut random = Random::new(11);
    let (mut shared, mut held_back) = (0, 0);
    for round in 0..60 {
        let scene = movers(&mut random);
        let ends = scene.after(1, &chain_of(MOVEMENTS[round % 2]), Player::quick());
        assert_eq!(ends.total(), scene.start.total());
        for cell in 0..scene.world.extents.cells() {
            let x = scene.world.extents.cell(cell);
            if x.iter().any(|place| place % 3 != 0) {
                continue;
            }
            let amount = f64::from(scene.start.layers[0].density[cell]);
            let v = heading(&scene, cell);
            let mut left = amount;
            for ahead in 1..8usize {
                let is_ahead = |axis: usize| ahead >> axis & 1 == 1;
                let weight: f64 =
                    AXES.iter().map(|&axis| if is_ahead(axis) { v[axis].abs() } else { 1.0 - v[axis].abs() }).product();
                let step = AXES.map(|axis| {
                    if !is_ahead(axis) {
                        0
                    } else if v[axis] < 0.0 {
                        -1
                    } else {
                        1
                    }
                });
                let there = cell_at(&scene, plus(x, step)).unwrap();
                let room = f64::from(scene.world.capacity - scene.start.layers[0].density[there]) / 26.0;
                let (wanted, given) =
                    (amount * weight, f64::from(ends.layers[0].density[there] - scene.start.layers[0].density[there]));
                let short = wanted.min(room) - given;
                let floors = 1.0 + amount / 65536.0;
                assert!((-FLOAT..floors + FLOAT).contains(&short), "{x:?} {v:?} {amount}: {short}");
                if wanted >= room + floors {
                    assert_eq!(given, room.floor(), "{x:?} {v:?} {amount}");
                    held_back += 1;
                }
                left -= given;
                shared += usize::from(given > 0.0);
                check_mean(&scene, &ends, there, given, v);
            }
            assert_eq!(f64::from(ends.layers[0].density[cell]), left, "what is not given stays");
            assert_eq!(heading(&scene, cell), heading_of(&ends, cell), "what stays is headed as before");
        }
    }
    assert!(shared > 4000 && held_back > 500, "{shared} and {held_back}");
}

fn heading_of(state: &State, cell: usize) -> Real3 {
    state.layers[0].velocity(cell).map(|component| f64::from(component) / f64::from(ONE))
}

/// Arriving boids with the velocity V mix with resting boids. The new velocity of the cell is the mean weighted by
/// amounts, rounded once. If the cell holds 2^17 quanta or more, the weights are rounded down to 16 bits or more. This
/// changes the mean by at most |V| / (2^16 - 2).
fn check_mean(scene: &Scene, ends: &State, cell: usize, given: f64, v: Real3) {
    let there = f64::from(scene.start.layers[0].density[cell]);
    let mean = if given + there > 0.0 { given / (given + there) } else { 0.0 };
    let weights = if given + there < f64::from(1 << 17) { 0.0 } else { 1.0 / 65534.0 };
    let actual = ends.layers[0].velocity(cell);
    for axis in AXES {
        let wanted = v[axis] * mean * f64::from(ONE);
        let bound = 0.5 + weights * v[axis].abs() * f64::from(ONE) + FLOAT;
        assert!((f64::from(actual[axis]) - wanted).abs() <= bound, "{given} to {there}: {actual:?} and not {wanted}");
    }
}

/// Wandering boids go to the six faces in equal parts: the part `wander` of a cell, but at most a sixth of the room.
/// Rounding down leaves less than a quantum for each face.
#[test]
fn what_wanders_in_a_deep_world_goes_to_six_faces() {
    let mut random = Random::new(12);
    let wander = chain_of(
        "description = \"wander\"\n[[pass]]\nkernel = \"wander\"\nread = [\"density\", \"capacity\"]\n\
         write = [\"density\"]\n",
    );
    for _ in 0..40 {
        let mut scene = movers(&mut random);
        scene.rules.wander = random.between(1, 2048) as u32;
        let part = f64::from(scene.rules.wander) / f64::from(ONE);
        // Cells that are three apart give. The others hold too little to give.
        for cell in 0..scene.world.extents.cells() {
            if scene.world.extents.cell(cell).iter().any(|place| place % 3 != 0) {
                scene.start.layers[0].density[cell] = random.below(8) as u32;
            }
        }
        let ends = scene.after(1, &wander, Player::quick());
        for cell in 0..scene.world.extents.cells() {
            let x = scene.world.extents.cell(cell);
            if x.iter().any(|place| place % 3 != 0) {
                continue;
            }
            let amount = f64::from(scene.start.layers[0].density[cell]);
            let mut left = amount;
            for face in 0..6 {
                let step = AXES.map(|axis| if axis == face / 2 { 2 * (face as i32 % 2) - 1 } else { 0 });
                let there = cell_at(&scene, plus(x, step)).unwrap();
                let room = f64::from(scene.world.capacity - scene.start.layers[0].density[there]) / 6.0;
                let given = f64::from(ends.layers[0].density[there] - scene.start.layers[0].density[there]);
                assert_eq!(given, (amount * part).min(room).floor(), "{x:?}: {amount} at {part}");
                left -= given;
            }
            assert_eq!(f64::from(ends.layers[0].density[cell]), left);
        }
    }
}
