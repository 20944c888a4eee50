//! Instances for the meshes of a game: equal from every engine, and nothing of the swarm is read back.

use crate::support::adapter::shared;
use murmuration_core::engine::Dispatch;
use murmuration_core::preset::{Overrides, Preset};
use murmuration_core::simulation::{EngineChoice, Simulation};
use murmuration_gpu::Gpu;
use murmuration_gpu::cells::StateTextures;
use murmuration_gpu::instances::{Instance, InstanceBuffer};
use std::sync::Arc;

const GPU: EngineChoice = EngineChoice::Gpu(Dispatch::Compute { workgroup: [64, 1] });

fn simulation(name: &str, size: &[u32], choice: EngineChoice) -> Simulation {
    let set = ["start.run_in=0", "look.points=3000"];
    let set = set.iter().take(if size.is_empty() { 0 } else { 2 }).map(ToString::to_string).collect();
    let (size, depth) = (size.first_chunk().map(|[width, height]| (*width, *height)), size.get(2).copied());
    let preset =
        Preset::load(murmuration::host(), name, &Overrides { size, depth, set, ..Overrides::default() }).unwrap();
    let chain = preset.load_chain(None).unwrap();
    Simulation::new(preset, &chain, choice).unwrap()
}

/// The instances in the order of their numbers and places.
fn instances(gpu: &Arc<Gpu>, buffer: &mut InstanceBuffer, simulation: &mut Simulation) -> Vec<Instance> {
    let mut encoder = gpu.device.create_command_encoder(&Default::default());
    buffer.update(simulation, &mut encoder).unwrap();
    gpu.queue().submit([encoder.finish()]);
    let mut list = buffer.request().unwrap().wait().unwrap();
    assert_eq!(list.len(), buffer.len() as usize);
    list.retain(|instance| instance.presence_species & 0xffff > 0);
    list.sort_by_key(|instance| (instance.number, [instance.x, instance.y, instance.z].map(f32::to_bits)));
    list
}

#[test]
fn every_engine_has_the_same_instances_and_none_is_read_back() {
    let Some(gpu) = shared("instances of meshes") else { return };
    for (name, size) in
        [("droplets", &[72, 48][..]), ("murmuration", &[37, 29, 23]), ("aquarium", &[]), ("three", &[64, 64])]
    {
        let [mut on_cpu, mut on_gpu] =
            [EngineChoice::Cpu(Default::default()), GPU].map(|choice| simulation(name, size, choice));
        on_gpu.show().unwrap();
        let own: Arc<StateTextures> = on_gpu.on_device().unwrap().downcast().unwrap();
        let own = own.gpu.clone();
        let [mut uploaded, mut in_place] = [&gpu, &own].map(|gpu| InstanceBuffer::new(gpu.clone()));
        let mut earlier = Vec::new();
        // The first round seeds the points.
        for (gpu, simulation, buffer) in [(&gpu, &mut on_cpu, &mut uploaded), (&own, &mut on_gpu, &mut in_place)] {
            assert!(!instances(gpu, buffer, simulation).is_empty(), "{name}");
        }
        for step in 0..3 {
            for simulation in [&mut on_cpu, &mut on_gpu] {
                simulation.advance(5).unwrap();
            }
            let expected = instances(&gpu, &mut uploaded, &mut on_cpu);
            let before = on_gpu.state_readbacks();
            let list = instances(&own, &mut in_place, &mut on_gpu);
            assert_eq!(on_gpu.state_readbacks(), before, "{name}: the swarm is read back");
            assert!(list == expected, "{name}, {step}: {} and {} instances", list.len(), expected.len());
            assert_ne!(list, earlier, "{name}: nothing moves");
            earlier = list;
        }
        let species = earlier.iter().map(|instance| instance.presence_species >> 16).max();
        assert_eq!(species, Some(if name == "three" { 2 } else { 0 }), "{name}");
    }
}
