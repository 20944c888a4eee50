// Every place blended with its neighbours, 1 : 2 : 1 along each axis: what alternates from place to place is the lattice
// and not the swarm, and vanishes. Which part is solid stays as it is.
fn soften(place: vec2<i32>) -> vec4<f32> {
    let x = three(place.x, view.places.x, TORUS);
    let y = three(place.y, view.places.y, TORUS);
    let above = swarm(vec2<i32>(x.x, y.x)) + 2.0 * swarm(vec2<i32>(x.y, y.x)) + swarm(vec2<i32>(x.z, y.x));
    let here = swarm(place);
    let beside = swarm(vec2<i32>(x.x, y.y)) + 2.0 * here + swarm(vec2<i32>(x.z, y.y));
    let below = swarm(vec2<i32>(x.x, y.z)) + 2.0 * swarm(vec2<i32>(x.y, y.z)) + swarm(vec2<i32>(x.z, y.z));
    return vec4<f32>((above + 2.0 * beside + below).xyz * (1.0 / 16.0), here.w);
}
