//! Sums over the cells of a state on the device, from which metrics are made. A few words for each row and column are read back in the
//! place of the state.

use crate::device::Gpu;
use crate::device::program::{ComputeStep, Program, Resource, begin_compute, buffer};
use crate::device::transfer::{self, Words};
use crate::error::Failure;
use crate::shader::{Shader, assemble_column_sums, assemble_row_sums, texture_of};
use crate::ticket::Ticket;
use crate::world::Extents;
use murmuration_core::state_sums::{RowSums, StateSums};
use std::sync::Arc;

/// Columns that a workgroup sums.
const COLUMNS: u32 = 64;

/// The kernels of the sums and what they write.
pub struct SumPasses {
    rows: ComputeStep,
    columns: ComputeStep,
    row_sums: wgpu::Buffer,
    column_sums: wgpu::Buffer,
    /// Cells in a row.
    width: usize,
    /// The shift from density to perceived density.
    perception: wgpu::Buffer,
}

/// The sums of a row as the kernel writes them.
#[repr(C)]
#[derive(Clone, Copy, bytemuck::Pod, bytemuck::Zeroable)]
struct RowWords {
    low: u32,
    high: u32,
    occupied: u32,
    greatest: u32,
    speed: f32,
    direction: [f32; 3],
}

impl SumPasses {
    /// The sums of a lattice whose densities and control vectors lie in these textures, by phase and then by layer. Several layers are
    /// summed as one whose control vector in a cell is their mean.
    pub fn new(gpu: &Gpu, extents: Extents, states: &[Vec<[wgpu::Texture; 2]>]) -> Self {
        let Gpu { device, library, .. } = gpu;
        let output =
            |label, size| buffer(device, label, size, wgpu::BufferUsages::STORAGE | wgpu::BufferUsages::COPY_SRC);
        let row_sums = output("row sums", u64::from(extents.height * extents.slices()) * size_of::<RowWords>() as u64);
        let column_sums = output("column sums", u64::from(extents.width * extents.slices()) * 8);
        let usage = wgpu::BufferUsages::STORAGE | wgpu::BufferUsages::COPY_DST;
        let perception = buffer(device, "perception", 4, usage);
        let step = |name, shader: &Shader, groups, sums: &wgpu::Buffer| {
            let program = Program::compute(device, name, shader, false);
            ComputeStep::new(device, program, [groups, extents.slices(), 1], states.len(), |phase, name| {
                let fields = ["density", "control"];
                let texture = states[phase].iter().enumerate().find_map(|(own, state)| {
                    let field = fields.iter().position(|field| texture_of(field, own) == name)?;
                    Some(&state[field])
                });
                match (texture, name) {
                    (Some(texture), _) => Resource::Texture(texture.create_view(&Default::default())),
                    (None, "perception") => Resource::Buffer(&perception),
                    _ => Resource::Buffer(sums),
                }
            })
        };
        let layers = states[0].len();
        let rows = step("row_sums", &assemble_row_sums(library, extents, layers), extents.height, &row_sums);
        let groups = extents.width.div_ceil(COLUMNS);
        let columns = assemble_column_sums(library, extents, layers);
        let columns = step("column_sums", &columns, groups, &column_sums);
        Self { rows, columns, row_sums, column_sums, width: extents.width as usize, perception }
    }

    /// Asks for the sums of the state before a phase. A cell is occupied where `density >> shift` is not 0.
    ///
    /// # Errors
    /// If the device fails.
    pub fn sums(&self, gpu: &Arc<Gpu>, phase: usize, shift: u32) -> Result<Ticket<StateSums>, Failure> {
        gpu.queue.write_buffer(&self.perception, 0, bytemuck::bytes_of(&shift));
        let mut encoder = gpu.device.create_command_encoder(&Default::default());
        let mut pass = begin_compute(&mut encoder, "sums", None);
        self.rows.encode(&mut pass, phase, 0);
        self.columns.encode(&mut pass, phase, 0);
        drop(pass);
        let sums = [&self.row_sums, &self.column_sums].map(|buffer| Words::Buffer(buffer, 0..buffer.size()));
        let (read, width) = (transfer::request(gpu, encoder, &sums, "sums")?, self.width);
        Ok(read.map(move |sums| {
            let rows = bytemuck::cast_slice::<u32, RowWords>(&sums[0]).iter().map(|row| RowSums {
                quanta: transfer::two_words([row.low, row.high]),
                occupied: u64::from(row.occupied),
                greatest: row.greatest,
                speed: f64::from(row.speed),
                directions: row.direction.map(f64::from),
            });
            let mut columns = vec![0; width];
            for slice in sums[1].chunks_exact(2 * width) {
                let quanta = slice.as_chunks::<2>().0.iter().map(|words| transfer::two_words(*words));
                columns.iter_mut().zip(quanta).for_each(|(column, quanta)| *column += quanta);
            }
            StateSums { rows: rows.collect(), columns }
        }))
    }
}
