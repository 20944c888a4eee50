//! How agents move: over the edges of a torus, back from walls, and not into solids.

use super::parameters::AgentParameters;
use super::rules::in_parts;
use super::table::RuleSet;
use super::{PLACE_BITS, Space, Vector3};
use crate::world::Edges;

/// Where agents may be. Solids are columns: they reach through the whole depth of a world.
#[derive(Debug, Clone)]
pub struct Terrain {
    pub space: Space,
    /// Which columns are solid, x fastest; empty where none is.
    pub solids: Vec<bool>,
}

impl Terrain {
    /// Whether a place (Q16), if need be beyond an edge, is within walls and, unless the agent is there already, in no
    /// solid.
    #[inline(always)]
    fn is_open(&self, place: Vector3, from: Vector3) -> bool {
        let ends = self.space.extents.map(|extent| (extent as i32) << PLACE_BITS);
        if self.space.edges == Edges::Walls && (0..3).any(|axis| place[axis] < 0 || place[axis] >= ends[axis]) {
            return false;
        }
        if self.solids.is_empty() {
            return true;
        }
        let column = |place: Vector3| {
            let [x, y] = [0, 1].map(|axis| (wrap(place[axis], ends[axis]) >> PLACE_BITS) as usize);
            y * self.space.extents[0] as usize + x
        };
        let here = column(place);
        !self.solids[here] || here == column(from)
    }
}

/// A place up to one extent beyond an edge, brought back round the torus.
#[inline(always)]
fn wrap(place: i32, end: i32) -> i32 {
    place + if place < 0 { end } else { 0 } - if place >= end { end } else { 0 }
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
    let back = velocity.map(|n| -n);
    let (to, velocity) = if set == RuleSet::School {
        let reversed: Vector3 = std::array::from_fn(|axis| {
            let end = (terrain.space.extents[axis] as i32) << PLACE_BITS;
            let to = place[axis] + (velocity[axis] << 2);
            let is_out = terrain.space.edges == Edges::Walls && (to < 0 || to >= end);
            if is_out { -velocity[axis] } else { velocity[axis] }
        });
        if reversed != velocity {
            (place, reversed)
        } else if terrain.is_open(ahead(velocity), place) {
            (ahead(velocity), velocity)
        } else if terrain.is_open(ahead(back), place) {
            (ahead(back), back)
        } else {
            (place, back)
        }
    } else {
        let alone = |axis: usize| {
            let mut to = place;
            to[axis] += velocity[axis] << 2;
            terrain.is_open(to, place)
        };
        let is_free = [alone(0), alone(1), alone(2)];
        let moved = std::array::from_fn(|axis| if is_free[axis] { velocity[axis] } else { 0 });
        let turned: Vector3 = std::array::from_fn(|axis| if is_free[axis] { velocity[axis] } else { -velocity[axis] });
        if terrain.is_open(ahead(moved), place) { (ahead(moved), turned) } else { (place, back) }
    };
    let wrapped = std::array::from_fn(|axis| wrap(to[axis], (terrain.space.extents[axis] as i32) << PLACE_BITS));
    (wrapped, velocity)
}

/// Whether the hunter's jaws catch an agent.
#[inline(always)]
pub fn is_caught(position: Vector3, space: &Space, parameters: &AgentParameters) -> bool {
    let [x, y, _] = position.map(in_parts);
    parameters.hunter().catches([x, y], space.extents(), space.edges)
}
