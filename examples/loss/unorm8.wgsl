// A render target of 8 bits (UNORM): the density is stored in 1/255 boid, to nearest. A cell holds one boid at most.
fn unorm8(cell: Cell) -> u32 {
    let part = (min(density(cell), 65536u) * 255u + 32768u) / 65536u;
    return (part * 65536u + 127u) / 255u;
}
