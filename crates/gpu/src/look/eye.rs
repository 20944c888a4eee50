//! The uniform of the kernels that draw a deep world in perspective.

use super::Orbit;
use super::orbit::{Frame, HALF_VIEW, focus};
use glam::camera::lh::{proj::directx::perspective_infinite_reverse, view::look_to_mat4};
use glam::{Mat4, UVec2, Vec2, Vec3};

/// The pixels along a fish from which it begins to have a shape, and from which it is drawn as shape alone.
pub const SHAPES: [f32; 2] = [3.0, 6.0];
/// The least distance at which the world may begin, as a part of the distance to the target.
const NEAREST: f32 = 0.02;

structure! {
    /// The eye that sees a deep world in perspective.
    Eye, EYE_WGSL {
        /// From world coordinates (cells) to clip space. Depth is 1 at near / 2 and falls to 0 at infinity.
        clip: Mat4,
        /// In world coordinates.
        position: Vec3,
        /// The distance ahead of the eye of the nearest corner of the world, in cells.
        near: f32,
        /// The direction of view, of length 1.
        ahead: Vec3,
        /// As `near`, of the farthest corner.
        far: f32,
        /// Of the world, in cells.
        extents: Vec3,
        /// The focal length, in pixels.
        focus: f32,
        /// In cells.
        fish_length: f32,
        /// The light of a mote where a cell takes one pixel.
        mote_light: f32,
        padding: Vec2,
    }
}

impl Eye {
    /// The eye of an orbit in a picture of this size. `fish_length` is in cells; `mote_light` is the light of a mote where
    /// a cell takes one pixel.
    pub fn new(orbit: &Orbit, size: UVec2, fish_length: f32, mote_light: f32) -> Self {
        let Frame { eye, axes } = orbit.frame();
        let [near, far] = orbit.depths();
        let near = near.max(NEAREST * orbit.distance);
        let size = size.max(UVec2::ONE);
        let aspect = size.x as f32 / size.y as f32;
        let shift = Mat4::from_translation((2.0 * orbit.shift * Vec2::new(-1.0, 1.0)).extend(0.0));
        let projection = perspective_infinite_reverse(2.0 * HALF_VIEW, aspect, near / 2.0);
        Self {
            clip: shift * projection * look_to_mat4(eye, axes.z_axis, axes.y_axis),
            position: eye,
            near,
            ahead: axes.z_axis,
            far,
            extents: orbit.extents,
            focus: focus(size),
            fish_length,
            mote_light,
            padding: Vec2::ZERO,
        }
    }

    /// The pixels along a fish at the nearest and at the farthest corner of the world.
    pub fn lengths(&self) -> [f32; 2] {
        [self.near, self.far].map(|ahead| self.focus * self.fish_length / ahead.max(1e-6))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::vec2;

    #[test]
    fn the_gpu_draws_a_point_where_the_orbit_says_it_is_seen() {
        let size = UVec2::new(640, 360);
        let mut orbit = Orbit::fit([60, 40, 20].into(), size, vec2(0.7, 1.0));
        orbit.turn(vec2(200.0, 33.0));
        let eye = Eye::new(&orbit, size, 1.0, 1.0);
        for point in [Vec3::ZERO, orbit.extents, Vec3::new(12.0, 33.0, 5.0)] {
            let clip = eye.clip.project_point3(point);
            let pixel = (clip.truncate() * vec2(0.5, -0.5) + 0.5) * size.as_vec2();
            let expected = orbit.pixel_at(size, point).unwrap();
            assert!(pixel.abs_diff_eq(expected, 0.01), "{pixel} is not {expected}");
            assert!((0.0..1.0).contains(&clip.z), "depth {}", clip.z);
        }
    }
}
