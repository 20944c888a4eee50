// What the hunter and the walls ask of an agent: the formulas of shaders/cell/hunter.wgsl and walls.wgsl, at its place.
// The hunter is a column through the whole depth of a world.

// A place (Q16) in 1/16 cell, where the middle of a cell is a whole number of cells, as the cell system counts.
fn in_parts(place: i32) -> i32 {
    return ((place + 2048) >> 12u) - 8;
}

// The offset from the hunter, in 1/16 cell.
fn from_hunter(place: Vector3) -> Vector {
    return Vector(
        offset(parameters.hunter_x, in_parts(place.x), 16 * EXTENT.x),
        offset(parameters.hunter_y, in_parts(place.y), 16 * EXTENT.y),
    );
}

// Whether the hunter's jaws reach an agent.
fn is_caught(place: Vector3) -> bool {
    let reach = 16 * parameters.hunter_jaws;
    if (reach == 0) {
        return false;
    }
    let away = abs(from_hunter(place));
    return all(away <= Vector(reach)) && away.x * away.x + away.y * away.y <= reach * reach;
}

// v_h = ±(x - h)/|x - h| · (1 - |x - h|/reach)   inside the reach, 0 outside; lengths in 1/16 cell
fn hunted(place: Vector3) -> Vector3 {
    let reach = 16 * parameters.hunter_reach;
    let offsets = from_hunter(place);
    // An axis beyond the reach says enough; without it every length fits.
    if (reach <= 0 || any(abs(offsets) > Vector(reach))) {
        return Vector3(0);
    }
    let away = select(offsets, Vector(0), undecided(offsets, 16 * EXTENT));
    let distance = length_of(away);
    if (distance == 0 || distance >= reach) {
        return Vector3(0);
    }
    let direction = stretch(away, distance, RULE_ONE);
    let strength = parameters.hunter_towards * quotient((reach - distance) * RULE_ONE, reach);
    return Vector3(round_shift(direction.x * strength, 10u), round_shift(direction.y * strength, 10u), 0);
}

// v_w = (m - d)/m                          on each axis, for a wall at d < m
fn walled(place: Vector3) -> Vector3 {
    let margin = 16 * parameters.margin;
    if (TORUS || margin <= 0) {
        return Vector3(0);
    }
    var walls = Vector3(0);
    for (var axis = 0; axis < AXES; axis++) {
        let part = in_parts(place[axis]);
        let from_first = max(margin - part, 0);
        let from_last = max(margin - (16 * EXTENTS[axis] - 16 - part), 0);
        walls[axis] = quotient((from_first - from_last) * RULE_ONE, margin);
    }
    return walls;
}
