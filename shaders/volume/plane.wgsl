// The values of a plane of cells: the density of a layer, or the exact sum of several. A value is two words, the lower one first.
//
// Generated around this file: CELLS, `density_at` (shaders/lattice/densities.wgsl), PlaneNumbers and `shown`, what is
// shown.

// The value of a place of the plane, counted from its upper left corner. z leads up in a picture, and y down.
fn value_at(place: vec2<i32>) -> vec2<u32> {
    let up = shown.size.y - 1 - place.y;
    var sum = vec2<u32>(0u);
    for (var layer = shown.first; layer < shown.end; layer++) {
        var cell = vec3<i32>(place, layer);
        if (shown.axis == 0) {
            cell = vec3<i32>(layer, place.x, up);
        } else if (shown.axis == 1) {
            cell = vec3<i32>(place.x, layer, up);
        }
        let before = sum.x;
        sum.x += density_at(cell);
        sum.y += select(0u, 1u, sum.x < before);
    }
    return sum;
}

fn is_on_plane(place: vec2<i32>) -> bool {
    return all(place < shown.size);
}
