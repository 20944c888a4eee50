// Eaters: how many eat in each cell of food.
//
// Generated around this file: the buffer `food`, in which their numbers begin at EATERS_AT.

fn note_eater(own: Individual) {
    if (is_eating(life_of(own))) {
        atomicAdd(&food[EATERS_AT + food_index(food_cell(own.place))], 1u);
    }
}
