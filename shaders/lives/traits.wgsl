// The values of traits, and the appetite. The twins are in crates/core/src/lives/needs.rs, which has the formulas.

// The value of a trait: low + span · byte / 255, computed as span · (byte + ⌊byte / 128⌋) / 256.
fn value_of_trait(range: vec2<i32>, word: i32, index: u32) -> i32 {
    let byte = (word >> (8u * index)) & 255;
    return range.x + ((range.y * (byte + (byte >> 7u))) >> 8u);
}

// The hunger that grows in a step: appetite · (1 + effort · (x² + y²)). x and y are speed and sight as parts of their
// ranges; 0 without a range.
fn appetite_of(life: vec4<i32>) -> i32 {
    let rules = parameters.species[own_species].lives;
    let appetite = value_of_trait(rules.appetite, life.y, 1u);
    if (rules.effort == 0) {
        return appetite;
    }
    let squares = square_of_part(rules.speed, life.x, 0u) + square_of_part(rules.sight, life.x, 2u);
    return appetite + ((appetite * ((squares * rules.effort) >> 14u)) >> 10u);
}

// The square (Q16) of a trait as a part of its range; 0 without a range.
fn square_of_part(range: vec2<i32>, word: i32, index: u32) -> i32 {
    let byte = (word >> (8u * index)) & 255;
    let part = byte + (byte >> 7u);
    return select(part * part, 0, range.y == 0);
}
