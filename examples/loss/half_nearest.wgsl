// A render target of half floats: 11 significant bits, rounded to nearest, ties to even.
fn half_nearest(cell: Cell) -> u32 {
    let amount = density(cell);
    let bits = 32u - countLeadingZeros(amount);
    let dropped = (max(bits, 11u) - 11u) & 31u;
    let kept = amount >> dropped;
    let rest = amount - (kept << dropped);
    let half = select(1u << ((dropped - 1u) & 31u), 1u, dropped == 0u);
    let is_up = rest > half || (rest == half && (kept & 1u) == 1u);
    return (kept + select(0u, 1u, is_up)) << dropped;
}
