// Fountain: aside from the way of the sharks that come, towards the side on which this cell lies.
//
// v = Σ p·n / Σ p over the sharks in sight that head here; n: their velocity, turned by 90° towards this side
fn fountain(cell: Cell) -> Vector {
    var aside = Vector(0);
    var seen = 0;
    for (var i = 0; i < sight_count(); i++) {
        let s = sight(i);
        let u = to_q10(control_of_sharks(cell + s));
        let p = select(0, perceive(density_of_sharks(cell + s)), dot(u, s) < 0);
        aside += p * sign(u.y * s.x - u.x * s.y) * Vector(-u.y, u.x);
        seen += p;
    }
    return each_quotient(aside, max(seen, 1));
}
