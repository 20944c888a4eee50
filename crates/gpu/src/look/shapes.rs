//! The shapes of individuals, as triangles.

use glam::{Vec3, vec3};

/// A corner of a shape. The unit is half the length of a fish. The nose of a fish is at x = 1, its left side at y > 0,
/// and its back at z > 0.
#[repr(C)]
#[derive(Debug, Clone, Copy, PartialEq, bytemuck::Pod, bytemuck::Zeroable)]
pub struct Corner {
    pub position: Vec3,
    pub normal: Vec3,
}

/// The vertex attributes of a [`Corner`]: the position and the normal.
pub const CORNER_ATTRIBUTES: [wgpu::VertexAttribute; 2] = wgpu::vertex_attr_array![0 => Float32x3, 1 => Float32x3];

/// A shape of triangles between corners.
#[derive(Debug, Clone, PartialEq)]
pub struct Mesh {
    pub corners: Vec<Corner>,
    /// Indices into `corners`.
    pub triangles: Vec<[u16; 3]>,
}

fn corner(position: [f32; 3], normal: Vec3) -> Corner {
    Corner { position: position.into(), normal }
}

/// The triangles, and each of them again with the opposite orientation, so that both sides are visible.
fn two_sided(triangles: &[[u16; 3]]) -> Vec<[u16; 3]> {
    triangles.iter().flat_map(|&[a, b, c]| [[a, b, c], [a, c, b]]).collect()
}

impl Mesh {
    /// A square from -1 to 1 along x and y, at z = 0.
    pub fn square() -> Self {
        let corners = [[-1.0, -1.0, 0.0], [1.0, -1.0, 0.0], [-1.0, 1.0, 0.0], [1.0, 1.0, 0.0]];
        Self { corners: corners.map(|at| corner(at, Vec3::Z)).to_vec(), triangles: vec![[0, 1, 2], [2, 1, 3]] }
    }

    /// A fish of a few pixels: two kites along its length, one upright and one flat.
    pub fn kites() -> Self {
        let ends = [[1.0, 0.0, 0.0], [-1.0, 0.0, 0.0]].map(|at| corner(at, 0.4 * Vec3::Z));
        let upright = [[0.2, 0.0, 0.32], [0.2, 0.0, -0.3]].map(|at| corner(at, at[2] * Vec3::Z));
        let flat = [[0.2, 0.22, 0.0], [0.2, -0.22, 0.0]].map(|at| corner(at, Vec3::Z));
        let corners = [ends, upright, flat].concat();
        Self { corners, triangles: two_sided(&[[0, 2, 1], [0, 1, 3], [0, 4, 1], [0, 1, 5]]) }
    }

    /// A fish of length 2: a body of rings around its length, a tail, and a fin on its back. With `is_plain` it has one
    /// ring and no fin on its back.
    pub fn fish(is_plain: bool) -> Self {
        // For each ring: its place along the length, half of its breadth, and its extents up and down.
        let rings: &[[f32; 4]] = if is_plain {
            &[[0.25, 0.2, 0.32, 0.3]]
        } else {
            &[[0.62, 0.15, 0.2, 0.19], [0.18, 0.21, 0.33, 0.31], [-0.35, 0.11, 0.2, 0.18]]
        };
        let mut corners = vec![corner([1.0, 0.0, -0.02], Vec3::X)];
        let mut triangles = Vec::new();
        for &[x, breadth, up, down] in rings {
            corners.push(corner([x, 0.0, up], vec3(0.1, 0.0, 1.0)));
            corners.push(corner([x, breadth, 0.0], vec3(0.1, 1.0, 0.1)));
            corners.push(corner([x, 0.0, -down], vec3(0.1, 0.0, -1.0)));
            corners.push(corner([x, -breadth, 0.0], vec3(0.1, -1.0, 0.1)));
        }
        let end = corners.len() as u16;
        corners.push(corner([-0.72, 0.0, 0.0], vec3(-0.3, 0.0, 0.4)));
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
        // Fins are thin and visible from both sides, so both sides are lit from above.
        let fin = 0.6 * Vec3::Z;
        let tail = corners.len() as u16;
        corners.extend(
            [[-0.6, 0.0, 0.0], [-1.0, 0.0, 0.36], [-0.86, 0.0, 0.0], [-1.0, 0.0, -0.34]].map(|at| corner(at, fin)),
        );
        triangles.extend(two_sided(&[[tail, tail + 1, tail + 2], [tail, tail + 2, tail + 3]]));
        if !is_plain {
            corners.extend([[0.28, 0.0, 0.28], [-0.12, 0.0, 0.5], [-0.2, 0.0, 0.22]].map(|at| corner(at, fin)));
            triangles.extend(two_sided(&[[tail + 4, tail + 5, tail + 6]]));
        }
        Self { corners, triangles }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_fish_is_closed_but_for_its_fins_and_has_length_2() {
        for (is_plain, fins) in [(true, 4), (false, 6)] {
            let fish = Mesh::fish(is_plain);
            let along = |corner: &Corner| corner.position.x;
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
