//! Tests copies of the whole swarm with a device that answers late and is lost at different moments. Each copy must
//! belong to the step of its request.

use super::testing::{LateHost, options};
use crate::engine::Dispatch;
use crate::engine::platform::SharedHost;
use crate::error::Failure;
use crate::preset::{Overrides, Preset};
use crate::simulation::checkpoint::{Checkpoint, CheckpointReading};
use crate::simulation::reading::StateHashReading;
use crate::simulation::replay::{Replay, ReplayReading};
use crate::simulation::{EngineChoice, Input, Pointer, Simulation};
use crate::ticket::{Patience, Ticket};
use crate::world::Mood;
use std::sync::Arc;

const GPU: EngineChoice = EngineChoice::Gpu(Dispatch::Compute { workgroup: [64, 1] });
/// One preset each: a flat world, a deep world, several species, and individuals with lives.
const PRESETS: [&str; 4] = ["droplets", "veils", "three", "moods"];

fn simulation(host: &SharedHost, preset: &str, choice: EngineChoice) -> Simulation {
    let depth = if preset == "veils" { Some(8) } else { None };
    let overrides = Overrides { size: Some((24, 20)), depth, ..Overrides::default() };
    let preset = Preset::load(host, preset, &overrides).unwrap();
    let chain = preset.load_chain(None).unwrap();
    Simulation::new(preset, &chain, choice).unwrap()
}

fn on_processor(preset: &str) -> Simulation {
    simulation(crate::testing::host(), preset, EngineChoice::Cpu(options()))
}

/// The inputs that are applied before a round of steps.
fn inputs(round: usize) -> Vec<Input> {
    let pointer = Pointer { place: [300, 200].into(), reach: 12, mood: Mood::Follow, weight: 2048 };
    match round {
        1 => vec![Input::Hunter(Some(pointer)), Input::Jaws(4)],
        2 => vec![Input::Stroke, Input::Spawn { at: [10, 10].into(), radius: 3, boids: 40 }],
        3 => vec![Input::Set { key: "movement.keep".into(), value: "0.5".into() }],
        4 => vec![Input::Solid { at: [15, 10].into(), radius: 2, solid: true }],
        5 => vec![Input::Undo],
        6 => vec![Input::Lift { at: [5, 5].into(), radius: 2 }],
        7 => vec![Input::Set { key: "look.style".into(), value: "cloud".into() }],
        _ => Vec::new(),
    }
}

/// Applies the inputs of a round, and runs its steps. A preset may refuse an input.
fn play(simulation: &mut Simulation, round: usize) {
    for input in inputs(round) {
        match simulation.apply(input) {
            Ok(()) | Err(Failure::BadInput(_)) => {}
            Err(failure) => panic!("round {round}: {failure}"),
        }
    }
    // Some rounds have more steps than there are from one recovery point to the next.
    simulation.advance(if round % 4 == 3 { 70 } else { 3 }).unwrap();
    if round == 0 {
        simulation.keep_points().unwrap();
    }
}

const ROUNDS: usize = 9;

/// The results that can be requested at a step: the number of the step, the checkpoint, the replay and the hash.
type StepResults<T> = (u64, T, Replay, String);

/// The results of a run on the CPU.
fn expected(preset: &str) -> Vec<StepResults<Vec<u8>>> {
    let mut simulation = on_processor(preset);
    (0..ROUNDS)
        .map(|round| {
            play(&mut simulation, round);
            let checkpoint = simulation.read(CheckpointReading).unwrap().to_bytes();
            (simulation.step(), checkpoint, simulation.read(ReplayReading).unwrap(), simulation.state_hash().unwrap())
        })
        .collect()
}

struct Requests {
    checkpoint: Ticket<Checkpoint>,
    replay: Ticket<Replay>,
    hash: Ticket<String>,
}

impl Requests {
    fn of(simulation: &mut Simulation) -> Self {
        let checkpoint = simulation.request(CheckpointReading).unwrap();
        let replay = simulation.request(ReplayReading).unwrap();
        Self { checkpoint, replay, hash: simulation.request(StateHashReading).unwrap() }
    }
}

/// Polls a ticket until it has a value, as a window does. Lost devices are replaced meanwhile.
fn polled<T: Send + 'static>(simulation: &mut Simulation, mut ticket: Ticket<T>) -> T {
    for _ in 0..50 {
        if let Some(value) = ticket.poll().unwrap() {
            return value;
        }
        simulation.collect(Patience::Poll).unwrap();
    }
    panic!("it does not come");
}

#[test]
fn what_is_asked_for_is_of_its_step_whatever_comes_after() {
    for preset in PRESETS {
        let expected = expected(preset);
        let mut simulation = simulation(&(Arc::new(LateHost::default()) as SharedHost), preset, GPU);
        let mut asked = Vec::new();
        for (round, (step, ..)) in expected.iter().enumerate() {
            play(&mut simulation, round);
            assert_eq!(simulation.step(), *step);
            asked.push(Requests::of(&mut simulation));
            // All requests of a step share one copy. A copy is dropped with its last ticket.
            let copies = simulation.engine.pending.len();
            let readbacks = simulation.state_readbacks();
            drop(simulation.request(CheckpointReading).unwrap());
            assert_eq!((simulation.engine.pending.len(), simulation.state_readbacks()), (copies, readbacks));
            let held = simulation.engine.pending.iter().filter(|(_, copy)| copy.strong_count() > 0).count();
            assert!(held <= asked.len() + 1, "{held} copies of {} steps", asked.len());
        }
        for (Requests { checkpoint, replay, hash }, (step, bytes, run, state_hash)) in
            asked.into_iter().zip(expected).rev()
        {
            assert!(polled(&mut simulation, checkpoint).to_bytes() == bytes, "{preset}: checkpoint of step {step}");
            assert_eq!(polled(&mut simulation, replay), run, "{preset}: replay of step {step}");
            assert_eq!(polled(&mut simulation, hash), state_hash, "{preset}: hash of step {step}");
        }
        simulation.collect(Patience::Wait).unwrap();
        assert!(simulation.engine.pending.is_empty() && simulation.engine.next.is_none());
        assert!(simulation.remarks().is_empty());
    }
}

/// Each run loses the device once. The loss comes one touch of the device later than in the run before.
#[test]
fn what_is_asked_for_outlives_a_device_that_is_lost_at_any_touch() {
    for preset in PRESETS {
        let expected = expected(preset);
        let mut touches = 0;
        loop {
            let mut simulation = simulation(&(Arc::new(LateHost::default()) as SharedHost), preset, GPU);
            simulation.gpu().unwrap().lose_after(touches);
            let mut asked = Vec::new();
            for round in 0..ROUNDS {
                play(&mut simulation, round);
                let Requests { checkpoint, replay, hash } = Requests::of(&mut simulation);
                asked.push((checkpoint, hash));
                if round % 2 == 0 {
                    assert_eq!(polled(&mut simulation, replay), expected[round].2);
                }
            }
            for ((checkpoint, hash), (step, bytes, _, state_hash)) in asked.into_iter().zip(&expected) {
                let what = format!("{preset}: step {step}, lost at touch {touches}");
                assert!(polled(&mut simulation, checkpoint).to_bytes() == *bytes, "checkpoint of {what}");
                assert_eq!(&polled(&mut simulation, hash), state_hash, "hash of {what}");
            }
            let remarks = simulation.remarks();
            assert!(simulation.account().unwrap().lost == 0 && remarks.len() < 2, "{remarks:?}");
            if remarks.is_empty() {
                break;
            }
            touches += if touches < 24 { 1 } else { 11 };
        }
        assert!(touches > 100, "{preset}: {touches} touches");
    }
}

/// A recovery point is requested every few thousand steps. Steps do not wait for it, and the old recovery point remains
/// until it is ready.
#[test]
fn a_recovery_point_on_its_way_is_not_waited_for() {
    let host = Arc::new(LateHost::default());
    let shared: SharedHost = host.clone();
    let mut on_cpu = on_processor("droplets");
    let mut simulation = simulation(&shared, "droplets", GPU);
    let mut advance = |simulation: &mut Simulation, steps| {
        let waits = host.waits();
        let losses = simulation.engine.preparations[0];
        simulation.try_advance(steps).unwrap();
        on_cpu.advance(steps).unwrap();
        // Only the steps that a new engine repeats are waited for.
        assert_eq!(host.waits() - waits, (simulation.engine.preparations[0] - losses) as u32);
    };
    let kept = |simulation: &Simulation| simulation.engine.steps_since_kept();
    advance(&mut simulation, 4096);
    assert_eq!((kept(&simulation), simulation.state_readbacks()), (4096, 0));
    advance(&mut simulation, 1);
    assert!(simulation.engine.next.is_some());
    assert_eq!((kept(&simulation), simulation.state_readbacks()), (4097, 1));
    // The device is lost before the copy for the new recovery point is ready.
    simulation.gpu().unwrap().lose();
    advance(&mut simulation, 1);
    assert_eq!((kept(&simulation), simulation.remarks().len()), (4098, 1));
    for _ in 0..6 {
        advance(&mut simulation, 1);
    }
    assert_eq!((kept(&simulation), simulation.state_readbacks()), (6, 2), "the steps since it was asked for");
    // This recovery begins with the copy of the new recovery point.
    simulation.gpu().unwrap().lose();
    advance(&mut simulation, 3);
    assert_eq!((kept(&simulation), simulation.remarks().len()), (9, 1));
    assert_eq!(simulation.state_hash().unwrap(), on_cpu.state_hash().unwrap());
    assert_eq!(simulation.account().unwrap(), on_cpu.account().unwrap());
}

/// Requests fail if no engine can continue, or if the device is lost after the end of the simulation.
#[test]
fn without_an_engine_what_was_asked_for_fails() {
    for is_polled in [true, false] {
        let mut simulation = simulation(&(Arc::new(LateHost::default()) as SharedHost), "droplets", GPU);
        simulation.advance(3).unwrap();
        let mut ticket = simulation.request(CheckpointReading).unwrap();
        simulation.gpu().unwrap().lose();
        assert!(ticket.poll().unwrap().is_none(), "the next engine may have it");
        // No engine can run a swarm of cells with the configuration for individuals.
        let other = on_processor("moods").engine.config;
        let own = std::mem::replace(&mut simulation.engine.config, other);
        let failure = simulation.collect(Patience::Poll).unwrap_err().to_string();
        assert!(failure.contains("no other engine can go on"), "{failure}");
        let failed = if is_polled { ticket.poll().map(drop) } else { ticket.wait().map(drop) };
        assert!(matches!(failed, Err(Failure::Device(_))), "{failed:?}");
        simulation.engine.config = own;
        assert_eq!(simulation.last_known_checkpoint().unwrap().1, 0);
    }
    let mut ended = simulation(&(Arc::new(LateHost::default()) as SharedHost), "droplets", GPU);
    let mut late = ended.request(StateHashReading).unwrap();
    ended.advance(1).unwrap();
    let mut lost = ended.request(StateHashReading).unwrap();
    let expected = on_processor("droplets").state_hash().unwrap();
    let device = ended.gpu().unwrap().clone();
    drop(ended);
    assert_eq!((0..9).find_map(|_| late.poll().unwrap()), Some(expected), "its device is there");
    device.lose();
    assert!(lost.poll().is_err());
}
