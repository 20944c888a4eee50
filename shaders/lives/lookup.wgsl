// The lookup: where the individual of a number is in `sorted`.
//
// Generated around this file: the buffer `lookup`, which has for each number the index after that place, or 0.

fn note_index(number: u32, index: u32) {
    if (number < arrayLength(&lookup)) {
        lookup[number] = index + 1u;
    }
}
