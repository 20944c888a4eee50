// Functions that the kernels of the individuals share: the individual of an invocation, the edges of the world, and the grid of the search.
//
// Generated around this file: SPECIES, how many species there are; WORKGROUP, the invocations of a workgroup; INDIVIDUALS_EACH, how many
// individuals an invocation has where it adds up several; CELLS, the cells of the
// search along each axis, and CELL_COUNT, how many those are; EXTENTS, the world's; AXES, 2 or 3; and the buffers that a kernel lists.

#import "individuals/axes"
#import "individuals/individual"

// The words of the account.
const BEFORE: u32 = 0u;       // individuals at the beginning of the step, in `individuals`
const LIVING: u32 = 1u;       // individuals that are left, in `sorted`
// Those of each species begin at OF_SPECIES, with so many words for each.
const OF_SPECIES: u32 = 2u;
const WORDS_OF_SPECIES: u32 = 24u;
const OWN_LIVING: u32 = 0u;   // individuals of the species that are left
const IN_STEP: u32 = 1u;      // lives that end in this step, by their causes
const TOTALS: u32 = 4u;       // what came and went since the start, and the energy, each in two words, the lower one first

// The causes of ends, and the totals, which begin with theirs.
const CAUGHT: u32 = 0u;
const STARVED: u32 = 1u;
const EATEN: u32 = 2u;
const BORN: u32 = 3u;
const REFUSED: u32 = 4u;       // births that were refused
const ENERGY_EATEN: u32 = 5u;
const ENERGY_BURNT: u32 = 6u;
const ENERGY_BORN: u32 = 7u;
const ENERGY_ENDED: u32 = 8u;
const ENERGY_NOW: u32 = 9u;    // what all have, where somebody has asked

// The greatest hunger and the greatest health.
const FULL: i32 = 65535;

// The energy of an individual is a word: what it ate in its last step below what it burnt, together at most FULL; or that its life has
// ended in it, and another one begins.
const ENDED: u32 = 0xffffffffu;

// The word of the account for a species.
fn word_of(species: u32, word: u32) -> u32 {
    return OF_SPECIES + WORDS_OF_SPECIES * species + word;
}

// The word of the lives that end in this step by a cause.
fn in_step(species: u32, cause: u32) -> u32 {
    return word_of(species, IN_STEP + cause);
}

// The lower word of a total.
fn total_of(species: u32, total: u32) -> u32 {
    return word_of(species, TOTALS + 2u * total);
}

// The energy of an individual with this life: what it lacks of the greatest hunger.
fn store_of(life: vec4<i32>) -> u32 {
    return u32(FULL - (life.z & FULL));
}

// The number of the species of an individual, or of one with a life.
fn species_of(own: Individual) -> u32 {
    return species_of_life(life_of(own));
}

fn species_of_life(life: vec4<i32>) -> u32 {
    return select(0u, (u32(life.y) >> 16u) & 0xffu, SPECIES > 1u);
}

// Whether another species has eaten an individual with this life.
fn is_eaten(life: vec4<i32>) -> bool {
    return (u32(life.y) >> 24u) != 0u;
}

// Why an individual with this life perishes.
fn cause_of_end(life: vec4<i32>) -> u32 {
    return select(STARVED, EATEN, is_eaten(life));
}

// Who of a species is born again, of which there are so many before the step; of too many nobody is.
fn rebirth_of(species: u32, count: u32) -> u32 {
    let numbers = parameters.species[species];
    return select(NOBODY, numbers.lives.rebirth, HAS_LIVES && count <= numbers.most);
}

// Whether one that has perished is not reborn.
fn is_gone(life: vec4<i32>, rebirth: u32) -> bool {
    return rebirth == NOBODY || (is_eaten(life) && rebirth != ALL);
}

// Who is born again: nobody; those that have perished; those that were caught or eaten as well.
const NOBODY: u32 = 0u;
const ALL: u32 = 2u;

// Bits of a place below the cell.
const PLACE_BITS: u32 = 16u;
// The rank of an individual that is caught, or has perished and is not reborn.
const GONE: u32 = 0xffffffffu;

// The number of an invocation. A dispatch has two dimensions, because one holds no more than 65 535 workgroups.
fn invocation(group: vec3<u32>, groups: vec3<u32>, lane: u32) -> u32 {
    return (group.y * groups.x + group.x) * WORKGROUP + lane;
}

// The first individual of an invocation that has INDIVIDUALS_EACH of them, each a workgroup after the one before.
fn first_of_group(group: vec3<u32>, groups: vec3<u32>, lane: u32) -> u32 {
    return (group.y * groups.x + group.x) * WORKGROUP * INDIVIDUALS_EACH + lane;
}

// The extents (Q16).
fn ends() -> Vector3 {
    return EXTENTS << vec3<u32>(PLACE_BITS);
}

// A place (Q16) up to one extent beyond an edge, brought back round the torus.
fn wrap(place: Vector3) -> Vector3 {
    return place + select(Vector3(0), ends(), place < Vector3(0)) - select(Vector3(0), ends(), place >= ends());
}

// The cell of the search, by axes, that a place (Q16) is in.
fn cell_at(place: Vector3) -> Vector3 {
    return ((place >> vec3<u32>(PLACE_BITS)) * CELLS) / EXTENTS;
}

// The cells one after the other, x fastest.
fn cell_index(cell: Vector3) -> u32 {
    return u32((cell.z * CELLS.y + cell.y) * CELLS.x + cell.x);
}

// The bin of an individual: its cell among those of its species, whose cells follow those of the species before.
fn bin_of(own: Individual) -> u32 {
    return species_of(own) * CELL_COUNT + cell_index(cell_at(own.place));
}
