// An individual in buffers, in flat and in deep worlds. Its twin is crates/gpu/src/shader/individual.rs.

struct Individual {
    place: vec3<i32>,
    number: u32,
    velocity: vec3<i32>,
#ifdef HAS_LIVES
    energy: u32,
    life: vec4<i32>,
#endif
}

#ifdef HAS_LIVES

fn individual(place: vec3<i32>, number: u32, velocity: vec3<i32>, life: vec4<i32>, energy: u32) -> Individual {
    return Individual(place, number, velocity, energy, life);
}

fn life_of(it: Individual) -> vec4<i32> {
    return it.life;
}

fn energy_of(it: Individual) -> u32 {
    return it.energy;
}

#else

fn individual(place: vec3<i32>, number: u32, velocity: vec3<i32>, life: vec4<i32>, energy: u32) -> Individual {
    return Individual(place, number, velocity);
}

fn life_of(it: Individual) -> vec4<i32> {
    return vec4<i32>();
}

fn energy_of(it: Individual) -> u32 {
    return 0u;
}

#endif
