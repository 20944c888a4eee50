//! The gap field: the distance of every voxel from the rock, in a byte.
//!
//! The gap between two voxels is the exact distance between their cubes. With the offset d of their centres in voxels,
//! gap² = Σ max(|dᵢ| - 1, 0)² over the axes i. The gap of a voxel is the least gap between it and a voxel of rock. It
//! is a lower bound of the distance from any place in the voxel to any place in rock. So code that reads the gap field
//! needs no interpolation and no margin.
//!
//! gap² is the squared distance between voxel centres, from the voxel to the rock dilated by 3 × 3 × 3 voxels
//! (*Distance Transforms of Sampled Functions*, P. F. Felzenszwalb and D. P. Huttenlocher). It is a sum over axes, so
//! each axis has its own pass. The pass along x scans each row in both directions. The passes along y and z compute
//! out[i] = min over k of in[i ± k] + k², with k² below the greatest value of a row.

use crate::parallel::*;
use crate::world::{Edges, Extents};

/// The greatest distance that the gap field represents, in cells. (Its bytes have at most 254 quarters of a cell.)
pub const MAX_GAP: u32 = 64;

/// Computes the gap field. It has a byte for every voxel, x fastest: 0 in rock, otherwise 1 + floor(4·gap), at most
/// 255, with the gap in cells. A gap beyond `reach` cells (at most [`MAX_GAP`]) counts as `reach`. `solids`: whether
/// each voxel is rock, x fastest; empty without rock.
///
/// Everything beyond a wall is rock. In a flat world nothing lies above or below the world.
///
/// # Panics
/// If `solids` is not empty and does not have an element for each voxel.
pub fn gaps(extents: Extents, edges: Edges, solids: &[bool], reach: u32) -> Vec<u8> {
    let cells = extents.cells();
    assert!(solids.is_empty() || solids.len() == cells, "{} flags for {cells} voxels", solids.len());
    let lattice = Lattice { extents, edges, solids, reach: reach.min(MAX_GAP) as u16 };
    let [width, height, _] = extents.along_axes().map(|extent| extent as usize);
    let plane = width * height;
    let mut along_x = vec![0u16; cells];
    along_x
        .par_chunks_mut(width)
        .enumerate()
        .for_each_init(Vec::new, |rock, (row, squares)| lattice.scan_row(row % height, row / height, rock, squares));
    let mut in_plane = vec![0u16; cells];
    in_plane.par_chunks_mut(plane).enumerate().for_each(|(z, squares)| {
        let from = &along_x[z * plane..][..plane];
        for (y, row) in squares.chunks_mut(width).enumerate() {
            lattice.lower_row(row, y, height, |y| &from[y * width..][..width]);
        }
    });
    drop(along_x);
    let bytes: Vec<u8> = (0..=square(lattice.reach)).map(byte).collect();
    let mut gaps = vec![0; cells];
    gaps.par_chunks_mut(width).enumerate().for_each_init(
        || vec![0u16; width],
        |squares, (row, gaps)| {
            let (y, z) = (row % height, row / height);
            lattice
                .lower_row(squares, z, extents.slices() as usize, |z| &in_plane[(z * height + y) * width..][..width]);
            gaps.iter_mut().zip(&*squares).for_each(|(gap, square)| *gap = bytes[usize::from(*square)]);
            let rock = solids.get(row * width..).into_iter().flatten();
            gaps.iter_mut().zip(rock).filter(|(_, rock)| **rock).for_each(|(gap, _)| *gap = 0);
        },
    );
    gaps
}

/// The byte of the gap field for a squared gap in cells: 1 + floor(4·√square), at most 255.
fn byte(square: u16) -> u8 {
    (1 + (16 * u32::from(square)).isqrt()).min(255) as u8
}

fn square(length: u16) -> u16 {
    length * length
}

struct Lattice<'a> {
    extents: Extents,
    edges: Edges,
    solids: &'a [bool],
    reach: u16,
}

impl Lattice<'_> {
    /// Computes the squared distance, in voxels, from each voxel of a row to the dilated rock in this row. `rock` is a
    /// buffer.
    fn scan_row(&self, y: usize, z: usize, rock: &mut Vec<bool>, squares: &mut [u16]) {
        self.gather(y, z, rock);
        let next = |distance: u16, beside: &[bool]| {
            if beside[0] | beside[1] | beside[2] { 0 } else { (distance + 1).min(self.reach) }
        };
        // Beyond a wall is rock, so the first and the last voxel are in the dilated rock. On a torus the first scan
        // starts with the distance at the other end of the row.
        let around = self.edges == Edges::Torus;
        let mut distance = if around { rock.windows(3).fold(self.reach, next) } else { self.reach };
        for (out, beside) in squares.iter_mut().zip(rock.windows(3)) {
            distance = next(distance, beside);
            *out = distance;
        }
        distance = if around { rock.windows(3).rev().fold(self.reach, next) } else { self.reach };
        for (out, beside) in squares.iter_mut().zip(rock.windows(3)).rev() {
            distance = next(distance, beside);
            *out = square((*out).min(distance));
        }
    }

    /// Marks in `rock` each place x of a row at which the row or one of the rows next to it is rock. `rock` has one
    /// more element at either end.
    fn gather(&self, y: usize, z: usize, rock: &mut Vec<bool>) {
        let [width, height, depth] = self.extents.along_axes().map(|extent| extent as usize);
        rock.clear();
        rock.resize(width + 2, false);
        let beside = |place: usize, extent: usize| {
            [-1, 0, 1].map(|offset| self.edges.wrap(place as i64 + offset, extent as i64).map(|place| place as usize))
        };
        let slices = if self.extents.depth.is_some() { &beside(z, depth)[..] } else { &[Some(0)] };
        for z in slices {
            for y in beside(y, height) {
                let (Some(y), Some(z)) = (y, *z) else {
                    rock.fill(true);
                    return;
                };
                let row = self.solids.get((z * height + y) * width..).into_iter().flatten();
                rock[1..=width].iter_mut().zip(row).for_each(|(rock, solid)| *rock |= solid);
            }
        }
        let ends = if self.edges == Edges::Torus { [rock[width], rock[1]] } else { [true; 2] };
        [rock[0], rock[width + 1]] = ends;
    }

    /// Computes the row `at` of a pass along y or z. Each voxel gets the minimum over k ≥ 0 of k² plus the input value
    /// in the two rows at the distance k. `row_at`: returns the input row at a place on the axis, which has `extent`
    /// voxels.
    fn lower_row<'a>(&self, row: &mut [u16], at: usize, extent: usize, row_at: impl Fn(usize) -> &'a [u16]) {
        row.copy_from_slice(row_at(at));
        let mut greatest = row.iter().copied().max().unwrap_or(0);
        // On a torus, a row farther away than half of the extent is nearer in the other direction.
        let farthest = if self.edges == Edges::Torus { extent / 2 } else { extent - 1 };
        for k in 1..=farthest.min(self.reach.into()) as u16 {
            let step = square(k);
            if step >= greatest {
                return;
            }
            for at in [at as i64 - i64::from(k), at as i64 + i64::from(k)] {
                let Some(at) = self.edges.wrap(at, extent as i64) else { continue };
                row.iter_mut()
                    .zip(row_at(at as usize))
                    .for_each(|(out, other)| *out = (*out).min(other.saturating_add(step)));
            }
            greatest = row.iter().copied().max().unwrap_or(0);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::numbers::random::generator;

    /// The gap field by its definition. Beyond walls, one layer of rock suffices.
    fn by_definition(extents: Extents, edges: Edges, solids: &[bool], reach: u32) -> Vec<u8> {
        let of = extents.along_axes().map(|extent| extent as i32);
        let axes = extents.axes();
        let along = |from: i32, to: i32, axis: usize| {
            let straight = (to - from).abs();
            let least = if edges == Edges::Torus { straight.min(of[axis] - straight) } else { straight };
            (least - 1).max(0)
        };
        let rock: Vec<_> = (0..solids.len()).filter(|index| solids[*index]).map(|index| extents.cell(index)).collect();
        let gap = |index: usize| {
            let place = extents.cell(index);
            let to = |rock: &[i32; 3]| (0..axes).map(|axis| along(place[axis], rock[axis], axis).pow(2)).sum::<i32>();
            let inside = rock.iter().map(to).min().unwrap_or(i32::MAX);
            let outside = (0..axes).map(|axis| place[axis].min(of[axis] - 1 - place[axis]).pow(2)).min().unwrap();
            let square = if edges == Edges::Walls { inside.min(outside) } else { inside };
            let square = (square as u32).min(reach * reach);
            if solids[index] { 0 } else { (1 + (f64::from(16 * square).sqrt() as u32)).min(255) as u8 }
        };
        (0..solids.len()).map(gap).collect()
    }

    #[test]
    fn gaps_are_those_of_the_definition() {
        let mut random = generator(5, 1);
        let all = [
            Extents::flat(23, 17),
            Extents::flat(1, 9),
            Extents::flat(64, 2),
            Extents::deep(13, 9, 11),
            Extents::deep(17, 1, 6),
            Extents::deep(2, 2, 2),
            Extents::deep(9, 8, 1),
            Extents::deep(3, 5, 40),
            Extents::deep(1, 1, 1),
        ];
        for extents in all {
            for edges in [Edges::Torus, Edges::Walls] {
                for (thousandths, reach) in [(2, 63), (2, 4), (30, 8), (300, 63), (0, 5), (0, 64), (1000, 9), (20, 0)] {
                    let solids: Vec<bool> = (0..extents.cells()).map(|_| random.below(1000) < thousandths).collect();
                    let made = gaps(extents, edges, &solids, reach);
                    let case = format!("{extents} {edges:?} {thousandths} {reach}");
                    assert_eq!(made, by_definition(extents, edges, &solids, reach), "{case}");
                    if thousandths == 0 {
                        assert_eq!(gaps(extents, edges, &[], reach), made, "{case}");
                    }
                }
            }
        }
    }

    /// One voxel of rock on a large torus gives every distance up to the reach and beyond it.
    #[test]
    fn far_gaps_are_held_at_the_reach_and_at_255() {
        let extents = Extents::deep(160, 141, 3);
        let mut solids = vec![false; extents.cells()];
        solids[77] = true;
        for reach in [10, 48, 63, 64, 1000] {
            let made = gaps(extents, Edges::Torus, &solids, reach);
            assert_eq!(made, by_definition(extents, Edges::Torus, &solids, reach.min(64)), "{reach}");
            let most = (1 + 4 * reach).min(255) as u8;
            assert_eq!(made.iter().max(), Some(&most), "{reach}");
        }
    }

    #[test]
    fn any_number_of_threads_makes_the_same_gaps() {
        let extents = Extents::deep(31, 22, 13);
        let mut random = generator(6, 1);
        let solids: Vec<bool> = (0..extents.cells()).map(|_| random.below(100) == 0).collect();
        let made = |threads| {
            let pool = ThreadPool::new(Some(threads), "test").unwrap();
            pool.install(|| gaps(extents, Edges::Walls, &solids, 20))
        };
        let one = made(1);
        assert_eq!(one, made(3));
        assert!(one.iter().max() > Some(&9), "{:?}", one.iter().max());
    }
}
