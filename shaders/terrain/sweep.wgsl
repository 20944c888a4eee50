// The movement of individuals among rock: the way is followed from cell to cell, and ends before rock. The twin is
// `sweep` in crates/core/src/individuals/movement.rs, which explains why no individual is ever in rock.

#import "individuals/account"
#import "terrain/gaps"

// The longest part of a movement along an axis (Q16). It crosses at most one border between cells.
const MAX_MOVEMENT_PART: i32 = 65535;

struct Motion {
    place: Vector3,
    velocity: Vector3,
}

fn advance(begun: Vector3, velocity: Vector3) -> Motion {
    let way = 4 * velocity;
    let longest = max(max(abs(way.x), abs(way.y)), abs(way.z));
    let parts = (longest + MAX_MOVEMENT_PART - 1) / MAX_MOVEMENT_PART;
    var motion = Motion(begun, velocity);
    for (var part = 0; part < parts; part++) {
        // The parts together are the whole way: the remainder is spread over them.
        let step = end_of_part(way, part + 1, parts) - end_of_part(way, part, parts);
        motion = sweep_part(motion, select(step, Vector3(0), motion.velocity == Vector3(0)));
    }
    if (all(motion.velocity == Vector3(0))) {
        motion.velocity = -(velocity / 2);
    }
    return motion;
}

fn end_of_part(way: Vector3, part: i32, parts: i32) -> Vector3 {
    return way / parts * part + way % parts * part / parts;
}

// A part of a movement, at most MAX_MOVEMENT_PART along each axis. Stopped components of the velocity become 0.
fn sweep_part(begun: Motion, step: Vector3) -> Motion {
    var cell = begun.place >> vec3<u32>(PLACE_BITS);
    let start = begun.place & Vector3(MAX_MOVEMENT_PART);
    let to = start + step;
    var within = to & Vector3(MAX_MOVEMENT_PART);
    var velocity = begun.velocity;
    // The distance to the border (Q16) on each axis; 0: the border is not reached.
    let upper = select(
        vec3<u32>(0u),
        vec3<u32>(Vector3(MAX_MOVEMENT_PART + 1) - start),
        to > Vector3(MAX_MOVEMENT_PART),
    );
    var left = select(upper, vec3<u32>(start + Vector3(1)), to < Vector3(0));
    let length = vec3<u32>(abs(step));
    // Each axis crosses at most one border.
    for (var crossing = 0; crossing < 3; crossing++) {
        // a is reached before b if left_a / |step_a| < left_b / |step_b|; the products are below 2^32.
        var next = 3;
        for (var axis = 0; axis < 3; axis++) {
            if (left[axis] > 0u
                && (next == 3 || left[axis] * length[min(next, 2)] < left[min(next, 2)] * length[axis])) {
                next = axis;
            }
        }
        if (next == 3) {
            break;
        }
        left[next] = 0u;
        var beyond = cell;
        beyond[next] += sign(step[next]);
        if (gap_of_cell(beyond) >= 0) {
            cell = beyond + select(Vector3(0), EXTENTS, beyond < Vector3(0))
                - select(Vector3(0), EXTENTS, beyond >= EXTENTS);
        } else {
            within[next] = select(0, MAX_MOVEMENT_PART, step[next] > 0);
            velocity[next] = 0;
        }
    }
    return Motion((cell << vec3<u32>(PLACE_BITS)) | within, velocity);
}
