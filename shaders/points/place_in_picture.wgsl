// The projection of a place onto a picture. The names are those of crates/core/src/points/strokes.rs.
//
// Generated around this file: PointView and `point_view`.

struct PlaceInPicture {
    // The place in the picture, in pixels.
    middle: vec2<f32>,
    // The depth, as a part of the distance to the target. Below NEAREST the place is not shown.
    w: f32,
    // Pixels along the side of a cell.
    scale: f32,
    // The shift in pixels for each cell ahead. A direction towards the eye leads away from the middle of the picture.
    turn: vec2<f32>,
}

fn place_in_picture(place: vec3<f32>) -> PlaceInPicture {
    let away = place - point_view.place;
    let w = 1.0 + point_view.nearness * dot(point_view.ahead, away);
    let scale = point_view.scale / w;
    let from_middle = scale * vec2<f32>(dot(point_view.right, away), -dot(point_view.up, away));
    let middle = 0.5 * vec2<f32>(view.screen) + from_middle;
    return PlaceInPicture(middle, w, scale, from_middle * (point_view.nearness / w));
}

// A direction in cells as it appears in the picture, in pixels.
fn across(at: PlaceInPicture, direction: vec3<f32>) -> vec2<f32> {
    let flat = vec2<f32>(dot(point_view.right, direction), -dot(point_view.up, direction));
    return flat * at.scale - at.turn * dot(point_view.ahead, direction);
}

// The direction to the eye.
fn towards_eye(at: PlaceInPicture) -> vec3<f32> {
    let aside = at.turn / at.scale;
    return normalize(aside.y * point_view.up - aside.x * point_view.right - point_view.ahead);
}

// The part that shows of something close to the eye, 0 to 1.
fn near(at: PlaceInPicture) -> f32 {
    return clamp((at.w - CLOSE.x) * (1.0 / (CLOSE.y - CLOSE.x)), 0.0, 1.0);
}
