// Perspective, for a deep world that is seen from around it. Points are in world coordinates: x right, y down, z up, in cells.

const FISH_LIGHT: f32 = 0.85;
const EDGE_LIGHT: vec3<f32> = vec3<f32>(0.055, 0.085, 0.14);

// The distance ahead of the eye, in cells.
fn ahead_of_eye(point: vec3<f32>) -> f32 {
    return dot(point - eye.position, eye.ahead);
}

// The part of an individual at this distance that is drawn as a fish; the rest is drawn as a mote of light.
fn fish_part(ahead: f32) -> f32 {
    if (ahead < 0.5 * eye.near) {
        return 0.0;
    }
    return smoothstep(SHAPES_FROM, SHAPES_TO, eye.focus * eye.fish_length / ahead);
}

// A point of the world in clip space.
fn clip_of(point: vec3<f32>) -> vec4<f32> {
    return eye.clip * vec4<f32>(point, 1.0);
}

// Light after its way through water from this distance. Red is absorbed most.
fn through_water(light: vec3<f32>, ahead: f32) -> vec3<f32> {
    let depth = clamp((ahead - eye.near) / (eye.far - eye.near + 1e-6), 0.0, 1.0);
    return light * exp(-depth * vec3<f32>(2.0, 1.55, 1.15));
}
