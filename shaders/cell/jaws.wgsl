// Jaws: the boids within the hunter's jaws are removed, after the ledger has counted them.
//
// D' = 0 where |x - h| ≤ jaws, else D
fn jaws(cell: Cell) -> u32 {
    return select(density(cell), 0u, in_jaws(cell));
}
