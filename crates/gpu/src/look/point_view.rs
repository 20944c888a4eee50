//! The points of a swarm as a GPU draws them, and their projection onto the screen.

use crate::look::ViewTransform;
use crate::shader::structure;
use glam::{IVec3, UVec2, Vec3};
use murmuration_core::look::{Look, Projection};
use murmuration_core::picture::{MAX_STROKE_BOIDS, Sky, stroke_light, stroke_size};

structure! {
    /// A camera of points: the numbers of a [`Projection`], of the sky behind the points, and of the volume.
    PointView, POINT_VIEW_WGSL {
        /// The place in the middle of the screen, in cells.
        place: Vec3,
        /// Pixels along the side of a cell at that place.
        scale: f32,
        right: Vec3,
        /// 1 / the distance of the eye from that place, in cells. 0: all lines of sight are parallel.
        nearness: f32,
        up: Vec3,
        /// The size of strokes, as a multiple of the default size.
        size: f32,
        ahead: Vec3,
        /// The number of boids for which a point stands.
        each: f32,
        sky_right: Vec3,
        /// The light in the middle of a stroke.
        light: f32,
        sky_up: Vec3,
        /// The focal length of the sky in pixels.
        focus: f32,
        sky_ahead: Vec3,
        /// The number of points of falcons and their wakes.
        falcons: u32,
        /// The direction to the sun.
        sun: Vec3,
        /// The number of points of boids.
        boids: u32,
        /// The size of the volume, in texels.
        volume_size: IVec3,
        /// The part of the last step by which boids are drawn behind their places.
        behind: f32,
        /// The start of the lines of sight, in cells.
        eye: Vec3,
        /// The number of layers with points.
        layers: u32,
        /// The ends of a box around all boids, in cells.
        least: Vec3,
        fourth_padding: f32,
        most: Vec3,
        last_padding: f32,
    }
}

/// The size and the ends of a volume.
#[derive(Debug, Clone, Copy, Default)]
pub struct VolumeShape {
    /// In texels.
    pub size: [usize; 3],
    /// The ends of a box around all boids, in cells.
    pub ends: [[f32; 3]; 2],
}

impl PointView {
    /// The view of points through a camera. `boids` and `falcons`: the numbers of points. `boids_each`: the number of
    /// boids for which a point stands. `layers`: the number of layers with points.
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
    /// The camera of points in a picture of this size (pixels).
    pub fn projection(&self, size: UVec2) -> Projection {
        match self {
            Self::Above(camera) => Projection::above(size.to_array(), camera.centre.to_array(), camera.pixels_per_cell),
            Self::Around(orbit) => orbit.projection(size),
        }
    }
}
