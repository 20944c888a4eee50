// Advect: every cell takes what its neighbours give it, and their headings with it. The weights are the shares >> k, k
// the least with D' >> k < 2^17, so that the sums fit in 32 bits.
//
// D' = D - given + received;  V'' = mean of V' over the boids now here, weighted by where they came from
fn advect(cell: Cell) -> Written {
    let here = control(cell);
    let stayed = density(cell) - outflow_x(cell) - outflow_y(cell) - outflow_xy(cell);

    // The headings of the eight neighbours, by where they lie: above, level and below; left, straight and right.
    let above_left = control(cell + Cell(-1, -1));
    let above = control(cell + Cell(0, -1));
    let above_right = control(cell + Cell(1, -1));
    let left = control(cell + Cell(-1, 0));
    let right = control(cell + Cell(1, 0));
    let below_left = control(cell + Cell(-1, 1));
    let below = control(cell + Cell(0, 1));
    let below_right = control(cell + Cell(1, 1));

    // What each gives to this cell: its outflow in this direction, if it is headed here.
    let from_above_left = when(above_left.x > 0 && above_left.y > 0, outflow_xy(cell + Cell(-1, -1)));
    let from_above = when(above.y > 0, outflow_y(cell + Cell(0, -1)));
    let from_above_right = when(above_right.x < 0 && above_right.y > 0, outflow_xy(cell + Cell(1, -1)));
    let from_left = when(left.x > 0, outflow_x(cell + Cell(-1, 0)));
    let from_right = when(right.x < 0, outflow_x(cell + Cell(1, 0)));
    let from_below_left = when(below_left.x > 0 && below_left.y < 0, outflow_xy(cell + Cell(-1, 1)));
    let from_below = when(below.y < 0, outflow_y(cell + Cell(0, 1)));
    let from_below_right = when(below_right.x < 0 && below_right.y < 0, outflow_xy(cell + Cell(1, 1)));

    let now = stayed + from_above_left + from_above + from_above_right + from_left + from_right
        + from_below_left + from_below + from_below_right;
    if (parameters.carry == 0u || now == 0u) {
        return Written(now, here);
    }

    let k = 15u - min(countLeadingZeros(now), 15u);
    let weight = (stayed >> k) + (from_above_left >> k) + (from_above >> k) + (from_above_right >> k)
        + (from_left >> k) + (from_right >> k) + (from_below_left >> k) + (from_below >> k) + (from_below_right >> k);
    let sum = i32(stayed >> k) * here
        + i32(from_above_left >> k) * above_left
        + i32(from_above >> k) * above
        + i32(from_above_right >> k) * above_right
        + i32(from_left >> k) * left
        + i32(from_right >> k) * right
        + i32(from_below_left >> k) * below_left
        + i32(from_below >> k) * below
        + i32(from_below_right >> k) * below_right;
    return Written(now, Vector(quotient(sum.x, i32(weight)), quotient(sum.y, i32(weight))));
}

fn when(headed_here: bool, outflow: u32) -> u32 {
    return select(0u, outflow, headed_here);
}
