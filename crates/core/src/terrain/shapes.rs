//! Solid shapes that are added to rock or subtracted from it, as signed distances in integers.

use crate::numbers::Vector3;
use crate::world::{Edges, offset};

/// The number of parts of a cell. Places, lengths and distances of shapes are in these parts. The scalar field of a
/// shape is the depth below its surface, so the field rises by 2048 for each cell into the rock.
pub const PARTS_OF_SHAPES: i32 = 1 << 11;
/// The maximum absolute value of the field. A shape has no effect at a greater distance outside of it.
const HELD: i64 = i16::MAX as i64;

/// A solid shape at a place. Places and lengths are in 1/[`PARTS_OF_SHAPES`] cell.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Shape {
    /// The form, without its place.
    pub form: Form,
    /// The place of the middle, from the middle of the first voxel.
    pub centre: Vector3,
    /// Whether the shape is subtracted from the rock instead of added.
    pub is_subtracted: bool,
}

/// The form of a shape. Lengths are in 1/[`PARTS_OF_SHAPES`] cell.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Form {
    /// A ball.
    Sphere {
        /// The distance from the middle to the surface.
        radius: i32,
    },
    /// A box along the axes.
    Box {
        /// Half of the extent along each axis.
        half: Vector3,
    },
    /// A torus, a ring of a tube, in a plane across an axis.
    Torus {
        /// The distance from the middle of the torus to the middle of the tube.
        radius: i32,
        /// The radius of the tube.
        tube: i32,
        /// The number of the axis around which the ring goes: 0, 1 or 2 for x, y or z.
        axis: usize,
    },
    /// A cylinder along an axis.
    Cylinder {
        /// The radius of the cylinder.
        radius: i32,
        /// Half of the length of the cylinder.
        half: i32,
        /// The number of the axis along which the cylinder lies: 0, 1 or 2 for x, y or z.
        axis: usize,
    },
}

impl Shape {
    /// The distance from the middle of the shape to its farthest end along an axis.
    fn half(&self, axis: usize) -> i32 {
        match self.form {
            Form::Sphere { radius } => radius,
            Form::Box { half } => half[axis],
            Form::Torus { tube, axis: along, .. } if axis == along => tube,
            Form::Torus { radius, tube, .. } => radius + tube,
            Form::Cylinder { half, axis: along, .. } if axis == along => half,
            Form::Cylinder { radius, .. } => radius,
        }
    }

    /// Adds the shape to a row of the scalar field, or subtracts it. `place`: the middle of the row's first voxel.
    /// `ends`: the extents of the world. Both are in 1/[`PARTS_OF_SHAPES`] cell.
    pub(super) fn apply(&self, place: Vector3, ends: Vector3, edges: Edges, row: &mut [i32]) {
        let along = |axis: usize, place: i32| i64::from(offset(self.centre[axis], place, ends[axis], edges));
        let is_beside = |axis: usize, along: i64| along.abs() <= i64::from(self.half(axis)) + HELD;
        let [y, z] = [1, 2].map(|axis| along(axis, place[axis]));
        if !is_beside(1, y) || !is_beside(2, z) {
            return;
        }
        for (index, value) in row.iter_mut().enumerate() {
            let x = along(0, place[0] + index as i32 * PARTS_OF_SHAPES);
            if is_beside(0, x) {
                let depth = self.depth([x, y, z]).clamp(-HELD, HELD) as i32;
                *value = if self.is_subtracted { (*value).min(-depth) } else { (*value).max(depth) };
            }
        }
    }

    /// The distance to the surface of the shape at an offset from its middle; positive inside, negative outside.
    /// Outside, next to an edge of a box or a cylinder, the absolute value is less than the distance.
    fn depth(&self, at: [i64; 3]) -> i64 {
        let length = |squares: i64| squares.unsigned_abs().isqrt() as i64;
        let around = |axis: usize| {
            let [a, b] = [at[(axis + 1) % 3], at[(axis + 2) % 3]];
            length(a * a + b * b)
        };
        match self.form {
            Form::Sphere { radius } => i64::from(radius) - length(at.iter().map(|along| along * along).sum()),
            Form::Box { half } => (0..3).map(|axis| i64::from(half[axis]) - at[axis].abs()).min().unwrap_or(0),
            Form::Torus { radius, tube, axis } => {
                let from_ring = around(axis) - i64::from(radius);
                i64::from(tube) - length(from_ring * from_ring + at[axis] * at[axis])
            }
            Form::Cylinder { radius, half, axis } => {
                (i64::from(radius) - around(axis)).min(i64::from(half) - at[axis].abs())
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const CELL: i32 = PARTS_OF_SHAPES;

    /// A shape of each form. All extend 6 cells from their middle along x.
    fn forms() -> [Form; 4] {
        [
            Form::Sphere { radius: 6 * CELL },
            Form::Box { half: [6 * CELL, 4 * CELL, 3 * CELL] },
            Form::Torus { radius: 4 * CELL, tube: 2 * CELL, axis: 2 },
            Form::Cylinder { radius: 2 * CELL, half: 6 * CELL, axis: 0 },
        ]
    }

    fn row(shape: &Shape, place: [i32; 3], edges: Edges, before: i32) -> Vec<i32> {
        let mut row = vec![before; 40];
        shape.apply(place.map(|along| along * CELL), [40 * CELL; 3], edges, &mut row);
        row
    }

    /// The exact distance from the surface in cells, as a float; positive inside.
    fn exact(form: Form, [x, y, z]: [f64; 3]) -> f64 {
        let cells = |parts: i32| f64::from(parts) / f64::from(CELL);
        match form {
            Form::Sphere { radius } => cells(radius) - (x * x + y * y + z * z).sqrt(),
            Form::Box { half } => {
                let outside = [x.abs() - cells(half[0]), y.abs() - cells(half[1]), z.abs() - cells(half[2])];
                -outside.into_iter().fold(f64::MIN, f64::max)
            }
            Form::Torus { radius, tube, .. } => cells(tube) - ((x * x + y * y).sqrt() - cells(radius)).hypot(z),
            Form::Cylinder { radius, half, .. } => (cells(radius) - y.hypot(z)).min(cells(half) - x.abs()),
        }
    }

    #[test]
    fn fields_of_shapes_are_their_distances_and_held_far_away() {
        for form in forms() {
            let shape = Shape { form, centre: [20 * CELL, 20 * CELL + 700, 19 * CELL], is_subtracted: false };
            for y in 0..40 {
                for z in 0..40 {
                    for (x, value) in row(&shape, [0, y, z], Edges::Walls, -32_767).into_iter().enumerate() {
                        let at = [x as i32 - 20, y - 20, z - 19].map(f64::from);
                        let at = [at[0], at[1] - 700.0 / f64::from(CELL), at[2]];
                        let distance = exact(form, at) * f64::from(CELL);
                        let held = distance.clamp(-32_767.0, 32_767.0);
                        assert!((f64::from(value) - held).abs() <= 2.0, "{form:?} {at:?}: {value} {distance}");
                        assert!(distance.abs() < 1e-6 || (value > 0) == (distance > 0.0), "{form:?} {at:?}: {value}");
                    }
                }
            }
        }
    }

    /// From the middle of a shape (of a torus: the middle of its tube) outwards, the field falls from cell to cell.
    #[test]
    fn fields_of_shapes_are_monotone_through_the_surface() {
        for form in forms() {
            let shape = Shape { form, centre: [20 * CELL; 3], is_subtracted: false };
            let values = &row(&shape, [0, 20, 20], Edges::Walls, -32_767)[24..36];
            assert!(values.windows(2).all(|pair| pair[1] < pair[0]), "{form:?}: {values:?}");
            assert!(values[0] > 0 && values[3] < 0, "{form:?}: {values:?}");
            assert_eq!(values[2], 0, "{form:?}");
        }
    }

    #[test]
    fn a_shape_is_added_subtracted_and_goes_round_a_torus() {
        let added = Shape { form: Form::Sphere { radius: 3 * CELL }, centre: [CELL, 0, 0], is_subtracted: false };
        let is_rock = |shape: &Shape, edges, before| {
            let row = row(shape, [0, 39, 0], edges, before);
            row.into_iter().enumerate().filter(|(_, value)| *value > 0).map(|(x, _)| x).collect::<Vec<_>>()
        };
        assert_eq!(is_rock(&added, Edges::Torus, -5), [0, 1, 2, 3, 39]);
        assert!(is_rock(&added, Edges::Walls, -5).is_empty());
        let subtracted = Shape { is_subtracted: true, ..added };
        assert_eq!(is_rock(&subtracted, Edges::Torus, 5), (4..39).collect::<Vec<_>>());
        assert!(is_rock(&subtracted, Edges::Torus, -5).is_empty());
    }
}
