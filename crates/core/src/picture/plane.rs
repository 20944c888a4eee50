//! Pictures from which values can be read: a plane of cells, each in the colour of its value. The plane is a layer
//! across an axis, or the sum along an axis.

use super::Picture;
use super::glow::Frame;
use crate::error::Failure;
use crate::look::{Look, Style};
use crate::numbers::BOID;
use crate::parallel::*;
use crate::ranks::{Ranks, concat};
use crate::state::State;
use crate::world::{Extents, Slab};
use std::convert::Infallible;

/// The brightness of the repetitions of a torus beyond its edges, as a part of the brightness of the world.
pub const COPY: f32 = 0.42;
/// The colour beyond walls, in bytes of red, green and blue: slate, which is no colour of the scale.
pub const BEYOND: [f32; 3] = [18.0, 22.0, 31.0];
/// The index of the last colour of a scale. The first index is 0.
const LAST: u64 = 255;
/// The number of values of a plane that ranks sum at once.
const ROW_BLOCK: usize = 1 << 17;

/// The values of a plane of cells, row by row from the top.
pub struct Plane {
    /// The size in cells.
    pub size: [usize; 2],
    /// The value of each cell in quanta: the density in a layer, or the exact sum of densities along the axis.
    pub values: Vec<u64>,
    /// The value in quanta that has the last colour of the scale. Greater values have this colour too.
    pub top: u64,
}

/// The axis across which a look shows a layer, or along which it sums: 0, 1 or 2 for x, y or z. In a flat world it is
/// z.
pub fn axis_of(extents: Extents, look: &Look) -> usize {
    if extents.depth.is_some() { look.axis } else { 2 }
}

/// The place along the axis of the layer that a look shows, in cells.
pub fn layer_of(extents: Extents, look: &Look) -> u32 {
    let layers = extents.along_axes()[axis_of(extents, look)];
    ((f64::from(look.layer) * f64::from(layers)) as u32).min(layers - 1)
}

/// The axes of a plane across `axis`: the axis to the right, and the axis down the picture. If the latter is z, z goes
/// up.
pub fn axes_across(axis: usize) -> [usize; 2] {
    [[1, 2], [0, 2], [0, 1]][axis]
}

/// The size of the plane that a look shows, in cells.
pub fn plane_extents(extents: Extents, look: &Look) -> Extents {
    let [across, down] = axes_across(axis_of(extents, look)).map(|axis| extents.along_axes()[axis]);
    Extents::flat(across, down)
}

impl Plane {
    /// The plane of a swarm that a look shows. If the look gives no scale, the last colour stands for 1, 2 or 5 times a
    /// power of ten boids. It is the lowest such number that no value of the plane exceeds.
    pub fn new(state: &State, look: &Look) -> Self {
        let slab = Slab::whole(state.extents);
        let extents = plane_extents(state.extents, look);
        let mut values = vec![0; extents.cells()];
        let rows = values.par_chunks_mut(extents.width as usize).enumerate();
        rows.for_each(|(row, values)| write_row(state, &slab, look, row, values));
        let top = top_of(values.iter().copied().max().unwrap_or(0), look);
        Self { size: [extents.width as usize, extents.height as usize], values, top }
    }

    /// The colour of each cell as a word: red in the lowest byte, then green and blue.
    pub fn colours(&self) -> Vec<u32> {
        colours_of(&self.values, self.top)
    }
}

/// The colours of values as in [`Plane::colours`]. `top`: the value of the last colour, in quanta.
fn colours_of(values: &[u64], top: u64) -> Vec<u32> {
    let colours = scale_colours();
    values.iter().map(|value| colours[(value * LAST / top).min(LAST) as usize]).collect()
}

/// The colour for a part of the scale, 0 to 1, in sRGB. Equal steps of the value look equally large.
pub fn scale_colour(part: f32) -> [u8; 3] {
    let [red, green, blue, _] = colour((part * LAST as f32) as u64);
    [red, green, blue]
}

fn colour(place: u64) -> [u8; 4] {
    let colorous::Color { r, g, b } = colorous::INFERNO.eval_rational(place.min(LAST) as usize, LAST as usize + 1);
    [r, g, b, 0]
}

/// The possible values of the last colour in quanta, in ascending order: the scale of the look, or 1, 2 and 5 times the
/// powers of ten boids. A picture takes the first that no value exceeds.
pub fn tops_of_scale(look: &Look) -> Vec<u64> {
    let quanta = |boids: f64| ((boids * f64::from(BOID)) as u64).max(1);
    if look.scale > 0.0 {
        return vec![quanta(f64::from(look.scale))];
    }
    // The greatest possible sum, of a row of full cells along the longest axis, is below 10^8 boids.
    let powers = (-3..=8).map(|power| 10f64.powi(power));
    powers.flat_map(|power| [1.0, 2.0, 5.0].map(|times| quanta(times * power))).collect()
}

/// The colours of a scale from the value 0 to the top. Each is a word: red in the lowest byte, then green and blue.
pub fn scale_colours() -> Vec<u32> {
    (0..=LAST).map(|place| u32::from_le_bytes(colour(place))).collect()
}

/// Writes this rank's part of a row of a plane: the values of a layer, or sums over the cells of its slab. `state`: the
/// slab.
fn write_row(state: &State, slab: &Slab, look: &Look, row: usize, values: &mut [u64]) {
    let extents = state.extents.along_axes().map(|extent| extent as usize);
    let axis = axis_of(slab.world, look);
    let [across, down] = axes_across(axis);
    let strides = [1, extents[0], extents[0] * extents[1]];
    // The slabs follow each other along z in a deep world, along y in a flat world.
    let mut firsts = [0; 3];
    firsts[if slab.world.depth.is_some() { 2 } else { 1 }] = slab.first as usize;
    let row = if down == 2 { slab.world.slices() as usize - 1 - row } else { row };
    let layer = layer_of(slab.world, look) as usize;
    let layers = match look.style {
        Style::Projection => 0..extents[axis],
        _ if (firsts[axis]..firsts[axis] + extents[axis]).contains(&layer) => {
            let own = layer - firsts[axis];
            own..own + 1
        }
        _ => 0..0,
    };
    if !(firsts[down]..firsts[down] + extents[down]).contains(&row) {
        return;
    }
    for (column, value) in values.iter_mut().enumerate() {
        let first = column * strides[across] + (row - firsts[down]) * strides[down];
        let densities = layers.clone().map(|layer| state.layers[0].density[first + layer * strides[axis]]);
        *value = densities.map(u64::from).sum();
    }
}

/// The value of the last colour, in quanta. `greatest`: the greatest value of the plane.
fn top_of(greatest: u64, look: &Look) -> u64 {
    let tops = tops_of_scale(look);
    tops.iter().copied().find(|top| *top >= greatest).unwrap_or(tops[tops.len() - 1])
}

/// The picture of a whole plane. Cells have the size of cells in the picture of a flat world. If the plane has more
/// than 2048 cells along a side, a pixel shows one of several cells.
pub fn plane(state: &State, look: &Look) -> Picture {
    let plane = Plane::new(state, look);
    let width = plane.size[0];
    let row_of = |row: usize, values: &mut [u64]| {
        values.copy_from_slice(&plane.values[row * width..][..width]);
        Ok::<_, Infallible>(())
    };
    let Ok((pixels, _)) = PlanePixels::new(plane_extents(state.extents, look), row_of);
    pixels.picture(plane.top)
}

/// The values of the cells that the pixels of a picture of a plane show.
pub struct PlanePixels {
    width: usize,
    /// A value in quanta for each pixel, row by row from the top.
    values: Vec<u64>,
}

impl PlanePixels {
    /// The values that the pixels of a plane's picture show, and the greatest value of the plane. `extents`: of the
    /// plane. `row_of`: writes the values of a row of the plane.
    fn new<E>(extents: Extents, mut row_of: impl FnMut(usize, &mut [u64]) -> Result<(), E>) -> Result<(Self, u64), E> {
        let Frame { reduction, pixels, size: [width, height] } = Frame::new(extents);
        let cell = |pixel: usize, cells: u32| ((2 * pixel + 1) * reduction / (2 * pixels)).min(cells as usize - 1);
        let (mut values, mut greatest) = (Vec::with_capacity(width * height), 0);
        let (mut own, mut pixel_row) = (vec![0; extents.width as usize], 0);
        for row in 0..extents.height as usize {
            own.fill(0);
            row_of(row, &mut own)?;
            greatest = greatest.max(own.iter().copied().max().unwrap_or(0));
            while pixel_row < height && cell(pixel_row, extents.height) == row {
                values.extend((0..width).map(|pixel| own[cell(pixel, extents.width)]));
                pixel_row += 1;
            }
        }
        Ok((Self { width, values }, greatest))
    }

    /// The values for a plane of a world that is divided among ranks, and the value of the last colour in quanta.
    /// `state`: the slab of this rank. All ranks must call this function.
    ///
    /// # Errors
    /// If another rank has ended.
    pub fn over_ranks(state: &State, slab: &Slab, look: &Look, ranks: &dyn Ranks) -> Result<(Self, u64), Failure> {
        let extents = plane_extents(slab.world, look);
        let width = extents.width as usize;
        let rows_at_once = (ROW_BLOCK / width).max(1);
        // A value needs parts of several slabs only if it is a sum along the axis of the slabs.
        let is_along_slabs =
            look.style == Style::Projection && slab.world.depth.is_some() && axis_of(slab.world, look) == 2;
        let mut block = Vec::new();
        let row_of = |row: usize, values: &mut [u64]| {
            if !is_along_slabs {
                write_row(state, slab, look, row, values);
                return Ok::<_, Failure>(());
            }
            if row.is_multiple_of(rows_at_once) {
                block = vec![0; width * rows_at_once.min(extents.height as usize - row)];
                let rows = block.chunks_exact_mut(width).enumerate();
                rows.for_each(|(below, values)| write_row(state, slab, look, row + below, values));
                ranks.sum(&mut block)?;
            }
            values.copy_from_slice(&block[row % rows_at_once * width..][..width]);
            Ok(())
        };
        let (mut own, greatest) = Self::new(extents, row_of)?;
        if !is_along_slabs {
            ranks.sum(&mut own.values)?;
        }
        let all: Vec<u64> = concat(&ranks.gather(bytemuck::bytes_of(&greatest))?);
        Ok((own, top_of(all.into_iter().max().unwrap_or(0), look)))
    }

    /// The picture of the values. `top`: the value of the last colour, in quanta.
    pub fn picture(&self, top: u64) -> Picture {
        let bytes = colours_of(&self.values, top).into_iter().flat_map(|colour| {
            let [red, green, blue, _] = colour.to_le_bytes();
            [red, green, blue]
        });
        let height = self.values.len() / self.width;
        Picture { width: self.width as u32, height: height as u32, bytes: bytes.collect() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_top_of_a_scale_is_a_round_number() {
        let pairs =
            [(0.0, 0.001), (0.3, 0.5), (1.0, 1.0), (1.01, 2.0), (3.0, 5.0), (5001.0, 10_000.0), (65_535.0, 100_000.0)];
        for (boids, top) in pairs {
            let density = vec![(boids * f64::from(BOID)) as u32; 6];
            let mut state = State::empty(Extents::flat(3, 2));
            state.layers[0].density = density;
            let plane = Plane::new(&state, &Look { style: Style::Slice, ..Look::default() });
            assert_eq!(plane.top, (top * f64::from(BOID)) as u64, "{boids}");
        }
    }

    #[test]
    fn planes_lie_as_the_world_is_seen_and_sums_are_exact() {
        let extents = Extents::deep(3, 4, 5);
        let mut state = State::empty(extents);
        // The density of a cell tells its place.
        state.layers[0].density =
            (0..60).map(|index| (index % 3) + 10 * (index / 3 % 4) + 100 * (index / 12)).collect();
        let of = |style, axis, layer| Plane::new(&state, &Look { style, axis, layer, ..Look::default() });
        let across_z = of(Style::Slice, 2, 0.5);
        assert_eq!((across_z.size, across_z.values[0], across_z.values[4]), ([3, 4], 200, 211));
        let across_y = of(Style::Slice, 1, 0.0);
        assert_eq!((across_y.size, across_y.values[0], across_y.values[13]), ([3, 5], 400, 1), "z leads up");
        let across_x = of(Style::Slice, 0, 1.0);
        assert_eq!((across_x.size, across_x.values[0], across_x.values[19]), ([4, 5], 402, 32));
        let along_z = of(Style::Projection, 2, 0.0);
        assert_eq!(along_z.values[4], 1000 + 5 * 11);
        state.layers[0].density.fill(u32::MAX);
        let full = Plane::new(&state, &Look { style: Style::Projection, axis: 0, ..Look::default() });
        assert!(full.values.iter().all(|sum| *sum == 3 * u64::from(u32::MAX)), "no sum overflows");
        let mut flat = State::empty(Extents::flat(3, 2));
        flat.layers[0].density.fill(5);
        for style in [Style::Slice, Style::Projection] {
            let plane = Plane::new(&flat, &Look { style, axis: 0, layer: 1.0, ..Look::default() });
            assert_eq!((plane.size, plane.values), ([3, 2], vec![5; 6]), "a flat world is its only layer");
        }
    }
}
