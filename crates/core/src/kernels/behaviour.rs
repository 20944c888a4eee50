//! Behaviour: every rule, their weighted sum, the steering and the bounce in one pass.
//!
//! V' = bounce( limit( round(keep·V) + Σ w_i·v_i ) )
//!
//! The rules are the functions of the kernels that compute one rule each, so the bits are the same. The rows that the rules
//! perceive are staged once for all of them. The lattice is worked through in column strips, narrow enough for the rows in
//! reach to stay in the cache.

use super::alignment::{control_of_alignment, to_q10};
use super::cohesion::control_of_cohesion;
use super::context::{Band, BandKernel, PassContext, perceive};
use super::hunter::hunter;
use super::outflow::bounce;
use super::separation::control_of_separation;
use super::sights::{LOOKING, SumKind};
use super::steer::control_of_steering;
use super::sums::SightSums;
use super::walls::walls;
use super::window::Window;
use crate::fields::ThreeRows;
use crate::lanes::{Lanes, MAX_LANES};
use crate::vector::{pack, scale, unpack};
use crate::world::{PARTS, offset};

/// The rules that are computed here, in the order of their weights; the first [`LOOKING`] look through a sight of their name.
/// Control vectors that the chain lists follow.
pub const RULES: [&str; 5] = ["cohesion", "separation", "alignment", "hunter", "walls"];
/// Cells along x in a strip.
const COLUMNS: usize = 512;

/// The words of scratch that a band needs if no rule looks farther than this.
pub fn scratch_words(reach: i32) -> usize {
    Window::words(COLUMNS, reach) + LOOKING * SightSums::words(COLUMNS, reach) + 2 * COLUMNS
}

/// Fills rows of V'. Reads the density, the capacity, the control vector and every vector that the chain lists after it.
pub struct Behaviour;

impl BandKernel for Behaviour {
    #[inline(always)]
    fn band<L: Lanes>(context: &PassContext<'_>, band: &mut Band<'_, '_>) {
        let reach = context.sights.iter().flatten().map(|sight| sight.reach).max().unwrap_or(1);
        let width = (context.extents.width as usize).next_multiple_of(MAX_LANES);
        for first in (0..width).step_by(COLUMNS) {
            let columns = COLUMNS.min(width - first);
            let (staged, rest) = band.scratch.split_at_mut(Window::words(COLUMNS, reach));
            let (sums, outputs) = rest.split_at_mut(LOOKING * SightSums::words(COLUMNS, reach));
            let (x, y) = outputs[..2 * columns].split_at_mut(columns);
            let mut outputs = RuleOutputs { x, y };
            let mut window = Window::new(staged, columns, reach);
            let mut rules = Rules::new(context, &window, &mut *band.places, sums, columns);
            for (index, y) in band.rows.clone().enumerate() {
                window.advance();
                stage::<L>(context, &mut window, first, index == 0, y);
                rules.advance::<L>(&window, index == 0);
                let row = &mut band.write[0][index * context.stride..][..context.stride];
                let row = bytemuck::cast_slice_mut(&mut row[context.halo + first..]);
                let current = CurrentRow::new(context, first, y);
                rules.sum::<L>(context, &window, &current, &mut outputs);
                for cell in (0..columns).step_by(L::COUNT) {
                    let own = unpack(L::load(&current.control[cell..]));
                    let sum = [L::load(&outputs.x[cell..]), L::load(&outputs.y[cell..])];
                    let v = control_of_steering(own, sum, context.parameters);
                    pack(bounce(v, current.capacity.at(current.x + cell as i32))).store(&mut row[cell..]);
                }
            }
        }
    }
}

/// The current row, from the first column of the strip on.
struct CurrentRow<'a> {
    x: i32,
    y: i32,
    control: &'a [i32],
    capacity: ThreeRows<'a>,
}

impl<'a> CurrentRow<'a> {
    fn new(context: &PassContext<'a>, first: usize, y: i32) -> Self {
        let at = context.halo + first;
        Self { x: first as i32, y, control: &context.read[2].row(y)[at..], capacity: context.read[1].three_rows(y) }
    }
}

/// Stages p, p·V_x and p·V_y: in the first row of a band all rows in reach of it, in the others the lowest one.
#[inline(always)]
fn stage<L: Lanes>(context: &PassContext<'_>, window: &mut Window<'_>, first: usize, is_first: bool, y: i32) {
    let (reach, width, margin) = (window.reach, window.width, window.margin);
    let aligns = context.sights[2].is_some();
    for row in if is_first { -reach } else { reach }..=reach {
        let start = context.halo + first - margin;
        let (density, control) = (&context.read[0].row(y + row)[start..], &context.read[2].row(y + row)[start..]);
        let place = window.place(-(margin as i32), row);
        let (perceived, rest) = window.words[place..].split_at_mut(width);
        let (momentum_x, momentum_y) = rest.split_at_mut(width);
        for cell in (0..width).step_by(L::COUNT) {
            let p = perceive(L::load(&density[cell..]), context.parameters);
            p.store(&mut perceived[cell..]);
            if aligns {
                let [x, y] = scale(to_q10(unpack(L::load(&control[cell..]))), p);
                x.store(&mut momentum_x[cell..]);
                y.store(&mut momentum_y[cell..]);
            }
        }
    }
}

/// The sums of the rules that look through a sight.
struct Rules<'a> {
    cohesion: Option<SightSums<'a>>,
    separation: Option<SightSums<'a>>,
    alignment: Option<SightSums<'a>>,
    cohesion_reach: i32,
}

impl<'a> Rules<'a> {
    fn new(
        context: &PassContext<'a>,
        window: &Window<'_>,
        places: &'a mut [usize],
        words: &'a mut [i32],
        columns: usize,
    ) -> Self {
        let mut places = places.chunks_mut(SightSums::MOST_PLACES);
        let mut words = words.chunks_mut(SightSums::words(columns, window.reach));
        let mut sums = |rule: usize| {
            let (places, words) = (places.next().unwrap_or_default(), words.next().unwrap_or_default());
            context.sights[rule]
                .map(|sight| SightSums::new(sight, SumKind::BY_RULE[rule], window, places, words, columns))
        };
        Self {
            cohesion: sums(0),
            separation: sums(1),
            alignment: sums(2),
            cohesion_reach: context.sights[0].map_or(1, |sight| sight.reach),
        }
    }

    #[inline(always)]
    fn advance<L: Lanes>(&mut self, window: &Window<'_>, is_first: bool) {
        for sums in [&mut self.cohesion, &mut self.separation, &mut self.alignment].into_iter().flatten() {
            sums.advance::<L>(window, is_first);
        }
    }

    /// The weighted sum of all rules for the cells of the current row. Rule by rule, so that the processor works on many
    /// cells while it waits for the divisions of each.
    #[inline(always)]
    fn sum<L: Lanes>(
        &mut self,
        context: &PassContext<'_>,
        window: &Window<'_>,
        current: &CurrentRow<'_>,
        outputs: &mut RuleOutputs<'_>,
    ) {
        let parameters = context.parameters;
        let weights = &parameters.weights;
        let columns = outputs.x.len();
        outputs.x.fill(0);
        outputs.y.fill(0);
        if let Some(sums) = &mut self.cohesion {
            for cell in (0..columns).step_by(L::COUNT) {
                let [seen, x, y] = sums.centre::<L>(window, cell);
                outputs.add(cell, weights[0], control_of_cohesion([x, y], seen, self.cohesion_reach));
            }
        }
        if let Some(sums) = &mut self.separation {
            for cell in (0..columns).step_by(L::COUNT) {
                let pressure = sums.pressure::<L>(window, cell);
                outputs.add(cell, weights[1], control_of_separation(pressure, parameters.crowd));
            }
        }
        if let Some(sums) = &mut self.alignment {
            for cell in (0..columns).step_by(L::COUNT) {
                let [seen, x, y] = sums.momentum::<L>(window, cell);
                let own = unpack(L::load(&current.control[cell..]));
                outputs.add(cell, weights[2], control_of_alignment([x, y], seen, own));
            }
        }
        for cell in (0..columns).step_by(L::COUNT) {
            let (x, y) = (current.x + cell as i32, current.y);
            if weights[3] != 0 && is_hunted(context, x, y) {
                outputs.add_local::<L>(cell, weights[3], LocalRule::Hunter, context, x, y);
            }
            if weights[4] != 0 && is_near_wall(context, x, y) {
                outputs.add_local::<L>(cell, weights[4], LocalRule::Walls, context, x, y);
            }
        }
        for (rule, weight) in context.read[3..].iter().zip(&weights[RULES.len()..]) {
            let vectors = &rule.row(current.y)[context.halo + current.x as usize..];
            for cell in (0..columns).step_by(L::COUNT) {
                outputs.add(cell, *weight, unpack(L::load(&vectors[cell..])));
            }
        }
    }
}

/// The vectors of the rules (Q10), weighted (Q10) and summed, for each cell of the current row.
struct RuleOutputs<'a> {
    x: &'a mut [i32],
    y: &'a mut [i32],
}

/// The rules that act on few cells, and are computed cell by cell there.
enum LocalRule {
    Hunter,
    Walls,
}

impl RuleOutputs<'_> {
    #[inline(always)]
    fn add<L: Lanes>(&mut self, cell: usize, weight: i32, [x, y]: [L; 2]) {
        let (sum_x, sum_y) = (&mut self.x[cell..], &mut self.y[cell..]);
        L::load(sum_x).add(x.multiply(L::splat(weight))).store(sum_x);
        L::load(sum_y).add(y.multiply(L::splat(weight))).store(sum_y);
    }

    #[inline(always)]
    fn add_local<L: Lanes>(
        &mut self,
        cell: usize,
        weight: i32,
        rule: LocalRule,
        context: &PassContext<'_>,
        x: i32,
        y: i32,
    ) {
        let mut vectors = [[0; MAX_LANES]; 2];
        for i in 0..L::COUNT {
            // The last chunk may reach beyond the last cell; its results there are never read.
            let cell = [Ord::min(x + i as i32, context.extents.width as i32 - 1), y];
            let v = match rule {
                LocalRule::Hunter => hunter(cell, context.extents, context.edges, context.parameters),
                LocalRule::Walls => walls(cell, context.extents, context.parameters.margin),
            };
            vectors[0][i] = v[0];
            vectors[1][i] = v[1];
        }
        self.add(cell, weight, [L::load(&vectors[0]), L::load(&vectors[1])]);
    }
}

/// Whether any cell of a chunk may be within the hunter's reach.
#[inline(always)]
fn is_hunted(context: &PassContext<'_>, x: i32, y: i32) -> bool {
    const HALF: i32 = MAX_LANES as i32 / 2;
    let parameters = context.parameters;
    let [width, height] = context.extents.as_cell();
    let rows = offset(parameters.hunter_y, y * PARTS, height * PARTS, context.edges).abs();
    let columns = offset(parameters.hunter_x, (x + HALF) * PARTS, width * PARTS, context.edges).abs();
    rows <= parameters.hunter_reach * PARTS && columns <= (parameters.hunter_reach + HALF) * PARTS
}

/// Whether any cell of a chunk may be within the margin of a wall.
#[inline(always)]
fn is_near_wall(context: &PassContext<'_>, x: i32, y: i32) -> bool {
    let [width, height] = context.extents.as_cell();
    let distances = [x, width - x - MAX_LANES as i32, y, height - 1 - y];
    distances.into_iter().any(|distance| distance < context.parameters.margin)
}
