//! Sums over the cells of a state on the device, for metrics. Only a few words for each row of cells are read back.

use crate::device::Gpu;
use crate::device::program::{ComputeStep, Program, Resource, begin_compute, buffer};
use crate::device::transfer::{self, Words};
use crate::shader::{assemble_row_sums, texture_of};
use murmuration_core::error::Failure;
use murmuration_core::state::sums::{RowSums, StateSums};
use murmuration_core::ticket::Ticket;
use murmuration_core::world::Extents;
use std::sync::Arc;

/// The kernel of the sums, and the buffers that it reads and writes.
pub struct SumPasses {
    rows: ComputeStep,
    row_sums: wgpu::Buffer,
    /// A buffer with the shift that makes a density a perceived density.
    perception: wgpu::Buffer,
}

/// The sums of one row of cells, as the kernel writes them.
#[repr(C)]
#[derive(Clone, Copy, bytemuck::Pod, bytemuck::Zeroable)]
struct RowWords {
    low: u32,
    high: u32,
    occupied: u32,
    greatest: u32,
}

/// The view of a texture of a state. `name`: the name of its variable in the kernel. `state`: the textures of density
/// and control vectors of each layer. `None`: no texture of the state has this name.
pub fn state_texture<'a>(state: &[[wgpu::Texture; 2]], name: &str) -> Option<Resource<'a>> {
    let fields = ["density", "control"];
    state.iter().enumerate().find_map(|(own, layer)| {
        let field = fields.iter().position(|field| texture_of(field, own) == name)?;
        Some(Resource::Texture(layer[field].create_view(&Default::default())))
    })
}

impl SumPasses {
    /// Makes the kernel for a lattice. `states`: for each phase, the textures of density and control vectors of each
    /// layer. The densities of all layers are added up in each cell.
    pub fn new(gpu: &Gpu, extents: Extents, states: &[Vec<[wgpu::Texture; 2]>]) -> Self {
        let Gpu { device, library, .. } = gpu;
        let bytes = u64::from(extents.height * extents.slices()) * size_of::<RowWords>() as u64;
        let row_sums = buffer(device, "row sums", bytes, wgpu::BufferUsages::STORAGE | wgpu::BufferUsages::COPY_SRC);
        let perception = buffer(device, "perception", 4, wgpu::BufferUsages::STORAGE | wgpu::BufferUsages::COPY_DST);
        let shader = assemble_row_sums(library, extents, states[0].len());
        let program = Program::compute(gpu, "row_sums", &shader, false);
        let groups = [extents.height, extents.slices(), 1];
        let rows = ComputeStep::new(device, program, groups, states.len(), |phase, name| {
            let buffer = if name == "perception" { &perception } else { &row_sums };
            state_texture(&states[phase], name).unwrap_or(Resource::Buffer(buffer))
        });
        Self { rows, row_sums, perception }
    }

    /// Requests the sums of the present state. `phase`: the phase of the next step, which gives the textures of this
    /// state. A cell is occupied if `density >> shift` is above 0.
    ///
    /// # Errors
    /// If the device fails.
    pub fn sums(&self, gpu: &Arc<Gpu>, phase: usize, shift: u32) -> Result<Ticket<StateSums>, Failure> {
        gpu.queue().write_buffer(&self.perception, 0, bytemuck::bytes_of(&shift));
        let mut encoder = gpu.device.create_command_encoder(&Default::default());
        self.rows.encode(&mut begin_compute(&mut encoder, "sums", None), phase, 0);
        let read = transfer::request(gpu, encoder, &[Words::all_of(&self.row_sums)], "sums")?;
        Ok(read.map(move |sums| {
            let rows = bytemuck::cast_slice::<u32, RowWords>(&sums[0]).iter().map(|row| RowSums {
                quanta: transfer::two_words([row.low, row.high]),
                occupied: u64::from(row.occupied),
                greatest: row.greatest,
            });
            StateSums { rows: rows.collect() }
        }))
    }
}
