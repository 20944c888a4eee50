//! The passes of a device that keep the account of the energy of individuals with lives, and that sum it.

use super::account;
use super::memory::Memory;
use super::shader::{FOOD, KernelConfig};
use crate::chain::{Chain, ENERGY};
use crate::device::Gpu;
use crate::device::program::{ComputeStep, begin_compute};

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
        let food = |name: &str| memory.food.as_ref().filter(|_| name == FOOD).map(|food| &food.buffer);
        let [step, sum] = ENERGY
            .each_ref()
            .map(|signature| memory.pass_beside_chain(gpu, chain, config, signature, parameters, food));
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
