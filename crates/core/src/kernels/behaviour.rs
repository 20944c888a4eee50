//! Behaviour: every rule, their sum, and the turn where the way is blocked, in one pass.
//!
//! V' = turned( limit( round(keep·V) + Σ w_i·v_i ) ), with the rules' own functions: what is summed is what they would store.
//!
//! Rows of what all rules perceive are staged once. The lattice is worked through in columns narrow enough that the rows
//! in sight stay in the cache.

use super::alignment::{alignment, summed};
use super::cohesion::cohesion;
use super::hunter::hunter;
use super::outflow::turned;
use super::separation::separation;
use super::steer::steer;
use super::sums::{Summed, Summing, Window};
use super::walls::walls;
use super::{Band, PreparedSight, Scene, perceived};
use crate::fields::Around;
use crate::lanes::{Lanes, MAX_LANES};
use crate::vector::{pack, scale, unpack};
use crate::world::{PARTS, offset};

/// The rules that are worked out here, in the order of their weights; others may follow.
pub const RULES: [&str; 5] = ["cohesion", "separation", "alignment", "hunter", "walls"];
/// Those of them that look through a sight of their name.
pub const LOOKING: usize = 3;
/// What the engine prepares for those.
pub type Sights<'a> = [Option<&'a PreparedSight>; LOOKING];
/// Cells along x that are worked on at a time.
const COLUMNS: usize = 512;

/// The words of scratch that a band needs where no rule looks farther than this.
pub fn scratch_words(reach: i32) -> usize {
    Window::words(COLUMNS, reach) + LOOKING * Summing::kept_words(COLUMNS, reach) + 2 * COLUMNS
}

/// Fills rows of V'. Reads the density, the capacity, the control vector and every vector that the chain lists after it.
#[inline(always)]
pub fn play<L: Lanes>(scene: &Scene<'_>, band: &mut Band<'_, '_>) {
    let reach = scene.sights.iter().flatten().map(|sight| sight.reach).max().unwrap_or(1);
    let width = (scene.extents.width as usize).next_multiple_of(MAX_LANES);
    for first in (0..width).step_by(COLUMNS) {
        let columns = COLUMNS.min(width - first);
        let (staged, rest) = band.scratch.split_at_mut(Window::words(COLUMNS, reach));
        let (kept, asked) = rest.split_at_mut(LOOKING * Summing::kept_words(COLUMNS, reach));
        let (x, y) = asked[..2 * columns].split_at_mut(columns);
        let mut asked = Asked { x, y };
        let mut window = Window::new(staged, columns, reach);
        let mut rules = Rules::new(scene, &window, &mut *band.places, kept, columns);
        for (index, y) in band.rows.clone().enumerate() {
            window.advance();
            stage::<L>(scene, &mut window, first, index == 0, y);
            rules.take::<L>(&window, index == 0);
            let row = &mut band.write[0][index * scene.stride..][..scene.stride];
            let row = bytemuck::cast_slice_mut(&mut row[scene.halo + first..]);
            let own = Own::new(scene, first, y);
            rules.ask::<L>(scene, &window, &own, &mut asked);
            for cell in (0..columns).step_by(L::COUNT) {
                let v = unpack(L::load(&own.control[cell..]));
                let v = steer(v, [L::load(&asked.x[cell..]), L::load(&asked.y[cell..])], scene.parameters);
                pack(turned(v, own.capacity.cells(own.x + cell as i32))).store(&mut row[cell..]);
            }
        }
    }
}

/// The row in hand from the first column worked on.
struct Own<'a> {
    x: i32,
    y: i32,
    control: &'a [i32],
    capacity: Around<'a>,
}

impl<'a> Own<'a> {
    fn new(scene: &Scene<'a>, first: usize, y: i32) -> Self {
        let at = scene.halo + first;
        Self { x: first as i32, y, control: &scene.read[2].row(y)[at..], capacity: scene.read[1].around(y) }
    }
}

/// Stages p, p·V_x and p·V_y of the rows that row y of a band needs.
#[inline(always)]
fn stage<L: Lanes>(scene: &Scene<'_>, window: &mut Window<'_>, first: usize, is_first: bool, y: i32) {
    let (reach, width, beside) = (window.reach, window.width, window.beside);
    let aligns = scene.sights[2].is_some();
    for row in if is_first { -reach } else { reach }..=reach {
        let start = scene.halo + first - beside;
        let (density, control) = (&scene.read[0].row(y + row)[start..], &scene.read[2].row(y + row)[start..]);
        let place = window.place(-(beside as i32), row);
        let (seen, rest) = window.words[place..].split_at_mut(width);
        let (of_x, of_y) = rest.split_at_mut(width);
        for cell in (0..width).step_by(L::COUNT) {
            let p = perceived(L::load(&density[cell..]), scene.parameters);
            p.store(&mut seen[cell..]);
            if aligns {
                let [x, y] = scale(summed(unpack(L::load(&control[cell..]))), p);
                x.store(&mut of_x[cell..]);
                y.store(&mut of_y[cell..]);
            }
        }
    }
}

/// The rules that look, each with its sums.
struct Rules<'a> {
    cohesion: Option<Summing<'a>>,
    separation: Option<Summing<'a>>,
    alignment: Option<Summing<'a>>,
    cohesion_reach: i32,
}

impl<'a> Rules<'a> {
    fn new(
        scene: &Scene<'a>,
        window: &Window<'_>,
        places: &'a mut [usize],
        kept: &'a mut [i32],
        columns: usize,
    ) -> Self {
        let mut places = places.chunks_mut(Summing::MOST_PLACES);
        let mut kept = kept.chunks_mut(Summing::kept_words(columns, window.reach));
        let mut summing = |rule: usize| {
            let (places, kept) = (places.next().unwrap_or_default(), kept.next().unwrap_or_default());
            scene.sights[rule].map(|sight| Summing::new(sight, Summed::BY_RULE[rule], window, places, kept, columns))
        };
        Self {
            cohesion: summing(0),
            separation: summing(1),
            alignment: summing(2),
            cohesion_reach: scene.sights[0].map_or(1, |sight| sight.reach),
        }
    }

    #[inline(always)]
    fn take<L: Lanes>(&mut self, window: &Window<'_>, is_first: bool) {
        for summing in [&mut self.cohesion, &mut self.separation, &mut self.alignment].into_iter().flatten() {
            summing.take::<L>(window, is_first);
        }
    }

    /// What the rules ask of the cells of the row in hand, weighted and summed. Rule by rule, so that the processor works on
    /// many cells at once while it waits for the divisions of each.
    #[inline(always)]
    fn ask<L: Lanes>(&mut self, scene: &Scene<'_>, window: &Window<'_>, own: &Own<'_>, asked: &mut Asked<'_>) {
        let parameters = scene.parameters;
        let weights = &parameters.weights;
        let columns = asked.x.len();
        asked.x.fill(0);
        asked.y.fill(0);
        if let Some(sums) = &mut self.cohesion {
            for cell in (0..columns).step_by(L::COUNT) {
                let [seen, x, y] = sums.weighted::<L>(window, cell);
                asked.add(cell, weights[0], cohesion([x, y], seen, self.cohesion_reach));
            }
        }
        if let Some(sums) = &mut self.separation {
            for cell in (0..columns).step_by(L::COUNT) {
                let pressure = sums.pressure::<L>(window, cell);
                asked.add(cell, weights[1], separation(pressure, parameters.crowd));
            }
        }
        if let Some(sums) = &mut self.alignment {
            for cell in (0..columns).step_by(L::COUNT) {
                let [seen, x, y] = sums.plain::<L>(window, cell);
                let control = unpack(L::load(&own.control[cell..]));
                asked.add(cell, weights[2], alignment([x, y], seen, control));
            }
        }
        for cell in (0..columns).step_by(L::COUNT) {
            let (x, y) = (own.x + cell as i32, own.y);
            if weights[3] != 0 && is_hunted(scene, x, y) {
                asked.add_each::<L>(cell, weights[3], Each::Hunter, scene, x, y);
            }
            if weights[4] != 0 && is_near_wall(scene, x, y) {
                asked.add_each::<L>(cell, weights[4], Each::Walls, scene, x, y);
            }
        }
        for (rule, weight) in scene.read[3..].iter().zip(&weights[RULES.len()..]) {
            let vectors = &rule.row(own.y)[scene.halo + own.x as usize..];
            for cell in (0..columns).step_by(L::COUNT) {
                asked.add(cell, *weight, unpack(L::load(&vectors[cell..])));
            }
        }
    }
}

/// The vectors of the rules (Q10), weighted (Q10) and summed, for each cell of the row in hand.
struct Asked<'a> {
    x: &'a mut [i32],
    y: &'a mut [i32],
}

/// The rules that are worked out cell by cell, because few cells feel them.
enum Each {
    Hunter,
    Walls,
}

impl Asked<'_> {
    #[inline(always)]
    fn add<L: Lanes>(&mut self, cell: usize, weight: i32, [x, y]: [L; 2]) {
        let (sum_x, sum_y) = (&mut self.x[cell..], &mut self.y[cell..]);
        L::load(sum_x).add(x.multiply(L::splat(weight))).store(sum_x);
        L::load(sum_y).add(y.multiply(L::splat(weight))).store(sum_y);
    }

    #[inline(always)]
    fn add_each<L: Lanes>(&mut self, cell: usize, weight: i32, rule: Each, scene: &Scene<'_>, x: i32, y: i32) {
        let mut vectors = [[0; MAX_LANES]; 2];
        for i in 0..L::COUNT {
            // Chunks may end beyond the last cell; what is worked out there is never read.
            let place = [Ord::min(x + i as i32, scene.extents.width as i32 - 1), y];
            let v = match rule {
                Each::Hunter => hunter(place, scene.extents, scene.edges, scene.parameters),
                Each::Walls => walls(place, scene.extents, scene.parameters.margin),
            };
            vectors[0][i] = v[0];
            vectors[1][i] = v[1];
        }
        self.add(cell, weight, [L::load(&vectors[0]), L::load(&vectors[1])]);
    }
}

/// Whether any cell of the chunk may be within the hunter's reach.
#[inline(always)]
fn is_hunted(scene: &Scene<'_>, x: i32, y: i32) -> bool {
    const HALF: i32 = MAX_LANES as i32 / 2;
    let parameters = scene.parameters;
    let [width, height] = scene.extents.as_cell();
    let rows = offset(parameters.hunter_y, y * PARTS, height * PARTS, scene.edges).abs();
    let columns = offset(parameters.hunter_x, (x + HALF) * PARTS, width * PARTS, scene.edges).abs();
    rows <= parameters.hunter_reach * PARTS && columns <= (parameters.hunter_reach + HALF) * PARTS
}

/// Whether any cell of the chunk may be within the margin of a wall.
#[inline(always)]
fn is_near_wall(scene: &Scene<'_>, x: i32, y: i32) -> bool {
    let [width, height] = scene.extents.as_cell();
    let margin = scene.parameters.margin;
    let distances = [x, width - x - MAX_LANES as i32, y, height - 1 - y];
    distances.into_iter().any(|distance| distance < margin)
}
