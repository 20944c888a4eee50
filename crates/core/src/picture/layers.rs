//! Grids of values for pictures: made from a lattice, reduced, and interpolated to finer grids.

use crate::parallel::*;
use crate::world::{Edges, Extents};

/// `N` values for each place of a grid (layers), row by row. A row holds all values of its first layer, then of its
/// second, and so on.
pub struct Layers<const N: usize> {
    /// The number of places along x.
    pub width: usize,
    /// The number of places along y.
    pub height: usize,
    /// The values, `N` × `width` × `height`.
    pub values: Vec<f32>,
}

impl<const N: usize> Layers<N> {
    /// Layers with the value 0 at each place.
    pub fn zero(width: usize, height: usize) -> Self {
        Self { width, height, values: vec![0.0; N * width * height] }
    }

    /// The layers of row `y`, each with `width` values.
    pub fn row(&self, y: usize) -> [&[f32]; N] {
        split(&self.values[y * N * self.width..][..N * self.width])
    }

    /// The means of `value` over blocks of `reduction` × `reduction` cells. `value` takes the index of a cell. A block
    /// at the end of the lattice may have fewer cells.
    pub fn of_cells(extents: Extents, reduction: usize, value: impl Fn(usize) -> [f32; N] + Sync) -> Self {
        let (width, height) = (extents.width as usize, extents.height as usize);
        let mut layers = Self::zero(width.div_ceil(reduction), height.div_ceil(reduction));
        let across = layers.width;
        layers.values.par_chunks_mut(N * across).enumerate().for_each(|(block_row, values)| {
            let mut values = split_mut::<N>(values);
            let rows = block_row * reduction..height.min((block_row + 1) * reduction);
            for block in 0..across {
                let columns = block * reduction..width.min((block + 1) * reduction);
                let part = 1.0 / (rows.len() * columns.len()) as f32;
                let mut sums = [0.0; N];
                for y in rows.clone() {
                    for x in columns.clone() {
                        for (sum, value) in sums.iter_mut().zip(value(y * width + x)) {
                            *sum += value;
                        }
                    }
                }
                for (values, sum) in values.iter_mut().zip(sums) {
                    values[block] = sum * part;
                }
            }
        });
        layers
    }

    /// Mixes every value with its neighbours, 1 : 2 : 1 along each axis. Values that alternate from place to place
    /// cancel.
    pub fn softened(&self, edges: Edges) -> Self {
        self.filtered::<3>(1, edges, |[before, here, after]| 0.25 * (before + after) + 0.5 * here)
    }

    /// A grid of half the size along both axes, rounded up. The filter is smooth, so that moving values do not flicker.
    pub fn halved(&self, edges: Edges) -> Self {
        const TAPS: [f32; 4] = [0.125, 0.375, 0.375, 0.125];
        self.filtered::<4>(2, edges, |values| (0..4).map(|k| TAPS[k] * values[k]).sum())
    }

    /// A grid with every `step`-th place along each axis. `TAPS` adjacent values are blended along y, and then along x.
    /// The first blended value is one place before the place of the result.
    #[inline(always)]
    fn filtered<const TAPS: usize>(
        &self,
        step: usize,
        edges: Edges,
        blend: impl Fn([f32; TAPS]) -> f32 + Sync,
    ) -> Self {
        let mut made = Self::zero(self.width.div_ceil(step), self.height.div_ceil(step));
        let width = made.width;
        made.values.par_chunks_mut(N * width).enumerate().for_each_init(
            || vec![0.0; self.width + TAPS - 1],
            |blended, (y, row)| {
                let rows: [_; TAPS] =
                    std::array::from_fn(|k| self.row(neighbour((step * y + k) as isize - 1, self.height, edges)));
                for (layer, row) in row.chunks_exact_mut(width).enumerate() {
                    let rows = rows.map(|row| &row[layer][..self.width]);
                    for (x, value) in blended[1..=self.width].iter_mut().enumerate() {
                        *value = blend(std::array::from_fn(|k| rows[k][x]));
                    }
                    self.close(blended, edges);
                    for (x, value) in row.iter_mut().enumerate() {
                        *value = blend(std::array::from_fn(|k| blended[step * x + k]));
                    }
                }
            },
        );
        made
    }

    /// Fills the padding of a row with values beyond its ends: one value before it, and one or more after it.
    fn close(&self, padded: &mut [f32], edges: Edges) {
        padded[0] = padded[1 + neighbour(-1, self.width, edges)];
        for x in self.width..padded.len() - 1 {
            padded[1 + x] = padded[1 + neighbour(x as isize, self.width, edges)];
        }
    }
}

/// Splits a row into its `N` layers.
pub fn split<const N: usize>(row: &[f32]) -> [&[f32]; N] {
    let width = row.len() / N;
    std::array::from_fn(|layer| &row[layer * width..][..width])
}

/// Splits a mutable row into its `N` layers.
pub fn split_mut<const N: usize>(row: &mut [f32]) -> [&mut [f32]; N] {
    let width = row.len() / N;
    let mut rest = row;
    std::array::from_fn(|_| {
        let (layer, behind) = std::mem::take(&mut rest).split_at_mut(width);
        rest = behind;
        layer
    })
}

/// The index `at` moved into 0..extent: wrapped round a torus, or set to the nearest end between walls. So pictures do
/// not get dark at walls.
fn neighbour(at: isize, extent: usize, edges: Edges) -> usize {
    edges.wrap_or_clamp(at as i64, extent as i64) as usize
}

/// Interpolates layers to `factor` pixels per place along each axis, with quadratic B-splines. The result is smooth, so
/// that places do not show as squares. It never exceeds the largest value.
pub struct Upsampler<'a, const N: usize> {
    layers: &'a Layers<N>,
    edges: Edges,
    /// For each pixel of a place: the weights of the place before, of the place itself, and of the place after.
    weights: Vec<[f32; 3]>,
}

impl<'a, const N: usize> Upsampler<'a, N> {
    /// Enlarges `layers` by `factor`, which is at least 1, along each axis.
    pub fn new(layers: &'a Layers<N>, factor: usize, edges: Edges) -> Self {
        let weights = (0..factor)
            .map(|pixel| {
                let t = (pixel as f32 + 0.5) / factor as f32 - 0.5;
                [0.5 * (0.5 - t) * (0.5 - t), 0.75 - t * t, 0.5 * (0.5 + t) * (0.5 + t)]
            })
            .collect();
        Self { layers, edges, weights }
    }

    /// Writes row `y` of the enlarged layers into `row`, one layer after the other. Pixels beyond the end of `row` are
    /// left out. `blended`: memory that the calls reuse.
    pub fn row(&self, y: usize, blended: &mut Vec<f32>, row: &mut [f32]) {
        let extent = self.layers.width;
        let factor = self.weights.len();
        let place = (y / factor) as isize;
        let rows = [-1, 0, 1].map(|k| self.layers.row(neighbour(place + k, self.layers.height, self.edges)));
        let [before, here, after] = self.weights[y % factor];
        blended.resize(extent + 2, 0.0);
        for (layer, row) in split_mut::<N>(row).into_iter().enumerate() {
            let [above, middle, below] = rows.map(|layers| &layers[layer][..extent]);
            for (x, value) in blended[1..=extent].iter_mut().enumerate() {
                *value = before * above[x] + here * middle[x] + after * below[x];
            }
            self.layers.close(blended, self.edges);
            match factor {
                1 => self.spread::<1>(blended, row),
                2 => self.spread::<2>(blended, row),
                3 => self.spread::<3>(blended, row),
                4 => self.spread::<4>(blended, row),
                _ => self.spread_any(blended, row),
            }
        }
    }

    /// [`Self::spread_any`] for a factor that is a constant, so that the compiler unrolls the loop.
    fn spread<const FACTOR: usize>(&self, blended: &[f32], row: &mut [f32]) {
        let weights: [[f32; 3]; FACTOR] = std::array::from_fn(|pixel| self.weights[pixel]);
        let (whole, rest) = row.as_chunks_mut::<FACTOR>();
        let places = whole.len();
        for (pixels, three) in whole.iter_mut().zip(blended.array_windows::<3>()) {
            *pixels = weights.map(|w| w[0] * three[0] + w[1] * three[1] + w[2] * three[2]);
        }
        for (pixel, w) in rest.iter_mut().zip(weights) {
            *pixel = w[0] * blended[places] + w[1] * blended[places + 1] + w[2] * blended[places + 2];
        }
    }

    fn spread_any(&self, blended: &[f32], row: &mut [f32]) {
        for (pixels, three) in row.chunks_mut(self.weights.len()).zip(blended.array_windows::<3>()) {
            for (pixel, w) in pixels.iter_mut().zip(&self.weights) {
                *pixel = w[0] * three[0] + w[1] * three[1] + w[2] * three[2];
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ramp(width: usize, height: usize) -> Layers<2> {
        let mut layers = Layers::zero(width, height);
        for y in 0..height {
            for x in 0..width {
                layers.values[2 * y * width + x] = x as f32;
                layers.values[(2 * y + 1) * width + x] = y as f32;
            }
        }
        layers
    }

    #[test]
    fn a_ramp_stays_a_ramp_away_from_the_edges() {
        for factor in 1..=8 {
            let layers = ramp(6, 5);
            let enlarged = Upsampler::new(&layers, factor, Edges::Walls);
            let (mut blended, mut row) = (Vec::new(), vec![0.0; 2 * 6 * factor]);
            let y = 2 * factor;
            enlarged.row(y, &mut blended, &mut row);
            let centre = |pixel: usize| (pixel as f32 + 0.5) / factor as f32 - 0.5;
            let [across, down] = split(&row);
            for x in factor..5 * factor {
                assert!((across[x] - centre(x)).abs() < 1e-5, "factor {factor}, pixel {x}");
                assert!((down[x] - centre(y)).abs() < 1e-5, "factor {factor}, pixel {x}");
            }
        }
    }

    #[test]
    fn a_torus_wraps_and_walls_repeat_the_last_place() {
        let mut layers = Layers::<1>::zero(4, 1);
        layers.values[0] = 1.0;
        let (mut blended, mut row) = (Vec::new(), vec![0.0; 4]);
        Upsampler::new(&layers, 1, Edges::Torus).row(0, &mut blended, &mut row);
        assert_eq!(row, [0.75, 0.125, 0.0, 0.125]);
        Upsampler::new(&layers, 1, Edges::Walls).row(0, &mut blended, &mut row);
        assert_eq!(row, [0.875, 0.125, 0.0, 0.0]);
    }

    #[test]
    fn softening_removes_what_alternates_and_leaves_what_is_even() {
        let stripes = (0..8).map(|x| if x % 2 == 0 { 3.0 } else { 1.0 });
        let layers = Layers::<2> { width: 8, height: 1, values: stripes.chain([5.0; 8]).collect() };
        assert_eq!(layers.softened(Edges::Torus).values[..8], [2.0; 8]);
        assert_eq!(layers.softened(Edges::Walls).values[8..], [5.0; 8]);
    }

    #[test]
    fn cells_are_reduced_to_the_mean_of_each_block() {
        let layers = Layers::of_cells(Extents::flat(3, 2), 2, |index| [index as f32, 1.0]);
        assert_eq!((layers.width, layers.height), (2, 1));
        assert_eq!(layers.values, [2.0, 3.5, 1.0, 1.0]);
    }

    #[test]
    fn halving_keeps_the_mean_of_a_torus() {
        let mut layers = Layers::<1>::zero(8, 4);
        layers.values[3] = 1.0;
        layers.values[31] = 3.0;
        let half = layers.halved(Edges::Torus);
        assert_eq!((half.width, half.height), (4, 2));
        assert_eq!(half.values.iter().sum::<f32>(), 1.0);
        let odd = Layers::<1> { width: 3, height: 1, values: vec![2.0; 3] }.halved(Edges::Walls);
        assert_eq!(odd.values, [2.0, 2.0]);
    }
}
