// Steer: the control vector of the next movement. `weighted_sum` is generated from the control vectors that the chain
// lists after V, each with the weight of its name.
//
// V' = limit( round(keep·V) + Σ w_i·v_i )
fn steer(cell: Cell) -> Vector {
    let kept = parameters.keep * control(cell);
    let sum = weighted_sum(cell);
    let wanted = Vector(
        round_shift(kept.x, 10u) + round_shift(sum.x, 6u),
        round_shift(kept.y, 10u) + round_shift(sum.y, 6u),
    );
    return limit(wanted, parameters.cruise, parameters.max);
}
