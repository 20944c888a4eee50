// The roost: v_r, the control vector of shaders/shared/surroundings.wgsl.

#import "individuals/place"
#import "individuals/situation"

fn roost_control(individual: Situation) -> Vector3 {
    return control_of_roost(place_of(individual.place));
}
