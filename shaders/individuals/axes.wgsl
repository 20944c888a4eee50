// The vectors of a world on its own axes and on three, and the species of the present individual.

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

var<private> own_species: u32;

fn select_species(species: u32) {
    own_species = species;
}

#else

const own_species: u32 = 0u;

fn select_species(species: u32) {
}

#endif
