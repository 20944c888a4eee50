//! The movement of individuals: over the edges of a torus, back from walls, and not into solids.

use super::table::RuleSet;
use crate::lanes::{self, MAX_LANES};
use crate::numbers::{Vector3, each_axis};
use crate::terrain::habitat::Habitat;
use crate::world::{Edges, PLACE_BITS};

/// The longest part of a movement along an axis (Q16). It crosses at most one border between cells.
const MAX_MOVEMENT_PART: i32 = (1 << PLACE_BITS) - 1;

/// Moves individuals by their velocities: by [`sweep`] if movements are swept, else by [`advance`]. `places` (Q16) and
/// `velocities` (Q14) are given by axis.
///
/// Several individuals are moved at once if nothing is in their way. On a torus without solids, nothing is ever in
/// their way. For a swept movement, nothing is in the way if it is shorter than the gap, which is the distance from the
/// individual's cell to the nearest rock or wall.
#[inline(always)]
pub fn move_all<V: lanes::Lanes>(
    set: RuleSet,
    habitat: &Habitat,
    places: [&mut [i32]; 3],
    velocities: [&mut [i32]; 3],
) {
    let count = places[0].len();
    let is_swept = habitat.is_swept();
    let has_rock = habitat.field.is_some() || !habitat.obstacles.is_empty();
    let is_open = habitat.solids.is_empty() && !has_rock && habitat.space.edges == Edges::Torus;
    for first in (0..count).step_by(V::COUNT) {
        let (mut from, mut to, mut fastest) = ([V::splat(0); 3], [V::splat(0); 3], V::splat(0));
        for axis in 0..3 {
            let velocity = V::load_some(&velocities[axis][first..]);
            fastest = fastest.max(velocity.abs());
            from[axis] = V::load_some(&places[axis][first..]);
            to[axis] = from[axis].add(velocity.shift_left::<2>());
            let end = V::splat((habitat.space.extents[axis] as i32) << PLACE_BITS);
            let over = end.subtract(V::splat(1)).less_than(to[axis]);
            to[axis] = to[axis].add(end.and(to[axis].less_than(V::splat(0)))).subtract(end.and(over));
        }
        let is_clear = if is_open {
            V::splat(-1)
        } else if is_swept {
            // The length of the way is at most √3 times its longest component. The mask is set if twice this component
            // is less than the gap. Q16 of a cell is compared with quarters of a cell.
            fastest.less_than(habitat.gaps_at(from).shift_left::<11>())
        } else {
            V::splat(0)
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
                if is_swept { sweep(habitat, place, velocity) } else { advance(set, habitat, place, velocity) };
            for axis in 0..3 {
                places[axis][index] = place[axis];
                velocities[axis][index] = velocity[axis];
            }
        }
    }
}

/// One movement. Returns the next place and the next velocity.
///
/// - The set of the school: if the next place is beyond a wall, the individual stays, and its velocity is reversed on
///   that axis. In a solid, the velocity is reversed and the movement is made backwards. If that is blocked as well,
///   the individual stays.
/// - The other sets, as in the cell system: each axis is tried alone. If the place straight ahead is outside or solid,
///   that component is reversed and not moved along. If only the place across the corner is blocked, the individual
///   stays and turns round.
#[inline(always)]
pub fn advance(set: RuleSet, habitat: &Habitat, place: Vector3, velocity: Vector3) -> (Vector3, Vector3) {
    // Converts a velocity (Q14) to a movement (Q16).
    let ahead = |velocity: Vector3| each_axis(|axis| place[axis] + (velocity[axis] << 2));
    let along = |axis: usize| {
        let mut to = place;
        to[axis] += velocity[axis] << 2;
        to
    };
    let is_open = |to: Vector3| habitat.is_open(to, place);
    let is_free = each_axis(|axis| match set {
        RuleSet::School => {
            let extent = i64::from(habitat.space.extents[axis]) << PLACE_BITS;
            habitat.space.edges.wrap(along(axis)[axis].into(), extent).is_some()
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
    (habitat.space.wrap(to).unwrap_or(place), velocity)
}

/// One movement that ends before rock. The way is followed from cell to cell.
///
/// A way is divided into parts that cross at most one border between cells on each axis. Borders are crossed in the
/// order in which they are reached; of two borders reached at once, the lower axis comes first. If the next cell is
/// rock or beyond a wall, the individual stops at the end of its cell on that axis. It loses that component of its
/// velocity, and slides on along the others. An individual that lost all of its velocity turns round at half of it.
///
/// The cell of the individual is free before and after each crossing. So the individual ends in a free cell, and is
/// never in rock.
#[inline(always)]
pub fn sweep(habitat: &Habitat, place: Vector3, velocity: Vector3) -> (Vector3, Vector3) {
    let way = each_axis(|axis| velocity[axis] << 2);
    let longest = way[0].abs().max(way[1].abs()).max(way[2].abs());
    let parts = (longest + MAX_MOVEMENT_PART - 1) / MAX_MOVEMENT_PART;
    let (mut place, mut kept) = (place, velocity);
    for part in 0..parts {
        // The parts together are the whole way: the remainder is spread over them.
        let end = |along: i32, part: i32| along / parts * part + along % parts * part / parts;
        let mut step = each_axis(|axis| end(way[axis], part + 1) - end(way[axis], part));
        (0..3).filter(|axis| kept[*axis] == 0).for_each(|axis| step[axis] = 0);
        place = sweep_part(habitat, place, step, &mut kept);
    }
    if kept == [0; 3] {
        kept = each_axis(|axis| -(velocity[axis] / 2));
    }
    (place, kept)
}

/// Whether rock stopped the last movement of an individual on at least one axis, deduced from the result of [`sweep`].
///
/// A stopped individual is at an end of its cell on each axis on which it was stopped, and has no velocity there. If it
/// lost all of its velocity, it is turned round on each axis along which it moves. It slides by at most two cells along
/// the other axes, so rock is nearer than three cells.
///
/// The function finds all individuals that were stopped in the last step. It also finds individuals that have not moved
/// since an earlier step. And it finds a few individuals next to rock that by chance are at an end of their cell (1
/// place in 2^15) and have no velocity along that axis.
pub fn is_stopped(habitat: &Habitat, place: Vector3, velocity: Vector3) -> bool {
    let mut axes = (0..habitat.space.axes()).map(|axis| (place[axis] & MAX_MOVEMENT_PART, velocity[axis]));
    let slides = axes.clone().any(|(within, velocity)| velocity == 0 && (within == 0 || within == MAX_MOVEMENT_PART));
    let is_turned = |(within, velocity): (i32, i32)| match velocity.signum() {
        0 => true,
        1 => within == 0,
        _ => within == MAX_MOVEMENT_PART,
    };
    (slides || velocity != [0; 3] && axes.all(is_turned)) && habitat.gap(place) < 4 * 3
}

/// Moves an individual by `step` (Q16), a part of a movement, at most [`MAX_MOVEMENT_PART`] along each axis. Returns
/// the next place. Stopped components of `velocity` become 0.
#[inline(always)]
fn sweep_part(habitat: &Habitat, place: Vector3, step: Vector3, velocity: &mut Vector3) -> Vector3 {
    let extents = habitat.space.extents;
    let mut cell = each_axis(|axis| place[axis] >> PLACE_BITS);
    let mut within = each_axis(|axis| place[axis] & MAX_MOVEMENT_PART);
    // The distance to the border (Q16) on each axis; 0: the border is not reached.
    let mut left = [0u32; 3];
    for axis in 0..3 {
        let to = within[axis] + step[axis];
        if to > MAX_MOVEMENT_PART {
            left[axis] = (MAX_MOVEMENT_PART + 1 - within[axis]) as u32;
        } else if to < 0 {
            left[axis] = (within[axis] + 1) as u32;
        }
        within[axis] = to & MAX_MOVEMENT_PART;
    }
    let length = step.map(i32::unsigned_abs);
    while left != [0; 3] {
        // The border on axis a is reached before the border on axis b if left_a / |step_a| < left_b / |step_b|. The
        // products are below 2^32.
        let mut next = 3;
        for axis in 0..3 {
            if left[axis] > 0 && (next == 3 || left[axis] * length[next] < left[next] * length[axis]) {
                next = axis;
            }
        }
        left[next] = 0;
        let mut beyond = cell;
        beyond[next] += step[next].signum();
        if habitat.gap_of_cell(beyond) >= 0 {
            let extent = extents[next] as i32;
            beyond[next] += if beyond[next] < 0 { extent } else { 0 } - if beyond[next] >= extent { extent } else { 0 };
            cell = beyond;
        } else {
            within[next] = if step[next] > 0 { MAX_MOVEMENT_PART } else { 0 };
            velocity[next] = 0;
        }
    }
    each_axis(|axis| (cell[axis] << PLACE_BITS) | within[axis])
}
