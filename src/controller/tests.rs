//! Tests of the controller with a fake clock and without a disk.

use super::pace::{MAX_TICK, TICK};
use super::testing::{MemoryStorage, Stage, scene};
use super::{Command, Controller, Event, LifeOrigin, Pace, ProbeTarget, SaveKind, Scene, SceneChange, Snapshot};
use murmuration_core::host::contents::Texts;
use murmuration_core::individuals::find::LineOfSight;
use murmuration_core::numbers::BOID;
use murmuration_core::points::PointsReading;
use murmuration_core::preset::Overrides;
use murmuration_core::simulation::replay::ReplayReading;
use murmuration_core::simulation::{Input, Pointer, RunIn, Simulation};
use murmuration_core::state::Entry;
use murmuration_core::world::Mood;
use murmuration_gpu::look::IndividualsSource;
use std::collections::BTreeSet;
use std::time::Duration;

const PRESET: &str = "description = \"a scene\"\n[world]\nsize = [32, 24]\n[start]\nboids = 300\n[sight.cohesion]\n\
                      disc = 4\n[sight.separation]\ndisc = 2\n[sight.alignment]\ndisc = 3\n[weights]\ncohesion = 0.5\n";

fn droplets() -> Stage {
    Stage::new(scene("droplets", 32))
}

fn hunter(x: i32) -> Command {
    let pointer = Pointer { place: [x, 256].into(), reach: 30, mood: Mood::Follow, weight: 2048 };
    Command::from(Input::Hunter(Some(pointer)))
}

fn spawn() -> [Command; 2] {
    [Command::from(Input::Stroke), Command::from(Input::Spawn { at: [10, 10].into(), radius: 3, boids: 40 })]
}

fn set(key: &str, value: &str) -> Command {
    Command::from(Input::Set { key: key.into(), value: value.into() })
}

#[test]
fn steps_follow_the_pace_and_stop_in_a_pause() {
    let mut stage = droplets();
    assert_eq!(stage.controller.next_due(), Some(Duration::ZERO));
    stage.play(3);
    assert_eq!(stage.snapshot().step, 3);
    stage.handle(Command::Pace(Pace::USUAL.faster(3)));
    stage.play(2);
    assert_eq!(stage.snapshot().step, 19);
    stage.handle(Command::Pause(true));
    assert_eq!(stage.controller.next_due(), None);
    stage.play(5);
    let snapshot = stage.snapshot();
    assert!(snapshot.is_paused && snapshot.step == 19 && snapshot.steps_a_second == 0.0);
    assert!(stage.controller.snapshot().is_none(), "nothing has changed");
    stage.handle(Command::Steps(2));
    assert_eq!(stage.controller.next_due(), Some(10 * TICK));
    stage.play(1);
    assert_eq!(stage.snapshot().step, 21);
}

#[test]
fn a_tick_that_takes_too_long_is_cut_short() {
    let scene = scene("droplets", 32);
    let (storage, clock) = (MemoryStorage::default(), super::testing::FakeClock::new(MAX_TICK / 4));
    let simulation = scene.begin(&storage.host(), None).unwrap();
    let mut controller = super::Controller::new(simulation, scene, Box::new(storage), clock.clock());
    controller.handle([Command::Pace(Pace::USUAL.faster(6))]);
    controller.tick();
    let step = controller.snapshot().unwrap().step;
    assert!((4..64).contains(&step), "{step} steps were played");
}

/// A scene with a run-in, drawn as points.
fn with_run_in() -> Scene {
    let mut scene = scene("droplets", 32);
    scene.overrides.set = vec!["start.run_in=70".into(), "look.style=glow".into()];
    scene
}

/// A controller whose clock advances by `4 * MAX_TICK` at each reading.
fn watched(scene: &Scene) -> Controller {
    let (storage, clock) = (MemoryStorage::default(), super::testing::FakeClock::new(4 * MAX_TICK));
    let simulation = scene.begin(&storage.host(), None).unwrap();
    Controller::new(simulation, scene.clone(), Box::new(storage), clock.clock())
}

#[test]
fn a_run_in_is_shown_while_it_is_played_and_what_is_asked_meanwhile_waits_for_step_0() {
    let scene = with_run_in();
    let mut controller = watched(&scene);
    controller.handle([Command::Pause(true), hunter(200), Command::Save(SaveKind::Replay), hunter(300)]);
    assert!(matches!(&controller.take_events()[..], [Event::Info(text)] if text.contains("nothing to save")));
    let mut shown = Vec::new();
    while controller.simulation.run_in().is_some() {
        assert!(controller.next_due().is_some(), "a pause does not hold a run-in");
        controller.tick();
        let snapshot = controller.snapshot();
        let Some((snapshot, run_in)) = snapshot.and_then(|snapshot| snapshot.run_in.map(|run_in| (snapshot, run_in)))
        else {
            continue;
        };
        assert_eq!((snapshot.step, snapshot.commands, run_in.steps, snapshot.account.lost), (0, 2, 70, 0));
        assert!(snapshot.source.points().is_some(), "the swarm is shown as it plays");
        shown.push(run_in.played);
    }
    assert!(shown.len() > 1 && shown.is_sorted_by(|a, b| a < b), "{shown:?}");
    controller.is_changed = true;
    let first = controller.snapshot().unwrap();
    assert_eq!((first.step, first.run_in, first.commands, first.is_paused), (0, None, 4, true));
    assert_eq!(controller.simulation.pointer().unwrap().place, [300, 256].into(), "it came at step 0");
    // The state, the account and the points are equal to the results of a run without snapshots.
    let (preset, chain) = scene.load(&MemoryStorage::default().host(), &mut Texts::default()).unwrap();
    let mut alone = Simulation::new(preset, &chain, scene.choice).unwrap();
    alone.keep_points().unwrap();
    assert_eq!(**first.source.state().unwrap(), alone.state().unwrap());
    assert_eq!(first.source.points().map(|points| (**points).clone()), alone.read(PointsReading).unwrap());
    assert_eq!(first.account, alone.account().unwrap());
    alone.apply(Input::Hunter(controller.simulation.pointer().copied())).unwrap();
    for simulation in [&mut alone, &mut controller.simulation] {
        simulation.advance(20).unwrap();
    }
    let replay = controller.simulation.read(ReplayReading).unwrap();
    assert_eq!((replay.total_steps(), replay.state_hash.clone()), (20, alone.state_hash().unwrap()));
}

#[test]
fn another_scene_ends_a_run_in_and_a_restart_begins_with_its_own() {
    let mut controller = watched(&with_run_in());
    controller.tick();
    let played = controller.simulation.run_in().unwrap();
    assert!((1..70).contains(&played.played));
    controller.handle([hunter(200), Command::Restart(SceneChange { seed: Some(5), ..SceneChange::default() })]);
    assert_eq!(controller.simulation.run_in(), Some(RunIn { played: 0, steps: 70 }));
    let snapshot = controller.snapshot().unwrap();
    assert_eq!((snapshot.scene, snapshot.commands, snapshot.info.seed), (1, 2, 5));
    assert!(controller.rescue().contains("nothing to save"));
    controller.handle([Command::Begin(super::testing::scene("ribbons", 32))]);
    assert_eq!(controller.simulation.run_in(), None);
    controller.tick();
    assert!(controller.simulation.pointer().is_none(), "the hunter of the first scene is gone");
}

#[test]
fn a_hunt_catches_and_only_the_last_of_many_pointers_counts() {
    let mut stage = droplets();
    let pointers = (0..20).map(|x| hunter(200 + x)).chain([Command::from(Input::Jaws(6))]);
    stage.controller.handle(pointers);
    stage.play(30);
    let snapshot = stage.snapshot();
    assert!(snapshot.account.ledger.sum(Entry::Caught) > 0 && snapshot.account.lost == 0);
    assert_eq!(snapshot.commands, 21, "skipped commands are counted too");
    stage.handle(Command::WatchReplay);
    stage.play(1);
    let replay = stage.snapshot().replay.unwrap();
    assert_eq!(replay.pointer.unwrap().0.place, [219, 256].into());
}

#[test]
fn undo_takes_a_stroke_back_and_says_when_there_is_none() {
    let mut stage = droplets();
    stage.controller.handle(spawn());
    assert_eq!(stage.snapshot().account.ledger.sum(Entry::Spawned), 40 * u64::from(BOID));
    stage.handle(Command::from(Input::Undo));
    let account = stage.snapshot().account;
    assert_eq!((account.ledger.sum(Entry::Spawned), account.lost), (0, 0));
    assert_eq!(stage.events(), []);
    stage.handle(Command::from(Input::Undo));
    assert_eq!(stage.events(), [Event::Info("there is nothing to undo".into())]);
}

#[test]
fn an_input_that_is_refused_is_reported_and_changes_nothing() {
    let mut stage = droplets();
    stage.handle(set("weights.cohesion", "much"));
    let [Event::Error(text)] = &stage.events()[..] else { panic!("one error") };
    assert!(text.contains("weights.cohesion"), "{text}");
    stage.play(2);
    assert_eq!(stage.snapshot().step, 2);
}

#[test]
fn a_restart_keeps_settings_and_saves_the_hunt() {
    let mut stage = droplets();
    stage.handle(set("weights.cohesion", "0.75"));
    stage.play(2);
    stage.handle(Command::Restart(SceneChange { seed: Some(7), ..SceneChange::default() }));
    assert_eq!(stage.storage.take_saved(), [""; 0], "nobody has hunted");
    let snapshot = stage.snapshot();
    assert_eq!((snapshot.scene, snapshot.step, snapshot.info.seed), (1, 0, 7));
    assert_eq!(snapshot.info.values["weights.cohesion"].to_string(), "0.75");
    stage.handle(hunter(100));
    stage.play(5);
    stage.handle(Command::Begin(scene("fog", 64)));
    assert_eq!(stage.storage.take_saved(), ["last hunt of 5 steps"]);
    assert_eq!(stage.snapshot().info.preset, "fog");
    stage.controller.finish();
    assert_eq!(stage.storage.take_saved(), [""; 0]);
}

#[test]
fn a_scene_that_cannot_begin_leaves_the_current_one() {
    let mut stage = droplets();
    stage.play(3);
    stage.handle(Command::Begin(scene("missing.toml", 32)));
    let [Event::Error(text)] = &stage.events()[..] else { panic!("one error") };
    assert!(text.contains("there is no such file"), "{text}");
    stage.play(1);
    let snapshot = stage.snapshot();
    assert_eq!((snapshot.scene, snapshot.step), (0, 4));
}

#[test]
fn changed_files_are_applied_and_errors_are_reported_until_they_are_corrected() {
    let storage = MemoryStorage::default();
    storage.write(PRESET);
    let written = Scene { overrides: Default::default(), ..scene("scene.toml", 32) };
    let mut stage = Stage::with_storage(written, storage.clone());
    let reload = |stage: &mut Stage, text: &str| {
        storage.write(text);
        stage.controller.files_may_have_changed();
        stage.controller.tick();
        stage.events()
    };
    assert_eq!(reload(&mut stage, PRESET), [], "the contents are the same");
    stage.play(3);
    let events = reload(&mut stage, &PRESET.replace("cohesion = 0.5", "cohesion = 0.75"));
    assert_eq!(events, [Event::Info("reloaded scene.toml; the same swarm goes on".into())]);
    let before = stage.snapshot();
    assert_eq!((before.reloads, before.scene), (1, 0));
    let wrong = reload(&mut stage, &PRESET.replace("cohesion = 0.5", "cohesion = much"));
    let [Event::Error(error)] = &wrong[..] else { panic!("{wrong:?}") };
    assert!(error.contains("scene.toml:13"), "{error}");
    let other = reload(&mut stage, &PRESET.replace("disc = 3", "disc = \"far\""));
    let [Event::Resolved(resolved), Event::Error(second)] = &other[..] else { panic!("{other:?}") };
    assert_eq!(resolved, error);
    let events = reload(&mut stage, &PRESET.replace("boids = 300", "boids = 301"));
    let info = "reloaded scene.toml; the swarm begins anew";
    assert_eq!(events, [Event::Resolved(second.clone()), Event::Info(info.into())]);
    let snapshot = stage.snapshot();
    assert_eq!((snapshot.scene, snapshot.step, snapshot.account.quanta), (1, 0, 301 * u64::from(BOID)));
}

#[test]
fn a_film_sets_the_pace_and_leaves_nothing_out() {
    let mut stage = droplets();
    stage.handle(Command::Pace(Pace::USUAL.faster(4)));
    stage.handle(Command::Film(Some(3)));
    stage.play(4);
    assert_eq!(stage.snapshot().step, 3, "the run waits for the film");
    assert_eq!(stage.controller.next_due(), None);
    let mut frames = Vec::new();
    for turn in 0..40 {
        if let Some(frame) = stage.controller.take_frame() {
            assert_eq!(frame.steps, 3);
            frames.push(frame.step);
        }
        if turn == 20 {
            // The film continues in the next scene.
            stage.handle(Command::Restart(SceneChange::default()));
        }
        stage.play(1);
    }
    assert!(frames.len() > 20, "{frames:?}");
    let restarts = frames.windows(2).filter(|pair| pair[1] != pair[0] + 3).collect::<Vec<_>>();
    assert!(restarts.len() == 1 && restarts[0][1] == 3, "{frames:?}");
    stage.handle(Command::Film(None));
    let step = stage.snapshot().step;
    stage.play(4);
    assert!(stage.snapshot().step >= step + 3 * 16, "without a film nothing waits");
}

#[test]
fn the_individuals_of_the_comparison_take_part_in_everything() {
    let mut stage = droplets();
    stage.handle(Command::Compare(true));
    let snapshot = stage.snapshot();
    assert_eq!((snapshot.scene, snapshot.step), (1, 0));
    assert_eq!(snapshot.compared.unwrap().account.quanta, snapshot.account.quanta);
    stage.controller.handle(spawn());
    stage.play(2);
    let snapshot = stage.snapshot();
    assert_eq!(
        snapshot.compared.unwrap().account.ledger.sum(Entry::Spawned),
        snapshot.account.ledger.sum(Entry::Spawned)
    );
    assert_eq!(snapshot.comparison.unwrap().step, 0, "the next comparison is not due");
    stage.handle(set("weights.alignment", "20"));
    let [Event::Error(text)] = &stage.events()[..] else { panic!("one error") };
    assert!(text.contains("individuals weigh a rule with 8 at most"), "{text}");
    stage.handle(Command::Begin(scene("school", 64)));
    assert!(stage.snapshot().compared.is_none());
    let [Event::Info(text)] = &stage.events()[..] else { panic!("one message") };
    assert!(text.contains("has no cells"), "{text}");
    stage.handle(Command::Begin(scene("droplets", 32)));
    assert!(stage.snapshot().compared.is_some(), "they come back with the next scene of cells");
    stage.handle(Command::Compare(false));
    let snapshot = stage.snapshot();
    assert!(snapshot.compared.is_none() && snapshot.scene == 3, "the cells go on");
}

#[test]
fn a_round_begins_anew_and_pauses_at_its_end() {
    let mut stage = droplets();
    stage.play(2);
    stage.handle(Command::Pause(true));
    stage.handle(Command::Pace(Pace::USUAL.faster(2)));
    stage.handle(Command::Round(10));
    stage.play(9);
    let snapshot = stage.snapshot();
    assert_eq!((snapshot.step, snapshot.is_paused, snapshot.scene), (10, true, 1));
    stage.handle(Command::Round(10));
    stage.handle(Command::EndRound);
    stage.play(9);
    assert_eq!(stage.snapshot().step, 36);
}

#[test]
fn a_replay_arrives_at_the_same_state_and_can_be_taken_over() {
    let mut stage = droplets();
    stage.handle(hunter(100));
    stage.play(4);
    stage.controller.handle(spawn());
    stage.play(4);
    let hunted = stage.snapshot();
    stage.handle(Command::WatchReplay);
    stage.handle(hunter(300));
    stage.play(4);
    let progress = stage.snapshot().replay.unwrap();
    assert_eq!((progress.steps, progress.of), (4, 8));
    stage.play(6);
    let snapshot = stage.snapshot();
    assert_eq!((snapshot.step, snapshot.is_paused, snapshot.replay), (8, true, None));
    assert_eq!(snapshot.source.state(), hunted.source.state());
    let [Event::Info(text)] = &stage.events()[..] else { panic!("one message") };
    assert!(text.starts_with("the replay is over, in the very state"), "{text}");
    stage.handle(Command::WatchReplay);
    stage.play(3);
    stage.handle(Command::TakeOver);
    stage.play(9);
    assert_eq!((stage.snapshot().step, stage.events()), (12, vec![Event::Info("the hunt is yours".into())]));
}

#[test]
fn changed_files_wait_for_the_end_of_a_replay() {
    let storage = MemoryStorage::default();
    storage.write(PRESET);
    let written = Scene { overrides: Default::default(), ..scene("scene.toml", 32) };
    let mut stage = Stage::with_storage(written, storage.clone());
    storage.write(PRESET);
    stage.play(2);
    stage.handle(Command::WatchReplay);
    storage.write(&PRESET.replace("cohesion = 0.5", "cohesion = 0.75"));
    stage.controller.files_may_have_changed();
    stage.play(1);
    assert_eq!(stage.snapshot().reloads, 0);
    stage.handle(Command::TakeOver);
    stage.play(1);
    assert_eq!(stage.snapshot().reloads, 1);
}

#[test]
fn what_is_saved_is_reported() {
    let mut stage = droplets();
    stage.play(2);
    for kind in [SaveKind::Replay, SaveKind::Checkpoint, SaveKind::Preset] {
        stage.handle(Command::Save(kind));
    }
    let saved = ["Replay of step 2", "Checkpoint of step 2", "Preset of step 2"];
    assert_eq!(stage.events(), saved.map(|name| Event::Info(format!("saved {name}"))));
    assert_eq!(stage.controller.rescue(), "the swarm was saved to Checkpoint of step 2");
}

#[test]
fn the_probe_follows_its_cell_in_a_pause_too() {
    let mut stage = droplets();
    stage.handle(Command::Pause(true));
    for cell in [[3, 4, 0], [5, 6, 0]] {
        stage.handle(Command::Probe(Some(ProbeTarget::Cell(cell)), None));
        assert_eq!(stage.snapshot().probe.unwrap().cell, cell);
    }
    stage.handle(Command::Probe(Some(ProbeTarget::Cell([99, 0, 0])), None));
    assert!(stage.snapshot().probe.is_none(), "the cell is not on the lattice");
    stage.handle(Command::Probe(None, None));
    assert!(stage.snapshot().probe.is_none());
}

#[test]
fn the_probe_goes_along_with_an_individual() {
    let mut stage = Stage::new(scene("flock", 64));
    let probe_at = |stage: &mut Stage, [x, y]: [f32; 2]| {
        let (from, ahead) = ([x, y, 99.0], [0.0, 0.0, -1.0]);
        let line = LineOfSight { from, ahead, length: 99.0, radius: 0.02, spread: 0.0 };
        stage.handle(Command::Probe(Some(ProbeTarget::Individual(line)), None));
        stage.snapshot()
    };
    let place = |snapshot: &Snapshot, index: usize| {
        let Some(IndividualsSource::Memory(individuals)) = &snapshot.individuals else { panic!("they are in memory") };
        let [x, y, _] = individuals.position(index).map(|along| along as f32 / 65_536.0);
        (individuals.numbers[index], [x, y])
    };
    let probed = |snapshot: &Snapshot| {
        assert!(snapshot.probe.is_none());
        let probe = snapshot.probed_individual.as_ref().unwrap();
        assert_eq!(probe.step, snapshot.step);
        probe.individual
    };
    let before = stage.snapshot();
    assert!(before.probed_individual.is_none());
    let (first, at) = place(&before, 0);
    let begun = probed(&probe_at(&mut stage, at));
    assert_eq!(begun.number, first);
    stage.play(12);
    let later = stage.snapshot();
    assert!(probed(&later).number == first && probed(&later).place != begun.place);
    let (second, at) = place(&later, 1);
    assert_eq!(probed(&probe_at(&mut stage, at)).number, second);
    // On an empty line of sight the probe stays with the individual before.
    assert_eq!(probed(&probe_at(&mut stage, [-50.0, 0.0])).number, second);
    stage.handle(Command::Probe(None, None));
    assert!(stage.snapshot().probed_individual.is_none());
}

#[test]
fn the_probe_tells_how_old_a_life_is_and_whose_child() {
    let quick = ["lives.dna.appetite=60", "lives.starvation=90", "lives.perishing=4", "species[0].lives.mutation=0.1"];
    let scene = scene("chase", 64);
    let overrides = Overrides { set: quick.map(String::from).to_vec(), ..scene.overrides.clone() };
    let mut stage = Stage::new(Scene { overrides, ..scene });
    stage.play(5);
    // Looks down at the place of the individual `index`, and probes the individual that is seen there.
    let probed = |stage: &mut Stage, seen: &Snapshot, index: usize| {
        let Some(IndividualsSource::Memory(individuals)) = &seen.individuals else { panic!("they are in memory") };
        let [x, y, _] = individuals.position(index).map(|along| along as f32 / 65_536.0);
        let line = LineOfSight { from: [x, y, 99.0], ahead: [0.0, 0.0, -1.0], length: 99.0, radius: 0.02, spread: 0.0 };
        stage.handle(Command::Probe(Some(ProbeTarget::Individual(line)), None));
        let snapshot = stage.snapshot();
        let life = snapshot.probed_individual.as_ref().unwrap().individual.life.unwrap();
        (life, snapshot)
    };
    let seen = stage.snapshot();
    let first = probed(&mut stage, &seen, 0).1;
    let expected = LifeOrigin { born: 5, is_older: true, parent: None };
    assert_eq!(first.origin_of_life, Some(expected), "it lived before anybody looked");
    let count = (first.account.quanta / u64::from(BOID)) as usize;
    let all: Vec<_> = (0..count).map(|index| probed(&mut stage, &seen, index)).collect();
    let names: BTreeSet<&str> = all.iter().map(|(life, seen)| seen.info.features.species_of(life).unwrap()).collect();
    assert_eq!(names.into_iter().collect::<Vec<_>>(), ["herring", "tuna"]);
    let ranges: BTreeSet<_> =
        all.iter().map(|(life, seen)| seen.info.features.rules_of(life).unwrap().traits).collect();
    assert_eq!(ranges.len(), 2, "each species has ranges of its own");
    stage.play(120);
    let seen = stage.snapshot();
    let step = seen.step;
    let later: Vec<_> = (0..count).filter_map(|index| probed(&mut stage, &seen, index).1.origin_of_life).collect();
    assert!(later.iter().all(|origin| (5..=step).contains(&origin.born) && origin.is_older == (origin.born == 5)));
    assert!(later.iter().any(|origin| origin.parent.is_some() && origin.born > 5), "nobody was born");
    // The age of the probed individual grows without another command. If its life ends, the probe shows its next life.
    let told = |seen: &Snapshot| (seen.probed_individual.as_ref().unwrap().clone(), seen.origin_of_life.unwrap());
    stage.play(1);
    let (mut before, mut origin) = told(&stage.snapshot());
    for _ in 0..40 {
        stage.play(1);
        let (now, next) = told(&stage.snapshot());
        assert_eq!((now.individual.number, now.step), (before.individual.number, before.step + 1));
        assert!(next == origin || next.born == now.step && !next.is_older, "{origin:?} and {next:?}");
        (before, origin) = (now, next);
    }
}
