//! The passes of a device in which individuals of one species eat those of another.

use super::memory::Memory;
use super::shader::KernelConfig;
use crate::chain::{Chain, PREDATION};
use crate::device::Gpu;
use crate::device::program::{ComputeStep, begin_compute, buffer};

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
        let own = |name: &str| (name == "predators").then_some(&predators);
        Self(
            PREDATION
                .each_ref()
                .map(|signature| memory.pass_beside_chain(gpu, chain, config, signature, parameters, own)),
        )
    }

    /// Encodes what comes after the passes of a step.
    pub fn encode(&self, encoder: &mut wgpu::CommandEncoder, offset: u32) {
        let mut step = begin_compute(encoder, "predation", None);
        self.0.iter().for_each(|pass| pass.encode(&mut step, 0, offset));
    }
}
