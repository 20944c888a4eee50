// The lookup: where the individual of a number is in `sorted`.
//
// Generated around this file: the buffer `lookup`, which has for each number the index after that place, or 0.

#ifdef HAS_LIVES

fn note_index(number: u32, index: u32) {
    if (number < arrayLength(&lookup)) {
        lookup[number] = index + 1u;
    }
}

#else

// Where individuals have no lives, nobody is looked up.

fn note_index(number: u32, index: u32) {
}

#endif
