// An individual in a picture.
//
// Generated around this file: StoredBody, and the list `bodies` of them.

#import "look/radiance"

struct Body {
    // The place in cells.
    position: vec3<f32>,
    // The velocity in cells a step.
    velocity: vec3<f32>,
    // The number of boids in its column of cells.
    boids: f32,
    // The mood, from -1 (depressed) to 1 (happy).
    mood: f32,
    // The number of its species.
    species: u32,
    // The part of its light that is left: the light fades as the individual perishes.
    presence: f32,
}

fn body(index: u32) -> Body {
    let stored = bodies[index];
    let velocity = vec3<i32>(
        bitcast<i32>(stored.velocity_xy << 16u) >> 16u,
        bitcast<i32>(stored.velocity_xy) >> 16u,
        bitcast<i32>(stored.velocity_z_boids << 16u) >> 16u,
    );
    let position = vec3<f32>(stored.x, stored.y, stored.z);
    let mood = f32(bitcast<i32>(stored.drawn_word << 16u) >> 16u) * (1.0 / HAPPIEST);
    let left = stored.drawn_word >> 16u;
    let species = stored.drawn_word & 7u;
    let boids = f32(stored.velocity_z_boids >> 16u);
    let presence = select(1.0, min(f32(left) * per_perishing_of(species), 1.0), left > 0u);
    return Body(position, vec3<f32>(velocity) * (1.0 / 8192.0), boids, mood, species, presence);
}

// 1 / the steps in which an individual of a species perishes.
fn per_perishing_of(species: u32) -> f32 {
    var pairs = array<vec2<f32>, 4>(
        view.per_perishing_0,
        view.per_perishing_2,
        view.per_perishing_4,
        view.per_perishing_6,
    );
    return pairs[species / 2u][species % 2u];
}

fn individual_colour(it: Body) -> vec3<f32> {
    if (COLOUR == 3) {
        return it.presence * palette_at(clamp(0.5 + 0.5 * it.mood, 0.0, 1.0));
    }
    if (COLOUR == 4) {
        return it.presence * species_colour(it.species);
    }
    return it.presence * boid_colour(max(it.boids, 1.0) * view.exposures_per_boid, it.velocity.xy);
}

// The warm flank of a fish of a reef, in a shade of the colour of its heading, speed, density, mood or species.
fn reef_flank(it: Body) -> vec3<f32> {
    let own = individual_colour(it);
    let tint = own / (max(own.r, max(own.g, own.b)) + 1e-6);
    return vec3<f32>(0.86, 0.29, 0.08) * mix(vec3<f32>(1.0), tint, select(0.12, 0.6, COLOUR >= 3));
}
