// A cell loses what it gives.
fn leave(cell: Cell) -> u32 {
    let share = shares(control(cell), parameters.distribution);
    let amount = density(cell);
    return amount - multiply_fraction(amount, share.x) - multiply_fraction(amount, share.y)
        - multiply_fraction(amount, share.z);
}
