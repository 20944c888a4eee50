//! Points: the same set on every engine, kept by checkpoints, undo and recovery, and unknown to the state.

use crate::adapter::shared;
use murmuration::engine::Dispatch;
use murmuration::host::SharedHost;
use murmuration::points::{Blocks, Points, tolerance};
use murmuration::preset::{Overrides, Preset};
use murmuration::simulation::checkpoint::Checkpoint;
use murmuration::simulation::{EngineChoice, Input, Simulation};

const CPU: EngineChoice = EngineChoice::Cpu(murmuration::engine::cpu::Options { threads: None, instruction_set: None });
const COMPUTE: EngineChoice = EngineChoice::Gpu(Dispatch::Compute { workgroup: [64, 1] });

fn simulation(name: &str, settings: &[&str], engine: EngineChoice) -> Simulation {
    simulation_of(murmuration::host(), name, settings, engine)
}

fn simulation_of(host: &SharedHost, name: &str, settings: &[&str], engine: EngineChoice) -> Simulation {
    let set = settings.iter().map(|setting| setting.to_string()).collect();
    let overrides = Overrides { size: Some((75, 50)), set, ..Overrides::default() };
    let preset = Preset::load(host, name, &overrides).unwrap();
    let chain = preset.load_chain(None).unwrap();
    let mut simulation = Simulation::new(preset, &chain, engine).unwrap();
    simulation.keep_points().unwrap();
    simulation
}

fn points(simulation: &mut Simulation) -> Points {
    simulation.points().unwrap().expect("points are kept")
}

#[test]
fn points_are_the_same_on_all_engines_over_300_steps() {
    if shared("points on the device").is_none() {
        return;
    }
    let cases: [(&str, &[&str]); 4] =
        [("droplets", &[]), ("lagoon", &[]), ("shoals", &["look.points=200"]), ("paper", &["look.points=90"])];
    for (index, (name, settings)) in cases.into_iter().enumerate() {
        let engines = [CPU, [COMPUTE, EngineChoice::Gpu(Dispatch::Fragment)][index % 2]];
        let mut simulations = engines.map(|engine| simulation(name, settings, engine));
        let mut places = 0;
        for steps in [0, 1, 2, 30, 67, 100, 100] {
            let [cpu, gpu] = simulations.each_mut().map(|simulation| {
                simulation.advance(steps).unwrap();
                points(simulation)
            });
            assert_eq!(u64::from(cpu.parameters.step), simulations[0].step());
            assert!(cpu == gpu, "{name}: {} and {} points", cpu.list.len(), gpu.list.len());
            places += cpu.list.len();
        }
        assert!(places > 300, "{name}: {places}");
    }
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
    assert!(without.points().unwrap().is_none());
    assert_eq!(without.state_hash().unwrap(), at_once.state_hash().unwrap());
}

/// A brush, an engine that is changed, and a device that is lost.
#[test]
fn points_outlive_every_change() {
    let has_gpu = shared("points on the device").is_some();
    let engines = if has_gpu { vec![CPU, COMPUTE] } else { vec![CPU] };
    let mut ends = Vec::new();
    for engine in engines {
        // Nobody else loses the device.
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
    let bytes = simulation.checkpoint().unwrap().to_bytes();
    let resume =
        |bytes: &[u8]| Simulation::resume(murmuration::host(), Checkpoint::from_bytes(bytes).unwrap(), CPU).unwrap();
    let mut resumed = resume(&bytes);
    assert_eq!(points(&mut resumed), points(&mut simulation));
    for simulation in [&mut resumed, &mut simulation] {
        simulation.advance(25).unwrap();
    }
    assert_eq!(points(&mut resumed), points(&mut simulation));

    // Twice from a checkpoint without points: the same are seeded.
    let preset = simulation.preset().clone();
    let chain = preset.load_chain(None).unwrap();
    let mut without = Simulation::new(preset, &chain, CPU).unwrap();
    without.advance(40).unwrap();
    let bytes = without.checkpoint().unwrap().to_bytes();
    let [first, second] = [0, 1].map(|_| {
        let mut resumed = resume(&bytes);
        resumed.keep_points().unwrap();
        resumed.advance(5).unwrap();
        points(&mut resumed)
    });
    assert_eq!(first, second);
    assert!(first.list.len() > 500);

    // A byte of a point that is out of its place: the hash is made anew, so that only the order is wrong.
    let mut cut = simulation.checkpoint().unwrap().to_bytes();
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
    assert!(simulation.points().unwrap().is_none());
    set(&mut simulation, "120000").unwrap();
    assert!(points(&mut simulation).list.len() > 500);
    for wrong in ["-1", "4194305", "1.5", "many"] {
        let message = set(&mut simulation, wrong).unwrap_err().to_string();
        assert!(message.contains("look.points"), "{message}");
    }
}

/// In a swarm that moves, block by block.
#[test]
fn points_are_as_many_as_boids() {
    let mut simulation = simulation("simmer", &[], CPU);
    simulation.advance(200).unwrap();
    let (state, points) = (simulation.state().unwrap(), points(&mut simulation));
    let blocks = Blocks::new(state.extents);
    let (mut quanta, mut counts) = (vec![0u64; blocks.count()], vec![0u64; blocks.count()]);
    for (index, density) in state.density.iter().enumerate() {
        let width = state.extents.width as usize;
        let cell = [(index % width) as i32, (index / width) as i32, 0];
        quanta[blocks.index(cell) as usize] += u64::from(*density);
    }
    for point in points.list.iter().filter(|point| !point.leaves()) {
        counts[blocks.index_at(point.place()) as usize] += 1;
    }
    for (quanta, count) in quanta.into_iter().zip(counts) {
        // Rounded down or up by the random number of the block.
        let whole = quanta >> 16;
        let least = whole.saturating_sub(u64::from(tolerance(whole as u32)));
        let most = whole + 1 + u64::from(tolerance(whole as u32 + 1));
        assert!((least..=most).contains(&count), "{count} points for {whole} boids");
    }
    let staying = points.list.iter().filter(|point| !point.leaves()).count() as f64;
    let boids = state.total() as f64 / 65536.0;
    // A 64th of a difference is made up for in each step, so the sum lags behind a swarm that moves from block to block.
    assert!((staying / boids - 1.0).abs() < 0.1, "{staying} points for {boids} boids");
}
