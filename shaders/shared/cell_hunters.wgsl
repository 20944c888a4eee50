// The hunters, for the species whose density a kernel of cells moves.

#import "shared/surroundings"

// The control vector (Q10) of all hunters at a place in 1/16 cell.
fn control_of_hunters(place: Vector3) -> Vector3 {
    return species_control_of_hunters(parameters.own_species, place);
}

// Whether the jaws of any hunter catch at a place in 1/16 cell.
fn are_jaws_at(place: Vector3) -> bool {
    return are_jaws_at_species(parameters.own_species, place);
}
