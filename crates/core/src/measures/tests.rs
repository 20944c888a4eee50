//! Tests measures against known values, and against direct sums of floats.

use super::axes::eigenvalues;
use super::neighbours::NeighbourMeasures;
use super::*;
use crate::numbers::random::generator;
use crate::numbers::{BOID, ONE, Vector3};
use crate::parallel::ThreadPool;
use crate::world::{Extents, MAX_EXTENT, PLACE_BITS};

const CELL: i32 = 1 << PLACE_BITS;

fn individuals(bodies: &[(Vector3, Vector3)]) -> Individuals {
    let mut all = Individuals::default();
    (0..).zip(bodies).for_each(|(number, (place, velocity))| all.push(number, *place, *velocity));
    all
}

/// A random swarm around the corner 0 of the world. On a torus it is one connected ball.
fn random(count: u32, space: &Space, seed: u64) -> Individuals {
    let mut random = generator(seed, 7);
    let bodies: Vec<_> = (0..count)
        .map(|_| {
            let [offset, mut velocity] = [random.inside_ball(20 * CELL), random.inside_ball(ONE)];
            if space.axes() == 2 {
                velocity[2] = 0;
            }
            let along = |axis: usize| match (axis < space.axes(), space.edges) {
                (false, _) => 0,
                (true, Edges::Torus) => offset[axis].rem_euclid((space.extents[axis] as i32) * CELL),
                (true, Edges::Walls) => offset[axis] + 25 * CELL,
            };
            (each_axis(along), velocity)
        })
        .collect();
    individuals(&bodies)
}

const SPACES: [Space; 4] = [
    Space { extents: [100, 80, 1], edges: Edges::Torus },
    Space { extents: [100, 80, 1], edges: Edges::Walls },
    Space { extents: [100, 80, 60], edges: Edges::Torus },
    Space { extents: [100, 80, 60], edges: Edges::Walls },
];

/// The measures by their definitions, computed with floats.
fn reference(individuals: &Individuals, space: &Space) -> (Measures, f64) {
    let (count, axes) = (individuals.len() as f64, space.axes());
    let places: Vec<[f64; 3]> =
        (0..individuals.len()).map(|i| individuals.position(i).map(|place| f64::from(place) / 65536.0)).collect();
    let velocities: Vec<[f64; 3]> =
        (0..individuals.len()).map(|i| individuals.velocity(i).map(|along| f64::from(along) / 16384.0)).collect();
    let size = |v: [f64; 3]| v.iter().map(|along| along * along).sum::<f64>().sqrt();
    let unit = |v: [f64; 3]| if size(v) > 0.0 { v.map(|along| along / size(v)) } else { v };
    let mean = |of: &dyn Fn(usize) -> f64| (0..places.len()).map(of).sum::<f64>() / count;
    let centre: [f64; 3] = each_axis(|axis| {
        let extent = f64::from(space.extents[axis]);
        let angle = |i: usize| places[i][axis] / extent * std::f64::consts::TAU;
        match space.edges {
            Edges::Walls => mean(&|i| places[i][axis]),
            Edges::Torus => {
                let turn = mean(&|i| angle(i).sin()).atan2(mean(&|i| angle(i).cos()));
                (turn / std::f64::consts::TAU * extent).rem_euclid(extent)
            }
        }
    });
    let away = |from: [f64; 3], to: [f64; 3]| -> [f64; 3] {
        each_axis(|axis| {
            let (straight, extent) = (to[axis] - from[axis], f64::from(space.extents[axis]));
            let turns = if space.edges == Edges::Torus { (straight / extent).round() } else { 0.0 };
            if axis < axes { straight - turns * extent } else { 0.0 }
        })
    };
    let offsets: Vec<[f64; 3]> = places.iter().map(|place| away(centre, *place)).collect();
    let cross = |i: usize, axis: usize| {
        let (r, v) = (unit(offsets[i]), unit(velocities[i]));
        let [a, b] = [(axis + 1) % 3, (axis + 2) % 3];
        r[a] * v[b] - r[b] * v[a]
    };
    let measures = Measures {
        mean_speed: mean(&|i| size(velocities[i])),
        heading: each_axis(|axis| mean(&|i| unit(velocities[i])[axis])),
        centre: each_axis(|axis| (axis < axes).then_some(centre[axis])),
        gyration: std::array::from_fn(|pair| {
            let [a, b] = PAIRS[pair];
            (b < axes).then(|| mean(&|i| offsets[i][a] * offsets[i][b]))
        }),
        rotation: Some(each_axis(|axis| mean(&|i| cross(i, axis)))),
        dimensions: axes,
    };
    let least = |i: usize| {
        let others = (0..places.len()).filter(|j| *j != i).map(|j| size(away(places[i], places[j])));
        others.fold(f64::MAX, f64::min)
    };
    (measures, mean(&least))
}

/// The values of all measures in one list, for comparisons.
fn values(measures: &Measures) -> Vec<f64> {
    let Measures { mean_speed, heading, centre, gyration, rotation, .. } = measures;
    let optional = centre.iter().chain(gyration).map(|value| value.unwrap_or(-1.0));
    let derived = [measures.polarisation(), measures.milling().unwrap_or(-1.0)];
    let all = [*mean_speed].into_iter().chain(*heading).chain(optional).chain(rotation.unwrap_or([-2.0; 3]));
    all.chain(derived).chain(measures.principal_axes().map(|axis| axis.unwrap_or(-1.0))).collect()
}

#[test]
fn measures_are_as_plain_floats_have_them() {
    for (seed, space) in (1..).zip(SPACES) {
        let swarm = random(300, &space, seed);
        let (expected, nearest) = reference(&swarm, &space);
        let measured = Measures::from_individuals(&swarm, &space);
        for (value, expected) in values(&measured).into_iter().zip(values(&expected)) {
            assert!((value - expected).abs() < 1e-10, "{space:?}: {measured:?} and {expected:?}");
        }
        let neighbours = NeighbourMeasures::new(&swarm, &space, 3 * CELL as u32);
        assert!((neighbours.nearest_distance.unwrap() - nearest).abs() < 1e-10, "{space:?}");
        assert_eq!(neighbours.clusters, components(&swarm, &space, 3.0), "{space:?}");
    }
}

/// Two boids far apart on the longest lattice. Their places must be exact. On a torus an offset must go the shorter
/// way.
#[test]
fn the_longest_lattice_is_measured_to_its_end() {
    let extents = Extents::flat(MAX_EXTENT, 3);
    let swarm = |places: [u32; 2]| {
        let mut state = State::empty(extents);
        for place in places {
            let index = (MAX_EXTENT + place) as usize;
            state.layers[0].density[index] = 1 << 16;
            state.layers[0].set_velocity(index, [0, 1 << 13, 0]);
        }
        state
    };
    let extent = f64::from(MAX_EXTENT);
    for (edges, places, centre, half) in [
        (Edges::Walls, [40_000, 60_000], 50_000.5, 10_000.0),
        (Edges::Walls, [1, 65_533], 32_767.5, 32_766.0),
        (Edges::Torus, [40_000, 60_000], 50_000.5, 10_000.0),
        (Edges::Torus, [10_000, 60_000], (10_000.5 + 60_000.5 - extent) / 2.0, 7_767.5),
    ] {
        let Measures { centre: found, gyration, rotation, .. } = Measures::from_state(&swarm(places), edges);
        let found = found[0].unwrap();
        // The mean of places on a torus is computed with sines and cosines, so it is only near.
        assert!(
            (found - centre).abs() < 1e-7 || (found - centre - extent).abs() < 1e-7,
            "{edges:?} {places:?}: {found}"
        );
        assert!((gyration[0].unwrap() / (half * half) - 1.0).abs() < 1e-9, "{edges:?} {places:?}: {gyration:?}");
        assert!(rotation.unwrap()[2].abs() < 1e-9, "{edges:?} {places:?}: {rotation:?}");
    }
}

/// The number of clusters. It is found by testing all pairs.
fn components(swarm: &Individuals, space: &Space, link: f64) -> u64 {
    let tree = PlaceTree::new(std::iter::empty(), space);
    let mut names: Vec<usize> = (0..swarm.len()).collect();
    for a in 0..swarm.len() {
        for b in 0..a {
            if (tree.distance(swarm.position(a), swarm.position(b)) as f64).sqrt() <= link * 65536.0
                && names[a] != names[b]
            {
                let (old, new) = (names[a], names[b]);
                names.iter_mut().for_each(|name| *name = if *name == old { new } else { *name });
            }
        }
    }
    names.sort_unstable();
    names.dedup();
    names.len() as u64
}

#[test]
fn neither_order_nor_threads_change_a_bit() {
    let space = SPACES[2];
    let swarm = random(2000, &space, 5);
    let mut backwards = Individuals::default();
    for index in (0..swarm.len()).rev() {
        backwards.push(swarm.numbers[index], swarm.position(index), swarm.velocity(index));
    }
    let measured = |swarm: &Individuals, threads| {
        let pool = ThreadPool::new(Some(threads), "test").unwrap();
        let link = CELL as u32;
        pool.install(|| (Measures::from_individuals(swarm, &space), NeighbourMeasures::new(swarm, &space, link)))
    };
    let once = measured(&swarm, 1);
    assert_eq!(once, measured(&swarm, 7));
    assert_eq!(once, measured(&backwards, 2));
}

/// Four individuals, at 3 cells from (x, y), that move around it.
fn ring(space: &Space, [x, y]: [i32; 2], speed: i32) -> Individuals {
    let place = |axis: usize, cells: i32| (cells * CELL).rem_euclid(space.extents[axis] as i32 * CELL);
    let bodies = [[3, 0], [0, 3], [-3, 0], [0, -3]].map(|[across, down]| {
        let z = if space.axes() == 3 { 8 * CELL } else { 0 };
        ([place(0, x + across), place(1, y + down), z], [-down * speed, across * speed, 0])
    });
    individuals(&bodies)
}

#[test]
fn a_ring_mills_at_exactly_one_and_a_crowd_that_goes_one_way_does_not() {
    for (edges, depth, at) in
        [(Edges::Walls, 1, [8, 8]), (Edges::Torus, 1, [15, 0]), (Edges::Torus, 16, [0, 15]), (Edges::Walls, 16, [8, 8])]
    {
        let space = Space { extents: [16, 16, depth], edges };
        let measured = Measures::from_individuals(&ring(&space, at, 1000), &space);
        assert_eq!((measured.milling(), measured.polarisation()), (Some(1.0), 0.0), "{space:?}");
        assert_eq!(measured.rotation.unwrap()[2], 1.0);
        assert_eq!(Measures::from_individuals(&ring(&space, at, -500), &space).rotation.unwrap()[2], -1.0);
        let radius = 4.5f64.sqrt();
        let axes = measured.principal_axes();
        assert!((axes[0].unwrap() - radius).abs() < 1e-9 && (axes[1].unwrap() - radius).abs() < 1e-9, "{axes:?}");
        assert_eq!(axes[2].is_some(), depth > 1);
        let mut one_way = ring(&space, at, 0);
        assert_eq!(Measures::from_individuals(&one_way, &space).milling(), Some(0.0), "at rest");
        one_way.velocities = [vec![300; 4], vec![400; 4], vec![0; 4]];
        let measured = Measures::from_individuals(&one_way, &space);
        assert!(measured.milling().unwrap() < 1e-9, "{measured:?}");
        assert!(measured.heading.iter().zip([0.6, 0.8, 0.0]).all(|(along, expected)| (along - expected).abs() < 1e-15));
        assert_eq!(measured.polarisation(), 1.0);
    }
}

#[test]
fn one_boid_turns_about_nothing_and_a_balanced_torus_has_no_centre() {
    let space = Space { extents: [97, 61, 1], edges: Edges::Torus };
    let one = individuals(&[([13 * CELL + 7, 60 * CELL, 0], [ONE / 3, ONE / 2, 0])]);
    let measured = Measures::from_individuals(&one, &space);
    assert_eq!(measured.milling(), Some(0.0));
    assert!(measured.principal_axes()[0].unwrap() < 1e-6, "{measured:?}");
    let space = Space { extents: [16, 16, 1], edges: Edges::Torus };
    let balanced = individuals(&[([0, CELL, 0], [ONE, 0, 0]), ([8 * CELL, CELL, 0], [ONE, 0, 0])]);
    let measured = Measures::from_individuals(&balanced, &space);
    assert_eq!((measured.centre[0], measured.milling(), measured.principal_axes()), (None, None, [None; 3]));
    assert!(measured.centre[1].is_some() && measured.gyration[1].is_some() && measured.gyration[3].is_none());
    let nobody = Measures::from_individuals(&Individuals::default(), &space);
    assert_eq!((nobody.polarisation(), nobody.mean_speed, nobody.centre), (0.0, 0.0, [None; 3]));
    assert_eq!(NeighbourMeasures::new(&Individuals::default(), &space, 1), NeighbourMeasures::default());
}

/// Cells with one boid each must have the measures of individuals at their centres.
#[test]
fn cells_are_measured_as_individuals_are() {
    for (seed, space) in (11..).zip(SPACES) {
        let [width, height, depth] = space.extents;
        let extents = Extents { width, height, depth: Some(depth).filter(|depth| *depth > 1) };
        let mut swarm = random(200, &space, seed);
        let mut state = State::empty(extents);
        let mut kept = Individuals::default();
        for index in 0..swarm.len() {
            let cell = swarm.position(index).map(|place| place >> PLACE_BITS);
            let at = extents.deep_index(cell, Edges::Walls).unwrap();
            if state.layers[0].density[at] > 0 {
                continue;
            }
            state.layers[0].density[at] = BOID;
            state.layers[0].set_velocity(at, swarm.velocity(index));
            let middle = each_axis(|axis| if axis < space.axes() { cell[axis] * CELL + CELL / 2 } else { 0 });
            kept.push(kept.len() as u32, middle, swarm.velocity(index));
        }
        swarm = kept;
        let [cells, expected] = [Measures::from_state(&state, space.edges), Measures::from_individuals(&swarm, &space)];
        for (value, expected) in values(&cells).into_iter().zip(values(&expected)) {
            assert!((value - expected).abs() < 1e-12, "{space:?}: {cells:?} and {expected:?}");
        }
    }
}

#[test]
fn the_axes_of_a_rotated_box_are_its_sides() {
    // A tensor with the eigenvalues 9, 4 and 1, whose axes are rotated twice.
    let (s, c) = 0.7f64.sin_cos();
    let (t, d) = 1.9f64.sin_cos();
    let basis = [[c, s, 0.0], [-s * d, c * d, t], [s * t, -c * t, d]];
    let product = |[a, b]: [usize; 2]| {
        [9.0, 4.0, 1.0].iter().zip(basis).map(|(value, axis)| value * axis[a] * axis[b]).sum::<f64>()
    };
    let values = eigenvalues(PAIRS.map(product));
    assert!(values.iter().zip([9.0, 4.0, 1.0]).all(|(value, expected)| (value - expected).abs() < 1e-12), "{values:?}");
    for (vector, axis) in eigenvectors(PAIRS.map(product)).into_iter().zip(basis) {
        let cosine: f64 = vector.iter().zip(axis).map(|(one, other)| one * other).sum();
        assert!((cosine.abs() - 1.0).abs() < 1e-12, "{vector:?} and {axis:?}");
    }
    assert_eq!(eigenvalues([1.0, 5.0, 2.0, 0.0, 0.0, 0.0]), [5.0, 2.0, 1.0]);
}

#[test]
fn the_nearest_places_are_those_of_a_search_of_all() {
    for (seed, space) in (21..).zip(SPACES) {
        let swarm = random(150, &space, seed);
        let places: Vec<_> = (0..swarm.len()).map(|index| swarm.position(index)).collect();
        let tree = PlaceTree::of_individuals(&swarm, &space);
        let mut nearest = Vec::new();
        for (index, from) in places.iter().enumerate().step_by(7) {
            tree.nearest(*from, 5, index as u32, &mut nearest);
            let others = (0u32..).zip(&places).filter(|(other, _)| *other != index as u32);
            let mut all: Vec<_> = others.map(|(other, place)| (tree.distance(*from, *place), other, *place)).collect();
            all.sort_unstable();
            assert_eq!(nearest, all[..5], "{space:?}");
        }
    }
}
