//! The surface of rock as triangles: marching cubes over the scalar field (*Marching Cubes: A High Resolution 3D
//! Surface Construction Algorithm*, W. E. Lorensen and H. E. Cline), in independent chunks.
//!
//! A sample of the field lies in the middle of each voxel, and a cube between eight samples. A vertex lies on each edge
//! between two samples of which one is rock. The segments on a face of a cube follow from the four signs of that face
//! alone: a segment cuts off each run of rock corners around the face. Both cubes at a face have the same segments, so
//! there are no cracks. The segments of a cube close to loops. Triangles fill the loops, without further edges within a
//! face. So every edge of the mesh is shared by exactly two triangles, also over the borders of chunks.
//!
//! Water lies beyond the edges of the world, also on a torus, so that the mesh is closed.

use crate::numbers::each_axis;
use crate::parallel::*;
use crate::world::{Extents, ScalarField, WINDOW_CHUNK};
use std::sync::LazyLock;

/// The cubes along each axis of a chunk. If the window of an endless world moves, its chunks stay at their places.
pub const CHUNK: i32 = WINDOW_CHUNK;
/// Parts of a cell in which vertices are placed.
pub const PARTS: i32 = 256;
/// The length of a normal.
pub const NORMAL_ONE: i16 = i16::MAX;
/// The value beyond the edges: water. Vertices stay half a cell away from its samples.
const OUTSIDE: i32 = i32::MIN;

/// A corner of triangles.
#[repr(C)]
#[derive(Debug, Clone, Copy, PartialEq, Eq, bytemuck::Pod, bytemuck::Zeroable)]
pub struct Vertex {
    /// The place, in parts of a cell from the first sample of its chunk.
    pub place: [u16; 3],
    /// The direction out of the rock, of length [`NORMAL_ONE`].
    pub normal: [i16; 3],
}

/// The surface within a block of cubes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Chunk {
    /// The voxel of its first sample; -1 is before the edge.
    pub first: [i32; 3],
    /// The vertices. Their order has no meaning.
    pub vertices: Vec<Vertex>,
    /// Indices into `vertices`, counterclockwise as seen from the water in right-handed axes.
    pub triangles: Vec<[u32; 3]>,
}

impl Chunk {
    /// The place of a vertex in parts of a cell from the corner of the world.
    pub fn place(&self, vertex: &Vertex) -> [i32; 3] {
        std::array::from_fn(|axis| self.first[axis] * PARTS + PARTS / 2 + i32::from(vertex.place[axis]))
    }
}

/// The surface of a field: the chunks that are not empty, x fastest. It is equal for any number of threads.
///
/// # Panics
/// If the number of values is not the number of voxels.
pub fn surface(field: &ScalarField) -> Vec<Chunk> {
    let all = firsts(field.extents);
    let chunks: Vec<_> = (0..all.len()).into_par_iter().map(|index| chunk(field, all[index])).collect();
    chunks.into_iter().flatten().collect()
}

/// The first voxel of each chunk of a world, x fastest. The first cube lies half before the edge.
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

/// The samples of a chunk.
struct Block {
    first: [i32; 3],
    /// The number of cubes along each axis; there is one sample more.
    size: [i32; 3],
    samples: Vec<i32>,
}

impl Block {
    /// Reads the samples; `None`: no surface lies between them.
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
        // The vertex on the edge from each sample along each axis.
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

    /// The vertex on the edge from a sample (counted from the first) along an axis, between these values.
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
    /// The value of a voxel, which may lie beyond the edges.
    fn sample(&self, voxel: [i32; 3]) -> i32 {
        let extents = self.extents.along_axes();
        let is_inside = (0..3).all(|axis| (0..extents[axis] as i32).contains(&voxel[axis]));
        if is_inside { self.nearest(voxel) } else { OUTSIDE }
    }

    /// The value of the voxel within the edges that is nearest.
    fn nearest(&self, voxel: [i32; 3]) -> i32 {
        let extents = self.extents.along_axes();
        let [x, y, z] = each_axis(|axis| voxel[axis].clamp(0, extents[axis] as i32 - 1) as usize);
        self.values[(z * extents[1] as usize + y) * extents[0] as usize + x].into()
    }

    /// Twice the slope of the field along each axis in the middle of a voxel.
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

/// The place between two samples at which the field is 0, in parts of a cell from 1 to 255. So no two vertices meet,
/// and no triangle has the area 0. Between the world and its outside, it is the edge of the world.
fn crossing(from: i32, to: i32) -> i32 {
    if from == OUTSIDE || to == OUTSIDE {
        return PARTS / 2;
    }
    (from * PARTS / (from - to)).clamp(1, PARTS - 1)
}

/// The offset in the list of samples from the first corner of a cube to a corner.
fn offset(corner: usize, strides: [usize; 3]) -> usize {
    (0..3).map(|axis| (corner >> axis & 1) * strides[axis]).sum()
}

/// An edge of a cube, from a corner along an axis. Bit `axis` of a corner tells the side of the cube.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Edge {
    axis: usize,
    from: usize,
}

impl Edge {
    fn between(one: usize, other: usize) -> Self {
        Self { axis: (one ^ other).trailing_zeros() as usize, from: one & other }
    }

    /// Whether both edges lie on one face of the cube.
    fn shares_a_face(self, other: Self) -> bool {
        let is_on = |edge: Self, axis: usize, side: usize| edge.axis != axis && edge.from >> axis & 1 == side;
        (0..6).any(|face| is_on(self, face / 2, face % 2) && is_on(other, face / 2, face % 2))
    }
}

/// The triangles of a cube for each set of rock corners.
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

/// The triangles that separate the rock corners of a cube from the others.
fn triangles(case: usize) -> Vec<[Edge; 3]> {
    let is_rock = |corner: usize| case >> corner & 1 == 1;
    // A segment cuts off each run of rock corners around a face, from the edge where the run begins to the edge where
    // it ends.
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

/// Triangles that fill a loop and share one of its vertices. From this vertex no line to another vertex lies within a
/// face, except the lines to its neighbours. Otherwise the cube beyond the face could draw such a line as well.
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
