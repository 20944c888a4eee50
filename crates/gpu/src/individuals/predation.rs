//! The passes of a device in which individuals of one species eat those of another.

use super::memory::Memory;
use super::shader::{KernelConfig, assemble};
use super::spread;
use crate::chain::table::Model;
use crate::chain::{Chain, PREDATION};
use crate::device::Gpu;
use crate::device::program::{ComputeStep, Program, Resource, begin_compute, buffer};

/// How many eat each individual, and the passes that count them and let them eat, bound to the buffers of an engine.
pub struct Predation([ComputeStep; 2]);

impl Predation {
    /// Those of the individuals in the memory of an engine.
    pub(super) fn new(
        gpu: &Gpu,
        chain: &Chain,
        config: &KernelConfig,
        memory: &Memory,
        parameters: &wgpu::Buffer,
    ) -> Self {
        let predators = buffer(&gpu.device, "predators", 4 * memory.most.max(1) as u64, wgpu::BufferUsages::STORAGE);
        let workgroups = spread((memory.most as u32).div_ceil(config.workgroup));
        Self(PREDATION.each_ref().map(|signature| {
            let text = gpu.library.text(&Model::Agents.table().path(signature.name)).unwrap_or_default();
            let shader = assemble(&gpu.library, signature, text, config);
            let program = Program::compute(&gpu.device, signature.name, &shader, true);
            ComputeStep::new(&gpu.device, program, workgroups, 1, |_, name| {
                Resource::Buffer(match name {
                    "predators" => &predators,
                    name => memory.buffers.get(chain.memory_of(name)).unwrap_or(parameters),
                })
            })
        }))
    }

    /// Encodes what comes after the passes of a step.
    pub fn encode(&self, encoder: &mut wgpu::CommandEncoder, offset: u32) {
        let mut step = begin_compute(encoder, "predation", None);
        self.0.iter().for_each(|pass| pass.encode(&mut step, 0, offset));
    }
}
