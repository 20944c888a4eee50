//! The terrain of a world on the device: the surface of its rock, the light on the surface, and the light in the water.
//!
//! A stored picture waits until the whole terrain is made. A window does not wait: a thread makes the terrain, and
//! later frames show the new parts.

mod builder;
mod chunks;
mod site;

pub use site::MAX_LIGHT;

use crate::device::Gpu;
use crate::device::lists::write_list;
use crate::device::program::{buffer, buffer_of};
use builder::{Builder, ChunkMesh, Piece, PreviousSurface, RockVertex, build};
use chunks::{ChunkPlace, Chunks, Viewpoint};
use glam::{DVec3, Mat4, Vec3, Vec4};
use murmuration_core::picture::WATER_TEXEL;
use murmuration_core::terrain::mesh::CHUNK;
use murmuration_core::world::ScalarField;
use site::{Site, SiteFields, half_of_texel, word};
use std::sync::Arc;
use std::sync::mpsc::TryRecvError;

/// The maximum number of bytes of the vertices and triangles of all chunks.
const BUDGET: u64 = 256 << 20;
/// The number of bytes after which a frame stops to upload parts of the terrain, if the frame does not wait for all
/// parts.
const BYTES_A_FRAME: u64 = 2 << 20;
/// The light that water has until its light is computed.
const UNKNOWN_LIGHT: f32 = 0.4;

const PLACES: wgpu::BufferUsages = wgpu::BufferUsages::VERTEX.union(wgpu::BufferUsages::COPY_DST);

/// The vertex attributes of a `RockVertex`.
pub const VERTEX_ATTRIBUTES: [wgpu::VertexAttribute; 2] = wgpu::vertex_attr_array![0 => Uint16x4, 1 => Snorm16x4];
/// The attribute of an instance: the place of a chunk, in cells.
pub const CHUNK_ATTRIBUTES: [wgpu::VertexAttribute; 1] = wgpu::vertex_attr_array![2 => Float32x3];
/// The size of a vertex in bytes.
pub const VERTEX_BYTES: u64 = size_of::<RockVertex>() as u64;
/// The size of an instance in bytes.
pub const CHUNK_BYTES: u64 = size_of::<Vec3>() as u64;

/// The terrain of a world on a device. `site` is the rock from which it is made.
pub struct Reef {
    site: Site,
    /// The number of the present terrain. Each change of the rock or the origin increases it.
    terrain: u64,
    /// The chunks that were made. A chunk without a surface is `None`, so that it is not made again.
    chunks: Chunks<Option<ChunkBuffers>>,
    /// A buffer with the place of the first sample of each chunk, in cells.
    places: wgpu::Buffer,
    /// The light and the part of rock of each texel of water, packed by [`word`].
    pub water: wgpu::Buffer,
    /// A copy of the words of `water`, in memory.
    words: Vec<u32>,
    /// The fields from which the last chunks were made, and the number of their terrain.
    fields: Option<(u64, Arc<SiteFields>)>,
    progress: Progress,
    /// Whether chunks of the present terrain were left out because they had no room.
    lacks_room: bool,
    /// The number of bytes that the last picture uploaded, if it did not wait.
    uploaded: u64,
}

/// The surface in a chunk on the device. `count`: the number of indices.
struct ChunkBuffers {
    vertices: wgpu::Buffer,
    indices: wgpu::Buffer,
    count: u32,
}

/// The progress of making a terrain.
enum Progress {
    Begun,
    Building(Builder),
    /// The budget is full. The chunks with the highest priority from this viewpoint are made.
    Spent(Viewpoint),
    Done,
}

impl Reef {
    /// A terrain of which nothing is made yet. `field`: the rock. `solids`: the solid flag of each cell. `origin`: the
    /// first voxel of the world, counted from place 0 of an endless world.
    pub fn new(gpu: &Gpu, field: &Arc<ScalarField>, solids: &Arc<Vec<bool>>, origin: [i64; 3]) -> Self {
        let half = half_of_texel(UNKNOWN_LIGHT, 0.0);
        let words = vec![word(half, half); texels(field).iter().product()];
        Self {
            site: Site { field: field.clone(), solids: solids.clone(), origin },
            terrain: 0,
            chunks: Chunks::new(BUDGET),
            places: buffer(&gpu.device, "chunks", CHUNK_BYTES, PLACES),
            water: buffer_of(
                &gpu.device,
                gpu.queue(),
                "water",
                bytemuck::cast_slice(&words),
                wgpu::BufferUsages::STORAGE,
            ),
            words,
            fields: None,
            progress: Progress::Begun,
            lacks_room: false,
            uploaded: 0,
        }
    }

    /// Takes the present rock of the world. The surface of the earlier rock is drawn until the new surface is made.
    /// Returns `false` if the size of the world has changed, because the buffers of this `Reef` would have the wrong
    /// size.
    pub fn take(&mut self, gpu: &Gpu, field: &Arc<ScalarField>, solids: &Arc<Vec<bool>>, origin: [i64; 3]) -> bool {
        if texels(field) != texels(&self.site.field) {
            return false;
        }
        let is_same_rock = Arc::ptr_eq(field, &self.site.field)
            && (Arc::ptr_eq(solids, &self.site.solids) || *solids == self.site.solids);
        if !is_same_rock || origin != self.site.origin {
            if origin != self.site.origin {
                let moved = [0, 1, 2].map(|axis| origin[axis] - self.site.origin[axis]);
                self.words = shifted(&self.words, texels(field), moved);
                gpu.queue().write_buffer(&self.water, 0, bytemuck::cast_slice(&self.words));
            }
            self.site = Site { field: field.clone(), solids: solids.clone(), origin };
            self.terrain += 1;
            (self.progress, self.lacks_room) = (Progress::Begun, false);
            self.write_places(gpu);
        }
        true
    }

    /// Continues to make the terrain, first the chunks in view and near the eye. `eye`: the place of the eye, in cells.
    /// `ahead`: the direction of its view. With `waits` the whole terrain is made before the function returns.
    pub fn make(&mut self, gpu: &Gpu, eye: Vec3, ahead: Vec3, waits: bool) {
        self.uploaded = 0;
        let origin = DVec3::from(self.site.origin.map(|along| along as f64));
        let viewpoint = Viewpoint { eye: origin + eye.as_dvec3(), ahead };
        match std::mem::replace(&mut self.progress, Progress::Done) {
            Progress::Done => return,
            // Chunks that had no room are made when the view changes.
            Progress::Spent(before) if before.is_near(&viewpoint) => {
                self.progress = Progress::Spent(before);
                return;
            }
            Progress::Building(builder) if !waits => self.receive(gpu, builder, viewpoint),
            _ => self.begin(gpu, viewpoint, waits),
        }
        if matches!(self.progress, Progress::Done | Progress::Spent(_)) {
            self.chunks.keep_only(self.terrain);
        }
        self.write_places(gpu);
    }

    /// Begins to make the missing parts on a thread. With `waits`, or on a platform without threads, makes them at
    /// once.
    fn begin(&mut self, gpu: &Gpu, viewpoint: Viewpoint, waits: bool) {
        let earlier = self.fields.as_ref().map(|(terrain, fields)| PreviousSurface {
            fields: fields.clone(),
            places: self.chunks.of(*terrain).collect(),
            is_of_site: *terrain == self.terrain,
        });
        self.lacks_room = false;
        let site = self.site.clone();
        match (!waits).then(|| Builder::begin(&site, viewpoint, earlier.clone())).flatten() {
            Some(builder) => self.progress = Progress::Building(builder),
            None => {
                let take = |piece| self.take_piece(gpu, piece, viewpoint).is_some();
                build(&site, earlier, viewpoint, take);
                self.end(viewpoint);
            }
        }
    }

    /// Notes that every part with room is made. `begun`: the viewpoint from which the work began.
    fn end(&mut self, begun: Viewpoint) {
        self.progress = if self.lacks_room { Progress::Spent(begun) } else { Progress::Done };
    }

    /// Uploads pieces that the thread has made, until the frame has uploaded [`BYTES_A_FRAME`].
    fn receive(&mut self, gpu: &Gpu, builder: Builder, viewpoint: Viewpoint) {
        builder.look_from(viewpoint);
        while self.uploaded < BYTES_A_FRAME {
            match builder.next() {
                Ok(piece) => match self.take_piece(gpu, piece, viewpoint) {
                    Some(bytes) => self.uploaded += bytes,
                    None => return self.end(builder.begun),
                },
                Err(TryRecvError::Empty) => break,
                Err(TryRecvError::Disconnected) => return self.end(builder.begun),
            }
        }
        self.progress = Progress::Building(builder);
    }

    /// Uploads a piece. Returns its size in bytes. `None` if the piece is a chunk that had no room.
    fn take_piece(&mut self, gpu: &Gpu, piece: Piece, viewpoint: Viewpoint) -> Option<u64> {
        match piece {
            Piece::Fields(fields, kept) => {
                gpu.queue().write_buffer(&self.water, 0, bytemuck::cast_slice(&fields.words));
                self.words.clone_from(&fields.words);
                self.fields = Some((self.terrain, fields));
                self.chunks.take_over(&kept, self.terrain);
                Some(4 * self.words.len() as u64)
            }
            Piece::Chunk(place, mesh) => {
                let chunk = (!mesh.triangles.is_empty()).then(|| ChunkBuffers::new(gpu, &mesh));
                let bytes = chunk.as_ref().map_or(0, |chunk| chunk.vertices.size() + chunk.indices.size());
                let gone = self.chunks.insert(place, self.terrain, bytes, chunk, &viewpoint);
                self.lacks_room |= !gone.is_empty();
                (!gone.contains(&place)).then_some(bytes)
            }
        }
    }

    /// Whether more parts come with the next frames.
    pub fn is_unfinished(&self) -> bool {
        matches!(self.progress, Progress::Begun | Progress::Building(_))
    }

    /// The number of bytes that the last picture uploaded, if it did not wait.
    pub fn uploaded(&self) -> u64 {
        self.uploaded
    }

    /// The place of the first sample of a chunk, in cells of the world.
    fn first_sample(&self, place: ChunkPlace) -> Vec3 {
        Vec3::from([0, 1, 2].map(|axis| (place[axis] - self.site.origin[axis]) as f32 + 0.5))
    }

    fn write_places(&mut self, gpu: &Gpu) {
        let places: Vec<Vec3> = self.chunks.iter().map(|(place, _)| self.first_sample(place)).collect();
        write_list(gpu, &mut self.places, &places);
    }

    /// Draws the surface. `clip`: the matrix from cells to clip space. Only chunks in view are drawn. Near chunks come
    /// first, because they hide the chunks behind them.
    pub fn draw(&self, render: &mut wgpu::RenderPass<'_>, clip: Mat4) {
        render.set_vertex_buffer(1, self.places.slice(..));
        let surfaces = (0..).zip(self.chunks.iter()).filter_map(|(index, (place, chunk))| {
            let (chunk, first) = (chunk.as_ref()?, self.first_sample(place));
            let ahead = clip.mul_vec4((first + 0.5 * CHUNK as f32).extend(1.0)).w;
            is_in_view(clip, first).then_some((ahead, index, chunk))
        });
        let mut surfaces: Vec<(f32, u32, &ChunkBuffers)> = surfaces.collect();
        surfaces.sort_by(|(one, ..), (other, ..)| one.total_cmp(other));
        for (_, index, chunk) in surfaces {
            render.set_vertex_buffer(0, chunk.vertices.slice(..));
            render.set_index_buffer(chunk.indices.slice(..), wgpu::IndexFormat::Uint32);
            render.draw_indexed(0..chunk.count, 0, index..index + 1);
        }
    }
}

/// Whether a chunk with this first sample (cells) may be in view. A chunk is not in view if all its corners are beyond
/// one side of the view.
fn is_in_view(clip: Mat4, first: Vec3) -> bool {
    let corner = |number: i32| {
        let side = Vec3::from([0, 1, 2].map(|axis| (number >> axis & 1) as f32));
        clip.mul_vec4((first + CHUNK as f32 * side).extend(1.0))
    };
    let corners: [Vec4; 8] = std::array::from_fn(|number| corner(number as i32));
    let is_beyond = |side: fn(Vec4) -> f32| corners.iter().all(|corner| side(*corner) > corner.w);
    !(is_beyond(|corner| corner.x)
        || is_beyond(|corner| -corner.x)
        || is_beyond(|corner| corner.y)
        || is_beyond(|corner| -corner.y)
        || is_beyond(|corner| corner.z))
}

impl ChunkBuffers {
    fn new(gpu: &Gpu, mesh: &ChunkMesh) -> Self {
        let made = |label, bytes, usage| buffer_of(&gpu.device, gpu.queue(), label, bytes, usage);
        Self {
            vertices: made("rock", bytemuck::cast_slice(&mesh.vertices), wgpu::BufferUsages::VERTEX),
            indices: made("rock triangles", bytemuck::cast_slice(&mesh.triangles), wgpu::BufferUsages::INDEX),
            count: 3 * mesh.triangles.len() as u32,
        }
    }
}

/// The number of texels of water along each axis.
fn texels(field: &ScalarField) -> [usize; 3] {
    field.extents.along_axes().map(|extent| (extent as usize).div_ceil(WATER_TEXEL))
}

/// The words of the water after the world has moved by `moved` cells. `size`: the number of texels along each axis. A
/// texel without an earlier word gets the word of the nearest texel with one.
fn shifted(words: &[u32], size: [usize; 3], moved: [i64; 3]) -> Vec<u32> {
    let from = |axis: usize, along: usize| {
        let before = along as i64 + moved[axis] / WATER_TEXEL as i64;
        before.clamp(0, size[axis] as i64 - 1) as usize
    };
    let is_before = |x: usize| x as i64 + moved[0] / (WATER_TEXEL as i64) < 0;
    let mut all = Vec::with_capacity(words.len());
    for z in 0..size[2] {
        for y in 0..size[1] {
            let row = (from(2, z) * size[1] + from(1, y)) * size[0];
            all.extend((0..size[0]).map(|x| {
                if is_before(x) {
                    // The first texel stands for all texels before it. The high half of its word is of the next texel,
                    // so both halves of the new word are its low half.
                    word(words[row] & 0xffff, words[row] & 0xffff)
                } else {
                    words[row + from(0, x)]
                }
            }));
        }
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::camera::lh::proj::directx::perspective_infinite_reverse;
    use glam::camera::lh::view::look_to_mat4;
    use glam::vec3;

    /// The places in a cube whose coordinates are integers below `side`.
    fn cube(side: usize) -> impl Iterator<Item = Vec3> {
        let along = move |index: usize, axis: u32| (index / side.pow(axis) % side) as f32;
        (0..side.pow(3)).map(move |index| vec3(along(index, 0), along(index, 1), along(index, 2)))
    }

    /// The view of an eye at a place, in a picture twice as wide as high.
    fn clip(eye: Vec3, ahead: Vec3) -> Mat4 {
        perspective_infinite_reverse(0.64, 2.0, 0.5) * look_to_mat4(eye, ahead, Vec3::Z)
    }

    #[test]
    fn no_chunk_is_left_out_of_which_a_place_is_seen() {
        let eyes = [vec3(16.0, 16.0, 16.0), vec3(-40.0, 10.0, 5.0), vec3(31.9, 0.1, 70.0), vec3(200.0, -90.0, 33.0)];
        let directions = [Vec3::X, Vec3::NEG_X, Vec3::Y, vec3(0.6, -0.64, -0.48), vec3(-0.8, 0.36, 0.48)];
        let mut left_out = 0;
        for (eye, ahead) in eyes.iter().flat_map(|eye| directions.map(|ahead| (*eye, ahead))) {
            let clip = clip(eye, ahead);
            for first in cube(5).map(|place| 32.0 * (place - 2.0)) {
                let is_seen = cube(9).any(|place| {
                    let place = clip.mul_vec4((first + 4.0 * place).extend(1.0));
                    place.x.abs() <= place.w && place.y.abs() <= place.w && (0.0..=place.w).contains(&place.z)
                });
                let is_kept = is_in_view(clip, first);
                assert!(is_kept || !is_seen, "{first} from {eye} towards {ahead}");
                left_out += usize::from(!is_kept);
            }
        }
        assert!(left_out > 1500, "of 2500 chunks most are out of view: {left_out}");
    }

    #[test]
    fn what_is_behind_the_eye_or_beside_the_picture_is_left_out() {
        let clip = clip(vec3(16.0, 16.0, 16.0), Vec3::X);
        let is_seen = |x: f32, y: f32, z: f32| is_in_view(clip, vec3(x, y, z));
        assert!(is_seen(0.0, 0.0, 0.0) && is_seen(64.0, 0.0, 0.0) && is_seen(640.0, 64.0, 0.0));
        assert!(!is_seen(-64.0, 0.0, 0.0) && !is_seen(64.0, 96.0, 0.0) && !is_seen(64.0, 0.0, -96.0));
    }

    #[test]
    fn water_moves_with_the_world() {
        let size = [3, 2, 2];
        let words: Vec<u32> = (0..12).collect();
        assert_eq!(shifted(&words, size, [0; 3]), words);
        assert_eq!(shifted(&words, size, [2, 0, 0]), [1, 2, 2, 4, 5, 5, 7, 8, 8, 10, 11, 11]);
        assert_eq!(shifted(&words, size, [0, -2, 0]), [0, 1, 2, 0, 1, 2, 6, 7, 8, 6, 7, 8]);
        // An unknown texel has the light of the nearest texel, in both halves of its word.
        assert_eq!(shifted(&words, size, [-1 << 40, 1 << 40, 1 << 40]), [word(9, 9); 12]);
        let packed = [word(1, 2), word(2, 3), word(3, 3)];
        assert_eq!(shifted(&packed, [3, 1, 1], [-2, 0, 0]), [word(1, 1), word(1, 2), word(2, 3)]);
        assert_eq!(shifted(&packed, [3, 1, 1], [2, 0, 0]), [word(2, 3), word(3, 3), word(3, 3)]);
    }
}
