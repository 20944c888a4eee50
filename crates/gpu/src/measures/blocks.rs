//! Sums over the blocks of the world on a device, for the liveliness of a swarm. Two words of each block are read back,
//! not the swarm. `SwarmSample` of the core sums in memory.

use super::shader::{BlockKernel, BodySource, assemble_blocks, words_of_block};
use super::sums_over_groups;
use crate::device::Gpu;
use crate::device::program::{ComputeStep, Program, Resource, STORAGE, begin_compute, buffer};
use crate::device::transfer::{self, Words, two_words};
use crate::shader::workgroups::groups_of;
use murmuration_core::error::{BadInput, Failure};
use murmuration_core::measures::form::directions;
use murmuration_core::measures::liveliness::{Blocks, OrderSums, StripeSums, SwarmSample};
use murmuration_core::ticket::Ticket;
use std::sync::Arc;

/// The number of terms (sums) that a workgroup writes.
const TERMS: usize = 8;

/// The kernels of the sums, and the buffers that they write.
pub struct BlockPasses {
    blocks: Blocks,
    source: BodySource,
    steps: Vec<ComputeStep>,
    /// The first words of all blocks, then their second words, and so on.
    sums: wgpu::Buffer,
    directions: wgpu::Buffer,
    terms: wgpu::Buffer,
}

impl BlockPasses {
    /// Makes the kernels of the sums over bodies in blocks. `most`: the maximum number of individuals. `resource`
    /// returns the resource of the bodies for a phase and the name of a variable.
    ///
    /// # Errors
    /// If the device has no buffer for the words of all blocks.
    pub fn new<'a>(
        gpu: &Gpu,
        source: BodySource,
        most: u32,
        blocks: Blocks,
        phases: usize,
        resource: impl Fn(usize, &str) -> Resource<'a>,
    ) -> Result<Self, Failure> {
        let count = blocks.extents().cells() as u64;
        let bytes = 4 * words_of_block(source, &blocks) as u64 * count;
        if bytes > gpu.largest_buffer() {
            let problem = format!("the GPU ({}) has no buffer for {count} blocks", gpu.info.name);
            return Err(BadInput::new("liveliness", problem, "take a smaller world, or the engine `cpu`").into());
        }
        let made = |label, bytes| buffer(&gpu.device, label, bytes, STORAGE);
        let groups = groups_of(count as u32);
        let written = u64::from(groups[0]) * u64::from(groups[1]);
        let sums = made("sums", bytes);
        let by_direction = made("directions", 8 * directions(blocks.space.axes()) as u64);
        let terms = made("terms", 4 * TERMS as u64 * written);
        let steps = BlockKernel::all(source).iter().map(|kernel| {
            let shader = assemble_blocks(&gpu.library, *kernel, source, most, &blocks);
            let program = Program::compute(gpu, kernel.name(source), &shader, false);
            let groups = if *kernel == BlockKernel::Blocks { groups } else { groups_of(most) };
            ComputeStep::new(&gpu.device, program, groups, phases, |phase, name| match name {
                "sums" => Resource::Buffer(&sums),
                "directions" => Resource::Buffer(&by_direction),
                "terms" => Resource::Buffer(&terms),
                given => resource(phase, given),
            })
        });
        let steps = steps.collect();
        Ok(Self { blocks, source, steps, sums, directions: by_direction, terms })
    }

    pub fn blocks(&self) -> &Blocks {
        &self.blocks
    }

    /// Requests the sample of the swarm after all submitted work. `phase`: the phase of the next step, which gives the
    /// textures of the present state.
    ///
    /// # Errors
    /// If the device fails.
    pub fn request(&self, gpu: &Arc<Gpu>, phase: usize) -> Result<Ticket<SwarmSample>, Failure> {
        let mut encoder = gpu.device.create_command_encoder(&Default::default());
        encoder.clear_buffer(&self.sums, 0, None);
        encoder.clear_buffer(&self.directions, 0, None);
        for step in &self.steps {
            step.encode(&mut begin_compute(&mut encoder, "blocks", None), phase, 0);
        }
        let count = self.blocks.extents().cells();
        // For individuals only the first word is a weight.
        let words = if let BodySource::Cells(..) = self.source { 2 } else { 1 };
        let weights = Words::Buffer(&self.sums, 0..4 * words * count as u64);
        let words = [weights, Words::all_of(&self.directions), Words::all_of(&self.terms)];
        Ok(transfer::request(gpu, encoder, &words, "blocks")?.map(move |words| {
            let high = |index: usize| words[0].get(count + index).copied().unwrap_or(0);
            let weights = (0..count).map(|index| two_words([words[0][index], high(index)])).collect();
            let directions: Vec<_> = words[1].chunks_exact(2).map(|pair| two_words([pair[0], pair[1]])).collect();
            let (orders, stripes) = block_sums_of(&words[2]);
            SwarmSample::from_sums(weights, &orders, &directions, stripes)
        }))
    }
}

/// The sums over all workgroups, in the order of the terms in `shaders/measures/block_terms.wgsl`.
fn block_sums_of(words: &[u32]) -> (OrderSums, StripeSums) {
    let [order, weight, x, y, z, short, long, _] = sums_over_groups::<TERMS>(words);
    (OrderSums { order, weight, heading: [x, y, z] }, StripeSums { short, long })
}
