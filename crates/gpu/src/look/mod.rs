//! The look: a swarm as a glowing cloud from afar and as points of light from near, drawn on a GPU.
//!
//! Brightness shows density, hue shows heading, and only a crowd is white. The chain of passes is `passes/glow.toml`, its
//! kernels are in `shaders/look/`. [`crate::picture::glow`] draws the same picture on the CPU, with the same formulas and
//! constants. Nothing here changes a simulation.

mod bodies;
mod buffers;
mod camera;
mod eye;
mod input;
mod orbit;
mod passes;
mod pictures;
mod points;
mod renderer;
pub mod shader;
mod shapes;
mod transform;
mod upscale;
mod view;

pub use camera::Camera;
pub use orbit::Orbit;
pub use pictures::{Part, PictureRenderer, download, picture};
pub use renderer::SwarmRenderer;
pub use transform::{Pane, ViewTransform};
pub use upscale::Upscaler;

use crate::chain::Chain;
use crate::error::BadInput;
use crate::library::Library;

/// The chain that is played where no other is given, `passes/glow.toml`.
///
/// # Errors
/// Where the library lacks it, or anything in it is wrong; a test checks that there is nothing.
pub fn default_chain(library: &Library) -> Result<Chain, BadInput> {
    Chain::load(library, "glow")
}
