// Separation: away from boids that are near, the more so the nearer they are.
//
// v_s = - Σ p(x+s) · s/|s|² / crowd        the paper's equation 3, scaled by a reference density
fn separation(cell: Cell) -> Vector {
    var pressure = Vector(0);
    for (var i = 0; i < sight_count(); i++) {
        pressure += pull(i) * perceive(density(cell + sight(i)));
    }
    // Held within four crowds before it is divided, so that the quotient is small.
    let crowd = parameters.crowd;
    let held = clamp_components(pressure, RULE_LIMIT * crowd);
    return -Vector(quotient(held.x, crowd), quotient(held.y, crowd));
}
