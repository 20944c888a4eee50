//! The ledger on the GPU: exact sums of the density, of the whole lattice and of what the hunter catches. These are no
//! lattice kernels: they are compute dispatches even where the passes are fragment passes.

use super::Lattice;
use crate::chain::plan::Slot;
use crate::device::Gpu;
use crate::device::program::{ComputeStep, Program, Resource, begin_compute, buffer};
use crate::device::transfer::{self, Words};
use crate::engine::Totals;
use crate::error::Failure;
use crate::shader::{Shader, assemble_caught, assemble_ledger, ledger_rows};
use crate::state::Turnover;
use crate::ticket::Ticket;
use murmuration_core::cells::BuiltInKernel;
use std::sync::Arc;

/// The two sums.
pub struct Ledger {
    total: Sum,
    /// The pass with the jaws, and the sum of what they catch; `None`: the chain has none.
    caught: Option<(usize, Sum)>,
}

struct Sum {
    step: ComputeStep,
    /// Pairs of words; the shader says what a pair means.
    words: wgpu::Buffer,
    /// The words before the present step.
    before: wgpu::Buffer,
}

impl Ledger {
    pub fn new(lattice: &Lattice) -> Self {
        let Lattice { gpu, plan, extents, atlas, edges, .. } = lattice;
        let densities: Vec<Slot> = plan.state.iter().map(|[density, _]| *density).collect();
        let [width, height] = atlas.size();
        let groups = height.div_ceil(ledger_rows(width));
        let total = Sum::new(lattice, "ledger", &assemble_ledger(&gpu.library, *extents), &densities, groups);
        let mut passes = plan.phases[0].iter();
        let jaws = passes.position(|pass| plan.kernels[pass.kernel].cpu() == Some(BuiltInKernel::Jaws));
        let caught = jaws.map(|jaws| {
            let densities: Vec<Slot> = plan.phases.iter().map(|phase| phase[jaws].read[0]).collect();
            let shader = assemble_caught(&gpu.library, *extents, *edges);
            (jaws, Sum::new(lattice, "caught", &shader, &densities, 1))
        });
        Self { total, caught }
    }

    /// Asks for the sum of the density before a phase, and for the quanta caught so far.
    ///
    /// # Errors
    /// If the device fails.
    pub fn totals(&self, gpu: &Arc<Gpu>, phase: usize) -> Result<Ticket<Totals>, Failure> {
        let mut encoder = gpu.device.create_command_encoder(&Default::default());
        self.total.step.encode(&mut begin_compute(&mut encoder, "ledger", None), phase, 0);
        let sums = [&self.total].into_iter().chain(self.caught.as_ref().map(|(_, caught)| caught));
        let words: Vec<Words> = sums.map(|sum| Words::Buffer(&sum.words, 0..sum.words.size())).collect();
        let read = transfer::request(gpu, encoder, &words, "ledger")?;
        Ok(read.map(|sums| {
            // Each pair is Σ (D & 0xffff) and Σ (D >> 16) of some rows.
            let quanta = sums[0].chunks_exact(2).map(|sums| u64::from(sums[0]) + (u64::from(sums[1]) << 16)).sum();
            // The pair is the low and the high word.
            let caught = sums.get(1).map_or(0, |words| u64::from(words[0]) + (u64::from(words[1]) << 32));
            Totals { quanta, food: 0, turnover: Turnover { caught, ..Turnover::default() } }
        }))
    }

    /// Encodes the sum of what the jaws catch, if they are the pass of this number; the parameters of the step lie at an
    /// offset.
    pub fn encode_caught(&self, encoder: &mut wgpu::CommandEncoder, phase: usize, pass: usize, offset: u32) {
        if let Some((_, caught)) = self.caught.as_ref().filter(|(jaws, _)| *jaws == pass) {
            caught.step.encode(&mut begin_compute(encoder, "caught", None), phase, offset);
        }
    }

    /// Encodes a copy of what was caught so far, or the way back to it.
    pub fn encode_copy(&self, encoder: &mut wgpu::CommandEncoder, is_back: bool) {
        if let Some((_, Sum { words, before, .. })) = &self.caught {
            let (from, to) = if is_back { (before, words) } else { (words, before) };
            encoder.copy_buffer_to_buffer(from, 0, to, 0, words.size());
        }
    }
}

impl Sum {
    /// A sum over the density that each phase has in `densities`, by so many workgroups.
    fn new(lattice: &Lattice, name: &str, shader: &Shader, densities: &[Slot], groups: u32) -> Self {
        let device = &lattice.gpu.device;
        let usage = wgpu::BufferUsages::COPY_SRC | wgpu::BufferUsages::COPY_DST;
        let words = buffer(device, name, u64::from(groups) * 8, usage | wgpu::BufferUsages::STORAGE);
        let before = buffer(device, "before", words.size(), usage);
        let program = Program::compute(device, name, shader, false);
        let step = ComputeStep::new(device, program, [groups, 1, 1], densities.len(), |phase, name| match name {
            "parameters" => Resource::Buffer(&lattice.parameters),
            "density_texture" => Resource::Texture(lattice.view(densities[phase])),
            _ => Resource::Buffer(&words),
        });
        Self { step, words, before }
    }
}
