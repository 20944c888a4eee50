// The hunters, the walls and the roost, for both models. The twins are in crates/core/src/world.rs and
// crates/core/src/world/. Places and extents are in 1/16 cell.
//
// Generated around this file: ENDS, the extents of the world in 1/16 cell.

// The control vector (Q10) of all hunters for a species: the sum of their vectors, clamped to the bound of a rule's
// vector.
fn species_control_of_hunters(species: u32, place: Vector3) -> Vector3 {
    var sum = Vector3(0);
    for (var i = 0; i < parameters.hunter_count; i++) {
        sum += control_of_hunter(parameters.hunters[i], species, place);
    }
    return clamp(sum, Vector3(-RULE_LIMIT), Vector3(RULE_LIMIT));
}

// The control vector (Q10) of a hunter for a species: away from it (flee) or towards it (follow), stronger if it is
// nearer.
//
// v_h = ±(x - h)/|x - h| · (1 - |x - h|/reach)   inside the reach, 0 outside
fn control_of_hunter(hunter: HunterNumbers, species: u32, place: Vector3) -> Vector3 {
    let reach = select(0, 16 * hunter.reach, concerns(hunter, species));
    let offsets = offset_from_hunter(hunter, place);
    // One axis beyond the reach decides. Within it, every length fits.
    if (any(abs(offsets) > Vector3(reach))) {
        return Vector3(0);
    }
    let away = decided(offsets);
    let distance = length3(away);
    if (distance == 0 || distance >= reach) {
        return Vector3(0);
    }
    let direction = stretch3(away, distance, RULE_ONE);
    let strength = hunter.towards * quotient((reach - distance) * RULE_ONE, reach);
    return round_shift3(direction * strength, 10u);
}

// Whether the jaws of any hunter catch a species at a place.
fn are_jaws_at_species(species: u32, place: Vector3) -> bool {
    var is_caught = false;
    for (var i = 0; i < parameters.hunter_count; i++) {
        is_caught |= catches(parameters.hunters[i], species, place);
    }
    return is_caught;
}

// Whether the jaws of a hunter catch a species at a place.
fn catches(hunter: HunterNumbers, species: u32, place: Vector3) -> bool {
    let jaws = select(0, 16 * hunter.jaws, concerns(hunter, species));
    // One axis beyond the jaws decides. Clamping it keeps every square within 32 bits.
    let away = min(abs(offset_from_hunter(hunter, place)), Vector3(jaws + 1));
    return jaws > 0 && dot(away, away) <= jaws * jaws;
}

// Whether a species notices a hunter and can be caught by it. A falcon that yields concerns no species.
fn concerns(hunter: HunterNumbers, species: u32) -> bool {
    return hunter.yields_to == 0 && ((hunter.spared >> (species & 31u)) & 1u) == 0u;
}

// The offset from a hunter to a place. Along z it is 0 for a column.
fn offset_from_hunter(hunter: HunterNumbers, place: Vector3) -> Vector3 {
    let away = offset(hunter.place, place);
    return select(away, Vector3(away.xy, 0), hunter.is_column != 0);
}

// The offset between two places, by the shorter way on a torus.
fn offset(start: Vector3, end: Vector3) -> Vector3 {
    let straight = end - start;
    if (!TORUS) {
        return straight;
    }
    let forward = select(straight, straight + ENDS, 2 * straight < -ENDS);
    return select(forward, straight - ENDS, 2 * straight > ENDS);
}

// The offset without components that are exactly half of a torus. Neither way is shorter then, so such a component has
// a length but no direction.
fn decided(away: Vector3) -> Vector3 {
    return select(away, Vector3(0), 2 * abs(away) == select(Vector3(-1), ENDS, TORUS));
}

// The control vector (Q10) of the roost: towards it, stronger at larger distances. `n` is the smaller of the extents
// along x and y. On a torus the offset is along the shorter way. At exactly half the extent it is 0.
//
// v_i = clamp(4 (c_i - x_i) / n, ±1);  v_z is multiplied by roost_vertical
fn control_of_roost(place: Vector3) -> Vector3 {
    let smaller = min(ENDS.x, ENDS.y);
    let home = decided(offset(place, Vector3(parameters.roost_x, parameters.roost_y, parameters.roost_z)));
    let held = clamp(home, Vector3(-smaller / 4), Vector3(smaller / 4)) * (4 * RULE_ONE);
    let v = Vector3(quotient(held.x, smaller), quotient(held.y, smaller), quotient(held.z, smaller));
    return Vector3(v.xy, round_shift(v.z * parameters.roost_vertical, 10u));
}

// The component (Q10) of the walls' control vector along one axis: inwards, growing linearly from 0 at the margin to 1
// at the wall.
//
// v_w = (m - d)/m   for a wall at d < m
fn control_of_wall(place: i32, extent: i32) -> i32 {
    let margin = 16 * parameters.margin;
    let from_first = max(margin - place, 0);
    let from_last = max(margin - (extent - 16 - place), 0);
    return quotient((from_first - from_last) * RULE_ONE, max(margin, 1));
}
