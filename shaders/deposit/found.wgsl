// Found: the number, place and velocity of the individual with the least key.
//
// Generated around this file: AXES, NOBODY, the buffers.

@compute @workgroup_size(1)
fn write_found() {
    if (found[0] == NOBODY) {
        return;
    }
    let i = found[0] & 0xffffffu;
    let place = places[i];
    found[1] = u32(place.w);
    for (var axis = 0; axis < 3; axis++) {
        found[2 + axis] = u32(place[axis]);
    }
    for (var axis = 0; axis < AXES; axis++) {
        found[5 + axis] = u32(velocities[i][axis]);
    }
}
