//! Coarse-graining: the mean density around every cell.
//!
//! Individuals have no extent, and most are alone in their cell. If the density of the cells is 0.3 boids per cell, the
//! density of the individuals is 0 or 1. A comparison cell by cell would measure only this. A grain is a square of
//! n × n cells around a cell. It holds n² times as many boids as a cell, and the relative shot noise of its mean
//! density is 1/√(n²·density). Every cell has its own grain (a moving mean). Grains wrap on a torus.

use murmuration_core::numbers::BOID;
use murmuration_core::parallel::*;
use murmuration_core::state::State;
use murmuration_core::world::{Edges, Extents, World};

/// The resolution of a comparison.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Resolution {
    /// The side of a grain in cells, which is odd, so that a grain has a central cell.
    pub grain: u32,
    /// The minimum mean density of a grain, in boids per cell, at which its central cell counts as occupied.
    pub occupied: f64,
}

/// The maximum side of a grain, in cells.
pub const MAX_GRAIN: u32 = 63;

impl Default for Resolution {
    /// A grain of 5 × 5 cells is about as wide as the reach of a usual sight, so that it hides no structure of the
    /// swarm. A mean density of an eighth of a boid per cell needs at least four individuals in a grain. Fewer
    /// individuals may be there by chance, or correspond to a thin fringe of the cells' density.
    fn default() -> Self {
        Self { grain: 5, occupied: 0.125 }
    }
}

/// The sums of a density over the grains around all cells.
#[derive(Debug, Clone, PartialEq)]
pub struct CoarseDensity {
    pub extents: Extents,
    /// The number of quanta in the grain around each cell, x fastest.
    sums: Vec<u64>,
    /// The number of free cells in each grain; 0 if its central cell is solid.
    cells: Vec<u64>,
    /// The number of cells of a complete grain, which has no solid cells and is not cut by a wall.
    whole: u64,
}

impl CoarseDensity {
    /// Sums the density over grains with a side of `grain` cells. Cells beyond walls and in solids do not count. On a
    /// torus smaller than the grain no cell counts twice.
    pub fn new(state: &State, world: &World, grain: u32) -> Self {
        let extents = state.extents;
        let density: Vec<u64> = state.layers[0].density.iter().map(|quanta| u64::from(*quanta)).collect();
        let is_solid = |index: usize| world.solids.get(index) == Some(&true);
        let free: Vec<u64> = (0..extents.cells()).map(|index| u64::from(!is_solid(index))).collect();
        let sums = boxed(&density, extents, grain, world.edges);
        let mut cells = boxed(&free, extents, grain, world.edges);
        cells.iter_mut().zip(free).for_each(|(cells, free)| *cells *= free);
        Self { extents, sums, cells, whole: u64::from(grain) * u64::from(grain) }
    }

    /// The mean density around a cell, in boids per cell; `None` in a solid.
    pub fn density(&self, index: usize) -> Option<f64> {
        let cells = self.cells[index];
        (cells > 0).then(|| self.sums[index] as f64 / (cells as f64 * f64::from(BOID)))
    }

    /// The number of boids in a complete grain that has the mean density around a cell, rounded to nearest; `None` in a
    /// solid.
    pub fn boids(&self, index: usize) -> Option<u64> {
        let cells = self.cells[index];
        // A grain has less than 2^12 cells of less than 2^32 quanta, so that the product is below 2^56.
        (cells > 0).then(|| {
            let quanta = self.sums[index] * self.whole / cells;
            (quanta + u64::from(BOID) / 2) / u64::from(BOID)
        })
    }

    /// The number of cells that are not solid.
    pub fn free(&self) -> u64 {
        self.cells.iter().filter(|cells| **cells > 0).count() as u64
    }
}

/// For each cell, the sum of the values in a square around it. `side`: the side of the square in cells.
fn boxed(values: &[u64], extents: Extents, side: u32, edges: Edges) -> Vec<u64> {
    let (width, height) = (extents.width as usize, extents.height as usize);
    let along_rows = |values: &[u64], width: usize| {
        let mut sums = vec![0; values.len()];
        let rows = sums.par_chunks_mut(width).zip(values.par_chunks(width));
        rows.for_each(|(sums, row)| sliding_sums(row, side as usize / 2, edges, sums));
        sums
    };
    let columns = transposed(&along_rows(values, width), width, height);
    transposed(&along_rows(&columns, height), height, width)
}

/// For each position of a row, the sum of the values up to `reach` positions away.
fn sliding_sums(row: &[u64], reach: usize, edges: Edges, sums: &mut [u64]) {
    let extent = row.len() as isize;
    // On a torus no position counts twice.
    let reach = if edges == Edges::Torus { (reach as isize).min((extent - 1) / 2) } else { reach as isize };
    let at = |place: isize| edges.wrap(place as i64, extent as i64).map_or(0, |place| row[place as usize]);
    let mut now: u64 = (-reach..=reach).map(at).sum();
    for (place, sum) in (0..).zip(sums) {
        *sum = now;
        now = now + at(place + reach + 1) - at(place - reach);
    }
}

/// The columns of a lattice as rows.
pub fn transposed<T: Copy + Send + Sync>(values: &[T], width: usize, height: usize) -> Vec<T> {
    (0..width * height).into_par_iter().map(|index| values[index % height * width + index / height]).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn world(extents: Extents, edges: Edges) -> World {
        World::empty(extents, edges)
    }

    fn with(extents: Extents, boids: &[(usize, u32)]) -> State {
        let mut state = State::empty(extents);
        boids.iter().for_each(|(index, boids)| state.layers[0].density[*index] = boids * BOID);
        state
    }

    #[test]
    fn every_sum_is_that_of_the_cells_around_counted_one_by_one() {
        let extents = Extents::flat(9, 6);
        let mut state = State::empty(extents);
        state.layers[0]
            .density
            .iter_mut()
            .enumerate()
            .for_each(|(index, quanta)| *quanta = (index * index * 977) as u32 % 70_000);
        for edges in [Edges::Torus, Edges::Walls] {
            let mut world = world(extents, edges);
            world.solids = (0..extents.cells()).map(|index| index % 7 == 3).collect::<Vec<_>>().into();
            for grain in [1, 3, 5, 11] {
                let coarse = CoarseDensity::new(&state, &world, grain);
                for index in 0..extents.cells() {
                    let (mut sum, mut cells) = (0, 0);
                    for other in 0..extents.cells() {
                        let reach = |extent: u32| match edges {
                            Edges::Torus => (grain as i32 / 2).min((extent as i32 - 1) / 2),
                            Edges::Walls => grain as i32 / 2,
                        };
                        let near = |a: usize, b: usize, extent: u32| {
                            murmuration_core::world::offset(a as i32, b as i32, extent as i32, edges).abs()
                                <= reach(extent)
                        };
                        if near(index % 9, other % 9, 9) && near(index / 9, other / 9, 6) {
                            sum += u64::from(state.layers[0].density[other]);
                            cells += u64::from(!world.solids[other]);
                        }
                    }
                    let expected = (!world.solids[index]).then(|| sum as f64 / (cells as f64 * f64::from(BOID)));
                    assert_eq!(coarse.density(index), expected, "{edges:?}, {grain}, {index}");
                }
            }
        }
    }

    #[test]
    fn a_grain_of_one_cell_is_the_lattice_itself() {
        let extents = Extents::flat(4, 4);
        let coarse = CoarseDensity::new(&with(extents, &[(5, 3)]), &world(extents, Edges::Torus), 1);
        assert_eq!((coarse.density(5), coarse.boids(5), coarse.density(6)), (Some(3.0), Some(3), Some(0.0)));
        assert_eq!(coarse.free(), 16);
    }

    #[test]
    fn a_grain_counts_to_the_nearest_boid() {
        let extents = Extents::flat(8, 8);
        let mut state = with(extents, &[(0, 1)]);
        state.layers[0].density[1] = BOID / 2;
        let coarse = CoarseDensity::new(&state, &world(extents, Edges::Torus), 3);
        assert_eq!(
            (coarse.boids(0), coarse.boids(2), coarse.boids(7), coarse.boids(4)),
            (Some(2), Some(1), Some(1), Some(0))
        );
    }
}
