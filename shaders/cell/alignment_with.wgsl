// Alignment with another species: towards the mean velocity of those of it in sight.
//
// v_a = Σ V(x+s)·p(x+s) / Σ p(x+s) - V(x), where V(x) is the species' own control vector
fn alignment_with(cell: Cell) -> Vector {
    var momentum = Vector(0);
    var seen = 0;
    for (var i = 0; i < sight_count(); i++) {
        let there = cell + sight(i);
        let p = perceive(density(there));
        momentum += to_q10(control(there)) * p;
        seen += p;
    }
    return control_of_alignment(momentum, seen, own_control(cell));
}
