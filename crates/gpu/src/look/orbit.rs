//! Where one looks at a deep world from: anywhere around it, in perspective.
//!
//! A place has x to the right, y down and z up to the viewer, as seen from above. In space y is mirrored, so that these are
//! the axes of a right hand.

use super::Camera;
use std::f32::consts::{FRAC_PI_2, TAU};

/// Half of the angle that a picture's height takes in, in radians.
const HALF_VIEW: f32 = 0.32;
/// The least and the greatest height of the eye over the horizon, in radians: from so far down the middle plane can still
/// be pointed at.
const PITCHES: [f32; 2] = [0.12, FRAC_PI_2];
/// The height and the side from which a world is first seen.
const FIRST: [f32; 2] = [0.48, 0.42];
/// How far from its target the eye may be, as a part of the world's diagonal.
const DISTANCES: [f32; 2] = [0.02, 4.0];
/// The pixels along a fish from which on it has a shape, and from which on it is nothing else but shape.
pub const SHAPES: [f32; 2] = [3.0, 6.0];
/// What is left free around a world that is all in sight.
const AIR: f32 = 0.94;

/// An eye that turns around a point of a deep world.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Orbit {
    /// Cells of the world along each axis.
    pub extents: [f32; 3],
    /// The point that it turns around, in cells.
    pub target: [f32; 3],
    /// Radians around the vertical from the side where y is greatest.
    pub yaw: f32,
    /// Radians over the horizon; a right angle looks straight down.
    pub pitch: f32,
    /// From the eye to the target, in cells.
    pub distance: f32,
    /// By which part of a picture's breadth and height its middle lies beside the target.
    pub aside: [f32; 2],
}

/// The eye and its axes in space: right, up and ahead.
#[derive(Debug, Clone, Copy)]
struct Frame {
    eye: [f32; 3],
    axes: [[f32; 3]; 3],
}

impl Orbit {
    /// The eye that has the whole of a world in sight, in the first `free` parts of a picture of this size (pixels).
    pub fn fit(extents: [u32; 3], size: [u32; 2], free: [f32; 2]) -> Self {
        let extents = extents.map(|extent| extent as f32);
        let [pitch, yaw] = FIRST;
        let target = extents.map(|extent| extent / 2.0);
        let aside = free.map(|part| (1.0 - part) / 2.0);
        let mut orbit = Self { extents, target, yaw, pitch, distance: 1.0, aside };
        let room = [0, 1].map(|axis| AIR * free[axis] * size[axis].max(1) as f32 / 2.0);
        let focus = focus(size);
        let frame = orbit.frame();
        // A corner at c is in sight where focus · |c·right| ≤ room · (distance + c·ahead), and so is what is above it.
        orbit.distance = corners(extents)
            .map(|corner| {
                let [across, up, ahead] = frame.axes.map(|axis| dot(axis, in_space(difference(corner, target))));
                let needed = |offset: f32, room: f32| focus * offset.abs() / room - ahead;
                needed(across, room[0]).max(needed(up, room[1]))
            })
            .fold(1.0, f32::max);
        orbit
    }

    /// Turns around the target as if a hand had drawn the world along by so many pixels.
    pub fn turn(&mut self, pixels: [f32; 2]) {
        const A_PIXEL: f32 = 0.006;
        self.yaw = (self.yaw - pixels[0] * A_PIXEL).rem_euclid(TAU);
        self.pitch = (self.pitch + pixels[1] * A_PIXEL).clamp(PITCHES[0], PITCHES[1]);
    }

    /// Moves the world by so many pixels of a picture of this size.
    pub fn pan(&mut self, size: [u32; 2], pixels: [f32; 2]) {
        let scale = self.scale(size);
        let [right, up, _] = self.frame().axes;
        for axis in 0..3 {
            let moved = (pixels[0] * right[axis] - pixels[1] * up[axis]) / scale;
            let along = if axis == 1 { -moved } else { moved };
            self.target[axis] = (self.target[axis] - along).clamp(0.0, self.extents[axis]);
        }
    }

    /// Makes everything larger by `factor`, or smaller where it is below 1.
    pub fn zoom(&mut self, factor: f32) {
        let diagonal = dot(self.extents, self.extents).sqrt();
        self.distance = (self.distance / factor).clamp(DISTANCES[0] * diagonal, DISTANCES[1] * diagonal);
    }

    /// Makes everything larger by `factor`, or smaller where it is below 1; what is pointed at stays where it is.
    pub fn zoom_at(&mut self, size: [u32; 2], pixel: [f32; 2], factor: f32) {
        let held = self.cell_at(size, pixel);
        self.zoom(factor);
        if let (Some(held), Some(moved)) = (held, self.cell_at(size, pixel)) {
            for axis in 0..2 {
                self.target[axis] = (self.target[axis] + held[axis] - moved[axis]).clamp(0.0, self.extents[axis]);
            }
        }
    }

    /// Pixels along the side of a cell at the target, in a picture of this size.
    pub fn scale(&self, size: [u32; 2]) -> f32 {
        focus(size) / self.distance
    }

    /// The camera above the same world that shows its middle plane at this scale.
    pub fn from_above(&self, size: [u32; 2]) -> Camera {
        Camera { centre: [self.extents[0] / 2.0, self.extents[1] / 2.0], pixels_per_cell: self.scale(size) }
    }

    /// Where a place (cells) is in a picture of this size, in pixels; `None`: behind the eye.
    pub fn pixel_at(&self, size: [u32; 2], place: [f32; 3]) -> Option<[f32; 2]> {
        let frame = self.frame();
        let [across, up, ahead] = frame.axes.map(|axis| dot(axis, difference(in_space(place), frame.eye)));
        if ahead < 1e-3 * self.distance {
            return None;
        }
        let [x, y] = self.middle(size);
        Some([x + focus(size) * across / ahead, y - focus(size) * up / ahead])
    }

    /// The cell (x and y) of the world's middle plane that is seen at a pixel; `None`: there is none within the world.
    pub fn cell_at(&self, size: [u32; 2], pixel: [f32; 2]) -> Option<[f32; 2]> {
        let frame = self.frame();
        let [x, y] = self.middle(size);
        let along = [(pixel[0] - x) / focus(size), -(pixel[1] - y) / focus(size), 1.0];
        let ray: [f32; 3] = std::array::from_fn(|axis| (0..3).map(|k| along[k] * frame.axes[k][axis]).sum());
        let far = (self.extents[2] / 2.0 - frame.eye[2]) / ray[2];
        if !far.is_finite() || far <= 0.0 {
            return None;
        }
        let cell = [frame.eye[0] + far * ray[0], -(frame.eye[1] + far * ray[1])];
        (0..2).all(|axis| (0.0..self.extents[axis]).contains(&cell[axis])).then_some(cell)
    }

    /// The least and the greatest distance from the eye to a corner of the world, ahead, in cells.
    fn depths(&self) -> [f32; 2] {
        let frame = self.frame();
        let ahead = corners(self.extents).map(|corner| dot(frame.axes[2], difference(in_space(corner), frame.eye)));
        ahead.fold([f32::MAX, 0.0], |[least, most], ahead| [least.min(ahead), most.max(ahead)])
    }

    fn middle(&self, size: [u32; 2]) -> [f32; 2] {
        [0, 1].map(|axis| (0.5 - self.aside[axis]) * size[axis] as f32)
    }

    fn frame(&self) -> Frame {
        let ([sine, cosine], [rise, along]) = ([self.yaw.sin(), self.yaw.cos()], [self.pitch.sin(), self.pitch.cos()]);
        let away = [along * sine, -along * cosine, rise];
        let target = in_space(self.target);
        let eye = [0, 1, 2].map(|axis| target[axis] + self.distance * away[axis]);
        let (right, ahead) = ([cosine, sine, 0.0], away.map(|axis| -axis));
        Frame { eye, axes: [right, cross(right, ahead), ahead] }
    }
}

/// What the kernels of a deep world are told, for Rust and (below) for WGSL.
#[repr(C)]
#[derive(Debug, Clone, Copy, PartialEq, bytemuck::Pod, bytemuck::Zeroable)]
pub struct Eye {
    place: [f32; 3],
    focus: f32,
    right: [f32; 3],
    least: f32,
    up: [f32; 3],
    most: f32,
    ahead: [f32; 3],
    length: f32,
    extents: [f32; 3],
    mote: f32,
    middle: [f32; 2],
    unused: [f32; 2],
}

/// The same structure in WGSL.
pub const EYE_WGSL: &str = "\
struct Eye {
    // The eye and its axes, in space; pixels of what is as large as far away.
    place: vec3<f32>,
    focus: f32,
    right: vec3<f32>,
    // How far ahead the world begins, and ends.
    least: f32,
    up: vec3<f32>,
    most: f32,
    ahead: vec3<f32>,
    // The length of a fish in cells.
    length: f32,
    extents: vec3<f32>,
    // The light of a mote where a cell has a pixel.
    mote: f32,
    // The pixel that is straight ahead.
    middle: vec2<f32>,
    unused: vec2<f32>,
}
";

impl Eye {
    /// `length`: of a fish in cells; `mote`: the light of one where a cell has a pixel.
    pub fn new(orbit: &Orbit, size: [u32; 2], length: f32, mote: f32) -> Self {
        let Frame { eye, axes: [right, up, ahead] } = orbit.frame();
        let [least, most] = orbit.depths();
        Self {
            place: eye,
            focus: focus(size),
            right,
            least: least.max(0.02 * orbit.distance),
            up,
            most,
            ahead,
            length,
            extents: orbit.extents,
            mote,
            middle: orbit.middle(size),
            unused: [0.0; 2],
        }
    }

    /// The pixels along a fish at the nearest and at the farthest end of the world.
    pub fn lengths(&self) -> [f32; 2] {
        [self.least, self.most].map(|ahead| self.focus * self.length / ahead.max(1e-6))
    }
}

/// Pixels that something takes which is as large as it is far away.
fn focus(size: [u32; 2]) -> f32 {
    size[1].max(1) as f32 / 2.0 / HALF_VIEW.tan()
}

fn in_space([x, y, z]: [f32; 3]) -> [f32; 3] {
    [x, -y, z]
}

fn corners([x, y, z]: [f32; 3]) -> impl Iterator<Item = [f32; 3]> {
    (0..8).map(move |corner| {
        let part = |axis: u32| if corner >> axis & 1 == 1 { 1.0 } else { 0.0 };
        [x * part(0), y * part(1), z * part(2)]
    })
}

fn difference(a: [f32; 3], b: [f32; 3]) -> [f32; 3] {
    [0, 1, 2].map(|axis| a[axis] - b[axis])
}

fn dot(a: [f32; 3], b: [f32; 3]) -> f32 {
    (0..3).map(|axis| a[axis] * b[axis]).sum()
}

fn cross(a: [f32; 3], b: [f32; 3]) -> [f32; 3] {
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}

#[cfg(test)]
mod tests {
    use super::*;

    const SIZE: [u32; 2] = [1280, 800];

    fn near(a: [f32; 2], b: [f32; 2], slack: f32) -> bool {
        (a[0] - b[0]).abs() < slack && (a[1] - b[1]).abs() < slack
    }

    #[test]
    fn the_whole_world_is_in_sight_and_touches_the_rim_of_what_is_free() {
        for extents in [[320, 200, 40], [64, 300, 90], [1600, 960, 160]] {
            let orbit = Orbit::fit(extents, SIZE, [0.75, 1.0]);
            let pixels: Vec<_> = corners(orbit.extents).map(|corner| orbit.pixel_at(SIZE, corner).unwrap()).collect();
            assert!(pixels.iter().all(|[x, y]| (0.0..960.0).contains(x) && (0.0..800.0).contains(y)), "{pixels:?}");
            let [left, top] = [0, 1].map(|axis| pixels.iter().map(|pixel| pixel[axis]).fold(f32::MAX, f32::min));
            let [right, below] = [0, 1].map(|axis| pixels.iter().map(|pixel| pixel[axis]).fold(0.0, f32::max));
            let is_filled = left < 40.0 || right > 920.0 || top < 40.0 || below > 760.0;
            assert!(is_filled, "{extents:?}: {left} {top} {right} {below}");
        }
    }

    #[test]
    fn what_is_pointed_at_is_where_it_is_seen() {
        let mut orbit = Orbit::fit([320, 200, 40], SIZE, [0.75, 1.0]);
        for (pixels, factor) in [([0.0, 0.0], 1.0), ([300.0, -60.0], 1.7), ([-900.0, 900.0], 0.8)] {
            orbit.turn(pixels);
            orbit.zoom(factor);
            orbit.pan(SIZE, [30.0, -12.0]);
            for cell in [[160.0, 100.0], [20.0, 180.0], [300.5, 3.25]] {
                let pixel = orbit.pixel_at(SIZE, [cell[0], cell[1], 20.0]).unwrap();
                let found = orbit.cell_at(SIZE, pixel).unwrap();
                assert!(near(found, cell, 0.05), "{found:?} is not {cell:?}");
            }
        }
    }

    #[test]
    fn over_the_horizon_and_beside_the_world_is_nothing_to_point_at() {
        let mut orbit = Orbit::fit([320, 200, 40], SIZE, [1.0, 1.0]);
        assert_eq!(orbit.cell_at(SIZE, [2.0, 2.0]), None);
        orbit.turn([0.0, -1e6]);
        assert_eq!(orbit.pitch, PITCHES[0]);
        assert_eq!(orbit.cell_at(SIZE, [640.0, 0.0]), None);
    }

    #[test]
    fn straight_from_above_it_is_the_usual_view() {
        let mut orbit = Orbit::fit([320, 200, 1], SIZE, [1.0, 1.0]);
        orbit.yaw = 0.0;
        orbit.turn([0.0, 1e6]);
        let camera = orbit.from_above(SIZE);
        for cell in [[10.0, 10.0], [310.0, 150.0]] {
            let pixel = orbit.pixel_at(SIZE, [cell[0], cell[1], 0.5]).unwrap();
            assert!(near(pixel, camera.pixel_at(SIZE, cell), 0.5), "{pixel:?}");
        }
    }

    #[test]
    fn panning_takes_the_world_along() {
        let mut orbit = Orbit::fit([320, 200, 40], SIZE, [1.0, 1.0]);
        let before = orbit.pixel_at(SIZE, [160.0, 100.0, 20.0]).unwrap();
        orbit.pan(SIZE, [14.0, 9.0]);
        let after = orbit.pixel_at(SIZE, [160.0, 100.0, 20.0]).unwrap();
        assert!(near(after, [before[0] + 14.0, before[1] + 9.0], 0.6), "{before:?} {after:?}");
    }
}
