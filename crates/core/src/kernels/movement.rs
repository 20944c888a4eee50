//! Movement: what `outflow` and `advect` do, in one pass, from V as `behaviour` leaves it: turned where the way is blocked.
//!
//! The outflows of three rows are kept at a time, so that they never leave the cache.

use super::advect::{Outflows, take};
use super::outflow::{BILINEAR, NEAREST, SPLIT, given};
use super::{Band, Scene};
use crate::fields::Around;
use crate::lanes::{Lanes, MAX_LANES};
use crate::vector::unpack;

/// Rows of outflows that are kept.
const KEPT: usize = 3;
/// Cells beside a row's own whose outflows are kept, on either side.
const BESIDE: usize = 1;

/// The words of scratch that a band needs for rows of so many cells.
pub fn scratch_words(width: usize) -> usize {
    KEPT * 3 * row_words(width)
}

/// The words of one row of one outflow: the row's chunks and the cells beside, in whole chunks.
fn row_words(width: usize) -> usize {
    (width.next_multiple_of(MAX_LANES) + 2 * BESIDE).next_multiple_of(MAX_LANES)
}

/// Fills rows of D' and of V''. Reads the density, the capacity and the control vector.
#[inline(always)]
pub fn play<L: Lanes>(scene: &Scene<'_>, band: &mut Band<'_, '_>) {
    match scene.parameters.distribution {
        NEAREST => rows::<L, NEAREST>(scene, band),
        SPLIT => rows::<L, SPLIT>(scene, band),
        _ => rows::<L, BILINEAR>(scene, band),
    }
}

#[inline(always)]
fn rows<L: Lanes, const METHOD: u32>(scene: &Scene<'_>, band: &mut Band<'_, '_>) {
    let [density, capacity, control] = [scene.read[0], scene.read[1], scene.read[2]];
    let [out_density, out_control] = &mut *band.write else { unreachable!("movement writes two fields") };
    let words = row_words(scene.extents.width as usize);
    for (index, y) in band.rows.clone().enumerate() {
        for row in if index == 0 { y - 1 } else { y + 1 }..=y + 1 {
            let (along_x, rest) = band.scratch[place(row) * words..][..3 * words].split_at_mut(words);
            let (along_y, along_both) = rest.split_at_mut(words);
            let (density, capacity) = (density.around(row), capacity.around(row));
            for cell in (0..words).step_by(L::COUNT) {
                let x = cell as i32 - BESIDE as i32;
                let given = given::<L, METHOD>(unpack(control.lanes(x, row)), density.cells(x), capacity.cells(x));
                given[0].store(&mut along_x[cell..]);
                given[1].store(&mut along_y[cell..]);
                given[2].store(&mut along_both[cell..]);
            }
        }
        let kept = |along: usize, row: i32| &band.scratch[(place(row) + along) * words..][..words];
        let outflows: Outflows<'_> =
            [0, 1, 2].map(|along| Around { rows: [y - 1, y, y + 1].map(|row| kept(along, row)), halo: BESIDE as i32 });
        let row = index * scene.stride..(index + 1) * scene.stride;
        let out_density = bytemuck::cast_slice_mut(&mut out_density[row.clone()]);
        let out_control = bytemuck::cast_slice_mut(&mut out_control[row]);
        take::<L>(scene, &density.around(y), &control.around(y), &outflows, out_density, out_control);
    }
}

/// Where the outflows of a row are kept, in rows of one outflow.
#[inline(always)]
fn place(y: i32) -> usize {
    (y + 1) as usize % KEPT * 3
}
