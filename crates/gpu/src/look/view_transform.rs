//! The view of a world in a picture: from above, or in perspective.

use super::{Camera, Orbit};
use glam::UVec2;
use murmuration_core::preset::Preset;

/// The view of a world in a picture, which maps places of the world to pixels.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum ViewTransform {
    /// Straight from above. The depth of a deep world is projected onto one plane.
    Above(Camera),
    /// In perspective, from an eye that turns around a place of a deep world.
    Around(Orbit),
}

impl ViewTransform {
    /// The first view of a preset's world in a picture of this size (pixels). A flat world is seen whole, a deep world
    /// from the eye of its look. A look that shows the values of a plane of cells shows the plane from above.
    pub fn of_preset(preset: &Preset, size: UVec2) -> Self {
        let Preset { world, look, .. } = preset;
        match preset.size().depth {
            Some(depth) if !look.shows_values() => Orbit::from_look(world, depth, look, size).into(),
            _ => Camera::fit(world.extents, world.edges, size).into(),
        }
    }

    /// The camera that looks straight down, with the scale of the view in a picture of this size (pixels). For an orbit
    /// this is the scale at its target.
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
