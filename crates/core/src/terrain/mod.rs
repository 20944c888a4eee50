//! Rock in deep worlds: noise, shapes, their scalar field, its surface, and the distances of places from rock.

pub mod avoidance;
pub(crate) mod check;
mod field;
mod gap_field;
mod gaps;
pub(crate) mod habitat;
pub(crate) mod keys;
pub mod mesh;
mod noise;
pub(crate) mod plan;
pub mod rays;
mod shapes;
mod shifted_field;
pub(crate) mod water;

pub use field::{Base, MAX_OCTAVES, NoiseTerrain, PARTS_OF_FLOOR, Terrain, Tunnels};
pub use gap_field::{GapField, nearest_free};
pub use gaps::{MAX_GAP, gaps};
pub use habitat::Habitat;
pub use noise::{MAX_FREQUENCY, Noise, NoiseCache, NoiseRows};
pub use shapes::{Form, PARTS_OF_SHAPES, Shape};
