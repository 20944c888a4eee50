//! The swarm seen through a coarser grain: the mean density around every cell.
//!
//! Individuals are points. In the cells of a lattice most of them are alone, so their density there is 0 or 1 boid wherever
//! that of the cell system is 0.3, and no cell-by-cell comparison would say more than that. A grain of n × n cells around
//! every cell (a moving mean, so that no place is special, and exact round a torus) holds n² times as many boids, and by
//! chance their number varies by its root: the shot noise of the mean is 1/√(n²·density) of it.

use crate::numbers::BOID;
use crate::state::State;
use crate::world::{Edges, Extents, World};
use rayon::prelude::*;

/// How finely a swarm is looked at.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Lens {
    /// Cells along the side of a grain; odd, so that it has a cell in its middle.
    pub grain: u32,
    /// The mean density of a grain, in boids a cell, from which on the cell in its middle counts as occupied.
    pub occupied: f64,
}

/// The widest grain, in cells.
pub const WIDEST_GRAIN: u32 = 63;

impl Default for Lens {
    /// A grain of 5 × 5 cells is as wide as the usual sights are far, so that no structure of the swarm is lost in it. An
    /// eighth of a boid a cell is four individuals in a grain: less may be there by chance, or as the thin fringe that a
    /// density has and individuals have not.
    fn default() -> Self {
        Self { grain: 5, occupied: 0.125 }
    }
}

/// The sums of a density over the grain around every cell.
#[derive(Debug, Clone, PartialEq)]
pub struct Coarse {
    pub extents: Extents,
    /// Quanta in the grain around each cell, x fastest.
    sums: Vec<u64>,
    /// The cells of each grain that can hold boids; 0 in the middle of a solid, or where the cell itself is one.
    cells: Vec<u64>,
    /// Cells of a grain that nothing cuts.
    whole: u64,
}

impl Coarse {
    /// Sums the density over grains of this many cells along each side. Walls cut a grain, and solids take their cells from
    /// it; on a torus that is narrower, a grain is as wide as fits.
    pub fn new(state: &State, world: &World, grain: u32) -> Self {
        let extents = state.extents;
        let density: Vec<u64> = state.density.iter().map(|quanta| u64::from(*quanta)).collect();
        let is_solid = |index: usize| world.solids.get(index) == Some(&true);
        let free: Vec<u64> = (0..extents.cells()).map(|index| u64::from(!is_solid(index))).collect();
        let sums = boxed(&density, extents, grain, world.edges);
        let mut cells = boxed(&free, extents, grain, world.edges);
        cells.iter_mut().zip(free).for_each(|(cells, free)| *cells *= free);
        Self { extents, sums, cells, whole: u64::from(grain) * u64::from(grain) }
    }

    /// The mean density around a cell, in boids a cell; `None` in a solid.
    pub fn density(&self, index: usize) -> Option<f64> {
        let cells = self.cells[index];
        (cells > 0).then(|| self.sums[index] as f64 / (cells as f64 * f64::from(BOID)))
    }

    /// The boids that a whole grain of that density would hold, to the nearest one; `None` in a solid.
    pub fn boids(&self, index: usize) -> Option<u64> {
        let cells = self.cells[index];
        // A grain has less than 2^12 cells of less than 2^32 quanta: all of it is below 2^57.
        (cells > 0).then(|| {
            let quanta = self.sums[index] * self.whole / cells;
            (quanta + u64::from(BOID) / 2) / u64::from(BOID)
        })
    }

    /// Cells that can hold boids.
    pub fn free(&self) -> u64 {
        self.cells.iter().filter(|cells| **cells > 0).count() as u64
    }

    pub fn len(&self) -> usize {
        self.cells.len()
    }

    pub fn is_empty(&self) -> bool {
        self.cells.is_empty()
    }
}

/// The sum of the values in the square of `side` cells around every cell.
fn boxed(values: &[u64], extents: Extents, side: u32, edges: Edges) -> Vec<u64> {
    let (width, height) = (extents.width as usize, extents.height as usize);
    let reach = side as usize / 2;
    let mut along = vec![0; values.len()];
    along.par_chunks_mut(width).zip(values.par_chunks(width)).for_each(|(sums, row)| {
        windowed(width, reach, edges, |at| row[at], |at, sum| sums[at] = sum);
    });
    let mut columns = vec![0; values.len()];
    columns.par_chunks_mut(height).enumerate().for_each(|(x, column)| {
        windowed(height, reach, edges, |at| along[at * width + x], |at, sum| column[at] = sum);
    });
    let mut sums = vec![0; values.len()];
    sums.par_chunks_mut(width).enumerate().for_each(|(y, row)| {
        row.iter_mut().enumerate().for_each(|(x, sum)| *sum = columns[x * height + y]);
    });
    sums
}

/// Sums of the values up to `reach` places away along one axis: each is the one before it, with what enters and without
/// what leaves.
fn windowed(extent: usize, reach: usize, edges: Edges, value: impl Fn(usize) -> u64, mut set: impl FnMut(usize, u64)) {
    // Round a torus no place counts twice.
    let reach = if edges == Edges::Torus { reach.min((extent - 1) / 2) } else { reach };
    let at = |place: isize| match edges {
        Edges::Torus => value(place.rem_euclid(extent as isize) as usize),
        Edges::Walls if (0..extent as isize).contains(&place) => value(place as usize),
        Edges::Walls => 0,
    };
    let reach = reach as isize;
    let mut sum: u64 = (-reach..=reach).map(at).sum();
    for place in 0..extent as isize {
        set(place as usize, sum);
        sum = sum + at(place + reach + 1) - at(place - reach);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn world(extents: Extents, edges: Edges) -> World {
        World { extents, edges, margin: 0, capacity: u32::MAX, solids: Default::default(), hunter: None }
    }

    fn with(extents: Extents, boids: &[(usize, u32)]) -> State {
        let mut state = State::empty(extents);
        boids.iter().for_each(|(index, boids)| state.density[*index] = boids * BOID);
        state
    }

    #[test]
    fn every_sum_is_that_of_the_cells_around_counted_one_by_one() {
        let extents = Extents { width: 9, height: 6 };
        let mut state = State::empty(extents);
        state
            .density
            .iter_mut()
            .enumerate()
            .for_each(|(index, quanta)| *quanta = (index * index * 977) as u32 % 70_000);
        for edges in [Edges::Torus, Edges::Walls] {
            let mut world = world(extents, edges);
            world.solids = (0..extents.cells()).map(|index| index % 7 == 3).collect::<Vec<_>>().into();
            for grain in [1, 3, 5, 11] {
                let coarse = Coarse::new(&state, &world, grain);
                for index in 0..extents.cells() {
                    let (mut sum, mut cells) = (0, 0);
                    for other in 0..extents.cells() {
                        let reach = |extent: u32| match edges {
                            Edges::Torus => (grain as i32 / 2).min((extent as i32 - 1) / 2),
                            Edges::Walls => grain as i32 / 2,
                        };
                        let near = |a: usize, b: usize, extent: u32| {
                            crate::world::offset(a as i32, b as i32, extent as i32, edges).abs() <= reach(extent)
                        };
                        if near(index % 9, other % 9, 9) && near(index / 9, other / 9, 6) {
                            sum += u64::from(state.density[other]);
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
        let extents = Extents { width: 4, height: 4 };
        let coarse = Coarse::new(&with(extents, &[(5, 3)]), &world(extents, Edges::Torus), 1);
        assert_eq!((coarse.density(5), coarse.boids(5), coarse.density(6)), (Some(3.0), Some(3), Some(0.0)));
        assert_eq!(coarse.free(), 16);
    }

    #[test]
    fn a_grain_counts_to_the_nearest_boid() {
        let extents = Extents { width: 8, height: 8 };
        let mut state = with(extents, &[(0, 1)]);
        state.density[1] = BOID / 2;
        let coarse = Coarse::new(&state, &world(extents, Edges::Torus), 3);
        assert_eq!(
            (coarse.boids(0), coarse.boids(2), coarse.boids(7), coarse.boids(4)),
            (Some(2), Some(1), Some(1), Some(0))
        );
    }
}
