// Eaters: the number of eaters in each cell of food.
//
// Generated around this file: the buffer `food`, in which these numbers begin at EATERS_AT.

#import "food/food_cells"

#ifdef HAS_FOOD

fn note_eater(own: Individual) {
    if (is_eating(life_of(own))) {
        atomicAdd(&food[EATERS_AT + food_index(food_cell(own.place))], 1u);
    }
}

#else

// Without food there are no eaters.

fn note_eater(own: Individual) {
}

#endif
