//! The selection of neighbours among the individuals within the radii, and the exact angles of individuals.

use crate::numbers::ONE;

/// The maximum of [`Selection::nearest`].
pub const MAX_NEAREST: usize = 32;
/// The cosine (Q14) of half a view that goes all around: no angle is beyond it.
pub const ALL_AROUND: i32 = -2 * ONE;

/// The conditions under which an individual within the radii of the rules is a neighbour.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Selection {
    /// The number of nearest individuals that are neighbours, at most [`MAX_NEAREST`]; 0: there is no such limit.
    pub nearest: u32,
    /// The cosine (Q14) of half the view; [`ALL_AROUND`]: the view has no blind angle.
    pub view: i32,
    /// The cosine (Q14) of half the view within the radius of separation, also of meetings by this rule; couzin only.
    /// For other sets it equals [`Self::view`].
    pub repulsion_view: i32,
}

impl Selection {
    /// All individuals within the radii are neighbours.
    pub const ALL: Self = Self { nearest: 0, view: ALL_AROUND, repulsion_view: ALL_AROUND };
}

/// The cosine (Q14) of an angle in degrees: half of an angle of view, or a turn. [`ALL_AROUND`] for 180 degrees and
/// more.
pub fn cosine(degrees: f64) -> i32 {
    if degrees >= 180.0 { ALL_AROUND } else { (degrees.to_radians().cos() * f64::from(ONE)).round() as i32 }
}

/// The sine (Q14) of an angle of 0 to 180 degrees.
pub fn sine(degrees: f64) -> i32 {
    (degrees.to_radians().sin() * f64::from(ONE)).round() as i32
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cosine_is_that_of_the_angle_up_to_half_a_turn() {
        assert_eq!([0.0, 60.0, 90.0, 120.0].map(cosine), [ONE, ONE / 2, 0, -ONE / 2]);
        assert_eq!([180.0, 200.0].map(cosine), [ALL_AROUND; 2]);
        assert_eq!(cosine(135.0), -11585);
    }
}
