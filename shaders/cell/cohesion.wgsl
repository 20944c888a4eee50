// Cohesion: towards the centre of the boids in sight.
//
// v_c = Σ s·p(x+s) / Σ p(x+s) / R          the paper's equation 2, scaled by the sight's reach R
fn cohesion(cell: Cell) -> Vector {
    var centre = Vector(0);
    var seen = 0;
    for (var i = 0; i < sight_count(); i++) {
        let s = sight(i);
        let p = perceive(density(cell + s));
        centre += s * p;
        seen += p;
    }
    return control_of_cohesion(centre, seen, sight_reach());
}
