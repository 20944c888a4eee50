// Separation: away from near boids, more strongly from nearer ones.
// The default chain sums in shaders/perception/sums.wgsl. It also calls `control_of_separation` of
// shaders/shared/swarm.wgsl.
//
// v_s = - Σ p(x+s) · s/|s|² / crowd        the paper's equation 3, scaled by a reference density
fn separation(cell: Cell) -> Vector {
    var pressure = Vector(0);
    for (var i = 0; i < sight_count(); i++) {
        pressure += pull(i) * perceive(density(cell + sight(i)));
    }
    return control_of_separation(pressure);
}
