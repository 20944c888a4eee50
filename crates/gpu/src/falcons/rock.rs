//! The gap field (the distance of each cell from rock) of a world of cells, on a device. Falcons avoid rock with it.

use crate::device::Gpu;
use crate::device::program::buffer;
use murmuration_core::error::Failure;
use murmuration_core::falcons::MAX_LOOK;
use murmuration_core::terrain::gaps;
use murmuration_core::world::{Edges, Extents, World, solids_of};

/// A buffer with the gap field of a world of cells, one byte for each cell (see [`gaps`]).
pub struct RockBuffer {
    extents: Extents,
    edges: Edges,
    pub buffer: wgpu::Buffer,
}

impl RockBuffer {
    /// Makes a buffer for the gap field of a world. `None`: the world is flat, or has no rock.
    ///
    /// # Errors
    /// If the device has no room for the buffer.
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

    /// Computes the gap field and uploads it. `capacities`: the capacity of each cell, which is 0 in rock.
    pub fn write(&self, gpu: &Gpu, capacities: &[u32]) {
        let mut gaps = gaps(self.extents, self.edges, &solids_of(capacities), MAX_LOOK);
        // Shaders read words of four bytes. The lowest byte of a word belongs to the first of its four cells.
        gaps.resize(gaps.len().next_multiple_of(4), 0);
        gpu.queue().write_buffer(&self.buffer, 0, &gaps);
    }
}
