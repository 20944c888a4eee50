// Parents, where individuals have no lives: nobody is born.

fn parent_of(number: u32, step: u32) -> u32 {
    return 0u;
}

fn dna_of_child(number: u32, step: u32, own: vec2<i32>) -> vec2<i32> {
    return own;
}
