//! The terrain of a world on the device: the surface of its rock, with what light arrives at it, and the light in its water.

use crate::device::Gpu;
use crate::device::program::buffer_of;
use crate::picture::{Shade, Water};
use crate::world::ScalarField;
use glam::Vec3;
use murmuration_core::parallel::*;
use murmuration_core::terrain::mesh::{Chunk, Vertex, surface};
use std::ops::Range;

/// A vertex on the device.
#[repr(C)]
#[derive(Debug, Clone, Copy, PartialEq, bytemuck::Pod, bytemuck::Zeroable)]
struct RockVertex {
    /// In 1/256 cell from the middle of the chunk's first voxel.
    place: [u16; 3],
    /// How far open the water around it is; 65 535 is 1.
    open: u16,
    /// 32 767 is 1.
    normal: [i16; 3],
    /// The light from above; 32 767 is [`MOST_LIGHT`].
    lit: i16,
}

/// The brightest light that is told apart.
pub const MOST_LIGHT: f32 = 2.0;

/// The vertex attributes of a [`RockVertex`], and of the place of its chunk, of which there is one for each instance.
pub const VERTEX_ATTRIBUTES: [wgpu::VertexAttribute; 2] = wgpu::vertex_attr_array![0 => Uint16x4, 1 => Snorm16x4];
pub const CHUNK_ATTRIBUTES: [wgpu::VertexAttribute; 1] = wgpu::vertex_attr_array![2 => Float32x3];
pub const VERTEX_BYTES: u64 = size_of::<RockVertex>() as u64;
pub const CHUNK_BYTES: u64 = size_of::<Vec3>() as u64;

/// A terrain on a device.
pub struct Reef {
    vertices: wgpu::Buffer,
    indices: wgpu::Buffer,
    /// The place of the first sample of each chunk, in cells.
    places: wgpu::Buffer,
    chunks: Vec<ChunkRange>,
    /// A word for each texel of the water.
    pub water: wgpu::Buffer,
}

/// Where a chunk is in the buffers.
struct ChunkRange {
    indices: Range<u32>,
    first_vertex: i32,
}

impl Reef {
    /// Makes the surface of a field and uploads it.
    pub fn new(gpu: &Gpu, field: &ScalarField) -> Self {
        let water = Water::new(field);
        let surface = surface(field);
        let vertices: Vec<Vec<RockVertex>> =
            (0..surface.len()).into_par_iter().map(|index| of_chunk(&surface[index], &water)).collect();
        let mut chunks: Vec<ChunkRange> = Vec::new();
        let (mut vertex, mut index) = (0, 0);
        for chunk in &surface {
            let end = index + 3 * chunk.triangles.len() as u32;
            chunks.push(ChunkRange { indices: index..end, first_vertex: vertex });
            (vertex, index) = (vertex + chunk.vertices.len() as i32, end);
        }
        let places: Vec<Vec3> =
            surface.iter().map(|chunk| Vec3::from(chunk.first.map(|along| along as f32 + 0.5))).collect();
        let indices: Vec<u32> = surface.iter().flat_map(|chunk| chunk.triangles.iter().flatten().copied()).collect();
        let unorm = |part: f32| (part.clamp(0.0, 1.0) * 65_535.0) as u32;
        let texels = water.light.iter().zip(&water.rock);
        let texels: Vec<u32> = texels.map(|(light, rock)| unorm(light / MOST_LIGHT) | unorm(*rock) << 16).collect();
        let made = |label, bytes: &[u8], usage| {
            // An empty buffer cannot be bound.
            let bytes = if bytes.is_empty() { &[0; 16] } else { bytes };
            buffer_of(&gpu.device, &gpu.queue, label, bytes, usage)
        };
        Self {
            vertices: made("rock", bytemuck::cast_slice(&vertices.concat()), wgpu::BufferUsages::VERTEX),
            indices: made("rock triangles", bytemuck::cast_slice(&indices), wgpu::BufferUsages::INDEX),
            places: made("chunks", bytemuck::cast_slice(&places), wgpu::BufferUsages::VERTEX),
            chunks,
            water: made("water", bytemuck::cast_slice(&texels), wgpu::BufferUsages::STORAGE),
        }
    }

    /// Draws the surface.
    pub fn draw(&self, render: &mut wgpu::RenderPass<'_>) {
        render.set_vertex_buffer(0, self.vertices.slice(..));
        render.set_vertex_buffer(1, self.places.slice(..));
        render.set_index_buffer(self.indices.slice(..), wgpu::IndexFormat::Uint32);
        for (chunk, ChunkRange { indices, first_vertex }) in (0..).zip(&self.chunks) {
            render.draw_indexed(indices.clone(), *first_vertex, chunk..chunk + 1);
        }
    }
}

/// The vertices of a chunk, with what light arrives at them.
fn of_chunk(chunk: &Chunk, water: &Water) -> Vec<RockVertex> {
    let stored = |vertex: &Vertex| {
        let Shade { open, light } = water.shade(chunk, vertex);
        RockVertex {
            place: vertex.place,
            open: (open.clamp(0.0, 1.0) * 65_535.0) as u16,
            normal: vertex.normal,
            lit: ((light / MOST_LIGHT).clamp(0.0, 1.0) * 32_767.0) as i16,
        }
    };
    chunk.vertices.iter().map(stored).collect()
}
