//! Light and density within a deep swarm. The part of a low sun's light that arrives at each place is computed slice by
//! slice, away from the sun.

use super::sky::towards_sun;
use crate::look::projection::Place;
use crate::numbers::BOID;
use crate::parallel::*;
use crate::state::State;
use crate::world::Extents;

/// The side of a texel of the volume, in cells.
pub const TEXEL: usize = 2;
/// A cell with the density `look.exposure` multiplies the light that crosses it by exp(-LOSS).
pub const LOSS: f32 = 0.12;

/// Light and density of each texel of a world, x fastest and z slowest.
pub struct Volume {
    /// The size in texels along x, y and z.
    pub size: [usize; 3],
    /// For each texel: the part of the sun's light that arrives (0 to 1), and the density as a multiple of
    /// `look.exposure`.
    pub values: Vec<[f32; 2]>,
    /// The corners with the min and the max coordinates (cells) of a box that has all boids. In an empty world, the
    /// coordinates of the first corner are greater than the coordinates of the second.
    pub ends: [Place; 2],
}

/// The path of sunlight through a volume. It goes slice by slice, along the axis nearest to the direction of the sun.
pub struct LightPath {
    /// The axis across the slices, and the two other axes: 0, 1 or 2 for x, y or z.
    pub axes: [usize; 3],
    /// Whether the slice with the greatest index is nearest to the sun. Otherwise it is the slice with the index 0.
    pub begins_at_end: bool,
    /// The shift of the path along the two other axes, from a slice to the next one towards the sun, in texels.
    pub lean: [f32; 2],
    /// Half of the length of the path from a slice to the next one towards the sun, in cells.
    pub half: f32,
}

impl LightPath {
    /// The path of sunlight in a world with these extents.
    pub fn new(extents: Extents) -> Self {
        let sun = towards_sun(extents);
        let main = (0..3).max_by(|a, b| sun[*a].abs().total_cmp(&sun[*b].abs())).unwrap_or(0);
        let others = [(main + 1) % 3, (main + 2) % 3];
        let lean = others.map(|axis| sun[axis] / sun[main].abs());
        let half = 0.5 * TEXEL as f32 * (1.0 + lean[0] * lean[0] + lean[1] * lean[1]).sqrt();
        Self { axes: [main, others[0], others[1]], begins_at_end: sun[main] > 0.0, lean, half }
    }
}

/// The size of the volume of a world along x, y and z, in texels.
pub fn volume_size(extents: Extents) -> [usize; 3] {
    extents.along_axes().map(|extent| (extent as usize).div_ceil(TEXEL))
}

impl Volume {
    /// The volume of a swarm in sunlight. D is the density over `exposure`, and τ(x) the sum of D along the way from x
    /// to the sun, in cells:
    ///   light = exp(-LOSS · τ),   τ(x) = τ(x + d) + half of |d| times the densities at both ends
    /// d leads from x to the next slice towards the sun.
    pub fn new(state: &State, exposure: f32) -> Self {
        let LightPath { axes: [main, a, b], begins_at_end, lean, half } = LightPath::new(state.extents);
        let (size, mut values) = reduced(state, exposure);
        let strides = [1, size[0], size[0] * size[1]];
        // τ of the slice before, at its side that is farther from the sun. A rim of zeros is around the slice.
        let width = size[a] + 2;
        let mut before = vec![0.0; width * (size[b] + 2)];
        let [from_a, from_b] = lean.map(|lean| lean.floor());
        let [part_a, part_b] = [lean[0] - from_a, lean[1] - from_b];
        for step in 0..size[main] {
            let slice = if begins_at_end { size[main] - 1 - step } else { step } * strides[main];
            let mut now = vec![0.0; before.len()];
            for j in 0..size[b] {
                let above = (j as isize + 1 + from_b as isize).clamp(0, size[b] as isize) as usize;
                for i in 0..size[a] {
                    let at = above * width + (i as isize + 1 + from_a as isize).clamp(0, size[a] as isize) as usize;
                    let near = before[at] + (before[at + 1] - before[at]) * part_a;
                    let far = before[at + width] + (before[at + width + 1] - before[at + width]) * part_a;
                    let [light, density] = &mut values[slice + i * strides[a] + j * strides[b]];
                    let own = *density * half;
                    *light = near + (far - near) * part_b + own;
                    now[(j + 1) * width + i + 1] = *light + own;
                }
            }
            before = now;
        }
        values
            .par_chunks_mut(1 << 13)
            .for_each(|values| values.iter_mut().for_each(|[light, _]| *light = (-LOSS * *light).exp()));
        let ends = ends_of(size, &values);
        Self { size, values, ends }
    }

    /// Light and density at a place (cells), interpolated between the centres of texels.
    #[inline(always)]
    pub fn at(&self, place: Place) -> [f32; 2] {
        let [width, height, _] = self.size;
        let (mut from, mut next, mut part) = ([0; 3], [0; 3], [0.0; 3]);
        for axis in 0..3 {
            let last = self.size[axis] - 1;
            let at = (place[axis] * (1.0 / TEXEL as f32) - 0.5).clamp(0.0, last as f32);
            from[axis] = at as usize;
            next[axis] = (from[axis] + 1).min(last);
            part[axis] = at - from[axis] as f32;
        }
        let row = |y: usize, z: usize| {
            let row = (z * height + y) * width;
            mix(self.values[row + from[0]], self.values[row + next[0]], part[0])
        };
        let slice = |z: usize| mix(row(from[1], z), row(next[1], z), part[1]);
        mix(slice(from[2]), slice(next[2]), part[2])
    }
}

/// The corners, in cells, of a box around all texels with boids and half a texel beyond. Interpolation spreads boids by
/// half a texel.
fn ends_of(size: [usize; 3], values: &[[f32; 2]]) -> [Place; 2] {
    let (mut least, mut most) = ([f32::MAX; 3], [f32::MIN; 3]);
    for index in (0..values.len()).filter(|index| values[*index][1] > 0.0) {
        let texel = [index % size[0], index / size[0] % size[1], index / (size[0] * size[1])];
        for axis in 0..3 {
            let middle = (texel[axis] as f32 + 0.5) * TEXEL as f32;
            least[axis] = least[axis].min(middle - TEXEL as f32);
            most[axis] = most[axis].max(middle + TEXEL as f32);
        }
    }
    [least, most]
}

#[inline(always)]
fn mix([a, c]: [f32; 2], [b, d]: [f32; 2], part: f32) -> [f32; 2] {
    [a + (b - a) * part, c + (d - c) * part]
}

/// The size in texels. For each texel a place for its light, which is still 0, and its mean density over `exposure`.
fn reduced(state: &State, exposure: f32) -> ([usize; 3], Vec<[f32; 2]>) {
    let [width, height, slices] = state.extents.along_axes().map(|extent| extent as usize);
    let size = volume_size(state.extents);
    let mut values = vec![[0.0; 2]; size[0] * size[1] * size[2]];
    values.par_chunks_mut(size[0]).enumerate().for_each(|(row, values)| {
        let (rows, slices) = (part(row % size[1], height), part(row / size[1], slices));
        let unit = 1.0 / (BOID as f32 * exposure * (rows.len() * slices.len()) as f32);
        for z in slices {
            for y in rows.clone() {
                let cells = &state.layers[0].density[(z * height + y) * width..][..width];
                for ([_, density], cells) in values.iter_mut().zip(cells.chunks(TEXEL)) {
                    let sum: u64 = cells.iter().map(|quanta| u64::from(*quanta)).sum();
                    *density += sum as f32 * (unit / cells.len() as f32);
                }
            }
        }
    });
    (size, values)
}

/// The range of cells of a texel along an axis.
fn part(texel: usize, extent: usize) -> std::ops::Range<usize> {
    texel * TEXEL..((texel + 1) * TEXEL).min(extent)
}
