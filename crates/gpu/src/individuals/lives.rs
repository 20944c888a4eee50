//! The passes of a device that end a step of lives: births and the account of energy; and the one that sums the energy.

use super::account;
use super::memory::Memory;
use super::shader::KernelConfig;
use crate::chain::{Chain, LIVES};
use crate::device::Gpu;
use crate::device::program::{ComputeStep, begin_compute};

/// The passes, bound to the buffers of an engine.
pub struct Lives {
    rebirth: ComputeStep,
    sum: ComputeStep,
    species: usize,
}

impl Lives {
    /// Those of the individuals in the memory of an engine.
    pub(super) fn new(
        gpu: &Gpu,
        chain: &Chain,
        config: &KernelConfig,
        memory: &Memory,
        parameters: &wgpu::Buffer,
    ) -> Self {
        let [rebirth, sum] = LIVES
            .each_ref()
            .map(|signature| memory.pass_beside_chain(gpu, chain, config, signature, parameters, |_| None));
        Self { rebirth, sum, species: config.species }
    }

    /// Encodes what comes after the passes of a step, before food grows.
    pub fn encode(&self, encoder: &mut wgpu::CommandEncoder, offset: u32) {
        self.rebirth.encode(&mut begin_compute(encoder, "rebirth", None), 0, offset);
    }

    /// Encodes the sums of the energy, into the account.
    pub fn encode_sum(&self, encoder: &mut wgpu::CommandEncoder, account: &wgpu::Buffer) {
        for species in 0..self.species {
            encoder.clear_buffer(account, 4 * account::energy_now(species) as u64, Some(8));
        }
        self.sum.encode(&mut begin_compute(encoder, "sum_energy", None), 0, 0);
    }
}
