//! The deposit of individuals on a device, and the list of the individuals that are drawn. The deposit is the density
//! and the mean velocity of every cell. Pictures and metrics read it as the state of a lattice. `deposit` of the core
//! makes it in memory.

use super::memory::Memory;
use crate::cells::{BodyList, CurrentState, StateTextures, SumPasses};
use crate::device::Gpu;
use crate::device::program::{
    ComputeStep, Program, Resource, STORAGE, STORAGE_TEXTURE, begin_compute, buffer, texture,
};
use crate::shader::workgroups::groups_of;
use crate::shader::{CELL_SUMS, DepositKernel, StoredBody, assemble_deposit};
use murmuration_core::error::Failure;
use murmuration_core::world::Extents;
use std::sync::Arc;

/// The number of invocations of a workgroup along each axis, in kernels over cells.
const TILE: u32 = 8;

/// The passes of the deposit, bound to the buffers of an engine.
pub struct Deposit {
    /// The buffers that are cleared before the passes.
    cleared: [wgpu::Buffer; 3],
    passes: [ComputeStep; 3],
    /// The individuals that are drawn.
    pub list: BodyList,
    /// Sums over the cells of the deposit.
    pub sums: SumPasses,
}

/// The textures of a deposit. `None`: the device has no room for making the deposit.
pub fn textures(gpu: &Arc<Gpu>, extents: Extents) -> Option<Arc<StateTextures>> {
    let largest = gpu.largest_buffer();
    if sum_bytes(extents) > largest {
        return None;
    }
    let size = [extents.width, extents.height];
    let made = ["density", "control"]
        .map(|label| texture(&gpu.device, label, size, wgpu::TextureFormat::R32Uint, 1, STORAGE_TEXTURE));
    gpu.check().ok()?;
    Some(Arc::new(StateTextures::new(gpu.clone(), extents, made)))
}

/// The size of the buffer with the sums of every cell, in bytes.
fn sum_bytes(extents: Extents) -> u64 {
    4 * CELL_SUMS * extents.cells() as u64
}

impl Deposit {
    /// Passes for the individuals in an engine's memory. Each individual that is drawn stands for `each` individuals.
    ///
    /// # Errors
    /// If the device has no room.
    pub(super) fn new(shown: &StateTextures, memory: &Memory, each: u32) -> Result<Self, Failure> {
        let (gpu, extents) = (&shown.gpu, shown.extents);
        let config = memory.individuals().deposit_config(extents, each);
        // After some individuals were caught, the multiples of `each` may be more than 1 / `each` of the remaining
        // numbers. So the list has twice as many places.
        let places = memory.most.min(2 * memory.most.div_ceil(each as usize)).max(1);
        let made = |label, bytes| buffer(&gpu.device, label, bytes, STORAGE);
        let sums = made("sums", sum_bytes(extents));
        let bodies = made("bodies", (places * size_of::<StoredBody>()) as u64);
        let listed = made("listed", 4);
        let CurrentState { density, control, .. } = shown.current();
        let per_individual = groups_of(memory.most as u32);
        let per_cell = [extents.width.div_ceil(TILE), extents.height.div_ceil(TILE), 1];
        let pass = |kernel: DepositKernel, workgroups| {
            let shader = assemble_deposit(&gpu.library, kernel, config);
            let program = Program::compute(gpu, kernel.name(), &shader, false);
            ComputeStep::new(&gpu.device, program, workgroups, 1, |_, name| match name {
                "density_texture" | "density_target" => Resource::Texture(density.create_view(&Default::default())),
                "control_target" => Resource::Texture(control.create_view(&Default::default())),
                "sums" => Resource::Buffer(&sums),
                "bodies" => Resource::Buffer(&bodies),
                "listed" => Resource::Buffer(&listed),
                given => Resource::Buffer(&memory.buffers[given]),
            })
        };
        let passes = [
            pass(DepositKernel::Deposit, per_individual),
            pass(DepositKernel::Means, per_cell),
            pass(DepositKernel::ListBodies, per_individual),
        ];
        let textures = [density.clone(), control.clone()];
        let list = BodyList { buffer: bodies.clone(), count: places as u32, each };
        let deposit = Self {
            cleared: [sums, bodies, listed],
            passes,
            list,
            sums: SumPasses::new(gpu, extents, &[vec![textures]]),
        };
        gpu.check()?;
        Ok(deposit)
    }

    /// Makes the deposit of the present individuals. `step`: the number of steps played.
    ///
    /// # Errors
    /// If the device fails.
    pub fn make(&self, shown: &StateTextures, step: u64) -> Result<(), Failure> {
        let gpu = &shown.gpu;
        let mut encoder = gpu.device.create_command_encoder(&Default::default());
        self.cleared.iter().for_each(|cleared| encoder.clear_buffer(cleared, 0, None));
        let mut pass = begin_compute(&mut encoder, "deposit", None);
        self.passes.iter().for_each(|step| step.encode(&mut pass, 0, 0));
        drop(pass);
        let turn = gpu.turn();
        gpu.submit_or_join(encoder, self.list.count.into(), None);
        shown.replace_bodies(self.list.clone(), step);
        drop(turn);
        gpu.check()
    }
}
