// Falcons among rock: they turn away before rock, and are never in it. The twin is crates/core/src/falcons/rock.rs,
// which has the same names and describes the rules. ŵ is the wish, h the heading, l the length of the look, s the
// length of the clear way. n is the direction away from rock, by the growth of the gap at the end of the way and by the
// room at its beginning. t is the direction of the part of h, ŵ or an axis across n. A falcon flies along
//
// ŵ, if that way is clear; else h, if that way is clear; else t + (1 - s/2l)·n, or -h if n is 0.
//
// Generated around this file: shaders/terrain/gaps.wgsl with its buffer `solids`; EXTENTS.

#import "falcons/seen"
#import "terrain/gaps"

// The distance that a falcon keeps from rock, in quarters of a cell.
const CLEARANCE: i32 = 8;
// The shortest and the longest look ahead (1/16 cell).
const MIN_DISTANCE: i32 = 64;
const MAX_DISTANCE: i32 = 256;
// The shortest part across a direction (Q14) that is not taken for a rounding error.
const ACROSS: i32 = 64;

// The least gap of the cells of a place (1/16 cell, from the middle of a cell). A place on a face belongs to both
// cells.
fn gap(place: Vector3) -> i32 {
    let first = (place + 7) >> vec3<u32>(4u);
    let last = (place + 8) >> vec3<u32>(4u);
    var least = 255;
    for (var z = first.z; z <= last.z; z++) {
        for (var y = first.y; y <= last.y; y++) {
            for (var x = first.x; x <= last.x; x++) {
                least = min(least, gap_of_cell(Vector3(x, y, z)));
            }
        }
    }
    return least;
}

// The end of a way before rock, and its distance. A clear way is not stopped.
struct WayEnd {
    place: Vector3,
    clear: i32,
    is_stopped: bool,
}

fn end_of_way(begun: Vector3, direction: Vector3, most: i32) -> WayEnd {
    var end = WayEnd(begun, 0, false);
    var around = gap(begun);
    let held = select(0, CLEARANCE, around >= CLEARANCE);
    while (end.clear < most) {
        let next = min(end.clear + max(4 * (around - held), 16), most);
        let to = begun + round_shift3(direction * next, 14u);
        around = gap(to);
        if (around < held) {
            end.is_stopped = true;
            return end;
        }
        end.place = to;
        end.clear = next;
    }
    return end;
}

// The direction (Q14) away from the rock at the end of a way, and towards the room at its beginning; 0: both cancel.
fn away_from_rock(begun: Vector3, end: Vector3, look: i32) -> Vector3 {
    var growth = Vector3(0);
    var room = Vector3(0);
    for (var axis = 0; axis < 3; axis++) {
        var along = Vector3(0);
        along[axis] = 1;
        growth[axis] = gap(end + 16 * along) - gap(end - 16 * along);
        // A clear way is as long as the look.
        room[axis] = end_of_way(begun, ONE * along, look).clear - end_of_way(begun, -ONE * along, look).clear;
    }
    return normalise(normalise(growth) + normalise(room));
}

// The direction (Q14) in which a falcon flies if it wants to fly in the direction `wish`.
fn avoid_rock(falcon: Falcon, wish: Vector3) -> Vector3 {
    if (!end_of_way(falcon.place, wish, MAX_DISTANCE).is_stopped) {
        return wish;
    }
    // The velocity is Q10 of a cell a step. An eighth of it is the way of eight steps in 1/16 cell.
    let look = clamp(length3(falcon.velocity) >> 3u, MIN_DISTANCE, MAX_DISTANCE);
    // A falcon at rest has its wish as its heading.
    let heading = select(normalise(falcon.velocity), wish, all(falcon.velocity == Vector3(0)));
    let end = end_of_way(falcon.place, heading, look);
    if (!end.is_stopped) {
        return heading;
    }
    let away = away_from_rock(falcon.place, end.place, look);
    if (all(away == Vector3(0))) {
        return -heading;
    }
    let outwards = ONE - quotient(end.clear * ONE, 2 * look);
    return normalise(aside(away, heading, wish) + round_shift3(away * outwards, 14u));
}

// The direction (Q14) of the part of the heading across `away`; of the wish, if the heading lies along `away`; else of
// an axis.
fn aside(away: Vector3, heading: Vector3, wish: Vector3) -> Vector3 {
    let of_heading = across(heading, away);
    if (length3(of_heading) >= ACROSS) {
        return normalise(of_heading);
    }
    let of_wish = across(wish, away);
    if (length3(of_wish) >= ACROSS) {
        return normalise(of_wish);
    }
    let sizes = abs(away);
    var shortest = select(0, 1, sizes.y < sizes.x);
    // A flat world has no third axis.
    if (EXTENTS.z > 1 && sizes.z < sizes[shortest]) {
        shortest = 2;
    }
    var axis = Vector3(0);
    axis[shortest] = ONE;
    return normalise(across(axis, away));
}

// The part of a direction that is across another.
fn across(direction: Vector3, other: Vector3) -> Vector3 {
    return direction - round_shift3(other * round_shift(dot(direction, other), 14u), 14u);
}

// Whether a falcon may be at a place.
fn is_open(place: Vector3) -> bool {
    if (!TORUS && (any(place < Vector3(0)) || any(place > ENDS - 16))) {
        return false;
    }
    return gap(place) >= 0;
}

// The falcon after its movement.
fn moved(falcon: Falcon) -> Falcon {
    let way = falcon.remainder + falcon.velocity;
    let parts = round_shift3(way, 6u);
    let longest = max(max(abs(parts.x), abs(parts.y)), abs(parts.z));
    var after = falcon;
    after.remainder = way - 64 * parts;
    // The way is less than twice its longest component. A falcon turns half a cell before a wall.
    if (2 * longest + 8 <= 4 * gap_of_cell((falcon.place + 8) >> vec3<u32>(4u))) {
        after.place += parts;
    } else {
        after = sweep(after, parts, longest);
    }
    if (TORUS) {
        after.place = ((after.place % ENDS) + ENDS) % ENDS;
    }
    return after;
}

// A movement in parts of at most one on each axis.
fn sweep(begun: Falcon, parts: Vector3, longest: i32) -> Falcon {
    var falcon = begun;
    var is_stopped = vec3<bool>(false);
    for (var part = 1; part <= longest; part++) {
        let whole = parts * part / longest - parts * (part - 1) / longest;
        let step = select(whole, Vector3(0), is_stopped);
        if (is_open(falcon.place + step)) {
            falcon.place += step;
            continue;
        }
        var rest = step;
        for (var axis = 0; axis < 3; axis++) {
            var along = falcon.place;
            along[axis] += step[axis];
            if (step[axis] != 0 && !is_open(along)) {
                is_stopped[axis] = true;
                rest[axis] = 0;
            }
        }
        if (any(rest != step) && is_open(falcon.place + rest)) {
            falcon.place += rest;
        } else {
            is_stopped |= step != Vector3(0);
        }
    }
    falcon.velocity = select(begun.velocity, Vector3(0), is_stopped);
    falcon.remainder = select(begun.remainder, Vector3(0), is_stopped);
    if (all(falcon.velocity == Vector3(0))) {
        falcon.velocity = -begun.velocity;
    }
    return falcon;
}
