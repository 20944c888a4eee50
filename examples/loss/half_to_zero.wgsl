// A render target of half floats: 11 significant bits, rounded towards zero. Direct3D converts floats to floats of
// lower precision in this way (Data Conversion Rules).
fn half_to_zero(cell: Cell) -> u32 {
    let amount = density(cell);
    let bits = 32u - countLeadingZeros(amount);
    let dropped = (max(bits, 11u) - 11u) & 31u;
    return (amount >> dropped) << dropped;
}
