// A point of a boid or of a falcon.
//
// Generated around this file: PointView and `point_view`, StoredPoint and the list `point_list` of them.

struct Point {
    // The place in cells.
    place: vec3<f32>,
    // The velocity in cells a step.
    velocity: vec3<f32>,
    // 0 to 1.
    presence: f32,
    // A random number; for a falcon, its number.
    key: u32,
    is_falcon: bool,
    // The slice of a falcon that is drawn at the point; -1: none.
    slice: i32,
}

// Whether points show the colours of their layers, and the number of a point's layer.
fn shows_species() -> bool {
    return COLOUR == 4 && point_view.layers > 1u;
}
fn species_of(point: Point) -> u32 {
    return (point.key >> 28u) & 7u;
}

fn point_of_boid(index: u32) -> Point {
    let stored = point_list[index];
    let velocity = vec3<i32>(
        bitcast<i32>(stored.velocity_xy << 16u) >> 16u,
        bitcast<i32>(stored.velocity_xy) >> 16u,
        bitcast<i32>(stored.velocity_z_presence << 16u) >> 16u,
    );
    let way = vec3<f32>(velocity) * (1.0 / ONE);
    let place = vec3<f32>(vec3<i32>(stored.x, stored.y, stored.z)) * (1.0 / 65536.0) - point_view.behind * way;
    let presence = f32(stored.velocity_z_presence >> 16u) * (1.0 / 65535.0);
    return Point(place, way, presence, stored.key, false, -1);
}
