//! The picture of a flat swarm as light, on the CPU. Brightness shows density, hue shows heading, and crowds are white.

use super::Picture;
use super::bloom::{self, BLOCK};
use super::colour::{Encoding, Radiance};
use super::darts::{DartForm, add_darts};
use super::layers::{Layers, Upsampler, split, split_mut};
use crate::look::Look;
use crate::look::projection::Projection;
use crate::numbers::{BOID, ONE};
use crate::parallel::*;
use crate::state::{Individuals, State};
use crate::world::{Edges, Extents, World};

/// The min number of pixels along the longer side of a picture, unless cells would be larger than [`MAX_CELL`].
const MIN_SIDE: usize = 768;
/// The max number of pixels along the longer side of a picture.
const MAX_SIDE: usize = 2048;
/// The max number of pixels along the side of a cell.
const MAX_CELL: usize = 8;
/// The width and height of the picture of a deep world, in pixels.
const DEEP_SIZE: [u32; 2] = [1280, 800];
/// The factor of the halo if `look.bloom` is 1.
pub const FULL_BLOOM: f32 = 1.1;
/// The bytes of a pixel without light: an almost black blue.
pub const NIGHT: [f32; 3] = [4.0, 6.0, 13.0];
/// The colour of the inside of a solid: dark slate, in linear red, green and blue.
pub const SLATE: [f32; 3] = [0.006, 0.0085, 0.013];
/// The colour of the rim of a solid, in linear red, green and blue.
pub const RIM: [f32; 3] = [0.030, 0.041, 0.058];
/// The part of the halo that the inside of a solid reflects.
pub const SLATE_THROWS: f32 = 0.1;
/// The part of the halo that the rim of a solid reflects.
pub const RIM_THROWS: f32 = 0.9;
/// The breadth of the rim of a solid, in pixels.
pub const RIM_BREADTH: f32 = 1.4;

/// The picture of a flat state.
///
/// A cell has ceil(768 / longer extent) pixels along each side, at most 8. If a lattice is longer than 2048 cells, a
/// pixel shows the mean of a square of cells. The exposure comes from the look and not from the state, so that films do
/// not flicker. The bytes do not depend on the number of threads.
pub fn glow(state: &State, world: &World, look: &Look) -> Picture {
    glow_with(state, None, world, look)
}

/// The picture of individuals from above. If a cell has enough pixels, each individual is a dart, over the light of the
/// swarm's density. `seen`: the swarm as a lattice.
pub fn glow_of_individuals(individuals: &Individuals, seen: &State, world: &World, look: &Look) -> Picture {
    glow_with(seen, Some(individuals), world, look)
}

fn glow_with(state: &State, individuals: Option<&Individuals>, world: &World, look: &Look) -> Picture {
    let reduction = Frame::new(state.extents).reduction;
    let blocks = Layers::of_cells(state.extents, reduction, |index| density_and_momentum(state, index));
    glow_of_layers(blocks, individuals.map(|individuals| (individuals, state)), world, look)
}

/// The picture of a flat world. `blocks`: density and momentum of each block of cells, in the units of
/// [`density_and_momentum`].
pub fn glow_of_blocks(blocks: Layers<3>, world: &World, look: &Look) -> Picture {
    glow_of_layers(blocks, None, world, look)
}

fn glow_of_layers(
    blocks: Layers<3>,
    individuals: Option<(&Individuals, &State)>,
    world: &World,
    look: &Look,
) -> Picture {
    let Frame { reduction, pixels, size } = Frame::new(world.extents);
    // A filter removes stripes with a wavelength of two cells. The lattice causes such stripes in a dense crowd.
    let swarm = blocks.softened(world.edges);
    let (mut light, mut coarse) = shine(&Upsampler::new(&swarm, pixels, world.edges), size, &Radiance::new(look));
    if let Some(individuals) = individuals {
        let scale = pixels as f32 / reduction as f32;
        let form = DartForm::new(scale, 1, look);
        light.values.par_chunks_mut(1 << 14).for_each(|part| part.iter_mut().for_each(|light| *light *= form.cloud));
        add_darts(&mut light, individuals, (scale, &form), world.edges, look);
        coarse = bloom::coarse(&light);
    }
    let halo = bloom::halo(coarse, world.edges);
    Scene::new(&halo, Solids::from_world(world).as_ref(), world.edges, look).picture(light)
}

/// The size of the picture of a lattice, and the size of the cells in the picture.
pub struct Frame {
    /// A square with this side in cells (a block) is shown as one cell.
    pub reduction: usize,
    /// The side of a block, in pixels.
    pub pixels: usize,
    /// The width and height of the picture, in pixels.
    pub size: [usize; 2],
}

impl Frame {
    /// The layout of the picture of a lattice with these extents.
    pub fn new(extents: Extents) -> Self {
        let extents = [extents.width as usize, extents.height as usize];
        let longer = extents[0].max(extents[1]);
        let reduction = longer.div_ceil(MAX_SIDE);
        let pixels = MIN_SIDE.div_ceil(longer).clamp(1, MAX_CELL);
        Self { reduction, pixels, size: extents.map(|extent| extent.div_ceil(reduction) * pixels) }
    }
}

/// The width and height of the picture of a lattice in pixels, and the side of a cell in pixels. A deep world is seen
/// in perspective, so the side is valid in the middle of the picture.
pub fn frame(extents: Extents) -> ([u32; 2], f32) {
    if extents.depth.is_some() {
        return (DEEP_SIZE, Projection::first(extents, DEEP_SIZE).scale);
    }
    let Frame { reduction, pixels, size } = Frame::new(extents);
    (size.map(|pixels| pixels as u32), pixels as f32 / reduction as f32)
}

/// Density (boids per cell) and momentum (boids × cells a step, per cell, along x and y) of a cell.
#[inline(always)]
pub fn density_and_momentum(state: &State, index: usize) -> [f32; 3] {
    let density = state.layers[0].density[index] as f32 * (1.0 / BOID as f32);
    let [x, y] = state.layers[0].control_of(index).map(|axis| axis as f32 * (1.0 / ONE as f32) * density);
    [density, x, y]
}

/// The solids of a flat world, for a picture of the whole world.
pub struct Solids {
    /// The part of each block of cells that is solid, 0 to 1.
    parts: Layers<1>,
    /// The side of a block, in pixels.
    pixels: usize,
}

impl Solids {
    /// The solids of a world; `None`: the world has no solids.
    pub fn from_world(world: &World) -> Option<Self> {
        let Frame { reduction, pixels, .. } = Frame::new(world.extents);
        let part = |index: usize| [f32::from(u8::from(world.solids[index]))];
        (!world.solids.is_empty()).then(|| Self { parts: Layers::of_cells(world.extents, reduction, part), pixels })
    }
}

/// The light of each pixel, and its mean over each block of `BLOCK` × `BLOCK` pixels, both in linear red, green and
/// blue. `swarm`: density and momentum, enlarged to the size of the picture.
fn shine(swarm: &Upsampler<3>, [width, height]: [usize; 2], radiance: &Radiance) -> (Layers<3>, Layers<3>) {
    let mut light = Layers::zero(width, height);
    let mut coarse = Layers::zero(width.div_ceil(BLOCK), height.div_ceil(BLOCK));
    let across = coarse.width;
    let strips = light.values.par_chunks_mut(BLOCK * 3 * width).zip(coarse.values.par_chunks_mut(3 * across));
    strips.enumerate().for_each_init(Vec::new, |blended, (strip, (rows, means))| {
        let height = rows.len() / (3 * width);
        for (below, row) in rows.chunks_exact_mut(3 * width).enumerate() {
            swarm.row(strip * BLOCK + below, blended, row);
            radiance.shine(split_mut(row));
            for (means, layer) in means.chunks_exact_mut(across).zip(row.chunks_exact(width)) {
                for (mean, pixels) in means.iter_mut().zip(layer.chunks(BLOCK)) {
                    *mean += pixels.iter().sum::<f32>() * (1.0 / (height * pixels.len()) as f32);
                }
            }
        }
    });
    (light, coarse)
}

/// The halo and the solids of a picture, which are drawn over its light.
pub struct Scene<'a> {
    halo: Upsampler<'a, 3>,
    /// The factor of the halo: `look.bloom` times [`FULL_BLOOM`].
    bloom: f32,
    /// The part of each cell that is solid, 0 to 1, enlarged to the size of the picture.
    solids: Option<Upsampler<'a, 1>>,
    /// The increase of the solid part from a pixel to the next one, at the edge of a solid.
    slope: f32,
}

impl<'a> Scene<'a> {
    pub fn new(halo: &'a Layers<3>, solids: Option<&'a Solids>, edges: Edges, look: &Look) -> Self {
        Self {
            halo: Upsampler::new(halo, BLOCK, edges),
            bloom: look.bloom * FULL_BLOOM,
            solids: solids.map(|solids| Upsampler::new(&solids.parts, solids.pixels, edges)),
            // At a straight edge of a solid, the interpolated solid part increases by 3/4 per cell.
            slope: solids.map_or(1.0, |solids| 0.75 / solids.pixels as f32),
        }
    }

    pub fn picture(&self, mut light: Layers<3>) -> Picture {
        let (width, height) = (light.width, light.height);
        let encoding = Encoding::new();
        let mut bytes = vec![0; 3 * width * height];
        let rows = bytes.par_chunks_mut(3 * width).zip(light.values.par_chunks_mut(3 * width));
        rows.enumerate().for_each_init(
            || (Vec::new(), vec![0.0; 3 * width], vec![0.0; width]),
            |(blended, halo, solid), (y, (bytes, light))| {
                self.halo.row(y, blended, halo);
                halo_around(split_mut(light), split(halo), self.bloom);
                if let Some(solids) = &self.solids {
                    solids.row(y, blended, solid);
                    self.cover(split_mut(light), split(halo), solid);
                }
                encoding.find(light);
                let [red, green, blue] = split(light);
                for (x, pixel) in bytes.as_chunks_mut::<3>().0.iter_mut().enumerate() {
                    let dither = dither(x as u32, y as u32);
                    *pixel = [
                        encoding.byte(red[x], NIGHT[0], dither),
                        encoding.byte(green[x], NIGHT[1], dither),
                        encoding.byte(blue[x], NIGHT[2], dither),
                    ];
                }
            },
        );
        Picture { width: width as u32, height: height as u32, bytes }
    }

    /// Draws the solids over a row of light: dark inside, with a thin rim. `solid`: the solid part of each pixel.
    fn cover(&self, light: [&mut [f32]; 3], halo: [&[f32]; 3], solid: &[f32]) {
        for (channel, (light, halo)) in light.into_iter().zip(halo).enumerate() {
            for ((light, halo), solid) in light.iter_mut().zip(halo).zip(solid) {
                // The distance from the edge of the solid in pixels, positive inside. The edge is where the solid part
                // is 1/2.
                let inside = (solid - 0.5) / self.slope + 0.5;
                let covered = inside.clamp(0.0, 1.0);
                let core = (inside - RIM_BREADTH).clamp(0.0, 1.0);
                let halo = halo * self.bloom;
                let rim = RIM[channel] + RIM_THROWS * halo;
                let slate = SLATE[channel] + SLATE_THROWS * halo;
                *light += (rim + (slate - rim) * core - *light) * covered;
            }
        }
    }
}

/// Adds the halo to a row of light, and raises the local contrast. Light is multiplied by up to four if it is brighter
/// than the halo, as at edges, threads and single boids. Light as bright as its halo is unchanged. Fainter light, next
/// to a bright place, gets darker.
fn halo_around(light: [&mut [f32]; 3], halo: [&[f32]; 3], bloom: f32) {
    let ([red, green, blue], [halo_red, halo_green, halo_blue]) = (light, halo);
    let lights = red.iter_mut().zip(green).zip(blue);
    let halos = halo_red.iter().zip(halo_green).zip(halo_blue);
    for (((red, green), blue), ((halo_red, halo_green), halo_blue)) in lights.zip(halos) {
        let here = *red + *green + *blue;
        let around = halo_red + halo_green + halo_blue;
        // The last term avoids a division by zero if light and halo are 0.
        let above = 2.0 * here / (here + around + 1e-20);
        let lift = above * above;
        *red = *red * lift + halo_red * bloom;
        *green = *green * lift + halo_green * bloom;
        *blue = *blue * lift + halo_blue * bloom;
    }
}

/// A fixed dither pattern with values from 0 to 1 and no visible structure: the R2 sequence (Martin Roberts, 2018). A
/// value is the fractional part of a sum of multiples of powers of the plastic number. Small squares of pixels have
/// evenly spread values.
#[inline(always)]
pub fn dither(x: u32, y: u32) -> f32 {
    let word = x.wrapping_mul(0xc13f_a9a9).wrapping_add(y.wrapping_mul(0x91e1_0da5));
    // An f32 below 1 holds 24 bits exactly.
    (word >> 8) as i32 as f32 * (1.0 / (1 << 24) as f32)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::numbers::pack;

    fn world(width: u32, height: u32, edges: Edges) -> World {
        let extents = Extents::flat(width, height);
        World::empty(extents, edges)
    }

    fn look() -> Look {
        Look { exposure: 2.0, bloom: 0.5, hue: 0.1, ..Look::default() }
    }

    /// A swarm with empty, thin and crowded cells, at rest and fast.
    fn swarm(extents: Extents) -> State {
        let mut state = State::empty(extents);
        for index in 0..extents.cells() {
            let word = (index as u32).wrapping_mul(2_654_435_761);
            state.layers[0].density[index] = if word & 3 == 0 { word >> (word >> 27) } else { 0 };
            state.layers[0].control[index] = pack([(word >> 3) as i32 % (ONE + 1), -((word >> 7) as i32 % (ONE + 1))]);
        }
        state
    }

    fn pixel(picture: &Picture, x: u32, y: u32) -> [u8; 3] {
        let at = 3 * (y * picture.width + x) as usize;
        picture.bytes[at..at + 3].try_into().unwrap()
    }

    #[test]
    fn the_number_of_threads_does_not_change_a_byte() {
        let mut world = world(61, 47, Edges::Torus);
        world.solids =
            (0..world.extents.cells()).map(|index| index % 61 < 9 && index / 61 > 30).collect::<Vec<_>>().into();
        let state = swarm(world.extents);
        let with = |threads| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            pool.install(|| glow(&state, &world, &look()))
        };
        let one = with(1);
        assert!(one.bytes.iter().any(|byte| *byte > 200));
        assert!(one == with(2), "one and two threads differ");
        assert!(one == with(5), "one and five threads differ");
    }

    #[test]
    fn the_size_follows_the_longer_extent() {
        for (extents, size) in [
            ((256, 256), (768, 768)),
            ((24, 16), (192, 128)),
            ((384, 100), (768, 200)),
            ((1024, 512), (1024, 512)),
            ((2048, 1), (2048, 1)),
            ((1, 2049), (1, 1025)),
            ((16_384, 5), (2048, 1)),
        ] {
            let world = world(extents.0, extents.1, Edges::Walls);
            let picture = glow(&swarm(world.extents), &world, &look());
            assert_eq!((picture.width, picture.height), size, "for {extents:?}");
            assert_eq!(picture.bytes.len(), 3 * (size.0 * size.1) as usize);
        }
    }

    #[test]
    fn an_empty_world_is_an_even_night() {
        let world = world(40, 30, Edges::Walls);
        let picture = glow(&State::empty(world.extents), &world, &look());
        assert!(picture.bytes.as_chunks::<3>().0.iter().all(|pixel| *pixel == [4, 6, 13]));
    }

    #[test]
    fn an_even_swarm_at_the_exposure_is_half_bright_whatever_the_scale() {
        for (width, height) in [(200, 200), (9, 4), (1024, 3)] {
            let world = world(width, height, Edges::Torus);
            let mut state = State::empty(world.extents);
            state.layers[0].density.fill(2 * BOID);
            let picture = glow(&state, &world, &Look { bloom: 0.0, ..look() });
            assert!(picture.bytes.iter().all(|byte| (120..=138).contains(byte)), "{width}x{height}");
        }
    }

    #[test]
    fn more_boids_are_brighter_and_a_crowd_is_white() {
        let world = world(96, 96, Edges::Torus);
        let centre = |boids: u32| {
            let mut state = State::empty(world.extents);
            for index in 0..state.layers[0].density.len() {
                let (x, y) = (index % 96, index / 96);
                if (40..56).contains(&x) && (40..56).contains(&y) {
                    state.layers[0].density[index] = boids * BOID;
                    state.layers[0].control[index] = pack([ONE / 2, 0]);
                }
            }
            let picture = glow(&state, &world, &look());
            pixel(&picture, picture.width / 2, picture.height / 2)
        };
        let sum = |pixel: [u8; 3]| pixel.map(u32::from).iter().sum::<u32>();
        let (thin, half, many, crowd) = (centre(1), centre(2), centre(6), centre(5000));
        assert!(sum(thin) < sum(half) && sum(half) < sum(many) && sum(many) < sum(crowd));
        assert!(half.iter().max().unwrap() - half.iter().min().unwrap() > 60, "{half:?} has a colour");
        assert!(crowd.iter().all(|byte| *byte > 240), "{crowd:?} is white");
    }

    #[test]
    fn a_torus_has_no_seam_and_a_shift_of_the_state_shifts_the_picture() {
        // 32 cells of 8 pixels. The shift is half of the torus: the only shift that is a multiple of the side of all
        // halos' samples.
        let world = world(32, 32, Edges::Torus);
        let (mut state, mut shifted) = (State::empty(world.extents), State::empty(world.extents));
        for (x, y, boids) in [(31usize, 5usize, 3), (0, 6, 9), (12, 31, 1)] {
            for (state, by) in [(&mut state, 0), (&mut shifted, 16)] {
                let index = (y + by) % 32 * 32 + (x + by) % 32;
                state.layers[0].density[index] = boids * BOID;
                state.layers[0].control[index] = pack([ONE, ONE / 3]);
            }
        }
        let (picture, moved) = (glow(&state, &world, &look()), glow(&shifted, &world, &look()));
        for y in 0..256 {
            for x in 0..256 {
                let (a, b) = (pixel(&picture, x, y), pixel(&moved, (x + 128) % 256, (y + 128) % 256));
                // The dither pattern stays at its pixels, so bytes may differ by 1.
                assert!(a.iter().zip(b).all(|(a, b)| a.abs_diff(b) <= 1), "{a:?} and {b:?} at {x}, {y}");
            }
        }
    }

    #[test]
    fn a_solid_is_dark_with_a_lighter_rim_and_hides_what_it_covers() {
        let mut world = world(64, 64, Edges::Walls);
        world.solids =
            (0..64 * 64).map(|index| (20..40).contains(&(index % 64)) && index / 64 >= 20).collect::<Vec<_>>().into();
        let picture = glow(&State::empty(world.extents), &world, &look());
        let sum = |x, y| pixel(&picture, x, y).map(u32::from).iter().sum::<u32>();
        let (night, rim, inside) = (sum(100, 300), sum(8 * 20, 300), sum(8 * 30, 300));
        assert!(night < inside && inside < rim && rim < 300, "{night} < {inside} < {rim}");
    }
}
