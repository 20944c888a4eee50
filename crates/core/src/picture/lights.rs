//! The picture of a swarm at night, on the CPU, with halos around bright places. Every boid is a short stroke of light
//! along its flight. Its colour shows its heading, speed, density or species.

use super::Picture;
use super::bloom::{self, BLOCK};
use super::colour::{Radiance, exposures_per_boid, light_of};
use super::glow::{Scene, Solids};
use super::layers::Layers;
use super::sky::Sky;
use super::volume::Volume;
use crate::falcons::Falcon;
use crate::look::projection::{Place, Projection};
use crate::look::{Colouring, Look};
use crate::parallel::*;
use crate::points::Points;
use crate::points::falcons::{FALCON_COLOUR, falcon_shapes, flight_limits, wakes};
use crate::points::strokes::strokes;
use crate::state::State;
use crate::world::{Edges, World};

/// The light in the middle of a stroke, as a multiple of the light of a cell with one boid.
const STROKE_LIGHT: f32 = 2.4;
/// The max light in the middle of a stroke.
const MAX_STROKE_LIGHT: f32 = 1.2;
/// The integer for light 1.0 in sums.
pub const LIGHT: f32 = 4096.0;

/// The number of rows of the picture that a thread draws at a time: a multiple of the side of a sample of the smallest
/// halo.
const BAND: usize = 10 * BLOCK;

/// The light in the middle of a stroke.
pub fn stroke_light(look: &Look) -> f32 {
    (STROKE_LIGHT * light_of(exposures_per_boid(look))).min(MAX_STROKE_LIGHT)
}

/// The picture of the points of a swarm, seen through a camera. `is_whole`: the picture shows a whole flat world from
/// above, so it has solids, and halos wrap round the edges of a torus.
pub fn lights(
    state: &State,
    points: &Points,
    projection: &Projection,
    world: &World,
    look: &Look,
    is_whole: bool,
) -> Picture {
    let radiance = Radiance::new(look);
    let volume = Volume::new(state, look.exposure);
    let light = stroke_light(look);
    let tone = |place, [x, y, _]: Place, species| {
        let colour = match species {
            Some(species) if look.colour == Colouring::Species => radiance.of_species(species),
            _ => radiance.of_boid(volume.at(place)[1], [x, y]),
        };
        colour.map(|channel| channel * light)
    };
    let mut strokes = strokes(points, projection, look, tone);
    let falcon_tone = |_, glare| FALCON_COLOUR.map(|part| part * light * glare);
    strokes.push(wakes(Falcon::all_of(&state.columns), projection, look, falcon_tone));
    let limits = flight_limits(world);
    let sun = Sky::new(projection).sun;
    let falcons = falcon_shapes(Falcon::all_of(&state.columns), &limits, projection, look, sun, falcon_tone);
    let [width, height] = projection.size.map(|pixels| pixels as usize);
    let mut light = Layers::zero(width, height);
    light.values.par_chunks_mut(3 * width * BAND).enumerate().for_each(|(band, light)| {
        let (first, mut sums) = (band * BAND, vec![[0u32; 3]; light.len() / 3]);
        for (stroke, colour) in strokes.iter().flatten() {
            let colour = colour.map(|channel| channel * LIGHT);
            stroke.draw(width, first, sums.len() / width, |pixel, amount| {
                let sum = colour.map(|channel| (channel * amount + 0.5) as i32 as u32);
                sums[pixel] = std::array::from_fn(|channel| sums[pixel][channel].wrapping_add(sum[channel]));
            });
        }
        for (falcon, colour) in &falcons {
            falcon.draw(width, first, sums.len() / width, |pixel, amount, shade| {
                let sum = colour.map(|channel| (channel * LIGHT * (shade * amount) + 0.5) as i32 as u32);
                sums[pixel] = std::array::from_fn(|channel| sums[pixel][channel].wrapping_add(sum[channel]));
            });
        }
        for (row, sums) in light.chunks_exact_mut(3 * width).zip(sums.chunks_exact(width)) {
            for (channel, layer) in row.chunks_exact_mut(width).enumerate() {
                layer.iter_mut().zip(sums).for_each(|(light, sum)| *light = sum[channel] as f32 * (1.0 / LIGHT));
            }
        }
    });
    let flat = is_whole.then_some(world);
    let edges = flat.map_or(Edges::Walls, |world| world.edges);
    let halo = bloom::halo(bloom::coarse(&light), edges);
    Scene::new(&halo, flat.and_then(Solids::from_world).as_ref(), edges, look).picture(light)
}
