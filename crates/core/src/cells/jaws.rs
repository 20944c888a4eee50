//! Jaws: the boids within the hunter's jaws are removed, after the ledger has counted them.
//!
//! D' = 0 where |x - h| ≤ jaws, else D.

use super::context::{PassContext, RowKernel};
use super::parameters::Parameters;
use crate::fields::{FieldView, Row};
use crate::lanes::Lanes;
use crate::numbers::Cell;
use crate::world::{Edges, Extents, PARTS};

/// Whether a cell is within the jaws.
#[inline(always)]
pub fn in_jaws(cell: Cell, extents: Extents, edges: Edges, parameters: &Parameters) -> bool {
    parameters.hunter().catches(cell.map(|place| place * PARTS), extents, edges)
}

/// The cells along an axis that may be within the jaws, each once, without those beyond a wall.
fn span(place: i32, jaws: i32, extent: i32, edges: Edges) -> impl Iterator<Item = i32> {
    let first = place.div_euclid(PARTS) - jaws;
    let cells = Ord::min(2 * jaws + 2, if edges == Edges::Torus { extent } else { i32::MAX });
    (first..first + cells).filter_map(move |cell| edges.wrap(cell.into(), extent.into()).map(|cell| cell as i32))
}

/// The quanta within the jaws.
pub fn caught(density: FieldView<'_>, extents: Extents, edges: Edges, parameters: &Parameters) -> u64 {
    let [width, height] = extents.as_cell();
    let jaws = parameters.hunter_jaws;
    let mut sum = 0;
    for y in span(parameters.hunter_y, jaws, height, edges) {
        for x in span(parameters.hunter_x, jaws, width, edges) {
            if in_jaws([x, y], extents, edges, parameters) {
                let column = (0..extents.slices() as i32).map(|z| density.span_of(0, x, [y, z], 1)[0]);
                sum += column.map(u64::from).sum::<u64>();
            }
        }
    }
    sum
}

/// Fills rows of D'. Reads the density.
pub struct Jaws;

impl RowKernel for Jaws {
    #[inline(always)]
    fn row<L: Lanes>(context: &PassContext<'_>, row: Row, write: &mut [&mut [i32]]) {
        let width = context.layout.extents.width as usize;
        let [y, _] = row;
        let density = &context.read[0].row_of(0, row)[context.layout.halo..][..width];
        let cells = &mut context.at(write[0], 0)[..width];
        for ((x, density), out) in (0..).zip(density).zip(cells) {
            let is_caught = in_jaws([x, y], context.layout.extents, context.layout.edges, context.parameters);
            *out = if is_caught { 0 } else { *density };
        }
    }
}
