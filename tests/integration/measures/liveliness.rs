//! Liveliness from sums on a device, against sums in memory, and in the window.

use crate::simulation::tickets::{Stage, scene};
use crate::support::adapter::shared;
use crate::support::measures::sample;
use crate::support::size;
use murmuration::controller::{Command, Pace};
use murmuration::observe::LivelinessSampler;
use murmuration_core::engine::Dispatch;
use murmuration_core::measures::liveliness::{INTERVAL, WINDOW};
use murmuration_core::preset::{Overrides, Preset};
use murmuration_core::simulation::{EngineChoice, Simulation};

const GPU: EngineChoice = EngineChoice::Gpu(Dispatch::Compute { workgroup: [64, 1] });
/// Sights that a software adapter sums fast.
const NEAR: [&str; 3] = ["sight.cohesion.disc=2", "sight.separation.disc=1", "sight.alignment.disc=2"];
/// The maximum error of a part of the liveliness, since the device sums in 32-bit floats.
const BOUND: f64 = 1e-4;

/// Flat and deep cells with several species and layers, and flat and deep individuals. No block divides the extents.
#[test]
fn a_device_has_the_liveliness_of_the_swarm_in_memory() {
    if shared("liveliness on the device").is_none() {
        return;
    }
    let scenes: [(&str, &[&str]); 5] = [
        ("droplets", &["world.size=[37, 29]", "start.boids=350", NEAR[0], NEAR[1], NEAR[2]]),
        ("murmuration", &["world.size=[15, 13, 10]", "world.margin=2", "start.run_in=0"]),
        ("three", &["world.size=[33, 29]", "world.margin=6"]),
        ("chase", &["world.size=[61, 47]"]),
        ("flock", &["world.size=[61, 47, 21]", "start.boids=300"]),
    ];
    let mut travel = 0.0_f64;
    for (name, set) in scenes {
        let set = set.iter().map(|set| String::from(*set)).collect();
        let preset = Preset::load(murmuration::host(), name, &Overrides { set, ..Overrides::default() }).unwrap();
        let chain = preset.load_chain(None).unwrap();
        let mut simulation = Simulation::new(preset, &chain, GPU).unwrap();
        let [mut on_device, mut in_memory] = [(); 2].map(|()| LivelinessSampler::from_preset(simulation.preset()));
        loop {
            let (step, origin) = (simulation.step(), simulation.origin());
            on_device.add_sample(step, &sample(&mut simulation), origin);
            in_memory.add(step, &simulation.swarm().unwrap(), origin);
            if step == WINDOW {
                break;
            }
            simulation.advance(INTERVAL).unwrap();
        }
        let [made, expected] = [on_device, in_memory].map(|sampler| sampler.liveliness().unwrap());
        assert_eq!(made.travel, expected.travel, "{name}: other blocks are occupied");
        let parts = |it: &murmuration_core::measures::liveliness::Liveliness| {
            [it.headings, it.variance, it.change, it.smoothness, it.value()]
        };
        for (made, expected) in parts(&made).into_iter().zip(parts(&expected)) {
            assert!((made - expected).abs() <= BOUND, "{name}: {made} and {expected}");
        }
        assert!(expected.headings > 0.0 && expected.variance > 0.0 && expected.change > 0.0, "{name}: {expected:?}");
        travel = travel.max(expected.travel);
    }
    assert!(travel > 0.0, "no swarm moves from block to block");
}

/// The window shows the liveliness of a swarm on a device after 1000 steps. The swarm is not read back.
#[test]
fn the_window_samples_a_swarm_on_a_device() {
    let Some(gpu) = shared("liveliness in the window") else { return };
    let near: Vec<String> = NEAR.iter().map(|set| String::from(*set)).collect();
    for (name, set) in [("droplets", near), ("chase", Vec::new())].into_iter().take(size(1, 2)) {
        let mut stage = Stage::new(scene(name, Overrides { size: Some((32, 24)), set, ..Overrides::default() }));
        stage.controller.draw_on(gpu.clone());
        stage.controller.handle([Command::Pace(Pace::USUAL.faster(3))]);
        let (mut shown, mut readbacks) = (None, 0);
        for _ in 0..10_000 {
            let Some(snapshot) = stage.tick() else { continue };
            readbacks = snapshot.state_readbacks;
            let metrics = snapshot.metrics;
            assert!(metrics.liveliness.is_none() || metrics.step >= WINDOW, "{name}: step {}", metrics.step);
            shown = metrics.liveliness;
            if shown.is_some() {
                break;
            }
        }
        assert!(shown.is_some_and(|value| (0.0..=1.0).contains(&value)), "{name}: {shown:?}");
        assert_eq!(readbacks, 0, "{name}");
        assert!(stage.controller.take_events().is_empty(), "{name}");
    }
}
