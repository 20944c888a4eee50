//! The look: a swarm as a glowing cloud from afar and as single boids from near, drawn on a GPU.
//!
//! Brightness shows density, hue shows heading, and only a crowd is white. The chain of passes is `passes/glow.toml`, its
//! kernels are in `shaders/look/`. [`crate::picture::glow`] draws the same picture on the CPU, with the same formulas and
//! constants. Nothing here changes a simulation.

mod camera;
mod crowd;
mod crowd_light;
mod disc_count;
mod frame_input;
mod orbit;
mod passes;
mod pictures;
mod plane;
mod plane_passes;
mod point_view;
mod renderer;
pub mod shader;
mod shapes;
mod source;
mod strokes;
mod surroundings;
mod upscale;
mod view;
mod view_transform;
mod volume;

pub use camera::{Camera, Pane};
pub use crowd::CrowdFinder;
pub use orbit::Orbit;
pub use pictures::{Part, PictureRenderer, download, request_picture};
pub use renderer::SwarmRenderer;
pub use source::{IndividualsSource, SwarmSource, copy_of, keep_points, on_device, points_of, swarm_of};
pub use upscale::Upscaler;
pub use view::NEAR;
pub use view_transform::ViewTransform;
