// The hunter: away from it (flee) or towards it (follow), the more so the nearer it is.
//
// v_h = ±(x - h)/|x - h| · (1 - |x - h|/reach)   inside the reach, 0 outside; lengths in 1/16 cell
fn hunter(cell: Cell) -> Vector {
    let reach = 16 * parameters.hunter_reach;
    let offsets = Vector(
        offset(parameters.hunter_x, 16 * cell.x, 16 * EXTENT.x),
        offset(parameters.hunter_y, 16 * cell.y, 16 * EXTENT.y),
    );
    // An axis beyond the reach says enough; without it every length fits.
    if (any(abs(offsets) > Vector(reach))) {
        return Vector(0);
    }
    let away = select(offsets, Vector(0), undecided(offsets, 16 * EXTENT));
    let distance = length_of(away);
    if (distance == 0 || distance >= reach) {
        return Vector(0);
    }
    let direction = stretch(away, distance, RULE_ONE);
    let strength = parameters.hunter_towards * quotient((reach - distance) * RULE_ONE, reach);
    return Vector(round_shift(direction.x * strength, 10u), round_shift(direction.y * strength, 10u));
}
