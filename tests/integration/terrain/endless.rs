//! Worlds without end: the window follows the school, and the rock is a function of the place. The run is equal on
//! every engine and for every size of batches.

use crate::input::bad_input::is_refused;
use crate::support::adapter;
use crate::support::command::Folder;
use murmuration_core::engine::{Dispatch, cpu};
use murmuration_core::preset::{Overrides, Preset};
use murmuration_core::simulation::checkpoint::CheckpointReading;
use murmuration_core::simulation::replay::ReplayReading;
use murmuration_core::simulation::{EngineChoice, Input, Pointer, Simulation};
use murmuration_core::state::{Entry, Swarm};
use murmuration_core::world::{MAX_ORIGIN, Mood, PARTS, Place, WINDOW_CHUNK, WINDOW_INTERVAL, Window};
use std::collections::BTreeMap;

/// Fish that follow a hunter at the rim of their window. The rim moves with the fish, so they travel for ever.
const TRAVEL: &str = "description = \"x\"\nmodel = \"agents\"\nseed = 7\n\
    [world]\nsize = [96, 48, 40]\nedges = \"endless\"\n\
    [world.terrain]\nscale = 12\noctaves = 2\nthreshold = 0.45\n\
    [agents]\nrules = \"aquarium\"\n\
    [start]\nboids = 150\nshape = \"blobs\"\nat = [0.5, 0.5]\nradius = 0.2\nheadings = \"random\"\n\
    [sight]\ncohesion = { disc = 5 }\nseparation = { disc = 2 }\nalignment = { disc = 5 }\n\
    [weights]\ncohesion = 0.002\nseparation = 0.02\nalignment = 0.05\navoidance = 0.5\nhunter = 0.3\n\
    [avoidance]\nrays = 40\nreach = 5\nclearance = 1\n\
    [movement]\nmin = 1.0\nmax = 2.0\n\
    [[hunter]]\nmood = \"follow\"\nat = [0.97, 0.5]\nreach = 255\n";
const FALCON: &str = "[[hunter]]\nkind = \"falcon\"\nreach = 6\njaws = 1\nrest = 20\n";

fn preset_of(text: &str, set: &[&str]) -> Result<Preset, String> {
    let overrides = Overrides { set: set.iter().map(|set| (*set).to_owned()).collect(), ..Overrides::default() };
    Preset::from_text(murmuration::host(), "reef.toml", text, &overrides).map_err(|wrong| wrong.to_string())
}

fn begin(text: &str, set: &[&str], choice: EngineChoice) -> Simulation {
    let preset = preset_of(text, set).unwrap_or_else(|wrong| panic!("{wrong}"));
    let chain = preset.load_chain(None).unwrap();
    Simulation::new(preset, &chain, choice).unwrap_or_else(|failure| panic!("{failure}"))
}

fn processor(threads: usize) -> EngineChoice {
    EngineChoice::Cpu(cpu::Options { threads: Some(threads), instruction_set: None })
}

const GPU: EngineChoice = EngineChoice::Gpu(Dispatch::Compute { workgroup: [64, 1] });

fn window(simulation: &Simulation) -> Window {
    simulation.preset().world.window.unwrap()
}

fn set(key: &str, value: &str) -> Input {
    Input::Set { key: key.into(), value: value.into() }
}

/// Checks that no individual is missing, outside of the window or in rock, and that the rock is a function of the
/// place.
fn check(simulation: &mut Simulation) {
    assert_eq!(simulation.account().unwrap().lost, 0);
    let swarm = simulation.swarm().unwrap();
    assert_eq!(simulation.rock_measures(&swarm).unwrap().in_rock, 0);
    let Swarm::Individuals(individuals, columns) = swarm else { panic!("a swarm of cells") };
    let Window { first, origin } = window(simulation);
    assert_eq!(columns.origin(), Some(origin));
    for axis in 0..3 {
        let extent = [96, 48, 40][axis] << 16;
        assert!(individuals.positions[axis].iter().all(|place| (0..extent).contains(place)));
        assert_eq!((origin[axis] - first[axis]) % i64::from(WINDOW_CHUNK), 0);
    }
    let at = simulation.preset().text_of("world.terrain.at").map_or([0; 3], |text| {
        let mut numbers = text.trim_matches(['[', ']']).split(',').map(|number| number.trim().parse::<i64>().unwrap());
        [0; 3].map(|_| numbers.next().unwrap())
    });
    let place = [0, 1, 2].map(|axis| origin[axis] + at[axis]);
    let there = preset_of(TRAVEL, &[&format!("world.terrain.at={place:?}")]).unwrap();
    assert_eq!(simulation.preset().world.rock, there.world.rock, "{origin:?}");
}

/// Plays until the first cell of the window reaches a place along x. Records the rock of each window.
fn travel_to(simulation: &mut Simulation, x: i64, rocks: &mut BTreeMap<i64, blake3::Hash>) {
    let is_ahead = x > window(simulation).origin[0];
    simulation.apply(set("hunter[0].at", if is_ahead { "[0.97, 0.5]" } else { "[0.02, 0.5]" })).unwrap();
    let begun = simulation.step();
    while (window(simulation).origin[0] < x) == is_ahead && window(simulation).origin[0] != x {
        simulation.advance(WINDOW_INTERVAL).unwrap();
        let Window { origin, .. } = window(simulation);
        let values = &simulation.preset().world.rock.as_ref().unwrap().values;
        if origin[0] % 1024 == 0 || origin[0].abs() < 100 {
            let hash = blake3::hash(&values.iter().flat_map(|value| value.to_le_bytes()).collect::<Vec<_>>());
            assert_eq!(*rocks.entry(origin[0]).or_insert(hash), hash, "another rock at {origin:?}");
        }
        assert!(simulation.step() - begun < 200_000, "the school is stuck at {origin:?}");
    }
}

/// A school that returns finds the former rock.
#[test]
fn a_school_that_goes_far_away_and_comes_back_finds_the_same_rock() {
    let set = ["world.size=[96, 24, 16]", "start.boids=6", "world.terrain.octaves=1", "world.terrain.threshold=0.6"];
    let mut simulation = begin(TRAVEL, &set, processor(1));
    let first = simulation.preset().world.rock.clone();
    let mut rocks = BTreeMap::new();
    travel_to(&mut simulation, 50_000, &mut rocks);
    assert!(simulation.travelled().unwrap() > 49_900.0);
    let seen = rocks.len();
    assert!(seen > 45, "{seen} places");
    travel_to(&mut simulation, 0, &mut rocks);
    assert_eq!(window(&simulation).origin, [0; 3]);
    assert_eq!(simulation.preset().world.rock, first);
    let distinct: std::collections::BTreeSet<_> = rocks.values().map(|hash| *hash.as_bytes()).collect();
    assert_eq!(distinct.len(), rocks.len(), "the rock repeats");
    assert_eq!(simulation.account().unwrap().lost, 0);
}

/// A run far out equals the run at 0 with shifted noise, to the last bit: positions lose no precision.
#[test]
fn a_run_far_out_is_the_run_at_0_with_the_noise_shifted_along() {
    for far in [[1i64 << 39, 0, 0], [-(1 << 39), (1 << 39) + 17, 1 << 39], [5 - (1 << 40), 1, -7]] {
        let mut there = begin(TRAVEL, &[&format!("world.origin={far:?}")], processor(2));
        let mut here = begin(TRAVEL, &[&format!("world.terrain.at={far:?}")], processor(2));
        for _ in 0..10 {
            there.advance(25).unwrap();
            here.advance(25).unwrap();
            let swarms = [&mut there, &mut here].map(|one| one.swarm().unwrap());
            let [Swarm::Individuals(far_out, far_columns), Swarm::Individuals(near, near_columns)] = &swarms else {
                panic!("swarms of cells")
            };
            assert_eq!((&far_out.positions, &far_out.velocities), (&near.positions, &near.velocities), "{far:?}");
            let origin = near_columns.origin().unwrap();
            assert_eq!(far_columns.origin(), Some([0, 1, 2].map(|axis| origin[axis] + far[axis])));
            assert_ne!(swarms[0].hash(), swarms[1].hash());
        }
        check(&mut there);
        check(&mut here);
        assert!(window(&here).origin[0] >= 128, "{:?}", window(&here));
    }
}

/// The inputs of a player: hunting, brushes, an undo after the window has moved, and a changed key.
fn play(simulation: &mut Simulation, pace: u64) {
    let advance = |simulation: &mut Simulation, steps: u64| {
        for first in (0..steps).step_by(pace as usize) {
            simulation.advance(pace.min(steps - first)).unwrap();
        }
    };
    let pointer =
        |x, y| Some(Pointer { place: [x * PARTS, y * PARTS].into(), reach: 40, mood: Mood::Flee, weight: 2048 });
    advance(simulation, 70);
    simulation.apply(Input::Solid { at: [70, 24].into(), radius: 5, solid: true }).unwrap();
    simulation.apply(Input::Stroke).unwrap();
    simulation.apply(Input::Spawn { at: [40, 24].into(), radius: 9, boids: 40 }).unwrap();
    let before = window(simulation).origin;
    advance(simulation, 83);
    assert_ne!(window(simulation).origin, before, "the window has not moved");
    simulation.apply(Input::Undo).unwrap();
    assert_eq!(window(simulation).origin, before);
    advance(simulation, 21);
    simulation.apply(Input::Hunter(pointer(20, 20))).unwrap();
    simulation.apply(Input::Jaws(2)).unwrap();
    advance(simulation, 45);
    simulation.apply(Input::Hunter(None)).unwrap();
    simulation.apply(Input::Lift { at: [60, 24].into(), radius: 4 }).unwrap();
    simulation.apply(set("weights.cohesion", "0.004")).unwrap();
    advance(simulation, 90);
}

#[test]
fn every_engine_and_every_pace_plays_the_same() {
    let text = format!("{TRAVEL}{FALCON}");
    let mut ways = vec![(processor(1), 1), (processor(2), 1000), (processor(3), 7)];
    if adapter::shared("an endless world on the GPU").is_some() {
        ways.extend([(GPU, 1000), (GPU, 5)]);
    }
    let mut known = None;
    for (choice, pace) in ways {
        let mut simulation = begin(&text, &[], choice);
        play(&mut simulation, pace);
        check(&mut simulation);
        let Window { origin, .. } = window(&simulation);
        assert!(origin[0] >= 4 * i64::from(WINDOW_CHUNK), "{origin:?}");
        let account = simulation.account().unwrap();
        assert!(account.ledger.sum(Entry::Caught) > 0, "nobody was caught");
        let end = (simulation.state_hash().unwrap(), account, simulation.pointer().copied(), origin);
        assert_eq!(*known.get_or_insert(end.clone()), end, "{choice:?} at pace {pace}");
    }
}

#[test]
fn replays_and_checkpoints_go_on_in_the_same_window() {
    let folder = Folder::new();
    let text = format!("{TRAVEL}{FALCON}");
    let mut whole = begin(&text, &["world.origin=[1000000, -5, 3]"], processor(2));
    play(&mut whole, 1000);
    let replay = folder.join("run.json");
    murmuration::files::write_replay(&whole.read(ReplayReading).unwrap(), &replay).unwrap();
    let again = murmuration::files::read_replay(&replay).unwrap();
    let mut again = again.play(murmuration::host(), processor(1)).unwrap();
    assert_eq!(again.state_hash().unwrap(), whole.state_hash().unwrap());
    assert_eq!(again.preset().world, whole.preset().world);
    let checkpoint = folder.join("run.checkpoint");
    murmuration::files::save_checkpoint(&mut whole, &checkpoint).unwrap();
    let bytes = std::fs::read(&checkpoint).unwrap();
    assert_eq!(bytes[8..12], 8u32.to_le_bytes());
    let read = murmuration::files::read_checkpoint(&checkpoint).unwrap();
    let mut resumed = Simulation::resume(murmuration::host(), read, processor(1)).unwrap();
    assert_eq!(resumed.preset().world, whole.preset().world);
    assert_eq!(resumed.state_hash().unwrap(), whole.state_hash().unwrap());
    for simulation in [&mut whole, &mut resumed] {
        simulation.advance(150).unwrap();
        check(simulation);
    }
    assert_eq!(resumed.state_hash().unwrap(), whole.state_hash().unwrap());
    assert_eq!(resumed.account().unwrap(), whole.account().unwrap());
    // An origin that is not a multiple of chunks is impossible.
    let mut start = begin(&text, &[], processor(1));
    let mut bytes = start.read(CheckpointReading).unwrap().to_bytes();
    // The origin stands before the solids. Only the hash follows the solids.
    let end = bytes.len() - 32;
    let at = end - start.preset().world.extents.cells() - 24;
    assert_eq!(bytes[at..at + 24], [0; 24]);
    bytes[at] = 7;
    let hash = *blake3::hash(&bytes[..end]).as_bytes();
    bytes[end..].copy_from_slice(&hash);
    let read = murmuration_core::simulation::checkpoint::Checkpoint::from_bytes(&bytes).unwrap();
    let wrong = Simulation::resume(murmuration::host(), read, processor(1)).err().unwrap().to_string();
    assert!(wrong.contains("its origin is not its preset's"), "{wrong}");
}

/// A device that is lost between two moves of the window or just after one changes nothing.
#[test]
fn a_lost_device_costs_nothing_on_the_way() {
    if adapter::shared("an endless world on the GPU").is_none() {
        return;
    }
    let mut steady = begin(TRAVEL, &[], processor(2));
    // The device is lost here, so no other test may use it.
    let own_devices = murmuration::host::host_on_devices(murmuration::host::new_devices());
    let preset = Preset::from_text(&own_devices, "reef.toml", TRAVEL, &Overrides::default()).unwrap();
    let chain = preset.load_chain(None).unwrap();
    let mut lost = Simulation::new(preset, &chain, GPU).unwrap();
    for steps in [70, 26, 16, 40] {
        steady.advance(steps).unwrap();
        lost.advance(steps).unwrap();
        if let Some(gpu) = lost.gpu() {
            gpu.lose();
        }
    }
    assert_eq!(lost.state_hash().unwrap(), steady.state_hash().unwrap());
    assert!(window(&lost).origin[0] > 64 && !lost.remarks().is_empty());
    check(&mut lost);
}

/// Painted columns and the player's hunter keep their places in the world. Columns that the window leaves are gone.
#[test]
fn what_was_painted_keeps_its_place_in_the_world() {
    let mut simulation = begin(TRAVEL, &[], processor(2));
    simulation.apply(Input::Solid { at: [80, 6].into(), radius: 2, solid: true }).unwrap();
    let column = |x: i64, y: i64| (y * 96 + x) as usize;
    let mut lasted = 0;
    while window(&simulation).origin[0] <= 96 {
        simulation
            .apply(Input::Hunter(Some(Pointer {
                place: Place::Deep([95 * PARTS, 24 * PARTS, 20 * PARTS]),
                reach: 200,
                mood: Mood::Follow,
                weight: 600,
            })))
            .unwrap();
        let before = window(&simulation).origin[0];
        simulation.advance(WINDOW_INTERVAL).unwrap();
        let Window { origin, .. } = window(&simulation);
        let x = 80 - origin[0];
        let solids = &simulation.preset().world.solids;
        if (0..96).contains(&x) {
            assert!(solids[column(x, 6)] && solids.iter().filter(|solid| **solid).count() <= 13);
        } else {
            assert!(!solids.contains(&true), "{origin:?}");
        }
        lasted += i64::from(origin[0] > 0 && (0..96).contains(&x));
        let pointer = simulation.pointer().unwrap().place.to_vector();
        assert_eq!(i64::from(pointer[0]), (95 - (origin[0] - before)) * i64::from(PARTS));
        assert!(simulation.step() < 5000, "stuck at {origin:?}");
    }
    assert!(lasted > 0);
    check(&mut simulation);
}

/// The device decides whether the window moves. Nothing is read back while it stays.
#[test]
fn a_window_that_stays_reads_nothing_back() {
    if adapter::shared("an endless world on the GPU").is_none() {
        return;
    }
    let mut simulation = begin(TRAVEL, &["hunter=[]"], GPU);
    simulation.advance(3 * WINDOW_INTERVAL).unwrap();
    assert_eq!((window(&simulation).origin, simulation.state_readbacks()), ([0; 3], 0));
    assert!(simulation.travelled().unwrap() > 0.0, "nobody looked where the school is");
}

/// At the maximum origin the window stops, and its rim turns the school.
#[test]
fn the_window_stops_at_the_end_of_the_world() {
    let origin = MAX_ORIGIN - 80;
    let mut simulation = begin(TRAVEL, &[&format!("world.origin=[{origin}, 0, 0]")], processor(2));
    simulation.advance(400).unwrap();
    assert_eq!(window(&simulation).origin, [origin + 64, 0, 0]);
    check(&mut simulation);
}

/// The eye of pictures follows the school without a jump when the window moves.
#[test]
fn the_school_of_pictures_moves_without_a_jump() {
    let view = ["look.eye=[0.5, 0.9, 0.9]", "look.target=[0.5, 0.3, 0.4]"];
    let mut simulation = begin(TRAVEL, &view, processor(2));
    let mut moves = 0;
    let place = |simulation: &Simulation| {
        let (school, origin) = (simulation.school().unwrap(), window(simulation).origin);
        let [eye, target] = simulation.look().view.unwrap();
        let extents = [96.0, 48.0, 40.0];
        for axis in 0..3 {
            let away = (eye[axis] - target[axis]) * extents[axis];
            let own = ([0.5f32, 0.9, 0.9][axis] - [0.5, 0.3, 0.4][axis]) * extents[axis];
            assert!((away - own).abs() < 1e-3);
        }
        [0, 1, 2].map(|axis| f64::from(school[axis]) + origin[axis] as f64)
    };
    let mut last = place(&simulation);
    for _ in 0..300 {
        let before = window(&simulation).origin;
        simulation.advance(1).unwrap();
        moves += i32::from(window(&simulation).origin != before);
        let now = place(&simulation);
        // The maximum speed is 2 cells a step, so the mean is no faster.
        assert!((0..3).all(|axis| (now[axis] - last[axis]).abs() < 2.01), "{last:?} {now:?}");
        last = now;
    }
    assert!(moves > 4 && last[0] > 150.0, "{moves} {last:?}");
}

/// A preset saved during the run starts in the present window, among painted columns.
#[test]
fn a_saved_preset_begins_where_the_window_is() {
    let folder = Folder::new();
    for is_painted in [false, true] {
        let mut simulation = begin(TRAVEL, &[], processor(2));
        simulation.advance(200).unwrap();
        if is_painted {
            simulation.apply(Input::Solid { at: [50, 24].into(), radius: 4, solid: true }).unwrap();
        }
        let saved = murmuration::files::save_preset(simulation.preset(), "agents-grid", folder.path()).unwrap();
        let again = Preset::load(murmuration::host(), saved.preset.to_str().unwrap(), &Overrides::default()).unwrap();
        let Window { origin, .. } = window(&simulation);
        assert_ne!(origin, [0; 3]);
        assert_eq!(again.world.window, Some(Window { first: origin, origin }));
        assert_eq!(again.world.rock, simulation.preset().world.rock);
        assert_eq!(saved.mask.is_some(), is_painted);
    }
}

#[test]
fn what_an_endless_world_cannot_have_is_refused() {
    let refused = |set: &[&str], says: &str| {
        let wrong = preset_of(TRAVEL, set).err().unwrap_or_else(|| panic!("{set:?} is taken"));
        assert!(wrong.contains(says), "{set:?}: {wrong}");
    };
    refused(&["world.terrain.closed=true"], "world.terrain.closed: an endless world has no outermost layer; remove it");
    refused(
        &["world.size=[96, 48]", "world.terrain={}"],
        "reef.toml:6: world.edges: is of deep worlds, and this one is flat",
    );
    refused(
        &["world.terrain={ base = \"file\", file = \"a.npy\" }"],
        "ends where its voxels end, and the world does not",
    );
    let shape = "world.terrain.shape=[{ sphere = { at = [0.5, 0.5, 0.5], radius = 0.1 } }]";
    refused(&[shape], "world.terrain.shape: lies at fractions of the extents, which an endless world lacks");
    refused(&["world.origin=[2199023255552, 0, 0]"], "must be from -1099511627776 to 1099511627776");
    refused(&["world.origin=[1, 2]"], "world.origin: invalid length 2; expected a list of 3 numbers");
    let walled = ["world.edges=walls", "world.origin=[1, 2, 3]"];
    refused(&walled, "world.origin: means nothing with this world.edges");
    // During a run a world cannot become endless or finite.
    let mut endless = begin(TRAVEL, &[], processor(1));
    let wrong = endless.apply(set("world.edges", "walls")).err().unwrap().to_string();
    assert!(wrong.contains("has another end, origin or rock than the swarm's world; restart it"), "{wrong}");
    let folder = Folder::new();
    let cells = "description = \"x\"\n[world]\nsize = [32, 32, 32]\nedges = \"endless\"\n[start]\nboids = 9\n\
        [sight.cohesion]\nball = 3\n[sight.separation]\nball = 3\n[sight.alignment]\nball = 3\n[weights]\n\
        cohesion = 1\n";
    folder.write("cells.toml", cells);
    let says =
        "cells.toml:4: world.edges: cells lie on a lattice, which does not move: their world has an end; say \"torus\"";
    is_refused(&folder, &["check", "cells.toml"], &[says]);
}

/// `--every`, frames and the pace of the engine change nothing, and the result contains the origin of the window.
#[test]
fn the_command_line_says_where_the_window_is() {
    let folder = Folder::new();
    folder.write("reef.toml", TRAVEL);
    let result = |every: &str| {
        let args = [
            "render",
            "reef.toml",
            "--engine",
            "cpu",
            "--steps",
            "200",
            "--metrics",
            "m.csv",
            "--every",
            every,
            "--json",
        ];
        let mut object = folder.run(&args).object();
        object
            .as_object_mut()
            .unwrap()
            .retain(|key, _| ["origin", "state_hash", "lost", "in_rock"].contains(&key.as_str()));
        object
    };
    let known = result("200");
    assert_eq!((&known["lost"], &known["in_rock"]), (&0.into(), &0.into()));
    let origin = known["origin"][0].as_i64().unwrap();
    assert!(origin >= 64 && origin % 32 == 0, "{known}");
    let table = std::fs::read_to_string(folder.join("m.csv")).unwrap();
    let column = table.lines().next().unwrap().split(',').position(|name| name == "centre_x").unwrap();
    let centre: f64 = table.lines().last().unwrap().split(',').nth(column).unwrap().parse().unwrap();
    assert!((origin as f64..origin as f64 + 96.0).contains(&centre), "{centre}");
    assert_eq!(result("7"), known);
}
