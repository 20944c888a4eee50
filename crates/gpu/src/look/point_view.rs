//! The uniform with which a GPU draws the points of a swarm, which stand for boids, as strokes or discs.

use crate::look::ViewTransform;
use crate::shader::structure;
use glam::{IVec3, UVec2, Vec3};
use murmuration_core::look::{Look, Projection};
use murmuration_core::picture::{MAX_STROKE_BOIDS, Sky, stroke_light, stroke_size};

structure! {
    /// The numbers with which kernels draw points: of a [`Projection`], of the sky behind the points, and of the volume
    /// of light and density.
    PointView, POINT_VIEW_WGSL {
        /// The place in the middle of the screen, in cells.
        place: Vec3,
        /// The pixels along the side of a cell at `place`.
        scale: f32,
        /// The direction to the right on the screen, of length 1. `up` and `ahead` are the directions upwards on the
        /// screen and into the picture.
        right: Vec3,
        /// 1 / the distance of the eye from `place`, in 1/cells. 0: all lines of sight are parallel.
        nearness: f32,
        up: Vec3,
        /// The size of strokes, as a multiple of their usual size.
        size: f32,
        ahead: Vec3,
        /// The number of boids for which a point stands.
        each: f32,
        /// The direction to the right in the picture of the sky, of length 1. `sky_up` and `sky_ahead` are the
        /// directions upwards and into the picture.
        sky_right: Vec3,
        /// The light in the middle of a stroke.
        light: f32,
        sky_up: Vec3,
        /// The focal length of the sky in pixels.
        focus: f32,
        sky_ahead: Vec3,
        /// The number of points with which falcons and their wakes are drawn.
        falcons: u32,
        /// The direction to the sun, of length 1.
        sun: Vec3,
        /// The number of points of boids.
        boids: u32,
        /// The size of the volume of light and density along each axis, in texels.
        volume_size: IVec3,
        /// The part of the last step, from 0 to 1, by which boids are drawn behind their places.
        behind: f32,
        /// The start of the line of sight in the middle of the screen, in cells.
        eye: Vec3,
        /// The number of layers (species) with points.
        layers: u32,
        /// The lowest corner of a box around all boids, in cells. `most` is the highest corner.
        least: Vec3,
        fourth_padding: f32,
        most: Vec3,
        last_padding: f32,
    }
}

/// The shape of a volume of light and density around a swarm.
#[derive(Debug, Clone, Copy, Default)]
pub struct VolumeShape {
    /// The texels along each axis.
    pub size: [usize; 3],
    /// The lowest and the highest corner of a box around all boids, in cells.
    pub ends: [[f32; 3]; 2],
}

impl PointView {
    /// The uniform for a projection and a look. `boids` and `falcons`: the numbers of points. `boids_each`: the number
    /// of boids for which a point stands. `layers`: the number of layers (species) with points.
    pub fn new(
        projection: &Projection,
        look: &Look,
        [boids, falcons]: [u32; 2],
        [boids_each, layers]: [u32; 2],
        volume: &VolumeShape,
    ) -> Self {
        let sky = Sky::new(projection);
        let [right, up, ahead] = projection.axes.map(Vec3::from);
        let [sky_right, sky_up, sky_ahead] = sky.axes.map(Vec3::from);
        Self {
            place: projection.target.into(),
            scale: projection.scale,
            right,
            nearness: projection.nearness,
            up,
            size: stroke_size(projection, look),
            ahead,
            each: (boids_each as f32).min(MAX_STROKE_BOIDS),
            sky_right,
            light: stroke_light(look),
            sky_up,
            focus: sky.focus,
            sky_ahead,
            falcons,
            sun: sky.sun.into(),
            boids,
            layers,
            volume_size: IVec3::from(volume.size.map(|extent| extent as i32)),
            eye: projection.ray(projection.size.map(|pixels| 0.5 * pixels as f32))[0].into(),
            behind: projection.behind,
            least: volume.ends[0].into(),
            most: volume.ends[1].into(),
            ..bytemuck::Zeroable::zeroed()
        }
    }
}

impl ViewTransform {
    /// The projection of the world onto a picture of this size (pixels), with which points are drawn.
    pub fn projection(&self, size: UVec2) -> Projection {
        match self {
            Self::Above(camera) => Projection::above(size.to_array(), camera.centre.to_array(), camera.pixels_per_cell),
            Self::Around(orbit) => orbit.projection(size),
        }
    }
}
