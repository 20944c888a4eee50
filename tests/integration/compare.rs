//! The two models side by side: one scene, one hunter, one clock; what is measured of both; and the report.

use murmuration::compare::Pair;
use murmuration::compare::pair::Both;
use murmuration::engine::cpu;
use murmuration::numbers::BOID;
use murmuration::preset::{Overrides, Preset};
use murmuration::simulation::replay::Replay;
use murmuration::simulation::{EngineChoice, Input, Pointer, Simulation};
use murmuration::world::Mood;

const CPU: EngineChoice = EngineChoice::Cpu(cpu::Options { threads: Some(2), instruction_set: None });

fn load(name: &str, set: &[&str]) -> Preset {
    let set = set.iter().map(|setting| (*setting).to_owned()).collect();
    Preset::load(name, &Overrides { size: Some((97, 61)), set, ..Overrides::default() }).unwrap()
}

fn pair(preset: Preset) -> Pair {
    let chain = preset.load_chain(None).unwrap();
    Pair::new(preset, &chain, Both { cells: CPU, individuals: CPU }).unwrap()
}

fn alone(preset: Preset) -> Simulation {
    let chain = preset.load_chain(None).unwrap();
    Simulation::new(preset, &chain, CPU).unwrap()
}

fn hunter(place: [i32; 2]) -> Input {
    Input::Hunter(Some(Pointer { place, reach: 20, mood: Mood::Follow, weight: 2048 }))
}

fn set(key: &str, value: &str) -> Input {
    Input::Set { key: key.into(), value: value.into() }
}

fn hashes(pair: &mut Pair) -> [String; 2] {
    [pair.cells.state_hash().unwrap(), pair.individuals.state_hash().unwrap()]
}

#[test]
fn each_half_of_a_pair_is_the_swarm_that_is_played_alone() {
    for name in ["droplets", "ribbons", "lagoon"] {
        let mut pair = pair(load(name, &[]));
        let mut both = [alone(load(name, &[])), alone(load(name, &[]).as_individuals().unwrap())];
        for steps in [13, 1, 60] {
            pair.advance(steps).unwrap();
            both.iter_mut().for_each(|simulation| simulation.advance(steps).unwrap());
            assert_eq!(hashes(&mut pair), both.each_mut().map(|alone| alone.state_hash().unwrap()), "{name}");
        }
        assert_eq!((pair.cells.step(), pair.individuals.step(), pair.step()), (74, 74, 74));
        assert_eq!(pair.individuals.chain().name, "agents-grid");
    }
}

#[test]
fn one_hunt_of_both_is_counted_exactly_undone_and_replayed() {
    let folder = tempfile::tempdir().unwrap();
    let mut pair = pair(load("droplets", &[]));
    let inputs = [
        hunter([500, 300]),
        Input::Jaws(9),
        Input::Stroke,
        Input::Spawn { at: [20, 20], radius: 5, boids: 1370 },
        set("weights.cohesion", "0.9"),
        Input::Solid { at: [50, 30], radius: 5, solid: true },
        Input::Lift { at: [0, 0], radius: 9 },
        Input::Undo,
        set("movement.wander", "0.1"),
        Input::Hunter(None),
    ];
    for input in &inputs {
        pair.advance(9).unwrap();
        pair.apply(input).unwrap();
        let accounts = pair.accounts().unwrap();
        assert_eq!((accounts.cells.lost, accounts.individuals.lost), (0, 0), "{input:?}");
        assert_eq!(pair.cells.step(), pair.individuals.step());
        assert_eq!(pair.cells.pointer(), pair.individuals.pointer());
    }
    let Both { cells, individuals } = pair.accounts().unwrap();
    assert_eq!(cells.ledger.start, individuals.ledger.start);
    assert!(cells.ledger.caught > 0 && individuals.ledger.caught > 0);
    assert_eq!(individuals.ledger.caught % u64::from(BOID), 0);
    let expected = hashes(&mut pair);
    for (simulation, hash) in [&mut pair.cells, &mut pair.individuals].into_iter().zip(expected) {
        let path = folder.path().join("replay.json");
        simulation.replay().unwrap().write(&path).unwrap();
        assert_eq!(Replay::read(&path).unwrap().play(CPU).unwrap().state_hash().unwrap(), hash);
    }
}

#[test]
fn what_one_model_refuses_neither_takes() {
    let mut pair = pair(load("droplets", &[]));
    pair.advance(5).unwrap();
    let before = hashes(&mut pair);
    let wrong = [
        // Individuals weigh with 8 at most, cells with 32.
        (set("weights.alignment", "9"), "individuals weigh a rule with 8 at most"),
        (set("weights.cohesion", "33"), "out of bounds"),
        (set("start.boids", "7"), "only at the start"),
        (set("movement.spin", "7"), "unknown key"),
        (Input::Undo, "nothing to undo"),
        (Input::Jaws(65), "out of bounds"),
        (Input::Lift { at: [0, 0], radius: 5000 }, "out of bounds"),
    ];
    for (input, problem) in wrong {
        let failure = pair.apply(&input).unwrap_err().to_string();
        assert!(failure.contains(problem), "{failure}");
        for simulation in [&mut pair.cells, &mut pair.individuals] {
            assert_eq!(simulation.preset().written().overrides.set, Vec::<String>::new(), "{input:?}");
            assert!(simulation.replay().unwrap().events.is_empty(), "{input:?}");
        }
    }
    assert_eq!(hashes(&mut pair), before);
}

#[test]
fn a_preset_that_is_read_anew_is_read_for_both() {
    let mut pair = pair(load("droplets", &[]));
    pair.advance(5).unwrap();
    let preset = load("droplets", &["weights.alignment=0.25"]).written().clone();
    let reload = |chain: &str| Input::Reload { preset: preset.clone(), chain: chain.into(), files: Default::default() };
    assert!(pair.apply(&reload("agents-grid")).is_err());
    pair.apply(&reload("cell")).unwrap();
    assert_eq!(pair.cells.preset().rules.weights["alignment"], 256);
    assert_eq!(pair.individuals.preset().agents.as_ref().unwrap().weights["alignment"], 0.25);
    pair.advance(5).unwrap();
    assert_eq!(pair.accounts().unwrap().map(|account| account.lost), Both { cells: 0, individuals: 0 });
}

#[test]
fn a_preset_of_individuals_has_no_pair_and_no_file_of_its_own() {
    let preset = Preset::load("flock", &Overrides { size: Some((64, 48)), ..Overrides::default() }).unwrap();
    let chain = preset.load_chain(None).unwrap();
    let failure = Pair::new(preset, &chain, Both { cells: CPU, individuals: CPU }).err().unwrap();
    assert!(failure.to_string().contains("played by individuals already"), "{failure}");
    let folder = tempfile::tempdir().unwrap();
    let theirs = load("droplets", &[]).as_individuals().unwrap();
    assert!(theirs.save("agents-grid", folder.path()).unwrap_err().to_string().contains("save that of the cells"));
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0);
}
