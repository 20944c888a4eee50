// A candidate in its buffer: for each axis a word. The upper 20 bits are the place in units, modulo 2^20. The lower 12
// bits are the velocity in units, from -1024 to 1024, plus BIAS.
//
// Candidates are less than 2^19 units away, so the difference of two places modulo 2^20 is their offset. Velocities are
// summed with their bias, which is subtracted at the end.

const BIAS: i32 = 2048;

// A place (Q16) in units: rounded down.
fn in_units(place: Vector3) -> Vector3 {
    return place >> vec3<u32>(PLACE_UNIT);
}

// A velocity (Q14) in units: to nearest.
fn velocity_in_units(velocity: Vector3) -> Vector3 {
    return round_shift3(velocity, VELOCITY_UNIT);
}

fn candidate(place: Vector3, velocity: Vector3) -> Offset {
    return flat((in_units(place) << vec3<u32>(12u)) | (velocity_in_units(velocity) + BIAS));
}

// The offset to a candidate from a place in units, which is shifted up by 12 bits.
fn offset_to(other: Offset, origin: Offset) -> Offset {
    // The velocity in the lower bits adds less than a unit, which the shift removes.
    return (other - origin) >> UnsignedOffset(12u);
}

fn biased_velocity(other: Offset) -> Offset {
    return other & Offset(0xfff);
}

// The direction of a vector, with the length RESOLUTION, so that sums over all individuals fit.
fn unit_vector(v: Offset) -> Offset {
    return flat(round_shift3(normalise(deep(v)), 4u + countTrailingZeros(u32(COARSE))));
}

// Converts a vector from units of places to cells (Q10). Each component is held within 2^15: 32 cells.
fn in_cells(v: Vector3) -> Vector3 {
    let bits = PLACE_UNIT - 6u;
    let most = Vector3(32768 >> bits);
    return clamp(v, -most, most) << vec3<u32>(bits);
}
