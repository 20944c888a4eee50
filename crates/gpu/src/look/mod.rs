//! The look: a swarm as a glowing cloud from afar and as points of light from near, drawn on a GPU.
//!
//! Brightness shows density, hue shows heading, and only a crowd is white. The chain of passes is `passes/glow.toml`, its
//! kernels are in `shaders/look/`. [`crate::picture::glow`] draws the same picture on the CPU, with the same formulas and
//! constants. Nothing here changes a simulation.

/// Declares a structure for Rust and, as the text `$wgsl`, for WGSL, where [`shader`] gives the types the same names.
macro_rules! structure {
    ($(#[$about:meta])* $Name:ident, $wgsl:ident { $($(#[$doc:meta])* $field:ident: $kind:ident,)* }) => {
        $(#[$about])*
        #[repr(C)]
        #[derive(Debug, Clone, Copy, PartialEq, bytemuck::Pod, bytemuck::Zeroable)]
        pub struct $Name {
            $($(#[$doc])* pub $field: $kind,)*
        }

        /// The same structure in WGSL.
        pub const $wgsl: &str = concat!(
            "struct ", stringify!($Name), " {\n",
            $("    ", stringify!($field), ": ", stringify!($kind), ",\n",)*
            "}\n"
        );
    };
}

mod bodies;
mod camera;
mod near_cells;
mod orbit;
mod passes;
mod pictures;
mod point_view;
mod points;
mod renderer;
pub mod shader;
mod shapes;
mod source;
mod strokes;
mod upscale;
mod view;

pub use camera::{Camera, Pane, ViewTransform};
pub use orbit::Orbit;
pub use pictures::{Part, PictureRenderer, download};
pub use renderer::SwarmRenderer;
pub use source::{SwarmSource, on_device};
pub use upscale::Upscaler;
