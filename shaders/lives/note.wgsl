// The log of lives that end, which is read and emptied every few steps: the number of its entries, and for each of them
//   0   the steps made before the step in which the life ends
//   1   the number of the individual
//   2   the number of the parent of its next life; if it is its own number, the life that ends is the parent
//   3   the traits of its next life: speed, force, sight and disposition from the lowest byte on
//   4   health and appetite; WAS_CAUGHT or WAS_EATEN, else it has starved; IS_BORN, else there is no next life
// The entries have no order. The twin is crates/gpu/src/lives/log.rs.

#import "individuals/account"

const ENTRY: u32 = 5u;
const WAS_CAUGHT: u32 = 0x10000u;
const IS_BORN: u32 = 0x20000u;
const WAS_EATEN: u32 = 0x40000u;

// The cause of the end of a life that has perished.
fn cause_of(life: vec4<i32>) -> u32 {
    return select(0u, WAS_EATEN, is_eaten(life));
}

fn note_end(number: u32, cause: u32, parent: u32, dna: vec2<u32>) {
    let first = 1u + ENTRY * atomicAdd(&life_log[0], 1u);
    if (first + ENTRY > arrayLength(&life_log)) {
        return;
    }
    atomicStore(&life_log[first], parameters.step);
    atomicStore(&life_log[first + 1u], number);
    atomicStore(&life_log[first + 2u], parent);
    atomicStore(&life_log[first + 3u], dna.x);
    atomicStore(&life_log[first + 4u], dna.y | cause);
}
