//! Individuals among rock: rays against an oracle, movements that never end in rock, and the same bits on every engine.

use crate::adapter;
use crate::agents_gpu::on_gpu;
use crate::dice::Dice;
use crate::worlds_of_agents::*;
use murmuration::engine::IndividualsEngine;
use murmuration::individuals::gpu::WORKGROUP;
use murmuration::individuals::movement::{is_stopped, move_all, sweep};
use murmuration::individuals::rays::{RayNumbers, Rays, frame, in_world};
use murmuration::individuals::rock_measures::RockMeasures;
use murmuration::individuals::search::SearchKind;
use murmuration::individuals::{AgentRules, Agents, Rule, RuleSet, Space, Terrain, Vector3};
use murmuration::lanes::{self, InstructionSet, MAX_LANES, Unrolled, Vectorized};
use murmuration::numbers::{ONE, RULE_ONE, quotient, round_shift};
use murmuration::vector::normalise;
use murmuration::world::{Edges, ScalarField};
use std::sync::Arc;

/// A field that is rock in these cells.
fn field(space: &Space, rock: Vec<bool>) -> Option<Arc<ScalarField>> {
    let values = rock.into_iter().map(|rock| if rock { 1000 } else { -1000 }).collect();
    Some(Arc::new(ScalarField { extents: space.in_space(), values }))
}

/// Cells of rock: balls at random places, through which a plane has a hole.
fn rock(space: &Space, dice: &mut Dice) -> Option<Arc<ScalarField>> {
    let [width, height, depth] = space.extents.map(|extent| extent as i32);
    let smallest = if space.axes() == 2 { width.min(height) } else { width.min(height).min(depth) };
    let balls: Vec<(Vector3, i32)> = (0..7)
        .map(|_| {
            let centre = space.extents.map(|extent| dice.below(extent.into()) as i32);
            (centre, 1 + dice.below(smallest as u64 / 4) as i32)
        })
        .collect();
    let plane = 2 + dice.below(width as u64 - 4) as i32;
    let is_rock = |[x, y, z]: Vector3| {
        let is_in = |(centre, radius): &(Vector3, i32)| {
            let away = [x - centre[0], y - centre[1], z - centre[2]];
            away.iter().map(|n| n * n).sum::<i32>() <= radius * radius
        };
        balls.iter().any(is_in) || x == plane && (y - height / 2).abs() > 2
    };
    let cells = (0..depth).flat_map(|z| (0..height).flat_map(move |y| (0..width).map(move |x| [x, y, z])));
    field(space, cells.map(is_rock).collect())
}

fn numbers(dice: &mut Dice) -> RayNumbers {
    let least = [0, 0, 1 << 28][dice.below(3) as usize];
    let (view, growth) = (1 << 30, dice.below(2048) as i32);
    let (count, clearance) = (20 + dice.below(100) as u32, 2 + dice.below(10) as i32);
    RayNumbers { count, view, least, reach: (3 + dice.below(10) as i32) << 8, clearance, growth }
}

fn terrain(space: Space, dice: &mut Dice) -> Terrain {
    let (rock, numbers) = (rock(&space, dice), numbers(dice));
    Terrain::new(space, Vec::new()).with_obstacles(rock, Some(Arc::new(Rays::new(numbers, space.axes()))))
}

/// Agents in free cells, the next to rock first; each in a corner of its cell.
fn in_crevices(terrain: &Terrain, count: usize, fastest: i32, dice: &mut Dice) -> Agents {
    let extents = terrain.space.in_space();
    let mut cells: Vec<(u8, usize)> =
        terrain.gaps.iter().enumerate().filter(|(_, gap)| **gap > 0).map(|(cell, gap)| (*gap, cell)).collect();
    cells.sort_unstable();
    let mut agents = Agents::default();
    for number in 0..count {
        let cell = extents.cell(cells[number % cells.len().min(count)].1);
        let is_deep = [true, true, terrain.space.axes() == 3];
        let place = [0, 1, 2]
            .map(|axis| if is_deep[axis] { (cell[axis] << 16) + [0, 1, 0xffff][dice.below(3) as usize] } else { 0 });
        let velocity =
            is_deep.map(|is_deep| if is_deep { dice.below(2 * fastest as u64 + 1) as i32 - fastest } else { 0 });
        agents.push(number as u32, place, velocity);
    }
    // Components at their bounds are longer than any speed.
    agents.slow_down(fastest);
    agents
}

fn in_rock(terrain: &Terrain, agents: &Agents) -> u64 {
    RockMeasures::of(terrain, agents).unwrap().in_rock
}

fn spaces() -> impl Iterator<Item = Space> {
    [[37, 29, 1], [23, 19, 17]]
        .into_iter()
        .flat_map(|extents| [Edges::Torus, Edges::Walls].map(|edges| Space { extents, edges }))
}

fn around() -> Surroundings {
    Surroundings { hunter_count: 0, ..surroundings(0, 0) }
}

/// The distance from a point to the nearest cube of rock, in cells; with walls all beyond is rock.
fn distance_to_rock(terrain: &Terrain, point: [f64; 3]) -> f64 {
    let Space { extents, edges } = terrain.space;
    let axes = terrain.space.axes();
    let in_space = terrain.space.in_space();
    let mut nearest = f64::INFINITY;
    for (index, gap) in terrain.gaps.iter().enumerate().filter(|(_, gap)| **gap == 0) {
        assert_eq!(*gap, 0);
        let cell = in_space.cell(index);
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

/// A free ray keeps its ball out of rock but for half a cell, and one that is not free ends where rock is near.
#[test]
fn rays_are_those_of_an_oracle() {
    let mut dice = Dice::new(31);
    let mut found = [0, 0];
    for space in spaces() {
        for _ in 0..6 {
            let terrain = terrain(space, &mut dice);
            let rays = terrain.rays.clone().unwrap();
            let begun = in_crevices(&terrain, 400, ONE, &mut dice);
            for index in (0..begun.len()).step_by(5) {
                let (place, velocity) = (begun.position(index), begun.velocity(index));
                let Some(frame) = frame(velocity) else { continue };
                let own = terrain.gap(place);
                assert!(own >= 0);
                for ray in rays.directions.iter().step_by(9) {
                    let way = in_world(*ray, &frame);
                    let end = rays.trace(&terrain, place, way, own, [-1, 0]);
                    let length = f64::from(if end < 0 { rays.numbers.reach } else { end }) / 256.0;
                    let at = |distance: f64| {
                        [0, 1, 2].map(|axis| {
                            f64::from(place[axis]) / 65536.0 + distance * f64::from(way[axis]) / f64::from(ONE)
                        })
                    };
                    let clearance = f64::from(rays.numbers.clearance) / 4.0;
                    // The ball is clear up to its end, but for what a look at every half cell overlooks.
                    let mut distance = 0.0;
                    while distance < length {
                        let wanted = if distance < clearance { clearance.min(f64::from(own) / 4.0) } else { clearance };
                        let free = distance_to_rock(&terrain, at(distance));
                        assert!(free >= wanted - 0.52, "{free} cells free, not {wanted}, {distance} along");
                        distance += 0.25;
                    }
                    if end >= 0 {
                        let wanted = if length < clearance { clearance.min(f64::from(own) / 4.0) } else { clearance };
                        let free = distance_to_rock(&terrain, at(length));
                        // A gap is that of the whole cell, rounded down to quarters.
                        assert!(free < wanted + 3f64.sqrt() + 0.25, "{free} cells free at the end, {wanted} wanted");
                    }
                    found[usize::from(end >= 0)] += 1;
                }
            }
        }
    }
    assert!(found.iter().all(|count| *count > 500), "{found:?}");
}

/// The first free ray is taken, and ahead the document still pushes.
#[test]
fn the_first_free_ray_is_taken() {
    let space = Space { extents: [40, 40, 40], edges: Edges::Walls };
    let numbers =
        RayNumbers { count: 100, view: 120 * 11_930_465, least: 0, reach: 8 << 8, clearance: 4, growth: 1024 };
    let rays = Arc::new(Rays::new(numbers, 3));
    let open = Terrain::new(space, Vec::new()).with_obstacles(None, Some(rays.clone()));
    let middle = [20 << 16; 3];
    let ahead = rays.choose(&open, middle, [1000, 0, 0]).unwrap();
    assert_eq!((ahead.way, ahead.ahead, ahead.traced), ([ONE, 0, 0], 8 << 8, 1));
    assert_eq!(rays.control(&open, middle, [1000, 0, 0], open.gap(middle)), [1024, 0, 0]);
    assert_eq!(rays.choose(&open, middle, [0; 3]), None);
    // Towards a wall the ray turns away from it, the stronger the nearer it is.
    let near = [37 << 16, 20 << 16, 20 << 16];
    let choice = rays.choose(&open, near, [1000, 0, 0]).unwrap();
    assert!(choice.traced > 1 && choice.way[0] < ONE / 2, "{choice:?}");
    let control = rays.control(&open, near, [1000, 0, 0], open.gap(near));
    let strength = f64::from(control.iter().map(|n| n * n).sum::<i32>()).sqrt();
    assert!((1500.0..2048.0).contains(&strength), "{control:?}");
    // In a closed cell no ray is free: it goes where it gets farthest.
    let mut closed = vec![true; 64_000];
    for x in 10..16 {
        closed[(20 * 40 + 20) * 40 + x] = false;
    }
    let closed = Terrain::new(space, Vec::new()).with_obstacles(field(&space, closed), Some(rays.clone()));
    let choice =
        rays.choose(&closed, [(10 << 16) + 32_768, (20 << 16) + 32_768, (20 << 16) + 32_768], [1000, 30, 0]).unwrap();
    assert_eq!(choice.traced as usize, rays.directions.len());
    assert!(choice.way[0] > 0, "{choice:?}");
}

/// How far a ray gets, step by step.
fn trace_by_definition(rays: &Rays, terrain: &Terrain, place: Vector3, direction: Vector3) -> Option<i32> {
    let RayNumbers { reach, clearance, .. } = rays.numbers;
    let (own, grace, mut distance) = (terrain.gap(place), 64 * clearance, 0);
    while distance <= reach {
        let wanted = if distance < grace { clearance.min(own) } else { clearance };
        let gap = terrain.gap([0, 1, 2].map(|axis| place[axis] + ((direction[axis] * distance) >> 6)));
        if gap < wanted {
            return Some(distance);
        }
        let next = distance + (64 * (gap - wanted)).max(128);
        distance = if wanted < clearance && distance < grace { next.min(grace) } else { next };
    }
    None
}

/// The control vector of avoidance, ray by ray.
fn control_by_definition(rays: &Rays, terrain: &Terrain, place: Vector3, velocity: Vector3) -> Vector3 {
    let Some(frame) = frame(velocity) else { return [0; 3] };
    let ways: Vec<Vector3> = rays.directions.iter().map(|ray| in_world(*ray, &frame)).collect();
    let ends: Vec<_> = ways.iter().map(|way| trace_by_definition(rays, terrain, place, *way)).collect();
    let is_free = |index: &usize| ends[*index].is_none();
    let within: Vec<usize> = (0..rays.always).filter(is_free).collect();
    let way = if !within.is_empty() {
        normalise([0, 1, 2].map(|axis| within.iter().map(|index| ways[*index][axis]).sum()))
    } else if let Some(first) = (rays.always..ways.len()).find(is_free) {
        ways[first]
    } else {
        // The first of those that get farthest; straight ahead where none gets anywhere.
        let farthest = ends.iter().flatten().max().copied().unwrap();
        ways[ends.iter().position(|end| *end == Some(farthest)).unwrap()]
    };
    let ahead = ends[0].unwrap_or(rays.numbers.reach);
    let nearness = RULE_ONE - quotient(ahead * RULE_ONE, rays.numbers.reach);
    let strength = RULE_ONE + round_shift(rays.numbers.growth * nearness, 10);
    way.map(|part| round_shift(part * strength, 14))
}

/// Compares lanes with the definitions: control vectors, and movements.
struct CompareLanes<'a>(&'a Terrain, &'a Agents, &'a [Vector3], &'a [(Vector3, Vector3)]);

impl Vectorized for CompareLanes<'_> {
    #[inline(always)]
    fn run<V: lanes::Lanes>(self) {
        self.compare::<V>();
        self.compare::<Unrolled<V>>();
    }
}

impl CompareLanes<'_> {
    #[inline(always)]
    fn compare<V: lanes::Lanes>(&self) {
        let Self(terrain, agents, controls, movements) = *self;
        let rays = terrain.rays.as_ref().unwrap();
        for first in (0..agents.len()).step_by(V::COUNT) {
            let lanes = |list: &[Vec<i32>; 3]| [0, 1, 2].map(|axis| V::load_some(&list[axis][first..]));
            let own = terrain.gaps_at(lanes(&agents.positions));
            let control = rays.control(terrain, lanes(&agents.positions), lanes(&agents.velocities), own);
            let mut listed = [[0; MAX_LANES]; 3];
            (0..3).for_each(|axis| control[axis].store(&mut listed[axis]));
            for lane in 0..V::COUNT.min(agents.len() - first) {
                let (place, velocity) = (agents.position(first + lane), agents.velocity(first + lane));
                let of_lane = [0, 1, 2].map(|axis| listed[axis][lane]);
                assert_eq!(of_lane, controls[first + lane], "{place:?} {velocity:?} {:?}", rays.numbers);
            }
        }
        let Agents { mut positions, mut velocities, .. } = agents.clone();
        let [places, kept] = [&mut positions, &mut velocities].map(|list| list.each_mut().map(Vec::as_mut_slice));
        move_all::<V>(RuleSet::Aquarium, terrain, places, kept);
        for (index, moved) in movements.iter().enumerate() {
            let of_lanes = [&positions, &velocities].map(|list| [0, 1, 2].map(|axis| list[axis][index]));
            assert_eq!(of_lanes, [moved.0, moved.1], "{:?} {:?}", agents.position(index), agents.velocity(index));
        }
    }
}

/// Rays and movements in lanes are those of single individuals, in crevices and in open water, on tori that are narrower than a ray is
/// long as well, at all speeds.
#[test]
fn lanes_see_and_move_as_single_individuals() {
    let mut dice = Dice::new(38);
    let narrow = Space { extents: [9, 8, 8], edges: Edges::Torus };
    let mut turned = 0;
    for (round, space) in spaces().chain([narrow, narrow]).enumerate() {
        let mut terrain = terrain(space, &mut dice);
        if round % 2 == 1 {
            // The farthest rays.
            let numbers = RayNumbers { reach: 60 << 8, ..terrain.rays.as_ref().unwrap().numbers };
            terrain.rays = Some(Arc::new(Rays::new(numbers, space.axes())));
        }
        let mut agents = in_crevices(&terrain, 333, 2 * ONE, &mut dice);
        // From standing still over a creep to the greatest speed.
        (0..agents.len()).for_each(|index| {
            let bits = dice.below(17) as u32;
            (0..3).for_each(|axis| agents.velocities[axis][index] = (2 * agents.velocities[axis][index]) >> bits);
        });
        agents.slow_down(2 * ONE);
        let rays = terrain.rays.as_ref().unwrap();
        let each = 0..agents.len();
        let control = |index| control_by_definition(rays, &terrain, agents.position(index), agents.velocity(index));
        let controls: Vec<Vector3> = each.clone().map(control).collect();
        let single = |index| {
            let (place, velocity) = (agents.position(index), agents.velocity(index));
            rays.control(&terrain, place, velocity, terrain.gap(place))
        };
        assert_eq!(each.clone().map(single).collect::<Vec<_>>(), controls);
        turned += each.clone().filter(|index| ahead_of(&agents, *index) != controls[*index]).count();
        let movements: Vec<_> =
            each.map(|index| sweep(&terrain, agents.position(index), agents.velocity(index))).collect();
        for set in InstructionSet::ALL.iter().filter(|set| set.is_available()) {
            set.run(CompareLanes(&terrain, &agents, &controls, &movements));
        }
    }
    assert!(turned > 500, "{turned}");
}

/// The control vector of an individual that sees nothing.
fn ahead_of(agents: &Agents, index: usize) -> Vector3 {
    normalise(agents.velocity(index)).map(|part| round_shift(part, 4))
}

/// Cells that touch rock, corners, the greatest speed, and forces into the rock: nobody is ever in it. `MURMURATION_ROUNDS` is how many
/// terrains of each kind are tried, by default 3.
#[test]
fn nobody_is_ever_in_rock() {
    let mut dice = Dice::new(33);
    let mut fish_steps = 0;
    let rounds = std::env::var("MURMURATION_ROUNDS").map_or(3, |rounds| rounds.parse().unwrap());
    for round in 0..rounds {
        for space in spaces() {
            let mut terrain = terrain(space, &mut dice);
            if round % 3 != 2 {
                terrain.rays = None;
            }
            let fastest = 2 * ONE;
            let begun = in_crevices(&terrain, 3000, fastest, &mut dice);
            let mut rules =
                AgentRules { min: fastest / 3, max: fastest, force: fastest, ..rules(SETS[round % SETS.len()]) };
            // Pulled and pushed as much as can be, into the rock too.
            let sign = if round % 2 == 0 { 8 } else { -8 };
            rules.weights[Rule::Cohesion] = sign * WEIGHT;
            rules.weights[Rule::Separation] = -sign * WEIGHT;
            rules.weights[Rule::Avoidance] = -WEIGHT;
            let mut individuals = individuals(&rules, &terrain, &begun, options(SearchKind::Grid, 2, None));
            for _ in 0..7 {
                individuals.play(&[around(); 10]);
                let agents = individuals.agents();
                assert_eq!((agents.len(), in_rock(&terrain, &agents)), (3000, 0));
                fish_steps += 10 * agents.len();
            }
        }
    }
    // Movements alone, which are what keeps them out.
    for space in spaces() {
        let terrain = terrain(space, &mut dice);
        let mut agents = in_crevices(&terrain, 2000, 2 * ONE, &mut dice);
        for _ in 0..320 {
            for index in 0..agents.len() {
                let velocity = [0, 1, 2]
                    .map(|axis| if axis < space.axes() { dice.below(4 * ONE as u64 + 1) as i32 - 2 * ONE } else { 0 });
                let (place, kept) = sweep(&terrain, agents.position(index), velocity);
                assert!(terrain.gap(place) >= 0);
                assert!((0..3).all(|axis| kept[axis].abs() <= velocity[axis].abs()));
                (0..3).for_each(|axis| agents.positions[axis][index] = place[axis]);
            }
            fish_steps += agents.len();
        }
    }
    println!("{fish_steps} steps of an individual, none of which ended in rock");
    assert!(fish_steps > 5_000_000, "{fish_steps}");
}

/// A way without rock is the plain one, and one against a wall slides along it.
#[test]
fn a_sweep_goes_all_the_way_where_nothing_is_in_it() {
    let space = Space { extents: [9, 9, 9], edges: Edges::Torus };
    let open = Terrain::new(space, Vec::new()).with_obstacles(None, None);
    let mut dice = Dice::new(34);
    for _ in 0..20_000 {
        let place = [0; 3].map(|_| dice.below(9 << 16) as i32);
        let velocity = [0; 3].map(|_| dice.below(4 * ONE as u64 + 1) as i32 - 2 * ONE);
        let to = [0, 1, 2].map(|axis| (place[axis] + 4 * velocity[axis]).rem_euclid(9 << 16));
        let (reached, kept) = sweep(&open, place, velocity);
        if velocity != [0; 3] {
            assert_eq!((reached, kept), (to, velocity));
        }
    }
    let mut wall = vec![false; 729];
    (0..81).for_each(|row| wall[row * 9 + 5] = true);
    let walled = Terrain::new(space, Vec::new()).with_obstacles(field(&space, wall), None);
    let (reached, kept) = sweep(&walled, [(4 << 16) + 100, 1 << 16, 1 << 16], [2 * ONE, ONE, 0]);
    assert_eq!((reached, kept), ([(5 << 16) - 1, 2 << 16, 1 << 16], [0, ONE, 0]));
    // Straight into it, all is lost: it turns round at half its speed.
    let (reached, kept) = sweep(&walled, [(4 << 16) + 100, 1 << 16, 1 << 16], [ONE, 0, 0]);
    assert_eq!((reached, kept), ([(5 << 16) - 1, 1 << 16, 1 << 16], [-ONE / 2, 0, 0]));
}

#[test]
fn threads_and_instruction_sets_see_the_same_ways() {
    let mut dice = Dice::new(35);
    for (index, space) in spaces().enumerate() {
        let terrain = terrain(space, &mut dice);
        let begun = in_crevices(&terrain, 700, ONE / 2, &mut dice);
        let rules = rules(SETS[(index + 1) % SETS.len()]);
        let mut ways = vec![options(SearchKind::Brute, 1, None), options(SearchKind::Grid, 3, None)];
        let available = InstructionSet::ALL.iter().filter(|set| set.is_available());
        ways.extend(available.map(|set| options(SearchKind::Grid, 2, Some(*set))));
        let hashes = ways.iter().map(|options| {
            let mut individuals = individuals(&rules, &terrain, &begun, *options);
            individuals.play(&[around(); 20]);
            individuals.agents().hash()
        });
        let hashes: Vec<String> = hashes.collect();
        assert!(hashes.iter().all(|hash| *hash == hashes[0]), "{hashes:?}");
    }
}

/// Every movement that is bent is found by where it ends, and hardly any other, at all speeds.
#[test]
fn stops_are_found_by_what_they_leave() {
    let mut dice = Dice::new(39);
    let (mut stopped, mut others, mut wrong) = (0, 0, 0);
    for space in spaces() {
        let terrain = terrain(space, &mut dice);
        let mut agents = in_crevices(&terrain, 3000, 2 * ONE, &mut dice);
        for round in 0..6 {
            for index in 0..agents.len() {
                let fastest = (2 * ONE) >> round;
                let velocity = [0, 1, 2].map(|axis| {
                    if axis < space.axes() { dice.below(2 * fastest as u64 + 1) as i32 - fastest } else { 0 }
                });
                let (place, kept) = sweep(&terrain, agents.position(index), velocity);
                let is_found = is_stopped(&terrain, place, kept);
                if kept == velocity {
                    (others, wrong) = (others + 1, wrong + u32::from(is_found));
                } else {
                    assert!(is_found, "{velocity:?} became {kept:?} at {place:?}");
                    stopped += 1;
                }
                (0..3).for_each(|axis| agents.positions[axis][index] = place[axis]);
            }
        }
    }
    assert!(stopped > 5000 && others > 50_000 && wrong < others / 5000, "{stopped} {others} {wrong}");
}

/// A world on a torus that is shifted by whole cells, and individuals with other numbers, move alike.
#[test]
fn shifts_and_other_numbers_change_nothing() {
    let mut dice = Dice::new(36);
    let space = Space { extents: [23, 19, 17], edges: Edges::Torus };
    let terrain = terrain(space, &mut dice);
    let begun = in_crevices(&terrain, 300, ONE, &mut dice);
    let shift = [5, 11, 3];
    let extents = space.in_space();
    let moved = |cell: Vector3| [0, 1, 2].map(|axis| (cell[axis] + shift[axis]) % space.extents[axis] as i32);
    let mut rock = vec![false; extents.cells()];
    for index in 0..rock.len() {
        let to = extents.index_in_space(moved(extents.cell(index)), Edges::Walls).unwrap();
        rock[to] = terrain.gaps[index] == 0;
    }
    let shifted = Terrain::new(space, Vec::new()).with_obstacles(field(&space, rock), terrain.rays.clone());
    let mut there = Agents::default();
    for index in 0..begun.len() {
        let place = begun.position(index);
        let cell = moved(place.map(|along| along >> 16));
        let to = [0, 1, 2].map(|axis| (cell[axis] << 16) + (place[axis] & 0xffff));
        there.push((begun.len() - 1 - index) as u32, to, begun.velocity(index));
    }
    let rules = AgentRules { weights: only_rules_of_neighbours(), ..rules(RuleSet::Aquarium) };
    let play = |terrain: &Terrain, begun: &Agents| {
        let mut individuals = individuals(&rules, terrain, begun, options(SearchKind::Grid, 1, None));
        individuals.play(&[nothing_around(); 30]);
        individuals.agents().in_order()
    };
    let (here, there) = (play(&terrain, &begun), play(&shifted, &there));
    for index in 0..here.len() {
        let other = here.len() - 1 - index;
        let place = here.position(index);
        let cell = moved(place.map(|along| along >> 16));
        let to = [0, 1, 2].map(|axis| (cell[axis] << 16) + (place[axis] & 0xffff));
        assert_eq!((there.position(other), there.velocity(other)), (to, here.velocity(index)));
    }
}

fn only_rules_of_neighbours() -> murmuration::individuals::table::RuleArray<i32> {
    let mut weights = rules(RuleSet::Aquarium).weights;
    for rule in [Rule::Hunter, Rule::Walls, Rule::Roost] {
        weights[rule] = 0;
    }
    weights.0.iter_mut().for_each(|weight| *weight /= 8);
    weights
}

#[test]
fn the_gpu_sees_the_same_ways() {
    let Some(gpu) = adapter::shared("rays on the GPU") else { return };
    let (mut dice, mut stops) = (Dice::new(37), 0);
    for (index, space) in spaces().enumerate() {
        for set in [RuleSet::Aquarium, SETS[index % 4]] {
            let terrain = terrain(space, &mut dice);
            let begun = in_crevices(&terrain, 400, ONE, &mut dice);
            let rules = rules(set);
            let mut on_cpu = individuals(&rules, &terrain, &begun, options(SearchKind::Grid, 2, None));
            let mut on_gpu = on_gpu(&gpu, &rules, &terrain, &begun, SearchKind::Grid, WORKGROUP);
            for part in 0..3 {
                on_cpu.play(&[around(); 8]);
                on_gpu.play(&[around(); 8]);
                assert_eq!(on_gpu.agents().hash(), on_cpu.agents().hash(), "{space:?} {set:?}, part {part}");
                let [here, there] =
                    [on_cpu.agents(), on_gpu.agents()].map(|agents| RockMeasures::of(&terrain, &agents));
                assert!(here.unwrap().stops == there.unwrap().stops);
                stops += here.unwrap().stops;
                // A column is painted over, and none is in it afterwards.
                let mut columns = vec![false; space.extents().cells()];
                columns[50 + part] = true;
                let capacities: Vec<u32> = columns.iter().map(|solid| if *solid { 0 } else { 1 }).collect();
                let mut painted = terrain.clone();
                painted.set_solids(columns);
                let mut agents = on_cpu.agents();
                painted.free(&mut agents);
                assert_eq!(in_rock(&painted, &agents), 0);
                for engine in [&mut on_cpu.engine as &mut dyn IndividualsEngine, &mut on_gpu.engine] {
                    engine.set_capacities(&capacities).unwrap();
                    engine.set_agents(&agents).unwrap();
                }
            }
        }
    }
    assert!(stops > 20, "{stops}");
}
