// Steer: the control vector of the next movement. `weighted_sum` is generated from the control vectors that the chain
// lists after V, each with the weight of its name.
//
// V' = limit( round(keep·V) + Σ w_i·v_i )
fn steer(cell: Cell) -> Vector {
    return steered(control(cell), weighted_sum(cell));
}
