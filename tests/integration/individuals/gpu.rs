//! Individuals on the GPU: by brute force and by the grid, with the bits of the CPU.

use crate::support::individuals::{
    Played, SETS, Start, Surroundings, WEIGHT, begin, cells, hunted_at, individuals, options, rules, setup, setup_of,
    solids, space, surroundings,
};
use crate::support::random::Random;
use crate::support::{adapter, is_played};
use murmuration_core::chain::Chain;
use murmuration_core::engine::IndividualsEngine;
use murmuration_core::individuals::search::SearchKind;
use murmuration_core::individuals::table::RuleArray;
use murmuration_core::individuals::{IndividualRules, Rule, RuleSet};
use murmuration_core::lanes::vector::{length, limit_length, normalise, round_shift_any, stretch};
use murmuration_core::numbers::{ONE, Vector3};
use murmuration_core::state::{Individuals, WorldColumns};
use murmuration_core::terrain::Habitat;
use murmuration_core::world::{Edges, Space};
use murmuration_gpu::Gpu;
use murmuration_gpu::individuals::GpuIndividuals;
use murmuration_gpu::shader::workgroups::WORKGROUP;
use std::sync::Arc;
use wgpu::util::DeviceExt;

const SEARCHES: [SearchKind; 2] = [SearchKind::Brute, SearchKind::Grid];

/// The built-in chain of a search.
fn chain_of(search: SearchKind) -> Chain {
    let name = match search {
        SearchKind::Brute => "agents-brute",
        SearchKind::Octree => "agents-octree",
        SearchKind::Grid => "agents-grid",
    };
    Chain::load(murmuration::host().as_ref(), name).unwrap_or_else(|wrong| panic!("{wrong}"))
}

/// An engine on a GPU. `workgroup`: the number of individuals in a workgroup.
pub fn on_gpu(
    gpu: &Arc<Gpu>,
    rules: &IndividualRules,
    habitat: &Habitat,
    individuals: &Individuals,
    search: SearchKind,
    workgroup: u32,
) -> Played<GpuIndividuals> {
    on_gpu_of(gpu, std::slice::from_ref(rules), habitat, individuals, search, workgroup)
}

/// An engine with several species.
pub fn on_gpu_of(
    gpu: &Arc<Gpu>,
    species: &[IndividualRules],
    habitat: &Habitat,
    individuals: &Individuals,
    search: SearchKind,
    workgroup: u32,
) -> Played<GpuIndividuals> {
    let setup = setup_of(species, habitat, search, individuals.len());
    let engine = GpuIndividuals::with_workgroup(
        gpu.clone(),
        &setup,
        (individuals, &WorldColumns::default()),
        &chain_of(search),
        workgroup,
    );
    Played { engine: engine.unwrap_or_else(|failure| panic!("{failure}")), rules: species.to_vec(), setup }
}

/// Numbers of individuals in a workgroup. The second number divides no swarm of these tests.
const WORKGROUPS: [u32; 2] = [WORKGROUP, 17];

/// Engines for equal rules and worlds on the GPU, one for each search. Their individuals can be replaced.
struct Engines<'a> {
    rules: IndividualRules,
    habitat: &'a Habitat,
    all_individuals: Vec<(SearchKind, u32, Played<GpuIndividuals>)>,
}

impl<'a> Engines<'a> {
    /// Each search has its own size of workgroups.
    fn new(gpu: &Arc<Gpu>, rules: &IndividualRules, habitat: &'a Habitat, searches: &[(SearchKind, u32)]) -> Self {
        let nobody = Individuals::default();
        let all_individuals = searches.iter().map(|(search, workgroup)| {
            (*search, *workgroup, on_gpu(gpu, rules, habitat, &nobody, *search, *workgroup))
        });
        Self { rules: rules.clone(), habitat, all_individuals: all_individuals.collect() }
    }

    /// Changes the numbers of the rules. Returns whether the engines can play them.
    fn take_rules(&mut self, rules: &IndividualRules) -> bool {
        let is_made_for = |(search, _, played): &(SearchKind, u32, Played<GpuIndividuals>)| {
            played.setup.fits(&setup(rules, self.habitat, *search, 0))
        };
        if !self.all_individuals.iter().all(is_made_for) {
            return false;
        }
        self.rules = rules.clone();
        self.all_individuals.iter_mut().for_each(|(.., played)| played.rules = vec![rules.clone()]);
        true
    }

    /// Plays on both engines and compares them after every few steps. Returns the number of caught individuals.
    fn agree(&mut self, begun: &Individuals, steps: &[Surroundings], what: &str) -> u64 {
        let mut on_cpu = begin(&self.rules, self.habitat, begun, options(SearchKind::Grid, 1, None));
        let caught_before: Vec<u64> = self.all_individuals.iter_mut().map(|(.., played)| played.caught()).collect();
        for (.., played) in &mut self.all_individuals {
            played.engine.set_individuals(begun, &WorldColumns::default()).unwrap();
        }
        for (part, steps) in steps.chunks(8).enumerate() {
            on_cpu.play(steps);
            let expected = (on_cpu.individuals().hash(), on_cpu.caught());
            for ((search, workgroup, played), before) in self.all_individuals.iter_mut().zip(&caught_before) {
                played.play(steps);
                let (found, caught) = (played.individuals(), played.caught() - before);
                assert_eq!(found.len() as u64 + caught, begun.len() as u64, "{what}: the account");
                assert_eq!((found.hash(), caught), expected, "{what}, {search:?} by {workgroup}, part {part}");
            }
        }
        on_cpu.caught()
    }
}

/// Plays on the GPU by each search and compares with the CPU. Returns the number of caught individuals.
pub fn agree(
    gpu: &Arc<Gpu>,
    rules: &IndividualRules,
    habitat: &Habitat,
    begun: &Individuals,
    steps: &[Surroundings],
    what: &str,
) -> u64 {
    Engines::new(gpu, rules, habitat, &SEARCHES.map(|search| (search, WORKGROUP))).agree(begun, steps, what)
}

/// A hunter that crosses the world and scatters the individuals, then lures them and opens its jaws.
fn hunt(steps: u32) -> Vec<Surroundings> {
    let (scatter, lure) = (|step| surroundings(4 * step, 0), |step| surroundings(4 * step, 3));
    let lure = move |step| {
        let mut lure = lure(step);
        lure.hunters[0].towards = -1;
        lure
    };
    (0..steps).map(|step| if step > steps / 2 { lure(step) } else { scatter(step) }).collect()
}

#[test]
fn the_gpu_gives_the_bits_of_the_cpu() {
    let Some(gpu) = adapter::shared("individuals on the GPU") else { return };
    let mut random = Random::new(11);
    let mut caught = 0;
    for axes in [2, 3] {
        for edges in [Edges::Torus, Edges::Walls] {
            let space = space(axes, edges);
            let free = Habitat::new(space, Vec::new());
            let blocked = Habitat::new(space, solids(&space));
            for (index, set) in SETS.into_iter().enumerate() {
                if !is_played(index + axes + usize::from(edges == Edges::Walls), 2) {
                    continue;
                }
                let habitat = if set == RuleSet::Flock { &free } else { &blocked };
                let rules = rules(set);
                // The code about edges is equal in the shaders of all sets. So the search by brute force plays each set
                // with only one kind of edges.
                let is_brute = (index + axes) % 2 == usize::from(edges == Edges::Walls);
                let searches = [(SearchKind::Grid, WORKGROUPS[(index + axes) % 2]), (SearchKind::Brute, WORKGROUP)];
                let searches = &searches[..1 + usize::from(is_brute)];
                let mut all_individuals = Engines::new(&gpu, &rules, habitat, searches);
                for (start, count) in [
                    (Start::Uniform, 300),
                    (Start::Uniform, 1),
                    (Start::Uniform, 0),
                    (Start::Clumped, 200),
                    (Start::OneCell, 100),
                    (Start::OnePlace, 60),
                    (Start::Borders, 250),
                    (Start::Edges, 250),
                ] {
                    let begun = individuals(&space, start, count, &mut random);
                    let what = format!("{axes} axes, {edges:?}, {start:?}, {count}, {set:?}");
                    caught += all_individuals.agree(&begun, &hunt(16), &what);
                }
            }
        }
    }
    assert!(caught > 50, "only {caught} were caught");
}

#[test]
fn a_hundred_steps_of_a_crowd_give_the_same_bits() {
    let Some(gpu) = adapter::shared("a crowd on the GPU") else { return };
    let mut random = Random::new(12);
    let habitat = Habitat::new(space(2, Edges::Walls), solids(&space(2, Edges::Walls)));
    let begun = individuals(&habitat.space, Start::Uniform, 600, &mut random);
    for (_, set) in SETS.into_iter().enumerate().filter(|(index, _)| is_played(*index, 2)) {
        assert!(agree(&gpu, &rules(set), &habitat, &begun, &hunt(100), &format!("{set:?}")) > 0);
    }
}

#[test]
fn the_last_one_can_be_caught() {
    let Some(gpu) = adapter::shared("the last catch on the GPU") else { return };
    let habitat = Habitat::new(space(2, Edges::Walls), Vec::new());
    let begun = individuals(&habitat.space, Start::OneCell, 70, &mut Random::new(14));
    let everywhere = hunted_at([80, 80], 1, 60);
    assert_eq!(agree(&gpu, &rules(RuleSet::School), &habitat, &begun, &[everywhere; 3], "all caught"), 70);
}

#[test]
fn a_world_narrower_than_the_sight_is_seen_alike() {
    let Some(gpu) = adapter::shared("narrow worlds on the GPU") else { return };
    let mut random = Random::new(15);
    // All rule sets wrap offsets around a torus by the same code. These two sets use a wrapped offset in different
    // ways, so they suffice.
    let sets = [RuleSet::HalfFlock, RuleSet::Reynolds];
    let all_extents = [[4, 4, 1], [7, 13, 1], [12, 25, 1], [12, 2000, 1], [5, 6, 7], [13, 6, 30]];
    for (index, extents) in all_extents.iter().enumerate() {
        if !is_played(index, 2) {
            continue;
        }
        for (edges, set) in [(Edges::Torus, sets[index % 2]), (Edges::Walls, sets[(index + 1) % 2])] {
            let habitat = Habitat::new(Space { extents: *extents, edges }, Vec::new());
            let begun = individuals(&habitat.space, Start::Uniform, 120, &mut random);
            agree(&gpu, &rules(set), &habitat, &begun, &hunt(12), &format!("{extents:?} {edges:?} {set:?}"));
        }
    }
}

#[test]
fn a_world_as_wide_as_they_come_is_searched_in_wide_cells() {
    let Some(gpu) = adapter::shared("wide worlds on the GPU") else { return };
    let mut random = Random::new(16);
    for extents in [[16_384, 16_384, 1], [4000, 4000, 4000]] {
        let habitat = Habitat::new(Space { extents, edges: Edges::Torus }, Vec::new());
        let mut begun = individuals(&habitat.space, Start::Edges, 300, &mut random);
        let far = individuals(&habitat.space, Start::Uniform, 100, &mut random);
        for index in 0..far.len() {
            begun.push(300 + index as u32, far.position(index), far.velocity(index));
        }
        // The small radii make the units of sums finer than in the other tests. So a wide cell of the search has many
        // units.
        let radii = RuleArray([0.9, 0.7, 0.5, 0.0].map(cells));
        let near = IndividualRules { radii, ..rules(RuleSet::Reynolds) };
        for rules in [near, rules(RuleSet::Flock)] {
            agree(&gpu, &rules, &habitat, &begun, &hunt(3), &format!("{extents:?} {:?}", rules.set));
        }
    }
}

#[test]
fn the_greatest_numbers_of_every_rule_give_the_same_bits() {
    let Some(gpu) = adapter::shared("the bounds of the rules on the GPU") else { return };
    let mut random = Random::new(17);
    for axes in [2, 3] {
        let extents = if axes == 2 { [900, 700, 1] } else { [300, 250, 200] };
        let habitat = Habitat::new(Space { extents, edges: Edges::Torus }, Vec::new());
        let mut begun = individuals(&habitat.space, Start::Uniform, 400, &mut random);
        for axis in 0..axes {
            for velocity in &mut begun.velocities[axis] {
                *velocity = if random.below(2) == 0 { 2 * ONE } else { -2 * ONE };
            }
        }
        for (index, set) in SETS.into_iter().enumerate() {
            if !is_played(index + axes, 2) {
                continue;
            }
            let mut engines: Option<Engines> = None;
            for (weight, crowd, keep) in [(8 * WEIGHT, 1, 1024), (3, 1024, 700), (-8 * WEIGHT, 1 << 20, 0)] {
                let mut rules = IndividualRules { force: 2 * ONE, max: 2 * ONE, crowd, keep, ..rules(set) };
                rules.weights[Rule::Cohesion] = weight;
                rules.weights[Rule::Separation] = weight;
                rules.weights[Rule::Alignment] = -weight;
                rules.weights[Rule::Clarity] = weight;
                rules.weights[Rule::Hunter] = weight;
                rules.radii[Rule::Cohesion] = cells(200.0);
                rules.radii[Rule::Separation] = cells(120.5);
                rules.radii[Rule::Alignment] = cells(199.9);
                rules.radii[Rule::Clarity] = cells(150.0);
                if keep == 0 {
                    // The rules with the radius 0 perceive no other individual.
                    rules.radii = RuleArray([0, cells(120.5), 0, 0]);
                    rules.cruise = 0;
                }
                if !engines.as_mut().is_some_and(|engines| engines.take_rules(&rules)) {
                    let searches = SEARCHES.map(|search| (search, WORKGROUP));
                    engines = Some(Engines::new(&gpu, &rules, &habitat, &searches));
                }
                let what = format!("{axes} axes, {set:?}, weight {weight}");
                engines.as_mut().unwrap().agree(&begun, &hunt(6), &what);
            }
        }
    }
}

#[test]
fn other_individuals_may_take_the_place_of_those_that_are_there() {
    let Some(gpu) = adapter::shared("undo on the GPU") else { return };
    let mut random = Random::new(18);
    let habitat = Habitat::new(space(3, Edges::Walls), Vec::new());
    let [few, many] = [70, 500].map(|count| individuals(&habitat.space, Start::Clumped, count, &mut random));
    let rules = rules(RuleSet::Reynolds);
    let jaws = [hunted_at([160, 140], 1, 4); 5];
    for search in SEARCHES {
        let setup = setup(&rules, &habitat, search, 500);
        let engine =
            GpuIndividuals::new(gpu.clone(), &setup, (&few, &WorldColumns::default()), &chain_of(search)).unwrap();
        let mut on_gpu = Played { engine, rules: vec![rules.clone()], setup };
        let mut on_cpu = begin(&rules, &habitat, &few, options(SearchKind::Octree, 1, None));
        for begun in [&few, &many, &few] {
            on_gpu.engine.set_individuals(begun, &WorldColumns::default()).unwrap();
            on_cpu.engine.set_individuals(begun, &WorldColumns::default()).unwrap();
            assert_eq!(on_gpu.individuals().in_order(), *begun);
            on_gpu.play(&jaws);
            on_cpu.play(&jaws);
            assert_eq!(on_gpu.individuals().hash(), on_cpu.individuals().hash(), "{search:?}");
            assert_eq!(on_gpu.caught(), on_cpu.caught(), "{search:?}");
        }
        assert!(on_cpu.caught() > 0);
    }
}

#[test]
fn rules_whose_numbers_change_need_no_other_engine() {
    let gpu = adapter::shared("other rules on the GPU");
    let mut random = Random::new(21);
    for set in SETS {
        let habitat = Habitat::new(space(3, Edges::Walls), Vec::new());
        let begun = individuals(&habitat.space, Start::Clumped, 300, &mut random);
        let before = rules(set);
        let mut after = before.clone();
        after.weights[Rule::Cohesion] = -7 * WEIGHT;
        after.weights[Rule::Hunter] = 8 * WEIGHT;
        (after.force, after.keep, after.cruise, after.crowd) = (before.force / 2, 900, before.max / 3, 3000);
        assert_eq!(before.units(300), after.units(300));
        assert_ne!(before.weight_bits(), after.weight_bits(), "weights are summed in other units");
        let (first, then) = ([surroundings(0, 0); 6], [surroundings(6, 0); 6]);
        let mut fresh = begin(&before, &habitat, &begun, options(SearchKind::Grid, 1, None));
        fresh.play(&first);
        let mut fresh = begin(&after, &habitat, &fresh.individuals(), options(SearchKind::Grid, 1, None));
        fresh.play(&then);
        let expected = fresh.individuals().hash();
        let mut same = begin(&before, &habitat, &begun, options(SearchKind::Octree, 1, None));
        same.play(&first);
        same.rules = vec![after.clone()];
        same.play(&then);
        assert_eq!(same.individuals().hash(), expected, "{set:?}");
        let Some(gpu) = &gpu else { continue };
        for search in SEARCHES {
            let mut same = on_gpu(gpu, &before, &habitat, &begun, search, WORKGROUP);
            same.play(&first);
            same.rules = vec![after.clone()];
            same.play(&then);
            assert_eq!(same.individuals().hash(), expected, "{set:?}, {search:?}");
        }
    }
}

#[test]
fn more_workgroups_than_one_row_of_a_dispatch_holds_reach_everyone() {
    let Some(gpu) = adapter::shared("many workgroups of individuals") else { return };
    let space = Space { extents: [400, 300, 1], edges: Edges::Torus };
    let habitat = Habitat::new(space, Vec::new());
    let begun = individuals(&space, Start::Uniform, 70_000, &mut Random::new(21));
    let rules = rules(RuleSet::School);
    let mut on_gpu = on_gpu(&gpu, &rules, &habitat, &begun, SearchKind::Grid, 1);
    let mut on_cpu = begin(&rules, &habitat, &begun, options(SearchKind::Grid, 1, None));
    on_gpu.play(&hunt(2));
    on_cpu.play(&hunt(2));
    assert_eq!(on_gpu.individuals().hash(), on_cpu.individuals().hash());
}

#[test]
fn what_the_gpu_cannot_do_is_said() {
    let Some(gpu) = adapter::shared("refusals of individuals on the GPU") else { return };
    let habitat = Habitat::new(space(2, Edges::Walls), Vec::new());
    let begun = individuals(&habitat.space, Start::Uniform, 3, &mut Random::new(19));
    let rules = rules(RuleSet::School);
    let new = |individuals: &Individuals, search| {
        let made = GpuIndividuals::new(
            gpu.clone(),
            &setup(&rules, &habitat, search, 3),
            (individuals, &WorldColumns::default()),
            &chain_of(search),
        );
        made.err().map(|failure| failure.to_string()).unwrap_or_default()
    };
    assert!(
        new(&begun, SearchKind::Octree).contains("the octree is searched on the CPU only; take the chain agents-grid")
    );
    // An individual takes 32 bytes of a buffer binding. The engine checks the number of individuals first.
    let most = gpu.device.limits().max_storage_buffer_binding_size / 32;
    let crowd = Individuals { numbers: vec![0; most as usize + 1], ..Individuals::default() };
    let refused = new(&crowd, SearchKind::Grid);
    let expected = format!("holds at most {most} individuals, and not {}; use fewer, or the engine `cpu`", most + 1);
    assert!(refused.contains(&expected), "{refused}");
    let mut outside = begun.clone();
    outside.positions[1][2] = 47 << 16;
    assert_eq!(new(&outside, SearchKind::Grid), "individual 2 is outside of the world");
    let mut fast = begun;
    fast.velocities[0][1] = i32::MAX / 2;
    assert_eq!(new(&fast, SearchKind::Brute), "individual 1 is faster than any may be");
}

/// A chain from a file is played, with a kernel from a file instead of a built-in kernel.
#[test]
fn the_chain_of_a_file_is_what_is_played() {
    let Some(gpu) = adapter::shared("individuals by a chain of a file") else { return };
    let habitat = Habitat::new(space(2, Edges::Torus), Vec::new());
    let begun = individuals(&habitat.space, Start::Uniform, 200, &mut Random::new(23));
    let rules = rules(RuleSet::School);
    let setup = setup(&rules, &habitat, SearchKind::Grid, begun.len());
    let played = |chain: &Chain| {
        let made = GpuIndividuals::new(gpu.clone(), &setup, (&begun, &WorldColumns::default()), chain);
        let engine = made.unwrap_or_else(|failure| panic!("{failure}"));
        let mut played = Played { engine, rules: vec![rules.clone()], setup: setup.clone() };
        played.play(&hunt(5));
        played.individuals().hash()
    };
    let grid = murmuration::host().library().chain("agents-grid").unwrap();
    let steer = murmuration::host().library().shader("individuals/steer_grid");
    let mine = |text: &str, kernel: &str| {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("steer_grid.wgsl"), kernel).unwrap();
        std::fs::write(folder.path().join("mine.toml"), text).unwrap();
        Chain::load(murmuration::host().as_ref(), folder.path().join("mine.toml").to_str().unwrap())
            .unwrap_or_else(|wrong| panic!("{wrong}"))
    };
    let replaced = grid.replace("kernel = \"steer_grid\"", "kernel = \"steer_grid.wgsl\"");
    let expected = played(&chain_of(SearchKind::Grid));
    assert_eq!(played(&mine(&replaced, steer)), expected);
    // No individual sees another any more.
    let blind = steer.replace("let sums = sum_around(", "let sums = Sums(); let unused = sum_around(");
    assert_ne!(blind, steer);
    assert_ne!(played(&mine(&replaced, &blind)), expected);
    let wrong = mine(&replaced, &steer.replace("let i = ", "let i: f32 = "));
    let made = GpuIndividuals::new(gpu.clone(), &setup, (&begun, &WorldColumns::default()), &wrong);
    let said = made.err().expect("it is wrong").to_string();
    assert!(said.contains("steer_grid.wgsl:"), "{said}");
}

/// A helper of `shaders/shared/vector.wgsl` with its inputs, and its twin in Rust.
struct Case {
    name: &'static str,
    /// A WGSL expression from `v` (three axes), `a` and `b` that gives a Vector3.
    wgsl: &'static str,
    rust: fn(Vector3, i32, i32) -> Vector3,
    draw: fn(&mut Random) -> (Vector3, i32, i32),
}

/// A random number from -`most` to `most`: 0, near 0, the bound, near a power of two, or arbitrary.
fn size(random: &mut Random, most: i64) -> i32 {
    let power = 1 << random.below(u64::from(most.ilog2()) + 1);
    let near = random.between(-2, 2);
    let drawn = match random.below(6) {
        0 => 0,
        1 => most,
        2 => power + near,
        3 => random.between(0, power),
        4 => near,
        _ => random.between(0, most),
    };
    let size = drawn.clamp(-most, most) as i32;
    if random.below(2) == 0 { size } else { -size }
}

fn vector(random: &mut Random, most: i64) -> Vector3 {
    let most = if random.below(2) == 0 { most } else { 1 << random.below(u64::from(most.ilog2()) + 1) };
    [0; 3].map(|_| size(random, most))
}

const CASES: [Case; 5] = [
    Case {
        name: "length3",
        wgsl: "Vector3(length3(v), 0, 0)",
        rust: |v, _, _| [length(v), 0, 0],
        draw: |random| {
            // Multiples of a box with a whole diagonal, where rounding down changes, and arbitrary vectors.
            let [x, y, z] = *random.pick(&[[1, 2, 2], [2, 3, 6], [1, 4, 8], [4, 4, 7], [2, 6, 9]]);
            let k = random.between(0, (1 << 15) / 9) as i32;
            let whole = [k * x, k * y, k * z + random.between(-1, 1) as i32];
            (if random.below(2) == 0 { whole } else { vector(random, 1 << 15) }, 0, 0)
        },
    },
    Case {
        name: "normalise",
        wgsl: "normalise(v)",
        rust: |v, _, _| normalise(v),
        draw: |random| (vector(random, 1 << 30), 0, 0),
    },
    Case {
        name: "stretch3",
        wgsl: "stretch3(v, a, b)",
        rust: stretch,
        draw: |random| {
            let v = vector(random, 1 << 15);
            let to = size(random, 1 << 15).abs();
            // Only the vector's own length and slightly larger ones are within the contract.
            (v, length(v) + random.below(3) as i32, to)
        },
    },
    Case {
        name: "limit_length",
        wgsl: "limit_length(v, a)",
        rust: |v, most, _| limit_length(v, most),
        draw: |random| {
            let most = if random.below(2) == 0 { 1 << 15 } else { 1 << 30 };
            let v = vector(random, most);
            let any = size(random, 1 << 15).abs();
            let own = length(v.map(|n| n.clamp(-(1 << 15), 1 << 15))).min(1 << 15);
            (v, *random.pick(&[0, 1, ONE, 2 * ONE, any, own]), 0)
        },
    },
    Case {
        name: "round_shift3",
        wgsl: "round_shift3(v, u32(a))",
        rust: |v, bits, _| round_shift_any(v, bits as u32),
        draw: |random| (vector(random, 1 << 30), random.between(0, 30) as i32, 0),
    },
];

#[test]
fn the_vectors_of_both_languages_are_twins() {
    let Some(gpu) = adapter::shared("the exact vectors in WGSL") else { return };
    let mut random = Random::new(20);
    for case in CASES {
        let inputs: Vec<_> = (0..1 << 18).map(|_| (case.draw)(&mut random)).collect();
        let outputs = compute(&gpu, &case, &inputs);
        assert_eq!(inputs.len(), outputs.len());
        for ((v, a, b), output) in inputs.into_iter().zip(outputs) {
            assert_eq!(output, (case.rust)(v, a, b), "{} of {v:?}, {a}, {b}", case.name);
        }
    }
}

fn compute(gpu: &Gpu, case: &Case, inputs: &[(Vector3, i32, i32)]) -> Vec<Vector3> {
    let [numbers, space] = ["shared/numbers", "shared/vector"].map(|name| murmuration::host().library().shader(name));
    let text = format!(
        "{numbers}{space}
        alias Vector = vec2<i32>;
        const LAST = 1;
        alias Vector3 = vec3<i32>;
        struct Input {{ v: vec3<i32>, a: i32, b: i32 }}
        @group(0) @binding(0) var<storage, read> inputs: array<Input>;
        @group(0) @binding(1) var<storage, read_write> outputs: array<vec4<i32>>;
        @compute @workgroup_size(64)
        fn main(@builtin(global_invocation_id) id: vec3<u32>) {{
            let v = inputs[id.x].v;
            let a = inputs[id.x].a;
            let b = inputs[id.x].b;
            outputs[id.x] = vec4<i32>({}, 0);
        }}",
        case.wgsl
    );
    let device = &gpu.device;
    let source = wgpu::ShaderModuleDescriptor { label: Some(case.name), source: wgpu::ShaderSource::Wgsl(text.into()) };
    let pipeline = device.create_compute_pipeline(&wgpu::ComputePipelineDescriptor {
        label: Some(case.name),
        layout: None,
        module: &device.create_shader_module(source),
        entry_point: Some("main"),
        compilation_options: Default::default(),
        cache: None,
    });
    let words: Vec<[i32; 8]> = inputs.iter().map(|&([x, y, z], a, b)| [x, y, z, a, b, 0, 0, 0]).collect();
    let given = device.create_buffer_init(&wgpu::util::BufferInitDescriptor {
        label: Some("inputs"),
        contents: bytemuck::cast_slice(&words),
        usage: wgpu::BufferUsages::STORAGE,
    });
    let size = 16 * inputs.len() as u64;
    let buffer =
        |usage| device.create_buffer(&wgpu::BufferDescriptor { label: None, size, usage, mapped_at_creation: false });
    let written = buffer(wgpu::BufferUsages::STORAGE | wgpu::BufferUsages::COPY_SRC);
    let staging = buffer(wgpu::BufferUsages::COPY_DST | wgpu::BufferUsages::MAP_READ);
    let entries = [
        wgpu::BindGroupEntry { binding: 0, resource: given.as_entire_binding() },
        wgpu::BindGroupEntry { binding: 1, resource: written.as_entire_binding() },
    ];
    let layout = pipeline.get_bind_group_layout(0);
    let bind_group =
        device.create_bind_group(&wgpu::BindGroupDescriptor { label: None, layout: &layout, entries: &entries });
    let mut encoder = device.create_command_encoder(&Default::default());
    {
        let mut pass = encoder.begin_compute_pass(&Default::default());
        pass.set_pipeline(&pipeline);
        pass.set_bind_group(0, &bind_group, &[]);
        pass.dispatch_workgroups(inputs.len() as u32 / 64, 1, 1);
    }
    encoder.copy_buffer_to_buffer(&written, 0, &staging, 0, size);
    gpu.queue().submit([encoder.finish()]);
    staging.map_async(wgpu::MapMode::Read, .., |_| {});
    gpu.wait(None).unwrap();
    let mapped = staging.get_mapped_range(..).unwrap();
    bytemuck::cast_slice::<_, [i32; 4]>(&mapped).iter().map(|[x, y, z, _]| [*x, *y, *z]).collect()
}
