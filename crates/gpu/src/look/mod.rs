//! The look: a swarm as a glowing cloud from afar and as single boids from near, drawn on a GPU.
//!
//! Brightness shows density, hue shows heading, and only a crowd is white. The chain of passes is `passes/glow.toml`,
//! and its kernels are in `shaders/look/`. [`murmuration_core::picture::glow`] draws the same picture on the CPU, with
//! the same formulas and constants. The look does not change a simulation.

pub(crate) mod camera;
mod crowd;
pub(crate) mod crowd_light;
mod frame_input;
pub(crate) mod orbit;
mod pass_times;
mod passes;
mod pictures;
mod plane;
mod plane_passes;
pub(crate) mod point_view;
pub(crate) mod points;
mod renderer;
pub mod shader;
mod shapes;
pub(crate) mod source;
mod surroundings;
pub(crate) mod upscale;
pub(crate) mod view;
pub(crate) mod view_transform;
pub(crate) mod volume;

pub use camera::{Camera, Pane};
pub use crowd::CrowdFinder;
pub use orbit::Orbit;
pub use pictures::{Part, PictureRenderer, download, request_picture};
pub use renderer::SwarmRenderer;
pub use source::{
    IndividualsSource, SwarmSource, copy_of, keep_points, on_device, points_of, source_in_memory, swarm_of,
};
pub use upscale::Upscaler;
pub use view::NEAR;
pub use view_transform::ViewTransform;
