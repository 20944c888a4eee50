//! Sums over the places of individuals on a device; the individuals are not read back.

use super::memory::Memory;
use super::{WORKGROUP, spread};
use crate::device::Gpu;
use crate::device::program::{ComputeStep, Program, Resource, begin_compute, buffer};
use crate::device::transfer::{self, Words};
use crate::error::Failure;
use crate::numbers::each_axis;
use crate::shader::{DepositConfig, LIVING, PLACE_SUMS, assemble_deposit};
use crate::ticket::Ticket;
use crate::world::PlaceSums;
use murmuration_core::individuals::{PLACE_BITS, Space};
use std::sync::Arc;

/// The pass that sums, bound to the buffers of an engine.
pub struct PlaceSumPass {
    account: wgpu::Buffer,
    /// Filled with 0 before.
    sums: wgpu::Buffer,
    pass: ComputeStep,
}

impl PlaceSumPass {
    /// A pass for the individuals in the memory of an engine.
    pub(super) fn new(gpu: &Gpu, memory: &Memory, space: &Space) -> Self {
        let config = DepositConfig { extents: space.extents(), each: 1, has_lives: memory.has_lives, species: 1 };
        let usage = wgpu::BufferUsages::STORAGE | wgpu::BufferUsages::COPY_SRC | wgpu::BufferUsages::COPY_DST;
        let sums = buffer(&gpu.device, "place_sums", 4 * PLACE_SUMS, usage);
        let shader = assemble_deposit(&gpu.library, "sum_places", config);
        let program = Program::compute(&gpu.device, "sum_places", &shader, false);
        let workgroups = spread((memory.most as u32).div_ceil(WORKGROUP));
        let pass = ComputeStep::new(&gpu.device, program, workgroups, 1, |_, name| {
            Resource::Buffer(if name == "place_sums" { &sums } else { &memory.buffers[name] })
        });
        Self { account: memory.buffers["account"].clone(), sums, pass }
    }

    /// Asks for the sums over the individuals as they are after all that was submitted.
    ///
    /// # Errors
    /// The device failed.
    pub fn request(&self, gpu: &Arc<Gpu>) -> Result<Ticket<PlaceSums>, Failure> {
        let mut encoder = gpu.device.create_command_encoder(&Default::default());
        encoder.clear_buffer(&self.sums, 0, None);
        let mut pass = begin_compute(&mut encoder, "sum_places", None);
        self.pass.encode(&mut pass, 0, 0);
        drop(pass);
        let living = 4 * LIVING as u64;
        let words = [Words::Buffer(&self.account, living..living + 4), Words::Buffer(&self.sums, 0..self.sums.size())];
        let read = transfer::request(gpu, encoder, &words, "places")?;
        Ok(read.map(|words| sums_of(words[0][0].into(), &words[1])))
    }
}

/// The sums in the words that the kernel wrote.
fn sums_of(count: u64, words: &[u32]) -> PlaceSums {
    if count == 0 {
        return PlaceSums::of([].into_iter());
    }
    let sum = |index: usize| i64::from(words[2 * index]) | i64::from(words[2 * index + 1]) << 32;
    PlaceSums {
        count,
        sum: each_axis(|axis| (sum(2 * axis) << PLACE_BITS) + sum(2 * axis + 1)),
        least: each_axis(|axis| i32::MAX - words[12 + axis] as i32),
        greatest: each_axis(|axis| words[15 + axis] as i32),
    }
}
