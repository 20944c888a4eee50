//! How agents move: over the edges of a torus, back from walls, and not into solids.

use super::rules::RuleSet;
use super::steer::Surroundings;
use super::{PLACE_BITS, Space, Vector3};
use crate::kernels::parameters::Parameters;
use crate::numbers::{RULE_ONE, quotient, round_shift};
use crate::vector::{length, stretch};
use crate::world::{Edges, PARTS, offset, undecided};

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
pub fn advance(set: RuleSet, ground: &Terrain, place: Vector3, velocity: Vector3) -> (Vector3, Vector3) {
    // Q14 to Q16.
    let ahead = |velocity: Vector3| [0, 1, 2].map(|axis| place[axis] + (velocity[axis] << 2));
    let back = velocity.map(|n| -n);
    let (to, velocity) = if set == RuleSet::School {
        let reversed: Vector3 = std::array::from_fn(|axis| {
            let end = (ground.space.extents[axis] as i32) << PLACE_BITS;
            let to = place[axis] + (velocity[axis] << 2);
            let is_out = ground.space.edges == Edges::Walls && (to < 0 || to >= end);
            if is_out { -velocity[axis] } else { velocity[axis] }
        });
        if reversed != velocity {
            (place, reversed)
        } else if ground.is_open(ahead(velocity), place) {
            (ahead(velocity), velocity)
        } else if ground.is_open(ahead(back), place) {
            (ahead(back), back)
        } else {
            (place, back)
        }
    } else {
        let alone = |axis: usize| {
            let mut to = place;
            to[axis] += velocity[axis] << 2;
            ground.is_open(to, place)
        };
        let is_free = [alone(0), alone(1), alone(2)];
        let moved = std::array::from_fn(|axis| if is_free[axis] { velocity[axis] } else { 0 });
        let turned: Vector3 = std::array::from_fn(|axis| if is_free[axis] { velocity[axis] } else { -velocity[axis] });
        if ground.is_open(ahead(moved), place) { (ahead(moved), turned) } else { (place, back) }
    };
    let wrapped = std::array::from_fn(|axis| wrap(to[axis], (ground.space.extents[axis] as i32) << PLACE_BITS));
    (wrapped, velocity)
}

/// A position (Q16) in 1/16 cell, where the middle of a cell is a whole number of cells, as the cell system counts.
#[inline(always)]
pub fn in_parts(position: i32) -> i32 {
    ((position + 2048) >> 12) - PARTS / 2
}

/// What the hunter and the walls ask of an agent (see `shaders/cell/hunter.wgsl` and `walls.wgsl`). The hunter is a
/// column through the whole depth of a world.
#[inline(always)]
pub fn surroundings(position: Vector3, space: &Space, parameters: &Parameters) -> Surroundings<i32> {
    let mut around = Surroundings::default();
    let parts = position.map(in_parts);
    let extents = space.extents.map(|extent| extent as i32 * PARTS);
    if parameters.hunter_reach > 0 {
        let reach = parameters.hunter_reach * PARTS;
        let x = offset(parameters.hunter_x, parts[0], extents[0], space.edges);
        let y = offset(parameters.hunter_y, parts[1], extents[1], space.edges);
        if x.abs() <= reach && y.abs() <= reach {
            let along = |offset, extent| if undecided(offset, extent, space.edges) { 0 } else { offset };
            let away = [along(x, extents[0]), along(y, extents[1])];
            let distance = length(away);
            if distance > 0 && distance < reach {
                let direction = stretch(away, distance, RULE_ONE);
                let strength = parameters.hunter_towards * quotient((reach - distance) * RULE_ONE, reach);
                around.hunter = [round_shift(direction[0] * strength, 10), round_shift(direction[1] * strength, 10), 0];
            }
        }
    }
    if parameters.margin > 0 && space.edges == Edges::Walls {
        let margin = parameters.margin * PARTS;
        for axis in 0..space.axes() {
            let from_first = (margin - parts[axis]).max(0);
            let from_last = (margin - (extents[axis] - PARTS - parts[axis])).max(0);
            around.walls[axis] = quotient((from_first - from_last) * RULE_ONE, margin);
        }
    }
    around
}

/// Whether the hunter's jaws reach an agent: those at most so many cells away are caught.
#[inline(always)]
pub fn is_caught(position: Vector3, space: &Space, parameters: &Parameters) -> bool {
    let reach = parameters.hunter_jaws * PARTS;
    if reach == 0 {
        return false;
    }
    let extents = space.extents.map(|extent| extent as i32 * PARTS);
    let x = offset(parameters.hunter_x, in_parts(position[0]), extents[0], space.edges);
    let y = offset(parameters.hunter_y, in_parts(position[1]), extents[1], space.edges);
    x.abs() <= reach && y.abs() <= reach && x * x + y * y <= reach * reach
}
