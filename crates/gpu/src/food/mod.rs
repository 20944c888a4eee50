//! The food of individuals on a device: growth and sums.

mod shader;

use crate::device::program::{ComputeStep, Program, Resource, begin_compute};
use crate::device::transfer::{self, Words};
use crate::device::{Count, DeviceFeature, DeviceStepPart, Gpu};
use crate::shader::Shader;
use crate::shader::workgroups::groups_of;
use murmuration_core::error::Failure;
use murmuration_core::food::{FOOD, FoodLattice};
use murmuration_core::individuals::feature::WorldFeature;
use murmuration_core::state::{Entry, Ledger, WorldColumn, WorldColumns};
use shader::{EATEN, GROWN, SUM};
use shader::{FoodLayout, assemble_growth_of_food, assemble_sum_of_food};
use std::any::Any;

/// The passes that update and sum the food of a swarm, bound to its buffer.
pub struct Food {
    layout: FoodLayout,
    buffer: wgpu::Buffer,
    grow: ComputeStep,
    sum: ComputeStep,
}

/// The row of food in the table of features.
pub static FEATURE: DeviceFeature = DeviceFeature {
    name: FOOD.name,
    condition: "HAS_FOOD",
    files: &[("food/eaters", "array<atomic<u32>>", true), ("food/meals", "array<u32>", false)],
    declare: |shader, feature| FoodLayout::declare_in_world(shader, feature.map(lattice_of)),
    bytes: |gpu, feature| food_bytes(gpu, lattice_of(feature)),
    part: |gpu, individuals, feature| {
        let buffers = [FOOD.name, "parameters"].map(|name| &individuals.buffers[name]);
        Box::new(Food::new(gpu, lattice_of(feature), buffers))
    },
    shaders: |library| {
        [assemble_growth_of_food, assemble_sum_of_food].map(|of| of(library, FoodLayout { cells: 100 })).into()
    },
};

/// Converts a feature, which must be food, to its lattice.
fn lattice_of(feature: &dyn WorldFeature) -> &FoodLattice {
    (feature as &dyn Any).downcast_ref().expect("the row is of food")
}

/// The size of the buffer for the food of a lattice, in bytes.
///
/// # Errors
/// If the device cannot hold the buffer.
fn food_bytes(gpu: &Gpu, lattice: &FoodLattice) -> Result<u64, Failure> {
    let layout = FoodLayout::new(lattice);
    let bytes = 4 * u64::from(layout.words());
    if bytes > gpu.largest_buffer() {
        let problem = format!("the GPU ({}) has no room for {} cells of food", gpu.info.name, layout.cells);
        return Err(Failure::Device(format!("{problem}; raise food.cell, or take the engine `cpu`")));
    }
    Ok(bytes)
}

impl Food {
    /// The passes for a lattice, bound to its buffer. Writes the capacities into the buffer.
    pub fn new(gpu: &Gpu, lattice: &FoodLattice, [buffer, parameters]: [&wgpu::Buffer; 2]) -> Self {
        let layout = FoodLayout::new(lattice);
        let groups = groups_of(layout.cells);
        let pass = |name, shader: &Shader| {
            let program = Program::compute(gpu, name, shader, true);
            ComputeStep::new(&gpu.device, program, groups, 1, |_, name| {
                Resource::Buffer(if name == "food" { buffer } else { parameters })
            })
        };
        let (grow, sum) = (
            pass("grow", &assemble_growth_of_food(&gpu.library, layout)),
            pass("sum", &assemble_sum_of_food(&gpu.library, layout)),
        );
        let capacities = bytemuck::cast_slice(&lattice.capacities);
        gpu.queue().write_buffer(buffer, 4 * u64::from(layout.capacities()), capacities);
        Self { layout, grow, sum, buffer: buffer.clone() }
    }
}

impl DeviceStepPart for Food {
    /// Writes the food of every cell, and the food grown and eaten in this turnover.
    fn write(&self, gpu: &Gpu, columns: &WorldColumns, turnover: &Ledger) {
        let mut words = vec![0; FoodLayout::FOOD as usize];
        for (low, entry) in [(GROWN, Entry::FoodGrown), (EATEN, Entry::FoodGrazed)] {
            let total = turnover.sum(entry);
            [words[low], words[low + 1]] = [total as u32, (total >> 32) as u32];
        }
        words.extend_from_slice(columns.words(&FOOD));
        gpu.queue().write_buffer(&self.buffer, 0, bytemuck::cast_slice(&words));
    }

    fn encode_before(&self, encoder: &mut wgpu::CommandEncoder, _: usize, _: u32) {
        let [from, size] = [self.layout.eaters(), self.layout.cells].map(|words| 4 * u64::from(words));
        encoder.clear_buffer(&self.buffer, from, Some(size));
    }

    /// Takes away the food that was eaten, and lets food grow.
    fn encode_after(&self, encoder: &mut wgpu::CommandEncoder, _: usize, offset: u32) {
        self.grow.encode(&mut begin_compute(encoder, "grow", None), 0, offset);
    }

    fn column(&self) -> Option<(&'static WorldColumn, Words<'_>)> {
        let [from, to] = [FoodLayout::FOOD, self.layout.eaters()].map(|words| 4 * u64::from(words));
        Some((&FOOD, Words::Buffer(&self.buffer, from..to)))
    }

    fn encode_count(&self, encoder: &mut wgpu::CommandEncoder) -> Option<Count<'_>> {
        encoder.clear_buffer(&self.buffer, 4 * SUM as u64, Some(8));
        self.sum.encode(&mut begin_compute(encoder, "sum", None), 0, 0);
        Some((Words::Buffer(&self.buffer, 0..4 * u64::from(FoodLayout::FOOD)), totals))
    }
}

/// The totals from the first words of the buffer.
fn totals(words: &[u32]) -> Ledger {
    let entries = [(GROWN, Entry::FoodGrown), (EATEN, Entry::FoodGrazed), (SUM, Entry::FoodPresent)];
    let total = |low: usize| transfer::two_words([words[low], words[low + 1]]);
    entries.into_iter().fold(Ledger::default(), |totals, (low, entry)| totals.with(entry, total(low)))
}
