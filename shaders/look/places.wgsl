// Places on a grid, and the weights by which values between them are made.
//
// Generated around this file: View and `view`, the constants of the picture, and an accessor with a size for each
// texture that the pass reads.

// The remainder of a place within an extent, for any place within ±2^23. A float divides where integers would not
// run in parallel; half a place keeps its quotient away from whole numbers.
fn wrap(place: i32, extent: i32) -> i32 {
    return place - extent * i32(floor((f32(place) + 0.5) / f32(extent)));
}

// The places before, at and after one of the places of an axis, where opposite edges meet or the last place stands for
// what is beyond it.
fn three(place: i32, extent: i32, meet: i32) -> vec3<i32> {
    let before = select(place - 1, select(0, extent - 1, meet == 1), place == 0);
    let after = select(place + 1, select(extent - 1, 0, meet == 1), place + 1 == extent);
    return vec3<i32>(before, place, after);
}

// The place that stands for one beyond the edges: on the other side where they meet, else the last one, so that
// nothing darkens there.
fn around(place: i32, extent: i32, meet: i32) -> i32 {
    return select(clamp(place, 0, extent - 1), wrap(place, extent), meet == 1);
}

// The weights of the place before, of the place itself and of the place after, t from the middle of the place
// (-1/2 ≤ t ≤ 1/2): the quadratic B-spline
//   w = (½ (½ - t)², ¾ - t², ½ (½ + t)²)
// which has no corners, so that no place shows as a block.
fn spline(t: f32) -> vec3<f32> {
    return vec3<f32>(0.5 * (0.5 - t) * (0.5 - t), 0.75 - t * t, 0.5 * (0.5 + t) * (0.5 + t));
}

// The middle of a pixel, in places from the first place of the view.
fn place_of(pixel: vec2<i32>) -> vec2<f32> {
    return view.offset + (vec2<f32>(pixel) + 0.5) * view.pace;
}
