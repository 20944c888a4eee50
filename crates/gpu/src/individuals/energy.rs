//! The passes of a device that keep the account of the energy of individuals with lives, and that sum it.

use super::memory::Memory;
use super::shader::{FOOD, KernelConfig, assemble};
use super::{account, spread};
use crate::chain::table::Model;
use crate::chain::{Chain, ENERGY};
use crate::device::Gpu;
use crate::device::program::{ComputeStep, Program, Resource, begin_compute};

/// The passes, bound to the buffers of an engine.
pub struct Energy {
    step: ComputeStep,
    sum: ComputeStep,
    species: usize,
}

impl Energy {
    /// Those of the individuals in the memory of an engine.
    pub(super) fn new(
        gpu: &Gpu,
        chain: &Chain,
        config: &KernelConfig,
        memory: &Memory,
        parameters: &wgpu::Buffer,
    ) -> Self {
        let workgroups = spread((memory.most as u32).div_ceil(config.workgroup));
        let [step, sum] = ENERGY.each_ref().map(|signature| {
            let text = gpu.library.text(&Model::Agents.table().path(signature.name)).unwrap_or_default();
            let shader = assemble(&gpu.library, signature, text, config);
            let program = Program::compute(&gpu.device, signature.name, &shader, true);
            ComputeStep::new(&gpu.device, program, workgroups, 1, |_, name| {
                let food = memory.food.as_ref().filter(|_| name == FOOD).map(|food| &food.buffer);
                Resource::Buffer(food.or(memory.buffers.get(chain.memory_of(name))).unwrap_or(parameters))
            })
        });
        Self { step, sum, species: config.species }
    }

    /// Encodes what comes after the passes of a step, before food grows.
    pub fn encode(&self, encoder: &mut wgpu::CommandEncoder, offset: u32) {
        self.step.encode(&mut begin_compute(encoder, "energy", None), 0, offset);
    }

    /// Encodes the sums, into the account.
    pub fn encode_sum(&self, encoder: &mut wgpu::CommandEncoder, account: &wgpu::Buffer) {
        for species in 0..self.species {
            encoder.clear_buffer(account, 4 * account::energy_now(species) as u64, Some(8));
        }
        self.sum.encode(&mut begin_compute(encoder, "sum_energy", None), 0, 0);
    }
}
