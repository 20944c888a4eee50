//! The camera around a deep world, in perspective, and the uniform of the kernels that draw its picture.
//!
//! World coordinates are cells: x to the right, y down, and z up towards a viewer above. These axes are left-handed.
//! The view and the projection are left-handed too.

use super::Camera;
use crate::shader::structure;
use glam::camera::lh::proj::directx::perspective_infinite_reverse;
use glam::camera::lh::view::look_to_mat4;
use glam::{IVec3, Mat3, Mat4, UVec2, UVec3, Vec2, Vec3, vec2, vec3};
use murmuration_core::look::{FIRST_VIEW, HALF_VIEW, Look, Projection, view_towards};
use murmuration_core::world::{Extents, ScalarField, World};
use std::f32::consts::{FRAC_PI_2, PI, TAU};

/// The minimum pitch if the mouse points at the middle plane of the world, in radians. At a lower pitch the lines of
/// sight would hardly meet the plane.
const MIN_PITCH: f32 = 0.12;
/// The minimum pitch if the mouse points at places in the depth of the world, in radians. Below 0 the eye looks up.
const MIN_PITCH_FROM_BELOW: f32 = -0.7;
/// The pitch and the yaw of the first view of a world of individuals, in radians.
const FIRST_PITCH: f32 = 0.48;
const FIRST_YAW: f32 = 0.42;
/// The angle by which a drag of the mouse turns the eye for each pixel, in radians.
const RADIANS_PER_PIXEL: f32 = 0.006;
/// The minimum and maximum distance of the eye from its target, as a multiple of the world's diagonal.
const DISTANCES: [f32; 2] = [0.02, 4.0];
/// The part of a picture's width or height that a whole world takes in its first view.
const FITTED: f32 = 0.94;

/// The rate at which the eye approaches the animal that it follows, in 1/s.
const FOLLOW: f32 = 2.5;
/// The distance of the eye from a falcon that it follows, as a multiple of the world's diagonal.
const BEHIND: f32 = 0.2;
/// The pitch of the eye behind an animal that it follows, in radians.
const PITCH_BEHIND: f32 = 0.12;

/// The distance that the eye keeps from rock, in cells.
const ROOM: f32 = 1.5;
/// The offsets from the eye to the places that must be free of rock, in multiples of [`ROOM`].
const AROUND_EYE: [[f32; 3]; 7] =
    [[0.0; 3], [1.0, 0.0, 0.0], [-1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, -1.0, 0.0], [0.0, 0.0, 1.0], [0.0, 0.0, -1.0]];
/// The length of a step of the search for a free place, in cells.
const STEP: f32 = 0.5;

/// Two lengths of a fish on the screen, in pixels. Up to the first a fish is drawn as a mote, which is a disc of light,
/// and above the second as a mesh. Between them it is drawn as both.
pub const SHAPES: [f32; 2] = [3.0, 6.0];
/// The minimum of [`Eye::near`], as a multiple of the distance between the eye and its target.
const NEAREST: f32 = 0.02;

/// An eye that turns around a place of a deep world.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Orbit {
    /// The extents of the world, in cells.
    pub extents: Vec3,
    /// The place that the eye turns around, in cells.
    pub target: Vec3,
    /// The angle of the eye around the vertical through the target, in radians. At 0 the eye is on the side of the
    /// greatest y.
    pub yaw: f32,
    /// The angle by which the eye looks below the horizon, in radians. At π/2 the eye looks straight down.
    pub pitch: f32,
    /// Whether the mouse points at places in the depth of the world, as in a world of cells or with rock. Otherwise the
    /// mouse points at the middle plane, at half of the depth.
    pub points_in_depth: bool,
    /// The distance of the eye from the target, in cells.
    pub distance: f32,
    /// The minimum pitch to which a drag of the mouse can turn the eye, in radians.
    pub least_pitch: f32,
}

/// The place of the eye (cells) and its axes, in world coordinates.
#[derive(Debug, Clone, Copy)]
struct Frame {
    pub eye: Vec3,
    /// The columns are the directions right, up and ahead of the eye, each of length 1.
    pub axes: Mat3,
}

impl Frame {
    /// Converts a place to the eye's coordinates: cells to the right, up and ahead.
    fn in_eye_space(&self, place: Vec3) -> Vec3 {
        self.axes.transpose() * (place - self.eye)
    }
}

impl Orbit {
    /// The orbit that shows the whole of a world, in a picture of this size (pixels).
    pub fn fit(extents: UVec3, size: UVec2) -> Self {
        let extents = extents.as_vec3();
        let target = extents / 2.0;
        let (yaw, pitch) = (FIRST_YAW, FIRST_PITCH);
        let least_pitch = MIN_PITCH;
        let mut orbit = Self { extents, target, yaw, pitch, points_in_depth: false, distance: 1.0, least_pitch };
        let room = FITTED * size.max(UVec2::ONE).as_vec2() / 2.0;
        let to_eye = orbit.frame().axes.transpose();
        // c is the vector from the target to a corner, and `room` half of the fitted picture in pixels. The corner is
        // in sight if focus · |c·right| ≤ room.x · (distance + c·ahead), and likewise with c·up and room.y.
        let needed = corners(extents).map(|corner| {
            let seen = to_eye * (corner - target);
            (focus(size) * seen.truncate().abs() / room - seen.z).max_element()
        });
        orbit.distance = needed.fold(1.0, f32::max);
        orbit
    }

    /// The orbit of the first view of a deep world of cells, in a picture of this size (pixels).
    pub fn first(extents: Extents, size: UVec2) -> Self {
        let Projection { target, nearness, .. } = Projection::first(extents, size.to_array());
        let [yaw, pitch] = FIRST_VIEW;
        let extents = UVec3::from(extents.along_axes()).as_vec3();
        let (target, distance) = (target.into(), 1.0 / nearness);
        Self { extents, target, yaw, pitch, points_in_depth: true, distance, least_pitch: MIN_PITCH_FROM_BELOW }
    }

    /// The orbit of the first view of a deep world, in a picture of this size (pixels). `depth`: the number of cells
    /// along z. It is read only if the lattice of the world is flat, as for individuals. The eye is at `look.view` if
    /// the look has one.
    pub fn from_look(world: &World, depth: u32, look: &Look, size: UVec2) -> Self {
        let Extents { width, height, .. } = world.extents;
        let mut orbit = match world.extents.depth {
            Some(_) => Self::first(world.extents, size),
            None => Self::fit(UVec3::new(width, height, depth), size),
        };
        if world.rock.is_some() {
            (orbit.points_in_depth, orbit.least_pitch) = (true, MIN_PITCH_FROM_BELOW);
        }
        if let Some(view) = look.view {
            let [eye, target] = view.map(|place| Vec3::from(place) * orbit.extents);
            let ([yaw, pitch], distance) = view_towards(eye.into(), target.into());
            (orbit.target, orbit.distance, orbit.yaw, orbit.pitch) = (target, distance, yaw.rem_euclid(TAU), pitch);
            orbit.least_pitch = orbit.least_pitch.min(pitch);
        }
        orbit
    }

    /// Flies ahead by `cells` cells, and turns by `turn` radians to the right and down.
    pub fn fly(&mut self, cells: f32, turn: Vec2) {
        let eye = self.frame().eye;
        self.yaw = (self.yaw - turn.x).rem_euclid(TAU);
        self.pitch = (self.pitch + turn.y).clamp(self.least_pitch, FRAC_PI_2);
        let ahead = self.frame().axes.z_axis;
        // The eye turns at its place, so the target moves around the eye.
        self.target = (eye + (self.distance + cells) * ahead).clamp(Vec3::ZERO, self.extents);
    }

    /// The distance from which the eye follows a single falcon, in cells.
    pub fn behind_falcon(&self) -> f32 {
        BEHIND * self.extents.length()
    }

    /// Moves the eye behind a moving animal for `seconds`. `place` (cells) and `velocity` (cells a step) are the
    /// animal's. `behind` is the distance from the animal, in cells, to which the distance of the eye tends.
    pub fn follow(&mut self, place: Vec3, velocity: Vec3, behind: f32, seconds: f32) {
        let part = 1.0 - (-FOLLOW * seconds).exp();
        self.target += (place - self.target) * part;
        self.distance += (behind - self.distance) * part;
        let yaw = (-velocity.x).atan2(-velocity.y);
        let turn = (yaw - self.yaw + PI).rem_euclid(TAU) - PI;
        // The eye turns more slowly than it moves, so that the animal can turn first.
        self.yaw = (self.yaw + 0.4 * part * turn).rem_euclid(TAU);
        self.pitch += (PITCH_BEHIND - self.pitch) * part;
    }

    /// Moves the eye towards its target until no rock lies between them.
    pub fn see_target(&mut self, field: &ScalarField) {
        let ahead = self.frame().axes.z_axis;
        let mut steps = (1..=(self.distance / STEP) as u32).map(|step| STEP * step as f32);
        if let Some(away) = steps.find(|away| is_rock(field, self.target - *away * ahead)) {
            self.distance = (away - ROOM).max(STEP);
        }
    }

    /// Moves an eye that is in rock towards its target or away from it, to the nearest water.
    pub fn leave_rock(&mut self, field: &ScalarField) {
        let is_free = |orbit: &Self| {
            let eye = orbit.frame().eye;
            AROUND_EYE.iter().all(|beside| !is_rock(field, eye + ROOM * Vec3::from(*beside)))
        };
        if is_free(self) {
            return;
        }
        let most = (self.extents.length() / STEP) as u32;
        let steps = (1..=most).flat_map(|step| [-STEP, STEP].map(|by| self.distance + by * step as f32));
        let mut distances = steps.filter(|distance| *distance >= STEP);
        let free = distances.find(|distance| is_free(&Self { distance: *distance, ..*self }));
        self.distance = free.unwrap_or(self.distance);
    }

    /// Turns the eye around the target, as a drag of the mouse by this number of pixels turns the world.
    pub fn turn(&mut self, pixels: Vec2) {
        self.yaw = (self.yaw - pixels.x * RADIANS_PER_PIXEL).rem_euclid(TAU);
        self.pitch = (self.pitch + pixels.y * RADIANS_PER_PIXEL).clamp(self.least_pitch, FRAC_PI_2);
    }

    /// Moves the world by this number of pixels in a picture of this size (pixels), at the distance of the target.
    pub fn pan(&mut self, size: UVec2, pixels: Vec2) {
        let moved = self.frame().axes * vec3(pixels.x, -pixels.y, 0.0) / self.scale(size);
        self.target = (self.target - moved).clamp(Vec3::ZERO, self.extents);
    }

    /// Multiplies the scale at the target by `factor`.
    pub fn zoom(&mut self, factor: f32) {
        let diagonal = self.extents.length();
        self.distance = (self.distance / factor).clamp(DISTANCES[0] * diagonal, DISTANCES[1] * diagonal);
    }

    /// Multiplies the scale by `factor`. The place of the world at `pixel` stays at `pixel`. This is a place on the
    /// middle plane, or, with `points_in_depth`, a place at the distance of the target.
    pub fn zoom_at(&mut self, size: UVec2, pixel: Vec2, factor: f32) {
        if self.points_in_depth {
            let held = |orbit: &Self| orbit.projection(size).place_at(pixel.to_array(), 0.0).map(Vec3::from);
            let before = held(self);
            self.zoom(factor);
            if let (Some(before), Some(after)) = (before, held(self)) {
                self.target = (self.target + before - after).clamp(Vec3::ZERO, self.extents);
            }
            return;
        }
        let held = self.cell_at(size, pixel);
        self.zoom(factor);
        if let (Some(held), Some(moved)) = (held, self.cell_at(size, pixel)) {
            self.target = (self.target + (held - moved).extend(0.0)).clamp(Vec3::ZERO, self.extents);
        }
    }

    /// The pixels along the side of a cell at the target, in a picture of this size (pixels).
    pub fn scale(&self, size: UVec2) -> f32 {
        focus(size) / self.distance
    }

    /// The place of the eye (cells), and the direction of its view (length 1).
    pub fn eye(&self) -> (Vec3, Vec3) {
        let frame = self.frame();
        (frame.eye, frame.axes.z_axis)
    }

    /// The orbit's view as a [`Projection`], with which boids are drawn as strokes, in a picture of this size (pixels).
    pub fn projection(&self, size: UVec2) -> Projection {
        let axes = self.frame().axes;
        let axes = [axes.x_axis, axes.y_axis, axes.z_axis].map(|axis| axis.to_array());
        Projection::around(size.to_array(), self.target.to_array(), axes, self.distance)
    }

    /// The camera straight above the middle of the world, at the scale of the orbit's target.
    pub fn overhead(&self, size: UVec2) -> Camera {
        Camera { centre: self.extents.truncate() / 2.0, pixels_per_cell: self.scale(size) }
    }

    /// The pixel of a place of the world (cells) in a picture of this size. `None` if the place is behind the eye.
    pub fn pixel_at(&self, size: UVec2, place: Vec3) -> Option<Vec2> {
        let seen = self.frame().in_eye_space(place);
        let is_ahead = seen.z >= 1e-3 * self.distance;
        is_ahead.then(|| size.as_vec2() / 2.0 + focus(size) * vec2(seen.x, -seen.y) / seen.z)
    }

    /// The place on the world's middle plane (x and y, cells) at a pixel. `None` if the line of sight misses the plane,
    /// or meets the plane outside the world.
    pub fn cell_at(&self, size: UVec2, pixel: Vec2) -> Option<Vec2> {
        let frame = self.frame();
        let Vec2 { x, y } = (pixel - size.as_vec2() / 2.0) / focus(size);
        let ray = frame.axes * vec3(x, -y, 1.0);
        let far = (self.extents.z / 2.0 - frame.eye.z) / ray.z;
        if !far.is_finite() || far <= 0.0 {
            return None;
        }
        let cell = (frame.eye + far * ray).truncate();
        let is_inside = cell.cmpge(Vec2::ZERO) & cell.cmplt(self.extents.truncate());
        is_inside.all().then_some(cell)
    }

    /// The distances of the nearest and the farthest corner of the world, in cells along the direction of view. A
    /// corner behind the eye has a negative distance. The second distance is at least 0.
    fn depths(&self) -> [f32; 2] {
        let frame = self.frame();
        let ahead = corners(self.extents).map(|corner| frame.in_eye_space(corner).z);
        ahead.fold([f32::MAX, 0.0], |[near, far], ahead| [near.min(ahead), far.max(ahead)])
    }

    fn frame(&self) -> Frame {
        let (yaw, pitch) = (Vec2::from_angle(self.yaw), Vec2::from_angle(self.pitch));
        let right = vec3(yaw.x, -yaw.y, 0.0);
        let ahead = -vec3(pitch.x * yaw.y, pitch.x * yaw.x, pitch.y);
        Frame { eye: self.target - self.distance * ahead, axes: Mat3::from_cols(right, ahead.cross(right), ahead) }
    }
}

/// Whether a place (cells) is in the rock of a field.
fn is_rock(field: &ScalarField, place: Vec3) -> bool {
    let extents = UVec3::from(field.extents.along_axes());
    let voxel = place.floor().as_ivec3();
    let is_inside = voxel.cmpge(IVec3::ZERO) & voxel.cmplt(extents.as_ivec3());
    let index = |voxel: UVec3| ((voxel.z * extents.y + voxel.y) * extents.x + voxel.x) as usize;
    is_inside.all() && field.values[index(voxel.as_uvec3())] > 0
}

/// The focal length in a picture of this size (pixels), in pixels. An object at a distance equal to its own length is
/// this number of pixels long.
fn focus(size: UVec2) -> f32 {
    size.y.max(1) as f32 / 2.0 / HALF_VIEW.tan()
}

fn corners(extents: Vec3) -> impl Iterator<Item = Vec3> {
    (0..8).map(move |corner| extents * vec3((corner & 1) as f32, (corner >> 1 & 1) as f32, (corner >> 2) as f32))
}

structure! {
    /// The eye of a picture of a deep world in perspective, as the kernels read it.
    Eye, EYE_WGSL {
        /// The matrix from world coordinates (cells) to clip space. The depth is 1 at the distance near / 2 and falls
        /// to 0 at infinity.
        clip: Mat4,
        /// The place of the eye in world coordinates, in cells.
        position: Vec3,
        /// The distance of the nearest corner of the world along the direction of view, in cells. Always above 0.
        near: f32,
        /// The direction of view, of length 1.
        ahead: Vec3,
        /// The distance of the farthest corner of the world along the direction of view, in cells.
        far: f32,
        /// The extents of the world, in cells.
        extents: Vec3,
        /// The focal length, in pixels.
        focus: f32,
        /// The length of a fish, in cells.
        fish_length: f32,
        /// The light of a mote, the disc that stands for a distant fish, if a cell is one pixel long.
        mote_light: f32,
        padding: Vec2,
    }
}

impl Eye {
    /// The eye of an orbit in a picture of this size (pixels). `fish_length` is in cells. `mote_light` is the light of
    /// the disc that stands for a distant fish, if a cell is one pixel long.
    pub fn new(orbit: &Orbit, size: UVec2, fish_length: f32, mote_light: f32) -> Self {
        let Frame { eye, axes } = orbit.frame();
        let [near, far] = orbit.depths();
        let near = near.max(NEAREST * orbit.distance);
        let size = size.max(UVec2::ONE);
        let aspect = size.x as f32 / size.y as f32;
        let projection = perspective_infinite_reverse(2.0 * HALF_VIEW, aspect, near / 2.0);
        Self {
            clip: projection * look_to_mat4(eye, axes.z_axis, axes.y_axis),
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

    /// The length of a fish on the screen at `near` and at `far`, in pixels.
    pub fn lengths(&self) -> [f32; 2] {
        [self.near, self.far].map(|ahead| self.focus * self.fish_length / ahead.max(1e-6))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SIZE: UVec2 = UVec2::new(1280, 800);

    fn orbit(extents: [u32; 3]) -> Orbit {
        Orbit::fit(extents.into(), SIZE)
    }

    #[test]
    fn the_whole_world_is_in_sight_and_touches_the_rim_of_the_picture() {
        for extents in [[320, 200, 40], [64, 300, 90], [1600, 960, 160]] {
            let orbit = Orbit::fit(extents.into(), SIZE);
            let pixels: Vec<_> = corners(orbit.extents).map(|corner| orbit.pixel_at(SIZE, corner).unwrap()).collect();
            let least = pixels.iter().copied().reduce(Vec2::min).unwrap();
            let most = pixels.iter().copied().reduce(Vec2::max).unwrap();
            assert!(least.cmpge(Vec2::ZERO).all() && most.cmplt(vec2(1280.0, 800.0)).all(), "{pixels:?}");
            let is_filled = least.min_element() < 40.0 || most.x > 1240.0 || most.y > 760.0;
            assert!(is_filled, "{extents:?}: {least} {most}");
        }
    }

    #[test]
    fn a_point_of_the_middle_plane_is_pointed_at_where_it_is_seen() {
        let mut orbit = Orbit::fit([320, 200, 40].into(), SIZE);
        for (pixels, factor) in [(vec2(0.0, 0.0), 1.0), (vec2(300.0, -60.0), 1.7), (vec2(-900.0, 900.0), 0.8)] {
            orbit.turn(pixels);
            orbit.zoom(factor);
            orbit.pan(SIZE, vec2(30.0, -12.0));
            for cell in [vec2(160.0, 100.0), vec2(20.0, 180.0), vec2(300.5, 3.25)] {
                let pixel = orbit.pixel_at(SIZE, cell.extend(20.0)).unwrap();
                let found = orbit.cell_at(SIZE, pixel).unwrap();
                assert!(found.abs_diff_eq(cell, 0.05), "{found} is not {cell}");
            }
        }
    }

    #[test]
    fn above_the_horizon_and_beside_the_world_there_is_no_cell() {
        let mut orbit = orbit([320, 200, 40]);
        assert_eq!(orbit.cell_at(SIZE, vec2(2.0, 2.0)), None);
        orbit.turn(vec2(0.0, -1e6));
        assert_eq!(orbit.pitch, MIN_PITCH);
        assert_eq!(orbit.cell_at(SIZE, vec2(640.0, 0.0)), None);
    }

    #[test]
    fn straight_from_above_it_is_the_view_of_the_overhead_camera() {
        let mut orbit = orbit([320, 200, 1]);
        orbit.yaw = 0.0;
        orbit.turn(vec2(0.0, 1e6));
        let camera = orbit.overhead(SIZE);
        for cell in [vec2(10.0, 10.0), vec2(310.0, 150.0)] {
            let pixel = orbit.pixel_at(SIZE, cell.extend(0.5)).unwrap();
            assert!(pixel.abs_diff_eq(camera.pixel_at(SIZE, cell), 0.5), "{pixel}");
        }
    }

    #[test]
    fn around_cells_zooming_holds_the_place_under_the_pointer_and_turning_in_flight_the_eye() {
        let mut orbit = Orbit::first(Extents::deep(60, 50, 30), SIZE);
        let pixel = vec2(800.0, 350.0);
        let held = |orbit: &Orbit| Vec3::from(orbit.projection(SIZE).place_at(pixel.to_array(), 0.0).unwrap());
        let before = held(&orbit);
        orbit.zoom_at(SIZE, pixel, 1.7);
        assert!(held(&orbit).abs_diff_eq(before, 0.01), "{} is not {before}", held(&orbit));
        let eye = orbit.frame().eye;
        orbit.fly(0.0, vec2(0.1, 0.05));
        assert!(orbit.frame().eye.abs_diff_eq(eye, 0.01), "{} is not {eye}", orbit.frame().eye);
    }

    #[test]
    fn panning_moves_the_world_by_the_pixels_of_the_drag() {
        let mut orbit = orbit([320, 200, 40]);
        let centre = vec3(160.0, 100.0, 20.0);
        let before = orbit.pixel_at(SIZE, centre).unwrap();
        let drag = vec2(14.0, 9.0);
        orbit.pan(SIZE, drag);
        let after = orbit.pixel_at(SIZE, centre).unwrap();
        assert!(after.abs_diff_eq(before + drag, 0.6), "{before} {after}");
    }

    #[test]
    fn the_gpu_draws_a_point_where_the_orbit_says_it_is_seen() {
        let size = UVec2::new(640, 360);
        let mut orbit = Orbit::fit([60, 40, 20].into(), size);
        orbit.turn(vec2(200.0, 33.0));
        let eye = Eye::new(&orbit, size, 1.0, 1.0);
        for place in [Vec3::ZERO, orbit.extents, Vec3::new(12.0, 33.0, 5.0)] {
            let clip = eye.clip.project_point3(place);
            let pixel = (clip.truncate() * vec2(0.5, -0.5) + 0.5) * size.as_vec2();
            let expected = orbit.pixel_at(size, place).unwrap();
            assert!(pixel.abs_diff_eq(expected, 0.01), "{pixel} is not {expected}");
            assert!((0.0..1.0).contains(&clip.z), "depth {}", clip.z);
        }
    }
}
