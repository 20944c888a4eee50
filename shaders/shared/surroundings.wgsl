// The hunter and the walls, for both models; the twins are in crates/core/src/world.rs. Places and extents are in 1/16 cell.

// The control vector (Q10) of the hunter: away from it (flee) or towards it (follow), the more so the nearer it is.
//
// v_h = ±(x - h)/|x - h| · (1 - |x - h|/reach)   inside the reach, 0 outside
fn control_of_hunter(place: Vector) -> Vector {
    let reach = 16 * parameters.hunter_reach;
    let offsets = offset_from_hunter(place);
    // An axis beyond the reach says enough; without it every length fits.
    if (any(abs(offsets) > Vector(reach))) {
        return Vector(0);
    }
    let away = decided(offsets, 16 * EXTENT);
    let distance = length_of(away);
    if (distance == 0 || distance >= reach) {
        return Vector(0);
    }
    let direction = stretch(away, distance, RULE_ONE);
    let strength = parameters.hunter_towards * quotient((reach - distance) * RULE_ONE, reach);
    return each_round_shift(direction * strength, 10u);
}

// Whether the hunter's jaws reach a place.
fn catches(place: Vector) -> bool {
    let jaws = 16 * parameters.hunter_jaws;
    // An axis beyond the jaws says enough; without it every square fits.
    let away = min(abs(offset_from_hunter(place)), Vector(jaws + 1));
    return jaws > 0 && dot(away, away) <= jaws * jaws;
}

// A hunter is a column of a deep world: it is as deep as whatever it meets.
fn offset_from_hunter(place: Vector) -> Vector {
    var hunter = place;
    hunter.x = parameters.hunter_x;
    hunter.y = parameters.hunter_y;
    return offset(hunter, place, 16 * EXTENT);
}

// The component (Q10) of the walls' control vector on one axis: towards the inside, growing linearly from 0 at the margin to 1
// at the wall.
//
// v_w = (m - d)/m   for a wall at d < m
fn control_of_wall(place: i32, extent: i32) -> i32 {
    let margin = 16 * parameters.margin;
    let from_first = max(margin - place, 0);
    let from_last = max(margin - (extent - 16 - place), 0);
    return quotient((from_first - from_last) * RULE_ONE, max(margin, 1));
}
