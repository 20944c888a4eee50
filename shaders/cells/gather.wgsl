// Gather: backward advection as in GPU Gems, chapter 38, which the paper cites. Each cell looks back along its own
// control vector and takes a bilinear sample of the density there. Nothing makes the amounts taken equal to the amounts
// lost. In this way the paper's boids vanished.
// Only the chain `paper-gather` runs it. The default chain moves boids in shaders/cells/movement.wgsl.
//
// D' = (1 - a_x - a_y + a_xy)·D(x) + (a_x - a_xy)·D(x - e_x) + (a_y - a_xy)·D(x - e_y) + a_xy·D(x - e_x - e_y)
fn gather(cell: Cell) -> u32 {
    if (capacity(cell) == 0u) {
        return 0u;
    }
    let v = control(cell);
    let share = shares(v, BILINEAR);
    let behind = Cell(select(-1, 1, v.x < 0), select(-1, 1, v.y < 0));
    return multiply_fraction(found(cell), u32(ONE) - share.x - share.y - share.z)
        + multiply_fraction(found(cell + Cell(behind.x, 0)), share.x)
        + multiply_fraction(found(cell + Cell(0, behind.y)), share.y)
        + multiply_fraction(found(cell + behind), share.z);
}

// The density of a cell; 0 for cells that are outside or solid.
fn found(cell: Cell) -> u32 {
    return select(density(cell), 0u, capacity(cell) == 0u);
}
