//! The hunter: away from it (flee) or towards it (follow), the more so the nearer it is.
//!
//! v_h = ±(x - h)/|x - h| · (1 - |x - h|/reach) inside the reach, 0 outside.

use super::context::{PassContext, RowKernel};
use super::parameters::Parameters;
use crate::lanes::Lanes;
use crate::numbers::{Cell, RULE_ONE, Vector, quotient};
use crate::vector::{length, pack, round_shift, scale, stretch};
use crate::world::{Edges, Extents, PARTS, offset, undecided};

/// v_h (Q10) of a cell.
#[inline(always)]
pub fn hunter(cell: Cell, extents: Extents, edges: Edges, parameters: &Parameters) -> Vector {
    let [width, height] = extents.as_cell().map(|extent| extent * PARTS);
    let reach = parameters.hunter_reach * PARTS;
    let x = offset(parameters.hunter_x, cell[0] * PARTS, width, edges);
    let y = offset(parameters.hunter_y, cell[1] * PARTS, height, edges);
    // With both axes within the reach, the length fits (255 cells are 4080 parts).
    let is_near = x.abs() <= reach && y.abs() <= reach;
    let component = |offset, extent| if is_near && !undecided(offset, extent, edges) { offset } else { 0 };
    let away = [component(x, width), component(y, height)];
    let distance = length(away);
    let is_inside = distance > 0 && distance < reach;
    let fade = quotient((reach - distance) * RULE_ONE, Ord::max(reach, 1));
    let strength = if is_inside { parameters.hunter_towards * fade } else { 0 };
    round_shift::<i32, 2, 10>(scale(stretch(away, distance, RULE_ONE), strength))
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
