// A wind that turns once around in 512 steps, and in space rises and sinks gently; in 1/1024, as every rule's vector. A flat world
// leaves the third component out.
fn wind(cell: Cell) -> Vector {
    let step = parameters.step;
    return on_axes(Vector3(swing(step + 128u), swing(step), swing(step / 2u) / 4));
}

// Back and forth between -1 and 1 in a straight zigzag: a sine would need floats, which no two GPUs round alike.
fn swing(step: u32) -> i32 {
    return 1024 - 8 * abs(i32((step + 128u) % 512u) - 256);
}
