//! The hunter: v_h, the control vector that [`HunterPlace::control`](crate::world::HunterPlace::control) defines.

use super::context::{PassContext, RowKernel};
use super::parameters::Parameters;
use crate::lanes::Lanes;
use crate::numbers::{Cell, Vector};
use crate::vector::pack;
use crate::world::{Edges, Extents, PARTS, offset};

/// v_h (Q10) of a cell.
#[inline(always)]
pub fn hunter(cell: Cell, extents: Extents, edges: Edges, parameters: &Parameters) -> Vector {
    parameters.hunter().control(cell.map(|place| place * PARTS), extents, edges)
}

/// Fills rows of v_h. Reads nothing.
pub struct Hunter;

impl RowKernel for Hunter {
    #[inline(always)]
    fn row<L: Lanes>(context: &PassContext<'_>, y: i32, write: &mut [&mut [i32]]) {
        let parameters = context.parameters;
        let [_, height] = context.extents.as_cell();
        let rows_away = offset(parameters.hunter_y, y * PARTS, height * PARTS, context.edges).abs();
        if rows_away > parameters.hunter_reach * PARTS {
            write[0].fill(0);
            return;
        }
        let cells = &mut context.at(write[0], 0)[..context.extents.width as usize];
        for (x, out) in (0..).zip(cells) {
            *out = pack(hunter([x, y], context.extents, context.edges, parameters));
        }
    }
}
