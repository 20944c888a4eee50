// Parents: the individuals whose DNA is inherited at rebirth. The twin is `Parents` in
// crates/core/src/lives/rebirth.rs.
//
// Generated around this file: PARENTS, the number of attempts; the buffer `sorted`, the individuals before the step in
// the order of the search; and the buffer `lookup`, which has for each number 1 + the index of its individual in
// `sorted`, or 0 if there is none.

#import "individuals/account"
#import "individuals/chance"

#ifdef HAS_LIVES

const CHANCE_OF_MUTATION: u32 = 32u;
const CHANCE_OF_PARENT: u32 = 40u;

// 1 + the index in `sorted` of the parent of an individual that is born in a step; 0: there are no parents, or no
// attempt finds one.
fn parent_of(number: u32, step: u32) -> u32 {
    let rules = parameters.species[own_species].lives;
    if (rules.mutation == 0 || parameters.population == 0u) {
        return 0u;
    }
    for (var attempt = 0u; attempt < PARENTS; attempt++) {
        let drawn = chance(number, step, CHANCE_OF_PARENT + 2u * attempt) % parameters.population;
        let least = i32(chance(number, step, CHANCE_OF_PARENT + 2u * attempt + 1u) >> 16u);
        let index = select(0u, lookup[min(drawn, arrayLength(&lookup) - 1u)], drawn < arrayLength(&lookup));
        if (index == 0u || species_of(sorted[index - 1u]) != own_species) {
            continue;
        }
        let health = upper_half(life_before(sorted[index - 1u]).z);
        if (health > 0 && (rules.by_health == 0 || least < health)) {
            return index;
        }
    }
    return 0u;
}

// The first two words of the life of an individual that is born in a step: the DNA of its parent with small changes, or
// its previous DNA if it has no parent.
fn dna_of_child(number: u32, step: u32, own: vec2<i32>) -> vec2<i32> {
    let parent = parent_of(number, step);
    if (parent == 0u) {
        return own;
    }
    let dna = life_of(sorted[parent - 1u]).xy;
    return vec2<i32>(
        mutated(dna.x, chance(number, step, CHANCE_OF_MUTATION), 4u),
        mutated(dna.y, chance(number, step, CHANCE_OF_MUTATION + 1u), 2u),
    );
}

// A word of a DNA. Each of its first bytes is changed by a random number within ± mutation and held within 0 to 255.
// The distribution of the changes is symmetric.
fn mutated(word: i32, changes: u32, bytes: u32) -> i32 {
    let most = parameters.species[own_species].lives.mutation;
    var child = 0;
    for (var byte = 0u; byte < bytes; byte++) {
        let part = i32((changes >> (8u * byte)) & 255u);
        let change = (((2 * part + 1) * (2 * most + 1)) >> 9u) - most;
        child |= clamp(((word >> (8u * byte)) & 255) + change, 0, 255) << (8u * byte);
    }
    return child;
}

#else

// Without lives there are no births.

fn parent_of(number: u32, step: u32) -> u32 {
    return 0u;
}

fn dna_of_child(number: u32, step: u32, own: vec2<i32>) -> vec2<i32> {
    return own;
}

#endif
