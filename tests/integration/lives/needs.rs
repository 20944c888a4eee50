//! Lives: equal swarms on every engine, a ledger that balances in every step, the formulas of needs against floats,
//! perishing through a checkpoint, and wrong presets.

use crate::individuals::gpu::on_gpu;
use crate::lives::energy::assert_energy;
use crate::support::individuals::{
    Played, SETS, Start, Surroundings, begin, hunted_at, individuals, options, rules, solids, space, surroundings,
};
use crate::support::random::Random;
use crate::support::wrong_presets::check_message;
use crate::support::{adapter, is_played};
use murmuration_core::chain::Chain;
use murmuration_core::engine::IndividualsEngine;
use murmuration_core::individuals::search::SearchKind;
use murmuration_core::individuals::table::RuleArray;
use murmuration_core::individuals::{IndividualRules, RuleSet};
use murmuration_core::lanes::InstructionSet;
use murmuration_core::lives::needs::{LifeStep, Meal, NeighbourCounts, live};
use murmuration_core::lives::numbers::{ALL, NOBODY, STARVED};
use murmuration_core::lives::{Life, LifeRules, Trait, rebirth};
use murmuration_core::numbers::BOID;
use murmuration_core::preset::{Overrides, Preset};
use murmuration_core::simulation::checkpoint::{Checkpoint, CheckpointReading};
use murmuration_core::simulation::{EngineChoice, Input, Simulation};
use murmuration_core::state::{Entry, Individuals, Ledger, Swarm};
use murmuration_core::terrain::Habitat;
use murmuration_core::world::{Edges, Space};

/// The factor 1, in 1/1024.
const ONE: i32 = 1024;

const NOTHING: Meal<i32, 2> = Meal { share: 0, pull: [0; 2] };

/// Short lives: everything happens within about fifty steps.
pub fn short(is_reborn: bool) -> LifeRules {
    LifeRules {
        seed: 0x5eed,
        rebirth: if is_reborn { STARVED } else { NOBODY },
        traits: [[600, 400], [500, 524], [700, 324], [-300, 600], [30_000, 35_000], [300, 900]],
        few: 4,
        many: 9,
        content: 400,
        lonely: 150,
        crowded: 60,
        pressed: 90,
        sulk: 900,
        pace: 900,
        hungry: 30_000,
        sad: -3000,
        slope: LifeRules::slope_of(-3000),
        recovery: 300,
        starvation: 4000,
        gloom: 1500,
        heed: 200,
        slow: 400,
        frail: 2000,
        perishing: 5,
        sink: 900,
        mutation: 0,
        by_health: 0,
        effort: 0,
    }
}

fn with_lives(set: RuleSet, lives: LifeRules) -> IndividualRules {
    IndividualRules { lives: Some(lives), ..rules(set) }
}

fn begun(space: &Space, count: usize, lives: &LifeRules, random: &mut Random) -> Individuals {
    let mut begun = individuals(space, Start::Clumped, count, random);
    begun.set_lives(Some(lives), 0);
    begun
}

fn hunt(steps: u32) -> Vec<Surroundings> {
    (0..steps).map(|step| Surroundings { step, population: 240, ..surroundings(step, 5) }).collect()
}

/// The births and deaths of a turnover, as numbers of individuals.
fn individuals_of(turnover: Ledger) -> [u64; 3] {
    [Entry::Caught, Entry::Born, Entry::Starved].map(|entry| {
        let quanta = turnover.sum(entry);
        assert_eq!(quanta % u64::from(BOID), 0);
        quanta / u64::from(BOID)
    })
}

/// Plays step by step on one engine. Checks the ledger and the lives in every step. Returns the hash after each step.
fn followed<E: IndividualsEngine>(played: &mut Played<E>, begun: &Individuals, steps: &[Surroundings]) -> Vec<String> {
    let mut hashes = Vec::new();
    for step in steps {
        played.play(&[*step]);
        let (now, [caught, born, starved]) = (played.individuals(), individuals_of(played.turnover()));
        assert_eq!(now.len() as u64 + caught + starved, begun.len() as u64 + born, "step {}", step.step);
        assert_energy(begun, &now, &played.totals(), step.step as usize);
        for index in 0..now.len() {
            let words = now.life(index).expect("it has a life");
            assert!(Life::are_sound(words, 1), "step {}: {:?}", step.step, Life::from_words(words));
        }
        hashes.push(now.hash());
    }
    hashes
}

#[test]
fn lives_are_the_same_on_every_engine_and_balance_in_every_step() {
    let gpu = adapter::shared("lives on the GPU");
    let (mut random, mut caught_in_all) = (Random::new(61), 0);
    for (index, set) in SETS.into_iter().enumerate() {
        for axes in [2, 3].into_iter().filter(|axes| is_played(index / 2 + axes, 2)) {
            let (edges, is_reborn) = ([Edges::Torus, Edges::Walls][(index + axes) % 2], (index + axes / 3) % 2 == 0);
            let space = space(axes, edges);
            let habitat = Habitat::new(space, if index == 1 { Vec::new() } else { solids(&space) });
            // With three axes there is heredity.
            let rebirth = [if is_reborn { STARVED } else { NOBODY }, ALL][axes - 2];
            let mutation = [0, 30][axes - 2];
            let lives = LifeRules { rebirth, mutation, by_health: index as i32 % 2, ..short(true) };
            let rules = with_lives(set, lives);
            let begun = begun(&space, 240, &lives, &mut random);
            let steps = hunt(64);
            let mut first = begin(&rules, &habitat, &begun, options(SearchKind::Grid, 1, None));
            let expected = followed(&mut first, &begun, &steps);
            let turnover = first.turnover();
            let [caught, born, starved] = individuals_of(turnover);
            assert!(starved > 10, "{set:?}, {axes} axes: {starved} starved");
            caught_in_all += caught;
            assert_eq!(born, [0, starved, starved + caught][rebirth as usize]);
            let others = [
                (SearchKind::Brute, 1, None),
                (SearchKind::Octree, 2, None),
                (SearchKind::Grid, 3, Some(InstructionSet::Portable)),
            ];
            for (search, threads, instructions) in others {
                let engine = options(search, threads, instructions);
                let mut other = begin(&rules, &habitat, &begun, engine);
                let found = followed(&mut other, &begun, &steps);
                assert_eq!((found, other.turnover()), (expected.clone(), turnover), "{set:?}, {axes} axes, {search:?}");
            }
            for (search, workgroup) in [(SearchKind::Grid, 64), (SearchKind::Brute, 17)] {
                let Some(gpu) = &gpu else { continue };
                let mut other = on_gpu(gpu, &rules, &habitat, &begun, search, workgroup);
                for (part, steps) in steps.chunks(16).enumerate() {
                    other.play(steps);
                    let found = other.individuals().hash();
                    assert_eq!(found, expected[16 * part + 15], "{set:?}, {axes} axes, {search:?} on the GPU");
                }
                assert_eq!(other.turnover(), turnover, "{set:?}, {axes} axes, {search:?} on the GPU");
            }
        }
    }
    assert!(caught_in_all > 20, "{caught_in_all} caught");
}

#[test]
fn nobody_lives_among_rock_or_solids_at_a_rebirth() {
    let space = space(2, Edges::Walls);
    let solids = solids(&space);
    let rules = with_lives(RuleSet::Flock, LifeRules { perishing: 1, ..short(true) });
    let habitat = Habitat::new(space, solids.clone());
    let begun = begun(&space, 300, rules.lives.as_ref().unwrap(), &mut Random::new(3));
    let mut played = begin(&rules, &habitat, &begun, options(SearchKind::Grid, 2, None));
    let is_in_solid = |individuals: &Individuals, index: usize| {
        let [x, y, _] = individuals.position(index).map(|along| (along >> 16) as usize);
        solids[y * space.extents[0] as usize + x]
    };
    let count =
        |individuals: &Individuals| (0..individuals.len()).filter(|index| is_in_solid(individuals, *index)).count();
    let before = count(&begun);
    played.play(&(0..200).map(|step| Surroundings { step, ..surroundings(step, 0) }).collect::<Vec<_>>());
    assert!(individuals_of(played.turnover())[1] > 300, "hardly anybody was born");
    assert!(count(&played.individuals()) <= before);
}

/// The needs of an individual by the formulas, in floats. The values must leave no remainder.
fn needs_in_floats(life: Life, others: i32, near: i32, rules: &LifeRules) -> [f64; 3] {
    let part = |byte: u8| f64::from(byte) + if byte < 128 { 0.0 } else { 1.0 };
    let value = |of: Trait, byte: u8| {
        let [low, span] = rules.traits[of as usize].map(f64::from);
        (low + (span * part(byte) / 256.0)).floor()
    };
    let [speed, _, sight, disposition, health, appetite] = life.dna;
    // A part is in 1/256, and the cost in 1/1024.
    let square = |of: Trait, byte: u8| if rules.traits[of as usize][1] == 0 { 0.0 } else { part(byte).powi(2) };
    let squares = square(Trait::Speed, speed) + square(Trait::Sight, sight);
    let cost = (f64::from(rules.effort) * squares / 16_384.0).floor();
    let appetite = value(Trait::Appetite, appetite);
    let hunger = (f64::from(life.hunger) + appetite + (appetite * cost / 1024.0).floor()).min(65_535.0);
    let [few, many, others, near] = [rules.few, rules.many, others, near].map(f64::from);
    let tendency = value(Trait::Disposition, disposition) + f64::from(rules.content)
        - f64::from(rules.lonely) * (few - others).max(0.0)
        - f64::from(rules.crowded) * (others - many).max(0.0)
        - f64::from(rules.pressed) * near
        - (f64::from(rules.sulk) * hunger / 65_536.0).floor();
    let (pace, before) = (f64::from(rules.pace), f64::from(life.mood));
    let mood = before + (16.0 * tendency.clamp(-1024.0, 1024.0) - before).clamp(-pace, pace);
    let (is_hungry, is_sad) = (hunger > f64::from(rules.hungry), mood < f64::from(rules.sad));
    let mut next = f64::from(life.health);
    next -= if is_hungry { f64::from(rules.starvation) } else { 0.0 };
    next -= if is_sad { f64::from(rules.gloom) } else { 0.0 };
    next += if is_hungry || is_sad { 0.0 } else { f64::from(rules.recovery) };
    [hunger, mood, next.clamp(0.0, value(Trait::Health, health))]
}

#[test]
fn needs_follow_their_formulas() {
    let mut random = Random::new(9);
    let mut seen = [0; 4];
    for _ in 0..20_000 {
        let mut byte = || random.below(256) as u8;
        let dna = [0; 6].map(|_| byte());
        let mut below = |end: u64| random.below(end) as i32;
        let rules = LifeRules {
            few: below(20),
            many: 20 + below(30),
            hungry: below(65_536),
            lonely: below(4097),
            sulk: below(4097),
            pace: 1 + below(16_384),
            effort: [0, below(1025)][below(2) as usize],
            ..short(true)
        };
        let rules = match below(4) {
            0 => LifeRules { traits: rules.traits.map(|[low, _]| [low, 0]), ..rules },
            _ => rules,
        };
        let life = Life {
            dna,
            hunger: below(65_536) as u16,
            health: 1 + below(65_535) as u16,
            mood: (below(32_769) - 16_384) as i16,
            perishing: 0,
            ..Life::default()
        };
        let most = [60, 1200][below(2) as usize];
        let counts = NeighbourCounts { others: below(most), near: below(12) };
        let LifeStep { life: next, burnt, .. } =
            live::<i32, 2>(life.words(), counts, NOTHING, [0; 2], [0; 2], &rules, 8000);
        let next = Life::from_words(next);
        let [hunger, mood, health] = needs_in_floats(life, counts.others, counts.near, &rules);
        let is_frail = health < f64::from(rules.frail);
        assert_eq!(next.dna, life.dna);
        assert_eq!([f64::from(next.hunger), f64::from(next.mood)], [hunger, mood], "{life:?} {counts:?}");
        assert_eq!(f64::from(burnt), hunger - f64::from(life.hunger), "without food all that hunger grew is burnt");
        assert_eq!(f64::from(next.health), if is_frail { 0.0 } else { health }, "{life:?} {counts:?}");
        assert_eq!(i32::from(next.perishing), if is_frail { rules.perishing } else { 0 });
        for (index, is_so) in
            [is_frail, counts.others < rules.few, counts.others > rules.many, mood < 0.0].into_iter().enumerate()
        {
            seen[index] += u32::from(is_so);
        }
    }
    assert!(seen.into_iter().all(|count| count > 500), "{seen:?}");
}

/// The life of an individual with a DNA in the middle of all ranges, among neighbours, after a step.
fn among(neighbours: &[[f64; 2]], rules: &IndividualRules) -> Life {
    let space = Space { extents: [64, 64, 1], edges: Edges::Torus };
    let mut begun = Individuals::default();
    let calm = Life { dna: [0; 6], hunger: 0, health: 20_000, mood: 0, perishing: 0, ..Life::default() };
    let places = [[32.0, 32.0]].into_iter().chain(neighbours.iter().map(|[x, y]| [32.0 + x, 32.0 + y]));
    for (number, [x, y]) in places.enumerate() {
        let place = [x, y, 0.0].map(|along| (along * 65_536.0) as i32);
        begun.push_living(number as u32, place, [0; 3], calm.words());
    }
    let habitat = Habitat::new(space, Vec::new());
    let mut played = begin(rules, &habitat, &begun, options(SearchKind::Grid, 1, None));
    played.play(&[surroundings(0, 0)]);
    Life::from_words(played.individuals().in_order().life(0).unwrap())
}

#[test]
fn the_mood_is_that_of_the_company() {
    // In one step the mood becomes 16 times the disposition (100) plus `content` (400). With 4 to 9 neighbours at 5
    // cells an individual is neither lonely nor crowded, and no neighbour is too near.
    let lives =
        LifeRules { pace: 1 << 15, traits: [[ONE, 0], [ONE, 0], [ONE, 0], [100, 0], [FULL, 0], [0, 0]], ..short(true) };
    const FULL: i32 = 65_535;
    let mut rules = with_lives(RuleSet::Reynolds, lives);
    // The sights are 6 cells for cohesion and 2.5 cells for separation.
    rules.weights = RuleArray::from_fn(|_| 0);
    let ring = |count: usize, radius: f64| -> Vec<[f64; 2]> {
        let angle = |index: usize| std::f64::consts::TAU * index as f64 / count as f64;
        (0..count).map(|index| [radius * angle(index).cos(), radius * angle(index).sin()]).collect()
    };
    let mood = |neighbours: &[[f64; 2]]| i32::from(among(neighbours, &rules).mood);
    assert_eq!(mood(&[]), 16 * (100 + 400 - 4 * 150));
    assert_eq!(mood(&ring(1, 5.0)), 16 * (100 + 400 - 3 * 150));
    assert_eq!(mood(&ring(4, 5.0)), 16 * (100 + 400));
    assert_eq!(mood(&ring(9, 5.0)), 16 * (100 + 400));
    assert_eq!(mood(&ring(12, 5.0)), 16 * (100 + 400 - 3 * 60));
    assert_eq!(mood(&ring(4, 6.5)), 16 * (100 + 400 - 4 * 150), "beyond the sight");
    assert_eq!(mood(&ring(5, 2.0)), 16 * (100 + 400 - 5 * 90), "too near");
    // Half of the sight: neighbours at 5 cells no longer count, and neighbours at 2 cells are not too near.
    rules.lives.as_mut().unwrap().traits[Trait::Sight as usize] = [ONE / 2, 0];
    let mood = |neighbours: &[[f64; 2]]| i32::from(among(neighbours, &rules).mood);
    assert_eq!(mood(&ring(4, 5.0)), 16 * (100 + 400 - 4 * 150));
    assert_eq!(mood(&ring(5, 2.0)), 16 * (100 + 400));
}

/// Individuals with the maximum speed and sight get hungry 1 + 2 · effort times as fast as those with the minimum. A
/// trait without a range costs nothing.
#[test]
fn speed_and_sight_make_hungry() {
    let hunger_of = |dna: [u8; 6], effort: i32, spans: [i32; 2]| {
        let mut rules = LifeRules { effort, ..short(true) };
        rules.traits[Trait::Speed as usize][1] = spans[0];
        rules.traits[Trait::Sight as usize][1] = spans[1];
        rules.traits[Trait::Appetite as usize] = [1000, 0];
        let life = Life { dna, hunger: 0, health: 40_000, mood: 0, perishing: 0, ..Life::default() };
        let counts = NeighbourCounts { others: 5, near: 0 };
        Life::from_words(live::<i32, 2>(life.words(), counts, NOTHING, [0; 2], [0; 2], &rules, 8000).life).hunger
    };
    let (slow, fast) = ([0, 255, 0, 255, 255, 255], [255, 0, 255, 0, 0, 0]);
    assert_eq!([slow, fast].map(|dna| hunger_of(dna, 0, [400, 324])), [1000, 1000]);
    assert_eq!([slow, fast].map(|dna| hunger_of(dna, 256, [400, 324])), [1000, 3000]);
    assert_eq!(hunger_of(fast, 4 * 256, [400, 324]), 9000);
    assert_eq!([[0, 324], [400, 0], [0, 0]].map(|spans| hunger_of(fast, 256, spans)), [2000, 2000, 1000]);
    assert_eq!(hunger_of([127, 0, 0, 0, 0, 0], 256, [400, 324]), 1246, "a quarter, rounded down");
}

#[test]
fn a_depressed_one_slows_down_and_one_that_perishes_sinks() {
    let lives = short(true);
    let at = |mood: i16, perishing: u16| {
        let life = Life { dna: [255; 6], hunger: 0, health: 40_000, mood, perishing, ..Life::default() };
        let counts = NeighbourCounts { others: 5, near: 0 };
        live::<i32, 2>(life.words(), counts, NOTHING, [8000, 0], [8000, 800], &lives, 8000).velocity
    };
    let [happy, sad, saddest] = [16_384, -9000, -16_384].map(|mood| at(mood, 0));
    // The velocity changes to [8000, 800]. Then its length is limited to 1000/1024 of the maximum speed, 8000.
    assert_eq!(happy, [7774, 777]);
    assert!(sad[0] < happy[0] && saddest[0] < sad[0], "{happy:?} {sad:?} {saddest:?}");
    // The most depressed individual has 400/1024 of this speed.
    assert!((saddest[0] - 3050).abs() < 6 && saddest[1] < 120, "{saddest:?}");
    assert_eq!(at(0, 7), [7500, 56]);
    let sinking = (0..400).fold([8000, 0], |velocity, _| {
        let life = Life { dna: [0; 6], hunger: 0, health: 0, mood: 0, perishing: 9, ..Life::default() };
        let counts = NeighbourCounts { others: 0, near: 0 };
        live::<i32, 2>(life.words(), counts, NOTHING, velocity, [0; 2], &lives, 8000).velocity
    });
    assert!(sinking[0].abs() < 8 && (sinking[1] - lives.sink).abs() < 8, "{sinking:?}");
}

#[test]
fn a_dna_depends_on_seed_and_number_alone() {
    let of = |seed| (0..4000).map(move |number| rebirth::dna(seed, number));
    assert!(of(1).eq(of(1)) && !of(1).eq(of(2)));
    for gene in 0..6 {
        let mean = of(1).map(|dna| f64::from(dna[gene])).sum::<f64>() / 4000.0;
        assert!((mean - 127.5).abs() < 5.0, "trait {gene}: {mean}");
    }
    let newborn = |number: u32, step: u32| rebirth::newborn(&short(true), 0, number, step, rebirth::dna(1, number));
    assert_ne!(newborn(5, 10).hunger, newborn(5, 11).hunger);
    assert_eq!(newborn(5, 10), newborn(5, 10));
}

/// Worlds with all rules at their bounds: no value is negative, and nothing overflows.
#[test]
fn rules_at_their_bounds_keep_lives_sound() {
    let mut random = Random::new(77);
    for case in 0..60 {
        let mut either = |low: i32, high: i32| if random.below(2) == 0 { low } else { high };
        let sad = either(-14_745, 14_745);
        let lives = LifeRules {
            traits: [
                [either(51, ONE), 0],
                [0, either(0, ONE)],
                [either(102, ONE), 0],
                [-ONE, 2 * ONE],
                [655, 64_880],
                [0, either(0, 6553)],
            ],
            few: either(0, 1023),
            many: 1023,
            content: either(0, 4096),
            lonely: either(0, 4096),
            crowded: either(0, 4096),
            pressed: either(0, 4096),
            sulk: either(0, 4096),
            pace: either(1, 16_384),
            hungry: either(0, 65_535),
            sad,
            slope: LifeRules::slope_of(sad),
            recovery: either(0, 65_535),
            starvation: either(0, 65_535),
            gloom: either(0, 65_535),
            heed: either(0, ONE),
            slow: either(0, ONE),
            frail: either(66, 65_535),
            perishing: either(1, 60_000),
            sink: either(0, 16_384),
            effort: either(0, 1024),
            ..short(case % 2 == 0)
        };
        let space = space(2 + case % 2, [Edges::Torus, Edges::Walls][case / 2 % 2]);
        let rules = with_lives(SETS[case % 5], lives);
        let begun = begun(&space, 80, &lives, &mut random);
        let habitat = Habitat::new(space, Vec::new());
        let mut played = begin(&rules, &habitat, &begun, options(SearchKind::Grid, 1, None));
        followed(&mut played, &begun, &hunt(30));
    }
}

#[test]
fn a_turned_world_lives_alike() {
    let lives = LifeRules { sink: 0, ..short(false) };
    let rules = with_lives(RuleSet::Flock, lives);
    let space = Space { extents: [53, 53, 1], edges: Edges::Torus };
    let begun = begun(&space, 250, &lives, &mut Random::new(8));
    let turned = |individuals: &Individuals| {
        let mut turned = Individuals::default();
        let individuals = individuals.in_order();
        for index in 0..individuals.len() {
            let ([x, y, z], [u, v, w]) = (individuals.position(index), individuals.velocity(index));
            let mirrored = (53 << 16) - 1 - y;
            turned.push_living(
                individuals.numbers[index],
                [mirrored, x, z],
                [-v, u, w],
                individuals.life(index).unwrap(),
            );
        }
        turned
    };
    let after = |begun: &Individuals| {
        let habitat = Habitat::new(space, Vec::new());
        let mut played = begin(&rules, &habitat, begun, options(SearchKind::Grid, 1, None));
        let centre = 52 * 8;
        played.play(&[hunted_at([centre, centre], 1, 2); 40]);
        played.individuals().in_order()
    };
    assert_eq!(turned(&after(&begun)), after(&turned(&begun)));
}

fn moods(set: &[&str]) -> Preset {
    let quick = ["lives.dna.appetite=20", "lives.starvation=60", "lives.perishing=40", "start.boids=300"];
    let set = quick.iter().chain(set).map(|setting| (*setting).to_owned()).collect();
    let overrides = Overrides { size: Some((96, 64)), set, ..Overrides::default() };
    Preset::load(murmuration::host(), "moods", &overrides).unwrap()
}

fn simulation(preset: Preset) -> Simulation {
    let chain = Chain::load(murmuration::host().as_ref(), "agents-grid").unwrap();
    let choice = EngineChoice::Cpu(murmuration_core::engine::cpu::Options { threads: Some(1), instruction_set: None });
    Simulation::new(preset, &chain, choice).unwrap()
}

#[test]
fn perishing_is_saved_and_resumed_and_undone() {
    for end in ["starved", "none"] {
        let mut whole = simulation(moods(&[&format!("lives.rebirth={end}")]));
        whole.advance(70).unwrap();
        let Swarm::Individuals(now, _) = whole.swarm().unwrap() else { unreachable!() };
        let perishing = (0..now.len()).filter(|index| Life::from_words(now.life(*index).unwrap()).perishing > 0);
        assert!(perishing.count() > 10, "nobody perishes");
        assert!(whole.account().unwrap().ledger.sum(Entry::Starved) > 0, "nobody has perished");
        let saved = whole.read(CheckpointReading).unwrap().to_bytes();
        let (host, choice) = (murmuration::host(), whole.choice());
        let read = Checkpoint::from_bytes(&saved).unwrap();
        let mut resumed = Simulation::resume(host, read, choice).unwrap();
        whole.advance(70).unwrap();
        resumed.advance(70).unwrap();
        assert_eq!(whole.state_hash().unwrap(), resumed.state_hash().unwrap());
        let [one, other] = [&mut whole, &mut resumed].map(|simulation| simulation.account().unwrap());
        assert_eq!((one.ledger, one.lost), (other.ledger, 0));
        // A brush adds individuals with lives, and an undo restores the individuals that have perished meanwhile.
        let hash = whole.state_hash().unwrap();
        whole.apply(Input::Stroke).unwrap();
        let place = serde_json::from_str("[40, 30]").unwrap();
        whole.apply(Input::Spawn { at: place, radius: 6, boids: 50 }).unwrap();
        whole.advance(60).unwrap();
        let account = whole.account().unwrap();
        assert_eq!((account.lost, account.ledger.sum(Entry::Spawned) / u64::from(BOID)), (0, 50));
        whole.apply(Input::Undo).unwrap();
        assert_eq!((whole.state_hash().unwrap(), whole.account().unwrap().lost), (hash, 0));
        // An impossible life is refused.
        let mut broken = saved.clone();
        let end = broken.len() - 32;
        let life = end - 96 * 64 - 4;
        broken[life..life + 4].copy_from_slice(&0x7fff_7fff_u32.to_le_bytes());
        let hash = *blake3::hash(&broken[..end]).as_bytes();
        broken[end..].copy_from_slice(&hash);
        assert_eq!(Checkpoint::from_bytes(&broken).unwrap_err(), "has an individual whose life cannot be");
    }
}

#[test]
fn nobody_sinks_faster_than_the_units_of_velocities_allow() {
    let settings =
        ["lives.sink=1", "movement.max=0.25", "lives.hungry=0", "lives.starvation=1000", "lives.perishing=300"];
    let mut whole = simulation(moods(&settings));
    whole.advance(200).unwrap();
    let read = Checkpoint::from_bytes(&whole.read(CheckpointReading).unwrap().to_bytes()).unwrap();
    Simulation::resume(murmuration::host(), read, whole.choice()).unwrap();
    let Swarm::Individuals(now, _) = whole.swarm().unwrap() else { unreachable!() };
    let fastest = now.velocities[1].iter().copied().max().unwrap();
    assert!((3900..=4096).contains(&fastest), "{fastest}");
}

#[test]
fn all_that_starve_in_one_step_are_counted() {
    for (end, left) in [("starved", 300), ("none", 0)] {
        let settings = [
            "lives.hungry=0",
            "lives.starvation=1000",
            "lives.dna.health=0.5",
            "lives.frail=1",
            "lives.perishing=3",
            &format!("lives.rebirth={end}"),
        ];
        let mut simulation = simulation(moods(&settings));
        simulation.advance(4).unwrap();
        let account = simulation.account().unwrap();
        assert_eq!((account.quanta / u64::from(BOID), account.lost), (left, 0));
        assert_eq!(account.ledger.sum(Entry::Starved) / u64::from(BOID), 300);
        simulation.advance(20).unwrap();
        assert_eq!(simulation.account().unwrap().lost, 0);
    }
}

#[test]
fn presets_with_wrong_lives_are_refused() {
    let host = murmuration::host();
    let text = host.library().preset("moods").unwrap();
    for (old, new, problem) in [
        ("rebirth = \"starved\"", "rebirth = \"maybe\"", "lives.rebirth: unknown value `maybe`"),
        ("rebirth = \"starved\"", "", "means nothing with this lives.rebirth"),
        ("few = 5", "few = 50", "lives.few: is above lives.many"),
        ("few = 5", "few = -1", "lives.few: -1 is out of bounds"),
        ("few = 5", "few = 2.5", "lives.few: invalid type"),
        ("few = 5", "fwe = 5", "unknown key `fwe`"),
        ("content = 0.65", "content = 4.5", "lives.content: 4.5 is out of bounds"),
        ("pace = 0.008", "pace = 0.0", "lives.pace: 0 is out of bounds"),
        ("hungry = 0.7", "hungry = 1.5", "lives.hungry: 1.5 is out of bounds"),
        ("perishing = 240", "perishing = 0", "lives.perishing: 0 is out of bounds"),
        ("gloom = 0.4", "gloom = 0.4\neffort = 4.5", "lives.effort: 4.5 is out of bounds"),
        ("gloom = 0.4", "gloom = 0.4\neffort = \"much\"", "lives.effort: invalid type"),
        ("sink = 0.05", "sink = 2.0", "lives.sink: 2 is out of bounds"),
        ("gloom = 0.4", "gloom = true", "lives.gloom: invalid type"),
        ("speed = [0.55, 1.0]", "speed = [1.0, 0.55]", "lives.dna.speed: begins above its end"),
        ("speed = [0.55, 1.0]", "speed = [0.55, 1.2]", "lives.dna.speed: 1.2 is out of bounds"),
        ("speed = [0.55, 1.0]", "speed = [0.5, 0.6, 0.7]", "lives.dna.speed: invalid length 3"),
        ("speed = [0.55, 1.0]", "speed = \"fast\"", "lives.dna.speed: invalid type"),
        ("speed = [0.55, 1.0]", "sped = 0.5", "unknown key `sped`"),
        ("sight = [0.75, 1.0]", "sight = [0.0, 1.0]", "lives.dna.sight: 0 is out of bounds"),
        ("model = \"agents\"", "model = \"cell\"", "means nothing with this model"),
    ] {
        assert!(text.contains(old), "{old}");
        let text = text.replacen(old, new, 1);
        let wrong = Preset::from_text(host, "mine.toml", &text, &Overrides::default());
        let message = wrong.map(drop).expect_err(new).to_string();
        check_message(&text, &message, problem).unwrap_or_else(|lack| panic!("{new}: {lack}"));
    }
}
