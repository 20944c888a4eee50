//! A pass that sums over the individuals on a device, without reading them back.

use crate::device::program::{ComputeStep, Program, Resource, STORAGE, begin_compute, buffer};
use crate::device::transfer::Words;
use crate::device::{Gpu, IndividualBuffers};
use crate::shader::workgroups::groups_of;
use crate::shader::{DepositConfig, DepositKernel, assemble_deposit};
use murmuration_core::world::Space;

/// The pass, bound to the buffers of an engine.
pub struct SumPass {
    /// The sums. They are cleared before the pass, which adds to them.
    sums: wgpu::Buffer,
    pass: ComputeStep,
    kernel: DepositKernel,
}

impl SumPass {
    /// The pass of a kernel over individuals. It writes `words` words to `sums` for each of `parts` species. `given` is
    /// another buffer that the pass reads, with its name.
    pub fn new(
        gpu: &Gpu,
        individuals: IndividualBuffers<'_>,
        space: &Space,
        (kernel, words, parts): (DepositKernel, u64, usize),
        given: Option<(&str, &wgpu::Buffer)>,
    ) -> Self {
        let config = DepositConfig { parts, ..individuals.deposit_config(space.extents(), 1) };
        let sums = buffer(&gpu.device, "sums", 4 * words * parts as u64, STORAGE);
        let program = Program::compute(gpu, kernel.name(), &assemble_deposit(&gpu.library, kernel, config), false);
        let workgroups = groups_of(individuals.most as u32);
        let pass = ComputeStep::new(&gpu.device, program, workgroups, 1, |_, name| {
            Resource::Buffer(match given {
                _ if name == "sums" => &sums,
                Some((own, buffer)) if own == name => buffer,
                _ => &individuals.buffers[name],
            })
        });
        Self { sums, pass, kernel }
    }

    /// Encodes the sums over the individuals after all submitted work.
    pub fn encode(&self, gpu: &Gpu) -> wgpu::CommandEncoder {
        let mut encoder = gpu.device.create_command_encoder(&Default::default());
        encoder.clear_buffer(&self.sums, 0, None);
        self.pass.encode(&mut begin_compute(&mut encoder, self.kernel.name(), None), 0, 0);
        encoder
    }

    /// The words that the pass writes.
    pub fn words(&self) -> Words<'_> {
        Words::Buffer(&self.sums, 0..self.sums.size())
    }
}
