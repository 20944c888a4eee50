// Steer: the control vector of the next movement. The generated `weighted_sum` is the sum of the control vectors that the
// chain lists after V, each with the weight of its name.
//
// V' = limit( round(keep·V) + Σ w_i·v_i )
fn steer(cell: Cell) -> Vector {
    return control_of_steering(control(cell), weighted_sum(cell));
}
