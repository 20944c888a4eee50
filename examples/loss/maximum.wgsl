// A cell's maximum: what is above four boids is cut off.
fn maximum(cell: Cell) -> u32 {
    return min(density(cell), 4u * 65536u);
}
