//! Obstacles that a game adds to a world, moves and removes, such as the shapes of its colliders. Each has a number.
//!
//! An obstacle covers a cell if the centre of the cell lies in its shape. Lengths are in 1/16 cell.

use crate::error::BadInput;
use crate::numbers::{Vector3, each_axis};
use crate::world::{Edges, PARTS, Place, Space, offset, pieces};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::sync::Arc;

/// The maximum number of obstacles at a time.
pub const MAX_OBSTACLES: usize = 1024;
/// The maximum radius or half axis of an obstacle, in 1/16 cell: 16 384 cells.
pub const MAX_LENGTH: u32 = 1 << 18;

/// The shape of an obstacle.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ObstacleShape {
    /// All places at most `radius` from the middle. In a deep world a middle of two numbers makes a column.
    Ball {
        /// The middle, in 1/16 cell.
        middle: Place,
        /// The radius, in 1/16 cell, at most [`MAX_LENGTH`].
        radius: u32,
    },
    /// A box in any orientation: all places p with |(p − middle) · a| ≤ a · a for each half axis a.
    Box {
        /// The middle, in 1/16 cell. In a deep world a middle of two numbers makes a column.
        middle: Place,
        /// The vectors from the middle to the middles of three faces, at right angles, in 1/16 cell. In a flat world
        /// the third vector is [0, 0, 0].
        half_axes: [Vector3; 3],
    },
    /// The ground below a height field. In a flat world: the cells with a height above 0.
    Heights {
        /// The cell of the first height, along x and y.
        first: [i32; 2],
        /// The number of cells along x.
        width: u32,
        /// The height of the ground in each cell, x fastest, in 1/16 cell from the bottom of the world.
        heights: Vec<i32>,
    },
    /// A volume of signed distances. It covers the cells with a distance below 0. In a flat world it has one slice.
    Distances {
        /// The cell of the first distance, along x, y and z.
        first: Vector3,
        /// The number of cells along x and y. The number of slices follows from the number of distances.
        size: [u32; 2],
        /// The distance of each cell, x fastest, in any unit.
        distances: Vec<i16>,
    },
}

impl ObstacleShape {
    /// A ball around a place. The place and the radius are in cells.
    pub fn ball<const AXES: usize>(middle: [f64; AXES], radius: f64) -> Self {
        // A radius above the limit is not clamped, so that `check` refuses it.
        let radius = (radius * f64::from(PARTS)).round() as u32;
        Self::Ball { middle: Place::from_cells(middle), radius }
    }

    /// A box around a place with these half axes. The place and the half axes are in cells.
    pub fn cuboid<const AXES: usize>(middle: [f64; AXES], half_axes: [[f64; AXES]; AXES]) -> Self {
        let along = |cells: f64| (cells * f64::from(PARTS)).round() as i32;
        let half_axes = each_axis(|own| {
            each_axis(|axis| half_axes.get(own).and_then(|half| half.get(axis)).map_or(0, |cells| along(*cells)))
        });
        Self::Box { middle: Place::from_cells(middle), half_axes }
    }

    /// Checks the lengths and sizes of the shape.
    ///
    /// # Errors
    /// If a length is out of bounds, or the number of values does not match a size.
    pub fn check(&self) -> Result<(), BadInput> {
        let wrong = |problem: String, cure: &str| Err(BadInput::new("an obstacle", problem, cure));
        let is_whole = |count: usize, row: u64| row > 0 && count > 0 && (count as u64).is_multiple_of(row);
        match self {
            Self::Ball { radius, .. } if *radius > MAX_LENGTH => {
                wrong(format!("a radius of {radius} is out of bounds"), "at most 262144, in 1/16 cell")
            }
            Self::Box { half_axes, .. }
                if half_axes.iter().flatten().any(|along| along.unsigned_abs() > MAX_LENGTH) =>
            {
                wrong("a half axis is out of bounds".into(), "at most 262144 along each axis, in 1/16 cell")
            }
            Self::Heights { width, heights, .. } if !is_whole(heights.len(), u64::from(*width)) => {
                wrong(format!("{} heights are no rows of {width}", heights.len()), "give a height for each cell")
            }
            Self::Distances { size: [width, height], distances, .. }
                if !is_whole(distances.len(), u64::from(*width) * u64::from(*height)) =>
            {
                let problem = format!("{} distances are no slices of {width}x{height}", distances.len());
                wrong(problem, "give a distance for each cell")
            }
            _ => Ok(()),
        }
    }

    /// Sets `flags` (one for each cell, x fastest) to true for the cells that the shape covers.
    fn cover(&self, space: &Space, flags: &mut [bool]) {
        let is_deep = space.axes() == 3;
        match self {
            Self::Ball { middle, radius } => {
                let square = u64::from(*radius).pow(2);
                let is_inside = |away: Vector3| {
                    away.iter().map(|along| u64::from(along.unsigned_abs()).pow(2)).sum::<u64>() <= square
                };
                cover_around(*middle, [*radius; 3], space, flags, is_inside);
            }
            Self::Box { middle, half_axes } => {
                let reach = each_axis(|axis| half_axes.iter().map(|half| half[axis].unsigned_abs()).sum());
                let dot =
                    |a: Vector3, b: Vector3| (0..3).map(|axis| i64::from(a[axis]) * i64::from(b[axis])).sum::<i64>();
                let is_inside =
                    |away: Vector3| half_axes.iter().all(|half| dot(away, *half).abs() <= dot(*half, *half));
                cover_around(*middle, reach, space, flags, is_inside);
            }
            Self::Heights { first: [x, y], width, heights } => {
                let size = [*width, heights.len() as u32 / width, space.extents[2]];
                cover_volume([*x, *y, 0], size, space, flags, |[x, y, _], z| {
                    let middle = if is_deep { z as i32 * PARTS + PARTS / 2 } else { 0 };
                    heights[(y * width + x) as usize] > middle
                });
            }
            Self::Distances { first: [x, y, z], size: [width, height], distances } => {
                let slices = (distances.len() as u64 / (u64::from(*width) * u64::from(*height))) as u32;
                let first = [*x, *y, if is_deep { *z } else { 0 }];
                cover_volume(first, [*width, *height, slices], space, flags, |[x, y, z], _| {
                    distances[((z * height + y) * width + x) as usize] < 0
                });
            }
        }
    }
}

/// Sets the flags of the cells around a middle whose offset from the middle is inside a shape. `reach`: the maximum
/// offset along each axis. `is_inside` gets the offset. Lengths are in 1/16 cell.
fn cover_around(
    middle: Place,
    reach: [u32; 3],
    space: &Space,
    flags: &mut [bool],
    is_inside: impl Fn(Vector3) -> bool,
) {
    let (ends, is_column) = (space.ends(), middle.is_column() || space.axes() == 2);
    let middle = middle.to_vector();
    // For each axis: the cells within reach, each with the offset of its centre from the middle.
    let along = [0, 1, 2].map(|axis| {
        let extent = space.extents[axis] as i32;
        let end = ends[axis];
        if axis == 2 && is_column {
            return (0..extent).map(|z| (z, 0)).collect::<Vec<_>>();
        }
        let middle = match space.edges.wrap(middle[axis].into(), end.into()) {
            Some(within) => within as i32,
            // A shape with its middle beyond a wall may extend into the world.
            None => middle[axis].clamp(-end, 2 * end),
        };
        let away = |cell: i32| offset(middle, cell * PARTS + PARTS / 2, end, space.edges);
        let cells = (0..extent).map(|cell| (cell, away(cell)));
        cells.filter(|(_, away)| away.unsigned_abs() <= reach[axis]).collect()
    });
    let [width, height, _] = space.extents.map(|extent| extent as usize);
    for (z, along_z) in &along[2] {
        for (y, along_y) in &along[1] {
            let row = (*z as usize * height + *y as usize) * width;
            let inside = along[0].iter().filter(|(_, along_x)| is_inside([*along_x, *along_y, *along_z]));
            inside.for_each(|(x, _)| flags[row + *x as usize] = true);
        }
    }
}

/// Sets the flags of the solid cells of a volume. The volume has `size` cells along each axis and starts at the cell
/// `first`. `is_solid` gets a cell of the volume, and the slice of the world in which it lies.
fn cover_volume(
    first: Vector3,
    size: [u32; 3],
    space: &Space,
    flags: &mut [bool],
    is_solid: impl Fn([u32; 3], u32) -> bool,
) {
    let along = [0, 1, 2].map(|axis| {
        let extent = space.extents[axis] as i32;
        let length = size[axis].min(space.extents[axis]) as i32;
        // Clamping keeps a volume that is far beyond a wall outside of the world, without an overflow.
        let first = if space.edges == Edges::Torus {
            first[axis].rem_euclid(extent)
        } else {
            first[axis].clamp(-length, extent)
        };
        pieces(first, length, extent, space.edges)
            .flat_map(|piece| (0..piece.length).map(move |at| (piece.in_range + at, piece.on_lattice + at)))
            .collect::<Vec<_>>()
    });
    let [width, height, _] = space.extents.map(|extent| extent as usize);
    for (from_z, z) in &along[2] {
        for (from_y, y) in &along[1] {
            let row = (*z as usize * height + *y as usize) * width;
            let solid = along[0].iter().filter(|(from_x, _)| is_solid([*from_x, *from_y, *from_z], *z));
            solid.for_each(|(_, x)| flags[row + *x as usize] = true);
        }
    }
}

/// All obstacles of a world, each with its number.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Obstacles {
    shapes: BTreeMap<u32, Arc<ObstacleShape>>,
}

impl Obstacles {
    /// Makes obstacles from a list of numbers and shapes.
    ///
    /// # Errors
    /// The errors of [`Self::with`].
    pub fn from_list(list: Vec<(u32, ObstacleShape)>) -> Result<Self, BadInput> {
        list.into_iter().try_fold(Self::default(), |all, (number, shape)| all.with(number, Some(shape)))
    }

    /// A list of the number and the shape of each obstacle.
    pub fn list(&self) -> Vec<(u32, ObstacleShape)> {
        self.shapes.iter().map(|(number, shape)| (*number, (**shape).clone())).collect()
    }

    /// Whether there are no obstacles.
    pub fn is_empty(&self) -> bool {
        self.shapes.is_empty()
    }

    /// Adds or replaces the obstacle with a number. `shape` is `None`: removes the obstacle.
    ///
    /// # Errors
    /// The errors of [`ObstacleShape::check`], or there are too many obstacles.
    pub fn with(mut self, number: u32, shape: Option<ObstacleShape>) -> Result<Self, BadInput> {
        match shape {
            Some(shape) => {
                shape.check()?;
                self.shapes.insert(number, Arc::new(shape));
            }
            None => drop(self.shapes.remove(&number)),
        }
        if self.shapes.len() > MAX_OBSTACLES {
            let problem = format!("{} are too many", self.shapes.len());
            return Err(BadInput::new("obstacles", problem, format!("at most {MAX_OBSTACLES}")));
        }
        Ok(self)
    }

    /// For each cell of a space, x fastest, whether an obstacle covers it; empty without obstacles.
    pub fn flags(&self, space: &Space) -> Vec<bool> {
        if self.shapes.is_empty() {
            return Vec::new();
        }
        let mut flags = vec![false; space.extents.iter().map(|extent| *extent as usize).product()];
        self.shapes.values().for_each(|shape| shape.cover(space, &mut flags));
        flags
    }
}

#[cfg(test)]
mod tests {
    use crate::world::obstacles::*;

    fn covered(shape: ObstacleShape, extents: [u32; 3], edges: Edges) -> Vec<[u32; 3]> {
        let flags = Obstacles::default().with(7, Some(shape)).unwrap().flags(&Space { extents, edges });
        let [width, height, _] = extents;
        let place = |index: usize| [index as u32 % width, index as u32 / width % height, index as u32 / width / height];
        flags.iter().enumerate().filter(|(_, is_covered)| **is_covered).map(|(index, _)| place(index)).collect()
    }

    #[test]
    fn a_cell_is_covered_if_its_middle_is() {
        let flat = [8, 6, 1];
        let ball = ObstacleShape::ball([0.0, 0.0], 0.75);
        let corners = [[0, 0, 0], [7, 0, 0], [0, 5, 0], [7, 5, 0]];
        assert_eq!(covered(ball.clone(), flat, Edges::Torus), corners);
        assert_eq!(covered(ball, flat, Edges::Walls), [[0, 0, 0]]);
        assert!(covered(ObstacleShape::ball([3.0, 3.0], 0.7), flat, Edges::Walls).is_empty());
        // A box of 4 by 2 cells, and the same box turned by 90 degrees.
        let upright = ObstacleShape::cuboid([4.0, 3.0], [[2.0, 0.0], [0.0, 1.0]]);
        let turned = ObstacleShape::cuboid([4.0, 3.0], [[0.0, 1.0], [-2.0, 0.0]]);
        assert_eq!(covered(upright.clone(), flat, Edges::Walls).len(), 8);
        assert_eq!(covered(upright, flat, Edges::Walls), covered(turned, flat, Edges::Walls));
        // A square turned by 45 degrees.
        let tip = ObstacleShape::cuboid([4.0, 3.0], [[1.0, 1.0], [1.0, -1.0]]);
        assert_eq!(covered(tip, flat, Edges::Walls).len(), 12 - 4 + 4);
    }

    #[test]
    fn heights_are_ground_and_distances_are_solid_below_0() {
        let heights = ObstacleShape::Heights { first: [6, 0], width: 3, heights: vec![40, 8, 9, 0, 0, 0] };
        let ground = [[6, 0, 0], [6, 0, 1], [0, 0, 0]];
        let mut covered_by_heights = covered(heights, [8, 6, 5], Edges::Torus);
        covered_by_heights.sort_unstable_by_key(|[x, y, z]| [(x + 2) % 8, *y, *z]);
        assert_eq!(covered_by_heights, ground, "the middle of the first slice is at 8 sixteenths");
        let distances = vec![-1, 0, 3, -7, -2, 0, 0, 0];
        let volume = ObstacleShape::Distances { first: [-1, 2, 4], size: [2, 2], distances };
        assert_eq!(covered(volume.clone(), [8, 6, 5], Edges::Walls), [[0, 3, 4]]);
        assert_eq!(covered(volume, [8, 6, 5], Edges::Torus), [[7, 2, 0], [7, 2, 4], [0, 3, 4]]);
    }

    #[test]
    fn what_is_out_of_bounds_is_refused() {
        for shape in [
            ObstacleShape::Ball { middle: [0, 0].into(), radius: MAX_LENGTH + 1 },
            ObstacleShape::Box { middle: [0, 0].into(), half_axes: [[0, i32::MIN, 0]; 3] },
            ObstacleShape::Heights { first: [0, 0], width: 0, heights: vec![1] },
            ObstacleShape::Heights { first: [0, 0], width: 3, heights: vec![1; 4] },
            ObstacleShape::Distances { first: [0; 3], size: [2, 2], distances: vec![] },
            ObstacleShape::Distances { first: [0; 3], size: [u32::MAX, u32::MAX], distances: vec![0; 6] },
        ] {
            Obstacles::default().with(1, Some(shape)).unwrap_err();
        }
        for shape in [
            ObstacleShape::Ball { middle: [i32::MIN, i32::MAX, i32::MAX].into(), radius: MAX_LENGTH },
            ObstacleShape::Box { middle: [i32::MAX, i32::MIN].into(), half_axes: [[MAX_LENGTH as i32; 3]; 3] },
            ObstacleShape::Heights { first: [i32::MIN, i32::MAX], width: 1, heights: vec![i32::MAX; 90] },
            ObstacleShape::Distances { first: [i32::MAX; 3], size: [1, 1], distances: vec![-1; 90] },
        ] {
            for edges in [Edges::Walls, Edges::Torus] {
                for extents in [[8, 6, 1], [8, 6, 5]] {
                    covered(shape.clone(), extents, edges);
                }
            }
        }
        let many = (0..=MAX_OBSTACLES as u32).map(|number| (number, ObstacleShape::ball([1.0, 1.0], 1.0)));
        Obstacles::from_list(many.collect()).unwrap_err();
    }
}
