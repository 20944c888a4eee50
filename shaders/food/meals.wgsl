// Meals: the food that an individual eats in a step, and the pull of food. The twins are `FoodLattice::meal` in
// crates/core/src/food/mod.rs, which has the formulas, and directions.rs beside it.
//
// Generated around this file: the buffer `food`, with the food of each cell from FOOD_AT on, and the number of its
// eaters from EATERS_AT on.

#import "food/food_cells"

#ifdef HAS_FOOD

// The food that an individual with this life eats. All eaters in a cell have equal shares.
fn share_of(place: Vector3, life: vec4<i32>) -> i32 {
    if (!is_eating(life)) {
        return 0;
    }
    let index = food_index(food_cell(place));
    return i32(min(food[FOOD_AT + index] / max(food[EATERS_AT + index], 1u), u32(parameters.bite)));
}

// The acceleration (Q14) towards more food in the cells around. It grows with the hunger.
fn pull_of_food(place: Vector3, life: vec4<i32>) -> Vector3 {
    let force = (parameters.species[own_species].forage * (life.z & 65535)) >> 16u;
    if (force == 0) {
        return Vector3(0);
    }
    let cell = food_cell(place);
    let layers = select(0, 1, FOOD_EXTENTS.z > 1);
    var sum = Vector3(0);
    for (var dz = -layers; dz <= layers; dz++) {
        for (var dy = -1; dy <= 1; dy++) {
            for (var dx = -1; dx <= 1; dx++) {
                let toward = Vector3(dx, dy, dz);
                let beside = cell + toward;
                let wrapped = beside + select(Vector3(0), FOOD_EXTENTS, beside < Vector3(0))
                    - select(Vector3(0), FOOD_EXTENTS, beside >= FOOD_EXTENTS);
                if (TORUS || all(wrapped == beside)) {
                    sum += toward * i32(min(food[FOOD_AT + food_index(wrapped)] >> 8u, 4095u));
                }
            }
        }
    }
    return round_shift3(normalise(sum) * force, 14u);
}

#else

// Without food there are no meals.

fn share_of(place: Vector3, life: vec4<i32>) -> i32 {
    return 0;
}

fn pull_of_food(place: Vector3, life: vec4<i32>) -> Vector3 {
    return Vector3(0);
}

#endif
