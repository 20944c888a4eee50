// Every place blended with its neighbours, 1 : 2 : 1 along each axis: what alternates from place to place is the lattice
// and not the swarm, and vanishes. Which part is solid stays as it is.
fn soften(place: vec2<i32>) -> vec4<f32> {
    let meet = vec2<i32>(view.torus);
    var sum = vec3<f32>(0.0);
    for (var y = -1; y <= 1; y++) {
        let left = swarm(around(place + vec2<i32>(-1, y), view.places, meet)).xyz;
        let here = swarm(around(place + vec2<i32>(0, y), view.places, meet)).xyz;
        let right = swarm(around(place + vec2<i32>(1, y), view.places, meet)).xyz;
        sum += f32(2 - abs(y)) * (left + 2.0 * here + right);
    }
    return vec4<f32>(sum * (1.0 / 16.0), swarm(place).w);
}
