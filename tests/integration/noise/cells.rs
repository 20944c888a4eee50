//! A step of cells is steering, noise and movement. It commutes with every symmetry of the world if the field of noise
//! is transformed too.

use crate::cells::symmetry::Symmetry;
use crate::support::scenes::{EDGES, Player, Scene, assert_same, chain, chain_of};
use murmuration_core::chain::{Chain, DEFAULT};
use murmuration_core::noise::draw::Draws;
use murmuration_core::noise::lattice::RowNoise;
use murmuration_core::noise::turn::with_noise;
use murmuration_core::noise::{Noise, NoiseNumbers};
use murmuration_core::numbers::{ONE, Vector3};
use murmuration_core::state::State;
use murmuration_core::world::Extents;

/// A part of a chain, with its fields: if `moves`, the passes after the noise, else the passes before the noise.
fn part(name: &str, moves: bool) -> Chain {
    let text = murmuration::host().library().text(&format!("passes/{name}.toml")).unwrap();
    let (before, after) = text.split_at(text.find("[[pass]]\nkernel = \"outflow").unwrap());
    let (fields, steering) = before.split_at(before.find("[[pass]]").unwrap());
    let fields = fields.lines().filter(|line| {
        let is_field = line.ends_with("\"vector\"") || line.ends_with("\"amount\"");
        !is_field || line.starts_with("outflow") == moves
    });
    chain_of(&format!("{}\n{}", fields.collect::<Vec<_>>().join("\n"), if moves { after } else { steering }))
}

/// The parts of a step, for worlds with this number of axes.
struct Parts {
    steering: Chain,
    movement: Chain,
}

impl Parts {
    fn new(axes: usize) -> Self {
        let name = if axes == 3 { "cell-deep" } else { "cell" };
        Self { steering: part(name, false), movement: part(name, true) }
    }

    /// The state after one step with a given field of noise: one draw per cell.
    fn step<const AXES: usize>(&self, scene: &Scene, field: &[Draws<i32, AXES>]) -> State {
        let mut scene = scene.clone();
        let noise = std::mem::take(&mut scene.rules.noise);
        let numbers = NoiseNumbers::new(&noise, 0);
        assert_eq!(scene.rules.rest, 0, "every cell is steered");
        let mut state = scene.after(1, &self.steering, Player::quick());
        for (index, draws) in field.iter().enumerate() {
            let v = state.layers[0].velocity(index);
            let turned = with_noise(std::array::from_fn(|axis| v[axis]), &numbers, draws);
            let held = |axis: usize| turned.get(axis).map_or(0, |component: &i32| (*component).clamp(-ONE, ONE));
            state.layers[0].set_velocity(index, [held(0), held(1), held(2)]);
        }
        scene.start = state;
        scene.after(1, &self.movement, Player::quick())
    }
}

/// The field of noise in the first step of a scene.
fn drawn<const AXES: usize>(scene: &Scene) -> Vec<Draws<i32, AXES>> {
    let Extents { width, height, .. } = scene.world.extents;
    let (extents, edges) = (scene.world.extents, scene.world.edges);
    let numbers = NoiseNumbers::on_lattice(&scene.rules.noise, 0, extents, edges);
    let cells =
        (0..extents.cells() as u32).map(|index| [index % width, index / width % height, index / width / height]);
    // The scenes have the seed 0.
    cells
        .map(|cell| {
            let [x, y, z] = cell.map(|place| place as i32);
            RowNoise::new(&numbers, 0, extents, edges, [y, z]).draws(x)
        })
        .collect()
}

fn noise(angle: f64, vector: i32, time: u32, length: u32) -> Noise {
    let mut noise = Noise { vector, time, length, ..Noise::default() };
    noise.set_angle(angle);
    noise
}

/// A scene without hunters, because hunters would break the symmetries.
fn scene<const AXES: usize>(edges: murmuration_core::world::Edges, noise: Noise) -> Scene {
    let mut scene = if AXES == 3 { Scene::busy_deep([9, 8, 7], edges) } else { Scene::busy(19, 13, edges) };
    (scene.rules.noise, scene.rules.wander) = (noise, 0);
    scene.world.hunters.clear();
    scene.rules.weights.insert("roost".into(), 0);
    scene
}

fn a_step_has_three_parts<const AXES: usize>() {
    let parts = Parts::new(AXES);
    for edges in EDGES {
        for noise in [noise(2.0, 0, 1, 1), noise(0.0, ONE / 2, 4, 1), noise(6.0, ONE, 3, 5)] {
            let scene = scene::<AXES>(edges, noise);
            let expected = parts.step(&scene, &drawn::<AXES>(&scene));
            assert_same(&expected, &scene.after(1, &chain(DEFAULT), Player::PLAIN), &format!("{noise:?}, {edges:?}"));
            let still = Scene {
                rules: murmuration_core::cells::numbers::Rules { noise: Noise::default(), ..scene.rules.clone() },
                ..scene
            };
            assert_ne!(expected, still.after(1, &chain(DEFAULT), Player::quick()), "noise turned nobody");
        }
    }
}

#[test]
fn a_step_is_steering_noise_and_movement() {
    a_step_has_three_parts::<2>();
    a_step_has_three_parts::<3>();
}

/// Transforms a field of noise by a symmetry. Vectors are transformed like places. In a flat world the random parts of
/// an angle change their sign if the symmetry is a reflection.
fn moved<const AXES: usize>(field: &[Draws<i32, AXES>], symmetry: Symmetry, extents: Extents) -> Vec<Draws<i32, AXES>> {
    let mut moved = field.to_vec();
    let [x, y, _]: [Vector3; 3] = [[1, 0, 0], [0, 1, 0], [0, 0, 1]].map(|axis| symmetry.vector(axis));
    let hand = x[0] * y[1] - x[1] * y[0];
    for (index, draws) in field.iter().enumerate() {
        let vector = |v: [i32; AXES]| -> [i32; AXES] {
            let image = symmetry.vector([v[0], v[1], v.get(2).copied().unwrap_or(0)]);
            std::array::from_fn(|axis| image[axis])
        };
        let angle = if AXES == 2 { draws.angle.map(|part| hand * part) } else { vector(draws.angle) };
        moved[symmetry.index(index, extents)] = Draws { angle, vector: vector(draws.vector), ..*draws };
    }
    moved
}

fn a_step_commutes<const AXES: usize>(symmetries: &[Symmetry]) {
    let parts = Parts::new(AXES);
    for edges in EDGES {
        for noise in [noise(2.0, 0, 1, 1), noise(1.0, ONE / 2, 1, 1)] {
            let scene = scene::<AXES>(edges, noise);
            let field = drawn::<AXES>(&scene);
            let after = parts.step(&scene, &field);
            for symmetry in symmetries {
                let image = symmetry.scene(&scene);
                let found = parts.step(&image, &moved(&field, *symmetry, scene.world.extents));
                assert_same(&symmetry.state(&after), &found, &format!("{noise:?}, {}", image.name));
            }
        }
    }
}

#[test]
fn a_step_commutes_with_every_symmetry_if_the_field_is_transformed_too() {
    a_step_commutes::<2>(&Symmetry::of_the_square().collect::<Vec<_>>());
    a_step_commutes::<3>(&Symmetry::of_the_cube().collect::<Vec<_>>());
}

#[test]
fn a_step_commutes_with_every_shift_of_a_torus_if_the_field_is_shifted_too() {
    let parts = Parts::new(2);
    let scene = scene::<2>(EDGES[0], noise(2.0, ONE / 3, 1, 1));
    let field = drawn::<2>(&scene);
    let after = parts.step(&scene, &field);
    for shift in [[1, 0], [0, 1], [18, 12], [-5, 9]] {
        let symmetry = Symmetry::shift(shift);
        let found = parts.step(&symmetry.scene(&scene), &moved(&field, symmetry, scene.world.extents));
        assert_same(&symmetry.state(&after), &found, &format!("{shift:?}"));
    }
}
