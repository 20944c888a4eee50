// The lookup, where individuals have no lives: nobody is looked up.

fn note_index(number: u32, index: u32) {
}
