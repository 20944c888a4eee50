//! Changes during a run: another engine, reloaded files, and a saved preset with all changes.

use crate::support::adapter;
use crate::support::command::fixture;
use murmuration_core::chain::Chain;
use murmuration_core::engine::{Dispatch, cpu};
use murmuration_core::preset::{Overrides, Preset};
use murmuration_core::simulation::checkpoint::{Checkpoint, CheckpointReading};
use murmuration_core::simulation::replay::ReplayReading;
use murmuration_core::simulation::{EngineChoice, Input, Pointer, Simulation};
use murmuration_core::state::Entry;
use murmuration_core::world::Mood;
use std::path::Path;

const COMPUTE: EngineChoice = EngineChoice::Gpu(Dispatch::Compute { workgroup: [64, 1] });
const FRAGMENT: EngineChoice = EngineChoice::Gpu(Dispatch::Fragment);

fn threads(threads: usize) -> EngineChoice {
    EngineChoice::Cpu(cpu::Options { threads: Some(threads), instruction_set: None })
}

fn overrides(set: &[&str]) -> Overrides {
    let set = set.iter().map(|set| (*set).to_owned()).collect();
    Overrides { size: Some((97, 61)), set, ..Overrides::default() }
}

fn simulation(name: &str, set: &[&str]) -> Simulation {
    let preset = Preset::load(murmuration::host(), name, &overrides(set)).unwrap();
    Simulation::new(preset, &Chain::load(murmuration::host().as_ref(), "cell").unwrap(), threads(2)).unwrap()
}

fn catching(place: [i32; 2]) -> [Input; 2] {
    let pointer = Pointer { place: place.into(), reach: 20, mood: Mood::Follow, weight: 2048 };
    [Input::Hunter(Some(pointer)), Input::Jaws(6)]
}

#[test]
fn a_swarm_that_changes_its_engine_is_the_swarm_that_never_did() {
    let mut choices = vec![threads(1), threads(3)];
    if adapter::shared("switching to the GPU").is_some() {
        choices.extend([COMPUTE, FRAGMENT, threads(2)]);
    }
    for name in ["droplets", "lagoon", "simmer"] {
        let (mut steady, mut switched) = (simulation(name, &[]), simulation(name, &[]));
        for (round, choice) in choices.iter().enumerate() {
            for simulation in [&mut steady, &mut switched] {
                for input in catching([160 + 40 * round as i32, 300]) {
                    simulation.apply(input).unwrap();
                }
                simulation.advance(9).unwrap();
            }
            switched.switch(*choice).unwrap();
            assert_eq!(switched.choice(), *choice);
        }
        for simulation in [&mut steady, &mut switched] {
            simulation.apply(Input::Stroke).unwrap();
            simulation.apply(Input::Spawn { at: [20, 20].into(), radius: 4, boids: 99 }).unwrap();
            simulation.advance(9).unwrap();
        }
        let account = switched.account().unwrap();
        assert_eq!(account, steady.account().unwrap(), "{name}");
        assert!(account.lost == 0 && account.ledger.sum(Entry::Caught) > 0, "{name}: {account:?}");
        assert_eq!(switched.state().unwrap().hash(), steady.state().unwrap().hash(), "{name}");
        let replay = switched.read(ReplayReading).unwrap();
        assert_eq!(replay, steady.read(ReplayReading).unwrap(), "{name}: the engine stands in the replay");
        assert_eq!(
            replay.play(murmuration::host(), threads(1)).unwrap().state().unwrap().hash(),
            replay.state_hash,
            "{name}"
        );
    }
}

/// An undo restores individuals at speeds within the present rules. Without a change of the rules they are restored
/// exactly.
#[test]
fn an_undo_under_a_lower_greatest_speed_slows_individuals_down() {
    let has_gpu = adapter::shared("an undo of individuals on the GPU").is_some();
    for (name, size, slower) in [
        ("school", (97, 61), &["movement.max=0.04"][..]),
        ("reef", (64, 64), &["movement.min=0.02", "movement.max=0.04"]),
    ] {
        let overrides = Overrides { size: Some(size), ..Overrides::default() };
        let preset = Preset::load(murmuration::host(), name, &overrides).unwrap_or_else(|wrong| panic!("{wrong}"));
        let chain = Chain::load(murmuration::host().as_ref(), "agents-grid").unwrap();
        let mut hashes = Vec::new();
        for choice in [threads(2)].into_iter().chain(has_gpu.then_some(COMPUTE)) {
            let mut simulation = Simulation::new(preset.clone(), &chain, choice).unwrap();
            simulation.advance(20).unwrap();
            let before = simulation.state_hash().unwrap();
            simulation.apply(Input::Stroke).unwrap();
            simulation.apply(Input::Undo).unwrap();
            assert_eq!(simulation.state_hash().unwrap(), before, "{name}: nothing has changed");
            simulation.apply(Input::Stroke).unwrap();
            for (key, value) in slower.iter().filter_map(|set| set.split_once('=')) {
                simulation.apply(Input::Set { key: key.into(), value: value.into() }).unwrap();
            }
            simulation.advance(9).unwrap();
            simulation.apply(Input::Undo).unwrap();
            assert_eq!(simulation.step(), 20, "{name}");
            let read = Checkpoint::from_bytes(&simulation.read(CheckpointReading).unwrap().to_bytes()).unwrap();
            Simulation::resume(murmuration::host(), read, choice).unwrap();
            simulation.advance(9).unwrap();
            assert_eq!(simulation.account().unwrap().lost, 0);
            hashes.push(simulation.state_hash().unwrap());
            let replay = simulation.read(ReplayReading).unwrap();
            let mut again = replay.play(murmuration::host(), threads(1)).unwrap();
            assert_eq!(again.state_hash().unwrap(), replay.state_hash, "{name}");
        }
        assert!(hashes.windows(2).all(|pair| pair[0] == pair[1]), "{name}");
    }
}

/// A rule in WGSL has no CPU version: the CPU refuses it, and the GPU continues.
#[test]
fn an_engine_that_cannot_play_the_chain_changes_nothing() {
    if adapter::shared("a rule that only the GPU plays").is_none() {
        return;
    }
    let preset = Preset::load(murmuration::host(), "droplets", &overrides(&["weights.wind=0.3"])).unwrap();
    let chain =
        Chain::load(murmuration::host().as_ref(), concat!(env!("CARGO_MANIFEST_DIR"), "/examples/wind/wind.toml"))
            .unwrap();
    let begin = || Simulation::new(preset.clone(), &chain, COMPUTE).unwrap();
    let (mut steady, mut refused) = (begin(), begin());
    refused.advance(5).unwrap();
    let message = refused.switch(threads(1)).unwrap_err().to_string();
    assert!(message.contains("wind"), "{message}");
    assert_eq!((refused.choice(), refused.engine_name()), (COMPUTE, "gpu"));
    refused.advance(5).unwrap();
    steady.advance(10).unwrap();
    assert_eq!(refused.state().unwrap(), steady.state().unwrap());
}

const PRESET: &str = "description = \"a scene on disk\"\nchain = \"chain.toml\"\n[world]\nsize = [64, 48]\n[start]\n\
                      boids = 900\nheadings = \"random\"\n[sight.cohesion]\ndisc = 4\n[sight.separation]\ndisc = 2\n\
                      [sight.alignment]\ndisc = 3\n[weights]\ncohesion = 0.5\nseparation = 0.2\nalignment = 0.4\n";
const CHAIN: &str =
    "description = \"a chain on disk\"\nextends = \"cell\"\n[[rule]]\nkernel = \"wind.wgsl\"\nweight = 0.3\n";
const WIND: &str = "fn wind(cell: Cell) -> Vector {\n    return Vector(300, 0);\n}\n";

/// Writes a preset with its own chain and kernel.
fn write_scene(folder: &Path, preset: &str, wind: &str) -> String {
    for (name, text) in [("scene.toml", preset), ("chain.toml", CHAIN), ("wind.wgsl", wind)] {
        std::fs::write(folder.join(name), text).unwrap();
    }
    folder.join("scene.toml").display().to_string()
}

fn load(path: &str, overrides: &Overrides) -> (Preset, Chain) {
    let preset = Preset::load(murmuration::host(), path, overrides).unwrap();
    let chain = preset.load_chain(None).unwrap();
    (preset, chain)
}

#[test]
fn a_replay_and_a_checkpoint_hold_the_texts_that_were_played() {
    if adapter::shared("a replay with kernels of its own").is_none() {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let path = write_scene(folder.path(), PRESET, WIND);
    let (preset, chain) = load(&path, &Overrides::default());
    assert_eq!(chain.files.paths().count(), 2);
    let mut played = Simulation::new(preset, &chain, COMPUTE).unwrap();
    played.advance(8).unwrap();
    played.apply(Input::Set { key: "weights.cohesion".into(), value: "0.7".into() }).unwrap();
    // The kernel and the preset change on disk and are reloaded. Settings stay.
    let before = played.account().unwrap();
    write_scene(
        folder.path(),
        &PRESET.replace("alignment = 0.4", "alignment = 0.9"),
        &WIND.replace("300, 0", "0, 900"),
    );
    let (preset, chain) = load(&path, &played.preset().source().overrides);
    assert!(played.preset().begins_like(&preset));
    let mut unchanged = Simulation::new(load(&path, &Overrides::default()).0, &chain, COMPUTE).unwrap();
    played.reload(preset, chain).unwrap();
    assert_eq!(played.account().unwrap(), before, "the same swarm goes on");
    assert_eq!((played.preset().rules.weights["cohesion"], played.preset().rules.weights["alignment"]), (717, 922));
    played.advance(8).unwrap();
    unchanged.advance(16).unwrap();
    assert_ne!(played.state().unwrap(), unchanged.state().unwrap(), "both kernels act alike");
    murmuration::files::save_checkpoint(&mut played, &folder.path().join("swarm.checkpoint")).unwrap();
    murmuration::files::write_replay(&played.read(ReplayReading).unwrap(), &folder.path().join("hunt.replay.json"))
        .unwrap();
    let hash = played.state().unwrap().hash();
    played.advance(5).unwrap();

    // After any change of the files, the replay and the checkpoint reach the former results.
    for name in ["scene.toml", "chain.toml", "wind.wgsl"] {
        std::fs::write(folder.path().join(name), "nonsense").unwrap();
    }
    let replay = murmuration::files::read_replay(&folder.path().join("hunt.replay.json")).unwrap();
    assert_eq!(replay.state_hash, hash);
    for choice in [COMPUTE, FRAGMENT] {
        assert_eq!(replay.play(murmuration::host(), choice).unwrap().state().unwrap().hash(), hash, "{choice:?}");
        let checkpoint = murmuration::files::read_checkpoint(&folder.path().join("swarm.checkpoint")).unwrap();
        let mut resumed = Simulation::resume(murmuration::host(), checkpoint, choice).unwrap();
        resumed.advance(5).unwrap();
        assert_eq!(resumed.state().unwrap(), played.state().unwrap(), "{choice:?}");
    }
}

#[test]
fn what_cannot_be_taken_over_changes_nothing() {
    let (mut steady, mut tried) = (simulation("droplets", &[]), simulation("droplets", &[]));
    tried.apply(Input::Solid { at: [30, 30].into(), radius: 4, solid: true }).unwrap();
    steady.apply(Input::Solid { at: [30, 30].into(), radius: 4, solid: true }).unwrap();
    let chain = Chain::load(murmuration::host().as_ref(), "cell").unwrap();
    for set in
        ["seed=9", "start.boids=20000", "start.speed=0.1", "world.solid=[{ circle = { at = [0, 0], radius = 0.2 } }]"]
    {
        let other = Preset::load(murmuration::host(), "droplets", &overrides(&[set])).unwrap();
        assert!(!tried.preset().begins_like(&other), "{set}");
        assert!(tried.reload(other, chain.clone()).is_err(), "{set}");
    }
    let strange = Preset::load(murmuration::host(), "droplets", &overrides(&["weights.nothing=1"])).unwrap();
    assert!(tried.preset().begins_like(&strange));
    assert!(tried.reload(strange, chain.clone()).unwrap_err().to_string().contains("nothing"));
    let smaller =
        Preset::load(murmuration::host(), "droplets", &Overrides { size: Some((50, 50)), ..Overrides::default() })
            .unwrap();
    assert!(!tried.preset().begins_like(&smaller) && tried.reload(smaller, chain).is_err());
    for simulation in [&mut steady, &mut tried] {
        simulation.advance(12).unwrap();
    }
    assert_eq!(tried.state().unwrap(), steady.state().unwrap());
    assert_eq!(
        tried.read(ReplayReading).unwrap(),
        steady.read(ReplayReading).unwrap(),
        "what was refused is not replayed"
    );
}

/// Settings that make keys of the preset obsolete, change the size, and come from a file.
#[test]
fn a_saved_preset_is_the_preset_with_all_that_was_laid_over_it() {
    let folder = tempfile::tempdir().unwrap();
    for (name, set) in [
        ("droplets", &["weights.cohesion=0.71", "movement.wander=0.05", "look.bloom=0.2"][..]),
        ("lagoon", &["world.edges=torus", "start.shape=blobs", "start.count=7", "sight.cohesion.box=3"]),
        (&fixture("simmer"), &["hunter.at=[0.2, 0.3]", "start.headings=swirl", "hunter.jaws=3"]),
        (&fixture("fog"), &["hunter={ reach = 9 }", "weights.hunter=1.5", "separation.crowd=2.5"]),
        ("reference", &["start.headings=none", "sight.alignment.list=[[1, 0], [-1, 0]]"]),
    ] {
        for size in [None, Some((97, 61))] {
            let laid = Overrides { size, seed: Some(77), ..overrides(set) };
            let preset =
                Preset::load(murmuration::host(), name, &laid).unwrap_or_else(|failure| panic!("{name}: {failure}"));
            let saved = murmuration::files::save_preset(&preset, "cell", folder.path())
                .unwrap_or_else(|failure| panic!("{name}: {failure}"));
            assert_eq!(saved.mask, None);
            let path = saved.preset.display().to_string();
            let again = Preset::load(murmuration::host(), &path, &Overrides::default()).unwrap();
            assert_eq!((&again.rules, &again.world, &again.look), (&preset.rules, &preset.world, &preset.look));
            let hash = |preset: Preset| {
                let mut simulation =
                    Simulation::new(preset, &Chain::load(murmuration::host().as_ref(), "cell").unwrap(), threads(2))
                        .unwrap();
                simulation.advance(if size.is_some() { 12 } else { 2 }).unwrap();
                simulation.state().unwrap().hash()
            };
            assert_eq!(hash(again), hash(preset), "{name}, {size:?}");
        }
    }
    let names = std::fs::read_dir(folder.path()).unwrap().count();
    assert_eq!(names, 10, "a file was overwritten");
    let text = std::fs::read_to_string(folder.path().join("murmuration-reference.toml")).unwrap();
    assert!(text.contains("# how much of its control vector a boid keeps"), "the comments are gone");
}

#[test]
fn painted_solids_are_saved_as_a_mask_beside_the_preset() {
    let folder = tempfile::tempdir().unwrap();
    for (name, inputs) in [
        ("droplets", &[Input::Solid { at: [30, 30].into(), radius: 7, solid: true }][..]),
        ("lagoon", &[Input::Solid { at: [29, 21].into(), radius: 9, solid: false }]),
        ("lagoon", &[Input::Solid { at: [48, 30].into(), radius: 200, solid: false }]),
    ] {
        let mut painted = simulation(name, &[]);
        for input in inputs {
            painted.apply(input.clone()).unwrap();
        }
        let saved = murmuration::files::save_preset(painted.preset(), "cell", folder.path()).unwrap();
        let again = Preset::load(murmuration::host(), saved.preset.as_path(), &Overrides::default()).unwrap();
        let solids = painted.preset().world.solids.clone();
        assert_eq!(saved.mask.is_some(), solids.contains(&true), "{name}");
        assert_eq!(again.world.solids.contains(&true), solids.contains(&true), "{name}");
        assert!(again.world.solids.is_empty() || again.world.solids == solids, "{name}");
    }
}

/// A replay is played on a machine without its files, or after the files have changed.
#[test]
fn replays_and_checkpoints_hold_the_pictures_that_their_preset_names() {
    let folder = tempfile::tempdir().unwrap();
    let scene = folder.path().join("scene");
    std::fs::create_dir(&scene).unwrap();
    let pictured = "[[world.solid]]\nmask = \"dot.png\"\n[start]\nshape = \"map\"\nfile = \"dot.png\"\n";
    let text = PRESET.replace("[start]\n", pictured).replace("headings", "# headings").replace("chain", "# chain");
    let path = write_scene(&scene, &text, WIND);
    let write_dot = |brightness: &[u8; 2]| {
        let mut encoder = png::Encoder::new(std::fs::File::create(scene.join("dot.png")).unwrap(), 2, 1);
        encoder.set_color(png::ColorType::Grayscale);
        encoder.write_header().unwrap().write_image_data(brightness).unwrap();
    };
    write_dot(&[200, 100]);
    let (preset, chain) = load(&path, &Overrides::default());
    assert!(preset.world.solids.contains(&true));
    let mut played = Simulation::new(preset, &chain, threads(2)).unwrap();
    played.advance(4).unwrap();
    played.apply(Input::Set { key: "movement.wander".into(), value: "0.05".into() }).unwrap();
    // A reloaded preset with an unchanged picture need not store it again.
    let commented = text.replace("mask = \"dot.png\"", "mask = \"dot.png\" # an island");
    let path = write_scene(&scene, &commented, WIND);
    let (preset, chain) = load(&path, &played.preset().source().overrides);
    played.reload(preset, chain).unwrap();
    played.advance(4).unwrap();
    let (replay, checkpoint) = (folder.path().join("hunt.json"), folder.path().join("swarm.checkpoint"));
    murmuration::files::write_replay(&played.read(ReplayReading).unwrap(), &replay).unwrap();
    murmuration::files::save_checkpoint(&mut played, &checkpoint).unwrap();
    let hash = played.state().unwrap().hash();
    let written = std::fs::read_to_string(&replay).unwrap();
    assert_eq!(written.matches("\"bytes\"").count(), 1, "a picture is held twice: {written}");
    played.advance(9).unwrap();

    write_dot(&[100, 200]);
    for is_there in [true, false] {
        if !is_there {
            std::fs::remove_dir_all(&scene).unwrap();
        }
        let mut again =
            murmuration::files::read_replay(&replay).unwrap().play(murmuration::host(), threads(2)).unwrap();
        assert_eq!(again.state().unwrap().hash(), hash, "files that are there: {is_there}");
        let mut resumed = Simulation::resume(
            murmuration::host(),
            murmuration::files::read_checkpoint(&checkpoint).unwrap(),
            threads(2),
        )
        .unwrap();
        resumed.apply(Input::Set { key: "movement.wander".into(), value: "0.05".into() }).unwrap();
        resumed.advance(9).unwrap();
        assert_eq!(resumed.state().unwrap(), played.state().unwrap(), "files that are there: {is_there}");
    }

    // A replay of an earlier version contains no pictures, and reads them from disk.
    let mut old: serde_json::Value = serde_json::from_str(&written).unwrap();
    old["preset"].as_object_mut().unwrap().remove("files").unwrap();
    std::fs::write(&replay, old.to_string()).unwrap();
    std::fs::create_dir(&scene).unwrap();
    write_dot(&[200, 100]);
    let mut again = murmuration::files::read_replay(&replay).unwrap().play(murmuration::host(), threads(2)).unwrap();
    assert_eq!(again.state().unwrap().hash(), hash);
}

/// A preset that is saved in another folder still finds its chain, its masks and its start.
#[test]
fn paths_in_a_saved_preset_lead_to_the_same_files() {
    let (from, to) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let pictured = "[[world.solid]]\nmask = \"dot.png\" # an island\n[start]\nshape = \"map\"\nfile = \"dot.png\"\n";
    let path = write_scene(from.path(), &PRESET.replace("[start]\n", pictured).replace("headings", "# headings"), WIND);
    let mut encoder = png::Encoder::new(std::fs::File::create(from.path().join("dot.png")).unwrap(), 2, 1);
    encoder.set_color(png::ColorType::Grayscale);
    encoder.write_header().unwrap().write_image_data(&[200, 100]).unwrap();
    let (preset, chain) = load(&path, &Overrides::default());
    assert_eq!(preset.files.len(), 2);
    for folder in [&from, &to] {
        let saved = murmuration::files::save_preset(&preset, &chain.named, folder.path()).unwrap();
        let text = std::fs::read_to_string(&saved.preset).unwrap();
        assert!(text.contains("# an island"), "{text}");
        let (again, same) = load(&saved.preset.display().to_string(), &Overrides::default());
        assert_eq!((again.start().unwrap(), &again.world), (preset.start().unwrap(), &preset.world));
        assert_eq!(same.passes.len(), chain.passes.len());
        assert_eq!(text.contains("chain = \"chain.toml\""), folder.path() == from.path(), "{text}");
    }
}
