//! The ledger of energy. It balances in every step on every engine, and agrees with a plain reference of the lives
//! before and after each step. The tests cover the worst cases, brushes, undo, checkpoints, replays and the reports of
//! a run.

use crate::individuals::gpu::on_gpu_of;
use crate::support::command::{Folder, fixture};
use crate::support::corrupt_files::with_header;
use crate::support::individuals::{Start, Surroundings, begin_all, individuals, nothing_around, options, rules};
use crate::support::random::Random;
use crate::support::{adapter, is_played};
use murmuration_core::chain::Chain;
use murmuration_core::engine::Dispatch;
use murmuration_core::engine::cpu::Options;
use murmuration_core::individuals::search::SearchKind;
use murmuration_core::individuals::{IndividualRules, RuleSet};
use murmuration_core::lives::numbers::{ALL, NOBODY, STARVED};
use murmuration_core::lives::{FULL, Life, LifeRules, Trait};
use murmuration_core::numbers::BOID;
use murmuration_core::preset::{Overrides, Preset};
use murmuration_core::simulation::checkpoint::{Checkpoint, CheckpointReading};
use murmuration_core::simulation::replay::ReplayReading;
use murmuration_core::simulation::{Account, EngineChoice, Input, Simulation, WORKGROUP};
use murmuration_core::state::{Entry, Individuals, Ledger, Swarm, Unit};
use murmuration_core::terrain::Habitat;
use murmuration_core::world::{Edges, Space};
use std::collections::BTreeMap;

/// Compares the energy in the account with the living individuals. `begun`: the individuals at the start.
pub fn assert_energy(begun: &Individuals, now: &Individuals, totals: &Ledger, step: usize) {
    assert_eq!(totals[Entry::EnergyPresent], now.stores(), "step {step}");
    for (species, start) in begun.stores().into_iter().enumerate() {
        let of = |entry: Entry| totals[entry][species];
        let expected =
            start + of(Entry::EnergyEaten) + of(Entry::EnergyBorn) - of(Entry::EnergyBurnt) - of(Entry::EnergyEnded);
        assert_eq!(of(Entry::EnergyPresent), expected, "step {step}, species {species}: {totals:?}");
    }
}

fn preset(name: &str, size: Option<(u32, u32)>, set: &[&str]) -> Preset {
    let set = set.iter().map(|setting| (*setting).to_owned()).collect();
    Preset::load(murmuration::host(), name, &Overrides { size, set, ..Overrides::default() }).unwrap()
}

fn cpu(threads: usize) -> EngineChoice {
    EngineChoice::Cpu(Options { threads: Some(threads), instruction_set: None })
}

const GPU: EngineChoice = EngineChoice::Gpu(Dispatch::Compute { workgroup: WORKGROUP });

fn begun(preset: &Preset, chain: &str, choice: EngineChoice) -> Simulation {
    let chain = Chain::load(murmuration::host().as_ref(), chain).unwrap();
    Simulation::new(preset.clone(), &chain, choice).unwrap()
}

fn living(simulation: &mut Simulation) -> Individuals {
    match simulation.swarm().unwrap() {
        Swarm::Individuals(individuals, _) => individuals,
        Swarm::Cells(_) => unreachable!("they are individuals"),
    }
}

/// Returns the account, and checks that it balances.
fn balanced(simulation: &mut Simulation) -> Account {
    let account = simulation.account().unwrap();
    assert_eq!(
        (account.lost, account.ledger.lost(Unit::Food), account.ledger.lost(Unit::Energy)),
        (0, 0, 0),
        "step {}",
        account.step
    );
    account
}

/// Worlds in which much is eaten, burnt, born and ended within about fifty steps.
fn worlds() -> Vec<(&'static str, Preset)> {
    const QUICK: [&str; 6] = [
        "start.boids=240",
        "lives.dna.appetite=[10, 30]",
        "lives.starvation=60",
        "lives.perishing=6",
        "lives.mutation=0.1",
        "food.most=0.4",
    ];
    let flat = Some((96, 64));
    let feeding = |set: &[&str]| {
        preset(&fixture("feeding"), flat, &[&QUICK[..], &["food.bite=0.06", "food.growth=30"], set].concat())
    };
    let chase = |set: &[&str]| {
        preset(&fixture("chase"), flat, &[&QUICK[..3], &["species[1].boids=40", "lives.perishing=6"], set].concat())
    };
    vec![
        ("nobody is born again", feeding(&["lives.rebirth=none"])),
        ("the starved are born again", feeding(&["lives.rebirth=starved", "world.edges=walls"])),
        ("all are born again", feeding(&["lives.rebirth=all", "lives.effort=2"])),
        (
            "without food",
            preset(
                &fixture("moods"),
                flat,
                &["start.boids=240", "lives.dna.appetite=[10, 30]", "lives.starvation=60", "lives.perishing=6"],
            ),
        ),
        (
            "under a falcon",
            preset(
                &fixture("evolve"),
                flat,
                &["lives.dna.appetite=[10, 30]", "lives.starvation=60", "lives.perishing=6"],
            ),
        ),
        ("two species", chase(&[])),
        ("two species, nobody is born again", chase(&["lives.rebirth=none"])),
    ]
}

#[test]
fn energy_is_the_same_on_every_engine_and_balances_in_every_step() {
    let has_gpu = adapter::shared("energy on the GPU").is_some();
    for (_, (name, preset)) in worlds().into_iter().enumerate().filter(|(index, _)| is_played(*index, 2)) {
        let mut first = begun(&preset, "agents-grid", cpu(1));
        let expected: Vec<Account> = (0..48)
            .map(|_| {
                first.advance(1).unwrap();
                let account = balanced(&mut first);
                assert_eq!(account.ledger[Entry::EnergyPresent], living(&mut first).stores(), "{name}");
                account
            })
            .collect();
        let all = |entry| expected[47].ledger.sum(entry);
        assert!(all(Entry::EnergyBurnt) > 0 && all(Entry::EnergyEnded) > 0, "{name}");
        assert_eq!(all(Entry::EnergyBorn) > 0, !name.contains("nobody"), "{name}");
        assert_eq!(all(Entry::EnergyEaten) > 0, preset.features.named("food").is_some(), "{name}");
        let mut others = vec![("agents-brute", cpu(1)), ("agents-octree", cpu(2)), ("agents-grid", cpu(3))];
        others.extend(has_gpu.then_some(("agents-grid", GPU)));
        for (chain, choice) in others {
            let mut other = begun(&preset, chain, choice);
            for account in &expected {
                other.advance(1).unwrap();
                assert_eq!(balanced(&mut other), *account, "{name}: {chain}, {choice:?}");
            }
        }
    }
}

/// The turnover of energy in a step, from the lives before and after it, without the program's account. For each
/// species: the energy eaten less the energy burnt, the energy burnt, born and ended.
fn plain(before: &Individuals, after: &Individuals, rules: &[LifeRules]) -> Vec<[i64; 4]> {
    let by_number = |individuals: &Individuals| -> BTreeMap<u32, Life> {
        let lives = (0..individuals.len())
            .map(|index| (individuals.numbers[index], Life::from_words(individuals.life(index).unwrap())));
        lives.collect()
    };
    let (before, after) = (by_number(before), by_number(after));
    let mut sums = vec![[0; 4]; rules.len()];
    for (number, life) in &before {
        let (own, rules) = (&mut sums[usize::from(life.species)], &rules[usize::from(life.species)]);
        let next = after.get(number);
        if life.perishing == 1 {
            own[3] += i64::from(FULL) - i64::from(life.hunger);
            own[2] += next.map_or(0, |next| i64::from(FULL) - i64::from(next.hunger));
            continue;
        }
        let next = next.expect("its life goes on");
        own[0] += i64::from(life.hunger) - i64::from(next.hunger);
        if life.perishing == 0 {
            let byte = i64::from(life.dna[Trait::Appetite as usize]);
            let [low, span] = rules.traits[Trait::Appetite as usize].map(i64::from);
            let appetite = low + ((span * (byte + i64::from(byte > 127))) >> 8);
            own[1] += appetite.min(i64::from(FULL) - i64::from(life.hunger));
        }
    }
    sums
}

#[test]
fn each_term_is_that_of_a_plain_reference() {
    for (name, preset) in worlds() {
        let rules: Vec<LifeRules> =
            preset.individuals.as_ref().unwrap().rules.iter().map(|own| own.lives.unwrap()).collect();
        if rules.iter().any(|rules| rules.effort != 0) || name == "under a falcon" {
            continue;
        }
        let mut simulation = begun(&preset, "agents-grid", cpu(2));
        for step in 0..40 {
            let (before, then) = (living(&mut simulation), balanced(&mut simulation));
            simulation.advance(1).unwrap();
            let (after, now) = (living(&mut simulation), balanced(&mut simulation));
            for (species, [net, burnt, born, ended]) in plain(&before, &after, &rules).into_iter().enumerate() {
                let change = |entry: Entry| (now.ledger[entry][species] - then.ledger[entry][species]) as i64;
                let found = [Entry::EnergyBurnt, Entry::EnergyBorn, Entry::EnergyEnded].map(change);
                assert_eq!(found, [burnt, born, ended], "{name}, step {step}");
                assert_eq!(change(Entry::EnergyEaten), net + burnt, "{name}, step {step}");
            }
            if rules.len() == 1 {
                let change = |entry| now.ledger.sum(entry) - then.ledger.sum(entry);
                assert_eq!(change(Entry::EnergyEaten), change(Entry::FoodGrazed), "all food becomes energy");
            }
        }
    }
}

/// A whole crowd starves in one step, because all individuals have one step left to perish. Their hungers are 0, the
/// maximum, and values between.
#[test]
fn all_may_starve_in_one_step() {
    let gpu = adapter::shared("a crowd that starves");
    let space = Space { extents: [40, 30, 1], edges: Edges::Torus };
    for rebirth in [NOBODY, STARVED, ALL] {
        let lives = LifeRules { rebirth, hungry: 40_000, ..LifeRules::still() };
        let species = [IndividualRules { lives: Some(lives), ..rules(RuleSet::Flock) }];
        let placed = individuals(&space, Start::Uniform, 3000, &mut Random::new(3));
        let mut crowd = Individuals::default();
        for index in 0..placed.len() {
            let hunger = [0, 65_535, (index * 21) as u16][index % 3];
            let life = Life { hunger, perishing: 1, ..Life::default() };
            crowd.push_living(placed.numbers[index], placed.position(index), placed.velocity(index), life.words());
        }
        let habitat = Habitat::new(space, Vec::new());
        let steps: Vec<_> = (0..3).map(|step| Surroundings { step, population: 3000, ..nothing_around() }).collect();
        let mut played = begin_all(&species, &habitat, &crowd, options(SearchKind::Grid, 3, None));
        let mut expected = Vec::new();
        for (step, around) in steps.iter().enumerate() {
            played.play(&[*around]);
            let (now, totals) = (played.individuals(), played.totals());
            assert_energy(&crowd, &now, &totals, step);
            let [ended, now, born] =
                [Entry::EnergyEnded, Entry::EnergyPresent, Entry::EnergyBorn].map(|entry| totals[entry][0]);
            assert_eq!(ended, crowd.stores()[0]);
            assert_eq!(now, if rebirth == NOBODY { 0 } else { born });
            expected.push(totals);
        }
        if let Some(gpu) = &gpu {
            let mut played = on_gpu_of(gpu, &species, &habitat, &crowd, SearchKind::Grid, 64);
            for (around, expected) in steps.iter().zip(&expected) {
                played.play(&[*around]);
                assert_eq!(played.totals(), *expected);
            }
        }
    }
}

fn place(text: &str) -> murmuration_core::world::Place {
    serde_json::from_str(text).unwrap()
}

#[test]
fn brushes_undo_checkpoints_and_replays_keep_the_account() {
    for (name, preset) in worlds().into_iter().skip(2) {
        let mut whole = begun(&preset, "agents-grid", cpu(1));
        whole.advance(20).unwrap();
        let before = balanced(&mut whole);
        whole.apply(Input::Stroke).unwrap();
        whole.apply(Input::Spawn { at: place("[20, 20]"), radius: 6, boids: 50 }).unwrap();
        let spawned = balanced(&mut whole);
        assert!(spawned.ledger.sum(Entry::EnergySpawned) > 0, "{name}");
        whole.apply(Input::Lift { at: place("[48, 32]"), radius: 24 }).unwrap();
        let lifted = balanced(&mut whole);
        let ended = |account: &Account| account.ledger.sum(Entry::EnergyEnded);
        assert!(ended(&lifted) > ended(&spawned), "{name}");
        whole.advance(9).unwrap();
        balanced(&mut whole);
        whole.apply(Input::Undo).unwrap();
        assert_eq!(balanced(&mut whole), before, "{name}");
        let saved = whole.read(CheckpointReading).unwrap().to_bytes();
        let read = Checkpoint::from_bytes(&saved).unwrap();
        let mut resumed = Simulation::resume(murmuration::host(), read, whole.choice()).unwrap();
        for _ in 0..9 {
            whole.advance(1).unwrap();
            resumed.advance(1).unwrap();
            assert_eq!(balanced(&mut whole), balanced(&mut resumed), "{name}");
        }
        let record = whole.read(ReplayReading).unwrap();
        let mut again = record.play(murmuration::host(), cpu(2)).unwrap();
        assert_eq!(balanced(&mut again), balanced(&mut whole), "{name}");
    }
}

#[test]
fn a_checkpoint_with_a_false_account_is_refused() {
    let mut whole = begun(&worlds()[2].1, "agents-grid", cpu(1));
    whole.advance(20).unwrap();
    let saved = whole.read(CheckpointReading).unwrap().to_bytes();
    let resume =
        |bytes: &[u8]| Simulation::resume(murmuration::host(), Checkpoint::from_bytes(bytes).unwrap(), whole.choice());
    let wrong = with_header(&saved, |header| header["ledger"]["EnergyBurnt"][0] = 1.into());
    let refused = resume(&wrong).map(drop).unwrap_err().to_string();
    assert!(refused.contains("its energy does not balance"), "{refused}");
    // The amounts in a file are counted again and not trusted: they hide no boid of the start.
    let hidden = with_header(&saved, |header| {
        let start = header["ledger"]["Start"][0].as_u64().unwrap();
        header["ledger"]["Start"][0] = (start + u64::from(BOID)).into();
        header["ledger"]["Present"] = [BOID].into();
    });
    let refused = resume(&hidden).map(drop).unwrap_err().to_string();
    assert!(refused.contains("its boids do not balance"), "{refused}");
}

/// An extinct swarm keeps its account.
#[test]
fn an_extinct_swarm_keeps_its_account_in_a_checkpoint() {
    let settings = ["lives.hungry=0", "lives.starvation=1000", "lives.perishing=3", "lives.rebirth=none"];
    let preset =
        preset("moods", Some((96, 64)), &[&["start.boids=240", "lives.dna.health=0.5"], &settings[..]].concat());
    let mut whole = begun(&preset, "agents-grid", cpu(1));
    whole.advance(9).unwrap();
    let account = balanced(&mut whole);
    assert!(account.quanta == 0 && account.ledger.sum(Entry::EnergyStart) > 0, "somebody is left");
    let read = Checkpoint::from_bytes(&whole.read(CheckpointReading).unwrap().to_bytes()).unwrap();
    let mut resumed = Simulation::resume(murmuration::host(), read, whole.choice()).unwrap();
    assert_eq!(balanced(&mut resumed), account);
    for simulation in [&mut whole, &mut resumed] {
        simulation.apply(Input::Spawn { at: place("[20, 20]"), radius: 6, boids: 50 }).unwrap();
        simulation.advance(2).unwrap();
    }
    assert_eq!(balanced(&mut resumed), balanced(&mut whole));
    assert_eq!(resumed.state_hash().unwrap(), whole.state_hash().unwrap());
}

#[test]
fn a_run_tells_the_energy_of_all_and_of_each_species() {
    let folder = Folder::new();
    let outputs = ["--metrics", "m.csv", "--every", "30", "--engine", "cpu", "--json"];
    let run = |preset: &str| {
        let small = ["--size", "96x64", "--set", "start.boids=300", "--steps", "60"];
        let run = folder.run(&[&["render", preset][..], &small, &outputs].concat());
        assert_eq!(run.status, Some(0), "{}", run.err);
        let object: serde_json::Value = serde_json::from_str(run.out.trim()).unwrap();
        (object, std::fs::read_to_string(folder.join("m.csv")).unwrap())
    };
    let sum = |own: &serde_json::Value| {
        let of = |key: &str| own[key].as_i64().unwrap_or_else(|| panic!("{key} in {own}"));
        let sum = of("start") + of("spawned") + of("eaten") + of("born") - of("burnt") - of("ended");
        assert_eq!((of("sum"), of("lost")), (sum, 0), "{own}");
        sum
    };
    let cell = |table: &str, column: &str| -> String {
        let mut rows = table.lines().map(|line| line.split(',').collect::<Vec<_>>());
        let index = rows.next().unwrap().iter().position(|name| *name == column).unwrap_or_else(|| panic!("{column}"));
        rows.next_back().unwrap()[index].to_string()
    };
    for name in ["feeding", "chase"] {
        let (object, table) = run(name);
        let all = sum(&object["energy"]);
        assert_eq!((cell(&table, "energy"), cell(&table, "energy_lost")), (all.to_string(), "0".into()), "{name}");
        assert_eq!(cell(&table, "energy_burnt"), object["energy"]["burnt"].to_string(), "{name}");
        let species = object["species"].as_array().cloned().unwrap_or_default();
        let of_species: i64 = species.iter().map(|own| sum(&own["energy"])).sum();
        assert!(species.is_empty() || of_species == all, "{name}");
        for own in &species {
            let column = format!("{}.energy", own["name"].as_str().unwrap());
            assert_eq!(cell(&table, &column), own["energy"]["sum"].to_string(), "{name}");
        }
    }
    let (object, table) = run("flock");
    assert!(object["energy"].is_null() && cell(&table, "energy").is_empty(), "nobody has a life");
}
