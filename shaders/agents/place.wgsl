// Where an agent is, as the cell system counts.

// A place (Q16) in 1/16 cell, where the middle of a cell is a whole number of cells.
fn in_parts(place: Vector3) -> Vector3 {
    return ((place + 2048) >> vec3<u32>(12u)) - 8;
}

// Whether the hunter's jaws reach an agent. The hunter is a column through the whole depth of a world.
fn is_caught(place: Vector3) -> bool {
    return catches(in_parts(place).xy);
}
