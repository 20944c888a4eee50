// The surface of rock at night: little light from all sides, patches of light from above, and a rim that is brightest
// where the surface turns away from the eye. open is the openness of the water around, lit the light from above that
// arrives, crowd the number of individuals or boids around. The alpha of the result is 1 / the distance ahead of the
// eye.

#import "look/depth"
#import "look/places"
#import "look/rock_vertex"

const ROCK: vec3<f32> = vec3<f32>(0.34, 0.40, 0.43);
const CRUST: vec3<f32> = vec3<f32>(0.36, 0.29, 0.22);
const AROUND: vec3<f32> = vec3<f32>(0.036, 0.105, 0.150);
const FROM_ABOVE: vec3<f32> = vec3<f32>(0.56, 0.98, 1.08);
const RIM_LIGHT: vec3<f32> = vec3<f32>(0.07, 0.29, 0.37);
// The greatest light of a shoal of fish and of a swarm of cells, and the number in a texel that gives half of it.
const SHOAL: vec3<f32> = vec3<f32>(0.62, 0.34, 0.16);
const SWARM: vec3<f32> = vec3<f32>(0.30, 0.42, 0.44);
const CROWDED: f32 = 9.0;
// The light of which half is lost to the night.
const NIGHTFALL: f32 = 0.016;
// The direction from which the light comes.
const TO_LIGHT: vec3<f32> = vec3<f32>(-0.32, -0.20, 0.926);

fn rock(place: vec3<f32>, smooth_normal: vec3<f32>, open: f32, lit: f32, crowd: f32) -> vec4<f32> {
    let from_eye = place - eye.position;
    let ray = normalize(from_eye);
    // Grains smaller than a pixel are left out.
    let cells_per_pixel = length(from_eye) / eye.focus;
    let coarse = grain(place * 0.55);
    let fine = grain(place * 1.9 + 31.0);
    let finest = grain(place * 5.3 + 7.0);
    let bump = 0.26 * coarse.yzw
        + 0.17 * fine.yzw * fade(cells_per_pixel * 1.9)
        + 0.11 * finest.yzw * fade(cells_per_pixel * 5.3);
    let normal = normalize(smooth_normal - (bump - smooth_normal * dot(bump, smooth_normal)));
    let crust = smoothstep(0.38, 0.72, 0.6 * coarse.x + 0.4 * fine.x);
    let hollow = 0.72 + 0.56 * (0.5 * fine.x + 0.5 * finest.x);
    let albedo = mix(ROCK, CRUST, crust) * hollow;
    let up = 0.5 + 0.5 * normal.z;
    let shadow = open * open;
    let above = lit * max(dot(normal, TO_LIGHT), 0.0);
    let turned = clamp(1.0 + dot(normalize(smooth_normal + 0.35 * normal), ray), 0.0, 1.0);
    let rim = turned * turned * turned * shadow * (0.25 + 0.75 * up);
    let of_swarm = crowd / (crowd + CROWDED) * (0.4 + 0.6 * open);
    let around = AROUND * (0.15 + 0.85 * up) * shadow + select(SWARM, SHOAL, view.bodies > 0) * of_swarm;
    let light = albedo * (around + FROM_ABOVE * above * (0.35 + 0.65 * open)) + RIM_LIGHT * rim;
    // Dim light becomes night.
    let night = light * light / (light + NIGHTFALL);
    return vec4<f32>(mixed_with_water(night, place, passed_by_water(place)), 1.0 / ahead_of_eye(place));
}

// 1 if a grain takes several pixels, 0 if it takes less than two.
fn fade(grains_per_pixel: f32) -> f32 {
    return 1.0 - smoothstep(0.15, 0.6, grains_per_pixel);
}

// Value noise (0 to 1) and its slope along each axis.
fn grain(at: vec3<f32>) -> vec4<f32> {
    let low = floor(at);
    let t = at - low;
    let u = t * t * (3.0 - 2.0 * t);
    let slope = 6.0 * t * (1.0 - t);
    let cell = vec3<i32>(low);
    let a = chance(cell);
    let b = chance(cell + vec3<i32>(1, 0, 0));
    let c = chance(cell + vec3<i32>(0, 1, 0));
    let d = chance(cell + vec3<i32>(1, 1, 0));
    let e = chance(cell + vec3<i32>(0, 0, 1));
    let f = chance(cell + vec3<i32>(1, 0, 1));
    let g = chance(cell + vec3<i32>(0, 1, 1));
    let h = chance(cell + vec3<i32>(1, 1, 1));
    let k1 = b - a;
    let k2 = c - a;
    let k3 = e - a;
    let k4 = a - b - c + d;
    let k5 = a - c - e + g;
    let k6 = a - b - e + f;
    let k7 = b + c + e + h - a - d - f - g;
    let value = a + k1 * u.x + k2 * u.y + k3 * u.z
        + k4 * u.x * u.y + k5 * u.y * u.z + k6 * u.z * u.x + k7 * u.x * u.y * u.z;
    let along = vec3<f32>(
        k1 + k4 * u.y + k6 * u.z + k7 * u.y * u.z,
        k2 + k5 * u.z + k4 * u.x + k7 * u.z * u.x,
        k3 + k6 * u.x + k5 * u.y + k7 * u.x * u.y,
    );
    return vec4<f32>(value, slope * along);
}

// A number from 0 to 1 for each place of a lattice.
fn chance(place: vec3<i32>) -> f32 {
    let p = vec3<u32>(place);
    var word = p.x * 0x8da6b343u + p.y * 0xd8163841u + p.z * 0xcb1ab31fu;
    word = (word ^ (word >> 15u)) * 0x2c1b3c6du;
    word = word ^ (word >> 13u);
    return f32(word & 0xffffu) * (1.0 / 65535.0);
}
