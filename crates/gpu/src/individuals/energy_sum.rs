//! The pass that sums the energy of individuals with lives on a device.

use super::account;
use super::memory::Memory;
use super::shader::KernelConfig;
use crate::chain::SUM_ENERGY;
use crate::chain::individuals_plan::IndividualsPlan;
use crate::device::Gpu;
use crate::device::program::{ComputeStep, begin_compute};

/// The pass, bound to the buffers of an engine.
pub struct EnergySumPass {
    pass: ComputeStep,
    species: usize,
}

impl EnergySumPass {
    /// That of the individuals in the memory of an engine.
    pub(super) fn new(
        gpu: &Gpu,
        plan: &IndividualsPlan,
        config: &KernelConfig,
        memory: &Memory,
        parameters: &wgpu::Buffer,
    ) -> Self {
        let pass = memory.pass_beside_plan(gpu, plan, config, &SUM_ENERGY, parameters, |_| None);
        Self { pass, species: config.species }
    }

    /// Encodes the sums of the energy, into the account.
    pub fn encode(&self, encoder: &mut wgpu::CommandEncoder, account: &wgpu::Buffer) {
        for species in 0..self.species {
            encoder.clear_buffer(account, 4 * account::energy_now(species) as u64, Some(8));
        }
        self.pass.encode(&mut begin_compute(encoder, "sum_energy", None), 0, 0);
    }
}
