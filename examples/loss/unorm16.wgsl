// A render target of 16 bits (UNORM): the density is stored in 1/65535 boid, to nearest. A cell holds one boid at most.
// A quantum is 1/65536 boid, so the rounding is within one quantum: the greatest density is all that remains.
fn unorm16(cell: Cell) -> u32 {
    return min(density(cell), 65536u);
}
