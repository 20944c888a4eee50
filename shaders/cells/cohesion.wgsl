// Cohesion: towards the centre of the boids in sight.
// The default chain sums in shaders/perception/sums.wgsl. It also calls `control_of_cohesion` of
// shaders/shared/swarm.wgsl.
//
// v_c = Σ s·p(x+s) / Σ p(x+s) / R          the paper's equation 2, scaled by the sight's reach R
//
// Generated around this file: `centre_weight` and `seen_weight`, the weights of p in both sums, and CENTRE_REACH. These
// are s, 1 and R, or for a contrast its weights and 1.
fn cohesion(cell: Cell) -> Vector {
    var centre = Vector(0);
    var seen = 0;
    for (var i = 0; i < sight_count(); i++) {
        let p = perceive(density(cell + sight(i)));
        centre += centre_weight(i) * p;
        seen += seen_weight(i) * p;
    }
    return control_of_cohesion(centre, seen, CENTRE_REACH);
}
