//! The blocks of a lattice in which all cells rest, found before every step, so that its passes leave them out.

use super::Lattice;
use crate::chain::plan::Plan;
use crate::device::Gpu;
use crate::device::program::{ComputeStep, Program, Resource, begin_compute, buffer};
use crate::device::transfer::download_buffer;
use crate::engine::Dispatch;
use crate::error::Failure;
use crate::rules::Rules;
use crate::shader::{assemble_rest, rest_blocks};
use crate::world::Extents;
use murmuration_core::cells::BuiltInKernel;
use std::sync::Arc;

/// The kernels that find them, and the marks of blocks with a cell that moves.
pub struct RestBlocks {
    mark: ComputeStep,
    spread: ComputeStep,
    awake: wgpu::Buffer,
    asleep: wgpu::Buffer,
}

/// The buffer that says which blocks rest; `None` where no cell rests, or where passes write more than the state, each buffer of which
/// holds what the others do in a block that has rested for a step.
pub fn asleep_buffer(
    gpu: &Gpu,
    plan: &Plan,
    rules: &Rules,
    extents: Extents,
    dispatch: Dispatch,
) -> Option<wgpu::Buffer> {
    use BuiltInKernel::{Behaviour, Jaws, Movement, Wander};
    let is_known = |kernel| matches!(kernel, Some(Jaws | Behaviour | Movement | Wander));
    let has_state_alone = plan.phases[0].iter().all(|pass| is_known(plan.kernels[pass.kernel].cpu()));
    let is_used = rules.rest > 0 && has_state_alone && matches!(dispatch, Dispatch::Compute { .. });
    let words = 1 + rest_blocks(extents).into_iter().map(u64::from).product::<u64>();
    let usage = wgpu::BufferUsages::STORAGE | wgpu::BufferUsages::COPY_SRC | wgpu::BufferUsages::COPY_DST;
    is_used.then(|| buffer(&gpu.device, "asleep", 4 * words, usage))
}

impl RestBlocks {
    /// `None`: no block is left out.
    pub fn new(lattice: &Lattice) -> Option<Self> {
        let Lattice { gpu, plan, extents, edges, .. } = lattice;
        let asleep = lattice.asleep.clone()?;
        let usage = wgpu::BufferUsages::STORAGE | wgpu::BufferUsages::COPY_DST;
        let awake = buffer(&gpu.device, "awake", asleep.size(), usage);
        let blocks = rest_blocks(*extents);
        let step = |name, shader, groups| {
            let program = Program::compute(&gpu.device, name, &shader, true);
            ComputeStep::new(&gpu.device, program, groups, plan.phases.len(), |phase, name| match name {
                "parameters" => Resource::Buffer(&lattice.parameters),
                "density_texture" => Resource::Texture(lattice.view(plan.state[phase][0])),
                "awake" => Resource::Buffer(&awake),
                _ => Resource::Buffer(&asleep),
            })
        };
        let [mark, spread] = assemble_rest(&gpu.library, *extents, *edges);
        let mark = step("mark", mark, blocks);
        let spread = step("spread", spread, [blocks.into_iter().product::<u32>().div_ceil(64), 1, 1]);
        Some(Self { mark, spread, awake, asleep })
    }

    /// Encodes that they are found in the state before a phase; the parameters of the step lie at an offset.
    pub fn encode(&self, encoder: &mut wgpu::CommandEncoder, phase: usize, offset: u32) {
        encoder.clear_buffer(&self.awake, 0, None);
        let mut pass = begin_compute(encoder, "rest", None);
        self.mark.encode(&mut pass, phase, offset);
        self.spread.encode(&mut pass, phase, offset);
    }

    /// Forgets them, because the state is another one.
    pub fn forget(&self, gpu: &Gpu) {
        gpu.queue.write_buffer(&self.asleep, 0, &vec![0; self.asleep.size() as usize]);
    }

    /// How many were left out of the last step.
    ///
    /// # Errors
    /// If the device fails.
    pub fn left_out(&self, gpu: &Arc<Gpu>) -> Result<usize, Failure> {
        let words = download_buffer(gpu, &self.asleep, self.asleep.size() - 4)?;
        Ok(words.iter().filter(|word| **word == 2).count())
    }
}
