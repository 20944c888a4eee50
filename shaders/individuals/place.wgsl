// The place of an individual in the units of the cell system.

// A place (Q16) in 1/16 cell. The middle of a cell is a whole number of cells. In a flat world z is 0.
fn place_of(place: Vector3) -> Vector3 {
    let parts = ((place + 2048) >> vec3<u32>(12u)) - 8;
    return select(parts, Vector3(parts.xy, 0), AXES == 2);
}

// Whether the jaws of a hunter reach an individual of a species.
fn is_caught(species: u32, place: Vector3) -> bool {
    return are_jaws_at_species(species, place_of(place));
}
