//! Behaviour in a deep world: every rule, their weighted sum, the steering and the bounce in one pass.
//! The twin is `shaders/cells/behaviour.wgsl`. The default chain runs both.
//!
//! V' = bounce( noise( limit( round(keep·V) + Σ w_i·v_i ) ) ), or V where D < rest
//!
//! V is the control vector of a cell, D its density, v_i the vector of a rule, and w_i the weight of this rule.
//!
//! The slices that the rules perceive are staged once for all of them. A contrast has sums of its own.

use super::sums::{RunSums, pressure};
use crate::cells::band::{Band, BandKernel, BandRow};
use crate::cells::context::{PassContext, rests, strips};
use crate::cells::contrast::{ContrastLayout, ContrastSums};
use crate::cells::numbers::Rules;
use crate::cells::rule_sums::RuleSums;
use crate::cells::rules::{control_of_alignment, control_of_cohesion, control_of_separation};
use crate::cells::sight::MAX_VECTORS;
use crate::cells::sights::{LOOKING, PreparedSight};
use crate::cells::stage::{Stage, StageView};
use crate::lanes::{Lanes, MAX_LANES};
use crate::numbers::Vector3;
use crate::state::fields::Row;
use std::ops::Range;

/// The words of scratch that a band needs. `reach`: the max reach of any sight, in cells.
pub fn scratch_words(reach: i32, rules: &Rules, width: usize, height: usize) -> usize {
    let contrast = rules.sights.values().filter_map(|sight| sight.as_contrast());
    let contrast = contrast.map(|contrast| ContrastLayout::new(contrast, width, height).words()).max().unwrap_or(0);
    let rows = 4 * width.next_multiple_of(MAX_LANES);
    Stage::words(reach, width, height) + contrast + RunSums::words(reach, width) + rows
}

/// Fills rows of V'. Reads the density, the capacity, the control vector and every vector that the chain lists after
/// it.
pub struct DeepBehaviour;

impl BandKernel for DeepBehaviour {
    #[inline(always)]
    fn run<L: Lanes>(context: &PassContext<'_>, band: &mut Band<'_, '_>) {
        Self::band::<L>(context, band);
    }

    #[inline(always)]
    fn band<L: Lanes>(context: &PassContext<'_>, band: &mut Band<'_, '_>) {
        let (width, height) = (context.layout.extents.width as usize, context.layout.extents.height as usize);
        let listed = |sight: &&&PreparedSight| sight.contrast.is_none();
        let reach = context.sights.iter().flatten().filter(listed).map(|sight| sight.reach).max().unwrap_or(1);
        let contrast = context.sights[0].and_then(|sight| sight.contrast.as_ref());
        let part = context.steered_part(band.pieces.clone(), 0..height as i32).unwrap_or_default();
        let contrast_layout = contrast.map(|contrast| ContrastLayout::new(contrast, width, height));
        // The working memory is taken out of the band, because `keep_row` borrows the band.
        let (mut words, mut places) =
            (std::mem::take(&mut band.scratch.words), std::mem::take(&mut band.scratch.places));
        let (staged, rest) = words.split_at_mut(Stage::words(reach, width, height));
        let (blurred, rest) = rest.split_at_mut(contrast_layout.map_or(0, |layout| layout.words()));
        let (runs, sums) = rest.split_at_mut(RunSums::words(reach, width));
        let mut runs = RunSums::new(runs, reach, width);
        let cells = width.next_multiple_of(MAX_LANES);
        let (sums, list) = sums.split_at_mut(3 * cells);
        let mut sums = RuleSums::<3>::new(sums, 0, cells);
        for (piece, z) in band.pieces.clone().enumerate() {
            for y in (0..part.rows.start).chain(part.rows.end..height as i32) {
                band.keep_row::<L>(context, [2, 0], BandRow::of_slice(context, piece, [y, z]));
            }
        }
        let of_contrast =
            contrast.map_or(0, |contrast| ContrastLayout::new(contrast, part.cells.len(), 1).words_of_row());
        for strip in strips(part.rows.clone(), Stage::words_of_row(reach, part.cells.len()) + of_contrast) {
            let part = part.within(&strip);
            let mut stage = Stage::new(staged, reach, [width, height], &part);
            let mut contrast = contrast_layout.map(|layout| ContrastSums::new(layout, &part, blurred));
            for (piece, z) in band.pieces.clone().enumerate() {
                if context.steered_part(z..z + 1, strip.clone()).is_some() {
                    stage.prepare::<L>(context, z, context.sights[2].is_some());
                    if let Some(contrast) = &mut contrast {
                        contrast.prepare::<L>(context, z);
                    }
                    for (rule, places) in places.chunks_mut(MAX_VECTORS).enumerate() {
                        stage.list_places(places_of(context, rule), z, places);
                    }
                }
                for row in strip.clone().map(|y| [y, z]) {
                    let own = BandRow::of_slice(context, piece, row);
                    let awake = list_awake::<L>(context, row, list);
                    if awake.is_empty() {
                        band.keep_row::<L>(context, [2, 0], own);
                        continue;
                    }
                    let seen = views(context, &stage, &places, row[0]);
                    sum_rules::<L>(context, seen, contrast.as_ref(), &mut runs, row, awake, &mut sums);
                    sums.add_surroundings::<L>(context, row, awake);
                    let words = band.row_mut(context, 0, own);
                    if awake.len() * L::COUNT < width {
                        context.copy_row(context.read[2], row, words);
                    }
                    sums.steer::<L>(context, row, awake, bytemuck::cast_slice_mut(words), None);
                    band.mark_row::<L>(context, 0, own);
                }
            }
        }
        (band.scratch.words, band.scratch.places) = (words, places);
    }
}

/// The offsets that a rule sums over its sight. Empty if the rule has no sight or looks through a contrast.
fn places_of<'a>(context: &'a PassContext<'_>, rule: usize) -> &'a [Vector3] {
    let Some(sight) = context.sights[rule].filter(|sight| sight.contrast.is_none()) else { return &[] };
    if rule == 1 { &sight.deep.pulled } else { &sight.deep.looks }
}

/// For each rule, the view of the stage from the cells of row y at the places that the rule sums.
#[inline(always)]
fn views<'a>(context: &PassContext<'_>, stage: &'a Stage<'a>, places: &'a [usize], y: i32) -> [StageView<'a>; LOOKING] {
    let mut seen = [stage.view_from(&[], y); LOOKING];
    for rule in 0..LOOKING {
        let count = places_of(context, rule).len();
        seen[rule] = stage.view_from(&places[rule * MAX_VECTORS..][..count], y);
    }
    seen
}

/// Lists the first cell of each awake chunk of a row. A chunk is awake if not all of its cells rest.
#[inline(always)]
fn list_awake<'a, L: Lanes>(context: &PassContext<'_>, row: Row, list: &'a mut [i32]) -> &'a [i32] {
    let mut count = 0;
    let Range { start, end } = context.steered_cells(row);
    for x in context.chunks::<L>().skip_while(|x| x + (L::COUNT as i32) <= start).take_while(|x| *x < end) {
        let rests = rests(context.read[0].lanes_of::<L>(x, row), context.parameters);
        if L::splat(-1).wrapping_subtract(rests).any() {
            list[count] = x;
            count += 1;
        }
    }
    &list[..count]
}

/// The weighted sum of the rules that look, for the awake chunks of a row.
#[inline(always)]
fn sum_rules<L: Lanes>(
    context: &PassContext<'_>,
    seen: [StageView<'_>; LOOKING],
    contrast: Option<&ContrastSums<'_>>,
    runs: &mut RunSums<'_>,
    row: Row,
    awake: &[i32],
    sums: &mut RuleSums<'_, 3>,
) {
    let parameters = context.parameters;
    let weights = &parameters.weights;
    sums.clear();
    if let Some(contrast) = contrast {
        for &x in awake {
            sums.add(x as usize, weights[0], contrast.control::<L>(x, row));
        }
    } else if let Some(PreparedSight { deep, reach, .. }) = context.sights[0] {
        runs.prepare::<L, false>(seen[0], deep, awake);
        for &x in awake {
            let (centre, sum) = runs.centre::<L>(seen[0], deep, x);
            sums.add(x as usize, weights[0], control_of_cohesion(centre, sum, *reach));
        }
    }
    if let Some(sight) = context.sights[1] {
        for &x in awake {
            let pressure = pressure::<L>(seen[1], &sight.deep, x);
            sums.add(x as usize, weights[1], control_of_separation(pressure, parameters.crowd));
        }
    }
    if let Some(sight) = context.sights[2] {
        runs.prepare::<L, true>(seen[2], &sight.deep, awake);
        for &x in awake {
            let (momentum, sum) = runs.momentum::<L>(seen[2], &sight.deep, x);
            let own = context.read[2].vectors::<L, 3>(x, row);
            sums.add(x as usize, weights[2], control_of_alignment(momentum, sum, own));
        }
    }
}
