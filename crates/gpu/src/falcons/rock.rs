//! The gap field of a world of cells with rock. Falcons avoid the rock by it.

use crate::device::Gpu;
use crate::device::program::buffer;
use murmuration_core::error::Failure;
use murmuration_core::falcons::MAX_LOOK;
use murmuration_core::terrain::gaps;
use murmuration_core::world::{Edges, Extents, World, solids_of};

/// The gap field of a world of cells, one byte for each cell.
pub struct RockBuffer {
    extents: Extents,
    edges: Edges,
    pub buffer: wgpu::Buffer,
}

impl RockBuffer {
    /// A buffer for the gap field of a world. `None`: the world has no rock of cells.
    ///
    /// # Errors
    /// If the device cannot hold it.
    pub fn new(gpu: &Gpu, world: &World) -> Result<Option<Self>, Failure> {
        if !world.has_rock_of_cells() {
            return Ok(None);
        }
        let bytes = world.extents.cells().next_multiple_of(4) as u64;
        let largest = gpu.largest_buffer();
        if bytes > largest {
            let problem = format!("the GPU ({}) holds rock in at most {largest} cells", gpu.info.name);
            return Err(Failure::Device(format!("{problem}; take a smaller world, or the engine `cpu`")));
        }
        let buffer = buffer(&gpu.device, "gaps", bytes, wgpu::BufferUsages::STORAGE | wgpu::BufferUsages::COPY_DST);
        Ok(Some(Self { extents: world.extents, edges: world.edges, buffer }))
    }

    /// Computes and writes the gap field of cells with these capacities.
    pub fn write(&self, gpu: &Gpu, capacities: &[u32]) {
        let mut gaps = gaps(self.extents, self.edges, &solids_of(capacities), MAX_LOOK);
        // The byte of the first cell is the lowest byte of a word.
        gaps.resize(gaps.len().next_multiple_of(4), 0);
        gpu.queue().write_buffer(&self.buffer, 0, &gaps);
    }
}
