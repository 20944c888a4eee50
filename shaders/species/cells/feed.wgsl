// Feed: what a species eats of others in a cell, and what they eat of it.
//
// D' = D + Σ eaten by it - Σ eaten of it;  eaten = floor(rate · min(D of the eater, D of the prey, room of the eater))
//
// Put beside this file: shaders/species/eaten.wgsl, the sums of all meals of the species.
fn feed(cell: Cell) -> u32 {
    let sums = eaten_and_lost(cell);
    return density(cell) + sums.x - sums.y;
}
