// The lookup of the index of an individual in `sorted` by its number.
//
// Generated around this file: the buffer `lookup`, which has 1 + that index for each number, or 0.

#ifdef HAS_LIVES

fn note_index(number: u32, index: u32) {
    if (number < arrayLength(&lookup)) {
        lookup[number] = index + 1u;
    }
}

#else

// Without lives there is no lookup.

fn note_index(number: u32, index: u32) {
}

#endif
