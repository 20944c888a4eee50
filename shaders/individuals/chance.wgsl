// Random draws for a life, and the life before a step, on which they may depend.

#import "individuals/account"
#import "individuals/place"

fn upper_half(word: i32) -> i32 {
    return i32(u32(word) >> 16u);
}

// A random word.
fn chance(number: u32, step: u32, purpose: u32) -> u32 {
    return hash(hash(hash(parameters.species[own_species].lives.seed ^ (purpose * 0x9e3779b9u)) ^ number) + step);
}

// The life before a step. An individual that is caught and born again perishes in the step.
fn life_before(own: Individual) -> vec4<i32> {
    let life = life_of(own);
    if (parameters.species[species_of(own)].lives.rebirth == ALL && is_caught(species_of(own), own.place)) {
        return vec4<i32>(life.xy, life.z & FULL, (life.w & FULL) | 65536);
    }
    return life;
}
