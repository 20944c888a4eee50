//! A replay reaches an equal state on every engine. A checkpoint continues as if the run had never stopped.

use crate::support::command::fixture;
use murmuration_core::chain::Chain;
use murmuration_core::engine::{Dispatch, cpu};
use murmuration_core::preset::{Overrides, Preset};
use murmuration_core::simulation::checkpoint::{Checkpoint, CheckpointReading};
use murmuration_core::simulation::replay::{Playback, Replay, ReplayReading};
use murmuration_core::simulation::{EngineChoice, Input, Pointer, Simulation};
use murmuration_core::state::Entry;
use murmuration_core::ticket::Patience;
use murmuration_core::world::Mood;
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64;
use std::process::{Command, Stdio};
use std::time::Instant;

fn simulation(name: &str, choice: EngineChoice) -> Simulation {
    let overrides = Overrides { size: Some((97, 61)), ..Overrides::default() };
    Simulation::new(
        Preset::load(murmuration::host(), name, &overrides).unwrap(),
        &Chain::load(murmuration::host().as_ref(), "cell").unwrap(),
        choice,
    )
    .unwrap()
}

fn quick() -> EngineChoice {
    EngineChoice::Cpu(cpu::Options::default())
}

/// Every engine, and a CPU with one thread.
fn engines() -> Vec<EngineChoice> {
    let mut engines = vec![quick(), EngineChoice::Cpu(cpu::Options { threads: Some(1), instruction_set: None })];
    if crate::support::adapter::shared("replays on the GPU").is_some() {
        engines.push(EngineChoice::Gpu(Dispatch::Compute { workgroup: [64, 1] }));
        engines.push(EngineChoice::Gpu(Dispatch::Fragment));
    }
    engines
}

/// A hunt with every kind of input.
fn hunt(simulation: &mut Simulation) {
    let pointer = |x, y, mood, weight| Some(Pointer { place: [x, y].into(), reach: 20, mood, weight });
    let inputs = [
        Input::Hunter(pointer(500, 300, Mood::Flee, 2048)),
        Input::Jaws(4),
        Input::Stroke,
        Input::Spawn { at: [20, 20].into(), radius: 3, boids: 137 },
        Input::Set { key: "weights.cohesion".into(), value: "0.9".into() },
        Input::Hunter(pointer(-40, 900, Mood::Follow, 6000)),
        Input::Stroke,
        Input::Solid { at: [50, 30].into(), radius: 5, solid: true },
        Input::Lift { at: [0, 0].into(), radius: 4 },
        Input::Undo,
        Input::Set { key: "movement.distribution".into(), value: "split".into() },
        Input::Solid { at: [70, 30].into(), radius: 6, solid: true },
        Input::Solid { at: [70, 30].into(), radius: 2, solid: false },
        Input::Set { key: "noise.angle".into(), value: "0.8".into() },
        Input::Set { key: "noise.time".into(), value: "5".into() },
        Input::Hunter(None),
        Input::Jaws(0),
    ];
    for input in inputs {
        simulation.advance(7).unwrap();
        simulation.apply(input).unwrap();
        assert_eq!(simulation.account().unwrap().lost, 0);
    }
    simulation.advance(11).unwrap();
}

#[test]
fn a_hunt_is_replayed_to_the_same_bits_on_every_engine() {
    let folder = tempfile::tempdir().unwrap();
    for name in ["droplets", "lagoon", "simmer"] {
        let mut played = simulation(name, quick());
        hunt(&mut played);
        let path = folder.path().join(format!("{name}.json"));
        murmuration::files::write_replay(&played.read(ReplayReading).unwrap(), &path).unwrap();
        let replay = murmuration::files::read_replay(&path).unwrap();
        assert_eq!(replay.state_hash, played.state().unwrap().hash());
        let account = played.account().unwrap();
        assert!(
            account.ledger.sum(Entry::Spawned) > 0 && account.ledger.sum(Entry::Caught) > 0,
            "{name}: the hunt did nothing"
        );
        for choice in engines() {
            let mut again = replay.play(murmuration::host(), choice).unwrap();
            assert_eq!(again.state().unwrap().hash(), replay.state_hash, "{name} on {choice:?}");
            assert_eq!(again.account().unwrap(), account, "{name} on {choice:?}");
            assert_eq!(again.step(), played.step());
        }
    }
}

#[test]
fn a_resumed_run_goes_on_as_if_it_had_never_stopped() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("swarm.checkpoint");
    for name in ["droplets", "lagoon", "simmer"] {
        let mut whole = simulation(name, quick());
        hunt(&mut whole);
        whole
            .apply(Input::Hunter(Some(Pointer { place: [99, 99].into(), reach: 9, mood: Mood::Flee, weight: 900 })))
            .unwrap();
        whole.apply(Input::Jaws(3)).unwrap();
        murmuration::files::save_checkpoint(&mut whole, &path).unwrap();
        whole.advance(33).unwrap();
        for choice in engines() {
            let mut resumed =
                Simulation::resume(murmuration::host(), murmuration::files::read_checkpoint(&path).unwrap(), choice)
                    .unwrap();
            resumed.advance(33).unwrap();
            assert_eq!(resumed.state().unwrap(), whole.state().unwrap(), "{name} on {choice:?}");
            assert_eq!(resumed.account().unwrap(), whole.account().unwrap(), "{name} on {choice:?}");
            assert_eq!(resumed.step(), whole.step());
            assert!(resumed.read(ReplayReading).is_err(), "a resumed run has no beginning");
        }
    }
}

/// After a player has hunted, the plan has passes for the player's hunter. After the player has left, only the preset's
/// own hunter acts, with the preset's weight.
#[test]
fn a_player_that_has_left_leaves_nothing_behind() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("swarm.checkpoint");
    for name in ["droplets", "simmer"] {
        for weight in ["0.0", "1.7"] {
            let mut alone = simulation(name, quick());
            alone.apply(Input::Set { key: "weights.hunter".into(), value: weight.into() }).unwrap();
            let mut visited = simulation(name, quick());
            visited.apply(Input::Set { key: "weights.hunter".into(), value: weight.into() }).unwrap();
            let pointer = Pointer { place: [99, 99].into(), reach: 9, mood: Mood::Flee, weight: 900 };
            visited.apply(Input::Hunter(Some(pointer))).unwrap();
            visited.apply(Input::Jaws(5)).unwrap();
            visited.apply(Input::Hunter(None)).unwrap();
            murmuration::files::save_checkpoint(&mut visited, &path).unwrap();
            let mut resumed =
                Simulation::resume(murmuration::host(), murmuration::files::read_checkpoint(&path).unwrap(), quick())
                    .unwrap();
            for simulation in [&mut alone, &mut visited, &mut resumed] {
                simulation.advance(30).unwrap();
            }
            assert_eq!(visited.state().unwrap(), alone.state().unwrap(), "{name}, weight {weight}");
            assert_eq!(resumed.state().unwrap(), alone.state().unwrap(), "{name}, weight {weight}");
        }
    }
}

#[test]
fn undo_brings_back_swarm_ledger_and_solids() {
    let mut simulation = simulation("droplets", quick());
    simulation.advance(20).unwrap();
    let before = (simulation.state().unwrap(), simulation.account().unwrap(), simulation.step());
    simulation.apply(Input::Stroke).unwrap();
    simulation.apply(Input::Solid { at: [10, 10].into(), radius: 9, solid: true }).unwrap();
    simulation.apply(Input::Spawn { at: [40, 30].into(), radius: 5, boids: 1000 }).unwrap();
    simulation
        .apply(Input::Hunter(Some(Pointer { place: [640, 480].into(), reach: 30, mood: Mood::Flee, weight: 1024 })))
        .unwrap();
    simulation.apply(Input::Jaws(8)).unwrap();
    simulation.advance(20).unwrap();
    let account = simulation.account().unwrap();
    assert_eq!((account.lost, account.ledger.sum(Entry::Spawned)), (0, 1000 << 16));
    assert!(account.ledger.sum(Entry::Caught) > 0);
    simulation.apply(Input::Undo).unwrap();
    assert_eq!((simulation.state().unwrap(), simulation.account().unwrap(), simulation.step()), before);
    assert!(simulation.preset().world.solids.iter().all(|solid| !solid));
    assert!(simulation.apply(Input::Undo).is_err(), "nothing is left to undo");
}

#[test]
fn a_spawn_into_a_full_cell_adds_only_what_has_room() {
    let mut simulation = simulation("droplets", quick());
    simulation.apply(Input::Spawn { at: [5, 5].into(), radius: 0, boids: 100_000 }).unwrap();
    let account = simulation.account().unwrap();
    let capacity = u64::from(simulation.preset().world.capacity);
    assert_eq!(u64::from(simulation.state().unwrap().layers[0].density[5 * 97 + 5]), capacity);
    assert_eq!(account.lost, 0);
    assert!(account.ledger.sum(Entry::Spawned) < 100_000 << 16);
}

#[test]
fn a_checkpoint_that_is_cut_or_changed_anywhere_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("swarm.checkpoint");
    murmuration::files::save_checkpoint(&mut simulation("paper", quick()), &path).unwrap();
    let bytes = std::fs::read(&path).unwrap();
    assert!(Checkpoint::from_bytes(&bytes).is_ok());
    let mut random = Pcg64::seed_from_u64(1);
    for case in 0..10_000 {
        let mut damaged = bytes.clone();
        if case % 2 == 0 {
            damaged.truncate(random.random_range(0..bytes.len()));
        } else {
            let at = random.random_range(0..bytes.len());
            damaged[at] ^= random.random_range(1..=255u8);
        }
        assert!(Checkpoint::from_bytes(&damaged).is_err(), "case {case} was taken");
    }
}

/// A process that is killed at any moment of a save leaves the complete old checkpoint or the complete new one.
#[test]
fn a_save_that_is_killed_leaves_a_whole_checkpoint() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("swarm.checkpoint");
    let save = || {
        let mut command = Command::new(env!("CARGO_BIN_EXE_murmuration"));
        command.args(["render", "droplets", "--size", "256x256", "--steps", "1", "--threads", "1", "--checkpoint"]);
        command.arg(&path).stdout(Stdio::null()).spawn().unwrap()
    };
    let begun = Instant::now();
    assert!(save().wait().unwrap().success());
    let mut whole = begun.elapsed();
    let mut random = Pcg64::seed_from_u64(2);
    let mut killed = 0;
    for moment in 0..100 {
        let mut saving = save();
        // At any time of the run, but mostly near its end, where it saves.
        let part = f64::from(random.random_range(0..1000u32)) / 1000.0;
        let moment_of_death = whole.mul_f64(part.sqrt());
        std::thread::sleep(moment_of_death);
        saving.kill().unwrap();
        if saving.wait().unwrap().success() {
            // The machine has become faster.
            whole = whole.min(moment_of_death);
        } else {
            killed += 1;
        }
        assert!(murmuration::files::read_checkpoint(&path).is_ok(), "killed at moment {moment}");
    }
    assert!(killed > 20, "only {killed} were killed before their end");
}

#[test]
fn inputs_out_of_bounds_are_refused_and_change_nothing() {
    let mut simulation = simulation("droplets", quick());
    let before = simulation.state().unwrap();
    for input in [
        Input::Jaws(65),
        Input::Hunter(Some(Pointer { place: [0, 0].into(), reach: 256, mood: Mood::Flee, weight: 0 })),
        Input::Hunter(Some(Pointer { place: [0, 0].into(), reach: 1, mood: Mood::Flee, weight: i32::MIN })),
        Input::Spawn { at: [0, 0].into(), radius: 1, boids: u32::MAX },
        Input::Lift { at: [0, 0].into(), radius: u32::MAX },
        Input::Set { key: "movement.keep".into(), value: "2".into() },
        Input::Set { key: "world.size".into(), value: "[8, 8]".into() },
        Input::Set { key: "nothing".into(), value: "2".into() },
        Input::Set { key: "world".into(), value: "{ size = [32, 32] }".into() },
        Input::Set { key: "world . size".into(), value: "[32, 32]".into() },
        Input::Set { key: "world.solid".into(), value: "[]".into() },
        Input::Set { key: "start.boids".into(), value: "7".into() },
        Input::Undo,
    ] {
        assert!(simulation.apply(input.clone()).is_err(), "{input:?} was taken");
    }
    assert_eq!(simulation.state().unwrap(), before);
    assert!(simulation.read(ReplayReading).unwrap().events.is_empty(), "what was refused is not replayed");
    assert!(simulation.advance(3).is_ok() && simulation.advance(u64::MAX - 2).is_err(), "steps beyond counting");
    for at in [[i32::MIN, i32::MAX], [-5, 400]] {
        simulation.apply(Input::Lift { at: at.into(), radius: 2 }).unwrap();
    }
    assert_eq!(simulation.account().unwrap().lost, 0);
}

#[test]
fn a_replay_played_bit_by_bit_is_the_replay() {
    let mut hunted = simulation("ribbons", quick());
    hunt(&mut hunted);
    // Inputs before the first step and after the last step count too.
    hunted.apply(Input::Lift { at: [10, 10].into(), radius: 6 }).unwrap();
    let replay = hunted.read(ReplayReading).unwrap();
    for bits in [1, 4, 7, 1000] {
        let (mut played, mut playback) = (replay.begin(murmuration::host(), quick()).unwrap(), Playback::default());
        let mut shown = 0;
        while !playback.is_over(&replay) {
            playback.advance(&replay, &mut played, bits, Patience::Wait).unwrap();
            assert!(playback.steps() - shown <= bits);
            shown = playback.steps();
        }
        assert_eq!((shown, played.state().unwrap().hash()), (replay.total_steps(), replay.state_hash.clone()));
        assert_eq!(played.account().unwrap(), hunted.account().unwrap());
    }
}

/// Files of other versions are refused.
#[test]
fn other_versions_are_refused() {
    let mut swarm = murmuration::open("droplets").size(32, 32).engine(quick()).start().unwrap();
    let mut bytes = swarm.read(CheckpointReading).unwrap().to_bytes();
    for version in [0_u32, 7, 9, u32::MAX] {
        bytes[8..12].copy_from_slice(&version.to_le_bytes());
        let wrong =
            Checkpoint::from_bytes(&crate::support::corrupt_files::mended_checkpoint(bytes.clone())).unwrap_err();
        assert_eq!(wrong, format!("is of version {version}; this program reads version 8"));
    }
    let text = serde_json::to_string(&swarm.read(ReplayReading).unwrap()).unwrap();
    let old = text.replacen("\"version\":2", "\"version\":1", 1);
    let wrong = Replay::from_json("old.json", &old).unwrap_err().to_string();
    assert_eq!(wrong, "old.json: a replay of version 1; this program plays version 2");
}

/// Step 0 is the state after the run-in. Later steps, a replay, a checkpoint and an engine count from there.
#[test]
fn a_run_in_is_played_before_step_0() {
    let folder = tempfile::tempdir().unwrap();
    for name in [fixture("simmer").as_str(), "school"] {
        let load = |run_in: u64| {
            let set = vec![format!("start.run_in={run_in}"), "hunter.jaws=3".into(), "weights.hunter=1.0".into()];
            let overrides = Overrides { size: Some((97, 61)), set, ..Overrides::default() };
            let preset = Preset::load(murmuration::host(), name, &overrides).unwrap();
            let chain = preset.load_chain(None).unwrap();
            (preset, chain)
        };
        let begin = |run_in, choice| {
            let (preset, chain) = load(run_in);
            Simulation::new(preset, &chain, choice).unwrap()
        };
        let mut played = begin(0, quick());
        played.advance(70).unwrap();
        // Individuals use only compute dispatches.
        let is_possible = |choice: &EngineChoice| name == "simmer" || *choice != EngineChoice::Gpu(Dispatch::Fragment);
        for choice in engines().into_iter().filter(is_possible) {
            let mut told = Vec::new();
            let (preset, chain) = load(70);
            let mut run = Simulation::new_with(preset, &chain, choice, &mut |played| told.push(played)).unwrap();
            assert_eq!(
                (run.step(), told.last(), run.swarm().unwrap().hash()),
                (0, Some(&70), played.swarm().unwrap().hash())
            );
            let account = run.account().unwrap();
            assert_eq!(
                (account.lost, account.ledger.sum(Entry::Caught), account.ledger.sum(Entry::Start)),
                (0, 0, account.quanta),
                "{name}"
            );
            run.advance(9).unwrap();
            assert_eq!((run.step(), run.account().unwrap().lost), (9, 0));
            let replay = run.read(ReplayReading).unwrap();
            assert_eq!(replay.total_steps(), 9);
            assert_eq!(replay.play(murmuration::host(), quick()).unwrap().state_hash().unwrap(), replay.state_hash);
            let path = folder.path().join("swarm.checkpoint");
            murmuration::files::save_checkpoint(&mut run, &path).unwrap();
            let checkpoint = murmuration::files::read_checkpoint(&path).unwrap();
            let mut resumed = Simulation::resume(murmuration::host(), checkpoint, quick()).unwrap();
            assert_eq!((resumed.step(), resumed.account().unwrap()), (9, run.account().unwrap()));
            run.advance(20).unwrap();
            resumed.advance(20).unwrap();
            assert_eq!(resumed.swarm().unwrap().hash(), run.swarm().unwrap().hash(), "{name} on {choice:?}");
        }
    }
}
