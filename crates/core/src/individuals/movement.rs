//! The movement of agents: over the edges of a torus, back from walls, and not into solids.

use super::numbers::AgentParameters;
use super::rays::Rays;
use super::rules::place_of;
use super::table::RuleSet;
use super::{Agents, PLACE_BITS, Space, Vector3};
use crate::terrain::{FARTHEST_GAP, gaps};
use crate::world::{ScalarField, are_jaws_at};
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
        self.gap_of_cell(place.map(|along| along >> PLACE_BITS))
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

    /// Moves the agents that are in rock to the middle of the nearest free cell, of several to the first; how many they were. Nothing
    /// is moved where movements are not swept, or where nothing is free.
    pub fn free(&self, agents: &mut Agents) -> usize {
        if !self.is_swept() {
            return 0;
        }
        let mut moved = 0;
        for index in 0..agents.len() {
            let place = agents.position(index);
            if self.gap(place) >= 0 {
                continue;
            }
            let Some(cell) = self.nearest_free(place.map(|along| along >> PLACE_BITS)) else { return moved };
            for axis in 0..self.space.axes() {
                agents.positions[axis][index] = (cell[axis] << PLACE_BITS) + (1 << (PLACE_BITS - 1));
            }
            moved += 1;
        }
        moved
    }

    /// The free cell with the nearest middle, of several the first, x fastest. Cells are looked at in cubes around the place, until no cell
    /// outside of the cube can be nearer.
    fn nearest_free(&self, from: Vector3) -> Option<Vector3> {
        let (extents, edges) = (self.space.in_space(), self.space.edges);
        let farthest = self.space.extents.into_iter().max().unwrap_or(0) as i32;
        let mut nearest: Option<(i64, usize)> = None;
        for radius in 0..=farthest {
            if nearest.is_some_and(|(square, _)| i64::from(radius) * i64::from(radius) > square) {
                break;
            }
            let depth = if self.space.axes() == 3 { radius } else { 0 };
            for z in -depth..=depth {
                for y in -radius..=radius {
                    // The inner cells of the cube were looked at before.
                    let is_inside = z.abs() < radius && y.abs() < radius;
                    for x in (-radius..=radius).step_by(if is_inside { (2 * radius) as usize } else { 1 }) {
                        let cell = [from[0] + x, from[1] + y, from[2] + z];
                        let Some(index) = extents.index_in_space(cell, edges) else { continue };
                        if self.gaps[index] > 0 {
                            let square = [x, y, z].map(|along| i64::from(along) * i64::from(along)).iter().sum();
                            nearest = nearest.into_iter().chain([(square, index)]).min();
                        }
                    }
                }
            }
        }
        nearest.map(|(_, index)| extents.cell(index))
    }

    /// Whether a place (Q16), if need be beyond an edge, is within walls and, unless the agent is there already, in no
    /// solid.
    #[inline(always)]
    fn is_open(&self, place: Vector3, from: Vector3) -> bool {
        let Some(place) = self.space.wrap(place) else { return false };
        let column = |place: Vector3| {
            let [x, y] = [0, 1].map(|axis| (place[axis] >> PLACE_BITS) as usize);
            y * self.space.extents[0] as usize + x
        };
        self.solids.is_empty() || !self.solids[column(place)] || column(place) == column(from)
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
    let ahead = |velocity: Vector3| [0, 1, 2].map(|axis| place[axis] + (velocity[axis] << 2));
    let along = |axis: usize| {
        let mut to = place;
        to[axis] += velocity[axis] << 2;
        to
    };
    let is_open = |to: Vector3| terrain.is_open(to, place);
    let is_free = [0, 1, 2].map(|axis| match set {
        RuleSet::School => {
            let extent = i64::from(terrain.space.extents[axis]) << PLACE_BITS;
            terrain.space.edges.wrap(along(axis)[axis].into(), extent).is_some()
        }
        _ => is_open(along(axis)),
    });
    let turned: Vector3 = std::array::from_fn(|axis| if is_free[axis] { velocity[axis] } else { -velocity[axis] });
    let back = velocity.map(|n| -n);
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
    let way = velocity.map(|along| along << 2);
    let longest = way[0].abs().max(way[1].abs()).max(way[2].abs());
    let parts = (longest + LONGEST_PART - 1) / LONGEST_PART;
    let (mut place, mut kept) = (place, velocity);
    for part in 0..parts {
        // The parts of a way together are the whole way: the remainder is spread over them.
        let end = |along: i32, part: i32| along / parts * part + along % parts * part / parts;
        let mut step = [0, 1, 2].map(|axis| end(way[axis], part + 1) - end(way[axis], part));
        (0..3).filter(|axis| kept[*axis] == 0).for_each(|axis| step[axis] = 0);
        place = sweep_part(terrain, place, step, &mut kept);
    }
    if kept == [0; 3] {
        kept = velocity.map(|along| -(along / 2));
    }
    (place, kept)
}

/// A part of a movement, at most [`LONGEST_PART`] along each axis; components of `velocity` that are stopped become 0.
#[inline(always)]
fn sweep_part(terrain: &Terrain, place: Vector3, step: Vector3, velocity: &mut Vector3) -> Vector3 {
    let extents = terrain.space.extents;
    let (mut cell, mut within) = (place.map(|along| along >> PLACE_BITS), place.map(|along| along & LONGEST_PART));
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
    [0, 1, 2].map(|axis| (cell[axis] << PLACE_BITS) | within[axis])
}

/// Whether the jaws of a hunter catch an agent.
#[inline(always)]
pub fn is_caught(position: Vector3, space: &Space, parameters: &AgentParameters) -> bool {
    are_jaws_at(parameters.hunters(), place_of(position, space), space.ends(), space.edges)
}
