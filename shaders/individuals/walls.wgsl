// Walls: v_w, the control vector of shaders/shared/surroundings.wgsl.

#import "individuals/place"
#import "individuals/situation"

fn walls_control(individual: Situation) -> Vector3 {
    var control = Vector3(0);
    if (TORUS || parameters.margin <= 0) {
        return control;
    }
    let place = place_of(individual.place);
    for (var axis = 0; axis < AXES; axis++) {
        control[axis] = control_of_wall(place[axis], 16 * EXTENTS[axis]);
    }
    return control;
}
