//! Obstacles of a caller: the shapes of its colliders.

use crate::inputs::finite_place;
use crate::status::{Error, Outcome, object, values};
use murmuration::obstacles::ObstacleShape;
use murmuration_core::world::MAX_PLACE;

/// The shape of an obstacle. The comment of each kind says which members of `MurmurationObstacle` it reads.
#[repr(u32)]
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MurmurationObstacleKind {
    /// A ball with this `radius` around `place`. With 2 axes in a deep world: a column.
    Ball = 0,
    /// A box around `place` with these `half_axes`, in any orientation. With 2 axes in a deep world: a column.
    Box = 1,
    /// The ground under a height field. `values` are the heights in cells from the bottom of the world. The field has
    /// `size[0]` cells along x and begins at the cell of `place`. In a flat world: the cells with a height above 0.
    Heights = 2,
    /// A volume of signed distances: `values` below 0 are solid. The volume has `size[0]` cells along x and `size[1]`
    /// along y, and begins at the cell of `place`.
    Distances = 3,
}

/// An obstacle in the world. Lengths are in cells. A cell is covered if its middle lies in the shape. Members that a
/// kind does not read may have any value. Start with an obstacle of zeros.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct MurmurationObstacle {
    /// A `MurmurationObstacleKind`.
    pub kind: u32,
    /// The number of coordinates in `place`: 2 or 3.
    pub axes: u32,
    /// The middle of a ball or a box, or the first cell of a field, x first.
    pub place: [f64; 3],
    /// The radius of a ball.
    pub radius: f64,
    /// Three vectors from the middle of a box to the middles of three faces, x first. In a flat world the third vector
    /// is 0.
    pub half_axes: [[f64; 3]; 3],
    /// The cells of a field along x and y.
    pub size: [u32; 2],
    /// The numbers of a field, x fastest. The caller owns them; the library copies them.
    pub values: *const f32,
    /// The number of `values` of a field.
    pub count: usize,
}

/// Reads the shape of an obstacle of a caller.
///
/// # Safety
/// `obstacle` points to an obstacle, whose `values` are NULL or have `count` numbers.
pub unsafe fn shape_of(obstacle: *const MurmurationObstacle) -> Outcome<ObstacleShape> {
    use MurmurationObstacleKind as Kind;
    // SAFETY: as the caller promises, here and below.
    let own = unsafe { object(obstacle, "input.obstacle") }?;
    let [x, y, z] = finite_place("obstacle", own.axes, own.place)?;
    let cell = [x, y, z].map(|along| along.floor() as i32);
    let kind = |kind: Kind| kind as u32;
    let shape = match own.kind {
        at if at == kind(Kind::Ball) => {
            if own.radius.is_nan() || own.radius < 0.0 {
                return Err(Error::bad("obstacle.radius", format!("{} is no radius", own.radius), "give 0 or more"));
            }
            if own.axes == 2 {
                ObstacleShape::ball([x, y], own.radius)
            } else {
                ObstacleShape::ball([x, y, z], own.radius)
            }
        }
        at if at == kind(Kind::Box) => {
            if !own.half_axes.iter().flatten().all(|along| along.is_finite()) {
                return Err(Error::bad("obstacle.half_axes", "are not finite", "give lengths in cells"));
            }
            match ObstacleShape::cuboid([x, y, z], own.half_axes) {
                ObstacleShape::Box { half_axes, .. } if own.axes == 2 => {
                    ObstacleShape::Box { middle: murmuration::Place::from_cells([x, y]), half_axes }
                }
                shape => shape,
            }
        }
        at if at == kind(Kind::Heights) => {
            let sixteenth = |height: &f32| (f64::from(*height) * 16.0).round() as i32;
            let values = unsafe { own.values() }?;
            if let Some(height) = values.iter().find(|height| !(f64::from(height.abs()) <= MAX_PLACE)) {
                let cure = format!("give -{MAX_PLACE} to {MAX_PLACE} cells");
                return Err(Error::bad("obstacle.values", format!("{height} is no height"), &cure));
            }
            let heights = values.iter().map(sixteenth).collect();
            ObstacleShape::Heights { first: [cell[0], cell[1]], width: own.size[0], heights }
        }
        at if at == kind(Kind::Distances) => {
            let values = unsafe { own.values() }?;
            if values.iter().any(|distance| distance.is_nan()) {
                return Err(Error::bad("obstacle.values", "NaN is no distance", "give numbers; below 0 is solid"));
            }
            let distances = values.iter().map(|distance| if *distance < 0.0 { -1 } else { 0 }).collect();
            ObstacleShape::Distances { first: cell, size: own.size, distances }
        }
        other => {
            let cure = "use a MurmurationObstacleKind";
            return Err(Error::bad("obstacle.kind", format!("{other} is no kind"), cure));
        }
    };
    Ok(shape)
}

impl MurmurationObstacle {
    /// # Safety
    /// As for [`shape_of`].
    unsafe fn values(&self) -> Outcome<&[f32]> {
        const MAX_VALUES: usize = 1 << 30;
        if self.count > MAX_VALUES {
            return Err(Error::bad(
                "obstacle.count",
                format!("{} numbers are too many", self.count),
                "give a smaller field",
            ));
        }
        // SAFETY: as the caller promises.
        unsafe { values(self.values, self.count, "obstacle.values") }
    }
}
