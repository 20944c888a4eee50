// The vectors of a world on its own axes and on three, how a texture stores them, and where cells lie in the world.

#ifdef DEEP

// The components of a vector on three axes that the world has.
fn on_axes(v: Vector3) -> Vector {
    return v;
}

fn on_three_axes(v: Vector) -> Vector3 {
    return v;
}

// A vector takes two words, of a texture with two components.
fn stored(v: Vector) -> vec2<u32> {
    return vec2<u32>(pack(v.xy), bitcast<u32>(v.z));
}

fn vector_of(texel: vec4<u32>) -> Vector {
    return Vector(unpack(texel.r), bitcast<i32>(texel.g));
}

#else

fn on_axes(v: Vector3) -> Vector {
    return v.xy;
}

fn on_three_axes(v: Vector) -> Vector3 {
    return Vector3(v, 0);
}

// A vector takes one word, of a texture with one component.
fn stored(v: Vector) -> u32 {
    return pack(v);
}

fn vector_of(texel: vec4<u32>) -> Vector {
    return unpack(texel.r);
}

#endif

// The lattice of a device is the world, or a part of it with a halo.
//
// Generated around this file: FIRST, the place in the world of the first cell of the lattice, and OWN, the rows of a flat lattice, or the slices of
// a deep one, that are no halo: the first of them, and the one after the last.

// The place of a cell in the world.
fn in_world(cell: Cell) -> Cell {
    return cell + FIRST;
}

// Whether a cell is on the lattice, and not in its halo.
fn is_own(cell: Cell) -> bool {
    return inside(cell) && cell[LAST] >= OWN.x && cell[LAST] < OWN.y;
}

// The place of a cell in the world, in 1/16 cell.
fn place_of(cell: Cell) -> Vector3 {
    return 16 * on_three_axes(in_world(cell));
}
