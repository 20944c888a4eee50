//! Overlap queries on a device: the part of a swarm within a ball or a box, and its nearest cell or individual. The
//! swarm is not read back. `overlap` of the core answers the same queries in memory.

use super::DeviceSwarm;
use super::shader::BodySource;
use super::shader::overlap::assemble;
use crate::device::program::{Program, Resource, begin_compute, buffer};
use crate::device::transfer::{self, Words};
use crate::device::{Gpu, ReadingPasses};
use crate::shader::workgroups::spread;
use murmuration_core::error::Failure;
use murmuration_core::overlap::{Nearest, OverlapNumbers, OverlapReading, OverlapResult};
use murmuration_core::ticket::Ticket;
use murmuration_core::world::Space;
use std::sync::Arc;

/// The number of words of a result, in `shaders/overlap/overlap.wgsl`.
const RESULT_WORDS: usize = 8;
/// The squared distance in a result without a nearest cell or individual.
const OUTSIDE: u32 = u32::MAX;
/// The minimum number of queries for which the buffers have room.
const MIN_QUERIES: usize = 64;

/// The kernel that answers overlap queries, and its buffers.
pub struct OverlapPass {
    space: Space,
    program: Program<wgpu::ComputePipeline>,
    queries: wgpu::Buffer,
    results: wgpu::Buffer,
}

impl OverlapPass {
    pub fn new(gpu: &Gpu, source: BodySource, space: Space) -> Self {
        let program = Program::compute(gpu, "overlap", &assemble(&gpu.library, source, &space), false);
        let [queries, results] = buffers(gpu, MIN_QUERIES);
        Self { space, program, queries, results }
    }

    /// Requests the results of queries over the swarm, as it is after all submitted work. `resource` returns the
    /// resource for a variable of the swarm.
    ///
    /// # Errors
    /// If the device fails, or has no room for the queries.
    pub fn request<'a>(
        &'a mut self,
        gpu: &Arc<Gpu>,
        reading: &OverlapReading,
        resource: impl Fn(&str) -> Resource<'a>,
    ) -> Result<Ticket<Vec<OverlapResult>>, Failure> {
        let count = reading.queries.len();
        if count == 0 {
            return Ok(Ticket::ready(Vec::new()));
        }
        if (count * size_of::<OverlapNumbers>()) as u64 > self.queries.size() {
            [self.queries, self.results] = buffers(gpu, count.next_power_of_two());
            gpu.check()?;
        }
        let numbers: Vec<OverlapNumbers> = reading.numbers().collect();
        gpu.queue().write_buffer(&self.queries, 0, bytemuck::cast_slice(&numbers));
        let group = self.program.bind(&gpu.device, |name| match name {
            "queries" => Resource::Buffer(&self.queries),
            "results" => Resource::Buffer(&self.results),
            given => resource(given),
        });
        let mut encoder = gpu.device.create_command_encoder(&Default::default());
        let mut pass = begin_compute(&mut encoder, "overlap", None);
        self.program.dispatch(&mut pass, &group, 0, spread(count as u32));
        drop(pass);
        let words = Words::Buffer(&self.results, 0..(4 * RESULT_WORDS * count) as u64);
        Ok(transfer::request(gpu, encoder, &[words], "overlap")?
            .map(|words| words[0].as_chunks::<RESULT_WORDS>().0.iter().map(|words| result_of(*words)).collect()))
    }
}

impl DeviceSwarm<'_> {
    /// Requests the results of overlap queries over the swarm, in the order of the queries.
    ///
    /// # Errors
    /// If the device fails, or has no room for the queries.
    pub fn overlap(
        &self,
        passes: &mut ReadingPasses,
        reading: &OverlapReading,
    ) -> Result<Ticket<Vec<OverlapResult>>, Failure> {
        let make = || Ok(OverlapPass::new(&self.gpu, self.source, reading.space));
        let pass = passes.get(|pass: &OverlapPass| pass.space == reading.space, make)?;
        pass.request(&self.gpu, reading, |name| (self.resource)(self.phase, name))
    }
}

fn result_of([low, high, square, number, x, y, z, _]: [u32; RESULT_WORDS]) -> OverlapResult {
    let nearest = Nearest { square, number, place: [x, y, z].map(|along| along as i32) };
    OverlapResult { quanta: transfer::two_words([low, high]), nearest: (square != OUTSIDE).then_some(nearest) }
}

fn buffers(gpu: &Gpu, count: usize) -> [wgpu::Buffer; 2] {
    let usage = wgpu::BufferUsages::STORAGE | wgpu::BufferUsages::COPY_DST | wgpu::BufferUsages::COPY_SRC;
    let sizes = [("queries", size_of::<OverlapNumbers>()), ("results", 4 * RESULT_WORDS)];
    sizes.map(|(label, bytes)| buffer(&gpu.device, label, (bytes * count) as u64, usage))
}
