//! The movement of agents: over the edges of a torus, back from walls, and not into solids.

use super::numbers::AgentParameters;
use super::rules::place_of;
use super::table::RuleSet;
use super::{PLACE_BITS, Space, Vector3};
use crate::world::are_jaws_at;

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

/// Whether the jaws of a hunter catch an agent.
#[inline(always)]
pub fn is_caught(position: Vector3, space: &Space, parameters: &AgentParameters) -> bool {
    are_jaws_at(parameters.hunters(), place_of(position, space), space.ends(), space.edges)
}
