// Walls: towards the inside, growing linearly from 0 at `margin` cells to 1 at the wall.
//
// v_w = (m - d)/m                          on each axis, for a wall at d < m cells
fn walls(cell: Cell) -> Vector {
    let margin = parameters.margin;
    let from_first = max(Vector(margin) - cell, Vector(0));
    let from_last = max(Vector(margin) - (EXTENT - Cell(1) - cell), Vector(0));
    let turn = (from_first - from_last) * RULE_ONE;
    return Vector(quotient(turn.x, max(margin, 1)), quotient(turn.y, max(margin, 1)));
}
