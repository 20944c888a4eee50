// Backward gather as in GPU Gems, chapter 38, by the filter of a texture unit: the place of the sample has 8 fraction
// bits along each axis. Compare with the chain `paper-gather`, whose places have 14.
//
// D' = (1 - a)(1 - b)·D(x) + a(1 - b)·D(x - e_x) + (1 - a)b·D(x - e_y) + ab·D(x - e_x - e_y)
fn texture_filter(cell: Cell) -> u32 {
    let v = control(cell);
    let a = u32((abs(v.x) + 32) >> 6u);
    let b = u32((abs(v.y) + 32) >> 6u);
    let behind = Cell(select(-1, 1, v.x < 0), select(-1, 1, v.y < 0));
    return part(density(cell), (256u - a) * (256u - b))
        + part(found(cell + Cell(behind.x, 0)), a * (256u - b))
        + part(found(cell + Cell(0, behind.y)), (256u - a) * b)
        + part(found(cell + behind), a * b);
}

// The density of a cell; 0 beyond walls.
fn found(cell: Cell) -> u32 {
    return select(density(cell), 0u, capacity(cell) == 0u);
}

// amount · weight / 2^16, rounded down
fn part(amount: u32, weight: u32) -> u32 {
    return (amount >> 16u) * weight + (((amount & 0xffffu) * weight) >> 16u);
}
