//! Falcons among rock: they turn away before rock, and are never in it.
//!
//! **Look ahead.** The gap field has the gap of each cell: its distance to the nearest rock. A way is followed in steps
//! as long as the gap at the present place, at least a cell. The way ends at the last place before the first gap below
//! the clearance. The clearance is 0 for a falcon that is nearer to rock already. ŵ is the direction in which the
//! falcon wants to fly. Along ŵ the look reaches 16 cells. h is the heading. Along h the look reaches the way of eight
//! steps, but at least 4 and at most 16 cells. The falcon flies along
//!
//! - ŵ, if that way is clear;
//! - else h, if that way is clear: it flies on along the rock, and leaves a bay in which its prey would hold it;
//! - else -h, if n is 0: it turns round;
//! - else t + (1 - s/2l)·n: it turns aside and away from the rock.
//!
//! l is the length of the look along h, and s the length of the clear way along h. n is the direction of ĝ + â, where
//! ĝ and â are the directions of g and a. g is the growth of the gap at the end of the way along h. On each axis, it is
//! the gap a cell farther minus the gap a cell back. a leads out of tunnels: on each axis, it is the length of the
//! clear way forwards minus the length of the clear way back. t is the direction of the part of h across n. If this
//! part is below 1/256, the part of ŵ across n is used. If that is below 1/256 too, the part of an axis is used: the
//! axis along which n is shortest, of several the first.
//!
//! **Sweep.** A movement leads from place to place (1/16 cell), by at most one on each axis. The next place may be
//! closed: in rock, or beyond the middle of the last cell before a wall. Each axis that alone leads to a closed place
//! is then stopped for the rest of the step, and loses its velocity. If no axis alone leads to a closed place, or if
//! the remaining axes together do, all axes are stopped. A falcon that lost all of its velocity turns round.
//!
//! A place on the face between two cells belongs to both cells, and is in rock if either cell is rock. So only the last
//! form of t prefers a direction or an axis.
//!
//! The twin is `shaders/falcons/among_rock.wgsl`.

use super::Falcon;
use crate::lanes::vector::{add, length, normalise, round_shift, scale, subtract};
use crate::numbers::{ONE, Vector3, each_axis, quotient, round_shift as round_shift_number};
use crate::state::{Individuals, WorldColumns};
use crate::terrain::{GapField, Habitat, nearest_free};
use crate::world::{Edges, Extents, PARTS, World};

/// The distance that a falcon keeps from rock, in quarters of a cell.
const CLEARANCE: i32 = 8;
/// The longest look ahead, in cells. A gap field for falcons need not reach farther.
pub const MAX_LOOK: u32 = 16;
/// The shortest and the longest look ahead (1/16 cell).
const MIN_DISTANCE: i32 = 4 * PARTS;
const MAX_DISTANCE: i32 = MAX_LOOK as i32 * PARTS;

/// The shortest part across a direction (Q14) that is not taken for a rounding error.
const ACROSS: i32 = ONE / 256;

/// The first and the last cell of a place (1/16 cell, from the middle of a cell) along an axis. They differ if the
/// place lies on a face.
fn cells(place: i32) -> [i32; 2] {
    [(place + 7) >> 4, (place + 8) >> 4]
}

/// Whether all cells of a place fulfil a condition.
fn are_all(place: Vector3, holds: impl Fn(Vector3) -> bool) -> bool {
    let [x, y, z] = place.map(cells);
    (z[0]..=z[1]).all(|z| (y[0]..=y[1]).all(|y| (x[0]..=x[1]).all(|x| holds([x, y, z]))))
}

/// The least gap of the cells of a place, in quarters of a cell.
fn gap(rock: &GapField<'_>, place: Vector3) -> i32 {
    let [x, y, z] = place.map(cells);
    let mut least = i32::MAX;
    for z in z[0]..=z[1] {
        for y in y[0]..=y[1] {
            for x in x[0]..=x[1] {
                least = least.min(rock.gap_of_cell([x, y, z]));
            }
        }
    }
    least
}

/// The last place before rock on a way of the length `most` (1/16 cell) in a direction (Q14), and its distance. `None`:
/// the way is clear.
fn end_of_way(rock: &GapField<'_>, from: Vector3, direction: Vector3, most: i32) -> Option<(Vector3, i32)> {
    let (mut place, mut clear, mut around) = (from, 0, gap(rock, from));
    let held = if around >= CLEARANCE { CLEARANCE } else { 0 };
    while clear < most {
        let next = (clear + (4 * (around - held)).max(PARTS)).min(most);
        let to = add(from, round_shift::<i32, 3, 14>(scale(direction, next)));
        around = gap(rock, to);
        if around < held {
            return Some((place, clear));
        }
        (place, clear) = (to, next);
    }
    None
}

/// The direction (Q14) away from the rock at the end of a way, and towards the room at its beginning. It is the zero
/// vector if both cancel.
fn away_from_rock(rock: &GapField<'_>, from: Vector3, end: Vector3, look: i32) -> Vector3 {
    let growth = each_axis(|axis| {
        let beside = |sign: i32| gap(rock, add(end, along_axis(axis, sign * PARTS)));
        beside(1) - beside(-1)
    });
    let room = each_axis(|axis| {
        let clear =
            |sign: i32| end_of_way(rock, from, along_axis(axis, sign * ONE), look).map_or(look, |(_, clear)| clear);
        clear(1) - clear(-1)
    });
    normalise(add(normalise(growth), normalise(room)))
}

fn along_axis(axis: usize, length: i32) -> Vector3 {
    let mut along = [0; 3];
    along[axis] = length;
    along
}

/// The direction (Q14) in which a falcon flies among rock if it wants to fly in the direction `wish`.
pub fn avoid_rock(rock: &GapField<'_>, place: Vector3, velocity: Vector3, wish: Vector3) -> Vector3 {
    if end_of_way(rock, place, wish, MAX_DISTANCE).is_none() {
        return wish;
    }
    // The velocity is Q10 of a cell a step. An eighth of it is the way of eight steps in 1/16 cell.
    let look = (length(velocity) >> 3).clamp(MIN_DISTANCE, MAX_DISTANCE);
    // A falcon at rest has its wish as its heading.
    let heading = if velocity == [0; 3] { wish } else { normalise(velocity) };
    let Some((end, clear)) = end_of_way(rock, place, heading, look) else { return heading };
    let away = away_from_rock(rock, place, end, look);
    if away == [0; 3] {
        return heading.map(|along| -along);
    }
    let outwards = ONE - quotient(clear * ONE, 2 * look);
    normalise(add(aside(rock, away, [heading, wish]), round_shift::<i32, 3, 14>(scale(away, outwards))))
}

/// Takes the first of `directions` that does not lie along `away`, or else an axis. Returns the direction (Q14) of the
/// part of it that is across `away`.
fn aside(rock: &GapField<'_>, away: Vector3, directions: [Vector3; 2]) -> Vector3 {
    // A flat world has no third axis.
    let axes = if rock.extents.slices() == 1 { 0..2 } else { 0..3 };
    let shortest = axes.min_by_key(|axis| away[*axis].abs()).unwrap_or(0);
    for direction in directions {
        let across = across(direction, away);
        if length(across) >= ACROSS {
            return normalise(across);
        }
    }
    normalise(across(along_axis(shortest, ONE), away))
}

/// The part of a direction that is perpendicular to another direction (Q14).
fn across(direction: Vector3, other: Vector3) -> Vector3 {
    let along = round_shift_number((0..3).map(|axis| direction[axis] * other[axis]).sum(), 14);
    subtract(direction, round_shift::<i32, 3, 14>(scale(other, along)))
}

impl Falcon {
    /// Moves a falcon in rock to the middle of the nearest free cell, of several to the first. Returns whether it
    /// moved.
    fn free(&mut self, extents: Extents, edges: Edges, is_free: &impl Fn(usize) -> bool) -> bool {
        if are_all(self.place, |cell| extents.deep_index(cell, edges).is_some_and(is_free)) {
            return false;
        }
        let from = self.place.map(|along| cells(along)[1]);
        let Some(cell) = nearest_free(extents, edges, from, is_free) else { return false };
        (self.place, self.remainder) = (scale(cell, PARTS), [0; 3]);
        true
    }

    /// The falcon after its movement among rock.
    pub(super) fn swept(mut self, rock: &GapField<'_>) -> Self {
        let way = add(self.remainder, self.velocity);
        let parts = round_shift::<i32, 3, 6>(way);
        self.remainder = subtract(way, scale(parts, 64));
        let longest = parts.map(i32::abs).into_iter().max().unwrap_or(0);
        let ends = rock.extents.along_axes().map(|extent| extent as i32 * PARTS);
        // The way is less than twice its longest component. A falcon turns half a cell before a wall.
        if 2 * longest + PARTS / 2 <= 4 * rock.gap_of_cell(self.place.map(|along| cells(along)[1])) {
            self.place = add(self.place, parts);
        } else {
            let is_open = |place: Vector3| {
                let places = ends.map(|end| rock.edges.places(end));
                let is_inside = |axis: usize| rock.edges.wrap(place[axis].into(), places[axis]).is_some();
                (0..3).all(is_inside) && are_all(place, |cell| rock.gap_of_cell(cell) >= 0)
            };
            let (place, is_stopped) = sweep(self.place, parts, longest, is_open);
            self.place = place;
            self.stop(is_stopped);
        }
        let wrapped =
            |place: i32, end: i32| rock.edges.wrap(place.into(), end.into()).map_or(place, |place| place as i32);
        self.place = each_axis(|axis| wrapped(self.place[axis], ends[axis]));
        self
    }

    /// Sets the velocity along the stopped axes to 0. A falcon without any velocity turns round.
    fn stop(&mut self, is_stopped: [bool; 3]) {
        let velocity = self.velocity;
        for axis in 0..3 {
            if is_stopped[axis] {
                (self.velocity[axis], self.remainder[axis]) = (0, 0);
            }
        }
        if self.velocity == [0; 3] {
            self.velocity = velocity.map(|along| -along);
        }
    }
}

/// Follows a movement in steps of at most 1/16 cell on each axis. Returns the place at which the movement ends, and the
/// axes on which it was stopped. `parts`: the movement in 1/16 cell. `longest`: its longest component, which is the
/// number of steps. `is_open`: whether the falcon may be at a place.
fn sweep(mut place: Vector3, parts: Vector3, longest: i32, is_open: impl Fn(Vector3) -> bool) -> (Vector3, [bool; 3]) {
    let mut is_stopped = [false; 3];
    for part in 1..=longest {
        let step = each_axis(|axis| {
            if is_stopped[axis] { 0 } else { parts[axis] * part / longest - parts[axis] * (part - 1) / longest }
        });
        if is_open(add(place, step)) {
            place = add(place, step);
            continue;
        }
        let mut rest = step;
        for axis in 0..3 {
            let mut along = place;
            along[axis] += step[axis];
            if step[axis] != 0 && !is_open(along) {
                (is_stopped[axis], rest[axis]) = (true, 0);
            }
        }
        if rest != step && is_open(add(place, rest)) {
            place = add(place, rest);
        } else {
            (0..3).for_each(|axis| is_stopped[axis] |= step[axis] != 0);
        }
    }
    (place, is_stopped)
}

/// Moves the falcons in rock to the middle of the nearest free cell, of several to the first. Returns the number of
/// moved falcons. `is_free`: whether the cell of an index is free.
pub fn free_all(falcons: &mut [Falcon], extents: Extents, edges: Edges, is_free: impl Fn(usize) -> bool) -> usize {
    falcons.iter_mut().map(|falcon| usize::from(falcon.free(extents, edges, &is_free))).sum()
}

/// Moves the falcons and the individuals in rock to free cells. Returns the number of moved ones.
pub fn free_from_rock(individuals: &mut Individuals, columns: &mut WorldColumns, habitat: &Habitat) -> usize {
    let Some(field) = habitat.gap_field() else { return 0 };
    let falcons = Falcon::all_of_mut(columns);
    let falcons = free_all(falcons, field.extents, field.edges, |index| field.gaps[index] > 0);
    falcons + individuals.free_from_rock(habitat)
}

/// Moves the falcons in solids of a world of cells with rock to free cells. Returns their number, which is 0 in other
/// worlds.
pub fn free_in_cells(falcons: &mut [Falcon], world: &World) -> usize {
    if !world.has_rock_of_cells() || world.solids.is_empty() {
        return 0;
    }
    free_all(falcons, world.extents, world.edges, |index| !world.solids[index])
}
