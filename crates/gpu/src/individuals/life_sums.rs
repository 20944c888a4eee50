//! Sums over the lives of individuals on a device; the individuals are not read back. Its twin in memory is `PopulationMeasures::of` of the
//! core.

use super::memory::Memory;
use super::{WORKGROUP, spread};
use crate::device::Gpu;
use crate::device::program::{ComputeStep, Program, Resource, begin_compute, buffer};
use crate::device::transfer::{self, Words};
use crate::error::Failure;
use crate::shader::{DepositConfig, LIFE_NEEDS, LIFE_SUMS, assemble_deposit};
use crate::ticket::Ticket;
use murmuration_core::individuals::Space;
use murmuration_core::individuals::lives::measures::{Condition, LifeSums as SpeciesSums, PopulationMeasures};
use murmuration_core::individuals::lives::{HAPPIEST, LifeRules};
use std::sync::Arc;

/// The pass that sums, bound to the buffers of an engine.
pub struct LifeSums {
    /// The mood below which one of each species is depressed.
    sad: wgpu::Buffer,
    /// Filled with 0 before.
    sums: wgpu::Buffer,
    pass: ComputeStep,
}

impl LifeSums {
    /// A pass for the individuals in the memory of an engine.
    pub(super) fn new(gpu: &Gpu, memory: &Memory, space: &Space, species: usize) -> Self {
        let config = DepositConfig { extents: space.extents(), each: 1, has_lives: memory.has_lives, species };
        let usage = wgpu::BufferUsages::STORAGE | wgpu::BufferUsages::COPY_SRC | wgpu::BufferUsages::COPY_DST;
        let sad = buffer(&gpu.device, "sad", 4 * species as u64, usage);
        let sums = buffer(&gpu.device, "life_sums", 4 * LIFE_SUMS * species as u64, usage);
        let shader = assemble_deposit(&gpu.library, "sum_lives", config);
        let program = Program::compute(&gpu.device, "sum_lives", &shader, false);
        let workgroups = spread((memory.most as u32).div_ceil(WORKGROUP));
        let pass = ComputeStep::new(&gpu.device, program, workgroups, 1, |_, name| {
            Resource::Buffer(match name {
                "sad" => &sad,
                "life_sums" => &sums,
                given => &memory.buffers[given],
            })
        });
        Self { sad, sums, pass }
    }

    /// Asks for the measures of the individuals as they are after all that was submitted.
    ///
    /// # Errors
    /// The device failed.
    pub fn request(&self, gpu: &Arc<Gpu>, rules: &[LifeRules]) -> Result<Ticket<PopulationMeasures>, Failure> {
        let sad: Vec<i32> = rules.iter().map(|rules| rules.sad).collect();
        gpu.queue.write_buffer(&self.sad, 0, bytemuck::cast_slice(&sad));
        let mut encoder = gpu.device.create_command_encoder(&Default::default());
        encoder.clear_buffer(&self.sums, 0, None);
        let mut pass = begin_compute(&mut encoder, "sum_lives", None);
        self.pass.encode(&mut pass, 0, 0);
        drop(pass);
        let words = Words::Buffer(&self.sums, 0..self.sums.size());
        let read = transfer::request(gpu, encoder, &[words], "lives")?;
        let rules = rules.to_vec();
        Ok(read.map(move |words| {
            let sums: Vec<_> = words[0].chunks_exact(LIFE_SUMS as usize).map(sums_of).collect();
            PopulationMeasures::from_sums(&sums, &rules)
        }))
    }
}

/// The sums of a species in the words that the kernel wrote.
fn sums_of(words: &[u32]) -> SpeciesSums {
    let counts: [u64; Condition::ALL.len()] = std::array::from_fn(|condition| u64::from(words[condition]));
    let sum = |index: usize| (u64::from(words[4 + 2 * index]) | u64::from(words[5 + 2 * index]) << 32) as i64;
    let living = (counts.iter().sum::<u64>() - counts[Condition::Perishing as usize]) as i64;
    let needs = [sum(0) - living * i64::from(HAPPIEST), sum(1), sum(2)];
    SpeciesSums { counts, needs, bytes: words[LIFE_NEEDS..].to_vec() }
}
