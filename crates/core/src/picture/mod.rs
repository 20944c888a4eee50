//! The picture of a swarm as light, on the CPU. It only reads the state, so it may use floats.

mod bloom;
mod colour;
mod glow;
mod layers;

pub use colour::{PALETTE, decode, encode, encoded, exposures_per_boid, heading_colour, light_of, palette};
pub use glow::{FULL_BLOOM, Frame, NIGHT, dither, frame, glow};
pub use layers::{Layers, Upsampler};

/// A picture: 8 bits for each of red, green and blue (sRGB), row by row from the top.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Picture {
    pub width: u32,
    pub height: u32,
    /// 3 × width × height bytes.
    pub bytes: Vec<u8>,
}

/// A constant as WGSL writes it.
trait InWgsl {
    fn in_wgsl(self) -> String;
}

impl InWgsl for f32 {
    fn in_wgsl(self) -> String {
        format!("f32({self:?})")
    }
}

impl InWgsl for [f32; 3] {
    fn in_wgsl(self) -> String {
        let [red, green, blue] = self;
        format!("vec3<f32>({red:?}, {green:?}, {blue:?})")
    }
}

/// The constants of the picture for the kernels of `shaders/look/`, under the same names as in Rust.
pub fn constants_wgsl() -> String {
    use {bloom::AIR, colour::*, glow::*};
    macro_rules! constants {
        ($($name:ident)*) => {
            [$(format!("const {} = {};\n", stringify!($name), $name.in_wgsl())),*].concat()
        };
    }
    const BOID: f32 = crate::numbers::BOID as f32;
    const ONE: f32 = crate::numbers::ONE as f32;
    constants!(
        BOID ONE HALF GLARE CHROMA VIVID PALE_SPEED CROWD AIR NIGHT SLATE RIM SLATE_THROWS RIM_THROWS RIM_BREADTH
    )
}

/// The weight of the halo with a texel for each `block` × `block` pixels; `None`: there is no such halo.
pub fn halo_part(block: u32) -> Option<f32> {
    let sizes = (0..bloom::HALOS.len()).map(|size| (bloom::BLOCK as u32) << size);
    sizes.zip(bloom::HALOS).find(|(size, _)| *size == block).map(|(_, part)| part)
}
