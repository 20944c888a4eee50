//! The picture of a deep swarm as a cloud in the light of a low sun, on the CPU. For each pixel, light and density are
//! summed along a ray through the swarm.
//!
//! A ray is sampled at places that are s cells apart. e is the density at a place, as a multiple of `look.exposure`. l
//! is the sunlight that arrives there (0 to 1). The sum is over the places, from the eye on:
//!   passes = exp(-THICKNESS · e · s),
//!   picture = Σ before · (1 - passes) · (DUSKY + ALIGHT · l) + all · sky
//!
//! `before` is the product of `passes` over the places nearer to the eye, and `all` the product over all places.

use super::layers::split_mut;
use super::sky::Sky;
use super::volume::Volume;
use super::{Picture, dither};
use crate::look::Look;
use crate::look::projection::{Place, Projection};
use crate::numbers::each_axis;
use crate::parallel::*;
use crate::state::State;

/// The opacity of a cloud with the density `look.exposure`, for each cell of the way, in the exponent of `passes`.
pub const THICKNESS: f32 = 0.34;
/// The colour of the cloud without sunlight, in red, green and blue.
pub const DUSKY: [f32; 3] = [0.10, 0.105, 0.165];
/// The colour that full sunlight adds, in red, green and blue.
pub const ALIGHT: [f32; 3] = [0.86, 0.56, 0.36];
/// The distance between two places on a ray, in cells (s in the formula).
pub const STRIDE: f32 = 0.9;
/// A ray ends if the cloud before it passes less than this part of the light.
pub const DENSE: f32 = 0.01;

/// The picture of a deep state, seen through a camera.
pub fn cloud(state: &State, projection: &Projection, look: &Look) -> Picture {
    let sky = Sky::new(projection);
    let volume = Volume::new(state, look.exposure);
    let [width, height] = projection.size.map(|pixels| pixels as usize);
    let mut bytes = vec![0; 3 * width * height];
    bytes.par_chunks_mut(3 * width).enumerate().for_each_init(
        || vec![0.0; 3 * width],
        |colours, (y, bytes)| {
            sky.row(0.5 - 0.5 * width as f32, y as f32 + 0.5 - 0.5 * height as f32, split_mut(colours));
            for (x, pixel) in bytes.as_chunks_mut::<3>().0.iter_mut().enumerate() {
                let dither = dither(x as u32, y as u32);
                let (colour, passed) = march(&volume, projection, [x as f32 + 0.5, y as f32 + 0.5], dither);
                for channel in 0..3 {
                    let shown = colour[channel] + passed * colours[channel * width + x];
                    pixel[channel] = (255.0 * shown.min(1.0) + dither) as i32 as u8;
                }
            }
        },
    );
    Picture { width: width as u32, height: height as u32, bytes }
}

/// Sums a ray for one pixel. Returns the colour of the cloud, and the part of the sky's light that passes. `jitter`:
/// shifts the places along the ray by 0 to 1 of their distance, so that the picture shows no bands.
fn march(volume: &Volume, projection: &Projection, pixel: [f32; 2], jitter: f32) -> ([f32; 3], f32) {
    let [eye, ray] = projection.ray(pixel);
    let [from, to] = within(eye, ray, volume.ends);
    let (mut colour, mut passed) = ([0.0; 3], 1.0);
    let mut at = from + STRIDE * jitter;
    while at < to && passed > DENSE {
        let [light, exposures] = volume.at(each_axis(|axis| eye[axis] + at * ray[axis]));
        if exposures > 0.0 {
            let passes = (-THICKNESS * STRIDE * exposures).exp();
            let share = passed * (1.0 - passes);
            for (channel, colour) in colour.iter_mut().enumerate() {
                *colour += share * (DUSKY[channel] + ALIGHT[channel] * light);
            }
            passed *= passes;
        }
        at += STRIDE;
    }
    (colour, passed)
}

/// The distances from the eye, in cells, at which a ray enters and leaves a box. `ray`: the direction as a unit vector.
/// `least`, `most`: two corners of the box. If the ray misses the box, the first distance is greater.
fn within(eye: Place, ray: Place, [least, most]: [Place; 2]) -> [f32; 2] {
    let mut range = [0.0f32, f32::MAX];
    for axis in 0..3 {
        let inverse = 1.0 / if ray[axis].abs() < 1e-6 { 1e-6 } else { ray[axis] };
        let (near, far) = ((least[axis] - eye[axis]) * inverse, (most[axis] - eye[axis]) * inverse);
        range = [range[0].max(near.min(far)), range[1].min(near.max(far))];
    }
    range
}
