//! The surface of rock as triangles: marching cubes over the scalar field (*Marching Cubes: A High Resolution 3D
//! Surface Construction Algorithm*, W. E. Lorensen and H. E. Cline), in independent chunks.
//!
//! A sample of the field lies in the middle of each voxel, and eight neighbouring samples are the corners of a cube. A
//! vertex lies on each edge of a cube whose one end is rock and whose other end is water. On each face of a cube,
//! segments between vertices separate rock corners from water corners. They depend on the four signs of this face
//! alone. So both cubes at a face have the same segments, and there are no cracks. The segments of a cube form closed
//! loops. Triangles fill the loops, without further edges within a face. So every edge of the mesh belongs to exactly
//! two triangles, also over the borders of chunks.
//!
//! Water lies beyond the edges of the world, also on a torus, so that the mesh is closed.

use crate::numbers::each_axis;
use crate::parallel::*;
use crate::world::{Extents, ScalarField, WINDOW_CHUNK};
use std::sync::LazyLock;

/// The number of cubes along each axis of a chunk. The window of an endless world moves by multiples of this number, so
/// chunks stay at their places in the world.
pub const CHUNK: i32 = WINDOW_CHUNK;
/// The number of parts of a cell. Places of vertices are in these parts.
pub const PARTS: i32 = 256;
/// The length of a normal vector.
pub const NORMAL_ONE: i16 = i16::MAX;
/// The value of samples beyond the edges of the world, which count as water. A vertex next to such a sample lies on the
/// edge of the world.
const OUTSIDE: i32 = i32::MIN;

/// A corner of triangles.
#[repr(C)]
#[derive(Debug, Clone, Copy, PartialEq, Eq, bytemuck::Pod, bytemuck::Zeroable)]
pub struct Vertex {
    /// The place, in 1/[`PARTS`] cell from the first sample of its chunk.
    pub place: [u16; 3],
    /// The direction out of the rock, a vector of about the length [`NORMAL_ONE`].
    pub normal: [i16; 3],
}

/// The part of the surface within a block of at most [`CHUNK`]³ cubes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Chunk {
    /// The voxel with the first sample of the chunk; -1 is one voxel before the edge of the world.
    pub first: [i32; 3],
    /// The vertices, in any order.
    pub vertices: Vec<Vertex>,
    /// Indices into `vertices`, counterclockwise as seen from the water in right-handed axes.
    pub triangles: Vec<[u32; 3]>,
}

impl Chunk {
    /// The place of a vertex of this chunk, in 1/[`PARTS`] cell from the corner of the world.
    pub fn place(&self, vertex: &Vertex) -> [i32; 3] {
        std::array::from_fn(|axis| self.first[axis] * PARTS + PARTS / 2 + i32::from(vertex.place[axis]))
    }
}

/// Computes the surface of a field: all chunks that are not empty, x fastest. The result does not depend on the number
/// of threads.
///
/// # Panics
/// If the number of values is not the number of voxels.
pub fn surface(field: &ScalarField) -> Vec<Chunk> {
    let all = firsts(field.extents);
    let chunks: Vec<_> = (0..all.len()).into_par_iter().map(|index| chunk(field, all[index])).collect();
    chunks.into_iter().flatten().collect()
}

/// The first voxel of each chunk of a world, x fastest. The first chunk begins at voxel -1, because water beyond the
/// edge closes the surface.
pub fn firsts(extents: Extents) -> Vec<[i32; 3]> {
    let [wide, high, deep] = extents.along_axes().map(|extent| (extent as i32 + CHUNK) / CHUNK);
    let numbers = (0..wide * high * deep).map(|index| [index % wide, index / wide % high, index / wide / high]);
    numbers.map(|number| number.map(|number| number * CHUNK - 1)).collect()
}

/// The surface within the chunk with this first voxel; `None`: the chunk has no surface.
///
/// # Panics
/// If the number of values is not the number of voxels.
pub fn chunk(field: &ScalarField, first: [i32; 3]) -> Option<Chunk> {
    assert_eq!(field.values.len(), field.extents.cells(), "a field has a value for each voxel");
    let extents = field.extents.along_axes();
    let size = each_axis(|axis| (extents[axis] as i32 - first[axis]).min(CHUNK));
    Block::gather(field, first, size).and_then(|block| block.surface(field))
}

/// The samples of one chunk of cubes.
struct Block {
    first: [i32; 3],
    /// The number of cubes along each axis. The number of samples is one more.
    size: [i32; 3],
    samples: Vec<i32>,
}

impl Block {
    /// Reads the samples of a chunk; `None`: all samples are rock, or all are water.
    fn gather(field: &ScalarField, first: [i32; 3], size: [i32; 3]) -> Option<Self> {
        let [wide, high, deep] = size.map(|cubes| cubes + 1);
        let mut samples = Vec::with_capacity((wide * high * deep) as usize);
        for z in first[2]..first[2] + deep {
            for y in first[1]..first[1] + high {
                samples.extend((first[0]..first[0] + wide).map(|x| field.sample([x, y, z])));
            }
        }
        let rocks = samples.iter().filter(|value| **value > 0).count();
        (0 < rocks && rocks < samples.len()).then_some(Self { first, size, samples })
    }

    fn surface(&self, field: &ScalarField) -> Option<Chunk> {
        let [wide, high] = [self.size[0] + 1, self.size[1] + 1];
        let strides = [1, wide as usize, (wide * high) as usize];
        // The index of the vertex on the edge from each sample along each axis; `u32::MAX`: no vertex is made yet.
        let mut indices = vec![u32::MAX; 3 * self.samples.len()];
        let mut chunk = Chunk { first: self.first, vertices: Vec::new(), triangles: Vec::new() };
        for z in 0..self.size[2] {
            for y in 0..self.size[1] {
                let row = y as usize * strides[1] + z as usize * strides[2];
                for x in 0..self.size[0] {
                    let at = row + x as usize;
                    let is_rock = |corner: usize| self.samples[at + offset(corner, strides)] > 0;
                    let case = (0..8).fold(0, |case, corner| case | usize::from(is_rock(corner)) << corner);
                    for triangle in &CASES[case] {
                        let corners = triangle.map(|Edge { axis, from }| {
                            let sample = at + offset(from, strides);
                            let index = &mut indices[3 * sample + axis];
                            if *index == u32::MAX {
                                *index = chunk.vertices.len() as u32;
                                let place = [x, y, z].map(|place| place as u16);
                                let place = each_axis(|axis| place[axis] + (from >> axis & 1) as u16);
                                let ends = [self.samples[sample], self.samples[sample + strides[axis]]];
                                chunk.vertices.push(self.vertex(field, place, axis, ends));
                            }
                            *index
                        });
                        chunk.triangles.push(corners);
                    }
                }
            }
        }
        (!chunk.triangles.is_empty()).then_some(chunk)
    }

    /// Makes the vertex on the edge from a sample along an axis. `sample`: the place of the sample in the chunk.
    /// `[from, to]`: the values of the field at both ends of the edge.
    fn vertex(&self, field: &ScalarField, sample: [u16; 3], axis: usize, [from, to]: [i32; 2]) -> Vertex {
        let part = crossing(from, to);
        let mut place = sample.map(|place| place * PARTS as u16);
        place[axis] += part as u16;
        let mut outwards = [0; 3];
        outwards[axis] = if from > 0 { i16::MAX } else { -i16::MAX };
        if from == OUTSIDE || to == OUTSIDE {
            return Vertex { place, normal: outwards };
        }
        let before = each_axis(|axis| self.first[axis] + i32::from(sample[axis]));
        let mut after = before;
        after[axis] += 1;
        let [before, after] = [before, after].map(|voxel| field.slope(voxel));
        let slope = each_axis(|axis| i64::from(before[axis] * (PARTS - part) + after[axis] * part));
        let length = slope.iter().map(|along| along * along).sum::<i64>().isqrt();
        match length {
            0 => Vertex { place, normal: outwards },
            _ => Vertex { place, normal: slope.map(|along| (-along * i64::from(NORMAL_ONE) / (length + 1)) as i16) },
        }
    }
}

impl ScalarField {
    /// The value of a voxel; [`OUTSIDE`] if it lies beyond the edges.
    fn sample(&self, voxel: [i32; 3]) -> i32 {
        let extents = self.extents.along_axes();
        let is_inside = (0..3).all(|axis| (0..extents[axis] as i32).contains(&voxel[axis]));
        if is_inside { self.nearest(voxel) } else { OUTSIDE }
    }

    /// The value of a voxel. For a voxel beyond the edges, the value of the nearest voxel within the edges.
    fn nearest(&self, voxel: [i32; 3]) -> i32 {
        let extents = self.extents.along_axes();
        let [x, y, z] = each_axis(|axis| voxel[axis].clamp(0, extents[axis] as i32 - 1) as usize);
        self.values[(z * extents[1] as usize + y) * extents[0] as usize + x].into()
    }

    /// The slope of the field along each axis in the middle of a voxel, times 2.
    fn slope(&self, voxel: [i32; 3]) -> [i32; 3] {
        std::array::from_fn(|axis| {
            let [before, after] = [-1, 1].map(|by| {
                let mut beside = voxel;
                beside[axis] += by;
                self.nearest(beside)
            });
            after - before
        })
    }
}

/// The place between two samples at which the field is 0, in 1/[`PARTS`] cell, 1 to 255. So no two vertices have the
/// same place, and no triangle has the area 0. If one sample is beyond the edge of the world, the place is this edge.
fn crossing(from: i32, to: i32) -> i32 {
    if from == OUTSIDE || to == OUTSIDE {
        return PARTS / 2;
    }
    (from * PARTS / (from - to)).clamp(1, PARTS - 1)
}

/// The offset in the list of samples from corner 0 of a cube to a corner. `strides`: the offsets along the axes.
fn offset(corner: usize, strides: [usize; 3]) -> usize {
    (0..3).map(|axis| (corner >> axis & 1) * strides[axis]).sum()
}

/// An edge of a cube, from the corner `from` along `axis`. Bit i of a corner's number is 0 at the lower side of the
/// cube on axis i, and 1 at the upper side.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Edge {
    axis: usize,
    from: usize,
}

impl Edge {
    fn between(one: usize, other: usize) -> Self {
        Self { axis: (one ^ other).trailing_zeros() as usize, from: one & other }
    }

    /// Whether a face of the cube has both edges.
    fn shares_a_face(self, other: Self) -> bool {
        let is_on = |edge: Self, axis: usize, side: usize| edge.axis != axis && edge.from >> axis & 1 == side;
        (0..6).any(|face| is_on(self, face / 2, face % 2) && is_on(other, face / 2, face % 2))
    }
}

/// The triangles of a cube for each of the 256 sets of rock corners. Bit i of the index: corner i is rock.
static CASES: LazyLock<Vec<Vec<[Edge; 3]>>> = LazyLock::new(|| (0..256).map(triangles).collect());

/// The corners around each face of a cube, counterclockwise as seen from outside in right-handed axes.
fn faces() -> impl Iterator<Item = [usize; 4]> {
    (0..6).map(|face| {
        let (axis, side) = (face / 2, face % 2);
        let [u, v] = [1, 2].map(|by| 1 << ((axis + by) % 3));
        let corners = [0, u, u | v, v].map(|corner| corner | side << axis);
        let [a, b, c, d] = corners;
        if side == 1 { corners } else { [d, c, b, a] }
    })
}

/// The triangles that separate the rock corners of a cube from its water corners. Bit i of `case`: corner i is rock.
fn triangles(case: usize) -> Vec<[Edge; 3]> {
    let is_rock = |corner: usize| case >> corner & 1 == 1;
    // For each run of adjacent rock corners around a face, a segment goes from the edge before the run to the edge
    // after it.
    let mut segments = Vec::new();
    for corners in faces() {
        let corner = |index: usize| corners[index % 4];
        for begin in (0..4).filter(|begin| !is_rock(corner(*begin)) && is_rock(corner(begin + 1))) {
            let end = (begin + 1..).find(|index| !is_rock(corner(index + 1))).expect("the run ends");
            segments
                .push([[begin, begin + 1], [end, end + 1]].map(|ends| Edge::between(corner(ends[0]), corner(ends[1]))));
        }
    }
    let mut triangles = Vec::new();
    while let Some([first, mut next]) = segments.pop() {
        let mut around = vec![first];
        while next != first {
            around.push(next);
            let index = segments.iter().position(|[from, _]| *from == next).expect("segments close to loops");
            next = segments.swap_remove(index)[1];
        }
        triangles.extend(fan(&around));
    }
    triangles
}

/// Triangles that fill a loop and share one of its vertices, the apex. `around`: the edges of the cube on which the
/// loop's vertices lie. No new line from the apex lies within a face of the cube. Otherwise the cube beyond the face
/// could have this line too, and four triangles would share it.
fn fan(around: &[Edge]) -> Vec<[Edge; 3]> {
    let count = around.len();
    let at = |index: usize| around[index % count];
    let apex = (0..count)
        .find(|apex| (2..count - 1).all(|by| !at(*apex).shares_a_face(at(apex + by))))
        .expect("each loop has such a vertex");
    (1..count - 1).map(|by| [at(apex), at(apex + by), at(apex + by + 1)]).collect()
}

#[cfg(test)]
mod tests;
