//! Cells of a deep world with their 26 neighbours.

use crate::fields::{FieldView, Neighbourhood, Row, ThreeRows};
use crate::lanes::Lanes;
use crate::vector::unpack;

/// Rows of a field around a row, in the slices before, at and behind it.
#[derive(Clone, Copy)]
pub struct NineRows<'a> {
    pub slices: [ThreeRows<'a>; 3],
}

impl<'a> NineRows<'a> {
    #[inline(always)]
    pub fn new(field: FieldView<'a>, part: usize, [y, z]: Row) -> Self {
        Self { slices: [-1, 0, 1].map(|step| field.three_rows_of(part, [y, z + step])) }
    }

    /// The cells from x on, one per lane, with their neighbours.
    #[inline(always)]
    pub fn at<L: Lanes>(&self, x: i32) -> NeighbourhoodInSpace<'a, L> {
        NeighbourhoodInSpace { slices: [self.slices[0].at(x), self.slices[1].at(x), self.slices[2].at(x)] }
    }
}

/// Cells, one per lane, with their 26 neighbours each.
#[derive(Clone, Copy)]
pub struct NeighbourhoodInSpace<'a, L> {
    slices: [Neighbourhood<'a, L>; 3],
}

impl<L: Lanes> NeighbourhoodInSpace<'_, L> {
    /// The neighbours at an offset of -1, 0 or 1 cells on each axis.
    #[inline(always)]
    pub fn neighbour(&self, [dx, dy, dz]: [i32; 3]) -> L {
        self.slices[(1 + dz) as usize].neighbour([dx, dy])
    }

    #[inline(always)]
    pub fn centre(&self) -> L {
        self.neighbour([0; 3])
    }

    /// The neighbours ahead along these axes, by the signs of the control vector.
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

    /// The control vectors in a field of them, whose second words are `along_z`.
    #[inline(always)]
    pub fn control(&self, along_z: &Self, offset: [i32; 3]) -> [L; 3] {
        let [x, y] = unpack(self.neighbour(offset));
        [x, y, along_z.neighbour(offset)]
    }
}
