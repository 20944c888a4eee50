//! The picture of a swarm at dusk, on the CPU. Behind the swarm is a sky with a gradient. Every boid is a dark stroke
//! along its flight, lit by a low sun.
//!
//! A stroke has an amount in each pixel: 1 in the middle of a boid that is drawn at its true breadth. The order of
//! strokes does not matter. With a the sum of the amounts in a pixel, and l the sum of amount · sunlight:
//!   t = exp(-OPACITY · a),   picture = t · sky + (1 - t) · (SHADE + WARMTH · l / a)
//! The sums are integers. So neither the order of the points nor the number of threads changes a byte.

use super::layers::split_mut;
use super::sky::Sky;
use super::volume::Volume;
use super::{Picture, dither};
use crate::falcons::Falcon;
use crate::look::Look;
use crate::look::projection::Projection;
use crate::parallel::*;
use crate::points::Points;
use crate::points::falcons::{FALCON_LIGHT, falcon_shapes, flight_limits, wakes};
use crate::points::strokes::strokes;
use crate::state::State;
use crate::world::World;

/// The opacity of the amount 1, in the exponent of t.
pub const OPACITY: f32 = 0.85;
/// The colour of a boid without sunlight, in red, green and blue.
pub const SHADE: [f32; 3] = [0.035, 0.035, 0.055];
/// The colour that full sunlight adds, in red, green and blue.
pub const WARMTH: [f32; 3] = [0.74, 0.41, 0.20];
/// The integer for the amount 1 in sums.
pub const AMOUNT: f32 = 16384.0;

/// The number of rows of the picture that a thread draws at a time.
const BAND: usize = 40;

/// The picture of the points of a swarm, seen through a camera. `state`: the swarm, which dims the sunlight.
pub fn dusk(state: &State, points: &Points, projection: &Projection, world: &World, look: &Look) -> Picture {
    let sky = Sky::new(projection);
    let volume = Volume::new(state, look.exposure);
    let light = |place| {
        let [light, _] = volume.at(place);
        light * light
    };
    let mut strokes = strokes(points, projection, look, |place, _, _| light(place));
    let falcon_light = |place, _| FALCON_LIGHT * light(place);
    strokes.push(wakes(Falcon::all_of(&state.columns), projection, look, falcon_light));
    let falcons =
        falcon_shapes(Falcon::all_of(&state.columns), &flight_limits(world), projection, look, sky.sun, falcon_light);
    let [width, height] = projection.size.map(|pixels| pixels as usize);
    let mut bytes = vec![0; 3 * width * height];
    bytes.par_chunks_mut(3 * width * BAND).enumerate().for_each(|(band, bytes)| {
        let (first, mut sums) = (band * BAND, vec![0u64; bytes.len() / 3]);
        for (stroke, light) in strokes.iter().flatten() {
            stroke.draw(width, first, sums.len() / width, |pixel, amount| {
                let sum = [amount * AMOUNT, amount * AMOUNT * light].map(|part| (part + 0.5) as i32 as u64);
                sums[pixel] = sums[pixel].wrapping_add(sum[1] << 32 | sum[0]);
            });
        }
        for (falcon, light) in &falcons {
            falcon.draw(width, first, sums.len() / width, |pixel, amount, shade| {
                let sum = [amount * AMOUNT, amount * AMOUNT * (shade * light)].map(|part| (part + 0.5) as i32 as u64);
                sums[pixel] = sums[pixel].wrapping_add(sum[1] << 32 | sum[0]);
            });
        }
        let (mut colours, mut levels, mut dithers) = (vec![0.0; 3 * width], vec![0; 3 * width], vec![0.0; width]);
        for (row, (bytes, sums)) in bytes.chunks_exact_mut(3 * width).zip(sums.chunks_exact(width)).enumerate() {
            let y = first + row;
            sky.row(0.5 - 0.5 * width as f32, y as f32 + 0.5 - 0.5 * height as f32, split_mut(&mut colours));
            cover(split_mut(&mut colours), sums);
            dithers.iter_mut().zip(0..).for_each(|(value, x)| *value = dither(x, y as u32));
            for (levels, colours) in levels.chunks_exact_mut(width).zip(colours.chunks_exact(width)) {
                for ((level, part), dither) in levels.iter_mut().zip(colours).zip(&dithers) {
                    *level = (255.0 * part + dither) as i32 as u8;
                }
            }
            let (red, rest) = levels.split_at(width);
            let (green, blue) = rest.split_at(width);
            for (((pixel, red), green), blue) in bytes.as_chunks_mut::<3>().0.iter_mut().zip(red).zip(green).zip(blue) {
                *pixel = [*red, *green, *blue];
            }
        }
    });
    Picture { width: width as u32, height: height as u32, bytes }
}

/// Draws strokes over a row of sky. `sums`: for each pixel the sum of amounts in the lower half, and of amount ·
/// sunlight in the upper half, both with the unit [`AMOUNT`].
fn cover([red, green, blue]: [&mut [f32]; 3], sums: &[u64]) {
    for (((sum, red), green), blue) in sums.iter().zip(red).zip(green).zip(blue) {
        if *sum != 0 {
            let (amount, lit) = (*sum as u32 as f32, (sum >> 32) as f32);
            let through = (-OPACITY / AMOUNT * amount).exp();
            let light = lit / amount.max(1.0);
            for (channel, colour) in [red, green, blue].into_iter().enumerate() {
                let bird = SHADE[channel] + WARMTH[channel] * light;
                *colour = bird + (*colour - bird) * through;
            }
        }
    }
}
