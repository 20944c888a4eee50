//! Behaviour in a deep world: every rule, their weighted sum, the steering and the bounce in one pass.
//!
//! V' = bounce( limit( round(keep·V) + Σ w_i·v_i ) ), or V where D < rest
//!
//! The slices that the rules perceive are staged once for all of them. A contrast has sums of its own.

use super::behaviour::RULES;
use super::context::{Band, BandKernel, BandRow, PassContext, SlicePart, perceive, rests};
use super::contrast::{ContrastLayout, ContrastSums};
use super::rule_sums::RuleSums;
use super::rules::{
    control_of_alignment, control_of_cohesion, control_of_separation, control_of_steering, hunter, is_hunted,
    is_near_wall, roost, to_q10, walls,
};
use super::sights::PreparedSight;
use super::space::{NineRows, bounce};
use crate::fields::Row;
use crate::lanes::{Lanes, MAX_LANES};
use crate::rules::Rules;
use crate::sight::MOST_VECTORS;
use crate::vector::{add, scale, select, splat, zero};
use std::ops::Range;

/// The quantities that are staged: p, p·V_x, p·V_y and p·V_z.
const QUANTITIES: usize = 4;

/// The words of scratch that a band needs if no rule looks farther than this.
pub fn scratch_words(reach: i32, rules: &Rules, width: usize, height: usize) -> usize {
    let contrast = rules.sights.values().filter_map(|sight| sight.as_contrast());
    let contrast = contrast.map(|contrast| ContrastLayout::new(contrast, width, height).words()).max().unwrap_or(0);
    Stage::words(reach, width, height) + contrast + 4 * width.next_multiple_of(MAX_LANES)
}

/// The staged slices around the present one.
struct Stage<'a> {
    words: &'a mut [i32],
    reach: i32,
    /// Words of a row.
    row: usize,
    /// Rows of a slice.
    rows: usize,
    /// The words of a row that are staged.
    words_of_part: Range<usize>,
    /// The slice to be staged next; `None`: none is staged.
    next: Option<i32>,
}

impl<'a> Stage<'a> {
    fn words(reach: i32, width: usize, height: usize) -> usize {
        let [row, rows] = Self::sizes(reach, width, height);
        // One more chunk, so that the last row can be read in whole chunks from any of its cells.
        (2 * reach as usize + 1) * QUANTITIES * rows * row + MAX_LANES
    }

    fn sizes(reach: i32, width: usize, height: usize) -> [usize; 2] {
        [width.next_multiple_of(MAX_LANES) + 2 * Self::margin(reach), height + 2 * reach as usize]
    }

    /// Cells staged on either side of a row: the reach in whole vector registers.
    fn margin(reach: i32) -> usize {
        (reach as usize).next_multiple_of(16)
    }

    /// The slices around the cells of a part of each.
    fn new(words: &'a mut [i32], reach: i32, [width, height]: [usize; 2], part: &SlicePart) -> Self {
        let [row, rows] = Self::sizes(reach, width, height);
        let (reach_words, margin) = (reach as usize, Self::margin(reach));
        // Awake cells are looked at in whole chunks.
        let first = (margin + part.cells.start as usize - reach_words) / MAX_LANES * MAX_LANES;
        let end = margin + (part.cells.end as usize + reach_words).next_multiple_of(MAX_LANES) + MAX_LANES;
        Self { words, reach, row, rows, words_of_part: first..end.min(row), next: None }
    }

    /// The index of the first quantity of a cell. The others follow at distances of [`Self::quantity`].
    fn place(&self, x: i32, [y, z]: Row) -> usize {
        let slot = z.rem_euclid(2 * self.reach + 1) as usize * QUANTITIES * self.rows;
        (slot + (y + self.reach) as usize) * self.row + (Self::margin(self.reach) as i32 + x) as usize
    }

    fn quantity(&self) -> usize {
        self.rows * self.row
    }

    /// Stages all slices in reach of one. Slices may be left out, none comes again.
    #[inline(always)]
    fn prepare<L: Lanes>(&mut self, context: &PassContext<'_>, z: i32, aligns: bool) {
        let first = z - self.reach;
        for slice in self.next.filter(|next| *next > first).unwrap_or(first)..=z + self.reach {
            self.fill::<L>(context, slice, aligns);
        }
        self.next = Some(z + self.reach + 1);
    }

    /// Stages p, and for alignment p·V, of a slice. Both are 0 in a row in which all cells rest.
    #[inline(always)]
    fn fill<L: Lanes>(&mut self, context: &PassContext<'_>, z: i32, aligns: bool) {
        let (margin, quantity) = (Self::margin(self.reach) as i32, self.quantity());
        let reach = self.reach;
        // Rows that no awake cell looks at are left as they are.
        let Some(wanted) = context.steered_part(z - reach..z + reach + 1) else { return };
        let words = self.words_of_part.clone();
        for y in wanted.rows.start - reach..wanted.rows.end + reach {
            let place = self.place(-margin, [y, z]);
            if !context.is_row_awake([y, z]) {
                for staged in 0..if aligns { QUANTITIES } else { 1 } {
                    self.words[place + staged * quantity..][words.clone()].fill(0);
                }
                continue;
            }
            for cell in words.clone().step_by(L::COUNT) {
                let x = cell as i32 - margin;
                let p = perceive(context.read[0].lanes_of::<L>(0, x, [y, z]), context.parameters);
                p.store(&mut self.words[place + cell..]);
                if aligns {
                    let momentum = scale(to_q10(context.read[2].vectors::<L, 3>(x, [y, z])), p);
                    for axis in 0..3 {
                        momentum[axis].store(&mut self.words[place + (axis + 1) * quantity + cell..]);
                    }
                }
            }
        }
    }

    /// A staged quantity of the cells from a place on.
    #[inline(always)]
    fn at<L: Lanes>(&self, place: usize, quantity: usize) -> L {
        L::load(&self.words[place + quantity * self.quantity()..])
    }
}

/// Fills rows of V'. Reads the density, the capacity, the control vector and every vector that the chain lists after it.
pub struct BehaviourInSpace;

impl BandKernel for BehaviourInSpace {
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
        let part = context.steered_part(band.pieces.clone()).unwrap_or_default();
        let contrast_layout = contrast.map(|contrast| ContrastLayout::new(contrast, width, height));
        // The working memory is taken out, so that rows can be kept meanwhile.
        let (mut words, mut places) =
            (std::mem::take(&mut band.scratch.words), std::mem::take(&mut band.scratch.places));
        let (staged, rest) = words.split_at_mut(Stage::words(reach, width, height));
        let (blurred, sums) = rest.split_at_mut(contrast_layout.map_or(0, |layout| layout.words()));
        let mut stage = Stage::new(staged, reach, [width, height], &part);
        let mut contrast = contrast_layout.map(|layout| ContrastSums::new(layout, &part, blurred));
        let cells = width.next_multiple_of(MAX_LANES);
        let (sums, list) = sums.split_at_mut(3 * cells);
        let mut sums = RuleSums::<3>::new(sums, cells);
        for (piece, z) in band.pieces.clone().enumerate() {
            if context.steered_part(z..z + 1).is_some() {
                stage.prepare::<L>(context, z, context.sights[2].is_some());
                if let Some(contrast) = &mut contrast {
                    contrast.prepare::<L>(context, z);
                }
                list_places(context, &stage, &mut places, z);
            }
            for (place, row) in context.layout.lattice_rows(z) {
                let own = BandRow { piece, place, row };
                let awake = list_awake::<L>(context, row, list);
                if awake.is_empty() {
                    band.keep_row::<L>(context, [2, 0], own);
                    continue;
                }
                sum_rules::<L>(context, &stage, contrast.as_ref(), &places, row, awake, &mut sums);
                let words = band.row_mut(context, 0, own);
                context.copy_row(context.read[2], row, words);
                steer::<L>(context, row, awake, &sums, bytemuck::cast_slice_mut(words));
                band.mark_row::<L>(context, 0, own);
            }
        }
        (band.scratch.words, band.scratch.places) = (words, places);
    }
}

/// For each rule that looks through a list of vectors, the index in the stage of each vector, seen from the first cell of the slice.
fn list_places(context: &PassContext<'_>, stage: &Stage<'_>, places: &mut [usize], z: i32) {
    for (sight, places) in context.sights.iter().zip(places.chunks_mut(MOST_VECTORS)) {
        let Some(sight) = sight.filter(|sight| sight.contrast.is_none()) else { continue };
        for (place, s) in places.iter_mut().zip(&sight.vectors) {
            *place = stage.place(s[0], [s[1], z + s[2]]);
        }
    }
}

/// V' of the chunks of a row that are awake, from the sums of the rules.
#[inline(always)]
fn steer<L: Lanes>(context: &PassContext<'_>, row: Row, awake: &[i32], sums: &RuleSums<'_, 3>, out: &mut [i32]) {
    let capacity = NineRows::new(context.read[1], 0, row);
    for &x in awake {
        let own = context.read[2].vectors::<L, 3>(x, row);
        let density = context.read[0].lanes_of::<L>(0, x, row);
        let wanted = control_of_steering(own, sums.at(x as usize), context.parameters);
        let turned = bounce(wanted, &capacity.at(x));
        let v = select(rests(density, context.parameters), own, turned);
        context.store_vector(out, x, v);
    }
}

/// Lists the first cell of each chunk of a row in which not all cells rest.
#[inline(always)]
fn list_awake<'a, L: Lanes>(context: &PassContext<'_>, row: Row, list: &'a mut [i32]) -> &'a [i32] {
    let mut count = 0;
    let Range { start, end } = context.steered_cells(row);
    for x in context.chunks::<L>().skip_while(|x| x + (L::COUNT as i32) <= start).take_while(|x| *x < end) {
        let rests = rests(context.read[0].lanes_of::<L>(0, x, row), context.parameters);
        if L::splat(-1).wrapping_subtract(rests).any() {
            list[count] = x;
            count += 1;
        }
    }
    &list[..count]
}

/// The weighted sum of all rules for the chunks of a row that are awake.
#[inline(always)]
fn sum_rules<L: Lanes>(
    context: &PassContext<'_>,
    stage: &Stage<'_>,
    contrast: Option<&ContrastSums<'_>>,
    places: &[usize],
    row: Row,
    awake: &[i32],
    sums: &mut RuleSums<'_, 3>,
) {
    let parameters = context.parameters;
    let weights = &parameters.weights;
    sums.clear();
    let down = row[0] as usize * stage.row;
    let places = |rule: usize, sight: &PreparedSight| &places[rule * MOST_VECTORS..][..sight.vectors.len()];
    if let Some(contrast) = contrast {
        for &x in awake {
            sums.add(x as usize, weights[0], contrast.control::<L>(x, row));
        }
    } else if let Some(sight) = context.sights[0] {
        for &x in awake {
            let (mut seen, mut centre) = (L::splat(0), zero::<L, 3>());
            for (place, s) in places(0, sight).iter().zip(&sight.vectors) {
                let p: L = stage.at(place + down + x as usize, 0);
                seen = seen.add(p);
                centre = add(centre, scale(splat(*s), p));
            }
            sums.add(x as usize, weights[0], control_of_cohesion(centre, seen, sight.reach));
        }
    }
    if let Some(sight) = context.sights[1] {
        for &x in awake {
            let mut pressure = zero::<L, 3>();
            for (place, pull) in places(1, sight).iter().zip(&sight.pulls) {
                pressure = add(pressure, scale(splat(*pull), stage.at(place + down + x as usize, 0)));
            }
            sums.add(x as usize, weights[1], control_of_separation(pressure, parameters.crowd));
        }
    }
    if let Some(sight) = context.sights[2] {
        for &x in awake {
            let (mut seen, mut momentum) = (L::splat(0), zero::<L, 3>());
            for place in places(2, sight) {
                let place = place + down + x as usize;
                seen = seen.add(stage.at(place, 0));
                momentum = add(momentum, [stage.at(place, 1), stage.at(place, 2), stage.at(place, 3)]);
            }
            let own = context.read[2].vectors::<L, 3>(x, row);
            sums.add(x as usize, weights[2], control_of_alignment(momentum, seen, own));
        }
    }
    sum_surroundings::<L>(context, row, awake, sums);
    for (rule, weight) in context.read[3..].iter().zip(&weights[RULES.len()..]) {
        for &x in awake {
            sums.add(x as usize, *weight, rule.vectors::<L, 3>(x, row));
        }
    }
}

/// Adds the hunters and the walls, where a cell of a chunk may be near them, and the roost.
#[inline(always)]
fn sum_surroundings<L: Lanes>(context: &PassContext<'_>, [y, z]: Row, awake: &[i32], sums: &mut RuleSums<'_, 3>) {
    let parameters = context.parameters;
    let weights = &parameters.weights;
    for &x in awake {
        if weights[3] != 0 && is_hunted(context, [x, y, z]) {
            let rule = |x| hunter([x, y, z], context.layout.extents, context.layout.edges, parameters);
            sums.add_each::<L>(x as usize, weights[3], context, x, rule);
        }
        if weights[4] != 0 && is_near_wall(context, [x, y, z]) {
            let rule = |x| walls([x, y, z], context.layout.extents, parameters.margin);
            sums.add_each::<L>(x as usize, weights[4], context, x, rule);
        }
        if weights[5] != 0 {
            sums.add(x as usize, weights[5], roost::<L, 3>(context, x, [y, z]));
        }
    }
}
