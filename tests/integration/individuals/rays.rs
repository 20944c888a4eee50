//! Rays of individuals: against an oracle in f64, in lanes against their definition, and the traces of single
//! individuals.

use crate::individuals::gpu::on_gpu;
use crate::support::adapter;
use crate::support::individuals::*;
use crate::support::random::Random;
use crate::support::rock::*;
use murmuration_core::engine::IndividualsEngine;
use murmuration_core::individuals::find::{IndividualQuery, LineOfSight};
use murmuration_core::individuals::movement::{move_all, sweep};
use murmuration_core::individuals::search::SearchKind;
use murmuration_core::individuals::table::RuleArray;
use murmuration_core::individuals::{IndividualRules, Rule, RuleSet};
use murmuration_core::lanes::vector::normalise;
use murmuration_core::lanes::{self, DoubleLanes, InstructionSet, LaneWork, MAX_LANES};
use murmuration_core::measures::rock::RockMeasures;
use murmuration_core::numbers::{ONE, RULE_ONE, Vector3, quotient, round_shift};
use murmuration_core::state::Individuals;
use murmuration_core::terrain::Habitat;
use murmuration_core::terrain::rays::{RayNumbers, Rays, frame, in_world};
use murmuration_core::ticket::{EngineReading, ReadingSource};
use murmuration_core::world::{Edges, Space};
use murmuration_gpu::shader::workgroups::WORKGROUP;
use std::sync::Arc;

/// The distance from a point to the nearest cube of rock, in cells. With walls the space beyond them is rock.
fn distance_to_rock(habitat: &Habitat, point: [f64; 3]) -> f64 {
    let Space { extents, edges } = habitat.space;
    let axes = habitat.space.axes();
    let lattice = habitat.space.deep_extents();
    let mut nearest = f64::INFINITY;
    for (index, gap) in habitat.gaps.iter().enumerate().filter(|(_, gap)| **gap == 0) {
        assert_eq!(*gap, 0);
        let cell = lattice.cell(index);
        let mut square = 0.0;
        for axis in 0..axes {
            let extent = f64::from(extents[axis]);
            let centre = f64::from(cell[axis]) + 0.5;
            let straight = point[axis] - centre;
            let away = if edges == Edges::Torus { straight - (straight / extent).round() * extent } else { straight };
            square += (away.abs() - 0.5).max(0.0).powi(2);
        }
        nearest = nearest.min(square.sqrt());
    }
    if edges == Edges::Walls {
        for axis in 0..axes {
            nearest = nearest.min(point[axis]).min(f64::from(extents[axis]) - point[axis]);
        }
    }
    nearest
}

/// The ball along a free ray is out of rock, with a tolerance of about half a cell. A blocked ray ends near rock.
#[test]
fn rays_are_those_of_an_oracle() {
    let mut random = Random::new(31);
    let mut found = [0, 0];
    for space in spaces() {
        for _ in 0..6 {
            let habitat = habitat(space, &mut random);
            let rays = habitat.rays.clone().unwrap();
            let begun = in_crevices(&habitat, 400, ONE, &mut random);
            for index in (0..begun.len()).step_by(5) {
                let (place, velocity) = (begun.position(index), begun.velocity(index));
                let Some(frame) = frame(velocity) else { continue };
                let own = habitat.gap(place);
                assert!(own >= 0);
                for ray in rays.directions.iter().step_by(9) {
                    let way = in_world(*ray, &frame);
                    let end = rays.trace(&habitat, place, way, own, [-1, 0]);
                    let length = f64::from(if end < 0 { rays.numbers.reach } else { end }) / 256.0;
                    let at = |distance: f64| {
                        [0, 1, 2].map(|axis| {
                            f64::from(place[axis]) / 65536.0 + distance * f64::from(way[axis]) / f64::from(ONE)
                        })
                    };
                    let clearance = f64::from(rays.numbers.clearance) / 4.0;
                    // The ball is clear up to the end of the ray, to the precision of one check in half a cell.
                    let mut distance = 0.0;
                    while distance < length {
                        let wanted = if distance < clearance { clearance.min(f64::from(own) / 4.0) } else { clearance };
                        let free = distance_to_rock(&habitat, at(distance));
                        assert!(free >= wanted - 0.52, "{free} cells free, not {wanted}, {distance} along");
                        distance += 0.25;
                    }
                    if end >= 0 {
                        let wanted = if length < clearance { clearance.min(f64::from(own) / 4.0) } else { clearance };
                        let free = distance_to_rock(&habitat, at(length));
                        // The gap of a cell is a bound for all places in the cell, rounded down to 1/4 cell.
                        assert!(free < wanted + 3f64.sqrt() + 0.25, "{free} cells free at the end, {wanted} wanted");
                    }
                    found[usize::from(end >= 0)] += 1;
                }
            }
        }
    }
    assert!(found.iter().all(|count| *count > 500), "{found:?}");
}

/// The individual takes the first free ray. If the way ahead is free, the control vector is 1 straight ahead.
#[test]
fn the_first_free_ray_is_taken() {
    let space = Space { extents: [40, 40, 40], edges: Edges::Walls };
    let numbers =
        RayNumbers { count: 100, view: 120 * 11_930_465, least: 0, reach: 8 << 8, clearance: 4, growth: 1024 };
    let rays = Arc::new(Rays::new(numbers, 3));
    let open = Habitat::new(space, Vec::new()).with_obstacles(None, Some(rays.clone()));
    let middle = [20 << 16; 3];
    let ahead = rays.choose(&open, middle, [1000, 0, 0]).unwrap();
    assert_eq!((ahead.way, ahead.ahead, ahead.traced), ([ONE, 0, 0], 8 << 8, 1));
    assert_eq!(rays.control(&open, middle, [1000, 0, 0], open.gap(middle)), [1024, 0, 0]);
    assert_eq!(rays.choose(&open, middle, [0; 3]), None);
    // Near a wall the ray turns away, more strongly at a smaller distance.
    let near = [37 << 16, 20 << 16, 20 << 16];
    let choice = rays.choose(&open, near, [1000, 0, 0]).unwrap();
    assert!(choice.traced > 1 && choice.way[0] < ONE / 2, "{choice:?}");
    let control = rays.control(&open, near, [1000, 0, 0], open.gap(near));
    let strength = f64::from(control.iter().map(|n| n * n).sum::<i32>()).sqrt();
    assert!((1500.0..2048.0).contains(&strength), "{control:?}");
    // In a closed cell no ray is free. The individual takes the longest ray.
    let mut closed = vec![true; 64_000];
    for x in 10..16 {
        closed[(20 * 40 + 20) * 40 + x] = false;
    }
    let closed = Habitat::new(space, Vec::new()).with_obstacles(field(&space, closed), Some(rays.clone()));
    let choice =
        rays.choose(&closed, [(10 << 16) + 32_768, (20 << 16) + 32_768, (20 << 16) + 32_768], [1000, 30, 0]).unwrap();
    assert_eq!(choice.traced as usize, rays.directions.len());
    assert!(choice.way[0] > 0, "{choice:?}");
}

/// The length of a ray, computed step by step.
fn trace_by_definition(rays: &Rays, habitat: &Habitat, place: Vector3, direction: Vector3) -> Option<i32> {
    let RayNumbers { reach, clearance, .. } = rays.numbers;
    let (own, grace, mut distance) = (habitat.gap(place), 64 * clearance, 0);
    while distance <= reach {
        let wanted = if distance < grace { clearance.min(own) } else { clearance };
        let gap = habitat.gap([0, 1, 2].map(|axis| place[axis] + ((direction[axis] * distance) >> 6)));
        if gap < wanted {
            return Some(distance);
        }
        let next = distance + (64 * (gap - wanted)).max(128);
        distance = if wanted < clearance && distance < grace { next.min(grace) } else { next };
    }
    None
}

/// The control vector of avoidance, computed ray by ray.
fn control_by_definition(rays: &Rays, habitat: &Habitat, place: Vector3, velocity: Vector3) -> Vector3 {
    let Some(frame) = frame(velocity) else { return [0; 3] };
    let ways: Vec<Vector3> = rays.directions.iter().map(|ray| in_world(*ray, &frame)).collect();
    let ends: Vec<_> = ways.iter().map(|way| trace_by_definition(rays, habitat, place, *way)).collect();
    let is_free = |index: &usize| ends[*index].is_none();
    let within: Vec<usize> = (0..rays.always).filter(is_free).collect();
    let way = if !within.is_empty() {
        normalise([0, 1, 2].map(|axis| within.iter().map(|index| ways[*index][axis]).sum()))
    } else if let Some(first) = (rays.always..ways.len()).find(is_free) {
        ways[first]
    } else {
        // The first of the longest rays; straight ahead if all have length 0.
        let farthest = ends.iter().flatten().max().copied().unwrap();
        ways[ends.iter().position(|end| *end == Some(farthest)).unwrap()]
    };
    let ahead = ends[0].unwrap_or(rays.numbers.reach);
    let nearness = RULE_ONE - quotient(ahead * RULE_ONE, rays.numbers.reach);
    let strength = RULE_ONE + round_shift(rays.numbers.growth * nearness, 10);
    way.map(|part| round_shift(part * strength, 14))
}

/// Compares lanes with the definitions: control vectors and movements.
struct CompareLanes<'a>(&'a Habitat, &'a Individuals, &'a [Vector3], &'a [(Vector3, Vector3)]);

impl LaneWork for CompareLanes<'_> {
    #[inline(always)]
    fn run<V: lanes::Lanes>(self) {
        self.compare::<V>();
        self.compare::<DoubleLanes<V>>();
    }
}

impl CompareLanes<'_> {
    #[inline(always)]
    fn compare<V: lanes::Lanes>(&self) {
        let Self(habitat, individuals, controls, movements) = *self;
        let rays = habitat.rays.as_ref().unwrap();
        for first in (0..individuals.len()).step_by(V::COUNT) {
            let lanes = |list: &[Vec<i32>; 3]| [0, 1, 2].map(|axis| V::load_some(&list[axis][first..]));
            let own = habitat.gaps_at(lanes(&individuals.positions));
            let control = rays.control(habitat, lanes(&individuals.positions), lanes(&individuals.velocities), own);
            let mut listed = [[0; MAX_LANES]; 3];
            (0..3).for_each(|axis| control[axis].store(&mut listed[axis]));
            for lane in 0..V::COUNT.min(individuals.len() - first) {
                let (place, velocity) = (individuals.position(first + lane), individuals.velocity(first + lane));
                let of_lane = [0, 1, 2].map(|axis| listed[axis][lane]);
                assert_eq!(of_lane, controls[first + lane], "{place:?} {velocity:?} {:?}", rays.numbers);
            }
        }
        let Individuals { mut positions, mut velocities, .. } = individuals.clone();
        let [places, kept] = [&mut positions, &mut velocities].map(|list| list.each_mut().map(Vec::as_mut_slice));
        move_all::<V>(RuleSet::Aquarium, habitat, places, kept);
        for (index, moved) in movements.iter().enumerate() {
            let of_lanes = [&positions, &velocities].map(|list| [0, 1, 2].map(|axis| list[axis][index]));
            assert_eq!(
                of_lanes,
                [moved.0, moved.1],
                "{:?} {:?}",
                individuals.position(index),
                individuals.velocity(index)
            );
        }
    }
}

/// Rays and movements of individuals in lanes are equal to the rays and movements of single individuals. The cases are
/// crevices and open water, all speeds, and tori narrower than the length of a ray.
#[test]
fn lanes_see_and_move_as_single_individuals() {
    let mut random = Random::new(38);
    let narrow = Space { extents: [9, 8, 8], edges: Edges::Torus };
    let mut turned = 0;
    for (round, space) in spaces().chain([narrow, narrow]).enumerate() {
        let mut habitat = habitat(space, &mut random);
        if round % 2 == 1 {
            // The longest rays.
            let numbers = RayNumbers { reach: 60 << 8, ..habitat.rays.as_ref().unwrap().numbers };
            habitat.rays = Some(Arc::new(Rays::new(numbers, space.axes())));
        }
        let mut individuals = in_crevices(&habitat, 333, 2 * ONE, &mut random);
        // From rest to the maximum speed.
        (0..individuals.len()).for_each(|index| {
            let bits = random.below(17) as u32;
            (0..3).for_each(|axis| {
                individuals.velocities[axis][index] = (2 * individuals.velocities[axis][index]) >> bits
            });
        });
        individuals.slow_down(2 * ONE);
        let rays = habitat.rays.as_ref().unwrap();
        let each = 0..individuals.len();
        let control =
            |index| control_by_definition(rays, &habitat, individuals.position(index), individuals.velocity(index));
        let controls: Vec<Vector3> = each.clone().map(control).collect();
        let single = |index| {
            let (place, velocity) = (individuals.position(index), individuals.velocity(index));
            rays.control(&habitat, place, velocity, habitat.gap(place))
        };
        assert_eq!(each.clone().map(single).collect::<Vec<_>>(), controls);
        turned += each.clone().filter(|index| ahead_of(&individuals, *index) != controls[*index]).count();
        let movements: Vec<_> =
            each.map(|index| sweep(&habitat, individuals.position(index), individuals.velocity(index))).collect();
        for set in InstructionSet::ALL.iter().filter(|set| set.is_available()) {
            set.run(CompareLanes(&habitat, &individuals, &controls, &movements));
        }
    }
    assert!(turned > 500, "{turned}");
}

/// The control vector of an individual that perceives nothing.
fn ahead_of(individuals: &Individuals, index: usize) -> Vector3 {
    normalise(individuals.velocity(index)).map(|part| round_shift(part, 4))
}

/// The trace of single individuals agrees with the metrics and with the rule.
#[test]
fn a_trace_has_the_rays_that_are_counted_and_the_heading_that_is_taken() {
    let mut random = Random::new(40);
    let (mut means, mut blocked) = (0, 0);
    for space in spaces().chain(spaces()).chain(spaces()) {
        let habitat = habitat(space, &mut random);
        let rays = habitat.rays.as_ref().unwrap();
        let individuals = in_crevices(&habitat, 500, ONE, &mut random);
        let mut traced = 0;
        for index in 0..individuals.len() {
            let (place, velocity) = (individuals.position(index), individuals.velocity(index));
            let trace = rays.trace_all(&habitat, place, velocity);
            assert_eq!(trace.as_ref().map(|trace| trace.choice), rays.choose(&habitat, place, velocity));
            let Some(trace) = trace else { continue };
            traced += trace.rays.len();
            assert_eq!(trace.rays.len(), trace.choice.traced as usize);
            for ray in &trace.rays {
                assert_eq!(ray.end, trace_by_definition(rays, &habitat, place, ray.way));
            }
            let is_free = |index: usize| trace.rays[index].end.is_none();
            match trace.choice.ray.map(|ray| ray as usize) {
                Some(ray) => {
                    assert_eq!(trace.rays[ray].way, trace.choice.way);
                    let farthest = trace.rays.iter().filter_map(|ray| ray.end).max();
                    assert!(is_free(ray) && ray + 1 == trace.rays.len() || trace.rays[ray].end == farthest);
                    blocked += u32::from(!is_free(ray));
                }
                None => {
                    assert!(trace.rays.len() == rays.always && (0..rays.always).any(is_free));
                    means += 1;
                }
            }
            let nearness = RULE_ONE - quotient(trace.choice.ahead * RULE_ONE, rays.numbers.reach);
            let strength = RULE_ONE + round_shift(rays.numbers.growth * nearness, 10);
            let control = rays.control(&habitat, place, velocity, habitat.gap(place));
            assert_eq!(control, trace.choice.way.map(|part| round_shift(part * strength, 14)));
        }
        let counted = RockMeasures::new(&habitat, &individuals).unwrap().rays.unwrap() * individuals.len() as f64;
        assert_eq!(traced, counted.round() as usize);
    }
    assert!(means > 100 && blocked > 20, "{means} means, {blocked} blocked");
}

/// Individuals with only avoidance and no inertia move along the way of their trace.
#[test]
fn a_step_goes_along_the_way_of_the_trace() {
    let mut random = Random::new(41);
    let mut turned = 0;
    for space in spaces() {
        let mut habitat = habitat(space, &mut random);
        let numbers = RayNumbers { growth: 0, ..habitat.rays.as_ref().unwrap().numbers };
        habitat.rays = Some(Arc::new(Rays::new(numbers, space.axes())));
        let rays = habitat.rays.clone().unwrap();
        let begun = in_crevices(&habitat, 600, ONE / 2, &mut random);
        let mut weights = RuleArray([0; Rule::ALL.len()]);
        weights[Rule::Avoidance] = WEIGHT;
        let rules = IndividualRules { weights, keep: 0, cruise: 0, max: 2 * ONE, ..rules(RuleSet::Reynolds) };
        let mut played = begin(&rules, &habitat, &begun, options(SearchKind::Grid, 2, None));
        played.play(&[nothing_around()]);
        let after = played.individuals().in_order();
        for index in 0..begun.len() {
            let (place, velocity) = (begun.position(index), begun.velocity(index));
            let Some(trace) = rays.trace_all(&habitat, place, velocity) else { continue };
            let taken = trace.choice.way.map(|part| round_shift(part, 4) << 4);
            assert_eq!((after.position(index), after.velocity(index)), sweep(&habitat, place, taken));
            turned += u32::from(trace.rays.len() > 1);
        }
    }
    assert!(turned > 300, "{turned}");
}

/// The individual on a line of sight or with a given number is equal on every engine, even after catches. Only this
/// individual is read.
#[test]
fn one_individual_is_found_on_every_engine() {
    let Some(gpu) = adapter::shared("finding an individual on the GPU") else { return };
    let mut random = Random::new(42);
    for space in spaces() {
        let habitat = habitat(space, &mut random);
        let begun = in_crevices(&habitat, 300, ONE / 2, &mut random);
        let rules = rules(RuleSet::Aquarium);
        let mut on_cpu = begin(&rules, &habitat, &begun, options(SearchKind::Grid, 2, None));
        let mut on_gpu = on_gpu(&gpu, &rules, &habitat, &begun, SearchKind::Grid, WORKGROUP);
        for part in 0..4 {
            let individuals = on_cpu.individuals();
            for index in (0..individuals.len()).step_by(29) {
                let (number, place) = (individuals.numbers[index], individuals.position(index));
                let [x, y, z] = place.map(|along| along as f32 / 65_536.0);
                // On such an oblique line there is no other individual.
                let ahead = [0.3, 0.2, -0.932_738];
                let from = [x - 3.0 * ahead[0], y - 3.0 * ahead[1], z - 3.0 * ahead[2]];
                let line = LineOfSight { from, ahead, length: 4.0, radius: 2e-3, spread: 0.0 };
                let aside = LineOfSight { from: [x, y, -50.0], ..line };
                for (line, wanted) in [(Some(line), None), (None, Some(number)), (Some(aside), Some(number))] {
                    let query = IndividualQuery { line, number: wanted };
                    let [here, there] = [&mut on_cpu.engine as &mut dyn IndividualsEngine, &mut on_gpu.engine]
                        .map(|engine| query.ask(engine).unwrap().wait().unwrap().unwrap());
                    assert_eq!((here.place, there.place), (place, place), "{query:?}");
                    // Several individuals at one place may lie on the line. Any of them may be found.
                    assert!(wanted.is_none() || here == there && here.number == number, "{query:?}");
                }
            }
            let gone = IndividualQuery { line: None, number: Some(300) };
            assert_eq!(on_gpu.engine.request(gone).unwrap().wait().unwrap(), None);
            let jaws = surroundings(part, 40);
            on_cpu.play(&[jaws; 6]);
            on_gpu.play(&[jaws; 6]);
        }
        assert!(on_cpu.caught() > 0 && on_cpu.caught() == on_gpu.caught());
    }
}
