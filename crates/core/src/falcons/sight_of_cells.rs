//! The sums of a falcon over the cells that it sees: Σ p and Σ p·s over the ball around it. p is the perceived density
//! of a cell, which is min(D >> shift, p_max) with the density D in quanta. s is the offset to the middle of the cell.

use super::{SwarmMoments, fly_all};
use crate::cells::context::perceive;
use crate::cells::jaws::span;
use crate::cells::numbers::Parameters;
use crate::error::Failure;
use crate::falcons::Falcon;
use crate::numbers::Vector3;
use crate::ranks::Ranks;
use crate::state::fields::{FieldView, Layout, MAX_LAYERS};
use crate::terrain::GapField;
use crate::world::{PARTS, offset, undecided};

/// Flies falcons over the densities of all layers of a slab. Returns the parameters of the step with the new places of
/// the falcons. The sums of a falcon are taken over all ranks.
///
/// # Errors
/// If another rank has ended.
pub fn fly_over(
    densities: &[FieldView<'_>],
    falcons: &mut [Falcon],
    parameters: &Parameters,
    layout: &Layout,
    rock: Option<GapField<'_>>,
    ranks: &dyn Ranks,
) -> Result<Parameters, Failure> {
    let mut flown = *parameters;
    fly_all(falcons, &mut flown.hunters, layout.ends, layout.edges, rock, |numbers, place| {
        see(densities, layout, parameters, numbers.sight, place).sum_over(ranks)
    })?;
    Ok(flown)
}

/// The cells of the lattice with one index along x.
struct Column {
    x: usize,
    /// The square of the offset along x from the falcon to the column, in (1/16 cell)².
    square: i32,
    /// The offset along x from the falcon to the column, in 1/16 cell; 0 if both ways round the torus are equally long.
    along: i64,
}

/// The sums over the cells of the slab that lie at most `sight` cells from a place (1/16 cell). p is the perceived
/// density of all layers together. An offset of exactly half a torus counts as 0.
pub fn see(
    densities: &[FieldView<'_>],
    layout: &Layout,
    parameters: &Parameters,
    sight: i32,
    place: Vector3,
) -> SwarmMoments {
    let extents = layout.slab.world;
    let edges = layout.edges;
    let (ends, [width, height, slices]) = (extents.ends(), extents.along_axes());
    let radius = sight * PARTS;
    let near = |axis: usize, extent| span(place[axis], sight, extent, edges);
    let away = |axis: usize, cell: i32| offset(place[axis], cell * PARTS, ends[axis], edges);
    let along = |axis: usize, offset: i32| if undecided(offset, ends[axis], edges) { 0 } else { i64::from(offset) };
    let column = |x: i32| {
        let dx = away(0, x);
        Column { x: x as usize, square: dx * dx, along: along(0, dx) }
    };
    let columns: Vec<Column> = near(0, width).map(column).collect();
    let mut seen = SwarmMoments::default();
    for z in near(2, slices) {
        let dz = away(2, z);
        for y in near(1, height) {
            let dy = away(1, y);
            let left = radius * radius - dz * dz - dy * dy;
            let Some(own) = layout.in_slab([y, z]).filter(|_| left >= 0) else { continue };
            let mut rows: [&[u32]; MAX_LAYERS] = Default::default();
            for (row, density) in rows.iter_mut().zip(densities) {
                *row = density.span_of(0, own, width as usize);
            }
            let (first, others) = (rows[0], &rows[1..densities.len()]);
            let (mut amount, mut moment) = (0, 0);
            for column in columns.iter().filter(|column| column.square <= left) {
                let mut quanta = first[column.x];
                for row in others {
                    quanta = quanta.saturating_add(row[column.x]);
                }
                let p = i64::from(perceive(quanta as i32, parameters));
                (amount, moment) = (amount + p, moment + p * column.along);
            }
            let moment = [moment, amount * along(1, dy), amount * along(2, dz)];
            seen.add(&SwarmMoments { amount: amount as u64, moment });
        }
    }
    seen
}
