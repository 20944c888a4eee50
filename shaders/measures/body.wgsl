// A body of a swarm: an individual, or the content of a cell.

struct Body {
    // 1 for an individual; the quanta of a cell.
    weight: f32,
    // The place from the corner of the world (Q16 of a cell).
    place: vec3<i32>,
    // The velocity (Q14 of a cell a step).
    velocity: vec3<f32>,
}
