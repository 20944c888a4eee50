//! Tests of the controller in an endless world. Brushes, hunters and the probe keep their places in the world when the
//! window, which is the simulated part, moves.

use super::testing::{FakeClock, MemoryStorage, Stage, scene};
use super::{Command, Controller, Event, Pace, ProbeTarget, SaveKind, Scene, SceneChange, Snapshot};
use murmuration_core::individuals::find::{Individual, LineOfSight};
use murmuration_core::simulation::checkpoint::{Checkpoint, CheckpointReading};
use murmuration_core::simulation::replay::ReplayReading;
use murmuration_core::simulation::{Input, Pointer, Simulation};
use murmuration_core::state::Individuals;
use murmuration_core::world::{Mood, PARTS, PLACE_BITS, Place};
use murmuration_gpu::look::IndividualsSource;
use std::time::Duration;

/// A preset of fish that follow a hunter at the rim of the window, so that the window moves.
const TRAVEL: &str = "description = \"x\"\nmodel = \"agents\"\nseed = 7\n\
    [world]\nsize = [96, 48, 40]\nedges = \"endless\"\norigin = [1000, -20, 7]\n\
    [world.terrain]\nscale = 12\noctaves = 2\nthreshold = 0.45\n\
    [agents]\nrules = \"aquarium\"\n\
    [start]\nboids = 60\nshape = \"blobs\"\nat = [0.5, 0.5]\nradius = 0.2\nheadings = \"random\"\n\
    [sight]\ncohesion = { disc = 5 }\nseparation = { disc = 2 }\nalignment = { disc = 5 }\n\
    [weights]\ncohesion = 0.002\nseparation = 0.02\nalignment = 0.05\navoidance = 0.5\nhunter = 0.3\n\
    [avoidance]\nrays = 40\nreach = 5\nclearance = 1\n\
    [movement]\nmin = 1.0\nmax = 2.0\n\
    [[hunter]]\nmood = \"follow\"\nat = [0.97, 0.5]\nreach = 255\n";
const FIRST: [i64; 3] = [1000, -20, 7];

fn travel() -> Stage {
    let storage = MemoryStorage::default();
    storage.write(TRAVEL);
    let mut stage = Stage::with_storage(Scene { overrides: Default::default(), ..scene("scene.toml", 96) }, storage);
    stage.handle(Command::Pace(Pace::USUAL.faster(4)));
    stage
}

fn origin(stage: &Stage) -> [i64; 3] {
    stage.controller.simulation.preset().world.window.unwrap().origin
}

/// Plays until the window has moved this number of times. Returns the place of the window's first cell.
fn play_moves(stage: &mut Stage, moves: usize) -> [i64; 3] {
    for _ in 0..moves {
        let before = origin(stage);
        let begun = stage.controller.simulation.step();
        while origin(stage) == before {
            stage.play(1);
            assert!(stage.controller.simulation.step() < begun + 4000, "the window stays at {before:?}");
        }
    }
    origin(stage)
}

/// The columns of solid cells, as x and y in the endless world.
fn painted(stage: &Stage) -> Vec<[i64; 2]> {
    let (solids, origin) = (&stage.controller.simulation.preset().world.solids, origin(stage));
    let columns = (0..solids.len()).filter(|index| solids[*index]);
    columns.map(|index| [(index % 96) as i64 + origin[0], (index / 96) as i64 + origin[1]]).collect()
}

fn hash(stage: &mut Stage) -> String {
    stage.controller.simulation.state_hash().unwrap()
}

fn pointer(x: i32) -> Pointer {
    Pointer { place: Place::Deep([x * PARTS, 24 * PARTS, 20 * PARTS]), reach: 40, mood: Mood::Flee, weight: 100 }
}

/// Brush, hunter and probe act at the places that the user saw, although the window has moved since. The replay of the
/// run ends in the same state.
#[test]
fn what_was_asked_for_before_the_window_moved_lands_where_it_was_seen() {
    let mut stage = travel();
    let seen = play_moves(&mut stage, 1);
    let now = play_moves(&mut stage, 1);
    let moved = (now[0] - seen[0]) as i32;
    assert!(moved >= 32, "{seen:?} {now:?}");
    let here = Some(seen);
    stage.handle(Command::Input(Input::Solid { at: [80, 20].into(), radius: 1, solid: true }, here));
    let (x, y) = (80 + seen[0], 20 + seen[1]);
    assert_eq!(painted(&stage), [[x, y - 1], [x - 1, y], [x, y], [x + 1, y], [x, y + 1]]);
    stage.handle(Command::Input(Input::Hunter(Some(pointer(70))), here));
    let place = stage.controller.simulation.pointer().unwrap().place;
    assert_eq!(place, pointer(70 - moved).place);
    stage.handle(Command::Probe(Some(ProbeTarget::Cell([70, 20, 0])), here));
    assert_eq!(stage.snapshot().probe.unwrap().cell, [70 - moved, 20, 0]);
    // A brush that is outside the window now paints nothing at its rim.
    stage.handle(Command::Input(Input::Solid { at: [moved - 9, 20].into(), radius: 5, solid: true }, here));
    assert_eq!(painted(&stage).len(), 5);
    // Painted cells and the probe keep their places in the world.
    stage.handle(Command::Input(Input::Hunter(None), here));
    let by = (play_moves(&mut stage, 1)[0] - seen[0]) as i32;
    assert!(by > moved && by <= 70, "{by}");
    assert_eq!(stage.snapshot().probe.unwrap().cell, [70 - by, 20, 0]);
    assert!(painted(&stage).contains(&[x, y]));
    let replay = stage.controller.simulation.read(ReplayReading).unwrap();
    let again = replay.play(&stage.storage.host(), scene("scene.toml", 96).choice);
    assert_eq!(again.unwrap().state_hash().unwrap(), replay.state_hash);
}

fn individuals(snapshot: &Snapshot) -> &Individuals {
    let Some(IndividualsSource::Memory(individuals)) = &snapshot.individuals else { panic!("they are in memory") };
    individuals
}

fn probed(stage: &mut Stage) -> Option<Individual> {
    stage.controller.handle([Command::Steps(0)]);
    Some(stage.snapshot().probed_individual?.individual)
}

/// A line of sight keeps its place in the world if the window moves before the command is handled, or while no
/// individual is on the line.
#[test]
fn a_line_of_sight_from_before_a_move_finds_the_individual_that_is_there() {
    let mut stage = travel();
    let [seen, now] = [0, 1].map(|_| play_moves(&mut stage, 1));
    let snapshot = stage.snapshot();
    let individuals = individuals(&snapshot);
    let (number, place) = (individuals.numbers[0], individuals.position(0));
    let along = |axis: usize| place[axis] as f32 / (1 << PLACE_BITS) as f32 + (now[axis] - seen[axis]) as f32;
    let from = [along(0), along(1), along(2) - 0.25];
    let line = LineOfSight { from, ahead: [0.0, 0.0, 1.0], length: 0.5, radius: 0.02, spread: 0.0 };
    let target = Some(ProbeTarget::Individual(line));
    // In the present window the line is at another place.
    stage.handle(Command::Probe(target, None));
    assert_eq!(probed(&mut stage), None);
    stage.handle(Command::Probe(target, Some(seen)));
    let found = probed(&mut stage).unwrap();
    assert_eq!((found.number, found.place), (number, place));
    // The line is sent before the move.
    let mut early = travel();
    assert_eq!(play_moves(&mut early, 1), seen);
    early.handle(Command::Probe(target, Some(seen)));
    assert_eq!(probed(&mut early), None, "nobody is there yet");
    assert_eq!(play_moves(&mut early, 1), now);
    assert_eq!(probed(&mut early), Some(found));
    // After it has found the individual, the probe follows the individual, also across the next move of the window.
    play_moves(&mut early, 1);
    let later = probed(&mut early).unwrap();
    assert!(later.number == number && later.place != place);
}

#[test]
fn an_undo_brings_the_window_back() {
    let mut stage = travel();
    let before = play_moves(&mut stage, 1);
    let (hash_before, step) = (hash(&mut stage), stage.controller.simulation.step());
    stage.handle(Command::from(Input::Stroke));
    stage.handle(Command::from(Input::Solid { at: [50, 24].into(), radius: 4, solid: true }));
    stage.handle(Command::from(Input::Spawn { at: [30, 24].into(), radius: 9, boids: 20 }));
    let after = play_moves(&mut stage, 2);
    assert_eq!(stage.snapshot().info.world.window.unwrap().origin, after);
    stage.handle(Command::from(Input::Undo));
    let snapshot = stage.snapshot();
    let window = snapshot.info.world.window.unwrap();
    assert_eq!((window.origin, window.first), (before, FIRST));
    assert_eq!((snapshot.step, snapshot.account.lost), (step, 0));
    assert!(painted(&stage).is_empty() && snapshot.info.world.rock == stage.controller.simulation.preset().world.rock);
    assert_eq!(hash(&mut stage), hash_before);
    assert_eq!(play_moves(&mut stage, 1)[1..], before[1..], "it travels on");
    assert!(!stage.events().iter().any(|event| matches!(event, Event::Error(_))));
}

/// A simulation that is resumed from a checkpoint, after moves of the window, continues like the original run.
#[test]
fn a_checkpoint_goes_on_in_the_window_of_its_run() {
    let mut stage = travel();
    play_moves(&mut stage, 2);
    stage.handle(Command::Save(SaveKind::Checkpoint));
    assert_eq!(stage.events().len(), 1);
    let bytes = stage.controller.simulation.read(CheckpointReading).unwrap().to_bytes();
    let choice = stage.controller.simulation.choice();
    let read = Checkpoint::from_bytes(&bytes).unwrap();
    let resumed = Simulation::resume(&stage.storage.host(), read, choice).unwrap();
    let clock = FakeClock::new(Duration::ZERO);
    let (storage, written) = (stage.storage.clone(), scene("scene.toml", 96));
    let controller = Controller::new(resumed, written, Box::new(storage.clone()), clock.clock());
    let mut other = Stage { controller, clock, storage };
    other.handle(Command::Pace(Pace::USUAL.faster(4)));
    let [one, two] = [&mut stage, &mut other].map(Stage::snapshot);
    assert_eq!((one.step, &one.info.world, one.travelled), (two.step, &two.info.world, two.travelled));
    let [one, two] = [&mut stage, &mut other].map(|stage| (play_moves(stage, 2), hash(stage)));
    assert_eq!(one, two);
}

/// A changed preset file changes the rules. The window and the painted solid cells stay.
#[test]
fn a_reload_goes_on_in_the_same_window() {
    let mut stage = travel();
    play_moves(&mut stage, 1);
    stage.handle(Command::from(Input::Solid { at: [70, 30].into(), radius: 2, solid: true }));
    let before = (origin(&stage), painted(&stage), hash(&mut stage));
    stage.storage.write(&TRAVEL.replace("cohesion = 0.002", "cohesion = 0.004"));
    stage.controller.files_may_have_changed();
    stage.controller.handle([Command::Pause(true)]);
    stage.controller.tick();
    assert_eq!(stage.events(), [Event::Info("reloaded scene.toml; the same swarm goes on".into())]);
    assert_eq!((origin(&stage), painted(&stage), hash(&mut stage)), before);
    assert_eq!(stage.snapshot().info.values["weights.cohesion"].to_string(), "0.004");
    stage.handle(Command::Pause(false));
    play_moves(&mut stage, 1);
    assert_eq!(stage.snapshot().account.lost, 0);
    // A change of the rock makes another world, so the run begins again.
    stage.storage.write(&TRAVEL.replace("threshold = 0.45", "threshold = 0.5"));
    stage.controller.files_may_have_changed();
    stage.controller.tick();
    assert_eq!(stage.events(), [Event::Info("reloaded scene.toml; the swarm begins anew".into())]);
    assert_eq!((origin(&stage), stage.snapshot().step), (FIRST, 0));
}

#[test]
fn a_restart_begins_where_the_world_began() {
    let mut stage = travel();
    let start = hash(&mut stage);
    let far = play_moves(&mut stage, 3);
    stage.handle(Command::Probe(Some(ProbeTarget::Cell([20, 20, 0])), Some(far)));
    assert!(stage.snapshot().travelled.unwrap() > 64.0);
    stage.handle(Command::Restart(SceneChange::default()));
    let snapshot = stage.snapshot();
    assert_eq!((snapshot.info.world.window.unwrap().origin, snapshot.step), (FIRST, 0));
    assert!(snapshot.travelled.unwrap() < 32.0);
    assert_eq!(snapshot.probe.unwrap().cell, [20, 20, 0], "the probe stays where it is seen");
    assert_eq!(hash(&mut stage), start);
    assert_ne!(play_moves(&mut stage, 1), FIRST);
}
