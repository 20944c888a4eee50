// Walls: v_w, the control vector of shaders/shared/surroundings.wgsl.
fn walls(cell: Cell) -> Vector {
    let place = place_of(cell);
    var v = Vector(0);
    v.x = control_of_wall(place.x, ENDS.x);
    v.y = control_of_wall(place.y, ENDS.y);
    if (LAST == 2) {
        v[LAST] = control_of_wall(place[LAST], ENDS[LAST]);
    }
    return v;
}
