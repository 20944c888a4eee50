//! Cells with the cells around them: 8 in a flat world, 26 in a deep one.

use crate::lanes::Lanes;
use crate::numbers::Vector3;
use crate::state::fields::{FieldView, Row};
use std::marker::PhantomData;

/// The rows of a field around a row: three rows of three slices. In a flat world only the middle slice has rows.
#[derive(Clone, Copy)]
pub struct RowsAround<'a, const AXES: usize> {
    slices: [[&'a [i32]; 3]; 3],
    /// The cells in each row before x = 0.
    halo: i32,
}

impl<'a, const AXES: usize> RowsAround<'a, AXES> {
    #[inline(always)]
    pub fn new(field: FieldView<'a>, [y, z]: Row) -> Self {
        let own = field.three_rows_of([y, z]);
        let mut slices: [[&[i32]; 3]; 3] = [[&[]; 3], own.rows, [&[]; 3]];
        if AXES == 3 {
            slices[0] = field.three_rows_of([y, z - 1]).rows;
            slices[2] = field.three_rows_of([y, z + 1]).rows;
        }
        Self { slices, halo: own.halo }
    }

    /// The rows of a flat world above, at and below a row. `halo`: the cells in each before x = 0.
    #[inline(always)]
    pub fn flat(rows: [&'a [i32]; 3], halo: usize) -> Self {
        Self { slices: [[&[]; 3], rows, [&[]; 3]], halo: halo as i32 }
    }

    /// The cells from x on, one per lane, with their neighbours.
    ///
    /// # Panics
    /// If a neighbour lies outside the rows.
    #[inline(always)]
    pub fn at<L: Lanes>(&self, x: i32) -> Neighbourhood<'_, L, AXES> {
        let at = (self.halo + x) as usize;
        for row in if AXES == 3 { self.slices.as_flattened() } else { &self.slices[1] } {
            assert!(at > 0 && at < row.len().saturating_sub(L::COUNT), "a row is long enough for every chunk");
        }
        Neighbourhood { slices: &self.slices, at, lanes: PhantomData }
    }
}

/// Cells, one per lane, with the cells around them. Bounds are checked once for all of them.
#[derive(Clone, Copy)]
pub struct Neighbourhood<'a, L, const AXES: usize> {
    slices: &'a [[&'a [i32]; 3]; 3],
    at: usize,
    lanes: PhantomData<L>,
}

impl<L: Lanes, const AXES: usize> Neighbourhood<'_, L, AXES> {
    /// The neighbours at an offset of -1, 0 or 1 cells on each axis. In a flat world dz is 0.
    #[inline(always)]
    pub fn neighbour(&self, [dx, dy, dz]: Vector3) -> L {
        assert!((-1..=1).contains(&dx) && (AXES == 3 || dz == 0), "neighbours are one cell away");
        let row = self.slices[(1 + dz) as usize][(1 + dy) as usize];
        // SAFETY: `RowsAround::at` has checked that the rows hold the cells from `at - 1` to one after the last lane.
        unsafe { L::load_unchecked(row, self.at.wrapping_add_signed(dx as isize)) }
    }

    #[inline(always)]
    pub fn centre(&self) -> L {
        self.neighbour([0; 3])
    }

    /// The neighbours ahead along these axes, by the signs of the control vector. `axes`: bit 0 is x, bit 1 is y, bit 2
    /// is z.
    #[inline(always)]
    pub fn ahead(&self, control: [L; AXES], axes: usize) -> L {
        if axes & 0b001 == 0 {
            return self.ahead_along_yz(control, axes, 0);
        }
        control[0].select(self.ahead_along_yz(control, axes, -1), self.ahead_along_yz(control, axes, 1))
    }

    #[inline(always)]
    fn ahead_along_yz(&self, control: [L; AXES], axes: usize, dx: i32) -> L {
        if axes & 0b010 == 0 {
            return self.ahead_along_z(control, axes, [dx, 0]);
        }
        control[1].select(self.ahead_along_z(control, axes, [dx, -1]), self.ahead_along_z(control, axes, [dx, 1]))
    }

    #[inline(always)]
    fn ahead_along_z(&self, control: [L; AXES], axes: usize, [dx, dy]: [i32; 2]) -> L {
        if axes & 0b100 == 0 {
            return self.neighbour([dx, dy, 0]);
        }
        control[2].select(self.neighbour([dx, dy, -1]), self.neighbour([dx, dy, 1]))
    }

    /// The max of the cells that share a face with the cells, and of the cells themselves.
    #[inline(always)]
    pub fn max_at_faces(&self) -> L {
        let mut greatest = self.centre();
        for axis in 0..AXES {
            for step in [-1, 1] {
                greatest = greatest.max_unsigned(self.face(axis, step));
            }
        }
        greatest
    }

    /// The neighbours that lie one cell away along an axis. `step`: -1 or 1.
    #[inline(always)]
    pub fn face(&self, axis: usize, step: i32) -> L {
        let mut offset = [0; 3];
        offset[axis] = step;
        self.neighbour(offset)
    }

    /// The max of all neighbours.
    #[inline(always)]
    pub fn max_around(&self) -> L {
        let mut greatest = L::splat(0);
        let slices = AXES as i32 - 2;
        for z in -slices..=slices {
            for y in -1..=1 {
                for x in -1..=1 {
                    if [x, y, z] != [0; 3] {
                        greatest = greatest.max_unsigned(self.neighbour([x, y, z]));
                    }
                }
            }
        }
        greatest
    }
}
