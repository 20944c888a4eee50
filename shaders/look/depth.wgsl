// A deep world seen from its side.

const UNSEEN: Drawn = Drawn(vec4<f32>(2.0, 2.0, 2.0, 1.0), vec2<f32>(0.0), vec3<f32>(0.0));
const FISH_LIGHT: f32 = 0.85;
const EDGE_LIGHT: vec3<f32> = vec3<f32>(0.055, 0.085, 0.14);

// y points away from the viewer there, so that the axes are those of a right hand.
fn in_space(place: vec3<f32>) -> vec3<f32> {
    return vec3<f32>(place.x, -place.y, place.z);
}

// Which part of a fish so far ahead is shape and not light.
fn shape_of(ahead: f32) -> f32 {
    if (ahead < 0.5 * eye.least) {
        return 0.0;
    }
    return smoothstep(SHAPES_FROM, SHAPES_TO, eye.focus * eye.length / ahead);
}

// A place in space on the screen. Depth is 1 at half of where the world begins, and 0 infinitely far away.
fn seen_at(place: vec3<f32>) -> vec4<f32> {
    let from_eye = place - eye.place;
    let ahead = dot(from_eye, eye.ahead);
    let pixel = vec2<f32>(dot(from_eye, eye.right), -dot(from_eye, eye.up)) * eye.focus + eye.middle * ahead;
    let x = 2.0 * pixel.x / f32(view.screen.x) - ahead;
    let y = ahead - 2.0 * pixel.y / f32(view.screen.y);
    return vec4<f32>(x, y, 0.5 * eye.least, ahead);
}

// What is left of light from so far ahead: the less, and the bluer, the farther into the world.
fn through_water(light: vec3<f32>, ahead: f32) -> vec3<f32> {
    let far = clamp((ahead - eye.least) / (eye.most - eye.least + 1e-6), 0.0, 1.0);
    return light * exp(-far * vec3<f32>(2.0, 1.55, 1.15));
}
