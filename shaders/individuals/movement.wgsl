// The movement of individuals: over the edges of a torus, back from walls, and not into solids. The twin is
// crates/core/src/individuals/movement.rs.
//
// Generated around this file: IS_SCHOOL; HAS_SOLIDS; and `solids`, a bit for each column of the world, x fastest.

#ifdef IS_SWEPT

#import "terrain/sweep"

#else

#import "individuals/account"

struct Motion {
    place: Vector3,
    velocity: Vector3,
}

// The column of the world at a place. Solids reach through the whole depth of a world.
fn column(place: Vector3) -> u32 {
    let cell = wrap(place) >> vec3<u32>(PLACE_BITS);
    return u32(cell.y * EXTENTS.x + cell.x);
}

// Whether a place (Q16), which may lie beyond an edge, is within walls and in no solid. A solid in which the individual
// is already does not count.
fn is_open(place: Vector3, begun: Vector3) -> bool {
    if (!TORUS && (any(place < Vector3(0)) || any(place >= ends()))) {
        return false;
    }
    if (!HAS_SOLIDS) {
        return true;
    }
    let here = column(place);
    return here == column(begun) || ((solids[here >> 5u] >> (here & 31u)) & 1u) == 0u;
}

// Whether an individual may begin at a place (Q16) of the space.
fn is_free(place: Vector3) -> bool {
    if (!HAS_SOLIDS) {
        return true;
    }
    let here = column(place);
    return ((solids[here >> 5u] >> (here & 31u)) & 1u) == 0u;
}

// The place to which a velocity (Q14) leads from a place (Q16).
fn ahead(place: Vector3, velocity: Vector3) -> Vector3 {
    return place + 4 * velocity;
}

// School: an individual beyond a wall stays, and its velocity is reversed on that axis. In a solid, the velocity is
// reversed and the movement is made backwards; if that is blocked as well, the individual stays.
fn advance_school(place: Vector3, velocity: Vector3) -> Motion {
    let to = ahead(place, velocity);
    let is_out = (to < Vector3(0)) | (to >= ends());
    if (!TORUS && any(is_out)) {
        // A component of 0 leads nowhere and is never out.
        return Motion(place, select(velocity, -velocity, is_out));
    }
    if (is_open(to, place)) {
        return Motion(wrap(to), velocity);
    }
    let back = ahead(place, -velocity);
    if (is_open(back, place)) {
        return Motion(wrap(back), -velocity);
    }
    return Motion(place, -velocity);
}

// The others, as in the cell system: each axis is tried alone. If the place straight ahead is outside or solid, that
// component is reversed and not moved along. If only the place across the corner is blocked, the individual stays and
// turns round.
fn advance(place: Vector3, velocity: Vector3) -> Motion {
    if (IS_SCHOOL) {
        return advance_school(place, velocity);
    }
    let is_free = vec3<bool>(
        is_open(ahead(place, Vector3(velocity.x, 0, 0)), place),
        is_open(ahead(place, Vector3(0, velocity.y, 0)), place),
        AXES == 2 || is_open(ahead(place, Vector3(0, 0, velocity.z)), place),
    );
    let to = ahead(place, select(Vector3(0), velocity, is_free));
    if (is_open(to, place)) {
        return Motion(wrap(to), select(-velocity, velocity, is_free));
    }
    return Motion(place, -velocity);
}

#endif
