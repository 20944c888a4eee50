//! The hunter: away from it (flee) or towards it (follow), the more so the nearer it is.
//!
//! v_h = ±(x - h)/|x - h| · (1 - |x - h|/reach) inside the reach, 0 outside.

use super::parameters::Parameters;
use super::{RowKernel, Scene};
use crate::lanes::Lanes;
use crate::numbers::{Cell, RULE_ONE, Vector, quotient, round_shift};
use crate::vector::{length, pack, stretch};
use crate::world::{Edges, Extents, PARTS, offset, undecided};

/// v_h (Q10) of a cell.
#[inline(always)]
pub fn hunter(cell: Cell, extents: Extents, edges: Edges, parameters: &Parameters) -> Vector {
    let [width, height] = extents.as_cell().map(|extent| extent * PARTS);
    let reach = parameters.hunter_reach * PARTS;
    let x = offset(parameters.hunter_x, cell[0] * PARTS, width, edges);
    let y = offset(parameters.hunter_y, cell[1] * PARTS, height, edges);
    // An axis beyond the reach says enough; without it every length fits (255 cells are 4080 parts).
    let near = x.abs() <= reach && y.abs() <= reach;
    let along = |offset, extent| if near && !undecided(offset, extent, edges) { offset } else { 0 };
    let away = [along(x, width), along(y, height)];
    let distance = length(away);
    let inside = distance > 0 && distance < reach;
    let direction = stretch(away, distance, RULE_ONE);
    let fade = quotient((reach - distance) * RULE_ONE, Ord::max(reach, 1));
    let strength = if inside { parameters.hunter_towards * fade } else { 0 };
    [round_shift(direction[0] * strength, 10), round_shift(direction[1] * strength, 10)]
}

/// Fills rows of v_h. Reads nothing.
pub struct Hunter;

impl RowKernel for Hunter {
    #[inline(always)]
    fn row<L: Lanes>(scene: &Scene<'_>, y: i32, write: &mut [&mut [i32]]) {
        let parameters = scene.parameters;
        let [_, height] = scene.extents.as_cell();
        let rows_away = offset(parameters.hunter_y, y * PARTS, height * PARTS, scene.edges).abs();
        if rows_away > parameters.hunter_reach * PARTS {
            write[0].fill(0);
            return;
        }
        let cells = &mut scene.at(write[0], 0)[..scene.extents.width as usize];
        for (x, out) in (0..).zip(cells) {
            *out = pack(hunter([x, y], scene.extents, scene.edges, parameters));
        }
    }
}
