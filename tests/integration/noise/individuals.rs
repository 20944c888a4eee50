//! Noise of individuals: a step is steering, noise and movement. It commutes with every symmetry, and is equal by every
//! search and engine.

use crate::cells::symmetry::Symmetry;
use crate::individuals::gpu::agree;
use crate::support::adapter;
use crate::support::individuals::{Start, Surroundings, begin, individuals, nothing_around, options, rules, space};
use crate::support::random::Random;
use murmuration_core::individuals::search::SearchKind;
use murmuration_core::individuals::selection::{cosine, sine};
use murmuration_core::individuals::table::RuleArray;
use murmuration_core::individuals::{IndividualRules, Rule, RuleSet};
use murmuration_core::lanes::InstructionSet;
use murmuration_core::noise::draw::{DrawKeys, Draws};
use murmuration_core::noise::turn::with_noise;
use murmuration_core::noise::{Noise, NoiseNumbers};
use murmuration_core::numbers::{ONE, Vector3};
use murmuration_core::state::Individuals;
use murmuration_core::terrain::Habitat;
use murmuration_core::world::{Edges, Space};

/// Noise of a normal angle with this standard deviation in radians.
fn normal(deviation: f64, time: u32) -> Noise {
    let mut noise = Noise { time, ..Noise::default() };
    noise.set_deviation(deviation);
    noise
}

fn noise(angle: f64, vector: i32, time: u32) -> Noise {
    let mut noise = Noise { vector, time, ..Noise::default() };
    noise.set_angle(angle);
    noise
}

/// The parameters of steps without hunter, roost and margin.
fn steps(first: u32, count: u32) -> Vec<Surroundings> {
    (first..first + count).map(|step| Surroundings { step, ..nothing_around() }).collect()
}

/// The individuals in the order of their numbers, after one step on a torus with a given field of noise: one draw per
/// individual.
fn step<const AXES: usize>(
    rules: &IndividualRules,
    space: Space,
    begun: &Individuals,
    field: &[Draws<i32, AXES>],
) -> Individuals {
    let still = IndividualRules { noise: Noise::default(), ..rules.clone() };
    let numbers = NoiseNumbers::new(&rules.noise, 0);
    let mut played = begin(&still, &Habitat::new(space, Vec::new()), begun, options(SearchKind::Grid, 1, None));
    played.play(&steps(0, 1));
    let (steered, begun) = (played.individuals().in_order(), begun.in_order());
    let mut after = Individuals::default();
    for (index, draws) in field.iter().enumerate() {
        let v = steered.velocity(index);
        let turned = with_noise(std::array::from_fn::<i32, AXES, _>(|axis| v[axis]), &numbers, draws);
        let velocity = [0, 1, 2].map(|axis| turned.get(axis).copied().unwrap_or(0));
        let place = begun.position(index);
        let end = |axis: usize| (space.extents[axis] as i32) << 16;
        let to = [0, 1, 2].map(|axis| (place[axis] + 4 * velocity[axis]).rem_euclid(end(axis)));
        after.push(index as u32, to, velocity);
    }
    after
}

/// The field of noise in step 0, with the seed 0.
fn drawn<const AXES: usize>(noise: &Noise, count: usize) -> Vec<Draws<i32, AXES>> {
    let numbers = NoiseNumbers::new(noise, 0);
    let keys = DrawKeys::new(&numbers, 0);
    (0..count as i32).map(|number| Draws::of_individuals(&numbers, &keys, number)).collect()
}

fn a_step_has_three_parts<const AXES: usize>() {
    let mut random = Random::new(21);
    let space = space(AXES, Edges::Torus);
    let begun = individuals(&space, Start::Uniform, 150, &mut random);
    for (set, noise) in [
        (RuleSet::Flock, noise(2.0, 0, 1)),
        (RuleSet::Aquarium, noise(0.0, ONE / 2, 1)),
        (RuleSet::School, noise(6.0, ONE, 7)),
        (RuleSet::Vicsek, noise(1.0, 0, 1)),
        (RuleSet::Vicsek, normal(0.3, 1)),
    ] {
        let rules = IndividualRules { noise, ..rules(set) };
        let expected = step(&rules, space, &begun, &drawn::<AXES>(&noise, begun.len()));
        let habitat = Habitat::new(space, Vec::new());
        let mut played = begin(&rules, &habitat, &begun, options(SearchKind::Grid, 1, None));
        played.play(&steps(0, 1));
        assert_eq!(played.individuals().in_order(), expected, "{set:?}, {noise:?}, {AXES} axes");
    }
}

#[test]
fn a_step_is_steering_noise_and_movement() {
    a_step_has_three_parts::<2>();
    a_step_has_three_parts::<3>();
}

/// Transforms individuals by a symmetry about the origin of the torus.
fn moved(individuals: &Individuals, symmetry: Symmetry, space: Space) -> Individuals {
    let mut moved = Individuals::default();
    for index in 0..individuals.len() {
        let place = symmetry.vector(individuals.position(index));
        let place = [0, 1, 2].map(|axis| place[axis].rem_euclid((space.extents[axis] as i32) << 16));
        moved.push(individuals.numbers[index], place, symmetry.vector(individuals.velocity(index)));
    }
    moved
}

fn a_step_commutes<const AXES: usize>(symmetries: &[Symmetry]) {
    let mut random = Random::new(22);
    let space = Space { extents: if AXES == 2 { [40, 40, 1] } else { [24; 3] }, edges: Edges::Torus };
    let drawn_places = individuals(&space, Start::Uniform, 120, &mut random);
    let mut begun = Individuals::default();
    for index in 0..drawn_places.len() {
        // Places and velocities are multiples of the units of the sums, because sums are rounded down to these units.
        let whole = |v: Vector3| v.map(|component| component & !0x3ff);
        begun.push(index as u32, whole(drawn_places.position(index)), whole(drawn_places.velocity(index)));
    }
    let noises = [
        (RuleSet::Flock, noise(2.0, ONE / 2, 1)),
        (RuleSet::Vicsek, noise(4.0, 0, 1)),
        (RuleSet::Flock, normal(0.7, 1)),
    ];
    for (set, noise) in noises {
        let mut rules = IndividualRules { noise, ..rules(set) };
        // A roost would break the symmetry.
        rules.weights[Rule::Roost] = 0;
        let field = drawn::<AXES>(&noise, begun.len());
        let after = step(&rules, space, &begun, &field);
        for symmetry in symmetries {
            let vector = |v: [i32; AXES]| -> [i32; AXES] {
                let image = symmetry.vector([v[0], v[1], v.get(2).copied().unwrap_or(0)]);
                std::array::from_fn(|axis| image[axis])
            };
            let [x, y] = [[1, 0, 0], [0, 1, 0]].map(|axis: Vector3| symmetry.vector(axis));
            let hand = x[0] * y[1] - x[1] * y[0];
            let image = field.iter().map(|draws| Draws {
                angle: if AXES == 2 { draws.angle.map(|part| hand * part) } else { vector(draws.angle) },
                vector: vector(draws.vector),
                normal: if AXES == 2 { hand * draws.normal } else { draws.normal },
                side: vector(draws.side),
            });
            let found = step(&rules, space, &moved(&begun, *symmetry, space), &image.collect::<Vec<_>>());
            assert_eq!(found, moved(&after, *symmetry, space), "{set:?}, {symmetry:?}");
        }
    }
}

#[test]
fn a_step_commutes_with_every_symmetry_if_the_field_is_transformed_too() {
    a_step_commutes::<2>(&Symmetry::of_the_square().collect::<Vec<_>>());
    a_step_commutes::<3>(&Symmetry::of_the_cube().collect::<Vec<_>>());
}

/// All kinds of noise, with and without correlation in time.
fn all_noises() -> [Noise; 4] {
    [noise(1.5, 0, 1), noise(0.0, ONE / 2, 5), noise(6.0, 2 * ONE, 3), normal(0.4, 2)]
}

/// The angle in degrees between the velocities of an individual before and after a step.
fn turn_of(before: Vector3, after: Vector3) -> f64 {
    let product = |a: Vector3, b: Vector3| (0..3).map(|axis| f64::from(a[axis]) * f64::from(b[axis])).sum::<f64>();
    let cosine = product(before, after) / (product(before, before) * product(after, after)).sqrt();
    cosine.clamp(-1.0, 1.0).acos().to_degrees()
}

/// The turns of 2000 individuals without neighbours in a step of `couzin`, in degrees, ascending. `most`: the greatest
/// turn.
fn turns_of_zones(axes: usize, noise: Noise, most: f64) -> Vec<f64> {
    let mut random = Random::new(25);
    let space = space(axes, Edges::Torus);
    let begun = individuals(&space, Start::Uniform, 2000, &mut random);
    let turn = [cosine(most), sine(most)];
    let mut rules = IndividualRules { noise, turn, max: ONE, ..rules(RuleSet::Couzin) };
    rules.weights = RuleArray::default();
    let mut played = begin(&rules, &Habitat::new(space, Vec::new()), &begun, options(SearchKind::Grid, 1, None));
    played.play(&steps(0, 1));
    let (before, after) = (begun.in_order(), played.individuals().in_order());
    let mut turns: Vec<_> = (0..before.len())
        .filter(|index| before.velocity(*index) != [0; 3])
        .map(|index| turn_of(before.velocity(index), after.velocity(index)))
        .collect();
    turns.sort_by(f64::total_cmp);
    turns
}

/// Couzin and others 2002: the wanted direction is rotated by the noise, and then the individual turns towards it by at
/// most the greatest turn.
#[test]
fn zones_turn_after_the_noise_and_no_farther_than_they_may() {
    for axes in [2, 3] {
        for noise in [noise(3.0, 0, 1), normal(0.5, 1)] {
            let turns = turns_of_zones(axes, noise, 4.0);
            assert!(turns[turns.len() - 1] < 4.1 && turns[turns.len() / 2] > 3.9, "{axes} axes: {turns:?}");
        }
        // Without a limit the turn is the noise: the median of |φ| is 0.6745 of the standard deviation.
        let turns = turns_of_zones(axes, normal(0.5, 1), 180.0);
        let median = turns[turns.len() / 2].to_radians();
        assert!((median - 0.6745 * 0.5).abs() < 0.02, "{axes} axes: {median}");
    }
}

#[test]
fn noise_is_the_same_by_every_search_with_any_threads_and_instructions() {
    let mut random = Random::new(23);
    for axes in [2, 3] {
        let space = space(axes, Edges::Torus);
        let habitat = Habitat::new(space, Vec::new());
        let begun = individuals(&space, Start::Clumped, 300, &mut random);
        let sets = [RuleSet::Flock, RuleSet::Vicsek, RuleSet::Couzin, RuleSet::Couzin];
        for (set, noise) in sets.into_iter().zip(all_noises()) {
            let rules = IndividualRules { noise, ..rules(set) };
            let hash = |on| {
                let mut played = begin(&rules, &habitat, &begun, on);
                played.play(&steps(3, 8));
                played.individuals().hash()
            };
            let expected = hash(options(SearchKind::Brute, 1, Some(InstructionSet::Portable)));
            for search in [SearchKind::Octree, SearchKind::Grid] {
                assert_eq!(hash(options(search, 3, None)), expected, "{set:?}, {axes} axes, {search:?}");
            }
        }
    }
}

#[test]
fn noise_is_the_same_on_the_gpu() {
    let Some(gpu) = adapter::shared("noise of individuals on the GPU") else { return };
    let mut random = Random::new(24);
    for axes in [2, 3] {
        let space = space(axes, Edges::Torus);
        let habitat = Habitat::new(space, Vec::new());
        let begun = individuals(&space, Start::Clumped, 200, &mut random);
        let [_, vector, both, normal] = all_noises();
        for (set, noise) in [(RuleSet::Flock, both), (RuleSet::Vicsek, vector), (RuleSet::Couzin, normal)] {
            let rules = IndividualRules { noise, ..rules(set) };
            agree(&gpu, &rules, &habitat, &begun, &steps(2, 8), &format!("{set:?}, {axes} axes, {noise:?}"));
        }
    }
}
