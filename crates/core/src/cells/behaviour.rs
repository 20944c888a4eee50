//! Behaviour: every rule, their weighted sum, the steering and the bounce in one pass.
//! The twin is `shaders/cells/behaviour.wgsl`. The default chain runs both.
//!
//! V' = bounce( noise( limit( round(keep·V) + Σ w_i·v_i ) ) ), or V where D < rest
//!
//! V is the control vector of a cell, D its density, v_i the vector of a rule, and w_i the weight of this rule.
//!
//! Each rule is the function of the kernel that computes this rule alone, so the results are equal bit for bit. The
//! rows that the rules perceive are staged once for all of them. The lattice is worked through in column strips, which
//! are narrow enough for the rows in reach to stay in the cache.

use super::band::{Band, BandKernel};
use super::context::{PassContext, perceive};
use super::rule_sums::RuleSums;
use super::rules::{control_of_alignment, control_of_cohesion, control_of_contrast, control_of_separation, to_q10};
use super::sights::{LOOKING, PreparedSight, SumKind};
use super::sums::SightSums;
use super::window::Window;
use crate::lanes::vector::{scale_halves, unpack};
use crate::lanes::{Lanes, MAX_LANES};
use crate::noise::lattice::LineDraws;

/// The width of a strip, in cells.
const COLUMNS: usize = 512;

/// The words of scratch that a band needs. `reach`: the max reach of any sight, in cells.
pub fn scratch_words(reach: i32) -> usize {
    let sums = LOOKING * SightSums::words(COLUMNS, reach) + 2 * COLUMNS;
    Window::words(COLUMNS, reach) + sums + LineDraws::words(COLUMNS)
}

/// Fills rows of V'. Reads the density, the capacity, the control vector and every vector that the chain lists after
/// it.
pub struct Behaviour;

impl BandKernel for Behaviour {
    #[inline(always)]
    fn band<L: Lanes>(context: &PassContext<'_>, band: &mut Band<'_, '_>) {
        let reach = context.sights.iter().flatten().map(|sight| sight.reach).max().unwrap_or(1);
        let width = (context.layout.extents.width as usize).next_multiple_of(MAX_LANES);
        for first in (0..width).step_by(COLUMNS) {
            let columns = COLUMNS.min(width - first);
            let (staged, rest) = band.scratch.words.split_at_mut(Window::words(COLUMNS, reach));
            let (words, outputs) = rest.split_at_mut(LOOKING * SightSums::words(COLUMNS, reach));
            let (outputs, lines) = outputs.split_at_mut(2 * COLUMNS);
            let mut outputs = RuleSums::<2>::new(outputs, first as i32, columns);
            let mut lines = LineDraws::none(lines, columns);
            let mut window = Window::new(staged, columns, reach);
            let mut places = band.scratch.places.chunks_mut(SightSums::MAX_PLACES);
            let mut words = words.chunks_mut(SightSums::words(COLUMNS, reach));
            let mut sums = [0, 1, 2].map(|rule| {
                let (places, words) = (places.next().unwrap_or_default(), words.next().unwrap_or_default());
                let kind = SumKind::BY_RULE[rule];
                context.sights[rule].map(|sight| SightSums::new(sight, kind, &window, places, words, columns))
            });
            let mut chunks = [0; COLUMNS];
            let chunks = &mut chunks[..columns / L::COUNT];
            for chunk in 0..chunks.len() {
                chunks[chunk] = (first + chunk * L::COUNT) as i32;
            }
            for (index, y) in band.pieces.clone().enumerate() {
                let is_first = index == 0;
                window.shift();
                stage::<L>(context, &mut window, first, is_first, y);
                for sums in sums.iter_mut().flatten() {
                    sums.advance::<L>(&window, is_first);
                }
                let control = &context.read[2].row(y)[context.layout.halo + first..];
                sum_rules::<L>(context, &window, &mut sums, control, &mut outputs);
                outputs.add_surroundings::<L>(context, [y, 0], chunks);
                let row: &mut [i32] = bytemuck::cast_slice_mut(&mut band.write[0][index * context.layout.stride..]);
                let row = &mut row[..context.layout.stride];
                outputs.steer::<L>(context, [y, 0], chunks, row, Some(&mut lines));
            }
        }
    }
}

/// Stages the perceived density p, p·V_x and p·V_y. For the first row of a band, all rows in reach are staged. For each
/// later row, only the lowest row in reach is staged.
#[inline(always)]
fn stage<L: Lanes>(context: &PassContext<'_>, window: &mut Window<'_>, first: usize, is_first: bool, y: i32) {
    let (reach, width, margin) = (window.reach, window.width, window.margin);
    let aligns = context.sights[2].is_some();
    for row in if is_first { -reach } else { reach }..=reach {
        let start = context.layout.halo + first - margin;
        let (density, control) = (&context.read[0].row(y + row)[start..], &context.read[2].row(y + row)[start..]);
        let place = window.place(-(margin as i32), row);
        let (perceived, rest) = window.words[place..].split_at_mut(width);
        let (momentum_x, momentum_y) = rest.split_at_mut(width);
        for cell in (0..width).step_by(L::COUNT) {
            let p = perceive(L::load(&density[cell..]), context.parameters);
            p.store(&mut perceived[cell..]);
            if aligns {
                let [x, y] = scale_halves(to_q10(unpack(L::load(&control[cell..]))), p);
                x.store(&mut momentum_x[cell..]);
                y.store(&mut momentum_y[cell..]);
            }
        }
    }
}

/// The weighted sum of the rules that look, for the cells of a row. `control`: their own control vectors. The rules are
/// computed one after the other, so that the processor works on many cells while it waits for divisions.
#[inline(always)]
fn sum_rules<L: Lanes>(
    context: &PassContext<'_>,
    window: &Window<'_>,
    [cohesion, separation, alignment]: &mut [Option<SightSums<'_>>; LOOKING],
    control: &[i32],
    outputs: &mut RuleSums<'_, 2>,
) {
    let parameters = context.parameters;
    let weights = &parameters.weights;
    let columns = outputs.cells();
    outputs.clear();
    if let Some(sums) = cohesion {
        let PreparedSight { reach, contrast, .. } = sums.sight;
        if let Some(contrast) = contrast {
            for cell in (0..columns).step_by(L::COUNT) {
                let [seen, x, y] = sums.contrast::<L>(window, contrast, cell);
                outputs.add(cell, weights[0], control_of_contrast([x, y], seen));
            }
        } else {
            for cell in (0..columns).step_by(L::COUNT) {
                let [seen, x, y] = sums.centre::<L>(window, cell);
                outputs.add(cell, weights[0], control_of_cohesion([x, y], seen, *reach));
            }
        }
    }
    if let Some(sums) = separation {
        for cell in (0..columns).step_by(L::COUNT) {
            let pressure = sums.pressure::<L>(window, cell);
            outputs.add(cell, weights[1], control_of_separation(pressure, parameters.crowd));
        }
    }
    if let Some(sums) = alignment {
        for cell in (0..columns).step_by(L::COUNT) {
            let [seen, x, y] = sums.momentum::<L>(window, cell);
            let own = unpack(L::load(&control[cell..]));
            outputs.add(cell, weights[2], control_of_alignment([x, y], seen, own));
        }
    }
}
