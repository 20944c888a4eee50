//! The view of a world in a picture: from above, or from around it.

use super::{Camera, Orbit};
use glam::UVec2;
use murmuration_core::preset::Preset;

/// The mapping of the world to a picture.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum ViewTransform {
    /// From above: the depth of the world is projected onto one plane.
    Above(Camera),
    /// In perspective, from around a deep world of individuals.
    Around(Orbit),
}

impl ViewTransform {
    /// The view of the whole of a flat world, or of a deep world from the eye of its look, in a picture of this size in
    /// pixels. Individuals of a deep world have a flat lattice, so the depth comes from [`Preset::size`].
    pub fn of_preset(preset: &Preset, size: UVec2) -> Self {
        let Preset { world, look, .. } = preset;
        match preset.size().depth {
            Some(depth) if !look.shows_values() => Orbit::from_look(world, depth, look, size).into(),
            _ => Camera::fit(world.extents, world.edges, size).into(),
        }
    }

    /// The camera that looks straight down at the same scale. Around a deep world, this is the scale in the middle of
    /// the picture.
    pub fn overhead(&self, size: UVec2) -> Camera {
        match self {
            Self::Above(camera) => *camera,
            Self::Around(orbit) => orbit.overhead(size),
        }
    }
}

impl From<Camera> for ViewTransform {
    fn from(camera: Camera) -> Self {
        Self::Above(camera)
    }
}

impl From<Orbit> for ViewTransform {
    fn from(orbit: Orbit) -> Self {
        Self::Around(orbit)
    }
}
