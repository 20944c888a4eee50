//! Obstacles of a game: equal on every engine, removed without a trace, in checkpoints, replays and snapshots.

use crate::support::adapter::shared;
use murmuration_core::engine::Dispatch;
use murmuration_core::preset::{Overrides, Preset};
use murmuration_core::simulation::checkpoint::Checkpoint;
use murmuration_core::simulation::reading::{CheckpointReading, ReplayReading};
use murmuration_core::simulation::replay::Playback;
use murmuration_core::simulation::{EngineChoice, Input, Simulation};
use murmuration_core::state::Swarm;
use murmuration_core::ticket::Patience;
use murmuration_core::world::PLACE_BITS;
use murmuration_core::world::obstacles::ObstacleShape;

const CPU: EngineChoice =
    EngineChoice::Cpu(murmuration_core::engine::cpu::Options { threads: None, instruction_set: None });
const GPU: EngineChoice = EngineChoice::Gpu(Dispatch::Compute { workgroup: [64, 1] });

fn simulation(name: &str, size: &[u32], choice: EngineChoice) -> Simulation {
    let set = vec!["start.run_in=0".into()];
    let (size, depth) = (size.first_chunk().map(|[width, height]| (*width, *height)), size.get(2).copied());
    let preset =
        Preset::load(murmuration::host(), name, &Overrides { size, depth, set, ..Overrides::default() }).unwrap();
    let chain = preset.load_chain(None).unwrap();
    Simulation::new(preset, &chain, choice).unwrap()
}

const SCENES: [(&str, &[u32]); 5] = [
    ("droplets", &[80, 60]),
    ("murmuration", &[33, 29, 23]),
    ("school", &[80, 60]),
    ("flock", &[60, 50, 40]),
    ("caves", &[40, 40, 48]),
];

fn put(simulation: &mut Simulation, number: u32, shape: Option<ObstacleShape>) {
    simulation.apply(Input::Obstacle { number, shape }).unwrap();
}

/// A moving ball, a rotated box that is added and removed repeatedly, and a piece of ground.
fn play(simulation: &mut Simulation, frames: std::ops::Range<u32>) {
    let [width, height, depth] = simulation.preset().space().extents.map(f64::from);
    for frame in frames {
        let middle = [width * (0.2 + 0.06 * f64::from(frame)), height / 2.0, depth / 2.0];
        put(simulation, 1, Some(ObstacleShape::ball(middle, 6.0)));
        if frame % 3 == 0 {
            let half_axes = [[7.0, 3.0, 0.0], [-1.5, 3.5, 0.0], [0.0, 0.0, 9.0]];
            let shape =
                (frame % 2 == 0).then(|| ObstacleShape::cuboid([width * 0.7, height * 0.3, depth * 0.4], half_axes));
            put(simulation, 2, shape);
        }
        if frame == 2 {
            let heights = (0..15 * 10).map(|cell| 16 * (3 + cell % 15)).collect();
            put(simulation, 900, Some(ObstacleShape::Heights { first: [-4, 20], width: 15, heights }));
        }
        if frame == 4 {
            simulation
                .apply(Input::Solid { at: [width as i32 / 2, height as i32 / 2].into(), radius: 5, solid: frame < 5 })
                .unwrap();
        }
        simulation.advance(4).unwrap();
    }
}

#[test]
fn every_engine_meets_the_same_obstacles_and_loses_nobody() {
    let has_gpu = shared("obstacles on a GPU").is_some();
    for (name, size) in SCENES {
        let mut on_cpu = simulation(name, size, CPU);
        let mut untouched = simulation(name, size, CPU);
        play(&mut on_cpu, 0..10);
        untouched.advance(40).unwrap();
        let hash = on_cpu.state_hash().unwrap();
        assert_ne!(hash, untouched.state_hash().unwrap(), "{name}: obstacles do nothing");
        assert_eq!(on_cpu.account().unwrap().lost, 0, "{name}");
        if has_gpu {
            let mut on_gpu = simulation(name, size, GPU);
            play(&mut on_gpu, 0..10);
            assert_eq!(on_gpu.state_hash().unwrap(), hash, "{name}");
        }
        // A replay, and a checkpoint during the run.
        let replay = on_cpu.read(ReplayReading).unwrap();
        let (preset, chain) = replay.load(murmuration::host()).unwrap();
        let mut replayed = Simulation::new(preset, &chain, CPU).unwrap();
        Playback::default().advance(&replay, &mut replayed, u64::MAX, Patience::Wait).unwrap();
        assert_eq!(replayed.state_hash().unwrap(), hash, "{name}: the replay");
        let mut begun = simulation(name, size, CPU);
        play(&mut begun, 0..5);
        let checkpoint = Checkpoint::from_bytes(&begun.read(CheckpointReading).unwrap().to_bytes()).unwrap();
        let mut resumed = Simulation::resume(murmuration::host(), checkpoint, CPU).unwrap();
        play(&mut resumed, 5..10);
        assert_eq!(resumed.state_hash().unwrap(), hash, "{name}: the checkpoint");
        let snapshot = begun.snapshot().unwrap();
        play(&mut begun, 7..9);
        put(&mut begun, 1, None);
        begun.restore(&snapshot).unwrap();
        play(&mut begun, 5..10);
        assert_eq!(begun.state_hash().unwrap(), hash, "{name}: the snapshot");
    }
}

#[test]
fn an_obstacle_that_is_gone_leaves_no_trace() {
    for (name, size) in SCENES {
        let mut swarm = simulation(name, size, CPU);
        let before = swarm.preset().world.clone();
        for number in 0..3 {
            let middle = [20.0 + 5.0 * f64::from(number), 15.0, 10.0];
            put(&mut swarm, number, Some(ObstacleShape::ball(middle, 7.0)));
        }
        let world = &swarm.preset().world;
        assert!(world.solids != before.solids || world.obstacles != before.obstacles, "{name}: nothing is covered");
        (0..3).for_each(|number| put(&mut swarm, number, None));
        let world = &swarm.preset().world;
        let solid = |solids: &[bool]| solids.iter().filter(|solid| **solid).count();
        assert_eq!(solid(&world.solids), solid(&before.solids), "{name}");
        assert_eq!((world.obstacles.len(), swarm.obstacles().is_empty()), (0, true), "{name}");
    }
}

#[test]
fn deep_individuals_keep_clear_of_a_shape() {
    let mut swarm = simulation("flock", &[60, 50, 40], CPU);
    let (middle, radius) = ([30.0, 25.0, 20.0], 9.0);
    put(&mut swarm, 5, Some(ObstacleShape::ball(middle, radius)));
    let mut nearest = f64::MAX;
    for _ in 0..20 {
        swarm.advance(10).unwrap();
        let Swarm::Individuals(individuals, _) = swarm.swarm().unwrap() else { panic!() };
        for index in 0..individuals.len() {
            let place = individuals.position(index).map(|along| f64::from(along >> PLACE_BITS) + 0.5);
            let square: f64 = (0..3).map(|axis| (place[axis] - middle[axis]).powi(2)).sum();
            nearest = nearest.min(square.sqrt());
        }
    }
    assert!(nearest > radius, "one is in a cell {nearest} away");
    assert!(nearest < radius + 6.0, "nobody comes near");
}

#[test]
fn an_endless_world_and_a_wrong_shape_refuse_and_change_nothing() {
    let mut reef = simulation("reef", &[], CPU);
    let hash = reef.state_hash().unwrap();
    let shape = Some(ObstacleShape::ball([9.0, 9.0, 9.0], 3.0));
    let refused = reef.apply(Input::Obstacle { number: 1, shape }).unwrap_err().to_string();
    assert!(refused.contains("endless"), "{refused}");
    assert_eq!((reef.state_hash().unwrap(), reef.inputs()), (hash, 0));
    let mut swarm = simulation("droplets", &[80, 60], CPU);
    let shape = Some(ObstacleShape::Heights { first: [0, 0], width: 7, heights: vec![0; 8] });
    swarm.apply(Input::Obstacle { number: 1, shape }).unwrap_err();
    assert!(swarm.obstacles().is_empty() && swarm.preset().world.solids.is_empty());
}
