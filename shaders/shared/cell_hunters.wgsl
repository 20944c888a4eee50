// The hunters, for the species whose density a kernel of cells moves.

#import "shared/surroundings"

// The control vector (Q10) of all hunters at a place in 1/16 cell.
fn control_of_hunters(place: Vector3) -> Vector3 {
    return control_of_hunters_for(parameters.own_species, place);
}

// Whether the jaws of any hunter reach a place in 1/16 cell.
fn are_jaws_at(place: Vector3) -> bool {
    return are_jaws_at_for(parameters.own_species, place);
}
