// Alignment: towards the mean velocity of the boids in sight.
// The default chain sums in shaders/perception/sums.wgsl. It also calls `control_of_alignment` of
// shaders/shared/swarm.wgsl.
//
// v_a = Σ V(x+s)·p(x+s) / Σ p(x+s) - V(x)  the paper's equation 4
fn alignment(cell: Cell) -> Vector {
    return alignment_of(cell, control(cell));
}

// v_a of a cell. `own` is V(x) of the steered layer. The boids in sight may belong to another layer.
fn alignment_of(cell: Cell, own: Vector) -> Vector {
    var momentum = Vector(0);
    var seen = 0;
    for (var i = 0; i < sight_count(); i++) {
        let there = cell + sight(i);
        let p = perceive(density(there));
        momentum += to_q10(control(there)) * p;
        seen += p;
    }
    return control_of_alignment(momentum, seen, own);
}
