//! The movement of agents: over the edges of a torus, back from walls, and not into solids.

use super::numbers::AgentParameters;
use super::rays::Rays;
use super::rules::place_of;
use super::table::RuleSet;
use super::{Agents, PLACE_BITS, Space, Vector3};
use crate::falcon;
use crate::lanes::{self, MAX_LANES};
use crate::numbers::each_axis;
use crate::terrain::{FARTHEST_GAP, GapField, gaps, nearest_free};
use crate::world::{Edges, ScalarField, are_jaws_at};
use std::sync::Arc;

/// The longest part of a movement along an axis (Q16): it leads over one border between cells at most.
const LONGEST_PART: i32 = (1 << PLACE_BITS) - 1;

/// Where agents may be.
#[derive(Debug, Clone)]
pub struct Terrain {
    pub space: Space,
    /// Which columns are solid through the whole depth of the world, x fastest; empty where none is.
    pub solids: Vec<bool>,
    /// The rock of the space, if there is any.
    pub field: Option<Arc<ScalarField>>,
    /// With what agents look for a way; `None`: they do not.
    pub rays: Option<Arc<Rays>>,
    /// The gap field of columns and rock (see [`gaps`]), for rays and for a movement that is swept; empty: agents are
    /// moved by [`advance`].
    pub gaps: Arc<Vec<u8>>,
    /// The place of the first cell of an endless world's window; `None`: the world has edges.
    pub origin: Option<[i64; 3]>,
}

impl Terrain {
    /// A terrain without rock and rays.
    pub fn new(space: Space, solids: Vec<bool>) -> Self {
        Self { space, solids, field: None, rays: None, gaps: Arc::default(), origin: None }
    }

    /// The same with rock and rays, where movements are swept.
    pub fn with_obstacles(mut self, field: Option<Arc<ScalarField>>, rays: Option<Arc<Rays>>) -> Self {
        (self.field, self.rays) = (field, rays);
        self.find_gaps();
        self
    }

    /// Whether rock, rays and origin are those of another terrain.
    pub fn has_obstacles_of(&self, other: &Self) -> bool {
        let is_same_rock = match (&self.field, &other.field) {
            (Some(own), Some(other)) => Arc::ptr_eq(own, other) || own == other,
            (own, other) => own.is_none() && other.is_none(),
        };
        is_same_rock && (&self.rays, self.origin, self.is_swept()) == (&other.rays, other.origin, other.is_swept())
    }

    /// Whether movements are swept.
    pub fn is_swept(&self) -> bool {
        !self.gaps.is_empty()
    }

    /// Replaces the solid columns.
    pub fn set_solids(&mut self, solids: Vec<bool>) {
        if self.solids != solids {
            self.solids = solids;
            if self.is_swept() {
                self.find_gaps();
            }
        }
    }

    fn find_gaps(&mut self) {
        let extents = self.space.in_space();
        let columns = self.space.extents().cells();
        let mut solids = self.field.as_ref().map(|field| field.rock()).unwrap_or_default();
        if !self.solids.is_empty() {
            solids.resize(extents.cells(), false);
            solids.iter_mut().enumerate().for_each(|(index, solid)| *solid |= self.solids[index % columns]);
        }
        self.gaps = Arc::new(gaps(extents, self.space.edges, &solids, FARTHEST_GAP));
    }

    /// The distance from the cell of a place (Q16) to rock, in quarters of a cell, rounded down; -1 in rock and beyond a wall.
    #[inline(always)]
    pub fn gap(&self, place: Vector3) -> i32 {
        self.gap_of_cell(each_axis(|axis| place[axis] >> PLACE_BITS))
    }

    /// The same for a cell, which may lie beyond an edge.
    #[inline(always)]
    fn gap_of_cell(&self, cell: Vector3) -> i32 {
        let mut index = 0;
        for axis in [2, 1, 0] {
            let extent = self.space.extents[axis];
            let Some(along) = self.space.edges.wrap(cell[axis].into(), extent.into()) else { return -1 };
            index = index * extent as usize + along as usize;
        }
        i32::from(self.gaps[index]) - 1
    }

    /// [`Self::gap`] of places side by side.
    #[inline(always)]
    pub fn gaps_at<V: lanes::Lanes>(&self, place: [V; 3]) -> V {
        let (splat, is_torus) = (V::splat, self.space.edges == Edges::Torus);
        let (mut cell, mut is_beyond) = (place, splat(0));
        for axis in 0..3 {
            let end = splat(self.space.extents[axis] as i32);
            let last = end.subtract(splat(1));
            cell[axis] = cell[axis].shift_right::<PLACE_BITS>();
            // Only the sign of a mask counts: it is negative before the first cell and after the last.
            let mut is_out = cell[axis].or(last.subtract(cell[axis]));
            while is_torus && is_out.any() {
                let before = cell[axis].add(end.and(cell[axis].less_than(splat(0))));
                cell[axis] = before.subtract(end.and(last.less_than(cell[axis])));
                is_out = cell[axis].or(last.subtract(cell[axis]));
            }
            is_beyond = is_beyond.or(is_out);
        }
        let (mut index, mut stride) = (splat(0), 1);
        for axis in 0..3 {
            // Where all is rock, any cell is read.
            let along = is_beyond.select(splat(0), cell[axis]);
            index = index.add(along.multiply(splat(stride)));
            stride *= self.space.extents[axis] as i32;
        }
        is_beyond.select(splat(-1), V::gather_bytes(&self.gaps, index).subtract(splat(1)))
    }

    /// The gap field of the space; `None`: movements are not swept.
    pub fn gap_field(&self) -> Option<GapField<'_>> {
        let Space { edges, .. } = self.space;
        self.is_swept().then(|| GapField { extents: self.space.in_space(), edges, gaps: &self.gaps })
    }

    /// Moves the agents and the falcons that are in rock to the middle of the nearest free cell, of several to the first; how many they
    /// were. Nothing is moved where movements are not swept, or where nothing is free.
    pub fn free(&self, agents: &mut Agents) -> usize {
        let Some(field) = self.gap_field() else { return 0 };
        let is_free = |index: usize| field.gaps[index] > 0;
        let mut moved = falcon::free_all(&mut agents.falcons, field.extents, field.edges, is_free);
        for index in 0..agents.len() {
            let place = agents.position(index);
            if self.gap(place) >= 0 {
                continue;
            }
            let from = each_axis(|axis| place[axis] >> PLACE_BITS);
            let Some(cell) = nearest_free(field.extents, field.edges, from, is_free) else { return moved };
            for axis in 0..self.space.axes() {
                agents.positions[axis][index] = (cell[axis] << PLACE_BITS) + (1 << (PLACE_BITS - 1));
            }
            moved += 1;
        }
        moved
    }

    /// Whether an individual may begin at a place (Q16) within the space: it is in no solid and in no rock.
    pub fn is_free(&self, place: Vector3) -> bool {
        let [x, y, _] = each_axis(|axis| (place[axis] >> PLACE_BITS) as usize);
        let column = y * self.space.extents[0] as usize + x;
        if self.is_swept() { self.gap(place) >= 0 } else { self.solids.get(column) != Some(&true) }
    }

    /// Whether a place (Q16), if need be beyond an edge, is within walls and, unless the agent is there already, in no
    /// solid.
    #[inline(always)]
    fn is_open(&self, place: Vector3, from: Vector3) -> bool {
        let Some(place) = self.space.wrap(place) else { return false };
        let column = |place: Vector3| {
            let [x, y, _] = each_axis(|axis| (place[axis] >> PLACE_BITS) as usize);
            y * self.space.extents[0] as usize + x
        };
        self.solids.is_empty() || !self.solids[column(place)] || column(place) == column(from)
    }
}

/// Moves agents by their velocities: by [`sweep`] where movements are swept, else by [`advance`]. By axis: places (Q16) and velocities (Q14).
///
/// Where nothing is in the way, several are moved at once. That is everywhere on a torus without solids, and by a swept movement
/// that is shorter than the gap: no point of its way is in rock, whatever cells it leads through.
#[inline(always)]
pub fn move_all<V: lanes::Lanes>(
    set: RuleSet,
    terrain: &Terrain,
    places: [&mut [i32]; 3],
    velocities: [&mut [i32]; 3],
) {
    let (count, is_swept) = (places[0].len(), terrain.is_swept());
    let is_open = terrain.solids.is_empty() && terrain.field.is_none() && terrain.space.edges == Edges::Torus;
    for first in (0..count).step_by(V::COUNT) {
        let (mut from, mut to, mut fastest) = ([V::splat(0); 3], [V::splat(0); 3], V::splat(0));
        for axis in 0..3 {
            let velocity = V::load_some(&velocities[axis][first..]);
            fastest = fastest.max(velocity.abs());
            from[axis] = V::load_some(&places[axis][first..]);
            to[axis] = from[axis].add(velocity.shift_left::<2>());
            let end = V::splat((terrain.space.extents[axis] as i32) << PLACE_BITS);
            let over = end.subtract(V::splat(1)).less_than(to[axis]);
            to[axis] = to[axis].add(end.and(to[axis].less_than(V::splat(0)))).subtract(end.and(over));
        }
        let is_clear = match (is_open, is_swept) {
            (true, _) => V::splat(-1),
            // The way is at most √3 times as long as along its longest axis; here 2 times that is still less than the gap.
            (false, true) => fastest.less_than(terrain.gaps_at(from).shift_left::<11>()),
            (false, false) => V::splat(0),
        };
        for axis in 0..3 {
            is_clear.select(to[axis], from[axis]).store_some(&mut places[axis][first..]);
        }
        if is_open || !is_clear.equals(V::splat(0)).any() {
            continue;
        }
        let mut clear = [0; MAX_LANES];
        is_clear.store(&mut clear);
        for lane in 0..Ord::min(V::COUNT, count - first) {
            if clear[lane] < 0 {
                continue;
            }
            let index = first + lane;
            let place = [places[0][index], places[1][index], places[2][index]];
            let velocity = [velocities[0][index], velocities[1][index], velocities[2][index]];
            let (place, velocity) =
                if is_swept { sweep(terrain, place, velocity) } else { advance(set, terrain, place, velocity) };
            for axis in 0..3 {
                places[axis][index] = place[axis];
                velocities[axis][index] = velocity[axis];
            }
        }
    }
}

/// One movement: the place where the agent is afterwards, and the velocity with which it goes on.
///
/// - school: beyond a wall the velocity is reversed on that axis, and the agent stays; in a solid the movement is undone
///   and made backwards with the velocity reversed; where that is blocked as well, the agent stays.
/// - the others, as the cell system has it: each axis alone, where the place straight ahead is outside or solid, that
///   component is reversed and not moved along; where only the place across the corner is blocked, the agent stays and
///   turns round.
#[inline(always)]
pub fn advance(set: RuleSet, terrain: &Terrain, place: Vector3, velocity: Vector3) -> (Vector3, Vector3) {
    // Q14 to Q16.
    let ahead = |velocity: Vector3| each_axis(|axis| place[axis] + (velocity[axis] << 2));
    let along = |axis: usize| {
        let mut to = place;
        to[axis] += velocity[axis] << 2;
        to
    };
    let is_open = |to: Vector3| terrain.is_open(to, place);
    let is_free = each_axis(|axis| match set {
        RuleSet::School => {
            let extent = i64::from(terrain.space.extents[axis]) << PLACE_BITS;
            terrain.space.edges.wrap(along(axis)[axis].into(), extent).is_some()
        }
        _ => is_open(along(axis)),
    });
    let turned = each_axis(|axis| if is_free[axis] { velocity[axis] } else { -velocity[axis] });
    let back = each_axis(|axis| -velocity[axis]);
    let (to, velocity) = if set == RuleSet::School {
        if turned != velocity {
            (place, turned)
        } else if is_open(ahead(velocity)) {
            (ahead(velocity), velocity)
        } else if is_open(ahead(back)) {
            (ahead(back), back)
        } else {
            (place, back)
        }
    } else {
        let moved = std::array::from_fn(|axis| if is_free[axis] { velocity[axis] } else { 0 });
        if is_open(ahead(moved)) { (ahead(moved), turned) } else { (place, back) }
    };
    (terrain.space.wrap(to).unwrap_or(place), velocity)
}

/// One movement that ends before rock: the way is followed from cell to cell.
///
/// A way is divided into parts that cross one border between cells on each axis at most. Borders are crossed in the order in
/// which they are reached, on the lowest axis first where two are reached at once. If the cell beyond is rock or lies beyond a
/// wall, the agent goes to the end of its cell on that axis, loses that component of its velocity, and slides on along the
/// others. An agent that lost all of its velocity turns round at half of it.
///
/// The cell of the agent is free before each crossing and after it, and the agent ends in it: it is never in rock.
#[inline(always)]
pub fn sweep(terrain: &Terrain, place: Vector3, velocity: Vector3) -> (Vector3, Vector3) {
    let way = each_axis(|axis| velocity[axis] << 2);
    let longest = way[0].abs().max(way[1].abs()).max(way[2].abs());
    let parts = (longest + LONGEST_PART - 1) / LONGEST_PART;
    let (mut place, mut kept) = (place, velocity);
    for part in 0..parts {
        // The parts of a way together are the whole way: the remainder is spread over them.
        let end = |along: i32, part: i32| along / parts * part + along % parts * part / parts;
        let mut step = each_axis(|axis| end(way[axis], part + 1) - end(way[axis], part));
        (0..3).filter(|axis| kept[*axis] == 0).for_each(|axis| step[axis] = 0);
        place = sweep_part(terrain, place, step, &mut kept);
    }
    if kept == [0; 3] {
        kept = each_axis(|axis| -(velocity[axis] / 2));
    }
    (place, kept)
}

/// Whether rock stopped the movement that led an agent here, on at least one axis, by what [`sweep`] leaves behind.
///
/// On an axis on which it is stopped an agent stands at an end of its cell without a velocity; if it lost all of its velocity, it
/// stands so on each axis that it moves along, turned round. It slides by at most two cells along the other axes, so rock is nearer than
/// three. All that were stopped in a step are found after it. Of the others, found are those that have not moved on since a step before, and
/// few that are by chance next to rock at an end of a cell, which is 1 place in 2^15, without a velocity along that axis.
pub fn is_stopped(terrain: &Terrain, place: Vector3, velocity: Vector3) -> bool {
    let mut axes = (0..terrain.space.axes()).map(|axis| (place[axis] & LONGEST_PART, velocity[axis]));
    let slides = axes.clone().any(|(within, velocity)| velocity == 0 && (within == 0 || within == LONGEST_PART));
    let is_turned = |(within, velocity): (i32, i32)| match velocity.signum() {
        0 => true,
        1 => within == 0,
        _ => within == LONGEST_PART,
    };
    (slides || velocity != [0; 3] && axes.all(is_turned)) && terrain.gap(place) < 4 * 3
}

/// A part of a movement, at most [`LONGEST_PART`] along each axis; components of `velocity` that are stopped become 0.
#[inline(always)]
fn sweep_part(terrain: &Terrain, place: Vector3, step: Vector3, velocity: &mut Vector3) -> Vector3 {
    let extents = terrain.space.extents;
    let mut cell = each_axis(|axis| place[axis] >> PLACE_BITS);
    let mut within = each_axis(|axis| place[axis] & LONGEST_PART);
    // What is left until the border, in units of Q16; a border that is not reached is marked by 0.
    let mut left = [0u32; 3];
    for axis in 0..3 {
        let to = within[axis] + step[axis];
        if to > LONGEST_PART {
            left[axis] = (LONGEST_PART + 1 - within[axis]) as u32;
        } else if to < 0 {
            left[axis] = (within[axis] + 1) as u32;
        }
        within[axis] = to & LONGEST_PART;
    }
    let length = step.map(i32::unsigned_abs);
    while left != [0; 3] {
        // a is reached before b if left_a / |step_a| < left_b / |step_b|; the products are below 2^32.
        let mut next = 3;
        for axis in 0..3 {
            if left[axis] > 0 && (next == 3 || left[axis] * length[next] < left[next] * length[axis]) {
                next = axis;
            }
        }
        left[next] = 0;
        let mut beyond = cell;
        beyond[next] += step[next].signum();
        if terrain.gap_of_cell(beyond) >= 0 {
            let extent = extents[next] as i32;
            beyond[next] += if beyond[next] < 0 { extent } else { 0 } - if beyond[next] >= extent { extent } else { 0 };
            cell = beyond;
        } else {
            within[next] = if step[next] > 0 { LONGEST_PART } else { 0 };
            velocity[next] = 0;
        }
    }
    each_axis(|axis| (cell[axis] << PLACE_BITS) | within[axis])
}

/// Whether the jaws of a hunter catch an agent.
#[inline(always)]
pub fn is_caught(position: Vector3, space: &Space, parameters: &AgentParameters) -> bool {
    are_jaws_at(parameters.hunters(), place_of(position, space), space.ends(), space.edges)
}
