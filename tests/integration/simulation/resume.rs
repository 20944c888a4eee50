//! Resuming a checkpoint with changed numbers (`render --resume FILE --set key=value`).

use crate::support::adapter;
use crate::support::command::Folder;
use murmuration_core::engine::{Dispatch, cpu};
use murmuration_core::preset::{Overrides, Preset};
use murmuration_core::simulation::checkpoint::{Checkpoint, CheckpointReading};
use murmuration_core::simulation::replay::ReplayReading;
use murmuration_core::simulation::{EngineChoice, Input, Simulation, WORKGROUP};

const PROCESSOR: EngineChoice = EngineChoice::Cpu(cpu::Options { threads: Some(2), instruction_set: None });
const GPU: EngineChoice = EngineChoice::Gpu(Dispatch::Compute { workgroup: WORKGROUP });
/// The first changes only numbers, the second adds passes.
const CHANGES: [&str; 2] = ["weights.alignment=0.3", "sight.cohesion.disc=3"];

/// The hash of an uninterrupted run with the changes at step 8, and the hash of its replay.
fn undisturbed(name: &str, set: &[&str]) -> [String; 2] {
    let set = set.iter().map(|setting| (*setting).to_owned()).collect();
    let overrides = Overrides { size: Some((32, 24)), set, ..Overrides::default() };
    let preset = Preset::load(murmuration::host(), name, &overrides).unwrap();
    let chain = preset.load_chain(None).unwrap();
    let mut whole = Simulation::new(preset, &chain, PROCESSOR).unwrap();
    whole.advance(8).unwrap();
    CHANGES.into_iter().for_each(|setting| change(&mut whole, setting));
    whole.advance(12).unwrap();
    let replay = whole.read(ReplayReading).unwrap();
    let mut replayed = replay.play(murmuration::host(), PROCESSOR).unwrap();
    [whole.state_hash().unwrap(), replayed.state_hash().unwrap()]
}

/// The hash of that run on a GPU, resumed at step 8 and again at step 13.
fn resumed_on_gpu(checkpoint: &[u8]) -> String {
    let resume =
        |bytes: &[u8]| Simulation::resume(murmuration::host(), Checkpoint::from_bytes(bytes).unwrap(), GPU).unwrap();
    let mut changed = resume(checkpoint);
    CHANGES.into_iter().for_each(|setting| change(&mut changed, setting));
    changed.advance(5).unwrap();
    let mut rest = resume(&changed.read(CheckpointReading).unwrap().to_bytes());
    rest.advance(7).unwrap();
    rest.state_hash().unwrap()
}

fn change(simulation: &mut Simulation, setting: &str) {
    let (key, value) = setting.split_once('=').unwrap();
    simulation.apply(Input::Set { key: key.into(), value: value.into() }).unwrap();
}

#[test]
fn a_resumed_run_with_other_numbers_is_the_run_that_was_never_stopped() {
    for (name, set) in [("droplets", &[][..]), ("flock", &["start.boids=300"][..])] {
        let [whole, replayed] = undisturbed(name, set);
        assert_eq!(whole, replayed);
        let folder = Folder::new();
        let begin = format!("render {name} --size 32x24 --steps 8 --checkpoint a --threads 2");
        let settings = set.iter().flat_map(|setting| ["--set", setting]);
        folder.run(&begin.split(' ').chain(settings).collect::<Vec<_>>()).succeeded();
        let change = "render --resume a --steps 5 --checkpoint b --threads 2 --json";
        let settings = CHANGES.iter().flat_map(|setting| ["--set", setting]);
        let changed = folder.run(&change.split(' ').chain(settings).collect::<Vec<_>>()).succeeded().object();
        // The checkpoint contains the changes.
        let rest = folder.run(&["render", "--resume", "b", "--steps", "7", "--threads", "2", "--json"]).succeeded();
        assert_eq!(rest.object()["state_hash"], whole, "{name}");
        assert_ne!(changed["state_hash"], whole);
        if adapter::shared("a resumed run on the GPU").is_some() {
            assert_eq!(resumed_on_gpu(&std::fs::read(folder.join("a")).unwrap()), whole, "{name}");
        }
        let plain = folder.run(&["render", "--resume", "a", "--steps", "12", "--threads", "2", "--json"]).succeeded();
        assert_ne!(plain.object()["state_hash"], whole, "the changes act");
    }
}

#[test]
fn a_key_that_acts_at_the_start_alone_is_refused_by_name() {
    let folder = Folder::new();
    folder.run(&["render", "droplets", "--size", "32x24", "--steps", "2", "--checkpoint", "a"]).succeeded();
    let cure = "matters only at the start; restart the preset with it";
    for (setting, expected) in [
        ("seed=3", format!("--set seed=3: seed: {cure}")),
        ("start.boids=5", format!("--set start.boids=5: start.boids: {cure}")),
        ("start.shape=ring", format!("--set start.shape=ring: start.shape: {cure}")),
        (
            "weights.cohesion",
            "--set weights.cohesion=: what stands after `=` is not a value of TOML; write it as \
            key=value, as in weights.cohesion=0.8"
                .into(),
        ),
        (
            "weights.cohesion=99",
            "--set weights.cohesion=99: weights.cohesion: 99 is out of bounds; it must be from -32 \
            to 32"
                .into(),
        ),
    ] {
        let run = folder.run(&["render", "--resume", "a", "--steps", "1", "--set", setting]);
        assert_eq!((run.status, run.complaint()), (Some(2), expected.as_str()));
    }
    // Settings that belong to the checkpoint stay.
    let run = folder.run(&["render", "--resume", "a", "--size", "8x8"]);
    assert!(run.status == Some(2) && run.err.contains("--size"), "{run:?}");
}

/// A killed run continues from its last checkpoint to the bits of an undisturbed run.
#[test]
fn a_killed_run_goes_on_from_its_last_checkpoint() {
    let folder = Folder::new();
    let of_swarm = ["render", "droplets", "--size", "48x32", "--engine", "cpu", "--threads", "1"];
    let kept = ["--checkpoint", "kept", "--checkpoint-every", "40"];
    let mut run = folder.start(&[&of_swarm[..], &["--steps", "100000000"], &kept].concat());
    run.wait_until(|| folder.join("kept").exists());
    run.kill();
    assert_eq!(run.finish().status, None);
    let resumed = folder.run(&["render", "--resume", "kept", "--steps", "7", "--engine", "cpu", "--json"]).succeeded();
    let object = resumed.object();
    let steps = object["steps"].as_u64().unwrap();
    assert_eq!(steps % 40, 7);
    let steps = steps.to_string();
    let whole = [&of_swarm[..], &["--steps", &steps, "--json"]].concat();
    assert_eq!(folder.run(&whole).succeeded().object()["state_hash"], object["state_hash"]);
    let refused = folder.run(&["render", "droplets", "--checkpoint-every", "40"]);
    assert!(refused.status == Some(2), "{refused:?}");
}
