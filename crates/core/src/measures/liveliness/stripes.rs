//! Stripes: the power of a density at the shortest wavelengths of a lattice.

use super::CellRows;
use crate::error::Failure;
use crate::lanes::{InstructionSet, LaneWork, Lanes};
use crate::measures::bodies::BATCH;
use crate::parallel::*;
use crate::ranks::{Ranks, concat_on_first};
use crate::world::Edges;
use bytemuck::{Pod, Zeroable};

/// The power of a density at the shortest wavelengths and at twice these wavelengths, over all cells and axes. The sum
/// `short` is greatest for waves of 2 cells, the sum `long` for waves of 4 cells. D(x) is the density of the cell at
/// the place x along an axis.
#[derive(Debug, Clone, Copy, PartialEq, Default, Pod, Zeroable)]
#[repr(C)]
pub struct StripeSums {
    /// Σ (D(x−1) − 2D(x) + D(x+1))².
    pub short: f64,
    /// Σ (D(x−2) − 2D(x) + D(x+2))².
    pub long: f64,
}

impl StripeSums {
    /// The sums of each row of a slab. Cells near a wall are left out along the axis of the wall.
    pub(super) fn by_row(cells: &CellRows<'_>, edges: Edges) -> Vec<Self> {
        let world = cells.slab.world;
        let [width, height, depth] = world.along_axes().map(|extent| extent as usize);
        let set = InstructionSet::widest();
        let rows = cells.own_rows().into_par_iter().map(|[y, z]| {
            let own = cells.row([y, z]).density;
            let mut sums = Self::default();
            let inner = width.saturating_sub(4);
            if inner > 0 {
                let near = [&own[..inner], &own[1..][..inner], &own[3..][..inner], &own[4..]];
                set.run(RowTerms { own: &own[2..][..inner], near, sums: &mut sums });
            }
            for x in (0..width).filter(|x| *x < 2 || x + 2 >= width) {
                if let Some(near) = cells_near(x, width, edges) {
                    let [short, long] = terms(near.map(|x| own[x]), own[x]);
                    sums = sums.plus(Self { short, long });
                }
            }
            let along_y = cells_near(y, height, edges).map(|near| near.map(|y| [y, z]));
            let along_z = cells_near(z, depth, edges).filter(|_| world.axes() == 3);
            let along_z = along_z.map(|near| near.map(|z| [y, z]));
            for near in [along_y, along_z].into_iter().flatten() {
                let near = near.map(|row| cells.row(row).density);
                set.run(RowTerms { own, near, sums: &mut sums });
            }
            sums
        });
        rows.collect()
    }

    /// The sums of all rows of the world. Rows are added in their order, so that threads and ranks do not matter.
    pub(super) fn of_rows(rows: &[Self]) -> Self {
        rows.iter().copied().fold(Self::default(), Self::plus)
    }

    /// The sums of two sets of terms together.
    pub fn plus(self, other: Self) -> Self {
        Self { short: self.short + other.short, long: self.long + other.long }
    }

    /// (16 s − l) / (15 max(s, l)), with the short sum s and the long sum l. It is 0 for a density that changes slowly
    /// from cell to cell, and 1 for an independent random density in every cell. It is 16/15 for stripes with a
    /// wavelength of two cells. `None` for an even density.
    pub fn ratio(&self) -> Option<f64> {
        let greater = self.short.max(self.long);
        (greater > 0.0).then(|| (16.0 * self.short - self.long) / (15.0 * greater))
    }
}

/// The terms of a cell in [`StripeSums`]: `short`, then `long`. `near`: the densities at distances 2 and 1 before the
/// cell, and 1 and 2 after it. `own`: the density of the cell.
#[inline(always)]
fn terms(near: [u32; 4], own: u32) -> [f64; 2] {
    let own = 2.0 * f64::from(own);
    let short = f64::from(near[1]) + f64::from(near[2]) - own;
    let long = f64::from(near[0]) + f64::from(near[3]) - own;
    [short * short, long * long]
}

/// Adds the terms of a row of cells to `sums`, in the order of the cells. Vector instructions first compute the terms
/// of several cells.
struct RowTerms<'a> {
    own: &'a [u32],
    /// For each cell of `own`, the densities at distances 2 and 1 before it, and 1 and 2 after it, in lists of equal
    /// length.
    near: [&'a [u32]; 4],
    sums: &'a mut StripeSums,
}

impl LaneWork for RowTerms<'_> {
    #[inline(always)]
    fn run<L: Lanes>(self) {
        let (mut short, mut long) = ([0.0; BATCH], [0.0; BATCH]);
        let mut first = 0;
        while first < self.own.len() {
            let count = Ord::min(BATCH, self.own.len() - first);
            let own = &self.own[first..first + count];
            let [far, before, after, far_after] = self.near;
            let (far, before) = (&far[first..first + count], &before[first..first + count]);
            let (after, far_after) = (&after[first..first + count], &far_after[first..first + count]);
            for x in 0..count {
                [short[x], long[x]] = terms([far[x], before[x], after[x], far_after[x]], own[x]);
            }
            for x in 0..count {
                self.sums.short += short[x];
                self.sums.long += long[x];
            }
            first += count;
        }
    }
}

/// The places at distances 2 and 1 before a place along an axis, and 1 and 2 after it; `None` if one of them is beyond
/// a wall.
fn cells_near(place: usize, extent: usize, edges: Edges) -> Option<[usize; 4]> {
    let near = [-2, -1, 1, 2].map(|by: i64| edges.wrap(place as i64 + by, extent as i64));
    Some([near[0]? as usize, near[1]? as usize, near[2]? as usize, near[3]? as usize])
}

/// The stripes of the rows of all ranks: the power at a wavelength of 2 cells relative to the power at 4
/// ([`StripeSums::ratio`]). `None` for an even density, and on all ranks except the first.
///
/// # Errors
/// If another rank has ended.
pub fn stripes(cells: &CellRows<'_>, edges: Edges, ranks: &dyn Ranks) -> Result<Option<f64>, Failure> {
    Ok(StripeSums::of_rows(&concat_on_first(ranks, &StripeSums::by_row(cells, edges))?).ratio())
}
