// Jaws: the boids within the jaws of a hunter are removed, after the ledger has counted them.
//
// D' = 0 where |x - h_i| ≤ jaws_i for any hunter i, else D
fn jaws(cell: Cell) -> u32 {
    return select(density(cell), 0u, are_jaws_at(place_of(cell)));
}
