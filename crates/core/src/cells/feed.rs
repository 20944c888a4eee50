//! Feeding: the amounts that layers eat of each other in each cell.

use super::band::{Band, BandKernel, BandRow};
use super::context::{Meal, PassContext};
use crate::lanes::Lanes;
use crate::state::fields::Row;

/// Fills rows of D'. Reads the capacity, the density of the layer, and the densities of the layers that it eats or that
/// eat it.
///
/// D' = D + Σ eaten by the layer - Σ eaten of the layer; see [`Meal`]. D is the density of the layer.
pub struct Feed;

impl BandKernel for Feed {
    #[inline(always)]
    fn band<L: Lanes>(context: &PassContext<'_>, band: &mut Band<'_, '_>) {
        for (index, piece) in band.pieces.clone().enumerate() {
            for (place, row) in context.layout.lattice_rows(piece) {
                let own = BandRow { piece: index, place, row };
                let mut fed = band.scratch.counted;
                let halo = context.layout.halo;
                let width = context.layout.extents.width as usize;
                let cells = &mut band.row_mut(context, 0, own)[halo..][..width];
                cells.copy_from_slice(row_of(context, 1, row));
                for meal in context.meals {
                    eat(context, row, *meal, cells, &mut fed);
                }
                band.scratch.counted = fed;
                band.mark_row::<L>(context, 0, own);
            }
        }
    }
}

/// The cells of a row of a field that is read.
#[inline(always)]
fn row_of<'a>(context: &PassContext<'a>, read: usize, row: Row) -> &'a [u32] {
    context.read[read].span_of(0, row, context.layout.extents.width as usize)
}

/// Works out a meal in the cells of a row. Adds the eaten quanta if the layer is the eater, subtracts them if it is the
/// prey.
#[inline(always)]
fn eat(context: &PassContext<'_>, row: Row, Meal { eater, prey, rate }: Meal, cells: &mut [u32], fed: &mut [u64; 2]) {
    let (capacity, eaters, preys) =
        (row_of(context, 0, row), row_of(context, 1 + eater, row), row_of(context, 1 + prey, row));
    let mut sum = 0;
    for (((cell, eater_here), prey), capacity) in cells.iter_mut().zip(eaters).zip(preys).zip(capacity) {
        let eaten = eaten(*eater_here, *prey, *capacity, rate);
        *cell = if eater == 0 { cell.wrapping_add(eaten) } else { cell.wrapping_sub(eaten) };
        sum += u64::from(eaten);
    }
    fed[usize::from(eater != 0)] += sum;
}

/// The quanta eaten in a cell: `rate` (Q14) of the least of the eater, the prey and the room for the eater.
#[inline(always)]
fn eaten(eater: u32, prey: u32, capacity: u32, rate: u32) -> u32 {
    let most = eater.min(prey).min(capacity.max(eater).wrapping_sub(eater));
    // The sums do not overflow, because the rate is at most 1. Checked arithmetic would prevent vector instructions.
    (most >> 14).wrapping_mul(rate).wrapping_add((most & 0x3fff).wrapping_mul(rate) >> 14)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_meal_is_an_exact_part_of_what_is_there() {
        for (eater, prey, capacity, rate, expected) in [
            (10, 7, 100, 1 << 14, 7),
            (3, 7, 100, 1 << 14, 3),
            (10, 7, 12, 1 << 14, 2),
            (10, 7, 4, 1 << 14, 0),
            (u32::MAX - 1, u32::MAX, u32::MAX, 1 << 14, 1),
            (1 << 31, u32::MAX, u32::MAX, 1 << 13, (u32::MAX >> 1) / 2),
            (65_536, 65_536, u32::MAX, 1, 4),
            (16_383, 16_383, u32::MAX, 1, 0),
        ] {
            assert_eq!(eaten(eater, prey, capacity, rate), expected, "{eater} {prey} {capacity} {rate}");
        }
        // A comparison with a product in full width, for numbers of every size.
        let mut random = crate::numbers::random::generator(1, 1);
        for _ in 0..10_000 {
            let [eater, prey, capacity] = [(); 3].map(|()| random.below(1 << 32) as u32 >> random.below(31));
            let rate = random.below(16_385) as u32;
            let most = eater.min(prey).min(capacity.saturating_sub(eater));
            let expected = (u64::from(most) * u64::from(rate)) >> 14;
            assert_eq!(u64::from(eaten(eater, prey, capacity, rate)), expected, "{eater} {prey} {capacity} {rate}");
        }
    }
}
