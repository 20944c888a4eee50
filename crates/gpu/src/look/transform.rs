//! From the world to the pixels of a picture.

use super::{Camera, Orbit};
use glam::UVec2;

/// How the world is mapped to a picture.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum ViewTransform {
    /// From above: the depth of the world is projected onto one plane.
    Above(Camera),
    /// In perspective, from around a deep world of individuals.
    Around(Orbit),
}

impl ViewTransform {
    /// The camera that looks straight down at the same scale. Around a deep world, it is the scale in the middle of the
    /// picture.
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

/// A rectangle of a target, in pixels.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Pane {
    /// The upper left corner.
    pub origin: UVec2,
    pub size: UVec2,
}

impl From<UVec2> for Pane {
    /// All of a target of this size.
    fn from(size: UVec2) -> Self {
        Self { origin: UVec2::ZERO, size }
    }
}
