//! No direction is special (invariant 4): a step commutes with rotations, reflections and shifts of the world, bit for
//! bit.

use crate::support::scenes::{EDGES, Player, Scene, assert_same, chain};
use crate::support::size;
use murmuration_core::cells::numbers::Distribution;
use murmuration_core::cells::sight::Sight;
use murmuration_core::chain::DEFAULT;
use murmuration_core::falcons::{Falcon, free_in_cells};
use murmuration_core::numbers::{RULE_ONE, Vector, Vector3};
use murmuration_core::state::State;
use murmuration_core::world::{
    Edges, Extents, FlightNumbers, Hunter, HunterKind, MAX_EXTENT, MAX_PLACE_EXTENT, Mood, PARTS, Roost, ScalarField,
    World,
};
use std::sync::Arc;

const STEPS: u64 = 20;

/// A symmetry of the lattice: first the axes are permuted, then mirrored, then the world is shifted.
#[derive(Debug, Clone, Copy)]
pub struct Symmetry {
    /// For each axis the axis that it was before.
    axes: [usize; 3],
    mirrored: [bool; 3],
    shifted: Vector3,
}

impl Symmetry {
    /// All eight symmetries of the square.
    pub fn of_the_square() -> impl Iterator<Item = Self> {
        Self::of_the_cube().filter(|symmetry| symmetry.axes[2] == 2 && !symmetry.mirrored[2])
    }

    /// All 48 symmetries of the cube.
    pub fn of_the_cube() -> impl Iterator<Item = Self> {
        let orders = [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]];
        let mirrored = |bits: usize| [bits & 1 > 0, bits & 2 > 0, bits & 4 > 0];
        orders
            .into_iter()
            .flat_map(move |axes| (0..8).map(move |bits| Self { axes, mirrored: mirrored(bits), shifted: [0; 3] }))
    }

    pub fn shift([x, y]: Vector) -> Self {
        Self { axes: [0, 1, 2], mirrored: [false; 3], shifted: [x, y, 0] }
    }

    /// Whether the symmetry keeps the third axis, or no feature of the scene treats this axis differently. Two features
    /// do: hunters that are columns along the axis, and the pull of the roost, which scales this axis by `vertical`
    /// and ignores its extent.
    pub fn keeps_vertical(self, scene: &Scene) -> bool {
        let is_column = |hunter: &Hunter| matches!(hunter.kind, HunterKind::Path { is_column: true, .. });
        let smaller = |extents: Extents| extents.width.min(extents.height);
        let World { extents, hunters, roost, .. } = &scene.world;
        let knows_roost = scene.rules.weights["roost"] != 0
            && (roost.vertical != RULE_ONE || smaller(*extents) != smaller(self.extents(*extents)));
        self.axes[2] == 2 || !knows_roost && !hunters.iter().any(is_column)
    }

    fn extents(self, extents: Extents) -> Extents {
        let [width, height, depth] = self.axes.map(|axis| extents.along_axes()[axis]);
        Extents { width, height, depth: extents.depth.map(|_| depth) }
    }

    pub fn vector(self, v: Vector3) -> Vector3 {
        [0, 1, 2].map(|axis| if self.mirrored[axis] { -v[self.axes[axis]] } else { v[self.axes[axis]] })
    }

    /// The image of a place in units of 1/`parts` cell. `extents` are the extents before.
    fn place(self, place: Vector3, extents: Extents, parts: i32) -> Vector3 {
        let after = self.extents(extents).along_axes().map(|extent| extent as i32);
        let turned = self.vector(place);
        [0, 1, 2].map(|axis| {
            let from_first = if self.mirrored[axis] { (after[axis] - 1) * parts } else { 0 };
            (turned[axis] + from_first + self.shifted[axis] * parts).rem_euclid(after[axis] * parts)
        })
    }

    /// The index of a cell's image.
    pub fn index(self, index: usize, extents: Extents) -> usize {
        let place = self.place(extents.cell(index), extents, 1);
        self.extents(extents).deep_index(place, Edges::Walls).expect("it stays on the lattice")
    }

    /// Moves each cell's value to the cell's image.
    fn field<T: Copy>(self, cells: &[T], extents: Extents) -> Vec<T> {
        let mut turned = cells.to_vec();
        for (index, value) in cells.iter().enumerate() {
            turned[self.index(index, extents)] = *value;
        }
        turned
    }

    pub fn state(self, state: &State) -> State {
        let mut turned = State::empty(self.extents(state.extents));
        turned.layers[0].density = self.field(&state.layers[0].density, state.extents);
        for index in 0..state.extents.cells() {
            turned.layers[0]
                .set_velocity(self.index(index, state.extents), self.vector(state.layers[0].velocity(index)));
        }
        let falcons = Falcon::all_of(&state.columns).iter().map(|falcon| self.falcon(falcon, state.extents));
        Falcon::set_all(&falcons.collect::<Vec<_>>(), &mut turned.columns);
        turned
    }

    fn falcon(self, falcon: &Falcon, extents: Extents) -> Falcon {
        let (remainder, velocity) = (self.vector(falcon.remainder), self.vector(falcon.velocity));
        Falcon { place: self.place(falcon.place, extents, PARTS), remainder, velocity, ..*falcon }
    }

    fn world(self, world: &World) -> World {
        let place = |place: Vector3| self.place(place, world.extents, PARTS);
        let hunter = |hunter: &Hunter| {
            let kind = match hunter.kind.clone() {
                HunterKind::Path { corners, is_column, speed } => {
                    HunterKind::Path { corners: corners.into_iter().map(place).collect(), is_column, speed }
                }
                HunterKind::Falcon(flight) => {
                    HunterKind::Falcon(FlightNumbers { start: place(flight.start), ..flight })
                }
                HunterKind::Player => HunterKind::Player,
            };
            Hunter { kind, ..hunter.clone() }
        };
        World {
            extents: self.extents(world.extents),
            solids: if world.solids.is_empty() {
                Default::default()
            } else {
                self.field(&world.solids, world.extents).into()
            },
            rock: world.rock.as_ref().map(|field| {
                let (extents, values) = (self.extents(field.extents), self.field(&field.values, field.extents));
                Arc::new(ScalarField { extents, values })
            }),
            hunters: world.hunters.iter().map(hunter).collect(),
            roost: Roost { place: place(world.roost.place), ..world.roost },
            ..world.clone()
        }
    }

    fn sight(self, sight: &Sight) -> Sight {
        let vectors: Vec<Vector3> = sight.vectors().iter().map(|v| self.vector(*v)).collect();
        match sight {
            // A contrast has all symmetries.
            sight if sight.as_contrast().is_some() => sight.clone(),
            sight if sight.axes() == 3 => Sight::deep_list(&vectors).unwrap(),
            _ => Sight::list(&vectors.iter().map(|[x, y, _]| [*x, *y]).collect::<Vec<_>>()).unwrap(),
        }
    }

    pub fn scene(self, scene: &Scene) -> Scene {
        let mut rules = scene.rules.clone();
        rules.sights.values_mut().for_each(|sight| *sight = self.sight(sight));
        Scene {
            name: format!("{} {self:?}", scene.name),
            rules,
            world: self.world(&scene.world),
            start: self.state(&scene.start),
        }
    }
}

/// The corners of the first hunter's walk.
fn corners(scene: &mut Scene) -> &mut Vec<Vector3> {
    let HunterKind::Path { corners, .. } = &mut scene.world.hunters[0].kind else { panic!("the hunter walks") };
    corners
}

/// Steps a world and its image side by side, and compares them.
fn hold(scene: &Scene, symmetry: Symmetry) {
    hold_every(1, STEPS, scene, symmetry);
}

/// As [`hold`], for `steps` steps, compared after every `each` steps.
fn hold_every(each: u64, steps: u64, scene: &Scene, symmetry: Symmetry) {
    let chain = chain(DEFAULT);
    let image = symmetry.scene(scene);
    let mut game = scene.play(&chain, Player::quick());
    let mut image_game = image.play(&chain, Player::quick());
    for step in (each..=steps).step_by(each as usize) {
        game.advance(each);
        image_game.advance(each);
        assert_same(&symmetry.state(&game.state()), &image_game.state(), &format!("{} at step {step}", image.name));
    }
    assert_ne!(game.state(), scene.start, "{}: nothing moved", scene.name);
}

/// Worlds with every feature, every distribution method, both edges and both values of `carry`.
fn scenes() -> impl Iterator<Item = Scene> {
    EDGES.into_iter().flat_map(|edges| {
        Distribution::ALL.into_iter().flat_map(move |distribution| {
            [true, false].map(|carry| {
                let mut scene = Scene::busy(37, 23, edges);
                scene.name = format!("{} {distribution:?} carry {carry}", scene.name);
                (scene.rules.distribution, scene.rules.carry) = (distribution, carry);
                scene
            })
        })
    })
}

#[test]
fn no_direction_is_special() {
    for scene in scenes() {
        for symmetry in Symmetry::of_the_square() {
            hold(&scene, symmetry);
        }
    }
}

/// Worlds without solids, with the paper's form of steering: no part of the old velocity is kept, and no cruise.
#[test]
fn no_direction_is_special_in_the_papers_form() {
    for mut scene in scenes() {
        scene.world.solids = Default::default();
        (scene.rules.keep, scene.rules.cruise, scene.rules.max) = (0, 0, 1 << 14);
        for symmetry in Symmetry::of_the_square() {
            hold(&scene, symmetry);
        }
    }
}

#[test]
fn no_direction_is_special_where_cells_are_full() {
    for mut scene in scenes() {
        scene.world.capacity = 3 << 16;
        for symmetry in Symmetry::of_the_square() {
            hold(&scene, symmetry);
        }
    }
}

#[test]
fn no_place_of_a_torus_is_special() {
    for mut scene in scenes().filter(|scene| scene.world.edges == Edges::Torus) {
        // A standing hunter can be shifted over the edge. A walking hunter would cross the edge on another way.
        corners(&mut scene).truncate(1);
        for shift in [[1, 0], [0, 1], [36, 22], [-5, 9], [18, -11]] {
            hold(&scene, Symmetry::shift(shift));
        }
    }
}

#[test]
fn no_place_of_a_torus_is_special_to_a_hunter_that_walks() {
    for mut scene in scenes().filter(|scene| scene.world.edges == Edges::Torus) {
        *corners(&mut scene) = vec![[10 * 16 + 3, 9 * 16, 0], [14 * 16, 12 * 16 + 7, 0], [11 * 16, 13 * 16, 0]];
        for shift in [[1, 0], [-10, -9], [22, 9]] {
            let mut image = Symmetry::shift(shift).scene(&scene);
            let leg = |scene: &mut Scene| {
                let path = corners(scene);
                [path[1][0] - path[0][0], path[1][1] - path[0][1]]
            };
            assert_eq!(leg(&mut image), leg(&mut scene), "the shift tears the path apart");
            hold(&scene, Symmetry::shift(shift));
        }
    }
}

/// On a torus with an even extent a cell may lie exactly opposite the hunter. It has no shortest way and no heading
/// there.
#[test]
fn no_direction_is_special_opposite_the_hunter() {
    let mut scene = Scene::busy(20, 14, Edges::Torus);
    *corners(&mut scene) = vec![[5 * 16, 3 * 16, 0]];
    scene.world.hunters[0].reach = 255;
    // After the shift the hunter is on the other side of the opposite cells.
    for symmetry in Symmetry::of_the_square().chain([Symmetry::shift([9, 5])]) {
        hold(&scene, symmetry);
    }
}

/// The maximum extent along each axis: the largest places, offsets and indices.
#[test]
fn no_direction_is_special_on_the_longest_lattices() {
    let falcon = |start| {
        let flight = FlightNumbers { start, speed: 1500, peak: 2400, turn: 500, sight: 13, distance: 8, rest: 6 };
        Hunter { kind: HunterKind::Falcon(flight), mood: Mood::Flee, reach: 7, jaws: 1 }
    };
    let turn = |symmetry: &Symmetry| symmetry.axes[0] != 0 && symmetry.mirrored[0] != symmetry.mirrored[1];
    for edges in EDGES {
        let largest = MAX_EXTENT as i32 * PARTS;
        let mut flat = Scene::busy(MAX_EXTENT, 8, edges);
        flat.world.hunters[0].reach = 255;
        flat.world.hunters.extend([falcon([largest - 40, 77, 0]), falcon([largest / 2, 20, 0])]);
        let largest = MAX_PLACE_EXTENT as i32 * PARTS;
        let mut deep = Scene::busy_deep([MAX_PLACE_EXTENT, 5, 4], edges);
        deep.world.hunters[0].reach = 255;
        deep.world.hunters.extend([falcon([largest - 40, 60, 30]), falcon([largest / 2, 20, 10])]);
        deep.rules.weights.insert("roost".into(), 0);
        for mut scene in [flat, deep] {
            Falcon::set_all(&Falcon::from_world(&scene.world, scene.world.extents.ends()), &mut scene.start.columns);
            let symmetry = Symmetry::of_the_square().find(turn).unwrap();
            hold_every(size(2, 6), size(2, 6), &scene, symmetry);
        }
    }
}

/// Falcons that wait, stoop, strike and climb, on a torus and between walls.
#[test]
fn no_direction_is_special_to_falcons() {
    for edges in EDGES {
        let mut scene = Scene::busy(37, 23, edges);
        let falcon = |start, rest, jaws| {
            let flight = FlightNumbers { start, speed: 1500, peak: 2400, turn: 500, sight: 13, distance: 8, rest };
            Hunter { kind: HunterKind::Falcon(flight), mood: Mood::Flee, reach: 7, jaws }
        };
        scene.world.hunters.extend([
            falcon([40, 77, 0], 6, 1),
            falcon([301, 200, 0], 9, 0),
            falcon([500, 13, 0], 5, 2),
        ]);
        Falcon::set_all(&Falcon::from_world(&scene.world, scene.world.extents.ends()), &mut scene.start.columns);
        // At the start every falcon heads for the middle of the lattice. So later states are transformed too.
        let mut game = scene.play(&chain(DEFAULT), Player::quick());
        for _ in 0..4 {
            game.advance(9);
            scene.start = game.state();
            Symmetry::of_the_square().for_each(|symmetry| hold(&scene, symmetry));
        }
        if edges == Edges::Torus {
            corners(&mut scene).truncate(1);
            for shift in [[1, 0], [0, 1], [36, 22], [-5, 9]] {
                hold(&scene, Symmetry::shift(shift));
            }
        }
    }
}

/// The sights of the presets have the symmetry of the square, so the tests above do not change them.
#[test]
fn discs_boxes_and_rings_are_their_own_images() {
    let mut sights = vec![Sight::square(3).unwrap(), Sight::square(9).unwrap()];
    sights.extend((4..=40).map(|quarters| Sight::disc(quarters * 256).unwrap()));
    for directions in [4, 8, 16, 32] {
        sights.extend((1..=20).map(|radius| Sight::rings(directions, &[radius]).unwrap()));
        sights.push(Sight::rings(directions, &[1, 3, 8, 30]).unwrap());
    }
    for sight in &sights {
        for symmetry in Symmetry::of_the_square() {
            assert_eq!(&symmetry.sight(sight), sight);
        }
    }
}

/// A sight without any symmetry is turned with the world.
#[test]
fn a_crooked_sight_is_as_crooked_in_every_direction() {
    let mut scene = Scene::busy(37, 23, Edges::Walls);
    let crooked = Sight::list(&[[1, 0], [2, 1], [3, 1], [4, 1], [5, 1], [-2, 6], [0, -3], [-1, -3]]).unwrap();
    scene.rules.sights.values_mut().for_each(|sight| *sight = crooked.clone());
    for symmetry in Symmetry::of_the_square() {
        hold(&scene, symmetry);
    }
}

/// Falcons among rock, which they meet, under all 48 symmetries.
#[test]
fn no_direction_is_special_to_falcons_among_rock() {
    for edges in EDGES {
        let mut scene = Scene::busy_deep([14, 12, 13], edges);
        let falcon = |start, rest| {
            let flight = FlightNumbers { start, speed: 1500, peak: 2400, turn: 500, sight: 13, distance: 5, rest };
            Hunter { kind: HunterKind::Falcon(flight), mood: Mood::Flee, reach: 4, jaws: 1 }
        };
        scene.world.hunters.extend([falcon([40, 77, 90], 6), falcon([181, 100, 8], 9), falcon([64, 64, 64], 5)]);
        scene.rules.weights.insert("roost".into(), 0);
        let extents = scene.world.extents;
        let values = scene.world.solids.iter().map(|solid| if *solid { 9 } else { -9 }).collect();
        scene.world.rock = Some(Arc::new(ScalarField { extents, values }));
        Falcon::set_all(&Falcon::from_world(&scene.world, extents.ends()), &mut scene.start.columns);
        free_in_cells(Falcon::all_of_mut(&mut scene.start.columns), &scene.world);
        let open = Scene { world: World { rock: None, ..scene.world.clone() }, ..scene.clone() };
        let [met, free] = [&scene, &open].map(|scene| scene.after(STEPS, &chain(DEFAULT), Player::quick()).columns);
        assert_ne!(met, free, "no falcon met rock");
        let symmetries: Vec<Symmetry> = Symmetry::of_the_cube().filter(|one| one.keeps_vertical(&scene)).collect();
        let mut game = scene.play(&chain(DEFAULT), Player::quick());
        for _ in 0..size(1, 3) {
            game.advance(9);
            scene.start = game.state();
            symmetries.iter().for_each(|symmetry| hold(&scene, *symmetry));
        }
    }
}
