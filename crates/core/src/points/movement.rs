//! The movement of a point in a step.

use super::{Flow, LEAVES, Point, cell_at, held};
use crate::numbers::random::hash;
use crate::numbers::{ONE, Vector3, quotient, round_shift};
use crate::world::{Edges, PLACE_BITS};

/// The shift from quanta to the weight of a cell. A cell with less than 1/256 boid has the weight 0.
pub const WEIGHT_SHIFT: u32 = 8;
/// The greatest weight of a cell.
const MAX_WEIGHT: u32 = 0xffff;
/// The shift of a place (Q16 of a cell) to 1/32 cell. Weights between the middles of two cells are in this unit.
const PART_SHIFT: u32 = PLACE_BITS - 5;
/// A point's own drift changes every 2^5 steps.
const DRIFT_BITS: u32 = 5;

/// The point after a step to the state of `flow`; `None`: a solid covers it now.
///
/// x' = x + v;   v = drift + mean of V over the cells around x + u, weighted by their boids and their nearness
///
/// x and x' are the places before and after the step, u and v the velocities before and after, and V is the control
/// vector of a cell. Before the step the boids were at x. The control vectors brought them to their present places,
/// about x + u, so V is read there. If no boids are there, v = u, and the point begins to leave. The point does not
/// move along an axis if a solid blocks the way.
#[inline(always)]
pub fn moved<F: Flow>(flow: &F, mut point: Point, step: u32) -> Option<Point> {
    let extents = flow.extents();
    let edges = flow.edges();
    let cell = cell_at(point.place);
    let has_obstacles = flow.has_solids() || edges == Edges::Walls;
    let is_solid = |cell| has_obstacles && flow.is_solid(cell);
    if is_solid(cell) {
        return None;
    }
    let before = point.velocity();
    let ahead = held(sum(point.place, before), extents, edges);
    let mut velocity = match mean(flow, ahead) {
        Some(mean) => drifting(mean, point.key(), step, extents.axes()),
        None => {
            point.key |= LEAVES;
            before
        }
    };
    for axis in 0..extents.axes() {
        let mut beside = cell;
        beside[axis] = cell_at(sum(point.place, velocity))[axis];
        if beside[axis] != cell[axis] && is_solid(beside) {
            velocity[axis] = 0;
        }
    }
    if is_solid(cell_at(sum(point.place, velocity))) {
        velocity = [0; 3];
    }
    point.place = held(sum(point.place, velocity), extents, edges);
    point.velocity = [velocity[0] as i16, velocity[1] as i16, velocity[2] as i16];
    Some(point)
}

/// The place (Q16 of a cell) after a step with a velocity (Q14 of a cell).
#[inline(always)]
fn sum(place: Vector3, velocity: Vector3) -> Vector3 {
    [place[0] + 4 * velocity[0], place[1] + 4 * velocity[1], place[2] + 4 * velocity[2]]
}

/// The mean control vector around a place on the lattice, over the two nearest cells along each axis; `None`: these
/// cells have no boids.
///
/// Σ w·p·V / Σ w·p   with the control vector V and the quanta D of each cell, and p = min(D >> 8, 65 535)
///
/// w is the product of the nearness along each axis. The nearness is 1 minus the distance from the place to the middle
/// of the cell, in 1/32. The weights w·p are shifted right by the least k for which (Σ w·p) >> k is below 2^16, so that
/// the sums fit in 32 bits. The nearness of each of the two cells is rounded down, so that a mirrored state has
/// mirrored means.
#[inline(always)]
pub fn mean<F: Flow>(flow: &F, place: Vector3) -> Option<Vector3> {
    let axes = flow.extents().axes();
    let mut first = [0; 3];
    let mut near = [[1, 0]; 3];
    for axis in 0..axes {
        let from_middle = place[axis] - (1 << (PLACE_BITS - 1));
        first[axis] = from_middle >> PLACE_BITS;
        let part = from_middle as u32 & 0xffff;
        near[axis] = [((1 << PLACE_BITS) - part) >> PART_SHIFT, part >> PART_SHIFT];
    }
    let corners = 1 << axes;
    let corner = |index: usize| [index & 1, index >> 1 & 1, index >> 2];
    let cell = |at: [usize; 3]| [first[0] + at[0] as i32, first[1] + at[1] as i32, first[2] + at[2] as i32];
    let (mut weights, mut sum) = ([0; 8], 0);
    for index in (0..corners).step_by(2) {
        let at = corner(index);
        let near_row = near[1][at[1]] * near[2][at[2]];
        let densities = flow.pair(cell(at));
        for x in 0..2 {
            let weight = near[0][x] * near_row * (densities[x] >> WEIGHT_SHIFT).min(MAX_WEIGHT);
            weights[index + x] = weight;
            sum += weight;
        }
    }
    if sum == 0 {
        return None;
    }
    let shift = 16u32.saturating_sub(sum.leading_zeros());
    let (mut divisor, mut momentum) = (0, [0; 3]);
    for index in 0..corners {
        let weight = (weights[index] >> shift) as i32;
        if weight != 0 {
            let v = flow.velocity(cell(corner(index)));
            divisor += weight;
            for axis in 0..3 {
                momentum[axis] += weight * v[axis];
            }
        }
    }
    Some([quotient(momentum[0], divisor), quotient(momentum[1], divisor), quotient(momentum[2], divisor)])
}

/// Adds a point's own drift to a velocity. Along each axis the drift is at most 1/8 of the sum of the velocity's
/// absolute components, and it changes slowly. So points spread as boids spread when they move between cells.
#[inline(always)]
fn drifting(mut velocity: Vector3, key: u32, step: u32, axes: usize) -> Vector3 {
    let speed = velocity[0].abs() + velocity[1].abs() + velocity[2].abs();
    let time = step.wrapping_add(key);
    let (period, part) = (time >> DRIFT_BITS, (time & 31) as i32);
    for axis in 0..axes {
        let at = |period: u32| (hash(hash(key.wrapping_add(axis as u32)) ^ period) >> 21) as i32 - 1024;
        let drift = round_shift(at(period) * (32 - part) + at(period.wrapping_add(1)) * part, DRIFT_BITS);
        velocity[axis] = (velocity[axis] + round_shift(speed * drift, 13)).clamp(-ONE, ONE);
    }
    velocity
}
