//! The terrain of a world on the device: the surface of its rock, with what light arrives at it, and the light in its water.
//!
//! A picture that is kept waits until all of it is made. A window does not: what is made on a thread comes in with the next frames.

mod builder;
mod chunks;

pub use builder::MOST_LIGHT;

use super::renderer::write_list;
use crate::device::Gpu;
use crate::device::program::{buffer, buffer_of};
use crate::picture::WATER_TEXEL;
use crate::world::ScalarField;
use builder::{Builder, ChunkMesh, Piece, RockVertex, Site, Viewpoint, build, word};
use chunks::{ChunkPlace, Chunks};
use glam::{DVec3, Vec3};
use murmuration_core::terrain::mesh::CHUNK;
use std::collections::BTreeSet;
use std::sync::Arc;
use std::sync::mpsc::TryRecvError;

/// The most bytes of vertices and triangles.
const BUDGET: u64 = 256 << 20;
/// The bytes that a frame uploads before it is drawn, where it does not wait.
const BYTES_A_FRAME: u64 = 2 << 20;
/// The light in water that is not known yet.
const UNKNOWN_LIGHT: f32 = 0.4;

const PLACES: wgpu::BufferUsages = wgpu::BufferUsages::VERTEX.union(wgpu::BufferUsages::COPY_DST);

/// The vertex attributes of a vertex of rock, and of the place of its chunk, of which there is one for each instance.
pub const VERTEX_ATTRIBUTES: [wgpu::VertexAttribute; 2] = wgpu::vertex_attr_array![0 => Uint16x4, 1 => Snorm16x4];
pub const CHUNK_ATTRIBUTES: [wgpu::VertexAttribute; 1] = wgpu::vertex_attr_array![2 => Float32x3];
pub const VERTEX_BYTES: u64 = size_of::<RockVertex>() as u64;
pub const CHUNK_BYTES: u64 = size_of::<Vec3>() as u64;

/// A terrain on a device.
pub struct Reef {
    site: Site,
    /// The number of the terrain among those before it.
    terrain: u64,
    chunks: Chunks<ChunkBuffers>,
    /// The place of the first sample of each chunk, in cells.
    places: wgpu::Buffer,
    /// A word for each texel of the water.
    pub water: wgpu::Buffer,
    /// The same in memory.
    words: Vec<u32>,
    /// Whether the water is that of the site.
    has_water: bool,
    progress: Progress,
}

/// A chunk on the device.
struct ChunkBuffers {
    vertices: wgpu::Buffer,
    indices: wgpu::Buffer,
    count: u32,
}

/// What is made of a terrain.
enum Progress {
    Begun,
    Building(Builder),
    /// As much as the budget holds for an eye at a place.
    Spent(DVec3),
    Done,
}

impl Reef {
    /// A terrain of which nothing is made yet. `origin` is the place of the world's first voxel among all places.
    pub fn new(gpu: &Gpu, field: &Arc<ScalarField>, origin: [i64; 3]) -> Self {
        let words = vec![word(UNKNOWN_LIGHT, 0.0); texels(field).iter().product()];
        Self {
            site: Site { field: field.clone(), origin },
            terrain: 0,
            chunks: Chunks::new(BUDGET),
            places: buffer(&gpu.device, "chunks", CHUNK_BYTES, PLACES),
            water: buffer_of(
                &gpu.device,
                &gpu.queue,
                "water",
                bytemuck::cast_slice(&words),
                wgpu::BufferUsages::STORAGE,
            ),
            words,
            has_water: false,
            progress: Progress::Begun,
        }
    }

    /// Takes the terrain of the world as it is now. What was made of the one before is drawn until this one is made. Returns whether it
    /// could: a world of another size needs other buffers.
    pub fn take(&mut self, gpu: &Gpu, field: &Arc<ScalarField>, origin: [i64; 3]) -> bool {
        if texels(field) != texels(&self.site.field) {
            return false;
        }
        if !Arc::ptr_eq(field, &self.site.field) || origin != self.site.origin {
            let moved = [0, 1, 2].map(|axis| origin[axis] - self.site.origin[axis]);
            self.words = shifted(&self.words, texels(field), moved);
            gpu.queue.write_buffer(&self.water, 0, bytemuck::cast_slice(&self.words));
            self.site = Site { field: field.clone(), origin };
            self.terrain += 1;
            (self.has_water, self.progress) = (false, Progress::Begun);
            self.write_places(gpu);
        }
        true
    }

    /// Goes on with what is to be made, first for an eye at this place of the world (cells) that looks ahead. If it waits, all is made.
    pub fn make(&mut self, gpu: &Gpu, eye: Vec3, ahead: Vec3, waits: bool) {
        let origin = DVec3::from(self.site.origin.map(|along| along as f64));
        let viewpoint = Viewpoint { eye: origin + eye.as_dvec3(), ahead };
        match std::mem::replace(&mut self.progress, Progress::Done) {
            Progress::Done => return,
            // What had no room is made when the eye is elsewhere.
            Progress::Spent(at) if at.distance(viewpoint.eye) <= f64::from(CHUNK) => {
                self.progress = Progress::Spent(at);
                return;
            }
            Progress::Building(builder) if !waits => self.receive(gpu, builder, viewpoint),
            _ => {
                let there: BTreeSet<_> = self.chunks.of(self.terrain).collect();
                let (site, has_water) = (self.site.clone(), self.has_water);
                match (!waits).then(|| Builder::begin(&site, viewpoint, has_water, there.clone())).flatten() {
                    Some(builder) => self.progress = Progress::Building(builder),
                    None => {
                        let take = |piece| self.take_piece(gpu, piece, viewpoint).is_some();
                        build(&site, has_water, &there, || viewpoint, take);
                    }
                }
            }
        }
        if matches!(self.progress, Progress::Done | Progress::Spent(_)) {
            self.chunks.keep_only(self.terrain);
        }
        self.write_places(gpu);
    }

    /// Takes what is ready, as much as a frame uploads.
    fn receive(&mut self, gpu: &Gpu, builder: Builder, viewpoint: Viewpoint) {
        builder.look_from(viewpoint);
        let mut bytes = 0;
        while bytes < BYTES_A_FRAME {
            match builder.next() {
                Ok(piece) => match self.take_piece(gpu, piece, viewpoint) {
                    Some(uploaded) => bytes += uploaded,
                    None => return,
                },
                Err(TryRecvError::Empty) => break,
                Err(TryRecvError::Disconnected) => return,
            }
        }
        self.progress = Progress::Building(builder);
    }

    /// Uploads a piece. Returns its bytes; `None`: there is no room for more.
    fn take_piece(&mut self, gpu: &Gpu, piece: Piece, viewpoint: Viewpoint) -> Option<u64> {
        match piece {
            Piece::Water(words) => {
                gpu.queue.write_buffer(&self.water, 0, bytemuck::cast_slice(&words));
                (self.words, self.has_water) = (words, true);
                Some(4 * self.words.len() as u64)
            }
            Piece::Chunk(place, mesh) if mesh.triangles.is_empty() => {
                self.chunks.remove(place);
                Some(0)
            }
            Piece::Chunk(place, mesh) => {
                let chunk = ChunkBuffers::new(gpu, &mesh);
                let bytes = chunk.vertices.size() + chunk.indices.size();
                let has_room = self.chunks.insert(place, self.terrain, bytes, chunk, viewpoint.eye);
                if !has_room {
                    self.progress = Progress::Spent(viewpoint.eye);
                }
                has_room.then_some(bytes)
            }
        }
    }

    /// Whether more of it comes with the next frames.
    pub fn is_unfinished(&self) -> bool {
        matches!(self.progress, Progress::Begun | Progress::Building(_))
    }

    fn write_places(&mut self, gpu: &Gpu) {
        let place =
            |place: ChunkPlace| Vec3::from([0, 1, 2].map(|axis| (place[axis] - self.site.origin[axis]) as f32 + 0.5));
        let places: Vec<Vec3> = self.chunks.iter().map(|(at, _)| place(at)).collect();
        write_list(gpu, &mut self.places, &places);
    }

    /// Draws the surface.
    pub fn draw(&self, render: &mut wgpu::RenderPass<'_>) {
        render.set_vertex_buffer(1, self.places.slice(..));
        for (index, (_, chunk)) in (0..).zip(self.chunks.iter()) {
            render.set_vertex_buffer(0, chunk.vertices.slice(..));
            render.set_index_buffer(chunk.indices.slice(..), wgpu::IndexFormat::Uint32);
            render.draw_indexed(0..chunk.count, 0, index..index + 1);
        }
    }
}

impl ChunkBuffers {
    fn new(gpu: &Gpu, mesh: &ChunkMesh) -> Self {
        let made = |label, bytes, usage| buffer_of(&gpu.device, &gpu.queue, label, bytes, usage);
        Self {
            vertices: made("rock", bytemuck::cast_slice(&mesh.vertices), wgpu::BufferUsages::VERTEX),
            indices: made("rock triangles", bytemuck::cast_slice(&mesh.triangles), wgpu::BufferUsages::INDEX),
            count: 3 * mesh.triangles.len() as u32,
        }
    }
}

/// The texels of water along each axis.
fn texels(field: &ScalarField) -> [usize; 3] {
    field.extents.along_axes().map(|extent| (extent as usize).div_ceil(WATER_TEXEL))
}

/// The texels of a world that was moved by so many cells; those that were not known are those beside them.
fn shifted(words: &[u32], size: [usize; 3], moved: [i64; 3]) -> Vec<u32> {
    let from = |axis: usize, along: usize| {
        let before = along as i64 + moved[axis] / WATER_TEXEL as i64;
        before.clamp(0, size[axis] as i64 - 1) as usize
    };
    let mut all = Vec::with_capacity(words.len());
    for z in 0..size[2] {
        for y in 0..size[1] {
            let row = (from(2, z) * size[1] + from(1, y)) * size[0];
            all.extend((0..size[0]).map(|x| words[row + from(0, x)]));
        }
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn water_moves_with_the_world() {
        let size = [3, 2, 2];
        let words: Vec<u32> = (0..12).collect();
        assert_eq!(shifted(&words, size, [0; 3]), words);
        assert_eq!(shifted(&words, size, [2, 0, 0]), [1, 2, 2, 4, 5, 5, 7, 8, 8, 10, 11, 11]);
        assert_eq!(shifted(&words, size, [0, -2, 0]), [0, 1, 2, 0, 1, 2, 6, 7, 8, 6, 7, 8]);
        assert_eq!(shifted(&words, size, [-1 << 40, 1 << 40, 1 << 40]), [9; 12]);
    }
}
