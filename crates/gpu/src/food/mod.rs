//! The food of individuals on a device: how it grows, and its sums.

mod shader;

use crate::device::Gpu;
use crate::device::program::{ComputeStep, Program, Resource, begin_compute, buffer};
use crate::device::transfer::{self, Words};
use crate::shader::Shader;
use crate::shader::workgroups::spread;
use murmuration_core::error::Failure;
use murmuration_core::food::FoodLattice;
use shader::{EATEN, FOOD_WORKGROUP, GROWN, SUM};
pub use shader::{FoodLayout, assemble_growth_of_food, assemble_sum_of_food};

/// The food of a swarm, and the passes that update and sum it.
pub struct Food {
    pub layout: FoodLayout,
    pub buffer: wgpu::Buffer,
    grow: ComputeStep,
    sum: ComputeStep,
}

/// What a device says of its food: its sum, and what has grown and was eaten since the engine was made.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct FoodTotals {
    pub sum: u64,
    pub grown: u64,
    pub eaten: u64,
}

impl Food {
    /// An empty lattice without capacities, which [`Self::write_capacities`] writes.
    ///
    /// # Errors
    /// The device cannot hold it.
    pub fn new(gpu: &Gpu, lattice: &FoodLattice, parameters: &wgpu::Buffer) -> Result<Self, Failure> {
        let layout = FoodLayout { cells: lattice.capacities.len() as u32 };
        let bytes = 4 * u64::from(layout.words());
        let limits = gpu.device.limits();
        if bytes > limits.max_storage_buffer_binding_size.min(limits.max_buffer_size) {
            let problem = format!("the GPU ({}) has no room for {} cells of food", gpu.info.name, layout.cells);
            return Err(Failure::Device(format!("{problem}; raise food.cell, or take the engine `cpu`")));
        }
        let usage = wgpu::BufferUsages::STORAGE | wgpu::BufferUsages::COPY_SRC | wgpu::BufferUsages::COPY_DST;
        let buffer = buffer(&gpu.device, "food", bytes, usage);
        let groups = spread(layout.cells.div_ceil(FOOD_WORKGROUP));
        let pass = |name, shader: &Shader| {
            let program = Program::compute(gpu, name, shader, true);
            ComputeStep::new(&gpu.device, program, groups, 1, |_, name| {
                Resource::Buffer(if name == "food" { &buffer } else { parameters })
            })
        };
        let (grow, sum) = (
            pass("grow", &assemble_growth_of_food(&gpu.library, layout)),
            pass("sum", &assemble_sum_of_food(&gpu.library, layout)),
        );
        Ok(Self { layout, grow, sum, buffer })
    }

    /// Whether a lattice has as many cells.
    pub fn has_cells_of(&self, lattice: &FoodLattice) -> bool {
        self.layout.cells as usize == lattice.capacities.len()
    }

    /// Writes the capacity of every cell.
    pub fn write_capacities(&self, gpu: &Gpu, lattice: &FoodLattice) {
        let capacities = bytemuck::cast_slice(&lattice.capacities);
        gpu.queue().write_buffer(&self.buffer, 4 * u64::from(self.layout.capacities()), capacities);
    }

    /// The food of every cell.
    pub fn words(&self) -> Words<'_> {
        let [from, to] = [FoodLayout::FOOD, self.layout.eaters()].map(|words| 4 * u64::from(words));
        Words::Buffer(&self.buffer, from..to)
    }

    /// Writes the food of every cell and the totals.
    pub fn write(&self, gpu: &Gpu, food: &[u32], totals: FoodTotals) {
        let mut words = vec![0; FoodLayout::FOOD as usize];
        for (low, total) in [(GROWN, totals.grown), (EATEN, totals.eaten)] {
            [words[low], words[low + 1]] = [total as u32, (total >> 32) as u32];
        }
        words.extend_from_slice(food);
        gpu.queue().write_buffer(&self.buffer, 0, bytemuck::cast_slice(&words));
    }

    /// Encodes what comes before the passes of a step: nobody eats yet.
    pub fn encode_before(&self, encoder: &mut wgpu::CommandEncoder) {
        let [from, size] = [self.layout.eaters(), self.layout.cells].map(|words| 4 * u64::from(words));
        encoder.clear_buffer(&self.buffer, from, Some(size));
    }

    /// Encodes what comes after them: what was eaten is taken away, and food grows. The parameters of the step lie at an offset.
    pub fn encode_after(&self, encoder: &mut wgpu::CommandEncoder, offset: u32) {
        self.grow.encode(&mut begin_compute(encoder, "grow", None), 0, offset);
    }

    /// Encodes the sum.
    pub fn encode_sum(&self, encoder: &mut wgpu::CommandEncoder) {
        encoder.clear_buffer(&self.buffer, 4 * SUM as u64, Some(8));
        self.sum.encode(&mut begin_compute(encoder, "sum", None), 0, 0);
    }

    /// The totals in the first words of the buffer.
    pub fn totals(words: &[u32]) -> FoodTotals {
        let word = |low: usize| transfer::two_words([words[low], words[low + 1]]);
        FoodTotals { sum: word(SUM), grown: word(GROWN), eaten: word(EATEN) }
    }
}
