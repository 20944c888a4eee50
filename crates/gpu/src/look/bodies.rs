//! Individuals as the GPU draws them: where each is and where it goes, and the shapes that are drawn for it.

use crate::agents::{Agents, PLACE_BITS};
use crate::numbers::{BOID, ONE};
use crate::state::State;

/// The most individuals that are drawn. Of more, every few stand for all.
const MOST: usize = 1 << 21;
/// The same on a software adapter, which counts every corner of every one.
const MOST_IN_SOFTWARE: usize = 1 << 17;
/// Bits of a velocity below the cell a step: 4 cells a step fit.
const SPEED_BITS: u32 = 13;

/// An individual, for Rust and (below) for WGSL.
#[repr(C)]
#[derive(Debug, Clone, Copy, PartialEq, bytemuck::Pod, bytemuck::Zeroable)]
pub struct Body {
    /// In cells.
    place: [f32; 3],
    /// x in the lower half and y in the upper one, in 1/8192 cell a step.
    along: u32,
    /// z likewise in the lower half, and in the upper one how many boids are in its column.
    rising: u32,
}

/// The same structure in WGSL, read by number.
pub const BODY_WGSL: &str = "\
struct StoredBody {
    x: f32,
    y: f32,
    z: f32,
    along: u32,
    rising: u32,
}
struct Body {
    // In cells, and in cells a step.
    place: vec3<f32>,
    velocity: vec3<f32>,
    // Boids in its column.
    boids: f32,
}
fn body(number: u32) -> Body {
    let stored = bodies[number];
    let halves = vec3<i32>(
        bitcast<i32>(stored.along << 16u) >> 16u,
        bitcast<i32>(stored.along) >> 16u,
        bitcast<i32>(stored.rising << 16u) >> 16u,
    );
    let place = vec3<f32>(stored.x, stored.y, stored.z);
    return Body(place, vec3<f32>(halves) * (1.0 / 8192.0), f32(stored.rising >> 16u));
}
";

/// The individuals that are drawn.
#[derive(Debug, Default)]
pub struct Bodies {
    pub list: Vec<Body>,
    /// Individuals for which each of them stands.
    pub each: u32,
}

impl Bodies {
    /// Takes individuals over, with the density that the lattice sees of them. Where they are too many, those are left
    /// out whose numbers are not multiples of some number: always the same ones, so that nothing flickers.
    pub fn take(&mut self, agents: &Agents, seen: &State, is_software: bool) {
        let most = if is_software { MOST_IN_SOFTWARE } else { MOST };
        self.each = agents.len().div_ceil(most).max(1) as u32;
        let width = seen.extents.width as usize;
        self.list.clear();
        for index in 0..agents.len() {
            if !agents.numbers[index].is_multiple_of(self.each) {
                continue;
            }
            let position = agents.position(index);
            let half = |axis: usize| {
                let velocity = agents.velocity(index)[axis] >> (ONE.ilog2() - SPEED_BITS);
                u32::from(velocity.clamp(i16::MIN.into(), i16::MAX.into()) as u16)
            };
            let [x, y] = [0, 1].map(|axis| (position[axis] >> PLACE_BITS) as usize);
            let boids = seen.density[y * width + x] / BOID;
            self.list.push(Body {
                place: position.map(|axis| axis as f32 / (1 << PLACE_BITS) as f32),
                along: half(0) | half(1) << 16,
                rising: half(2) | boids << 16,
            });
        }
    }
}

/// A corner of a shape: the nose of a fish is at x = 1, its left side at y > 0 and its back at z > 0.
#[repr(C)]
#[derive(Debug, Clone, Copy, PartialEq, bytemuck::Pod, bytemuck::Zeroable)]
pub struct Corner {
    pub place: [f32; 3],
    pub normal: [f32; 3],
}

/// How a [`Corner`] lies in memory.
pub const CORNER_ATTRIBUTES: [wgpu::VertexAttribute; 2] = wgpu::vertex_attr_array![0 => Float32x3, 1 => Float32x3];

/// Triangles between corners.
#[derive(Debug, Clone, PartialEq)]
pub struct Shape {
    pub corners: Vec<Corner>,
    pub triangles: Vec<[u16; 3]>,
}

impl Shape {
    /// A square from -1 to 1.
    pub fn square() -> Self {
        let corner = |x, y| Corner { place: [x, y, 0.0], normal: [0.0, 0.0, 1.0] };
        let corners = [(-1.0, -1.0), (1.0, -1.0), (-1.0, 1.0), (1.0, 1.0)];
        Self { corners: corners.map(|(x, y)| corner(x, y)).to_vec(), triangles: vec![[0, 1, 2], [2, 1, 3]] }
    }

    /// What is left of a fish that is hardly more than a stroke: two kites along its length, one upright and one flat.
    pub fn kites() -> Self {
        let corner = |place, normal| Corner { place, normal };
        let ends = [[1.0, 0.0, 0.0], [-1.0, 0.0, 0.0]];
        let upright = [[0.2, 0.0, 0.32], [0.2, 0.0, -0.3]].map(|place| corner(place, [0.0, 0.0, place[2]]));
        let flat = [[0.2, 0.22, 0.0], [0.2, -0.22, 0.0]].map(|place| corner(place, [0.0, 0.0, 1.0]));
        let ends = ends.map(|place| corner(place, [0.0, 0.0, 0.4]));
        let corners = [ends, upright, flat].concat();
        Self { corners, triangles: vec![[0, 2, 1], [0, 1, 3], [0, 4, 1], [0, 1, 5]] }
    }

    /// A fish that is 2 long: a body of rings around its length, a tail and a fin on its back. `is_plain`: with one ring.
    pub fn fish(is_plain: bool) -> Self {
        // Along the length: where a ring is, half of its breadth, and how far up and down it reaches.
        let rings: &[[f32; 4]] = match is_plain {
            true => &[[0.25, 0.2, 0.32, 0.3]],
            false => &[[0.62, 0.15, 0.2, 0.19], [0.18, 0.21, 0.33, 0.31], [-0.35, 0.11, 0.2, 0.18]],
        };
        let (mut corners, mut triangles) = (Vec::new(), Vec::new());
        let corner = |place: [f32; 3], normal: [f32; 3]| Corner { place, normal };
        corners.push(corner([1.0, 0.0, -0.02], [1.0, 0.0, 0.0]));
        for [x, breadth, up, down] in rings {
            corners.push(corner([*x, 0.0, *up], [0.1, 0.0, 1.0]));
            corners.push(corner([*x, *breadth, 0.0], [0.1, 1.0, 0.1]));
            corners.push(corner([*x, 0.0, -down], [0.1, 0.0, -1.0]));
            corners.push(corner([*x, -breadth, 0.0], [0.1, -1.0, 0.1]));
        }
        let end = corners.len() as u16;
        corners.push(corner([-0.72, 0.0, 0.0], [-0.3, 0.0, 0.4]));
        for ring in 0..rings.len() as u16 {
            for side in 0..4 {
                let (here, next) = (1 + 4 * ring + side, 1 + 4 * ring + (side + 1) % 4);
                if ring == 0 {
                    triangles.push([0, here, next]);
                }
                if 1 + 4 * (ring + 1) == end {
                    triangles.push([here, end, next]);
                } else {
                    triangles.extend([[here, here + 4, next], [next, here + 4, next + 4]]);
                }
            }
        }
        // Fins are thin: what lights them comes from above, whichever side is seen.
        let fin = [0.0, 0.0, 0.6];
        let tail = corners.len() as u16;
        for place in [[-0.6, 0.0, 0.0], [-1.0, 0.0, 0.36], [-0.86, 0.0, 0.0], [-1.0, 0.0, -0.34]] {
            corners.push(corner(place, fin));
        }
        triangles.extend([[tail, tail + 1, tail + 2], [tail, tail + 2, tail + 3]]);
        if !is_plain {
            for place in [[0.28, 0.0, 0.28], [-0.12, 0.0, 0.5], [-0.2, 0.0, 0.22]] {
                corners.push(corner(place, fin));
            }
            triangles.push([tail + 4, tail + 5, tail + 6]);
        }
        Self { corners, triangles }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::world::Extents;

    #[test]
    fn too_many_are_thinned_by_their_numbers_and_not_by_their_order() {
        let mut agents = Agents::default();
        let count = 2 * MOST_IN_SOFTWARE as u32 + 1;
        for number in (0..count).rev() {
            agents.push(number, [(number as i32 % 8) << PLACE_BITS, 0, 0], [ONE, -ONE / 2, 0]);
        }
        let mut seen = State::empty(Extents { width: 8, height: 1 });
        seen.density.fill(3 * BOID);
        let mut bodies = Bodies::default();
        bodies.take(&agents, &seen, true);
        assert_eq!((bodies.each, bodies.list.len()), (3, count.div_ceil(3) as usize));
        let thinned = bodies.list.clone();
        bodies.take(&agents.in_order(), &seen, true);
        assert!(thinned.iter().rev().eq(&bodies.list), "another order draws others");
        // One cell a step to the right, half of one up, three boids in the column.
        assert_eq!(thinned[0].along, 8192 | (-4096i16 as u16 as u32) << 16);
        assert_eq!(thinned[0].rising, 3 << 16);
        bodies.take(&agents, &seen, false);
        assert_eq!((bodies.each, bodies.list.len()), (1, count as usize));
    }

    #[test]
    fn a_fish_is_closed_but_for_its_fins_and_as_long_as_it_says() {
        for (is_plain, fins) in [(true, 2), (false, 3)] {
            let fish = Shape::fish(is_plain);
            let along = |corner: &Corner| corner.place[0];
            let [least, most] = [f32::min, f32::max].map(|pick| fish.corners.iter().map(along).reduce(pick).unwrap());
            assert_eq!([least, most], [-1.0, 1.0]);
            let body = &fish.triangles[..fish.triangles.len() - fins];
            for triangle in body {
                for side in 0..3 {
                    let (a, b) = (triangle[side], triangle[(side + 1) % 3]);
                    let back = body.iter().any(|other| (0..3).any(|k| (other[k], other[(k + 1) % 3]) == (b, a)));
                    assert!(back, "the edge from {a} to {b} has a face on one side only");
                }
            }
        }
    }
}
