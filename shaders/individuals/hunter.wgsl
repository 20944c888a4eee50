// The hunters: v_h, the control vector of shaders/shared/surroundings.wgsl.

#import "individuals/place"
#import "individuals/situation"

fn hunter_control(individual: Situation) -> Vector3 {
    if (parameters.hunter_count == 0) {
        return Vector3(0);
    }
    return species_control_of_hunters(own_species, place_of(individual.place));
}
