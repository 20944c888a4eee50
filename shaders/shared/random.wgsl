// Random integers by a counter. The twin is crates/core/src/numbers/random.rs.
//
// A kernel draws hash(hash(parameters.seed ^ n) + parameters.step), with n the number of a cell or an individual.

// A word that depends on every bit of another: an integer hash with full avalanche (`lowbias32` by Chris Wellons).
fn hash(word: u32) -> u32 {
    let first = (word ^ (word >> 16u)) * 0x7feb352du;
    let second = (first ^ (first >> 15u)) * 0x846ca68bu;
    return second ^ (second >> 16u);
}
