//! Finds one individual on a device, without reading the others back. `Individuals::find` of the core searches in
//! memory.

use super::memory::Memory;
use crate::device::Gpu;
use crate::device::program::{ComputeStep, Program, Resource, begin_compute, buffer};
use crate::device::transfer::{self, Words};
use crate::shader::workgroups::groups_of;
use crate::shader::{DepositKernel, NOBODY, QueryNumbers, StoredIndividual, assemble_deposit};
use murmuration_core::error::Failure;
use murmuration_core::individuals::find::{Individual, IndividualQuery};
use murmuration_core::lives::Life;
use murmuration_core::ticket::Ticket;
use murmuration_core::world::Space;
use std::sync::Arc;

/// The passes that find an individual, bound to the buffers of an engine.
pub struct Finder {
    query: wgpu::Buffer,
    /// `NOBODY`, or the least key of the individuals that match the query.
    least_key: wgpu::Buffer,
    found: wgpu::Buffer,
    has_lives: bool,
    passes: [ComputeStep; 2],
}

impl Finder {
    pub(super) fn new(gpu: &Gpu, memory: &Memory, space: &Space) -> Self {
        let has_lives = memory.has_lives;
        let config = memory.individuals().deposit_config(space.extents(), 1);
        let writable = wgpu::BufferUsages::COPY_DST;
        let uniform = wgpu::BufferUsages::UNIFORM | writable;
        let query = buffer(&gpu.device, "query", size_of::<QueryNumbers>() as u64, uniform);
        let storage = wgpu::BufferUsages::STORAGE | wgpu::BufferUsages::COPY_SRC | writable;
        let least_key = buffer(&gpu.device, "least_key", 4, storage);
        let found = buffer(&gpu.device, "found", StoredIndividual::bytes(has_lives), storage);
        let pass = |kernel: DepositKernel, workgroups| {
            let shader = assemble_deposit(&gpu.library, kernel, config);
            let program = Program::compute(gpu, kernel.name(), &shader, false);
            ComputeStep::new(&gpu.device, program, workgroups, 1, |_, name| {
                Resource::Buffer(match name {
                    "query" => &query,
                    "least_key" => &least_key,
                    "found" => &found,
                    given => &memory.buffers[given],
                })
            })
        };
        let passes = [pass(DepositKernel::Find, groups_of(memory.most as u32)), pass(DepositKernel::Found, [1; 3])];
        Self { query, least_key, found, has_lives, passes }
    }

    /// Requests the individual that matches a query, after all submitted work.
    ///
    /// # Errors
    /// If the device fails.
    pub fn request(&self, gpu: &Arc<Gpu>, query: &IndividualQuery) -> Result<Ticket<Option<Individual>>, Failure> {
        gpu.queue().write_buffer(&self.least_key, 0, bytemuck::bytes_of(&NOBODY));
        gpu.queue().write_buffer(&self.query, 0, bytemuck::bytes_of(&numbers(query)));
        let mut encoder = gpu.device.create_command_encoder(&Default::default());
        let mut pass = begin_compute(&mut encoder, "find", None);
        self.passes.iter().for_each(|step| step.encode(&mut pass, 0, 0));
        drop(pass);
        let words = [&self.least_key, &self.found].map(|buffer| Words::Buffer(buffer, 0..buffer.size()));
        let read = transfer::request(gpu, encoder, &words, "individual")?;
        let has_lives = self.has_lives;
        Ok(read.map(move |words| {
            let stored = StoredIndividual::read(&words[1], has_lives).next().filter(|_| words[0] != [NOBODY]);
            stored.map(|(StoredIndividual { number, place, velocity, .. }, life)| {
                let life = life.map(Life::from_words);
                Individual { number, place, velocity, life }
            })
        }))
    }
}

fn numbers(query: &IndividualQuery) -> QueryNumbers {
    let mut numbers = QueryNumbers {
        has_line: query.line.is_some().into(),
        has_number: query.number.is_some().into(),
        number: query.number.unwrap_or(0),
        ..bytemuck::Zeroable::zeroed()
    };
    if let Some(line) = query.line {
        [numbers.from_x, numbers.from_y, numbers.from_z] = line.from;
        [numbers.ahead_x, numbers.ahead_y, numbers.ahead_z] = line.ahead;
        (numbers.length, numbers.radius, numbers.spread) = (line.length, line.radius, line.spread);
    }
    numbers
}
