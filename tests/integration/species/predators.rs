//! Several species of individuals: one swarm on every engine, and a ledger for each species that balances in every
//! step. Meals by hand and against a plain count of all pairs, meetings against their formula. Names and order have no
//! effect. Wrong presets.

use crate::individuals::gpu::on_gpu_of;
use crate::lives::energy::assert_energy;
use crate::lives::needs::short;
use crate::support::adapter;
use crate::support::command::{Folder, fixture};
use crate::support::individuals::{
    Start, Surroundings, begin_all, cells, hunted_at, individuals, nothing_around, options, rules, surroundings,
};
use crate::support::random::Random;
use crate::support::wrong_presets::check_message;
use murmuration_core::chain::Chain;
use murmuration_core::engine::cpu::Options;
use murmuration_core::engine::{Dispatch, IndividualsEngine, TotalsReading};
use murmuration_core::individuals::numbers::IndividualMeeting;
use murmuration_core::individuals::search::SearchKind;
use murmuration_core::individuals::selection::{ALL_AROUND, Selection};
use murmuration_core::individuals::{IndividualRules, RuleSet};
use murmuration_core::lanes::InstructionSet;
use murmuration_core::lives::lineage::{Cause, LifeEndsReading};
use murmuration_core::lives::numbers::{ALL, NOBODY, STARVED};
use murmuration_core::lives::{FULL, Life, LifeRules, species_of};
use murmuration_core::numbers::BOID;
use murmuration_core::preset::{IndividualsStart, Overrides, Preset};
use murmuration_core::simulation::checkpoint::{Checkpoint, CheckpointReading};
use murmuration_core::simulation::replay::ReplayReading;
use murmuration_core::simulation::{Account, EngineChoice, Input, Simulation};
use murmuration_core::state::{Entry, Individuals, Swarm, SwarmReading, Unit};
use murmuration_core::terrain::Habitat;
use murmuration_core::ticket::ReadingSource;
use murmuration_core::world::{Edges, MeetingKind, Space};
use std::collections::BTreeSet;

/// The weight 1.
const WEIGHT: i32 = 1 << 20;

/// A meeting without a meal.
fn meeting(other: usize, kind: MeetingKind, radius: f64) -> IndividualMeeting {
    IndividualMeeting { other, kind, weight: WEIGHT, radius: cells(radius), jaws: 0, meal: 0 }
}

/// Three species. Each eats the next and meets both others.
fn ring(set: RuleSet, lives: impl Fn(u32) -> LifeRules) -> Vec<IndividualRules> {
    let kinds = [MeetingKind::Follow, MeetingKind::Align, MeetingKind::Flee];
    // In some sets, the species have different selections of neighbours.
    let few = [(0, ALL_AROUND), (5, -8192), (0, 3000)].map(|(nearest, view)| Selection {
        nearest,
        view,
        repulsion_view: if set.has_zones() { -view / 2 } else { view },
    });
    let is_selective = set as usize % 2 == 1;
    let species = |own: usize| {
        let prey = IndividualMeeting { jaws: cells(1.2), meal: 9000, ..meeting((own + 1) % 3, kinds[own], 7.0) };
        let hunter = IndividualMeeting { weight: -WEIGHT / 2, ..meeting((own + 2) % 3, kinds[(own + 1) % 3], 5.5) };
        let base = rules(set);
        IndividualRules {
            // The second species has too many individuals at the start.
            most: [None, Some(90), Some(110)][own],
            selection: if is_selective { few[own] } else { Selection::ALL },
            max: base.max - 900 * own as i32,
            force: base.force + 100 * own as i32,
            lives: Some(LifeRules { seed: own as u32, ..lives(own as u32) }),
            meetings: if own == 1 { vec![prey] } else { vec![prey, hunter] },
            ..base
        }
    };
    (0..3).map(species).collect()
}

/// Random individuals of three species in turn.
fn mixed(space: &Space, start: Start, count: usize, species: &[IndividualRules], random: &mut Random) -> Individuals {
    let placed = individuals(space, start, count, random);
    let mut begun = Individuals::default();
    for index in 0..count {
        let own = index * species.len() / count;
        let life = Life {
            dna: [0; 6].map(|_| random.below(256) as u8),
            hunger: random.below(65_536) as u16,
            health: 1 + random.below(30_000) as u16,
            mood: (random.below(32_769) as i32 - 16_384) as i16,
            species: own as u8,
            ..Life::default()
        };
        begun.push_living(placed.numbers[index], placed.position(index), placed.velocity(index), life.words());
    }
    begun
}

/// Plays step by step. Checks the ledger of every species and each life. Returns the hash after each step.
fn followed(
    engine: &mut dyn IndividualsEngine,
    begun: &Individuals,
    mut play: impl FnMut(&mut dyn IndividualsEngine, usize),
    steps: usize,
) -> (Vec<String>, [u64; 4]) {
    let mut hashes = Vec::new();
    let start = begun.counts();
    let mut ends = [0; 4];
    for step in 0..steps {
        play(engine, step);
        let (now, totals) = (
            engine.request(SwarmReading).unwrap().wait().unwrap().individuals().unwrap().clone(),
            engine.request(TotalsReading).unwrap().wait().unwrap(),
        );
        assert_eq!(now.counts().map(|count| count * u64::from(BOID)), totals[Entry::Present], "step {step}");
        for (index, start) in start.into_iter().enumerate() {
            let of = |entry: Entry| totals[entry][index];
            let gone = of(Entry::Caught) + of(Entry::Starved) + of(Entry::Eaten);
            let expected = start * u64::from(BOID) + of(Entry::Born) - gone;
            assert_eq!(of(Entry::Present), expected, "step {step}, species {index}: {totals:?}");
        }
        ends = [Entry::Caught, Entry::Starved, Entry::Eaten, Entry::Refused].map(|entry| totals.sum(entry));
        assert_energy(begun, &now, &totals, step);
        for index in 0..now.len() {
            let words = now.life(index).expect("it has a life");
            assert!(Life::are_sound(words, 3), "step {step}: {:?}", Life::from_words(words));
        }
        hashes.push(now.hash());
    }
    (hashes, ends.map(|quanta| quanta / u64::from(BOID)))
}

#[test]
fn species_are_the_same_on_every_engine_and_balance_in_every_step() {
    let gpu = adapter::shared("species of individuals");
    let mut all = [0; 4];
    for (index, set) in RuleSet::ALL.into_iter().enumerate() {
        for axes in [2, 3] {
            let edges = [Edges::Torus, Edges::Walls][(index + axes) % 2];
            // The narrow world has fewer than three cells of the search along an axis.
            let extents = match (axes, index % 2) {
                (2, 0) => [61, 47, 1],
                (2, _) => [12, 13, 1],
                (_, 0) => [12, 11, 9],
                _ => [31, 27, 23],
            };
            let space = Space { extents, edges };
            let rebirth = [NOBODY, STARVED, ALL][(index + axes) % 3];
            let species = ring(set, |own| LifeRules { rebirth, mutation: 9 * (own % 2) as i32, ..short(true) });
            let habitat = Habitat::new(space, Vec::new());
            let begun = mixed(&space, Start::Uniform, 330, &species, &mut Random::new(index as u64 + 31));
            let around: Vec<Surroundings> =
                (0..24).map(|step| Surroundings { step, population: 330, ..surroundings(step, 20) }).collect();
            let play = |on: (SearchKind, Options)| {
                let mut played = begin_all(&species, &habitat, &begun, on);
                let steps = crate::support::individuals::steps(&species, &played.setup, &around);
                let play = |engine: &mut dyn IndividualsEngine, step: usize| engine.play(&steps[step..=step]).unwrap();
                followed(&mut played.engine, &begun, play, around.len())
            };
            let (expected, ends) = play(options(SearchKind::Brute, 1, Some(InstructionSet::Portable)));
            for (sum, end) in all.iter_mut().zip(ends) {
                *sum += end;
            }
            let searches = [(SearchKind::Grid, 1), (SearchKind::Grid, 3), (SearchKind::Octree, 2)];
            for (search, threads) in searches {
                let found = play(options(search, threads, None)).0;
                assert_eq!(found, expected, "{set:?} {space:?} {search:?}");
            }
            // Shaders compile slowly, so each world gets one kind.
            let (search, workgroup) =
                [(SearchKind::Grid, 64), (SearchKind::Grid, 17), (SearchKind::Brute, 32)][(index + axes) % 3];
            if let Some(gpu) = &gpu {
                let mut played = on_gpu_of(gpu, &species, &habitat, &begun, search, workgroup);
                let steps = crate::support::individuals::steps(&species, &played.setup, &around);
                let play = |engine: &mut dyn IndividualsEngine, step: usize| engine.play(&steps[step..=step]).unwrap();
                let found = followed(&mut played.engine, &begun, play, around.len()).0;
                assert_eq!(found, expected, "{set:?} {space:?} {search:?} on a GPU");
            }
        }
    }
    assert!(all.into_iter().all(|ends| ends > 100), "caught, starved, eaten and refused: {all:?}");
}

/// With these rules only meals change a life.
fn calm() -> LifeRules {
    LifeRules { rebirth: NOBODY, ..LifeRules::still() }
}

/// Two species that do not move. The first eats the second.
fn predator_and_prey(jaws: f64, meal: i32) -> Vec<IndividualRules> {
    let base = IndividualRules { lives: Some(calm()), ..rules(RuleSet::Flock) };
    let still = IndividualRules { weights: murmuration_core::individuals::table::RuleArray::from_fn(|_| 0), ..base };
    let eats = IndividualMeeting { jaws: cells(jaws), meal, ..meeting(1, MeetingKind::Ignore, 0.0) };
    vec![IndividualRules { meetings: vec![eats], ..still.clone() }, still]
}

/// A world with individuals at places in cells, each with a species and a hunger.
fn placed(all: &[([f64; 2], u8, u16)]) -> Individuals {
    let mut individuals = Individuals::default();
    for (number, ([x, y], species, hunger)) in all.iter().enumerate() {
        let place = [*x, *y, 0.0].map(|along| (along * 65_536.0) as i32);
        let life = Life { hunger: *hunger, health: 65_535, species: *species, ..Life::default() };
        individuals.push_living(number as u32, place, [0; 3], life.words());
    }
    individuals
}

/// The lives after a step, by the individuals' numbers. `search`: the search of the GPU, which must give equal lives.
fn after_a_step(species: &[IndividualRules], begun: &Individuals, edges: Edges, search: SearchKind) -> Vec<Life> {
    let habitat = Habitat::new(Space { extents: [40, 30, 1], edges }, Vec::new());
    let mut played = begin_all(species, &habitat, begun, options(SearchKind::Grid, 1, None));
    played.play(&[nothing_around()]);
    let now = played.individuals().in_order();
    if let Some(gpu) = adapter::shared("meals") {
        let mut on_gpu = on_gpu_of(&gpu, species, &habitat, begun, search, 64);
        on_gpu.play(&[nothing_around()]);
        assert_eq!(on_gpu.individuals().in_order(), now, "{search:?}");
    }
    (0..now.len()).map(|index| Life::from_words(now.life(index).unwrap())).collect()
}

#[test]
fn those_who_reach_one_share_it() {
    let species = predator_and_prey(2.0, 10_001);
    // Three predators reach the first prey, and one of them is not hungry enough. One predator reaches two prey. One
    // predator and one prey are perishing.
    let begun = placed(&[
        ([10.0, 10.0], 1, 0),
        ([11.0, 10.0], 0, 30_000),
        ([10.0, 11.9], 0, 10_001),
        ([9.0, 10.0], 0, 10_000),
        ([12.0, 10.0], 0, 30_000),
        ([20.0, 20.0], 0, 30_000),
        ([20.0, 21.0], 1, 77),
        ([21.0, 20.0], 1, 77),
        ([39.5, 5.0], 0, 30_000),
        ([0.5, 5.0], 1, 0),
    ]);
    for (edges, across) in [(Edges::Torus, 10_001), (Edges::Walls, 0)] {
        let lives = after_a_step(&species, &begun, edges, SearchKind::Grid);
        let is_eaten: Vec<usize> = (0..lives.len()).filter(|index| lives[*index].is_eaten).collect();
        assert_eq!(is_eaten, if across > 0 { vec![0, 6, 7, 9] } else { vec![0, 6, 7] });
        for own in is_eaten {
            assert_eq!((lives[own].health, lives[own].perishing), (0, 1), "it has perished after the next step");
        }
        let hungers: Vec<u16> = [1, 2, 3, 4, 5, 8].map(|index| lives[index].hunger).to_vec();
        // Two predators whose distance from the prey is less than two cells get half of it each. A predator at exactly
        // two cells gets nothing.
        let expected = [30_000 - 5000, 10_001 - 5000, 10_000, 30_000, 30_000 - 20_002, 30_000 - across];
        assert_eq!(hungers, expected.map(|hunger: i32| hunger as u16));
        assert!(lives.iter().all(|life| life.mood == 0));
    }
    // A perishing individual neither eats nor is eaten.
    let perishing = |life: Life| Life { health: 0, perishing: 9, ..life };
    for dying in [0, 1] {
        let begun = placed(&[([10.0, 10.0], 0, 30_000), ([10.5, 10.0], 1, 0)]);
        let mut changed = Individuals::default();
        for index in 0..2 {
            let life = Life::from_words(begun.life(index).unwrap());
            let life = if index == dying { perishing(life) } else { life };
            changed.push_living(index as u32, begun.position(index), [0; 3], life.words());
        }
        let lives = after_a_step(&species, &changed, Edges::Torus, SearchKind::Grid);
        assert!(lives.iter().all(|life| !life.is_eaten));
        assert_eq!(lives[0].hunger, 30_000);
    }
}

/// Meals in random crowds, against a plain count over all pairs.
#[test]
fn meals_are_those_of_all_pairs() {
    let mut seen = [0; 3];
    for seed in 0..12 {
        let mut random = Random::new(seed);
        let meal = 1 + random.below(30_000) as i32;
        let species = predator_and_prey(0.4 + random.below(30) as f64 / 10.0, meal);
        let edges = if seed % 2 == 0 { Edges::Torus } else { Edges::Walls };
        // On a GPU the cells of the search are narrower if the individuals are more.
        let all: Vec<_> = (0..110 << (seed / 4))
            .map(|_| {
                let place = [40, 30].map(|extent| random.below(extent * 128) as f64 / 128.0);
                (place, u8::from(random.below(3) > 0), random.below(65_536) as u16)
            })
            .collect();
        let jaws = f64::from(species[0].meetings[0].jaws) / 65_536.0;
        let is_near = |one: [f64; 2], other: [f64; 2]| {
            let along = |axis: usize| {
                let (away, extent) = ((one[axis] - other[axis]).abs(), [40.0, 30.0][axis]);
                if edges == Edges::Torus { away.min(extent - away) } else { away }
            };
            along(0).powi(2) + along(1).powi(2) < jaws * jaws
        };
        let hunts = |index: usize| all[index].1 == 0 && i32::from(all[index].2) >= meal;
        let eaters = |prey: usize| {
            let reached = (0..all.len()).filter(|index| hunts(*index) && is_near(all[*index].0, all[prey].0));
            if all[prey].1 == 1 { reached.count() } else { 0 }
        };
        let search = if seed % 3 == 0 { SearchKind::Brute } else { SearchKind::Grid };
        let lives = after_a_step(&species, &placed(&all), edges, search);
        for (index, life) in lives.iter().enumerate() {
            assert_eq!(life.is_eaten, eaters(index) > 0, "seed {seed}: {index}");
            let prey = (0..all.len()).filter(|prey| hunts(index) && is_near(all[index].0, all[*prey].0));
            let gained: i32 = prey.map(eaters).filter(|count| *count > 0).map(|count| meal / count as i32).sum();
            let expected = (i32::from(all[index].2) - gained).max(0);
            assert_eq!(i32::from(life.hunger), expected, "seed {seed}: {index}");
            seen[0] += usize::from(eaters(index) > 1);
            seen[1] += usize::from(gained > meal);
            seen[2] += usize::from(gained > i32::from(all[index].2));
        }
    }
    assert!(seen.into_iter().all(|count| count > 20), "shared, several at once, more than hunger: {seen:?}");
}

/// A crowd of prey is worth more than the maximum hunger of its predator, which gets a hunger of 0 on both engines.
#[test]
fn nobody_eats_more_than_it_is_hungry() {
    let species = predator_and_prey(9.0, FULL);
    let mut random = Random::new(9);
    let mut all = vec![([20.0, 15.0], 0, 65_535)];
    all.extend((0..40_000).map(|_| ([0, 1].map(|axis| [16.0, 11.0][axis] + random.below(8192) as f64 / 1024.0), 1, 0)));
    let begun = placed(&all);
    let habitat = Habitat::new(Space { extents: [40, 30, 1], edges: Edges::Torus }, Vec::new());
    let mut on_cpu = begin_all(&species, &habitat, &begun, options(SearchKind::Grid, 2, None));
    on_cpu.play(&[nothing_around()]);
    let expected = on_cpu.individuals().in_order();
    assert_eq!(Life::from_words(expected.life(0).unwrap()).hunger, 0);
    assert!((1..expected.len()).all(|index| Life::from_words(expected.life(index).unwrap()).is_eaten));
    if let Some(gpu) = adapter::shared("a crowd that is eaten") {
        let mut on_gpu = on_gpu_of(&gpu, &species, &habitat, &begun, SearchKind::Grid, 64);
        on_gpu.play(&[nothing_around()]);
        assert_eq!(on_gpu.individuals().in_order(), expected);
    }
}

/// A whole crowd is eaten, and is then reborn or gone.
#[test]
fn all_are_eaten_in_one_step() {
    for (rebirth, left) in [(NOBODY, 1), (STARVED, 1), (ALL, 301)] {
        let mut species = predator_and_prey(9.0, 500);
        for own in &mut species {
            own.lives = Some(LifeRules { rebirth, ..calm() });
        }
        let mut random = Random::new(5);
        let mut all = vec![([20.0, 15.0], 0, 40_000)];
        all.extend(
            (0..300).map(|_| ([0, 1].map(|axis| [18.0, 13.0][axis] + random.below(4096) as f64 / 1024.0), 1, 0)),
        );
        let begun = placed(&all);
        let habitat = Habitat::new(Space { extents: [40, 30, 1], edges: Edges::Torus }, Vec::new());
        let mut played = begin_all(&species, &habitat, &begun, options(SearchKind::Octree, 2, None));
        played.engine.record_ends().unwrap();
        played.play(&[nothing_around()]);
        assert_eq!(played.individuals().len(), 301, "they perish");
        assert_energy(&begun, &played.individuals(), &played.totals(), 0);
        played.play(&[Surroundings { step: 1, ..nothing_around() }]);
        assert_energy(&begun, &played.individuals(), &played.totals(), 1);
        assert_eq!(played.individuals().len(), left);
        let turnover = played.turnover();
        let [eaten, born] = [Entry::Eaten, Entry::Born].map(|entry| turnover.sum(entry) / u64::from(BOID));
        assert_eq!((eaten, born, turnover.sum(Entry::Starved)), (300, left as u64 - 1, 0));
        assert_eq!(turnover[Entry::Eaten][1] / u64::from(BOID), 300);
        let ends = played.engine.request(LifeEndsReading).unwrap().wait().unwrap();
        assert!(ends.len() == 300 && ends.iter().all(|end| end.cause == Cause::Eaten && end.step == 1));
        let lives = played.individuals();
        for index in 0..lives.len() {
            let life = Life::from_words(lives.life(index).unwrap());
            let is_hunter = lives.numbers[index] == 0;
            assert_eq!((life.species, life.is_eaten), (u8::from(!is_hunter), false));
            assert_eq!(is_hunter, life.hunger == 0 && life.health == 65_535 && life.species == 0);
        }
    }
}

/// The change of a velocity by one individual of another species, against Reynolds' formula:
///   limit(x̂·max - v, force) · w
/// x̂: the direction that the meeting asks for. v: the present velocity. max: the maximum speed. w: the weight.
#[test]
fn meetings_ask_for_what_their_rules_ask_for() {
    let space = Space { extents: [64, 64, 1], edges: Edges::Torus };
    for (kind, weight) in [
        (MeetingKind::Follow, 1.0),
        (MeetingKind::Follow, -0.5),
        (MeetingKind::Flee, 1.0),
        (MeetingKind::Align, 0.75),
        (MeetingKind::Ignore, 1.0),
    ] {
        for (offset, is_seen) in [([3.0, -4.0], true), ([-6.5, 1.0], true), ([0.0, 7.5], false)] {
            let mut species = predator_and_prey(0.0, 0);
            let own = meeting(1, kind, 7.0);
            species[0].meetings =
                vec![IndividualMeeting { weight: (weight * f64::from(WEIGHT)) as i32, jaws: 0, ..own }];
            let mut begun = placed(&[([30.0, 30.0], 0, 0), ([30.0 + offset[0], 30.0 + offset[1]], 1, 0)]);
            let (velocity, other) = ([3000, -2000], [-5000, 7000]);
            for axis in 0..2 {
                begun.velocities[axis][0] = velocity[axis];
                begun.velocities[axis][1] = other[axis];
            }
            let mut played =
                begin_all(&species, &Habitat::new(space, Vec::new()), &begun, options(SearchKind::Grid, 1, None));
            played.play(&[nothing_around()]);
            let now = played.individuals().in_order();
            let towards = match kind {
                MeetingKind::Follow => offset,
                MeetingKind::Flee => offset.map(|along| -along),
                MeetingKind::Align => other.map(f64::from),
                MeetingKind::Ignore => [0.0; 2],
            };
            let length = |v: [f64; 2]| v[0].hypot(v[1]);
            let limited = |v: [f64; 2], most: f64| v.map(|part| part * (most / length(v).max(1e-9)).min(1.0));
            let (max, force) = (f64::from(species[0].max), f64::from(species[0].force));
            let wanted = towards.map(|along| along / length(towards).max(1e-9) * max);
            let steering = limited([0, 1].map(|axis| wanted[axis] - f64::from(velocity[axis])), force);
            let asked = if kind != MeetingKind::Ignore && is_seen { weight } else { 0.0 };
            let expected = limited([0, 1].map(|axis| f64::from(velocity[axis]) + asked * steering[axis]), max);
            for axis in 0..2 {
                let found = f64::from(now.velocities[axis][0]);
                assert!((found - expected[axis]).abs() < 4.0, "{kind:?} {offset:?}: {found} and not {expected:?}");
            }
            assert_eq!(now.velocities.each_ref().map(|list| list[1])[..2], other, "the other meets nobody");
        }
    }
}

#[test]
fn a_turned_world_hunts_alike() {
    let species = ring(RuleSet::Flock, |_| LifeRules { sink: 0, rebirth: NOBODY, ..short(false) });
    let space = Space { extents: [53, 53, 1], edges: Edges::Torus };
    let begun = mixed(&space, Start::Uniform, 260, &species, &mut Random::new(12));
    let turned = |individuals: &Individuals| {
        let mut turned = Individuals::default();
        let individuals = individuals.in_order();
        for index in 0..individuals.len() {
            let ([x, y, z], [u, v, w]) = (individuals.position(index), individuals.velocity(index));
            let life = individuals.life(index).unwrap();
            turned.push_living(individuals.numbers[index], [(53 << 16) - 1 - y, x, z], [-v, u, w], life);
        }
        turned
    };
    let after = |begun: &Individuals| {
        let habitat = Habitat::new(space, Vec::new());
        let mut played = begin_all(&species, &habitat, begun, options(SearchKind::Grid, 1, None));
        let centre = 52 * 8;
        played.play(&[hunted_at([centre, centre], 1, 2); 30]);
        assert!(played.turnover().sum(Entry::Eaten) > 0, "nobody is eaten");
        played.individuals().in_order()
    };
    assert_eq!(turned(&after(&begun)), after(&turned(&begun)));
}

fn chase(set: &[&str]) -> Preset {
    let quick = ["start.boids=400", "species[1].boids=60", "lives.dna.appetite=9", "food.cell=8"];
    let set = quick.iter().chain(set).map(|setting| (*setting).to_owned()).collect();
    let overrides = Overrides { size: Some((96, 64)), set, ..Overrides::default() };
    Preset::load(murmuration::host(), "chase", &overrides).unwrap_or_else(|wrong| panic!("{wrong}"))
}

fn begun(preset: Preset, choice: EngineChoice) -> Simulation {
    let chain = Chain::load(murmuration::host().as_ref(), "agents-grid").unwrap();
    Simulation::new(preset, &chain, choice).unwrap_or_else(|failure| panic!("{failure}"))
}

fn cpu(threads: usize) -> EngineChoice {
    EngineChoice::Cpu(Options { threads: Some(threads), instruction_set: None })
}

/// Compares the ledger of each species with its individuals. Returns the account.
fn balanced(simulation: &mut Simulation) -> Account {
    let Swarm::Individuals(individuals, _) = simulation.swarm().unwrap() else { unreachable!("they are individuals") };
    let (account, step) = (simulation.account().unwrap(), simulation.step());
    let counts = individuals.counts().map(|count| count * u64::from(BOID));
    assert_eq!(account.ledger[Entry::Present], counts, "step {step}");
    for species in 0..counts.len() {
        assert_eq!(account.ledger.lost_of(Unit::Quanta, species), 0, "step {step}, species {species}");
    }
    assert_eq!(
        (account.lost, account.ledger.lost(Unit::Food), account.ledger.lost(Unit::Energy)),
        (0, 0, 0),
        "step {step}"
    );
    account
}

#[test]
fn a_hunt_is_saved_resumed_undone_and_replayed() {
    let gpu = adapter::shared("a hunt on two engines").map(|_| EngineChoice::Gpu(Dispatch::default()));
    for end in ["all", "none"] {
        let mut whole = begun(chase(&[&format!("lives.rebirth={end}")]), cpu(2));
        let mut step = 0;
        // In the middle of a meal: an individual is eaten and has not perished yet.
        let is_eaten = |simulation: &mut Simulation| {
            let Swarm::Individuals(individuals, _) = simulation.swarm().unwrap() else { unreachable!() };
            (0..individuals.len()).any(|index| Life::from_words(individuals.life(index).unwrap()).is_eaten)
        };
        while !is_eaten(&mut whole) {
            whole.advance(1).unwrap();
            balanced(&mut whole);
            step += 1;
            assert!(step < 300, "nobody is eaten");
        }
        let saved = whole.read(CheckpointReading).unwrap().to_bytes();
        whole.advance(30).unwrap();
        for choice in [Some(cpu(1)), gpu].into_iter().flatten() {
            let read = Checkpoint::from_bytes(&saved).unwrap();
            let mut resumed = Simulation::resume(murmuration::host(), read, choice).unwrap();
            resumed.advance(30).unwrap();
            assert_eq!(whole.state_hash().unwrap(), resumed.state_hash().unwrap());
            assert_eq!(balanced(&mut whole), balanced(&mut resumed));
        }
        let (hash, before) = (whole.state_hash().unwrap(), balanced(&mut whole));
        whole.apply(Input::Stroke).unwrap();
        let place = |text| serde_json::from_str(text).unwrap();
        whole.apply(Input::Spawn { at: place("[20, 20]"), radius: 6, boids: 50 }).unwrap();
        whole.apply(Input::Lift { at: place("[60, 40]"), radius: 14 }).unwrap();
        let after = balanced(&mut whole);
        assert_eq!(after.ledger.sum(Entry::Spawned), 50 * u64::from(BOID));
        assert!(after.ledger[Entry::Caught][0] > before.ledger[Entry::Caught][0]);
        whole.advance(10).unwrap();
        balanced(&mut whole);
        whole.apply(Input::Undo).unwrap();
        assert_eq!(whole.state_hash().unwrap(), hash);
        assert_eq!(balanced(&mut whole), before);
        for (key, value) in [
            ("species[0].meets.tuna.weight", "0.5"),
            ("species[1].lives.starvation", "90.0"),
            ("species[1].meets.herring.jaws", "3.0"),
            ("species[1].sight.prey.disc", "12.0"),
        ] {
            whole.apply(Input::Set { key: key.into(), value: value.into() }).unwrap_or_else(|wrong| panic!("{wrong}"));
            whole.advance(4).unwrap();
            balanced(&mut whole);
        }
        let (hash, record) = (whole.state_hash().unwrap(), whole.read(ReplayReading).unwrap());
        for choice in [Some(cpu(1)), gpu].into_iter().flatten() {
            let mut again = record.play(murmuration::host(), choice).unwrap();
            assert_eq!(again.state_hash().unwrap(), hash);
        }
        // A checkpoint with an unknown species is refused.
        let mut broken = saved.clone();
        let end = broken.len() - 32;
        let food = 4 * 12 * 8;
        let traits = end - 96 * 64 - food - 12;
        broken[traits + 2] = 7;
        let hash = *blake3::hash(&broken[..end]).as_bytes();
        broken[end..].copy_from_slice(&hash);
        assert_eq!(Checkpoint::from_bytes(&broken).unwrap_err(), "has an individual whose life cannot be");
    }
}

/// The start of one species does not affect the others, and each number has its own scale.
#[test]
fn each_species_has_a_start_of_its_own() {
    let text = murmuration::host().library().preset("chase").unwrap().to_owned();
    let read = |text: &str, size: Option<(u32, u32)>, set: &[&str]| {
        let set = set.iter().map(|setting| (*setting).to_owned()).collect();
        let overrides = Overrides { size, set, scales_boids: false, ..Overrides::default() };
        Preset::from_text(murmuration::host(), "mine.toml", text, &overrides).unwrap_or_else(|wrong| panic!("{wrong}"))
    };
    let counts = |preset: &Preset| {
        let start = IndividualsStart::new(preset).unwrap().start;
        [start.counts()[0], start.counts()[1]]
    };
    assert_eq!(counts(&read(&text, None, &[])), [1000, 36]);
    assert_eq!(counts(&read(&text, Some((160, 100)), &[])), [250, 9]);
    assert_eq!(counts(&read(&text, Some((160, 100)), &["species[1].boids=60"])), [250, 60]);
    assert_eq!(counts(&read(&text, Some((160, 100)), &["start.boids=700"])), [700, 9]);
    let ring = text.replace("shape = \"uniform\"", "shape = \"ring\"\nradius = 0.3\nwidth = 0.05");
    let even = ring.replace("grazes = false", "grazes = false\n[species.start]\nshape = \"uniform\"");
    let [alike, apart] = [&ring, &even].map(|text| IndividualsStart::new(&read(text, None, &[])).unwrap().start);
    let of = |individuals: &Individuals, species: usize| -> Vec<[i32; 3]> {
        (0..individuals.len())
            .filter(|index| individuals.species(*index) == species)
            .map(|index| individuals.position(index))
            .collect()
    };
    assert!(of(&alike, 0) == of(&apart, 0) && of(&alike, 1) != of(&apart, 1));
}

/// The picture of a start is stored in checkpoints and replays.
#[test]
fn the_file_of_a_start_is_kept_for_species_too() {
    let folder = Folder::new();
    let picture = image::GrayImage::from_fn(96, 64, |x, _| image::Luma([if x < 40 { 255 } else { 0 }]));
    picture.save(folder.join("start.png")).unwrap();
    let text = murmuration::host().library().preset("chase").unwrap();
    folder.write("mine.toml", text.replace("shape = \"uniform\"", "shape = \"map\"\nfile = \"start.png\""));
    let small = ["render", "mine.toml", "--size", "96x64", "--engine", "cpu", "--json"];
    let state = |run: crate::support::command::Finished| {
        assert_eq!(run.status, Some(0), "{}", run.err);
        serde_json::from_str::<serde_json::Value>(run.out.trim()).unwrap()["state_hash"].clone()
    };
    let whole = state(folder.run(&[&small[..], &["--steps", "30"]].concat()));
    state(folder.run(&[&small[..], &["--steps", "20", "--checkpoint", "half.murm"]].concat()));
    std::fs::remove_file(folder.join("start.png")).unwrap();
    let resumed = folder.run(&["render", "--resume", "half.murm", "--steps", "10", "--engine", "cpu", "--json"]);
    assert_eq!(state(resumed), whole);
}

#[test]
fn names_and_order_matter_nowhere() {
    let text = murmuration::host().library().preset("chase").unwrap().to_owned();
    let hash_of = |text: &str| {
        let overrides = Overrides { size: Some((96, 64)), ..Overrides::default() };
        let preset = Preset::from_text(murmuration::host(), "mine.toml", text, &overrides).unwrap();
        let mut simulation = begun(preset, cpu(1));
        simulation.advance(40).unwrap();
        simulation.state_hash().unwrap()
    };
    let expected = hash_of(&text);
    let renamed = text.replace("tuna", "zander").replace("herring", "roach");
    assert_eq!(hash_of(&renamed), expected, "renamed");
    let (head, tables) = text.split_once("[[species]]").unwrap();
    let (first, second) = tables.split_once("[[species]]").unwrap();
    let reordered = format!("{head}[[species]]{second}\n[[species]]{first}");
    assert_eq!(hash_of(&reordered), expected, "in another order");
    assert_ne!(hash_of(&text.replace("seed = 2\n", "seed = 9\n")), expected, "another seed is another species");
}

#[test]
fn one_species_is_the_preset_without_tables() {
    for name in ["moods", "flock"] {
        // The seed of the run draws the noise of individuals. A species has no seed of its own for it.
        let text = match name {
            "moods" => std::fs::read_to_string(fixture(name)).unwrap(),
            _ => murmuration::host().library().preset(name).unwrap().to_owned(),
        };
        let seed = text.lines().find(|line| line.starts_with("seed = ")).unwrap();
        let one = text.replace(seed, "") + "\n[[species]]\nname = \"all\"\n" + seed + "\n";
        let hash_of = |text: &str| {
            let overrides = Overrides { size: Some((96, 64)), ..Overrides::default() };
            let preset = Preset::from_text(murmuration::host(), "mine.toml", text, &overrides).unwrap();
            let mut simulation = begun(preset, cpu(1));
            simulation.advance(30).unwrap();
            let account = simulation.account().unwrap();
            assert_eq!(account.ledger[Entry::Present][0], account.quanta, "there is one ledger");
            simulation.state_hash().unwrap()
        };
        assert_eq!(hash_of(&one), hash_of(&text), "{name}");
    }
}

/// Species without lives meet and hunt too. Their lives do not change otherwise.
#[test]
fn species_without_lives_keep_still_ones() {
    let text = r#"
description = "two species without lives"
model = "agents"
[world]
size = [60, 40]
[agents]
rules = "school"
force = 0.04
[start]
boids = 300
[sight.cohesion]
disc = 6
[sight.separation]
disc = 2
[sight.alignment]
disc = 4
[weights]
cohesion = 0.5
separation = 1.0
alignment = 0.5
[[species]]
name = "one"
seed = 1
[[species]]
name = "other"
seed = 2
boids = 40
[species.meets.one]
kind = "follow"
jaws = 1.0
"#;
    let preset = Preset::from_text(murmuration::host(), "mine.toml", text, &Overrides::default()).unwrap();
    let mut simulation = begun(preset, cpu(1));
    simulation.advance(60).unwrap();
    let account = balanced(&mut simulation);
    assert!(account.ledger.sum(Entry::Eaten) > 0 && account.ledger.sum(Entry::Born) == 0);
    assert!(simulation.life_rules().is_none(), "nobody has moods to be shown");
    let Swarm::Individuals(now, _) = simulation.swarm().unwrap() else { unreachable!() };
    for index in 0..now.len() {
        let life = Life::from_words(now.life(index).unwrap());
        assert_eq!((life.hunger, life.mood), (0, 0));
        assert!(life.is_eaten || i32::from(life.health) == FULL);
    }
    assert_eq!(species_of(now.life(0).unwrap()), now.species(0));
}

#[test]
fn a_run_tells_the_ledger_and_the_family_tree_of_each_species() {
    let folder = Folder::new();
    let small = ["--size", "96x64", "--set", "start.boids=400", "--set", "species[1].boids=60", "--steps", "200"];
    let run = |engine: &str| {
        let tree = format!("{engine}.csv");
        let outputs = ["--engine", engine, "--lineage", &tree, "--metrics", "m.csv", "--every", "50", "--json"];
        let run = folder.run(&[&["render", "chase"][..], &small, &outputs].concat());
        assert_eq!(run.status, Some(0), "{}", run.err);
        let object: serde_json::Value = serde_json::from_str(run.out.trim()).unwrap();
        (object, std::fs::read_to_string(folder.join(&tree)).unwrap())
    };
    let (object, tree) = run("cpu");
    let number = |own: &serde_json::Value, key: &str| own[key].as_i64().unwrap();
    for own in object["species"].as_array().unwrap() {
        let balance = number(own, "quanta_start") + number(own, "spawned") + number(own, "born")
            - number(own, "eaten")
            - number(own, "caught")
            - number(own, "starved");
        assert_eq!((balance, number(own, "lost")), (number(own, "quanta_end"), 0), "{own}");
    }
    assert!(number(&object, "eaten") > 0 && number(&object, "lost") == 0, "{object}");
    assert!(tree.lines().any(|line| line.contains("eaten")), "the tree tells who was eaten");
    let mut rows = tree.lines().map(|line| line.split(',').collect::<Vec<_>>());
    let columns = rows.next().unwrap();
    assert_eq!((columns[6], columns[12]), ("species", "appetite"));
    for row in rows {
        let appetite: f64 = row[12].parse().unwrap();
        let range = if row[6] == "tuna" { 1.5..=2.5 } else { 0.3..=0.6 };
        assert!(range.contains(&((appetite * 100.0).round() / 100.0)), "a range of its own: {row:?}");
    }
    let table = std::fs::read_to_string(folder.join("m.csv")).unwrap();
    assert!(
        table.lines().next().unwrap().contains(
            "tuna.quanta,tuna.spawned,tuna.born,tuna.eaten,tuna.caught,tuna.starved,tuna.refused,tuna.energy,"
        )
    );
    if adapter::shared("a family tree of species").is_some() {
        let (on_gpu, tree_of_gpu) = run("gpu");
        assert_eq!((&on_gpu["state_hash"], &on_gpu["species"]), (&object["state_hash"], &object["species"]));
        assert!(tree == tree_of_gpu, "one family tree");
    }
}

/// No species name makes a column of one species a column of all or of another species.
#[test]
fn columns_of_species_have_names_of_their_own() {
    let folder = Folder::new();
    let chase = murmuration::host().library().preset("chase").unwrap();
    for names in [["energy", "dna"], ["tuna", "tuna_energy"], ["a", "a_dna"]] {
        let renamed = chase.replace("herring", "\u{1}").replace("tuna", names[1]).replace('\u{1}', names[0]);
        folder.write("mine.toml", &renamed);
        let small =
            ["render", "mine.toml", "--size", "96x64", "--set", "start.boids=300", "--steps", "4", "--every", "4"];
        let run = folder.run(&[&small[..], &["--metrics", "m.csv", "--engine", "cpu"]].concat());
        assert_eq!(run.status, Some(0), "{}", run.err);
        let table = std::fs::read_to_string(folder.join("m.csv")).unwrap();
        let columns: Vec<&str> = table.lines().next().unwrap().split(',').collect();
        let distinct: BTreeSet<&&str> = columns.iter().collect();
        assert_eq!(distinct.len(), columns.len(), "{names:?}: {columns:?}");
    }
}

#[test]
fn presets_with_wrong_species_of_individuals_are_refused() {
    let chase = murmuration::host().library().preset("chase").unwrap();
    let mut accepted = Vec::new();
    for (old, new, problem) in [
        ("name = \"tuna\"", "name = \"herring\"", "species[1].name: \"herring\" is the name of another"),
        ("seed = 2\n", "", "species[1].seed: is missing"),
        ("seed = 2\n", "seed = 1\n", "species[1].seed: 1 is the seed of another"),
        ("meets.tuna]", "meets.shark]", "species[0].meets.shark: there is no species of this name"),
        ("meets.tuna]", "meets.herring]", "species[0].meets.herring: is the species itself"),
        ("kind = \"flee\"", "kind = \"run\"", "meets.tuna.kind: unknown value `run`"),
        ("kind = \"flee\"\n", "", "species[0].meets.tuna.weight: means nothing"),
        ("sight = \"danger\"", "sight = \"dangr\"", "species[0].meets.tuna.sight: there is no sight \"dangr\""),
        ("sight = \"danger\"\n", "", "sight.danger: means nothing"),
        ("[sight.danger]\ndisc = 14", "[sight.danger]\nbox = 14", "sight.danger: is no disc"),
        ("weight = 3.0", "weight = 9.0", "species[0].meets.tuna.weight: 9 is too much for individuals"),
        ("weight = 3.0", "weight = 90.0", "species[0].meets.tuna.weight: 90 is out of bounds"),
        ("jaws = 1.5", "jaws = 17.0", "species[1].meets.herring.jaws: 17 is out of bounds"),
        ("jaws = 1.5", "jaws = -1.0", "species[1].meets.herring.jaws: -1 is out of bounds"),
        ("jaws = 1.5", "eats = 0.1", "species[1].meets.herring.eats: means nothing"),
        ("meal = 0.12", "meal = 1.5", "species[1].meets.herring.meal: 1.5 is out of bounds"),
        ("meal = 0.12", "meals = 0.12", "unknown key `meals`"),
        ("jaws = 1.5\n", "", "species[1].meets.herring.meal: means nothing"),
        ("grazes = false", "grazes = 1", "species[1].grazes: invalid type"),
        ("grazes = false", "graze = false", "unknown key `graze`"),
        ("boids = 36", "boids = 36\nmost = 0", "species[1].most: 0 is out of bounds"),
        ("boids = 36", "boids = -1", "species[1].boids: -1 is out of bounds"),
        ("appetite = [1.5, 2.5]", "appetite = [2.5, 1.5]", "species[1].lives.dna.appetite: begins above its end"),
        ("appetite = [1.5, 2.5]", "greed = 2", "unknown key `greed`"),
        (
            "[species.movement]\nmax = 1.0",
            "[species.movement]\nmax = 2.1",
            "species[1].movement.max: 2.1 is out of bounds",
        ),
        ("[species.movement]\nmax = 1.0", "[species.movement]\nmin = 1.1", "species[1].movement.min"),
        ("[species.movement]", "[species.agents]\nrules = \"school\"\n[species.movement]", "unknown key `rules`"),
        ("[species.movement]", "[species.world]\ncapacity = 4\n[species.movement]", "unknown key `world`"),
        ("[look]", "[look]\ncolour = \"specis\"", "look.colour: unknown value `specis`"),
        ("rebirth = \"all\"", "", "lives"),
    ] {
        assert!(chase.contains(old), "{old}");
        let text = chase.replacen(old, new, 1);
        let message = match Preset::from_text(murmuration::host(), "mine.toml", &text, &Overrides::default()) {
            Err(wrong) => wrong.to_string(),
            Ok(_) => "is accepted".to_string(),
        };
        accepted.extend(check_message(&text, &message, problem).err().map(|lack| format!("{new}: {lack}")));
    }
    assert!(accepted.is_empty(), "{}", accepted.join("\n"));
    let gone = chase.replace("rebirth = \"all\"", "rebirth = \"none\"").replace("boids = 36", "boids = 36\nmost = 9");
    let wrong = Preset::from_text(murmuration::host(), "mine.toml", &gone, &Overrides::default()).unwrap_err();
    assert!(wrong.to_string().contains("species[1].most: means nothing"), "{wrong}");
    let nobody = chase.replace("colour = 0.58", "colour = 0.58\ngrazes = false");
    let wrong = Preset::from_text(murmuration::host(), "mine.toml", &nobody, &Overrides::default()).unwrap_err();
    assert!(wrong.to_string().contains("food: nobody eats it"), "{wrong}");
    let overrides = Overrides { set: vec!["look.colour=species".into()], ..Overrides::default() };
    let wrong = Preset::load(murmuration::host(), "flock", &overrides).unwrap_err();
    assert!(wrong.to_string().contains("there is only one here"), "{wrong}");
}
