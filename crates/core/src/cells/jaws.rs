//! Jaws: the boids within the jaws of a hunter are removed, after the ledger has counted them.
//!
//! D' = 0 where |x - h_i| ≤ jaws_i for any hunter i, else D.
//!
//! D is the density of the cell x. h_i is the place of hunter i, and jaws_i the radius of its jaws.

use super::band::RowKernel;
use super::context::PassContext;
use super::rules::is_row_near;
use crate::cells::numbers::Parameters;
use crate::lanes::Lanes;
use crate::state::fields::{FieldView, Layout, Row};
use crate::world::{Edges, HunterNumbers, PARTS, are_jaws_at, place_of};

/// The cells along an axis that may lie within `cells_away` cells of a place in 1/16 cell. Each cell comes once, and no
/// cell lies beyond a wall.
pub fn span(place: i32, cells_away: i32, extent: u32, edges: Edges) -> impl Iterator<Item = i32> {
    let first = place.div_euclid(PARTS) - cells_away;
    let cells = Ord::min(2 * cells_away + 2, if edges == Edges::Torus { extent as i32 } else { i32::MAX });
    (first..first + cells).filter_map(move |cell| edges.wrap(cell.into(), extent.into()).map(|cell| cell as i32))
}

/// The quanta of the slab within the jaws of the hunters. A cell in the jaws of several hunters counts once.
pub fn caught(density: FieldView<'_>, layout: &Layout, parameters: &Parameters) -> u64 {
    let (extents, edges) = (layout.slab.world, layout.edges);
    let (hunters, ends, [width, height, slices]) = (parameters.hunters(), extents.ends(), extents.along_axes());
    let species = parameters.own_species as usize;
    let mut sum = 0;
    for (index, hunter) in hunters.iter().enumerate().filter(|(_, hunter)| hunter.jaws > 0) {
        let [x, y, z] = hunter.place;
        let near = |place, extent| span(place, hunter.jaws, extent, edges);
        // A column goes through all slices.
        let all = (0..slices as i32).filter(|_| hunter.is_column != 0);
        for z in near(z, slices).filter(|_| hunter.is_column == 0).chain(all) {
            for y in near(y, height) {
                let Some(row) = layout.in_slab([y, z]) else { continue };
                for x in near(x, width) {
                    let place = place_of([x, y, z]);
                    let is_in = |hunters: &[HunterNumbers]| are_jaws_at(hunters, species, place, ends, edges);
                    if is_in(&hunters[index..=index]) && !is_in(&hunters[..index]) {
                        sum += u64::from(density.span_of(x, row, 1)[0]);
                    }
                }
            }
        }
    }
    sum
}

/// Fills rows of D'. Reads the density.
pub struct Jaws;

impl RowKernel for Jaws {
    #[inline(always)]
    fn is_kept(context: &PassContext<'_>, row: Row) -> bool {
        let is_near = |hunter: &HunterNumbers| is_row_near(hunter, row, hunter.jaws, &context.layout);
        !context.parameters.hunters().iter().any(is_near)
    }

    #[inline(always)]
    fn row<L: Lanes>(context: &PassContext<'_>, row: Row, write: &mut [&mut [i32]]) {
        let (layout, [y, z]) = (&context.layout, context.layout.in_world(row));
        let width = layout.extents.width as usize;
        let density = &context.read[0].row_of(row)[layout.halo..][..width];
        let cells = &mut context.at(write[0], 0)[..width];
        let (hunters, ends) = (context.parameters.hunters(), layout.ends);
        let species = context.parameters.own_species as usize;
        for ((x, density), out) in (0..).zip(density).zip(cells) {
            let is_caught = are_jaws_at(hunters, species, place_of([x, y, z]), ends, layout.edges);
            *out = if is_caught { 0 } else { *density };
        }
    }
}
