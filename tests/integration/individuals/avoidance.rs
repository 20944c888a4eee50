//! Individuals among rock: no movement ends in rock, and the bits are equal on every engine.

use crate::individuals::gpu::on_gpu;
use crate::support::adapter;
use crate::support::individuals::*;
use crate::support::random::Random;
use crate::support::rock::*;
use murmuration_core::engine::IndividualsEngine;
use murmuration_core::individuals::movement::{is_stopped, sweep};
use murmuration_core::individuals::search::SearchKind;
use murmuration_core::individuals::{IndividualRules, Rule, RuleSet};
use murmuration_core::lanes::InstructionSet;
use murmuration_core::measures::rock::RockMeasures;
use murmuration_core::numbers::{ONE, Vector3};
use murmuration_core::preset::{Overrides, Preset};
use murmuration_core::simulation::{EngineChoice, Simulation};
use murmuration_core::state::{Individuals, Swarm, WorldColumns};
use murmuration_core::terrain::Habitat;
use murmuration_core::world::{Edges, Space};
use murmuration_gpu::shader::workgroups::WORKGROUP;

/// Cells that touch rock, corners, the maximum speed, and forces into the rock: no individual is ever in rock.
/// `MURMURATION_ROUNDS` is the number of terrains of each kind; the default is 3.
#[test]
fn nobody_is_ever_in_rock() {
    let mut random = Random::new(33);
    let mut fish_steps = 0;
    let rounds = std::env::var("MURMURATION_ROUNDS").map_or(3, |rounds| rounds.parse().unwrap());
    for round in 0..rounds {
        for space in spaces() {
            let mut habitat = habitat(space, &mut random);
            if round % 3 != 2 {
                habitat.rays = None;
            }
            let fastest = 2 * ONE;
            let begun = in_crevices(&habitat, 3000, fastest, &mut random);
            let mut rules =
                IndividualRules { min: fastest / 3, max: fastest, force: fastest, ..rules(SETS[round % SETS.len()]) };
            // Maximum weights attract and repel, into the rock too.
            let sign = if round % 2 == 0 { 8 } else { -8 };
            rules.weights[Rule::Cohesion] = sign * WEIGHT;
            rules.weights[Rule::Separation] = -sign * WEIGHT;
            rules.weights[Rule::Avoidance] = -WEIGHT;
            let mut played = begin(&rules, &habitat, &begun, options(SearchKind::Grid, 2, None));
            for _ in 0..7 {
                played.play(&[around(); 10]);
                let individuals = played.individuals();
                assert_eq!((individuals.len(), in_rock(&habitat, &individuals)), (3000, 0));
                fish_steps += 10 * individuals.len();
            }
        }
    }
    // Without the rules, random velocities are given, and the movements alone keep individuals out of rock.
    for space in spaces() {
        let habitat = habitat(space, &mut random);
        let mut individuals = in_crevices(&habitat, 2000, 2 * ONE, &mut random);
        for _ in 0..320 {
            for index in 0..individuals.len() {
                let velocity = [0, 1, 2].map(|axis| {
                    if axis < space.axes() { random.below(4 * ONE as u64 + 1) as i32 - 2 * ONE } else { 0 }
                });
                let (place, kept) = sweep(&habitat, individuals.position(index), velocity);
                assert!(habitat.gap(place) >= 0);
                assert!((0..3).all(|axis| kept[axis].abs() <= velocity[axis].abs()));
                (0..3).for_each(|axis| individuals.positions[axis][index] = place[axis]);
            }
            fish_steps += individuals.len();
        }
    }
    println!("{fish_steps} steps of an individual, none of which ended in rock");
    assert!(fish_steps > 5_000_000, "{fish_steps}");
}

/// A movement without rock is unchanged, and a movement against a wall slides along it.
#[test]
fn a_sweep_goes_all_the_way_where_nothing_is_in_it() {
    let space = Space { extents: [9, 9, 9], edges: Edges::Torus };
    let open = Habitat::new(space, Vec::new()).with_obstacles(None, None);
    let mut random = Random::new(34);
    for _ in 0..20_000 {
        let place = [0; 3].map(|_| random.below(9 << 16) as i32);
        let velocity = [0; 3].map(|_| random.below(4 * ONE as u64 + 1) as i32 - 2 * ONE);
        let to = [0, 1, 2].map(|axis| (place[axis] + 4 * velocity[axis]).rem_euclid(9 << 16));
        let (reached, kept) = sweep(&open, place, velocity);
        if velocity != [0; 3] {
            assert_eq!((reached, kept), (to, velocity));
        }
    }
    let mut wall = vec![false; 729];
    (0..81).for_each(|row| wall[row * 9 + 5] = true);
    let walled = Habitat::new(space, Vec::new()).with_obstacles(field(&space, wall), None);
    let (reached, kept) = sweep(&walled, [(4 << 16) + 100, 1 << 16, 1 << 16], [2 * ONE, ONE, 0]);
    assert_eq!((reached, kept), ([(5 << 16) - 1, 2 << 16, 1 << 16], [0, ONE, 0]));
    // Straight into the wall all velocity is lost, so it turns round at half its speed.
    let (reached, kept) = sweep(&walled, [(4 << 16) + 100, 1 << 16, 1 << 16], [ONE, 0, 0]);
    assert_eq!((reached, kept), ([(5 << 16) - 1, 1 << 16, 1 << 16], [-ONE / 2, 0, 0]));
}

#[test]
fn threads_and_instruction_sets_see_the_same_ways() {
    let mut random = Random::new(35);
    for (index, space) in spaces().enumerate() {
        let habitat = habitat(space, &mut random);
        let begun = in_crevices(&habitat, 700, ONE / 2, &mut random);
        let rules = rules(SETS[(index + 1) % SETS.len()]);
        let mut ways = vec![options(SearchKind::Brute, 1, None), options(SearchKind::Grid, 3, None)];
        let available = InstructionSet::ALL.iter().filter(|set| set.is_available());
        ways.extend(available.map(|set| options(SearchKind::Grid, 2, Some(*set))));
        let hashes = ways.iter().map(|options| {
            let mut played = begin(&rules, &habitat, &begun, *options);
            played.play(&[around(); 20]);
            played.individuals().hash()
        });
        let hashes: Vec<String> = hashes.collect();
        assert!(hashes.iter().all(|hash| *hash == hashes[0]), "{hashes:?}");
    }
}

/// Stopped movements are detected from their ends alone, at all speeds. Hardly any other movement is detected.
#[test]
fn stops_are_found_by_what_they_leave() {
    let mut random = Random::new(39);
    let (mut stopped, mut others, mut wrong) = (0, 0, 0);
    for space in spaces() {
        let habitat = habitat(space, &mut random);
        let mut individuals = in_crevices(&habitat, 3000, 2 * ONE, &mut random);
        for round in 0..6 {
            for index in 0..individuals.len() {
                let fastest = (2 * ONE) >> round;
                let velocity = [0, 1, 2].map(|axis| {
                    if axis < space.axes() { random.below(2 * fastest as u64 + 1) as i32 - fastest } else { 0 }
                });
                let (place, kept) = sweep(&habitat, individuals.position(index), velocity);
                let is_found = is_stopped(&habitat, place, kept);
                if kept == velocity {
                    (others, wrong) = (others + 1, wrong + u32::from(is_found));
                } else {
                    assert!(is_found, "{velocity:?} became {kept:?} at {place:?}");
                    stopped += 1;
                }
                (0..3).for_each(|axis| individuals.positions[axis][index] = place[axis]);
            }
        }
    }
    assert!(stopped > 5000 && others > 50_000 && wrong < others / 5000, "{stopped} {others} {wrong}");
}

/// Shifting a world on a torus by whole cells and renumbering individuals has no effect on movements.
#[test]
fn shifts_and_other_numbers_change_nothing() {
    let mut random = Random::new(36);
    let space = Space { extents: [23, 19, 17], edges: Edges::Torus };
    let habitat = habitat(space, &mut random);
    let begun = in_crevices(&habitat, 300, ONE, &mut random);
    let shift = [5, 11, 3];
    let extents = space.deep_extents();
    let moved = |cell: Vector3| [0, 1, 2].map(|axis| (cell[axis] + shift[axis]) % space.extents[axis] as i32);
    let mut rock = vec![false; extents.cells()];
    for index in 0..rock.len() {
        let to = extents.deep_index(moved(extents.cell(index)), Edges::Walls).unwrap();
        rock[to] = habitat.gaps[index] == 0;
    }
    let shifted = Habitat::new(space, Vec::new()).with_obstacles(field(&space, rock), habitat.rays.clone());
    let mut there = Individuals::default();
    for index in 0..begun.len() {
        let place = begun.position(index);
        let cell = moved(place.map(|along| along >> 16));
        let to = [0, 1, 2].map(|axis| (cell[axis] << 16) + (place[axis] & 0xffff));
        there.push((begun.len() - 1 - index) as u32, to, begun.velocity(index));
    }
    let rules = IndividualRules { weights: only_rules_of_neighbours(), ..rules(RuleSet::Aquarium) };
    let play = |habitat: &Habitat, begun: &Individuals| {
        let mut played = begin(&rules, habitat, begun, options(SearchKind::Grid, 1, None));
        played.play(&[nothing_around(); 30]);
        played.individuals().in_order()
    };
    let (here, there) = (play(&habitat, &begun), play(&shifted, &there));
    for index in 0..here.len() {
        let other = here.len() - 1 - index;
        let place = here.position(index);
        let cell = moved(place.map(|along| along >> 16));
        let to = [0, 1, 2].map(|axis| (cell[axis] << 16) + (place[axis] & 0xffff));
        assert_eq!((there.position(other), there.velocity(other)), (to, here.velocity(index)));
    }
}

fn only_rules_of_neighbours() -> murmuration_core::individuals::table::RuleArray<i32> {
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
    let (mut random, mut stops) = (Random::new(37), 0);
    for (index, space) in spaces().enumerate() {
        for set in [RuleSet::Aquarium, SETS[index % 4]] {
            let habitat = habitat(space, &mut random);
            let begun = in_crevices(&habitat, 400, ONE, &mut random);
            let rules = rules(set);
            let mut on_cpu = begin(&rules, &habitat, &begun, options(SearchKind::Grid, 2, None));
            let mut on_gpu = on_gpu(&gpu, &rules, &habitat, &begun, SearchKind::Grid, WORKGROUP);
            for part in 0..3 {
                on_cpu.play(&[around(); 8]);
                on_gpu.play(&[around(); 8]);
                assert_eq!(on_gpu.individuals().hash(), on_cpu.individuals().hash(), "{space:?} {set:?}, part {part}");
                let [here, there] = [on_cpu.individuals(), on_gpu.individuals()]
                    .map(|individuals| RockMeasures::new(&habitat, &individuals));
                assert!(here.unwrap().stops == there.unwrap().stops);
                stops += here.unwrap().stops;
                // A column is painted over. Afterwards no individual is in it.
                let mut columns = vec![false; space.extents().cells()];
                columns[50 + part] = true;
                let capacities: Vec<u32> = columns.iter().map(|solid| if *solid { 0 } else { 1 }).collect();
                let mut painted = habitat.clone();
                painted.set_solids(columns);
                let mut individuals = on_cpu.individuals();
                individuals.free_from_rock(&painted);
                assert_eq!(in_rock(&painted, &individuals), 0);
                for engine in [&mut on_cpu.engine as &mut dyn IndividualsEngine, &mut on_gpu.engine] {
                    engine.set_capacities(&capacities).unwrap();
                    engine.set_individuals(&individuals, &WorldColumns::default()).unwrap();
                }
            }
        }
    }
    assert!(stops > 20, "{stops}");
}

/// Every preset of individuals among rock, unchanged and with weights at their bounds, which drive all individuals
/// against the rock.
#[test]
fn no_preset_has_anybody_in_rock() {
    let bounds = ["weights.avoidance=-8", "weights.cohesion=8", "weights.separation=-8", "weights.roost=8"];
    let mut steps = 0;
    for (name, set) in
        ["aquarium", "rings", "temple", "reef"].into_iter().flat_map(|name| [(name, &[][..]), (name, &bounds[..])])
    {
        let set = set.iter().map(ToString::to_string).collect();
        let overrides = Overrides { set, ..Overrides::default() };
        let preset = Preset::load(murmuration::host(), name, &overrides).unwrap();
        let chain = preset.load_chain(None).unwrap();
        let mut simulation = Simulation::new(preset, &chain, EngineChoice::Cpu(Default::default())).unwrap();
        for _ in 0..6 {
            simulation.advance(10).unwrap();
            let swarm = simulation.swarm().unwrap();
            assert_eq!(simulation.rock_measures(&swarm).unwrap().in_rock, 0, "{name} {:?}", overrides.set);
            assert_eq!(simulation.account().unwrap().lost, 0, "{name}");
            let Swarm::Individuals(individuals, _) = swarm else { panic!("{name} is of cells") };
            steps += 10 * individuals.len();
        }
    }
    assert!(steps > 1_500_000, "{steps} steps of an individual");
}
