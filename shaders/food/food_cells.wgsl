// Cells of food. The twin is `FoodLattice` in crates/core/src/food/mod.rs.
//
// Generated around this file: FOOD_EXTENTS, the cells of food along each axis, and FOOD_SIZE, the cells of the world in
// each cell of food.

#import "individuals/account"

// The cell of food at a place (Q16), by axes.
fn food_cell(place: Vector3) -> Vector3 {
    return (place >> vec3<u32>(PLACE_BITS)) / FOOD_SIZE;
}

// The index of a cell, x fastest.
fn food_index(cell: Vector3) -> u32 {
    return u32((cell.z * FOOD_EXTENTS.y + cell.y) * FOOD_EXTENTS.x + cell.x);
}

// Whether an individual with this life eats: it lives, and its hunger is at least a bite of its species.
fn is_eating(life: vec4<i32>) -> bool {
    return u32(life.w) >> 16u == 0u && (life.z & 65535) >= parameters.species[species_of_life(life)].bite;
}
