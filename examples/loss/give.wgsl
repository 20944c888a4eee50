// The amounts that a cell gives to the neighbours along x, along y and along both, without a limit by their room.
fn give(cell: Cell) -> Written {
    let share = shares(control(cell), parameters.distribution);
    let amount = density(cell);
    return Written(
        multiply_fraction(amount, share.x),
        multiply_fraction(amount, share.y),
        multiply_fraction(amount, share.z),
    );
}
