//! Points: equal on every engine, kept by checkpoints, undo and recovery, and not part of the state.

use crate::support::adapter::shared;
use crate::support::size;
use murmuration::host::SharedHost;
use murmuration_core::engine::Dispatch;
use murmuration_core::points::{Blocks, Points, PointsReading, tolerance};
use murmuration_core::preset::{Overrides, Preset};
use murmuration_core::simulation::checkpoint::{Checkpoint, CheckpointReading};
use murmuration_core::simulation::{EngineChoice, Input, Simulation};
use murmuration_core::world::{Edges, World};
use std::collections::{HashMap, HashSet};

const CPU: EngineChoice =
    EngineChoice::Cpu(murmuration_core::engine::cpu::Options { threads: None, instruction_set: None });
const COMPUTE: EngineChoice = EngineChoice::Gpu(Dispatch::Compute { workgroup: [64, 1] });

/// A solid in the middle of a deep world.
const DEEP_SOLID: &str = "world.solid=[{ ball = { at = [0.5, 0.5, 0.5], radius = 0.15 } }]";

fn simulation(name: &str, settings: &[&str], engine: EngineChoice) -> Simulation {
    simulation_of(murmuration::host(), name, settings, engine)
}

fn simulation_of(host: &SharedHost, name: &str, settings: &[&str], engine: EngineChoice) -> Simulation {
    let set = settings.iter().map(|setting| setting.to_string()).collect();
    let is_deep = crate::support::scenes::deep_presets().any(|deep| deep == name);
    let (size, depth) = if is_deep { ((25, 20), Some(17)) } else { ((75, 50), None) };
    let overrides = Overrides { size: Some(size), depth, set, ..Overrides::default() };
    begin(Preset::load(host, name, &overrides).unwrap(), engine)
}

fn begin(preset: Preset, engine: EngineChoice) -> Simulation {
    let chain = preset.load_chain(None).unwrap();
    let mut simulation = Simulation::new(preset, &chain, engine).unwrap();
    simulation.keep_points().unwrap();
    simulation
}

fn points(simulation: &mut Simulation) -> Points {
    simulation.read(PointsReading).unwrap().expect("points are kept")
}

#[test]
fn points_are_the_same_on_all_engines_over_200_steps() {
    if shared("points on the device").is_none() {
        return;
    }
    let cases: [(&str, &[&str], usize); 4] = [
        ("droplets", &[], size(5, 6)),
        ("lagoon", &[], size(4, 5)),
        ("shoals", &["look.points=200"], size(4, 5)),
        ("paper", &["look.points=90"], size(4, 5)),
    ];
    for (index, (name, settings, parts)) in cases.into_iter().enumerate() {
        let engines = [CPU, [COMPUTE, EngineChoice::Gpu(Dispatch::Fragment)][index % 2]];
        same_over(&PARTS[..parts], name, &mut engines.map(|engine| simulation(name, settings, engine)));
    }
}

/// A deep world with a solid and falcons. The density of its boids is four times the density of the preset.
#[test]
fn deep_points_are_the_same_on_all_engines_over_200_steps() {
    if shared("points in space on the device").is_none() {
        return;
    }
    let set = ["start.run_in=0", "start.boids=719", DEEP_SOLID].map(String::from).to_vec();
    let overrides = Overrides { size: Some((17, 13)), depth: Some(9), set, ..Overrides::default() };
    let begin = |engine| begin(Preset::load(murmuration::host(), "murmuration", &overrides).unwrap(), engine);
    same_over(&PARTS[..size(4, 6)], "murmuration", &mut [CPU, COMPUTE].map(begin));
}

/// The numbers of steps from one check to the next: together 200, and the first five together 100.
const PARTS: [u64; 6] = [0, 1, 2, 30, 67, 100];

fn same_over(parts: &[u64], name: &str, simulations: &mut [Simulation]) {
    let mut places = 0;
    for steps in parts {
        let mut all = simulations.iter_mut().map(|simulation| {
            simulation.advance(*steps).unwrap();
            (points(simulation), simulation.step())
        });
        let (expected, step) = all.next().expect("the first one");
        assert_eq!(u64::from(expected.parameters.step), step);
        for (points, _) in all {
            assert!(points == expected, "{name}: {} and {} points", points.list.len(), expected.list.len());
        }
        places += expected.list.len();
    }
    assert!(places > 300, "{name}: {places}");
}

#[test]
fn points_do_not_depend_on_pauses_and_the_state_does_not_depend_on_them() {
    let mut at_once = simulation("lagoon", &[], CPU);
    at_once.advance(150).unwrap();
    let mut step_by_step = simulation("lagoon", &[], CPU);
    for _ in 0..150 {
        step_by_step.advance(1).unwrap();
        points(&mut step_by_step);
    }
    assert_eq!(points(&mut at_once), points(&mut step_by_step));
    let preset = at_once.preset().clone();
    let chain = preset.load_chain(None).unwrap();
    let mut without = Simulation::new(preset, &chain, CPU).unwrap();
    without.advance(150).unwrap();
    assert!(without.read(PointsReading).unwrap().is_none());
    assert_eq!(without.state_hash().unwrap(), at_once.state_hash().unwrap());
}

/// Points are requested for the first time during the run, then dropped, and requested again. No state is read back.
#[test]
fn points_that_are_seeded_under_way_are_the_same_on_all_engines() {
    if shared("points that a device seeds").is_none() {
        return;
    }
    let lose = |simulation: &Simulation| simulation.gpu().into_iter().for_each(|gpu| gpu.lose());
    let fragment = EngineChoice::Gpu(Dispatch::Fragment);
    for (name, settings, engine) in [("lagoon", &["look.points=800"][..], fragment), ("smoke", &[DEEP_SOLID], COMPUTE)]
    {
        let mut ends = Vec::new();
        for engine in [CPU, engine] {
            let own_devices = murmuration::host::host_on_devices(murmuration::host::new_devices());
            let mut simulation = simulation_of(&own_devices, name, settings, engine);
            let mut seen = Vec::new();
            for losses in [false, true] {
                simulation.drop_points().unwrap();
                assert!(simulation.read(PointsReading).unwrap().is_none());
                let before = simulation.state_readbacks();
                simulation.advance(7).unwrap();
                simulation.keep_points().unwrap();
                let seeded = points(&mut simulation);
                assert_eq!(u64::from(seeded.parameters.step), simulation.step());
                assert!(seeded.list.len() > 100 && seeded.list.iter().all(|point| point.presence() == u16::MAX));
                simulation.advance(5).unwrap();
                assert_eq!(simulation.state_readbacks(), before, "{name}: the state was read back");
                if losses {
                    lose(&simulation);
                }
                simulation.advance(4).unwrap();
                seen.extend([seeded, points(&mut simulation)]);
            }
            ends.push((seen, simulation.state_hash().unwrap()));
        }
        assert!(ends[0] == ends[1], "{name}");
    }
}

/// A brush, a change of the engine, and a lost device.
#[test]
fn points_outlive_every_change() {
    let has_gpu = shared("points on the device").is_some();
    let engines = if has_gpu { vec![CPU, COMPUTE] } else { vec![CPU] };
    let mut ends = Vec::new();
    for engine in engines {
        // The device is lost here, so no other test may use it.
        let own_devices = murmuration::host::host_on_devices(murmuration::host::new_devices());
        let mut simulation = simulation_of(&own_devices, "droplets", &[], engine);
        simulation.advance(20).unwrap();
        let before = points(&mut simulation);
        let hash = simulation.state_hash().unwrap();
        simulation.apply(Input::Stroke).unwrap();
        simulation.apply(Input::Spawn { at: [20, 20].into(), radius: 5, boids: 900 }).unwrap();
        simulation.apply(Input::Solid { at: [50, 10].into(), radius: 4, solid: true }).unwrap();
        simulation.advance(20).unwrap();
        assert!(points(&mut simulation).list.len() > before.list.len() + 300);
        simulation.apply(Input::Undo).unwrap();
        assert_eq!(simulation.state_hash().unwrap(), hash);
        assert_eq!(points(&mut simulation), before);
        simulation.apply(Input::Set { key: "world.edges".into(), value: "walls".into() }).unwrap();
        simulation.advance(11).unwrap();
        if let Some(gpu) = simulation.gpu() {
            gpu.lose();
        }
        simulation.advance(9).unwrap();
        if has_gpu {
            simulation.switch(if engine == CPU { COMPUTE } else { CPU }).unwrap();
        }
        simulation.advance(10).unwrap();
        ends.push((points(&mut simulation), simulation.state_hash().unwrap()));
    }
    assert!(ends.iter().all(|end| *end == ends[0]));
}

#[test]
fn checkpoints_hold_points_and_where_there_are_none_they_are_seeded() {
    let mut simulation = simulation("lagoon", &[], CPU);
    simulation.advance(40).unwrap();
    let bytes = simulation.read(CheckpointReading).unwrap().to_bytes();
    let resume =
        |bytes: &[u8]| Simulation::resume(murmuration::host(), Checkpoint::from_bytes(bytes).unwrap(), CPU).unwrap();
    let mut resumed = resume(&bytes);
    assert_eq!(points(&mut resumed), points(&mut simulation));
    for simulation in [&mut resumed, &mut simulation] {
        simulation.advance(25).unwrap();
    }
    assert_eq!(points(&mut resumed), points(&mut simulation));

    // Points are seeded twice from a checkpoint without points. They are equal.
    let preset = simulation.preset().clone();
    let chain = preset.load_chain(None).unwrap();
    let mut without = Simulation::new(preset, &chain, CPU).unwrap();
    without.advance(40).unwrap();
    let bytes = without.read(CheckpointReading).unwrap().to_bytes();
    let [first, second] = [0, 1].map(|_| {
        let mut resumed = resume(&bytes);
        resumed.keep_points().unwrap();
        resumed.advance(5).unwrap();
        points(&mut resumed)
    });
    assert_eq!(first, second);
    assert!(first.list.len() > 500);

    // A byte of a point is moved. The hash is recomputed, so that only the order is wrong.
    let mut cut = simulation.read(CheckpointReading).unwrap().to_bytes();
    let end = cut.len() - 32;
    cut[end - 24..end - 20].copy_from_slice(&(-1i32).to_le_bytes());
    let hash = blake3::hash(&cut[..end]);
    cut[end..].copy_from_slice(hash.as_bytes());
    let wrong = Checkpoint::from_bytes(&cut).unwrap_err();
    assert!(wrong.contains("points"), "{wrong}");
}

#[test]
fn the_budget_of_points_is_a_key_that_changes_under_way() {
    let mut simulation = simulation("droplets", &[], CPU);
    let set = |simulation: &mut Simulation, value: &str| {
        simulation.apply(Input::Set { key: "look.points".into(), value: value.into() })
    };
    simulation.advance(10).unwrap();
    let all = points(&mut simulation);
    assert_eq!(all.boids_each(), 1);
    set(&mut simulation, "300").unwrap();
    let before = points(&mut simulation);
    assert_eq!(before.list, all.list, "they leave softly");
    simulation.advance(30).unwrap();
    let fewer = points(&mut simulation);
    assert!(fewer.boids_each() > 2 && fewer.list.len() < 600, "{}", fewer.list.len());
    set(&mut simulation, "0").unwrap();
    assert!(simulation.read(PointsReading).unwrap().is_none());
    set(&mut simulation, "120000").unwrap();
    assert!(points(&mut simulation).list.len() > 500);
    for wrong in ["-1", "4194305", "1.5", "many"] {
        let message = set(&mut simulation, wrong).unwrap_err().to_string();
        assert!(message.contains("look.points"), "{message}");
    }
}

/// In each block the number of points follows the number of boids.
#[test]
fn points_are_as_many_as_boids() {
    for (name, settings) in [("simmer", &[][..]), ("smoke", &[DEEP_SOLID])] {
        let mut simulation = simulation(name, settings, CPU);
        simulation.advance(200).unwrap();
        let (state, points) = (simulation.state().unwrap(), points(&mut simulation));
        let solids = simulation.preset().world.solids.clone();
        let is_solid = |index: usize| solids.get(index).is_some_and(|solid| *solid);
        let blocks = Blocks::new(state.extents);
        let (mut quanta, mut counts) = (vec![0u64; blocks.count()], vec![0u64; blocks.count()]);
        for (index, density) in state.layers[0].density.iter().enumerate().filter(|(index, _)| !is_solid(*index)) {
            quanta[blocks.index(state.extents.cell(index)) as usize] += u64::from(*density);
        }
        for point in points.list.iter().filter(|point| !point.leaves()) {
            counts[blocks.index_at(point.place()) as usize] += 1;
        }
        let each = u64::from(points.boids_each());
        for (quanta, count) in quanta.into_iter().zip(counts) {
            // The number is rounded down or up by the random number of the block.
            let whole = (quanta >> 16) / each;
            let least = whole.saturating_sub(u64::from(tolerance(whole as u32)));
            let most = whole + 1 + u64::from(tolerance(whole as u32 + 1));
            assert!((least..=most).contains(&count), "{name}: {count} points for {whole} boids");
        }
        let staying = points.list.iter().filter(|point| !point.leaves()).count() as f64;
        let boids = state.total() as f64 / 65536.0;
        // In each step 1/64 of the difference between points and boids of a block is corrected. So the points lag
        // behind boids that move between blocks.
        assert!((staying / boids - 1.0).abs() < 0.1, "{name}: {staying} points for {boids} boids");
    }
}

/// The visible life of a point in a flying swarm, over 300 steps. The point appears and disappears over 16 steps, lives
/// long, and is never in a solid.
#[test]
fn points_live_for_long_and_change_softly() {
    // In a small sky full of falcons points change with the crowds. In a calm sky they stay, as in the preset's full
    // sky.
    let calm = ["hunter[0].reach=4", DEEP_SOLID];
    let hunted = ["start.run_in=0", DEEP_SOLID];
    for (name, settings, life) in [("lagoon", &[][..], 200), ("veils", &calm, 150), ("murmuration", &hunted, 20)] {
        let mut simulation = simulation(name, settings, CPU);
        let World { extents, solids, .. } = simulation.preset().world.clone();
        let ends = extents.along_axes().map(|extent| (extent as i32) << 16);
        simulation.advance(20).unwrap();
        let mut before = points(&mut simulation).list;
        let (mut seen, mut born) = (0, 0);
        for step in 0..300 {
            simulation.advance(1).unwrap();
            let now = points(&mut simulation).list;
            let known: HashMap<_, _> = before.iter().map(|point| ((point.key(), point.place()), point)).collect();
            let mut gone: HashSet<_> = known.keys().copied().collect();
            for point in &now {
                let cell = point.place().map(|along| along >> 16);
                let index = extents.deep_index(cell, Edges::Walls).expect("it is on the lattice");
                assert!(!solids[index], "{name}, step {step}: {point:?} is in a solid");
                let velocity = point.velocity();
                let was = [0, 1, 2].map(|axis| (point.place()[axis] - 4 * velocity[axis]).rem_euclid(ends[axis]));
                seen += 1;
                match known.get(&(point.key(), was)) {
                    Some(old) => {
                        assert!(old.presence().abs_diff(point.presence()) <= 4096, "{name}: {old:?} becomes {point:?}");
                        assert!(point.leaves() || !old.leaves(), "{name}: {old:?} comes back as {point:?}");
                        gone.remove(&(point.key(), was));
                    }
                    None => {
                        assert_eq!(point.presence(), 4096, "{name}: {point:?} is there at once");
                        born += 1;
                    }
                }
            }
            for key in gone {
                assert!(known[&key].presence() <= 4096, "{name}, step {step}: {:?} is gone at once", known[&key]);
            }
            before = now;
        }
        assert!(seen > 200_000 && born * life < seen, "{name}: {born} were born among {seen}");
    }
}
