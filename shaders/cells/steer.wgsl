// Steer: the control vector of the next movement. The generated `weighted_sum` is the weighted sum of the control
// vectors that the chain lists after V.
// The default chain steers in shaders/cells/behaviour.wgsl. It also calls `control_of_steering` of
// shaders/shared/swarm.wgsl.
//
// V' = noise( limit( round(keep·V) + Σ w_i·v_i ) ), or V where D < rest
fn steer(cell: Cell) -> Vector {
    let own = control(cell);
#ifdef HAS_NOISE
    let v = with_noise(control_of_steering(own, weighted_sum(cell)), cell);
#else
    let v = control_of_steering(own, weighted_sum(cell));
#endif
    return select(v, own, rests(density(cell)));
}
