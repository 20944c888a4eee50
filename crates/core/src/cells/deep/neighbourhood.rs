//! Cells of a deep world with their 26 neighbours.

use crate::lanes::Lanes;
use crate::state::fields::{FieldView, Row};
use std::marker::PhantomData;

/// Rows of a field around a row, in the slices before, at and after it.
#[derive(Clone, Copy)]
pub struct NineRows<'a> {
    slices: [[&'a [i32]; 3]; 3],
    /// The cells in each row before x = 0.
    halo: i32,
}

impl<'a> NineRows<'a> {
    #[inline(always)]
    pub fn new(field: FieldView<'a>, [y, z]: Row) -> Self {
        let own = field.three_rows_of([y, z]);
        let (before, after) = (field.three_rows_of([y, z - 1]), field.three_rows_of([y, z + 1]));
        Self { slices: [before.rows, own.rows, after.rows], halo: own.halo }
    }

    /// The cells from x on, one per lane, with their neighbours.
    ///
    /// # Panics
    /// If a neighbour lies outside the rows.
    #[inline(always)]
    pub fn at<L: Lanes>(&self, x: i32) -> DeepNeighbourhood<'_, L> {
        let at = (self.halo + x) as usize;
        for row in self.slices.as_flattened() {
            assert!(at > 0 && at < row.len().saturating_sub(L::COUNT), "a row is long enough for every chunk");
        }
        DeepNeighbourhood { slices: &self.slices, at, lanes: PhantomData }
    }
}

/// Cells, one per lane, with their 26 neighbours. Bounds are checked once for all of them.
#[derive(Clone, Copy)]
pub struct DeepNeighbourhood<'a, L> {
    slices: &'a [[&'a [i32]; 3]; 3],
    at: usize,
    lanes: PhantomData<L>,
}

impl<L: Lanes> DeepNeighbourhood<'_, L> {
    /// The neighbours at an offset of -1, 0 or 1 cells on each axis.
    #[inline(always)]
    pub fn neighbour(&self, [dx, dy, dz]: [i32; 3]) -> L {
        assert!((-1..=1).contains(&dx), "neighbours are one cell away");
        let row = self.slices[(1 + dz) as usize][(1 + dy) as usize];
        // SAFETY: `NineRows::at` has checked that the rows hold the cells from `at - 1` to one after the last lane.
        unsafe { L::load_unchecked(row, self.at.wrapping_add_signed(dx as isize)) }
    }

    #[inline(always)]
    pub fn centre(&self) -> L {
        self.neighbour([0; 3])
    }

    /// The neighbours ahead along these axes, by the signs of the control vector. `axes`: an element of
    /// [`AXES_OF`](super::AXES_OF).
    #[inline(always)]
    pub fn ahead(&self, control: [L; 3], axes: usize) -> L {
        if axes & 0b001 == 0 {
            return self.ahead_along_yz(control, axes, 0);
        }
        control[0].select(self.ahead_along_yz(control, axes, -1), self.ahead_along_yz(control, axes, 1))
    }

    #[inline(always)]
    fn ahead_along_yz(&self, control: [L; 3], axes: usize, dx: i32) -> L {
        if axes & 0b010 == 0 {
            return self.ahead_along_z(control, axes, [dx, 0]);
        }
        control[1].select(self.ahead_along_z(control, axes, [dx, -1]), self.ahead_along_z(control, axes, [dx, 1]))
    }

    #[inline(always)]
    fn ahead_along_z(&self, control: [L; 3], axes: usize, [dx, dy]: [i32; 2]) -> L {
        if axes & 0b100 == 0 {
            return self.neighbour([dx, dy, 0]);
        }
        control[2].select(self.neighbour([dx, dy, -1]), self.neighbour([dx, dy, 1]))
    }
}
