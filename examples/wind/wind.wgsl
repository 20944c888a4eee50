// A wind that turns once around in 512 steps; in 1/1024, as every rule's vector.
fn wind(cell: Cell) -> Vector {
    return Vector(swing(parameters.step + 128u), swing(parameters.step));
}

// Back and forth between -1 and 1 in a straight zigzag: a sine would need floats, which no two GPUs round alike.
fn swing(step: u32) -> i32 {
    return 1024 - 8 * abs(i32((step + 128u) % 512u) - 256);
}
