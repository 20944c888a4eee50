// Alignment: towards the mean heading of the boids in sight.
//
// v_a = Σ V(x+s)·p(x+s) / Σ p(x+s) - V(x)  the paper's equation 4
fn alignment(cell: Cell) -> Vector {
    var momentum = Vector(0);
    var seen = 0;
    for (var i = 0; i < sight_count(); i++) {
        let there = cell + sight(i);
        let p = perceive(density(there));
        momentum += summed(control(there)) * p;
        seen += p;
    }
    return towards_mean(momentum, seen, control(cell));
}
