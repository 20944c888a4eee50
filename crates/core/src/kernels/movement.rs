//! Movement: `outflow` and `advect` in one pass, from V as `behaviour` leaves it, after the bounce.
//!
//! D' = D - given + received;  V'' = mean of V' over the boids now here, weighted by where they came from.
//!
//! The outflows of three rows are kept at a time, so that they stay in the cache.

use super::advect::{Outflows, receive};
use super::context::{Band, BandKernel, PassContext};
use super::outflow::outflows;
use crate::fields::ThreeRows;
use crate::lanes::{Lanes, MAX_LANES};
use crate::vector::unpack;

/// Rows of outflows that are kept.
const ROWS: usize = 3;
/// Cells on either side of a row whose outflows are kept too.
const HALO: usize = 1;

/// The words of scratch that a band needs for rows of so many cells.
pub fn scratch_words(width: usize) -> usize {
    ROWS * 3 * row_words(width)
}

/// The words of one row of one outflow, in whole chunks.
fn row_words(width: usize) -> usize {
    (width.next_multiple_of(MAX_LANES) + 2 * HALO).next_multiple_of(MAX_LANES)
}

/// Fills rows of D' and of V''. Reads the density, the capacity and the control vector.
pub struct Movement<const METHOD: u32>;

impl<const METHOD: u32> BandKernel for Movement<METHOD> {
    #[inline(always)]
    fn band<L: Lanes>(context: &PassContext<'_>, band: &mut Band<'_, '_>) {
        let [density, capacity, control] = [context.read[0], context.read[1], context.read[2]];
        let [out_density, out_control] = &mut *band.write else { unreachable!("movement writes two fields") };
        let words = row_words(context.extents.width as usize);
        for (index, y) in band.rows.clone().enumerate() {
            for row in if index == 0 { y - 1 } else { y + 1 }..=y + 1 {
                let (along_x, rest) = band.scratch[place(row) * words..][..3 * words].split_at_mut(words);
                let (along_y, along_both) = rest.split_at_mut(words);
                let (density, capacity) = (density.three_rows(row), capacity.three_rows(row));
                for cell in (0..words).step_by(L::COUNT) {
                    let x = cell as i32 - HALO as i32;
                    let given = outflows::<L, METHOD>(unpack(control.lanes(x, row)), density.at(x), capacity.at(x));
                    given[0].store(&mut along_x[cell..]);
                    given[1].store(&mut along_y[cell..]);
                    given[2].store(&mut along_both[cell..]);
                }
            }
            let kept = |direction: usize, row: i32| &band.scratch[(place(row) + direction) * words..][..words];
            let outflows: Outflows<'_> = [0, 1, 2].map(|direction| ThreeRows {
                rows: [y - 1, y, y + 1].map(|row| kept(direction, row)),
                halo: HALO as i32,
            });
            let row = index * context.stride..(index + 1) * context.stride;
            let out_density = bytemuck::cast_slice_mut(&mut out_density[row.clone()]);
            let out_control = bytemuck::cast_slice_mut(&mut out_control[row]);
            let (density, control) = (density.three_rows(y), control.three_rows(y));
            receive::<L>(context, &density, &control, &outflows, out_density, out_control);
        }
    }
}

/// The place of a row's outflows in the scratch, in rows of one outflow.
#[inline(always)]
fn place(y: i32) -> usize {
    (y + 1) as usize % ROWS * 3
}
