// Jaws: what is within the hunter's jaws is taken off the lattice; the ledger counts it before it goes.
//
// D' = 0 where |x - h| ≤ jaws, else D
fn jaws(cell: Cell) -> u32 {
    return select(density(cell), 0u, in_jaws(cell));
}
