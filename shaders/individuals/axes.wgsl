// Vectors on the axes of the world and on three axes, and the choice of the species of the present individual.

// Generated around this file: `own_species`, a variable if there are several species, else 0.

#ifdef DEEP

fn flat(v: Vector3) -> Offset {
    return v;
}

fn deep(v: Offset) -> Vector3 {
    return v;
}

#else

fn flat(v: Vector3) -> Offset {
    return v.xy;
}

fn deep(v: Offset) -> Vector3 {
    return Vector3(v, 0);
}

#endif
#ifdef HAS_MEETINGS

fn select_species(species: u32) {
    own_species = species;
}

#else

fn select_species(species: u32) {
}

#endif
