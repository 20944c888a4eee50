// Perspective for a deep world, seen from around it. Places are in world coordinates: x right, y down, z up, in cells.
//
// HAS_TERRAIN: the world is under water at night. Its water begins at the edges of the world, so that a reef is visible
// from afar.

const FISH_LIGHT: f32 = 0.85;
const EDGE_LIGHT: vec3<f32> = vec3<f32>(0.055, 0.085, 0.14);
// The part of the light that a cell of the water around rock absorbs, and replaces with its own light.
const ABSORBED: vec3<f32> = vec3<f32>(0.024, 0.016, 0.0135);
// The light of the water in directions downwards, ahead and upwards.
const ABYSS: vec3<f32> = vec3<f32>(0.0010, 0.0052, 0.0115);
const OPEN_WATER: vec3<f32> = vec3<f32>(0.0022, 0.0165, 0.031);
const SURFACE: vec3<f32> = vec3<f32>(0.009, 0.080, 0.125);

// The distance ahead of the eye, in cells.
fn ahead_of_eye(place: vec3<f32>) -> f32 {
    return dot(place - eye.position, eye.ahead);
}

// The part of an individual at this distance that is drawn as a fish; the rest is drawn as a mote of light.
fn fish_part(ahead: f32) -> f32 {
    if (ahead < 0.5 * eye.near) {
        return 0.0;
    }
    return smoothstep(SHAPES_FROM, SHAPES_TO, eye.focus * eye.fish_length / ahead);
}

// A place of the world in clip space.
fn clip_of(place: vec3<f32>) -> vec4<f32> {
    return eye.clip * vec4<f32>(place, 1.0);
}

// The direction in which the eye sees a place of the screen (pixels), of length 1.
fn ray_through(pixel: vec2<f32>) -> vec3<f32> {
    let right = normalize(vec3<f32>(eye.clip[0].x, eye.clip[1].x, eye.clip[2].x));
    let up = normalize(vec3<f32>(eye.clip[0].y, eye.clip[1].y, eye.clip[2].y));
    let at = (pixel - 0.5 * vec2<f32>(view.screen)) / eye.focus;
    return normalize(eye.ahead + at.x * right - at.y * up);
}

// The distances at which a ray from the eye enters and leaves the box of the world, in lengths of the ray; at least 0.
fn ends_in_world(ray: vec3<f32>) -> vec2<f32> {
    let inverse = 1.0 / select(ray, vec3<f32>(1e-6), abs(ray) < vec3<f32>(1e-6));
    let first = -eye.position * inverse;
    let last = (eye.extents - eye.position) * inverse;
    let nearer = min(first, last);
    let farther = max(first, last);
    let enters = max(max(nearer.x, nearer.y), max(nearer.z, 0.0));
    return vec2<f32>(enters, max(min(min(farther.x, farther.y), farther.z), enters));
}

// The part of the light of a place that reaches the eye through the water around rock.
fn passed_by_water(place: vec3<f32>) -> vec3<f32> {
    let ray = place - eye.position;
    let way = (1.0 - min(ends_in_world(ray).x, 1.0)) * length(ray);
    return exp(-ABSORBED * way);
}

// The colour of open water in a direction of length 1.
fn water_towards(ray: vec3<f32>) -> vec3<f32> {
    let up = smoothstep(-0.15, 0.9, ray.z);
    let down = smoothstep(-0.15, 0.9, -ray.z);
    return mix(mix(OPEN_WATER, SURFACE, up), ABYSS, down);
}

// A colour at a place, seen through the water around rock. `passed`: the part of it that reaches the eye.
fn mixed_with_water(light: vec3<f32>, place: vec3<f32>, passed: vec3<f32>) -> vec3<f32> {
    return mix(water_towards(normalize(place - eye.position)), light, passed);
}

// The exponent for fish and sharks of the part of light that passes the water. All their colours dim equally, so that
// they stand out against the rock.
const FISH_CLARITY: f32 = 0.5;

// The colour of a fish or a shark at a place in the water around rock.
fn fish_in_water(light: vec3<f32>, place: vec3<f32>) -> vec3<f32> {
    return mixed_with_water(light, place, vec3<f32>(pow(passed_by_water(place).g, FISH_CLARITY)));
}

// Light after its way from a place through water. Red is absorbed most.
fn through_water(light: vec3<f32>, place: vec3<f32>) -> vec3<f32> {
    if (HAS_TERRAIN) {
        return light * passed_by_water(place);
    }
    let depth = clamp((ahead_of_eye(place) - eye.near) / (eye.far - eye.near + 1e-6), 0.0, 1.0);
    return light * exp(-depth * vec3<f32>(2.0, 1.55, 1.15));
}
