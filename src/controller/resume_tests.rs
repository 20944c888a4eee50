//! Tests of the controller with swarms that are resumed from checkpoints.

use super::testing::{Stage, scene, simulation};
use super::{Command, Event, RunContent, RunFile, SaveKind, Scene};
use murmuration_core::error::Failure;
use murmuration_core::simulation::checkpoint::{Checkpoint, CheckpointReading};
use murmuration_core::simulation::replay::{Replay, ReplayReading};
use murmuration_core::simulation::{Input, Pointer, Simulation};
use murmuration_core::world::Mood;

fn again(checkpoint: &Checkpoint) -> Box<Checkpoint> {
    Box::new(Checkpoint::from_bytes(&checkpoint.to_bytes()).unwrap())
}

fn hunter(x: i32) -> Input {
    Input::Hunter(Some(Pointer { place: [x, 256].into(), reach: 30, mood: Mood::Flee, weight: 2048 }))
}

#[test]
fn a_checkpoint_goes_on_in_the_place_of_the_scene() {
    let mut saved = simulation(&scene("fog", 32));
    saved.advance(5).unwrap();
    let checkpoint = saved.read(CheckpointReading).unwrap();
    saved.advance(4).unwrap();
    let mut stage = Stage::new(scene("droplets", 32));
    stage.play(2);
    stage.handle(Command::Resume(again(&checkpoint)));
    let snapshot = stage.snapshot();
    assert_eq!((snapshot.step, &*snapshot.info.preset, snapshot.scene), (5, "fog", 1));
    stage.play(4);
    let snapshot = stage.snapshot();
    assert_eq!((snapshot.step, &**snapshot.source.state().unwrap()), (9, &saved.state().unwrap()));
    // A restart begins the preset with its own size.
    stage.handle(Command::Restart(Default::default()));
    let snapshot = stage.snapshot();
    assert_eq!((snapshot.step, &*snapshot.info.preset, snapshot.info.world.extents.width), (0, "fog", 32));
    assert_eq!(stage.events(), []);
}

#[test]
fn a_checkpoint_that_does_not_fit_is_said_and_the_scene_goes_on() {
    let mut saved = simulation(&scene("fog", 32));
    let mut bytes = saved.read(CheckpointReading).unwrap().to_bytes();
    // Another preset in the header, with a valid checksum.
    let at = bytes.windows(7).position(|bytes| bytes == b"boids =").unwrap();
    bytes[at] = b'c';
    let end = bytes.len() - 32;
    let hash = blake3::hash(&bytes[..end]);
    bytes[end..].copy_from_slice(hash.as_bytes());
    let mut stage = Stage::new(scene("droplets", 32));
    stage.handle(Command::Resume(Box::new(Checkpoint::from_bytes(&bytes).unwrap())));
    assert!(matches!(&stage.events()[..], [Event::Error(text)] if text.contains("coids")));
    stage.play(2);
    let snapshot = stage.snapshot();
    assert_eq!((snapshot.step, &*snapshot.info.preset), (2, "droplets"));
}

/// A run with one input, saved for the next visit of a page and resumed: its scene, the resumed simulation, and the
/// record of the run.
fn kept() -> (Scene, Simulation, Replay) {
    let scene = scene("droplets", 32);
    let mut first = simulation(&scene);
    first.advance(2).unwrap();
    first.apply(hunter(300)).unwrap();
    first.advance(3).unwrap();
    let file = RunFile::request(&mut first, SaveKind::Session).unwrap().wait().unwrap();
    let RunContent::Session(checkpoint, Some(run)) = file.content else { panic!("{file:?}") };
    let (_, next) = Scene::resume(crate::host(), *again(&checkpoint), scene.choice).unwrap();
    (scene, next, *run)
}

#[test]
fn a_swarm_that_goes_on_with_its_run_has_its_replay() {
    let (scene, mut next, run) = kept();
    assert!(matches!(next.read(ReplayReading), Err(Failure::BadInput(_))));
    assert!(next.restore_record(run));
    next.apply(hunter(500)).unwrap();
    next.advance(2).unwrap();
    let replay = next.read(ReplayReading).unwrap();
    assert_eq!((replay.total_steps(), replay.events.len(), next.step()), (7, 2, 7));
    let mut played = replay.play(crate::host(), scene.choice).unwrap();
    assert_eq!(played.state_hash().unwrap(), replay.state_hash);
}

#[test]
fn a_run_of_other_inputs_is_not_taken_for_its_own() {
    let (_, mut next, mut run) = kept();
    run.events.clear();
    assert!(!next.restore_record(run));
    assert!(next.read(ReplayReading).is_err());
}
